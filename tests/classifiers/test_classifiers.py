"""The estimators as a user meets them: attributes, labels, tables, callbacks, interruptions, messages."""

import pickle
import signal
from functools import partial

import numpy as np
import pandas as pd
import pytest
from recorder import Recorder
from sklearn.base import clone
from sklearn.callback import ProgressBar
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from netlines import MinimerrorClassifier, NetLinesClassifier, Network
from netlines.datasets import (
    load_breast_cancer_wisconsin,
    load_monks,
    load_pima_diabetes,
    load_sonar,
    make_parity,
)
from netlines.family import MonoPlaneClassifier
from netlines.network.network import sign

BOTH = pytest.mark.parametrize(
    "estimator", [MinimerrorClassifier(), NetLinesClassifier()], ids=["unit", "net"]
)
EPS = np.finfo(float).eps


def noisy_plane(p=80, n=3, seed=0):
    """Return rows and labels 0 and 1 that no hyperplane separates."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((p, n)) * [1.0, 10.0, 0.1][:n] + [5.0, 0.0, -1.0][:n]
    return X, (X[:, 0] - 5 + 0.5 * rng.standard_normal(p) > 0).astype(int)


def assert_same_network(a, b):
    np.testing.assert_array_equal(a.network_.hidden_weights, b.network_.hidden_weights)
    np.testing.assert_array_equal(a.network_.output_weights, b.network_.output_weights)


def errors_of(clf, X, y):
    return (clf.predict(X) != y).sum()


def interrupt(unit, fitted, at=1):
    if unit == at:
        raise KeyboardInterrupt
    return False


# What users get


def test_a_network_has_everything_the_documentation_names():
    X, y = load_monks(1, return_X_y=True)
    clf = NetLinesClassifier().fit(X, y)
    h = clf.n_hidden_
    assert h == len(clf.growth_trace_) in (2, 3)
    assert clf.n_weights_ == h * 18 + h + 1
    assert clf.n_training_errors_ == 0
    assert clf.stop_reason_ == "no training errors"
    assert clf.n_updates_ > clf.n_epochs_ > 0
    assert isinstance(clf.network_, Network)
    assert clf.network_.hidden_weights.shape == (h, 18)
    assert clf.network_.output_weights.shape == (1, h + 1)
    assert clf.network_.growth_trace == tuple(clf.growth_trace_)
    assert clf.n_features_in_ == 17
    np.testing.assert_array_equal(clf.classes_, [0, 1])
    np.testing.assert_array_equal(clf.predict(X), y)
    assert clf.decision_function(X).shape == (124,)
    assert clf.score(X, y) == 1
    codes = clf.internal_representation(X)
    assert codes.shape == (124, h)
    assert set(np.unique(codes)) == {-1.0, 1.0}


def test_a_unit_has_everything_the_documentation_names():
    X, y = load_sonar(return_X_y=True)
    unit = MinimerrorClassifier().fit(X, y)
    assert unit.n_weights_ == 61
    assert unit.n_training_errors_ == 0
    assert unit.n_updates_ == 61 * unit.n_epochs_ > 0
    assert unit.temperature_ > 0
    assert unit.theta_ in (2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0)
    np.testing.assert_array_equal(unit.weights_, unit.network_.hidden_weights[0])
    assert unit.network_.n_hidden == 1
    assert unit.network_.temperature == unit.temperature_
    assert unit.n_features_in_ == 60
    np.testing.assert_array_equal(unit.classes_, ["mine", "rock"])


@BOTH
def test_weights_are_in_the_units_of_the_user_with_the_norm_of_the_paper(estimator):
    X, y = noisy_plane()
    clf = clone(estimator).fit(X, y)
    W = clf.network_.hidden_weights
    np.testing.assert_allclose((W**2).sum(axis=1), 4.0, rtol=1e-12)
    codes = sign(W[:, 0] + X @ W[:, 1:].T)
    np.testing.assert_array_equal(clf.network_.internal_representation(X), codes)


def test_the_internal_representation_decides_the_class():
    X, y = noisy_plane()
    clf = NetLinesClassifier().fit(X, y)
    W = clf.network_.hidden_weights
    codes = clf.internal_representation(X)
    np.testing.assert_array_equal(codes, sign(W[:, 0] + X @ W[:, 1:].T))
    output = clf.network_.output_weights[0]
    np.testing.assert_allclose(clf.decision_function(X), output[0] + codes @ output[1:])
    np.testing.assert_array_equal(clf.predict(X), (output[0] + codes @ output[1:] >= 0).astype(int))


@BOTH
def test_the_decision_is_not_negative_where_the_second_class_is_predicted(estimator):
    X, y = noisy_plane()
    clf = clone(estimator).fit(X, np.array(["left", "right"])[y])
    new = np.random.default_rng(1).standard_normal((500, 3)) * 10
    np.testing.assert_array_equal(clf.decision_function(new) >= 0, clf.predict(new) == "right")


@BOTH
def test_training_errors_are_those_of_predict(estimator):
    X, y = load_pima_diabetes(return_X_y=True)
    clf = clone(estimator)
    if "max_hidden" in clf.get_params():
        clf.set_params(max_hidden=2)
    clf.fit(X, y)
    assert clf.n_training_errors_ == (clf.predict(X) != y).sum() > 0


def test_a_separable_table_takes_a_single_unit():
    X, y = load_sonar(return_X_y=True)
    clf = NetLinesClassifier().fit(X, y)
    assert (clf.n_hidden_, clf.n_weights_) == (1, 61)
    np.testing.assert_array_equal(clf.network_.output_weights, [[0.0, np.sqrt(2.0)]])
    np.testing.assert_array_equal(clf.decision_function(X), clf.network_.fields(X)[:, 0])


@BOTH
def test_an_unfitted_estimator_says_so(estimator):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        clone(estimator).predict([[0.0]])


# Labels and tables


@pytest.mark.sample(2)
@BOTH
@pytest.mark.parametrize(
    "labels",
    [
        np.array([0, 1]),
        np.array([-1, 1]),
        np.array([7, 3]),
        np.array([False, True]),
        np.array(["benign", "malignant"]),
        np.array(["b", "a"], dtype=object),
        np.array([0.0, 1.0]),
    ],
    ids=str,
)
def test_labels_of_any_kind_come_back(estimator, labels):
    X, y = noisy_plane()
    clf = clone(estimator).fit(X, labels[y])
    plain = clone(estimator).fit(X, y)
    np.testing.assert_array_equal(clf.classes_, np.unique(labels))
    assert clf.predict(X).dtype == labels.dtype
    assert clf.n_training_errors_ == plain.n_training_errors_
    if labels[0] < labels[1]:
        assert_same_network(clf, plain)


@pytest.mark.sample(4)
@BOTH
@pytest.mark.parametrize("make", [list, pd.Series, partial(pd.Series, dtype="category"), np.array])
def test_labels_come_in_any_container(estimator, make):
    X, y = noisy_plane()
    names = np.array(["no", "yes"])[y].tolist()
    clf = clone(estimator).fit(X, make(names))
    np.testing.assert_array_equal(clf.classes_, ["no", "yes"])
    assert clf.score(X, names) > 0.8


@BOTH
def test_a_frame_gives_its_names(estimator):
    X, y = load_breast_cancer_wisconsin(return_X_y=True, as_frame=True)
    clf = clone(estimator).fit(X, y)
    np.testing.assert_array_equal(clf.feature_names_in_, X.columns)
    assert clf.network_.feature_names == tuple(X.columns)
    assert clf.score(X, y) > 0.98
    assert_same_network(clf, clone(estimator).fit(X.to_numpy(), y.to_numpy()))


def test_an_array_has_no_names():
    clf = NetLinesClassifier().fit(*noisy_plane())
    assert clf.network_.feature_names is None
    assert not hasattr(clf, "feature_names_in_")


@BOTH
def test_float32_is_learnt_as_well(estimator):
    X, y = noisy_plane()
    X = X.astype(np.float32)
    clf = clone(estimator).fit(X, y)
    np.testing.assert_array_equal(clf.predict(X), clf.predict(X.astype(float)))
    assert clf.n_training_errors_ == (clf.predict(X) != y).sum()
    if isinstance(clf, NetLinesClassifier):
        assert clf.n_training_errors_ == 0


@BOTH
def test_integers_and_lists_are_learnt_as_well(estimator):
    X, y = make_parity(2)
    expected = clone(estimator).fit(X, y)
    assert_same_network(clone(estimator).fit(X.astype(int), y), expected)
    assert_same_network(clone(estimator).fit(X.tolist(), y.tolist()), expected)


@pytest.mark.sample(2)
@BOTH
@pytest.mark.parametrize("value", [1.0, 1e8, 1e16, 1e17, 1e20, 1e100])
def test_a_constant_column_does_no_harm_however_large_it_is(estimator, value):
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((60, 3)), rng.integers(0, 2, 60)
    small, large = (np.column_stack([np.full(60, constant), X]) for constant in (0.0, value))
    expected, clf = clone(estimator).fit(small, y), clone(estimator).fit(large, y)
    assert errors_of(clf, large, y) == errors_of(expected, small, y)
    assert np.abs(clf.network_.internal_representation(large).mean(axis=0)).max() < 1


# scikit-learn's manner


@BOTH
def test_a_clone_is_unfitted_and_learns_the_same(estimator):
    X, y = noisy_plane()
    clf = clone(estimator).set_params(random_state=3).fit(X, y)
    other = clone(clf)
    assert not hasattr(other, "network_")
    assert other.get_params() == clf.get_params()
    assert_same_network(other.fit(X, y), clf)


@BOTH
def test_a_pickle_predicts_the_same(estimator):
    X, y = noisy_plane()
    clf = clone(estimator).fit(X, y)
    again = pickle.loads(pickle.dumps(clf))
    assert_same_network(again, clf)
    np.testing.assert_array_equal(again.decision_function(X), clf.decision_function(X))


@BOTH
def test_it_works_in_a_pipeline(estimator):
    X, y = noisy_plane()
    pipeline = make_pipeline(StandardScaler(), clone(estimator)).fit(X, y)
    assert pipeline.score(X, y) > 0.85
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.7


def test_a_grid_search_chooses_the_size():
    X, y = load_monks(2, return_X_y=True)
    search = GridSearchCV(NetLinesClassifier(), {"max_hidden": [1, 2]}, cv=3).fit(X, y)
    assert search.best_params_ == {"max_hidden": 2}
    assert search.best_estimator_.n_hidden_ == 2


@BOTH
def test_two_fits_give_the_same_network_bit_for_bit(estimator):
    X, y = noisy_plane()
    assert_same_network(clone(estimator).fit(X, y), clone(estimator).fit(X, y))


@pytest.mark.sample(1)
@BOTH
def test_a_second_fit_forgets_the_first(estimator):
    X, y = noisy_plane()
    clf = clone(estimator).fit(*load_breast_cancer_wisconsin(return_X_y=True, as_frame=True)).fit(X, y)
    assert_same_network(clf, clone(estimator).fit(X, y))
    assert clf.n_features_in_ == 3
    assert not hasattr(clf, "feature_names_in_")


@pytest.mark.sample(1)
@BOTH
def test_random_states_may_be_generators_of_numpy(estimator):
    X, y = noisy_plane()
    first, second = (clone(estimator).set_params(random_state=np.random.RandomState(5)) for _ in range(2))
    assert_same_network(first.fit(X, y), second.fit(X, y))


@BOTH
def test_the_order_of_the_rows_does_not_matter(estimator):
    X, y = noisy_plane()
    X, y = np.vstack([X, X[:20]]), np.append(y, y[:20])
    shuffled = np.random.default_rng(2).permutation(len(y))
    assert_same_network(clone(estimator).fit(X[shuffled], y[shuffled]), clone(estimator).fit(X, y))


# Weights


@BOTH
def test_a_row_of_weight_two_counts_as_two_rows(estimator):
    X, y = noisy_plane()
    times = np.random.default_rng(3).integers(0, 3, len(y))
    weighted = clone(estimator).fit(X, y, sample_weight=times)
    repeated = clone(estimator).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert_same_network(weighted, repeated)


@BOTH
def test_class_weights_multiply_sample_weights(estimator):
    X, y = noisy_plane()
    weights = np.random.default_rng(4).integers(1, 4, len(y)).astype(float)
    by_class = clone(estimator).set_params(class_weight={0: 2.0, 1: 3.0}).fit(X, y, sample_weight=weights)
    by_row = clone(estimator).fit(X, y, sample_weight=weights * np.where(y == 1, 3.0, 2.0))
    assert_same_network(by_class, by_row)


@BOTH
def test_balanced_classes_weigh_the_same(estimator):
    X, y = noisy_plane()
    X, y = X[np.argsort(-y)][:60], np.sort(y)[::-1][:60]
    balanced = clone(estimator).set_params(class_weight="balanced").fit(X, y)
    weights = len(y) / (2 * np.bincount(y))[y]
    assert_same_network(balanced, clone(estimator).fit(X, y, sample_weight=weights))


@BOTH
def test_the_weight_of_a_class_decides_contradictory_rows(estimator):
    X, y = [[0.0], [0.0], [0.0], [1.0], [1.0], [2.0]], [0, 0, 1, 0, 1, 1]
    assert clone(estimator).fit(X, y).predict([[0.0]]) == 0
    assert clone(estimator).set_params(class_weight={1: 5.0}).fit(X, y).predict([[0.0]]) == 1


@BOTH
def test_rows_of_weight_zero_do_not_count_as_errors(estimator):
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 1, 0, 1])
    clf = clone(estimator).fit(X, y, sample_weight=[1.0, 0.0, 1.0, 1.0])
    assert clf.n_training_errors_ == 0
    np.testing.assert_array_equal(clf.predict(X), [0, 0, 0, 1])


# Why growth ended


def contradictory(k=5):
    """Return rows of which k contradict others in two of three copies."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((60, 3))
    y = (X[:, 0] > 0).astype(int)
    return np.vstack([X, X[:k], X[:k]]), np.concatenate([y, 1 - y[:k], y[:k]])


@pytest.mark.parametrize("k", [1, 5, 20])
def test_contradictory_rows_leave_exactly_the_unavoidable_errors(k):
    X, y = contradictory(k)
    clf = NetLinesClassifier().fit(X, y)
    assert clf.n_training_errors_ == (clf.predict(X) != y).sum() == k
    assert (
        clf.stop_reason_
        == f"only the {k} unavoidable errors left (rows with the same inputs in different classes)"
    )


def test_rows_that_are_all_contradictory_leave_half_of_them():
    X = np.array([[0.0], [0.0], [1.0], [1.0]])
    clf = NetLinesClassifier().fit(X, [0, 1, 0, 1])
    assert clf.n_training_errors_ == 2
    assert clf.stop_reason_.startswith("only the 2 unavoidable errors left")


def test_the_stop_at_max_hidden_counts_the_errors_left():
    X, y = load_pima_diabetes(return_X_y=True)
    clf = NetLinesClassifier(max_hidden=2).fit(X, y)
    assert clf.n_hidden_ == 2
    assert clf.stop_reason_ == f"max_hidden=2 reached: {clf.n_training_errors_} training errors left"


@pytest.mark.parametrize("accepted", [3, 0.05])
def test_the_stop_at_max_errors_counts_the_errors_left(accepted):
    X, y = noisy_plane()
    clf = NetLinesClassifier(max_errors=accepted).fit(X, y)
    left = clf.n_training_errors_
    assert 0 < left <= 4
    assert clf.stop_reason_ == f"max_errors={accepted} reached: {left} training errors left"


def test_rows_of_a_negligible_weight_are_not_learnt_at_any_price():
    clf = NetLinesClassifier().fit(np.arange(5.0)[:, None], [0, 1, 0, 1, 1], [1.0, 1e-9, 1.0, 1.0, 1.0])
    assert clf.stop_reason_ == "the 1 training errors left have a negligible weight"
    assert clf.n_hidden_ == 1


def test_neighbouring_numbers_are_learnt_without_errors():
    X = 1 + EPS * np.arange(9.0)[:, None]
    clf = NetLinesClassifier().fit(X, np.arange(9) % 2)
    assert clf.stop_reason_ == "no training errors"


def test_rows_that_no_weights_of_double_precision_divide_end_growth():
    # The first input would need weights that overflow to count beside the second.
    X = np.array([[0.0, 1.0], [0.0, -1.0], [5e-324, 1.0], [5e-324, -1.0], [1e100, 1.0]])
    clf = NetLinesClassifier().fit(X, [1, 0, 0, 1, 1])
    left = clf.n_training_errors_
    assert left > 0
    assert (
        clf.stop_reason_
        == f"no weights of double precision divide the rows further: {left} training errors left"
    )


# Callbacks and interruptions


def test_callbacks_hear_of_each_unit():
    X, y = noisy_plane()
    recorder = Recorder()
    clf = NetLinesClassifier().set_callbacks(recorder).fit(X, y)
    assert recorder.events[:2] == ["setup", ("begin", "fit")]
    assert recorder.events[-2:] == [("end", "fit"), "teardown"]
    assert len(recorder.fitted) >= clf.n_hidden_
    assert recorder.events.count(("end", "hidden unit")) == recorder.events.count(("begin", "hidden unit"))


def test_callbacks_get_a_network_that_predicts():
    X, y = noisy_plane()
    recorder = Recorder()
    clf = NetLinesClassifier(refine=False).set_callbacks(recorder).fit(X, y)
    errors = [(fitted.predict(X) != y).sum() for fitted in recorder.fitted]
    assert errors == [record["errors"] for record in clf.growth_trace_]
    sizes = [fitted.network_.n_hidden for fitted in recorder.fitted]
    assert sizes == sorted(sizes)
    assert (sizes[0], sizes[-1]) == (1, clf.n_hidden_)


@pytest.mark.parametrize("last", [1, 2])
def test_a_callback_can_stop_growth(last):
    X, y = load_pima_diabetes(return_X_y=True)
    clf = NetLinesClassifier().set_callbacks(Recorder(lambda unit, fitted: unit == last)).fit(X, y)
    assert clf.n_hidden_ == last
    assert clf.stop_reason_ == f"stopped by a callback: {clf.n_training_errors_} training errors left"


def test_a_callback_hears_no_more_units_than_max_hidden():
    X, y = load_pima_diabetes(return_X_y=True)
    recorder = Recorder()
    NetLinesClassifier(max_hidden=3).set_callbacks(recorder).fit(X, y)
    assert recorder.events.count(("begin", "hidden unit")) == 3
    assert recorder.events.count(("end", "hidden unit")) == 3


def test_callbacks_change_nothing():
    X, y = noisy_plane()
    assert_same_network(
        NetLinesClassifier().set_callbacks(Recorder()).fit(X, y), NetLinesClassifier().fit(X, y)
    )


@BOTH
@pytest.mark.parametrize("limit", [{}, {"max_hidden": 2}])
def test_the_progress_bar_is_drawn(estimator, limit, capsys):
    X, y = noisy_plane()
    clf = clone(estimator)
    clf.set_params(**{name: value for name, value in limit.items() if name in clf.get_params()})
    clf.set_callbacks(ProgressBar()).fit(X, y)
    drawn = capsys.readouterr().out
    assert f"{type(clf).__name__} - fit" in drawn
    assert "100%" in drawn


@pytest.mark.parametrize("at", [1, 2])
def test_an_interrupted_first_fit_leaves_the_estimator_unfitted(at):
    X, y = noisy_plane()
    clf = NetLinesClassifier().set_callbacks(Recorder(partial(interrupt, at=at)))
    before = dict(vars(clf))
    with pytest.raises(KeyboardInterrupt):
        clf.fit(X, y)
    assert vars(clf) == before
    with pytest.raises(NotFittedError):
        clf.predict(X)


@pytest.mark.parametrize("at", [1, 2])
def test_an_interrupted_second_fit_leaves_the_first(at):
    X, y = load_monks(1, return_X_y=True, as_frame=True)
    clf = NetLinesClassifier().fit(X, y)
    clf.set_callbacks(Recorder(partial(interrupt, at=at)))
    before = dict(vars(clf))
    with pytest.raises(KeyboardInterrupt):
        clf.fit(*noisy_plane())
    assert vars(clf) == before
    assert clf.score(X, y) == 1


@pytest.mark.sample(2)
@pytest.mark.parametrize("fitted", [False, True])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_real_ctrl_c_leaves_the_estimator_as_it_was(fitted, n_jobs):
    X, y = load_pima_diabetes(return_X_y=True)
    clf = NetLinesClassifier(n_jobs=n_jobs)
    if fitted:
        clf.fit(*noisy_plane())
    before = dict(vars(clf))
    X, y = np.vstack([X, X + 1e-3]), np.append(y, y[::-1])
    handler = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            clf.fit(X, y)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
    assert vars(clf) == before


@BOTH
def test_a_failed_fit_leaves_the_estimator_as_it_was(estimator):
    X, y = noisy_plane()
    clf = clone(estimator).fit(X, y)
    before = dict(vars(clf))
    for bad, says in (
        ([[np.inf, 1.0], [1.0, 2.0]], "inf in column 0, row 0"),
        ([[None], [3.0]], "no column"),
    ):
        with pytest.raises(ValueError, match=says):
            clf.fit(bad, [0, 1])
        assert vars(clf) == before
    clf.set_params(missing="error")
    before = dict(vars(clf))
    with pytest.raises(ValueError, match="NaN in column 0, row 0"):
        clf.fit(np.array([[np.nan, 1.0], [1.0, 2.0]]), [0, 1])
    assert vars(clf) == before
    np.testing.assert_array_equal(clf.predict(X[:5]), clf.predict(X)[:5])


# Bad input


@BOTH
@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        ([[1.0], [np.nan], [1.0]], [0, 1, 0], ["X", "no column", "x0: 1 in all rows that have a value"]),
        ([[np.nan], [np.nan]], [0, 1], ["X", "no column that is left to learn from", "x0: no values"]),
        ([[0.0, 1.0], [np.nan, np.inf], [2.0, 3.0]], [0, 1, 0], ["finite", "inf", "column 'x1'", "row 1"]),
        ([[0.0], [np.inf], [2.0]], [0, 1, 0], ["X", "value inf", "column 0", "row 1", "1e+100"]),
        ([[0.0], [-np.inf], [2.0]], [0, 1, 0], ["X", "value -inf", "column 0", "row 1", "1e+100"]),
        (np.float32([[0.0], [np.nan]]), [0, 1], ["X", "no column", "x0: 0 in all rows that have a value"]),
        (np.float32([[0.0], [np.inf]]), [0, 1], ["X", "value inf", "column 0", "row 1"]),
        ([[0.0, 1.0], [3.0, 1e300], [2.0, 1.0]], [0, 1, 0], ["1e+300", "column 1", "row 1", "1e+100"]),
        ([[0.0, 1.0], [-1e300, 3.0]], [0, 1], ["-1e+300", "column 0", "row 1", "1e+100"]),
        ([[0.0], [1.0]], [1, 1], ["2 classes", "one class", "y", ": 1"]),
        ([[0.0]], [1], ["2 classes", "one class", "y", ": 1"]),
        (np.empty((0, 3)), [], ["0 sample(s)", "(0, 3)", "minimum of 1"]),
        (np.empty((3, 0)), [0, 1, 0], ["0 feature(s)", "(3, 0)", "minimum of 1"]),
        ([[0.0], [1.0], [2.0]], ["a", 1, "a"], ["y", "'a' (str)", "1 (int)", "one type"]),
        ([[0.0], [1.0], [2.0]], [True, "yes", True], ["y", "'yes' (str)", "True (bool)", "one type"]),
        ([[0.0], [1.0], [2.0]], [0.3, 1.7, 0.2], ["label type", "continuous"]),
        ([[0.0], [1.0], [2.0]], [0, 1, np.nan], ["y", "NaN"]),
        ([[0.0], [1.0], [2.0]], [0, 1], ["inconsistent numbers of samples", "[3, 2]"]),
        ([0.0, 1.0], [0, 1], ["Expected 2D array", "1D array"]),
        ([["red"], ["red"]], [0, 1], ["X", "no column that is left to learn from", "x0: 'red' in all rows"]),
        ([["red", 1.0], ["red", {2}]], [0, 1], ["string", "number", "{2}", "column 'x1'", "row 1"]),
        ([["red", 1.0], ["red", [2]]], [0, 1], ["X", "rows of one length", "single numbers"]),
        (np.array([[1.0, 1j], [2.0, 3.0]]), [0, 1], ["Complex data not supported"]),
    ],
)
def test_a_bad_table_is_refused_in_words(estimator, X, y, words):
    with pytest.raises((ValueError, TypeError), match=r".") as raised:
        clone(estimator).fit(X, y)
    for word in words:
        assert word in str(raised.value)


@BOTH
def test_missing_values_are_refused_on_demand(estimator):
    exact = clone(estimator).set_params(missing="error")
    for kind in (np.float64, np.float32):
        with pytest.raises(ValueError, match=r"X has NaN in column 0, row 1 .* -1e\+100 and 1e\+100"):
            exact.fit(np.array([[0.0], [np.nan], [2.0]], dtype=kind), [0, 1, 0])
    for table in (pd.DataFrame({"x0": [0.0, None, 2.0]}), [["a"], [None], ["b"]]):
        with pytest.raises(ValueError, match="expected a value, got None in column 'x0', row 1"):
            exact.fit(table, [0, 1, 0])
    exact.fit(np.array([[0.0], [1.0], [2.0]]), [0, 1, 1])
    with pytest.raises(ValueError, match="X has NaN in column 0, row 0"):
        exact.predict([[np.nan]])


@pytest.mark.parametrize("labels", [[0, 1, 2], ["a", "b", "c"]])
def test_a_unit_refuses_three_classes(labels):
    words = f"y has 3 classes .{labels[0]}, {labels[1]}, {labels[2]}.*MinimerrorClassifier separates 2"
    with pytest.raises(ValueError, match=words):
        MinimerrorClassifier().fit([[0.0], [1.0], [2.0]], labels)


@BOTH
def test_a_huge_value_is_named_by_its_column(estimator):
    X = pd.DataFrame({"size": [1.0, 2.0, 3.0], "price": [0.0, 1.0, 1e300]})
    with pytest.raises(
        ValueError, match=r"absolute value up to 1e\+100, got 1e\+300 in column 'price', row 2"
    ):
        clone(estimator).fit(X, [0, 1, 0])


@BOTH
def test_huge_values_are_refused_by_predict_too(estimator):
    clf = clone(estimator).fit(*noisy_plane())
    with pytest.raises(ValueError, match=r"1e\+300 in column 2, row 0"):
        clf.predict([[0.0, 0.0, 1e300]])


@BOTH
@pytest.mark.parametrize(
    ("sample_weight", "words"),
    [
        ([1.0, -1.0, 1.0], ["Negative", "sample_weight"]),
        ([1.0, np.nan, 1.0], ["sample_weight", "NaN"]),
        ([1.0, 1.0], ["sample_weight.shape", "(2,)", "(3,)"]),
        ([0.0, 1.0, 0.0], ["2 classes", "positive weight", ": 1"]),
        ([0.0, 0.0, 0.0], ["weight"]),
    ],
)
def test_bad_weights_are_refused_in_words(estimator, sample_weight, words):
    with pytest.raises(ValueError, match=r".") as raised:
        clone(estimator).fit([[0.0], [1.0], [2.0]], [0, 1, 0], sample_weight=sample_weight)
    for word in words:
        assert word in str(raised.value)


@BOTH
@pytest.mark.parametrize("columns", [2, 4])
def test_a_missing_or_an_extra_column_is_counted(estimator, columns):
    clf = clone(estimator).fit(*noisy_plane())
    for use in (clf.predict, clf.decision_function):
        with pytest.raises(
            ValueError, match=rf"X has {columns} features, but {type(clf).__name__} is expecting 3"
        ):
            use(np.zeros((2, columns)))


def test_the_internal_representation_checks_its_columns_too():
    with pytest.raises(ValueError, match="X has 1 features"):
        NetLinesClassifier().fit(*noisy_plane()).internal_representation([[0.0]])


@BOTH
def test_a_missing_column_is_named_and_others_are_ignored_in_any_order(estimator):
    X, y = noisy_plane()
    X = pd.DataFrame(X, columns=["size", "age", "dose"])
    clf = clone(estimator).fit(X, y)
    for use in (clf.predict, clf.decision_function, clf.internal_representation, clf.domain_confidence):
        with pytest.raises(ValueError, match="the table lacks the column 'age'; it has 'size', 'dose'"):
            use(X.drop(columns="age"))
        np.testing.assert_array_equal(use(X[["dose", "size", "age"]].assign(colour="red")), use(X))
    with pytest.warns(UserWarning, match=f"valid feature names, but {type(clf).__name__} was fitted with"):
        answers = clf.predict(X.to_numpy())
    np.testing.assert_array_equal(answers, clf.predict(X))


@pytest.mark.parametrize(
    ("estimator", "words"),
    [
        (NetLinesClassifier(max_hidden=0), ["max_hidden", "[1, inf)", "0"]),
        (NetLinesClassifier(max_hidden=2.5), ["max_hidden", "int", "2.5"]),
        (NetLinesClassifier(max_errors=-1), ["max_errors", "[0, inf)", "-1"]),
        (NetLinesClassifier(max_errors=1.5), ["max_errors", "[0.0, 1.0]", "1.5"]),
        (NetLinesClassifier(schedule="slow"), ["schedule", "'fast'", "'paper'", "'slow'"]),
        (NetLinesClassifier(refine="yes"), ["refine", "bool", "'yes'"]),
        (NetLinesClassifier(class_weight="equal"), ["class_weight", "'balanced'", "'equal'"]),
        (NetLinesClassifier(n_jobs=1.5), ["n_jobs", "1.5"]),
        (NetLinesClassifier(random_state="seed"), ["random_state", "'seed'"]),
        (MinimerrorClassifier(schedule=None), ["schedule", "'fast'", "'paper'", "None"]),
        (MinimerrorClassifier(theta=0.0), ["theta", "(0.0, 1e+100]", "0.0"]),
        (MinimerrorClassifier(temperature=-1.0), ["temperature", "[1e-09, 1000000000.0]", "-1.0"]),
        (MinimerrorClassifier(n_starts=0), ["n_starts", "[1, 1000000]", "0"]),
        (MinimerrorClassifier(learning_rate=0), ["learning_rate", "(0.0, inf)", "0"]),
        (MinimerrorClassifier(annealing_rate="low"), ["annealing_rate", "(0.0, inf)", "'low'"]),
    ],
    ids=str,
)
def test_a_bad_parameter_is_refused_with_its_name_its_value_and_what_is_allowed(estimator, words):
    with pytest.raises(ValueError, match=r"parameter of") as raised:
        estimator.fit(*noisy_plane())
    for word in words:
        assert word in str(raised.value)


@BOTH
def test_infinite_theta_and_parameters_of_numpy_are_allowed(estimator):
    X, y = noisy_plane()
    clf = clone(estimator).set_params(n_jobs=np.int64(1), random_state=np.int64(2))
    if "theta" in clf.get_params():
        clf.set_params(theta=np.inf, n_starts=np.int32(2))
    else:
        clf.set_params(max_hidden=np.int64(2), max_errors=np.float64(0.5), refine=np.bool_(True))
    assert clf.fit(X, y).score(X, y) > 0.5


def test_one_row_beside_many_copies_of_another_is_learnt():
    X = np.array([[0.0]] * 200_001 + [[1.0], [2.0], [3.0]])
    y = [0] * 200_001 + [1, 0, 1]
    clf = NetLinesClassifier().fit(X, y)
    assert clf.n_training_errors_ == 0
    assert clf.n_hidden_ == 3


def test_a_missing_unit_of_room_is_named_as_the_reason():
    rng = np.random.default_rng(1)
    rng.integers(0, 3, size=(40, 2))
    X, y = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
    clf = NetLinesClassifier(max_hidden=4, refine=False).fit(X, y)
    assert clf.n_hidden_ == 3
    assert "max_hidden=4 leaves no room" in clf.stop_reason_


def test_a_negative_class_weight_is_named():
    X, y = noisy_plane()
    for strange in (np.nan, np.inf):
        with pytest.raises(ValueError, match=r"class_weight=.* is not finite"):
            NetLinesClassifier(class_weight=dict.fromkeys(np.unique(y), strange)).fit(X, y)
    with pytest.raises(ValueError, match=r"The classes, .* are not in class_weight"):
        NetLinesClassifier(class_weight={"no such": 1}).fit(X, y)
    with pytest.raises(ValueError, match=r"class_weight=.* is negative"):
        NetLinesClassifier(class_weight={label: -1 for label in np.unique(y)}).fit(X, y)


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_the_scale_of_the_weights_does_not_matter(scale):
    X, y = noisy_plane()
    weights = np.random.default_rng(0).random(len(y))
    plain = MinimerrorClassifier().fit(X, y, weights)
    scaled = MinimerrorClassifier().fit(X, y, scale * weights)
    assert scaled.n_training_errors_ == plain.n_training_errors_


@pytest.mark.parametrize("rows", [[[1.0, 2.0], [3.0]], [[1.0, [2.0]], [3.0, 4.0]]])
def test_rows_of_different_lengths_are_refused_in_clear_words(rows):
    with pytest.raises(ValueError, match="X must be rows of one length"):
        NetLinesClassifier().fit(rows, [0, 1])


@pytest.mark.parametrize(
    ("name", "parameters", "y", "weights"),
    [
        ("sample_weight", {}, [0, 1], [10**400, 1]),
        ("sample_weight", {}, [0, 1], [[1], [1, 2]]),
        ("class_weight", {"class_weight": {0: 10**400, 1: 1}}, [0, 1], None),
        ("y", {}, [[1], [1, 2]], None),
    ],
)
def test_what_no_array_can_hold_is_refused_by_its_own_name(name, parameters, y, weights):
    with pytest.raises(ValueError, match=f"^{name} "):
        NetLinesClassifier(**parameters).fit([[0.0], [1.0]], y, sample_weight=weights)


def test_an_integer_beyond_all_floats_is_refused_by_what_is_allowed():
    with pytest.raises(ValueError, match=r"no float can hold; allowed are numbers between -1e\+100 and"):
        NetLinesClassifier().fit([[10**400], [1]], [0, 1])


@pytest.mark.parametrize("parameter", [{"theta": 10**400}, {"n_starts": 10**18}])
def test_parameters_beyond_all_sense_are_refused_by_name(parameter):
    X, y = noisy_plane()
    with pytest.raises(ValueError, match=f"'{next(iter(parameter))}' parameter of MinimerrorClassifier"):
        MinimerrorClassifier(**parameter).fit(X, y)


def test_class_weights_are_found_by_texts_that_look_like_numbers():
    X, y = np.array([[0.0], [1.0], [1.0], [2.0]]), np.array(["0", "0", "1", "1"])
    clf = NetLinesClassifier(class_weight={"0": 1.0, "1": 5.0}).fit(X, y)
    assert clf.predict([[1.0]]).tolist() == ["1"]
    with pytest.raises(ValueError, match=r"The classes, \['1'\], are not in class_weight"):
        NetLinesClassifier(class_weight={"0": 1.0, "2": 5.0}).fit(X, y)


@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_weights_are_summed_in_one_way_whatever_the_order_of_the_rows(class_weight):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (60, 2)).astype(float), rng.integers(0, 2, 60)
    weights = rng.choice([0.1, 0.3, 1.0], 60)
    fit = [
        NetLinesClassifier(max_hidden=2, class_weight=class_weight).fit(X[o], y[o], sample_weight=weights[o])
        for o in (np.arange(60), rng.permutation(60), rng.permutation(60))
    ]
    for other in fit[1:]:
        assert other.network_.hidden_weights.tobytes() == fit[0].network_.hidden_weights.tobytes()


def test_rows_of_next_to_no_weight_do_not_keep_growth_from_ending():
    X, y, weights = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1], [1.0, 1.0, 1.0, 1e-300]
    for model in (NetLinesClassifier(), NetLinesClassifier(refine=False), MonoPlaneClassifier()):
        assert (model.fit(X, y, sample_weight=weights).predict(X)[:3] == y[:3]).all()


def test_single_precision_of_every_size_is_learnt_without_errors():
    X = np.array([[5.7e36], [5.6e-17], [-1.06e-31], [0.0], [1e-40]], dtype=np.float32)
    clf = NetLinesClassifier().fit(X, [0, 1, 0, 1, 0])
    assert clf.stop_reason_ == "no training errors"


@pytest.mark.parametrize(
    ("rows", "y"),
    [
        ([[1.7e18], [1.7e18 + 256], [1.7e18 + 512], [0.0]], [0, 1, 1, 0]),
        ([[1 + EPS, 1 + EPS], [1, 1 + EPS], [0, 0]], [1, 0, 0]),
        (np.resize([0.0, 5e-324, 1e-323, 1e20], 20_004)[:, None], np.resize([0, 1, 0, 1], 20_004)),
    ],
    ids=["stamps and 0", "neighbours and 0", "many rows"],
)
def test_neighbouring_numbers_beside_others_are_told_apart(rows, y):
    clf = NetLinesClassifier().fit(rows, y)
    assert (clf.predict(rows) == y).all()
    assert clf.stop_reason_ == "no training errors"


def test_units_are_kept_as_they_were_counted_in_columns_of_every_size():
    """The norm of a cut may lose its threshold: the states that count are those of the weights that stay."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        column = rng.choice([-1, 1], 24) * 10.0 ** rng.uniform(-290, 84, 24)
        X, y = np.column_stack([np.full(24, -1e8), column, column]), rng.integers(0, 2, 24)
        clf = NetLinesClassifier(refine=False).fit(X, y)
        assert clf.n_training_errors_ == clf.growth_trace_[-1]["errors"] == 0
