"""Networks of signs by small steps: slopes against differences, and what is learnt."""

import numpy as np
import pytest

from netlines.training import descent
from netlines.training.descent import Descent, descend
from netlines.training.geometry import unit_rows


def slopes_of(A, V, x, t, gain, signs):
    """Return the slopes of hidden and output weights."""
    how = Descent(steps=1, batch=len(x), decay=0.0)
    network = descent._Network(len(A), A.shape[1], len(V), how, np.random.default_rng(0))
    network.A[:], network.V[:] = A, V
    network.find_slopes(x.astype(np.float32), t.astype(np.float32), np.float32(gain), signs)
    return network.to_A.copy(), network.to_V.copy()


@pytest.mark.parametrize("outputs", [1, 5])
def test_slopes_are_those_of_the_cross_entropy(outputs):
    rng = np.random.default_rng(0)
    A, V, x = rng.standard_normal((3, 4)), rng.standard_normal((outputs, 4)), rng.standard_normal((20, 4))
    t = rng.dirichlet(np.ones(max(outputs, 2)), 20)[:, -outputs:]

    def cost(A, V):
        f = V[:, 0] + np.tanh(2.0 * x @ A.T) @ V[:, 1:].T
        total = np.log(np.exp(f).sum(axis=1) + (outputs == 1))
        return (total - (t * f).sum(axis=1)).mean()

    for weights, slopes in zip((A, V), slopes_of(A, V, x, t, 2.0, False), strict=True):
        for k in np.ndindex(weights.shape):
            before, costs = weights[k], []
            for step in (1e-6, -1e-6):
                weights[k] = before + step
                costs.append(cost(A, V))
            weights[k] = before
            assert slopes[k] == pytest.approx((costs[0] - costs[1]) / 2e-6, abs=1e-5)


@pytest.mark.parametrize("outputs", [1, 3])
def test_signs_answer_and_tanh_slopes(outputs):
    x, t = np.array([[1.0, 0.3]]), np.eye(1, outputs)
    A, V = np.array([[0.0, 1.0]]), np.zeros((outputs, 2))
    V[0, 1] = 1.0
    hidden, slopes = slopes_of(A, V, x, t, 1.0, True)
    p = 1 / (1 + (outputs - 1 or 1) * np.exp(-1.0))  # of the first, as the state is 1, not tanh 0.3
    assert slopes[0, 1] == pytest.approx(p - 1)
    np.testing.assert_allclose(hidden, (p - 1) * (1 - np.tanh(0.3) ** 2) * x, rtol=1e-5)


def test_planted_hyperplanes_are_found():
    rng = np.random.default_rng(0)
    X = np.vstack([np.ones(1000), rng.standard_normal((3, 1000))])
    hidden = unit_rows(rng.standard_normal((2, 4)))
    classes = ((hidden @ X >= 0) * [[1], [2]]).sum(axis=0)
    how = Descent(steps=1500, batch=128, decay=1e-4)
    A, V = descend(X, np.eye(4)[:, classes], np.full(1000, 1e-3), 2, how, np.random.default_rng(1))
    answers = (V[:, :1] + V[:, 1:] @ np.where(A @ X >= 0, 1, -1)).argmax(axis=0)
    assert (answers == classes).mean() > 0.97
    assert np.abs(unit_rows(A) @ hidden.T).max(axis=0).min() > 0.99


def test_patterns_are_drawn_by_their_share():
    share = np.array([0.5, 0.25, 0.25, 0.0])
    drawn = np.concatenate(list(descent._draw(share, Descent(100, 8, 0.0), np.random.default_rng(0))))
    np.testing.assert_array_equal(np.bincount(drawn, minlength=4), [400, 200, 200, 0])


def test_rate_and_gain_follow_the_plan():
    how = Descent(steps=100, batch=1, decay=0.0)
    assert how.at(0) == (1.0, 0.05, False)
    assert how.at(80)[0] == how.at(99)[0] == pytest.approx(16.0)
    assert [how.at(step)[2] for step in (70, 71)] == [False, True]
    assert how.at(99)[1] < 1e-4
