"""What a report is made of: a model, the rows it is judged by, and what a cross-validation of them showed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines.inspection.answers import completed
from netlines.inspection.inputs import InputRows, as_data, input_names
from netlines.inspection.missing.wording import shared_name
from netlines.network.protocol import AnyNetwork
from netlines.network.verdict import CHOSEN_ANEW, Measured, Verdict, what_it_is
from netlines.report.comparison import Scores, compare, peers, small_mlp, usable_folds
from netlines.tables.gaps import settled

OWN = "netlines"
FOLDS = 5
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
        Of the model's own kind and of its peers, out of fold; empty without a cross-validation.
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
        names = self.names
        of_input: dict[int, tuple[str, tuple[int, ...]]] = {i: (name, (i,)) for i, name in enumerate(names)}
        for group in self.network.surroundings.groups:
            common = shared_name([names[i] for i in group])
            if len(group) > 1 and common is not None:
                of_input |= dict.fromkeys(group, (common, group))
        return [(name, list(group)) for name, group in dict.fromkeys(of_input.values())]

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
    rows, truth = as_data(network, X, y, missing=True)
    labels = network.classes[truth]
    lacking = np.isnan(rows).any(axis=1)
    remarks = []
    some = ~lacking
    complete = rows
    if lacking.mean() > MOST_LACKING or not lacking.size:
        complete, some = _filled(network, rows), np.ones(len(rows), dtype=bool)
        remarks.append(
            f"{int(lacking.sum())} of {len(rows)} rows lack values. Pictures and comparisons take what is "
            "expected of these instead, given what is known of the row."
        )
    complete, truth_ = complete[some], labels[some]
    absent = [label for label in network.classes.tolist() if label not in set(truth_.tolist())]
    if absent:
        remarks.append(f"No row is of class {', '.join(map(str, absent))}.")
    usable = 0 if absent or estimator is None else usable_folds(truth_, folds)
    if folds and estimator is None:
        remarks.append("There was no cross-validation: the network came from a file and is not trained anew.")
    elif folds and not usable:
        remarks.append("There was no cross-validation, which needs at least two rows of each class.")
    scores = {}
    if usable:
        models = {OWN: estimator, **peers(seed, None), "MLP of 10 units": small_mlp(seed)}
        done = count()

        def tell(fold: int, name: str) -> None:
            begin(next(done), name, usable * len(models))

        inputs = np.asarray(complete)
        scores = compare(models, inputs, truth_, folds=usable, seed=seed, begin=tell, n_jobs=n_jobs)
    numbers = 1 + np.flatnonzero(some), 1 + np.flatnonzero(lacking)
    return Evidence(
        network,
        complete,
        truth_,
        rows[lacking],
        labels[lacking],
        *numbers,
        scores,
        chosen,
        remarks,
        _verdict(network, truth_, scores, usable, about),
        dict(known or {}),
        dict(source or {}),
    )


def _verdict(
    network: AnyNetwork, truth: NDArray, scores: Mapping[str, Scores], folds: int, about: Verdict | None
) -> Verdict:
    """Return what to think of a model, by the scores of the folds if there are some."""
    if about is None:
        about = Verdict(what_it_is(network), False, len(truth))
    if not scores:
        return about
    others = {name: one.answers for name, one in scores.items() if name != OWN}
    how = CHOSEN_ANEW.format(folds=folds)
    return replace(about, rows=len(truth)).measured(Measured.of(truth, scores[OWN].answers, others, how=how))


def _filled(network: AnyNetwork, rows: NDArray) -> NDArray:
    """Return rows with what is expected of their missing values, whole numbers and categories among them."""
    found = completed(network, rows)
    found = found if network.layout is None else settled(found, np.asarray(rows), network.layout)
    return found.view(InputRows)
