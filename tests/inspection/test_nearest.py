"""The nearest flip: it flips, it is needed in full, nothing nearer flips, and limits hold."""

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize

from netlines import MinimerrorClassifier, NetLinesClassifier, NetLinesClassifierCV, explain
from netlines.datasets import (
    load_breast_cancer_wisconsin,
    load_iris,
    load_monks,
    load_pima_diabetes,
    load_sonar,
)
from netlines.inspection.nearest import nearest_other, search_other
from netlines.network.background import describe
from netlines.network.network import PASS_ON, Network
from netlines.network.networks import Networks, Part
from netlines.network.probability import Calibration


def assert_flips(network, x, flip, classes=None):
    """Assert that the whole change gives another answer and 99 % of it do not."""
    present = network.predict(x[None])[0]
    wanted = [label for label in network.classes if label != present] if classes is None else classes
    assert network.predict(flip.row[None])[0] == flip.label
    assert flip.label in wanted
    assert network.predict((x + 0.99 * flip.change)[None])[0] not in wanted
    np.testing.assert_array_equal(flip.change, flip.row - x)
    np.testing.assert_allclose(flip.norm, np.linalg.norm(flip.change / network.surroundings.scale))


def random_network(rng, n_classes=2, H=None, N=None):
    H, N = H or int(rng.integers(1, 6)), N or int(rng.integers(1, 5))
    weights = rng.standard_normal((H, N + 1)) * 10.0 ** rng.integers(-6, 6, (H, 1))
    output = rng.integers(-2, 3, (1 if n_classes == 2 else n_classes, H + 1)).astype(float)
    return Network(weights, PASS_ON if H == 1 and n_classes == 2 else output, list("abc")[:n_classes])


def random_calibration(rng, H):
    steepness = rng.choice([1.0, 3.0], H)
    return Calibration(rng.normal(), rng.standard_normal(H), rng.random(H), steepness, [0.5, 0.5], [0.5, 0.5])


def random_parts(rng, scheme, calibrated):
    def part(positive, negative):
        H = int(rng.integers(1, 4))
        weights, output = rng.standard_normal((H, 4)), rng.standard_normal((1, H + 1))
        calibration = random_calibration(rng, H) if calibrated else None
        network = Network(weights, PASS_ON if H == 1 else output, ["-", "+"], calibration=calibration)
        return Part(positive, negative, network)

    if scheme == "wta":
        return Networks("wta", list("abc"), [part(a, b) for a, b in (("a", "bc"), ("b", "ac"), ("c", "ab"))])
    if scheme == "pairs":
        return Networks("pairs", list("abc"), [part(a, b) for a, b in (("a", "b"), ("a", "c"), ("b", "c"))])
    orders = ("abc",) if scheme == "tree" else ("abc", "bca", "cab")
    parts = [one for o in orders for one in (part(o[0], o[1:]), part(o[1], o[2]))]
    trees = [(2 * k, 2 * k + 1) for k in range(len(orders))]
    return Networks(scheme, list("abc"), parts, trees=trees)


def nearest_by_enumeration(network, x, low, high):
    """Return the smallest norm by a projection on the domain of each code by SLSQP."""
    weights = network.hidden_weights / np.linalg.norm(network.hidden_weights[:, 1:], axis=1, keepdims=True)
    codes = np.array(list(product((-1.0, 1.0), repeat=network.n_hidden)))
    answers = network.classes[network.answers_of_codes(codes)]
    best = np.inf
    for code in codes[answers != network.predict(x[None])[0]]:
        G, right = code[:, None] * weights[:, 1:], -code * (weights[:, 0] + weights[:, 1:] @ x)
        found = minimize(
            lambda d: d @ d / 2,
            np.zeros(len(x)),
            jac=lambda d: d,
            bounds=list(zip(low - x, high - x, strict=True)),
            constraints={"type": "ineq", "fun": lambda d, G=G, h=right: G @ d - h, "jac": lambda d, G=G: G},
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 200},
        )
        if found.success and (G @ found.x >= right - 1e-9).all():
            best = min(best, np.linalg.norm(found.x))
    return best


def nearest_at_random(network, x, norm, rng, n=3000):
    """Return the smallest norm of random changes that change the answer, all smaller than a norm."""
    changes = rng.standard_normal((n, len(x)))
    changes *= (norm * rng.random(n) ** 0.5 / np.linalg.norm(changes, axis=1))[:, None]
    flips = network.predict(x + changes * network.surroundings.scale) != network.predict(x[None])[0]
    return np.linalg.norm(changes[flips], axis=1).min(initial=np.inf)


def test_one_hyperplane_is_a_projection():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 3)) * [1.0, 10.0, 0.1] + 5.0
    network = Network([[-3.0, 0.5, 0.02, 2.0]], PASS_ON, [0, 1], background=describe(X))
    for x in X[:10]:
        slopes = network.hidden_weights[0, 1:] * network.surroundings.scale
        step = -network.fields(x[None])[0, 0] * slopes / (slopes @ slopes)
        flip = nearest_other(network, x)
        assert_flips(network, x, flip)
        assert flip.exact
        np.testing.assert_allclose(flip.change, step * network.surroundings.scale, rtol=1e-7)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("limited", [False, True])
def test_it_is_the_smallest_of_all_codes(n_classes, limited):
    rng = np.random.default_rng(n_classes + 2 * limited)
    found = 0
    for _ in range(25):
        network = random_network(rng, n_classes)
        x = rng.standard_normal(network.n_features)
        reach = rng.random((2, len(x))) * 2 if limited else np.full((2, len(x)), 30.0)
        flip = nearest_other(network, x, low=x - reach[0], high=x + reach[1])
        best = nearest_by_enumeration(network, x, x - reach[0], x + reach[1])
        if flip is None:
            assert best == np.inf
            continue
        found += 1
        assert flip.exact
        assert_flips(network, x, flip)
        assert (flip.row >= x - reach[0]).all()
        assert (flip.row <= x + reach[1]).all()
        assert flip.norm <= best * (1 + 1e-6)  # SLSQP may stop before
        assert nearest_at_random(network, x, 0.999 * flip.norm, rng) == np.inf or limited
    assert found >= 8


def test_nothing_nearer_flips_among_hyperplanes_that_coincide():
    """Integers make parallel, equal and constant hyperplanes, rows on them, and limits on them."""
    rng = np.random.default_rng(0)
    found = 0
    for _ in range(200):
        H, N = int(rng.integers(2, 8)), int(rng.integers(1, 5))
        weights, output = rng.integers(-2, 3, (H, N + 1)), rng.integers(-2, 3, (1, H + 1))
        network = Network(weights.astype(float), output.astype(float), [0, 1])
        x = rng.integers(-2, 3, N).astype(float)
        low = np.where(rng.random(N) < 0.5, x - rng.integers(0, 3, N), -np.inf)
        flip = nearest_other(network, x, low=low)
        tried = np.clip(
            x + rng.standard_normal((500, N)) * rng.choice([0.1, 1.0, 5.0], (500, 1)), low, np.inf
        )
        inside = tried + np.where(tried == low, 1e-7, 0.0)
        other = 1 - network.predict(x[None])[0]
        flips = (network.predict(tried) == other) & (network.predict(inside) == other)
        nearest = np.linalg.norm(tried - x, axis=1)[flips].min(initial=np.inf)
        if flip is None:
            assert nearest == np.inf
            continue
        found += 1
        assert network.predict(flip.row[None])[0] == other
        assert (flip.row >= low).all()
        assert nearest >= 0.999 * flip.norm
    assert found > 100


@pytest.mark.parametrize("weight", [1e-300, 1e-200, 1.0, 1e200])
def test_the_size_of_the_weights_does_not_matter(weight):
    flip = nearest_other(Network([[-3 * weight, weight]], PASS_ON, [0, 1]), [1.0])
    assert flip.norm == pytest.approx(2.0, rel=1e-8)
    assert flip.exact


def test_units_that_never_change_change_nothing():
    network = Network([[-1.0, 0.0], [-2.0, 1.0], [-1e20, 1.0]], [[-0.5, 3.0, 1.0, 1.0]], [0, 1])
    assert nearest_other(network, [0.0]) is None
    free = replace(network, output_weights=[[3.5, 3.0, 1.0, 1.0]])
    assert nearest_other(free, [0.0]).norm == pytest.approx(2.0)


def test_a_row_on_a_hyperplane_needs_next_to_nothing():
    corner = Network([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [[1.0, 1.0, 1.0]], [0, 1])
    flip = nearest_other(corner, [0.0, 0.0])
    assert (flip.row < 0).all()
    assert flip.norm < 1e-12


def test_limits_belong_to_what_is_allowed():
    network = Network([[-3.0, 1.0]], PASS_ON, ["low", "high"])
    assert nearest_other(network, [1.0], high=[3.0]).row.tolist() == [3.0]  # sign(0) = +1
    assert nearest_other(network, [1.0], high=[2.999999]) is None
    assert nearest_other(network, [4.0], low=[3.0]) is None
    assert nearest_other(network, [4.0], low=[2.999]).row[0] < 3.0
    assert nearest_other(network, [1.0], low=[None], high=[np.inf]).label == "high"


def test_of_a_class_that_exists_only_on_hyperplanes_nothing_is_claimed():
    """sign(0) = +1: both units are +1 only where the sum is exactly 50, or whatever it is."""
    network = Network([[-50.0, 1.0, 1.0], [50.0, -1.0, -1.0]], [[-1.0, 1.0, 1.0]], ["no", "50"])
    for x, more in (([0.0, 0.0], {}), ([0.3, 0.1], {"features": [0]})):
        flip, exact = search_other(network, x, **more)
        assert not exact
        assert flip is None or flip.label == "50"
    assert search_other(network, [0.0, 0.0], high=[40.0, 9.0]) == (None, True)
    rng = np.random.default_rng(0)
    for _ in range(20):  # learned numbers: there may be no row that is exactly 0
        plane = rng.standard_normal(4)
        network = Network([plane, -plane], [[-1.0, 1.0, 1.0]], ["no", "on"])
        x = rng.standard_normal(3)
        flip, exact = search_other(network, x)
        if flip is None:
            assert not exact
            continue
        assert network.predict(flip.row[None])[0] == "on"
        apart = abs(plane[0] + plane[1:] @ x) / np.linalg.norm(plane[1:])
        assert flip.norm == pytest.approx(apart, rel=1e-6)


def test_no_point_of_a_grid_is_overlooked():
    """Small integers, opposite hyperplanes among them: exact is exact, also where a class has no interior."""
    rng = np.random.default_rng(0)
    exact_ones, without_interior = 0, 0
    for _ in range(150):
        H, N, C = int(rng.integers(2, 6)), int(rng.integers(1, 3)), int(rng.integers(2, 4))
        weights = rng.integers(-2, 3, (H, N + 1)).astype(float)
        weights[-1] = -weights[0] * rng.integers(1, 3)
        output = rng.integers(-2, 3, (1 if C == 2 else C, H + 1)).astype(float)
        network = Network(weights, output, list(range(C)), background=describe(rng.standard_normal((9, N))))
        x = rng.integers(-4, 5, N) / 2 if rng.random() < 0.5 else rng.standard_normal(N)
        low = np.where(rng.random(N) < 0.3, np.floor(x), -np.inf)
        grid = np.array(list(product(np.arange(-4, 4.5, 0.5), repeat=N)))
        grid = grid[(grid >= low).all(axis=1)]
        answers = network.predict(grid)
        around = network.predict(grid + 1e-3 * rng.standard_normal(grid.shape))
        for label in set(range(C)) - set(network.predict(x[None]).tolist()):
            flip, exact = search_other(network, x, classes=[label], low=low)
            norms = np.linalg.norm((grid[answers == label] - x) / network.surroundings.scale, axis=1)
            nearest = norms.min(initial=np.inf)
            exact_ones += exact
            without_interior += nearest < np.inf and not (around == label).any()
            if flip is not None:
                assert network.predict(flip.row[None])[0] == label
            if exact:
                assert nearest >= (np.inf if flip is None else flip.norm - 1e-8 * (1 + flip.norm))
            else:
                assert flip is None or not flip.exact
    assert exact_ones > 150
    assert without_interior > 5


def test_whether_none_is_exact_is_told(monkeypatch):
    never = Network([[1.0, 1.0], [2.0, 1.0]], [[5.0, 1.0, 1.0]], [0, 1])
    assert search_other(never, [0.0]) == (None, True)
    assert search_other(never, [0.0], classes=[1]) == (None, True)  # that is its answer
    far = Network([[1e20, 1.0], [1.0, 0.0]], [[0.0, 1.0, 0.1]], [0, 1])
    assert search_other(far, [0.0]) == (None, False)
    assert search_other(far, [0.0], low=[-1e6]) == (None, True)
    parts = [Part(a, b, never) for a, b in (("a", "bc"), ("b", "ac"), ("c", "ab"))]
    assert search_other(Networks("wta", list("abc"), parts), [0.0]) == (None, False)
    both = Network([[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]], [[-1.0, 1.0, 1.0]], [0, 1])
    assert search_other(both, [0.0, -1.0], high=[0.9, 5.0]) == (None, True)
    monkeypatch.setattr("netlines.inspection.nearest.search.BUDGET", 1)
    assert search_other(both, [0.0, -1.0], high=[0.9, 5.0]) == (None, False)


def test_a_change_of_next_to_nothing_is_not_shortened_for_ever():
    planes = np.array([[0.0, -1.0, -1.0, 2.0], [0.0, 1.0, 1.0, -2.0]])
    network = Network(np.vstack([planes, 2 * planes]), [[2.0, -1.0, 0.0, -2.0, 0.0]], [0, 1])
    flip = nearest_other(network, [-2.0, 2.0, 0.0], low=[-2.0, None, None], high=[-1.0, 3.0, None])
    assert 1e-20 < flip.norm < 1e-12


def test_only_the_features_that_may_change_do():
    rng = np.random.default_rng(3)
    network = Network(
        rng.standard_normal((3, 5)), [[0.5, 1.0, 1.0, 1.0]], [0, 1], feature_names=tuple("abcd")
    )
    for x in rng.standard_normal((20, 4)):
        everything, some = nearest_other(network, x), nearest_other(network, x, features=[1, "c"])
        assert_flips(network, x, some)
        assert some.change[[0, 3]].tolist() == [0.0, 0.0]
        assert some.norm >= everything.norm * (1 - 1e-6)
    assert nearest_other(network, x, features=[]) is None


def test_only_allowed_classes_are_the_new_answer():
    rng = np.random.default_rng(4)
    network = Network(rng.standard_normal((4, 3)), rng.standard_normal((3, 5)), list("abc"))
    for x in rng.standard_normal((30, 2)):
        present = network.predict(x[None])[0]
        others = [label for label in "abc" if label != present]
        flips = [nearest_other(network, x, classes=[label]) for label in others]
        for label, flip in zip(others, flips, strict=True):
            if flip is not None:
                assert_flips(network, x, flip, [label])
        nearest = min(flip.norm for flip in flips if flip is not None)
        assert nearest_other(network, x).norm == pytest.approx(nearest)
        assert nearest_other(network, x, classes=[present]) is None


def test_many_units_that_must_all_flip_are_found_by_the_bounds_of_the_output():
    H = 25
    network = Network(np.insert(np.eye(H), 0, 0.0, axis=1), [[1.0 - H, *np.ones(H)]], [0, 1])
    x = -np.linspace(1.0, 2.0, H)
    flip = nearest_other(network, x)
    assert flip.exact
    assert flip.norm == pytest.approx(np.linalg.norm(x))


def test_beyond_the_budget_it_is_still_a_flip(monkeypatch):
    rng = np.random.default_rng(5)
    network = Network(rng.standard_normal((10, 5)), rng.standard_normal((1, 11)), [0, 1])
    X = rng.standard_normal((10, 4))
    exact = [nearest_other(network, x) for x in X]
    monkeypatch.setattr("netlines.inspection.nearest.search.BUDGET", 1)
    rough = [nearest_other(network, x) for x in X]
    assert not all(flip.exact for flip in rough)
    for x, best, flip in zip(X, exact, rough, strict=True):
        assert_flips(network, x, flip)
        assert best.norm * (1 - 1e-6) <= flip.norm <= 1.5 * best.norm


@pytest.mark.sample(2)
@pytest.mark.parametrize("scheme", ["tree", "vote", "wta", "pairs"])
@pytest.mark.parametrize("calibrated", [False, True])
def test_networks_that_decide_together(scheme, calibrated):
    rng = np.random.default_rng(6)
    exact, beaten = 0, 0
    for _ in range(12):
        network, x = random_parts(rng, scheme, calibrated), rng.standard_normal(3)
        flip = nearest_other(network, x)
        if flip is None:
            assert nearest_at_random(network, x, 20.0, rng) == np.inf
            continue
        assert_flips(network, x, flip)
        exact += flip.exact
        lead = nearest_at_random(network, x, flip.norm, rng) / flip.norm
        assert lead > (0.999 if flip.exact else 0.9)
        beaten += lead < 0.99
    assert beaten <= 1
    assert exact >= {"tree": 10, "vote": 1}.get(scheme, 0)


SETS = {
    "breast cancer": load_breast_cancer_wisconsin,
    "diabetes": load_pima_diabetes,
    "sonar": load_sonar,
    "monks": lambda **more: load_monks(2, **more),
    "iris": load_iris,
}


@cache
def rows_and_model(name, kind):
    """Return all rows of a set and a classifier of some of them."""
    X, y = SETS[name](return_X_y=True)
    X = np.asarray(X, dtype=float)
    some = slice(None, None, -(-len(X) // 120))
    few = {"max_hidden": 4} if kind is NetLinesClassifierCV else {}
    return X, kind(random_state=0, **few).fit(X[some], y[some])


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("kind", [NetLinesClassifier, NetLinesClassifierCV])
def test_every_flip_flips_and_is_needed_in_full(name, kind):
    """Many more rows, and how long it takes: benchmarks/explain.py."""
    X, model = rows_and_model(name, kind)
    network = model.network_
    rng = np.random.default_rng(8)
    rows = X[rng.integers(len(X), size=40)] + 0.5 * X.std(axis=0) * rng.standard_normal((40, X.shape[1]))
    for x in rows:
        flip = nearest_other(network, x)
        assert_flips(network, x, flip)
        assert nearest_at_random(network, x, 0.999 * flip.norm, rng, 500) == np.inf or not flip.exact


def test_changed_priors_are_followed():
    X, model = rows_and_model("diabetes", NetLinesClassifierCV)
    network = model.network_.with_priors([0.2, 0.8])
    rng = np.random.default_rng(7)
    for x in X[:15]:
        flip = nearest_other(network, x)
        assert_flips(network, x, flip)
        assert not flip.exact
        assert nearest_at_random(network, x, 0.98 * flip.norm, rng) == np.inf


def test_what_is_wrong_is_named():
    network = Network([[-3.0, 1.0, 0.0]], PASS_ON, ["lo", "hi"], feature_names=("mass", "age"))
    with pytest.raises(ValueError, match=r"'mass' must lie within its limits 2 to inf, got 1"):
        nearest_other(network, [1.0, 0.0], low=[2.0, 0.0])
    with pytest.raises(ValueError, match=r"classes must be among \['lo', 'hi'\], got 'x'"):
        nearest_other(network, [1.0, 0.0], classes=["x"])
    with pytest.raises(ValueError, match="no input 'size'"):
        nearest_other(network, [1.0, 0.0], features=["size"])
    with pytest.raises(ValueError, match=r"classes must be among \['lo', 'hi'\], got 1"):
        nearest_other(network, [1.0, 0.0], classes=1)
    with pytest.raises(ValueError, match="low must be 2 numbers or None, one for each input, got 0"):
        nearest_other(network, [1.0, 0.0], low=0)
    with pytest.raises(ValueError, match="a limit in high must be a number, got 'a'"):
        nearest_other(network, [1.0, 0.0], high=["a", None])
    assert nearest_other(network, [1.0, 0.0], classes="hi", features="mass").row[1] == 0.0
    with pytest.raises(ValueError, match=r"high must be 2 numbers or None, got \[2\.0\]"):
        nearest_other(network, [1.0, 0.0], high=[2.0])


def test_the_nearest_other_answer_is_a_row_that_can_be_asked():
    far = Network([[-1.02e100, 1.0]], [[0.0, 1.0]], ["near", "far"])
    flip = nearest_other(far, [0.0])
    assert flip is None or abs(flip.row[0]) <= 1e100


def test_rows_beside_a_column_of_another_size_are_explained():
    """A weight of a column that does not change is 1e300 times the others'."""
    tiny = [
        [2.4352e-319, 0.0, 1.992715e-318, 0.0],
        [4.9377e-318, 5e-324, 9.2963e-320, 0.0],
        [4.17554e-318, 5e-324, 9.40854e-319, 5e-324],
        [5.4849e-319, 5e-324, 2.683854e-318, 0.0],
        [3.68386e-318, 0.0, 1.926174e-318, 0.0],
        [1.50168e-318, 0.0, 1.37356e-318, 0.0],
    ]
    clf = MinimerrorClassifier().fit(tiny, [1, 0, 1, 0, 0, 1], sample_weight=[1, 1, 1e-300, 1, 1, 1])
    for row, label in zip(tiny, clf.predict(tiny), strict=True):
        assert explain(clf, row, change="likely").label == label
