"""`NetLinesClassifierCV`: the size and the temperature that suit new rows, chosen on the training data."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from numbers import Integral
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.base import is_classifier
from sklearn.metrics import get_scorer_names
from sklearn.utils import compute_class_weight
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from netlines._words import count
from netlines.classifiers.base import NetworkClassifier
from netlines.classifiers.delegation import class_shares, fit_scheme, read_networks
from netlines.classifiers.table import CONSTRAINTS, OF_INPUTS
from netlines.network.probability import checked_priors
from netlines.network.verdict import CHOSEN_BY, UNSPLIT, Measured, Verdict, what_it_is
from netlines.selection.description import choose_shortest, most_descriptions
from netlines.selection.fit import Fitted, fit, most_stages
from netlines.selection.points.choice import fit_points, most_scores
from netlines.selection.stages import Stage
from netlines.selection.suspicions import suspicions
from netlines.selection.terms import Terms

NAMES = {"tree": "a tree", "vote": "a vote", "wta": "winner-takes-all", "pairs": "pairs"}


class NetLinesClassifierCV(NetworkClassifier):
    """Choose the small classifier that does best on new rows, and its probabilities.

    Candidates are single hyperplanes, that of a logistic regression among them, and networks of up to
    `max_hidden` hyperplanes that learn from a larger model; rows that are held out decide. From 2000 distinct
    rows on small networks learn the labels, too; from 10,000 on networks learn nothing else, of at most
    60,000 rows, and a fifth of the rows, which they never see, decides.

    With more than two classes the candidates are hyperplanes between each pair of classes or along a tree,
    and 2 to `max_hidden` hyperplanes shared by all classes. Hyperplanes that never change, repeat another or
    change no answer are dropped.

    Parameters
    ----------
    max_hidden : int >= 1 or None, default=None
        Most hidden units of a network. None: 64, but 11 with `prefer="small"` and 128 with "accurate", or as
        many as have 1000 weights (2500 with "accurate") but at least 11; of a layer that more than two
        classes share 64 (128 with "accurate"), and four a class if that is more.
    prefer : {"readable", "small", "balanced", "accurate"}, default="balanced"
        How much error a smaller classifier may cost: "small" more than a standard error, "balanced" a part of
        one, "accurate" none. "readable" is a points score whatever it costs: at most 10 integers, points for
        conditions such as [glucose ≥ 140] and a cut of their total, which `as_points` prints; 20 for more
        than two classes, as a sequence of scores. `max_hidden` and `teacher` are not used then
        (docs/points.md).
    teacher : "auto", None or classifier, default="auto"
        What networks learn from. "auto": a logistic regression, soft networks, a kernel ridge regression,
        boosted trees, or the mean of some, whichever has the lowest log-loss on rows it has not seen.
        None: no networks, only units. Or any classifier of scikit-learn; fitted copies are used. (A shared
        layer is still chosen if it is asked for, and learns the labels then.)
    cv : int, splitter or iterable, default=5
        Number of folds, or a splitter of scikit-learn, or pairs of row numbers. Where `multiclass` names a
        scheme, each of whose networks learns some of the rows, only a number of folds.
    scoring : str, callable or None, default=None
        A scorer of scikit-learn that decides between units and teacher. None: the log-loss, and between units
        and networks the error.
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
    verdict_ : Verdict
        What to think of the model: what it is, how often it errs on rows it had not seen, beside guessing, a
        logistic regression and the best large model, and what follows.
    chosen_ : str
        The same in one line.
    cv_results_ : dict of arrays
        One entry a candidate, ready for a data frame: `candidate`, `error`, `error_se`, `log_loss`,
        `log_loss_se` (all on rows held out), `score` (if there is a `scoring`), `n_hidden`, `n_weights`,
        `fidelity` (share of the teacher's decisions on fresh points), `role` ("single" for hyperplanes,
        "network", or "reference", the large model that networks learn from), `temperature` and `theta` (T₊
        and T₋/T₊ of hyperplanes on the temperature path), `chosen`. With "mdl": `candidate`, `bits`,
        `training_error`, `n_hidden`, `n_weights`, `chosen`. NaN is what was not asked. The candidates of
        several networks follow each other, with its number as `network`.
    teacher_ : fitted classifier, object with `predict_proba` and `name`, or None
        What the networks learnt from, None if units were chosen; a list, one entry a network of a scheme.
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
        Which of the candidates was chosen, and why.
    growth_trace_ : list of dict
        One record a distilled network that was taught on all rows, up to the size that was chosen.
    n_epochs_, n_updates_ : int
        Passes over the patterns, and weight updates, of the networks that were tried.
    n_features_in_ : int
        Number of columns of X.
    feature_names_in_ : array of shape (n_features,)
        Their names, if X had names. What they became is in `network_.layout`.

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
        "prefer": [StrOptions({"readable", "small", "balanced", "accurate"})],
        "teacher": [StrOptions({"auto"}), HasMethods(["fit", "predict"]), None],
        "cv": ["cv_object"],
        "scoring": [StrOptions(set(get_scorer_names())), callable, None],
        "criterion": [StrOptions({"cv", "mdl"})],
        "multiclass": [StrOptions({"auto", "shared", "pairs", "vote", "tree", "wta"})],
        "priors": ["array-like", dict, None],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
        **CONSTRAINTS,
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
        categorical_features: Any = "from_dtype",
        numeric_features: Any = None,
        date_features: Any = None,
        drop_features: Any = None,
        only_features: Any = None,
        strict: bool = False,
        missing: str = "auto",
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
        self.categorical_features = categorical_features
        self.numeric_features = numeric_features
        self.date_features = date_features
        self.drop_features = drop_features
        self.only_features = only_features
        self.strict = strict
        self.missing = missing

    def _checked(self, X: Any, y: Any, sample_weight: ArrayLike | None) -> tuple[NDArray, NDArray, NDArray]:
        checked = super()._checked(X, y, sample_weight)
        if self.priors is not None:
            checked_priors(self.priors, self.classes_)
        if hasattr(self.teacher, "fit") and not is_classifier(self.teacher):
            raise ValueError(
                f"teacher={self.teacher!r} is no classifier; allowed are 'auto', None or a classifier"
            )
        return checked

    def _fit(self, X: NDArray, labels: NDArray, weights: NDArray, context: Any) -> None:
        fitted = self._choose(X, labels, weights, context)
        take(self, fitted, X, labels, weights)
        if self._readable and fitted.n_weights:
            self.n_weights_ = self.as_points().n_weights  # equal points of a category are one integer
        self.cv_results_, self.temperature_ = fitted.results, fitted.temperature
        self.verdict_ = self._judged(fitted, X, labels, weights)
        self.chosen_ = " ".join(self.verdict_.sentences)
        if self.priors is not None:
            self.set_priors(self.priors)
            wrong = self.network_.predict(X) != self.classes_[labels]
            self.n_training_errors_ = int(np.count_nonzero(wrong & (weights > 0)))

    def _judged(self, fitted: Fitted, X: NDArray, labels: NDArray, weights: NDArray) -> Verdict:
        """Return what to think of what was chosen."""
        tested, rows = fitted.tested, weights > 0
        logistic = tested is not None and tested.logistic
        what = fitted.what or what_it_is(self.network_, logistic=logistic)
        odd = suspicions(self.network_, X[rows], labels[rows])
        verdict = Verdict(what, logistic, int(rows.sum()), remarks=odd, prefer=self.prefer)
        if tested is None:
            unsplit = self.criterion == "cv" and self._directly()
            return replace(verdict, how=UNSPLIT) if unsplit else verdict
        # Classes count by their rows, whatever they weighed in training.
        own = compute_class_weight(self.class_weight, classes=self.classes_, y=self.classes_[labels])
        share, weights = tested.share / own[tested.truth], weights / own[labels]
        measured = Measured.of(
            self.classes_[tested.truth],
            self.classes_[tested.answers],
            {name: self.classes_[answers] for name, answers in tested.others.items()},
            how=CHOSEN_BY,
            share=share / share.sum(),
            rows=float(weights.sum() ** 2 / (weights @ weights)),
        )
        return verdict.measured(measured)

    def _choose(self, X: NDArray, labels: NDArray, weights: NDArray, context: Any) -> Fitted:
        """Choose a network, several units or networks of a scheme, by folds or by the description length."""
        if self._readable and self._scheme not in (None, "auto", "tree"):
            raise ValueError(
                f"multiclass={self.multiclass!r}: with prefer='readable' more than two classes are a "
                "sequence of points scores; allowed are 'auto' and 'tree'"
            )
        if not self._directly():
            return self._delegate(X, labels, weights, context)
        under_way: list[Any] = []
        terms = Terms(
            self.prefer,
            self.max_hidden,
            self._seed(),
            self.teacher,
            self.cv,
            self.scoring,
            self._scheme == "shared",
            effective_n_jobs(self.n_jobs),
            partial(self._report, context, under_way),
        )
        choose = choose_shortest if self.criterion == "mdl" else fit_points if self._readable else fit
        fitted = choose(X, labels, weights, self.classes_, self._input_names, terms)
        self._report(context, under_way)
        return fitted

    def _delegate(self, X: NDArray, labels: NDArray, weights: NDArray, context: Any) -> Fitted:
        """Choose a network for each problem of a scheme."""
        scheme, shortest = "tree" if self.multiclass == "auto" else self.multiclass, self.criterion == "mdl"
        if scheme == "shared":
            raise ValueError(
                "criterion='mdl' describes networks of two classes, which multiclass='shared' has not; "
                "allowed are 'auto', 'tree', 'vote', 'wta' and 'pairs'"
            )
        if not shortest and not isinstance(self.cv, Integral | None):
            raise ValueError(
                f"cv={self.cv!r} splits all rows, each network of multiclass={scheme!r} learns some of them; "
                "allowed is a number of folds, or any cv with multiclass='auto' or 'shared'"
            )
        own = {
            **self.get_params(deep=False),
            **OF_INPUTS,
            "class_weight": None,
            "n_jobs": None,
            "priors": None,
        }
        voting = "hard" if shortest else "confidence"
        how = {"context": context, "n_jobs": self.n_jobs, "voting": voting}
        meta = fit_scheme(NetLinesClassifierCV(**own), scheme, X, labels, weights, **how)
        networks = read_networks(meta, scheme, self.classes_, class_shares(labels, weights))
        parts = meta.estimators_
        n_weights = sum(part.n_weights_ for part in parts)
        trees = f" of {len(networks.trees)} trees" if scheme == "vote" else ""
        what = f"{NAMES[scheme]}{trees} of {len(parts)} networks ({count(n_weights, 'weight')})"
        return Fitted(
            networks.with_feature_names(self._input_names),
            f"{what} with {', '.join(str(part.n_hidden_) for part in parts)} units",
            _joined([part.cv_results_ for part in parts]),
            n_weights,
            [part.teacher_ for part in parts],
            growth_trace=[
                {"network": k, **one} for k, part in enumerate(parts) for one in part.growth_trace_
            ],
            n_epochs=sum(part.n_epochs_ for part in parts),
            n_updates=sum(part.n_updates_ for part in parts),
        )

    def _report(self, context: Any, under_way: list[Any], stage: Stage | None = None) -> None:
        """Tell the callbacks that a stage begins, if one does, and ended what was under way."""
        while under_way:
            under_way.pop().call_on_fit_task_end(estimator=self)
        if stage is not None:
            task = context.subcontext(task_name=stage)
            under_way.append(task.call_on_fit_task_begin(estimator=self))

    def _most_subtasks(self) -> int | None:
        if not self._directly():
            return 1
        if self._readable:
            return most_scores(self.cv)
        only_shared = self._scheme == "shared"
        terms = Terms(max_hidden=self.max_hidden, teacher=self.teacher, cv=self.cv, only_shared=only_shared)
        most = most_descriptions if self.criterion == "mdl" else most_stages
        return most(terms, len(self.classes_))

    @property
    def _readable(self) -> bool:
        """Whether a points score is wanted."""
        return self.prefer == "readable" and self.criterion == "cv"

    def _directly(self) -> bool:
        """Tell whether the choice is not handed to a scheme."""
        if self._readable:
            return True
        return self._scheme in ((None,) if self.criterion == "mdl" else (None, "auto", "shared"))


def _joined(results: list[dict[str, NDArray]]) -> dict[str, NDArray]:
    """Return the results of several networks one after the other; NaN in a column that some of them lack."""
    sizes = [len(result["chosen"]) for result in results]
    fullest = max(results, key=len)  # without folds there is no score
    pairs = list(zip(results, sizes, strict=True))
    columns = {
        name: np.concatenate([result.get(name, np.full(size, np.nan)) for result, size in pairs])
        for name in fullest
    }
    return {"network": np.repeat(range(len(results)), sizes), **columns}


def take(clf: NetworkClassifier, fitted: Fitted, X: NDArray, labels: NDArray, weights: NDArray) -> None:
    """Set what a classifier has that was chosen a network for."""
    clf._set_network(fitted.network, X, labels, weights)
    clf.n_weights_, clf.n_hidden_ = fitted.n_weights, fitted.network.n_hidden
    clf.chosen_ = clf.stop_reason_ = fitted.chosen
    clf.teacher_ = fitted.teacher
    clf.growth_trace_ = [dict(record) for record in fitted.growth_trace]
    clf.n_epochs_, clf.n_updates_ = fitted.n_epochs, fitted.n_updates
