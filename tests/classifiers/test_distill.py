"""`distill`: any fitted classifier as a small network."""

import warnings

import numpy as np
import pandas as pd
import pytest
from example_tables import assert_same, plane, xor
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_blobs
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from netlines import MinimerrorClassifier, NetLinesClassifier, distill
from netlines.training.points import synthetic

NAMES = np.array(["no", "yes"])


@pytest.fixture(scope="module")
def forest():
    X, y = xor(p=200)
    return X, RandomForestClassifier(30, random_state=0, min_samples_leaf=5).fit(X, NAMES[y])


@pytest.fixture(scope="module")
def small(forest):
    X, teacher = forest
    return distill(teacher, X, max_hidden=5)


class OnlyLabels(ClassifierMixin, BaseEstimator):
    """Answers whether the first column is positive."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.classes_[(X[:, 0] > 0).astype(int)]


def test_a_forest_becomes_a_small_network(forest, small):
    _, teacher = forest
    new, y = xor(p=500, seed=7)
    assert isinstance(small, NetLinesClassifier)
    assert small.teacher_ is teacher
    assert 1 < small.n_hidden_ <= 5
    assert small.n_weights_ == small.network_.n_weights <= 21
    assert (small.predict(new) == teacher.predict(new)).mean() > 0.85
    assert small.score(new, NAMES[y]) > 0.8
    np.testing.assert_array_equal(small.classes_, NAMES)
    assert small.n_features_in_ == 2


def test_what_is_told_is_true(forest, small):
    X, teacher = forest
    assert small.fidelities_[small.n_hidden_] == small.fidelity_
    share = f"{100 * small.fidelity_:.1f} %"
    assert (
        small.chosen_ == f"{share} of the decisions of RandomForestClassifier in {small.n_weights_} weights"
    )
    assert small.n_training_errors_ == (small.predict(X) != teacher.predict(X)).sum()
    assert [record["n_hidden"] for record in small.growth_trace_] == list(small.fidelities_)


def test_the_fidelity_is_that_on_other_synthetic_points(forest, small):
    X, teacher = forest
    points = synthetic(X, np.full(len(X), 1 / len(X)), 4000, np.random.default_rng(99))
    same = (small.predict(points) == teacher.predict(points)).mean()
    assert same == pytest.approx(small.fidelity_, abs=0.02)


def test_probabilities_are_those_of_the_teacher(forest, small):
    X, teacher = forest
    new, _ = xor(p=500, seed=7)
    p = small.predict_proba(new)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_array_equal(NAMES[p.argmax(axis=1)], small.predict(new))
    assert np.abs(p - teacher.predict_proba(new)).mean() < 0.15
    np.testing.assert_allclose(
        small.network_.calibration.training_priors, teacher.predict_proba(X).mean(axis=0), atol=1e-9
    )


def test_a_linear_teacher_becomes_one_unit():
    X, y = plane(noise=0.3)
    teacher = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    small = distill(teacher, X)
    assert small.n_hidden_ == 1
    assert small.fidelity_ > 0.98
    assert "LogisticRegression" in small.chosen_
    np.testing.assert_allclose(small.predict_proba(X), teacher.predict_proba(X), atol=0.1)


def test_decisions_alone_are_enough():
    X, y = plane(noise=0.3)
    small = distill(make_pipeline(StandardScaler(), LinearSVC()).fit(X, y), X)
    assert small.n_hidden_ == 1
    assert small.fidelity_ > 0.98


def test_a_pipeline_with_a_curved_boundary_is_learnt():
    X, y = xor()
    teacher = make_pipeline(StandardScaler(), SVC()).fit(X, y)
    small = distill(teacher, X, max_hidden=5)
    assert "SVC" in small.chosen_
    assert (small.predict(X) == teacher.predict(X)).mean() > 0.9


def test_the_order_of_the_rows_and_their_memory_do_not_matter():
    X, y = plane(60)
    teacher, order = MinimerrorClassifier(n_starts=2).fit(X, y), np.random.default_rng(0).permutation(60)
    plain, *others = (distill(teacher, rows, max_hidden=2) for rows in (X, X[order], np.asfortranarray(X)))
    for other in others:
        np.testing.assert_array_equal(other.network_.hidden_weights, plain.network_.hidden_weights)


def test_decisions_are_scaled_in_one_way_whatever_the_order_of_the_rows():
    rng = np.random.default_rng(17)  # the product of a frame with weights rounds by the order of its rows
    X = pd.DataFrame(rng.standard_normal((59, 3)), columns=list("abc"))
    teacher = MinimerrorClassifier(n_starts=2).fit(X, X["a"] + X["b"] + rng.standard_normal(59) > 0)
    tables = (X.iloc[rng.permutation(59)] for _ in range(5))
    found = {distill(teacher, table, max_hidden=1).network_.hidden_weights.tobytes() for table in tables}
    assert len(found) == 1


def test_labels_alone_are_enough():
    X, y = xor()
    small = distill(OnlyLabels().fit(X, y), X, max_hidden=3)
    assert small.fidelity_ > 0.99
    np.testing.assert_array_equal(small.predict(X), (X[:, 0] > 0).astype(int))


def test_a_teacher_that_is_always_sure_of_one_class_is_learnt():
    X, y = plane()
    teacher = DecisionTreeClassifier(max_depth=1).fit(X, y)
    one_side = X[teacher.predict(X) == 1]
    small = distill(teacher, one_side)
    assert (small.predict(one_side) == 1).mean() > 0.95
    assert np.isfinite(small.predict_proba(one_side)).all()


def test_names_of_columns_are_kept_without_warnings():
    X, y = plane()
    X = pd.DataFrame(X, columns=["size", "age", "dose"])
    teacher = RandomForestClassifier(5, random_state=0).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        small = distill(teacher, X, max_hidden=2)
    assert list(small.feature_names_in_) == ["size", "age", "dose"]
    assert small.network_.feature_names == ("size", "age", "dose")
    assert_same(small, distill(teacher, X.to_numpy(), max_hidden=2))


def test_a_frame_for_a_teacher_without_names_is_taken():
    X, y = plane()
    teacher = RandomForestClassifier(5, random_state=0).fit(X, y)
    small = distill(teacher, pd.DataFrame(X, columns=list("abc")), max_hidden=1)
    assert list(small.feature_names_in_) == ["a", "b", "c"]


def test_columns_in_another_order_are_refused():
    X, y = plane()
    X = pd.DataFrame(X, columns=["size", "age", "dose"])
    teacher = RandomForestClassifier(5, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match=r"columns dose, age, size; .* size, age, dose"):
        distill(teacher, X[["dose", "age", "size"]], max_hidden=1)


def test_the_same_seed_gives_the_same_network_whatever_the_number_of_threads(forest):
    X, teacher = forest
    one, two = (distill(teacher, X, max_hidden=2, n_jobs=n) for n in (1, 2))
    assert_same(one, two)
    other = distill(teacher, X, max_hidden=2, random_state=1)
    assert not np.array_equal(one.network_.hidden_weights, other.network_.hidden_weights)


def test_sizes_fall_with_the_preference(forest):
    X, teacher = forest
    sizes = [distill(teacher, X, max_hidden=4, prefer=p).n_hidden_ for p in ("small", "balanced", "accurate")]
    assert sizes == sorted(sizes)


def test_a_weight_is_a_repetition(forest):
    X, teacher = forest
    times = np.random.default_rng(0).integers(0, 3, len(X))
    weighted = distill(teacher, X, max_hidden=2, sample_weight=times)
    repeated = distill(teacher, np.repeat(X, times, axis=0), max_hidden=2)
    assert_same(weighted, repeated)


def test_priors_may_change_afterwards(forest, small):
    X, _ = forest
    before = (small.predict(X) == "yes").sum()
    try:
        assert (small.set_priors({"yes": 0.01, "no": 0.99}).predict(X) == "yes").sum() < before
    finally:
        small.set_priors(None)
    assert (small.predict(X) == "yes").sum() == before


# Errors


def test_an_unfitted_teacher_is_refused():
    with pytest.raises(NotFittedError, match="RandomForestClassifier"):
        distill(RandomForestClassifier(), np.zeros((3, 2)))


def test_more_than_two_classes_are_refused():
    X, y = make_blobs(60, centers=3, random_state=0)
    with pytest.raises(ValueError, match="2 classes, got DecisionTreeClassifier"):
        distill(DecisionTreeClassifier().fit(X, y), X)


def test_a_regression_is_refused():
    X, y = plane()
    with pytest.raises(ValueError, match="2 classes, got LinearRegression"):
        distill(LinearRegression().fit(X, y), X)


def test_something_that_does_not_predict_is_refused():
    with pytest.raises(TypeError, match="`predict`, got StandardScaler"):
        distill(StandardScaler().fit(np.zeros((3, 2))), np.zeros((3, 2)))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"prefer": "tiny"}, ["prefer='tiny'", "'balanced'", "'small'", "'accurate'"]),
        ({"max_hidden": 0}, ["max_hidden=0", "from 1 on"]),
        ({"max_hidden": 2.5}, ["max_hidden=2.5", "integers"]),
        ({"max_hidden": None}, ["max_hidden=None", "integers"]),
        ({"sample_weight": np.zeros(200)}, ["Sample weights", "non-zero"]),
        ({"sample_weight": np.full(200, -1.0)}, ["sample_weight"]),
    ],
    ids=["prefer", "no units", "half a unit", "None", "no weight", "negative weights"],
)
def test_a_bad_parameter_is_refused_with_its_name_its_value_and_what_is_allowed(forest, wrong, words):
    X, teacher = forest
    with pytest.raises(ValueError, match=r".") as raised:
        distill(teacher, X, **wrong)
    for word in words:
        assert word in str(raised.value)


def test_missing_values_are_refused(forest):
    _, teacher = forest
    with pytest.raises(ValueError, match="NaN in column 1, row 0"):
        distill(teacher, [[0.0, np.nan], [1.0, 2.0]])


def test_a_teacher_with_another_threshold_is_followed():
    X, y = plane(p=200)
    teacher = FixedThresholdClassifier(make_pipeline(StandardScaler(), LogisticRegression()), threshold=0.1)
    small = distill(teacher.fit(X, y), X, max_hidden=2)
    assert np.mean(small.predict(X) == teacher.predict(X)) > 0.97
    assert small.n_training_errors_ == (small.predict(X) != teacher.predict(X)).sum()
