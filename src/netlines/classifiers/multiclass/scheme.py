"""What the multi-class schemes share: training their networks, and answers out of their scores."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Collection
from functools import partial
from math import comb
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, _fit_context, clone
from sklearn.callback import CallbackSupportMixin, with_callbacks
from sklearn.utils import get_tags
from sklearn.utils._param_validation import HasMethods, StrOptions
from sklearn.utils.metadata_routing import UNUSED, MetadataRouter, MethodMapping
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, validate_data

from netlines.classifiers.base import all_or_nothing
from netlines.classifiers.multiclass.part import Part, Problem, sequence, train_part
from netlines.classifiers.multiclass.rows import Rows, check_rows, routing_enabled
from netlines.classifiers.predictions import as_decision, in_clear_words
from netlines.classifiers.table import OF_INPUTS, encoded
from netlines.network.layout import Layout
from netlines.network.schemes import Combined, agreeing_shares, walk_tree

MANY_NETWORKS = 200  # from here on there is a warning: they took 45 s to train on a table of 400 rows


class Scheme(CallbackSupportMixin, MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """A classifier of many classes out of binary classifiers, each trained on a problem of its own.

    A scheme says which problems (`_plan`), and how the answers of the networks become one (`_together`).
    """

    _in_words: str  # what its networks are, for messages
    _layout: Layout | None = None  # what the columns of a table became, if networks of netlines learn from it

    # The estimator alone says whether weights are routed to it.
    __metadata_request__fit = {"sample_weight": UNUSED}  # noqa: RUF012

    _parameter_constraints: dict = {  # noqa: RUF012
        "estimator": [HasMethods(["fit", "predict"]), None],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        class_weight: dict | str | None = None,
        n_jobs: int | None = None,
    ):
        self.estimator = estimator
        self.class_weight = class_weight
        self.n_jobs = n_jobs

    @abstractmethod
    def _plan(self, rows: Rows) -> list[Problem]:
        """Return the problems to train networks for, each once; set what is chosen on the way."""

    def _combine(self, X: Any, wanted: Collection[str]) -> Combined:
        """Return what the networks say; one alone decides as a tree does.

        `wanted` names which of "margins" (for the scores) and "chances" matter beside the answers.
        """
        together = self._together if len(self.estimators_) > 1 else partial(Scheme._together, self)
        return together(X, wanted)

    def _together(self, X: Any, wanted: Collection[str]) -> Combined:
        """Return what several networks say together, here those of a tree."""
        return walk_tree(*self._ask(X, wanted), sequence(self._problems))

    @all_or_nothing
    @with_callbacks
    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, **fit_params: Any) -> Any:
        """Train the networks.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or whatever the estimator takes
        y : array-like of shape (n_samples,)
            Labels of two or more classes: texts, integers or booleans.
        sample_weight : array-like of shape (n_samples,) or None
            Weights of the rows, for an estimator that takes them.
        **fit_params : dict
            What else to hand on to the estimator's `fit`; of what has one entry a row, each network gets
            the entries of its own rows. With scikit-learn's metadata routing, what the estimator asks for.

        Returns
        -------
        estimator
            The fitted estimator itself.
        """
        if sample_weight is not None:
            fit_params["sample_weight"] = sample_weight
        model = self._model()
        rows = check_rows(self, model, X, y, fit_params)
        if rows.layout is not None:
            model = clone(model).set_params(**OF_INPUTS)
        problems = self._plan(rows)
        if len(problems) > MANY_NETWORKS:
            # Of the level of the caller, below three decorators.
            warnings.warn(self._cost(len(problems), len(rows.classes)), stacklevel=5)
        context = self._init_callback_context(max_subtasks=len(problems), sequential_subtasks=False)
        context.call_on_fit_task_begin(estimator=self, X=X, y=y)
        # Made beforehand: a context must not grow while another process is given it.
        tasks = [context.subcontext(task_name="network", task_id=k) for k in range(len(problems))]
        parts = Parallel(n_jobs=self.n_jobs, prefer="threads")(
            delayed(train_part)(clone(model), rows, problem, self, task)
            for problem, task in zip(problems, tasks, strict=True)
        )
        self._layout = rows.layout
        if rows.layout is not None:
            for part in parts:
                part.model.network_ = part.model.network_.with_feature_names(rows.layout.feature_names)
        self._keep(parts, problems, rows.classes)
        self._finish()
        context.call_on_fit_task_end(estimator=self, X=X, y=y, reconstruction_attributes={})
        return self

    def _cost(self, n_networks: int, n_classes: int) -> str:
        """Say how many networks are to be trained, and what takes fewer."""
        others = {
            "multiclass='pairs' (PairwiseClassifier), of two classes each,": comb(n_classes, 2),
            "multiclass='tree' (TreeOfNetworksClassifier)": n_classes - 1,
        }
        fewer = [f"{name} takes {number:,}" for name, number in others.items() if number < n_networks]
        fewer.append("NetLinesClassifierCV chooses one layer shared by all classes")
        what = f"{n_classes} classes by {self._in_words} take the training of {n_networks:,} networks"
        return f"{what}, which may take long; {', '.join(fewer)}"

    def _keep(self, parts: list[Part], problems: list[Problem], classes: NDArray) -> None:
        """Set what is fitted."""
        self.classes_ = classes
        self.estimators_ = [part.model for part in parts]
        self.problems_ = [(classes[problem.positive], classes[list(problem.others)]) for problem in problems]
        self._problems = problems
        self._parts = parts
        if all(hasattr(model, "n_weights_") for model in self.estimators_):
            self.n_weights_ = sum(int(model.n_weights_) for model in self.estimators_)
        else:
            self.__dict__.pop("n_weights_", None)

    def _finish(self) -> None:
        """Set what else is fitted."""

    def _model(self) -> Any:
        """Return the estimator, or the default one."""
        if self.estimator is not None:
            return self.estimator
        from netlines.classifiers.netlines import NetLinesClassifier  # which imports this module

        default = NetLinesClassifier()
        return default.set_fit_request(sample_weight=True) if routing_enabled() else default

    def _ask(self, X: Any, wanted: Collection[str], *, agreeing: bool = True) -> tuple[NDArray, NDArray]:
        """Return margins and chances of the positive classes, each (n, number of networks), as `Part.ask`."""
        margins, chances = zip(*(part.ask(X, wanted, agreeing=agreeing) for part in self._parts), strict=True)
        return np.column_stack(margins), np.column_stack(chances)

    def _combined(self, X: Any, *wanted: str) -> Combined:
        """Return what the networks say together of rows that are not checked yet."""
        with in_clear_words():
            return self._combine(self._checked(X), wanted)

    def _checked(self, X: Any) -> Any:
        """Check the input of a fitted estimator; its networks check the values."""
        check_is_fitted(self)
        if self._layout is not None:
            model = self.estimators_[0]
            known, complete = model.missing != "integrate", model.missing == "error"
            return encoded(model, X, self._layout, known=known, absent=not known, complete=complete)
        if getattr(X, "ndim", 2) > 1:  # else the networks say it better, or take it: texts
            validate_data(self, X, reset=False, skip_check_array=True)
        return X

    def predict(self, X: Any) -> NDArray:
        """Return the class of each row.

        Parameters
        ----------
        X : what `fit` takes

        Returns
        -------
        array of shape (n_samples,)
        """
        answers = self._combined(X).answers
        return np.asarray(self.classes_[answers])

    def decision_function(self, X: Any) -> NDArray:
        """Return the score of each class; the class with the largest is predicted.

        Parameters
        ----------
        X : what `fit` takes

        Returns
        -------
        array of shape (n_samples, C), or (n_samples,) for 2 classes
            In the order of `classes_`. Of 2 classes: positive where the second is predicted, else negative.
        """
        return as_decision(self._combined(X, "margins").scores, factor=0.5)

    def predict_proba(self, X: Any) -> NDArray:
        """Return the probability of each class.

        It comes from the probabilities of the networks. Without them decisions are squashed, one of the mean
        size on the training rows to the log-odds 2; an estimator with labels alone counts as sure of them.
        Where the predicted class does not have the largest probability, its is put next above the largest.

        Parameters
        ----------
        X : what `fit` takes

        Returns
        -------
        array of shape (n_samples, C)
            In the order of `classes_`; rows have the sum 1.
        """
        combined = self._combined(X, "chances")
        return agreeing_shares(combined.chances, combined.answers)

    def predict_log_proba(self, X: Any) -> NDArray:
        """Return the logarithm of the probability of each class.

        Parameters
        ----------
        X : what `fit` takes

        Returns
        -------
        array of shape (n_samples, C)
            -inf for a probability of 0.
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which metadata go where: those of `fit` to the estimator's `fit`.

        Returns
        -------
        MetadataRouter
        """
        mapping = MethodMapping().add(caller="fit", callee="fit")
        return MetadataRouter(owner=self).add(estimator=self._model(), method_mapping=mapping)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self._model())
        tags.input_tags = inner.input_tags
        tags.non_deterministic = inner.non_deterministic
        return tags
