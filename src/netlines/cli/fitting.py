"""The work of `netlines fit`: train on all rows, then cross-validate beside peers, under one progress bar."""

from __future__ import annotations

import warnings
from typing import Any

from numpy.typing import NDArray
from sklearn.base import clone

from netlines.classifiers.netlines import NetLinesClassifier
from netlines.classifiers.netlines_cv import NetLinesClassifierCV
from netlines.cli.progress import fit_progress
from netlines.cli.stages import StageCallback
from netlines.report.comparison import compare, peers, usable_folds
from netlines.tables.cells import Raw
from netlines.tables.choices import Choices
from netlines.tables.encode import TableWarning
from netlines.tables.gaps import expected

COLUMNS = ("drop", "only", "numeric", "date")


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
) -> tuple[Any, dict[str, list[float]], dict[str, list[int]]]:
    """Return the fitted classifier, and the errors and numbers of parameters of all methods in each fold.

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
        Folds of the cross-validation, fewer if a class has fewer rows; 0 leaves it out.
    quiet : bool
        Whether to do without a progress bar, or lines where there is no terminal.
    """
    fresh = (NetLinesClassifier if error_free else NetLinesClassifierCV)(**options)
    folds, seed = usable_folds(y, folds), options["random_state"]
    models = {"netlines": fresh, **peers(seed, options["n_jobs"])}
    with fit_progress(quiet, list(models), folds) as progress:
        own = clone(fresh).set_params(**_columns(choices or Choices()))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TableWarning)  # the user has been told
            classifier = own.set_callbacks(StageCallback(progress)).fit(X if table is None else table, y)
        progress.end_training()
        if not folds:
            return classifier, {}, {}
        scores = compare(models, expected(X), y, folds=folds, seed=seed, begin=progress.begin_fold)
        errors = {name: own.errors for name, own in scores.items()}
        return classifier, errors, {name: own.sizes for name, own in scores.items()}


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
