"""The work of `netlines fit`: train on all rows, then cross-validate beside peers, under one progress bar."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from netlines.classifiers.netlines import NetLinesClassifier
from netlines.classifiers.netlines_cv import NetLinesClassifierCV
from netlines.cli.progress import fit_progress
from netlines.cli.sizes import advised, described_sizes, sizes_beside
from netlines.cli.stages import StageCallback
from netlines.network.verdict import CHOSEN_ANEW, Measured, Verdict, what_it_is
from netlines.report.comparison import Scores, compare, peers, usable_folds, without_failures
from netlines.tables.cells import Raw
from netlines.tables.choices import Choices
from netlines.tables.encode import TableWarning
from netlines.tables.gaps import expected

COLUMNS = ("drop", "only", "numeric", "date")
OWN = "netlines"


@dataclass(frozen=True)
class Outcome:
    """What came of a fit.

    Attributes
    ----------
    classifier : what was fitted
    verdict : what to think of it
    errors, parameters : by method, in each fold of the closing check
    sizes : what it would be if something else were preferred
    notices : about methods that could not be compared
    """

    classifier: Any
    verdict: Verdict
    errors: dict[str, list[float]] = field(default_factory=dict)
    parameters: dict[str, list[int]] = field(default_factory=dict)
    sizes: list[dict[str, Any]] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


def fit_and_compare(
    X: NDArray,
    y: NDArray,
    *,
    table: Raw | None = None,
    choices: Choices | None = None,
    error_free: bool,
    options: dict[str, Any],
    folds: int,
    quiet: bool,
) -> Outcome:
    """Fit a classifier, check it in folds beside others, and fit what it would be in other sizes.

    Parameters
    ----------
    X, y : arrays
        Inputs, NaN where they are unknown, and labels. The folds take what is expected instead of NaN.
    table : the columns that became the inputs, from which the classifier itself learns; None: from the inputs
    choices : what the user decided about the columns
    error_free : bool
        Whether to fit a `NetLinesClassifier`; else it is a `NetLinesClassifierCV`.
    options : dict
        Its parameters, `random_state` and `n_jobs` among them.
    folds : int
        Folds of the closing check, fewer if a class has fewer rows; 0 leaves it and the other sizes out.
    quiet : bool
        Whether to do without a progress bar, or lines where there is no terminal.
    """
    fresh = (NetLinesClassifier if error_free else NetLinesClassifierCV)(**options)
    folds, seed = usable_folds(y, folds) if folds else 0, options["random_state"]
    models = {OWN: fresh, **peers(seed, options["n_jobs"])}
    own = _columns(choices or Choices())

    def train(*callbacks: Any, **changes: Any) -> Any:
        copy = clone(fresh).set_params(**own, **changes).set_callbacks(*callbacks)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TableWarning)  # the user has been told
            return copy.fit(X if table is None else table, y)

    beside = sizes_beside(fresh) if folds else []
    with fit_progress(quiet, list(models), folds, len(beside)) as progress:
        classifier = train(StageCallback(progress))
        progress.end_training()
        verdict = getattr(classifier, "verdict_", None)
        if verdict is None:
            verdict = Verdict(what_it_is(classifier.network_), False, len(y))
        if not folds:
            return Outcome(classifier, verdict)
        scores = compare(models, expected(X), y, folds=folds, seed=seed, begin=progress.begin_fold)
        scores, refused = without_failures(scores)
        sizes = {fresh.prefer: classifier} if beside else {}
        for prefer in beside:
            progress.begin_size(prefer)
            sizes[prefer] = train(prefer=prefer)
    described = described_sizes(sizes)
    if described:
        verdict = replace(verdict, prefer=advised(verdict.prefer, described))
    return Outcome(
        classifier,
        verdict.measured(_measured(scores, y, folds)),
        {name: one.errors for name, one in scores.items()},
        {name: one.sizes for name, one in scores.items()},
        described,
        refused,
    )


def _measured(scores: dict[str, Scores], y: NDArray, folds: int) -> Measured:
    """Return how often the classifier erred in the folds of the closing check, beside the others."""
    others = {name: one.answers for name, one in scores.items() if name != OWN}
    how = CHOSEN_ANEW.format(folds=folds)
    return Measured.of(np.asarray(y), scores[OWN].answers, others, how=how)


def _columns(choices: Choices) -> dict[str, Any]:
    """Return what was decided about columns as parameters of a classifier."""
    given = {f"{name}_features": list(getattr(choices, name)) or None for name in COLUMNS}
    return {
        **given,
        "categorical_features": list(choices.categorical) or "from_dtype",
        "missing": choices.gaps,
    }


def fresh_classifier(options: dict[str, Any], seed: int, classes: list[Any]) -> Any:
    """Return the classifier that the options of a fit, as the model file keeps them, stand for."""
    own = ("error_free", "folds", "class_weights")
    parameters = {name: value for name, value in options.items() if name not in own}
    if weights := options.get("class_weights"):
        if len(weights) != len(classes):
            raise ValueError(f"the model file has {len(weights)} weights of its {len(classes)} classes")
        parameters["class_weight"] = dict(zip(classes, weights, strict=True))
    kind = NetLinesClassifier if options.get("error_free") else NetLinesClassifierCV
    return kind(**parameters, random_state=seed)
