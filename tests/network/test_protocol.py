"""What one network and several answer alike, by one pass and by many."""

from dataclasses import replace

import numpy as np
import pytest

from netlines.network import AnyNetwork, Network, Networks, Part
from netlines.network.probability import Calibration, most_probable
from netlines.network.readout import ONE

X = 2.0 * np.random.default_rng(0).standard_normal((60, 2))


def calibration(n_hidden, n_scores, rng, priors):
    shares = np.full(max(n_scores, 2), 1 / max(n_scores, 2))
    slopes, steps = rng.standard_normal((2, n_scores, n_hidden))
    return Calibration(np.zeros(n_scores), slopes, steps, np.ones(n_hidden), shares, priors or shares)


def one(n_classes, calibrated, priors=None, n_hidden=3, seed=0):
    rng = np.random.default_rng(seed)
    outputs = 1 if n_classes == 2 else n_classes
    own = calibration(n_hidden, outputs, rng, priors) if calibrated else None
    hidden, output = rng.standard_normal((n_hidden, 3)), rng.standard_normal((outputs, n_hidden + 1))
    return Network(hidden, output, list("abc")[:n_classes], calibration=own)


def tree(calibrated, priors=None):
    first, second = (one(2, calibrated, seed=seed) for seed in (1, 2))
    parts = Part("a", "bc", first), Part("b", "c", second)
    shares = np.full(3, 1 / 3) if calibrated else None
    return Networks("tree", list("abc"), parts, [(0, 1)], training_priors=shares, priors=priors)


VALUES = {
    "two classes": one(2, False),
    "two classes, calibrated": one(2, True),
    "two classes, other priors": one(2, True, [0.9, 0.1]),
    "a unit": one(2, True, n_hidden=1),
    "three outputs": one(3, False),
    "three outputs, calibrated": one(3, True),
    "three outputs, other priors": one(3, True, [0.8, 0.1, 0.1]),
    "a tree": tree(False),
    "a calibrated tree": tree(True),
    "a tree, other priors": tree(True, [0.8, 0.1, 0.1]),
}


@pytest.mark.parametrize("name", VALUES)
def test_one_pass_says_what_each_question_says(name):
    network = VALUES[name]
    said = network.forward(X)
    assert isinstance(network, AnyNetwork)
    np.testing.assert_array_equal(said.labels, network.answers(X))
    np.testing.assert_array_equal(network.classes[said.labels], network.predict(X))
    np.testing.assert_array_equal(said.scores, network.scores(X))
    np.testing.assert_array_equal(most_probable(said.scores), said.labels)
    assert said.scores.shape == ((60,) if network.readout is ONE else (60, network.n_classes))
    assert (said.probability is not None) == network.has_probability
    if network.has_probability:
        np.testing.assert_array_equal(said.probability, network.probability(X))
        np.testing.assert_allclose(said.probability.sum(axis=1), 1)
        np.testing.assert_array_equal(most_probable(said.probability), said.labels)
    else:
        np.testing.assert_array_equal(said.scores, network.decision(X))
    assert network.moved == ("other priors" in name)


@pytest.mark.parametrize("name", VALUES)
def test_the_parts_are_all_there_is(name):
    network = VALUES[name]
    weights = [part.network.hidden_weights for part in network.parts]
    np.testing.assert_array_equal(np.vstack(weights), network.hidden_weights)
    assert {label for part in network.parts for label in part.labels} == set(network.classes.tolist())
    same = network.with_networks([part.network for part in network.parts])
    np.testing.assert_array_equal(same.scores(X), network.scores(X))
    for part in network.parts:
        assert len(part.sides) == part.network.n_classes
        assert {label for side in part.sides for label in side} == part.labels


@pytest.mark.parametrize("name", VALUES)
def test_codes_decide_unless_other_priors_are_expected(name):
    network = VALUES[name]
    assert network.code_decides != network.moved
    plain = network.with_priors(None) if network.moved else network
    codes = plain.internal_representation(X)
    np.testing.assert_array_equal(plain.answers_of_codes(codes), plain.answers(X))


@pytest.mark.parametrize("name", VALUES)
def test_scores_are_read_alike_for_any_number_of_classes(name):
    network = VALUES[name]
    readout, scores = network.readout, network.scores(X)
    by_class = readout.by_class(scores)
    assert by_class.shape == (60, network.n_classes)
    np.testing.assert_array_equal(most_probable(by_class), most_probable(scores))
    others = (most_probable(scores) + 1) % network.n_classes
    np.testing.assert_array_equal(most_probable(readout.agreeing(scores, others)), others)
    if network.scheme is None:
        (part,) = network.parts
        assert len(readout.legend(part.sides)) == len(network.output_weights)


def test_one_network_is_the_part_of_itself():
    network = VALUES["two classes, other priors"]
    (part,) = network.parts
    assert part.network is network
    assert (part.negative, part.positive) == (("a",), ("b",))
    assert (network.scheme, network.trees) == (None, ())
    assert network.priors.tolist() == [0.9, 0.1]
    assert replace(network, calibration=None).priors is None
