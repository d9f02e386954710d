"""What classifiers share whose networks grow unit by unit: parameters, fitting, limits, many classes.

An algorithm is a subclass with a docstring and one method, `_grow`, that says how one network grows.
"""

from __future__ import annotations

from abc import abstractmethod
from inspect import cleandoc
from numbers import Integral, Real
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval, StrOptions

from netlines.classifiers.base import NetworkClassifier
from netlines.classifiers.calibration import calibrated
from netlines.classifiers.delegation import class_shares, fit_scheme, read_networks
from netlines.classifiers.table import CONSTRAINTS, OF_INPUTS
from netlines.network.network import Network
from netlines.training.growth import Growth, Plan, Watch
from netlines.training.patterns import Patterns, condense
from netlines.training.task import Task

NEGLIGIBLE = 1e-5  # errors that weigh less than this part of the heaviest row do not make a network grow


class GrowingClassifier(NetworkClassifier):
    """Fit a network that grows, or several of two classes each that decide together.

    A subclass whose docstring has no parameters is documented by those below.

    Parameters
    ----------
    max_hidden : int >= 1 or None, default=None
        Most hidden units; None for no limit.
    max_errors : int or float, default=0
        Training errors to accept: a count (int), or a share of the rows (float between 0 and 1). Of weighted
        rows the weights are summed instead.
    schedule : {"fast", "paper"}, default="fast"
        How single units are trained, see `MinimerrorClassifier`.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes; they multiply `sample_weight`.
    probability : bool, default=False
        Whether to calibrate probabilities, by five more networks that each leave a fifth of the rows out.
    multiclass : {"vote", "tree", "wta", "pairs"}, default="vote"
        Which networks of two classes decide together on more than two, see `NetLinesClassifier`. The limits
        hold for each network.
    n_jobs : int or None, default=None
        Threads over independent starts, or over independent networks. The result does not depend on it.
    random_state : int, RandomState instance or None, default=0
        Decides everything random.
    categorical_features : "from_dtype", names, numbers or mask of columns, or None, default="from_dtype"
        Columns that are categories. "from_dtype": those whose type says so. Texts always are, unless they are
        all numbers or dates.
    numeric_features, date_features, drop_features, only_features : names, numbers, mask or None, default=None
        Columns to take as numbers or as dates whatever they look like, columns to leave out, and the only
        columns to take (docs/tables.md).
    strict : bool, default=False
        Whether a category that training had not is an error; else it counts as "other", or as missing.
    missing : {"auto", "integrate", "error"}, default="auto"
        What missing values are. "auto": gaps that tell something of the class get one more input, which tells
        where they are; other gaps are unknown, expected in training and integrated over at prediction.
        "integrate": all gaps are. "error": an error (docs/missing.md).

    Attributes
    ----------
    classes_ : array of shape (C,)
        The labels; a network of two classes answers +1 for the second.
    network_ : Network or Networks
        The hidden weights (H, N + 1) and output weights (1, H + 1) in the user's units, bias first; or
        several networks that decide together.
    networks_ : list of Part
        Each network, as `network`, with the labels that it answers +1 and -1 for, `positive` and `negative`.
    n_hidden_ : int
        Number of hidden units H, of all networks.
    n_weights_ : int
        H(N + 1) + H + 1, or N + 1 for a single unit, summed over the networks.
    n_training_errors_ : int
        Training rows that get a wrong answer.
    stop_reason_ : str
        Why growth ended.
    growth_trace_ : list of dict
        One record a unit, as `NetLinesClassifier` has them.
    n_epochs_, n_updates_ : int
        Passes over the patterns, and weight updates.
    n_features_in_ : int
        Number of columns of X.
    feature_names_in_ : array of shape (n_features,)
        Their names, if X had names. What they became is in `network_.layout`.
    """

    _parameter_constraints: dict = {  # noqa: RUF012
        "max_hidden": [Interval(Integral, 1, None, closed="left"), None],
        "max_errors": [Interval(Integral, 0, None, closed="left"), Interval(Real, 0, 1, closed="both")],
        "schedule": [StrOptions({"fast", "paper"})],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "probability": ["boolean"],
        "multiclass": [StrOptions({"vote", "tree", "wta", "pairs"})],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
        **CONSTRAINTS,
    }

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        own, shared = (cleandoc(doc or "") for doc in (cls.__doc__, GrowingClassifier.__doc__))
        if own and "\nParameters\n" not in own:
            what, notes, rest = own.partition("Notes\n-----\n")
            cls.__doc__ = what + shared[shared.find("Parameters\n") :] + "\n\n" + notes + rest

    def __init__(
        self,
        max_hidden: int | None = None,
        max_errors: float = 0,
        *,
        schedule: str = "fast",
        class_weight: dict | str | None = None,
        probability: bool = False,
        multiclass: str = "vote",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
        categorical_features: Any = "from_dtype",
        numeric_features: Any = None,
        date_features: Any = None,
        drop_features: Any = None,
        only_features: Any = None,
        strict: bool = False,
        missing: str = "auto",
    ):
        self.max_hidden = max_hidden
        self.max_errors = max_errors
        self.schedule = schedule
        self.class_weight = class_weight
        self.probability = probability
        self.multiclass = multiclass
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.numeric_features = numeric_features
        self.date_features = date_features
        self.drop_features = drop_features
        self.only_features = only_features
        self.strict = strict
        self.missing = missing

    @abstractmethod
    def _grow(self, task: Any, plan: Plan, watch: Watch) -> Growth:
        """Grow one network; `watch` is called with the record of each unit and the network so far."""

    def _together(self) -> bool:
        """Tell whether one network learns all classes."""
        return self._scheme in (None, "shared")

    def _most_subtasks(self) -> int | None:
        return self.max_hidden if self._together() else 1

    def _fit(self, X: NDArray, labels: NDArray, weights: NDArray, context: Any) -> None:
        (self._fit_together if self._together() else self._delegate)(X, labels, weights, context)

    def _fit_together(self, X: NDArray, labels: NDArray, weights: NDArray, context: Any) -> None:
        """Grow one network for all classes."""
        patterns = condense(X, labels, weights, len(self.classes_))
        task = Task.of(patterns, X)
        unit_task = self._next_unit(context)
        stopped = False

        def watch(record: dict[str, Any], layer: Any) -> bool:
            nonlocal unit_task, stopped
            so_far = {"network_": self._as_network(layer, task)}
            stopped = unit_task.call_on_fit_task_end(estimator=self, reconstruction_attributes=so_far)
            unit_task = None if record["n_hidden"] == self.max_hidden else self._next_unit(context)
            return stopped

        plan = self._plan(patterns, weights)
        growth = self._grow(task, plan, watch)
        if unit_task is not None:  # the unit that was not needed any more
            unit_task.call_on_fit_task_end(estimator=self)
        trace = tuple(map(dict, growth.trace))
        network = self._as_network(growth.layer, task, growth_trace=trace)
        if not task.frame.changes_nothing:
            rows = X[patterns.first]
            exact = self._as_network(growth.layer, task, exact=True, growth_trace=trace)
            same = network.internal_representation(rows) == exact.internal_representation(rows)
            network = network if same.all() else exact  # the norm of the weights costs digits
        if self.probability:
            network = calibrated(self, network, X, labels, weights)
        wrong = self._set_network(network, X, labels, weights)
        self.n_hidden_ = network.n_hidden
        self.growth_trace_ = growth.trace
        self.n_epochs_, self.n_updates_ = growth.epochs, growth.updates
        self.stop_reason_ = self._stop_reason(plan, wrong, patterns, stopped)

    def _as_network(self, layer: Any, task: Any, exact: bool = False, **more: Any) -> Network:
        """Return a layer in training as a network in the user's units; if `exact`, of other norms."""
        weights, _ = task.frame.outside(layer.weights_in(task), exact=exact)
        return self._network(weights, layer.output, layer.beta, origin=task.frame.offset, **more)

    def _delegate(self, X: NDArray, labels: NDArray, weights: NDArray, context: Any) -> None:
        """Train networks of two classes each that decide together."""
        own = {"class_weight": None, "n_jobs": None, **OF_INPUTS}
        copy = type(self)(**{**self.get_params(), **own})
        meta = fit_scheme(copy, self.multiclass, X, labels, weights, context=context, n_jobs=self.n_jobs)
        networks = read_networks(meta, self.multiclass, self.classes_, class_shares(labels, weights))
        self._set_network(networks.with_feature_names(self._input_names), X, labels, weights)
        self.n_hidden_ = networks.n_hidden
        parts = meta.estimators_
        self.growth_trace_ = [
            {"network": k, **record} for k, part in enumerate(parts) for record in part.growth_trace_
        ]
        self.n_epochs_ = sum(part.n_epochs_ for part in parts)
        self.n_updates_ = sum(part.n_updates_ for part in parts)
        self.stop_reason_ = self._stop_reasons(parts)

    def _stop_reasons(self, parts: list[GrowingClassifier]) -> str:
        """Say why the growth of several networks ended: of those that have errors of their own left."""
        why = []
        for part, network in zip(self.networks_, parts, strict=True):
            if network.n_training_errors_:
                sides = (", ".join(map(str, labels)) for labels in (part.positive, part.negative))
                why.append(f"{' against '.join(sides)}: {network.stop_reason_}")
        if not why:
            left = self.n_training_errors_
            return "no training errors" if not left else f"no network has errors, together they make {left}"
        return "; ".join(why)

    def _next_unit(self, context: Any) -> Any:
        return context.subcontext(task_name="hidden unit").call_on_fit_task_begin(estimator=self)

    def _plan(self, patterns: Patterns, weights: NDArray) -> Plan:
        """Turn the parameters into limits and a schedule."""
        accepted = self.max_errors * (1 if isinstance(self.max_errors, Integral) else patterns.total)
        accepted = min(accepted, patterns.total)  # of integers that no float can hold
        negligible = NEGLIGIBLE * weights.max()
        return Plan(
            self.max_hidden,
            max(accepted - patterns.unavoidable, negligible),
            negligible,
            self.schedule,
            seed=self._seed(),
            n_threads=effective_n_jobs(self.n_jobs),
        )

    def _stop_reason(self, plan: Plan, wrong: float, patterns: Patterns, stopped: bool) -> str:
        """Say why growth ended with errors of this weight."""
        left = f"{self.n_training_errors_} training errors left"
        avoidable = wrong - patterns.unavoidable
        if self.n_training_errors_ == 0:
            return "no training errors"
        if avoidable <= 0.5 * patterns.surplus[patterns.surplus > 0].min(initial=np.inf):
            unavoidable = f"only the {self.n_training_errors_} unavoidable errors left"
            return f"{unavoidable} (rows with the same inputs in different classes)"
        if avoidable <= plan.max_errors:
            if self.max_errors == 0:
                return f"the {left} have a negligible weight"
            return f"max_errors={self.max_errors} reached: {left}"
        if stopped:
            return f"stopped by a callback: {left}"
        if self.n_hidden_ == self.max_hidden:
            return f"max_hidden={self.max_hidden} reached: {left}"
        if self.max_hidden is not None:
            return f"max_hidden={self.max_hidden} leaves no room for the two units of a sure step: {left}"
        return f"no weights of double precision divide the rows further: {left}"
