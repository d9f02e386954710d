"""`NetLinesClassifierCV`: the size and the temperature that suit new rows, chosen on the training data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from numbers import Integral
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.base import _fit_context, is_classifier
from sklearn.callback import with_callbacks
from sklearn.metrics import get_scorer_names
from sklearn.model_selection import check_cv
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from netlines.classifiers.base import NetworkClassifier, all_or_nothing, as_targets, remembering
from netlines.classifiers.delegation import class_shares, fit_scheme, read_networks
from netlines.classifiers.predictions import MISSING
from netlines.network.network import Network
from netlines.network.probability import checked_priors
from netlines.selection.choice import Terms
from netlines.selection.description import calibrate, shortest
from netlines.selection.fit import LARGEST, fit_two, prepare_two
from netlines.selection.many.fit import fit_classes, largest_size
from netlines.selection.teachers.teacher import Data
from netlines.selection.terms import Fitted, Wishes
from netlines.training.growth import Plan
from netlines.training.patterns import condense
from netlines.training.task import Task
from netlines.training.threads import in_order

NAMES = {"tree": "a tree", "vote": "a vote", "wta": "winner-takes-all", "pairs": "pairs"}


class NetLinesClassifierCV(NetworkClassifier):
    """Choose the small classifier that does best on new rows, and its probabilities.

    Candidates are single units, on the temperature path of Minimerror or of a logistic regression, and
    networks of 1 to `max_hidden` units distilled from a teacher; cross-validation on the training rows
    decides, and the winner is trained on all of them. From 10,000 distinct rows on networks learn the labels
    themselves, at most 60,000, and the first fold decides, which they never see.

    With more than two classes the candidates are units between each pair of classes or along a tree, and one
    hidden layer of 2 to `max_hidden` units shared by all classes.

    Parameters
    ----------
    max_hidden : int >= 1 or None, default=None
        Most hidden units of a network. None: 11, or 128 of a layer that more than two classes share.
    prefer : {"balanced", "small", "accurate"}, default="balanced"
        How much error a smaller classifier may cost: a part of a standard error, more than one, or none.
    teacher : "auto", None or classifier, default="auto"
        What networks learn from. "auto": a logistic regression, soft networks, a kernel ridge regression (up
        to 2000 rows), a random forest, or the mean of some, whichever has the lowest log-loss on rows it has
        not seen. None: no networks, only units. Or any classifier of scikit-learn; fitted copies are used.
        (A shared layer is still chosen if it is asked for, and learns the labels then.)
    cv : int, splitter or iterable, default=5
        Number of folds, or a splitter of scikit-learn, or pairs of row numbers.
    scoring : str, callable or None, default=None
        A scorer of scikit-learn that decides between units and teacher. None: the error, and between equally
        good units the log-loss.
    criterion : {"cv", "mdl"}, default="cv"
        "mdl" grows networks on all rows, prunes them to integers and takes the shortest description of the
        labels: for tables that are too small to split. `prefer`, `teacher`, `cv` and `scoring` are not used,
        and a row of weight 2 is described as two. More than two classes are then a tree of networks, unless
        `multiclass` says otherwise.
    multiclass : {"auto", "shared", "pairs", "vote", "tree", "wta"}, default="auto"
        With more than two classes: "auto" chooses between units in pairs, units in a tree and a shared layer;
        "shared" the size of a shared layer. The others choose a unit or network for each problem of a scheme,
        see `NetLinesClassifier`; votes are shared in proportion to the trees' probabilities.
    priors : mapping from label to share, array-like of shares, or None, default=None
        Shares of the classes that are expected among new rows; None: those of the training rows. See
        `set_priors`.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes; they multiply `sample_weight`.
    n_jobs : int or None, default=None
        Threads. The result does not depend on it.
    random_state : int, RandomState instance or None, default=0
        Decides everything random.
    missing : {"error", "integrate"}, default="error"
        What `predict` does with NaN: raise an error, or return the most probable class, integrated over the
        training distribution of what is missing (docs/missing.md). It may be changed after the fit, which
        itself takes complete rows only.

    Attributes
    ----------
    chosen_ : str
        What was chosen and why, in one line.
    cv_results_ : dict of arrays
        One entry a candidate, ready for a data frame: `candidate`, `error`, `error_se`, `log_loss`,
        `log_loss_se` (all on rows held out), `score` (if there is a `scoring`), `n_hidden`, `n_weights`,
        `fidelity` (share of the teacher's decisions on fresh points), `chosen`. With "mdl": `candidate`,
        `bits`, `training_error`, `n_hidden`, `n_weights`, `chosen`. NaN is what was not asked. The candidates
        of several networks follow each other, with its number as `network`.
    teacher_ : fitted classifier, object with `predict_proba` and `name`, or None
        What the networks learnt from; a list, one entry a network of a scheme.
    network_ : Network or Networks
        The hidden weights (H, N + 1) and output weights (1, H + 1), or (C, H + 1) if C > 2 classes share the
        hidden layer, in the user's units, bias first; or several networks that decide together.
    networks_ : list of Part
        Each network, as `network`, with the labels that it answers +1 and -1 for, `positive` and `negative`.
    classes_ : array of shape (C,)
        The labels; a network of two classes answers +1 for the second.
    n_hidden_ : int
        Number of hidden units H, of all networks.
    n_weights_ : int
        H(N + 1) + H + 1, or N + 1 for a single unit, summed over the networks; H(N + 1) + C(H + 1) for a
        shared layer; with "mdl" those that are not 0.
    n_training_errors_ : int
        Training rows that get a wrong answer.
    temperature_ : float or None
        The temperature of a unit, or of all units in pairs or a tree, of the path, in standardised units.
    stop_reason_ : str
        The same as `chosen_`.
    growth_trace_ : list of dict
        One record a distilled network that was tried, up to the size that was chosen.
    n_epochs_, n_updates_ : int
        Passes over the patterns, and weight updates, of the networks that were tried.
    n_features_in_ : int
        Number of inputs.
    feature_names_in_ : array of shape (n_features,)
        Their names, if X had names.

    See Also
    --------
    NetLinesClassifier : grows a network until no training error is left.
    distill : compresses a fitted classifier.

    Examples
    --------
    >>> from netlines import NetLinesClassifierCV
    >>> from netlines.datasets import load_breast_cancer_wisconsin
    >>> X, y = load_breast_cancer_wisconsin(return_X_y=True)
    >>> clf = NetLinesClassifierCV().fit(X[:500], y[:500])
    >>> clf.n_hidden_, clf.n_weights_, clf.score(X[500:], y[500:]) > 0.97
    (1, 10, True)

    Three classes, of which a unit separates each pair:

    >>> from sklearn.datasets import load_iris
    >>> clf = NetLinesClassifierCV().fit(*load_iris(return_X_y=True))
    >>> clf.n_hidden_, clf.n_weights_
    (3, 15)
    """

    _parameter_constraints: dict = {  # noqa: RUF012
        "max_hidden": [Interval(Integral, 1, None, closed="left"), None],
        "prefer": [StrOptions({"balanced", "small", "accurate"})],
        "teacher": [StrOptions({"auto"}), HasMethods(["fit", "predict"]), None],
        "cv": ["cv_object"],
        "scoring": [StrOptions(set(get_scorer_names())), callable, None],
        "criterion": [StrOptions({"cv", "mdl"})],
        "multiclass": [StrOptions({"auto", "shared", "pairs", "vote", "tree", "wta"})],
        "priors": ["array-like", dict, None],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
        "missing": [StrOptions(set(MISSING))],
    }

    probability = True  # always calibrated

    def __init__(
        self,
        max_hidden: int | None = None,
        *,
        prefer: str = "balanced",
        teacher: Any = "auto",
        cv: Any = 5,
        scoring: Any = None,
        criterion: str = "cv",
        multiclass: str = "auto",
        priors: Any = None,
        class_weight: dict | str | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
        missing: str = "error",
    ):
        self.max_hidden = max_hidden
        self.prefer = prefer
        self.teacher = teacher
        self.cv = cv
        self.scoring = scoring
        self.criterion = criterion
        self.multiclass = multiclass
        self.priors = priors
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.missing = missing

    @all_or_nothing
    @with_callbacks
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> NetLinesClassifierCV:
        """Choose and train.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of two or more classes: texts, integers or booleans.
        sample_weight : array-like of shape (n_samples,) or None
            A row of weight 2 counts as two rows, one of weight 0 not at all.

        Returns
        -------
        NetLinesClassifierCV
            The fitted estimator itself.
        """
        X, codes, weights = self._checked(X, y, sample_weight)
        if self.priors is not None:
            checked_priors(self.priors, self.classes_)
        if hasattr(self.teacher, "fit") and not is_classifier(self.teacher):
            raise ValueError(
                f"teacher={self.teacher!r} is no classifier; allowed are 'auto', None or a classifier"
            )
        if self.criterion == "mdl" and self.multiclass == "shared" and len(self.classes_) > 2:
            raise ValueError(
                "criterion='mdl' describes networks of two classes, which multiclass='shared' has not; "
                "allowed are 'auto', 'tree', 'vote', 'wta' and 'pairs'"
            )
        context = self._init_callback_context(max_subtasks=None)
        context.call_on_fit_task_begin(estimator=self, X=X, y=y)
        if len(self.classes_) == 2:
            self._fit_two(X, as_targets(codes), weights, partial(self._report, context))
        elif self.criterion == "mdl" or self.multiclass not in ("auto", "shared"):
            self._delegate(X, codes, weights, context)
        else:
            self._fit_classes(X, codes, weights, partial(self._report, context))
        self.network_ = remembering(self.network_, X, codes, weights)
        if self.priors is not None:
            self.network_ = self.network_.with_priors(self.priors)
        wrong = self.network_.predict(X) != self.classes_[codes]
        self.n_training_errors_ = int(np.count_nonzero(wrong & (weights > 0)))
        self.n_hidden_ = self.network_.n_hidden
        self.stop_reason_ = self.chosen_
        context.call_on_fit_task_end(estimator=self, X=X, y=y, reconstruction_attributes={})
        return self

    def _fit_two(self, X: NDArray, targets: NDArray, weights: NDArray, report: Callable[[str], Any]) -> None:
        """Choose for two classes."""
        patterns = condense(X.astype(float), (targets > 0).astype(int), weights, 2)
        names = getattr(self, "feature_names_in_", None)
        wishes = None if self.criterion == "mdl" else self._wishes(report, self._largest)
        data = prepare_two(patterns, X, targets, weights, self.classes_, names, wishes)
        if wishes is None:
            self._describe(data, Task.of(patterns, X), report)
        else:
            self._take(fit_two(data, wishes, report))

    def _fit_classes(
        self, X: NDArray, codes: NDArray, weights: NDArray, report: Callable[[str], Any]
    ) -> None:
        """Choose for more classes between units in pairs or a tree and a shared layer."""
        wishes = self._wishes(report, largest_size(self.max_hidden))
        names = getattr(self, "feature_names_in_", None)
        self._take(fit_classes(X, codes, weights, self.classes_, names, wishes, report))

    def _take(self, fitted: Fitted) -> None:
        """Set what was chosen."""
        choice, network = fitted.choice, fitted.network
        self.network_, self.n_weights_ = network, network.n_weights
        self.teacher_, self.cv_results_ = fitted.teacher, fitted.results
        self.chosen_ = f"{choice.chosen.name} ({count_weights(network.n_weights)}): {choice.reason}"
        # Units of a scheme have the same temperature, and no trace.
        one = network if isinstance(network, Network) else network.parts[0].network
        self.temperature_ = one.temperature
        self.growth_trace_ = [dict(record) for record in one.growth_trace]
        self.n_epochs_ = sum(student.epochs for student in choice.students)
        self.n_updates_ = sum(student.epochs * student.n_weights for student in choice.students)

    def _delegate(self, X: NDArray, codes: NDArray, weights: NDArray, context: Any) -> None:
        """Choose a network for each problem of a scheme."""
        scheme = "tree" if self.multiclass == "auto" else self.multiclass
        own = {**self.get_params(deep=False), "class_weight": None, "n_jobs": None, "priors": None}
        by_row = {}
        if self.criterion == "mdl" or self.cv is None or isinstance(self.cv, Integral):
            copy = NetLinesClassifierCV(**own)
        else:
            y = self.classes_[codes]
            splits = list(check_cv(self.cv, y, classifier=True).split(X, y))
            copy = _OfSomeRows(**{**own, "cv": splits})
            by_row["numbers"] = np.arange(len(X))
        voting = "hard" if self.criterion == "mdl" else "confidence"
        meta = fit_scheme(
            copy,
            scheme,
            X,
            codes,
            weights,
            context=context,
            n_jobs=self.n_jobs,
            voting=voting,
            **by_row,
        )
        networks = read_networks(meta, scheme, self.classes_, class_shares(codes, weights))
        self.network_ = networks.with_feature_names(getattr(self, "feature_names_in_", None))
        parts = meta.estimators_
        self.n_weights_ = sum(part.n_weights_ for part in parts)
        self.teacher_ = [part.teacher_ for part in parts]
        results = [part.cv_results_ for part in parts]
        number = np.repeat(range(len(parts)), [len(result["chosen"]) for result in results])
        fullest = max(results, key=len)  # without folds there is no score
        columns = {
            name: np.concatenate([result.get(name, unknown(result)) for result in results])
            for name in fullest
        }
        self.cv_results_ = {"network": number, **columns}
        trees = f" of {len(self.network_.trees)} trees" if scheme == "vote" else ""
        what = f"{NAMES[scheme]}{trees} of {len(parts)} networks ({count_weights(self.n_weights_)})"
        self.chosen_ = f"{what} with {', '.join(str(part.n_hidden_) for part in parts)} units"
        self.temperature_ = None
        self.growth_trace_ = [
            {"network": k, **record} for k, part in enumerate(parts) for record in part.growth_trace_
        ]
        self.n_epochs_ = sum(part.n_epochs_ for part in parts)
        self.n_updates_ = sum(part.n_updates_ for part in parts)

    @property
    def _largest(self) -> int:
        """The most hidden units of a network of two classes."""
        return LARGEST if self.max_hidden is None else self.max_hidden

    def _wishes(self, report: Callable[[str], Any], max_hidden: int) -> Wishes:
        run = partial(in_order, n_threads=effective_n_jobs(self.n_jobs))
        terms = Terms(self.prefer, max_hidden, self._seed(), run, lambda student: report(student.name))
        return Wishes(terms, self.teacher, self.cv, self.scoring, self.multiclass == "shared")

    def _report(self, context: Any, stage: str) -> Any:
        """Tell the callbacks that a stage is done."""
        task = context.subcontext(task_name=stage).call_on_fit_task_begin(estimator=self)
        return task.call_on_fit_task_end(estimator=self)

    def _describe(self, data: Data, task: Task, report: Callable[[str], Any]) -> None:
        """Choose by the description length."""
        plan = Plan(self._largest, seed=self._seed(), n_threads=effective_n_jobs(self.n_jobs))
        found = shortest(data, task, plan, report)
        best, total = found[0], data.all.weights.sum()
        names = getattr(self, "feature_names_in_", None)
        self.network_ = replace(
            best.network,
            calibration=calibrate(best.network, data),
            feature_names=None if names is None else tuple(names),
        )
        self.n_weights_ = best.network.n_nonzero
        longest = max(one.bits for one in found)
        self.chosen_ = (
            f"{best.name} ({count_weights(self.n_weights_)}): the shortest of {len(found)} descriptions, "
            f"{best.bits:.0f} bits with {best.errors:g} errors; the longest has {longest:.0f}"
        )
        self.cv_results_ = {
            "candidate": np.array([one.name for one in found]),
            "bits": np.array([one.bits for one in found]),
            "training_error": np.array([one.errors / total for one in found]),
            "n_hidden": np.array([one.network.n_hidden for one in found]),
            "n_weights": np.array([one.network.n_nonzero for one in found]),
            "chosen": np.arange(len(found)) == 0,
        }
        self.teacher_, self.n_epochs_, self.n_updates_ = None, 0, 0
        self.temperature_ = self.network_.temperature
        self.growth_trace_ = [dict(record) for record in self.network_.growth_trace]


def unknown(results: dict[str, NDArray]) -> NDArray:
    """Return what stands in a column that some results lack."""
    return np.full(len(results["chosen"]), np.nan)


def count_weights(n: int) -> str:
    """Return a number of weights in words."""
    return "1 weight" if n == 1 else f"{n} weights"


class _OfSomeRows(NetLinesClassifierCV):
    """Chooses for some of the rows by splits that have the numbers of all rows."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None, numbers: Any = None) -> NetLinesClassifierCV:
        """Turn the splits into those of the rows with these numbers, as far as both classes are left."""
        weighs = np.ones(len(y), dtype=bool) if sample_weight is None else np.asarray(sample_weight) > 0

        def own(part: Any) -> NDArray:
            rows = np.asarray(part, dtype=int)
            rows = np.searchsorted(numbers, rows[np.isin(rows, numbers)])
            return rows[weighs[rows]]

        splits = [(own(train), own(test)) for train, test in self.cv]
        usable = [(train, test) for train, test in splits if len(np.unique(y[train])) == 2 and len(test)]
        self.cv = usable or 2
        return super().fit(X, y, sample_weight)
