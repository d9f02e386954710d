"""Writes the report of a fitted classifier to a file."""

from __future__ import annotations

import os
from collections.abc import Callable
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike
from sklearn.base import clone

from netlines._files import atomic_write, check_writable
from netlines.inspection.inputs import network_of
from netlines.network.verdict import verdict_facts
from netlines.report.evidence import FOLDS, gather
from netlines.report.page import default_title, make_page
from netlines.report.provenance import Provenance

# The folds train on inputs, for which columns have been decided about.
AS_INPUTS: dict[str, Any] = {f"{name}_features": None for name in ("numeric", "date", "drop", "only")}
AS_INPUTS["categorical_features"] = "from_dtype"


def write_report(
    clf: Any,
    X: ArrayLike,
    y: ArrayLike,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    folds: int = FOLDS,
    random_state: int = 0,
    n_jobs: int | None = -1,
    progress: Callable[[int, str, int], object] = lambda done, name, of: None,
) -> Path:
    """Write one self-contained HTML page about a fitted classifier, whole or not at all.

    It begins with a verdict: what the model is, how often it errs on new rows, and what follows. Then come
    how it decides, how good it is beside other classifiers, what matters, where it fails, the table, and a
    model card. It loads nothing and sends nothing, and works offline.

    Parameters
    ----------
    clf : fitted classifier of netlines
        Fresh copies of it are cross-validated, unless it was loaded from a file and cannot be trained.
    X, y : array-like
        The rows to report on, best those it was trained on, and their labels. Rows with NaN are left to the
        section on missing attributes.
    path : str or path
        The HTML file to write or to replace.
    title : str or None
        The headline; None: what is predicted, by the name of `y` if it has one.
    folds : int, default=5
        Folds of the cross-validation, fewer if a class has fewer rows; 0 leaves it out.
    random_state : int, default=0
        Decides the folds and the other classifiers.
    n_jobs : int or None, default=-1
        Parallel workers, all cores by default. The page does not depend on it but for the times of the fits.
    progress : callable
        Called with the number of steps that are done, what comes next, and the number of all steps.

    Returns
    -------
    Path
        The file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from netlines import NetLinesClassifier, write_report
    >>> from netlines.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = NetLinesClassifier().fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = write_report(clf, X, y, Path(folder, "report.html"), folds=0)
    ...     "setosa" in path.read_text(encoding="utf-8")
    True
    """
    network = network_of(clf)
    if find_spec("matplotlib") is None:
        raise ImportError(
            'write_report draws pictures, which needs matplotlib: pip install "netlines[plots]"'
        )
    check_writable(path)
    evidence = gather(
        network,
        _fresh(clf),
        X,
        y,
        folds=folds,
        seed=random_state,
        n_jobs=n_jobs,
        chosen=getattr(clf, "chosen_", None),
        about=getattr(clf, "verdict_", None),
        known=verdict_facts(getattr(clf, "verdict_", None)),
        begin=progress,
    )
    seed = getattr(clf, "random_state", None)
    about = Provenance(
        seed=seed if isinstance(seed, int) else None,
        parameters=" ".join(repr(clf).split()),
        command="netlines.write_report",
    )
    name = getattr(y, "name", None)
    headline = title or default_title(evidence, name if isinstance(name, str) else None)
    page = make_page(evidence, title=headline, usage=usage_in_python(clf), about=about, begin=progress)
    write_page(page, path)
    return Path(path)


def _fresh(clf: Any) -> Any:
    """Return an unfitted copy to cross-validate, that tells nobody of its fits; None of what was loaded."""
    if not (hasattr(clf, "get_params") and "n_jobs" in clf.get_params()):
        return None
    fresh = clone(clf).set_params(n_jobs=None, **AS_INPUTS)
    if hasattr(fresh, "_skl_callbacks"):
        del fresh._skl_callbacks  # bars of the user's own fit, not of the report's
    return fresh


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
    return f"<pre>{escape(chr(10).join(lines))}</pre>"
