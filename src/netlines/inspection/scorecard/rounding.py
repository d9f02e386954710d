"""A points score of a hyperplane whose weights have more digits than a person wants to add up.

1. Each column counts in a whole step near its spread, a category or a small integer by itself.
2. The weights of these steps are multiplied so that the largest is `LARGEST`, and rounded; 0 is left out.
3. The cut is the rounded place where the hyperplane itself changes its answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.scorecard.terms import entry_of, is_switch, plain_terms, steps_near
from netlines.inspection.scorecard.totals import OfSum
from netlines.network.network import Network
from netlines.network.protocol import AnyNetwork

LARGEST = 20  # points
LEAST = 10  # what they are at least, where the cut would have more than two digits
LARGEST_CUT = 99


@dataclass(frozen=True, eq=False)
class Rounded(OfSum):
    """Points for columns that say nearly what a unit does."""

    weights: tuple[float, ...] = ()  # of the inputs in the total
    start: float = 0.0  # what they lack to the total
    factor: float = 1.0  # how much larger than the sum of the unit the total is

    def of(self, rows: NDArray) -> NDArray:
        return np.asarray(rows @ np.array(self.weights) + self.start)

    def log_odds(self, totals: NDArray) -> NDArray | None:
        calibration = self.network.calibration
        if calibration is None:
            return None
        # Next to the cut the unit and the total need not agree: there the total decides.
        fields = (np.asarray(totals) - self.cuts[0]) / self.factor
        return calibration.scores(fields[:, None])[:, 0]


def rounded_total(network: Network, whole: AnyNetwork) -> Rounded:
    """Return the points score that is nearest to a single unit."""
    bias, terms = plain_terms(network, whole)
    about = whole.surroundings
    steps = []
    for term in terms:
        i = term.inputs[0]
        own = 1.0 if is_switch(term, whole) else next(iter(steps_near(float(about.scale[i]), _few(whole, i))))
        steps.append(own)
    effects = np.array([term.weight * step for term, step in zip(terms, steps, strict=True)])
    factor = LARGEST / float(np.abs(effects).max())
    factor = min(factor, max(LARGEST_CUT / max(abs(bias), 1e-300), factor * LEAST / LARGEST))
    points = np.rint(effects * factor)
    entries, weights, start, ends = [], np.zeros(network.n_features), 0.0, np.zeros(2)
    for term, step, own in zip(terms, steps, points.tolist(), strict=True):
        if not own:
            continue
        entries.append(entry_of(term, int(own), step, whole))
        inputs = [i for i in term.inputs if i >= 0]
        if len(inputs) < len(term.inputs):  # a category that has no input: where all others are off
            start += own
            inputs, own = [i for i in term.attribute.inputs if i not in inputs], -own
        low, high = float(about.low[inputs[0]]), float(about.high[inputs[0]])
        if is_switch(term, whole):
            weights[inputs] += own / (high - low)
            start -= own * low / (high - low) * len(inputs)
            ends += sorted((0.0, own))
        else:
            weights[inputs] += own / step
            ends += sorted((own * low / step, own * high / step))
    cut = round(-bias * factor)
    up = (False, True)
    return Rounded(
        network,
        tuple(entries),
        (cut,),
        up,
        tuple(ends.tolist()),
        False,
        exact=False,
        biases=(bias,),
        weights=tuple(weights.tolist()),
        start=start,
        factor=float(factor),
    )


def _few(whole: AnyNetwork, i: int) -> bool:
    """Tell whether an input has few integers, which count one by one."""
    about = whole.surroundings
    return bool(about.integer[i]) and float(about.high[i] - about.low[i]) <= 10
