"""A points score: integer points for a few terms, the cuts of their total, and the network that it is.

A condition [x ≥ t] is a hidden unit of one slope, and the points are the output weights over the units. A sum
of columns in whole steps is a single unit. Where the answer changes at several totals of such a sum, there is
one unit for each cut, all of them parallel.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.network.network import PASS_ON, Network
from netlines.network.probability import Calibration
from netlines.selection.points.conditions import Terms
from netlines.training.calibration import line_calibration

SURE = 20.0  # tanh of it is 1


@dataclass(frozen=True, eq=False)
class Card:
    """A points score of two classes.

    Attributes
    ----------
    terms, points : what gets points, and how many (K,)
    cuts : array (J,), the totals from which on the answer is another one, in increasing order
    levels : array (J + 1,)
        The log-odds of the second class on each step; of a single cut those next to it count for nothing.
    line : (intercept, slope) of the log-odds by the total, or None: then `levels` are the log-odds
    whole : whether all totals are integers
    """

    terms: Terms
    points: NDArray
    cuts: NDArray
    levels: NDArray
    line: tuple[float, float] | None
    whole: bool

    @property
    def size(self) -> int:
        """How many integers a person has to know: points and cuts."""
        return len(self.points) + len(self.cuts)

    @property
    def is_sum(self) -> bool:
        """Whether the total is a weighted sum of columns, no conditions."""
        return bool((self.terms.step > 0).all())

    def totals(self, rows: NDArray) -> NDArray:
        """Return the totals of rows (n, N)."""
        totals = self.points @ self.terms.of(rows)
        return np.rint(totals) if self.whole else totals

    def log_odds(self, rows: NDArray) -> NDArray:
        """Return the log-odds of the second class of rows (n, N)."""
        totals = self.totals(rows)
        if self.line is not None:
            return self.line[0] + self.line[1] * totals
        return np.asarray(self.levels[np.searchsorted(self.cuts, totals, side="right")])

    def stretched(self, factor: float) -> Card:
        """Return the score with the log-odds times a factor."""
        line = None if self.line is None else (factor * self.line[0], factor * self.line[1])
        return replace(self, line=line, levels=factor * self.levels)

    def network(self, n_features: int, margin: NDArray, origin: NDArray | None, **more: Any) -> Network:
        """Return the network that answers as the score.

        Parameters
        ----------
        n_features : number of inputs
        margin : array (K,), by how much the units of conditions answer before the thresholds
        origin : what its weights count from, see `Network`
        more : `classes`, `feature_names`, and `priors` of the training rows
        """
        start = np.zeros(n_features) if origin is None else origin
        make = self._sum if self.is_sum else self._conditions
        return make(n_features, margin, start, origin=origin, **more)

    def _sum(
        self, n: int, margin: NDArray, start: NDArray, *, priors: NDArray, origin: Any, **more: Any
    ) -> Network:
        """Return one unit, or one for each cut."""
        slopes = np.zeros(n)
        np.add.at(slopes, self.terms.column, self.points / self.terms.step)
        about = self.terms.start - start[self.terms.column]
        bias = -float((self.points * about / self.terms.step).sum())
        at = self.cuts - (0.5 if self.whole else 0.0)
        hidden = np.column_stack([bias - at, np.tile(slopes, (len(at), 1))])
        up = self.levels[-1] >= self.levels[0]
        if len(at) == 1:
            assert self.line is not None
            a, b = self.line
            sign = 1.0 if up else -1.0
            line = line_calibration(np.array([a + b * at[0], sign * b]), priors)
            return Network(sign * hidden, PASS_ON, calibration=line, origin=origin, **more)
        steps = np.diff(self.levels) / 2
        signs = np.sign(steps)
        output = np.append(0.0 if len(at) % 2 else -signs[0], signs)[None]
        steepness = np.full(len(at), 2.0 * SURE if self.whole else 0.0)
        calibration = Calibration(
            self.levels[0] + steps.sum(), np.zeros(len(at)), steps, steepness, priors, priors
        )
        return Network(hidden, output, calibration=calibration, origin=origin, **more)

    def _conditions(
        self, n: int, margin: NDArray, start: NDArray, *, priors: NDArray, origin: Any, **more: Any
    ) -> Network:
        """Return one unit for each condition, with the points as output weights."""
        assert self.line is not None
        a, b = self.line
        count, column = len(self.points), self.terms.column
        margin = np.maximum(margin, 2.0 * np.spacing(np.abs(self.terms.start - start[column])))
        hidden = np.zeros((count, n + 1))
        hidden[:, 0] = margin - (self.terms.start - start[column])
        hidden[np.arange(count), column + 1] = 1.0
        total = self.points.sum()  # a state of ±1 is twice a condition, less 1
        output = np.concatenate([[total - 2.0 * self.cuts[0] + 1.0], self.points])
        if count == 1:
            sign = float(np.sign(self.points[0]))
            return self._one_condition(hidden, sign, margin, a, b, priors, origin=origin, **more)
        calibration = Calibration(
            a + b * total / 2, np.zeros(count), b * self.points / 2, SURE / margin, priors, priors
        )
        return Network(hidden, output[None], calibration=calibration, origin=origin, **more)

    def _one_condition(
        self, hidden: NDArray, sign: float, margin: NDArray, a: float, b: float, priors: NDArray, **more: Any
    ) -> Network:
        """Return the unit of a single condition, whose state is passed on."""
        point = self.points[0]
        calibration = Calibration(
            a + b * point / 2, np.zeros(1), sign * b * point / 2, SURE / margin, priors, priors
        )
        return Network(sign * hidden, PASS_ON, calibration=calibration, **more)
