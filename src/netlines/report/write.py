"""Writes the report of a fitted classifier to a file."""

from __future__ import annotations

import os
from collections.abc import Callable
from html import escape
from importlib.util import find_spec
from typing import Any

from numpy.typing import ArrayLike
from sklearn.base import clone

from netlines._files import atomic_write, check_writable
from netlines.inspection.inputs import network_of
from netlines.report.evidence import FOLDS, gather
from netlines.report.html import paragraph
from netlines.report.page import make_page

# The folds train on inputs, for which columns have been decided about.
AS_INPUTS: dict[str, Any] = {f"{name}_features": None for name in ("numeric", "date", "drop", "only")}
AS_INPUTS["categorical_features"] = "from_dtype"


def write_report(
    clf: Any,
    X: ArrayLike,
    y: ArrayLike,
    path: str | os.PathLike[str],
    *,
    title: str = "What the network has learnt",
    folds: int = FOLDS,
    random_state: int = 0,
    n_jobs: int | None = -1,
    progress: Callable[[int, str, int], object] = lambda done, name, of: None,
) -> None:
    """Write one self-contained HTML page about a fitted classifier, whole or not at all.

    It tells what the problem was, draws the network, gives its rules and domains, its errors with confidence
    intervals beside those of other classifiers on the same folds, its calibration, its surest and most
    doubtful rows, and what missing attributes would do. It has no links to elsewhere and works offline.

    Parameters
    ----------
    clf : fitted classifier of netlines
        Fresh copies of it are cross-validated, unless it was loaded from a file and cannot be trained.
    X, y : array-like
        The rows to report on, best those it was trained on, and their labels. Rows with NaN are left to the
        section on missing attributes.
    path : str or path
        The HTML file to write or to replace.
    title : str
        The headline.
    folds : int, default=5
        Folds of the cross-validation, fewer if a class has fewer rows; 0 leaves it out.
    random_state : int, default=0
        Decides the folds and the other classifiers.
    n_jobs : int or None, default=-1
        Parallel workers, all cores by default. The page does not depend on it but for the times of the fits.
    progress : callable
        Called with the number of steps that are done, what comes next, and the number of all steps.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from netlines import NetLinesClassifier, write_report
    >>> from netlines.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = NetLinesClassifier().fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "report.html")
    ...     write_report(clf, X, y, path, folds=0)
    ...     "setosa" in path.read_text(encoding="utf-8")
    True
    """
    network = network_of(clf)
    if find_spec("matplotlib") is None:
        raise ImportError(
            'write_report draws pictures, which needs matplotlib: pip install "netlines[plots]"'
        )
    check_writable(path)
    chosen = getattr(clf, "chosen_", None)
    trainable = hasattr(clf, "get_params") and "n_jobs" in clf.get_params()  # what was loaded is not
    fresh = clone(clf).set_params(n_jobs=None, **AS_INPUTS) if trainable else None
    evidence = gather(
        network, fresh, X, y, folds=folds, seed=random_state, n_jobs=n_jobs, chosen=chosen, begin=progress
    )
    write_page(make_page(evidence, title=title, usage=usage_in_python(clf), begin=progress), path)


def write_page(page: str, path: str | os.PathLike[str]) -> None:
    """Write a page to a file, whole or not at all.

    The names of files may have bytes that are no text: these are written out.
    """
    with atomic_write(path) as file:
        file.write(page.encode("utf-8", "backslashreplace"))


def usage_in_python(clf: Any) -> str:
    """Return the section on how to use a fitted classifier."""
    lines = [
        "from netlines import load_model, save_model",
        "",
        "clf.predict(X), clf.domain_confidence(X)"
        + (", clf.predict_proba(X)" if network_of(clf).has_probability else ""),
        'save_model(clf, "model.json")   # exact, and read back without executing code',
        'clf = load_model("model.json")  # a fitted classifier again',
    ]
    parameters = escape(" ".join(repr(clf).split()))
    return f"<pre>{escape(chr(10).join(lines))}</pre>{paragraph('Made by', 'soft')}<pre>{parameters}</pre>"
