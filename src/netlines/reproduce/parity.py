"""The parity of N bits: the smallest network has H = N hidden units. Learning is exhaustive."""

from __future__ import annotations

import pandas as pd

from netlines.datasets import make_parity
from netlines.reproduce.report.figure import legend_below, new_figure, plot_means
from netlines.reproduce.runs.experiment import Experiment, Figures, Headline, crossed, where
from netlines.reproduce.runs.methods import CV, GROWN, MONOPLANE, PAPER, PEERS, WAYS, measure
from netlines.reproduce.runs.records import Row, Run, read_case, write_case
from netlines.reproduce.runs.verdicts import CHOOSES, NOT_RUN, Verdict, Verdicts, each_way

NAME = "parity"


def runs(full: bool) -> list[Run]:
    """Give every size; what is random is repeated three times."""
    cases = [write_case(bits=bits) for bits in range(2, 12 if full else 6)]
    # Five nearest neighbours need five patterns.
    once = crossed(NAME, [*WAYS, MONOPLANE], cases, [0]) + crossed(NAME, PEERS, cases[1:], [0])
    return once + (crossed(NAME, GROWN, cases, [1, 2]) if full else [])


def measure_run(run: Run) -> list[Row]:
    """Learn all patterns."""
    return measure(run, make_parity(int(read_case(run.case)["bits"])))


def _size(rows: pd.DataFrame, way: str) -> Verdict:
    own = rows[rows["method"] == way]
    good = (own["H"] == own["bits"]) & (own["training_errors"] == 0)
    misses = [f"{bits:.0f}" for bits in sorted(set(own["bits"][~good]))]
    span = f"N = {own['bits'].min():.0f} to {own['bits'].max():.0f}"
    if way == CV:
        return Verdict(f"{CHOOSES.measured}: H = N without errors in {good.sum()} of {len(own)} runs", None)
    if not misses:
        return Verdict(f"H = N without errors for {span}, {len(own)} of {len(own)} runs", True)
    return Verdict(f"H = N in {good.sum()} of {len(own)} runs, not for N = {', '.join(misses)}", False)


def _larger_theta(rows: pd.DataFrame) -> Verdicts:
    own = rows[(rows["method"] == PAPER) & (rows["bits"] > 10)]
    if own.empty:
        return {PAPER: NOT_RUN}
    good = (own["H"] == own["bits"]) & (own["training_errors"] == 0)
    text = f"with θ = 6: H = N without errors in {good.sum()} of {len(own)} runs of N = 11"
    return {PAPER: Verdict(text, not good.all())}


def draw(rows: pd.DataFrame) -> Figures:
    """Draw the number of hidden units against N."""
    figure, (ax,) = new_figure()
    bits = sorted(rows["bits"].unique())
    ax.plot(bits, bits, color="0.6", linewidth=1, linestyle="--", label="H = N")
    shown = rows[rows["training_errors"] == 0]
    plot_means(ax, shown, "bits", "H", GROWN)
    ax.set(xlabel="number of bits N", ylabel="hidden units H, no training errors", xticks=bits)
    legend_below(figure, [ax])
    return {"parity": figure}


EXPERIMENT = Experiment(
    NAME,
    "Parity",
    "All 2^N patterns of N bits, labelled by their parity. The paper reports the smallest possible "
    "network, H = N, for every N from 2 to 11. There are no new patterns to generalise to: "
    "NetLinesClassifierCV, which looks for what predicts held-out rows, rightly finds nothing there.",
    runs,
    measure_run,
    {"parity-size": each_way(_size), "parity-theta": _larger_theta},
    draw,
    by=("bits",),
    headline=tuple(
        Headline(f"parity of {bits} bits", ("parity-size",), where("bits", bits)) for bits in (4, 6, 8, 11)
    ),
    remarks=(
        "Hebb's rule, from which units start, vanishes for the parity, and from the symmetric start that "
        "is left no step breaks the symmetry; a random direction takes its place. Where it leads depends "
        "on the seed: for N = 6, 7 and 8 not always to H = N. The paper does not say where its units "
        "start."
    ),
)
