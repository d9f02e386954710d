"""Error on new data, log-loss, size and fit time of netlines and its peers, over the sets of sets.py.

    python benchmarks/generalise.py                         # what the cache lacks of the sets of two classes
    python benchmarks/generalise.py confirmation            # the sets of one group
    python benchmarks/generalise.py classes more-classes    # the sets of more than two classes
    python benchmarks/generalise.py sonar heart --methods netlines LR --splits 5
    python benchmarks/generalise.py --again netlines        # measure netlines anew
    python benchmarks/generalise.py --methods               # measure nothing, report what is there
    python benchmarks/generalise.py --methods --markdown    # the tables of the documentation

Each figure of a (set, split, method) is kept in a CSV file, build/benchmarks/generalise.csv unless --cache
says otherwise; several runs may share it. All on one thread. Log-loss is scikit-learn's: a model that gives
probability 0 to what happens pays 36 for it. The differences to logistic regression are those on the same
splits, in standard errors of the paired differences, marked where they are worse by more than 1.5.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"
os.environ["NUMBA_NUM_THREADS"] = "1"

import argparse
import csv
import fcntl
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any

import numpy as np
from peers import count_parameters, peers
from scipy.stats import rankdata
from sets import BUILD, GROUPS, SETS, TWO_CLASSES, load, splits
from sklearn.metrics import log_loss

REFERENCE = "LR"
RIVALS = ("LightGBM", "CatBoost", "forest", "SVC-CV")  # of the ranks
WORSE = 1.5  # standard errors
SECONDS_BETWEEN_SAVES = 2.0
SECONDS_BETWEEN_LINES = 60.0  # of progress, where it cannot be one line that changes
FIGURES = {  # by the name of the file: the titles of the panels by group
    "generalise": {"named": "Named sets", "confirmation": "Sets for confirmation"},
    "generalise_classes": {"classes": "Named sets of many classes", "more-classes": "Sets for confirmation"},
}
# Okabe and Ito's colours, told apart by colour-blind eyes; the markers tell them apart in grey.
STYLES = {
    "netlines": ("#D55E00", "*"),
    "netlines-small": ("#D55E00", "h"),
    "netlines-accurate": ("#D55E00", "p"),
    "LR": ("#000000", "o"),
    "LR-CV": ("#000000", "s"),
    "tree-CV": ("#009E73", "^"),
    "forest": ("#009E73", "v"),
    "HGB": ("#E69F00", "D"),
    "LightGBM": ("#56B4E9", "P"),
    "CatBoost": ("#56B4E9", "d"),
    "SVC": ("#0072B2", "<"),
    "SVC-CV": ("#0072B2", ">"),
    "MLP-CV": ("#CC79A7", "X"),
}

Key = tuple[str, int, str]
Factories = Callable[[], dict[str, Callable[[], Any]]]


@dataclass(frozen=True)
class Result:
    """What was measured of one method on one split of one set; log_loss is NaN without probabilities."""

    set: str
    split: int
    method: str
    error: float
    log_loss: float
    parameters: int
    seconds: float

    @property
    def key(self) -> Key:
        """What the figures are looked up by."""
        return self.set, self.split, self.method


def netlines(prefer: str = "balanced") -> Any:
    """Return the library's own method."""
    from netlines import NetLinesClassifierCV

    return NetLinesClassifierCV(prefer=prefer)


def methods() -> dict[str, Callable[[], Any]]:
    """Return the factory of each method by its name."""
    own = {"netlines": netlines}
    own |= {f"netlines-{prefer}": partial(netlines, prefer) for prefer in ("small", "accurate")}
    return own | peers()


@cache
def warm_up(make: Factories, method: str, n_classes: int) -> None:
    """Fit once to a few rows of two or three classes, so that no compilation or import is timed."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3))
    limits = [0.0] if n_classes == 2 else [-1.0, 1.0]
    make()[method]().fit(X, np.searchsorted(limits, X.sum(axis=1) + rng.standard_normal(60)))


def measure(task: Key, make: Factories = methods) -> Result | str:
    """Fit a method to a split and return its figures, or what went wrong; `make` gives the factories."""
    name, split, method = task
    warnings.simplefilter("ignore")
    try:
        Xa, ya, Xt, yt = next(islice(splits(name), split, None))
        C = load(name)[1].max() + 1
        warm_up(make, method, min(C, 3))
        model = make()[method]()
        start = perf_counter()
        model.fit(Xa, ya)
        seconds = perf_counter() - start
        error = float((np.ravel(model.predict(Xt)) != yt).mean())  # CatBoost has a column of more than two
        loss = float("nan")
        if hasattr(model, "predict_proba"):
            p = np.zeros((len(yt), C))
            p[:, model.classes_] = model.predict_proba(Xt)  # 0 for a class that no training row has
            loss = float(log_loss(yt, p, labels=range(C)))
        return Result(name, split, method, error, loss, count_parameters(model), seconds)
    except Exception as failure:
        return f"{method} on split {split} of {name}: {type(failure).__name__}: {failure}"


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other runs from changing a cache file meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path.with_name(path.name + ".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def read_results(path: Path) -> dict[Key, Result]:
    """Return what a cache file holds."""
    if not path.exists():
        return {}
    with open(path, newline="") as file:
        rows = [
            Result(
                row["set"],
                int(row["split"]),
                row["method"],
                float(row["error"]),
                float(row["log_loss"] or "nan"),
                int(row["parameters"]),
                float(row["seconds"]),
            )
            for row in csv.DictReader(file)
        ]
    return {result.key: result for result in rows}


def change_results(path: Path, new: Iterable[Result] = (), without: Iterable[Key] = ()) -> dict[Key, Result]:
    """Add results to a cache file and take others out, in one step; return what it holds then."""
    with locked(path):
        results = read_results(path)
        for key in without:
            results.pop(key, None)
        results |= {result.key: result for result in new}
        part = path.with_name(path.name + ".part")
        with open(part, "w", newline="") as file:
            writer = csv.DictWriter(file, [field.name for field in fields(Result)], lineterminator="\n")
            writer.writeheader()
            for result in results.values():
                row = asdict(result)
                row |= {"log_loss": "" if np.isnan(result.log_loss) else f"{result.log_loss:.6g}"}
                row |= {"error": f"{result.error:.6g}", "seconds": f"{result.seconds:.4g}"}
                writer.writerow(row)
        os.replace(part, path)
    return results


def run(tasks: list[Key], path: Path, jobs: int, make: Factories = methods) -> list[str]:
    """Measure the tasks, keeping the results in the cache file as they come; return the failures."""
    measure_one = partial(measure, make=make)
    failures: list[str] = []
    unsaved: list[Result] = []
    saved = told = start = monotonic()
    clear = "\r\033[K" if sys.stderr.isatty() else ""
    executor = ProcessPoolExecutor(jobs) if jobs > 1 else None
    try:
        for done, outcome in enumerate((executor.map if executor else map)(measure_one, tasks), 1):
            if isinstance(outcome, str):
                failures.append(outcome)
                print(f"{clear}FAILED: {outcome}", file=sys.stderr, flush=True)
            else:
                unsaved.append(outcome)
            if monotonic() > saved + SECONDS_BETWEEN_SAVES:
                change_results(path, unsaved)
                saved, unsaved = monotonic(), []
            name, split, method = tasks[done - 1]
            minutes = (monotonic() - start) / 60
            line = f"{done} of {len(tasks)} fits, {minutes:.1f} min: {method} on {name}, split {split}"
            if sys.stderr.isatty():
                print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)
            elif monotonic() > told + SECONDS_BETWEEN_LINES:
                print(line, file=sys.stderr, flush=True)
                told = monotonic()
    finally:
        if executor:
            executor.shutdown(cancel_futures=True)
        if unsaved:
            change_results(path, unsaved)
        if tasks and clear:
            print(file=sys.stderr)
    return failures


class Report:
    """The figures of the chosen splits, by set and method."""

    def __init__(self, results: dict[Key, Result], n_splits: int | None) -> None:
        self.results = results
        self.n_splits = n_splits

    def wanted(self, name: str) -> int:
        """Return the number of splits of a set that are looked at."""
        return min(SETS[name].n_splits, self.n_splits or SETS[name].n_splits)

    def of(self, name: str, method: str) -> dict[int, Result]:
        """Return the results of a method on a set by split."""
        keys = ((name, split, method) for split in range(self.wanted(name)))
        return {key[1]: self.results[key] for key in keys if key in self.results}

    def is_complete(self, name: str, method: str) -> bool:
        """Tell whether no split of a set is lacking."""
        return len(self.of(name, method)) == self.wanted(name)

    def mean(self, name: str, method: str, quantity: str) -> float:
        """Return the mean of a quantity over the splits of a set."""
        return float(np.mean([getattr(result, quantity) for result in self.of(name, method).values()]))

    def difference(self, name: str, method: str) -> float:
        """Return the mean difference in error to logistic regression in its standard errors."""
        mine, other = self.of(name, method), self.of(name, REFERENCE)
        both = sorted(mine.keys() & other.keys())
        d = np.array([mine[split].error - other[split].error for split in both]).round(9)
        if len(d) < 2:
            return float("nan")
        error = d.std(ddof=1) / np.sqrt(len(d))
        if error < 1e-6:  # the cache keeps 6 digits
            return float(np.sign(d.mean()) * np.inf) if abs(d.mean()) > 1e-6 else 0.0
        return float(d.mean() / error)

    def print_set(self, name: str, chosen: list[str]) -> None:
        """Print a row for each method that was measured on a set."""
        X, y = load(name)
        counts = np.bincount(y)
        which = "smaller class" if len(counts) == 2 else f"smallest of {len(counts)} classes"
        title = f"{name}, {len(y)} × {X.shape[1]}, {100 * counts.min() / len(y):.0f} % in the {which}"
        row = "  {:<18}{:>16}{:>10}{:>12}{:>9}{:>12}  {}"
        print(f"\n{title}, {self.wanted(name)} splits")
        print(
            row.format(
                "", "error %", "log-loss", "parameters", "s a fit", f"to {REFERENCE}, s.e.", ""
            ).rstrip()
        )
        for method in chosen:
            results = self.of(name, method)
            if not results:
                continue
            errors = [100 * result.error for result in results.values()]
            spread = np.std(errors, ddof=1) / np.sqrt(len(errors)) if len(errors) > 1 else np.nan
            to_reference = self.difference(name, method)
            notes = ["worse"] if to_reference > WORSE else []
            if not self.is_complete(name, method):
                notes.append(f"only {len(errors)} splits")
            cells = [
                f"{np.mean(errors):.2f} ± {spread:.2f}",
                as_text(self.mean(name, method, "log_loss"), ".3f"),
                f"{self.mean(name, method, 'parameters'):,.0f}",
                f"{self.mean(name, method, 'seconds'):.3g}",
                as_text(to_reference, "+.1f") if method != REFERENCE else "",
            ]
            print(row.format(method, *cells, ", ".join(notes)).rstrip())

    def print_group(self, group: str, names: list[str], chosen: list[str]) -> None:
        """Print the means over the sets of a group, for the methods that were measured on all of them."""
        whole = "" if len(names) == len(GROUPS[group]) else f" of its {len(GROUPS[group])}"
        print(f"\n{group.upper()}, mean over {len(names)}{whole} sets")
        row = "  {:<18}{:>9}{:>10}{:>12}{:>9}  {}"
        print(row.format("", "error %", "log-loss", "parameters", "s a fit", f"beside {REFERENCE}").rstrip())
        for method in chosen:
            there = [name for name in names if self.is_complete(name, method)]
            if not there:
                continue
            if len(there) < len(names):
                print(f"  {method:<18}  measured on {len(there)} of the sets")
                continue
            means = {
                q: self.group_mean(names, method, q) for q in ("error", "log_loss", "parameters", "seconds")
            }
            against = {name: self.difference(name, method) for name in names}
            worse = [f"{name} ({d:+.1f})" for name, d in against.items() if d > WORSE]
            better = sum(d < -WORSE for d in against.values())
            note = f"better on {better} sets, worse on {len(worse)}{': ' if worse else ''}{', '.join(worse)}"
            cells = [
                f"{100 * means['error']:.2f}",
                as_text(means["log_loss"], ".3f"),
                f"{means['parameters']:,.0f}",
                f"{means['seconds']:.3g}",
            ]
            print(row.format(method, *cells, note if method != REFERENCE else "").rstrip())

    def print_markdown(self, names: list[str], chosen: list[str]) -> None:
        """Print a table for the documentation: errors in percent, the parameters of those of the library."""
        complete = [one for one in chosen if names and all(self.is_complete(name, one) for name in names)]
        own = [one for one in complete if one.startswith("netlines")]
        print("\n| test error, % | splits |", *(f" {one} |" for one in complete), sep="")
        print("|---|---|", *("---|" for _ in complete), sep="")

        def cells(error: Callable[[str], float], size: Callable[[str], float]) -> Iterator[str]:
            for one in complete:
                yield f" {100 * error(one):.2f}{f' ({size(one):,.0f})' if one in own else ''} |"

        for name in names:
            mean = partial(self.mean, name)
            row = cells(lambda one, m=mean: m(one, "error"), lambda one, m=mean: m(one, "parameters"))
            print(f"| {name} | {self.wanted(name)} |", *row, sep="")
        row = cells(
            lambda one: self.group_mean(names, one, "error"),
            lambda one: self.group_mean(names, one, "parameters"),
        )
        print("| **mean** | |", *row, sep="")
        sizes = (f" {self.group_mean(names, one, 'parameters'):,.0f} |" for one in complete)
        print("| parameters, mean | |", *sizes, sep="")
        losses = (f" {as_text(self.group_mean(names, one, 'log_loss'), '.3f')} |" for one in complete)
        print("| log-loss, mean | |", *losses, sep="")
        seconds = (f" {self.group_mean(names, one, 'seconds'):.3g} |" for one in complete)
        print("| seconds a fit, mean | |", *seconds, sep="")

    def print_ranks(self, names: list[str]) -> None:
        """Print the mean ranks of the larger choice and of the usual large models, by mean errors on sets."""
        for own in ("netlines-accurate", "netlines"):
            among = [own, *RIVALS]
            there = [name for name in names if all(self.is_complete(name, one) for one in among)]
            if there:
                errors = [[self.mean(name, one, "error") for one in among] for name in there]
                ranks = rankdata(np.round(errors, 6), axis=1).mean(axis=0)
                said = ", ".join(f"{one} {rank:.2f}" for one, rank in zip(among, ranks, strict=True))
                print(f"\nmean rank over {len(there)} of {len(names)} sets: {said}")

    def group_mean(self, names: Iterable[str], method: str, quantity: str) -> float:
        """Return the mean over sets of the mean over splits."""
        return float(np.mean([self.mean(name, method, quantity) for name in names]))

    def draw(self, file: str, names: dict[str, list[str]], chosen: list[str], folder: Path) -> None:
        """Draw error against size, a panel for each group of which some method has every set."""
        panels = {}
        for group in FIGURES[file]:
            complete = [
                method
                for method in chosen
                if names[group] and all(self.is_complete(name, method) for name in names[group])
            ]
            if complete:
                panels[group] = complete
        if not panels:
            print(f"\nno figure {file}: no method was measured on every set of a group", file=sys.stderr)
            return
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(1, len(panels), figsize=(5.6 * len(panels), 4.4), squeeze=False)
        for ax, (group, complete) in zip(axes[0], panels.items(), strict=True):
            points = {
                method: (
                    self.group_mean(names[group], method, "parameters"),
                    100 * self.group_mean(names[group], method, "error"),
                )
                for method in complete
            }
            draw_panel(ax, points)
            title = f"{FIGURES[file][group]}, {len(names[group])} of {len(GROUPS[group])}"
            ax.set_title(title, fontsize=11)
        axes[0, 0].set_ylabel("test error, mean over the sets (%)")
        figure.tight_layout()
        folder.mkdir(parents=True, exist_ok=True)
        for ending in ("png", "svg"):
            figure.savefig(folder / f"{file}.{ending}", dpi=150)
        print(f"\n{folder / file}.png and .svg show error against parameters")


def draw_panel(ax: Any, points: dict[str, tuple[float, float]]) -> None:
    """Draw a labelled point for each method, the labels clear of each other and of the points."""
    for method, (size, error) in points.items():
        colour, marker = STYLES.get(method, ("#777777", "h"))
        big = 190 if method == "netlines" else 55
        ax.scatter(
            size, error, s=big, color=colour, marker=marker, zorder=3, edgecolors="white", linewidths=0.6
        )
    ax.set_xscale("log")
    ax.set_xlabel("parameters, mean over the sets")
    ax.margins(0.2, 0.12)
    ax.grid(color="0.9", linewidth=0.7)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.figure.canvas.draw()
    pixels = {method: ax.transData.transform(point) for method, point in points.items()}
    taken: list[Any] = []
    places = [(10, 0, "left", "center"), (-10, 0, "right", "center")]
    places += [(0, 9, "center", "bottom"), (0, -9, "center", "top")]
    places += [(x, y, side, "center") for y in (10, -10, 18, -18) for x, side in ((9, "left"), (-9, "right"))]
    for method, point in points.items():
        for x, y, horizontal, vertical in places:
            label = ax.annotate(
                method,
                point,
                (x, y),
                textcoords="offset points",
                ha=horizontal,
                va=vertical,
                fontsize=9.5,
                fontweight="bold" if method == "netlines" else "normal",
                color=STYLES.get(method, ("#333333", ""))[0] if method == "netlines" else "#222222",
            )
            box = label.get_window_extent().padded(2)
            hits = any(box.overlaps(other) for other in taken)
            hits |= any(box.padded(3).contains(*pixels[other]) for other in points if other != method)
            if not hits:
                break
            label.remove()
        else:
            ax.add_artist(label)  # no place is free: rather an overlap than a point without a name
        taken.append(box)


def as_text(value: float, form: str) -> str:
    """Format a number, a dash where there is none."""
    return "–" if np.isnan(value) else f"{value:{form}}"


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """Return the options and `names`, the chosen sets by group."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    known = list(methods())
    what, default = ", ".join(GROUPS), ", ".join(TWO_CLASSES)
    parser.add_argument("what", nargs="*", metavar="GROUP or SET", help=f"{what} or a set; default {default}")
    parser.add_argument(
        "--methods", nargs="*", choices=known, metavar="METHOD", help=f"of {', '.join(known)}"
    )
    parser.add_argument(
        "--again", nargs="+", default=[], choices=known, metavar="METHOD", help="measure anew"
    )
    parser.add_argument("--splits", type=int, help="only the first splits of each set")
    parser.add_argument("--cache", type=Path, default=BUILD / "generalise.csv", metavar="FILE")
    parser.add_argument("--out", type=Path, default=BUILD, metavar="FOLDER", help="of the figure")
    parser.add_argument("--markdown", action="store_true", help="print the tables of the documentation")
    parser.add_argument("--jobs", type=int, default=1, help="processes; times are honest with one")
    options = parser.parse_args(arguments)
    for word in options.what:
        if word not in GROUPS and word not in SETS:
            parser.error(f"{word!r} is neither a group ({what}) nor a set ({', '.join(SETS)})")
    if options.splits is not None and options.splits < 1:
        parser.error(f"--splits must be at least 1, got {options.splits}")
    words = options.what or list(TWO_CLASSES)
    options.names = {
        group: [name for name in recipes if group in words or name in words]
        for group, recipes in GROUPS.items()
    }
    return options


def print_tables(report: Report, names: dict[str, list[str]], shown: list[str]) -> None:
    """Print a table for each set and for each group, of the chosen sets."""
    for group in names.values():
        for name in group:
            report.print_set(name, shown)
    for group, some in names.items():
        if len(some) > 1:
            report.print_group(group, some, shown)


def main() -> int:
    """Measure what the cache lacks, print the tables and draw the figure; return 1 after a failure."""
    options = parse()
    to_run = set(methods() if options.methods is None else options.methods) | set(options.again)
    failures = []
    drawn = {group: list(recipes) for group, recipes in GROUPS.items()}  # whatever was chosen of the group
    for group, names in options.names.items():
        for name in list(names):
            try:
                load(name)
            except Exception as failure:
                failures.append(f"the set {name} cannot be read: {type(failure).__name__}: {failure}")
                names.remove(name)
                drawn[group].remove(name)
    report = Report(read_results(options.cache), options.splits)
    keys = [
        (name, split, method)
        for group in options.names.values()
        for method in methods()
        if method in to_run
        for name in group
        for split in range(report.wanted(name))
    ]
    again = [key for key in keys if key[2] in options.again]
    results = change_results(options.cache, without=again)
    failures += run([key for key in keys if key not in results], options.cache, max(1, options.jobs))

    report = Report(read_results(options.cache), options.splits)
    shown = list(methods()) if not options.methods else options.methods
    if options.markdown:
        for names in filter(None, options.names.values()):
            report.print_markdown(names, shown)
    else:
        print_tables(report, options.names, shown)
    report.print_ranks(list(chain.from_iterable(options.names.values())))
    for file, panels in FIGURES.items():
        if any(options.names[group] for group in panels):
            report.draw(file, drawn, list(methods()), options.out)
    for failure in failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
