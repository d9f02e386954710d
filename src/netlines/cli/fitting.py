"""The work of `netlines fit`: train on all rows, then cross-validate beside peers, under a progress bar."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray
from sklearn.base import clone

from netlines.classifiers.netlines import NetLinesClassifier
from netlines.classifiers.netlines_cv import NetLinesClassifierCV
from netlines.cli.progress import StageCallback, progress_bar
from netlines.report.comparison import compare, peers, usable_folds


def fit_and_compare(
    X: NDArray, y: NDArray, *, error_free: bool, options: dict[str, Any], folds: int, quiet: bool
) -> tuple[Any, dict[str, list[float]], dict[str, list[int]]]:
    """Return the fitted classifier, and the errors and numbers of parameters of all methods in each fold.

    Parameters
    ----------
    X, y : arrays
        Inputs and labels.
    error_free : bool
        Whether to fit a `NetLinesClassifier`; else it is a `NetLinesClassifierCV`.
    options : dict
        Its parameters, `random_state` and `n_jobs` among them.
    folds : int
        Folds of the cross-validation, fewer if a class has fewer rows; 0 leaves it out.
    quiet : bool
        Whether to do without a progress bar.
    """
    fresh = (NetLinesClassifier if error_free else NetLinesClassifierCV)(**options)
    folds = usable_folds(y, folds)
    with progress_bar(quiet) as progress:
        training = progress.add_task("training", total=None)
        classifier = clone(fresh).set_callbacks(StageCallback(progress, training)).fit(X, y)
        stages = progress.tasks[training].completed
        if error_free:  # growth also reports the unit that was not needed any more
            stages = min(stages, classifier.n_hidden_)
        progress.update(training, description="training", total=stages, completed=stages)
        if not folds:
            return classifier, {}, {}
        seed = options["random_state"]
        models = {"netlines": fresh, **peers(seed, options["n_jobs"])}
        task = progress.add_task("cross-validating", total=folds * len(models))

        def begin(fold: int, name: str) -> None:
            completed = (fold - 1) * len(models) + list(models).index(name)
            progress.update(task, completed=completed, description=f"cross-validating: {name}")

        scores = compare(models, X, y, folds=folds, seed=seed, begin=begin)
        errors = {name: own.errors for name, own in scores.items()}
        return classifier, errors, {name: own.sizes for name, own in scores.items()}


def fresh_classifier(options: dict[str, Any], seed: int) -> Any:
    """Return the classifier that the options of a fit, as the model file keeps them, stand for."""
    parameters = {name: value for name, value in options.items() if name not in ("error_free", "folds")}
    kind = NetLinesClassifier if options.get("error_free") else NetLinesClassifierCV
    return kind(**parameters, random_state=seed)
