"""Totals of points: what is added up, where the answer changes, and how probable the second class is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from netlines.network.network import Network

NEAR = 1e-6  # how far from each other, for their size, points per log-odds may be that are the same


@dataclass(frozen=True)
class Entry:
    """A line of a scorecard.

    Attributes
    ----------
    attribute : the column
    condition : when the points are given: "glucose ≥ 140", "for each 10 of age"
    points : how many
    term : the same in a formula: "[glucose ≥ 140]", "age/10"
    """

    attribute: str
    condition: str
    points: int
    term: str


@dataclass(frozen=True, eq=False)
class Total(ABC):
    """A total of points and what it means.

    Attributes
    ----------
    network : of two classes
    entries : what is added up
    cuts : the totals from which on the answer is another one, in increasing order
    answers : of each step between the cuts whether it is the second class
    possible : totals that rows can have, in increasing order, or the lowest and the highest of real ones
    whole : whether all totals are integers
    exact : whether the total decides as the network does
    """

    network: Network
    entries: tuple[Entry, ...]
    cuts: tuple[int, ...]
    answers: tuple[bool, ...]
    possible: tuple[float, ...]
    whole: bool
    exact: bool = True

    @abstractmethod
    def of(self, rows: NDArray) -> NDArray:
        """Return the totals of rows of inputs, shape (n,)."""

    @abstractmethod
    def log_odds(self, totals: NDArray) -> NDArray | None:
        """Return the log-odds of the second class at totals; None if they are not known or depend on more."""

    def second(self, totals: NDArray) -> NDArray:
        """Tell at which totals the answer is the second class."""
        return np.array(self.answers)[np.searchsorted(self.cuts, totals, side="right")]


class Constant(Total):
    """No points: always the same answer."""

    def of(self, rows: NDArray) -> NDArray:
        return np.zeros(len(rows))

    def log_odds(self, totals: NDArray) -> NDArray | None:
        calibration, bias = self.network.calibration, self.network.hidden_weights[0, 0]
        return None if calibration is None else calibration.scores(np.full((len(totals), 1), bias))[:, 0]


class OfConditions(Total):
    """Points for conditions: one hidden unit each."""

    @property
    def points(self) -> NDArray:
        """The points of the units."""
        return np.array([entry.points for entry in self.entries], dtype=float)

    def of(self, rows: NDArray) -> NDArray:
        states = self.network.internal_representation(rows)
        return np.asarray(((states + 1.0) / 2) @ self.points)

    def log_odds(self, totals: NDArray) -> NDArray | None:
        calibration = self.network.calibration
        if calibration is None or calibration.slopes.any():
            return None
        rates = calibration.steps[0] / self.points
        if np.ptp(rates) > NEAR * np.abs(rates).max():
            return None
        slope = 2.0 * rates.mean()
        return np.asarray(calibration.intercepts[0] + slope * (totals - self.points.sum() / 2))


@dataclass(frozen=True, eq=False)
class OfSum(Total):
    """Points for columns: the total is the weighted sum of a unit, but for its bias."""

    biases: tuple[float, ...] = ()  # by which the sums of the units differ from the total

    def of(self, rows: NDArray) -> NDArray:
        totals = self.network.fields(rows)[:, 0] - self.biases[0]
        return np.rint(totals) if self.whole else totals

    def log_odds(self, totals: NDArray) -> NDArray | None:
        calibration = self.network.calibration
        if calibration is None:
            return None
        return calibration.scores(np.asarray(totals)[:, None] + np.array(self.biases))[:, 0]
