"""Networks that decide together: naive loops over rows and parts as oracles, ties, probabilities, checks."""

import doctest
import pickle
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from netlines.network import networks as module
from netlines.network.network import PASS_ON, Network
from netlines.network.networks import Networks, Part
from netlines.network.probability import Calibration, expit
from netlines.network.schemes import Combined, hold_vote, sum_pairs, take_largest, walk_tree

CLASSES = ["a", "b", "c", "d"]
SHARES = np.array([0.1, 0.2, 0.3, 0.4])
HALVES = [0.5, 0.5]


def random_part(positive, negative, rng, calibrated=True):
    h = int(rng.integers(1, 4))
    hidden, output = rng.standard_normal((h, 3)), rng.standard_normal((1, h + 1))
    calibration = None
    if calibrated:
        numbers = rng.standard_normal(), *rng.standard_normal((3, h))
        calibration = Calibration(*numbers, HALVES, HALVES)
    network = Network(hidden, PASS_ON if h == 1 else output, [-1, 1], calibration=calibration)
    return Part(tuple(positive), tuple(negative), network, scale=rng.uniform(0.5, 3.0))


def random_tree(order, rng, calibrated):
    return [random_part(order[k], order[k + 1 :], rng, calibrated) for k in range(len(order) - 1)]


def make(scheme, seed=0, calibrated=True, voting="hard"):
    """Networks of four classes with random parts."""
    rng = np.random.default_rng(seed)
    trees = ()
    if scheme in ("tree", "vote"):
        orders = ["cadb", "bdca", "dabc", "acbd", "dcba"][: 1 if scheme == "tree" else 5]
        parts = [part for order in orders for part in random_tree(order, rng, calibrated)]
        trees = [tuple(range(3 * t, 3 * t + 3)) for t in range(len(orders))]
    elif scheme == "wta":
        order = rng.permutation(4)
        parts = [random_part(CLASSES[i], [*CLASSES[:i], *CLASSES[i + 1 :]], rng, calibrated) for i in order]
    else:
        pairs = rng.permutation(list(combinations("abcd", 2)))
        pairs = [pair if rng.random() < 0.5 else pair[::-1] for pair in pairs]
        parts = [random_part([first], [second], rng, calibrated) for first, second in pairs]
    return Networks(scheme, CLASSES, parts, trees, voting, training_priors=SHARES)


KINDS = [
    (scheme, calibrated, voting)
    for scheme in module.SCHEMES
    for calibrated in (True, False)
    for voting in (module.VOTING if scheme == "vote" else ["hard"])
]
X = 2.0 * np.random.default_rng(7).standard_normal((200, 2))


# The oracle: one row at a time, by the words of the docstring


def says(part, row):
    """The margin of a part, and its chance of +1."""
    if part.network.calibration is None:
        m = float(part.network.decision(row[None])[0])
        return m, expit(2 * m / part.scale)
    m = float(part.network.scores(row[None])[0])
    return m, expit(m)


def walk(networks, tree, row):
    """The answer, the smallest margins and the products along the paths of a tree."""
    smallest, product, answer = {}, {}, None
    least, chance = np.inf, 1.0
    for k in tree:
        part = networks.parts[k]
        (label,) = part.positive
        m, p = says(part, row)
        smallest[label], product[label] = min(least, m), chance * p
        least, chance = min(least, -m), chance * (1 - p)
        if m >= 0 and answer is None:
            answer = label
    (last,) = part.negative
    smallest[last], product[last] = least, chance
    return answer or last, smallest, product


def naive(networks, row):
    """The answer, and the decision and the chance of each class before they are made to agree."""
    if networks.scheme == "tree":
        return walk(networks, networks.trees[0], row)
    if networks.scheme == "vote":
        walks = [walk(networks, tree, row) for tree in networks.trees]
        mean = {label: np.mean([product[label] for _, _, product in walks]) for label in CLASSES}
        votes = {label: sum(answer == label for answer, _, _ in walks) for label in CLASSES}
        if networks.voting == "confidence":
            return max(CLASSES, key=mean.get), mean, mean
        first = networks.learning_sequences[0]
        answer = max(CLASSES, key=lambda label: (votes[label], mean[label], -first.index(label)))
        return answer, {label: votes[label] + 0.999 * mean[label] for label in CLASSES}, mean
    if networks.scheme == "wta":
        sums, chances = ({part.positive[0]: says(part, row)[i] for part in networks.parts} for i in (0, 1))
        total = sum(chances.values())
        return max(CLASSES, key=sums.get), sums, {label: p / total for label, p in chances.items()}
    shares, inverse = dict.fromkeys(CLASSES, 0.0), dict.fromkeys(CLASSES, 2.0 - len(CLASSES))
    for part in networks.parts:
        p = says(part, row)[1]
        for label, chance in ((part.positive[0], p), (part.negative[0], 1 - p)):
            shares[label] += chance / len(networks.parts)
            inverse[label] += 1 / np.clip(chance, 1e-9, 1 - 1e-9)
    total = sum(1 / one for one in inverse.values())
    won = {label: 0 for label in CLASSES}
    for part in networks.parts:
        won[part.positive[0] if says(part, row)[1] >= 0.5 else part.negative[0]] += 1
    champions = [label for label in CLASSES if won[label] == len(CLASSES) - 1]
    answer = champions[0] if champions else max(CLASSES, key=shares.get)
    if champions:
        shares[answer] = max(shares.values())
    return answer, shares, {label: 1 / one / total for label, one in inverse.items()}


@pytest.mark.sample(12)
@pytest.mark.parametrize(("scheme", "calibrated", "voting"), KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_the_answers_are_those_of_naive_loops(scheme, calibrated, voting, seed):
    networks = make(scheme, seed, calibrated, voting)
    decision, answers = networks.decision(X), networks.predict(X)
    assert decision.shape == (200, 4)
    for row, found, answer in zip(X, decision, answers, strict=True):
        expected, scores, _ = naive(networks, row)
        assert answer == expected
        np.testing.assert_allclose(found, [scores[label] for label in CLASSES], rtol=1e-6, atol=1e-9)
    np.testing.assert_array_equal(networks.classes[decision.argmax(axis=1)], answers)
    assert len(set(answers)) > 1


@pytest.mark.parametrize(("scheme", "calibrated", "voting"), KINDS)
def test_probabilities_are_those_of_naive_loops_and_agree_with_the_answer(scheme, calibrated, voting):
    networks = make(scheme, 1, calibrated, voting)
    if not calibrated:
        with pytest.raises(ValueError, match="not all of these networks have a calibration"):
            networks.probability(X)
        return
    p = networks.probability(X)
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-12)
    np.testing.assert_array_equal(networks.classes[p.argmax(axis=1)], networks.predict(X))
    for row, found in zip(X, p, strict=True):
        answer, _, chances = naive(networks, row)
        chances[answer] = max(chances.values())
        expected = np.array([chances[label] for label in CLASSES])
        np.testing.assert_allclose(found, expected / expected.sum(), rtol=1e-6, atol=1e-9)


def test_a_tree_may_answer_another_class_than_the_most_probable_path():
    """The reason why probabilities are made to agree: here it happens."""
    found = walk_tree(np.array([[-0.4, 0.1]]), np.array([[0.4, 0.55]]), np.array([2, 0, 1]))
    np.testing.assert_array_equal(found.answers, [0])
    np.testing.assert_allclose(found.chances, [[0.33, 0.27, 0.4]])
    np.testing.assert_allclose(found.scores, [[0.1, -0.1, -0.4]])


# Small cases by hand


def line(bias, slope, labels=(0, 1), **more):
    return Network([[bias, slope]], PASS_ON, labels, **more)


def test_a_margin_of_zero_ends_the_walk():
    """The second path then has a margin of 0 too; the answer is still the first class of the sequence."""
    parts = Part("b", "ca", line(0.0, 1.0)), Part("c", "a", line(1.0, 0.0))
    tree = Networks("tree", ["a", "b", "c"], parts, [(0, 1)])
    zero = np.zeros((1, 1))
    np.testing.assert_array_equal(tree.predict(zero), ["b"])
    assert tree.decision(zero).argmax() == 1
    np.testing.assert_allclose(tree.decision(zero), [[-1.0, 0.0, 0.0]], atol=1e-8)


def by_hand(*answers_and_chances):
    rows = [np.array([chances]) for _, chances in answers_and_chances]
    return [
        Combined(np.array([answer]), row, row)
        for (answer, _), row in zip(answers_and_chances, rows, strict=True)
    ]


def test_a_tied_vote_goes_to_the_larger_mean_chance_then_to_the_first_sequence():
    first = np.array([2, 0, 1])
    trees = by_hand((0, [0.5, 0.2, 0.3]), (1, [0.1, 0.6, 0.3]), (2, [0.3, 0.3, 0.4]))
    found = hold_vote(trees, first, confidence=False)
    np.testing.assert_array_equal(found.answers, [1])  # mean chances 0.3, 0.37 and 0.33
    np.testing.assert_allclose(found.scores - 1, 0.999 * np.array([[0.9, 1.1, 1.0]]) / 3)
    even = by_hand((0, [1 / 3] * 3), (1, [1 / 3] * 3), (2, [1 / 3] * 3))
    np.testing.assert_array_equal(hold_vote(even, first, confidence=False).answers, [2])
    np.testing.assert_array_equal(hold_vote(even, first[::-1], confidence=True).answers, [1])


def test_votes_count_more_than_chances_only_in_a_hard_vote():
    trees = by_hand((0, [0.51, 0.49]), (0, [0.51, 0.49]), (1, [0.01, 0.99]))
    order = np.array([0, 1])
    np.testing.assert_array_equal(hold_vote(trees, order, confidence=False).answers, [0])
    np.testing.assert_array_equal(hold_vote(trees, order, confidence=True).answers, [1])


@pytest.mark.parametrize("voting", module.VOTING)
def test_a_vote_of_one_tree_is_the_tree(voting):
    tree = make("tree")
    vote = replace(tree, scheme="vote", voting=voting)
    np.testing.assert_array_equal(vote.decision(X), tree.decision(X))
    np.testing.assert_array_equal(vote.probability(X), tree.probability(X))


def test_the_first_class_of_equal_outputs_takes_all():
    found = take_largest(np.array([[1.0, 2.0, 2.0]]), np.array([[0.2, 0.4, 0.2]]), [0, 2, 1])
    np.testing.assert_array_equal(found.answers, [1])
    np.testing.assert_array_equal(found.scores, [[1.0, 2.0, 2.0]])
    np.testing.assert_allclose(found.chances, [[0.25, 0.25, 0.5]])


def test_pairs_are_summed():
    pairs = [(0, 1), (1, 2), (2, 0)]
    found = sum_pairs(np.array([[0.75, 0.5, 0.5]]), pairs, 3)
    np.testing.assert_allclose(found.scores, [[1.25 / 3, 0.75 / 3, 1 / 3]])
    np.testing.assert_array_equal(found.answers, [0])
    np.testing.assert_array_equal(sum_pairs(np.full((1, 3), 0.5), pairs, 3).answers, [0])


@pytest.mark.parametrize("scheme", module.SCHEMES)
def test_margins_of_any_size_give_numbers(scheme):
    for rows in (1e90 * X[:20], np.zeros((1, 2)), X[:5].astype(np.float32), np.empty((0, 2))):
        for networks in (make(scheme), make(scheme, calibrated=False)):
            assert np.isfinite(networks.decision(rows)).all()
            assert len(networks.predict(rows)) == len(rows)
        assert np.isfinite(make(scheme).probability(rows)).all()


@pytest.mark.parametrize("scheme", module.SCHEMES)
def test_parts_with_and_without_a_calibration_decide_together(scheme):
    networks = make(scheme)
    (first, *rest) = networks.parts
    bare = replace(first, network=replace(first.network, calibration=None))
    mixed = replace(networks, parts=(bare, *rest))
    assert not mixed.has_probability
    for row, answer in zip(X, mixed.predict(X), strict=True):
        assert answer == naive(mixed, row)[0]


def test_a_sum_of_the_size_of_the_scale_has_the_log_odds_2():
    unit = Part("a", "b", line(0.0, 1.0), scale=5.0)
    rows = np.array([[5.0], [-5.0], [0.0]])
    np.testing.assert_array_equal(unit.margin(rows), [5.0, -5.0, 0.0])
    np.testing.assert_allclose(unit.chance(unit.margin(rows)), expit(np.array([2.0, -2.0, 0.0])))
    plain = Part("a", "b", line(0.0, 1.0))
    np.testing.assert_allclose(plain.chance(plain.margin(rows)), expit(rows[:, 0]))


# What is counted and named


@pytest.mark.parametrize("scheme", module.SCHEMES)
def test_sizes_are_sums_over_the_parts(scheme):
    networks = make(scheme)
    for name in ("n_hidden", "n_weights", "n_nonzero"):
        assert getattr(networks, name) == sum(getattr(part.network, name) for part in networks.parts)
    assert (networks.n_classes, networks.n_features, networks.feature_names) == (4, 2, None)
    states = networks.internal_representation(X)
    assert states.shape == (200, networks.n_hidden)
    own = networks.parts[0].network.internal_representation(X)
    np.testing.assert_array_equal(states[:, : own.shape[1]], own)


def test_a_shared_part_is_counted_once():
    rng = np.random.default_rng(0)
    first = random_part("a", "bc", rng)
    parts = first, random_part("b", "c", rng), random_part("c", "b", rng)
    vote = Networks("vote", ["a", "b", "c"], parts, [(0, 1), (0, 2), (0, 1)])
    assert vote.n_hidden == sum(part.network.n_hidden for part in parts)
    assert vote.learning_sequences == (("a", "b", "c"), ("a", "c", "b"), ("a", "b", "c"))


def test_learning_sequences_are_labels():
    assert make("tree").learning_sequences == (("c", "a", "d", "b"),)
    assert make("pairs").learning_sequences == ()


def test_numpy_labels_become_plain_ones():
    classes = np.array([10, 20, 30])
    parts = Part(classes[:1], classes[1:], line(0, 1)), Part(classes[1:2], classes[2:], line(0, -1))
    networks = Networks("tree", classes, parts, np.array([[0, 1]]))
    assert [type(label) for label in networks.parts[0].negative] == [int, int]
    assert networks.trees == ((0, 1),)
    assert networks.learning_sequences == ((10, 20, 30),)
    assert networks.predict(np.array([[1.0]])).dtype == classes.dtype


def test_inputs_can_be_renamed():
    named = make("pairs").with_feature_names(["left", "right"])
    assert named.feature_names == ("left", "right")
    assert all(part.network.feature_names == ("left", "right") for part in named.parts)
    assert named.with_feature_names(None).feature_names is None
    np.testing.assert_array_equal(named.predict(X), make("pairs").predict(X))
    with pytest.raises(ValueError, match="feature_names must name 2 inputs, got 3"):
        named.with_feature_names("abc")


# Priors


@pytest.mark.parametrize("scheme", module.SCHEMES)
def test_other_priors_follow_the_rule_of_bayes(scheme):
    networks = make(scheme, 2)
    assert not networks.moved
    moved = networks.with_priors({"b": 0.7, "a": 0.1, "d": 0.1, "c": 0.1})
    assert moved.moved
    joint = networks.probability(X) * [1.0, 3.5, 1 / 3, 0.25]
    np.testing.assert_allclose(moved.probability(X), joint / joint.sum(axis=1, keepdims=True), rtol=1e-9)
    np.testing.assert_array_equal(moved.predict(X), moved.classes[moved.probability(X).argmax(axis=1)])
    assert (moved.predict(X) != networks.predict(X)).any()
    np.testing.assert_array_equal(moved.decision(X), networks.decision(X))
    again = moved.with_priors(None)
    assert not again.moved
    np.testing.assert_array_equal(again.predict(X), networks.predict(X))


def test_priors_need_probabilities_and_the_shares_of_the_training_rows():
    with pytest.raises(ValueError, match="no priors"):
        make("tree", calibrated=False).with_priors([0.25] * 4)
    unknown = replace(make("tree"), training_priors=None, priors=None)
    with pytest.raises(ValueError, match="do not know the shares"):
        unknown.with_priors([0.25] * 4)
    with pytest.raises(ValueError, match=r"priors=.*classes a, b, c and d"):
        make("tree").with_priors([0.5, 0.5])


# A frozen value


@pytest.mark.parametrize(("scheme", "calibrated", "voting"), KINDS)
def test_pickling_keeps_everything_and_the_frozen_arrays(scheme, calibrated, voting):
    networks = make(scheme, 0, calibrated, voting)
    again = pickle.loads(pickle.dumps(networks))
    np.testing.assert_array_equal(again.decision(X), networks.decision(X))
    assert (again.scheme, again.voting, again.trees) == (networks.scheme, networks.voting, networks.trees)
    for array in (again.classes, again.training_priors, again.priors, again.parts[0].network.hidden_weights):
        assert not array.flags.writeable


def test_arrays_are_copied_and_frozen():
    shares = SHARES.copy()
    networks = replace(make("tree"), training_priors=shares, priors=None)
    shares[0] = 5.0
    assert networks.priors[0] == networks.training_priors[0] == 0.1
    with pytest.raises(ValueError, match="read-only"):
        networks.classes[0] = "z"
    with pytest.raises(AttributeError, match="scheme"):
        networks.scheme = "vote"
    with pytest.raises(AttributeError, match="positive"):
        networks.parts[0].positive = ()


# Checks


def two_inputs(**more):
    return Network(np.ones((1, 3)), PASS_ON, [0, 1], **more)


def three_outputs():
    return Network(np.ones((1, 3)), np.ones((3, 2)), ["a", "b", "c"])


MOVED = Calibration(0.0, [1.0], [0.0], [0.0], HALVES, [0.9, 0.1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((), "a", two_inputs()), "positive must have at least one label"),
        (("a", (), two_inputs()), "negative must have at least one label"),
        (("ab", "bc", two_inputs()), "either positive or negative, got both for b"),
        (("a", "b", three_outputs()), "separates all classes of a larger one, got 'a' against 'b'"),
        (("ab", (), three_outputs()), "separates all classes of a larger one, got 'a', 'b' against"),
        (("a", "b", two_inputs(), 0.0), "scale must be a positive number, got 0.0"),
        (("a", "b", two_inputs(), np.nan), "scale must be a positive number, got nan"),
    ],
)
def test_a_part_that_cannot_be_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Part(*arguments)


def test_a_part_with_priors_of_its_own_is_refused():
    part = Part("a", "b", two_inputs(calibration=MOVED))
    with pytest.raises(ValueError, match="keeps the priors of its training rows"):
        Networks("wta", ["a", "b"], (part, part))


def test_a_network_with_an_output_for_each_class_is_a_part_of_them_all():
    part = Part(("a", "b", "c"), (), three_outputs())
    assert part.labels == {"a", "b", "c"}


def parts_of(*names, network=None):
    return [Part(*name.split("|"), network or two_inputs()) for name in names]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scheme": "forest"}, "scheme must be among tree, vote, wta, pairs, got 'forest'"),
        ({"voting": "soft"}, "voting must be among hard, confidence, got 'soft'"),
        ({"classes": ["a", "b", "b"]}, "classes must be at least 2 different labels"),
        ({"classes": ["a"]}, "classes must be at least 2 different labels"),
        ({"parts": ()}, "at least one network"),
        ({"parts": parts_of("a|bx", "b|c")}, r"parts\[0\] has the label 'x'"),
        ({"trees": ()}, "'tree' must have one tree, got 0"),
        ({"trees": ((0, 1), (0, 1))}, "'tree' must have one tree, got 2"),
        ({"scheme": "vote", "trees": ((0, 1), (0, 1))}, "odd number of trees, so that two never tie, got 2"),
        ({"scheme": "vote", "trees": ()}, "odd number of trees"),
        ({"trees": ((0,),)}, r"trees\[0\] must be 2 numbers of parts from 0 to 1, got \(0,\)"),
        ({"trees": ((0, 2),)}, "must be 2 numbers of parts from 0 to 1"),
        ({"trees": ((0, -1),)}, "must be 2 numbers of parts from 0 to 1"),
        (
            {"trees": ((1, 0),)},
            r"trees\[0\]: parts\[1\] must separate one class from the others among a, b, c, got 'b' ag.* 'c'",
        ),
        ({"parts": parts_of("ab|c", "a|b")}, "got 'a', 'b' against 'c'"),
        ({"parts": parts_of("a|bc", "b|c", "c|b")}, r"every part must be in a tree, parts \[2\] are in none"),
        ({"scheme": "wta"}, "the scheme 'wta' has no trees, got 1"),
        ({"scheme": "wta", "trees": ()}, r"parts\[1\] must separate one class from all others"),
        (
            {"scheme": "wta", "trees": (), "parts": parts_of("a|bc", "b|ac", "a|cb")},
            "one for each of the 3 classes, got 3 parts",
        ),
        ({"scheme": "wta", "trees": (), "parts": parts_of("a|bc", "b|ac")}, "3 classes, got 2 parts"),
        ({"scheme": "pairs", "trees": ()}, r"parts\[0\] must separate two classes, got 'a' against 'b', 'c'"),
        ({"scheme": "pairs", "trees": (), "parts": parts_of("a|b", "b|c")}, "each of the 3 pairs"),
        ({"scheme": "pairs", "trees": (), "parts": parts_of("a|b", "b|a", "b|c")}, "each of the 3 pairs"),
        ({"priors": [0.5, 0.25, 0.25]}, "priors need training_priors"),
        ({"training_priors": HALVES}, r"training_priors must be 3 positive numbers .* got \[0.5, 0.5\]"),
        ({"training_priors": [0.5, 0.5, 0.0]}, "training_priors must be 3 positive numbers"),
        (
            {"training_priors": [0.5, 0.3, 0.2], "priors": [1.0, 1.0, 1.0]},
            "priors must be 3 positive numbers",
        ),
        ({"training_priors": [0.5, 0.3, 0.2], "priors": [0.2, 0.3, 0.5]}, "need a calibration of every part"),
        (
            {"parts": parts_of("a|bc") + parts_of("b|c", network=line(0.0, 1.0))},
            r"n_features must be equal: parts\[1\] has 1, parts\[0\] 2",
        ),
        (
            {"parts": parts_of("a|bc") + parts_of("b|c", network=two_inputs(feature_names=("u", "v")))},
            r"feature_names must be equal: parts\[1\] has \('u', 'v'\), parts\[0\] None",
        ),
    ],
)
def test_parts_that_do_not_fit_the_scheme_are_refused(changes, message):
    arguments = {
        "scheme": "tree",
        "classes": ["a", "b", "c"],
        "parts": parts_of("a|bc", "b|c"),
        "trees": ((0, 1),),
    }
    Networks(**arguments)
    with pytest.raises(ValueError, match=message):
        Networks(**{**arguments, **changes})


def test_the_example_runs():
    assert doctest.testmod(module).failed == 0
