"""What every estimator of netlines shares: checking rows and labels, and reading the fitted network.

Here labels become numbers and, through `Network.classes`, labels again; nothing else knows them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.callback import CallbackSupportMixin
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data
from threadpoolctl import ThreadpoolController

from netlines.network import PASS_ON, Network, normalised, normalised_outputs
from netlines.networks import Networks, Part
from netlines.patterns import LARGEST

DTYPES = [np.float64, np.float32]


def all_or_nothing(fit: Callable) -> Callable:
    """Leave the estimator as it was before if `fit` is interrupted or fails.

    Matrix products are kept to one thread: with more their last bits would depend on the number of cores.
    """

    @wraps(fit)
    def guarded(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = dict(vars(self))
        try:
            with _blas().limit(limits=1, user_api="blas"):
                return fit(self, *args, **kwargs)
        except BaseException as error:
            vars(self).clear()
            vars(self).update(before)
            if isinstance(error, SystemError) and _interrupted(error):
                raise KeyboardInterrupt from error
            raise

    return guarded


@cache
def _blas() -> ThreadpoolController:
    return ThreadpoolController()


def _interrupted(error: BaseException | None) -> bool:
    """Tell whether a Ctrl-C came while compiled code was returning, which numba reports as a SystemError."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def as_targets(codes: NDArray) -> NDArray:
    """Return the targets ±1 of two classes by their numbers."""
    return np.where(codes == 1, 1.0, -1.0)


def _refuse_mixed_labels(y: Any) -> None:
    """Raise an error if texts and other labels are mixed, which numpy would silently turn into texts."""
    if isinstance(y, np.ndarray) and y.dtype.kind != "O":
        return
    labels = np.asarray(y, dtype=object).ravel()
    texts = [label for label in labels if isinstance(label, str)]
    others = [label for label in labels if not isinstance(label, str)]
    if texts and others:
        raise ValueError(
            f"y mixes labels of different types: {texts[0]!r} ({type(texts[0]).__name__}) and {others[0]!r} "
            f"({type(others[0]).__name__}); allowed are labels of one type, all texts or all numbers"
        )


def _has_probabilities(self: Any) -> bool:
    """Tell whether there are probabilities, or raise an error that says how to get them."""
    network = getattr(self, "network_", None)
    if self.probability if network is None else network.has_probability:
        return True
    raise AttributeError(
        f"{type(self).__name__} has probabilities only if it is fitted with probability=True, "
        f"got probability={self.probability!r}"
    )


class NetworkClassifier(CallbackSupportMixin, ClassifierMixin, BaseEstimator):
    """What every estimator shares: checking the input, and reading the fitted `network_`."""

    _only_two = False  # whether more than two classes are refused

    network_: Any  # Network, or Networks of several that decide together

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = not self._only_two
        return tags

    def _refuse_bad_values(self, X: NDArray) -> NDArray:
        """Raise an error that names the first value that is not a number of usable size; else return X."""
        if len(X) and not max(float(X.max()), -float(X.min())) <= LARGEST:  # also true for NaN
            row, column = np.argwhere(~(np.abs(X.astype(float)) <= LARGEST))[0]
            value = "NaN" if np.isnan(X[row, column]) else f"the value {X[row, column]:g}"
            names = getattr(self, "feature_names_in_", None)
            raise ValueError(
                f"X has {value} in column {column if names is None else repr(names[column])}, row {row} "
                f"(counted from 0); allowed are numbers between {-LARGEST:g} and {LARGEST:g}"
            )
        return X

    def _checked(self, X: Any, y: Any, sample_weight: ArrayLike | None) -> tuple[NDArray, NDArray, NDArray]:
        """Check the input of `fit`, set `classes_`; return X, each row's class and weight."""
        _refuse_mixed_labels(y)
        X, y = validate_data(self, X, y, dtype=DTYPES, order="C", ensure_all_finite=False)
        self._refuse_bad_values(X)
        check_classification_targets(y)
        classes, codes = np.unique(y, return_inverse=True)
        name = type(self).__name__
        if self._only_two and len(classes) > 2:
            raise ValueError(
                f"Only binary classification is supported. The type of the target is {type_of_target(y)}: "
                f"y has {len(classes)} classes ({', '.join(map(str, classes[:5]))}, ...), {name} separates 2"
            )
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if len(classes) > 1 and self.class_weight is not None:
            by_class = compute_class_weight(self.class_weight, classes=classes, y=y, sample_weight=weights)
            if (by_class < 0).any():
                raise ValueError(
                    f"class_weight={self.class_weight!r} is negative; allowed are weights from 0 on"
                )
            weights = weights * by_class[codes]
        if not 1e-100 < weights.max(initial=0.0) < 1e100 and weights.any():
            weights = weights / weights.max()  # their squares would overflow or vanish
        present = np.isin(np.arange(len(classes)), codes[weights > 0])
        if present.sum() < 2:
            what = ", ".join(map(str, classes[present])) or "none"
            raise ValueError(
                f"{name} needs rows of at least 2 classes, y has one class with a positive weight: {what}"
            )
        if len(classes) > 2 and not present.all():
            without = ", ".join(map(str, classes[~present]))
            raise ValueError(f"{name} needs rows of each class, all rows of {without} have the weight 0")
        self.classes_ = classes
        return X, codes, weights

    def _seed(self) -> int:
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))

    def _network(self, weights: NDArray, output: NDArray, beta: float | None, **more: Any) -> Network:
        """Return a network of hidden weights in the user's units; output weights (H + 1,) or (C, H + 1)."""
        names = getattr(self, "feature_names_in_", None)
        if output.ndim == 2:
            output = normalised_outputs(output)
        else:
            output = PASS_ON if len(weights) == 1 else normalised(output)[None]
        return Network(
            weights,
            output,
            self.classes_,
            temperature=1.0 / beta if beta else None,
            feature_names=None if names is None else tuple(names),
            **more,
        )

    def _set_network(
        self, network: Network | Networks, X: NDArray, codes: NDArray, weights: NDArray
    ) -> float:
        """Set `network_` and what is counted of it; return the weight of the training errors."""
        self.network_ = network
        self.n_weights_ = network.n_weights
        wrong = network.predict(X) != self.classes_[codes]
        self.n_training_errors_ = int(np.count_nonzero(wrong & (weights > 0)))
        return float(weights[wrong].sum())

    @property
    def networks_(self) -> list[Part]:
        """Each network with the labels that it answers +1 and -1 for, as `positive` and `negative`.

        Of two classes it is one network. One that is shared by more classes has them all as `positive`.
        """
        check_is_fitted(self)
        network = self.network_
        if isinstance(network, Networks):
            return list(network.parts)
        network = network.with_priors(None) if network.moved else network
        first, *others = labels = tuple(network.classes.tolist())
        return [Part((*others,), (first,), network) if len(labels) == 2 else Part(labels, (), network)]

    def _rows(self, X: Any) -> NDArray:
        """Check the input of a fitted estimator."""
        check_is_fitted(self)
        return self._refuse_bad_values(
            validate_data(self, X, dtype=DTYPES, reset=False, ensure_all_finite=False)
        )

    def decision_function(self, X: ArrayLike) -> NDArray:
        """Return the weighted sum of the output unit, or of the unit itself if there is only one.

        With probabilities it is the log-odds of the second class instead. Of more than two classes it is what
        speaks for each, see `Network` and `Networks`, or with probabilities their logarithms.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples,), or (n_samples, C) for C > 2 classes
            At least 0 where the second of `classes_` is predicted. Of more classes the predicted one has the
            largest.
        """
        rows = self._rows(X)
        network = self.network_
        if not network.has_probability:
            return network.decision(rows)
        if isinstance(network, Network) and network.n_classes == 2:
            return network.log_odds(rows)
        return np.log(np.maximum(network.probability(rows), np.finfo(float).tiny))

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
        rows = self._rows(X)
        return self.network_.probability(rows)

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
        return np.log(np.maximum(self.predict_proba(X), np.finfo(float).tiny))

    @available_if(_has_probabilities)
    def set_priors(self, priors: Any) -> NetworkClassifier:
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
        NetworkClassifier
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

        Returns
        -------
        array of shape (n_samples,)
        """
        rows = self._rows(X)
        return self.network_.predict(rows)

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
