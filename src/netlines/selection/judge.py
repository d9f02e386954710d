"""Judges candidates by what they say about examples that they have not seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import get_scorer

from netlines.network.probability import most_probable
from netlines.selection.candidate import Candidate
from netlines.selection.data import Data
from netlines.selection.folds import Examples, Fold
from netlines.selection.teachers.teacher import log_losses

SURE = 0.005  # how far probabilities stay from 0 and 1 when they are compared


def numbers(values: Sequence[int | float | None]) -> NDArray:
    """Return values as floats, NaN for what is not known."""
    return np.array([np.nan if value is None else value for value in values], dtype=float)


def unjudged(candidate: Candidate) -> dict[str, NDArray]:
    """Return the table of a single candidate about which nothing is known but its size."""
    unknown = dict.fromkeys(("error", "error_se", "log_loss", "log_loss_se"), numbers([None]))
    sizes = {"n_hidden": numbers([candidate.n_hidden]), "n_weights": numbers([candidate.n_weights])}
    named = {"candidate": np.array([candidate.name]), **unknown, **sizes}
    return {**named, "fidelity": numbers([None]), **_kinds([candidate]), "chosen": np.array([True])}


def _kinds(candidates: Sequence[Candidate]) -> dict[str, NDArray]:
    """Return what candidates are, and of units of the temperature path T₊ and T₋/T₊."""
    return {
        "role": np.array([one.role for one in candidates]),
        "temperature": numbers([one.temperature for one in candidates]),
        "theta": numbers([one.theta for one in candidates]),
    }


class Judge:
    """Judges candidates by what they say about held-out examples.

    `score`, if given, is what `scores` returns; `total` the weight of the training set; `lightest` (C,) the
    weight of a row of each class, if examples stand for several rows.
    """

    def __init__(
        self,
        folds: Sequence[Fold],
        score: Callable[[list[NDArray]], NDArray] | None = None,
        total: float | None = None,
        lightest: NDArray | None = None,
    ):
        tests = Examples.joined([fold.test for fold in folds])
        self.labels, self.share, self.score = tests.labels, tests.share, score
        # The effective number of examples. Those that are tested several times, so that the tests weigh more
        # than the `total` of the training set, count once.
        repeats = 1.0 if total is None else max(float(tests.weights.sum()) / total, 1.0)
        # An example of which the weight is that of several rows of its class stands for as many.
        stands_for = 1.0 if lightest is None else tests.weights / lightest[tests.labels]
        self.rows = 1.0 / (self.share @ (self.share / stands_for)) / repeats

    def errors(self, candidate: Candidate) -> NDArray:
        """Return 1 for each example that is answered wrongly, 0 for the others."""
        return (most_probable(np.concatenate(candidate.held_out)) != self.labels).astype(float)

    def losses(self, candidate: Candidate) -> NDArray:
        """Return the log-loss of each example."""
        return log_losses(np.concatenate(candidate.held_out), self.labels)

    def mean(self, values: NDArray) -> float:
        """Return the weighted mean over the examples."""
        return float(self.share @ values)

    def standard_error(self, values: NDArray) -> float:
        """Return the standard error of that mean."""
        return float(np.sqrt(self.share @ (values - self.share @ values) ** 2 / self.rows))

    def table(self, candidates: Sequence[Candidate], chosen: Candidate) -> dict[str, NDArray]:
        """Return what is known about the candidates, one entry each."""

        def column(value: Callable[[Candidate], float]) -> NDArray:
            return numbers([value(one) if one.held_out else None for one in candidates])

        judged = {
            "error": column(lambda one: self.mean(self.errors(one))),
            "error_se": column(lambda one: self.standard_error(self.errors(one))),
            "log_loss": column(lambda one: self.mean(self.losses(one))),
            "log_loss_se": column(lambda one: self.standard_error(self.losses(one))),
        }
        if self.score is not None:
            judged["score"] = column(self.mean_score)
        return {
            "candidate": np.array([one.name for one in candidates]),
            **judged,
            "n_hidden": numbers([one.n_hidden for one in candidates]),
            "n_weights": numbers([one.n_weights for one in candidates]),
            "fidelity": numbers([one.fidelity for one in candidates]),
            **_kinds(candidates),
            "chosen": np.array([one is chosen for one in candidates]),
        }

    def words(self, candidate: Candidate) -> str:
        """Return the error, or the score, in words."""
        if self.score is not None:
            return f"score {self.mean_score(candidate):.4g}"
        return f"error {100 * self.mean(self.errors(candidate)):.1f} %"

    def mean_score(self, candidate: Candidate) -> float:
        """Return the score, if there is one to judge by."""
        assert self.score is not None
        return float(self.score(candidate.held_out).mean())

    def loss(self, candidate: Candidate) -> tuple[float, float]:
        """Return what is the lower the better: the error, or the negative score, and the log-loss."""
        first = self.mean(self.errors(candidate)) if self.score is None else -self.mean_score(candidate)
        return first, self.mean(self.losses(candidate))

    def loss_lag(self, candidate: Candidate, other: Candidate) -> tuple[float, float]:
        """Return by how much the log-loss is worse than another's, with the standard error: paired.

        Probabilities beyond `SURE` count as that: a single row that is certain and wrong is not to decide.
        """
        held_out = (np.concatenate(one.held_out) for one in (candidate, other))
        own, others = (log_losses(np.clip(p, SURE, 1.0 - SURE), self.labels) for p in held_out)
        return self.mean(own - others), self.standard_error(own - others)

    def lag(self, candidate: Candidate, other: Candidate) -> tuple[float, float]:
        """Return by how much a candidate is worse than another, with the standard error: paired."""
        if self.score is not None:
            difference = self.score(other.held_out) - self.score(candidate.held_out)
            return float(difference.mean()), float(difference.std() * np.sqrt(max(len(difference) - 1, 0)))
        difference = self.errors(candidate) - self.errors(other)
        return self.mean(difference), self.standard_error(difference)


def scores(data: Data, scoring: Any) -> Callable[[list[NDArray]], NDArray] | None:
    """Return the function from what is said about the folds to scores, each fold left out in turn, if wanted.

    The spread of the scores gives their standard error (jackknife); a fold alone may lack a class.
    """
    if scoring is None:
        return None
    scorer, n = get_scorer(scoring), len(data.folds)
    tests = [fold.test for fold in data.folds]
    takes_weights = getattr(scorer, "_accept_sample_weight", lambda: False)()

    def classes_of(some: Iterable[int]) -> set[int]:
        return {label for i in some for label in np.unique(tests[i].labels).tolist()}

    def score_without(held_out: list[NDArray], k: int) -> float:
        rest = [i for i in range(n) if i != k]
        if classes_of(rest) < classes_of(range(n)):  # many scores need all classes
            rest = list(range(n))
        p = np.concatenate([held_out[i] for i in rest])
        labels = np.concatenate([tests[i].labels for i in rest])
        rows = data.rows[np.concatenate([tests[i].pattern for i in rest])]
        more = {"sample_weight": np.concatenate([tests[i].weights for i in rest])} if takes_weights else {}
        return float(scorer(HeldOut(p, data.classes), rows, data.classes[labels], **more))

    return lambda held_out: np.array([score_without(held_out, k) for k in range(n)])


class HeldOut(ClassifierMixin, BaseEstimator):
    """What a candidate says about rows, in their order: a classifier for scikit-learn's scorers."""

    def __init__(self, p: NDArray, classes: NDArray):
        self.p = p
        self.classes = classes
        self.classes_ = classes

    def predict_proba(self, X: NDArray) -> NDArray:
        """Return the probabilities of the rows."""
        return self.p

    def predict(self, X: NDArray) -> NDArray:
        """Return their classes."""
        return np.asarray(self.classes[most_probable(self.p)])
