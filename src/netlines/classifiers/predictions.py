"""What every fitted estimator of netlines can be asked: predictions, probabilities, confidence, domains.

All of it reads the fitted `network_`; nothing here trains.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from netlines._words import text_as_html
from netlines.classifiers.table import MISSING, dense, encoded
from netlines.inspection.answers import Answers
from netlines.inspection.confidence import domain_confidence
from netlines.inspection.domains import Domains, find_domains
from netlines.inspection.inputs import InputRows, usable
from netlines.inspection.scorecard import Scorecard, as_points
from netlines.network.layout import LARGEST
from netlines.network.parts import Part
from netlines.network.probability import logarithms
from netlines.network.sweep import sweep

DTYPES = [np.float64, np.float32]


@contextmanager
def in_clear_words(
    name: str = "X", *, must_be: str = "rows of one length, each of single numbers"
) -> Iterator[None]:
    """Say what is wrong with what numpy cannot make an array of: rows, or another argument of that name."""
    try:
        yield
    except OverflowError as error:
        limits = f"allowed are numbers between {-LARGEST:g} and {LARGEST:g}"
        raise ValueError(f"{name} has an integer no float can hold; {limits}") from error
    except ValueError as error:
        if not str(error).startswith("setting an array element"):
            raise
        raise ValueError(f"{name} must be {must_be}") from error


def validated(estimator: Any, *data: Any, **how: Any) -> Any:
    """Return rows, and labels if there are any, as scikit-learn's `validate_data` does, in clear words."""
    X, *labels = data
    with in_clear_words():
        if not sparse.issparse(X):
            return validate_data(estimator, X, *labels, dtype=DTYPES, ensure_all_finite=False, **how)
        # Checked as what it is, then made dense in blocks.
        found = validate_data(
            estimator, X, *labels, dtype=DTYPES, ensure_all_finite=False, accept_sparse=True, **how
        )
        return (dense(found[0]), found[1]) if labels else dense(found)


def _is_ready(estimator: Any, X: Any) -> bool:
    """Tell whether validation would return X itself: floats for an estimator that knows no names of them."""
    if type(X) is not np.ndarray or X.dtype not in DTYPES or hasattr(estimator, "feature_names_in_"):
        return False
    return X.ndim == 2 and len(X) > 0 and X.shape[1] == estimator.n_features_in_


def as_decision(scores: NDArray, factor: float = 1.0) -> NDArray:
    """Return scores (n, C) as decisions: of two classes the lead of the second times a factor, shape (n,)."""
    return factor * (scores[:, 1] - scores[:, 0]) if scores.shape[1:] == (2,) else scores


def _has_probabilities(self: Any) -> bool:
    """Tell whether there are probabilities, or raise an error that says how to get them."""
    network = getattr(self, "network_", None)
    asked_for = getattr(self, "probability", False)
    if asked_for if network is None else network.has_probability:
        return True
    raise AttributeError(
        f"{type(self).__name__} has probabilities only if it is fitted with probability=True, "
        f"got probability={asked_for!r}"
    )


class Answering:
    """What a fitted estimator answers by its `network_`."""

    network_: Any  # Network, or Networks of several that decide together
    missing: str
    strict: bool

    def _html_repr(self) -> str:
        """Return what a notebook shows: if fitted what the model is, and scikit-learn's diagram."""
        diagram: str = super()._html_repr()  # type: ignore[misc]
        network = getattr(self, "network_", None)
        if network is None:
            return diagram
        verdict = str(getattr(self, "verdict_", None) or getattr(self, "chosen_", ""))
        return (text_as_html("Verdict", verdict) if verdict else "") + network._repr_html_() + diagram

    def _refuse_bad_values(self, X: NDArray, *, incomplete: bool = False) -> NDArray:
        """Return X, or raise an error that names its first unusable value; `incomplete` allows NaN."""
        return usable(X, getattr(self, "feature_names_in_", None), missing=incomplete)

    @property
    def networks_(self) -> list[Part]:
        """Each network with the labels that it answers +1 and -1 for, as `positive` and `negative`.

        Of two classes it is one network. One that is shared by more classes has them all as `positive`.
        """
        check_is_fitted(self)
        network = self.network_
        return list((network.with_priors(None) if network.moved else network).parts)

    def _rows(self, X: Any, *, incomplete: bool = False) -> NDArray:
        """Check the input of a fitted estimator; with `incomplete`, NaN is allowed."""
        check_is_fitted(self)
        layout = self.network_.layout
        if layout is not None and not (
            layout.is_plain and isinstance(X, np.ndarray) and X.dtype.kind in "iuf"
        ):
            known = self.missing != "integrate"
            return encoded(self, X, layout, known=known, absent=not known, complete=not incomplete)
        rows = X if _is_ready(self, X) else validated(self, X, reset=False)
        return self._refuse_bad_values(rows, incomplete=incomplete)

    def _answers(self, X: Any) -> Answers:
        """Return the answers to rows, which may lack values unless `missing="error"`."""
        if self.missing not in MISSING:
            raise ValueError(f"missing must be one of {', '.join(map(repr, MISSING))}, got {self.missing!r}")
        rows = self._rows(X, incomplete=self.missing != "error")
        return Answers(self.network_, rows)

    def _quick(self, X: Any, what: str) -> NDArray | None:
        """Return the answers to a plain array of complete and usable numbers, None to anything else."""
        network = getattr(self, "network_", None)
        if network is None or self.missing not in MISSING or not _is_ready(self, X):
            return None
        return sweep(network, X, what) if network.layout is None or network.layout.is_plain else None

    @property
    def coef_(self) -> NDArray:
        """The weights of the inputs, shape (1, N), if there are two classes and a single hyperplane.

        With probabilities that are a line of its weighted sum, as those of a logistic regression, they are on
        the scale of the log-odds: `decision_function` is X @ coef_.T + intercept_. Else they are the weights
        of the hyperplane itself, whose sign is the answer. A table's inputs are those of
        `network_.feature_names`.
        """
        return self._line()[:, 1:]

    @property
    def intercept_(self) -> NDArray:
        """The bias that belongs to `coef_`, shape (1,)."""
        return self._line()[:, 0]

    def _line(self) -> NDArray:
        """Return intercept and weights of the only hyperplane, (1, N + 1); with others an AttributeError."""
        network = getattr(self, "network_", None)
        if network is None or network.scheme is not None or not network.passes_on:
            raise AttributeError(
                f"{type(self).__name__} has coef_ and intercept_ only where it is fitted to two classes and "
                "a single hyperplane was enough"
            )
        unit, calibration = network.weights_about_zero, network.calibration
        if calibration is None or calibration.steps.any():
            return unit
        line = calibration.slopes[0, 0] * unit
        line[0, 0] += calibration.intercepts[0] + calibration.shift[0]
        return line

    def decision_function(self, X: ArrayLike) -> NDArray:
        """Return the weighted sum of the output unit, or of the unit itself if there is only one.

        With probabilities it is the log-odds of the second class instead. Of more than two classes it is what
        speaks for each, see `Network` and `Networks`, or with probabilities their logarithms. Of a row that
        lacks values, with `missing="integrate"`, it is that of the integrated probabilities, or without them
        of the row completed by what is expected of it, agreeing with the prediction.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples,), or (n_samples, C) for C > 2 classes
            At least 0 where the second of `classes_` is predicted. Of more classes the predicted one has the
            largest.
        """
        quick = self._quick(X, "scores")
        return as_decision(self._answers(X).decisions() if quick is None else quick)

    @available_if(_has_probabilities)
    def predict_proba(self, X: ArrayLike) -> NDArray:
        """Return the probability of each class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples, C)
            In the order of `classes_`; the predicted class has the largest one.
        """
        quick = self._quick(X, "probability")
        return self._answers(X).probabilities() if quick is None else quick

    @available_if(_has_probabilities)
    def predict_log_proba(self, X: ArrayLike) -> NDArray:
        """Return the logarithm of the probability of each class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples, C)
        """
        return logarithms(self.predict_proba(X))

    @available_if(_has_probabilities)
    def set_priors(self, priors: Any) -> Any:
        """Expect other shares of the classes than those of the training rows, or those again.

        The odds of a row change by the ratio of the new to the old odds of the classes, and with them
        the probabilities and the predicted class. Nothing is trained, and what was counted at the fit, such
        as `n_training_errors_`, stays as it was.

        Parameters
        ----------
        priors : mapping from label to share, array-like of shares in the order of `classes_`, or None
            Positive, with the sum 1. None: the shares of the training rows.

        Returns
        -------
        estimator
            The estimator itself.
        """
        check_is_fitted(self)
        self.network_ = self.network_.with_priors(priors)
        return self

    def predict(self, X: ArrayLike) -> NDArray:
        """Return the class of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Or a table: its columns are found by name, in any order, others are ignored. Unless
            `missing="error"` values may be missing: where training had none missing, the most probable class
            is returned, integrated over the training distribution of what is missing.

        Returns
        -------
        array of shape (n_samples,)
        """
        quick = self._quick(X, "predict")
        return self._answers(X).labels() if quick is None else quick

    def internal_representation(self, X: ArrayLike) -> NDArray:
        """Return the states ±1 of the hidden units for each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples, H)
            Of several networks the units of all of them, in the order of `networks_`.
        """
        rows = self._rows(X)
        return self.network_.internal_representation(rows)

    def domain_confidence(self, X: ArrayLike) -> NDArray:
        """Return how sure the prediction of each row is, given the hyperplanes that matter for it.

        Each hidden unit takes its two states with the probabilities (1 ± tanh(γ/2T))/2; the confidence is the
        weight of the internal representations that have the predicted class. It explains: `predict_proba` is
        the calibrated one. More than 16 units and several networks: see `netlines.inspection.confidence`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples,)
            Between 0 and 1.
        """
        rows = self._rows(X)
        return domain_confidence(self.network_, rows.view(InputRows))

    def domains(self, X: ArrayLike, y: ArrayLike) -> Domains:
        """Return the domains that rows lie in, with their codes, classes, errors and nearest hyperplanes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)

        Returns
        -------
        Domains
            A table to print, to iterate over, or to turn `to_frame()`; `faithful` tells whether no domain has
            rows of two classes.
        """
        rows = self._rows(X)
        return find_domains(self.network_, rows.view(InputRows), y)

    def as_points(self) -> Scorecard:
        """Return the classifier as a scorecard: points for plain conditions that a person can add up.

        Exact with `prefer="readable"`, and for other networks of that form. A single hyperplane of other
        numbers, such as a logistic regression, is rounded (`exact` is False then).

        Returns
        -------
        Scorecard
            It prints as a table, and has `to_frame()`, `formula`, `score(X)` and `probabilities`.

        Raises
        ------
        ValueError
            If there are several hyperplanes that are no points score.
        """
        check_is_fitted(self)
        return as_points(self)
