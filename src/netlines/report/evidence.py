"""What a report is made of: a model, the rows it is judged by, and what a cross-validation of them showed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines.inspection.answers import completed
from netlines.inspection.inputs import InputRows, as_data, input_names, label_numbers
from netlines.inspection.unusual import unusual_inputs
from netlines.network.attributes import Attribute, attributes_of
from netlines.network.protocol import AnyNetwork
from netlines.network.verdict import CHOSEN_ANEW, Measured, Verdict, what_it_is
from netlines.report.comparison import (
    GUESS,
    Scores,
    compare,
    guessing,
    more_peers,
    peers,
    usable_folds,
    without_failures,
)
from netlines.report.permutation import AsClassifier, Permutation, Permuted
from netlines.report.probability_scores import OfProbabilities, of_probabilities
from netlines.tables.gaps import settled

OWN = "netlines"
FOLDS = 5
RARER = 0.5  # rows of a class for one of the other: less are the finding
MOST_LACKING = 0.2  # share of incomplete rows that are left out of pictures and comparisons


@dataclass(frozen=True, eq=False)
class Evidence:
    """A model and how it does.

    Attributes
    ----------
    network : Network or Networks
    X, y : arrays
        The complete rows and their labels; or all rows, if many lack values, with what is expected of these.
    incomplete, incomplete_y : arrays
        The rows that lack values, NaN in their place, and their labels.
    numbers, incomplete_numbers : arrays of int
        Where the complete and the incomplete rows stand in the table, from 1 on.
    scores : dict from name to Scores
        Of the model's own kind, of guessing and of its peers, out of fold; empty without a cross-validation.
    chosen : str or None
        What was chosen and why.
    remarks : list of str
        What a reader has to know about the figures.
    verdict : Verdict or None
        What to think of the model, by the scores; without them what was known of it.
    known : mapping
        What the model file says of its verdict.
    source : mapping
        Where the model and the rows come from.
    permuted : Permuted or None
        What is lost when an attribute is shuffled.
    """

    network: AnyNetwork
    X: NDArray
    y: NDArray
    incomplete: NDArray
    incomplete_y: NDArray
    numbers: NDArray
    incomplete_numbers: NDArray
    scores: dict[str, Scores] = field(default_factory=dict)
    chosen: str | None = None
    remarks: list[str] = field(default_factory=list)
    verdict: Verdict | None = None
    known: Mapping[str, Any] = field(default_factory=dict)
    source: Mapping[str, Any] = field(default_factory=dict)
    permuted: Permuted | None = None

    @property
    def names(self) -> list[str]:
        """The names of the inputs."""
        return input_names(self.network)

    @property
    def labels(self) -> list[Any]:
        """The classes."""
        return self.network.classes.tolist()

    @property
    def attributes(self) -> list[tuple[str, list[int]]]:
        """The inputs as the user knows them: those that were one column are one attribute with its name."""
        return [(one.name, list(one.inputs)) for one in self.columns]

    @cached_property
    def columns(self) -> tuple[Attribute, ...]:
        """The attributes, with what their inputs stand for."""
        return attributes_of(self.network)

    @property
    def important(self) -> list[Attribute]:
        """The attributes, the most important first."""
        if self.permuted is None:
            return list(self.columns)
        return [self.permuted.attributes[k] for k in self.permuted.order]

    @cached_property
    def of_class(self) -> NDArray[np.intp]:
        """The number of each row's class."""
        return label_numbers(self.network, self.y)

    @property
    def finding(self) -> int:
        """The number of the class that curves of two are about: the second, unless the first is far rarer."""
        first, second = np.bincount(self.of_class, minlength=2)[:2].tolist()
        return 0 if 0 < first < RARER * second else 1

    @cached_property
    def worth(self) -> dict[str, OfProbabilities]:
        """What the probabilities are worth, out of fold, of all that have some."""
        found = {}
        for name, own in self.scores.items():
            if own.probabilities is not None:
                said = label_numbers(self.network, own.answers)
                there = np.ones(len(self.y), dtype=bool)
                one = of_probabilities(own.probabilities, there, self.of_class, said, len(self.labels))
                if one is not None:
                    found[name] = one
        return found

    @property
    def folds(self) -> int:
        """The number of folds, 0 without a cross-validation."""
        return len(self.scores[OWN].errors) if self.scores else 0


def gather(
    network: AnyNetwork,
    estimator: Any,
    X: ArrayLike,
    y: ArrayLike,
    *,
    folds: int = FOLDS,
    seed: int = 0,
    n_jobs: int | None = None,
    chosen: str | None = None,
    about: Verdict | None = None,
    known: Mapping[str, Any] | None = None,
    source: Mapping[str, Any] | None = None,
    begin: Callable[[int, str, int], object] = lambda done, name, of: None,
) -> Evidence:
    """Split off incomplete rows and cross-validate the model's kind beside its peers on the others.

    Parameters
    ----------
    network : Network or Networks
        What the report is about.
    estimator : classifier or None
        Of which fresh copies are cross-validated; None if there is none that can be trained.
    X, y : array-like
        Rows, NaN for missing values, and labels.
    folds : int
        0 leaves the cross-validation out; fewer if a class has fewer rows.
    seed : of the folds and of the peers
    n_jobs : fits at a time
    chosen : what was chosen and why
    about : what is known of the model; None: what can be seen of it
    known : what the model file says of its verdict
    source : where the model and the rows come from
    begin : called with the number of fits that are done, the name of the next, and the number of all
    """
    rows, numbers = as_data(network, X, y, missing=True)
    labels = network.classes[numbers]
    lacking = np.isnan(rows).any(axis=1)
    unusual = unusual_inputs(network, np.asarray(rows, dtype=float))
    remarks = [f"{unusual}."] if unusual else []
    some = ~lacking
    complete = rows
    if lacking.mean() > MOST_LACKING or not lacking.size:
        complete, some = _filled(network, rows), np.ones(len(rows), dtype=bool)
        remarks.append(
            f"{int(lacking.sum())} of {len(rows)} rows lack values. Pictures and comparisons take what is "
            "expected of these instead, given what is known of the row."
        )
    complete, truth = complete[some], labels[some]
    absent = [label for label in network.classes.tolist() if label not in set(truth.tolist())]
    if absent:
        remarks.append(f"No row is of class {', '.join(map(str, absent))}.")
    usable = 0 if absent or estimator is None else usable_folds(truth, folds)
    if folds and estimator is None:
        remarks.append("There was no cross-validation: the network came from a file and is not trained anew.")
    elif folds and not usable:
        remarks.append("There was no cross-validation, which needs at least two rows of each class.")
    inputs = np.asarray(complete)
    permutation = Permutation(network, attributes_of(network), inputs, truth, seed)
    scores = {}
    if usable:
        further = more_peers(seed, len(truth), len(network.classes))
        models = {OWN: estimator, **peers(seed, None), **further}
        done = count()

        def tell(fold: int, name: str) -> None:
            begin(next(done), name, usable * len(models))

        def shuffle(name: str, fitted: Any, test: NDArray) -> None:
            if name == OWN:
                permutation.add(fitted, test)

        scores = compare(
            models, inputs, truth, folds=usable, seed=seed, begin=tell, after=shuffle, n_jobs=n_jobs
        )
        scores, refused = without_failures(scores)
        remarks += [f"{one[:1].upper()}{one[1:]}" for one in refused]
        own = {OWN: scores.pop(OWN), GUESS: guessing(truth, folds=usable, seed=seed)}
        scores = own | scores
        order = np.searchsorted(np.unique(truth), network.classes)  # as the network knows them
        for one in scores.values():
            one.probabilities = None if one.probabilities is None else one.probabilities[:, order]
    elif len(truth):
        permutation.add(AsClassifier(network), np.arange(len(truth)))
    return Evidence(
        network,
        complete,
        truth,
        rows[lacking],
        labels[lacking],
        1 + np.flatnonzero(some),
        1 + np.flatnonzero(lacking),
        scores,
        chosen,
        remarks,
        _verdict(network, truth, scores, usable, about),
        dict(known or {}),
        dict(source or {}),
        permutation.result(bool(usable)),
    )


def _verdict(
    network: AnyNetwork, truth: NDArray, scores: Mapping[str, Scores], folds: int, about: Verdict | None
) -> Verdict:
    """Return what to think of a model, by the scores of the folds if there are some."""
    if about is None:
        about = Verdict(what_it_is(network), False, len(truth))
    if not scores:
        return about
    others = {name: one.answers for name, one in scores.items() if name not in (OWN, GUESS)}
    how = CHOSEN_ANEW.format(folds=folds)
    return replace(about, rows=len(truth)).measured(Measured.of(truth, scores[OWN].answers, others, how=how))


def _filled(network: AnyNetwork, rows: NDArray) -> NDArray:
    """Return rows with what is expected of their missing values, whole numbers and categories among them."""
    found = completed(network, rows)
    found = found if network.layout is None else settled(found, np.asarray(rows), network.layout)
    return found.view(InputRows)
