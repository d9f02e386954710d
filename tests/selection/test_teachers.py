"""Own teachers, of two classes and of more: against naive ones, held-out answers, weights, and the choice."""

import pickle
from functools import partial

import numpy as np
import pytest
import reference
from class_data import class_data_of, contradictory_classes, rays
from class_tables import blobs
from example_tables import contradictory, plane, xor
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import ShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from netlines.network.probability import probabilities, softmax
from netlines.selection.folds import Examples, folds_of_rows
from netlines.selection.teachers import best, fitted, kernel
from netlines.selection.teachers.best import averages, choose_teacher
from netlines.selection.teachers.boosting import PRIOR, Boosting, _lost, fit_boosting
from netlines.selection.teachers.fitted import fit_linear, fit_soft_networks
from netlines.selection.teachers.kernel import fit_kernel
from netlines.selection.teachers.teacher import Teacher, log_losses, mean_loss
from netlines.training import soft
from netlines.training._boosting import MOST_BINS, binned, boost, edges_of
from netlines.training.calibration import fit_stretch
from netlines.training.cases import Cases
from netlines.training.threads import in_order


def random_weights(n):
    return np.random.default_rng(1).uniform(0.2, 3.0, n)


def shuffled(X, y):
    """Return data with folds by splits of the rows, in which some rows are in neither part."""
    splits = list(ShuffleSplit(3, train_size=0.5, test_size=0.3, random_state=0).split(X))
    return class_data_of(X, y, folds=lambda patterns: folds_of_rows(patterns, splits, y, np.ones(len(y))))


DATA = {
    "plain": class_data_of(*plane(p=60)),
    "contradictory and weighted": class_data_of(*contradictory(), random_weights(60), n_folds=5),
    "shuffled": shuffled(*contradictory()),
    "classes": class_data_of(*rays(p=50, n_classes=4), random_weights(50)),
    "contradictory classes": class_data_of(*contradictory_classes(), random_weights(60), n_folds=5),
}
EACH = pytest.mark.parametrize("data", DATA.values(), ids=DATA.keys())


def one_hot(examples, data):
    """Return the targets (n, K) from 0 to 1: of two classes one column, that of the second."""
    return np.eye(data.n_classes)[examples.labels][:, -soft.n_outputs_of(data.n_classes) :]


# The kernel


def naive_kernel(data, width, ridge):
    """Return the values for each fold's test examples of regressions that are fitted anew to the rest."""
    Z, n = data.X[1:].T, data.X.shape[1]
    K = np.exp(-width * ((Z[:, None] - Z[None]) ** 2).sum(axis=2) / (2 * Z.shape[1]))
    mean, values = data.all.weights.sum() / n, []
    for fold in data.folds:
        weights = np.bincount(fold.train.pattern, fold.train.weights, n)
        sums = np.zeros((n, soft.n_outputs_of(data.n_classes)))
        signs = 2 * one_hot(fold.train, data) - 1
        np.add.at(sums, fold.train.pattern, fold.train.weights[:, None] * signs)
        use = np.flatnonzero(weights)
        system = K[np.ix_(use, use)] + np.diag(ridge * mean / weights[use])
        alpha = np.linalg.solve(system, sums[use] / weights[use][:, None])
        values.append(K[np.ix_(fold.test.pattern, use)] @ alpha)
    return values


def only(monkeypatch, width, ridge):
    monkeypatch.setattr(kernel, "WIDTHS", (width,))
    monkeypatch.setattr(kernel, "FIRST_RIDGE", ridge)
    monkeypatch.setattr(kernel, "RIDGES", Cases(two=(), more=()))


@EACH
@pytest.mark.parametrize(("width", "ridge"), [(0.5, 0.1), (2.0, 1.0)])
def test_with_all_patterns_as_centres_it_is_a_kernel_regression_fitted_anew_in_each_fold(
    data, width, ridge, monkeypatch
):
    only(monkeypatch, width, ridge)
    values = naive_kernel(data, width, ridge)
    tests = Examples.joined([fold.test for fold in data.folds])
    offset, factor = fit_stretch(np.concatenate(values), tests.labels, tests.weights)
    for found, naive in zip(fit_kernel(data).held_out, values, strict=True):
        np.testing.assert_allclose(found, probabilities(offset + factor * naive), atol=1e-4)


def test_few_centres_do_nearly_as_well(monkeypatch):
    data = class_data_of(*xor(p=300))
    all_of_them = mean_loss(fit_kernel(data).held_out, data.folds)
    monkeypatch.setattr(kernel, "CENTRES", Cases(two=60, more=60))
    few = fit_kernel(data)
    assert few.probability.centres.shape == (2, 60)
    assert mean_loss(few.held_out, data.folds) < 1.2 * all_of_them


@EACH
def test_width_and_ridge_have_the_lowest_loss_of_those_that_are_tried(data, monkeypatch):
    tried, plain = [], kernel._try
    monkeypatch.setattr(kernel, "_try", lambda *how: tried.append(plain(*how)) or tried[-1])
    teacher = fit_kernel(data)
    assert {one.width for one in tried if one.ridge == kernel.FIRST_RIDGE} == set(kernel.WIDTHS)
    assert len(tried) >= len(kernel.WIDTHS) + 2
    best = min(tried, key=lambda one: one.loss)
    assert teacher.held_out is best.held_out
    assert mean_loss(best.held_out, data.folds) == pytest.approx(best.loss)
    assert (teacher.probability.width, teacher.probability.line) == (best.width, best.line)


def test_of_many_patterns_the_first_choose_the_width(monkeypatch):
    asked, plain = [], kernel._Products.of

    def watched(data, centres, width):
        asked.append((data.X.shape[1], width))
        return plain(data, centres, width)

    monkeypatch.setattr(kernel, "CHOOSING", 45)
    monkeypatch.setattr(kernel._Products, "of", watched)
    teacher = fit_kernel(class_data_of(*rays(p=80)))
    assert asked == [*((45, width) for width in kernel.WIDTHS), (80, teacher.probability.width)]


def test_a_row_may_be_trained_on_twice(monkeypatch):
    X, y = plane(p=40)
    splits = [(np.r_[0:30, 0:5], np.arange(30, 40)), (np.arange(10, 40), np.arange(10))]
    data = class_data_of(X, y, folds=lambda patterns: folds_of_rows(patterns, splits, y, np.ones(40)))
    only(monkeypatch, 0.5, 0.3)
    values, teacher = naive_kernel(data, 0.5, 0.3), fit_kernel(data)
    offset, factor = teacher.probability.line
    for found, naive in zip(teacher.held_out, values, strict=True):
        np.testing.assert_allclose(found, probabilities(offset + factor * naive), atol=1e-4)


# Boosted trees


@pytest.mark.parametrize("n_classes", [2, 3])
def test_questions_and_leaves_are_those_of_plain_loops(n_classes):
    rng = np.random.default_rng(0)
    bins, weights = rng.integers(0, 5, (40, 3)), rng.uniform(0.5, 2, 40)
    labels = (bins[:, 0] + rng.integers(0, 3, 40)) % n_classes
    T = np.eye(n_classes)[labels][:, -soft.n_outputs_of(n_classes) :]
    first = rng.standard_normal(T.shape[1])
    how = {"n_trees": 4, "depth": 3, "rate": 0.3, "ridge": 0.7}
    own = bins.T.astype(np.uint8).copy(), T.T.copy(), weights
    columns, cuts, leaves, _ = boost(*own, first, *how.values())
    for t, (questions, moves) in enumerate(reference.boost(bins, T, weights, first, **how)[0]):
        assert list(zip(columns[t], cuts[t], strict=True)) == questions
        for a in range(8):
            np.testing.assert_allclose(leaves[t, :, a], moves.get(a, 0.0), atol=1e-12)


@EACH
def test_copies_of_boosted_trees_are_fitted_to_the_rest_alone(data):
    how = Boosting(trees=(3,), depth=2)
    teacher, B = fit_boosting(data, how=how), binned(data.X[1:], edges_of(data.X[1:])).T.astype(int)
    for fold, said in zip(data.folds, teacher.held_out, strict=True):
        T = one_hot(fold.train, data)
        weights = fold.train.weights * len(B) / data.all.weights.sum()
        shares = (weights @ T + PRIOR) / (weights.sum() + PRIOR * data.n_classes)
        first = np.log(shares) - (np.log(1 - shares) if len(shares) == 1 else 0)
        trees, _ = reference.boost(B[fold.train.pattern], T, weights, first, 3, 2, how.rate, how.ridge)
        scores = np.tile(first, (len(said), 1))
        for questions, leaves in trees:
            for row, k in enumerate(fold.test.pattern):
                leaf = sum((B[k, j] > b) << d for d, (j, b) in enumerate(questions[::-1]))
                scores[row] += leaves.get(leaf, 0.0)
        np.testing.assert_allclose(said, probabilities(scores), atol=1e-9)


def test_the_number_of_trees_has_the_lowest_loss():
    data = class_data_of(*plane(p=80, noise=1.5))
    numbers = (1, 5, 20, 200)
    losses = [mean_loss(fit_boosting(data, how=Boosting((n,))).held_out, data.folds) for n in numbers]
    chosen = fit_boosting(data, how=Boosting(numbers))
    assert mean_loss(chosen.held_out, data.folds) == min(losses)
    assert len(chosen.probability.trees.bins) == numbers[int(np.argmin(losses))]
    assert np.argmin(losses) < 3


def knowing(data):
    """Return a teacher that knows the labels of test examples."""
    held_out = [
        np.eye(data.n_classes)[fold.test.labels] * 0.99 + 0.01 / data.n_classes for fold in data.folds
    ]
    return Teacher("knowing", lambda: lambda rows: np.full((len(rows), data.n_classes), 0.5), held_out)


@pytest.mark.parametrize("table", [xor(), blobs(p=120)], ids=["two", "classes"])
def test_trees_that_lose_clearly_are_dropped_after_the_first_fold(table):
    data, seen = class_data_of(*table), []

    def run(function, folds):
        seen.extend(folds)
        return map(function, folds)

    assert fit_boosting(data, knowing(data), run=run) is None
    assert seen == data.folds[:1]
    alone, beside = fit_boosting(data), fit_boosting(data, fit_linear(data))
    for one, other in zip(alone.held_out, beside.held_out, strict=True):
        np.testing.assert_array_equal(one, other)


def test_trees_that_lose_stay_if_their_mean_with_the_rival_does_not():
    test = Examples(np.arange(40), np.ones(40, dtype=int), np.ones(40))
    first = np.arange(40) < 20
    own, other = (
        np.column_stack([1 - p, p]) for p in (np.where(first, 0.98, 0.1), np.where(first, 0.3, 0.95))
    )
    losses = [log_losses(p, test.labels).mean() for p in (own, other, (own + other) / 2)]
    assert losses[2] < losses[1] < losses[0]
    assert not _lost([own], other, test)
    assert _lost([own], np.full((40, 2), [0.4, 0.6]), test)  # of which the mean is no better
    assert not _lost([own, other], other, test)  # the best of them counts


def test_without_trees_the_best_of_the_others_is_taken(monkeypatch):
    data, seen = class_data_of(*xor(p=60)), []
    monkeypatch.setattr(best, "fit_boosting", lambda data, rival, **_: seen.append(rival))
    chosen = choose_teacher(data, fit_linear(data), seed=0)
    assert seen == [chosen]
    others = averages([fit(data) for fit in TEACHERS[:3]])
    assert mean_loss(chosen.held_out, data.folds) == min(
        mean_loss(one.held_out, data.folds) for one in others
    )


def test_bins_separate_few_values_and_hold_many_evenly():
    X = np.array([np.arange(3200.0) % 4, np.random.default_rng(0).permutation(3200) ** 2.0, np.ones(3200)])
    B = binned(X, edges_of(X))
    np.testing.assert_array_equal(B[0], X[0])
    np.testing.assert_array_equal(np.bincount(B[1]), np.full(MOST_BINS, 100))
    assert (np.diff(B[1][np.argsort(X[1])].astype(int)) >= 0).all()
    assert not B[2].any()


def test_trees_do_not_depend_on_the_units_of_the_columns():
    X, y = blobs(p=60)
    plain, moved = (fit_boosting(class_data_of(rows, y)).probability for rows in (X, 2.0**200 * X))
    np.testing.assert_allclose(plain(X), moved(2.0**200 * X))


# All of them

TEACHERS = (fit_linear, partial(fit_soft_networks, seed=0), fit_kernel, fit_boosting)


def test_all_give_probabilities_and_survive_pickling():
    for table, n_classes in ((xor(p=60), 2), (blobs(p=60, n_classes=4), 4)):
        data, new = class_data_of(*table), np.random.default_rng(5).uniform(-5, 5, (50, 2))
        for teacher in averages([fit(data) for fit in TEACHERS])[3:6]:
            own = teacher.fitted(np.arange(n_classes))
            p = own.predict_proba(new)
            assert p.shape == (50, n_classes)
            assert (p >= 0).all()
            np.testing.assert_allclose(p.sum(axis=1), 1)
            np.testing.assert_array_equal(own.predict(new), p.argmax(axis=1))
            np.testing.assert_array_equal(pickle.loads(pickle.dumps(own)).predict_proba(new), p)


@pytest.mark.parametrize("fit", TEACHERS)
@pytest.mark.parametrize("table", [plane(p=40), rays(p=40)], ids=["two", "classes"])
def test_weights_are_repetitions(fit, table):
    X, y = table
    times = np.random.default_rng(0).integers(1, 4, 40)
    weighted = fit(class_data_of(X, y, times.astype(float)))
    repeated = fit(class_data_of(np.repeat(X, times, axis=0), np.repeat(y, times)))
    np.testing.assert_array_equal(weighted.probability(X), repeated.probability(X))
    np.testing.assert_array_equal(np.concatenate(weighted.held_out), np.concatenate(repeated.held_out))


@pytest.mark.parametrize("fit", [TEACHERS[1], fit_boosting])
def test_a_parallel_map_gives_the_same(fit):
    data = class_data_of(*blobs(p=60))
    plain, threads = (fit(data, run=run) for run in (map, partial(in_order, n_threads=2)))
    np.testing.assert_array_equal(plain.probability(data.rows), threads.probability(data.rows))
    np.testing.assert_array_equal(np.concatenate(plain.held_out), np.concatenate(threads.held_out))


def test_a_class_that_a_fold_does_not_train_on_is_unlikely_there():
    X, y = rays(p=40, n_classes=2)
    y[7] = 2
    data = class_data_of(X, y)
    (k,) = (k for k, fold in enumerate(data.folds) if 2 in fold.test.labels)
    for fit in TEACHERS:
        teacher = fit(data)
        assert teacher.held_out[k][:, 2].max() < 0.2, teacher.name
        assert np.isfinite(mean_loss(teacher.held_out, data.folds))


@pytest.mark.parametrize("fit", TEACHERS[1:])
@pytest.mark.parametrize("table", [xor(), blobs(p=120)], ids=["two", "classes"])
def test_bent_boundaries_are_learnt(fit, table):
    data = class_data_of(*table)
    loss = mean_loss(fit_linear(data).held_out, data.folds)
    assert mean_loss(fit(data).held_out, data.folds) < 0.7 * loss


def test_a_teacher_is_fitted_to_everything_once_and_only_if_it_is_asked():
    asked = []
    teacher = Teacher("some", lambda: asked.append(1) or np.sqrt, [])
    assert not asked
    assert teacher.probability is teacher.probability is np.sqrt
    assert asked == [1]


@EACH
def test_rows_are_taught_what_teacher_and_copies_say_on_average(data):
    teacher = fit_linear(data)
    found, p = teacher.answers(data), teacher.probability(data.rows)
    for k in range(len(p)):
        said, total = np.zeros(data.n_classes), 0.0
        for fold, held_out in zip(data.folds, teacher.held_out, strict=True):
            for pattern, weight, one in zip(fold.test.pattern, fold.test.weights, held_out, strict=True):
                if pattern == k:
                    said, total = said + weight * one, total + weight
        np.testing.assert_allclose(found[k], (p[k] + said / total) / 2 if total else p[k])


# The loss


def test_the_loss_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    p, labels = softmax(rng.standard_normal((40, 4))), rng.integers(0, 4, 40)
    assert log_losses(p, labels).mean() == pytest.approx(log_loss(labels, p, labels=range(4)))
    assert log_losses(np.array([[1.0, 0.0]]), np.array([1])) == pytest.approx(-np.log(1e-15))


def test_the_mean_loss_is_weighted():
    data = DATA["contradictory classes"]
    said = np.array([0.2, 0.3, 0.5])
    held_out = [np.tile(said, (len(fold.test.pattern), 1)) for fold in data.folds]
    assert mean_loss(held_out, data.folds) == pytest.approx(-data.priors @ np.log(said))


# The logistic regression and soft networks


@pytest.mark.parametrize("table", [plane(), rays(p=120)], ids=["two", "classes"])
def test_the_logistic_regression_is_that_of_scikit_learn(table, monkeypatch):
    monkeypatch.setattr(fitted, "SLOPES", Cases(two=(0.01,), more=(0.01,)))
    X, y = table
    peer = make_pipeline(StandardScaler(), LogisticRegression(C=1 / (0.01 * 120), tol=1e-10)).fit(X, y)
    found = fit_linear(class_data_of(X, y)).probability(X)
    np.testing.assert_allclose(found, peer.predict_proba(X), atol=1e-3)


@pytest.mark.parametrize("table", [plane(p=60, noise=2.0), rays(p=60, noise=1.0)], ids=["two", "classes"])
def test_the_ridge_has_the_lowest_loss(table, monkeypatch):
    data, losses = class_data_of(*table), []
    chosen = fit_linear(data)
    for ridge in fitted.SLOPES.of(data.n_classes):
        monkeypatch.setattr(fitted, "SLOPES", Cases(two=(ridge,), more=(ridge,)))
        losses.append(mean_loss(fit_linear(data).held_out, data.folds))
    assert mean_loss(chosen.held_out, data.folds) == pytest.approx(min(losses), rel=1e-3)
    assert min(losses) < max(losses) - 1e-3


def test_soft_networks_have_the_decay_with_the_lowest_loss(monkeypatch):
    data, losses = class_data_of(*rays(p=60, noise=1.0)), []
    how = fitted.SoftSchedule(units=6, starts=2, steps=40, decays=(1e-1, 1e-2, 1e-4))
    for n in (1, 2, 3):  # the decay falls from the first on
        some = fitted.SoftSchedule(how.units, how.starts, how.steps, how.decays[:n])
        monkeypatch.setattr(fitted, "SOFT", Cases(two=some, more=some))
        teacher = fit_soft_networks(data, seed=0)
        losses.append(mean_loss(teacher.held_out, data.folds))
    assert losses[-1] == min(losses)
    assert len(teacher.probability.weights) == 2


# The choice


@pytest.mark.parametrize("table", [plane(p=60), blobs(p=60)], ids=["two", "classes"])
def test_the_choice_has_the_lowest_loss_of_all_teachers_and_their_means(table):
    data = class_data_of(*table)
    singles = [fit(data) for fit in TEACHERS]
    losses = []
    for mask in range(1, 16):
        some = [teacher for k, teacher in enumerate(singles) if mask >> k & 1]
        parts = zip(*(teacher.held_out for teacher in some), strict=True)
        losses.append(mean_loss([np.mean(part, axis=0) for part in parts], data.folds))
    chosen = choose_teacher(data, singles[0], seed=0)
    assert mean_loss(chosen.held_out, data.folds) == pytest.approx(min(losses), rel=1e-9)
    parts = [one for one in singles if one.name in chosen.name.split(" + ")]
    expected = np.mean([one.probability(data.rows) for one in parts], axis=0)
    np.testing.assert_allclose(chosen.probability(data.rows), expected)
