"""Trees of networks, their votes, winner-takes-all and pairs, over any binary classifier."""

import pickle
from itertools import combinations

import joblib
import numpy as np
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.callback import ProgressBar
from sklearn.datasets import load_digits, load_iris, make_blobs
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import NotFittedError, UnsetMetadataPassedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron, RidgeClassifier
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils._repr_html.estimator import estimator_html_repr

from netlines import MinimerrorClassifier, NetLinesClassifier
from netlines.classifiers.multiclass import (
    PairwiseClassifier,
    TreeOfNetworksClassifier,
    TreeVoteClassifier,
    WinnerTakesAllClassifier,
)
from netlines.network.schemes import agreeing_scores

SCHEMES = [TreeOfNetworksClassifier, TreeVoteClassifier, WinnerTakesAllClassifier, PairwiseClassifier]
SMALL = NetLinesClassifier(max_hidden=2)
MODELS = [LogisticRegression(), SMALL]
every_scheme = pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.__name__)


class Labels(ClassifierMixin, BaseEstimator):
    """A classifier with labels alone: whether an input is nearer to the one class or the other."""

    fits = 0

    def fit(self, X, y):
        type(self).fits += 1
        self.classes_ = np.unique(y)
        self.centers_ = [np.mean(np.asarray(X)[np.asarray(y) == label], axis=0) for label in self.classes_]
        return self

    def predict(self, X):
        away = [((np.asarray(X) - center) ** 2).sum(axis=1) for center in self.centers_]
        return self.classes_[np.argmin(away, axis=0)]


@pytest.fixture(scope="module")
def blobs():
    X, y = make_blobs(160, centers=4, n_features=3, cluster_std=3.0, random_state=3)
    return X[:100], np.array(["d", "a", "c", "b"])[y[:100]], X[100:]


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return train_test_split(X / 16, y, test_size=0.5, random_state=0)


# The schemes as plain loops, the oracle of everything below.


def naive_tree(model, order, X, y, X_test):
    """Return the answers of a tree, and the probabilities of its paths in the order of the sequence."""
    answers, paths = np.full(len(X_test), order[-1]), np.ones((len(X_test), len(order)))
    open_ = np.ones(len(X_test), dtype=bool)
    for k, label in enumerate(order[:-1]):
        own = np.isin(y, order[k:])
        network = clone(model).fit(X[own], (y[own] == label).astype(int))
        says = network.predict(X_test) == 1
        answers[open_ & says] = label
        open_ &= ~says
        p = network.predict_proba(X_test)[:, 1] if hasattr(network, "predict_proba") else says.astype(float)
        paths[:, k] *= p
        paths[:, k + 1 :] *= 1.0 - p[:, None]
    return answers, paths


def naive_vote(model, orders, X, y, X_test, voting):
    classes = np.unique(y).tolist()
    votes, mean = np.zeros((2, len(X_test), len(classes)))
    for order in orders:
        answers, paths = naive_tree(model, list(order), X, y, X_test)
        for label, path in zip(order, paths.T, strict=True):
            votes[:, classes.index(label)] += answers == label
            mean[:, classes.index(label)] += path
    result = []
    for v, m in zip(votes, mean / len(orders), strict=True):
        key = (lambda c, v=v, m=m: (v[c], m[c])) if voting == "hard" else (lambda c, m=m: m[c])
        result.append(classes[max((classes.index(label) for label in orders[0]), key=key)])
    return np.array(result), mean / len(orders)


def naive_winner(model, X, y, X_test):
    classes = np.unique(y)
    networks = [clone(model).fit(X, (y == label).astype(int)) for label in classes]
    if hasattr(networks[0], "decision_function"):
        return classes[np.argmax([network.decision_function(X_test) for network in networks], axis=0)]
    return classes[np.argmax([network.predict_proba(X_test)[:, 1] for network in networks], axis=0)]


def naive_pairs(model, X, y, X_test):
    classes = np.unique(y)
    sums = np.zeros((len(X_test), len(classes)))
    inverse, won = np.full(sums.shape, 2.0 - len(classes)), np.zeros(sums.shape, dtype=int)
    for i, j in combinations(range(len(classes)), 2):
        own = np.isin(y, classes[[i, j]])
        network = clone(model).fit(X[own], (y[own] == classes[i]).astype(int))
        p = (
            network.predict_proba(X_test)[:, 1]
            if hasattr(network, "predict_proba")
            else network.predict(X_test)
        )
        first = network.predict(X_test) == 1
        won[:, i] += first
        won[:, j] += ~first
        sums[:, i] += p
        sums[:, j] += 1.0 - p
        p = np.clip(p, 1e-9, 1 - 1e-9)
        inverse[:, i] += 1.0 / p
        inverse[:, j] += 1.0 / (1.0 - p)
    champion = won == len(classes) - 1
    answers = np.where(champion.any(axis=1), champion.argmax(axis=1), sums.argmax(axis=1))
    coupled = agreeing_scores((1 / inverse) / (1 / inverse).sum(axis=1, keepdims=True), answers)
    return classes[answers], agreeing_scores(sums / sums.sum(axis=1, keepdims=True), answers), coupled


ORACLE_MODELS = [LogisticRegression(), DecisionTreeClassifier(max_depth=3, random_state=0), Labels(), SMALL]
each_model = pytest.mark.parametrize("model", ORACLE_MODELS, ids=lambda model: type(model).__name__)


@pytest.mark.sample(5)
@each_model
@pytest.mark.parametrize("order", ["separability", "classes", ["c", "a", "d", "b"]], ids=str)
def test_a_tree_is_that_of_a_plain_loop(blobs, model, order):
    X, y, X_test = blobs
    tree = TreeOfNetworksClassifier(model, order).fit(X, y)
    expected, paths = naive_tree(model, tree.order_.tolist(), X, y, X_test)
    assert (tree.predict(X_test) == expected).all()
    assert (tree.predict(X[:1]) == naive_tree(model, tree.order_.tolist(), X, y, X[:1])[0]).all()
    if not hasattr(model, "max_hidden"):  # which has its decisions squashed
        found = tree.predict_proba(X_test)[:, np.searchsorted(tree.classes_, tree.order_)]
        agree = found.argmax(axis=1) == paths.argmax(axis=1)
        np.testing.assert_allclose(found[agree], paths[agree], atol=1e-8)


@pytest.mark.sample(3)
@each_model
@pytest.mark.parametrize("voting", ["hard", "confidence"])
def test_a_vote_is_that_of_a_plain_loop(blobs, model, voting):
    X, y, X_test = blobs
    vote = TreeVoteClassifier(model, voting=voting).fit(X, y)
    assert len(vote.trees_) == 5
    if voting == "confidence" and hasattr(model, "max_hidden"):
        return  # the plain loop does not squash decisions
    expected, mean = naive_vote(model, vote.orders_.tolist(), X, y, X_test, voting)
    votes = np.array([tree.predict(X_test) for tree in vote.trees_])
    settled = [len(set(np.unique(column, return_counts=True)[1])) > 1 for column in votes.T]
    rows = np.array(settled) if hasattr(model, "max_hidden") else slice(None)
    assert (vote.predict(X_test)[rows] == expected[rows]).all()
    if voting == "confidence":
        np.testing.assert_allclose(vote.decision_function(X_test), mean, atol=1e-8)


@pytest.mark.parametrize("model", [LogisticRegression(), GaussianNB(), SMALL], ids=str)
def test_the_winner_is_that_of_a_plain_loop(blobs, model):
    X, y, X_test = blobs
    assert (
        WinnerTakesAllClassifier(model).fit(X, y).predict(X_test) == naive_winner(model, X, y, X_test)
    ).all()


@pytest.mark.parametrize("model", ORACLE_MODELS[:3], ids=lambda model: type(model).__name__)
def test_pairs_are_those_of_a_plain_loop(blobs, model):
    X, y, X_test = blobs
    clf = PairwiseClassifier(model).fit(X, y)
    expected, shares, p = naive_pairs(model, X, y, X_test)
    assert (clf.predict(X_test) == expected).all()
    np.testing.assert_allclose(clf.decision_function(X_test), shares, atol=1e-8)
    np.testing.assert_allclose(clf.predict_proba(X_test), p, atol=1e-6)
    assert clf.pairs_ == list(combinations("abcd", 2))


@pytest.mark.sample(2)
@every_scheme
@pytest.mark.parametrize("seed", [0, 1])
def test_networks_without_errors_make_none_together(scheme, seed):
    X, y = np.random.default_rng(seed).standard_normal((40, 4)), np.repeat(range(10), 4)
    clf = scheme(NetLinesClassifier(refine=False)).fit(X, y)
    assert all(network.n_training_errors_ == 0 for network in clf.estimators_)
    assert clf.score(X, y) == 1.0 or scheme is WinnerTakesAllClassifier


MANY = [
    LogisticRegression(),
    SVC(),
    Perceptron(),
    RidgeClassifier(),
    DecisionTreeClassifier(max_depth=3, random_state=0),
    KNeighborsClassifier(3),
    HistGradientBoostingClassifier(max_iter=5),
    Labels(),
    MinimerrorClassifier(),
    NetLinesClassifier(max_hidden=2, probability=True),
    make_pipeline(StandardScaler(), SVC()),
    GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=2),
    None,
]


@pytest.mark.sample(5)
@every_scheme
@pytest.mark.parametrize("model", MANY, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_decisions_and_probabilities_agree_with_the_answers(blobs, scheme, model, n_classes):
    X, y, X_test = blobs
    own = np.isin(y, list("abcd")[:n_classes])
    clf = scheme(model).fit(X[own], y[own])
    codes = np.searchsorted(clf.classes_, clf.predict(X_test))
    p, decisions = clf.predict_proba(X_test), clf.decision_function(X_test)
    assert p.shape == (len(X_test), n_classes)
    assert ((p >= 0) & (p <= 1)).all()
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    assert (p.argmax(axis=1) == codes).all()
    np.testing.assert_allclose(np.exp(clf.predict_log_proba(X_test)), p, atol=1e-12)
    if n_classes == 2:
        assert decisions.shape == (len(X_test),)
        assert ((decisions > 0) == codes).all()
        assert ((decisions >= 0) == codes).all()
    else:
        assert decisions.shape == (len(X_test), n_classes)
        assert (decisions.argmax(axis=1) == codes).all()
    assert clf.score(X[own], y[own]) > 0.4
    assert hasattr(clf, "n_weights_") == hasattr(clf.estimators_[0], "n_weights_")


class Counted(Labels):
    """A classifier with all methods that counts how often each is asked."""

    def _count(self, name):
        self.asked_ = [*getattr(self, "asked_", []), name]

    def predict(self, X):
        self._count("predict")
        return super().predict(X)

    def decision_function(self, X):
        self._count("decision_function")
        return np.asarray(X)[:, 0] - 0.5

    def predict_proba(self, X):
        self._count("predict_proba")
        p = 1.0 / (1.0 + np.exp(-np.asarray(X)[:, 1]))
        return np.column_stack([1.0 - p, p])


class CountedDecisions(Counted):
    predict_proba = property()


class CountedProbabilities(Counted):
    decision_function = property()


class CountedLabels(CountedDecisions):
    decision_function = property()


ANSWERS, MARGINS, CHANCES = "predict", "decision_function", "predict_proba"
OF_ONE_TREE = [{ANSWERS}, {ANSWERS, MARGINS}, {ANSWERS, CHANCES}]
NEEDED = {  # by predict, decision_function and predict_proba
    TreeOfNetworksClassifier: OF_ONE_TREE,
    TreeVoteClassifier: [{ANSWERS, CHANCES}] * 3,
    WinnerTakesAllClassifier: [{MARGINS}, {MARGINS}, {MARGINS, CHANCES}],
    PairwiseClassifier: [{ANSWERS, CHANCES}] * 3,
}


@every_scheme
@pytest.mark.parametrize("model", [Counted, CountedDecisions, CountedProbabilities, CountedLabels])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_no_network_is_asked_twice_or_what_is_not_needed(blobs, scheme, model, n_classes):
    X, y, X_test = blobs
    own = np.isin(y, list("abcd")[:n_classes])
    clf = scheme(model()).fit(X[own], y[own])
    for method, needed in zip(
        (ANSWERS, MARGINS, CHANCES), OF_ONE_TREE if n_classes == 2 else NEEDED[scheme], strict=True
    ):
        for network in clf.estimators_:
            network.asked_ = []
        getattr(clf, method)(X_test)
        for network in clf.estimators_:
            assert len(network.asked_) == len(set(network.asked_))
            if model is Counted:
                assert set(network.asked_) == needed


@every_scheme
def test_two_classes_need_one_network_and_keep_its_decisions(blobs, scheme):
    X, y, X_test = blobs
    own = np.isin(y, ["a", "b"])
    clf = scheme(LogisticRegression()).fit(X[own], y[own])
    alone = LogisticRegression().fit(X[own], y[own])
    assert len(clf.estimators_) == 1
    assert (clf.predict(X_test) == alone.predict(X_test)).all()
    np.testing.assert_allclose(clf.decision_function(X_test), alone.decision_function(X_test), rtol=1e-3)
    np.testing.assert_allclose(clf.predict_proba(X_test), alone.predict_proba(X_test), atol=1e-3)


def test_hard_votes_can_be_read_from_the_decisions(blobs):
    X, y, X_test = blobs
    vote = TreeVoteClassifier(LogisticRegression()).fit(X, y)
    votes = np.array([[(tree.predict(X_test) == label) for label in vote.classes_] for tree in vote.trees_])
    decisions = vote.decision_function(X_test)
    assert (np.floor(decisions) == votes.sum(axis=0).T).all()


def test_a_tie_goes_to_the_larger_probability_then_to_the_first_in_the_sequence(blobs):
    X, y, _ = blobs
    own = np.isin(y, list("abc"))
    orders = ["abc", "bca", "cab"]
    tied = 0
    rows = np.random.default_rng(0).uniform(X.min(0), X.max(0), size=(3000, 3))
    for model in (LogisticRegression(), Labels()):
        vote = TreeVoteClassifier(model, orders=[list(order) for order in orders]).fit(X[own], y[own])
        votes = np.array([tree.predict(rows) for tree in vote.trees_])
        differ = np.array([len(set(column)) == 3 for column in votes.T])
        tied += differ.sum()
        p = np.mean([tree._combined(rows, "chances").chances for tree in vote.trees_], axis=0)
        expected = vote.classes_[p.argmax(axis=1)] if hasattr(model, "predict_proba") else "a"
        assert (vote.predict(rows) == expected)[differ].all()
    assert tied > 0


def test_what_trees_have_in_common_is_trained_once():
    X, y = load_iris(return_X_y=True)
    Labels.fits = 0
    vote = TreeVoteClassifier(Labels()).fit(X, y)
    assert Labels.fits == 6  # three trees of two networks, all different
    assert len(vote.estimators_) == 6
    Labels.fits = 0
    orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [0, 1, 2], [2, 0, 1]]
    vote = TreeVoteClassifier(Labels(), orders=orders).fit(X, y)
    # 0 | 12, 1 | 2, 2 | 1, 1 | 02, 0 | 2, 2 | 01, 0 | 1
    assert Labels.fits == len(vote.estimators_) == len(vote.problems_) == 7
    assert vote.trees_[0].estimators_[0] is vote.trees_[1].estimators_[0]
    assert vote.trees_[0].estimators_[1] is vote.trees_[3].estimators_[1]
    assert vote.orders_.tolist() == orders == [tree.order_.tolist() for tree in vote.trees_]


def test_the_weights_of_different_networks_are_counted_once(blobs):
    X, y, _ = blobs
    tree = TreeOfNetworksClassifier(SMALL).fit(X, y)
    assert tree.n_weights_ == sum(network.n_weights_ for network in tree.estimators_)
    vote = TreeVoteClassifier(SMALL).fit(X, y)
    assert vote.n_weights_ == sum(network.n_weights_ for network in vote.estimators_)
    assert vote.n_weights_ < sum(tree.n_weights_ for tree in vote.trees_)
    vote.set_params(estimator=LogisticRegression()).fit(X, y)
    assert not hasattr(vote, "n_weights_")


def test_problems_say_what_each_network_separates(blobs):
    X, y, _ = blobs
    tree = TreeOfNetworksClassifier(LogisticRegression(), list("cabd")).fit(X, y)
    assert [(label, "".join(others)) for label, others in tree.problems_] == [
        ("c", "abd"),
        ("a", "bd"),
        ("b", "d"),
    ]
    winner = WinnerTakesAllClassifier(LogisticRegression()).fit(X, y)
    assert [(label, "".join(others)) for label, others in winner.problems_][1] == ("b", "acd")


@pytest.mark.sample(1)
@every_scheme
def test_labels_may_be_anything(blobs, scheme):
    X, y, X_test = blobs
    expected = scheme(SMALL).fit(X, y).predict(X_test)
    for labels in ([10, 20, 30, 40], ["p", "q", "r", "s"], [-3.0, 0.0, 1.0, 7.0]):
        names = dict(zip("abcd", labels, strict=True))
        found = scheme(SMALL).fit(X, np.array([names[label] for label in y])).predict(X_test)
        assert found.tolist() == [names[label] for label in expected]
    own = np.isin(y, ["a", "b"])
    found = scheme(SMALL).fit(X[own], y[own] == "b")
    assert found.classes_.tolist() == [False, True]
    assert set(found.predict(X_test)) <= {False, True}


@every_scheme
def test_the_order_of_the_rows_does_not_matter(blobs, scheme):
    X, y, X_test = blobs
    again = np.random.default_rng(0).permutation(len(y))
    model = DecisionTreeClassifier(max_depth=2, random_state=0)
    one, other = scheme(model).fit(X, y), scheme(model).fit(X[again], y[again])
    np.testing.assert_allclose(one.predict_proba(X_test), other.predict_proba(X_test), atol=1e-9)


@pytest.mark.sample(4)
@every_scheme
@pytest.mark.parametrize("model", [SMALL, SVC(gamma=0.1)], ids=str)
def test_a_weight_counts_rows(blobs, scheme, model):
    X, y, X_test = blobs
    counts = np.random.default_rng(1).integers(0, 3, len(y))
    one = scheme(model).fit(X, y, sample_weight=counts)
    other = scheme(model).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    assert (one.predict(X_test) == other.predict(X_test)).all()
    np.testing.assert_allclose(one.decision_function(X_test), other.decision_function(X_test), atol=1e-2)
    np.testing.assert_allclose(one.predict_proba(X_test), other.predict_proba(X_test), atol=1e-2)


@every_scheme
def test_class_weights_multiply_the_weights_of_the_rows(blobs, scheme):
    X, y, X_test = blobs
    weights = np.random.default_rng(2).uniform(0.5, 2.0, len(y))
    model = LogisticRegression()
    by_class = {"a": 3.0, "b": 1.0, "c": 0.5, "d": 2.0}
    one = scheme(model, class_weight=by_class).fit(X, y, sample_weight=weights)
    other = scheme(model).fit(X, y, sample_weight=weights * [by_class[label] for label in y])
    assert (one.predict_proba(X_test) == other.predict_proba(X_test)).all()
    balanced = scheme(model, class_weight="balanced").fit(X, y)
    counts = {label: 25.0 / (y == label).sum() for label in "abcd"}
    other = scheme(model).fit(X, y, sample_weight=[counts[label] for label in y])
    np.testing.assert_allclose(balanced.predict_proba(X_test), other.predict_proba(X_test), atol=1e-3)


@pytest.mark.sample(2)
@every_scheme
def test_weights_reach_the_last_step_of_a_pipeline_and_of_a_search(blobs, scheme):
    X, y, X_test = blobs
    weights = np.random.default_rng(2).integers(1, 9, len(y)).astype(float)
    alone = scheme(LogisticRegression(C=0.01)).fit(X, y, sample_weight=weights)
    piped = make_pipeline("passthrough", LogisticRegression(C=0.01))
    searched = GridSearchCV(piped, {"logisticregression__C": [0.01]}, cv=2)
    for model in (piped, searched):
        found = scheme(model).fit(X, y, sample_weight=weights)
        assert (found.predict_proba(X_test) == alone.predict_proba(X_test)).all()
        again = scheme(model).fit(X, y, logisticregression__sample_weight=weights)
        assert (again.predict_proba(X_test) == alone.predict_proba(X_test)).all()
        with pytest.raises(ValueError, match="both sample_weight and logisticregression__sample_weight"):
            scheme(model).fit(X, y, sample_weight=weights, logisticregression__sample_weight=weights)


@every_scheme
def test_an_estimator_without_weights_is_told_so(blobs, scheme):
    X, y, _ = blobs
    with pytest.raises(ValueError, match="KNeighborsClassifier takes no sample_weight"):
        scheme(KNeighborsClassifier()).fit(X, y, sample_weight=np.arange(1.0, 101.0))
    with pytest.raises(ValueError, match="KNeighborsClassifier takes no sample_weight"):
        scheme(KNeighborsClassifier(), class_weight={"a": 2}).fit(X, y)
    scheme(KNeighborsClassifier()).fit(X, y, sample_weight=np.full(100, 2.0))  # all equal: nothing to tell


@every_scheme
def test_bad_weights_are_refused(blobs, scheme):
    X, y, _ = blobs
    clf = scheme(LogisticRegression())
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        clf.fit(X, y, sample_weight=np.linspace(-1, 1, 100))
    with pytest.raises(ValueError, match=r"sample_weight.shape"):
        clf.fit(X, y, sample_weight=np.ones(99))
    with pytest.raises(ValueError, match=r"positive weight.*: c"):
        clf.fit(X, y, sample_weight=(y != "c").astype(float))
    with pytest.raises(ValueError, match=r"positive weight.*: a, b"):
        scheme(LogisticRegression(), class_weight={"a": 0, "b": 0, "c": 1, "d": 1}).fit(X, y)
    with pytest.raises(ValueError, match=r"class_weight=.* is negative"):
        scheme(LogisticRegression(), class_weight={"a": -1}).fit(X, y)


@every_scheme
def test_what_is_no_binary_classifier_is_refused(blobs, scheme):
    X, y, _ = blobs
    with pytest.raises(ValueError, match=r"estimator=LinearRegression\(\) is not a classifier"):
        scheme(LinearRegression()).fit(X, y)
    with pytest.raises(ValueError, match="'estimator' parameter"):
        scheme("logistic").fit(X, y)
    with pytest.raises(TypeError, match="LogisticRegression"):
        scheme(LogisticRegression).fit(X, y)


@every_scheme
def test_bad_labels_are_refused(blobs, scheme):
    X, y, _ = blobs
    clf = scheme(SMALL)
    with pytest.raises(ValueError, match="one class only: a"):
        clf.fit(X, np.full(100, "a"))
    with pytest.raises(ValueError, match="y mixes labels"):
        clf.fit(X, ["a", 1] * 50)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        clf.fit(X, y[:-1])
    with pytest.raises(ValueError, match="Unknown label type"):
        clf.fit(X, np.linspace(0, 1, 100))
    with pytest.raises(NotFittedError):
        clf.predict(X)


def test_a_wrong_order_is_refused(blobs):
    X, y, _ = blobs
    with pytest.raises(ValueError, match=r"order=\['a', 'b'\] misses 'c', 'd'"):
        TreeOfNetworksClassifier(order=["a", "b"]).fit(X, y)
    with pytest.raises(ValueError, match=r"orders\[1\]=.* repeats 'a'"):
        TreeVoteClassifier(orders=[list("abcd"), list("abcda"), list("bacd")]).fit(X, y)
    with pytest.raises(ValueError, match="'order' parameter"):
        TreeOfNetworksClassifier(order="hardest").fit(X, y)


def test_an_even_number_of_trees_is_refused(blobs):
    X, y, _ = blobs
    with pytest.raises(ValueError, match="n_trees is 2; allowed are odd numbers, so that two classes cannot"):
        TreeVoteClassifier(n_trees=2).fit(X, y)
    with pytest.raises(ValueError, match="number of orders is 2; allowed are odd numbers"):
        TreeVoteClassifier(orders=[list("abcd"), list("bacd")]).fit(X, y)
    with pytest.raises(ValueError, match="n_trees=3, but orders has 1"):
        TreeVoteClassifier(n_trees=3, orders=[list("abcd")]).fit(X, y)
    assert len(TreeVoteClassifier(SMALL, n_trees=1, orders=[list("abcd")]).fit(X, y).trees_) == 1


def test_trees_beyond_the_rounds_are_drawn_by_the_random_state(blobs):
    X, y, _ = blobs
    orders = [
        TreeVoteClassifier(GaussianNB(), 15, random_state=seed).fit(X, y).orders_.tolist()
        for seed in (0, 0, 1)
    ]
    assert orders[0] == orders[1] != orders[2]
    assert orders[0][:12] == orders[2][:12]
    assert len({tuple(order) for order in orders[0]}) == 15


@every_scheme
def test_a_class_with_a_single_pattern_works(blobs, scheme):
    X, y, _ = blobs
    keep = (y != "c") | (np.arange(100) == np.flatnonzero(y == "c")[0])
    clf = scheme().fit(X[keep], y[keep])
    assert clf.classes_.tolist() == list("abcd")


@pytest.mark.sample(1)
@every_scheme
@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_the_result_does_not_depend_on_the_number_of_jobs(digits, scheme, model, backend):
    X, X_test, y, _ = digits
    own = y < 5
    one = scheme(model).fit(X[own], y[own])
    with joblib.parallel_config(backend=backend):
        two = scheme(model, n_jobs=2).fit(X[own], y[own])
    assert (one.decision_function(X_test) == two.decision_function(X_test)).all()
    assert (one.predict_proba(X_test) == two.predict_proba(X_test)).all()


@every_scheme
def test_tables_and_sparse_rows_reach_the_estimator_as_they_are(blobs, scheme):
    pd = pytest.importorskip("pandas")
    X, y, X_test = blobs
    model = LogisticRegression()
    expected = scheme(model).fit(X, y).predict(X_test)
    table, labels = pd.DataFrame(X, columns=list("uvw")), pd.Series(y, dtype="category")
    clf = scheme(model).fit(table, labels)
    assert clf.feature_names_in_.tolist() == list("uvw")
    assert clf.estimators_[-1].feature_names_in_.tolist() == list("uvw")
    assert clf.n_features_in_ == 3
    assert (clf.predict(pd.DataFrame(X_test, columns=list("uvw"))) == expected).all()
    with pytest.raises(ValueError, match="feature names should match"):
        clf.predict(pd.DataFrame(X_test, columns=list("wuv")))
    for kind in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array):
        assert (scheme(model).fit(kind(X), y).predict(kind(X_test)) == expected).all()
    assert (scheme(model).fit(X.tolist(), y.tolist()).predict(X_test.tolist()) == expected).all()


@pytest.mark.sample(2)
@every_scheme
def test_texts_and_missing_values_are_left_to_the_estimator(blobs, scheme):
    X, y, _ = blobs
    texts = [f"the {label} is {'big' if row[0] > 0 else 'small'}" for label, row in zip(y, X, strict=True)]
    model = make_pipeline(CountVectorizer(token_pattern=r"\w+"), LogisticRegression())
    for rows in (texts, np.array(texts), np.array(texts, dtype=object)):
        clf = scheme(model).fit(rows, y)
        assert clf.score(rows, y) == 1.0
        assert not hasattr(clf, "n_features_in_")
    holes = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
    assert scheme(HistGradientBoostingClassifier(max_iter=5)).fit(holes, y).score(holes, y) > 0.5
    assert scheme(SMALL).fit(holes, y).score(holes, y) > 0.5
    with pytest.raises(ValueError, match=r"NaN in column \d, row \d"):
        scheme(clone(SMALL).set_params(missing="error")).fit(holes, y)


@every_scheme
def test_kernel_matrices_are_cut_to_the_rows_of_each_network(blobs, scheme):
    X, y, X_test = blobs
    found = scheme(SVC(kernel="precomputed")).fit(rbf_kernel(X, X, 0.1), y)
    order = {"order": found.order_} if hasattr(found, "order_") else {}
    order |= {"orders": found.orders_} if hasattr(found, "orders_") else {}
    expected = scheme(SVC(gamma=0.1), **order).fit(X, y)
    assert (found.predict(rbf_kernel(X_test, X, 0.1)) == expected.predict(X_test)).all()


class Picky(ClassifierMixin, BaseEstimator):
    """Keeps what its `fit` is given."""

    def fit(self, X, y, sample_weight=None, group=None, hint=None):
        self.classes_, self.seen_ = np.unique(y), (sample_weight, group, hint)
        assert group is None or len(group) == len(y)
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


@every_scheme
def test_fit_params_are_handed_on_with_the_rows_of_each_network(blobs, scheme):
    X, y, _ = blobs
    clf = scheme(Picky()).fit(X, y, group=y, hint="some")
    for network, (label, others) in zip(clf.estimators_, clf.problems_, strict=True):
        weights, group, hint = network.seen_
        assert weights is None
        assert hint == "some"
        assert group.tolist() == y[np.isin(y, [label, *others])].tolist()


@pytest.mark.sample(1)
@every_scheme
def test_metadata_are_routed_to_the_estimator(blobs, scheme):
    X, y, _ = blobs
    weights = np.arange(1.0, 101.0)
    with config_context(enable_metadata_routing=True):
        with pytest.raises(UnsetMetadataPassedError):
            scheme(Picky()).fit(X, y, sample_weight=weights)
        model = Picky().set_fit_request(sample_weight=True, group="herd")
        clf = scheme(model).fit(X, y, sample_weight=weights, herd=y)
        for network, (label, others) in zip(clf.estimators_, clf.problems_, strict=True):
            own = np.isin(y, [label, *others])
            assert network.seen_[0].tolist() == weights[own].tolist()
            assert network.seen_[1].tolist() == y[own].tolist()
        with pytest.raises(TypeError, match="unexpected argument"):
            scheme(model).fit(X, y, colour=y)
        with pytest.raises(TypeError, match="not routed"):
            scheme(Picky().set_fit_request(sample_weight=False)).fit(X, y, sample_weight=weights)
        search = GridSearchCV(scheme(model), {"class_weight": [None, "balanced"]}, cv=2)
        search.fit(X, y, sample_weight=weights)
        assert not hasattr(scheme, "set_fit_request")
        default = scheme().fit(X, y, sample_weight=weights)
    assert default.decision_function(X).tolist() == scheme().fit(X, y, weights).decision_function(X).tolist()


@every_scheme
def test_an_interrupted_or_failed_fit_leaves_the_estimator_as_it_was(blobs, scheme):
    X, y, _ = blobs

    class Stopped(LogisticRegression):
        def fit(self, X, y):
            raise KeyboardInterrupt

    clf = scheme(LogisticRegression()).fit(X, y)
    clf.estimator = Stopped()
    before = dict(vars(clf))
    with pytest.raises(KeyboardInterrupt):
        clf.fit(X[:, :2], y)
    assert vars(clf) == before
    clf.estimator = SMALL
    before = dict(vars(clf))
    with pytest.raises(
        ValueError, match=r"no column that is left to learn from \(x0: no values; x1: no values"
    ):
        clf.fit(np.full((100, 2), np.nan), y)
    assert vars(clf) == before


@pytest.mark.sample(2)
@every_scheme
@pytest.mark.parametrize("backend", ["threading", "loky"])
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_progress_is_shown(blobs, scheme, backend, model, capsys):
    X, y, _ = blobs
    clf = scheme(model, n_jobs=2).set_callbacks(ProgressBar())
    with joblib.parallel_config(backend=backend):
        clf.fit(X, y)
    shown = capsys.readouterr().out
    assert f"{scheme.__name__} - fit" in shown
    assert "100%" in shown
    assert ("hidden unit" in shown or "NetLinesClassifier - fit" in shown) == (model is SMALL)
    assert not any(hasattr(network, "_parent_callback_ctx") for network in clf.estimators_)


class Diary:
    """A callback that writes down what begins and ends."""

    max_propagation_depth = None

    def __init__(self):
        self.lines = []

    def setup(self, estimator, context):
        self.lines.append("setup")

    def on_fit_task_begin(self, estimator, context):
        self.lines.append(("begin", context.estimator_name, context.task_name))

    def on_fit_task_end(self, estimator, context):
        self.lines.append(("end", context.estimator_name, context.task_name))

    def teardown(self, estimator, context):
        self.lines.append("teardown")


@every_scheme
def test_each_network_is_a_task(blobs, scheme):
    X, y, _ = blobs
    for model, name, task in (
        (Labels(), scheme.__name__, "network"),
        (SMALL, "NetLinesClassifier", "fit"),
    ):
        diary = Diary()
        clf = scheme(model).set_callbacks(diary).fit(X, y)
        for event in ("begin", "end"):
            assert diary.lines.count((event, name, task)) == len(clf.estimators_)
            assert diary.lines.count((event, scheme.__name__, "fit")) == 1
        assert (diary.lines[0], diary.lines[-1]) == ("setup", "teardown")


def test_many_networks_are_warned_of_before_they_are_trained():
    y = np.repeat(np.arange(22), 2)
    X = y[:, None] + 0.1

    class Stop(Labels):
        def fit(self, X, y):
            raise KeyboardInterrupt

    for scheme, says in (
        (TreeVoteClassifier, "22 classes by a vote of trees take the training of 318 .*pairs.* 231, .* 21, "),
        (PairwiseClassifier, "22 classes by pairs take the training of 231 networks, .*'tree' .* 21, "),
    ):
        with pytest.warns(UserWarning, match=says) as caught, pytest.raises(KeyboardInterrupt):
            scheme(Stop()).fit(X, y)
        assert [warning.filename for warning in caught] == [__file__]
    TreeOfNetworksClassifier(Labels()).fit(X, y)  # 21 networks, no warning


@pytest.mark.sample(1)
@every_scheme
def test_it_is_a_good_citizen_of_scikit_learn(blobs, scheme):
    X, y, X_test = blobs
    clf = scheme(NetLinesClassifier(max_hidden=1)).set_params(estimator__max_hidden=2)
    assert clone(clf).get_params()["estimator__max_hidden"] == 2
    clf.fit(X, y)
    again = pickle.loads(pickle.dumps(clf))
    assert (again.predict_proba(X_test) == clf.predict_proba(X_test)).all()
    assert scheme.__name__ in estimator_html_repr(clf)
    assert scheme.__name__ in estimator_html_repr(scheme())
    assert repr(scheme()) == f"{scheme.__name__}()"
    search = GridSearchCV(clf, {"estimator__max_hidden": [1, 2]}, cv=2).fit(X, y)
    assert search.best_score_ > 0.5
    alone = scheme(scheme(LogisticRegression())).fit(X, y)  # a scheme is a classifier itself
    assert (alone.predict(X_test) == scheme(LogisticRegression()).fit(X, y).predict(X_test)).all()


def test_digits_are_recognised(digits):
    X, X_test, y, y_test = digits
    vote = TreeVoteClassifier(LogisticRegression(max_iter=500), n_trees=3).fit(X, y)
    assert vote.score(X_test, y_test) > 0.93
    full = TreeVoteClassifier(LogisticRegression(max_iter=500)).fit(X, y)
    assert len(full.trees_) == 11
    assert full.score(X_test, y_test) >= np.mean([tree.score(X_test, y_test) for tree in full.trees_])
    tree = TreeOfNetworksClassifier(DecisionTreeClassifier(max_depth=3, random_state=0)).fit(X, y)
    assert len(tree.estimators_) == 9
    assert tree.score(X_test, y_test) > 0.6
    for scheme in (WinnerTakesAllClassifier, PairwiseClassifier):
        assert scheme(LogisticRegression(max_iter=500)).fit(X, y).score(X_test, y_test) > 0.93
