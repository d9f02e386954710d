"""What every estimator of netlines shares: checking rows and labels, and keeping the fitted network.

Here labels become numbers and, through `Network.classes`, labels again; nothing else knows them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from functools import cache, wraps
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.callback import CallbackSupportMixin, with_callbacks
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import _check_sample_weight, _check_y, check_consistent_length
from threadpoolctl import ThreadpoolController

from netlines.classifiers.predictions import Answering, in_clear_words, validated
from netlines.classifiers.table import learn_inputs, raw_table, set_columns
from netlines.inspection.confidence import fit_temperature
from netlines.network.attributes import known_groups
from netlines.network.background import describe
from netlines.network.layout import Layout
from netlines.network.network import PASS_ON, Network
from netlines.network.networks import Networks
from netlines.network.sweep import sweep
from netlines.network.weights import normalised_outputs


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


def _refuse_mixed_labels(y: Any) -> None:
    """Raise an error if texts and other labels are mixed, which numpy would silently turn into texts."""
    if isinstance(y, np.ndarray) and y.dtype.kind != "O":
        return
    with in_clear_words("y", must_be="one label a row"):
        labels = np.asarray(y, dtype=object).ravel()
    several = [label for label in labels if isinstance(label, list | tuple | np.ndarray)]
    if several:
        raise ValueError(f"y must be one label a row, got {several[0]!r}")
    texts = [label for label in labels if isinstance(label, str)]
    others = [label for label in labels if not isinstance(label, str)]
    if texts and others:
        raise ValueError(
            f"y mixes labels of different types: {texts[0]!r} ({type(texts[0]).__name__}) and {others[0]!r} "
            f"({type(others[0]).__name__}); allowed are labels of one type, all texts or all numbers"
        )


def refuse_unless_two(n_classes: int, message: str) -> None:
    """Raise an error with a message for what takes two classes only."""
    if n_classes != 2:
        raise ValueError(message)


def checked_weights(sample_weight: Any, X: Any) -> NDArray[np.float64]:
    """Return the weights of rows, 1 each if None, or raise an error that says what is wrong with them."""
    with in_clear_words("sample_weight", must_be="one number a row"):
        found = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    return np.asarray(found)


def times_class_weight(weights: NDArray, class_weight: Any, classes: NDArray, labels: NDArray) -> NDArray:
    """Return the weights of rows multiplied by those of their classes, given by the numbers of these."""
    if class_weight is None:
        return weights
    own = class_weight
    if isinstance(class_weight, dict):  # by their numbers: scikit-learn takes the text "0" for the number 0
        names = classes.tolist()
        own = {k: class_weight[name] for k, name in enumerate(names) if name in class_weight}
        lacking = [name for name in names if name not in class_weight]
        if lacking and len(own) < len(class_weight):
            raise ValueError(f"The classes, {lacking}, are not in class_weight")
    order = np.lexsort((weights, labels))  # sums are rounded in one way, whatever the order of the rows
    numbers, y, w = np.arange(len(classes)), labels[order], weights[order]
    with in_clear_words("class_weight", must_be="one number a class"):
        by_class = compute_class_weight(own, classes=numbers, y=y, sample_weight=w)
    if not np.isfinite(by_class).all():
        raise ValueError(f"class_weight={class_weight!r} is not finite; allowed are weights from 0 on")
    if (by_class < 0).any():
        raise ValueError(f"class_weight={class_weight!r} is negative; allowed are weights from 0 on")
    return np.asarray(weights * by_class[labels])


def remembering(network: Any, X: NDArray, labels: NDArray, weights: NDArray) -> Any:
    """Return a network, or several, that remember their training rows as far as explanations need them."""
    network = replace(network, background=describe(X, weights))
    if network.layout is not None:
        groups = known_groups(network.layout, network.background.groups)
        network = replace(network, background=replace(network.background, groups=groups))
    temperature = fit_temperature(network, X, labels, weights)
    return replace(network, background=replace(network.background, temperature=temperature))


class NetworkClassifier(Answering, CallbackSupportMixin, ClassifierMixin, BaseEstimator):
    """What every estimator shares: `fit` with its checks, and keeping the fitted `network_`."""

    _only_two = False  # whether more than two classes are refused
    _layout: Layout | None = None  # what the columns of a table became; None of plain rows of numbers
    _settled: NDArray | None = None  # the rows that are remembered in their place, while they are learnt
    multiclass: str

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = not self._only_two
        tags.input_tags.allow_nan = self.missing != "error"
        tags.input_tags.sparse = True
        return tags

    @all_or_nothing
    @with_callbacks
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train on the rows of a table.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Or a table of pandas, polars or Arrow, with numbers, texts, categories, booleans, dates and
            missing values; or a sparse matrix.
        y : array-like of shape (n_samples,)
            Labels of two or, but for a single unit, more classes: texts, integers or booleans.
        sample_weight : array-like of shape (n_samples,) or None
            A row of weight 2 counts as two rows, one of weight 0 not at all.

        Returns
        -------
        self
            The fitted estimator itself.
        """
        X, labels, weights = self._checked(X, y, sample_weight)
        context = self._init_callback_context(max_subtasks=self._most_subtasks())
        context.call_on_fit_task_begin(estimator=self, X=X, y=y)
        self._fit(X, labels, weights, context)
        self._settled = None
        context.call_on_fit_task_end(estimator=self, X=X, y=y, reconstruction_attributes={})
        return self

    def _most_subtasks(self) -> int | None:
        """Return how many steps callbacks will be told of at most; None if that is not known."""
        return None

    @abstractmethod
    def _fit(self, X: NDArray, labels: NDArray, weights: NDArray, context: Any) -> None:
        """Set what is fitted to checked rows, given the number of each row's class."""

    def _checked(self, X: Any, y: Any, sample_weight: ArrayLike | None) -> tuple[NDArray, NDArray, NDArray]:
        """Check the input of `fit`, set `classes_`; return X, each row's class and weight."""
        _refuse_mixed_labels(y)
        raw = raw_table(self, X)
        if raw is None:
            X, y = validated(self, X, y, order="C")
            self._refuse_bad_values(X)
        else:
            y = _check_y(y, estimator=self)
            check_consistent_length(X, y)
            set_columns(self, raw)
        check_classification_targets(y)
        classes = np.unique(y)
        labels = np.searchsorted(classes, y)  # far sooner than by sorting all of them
        name = type(self).__name__
        weights = checked_weights(sample_weight, X)
        if len(classes) > 1:
            weights = times_class_weight(weights, self.class_weight, classes, labels)
        if not 1e-100 < weights.max(initial=0.0) < 1e100 and weights.any():
            weights = weights / weights.max()  # their squares would overflow or vanish
        present = np.bincount(labels, weights > 0, minlength=len(classes)) > 0
        if present.sum() < 2:
            what = ", ".join(map(str, classes[present])) or "none"
            raise ValueError(
                f"{name} needs rows of at least 2 classes, y has one class with a positive weight: {what}"
            )
        if not present.all():
            without = ", ".join(map(str, classes[~present]))
            raise ValueError(f"{name} needs rows of each class, all rows of {without} have the weight 0")
        if self._only_two and len(classes) != 2:
            only = f"Only binary classification is supported. The type of the target is {type_of_target(y)}"
            some = f"{len(classes)} classes ({', '.join(map(str, classes[:5]))}, ...)"
            refuse_unless_two(len(classes), f"{only}: y has {some}, {name} separates 2")
        self.classes_, self._layout, self._settled = classes, None, None
        if raw is not None:
            rows = weights > 0
            X, self._settled, self._layout = learn_inputs(self, raw, labels, weights)
            labels, weights = labels[rows], weights[rows]
        return X, labels, weights

    @property
    def _input_names(self) -> Sequence[str] | None:
        """The names of the inputs: those that the columns of a table became, or those of the columns."""
        if self._layout is not None:
            return self._layout.feature_names
        names = getattr(self, "feature_names_in_", None)
        return None if names is None else tuple(names)

    @property
    def _scheme(self) -> str | None:
        """What the user wants of more than two classes, None if there are two."""
        return self.multiclass if len(self.classes_) > 2 else None

    def _seed(self) -> int:
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))

    def _network(self, weights: NDArray, output: NDArray, beta: float | None, **more: Any) -> Network:
        """Return a network of hidden weights in the user's units; output weights (H + 1,) or (C, H + 1)."""
        names = self._input_names
        output = np.atleast_2d(output)
        return Network(
            weights,
            PASS_ON if output.size == 2 else normalised_outputs(output),
            self.classes_,
            temperature=1.0 / beta if beta else None,
            feature_names=None if names is None else tuple(names),
            **more,
        )

    def _set_network(
        self, network: Network | Networks, X: NDArray, labels: NDArray, weights: NDArray
    ) -> float:
        """Set `network_` and what is counted of it; return the weight of the training errors."""
        rows = X if self._settled is None else self._settled
        self.network_ = remembering(network.with_layout(self._layout), rows, labels, weights)
        self.n_weights_ = network.n_weights
        answers = sweep(network, X, "predict")  # in blocks: of all rows at once sums take much memory
        wrong = network.answers(X) != labels if answers is None else answers != self.classes_[labels]
        self.n_training_errors_ = int(np.count_nonzero(wrong & (weights > 0)))
        return float(weights[wrong].sum())

    def _with_network(self, network: Network, n_training_errors: int, rows: NDArray) -> Self:
        """Return a copy of the fitted estimator with another network; its weights that are not 0 count.

        Parameters
        ----------
        network : what becomes `network_`
        n_training_errors : its errors on the training rows
        rows : the training rows (n, N), for what is measured on them anew
        """
        other = copy(self)
        other.network_, other.n_weights_ = network, network.n_nonzero
        other.n_training_errors_ = n_training_errors
        if hasattr(self, "n_hidden_"):
            other.n_hidden_ = network.n_hidden
        return other
