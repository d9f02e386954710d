"""Units in pairs and trees: what they are trained on, their probabilities, and networks made of them."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from class_data import class_data_of, contradictory_classes, held_out_examples, rays
from class_tables import blobs

from netlines.network.network import Network
from netlines.network.networks import Networks
from netlines.network.probability import agreeing, expit
from netlines.selection import units
from netlines.selection.assembly import assemble
from netlines.selection.calibration import calibrated, student_probabilities
from netlines.selection.choice import Choice
from netlines.selection.folds import folds_of_rows
from netlines.selection.students import Lessons, Student
from netlines.selection.teachers.fitted import fit_linear
from netlines.selection.teachers.teacher import log_losses
from netlines.selection.units import (
    LOGISTIC,
    PATH,
    Scheme,
    Setting,
    linear_candidate,
    train_units,
    trained,
    unit_candidates,
    unit_lines,
)
from netlines.training.calibration import fit_line, fit_logistic
from netlines.training.minimerror import unit_path
from netlines.training.threads import in_order

FEW = (Setting(0.1), Setting(0.01), Setting(None, 2.0, 3.0), Setting(None, np.inf, 10.0))
SCHEMES = pytest.mark.parametrize("scheme", [Scheme.pairs(3), Scheme.tree((2, 0, 1))], ids=["pairs", "tree"])


@pytest.fixture
def few(monkeypatch):
    """Try two ridges and two temperatures."""
    monkeypatch.setattr(units, "LOGISTIC", FEW[:2])
    monkeypatch.setattr(units, "PATH", FEW[2:])


def naive_probabilities(scheme, log_odds):
    """Return answer and probabilities of one row, by loops over the units."""
    p, chances = 1 / (1 + np.exp(-log_odds)), np.zeros(scheme.n_classes)
    if scheme.name == "tree":
        left, answer = 1.0, None
        for c, z, one in zip(scheme.order, log_odds, p, strict=False):
            chances[c], left = left * one, left * (1 - one)
            answer = c if answer is None and z >= 0 else answer
        chances[scheme.order[-1]] = left
        answer = scheme.order[-1] if answer is None else answer
    else:
        sums, inverse = np.zeros(scheme.n_classes), np.full(scheme.n_classes, 2.0 - scheme.n_classes)
        won = [0] * scheme.n_classes
        for ((a,), (b,)), one in zip(scheme.problems, p, strict=True):
            won[a if one >= 0.5 else b] += 1
            for c, chance in ((a, one), (b, 1 - one)):
                sums[c] += chance
                inverse[c] += 1 / chance
        champion = won.index(scheme.n_classes - 1) if scheme.n_classes - 1 in won else None
        answer, chances = int(np.argmax(sums)) if champion is None else champion, 1 / inverse
    chances[answer] = chances.max()
    return answer, chances / chances.sum()


# Schemes


def test_pairs_have_a_unit_for_each():
    scheme = Scheme.pairs(4)
    assert scheme.problems == tuple(((a,), (b,)) for a, b in combinations(range(4), 2))
    assert (scheme.name, scheme.n_classes, scheme.order) == ("pairs", 4, ())


def test_a_tree_separates_each_class_from_those_that_come_later():
    scheme = Scheme.tree([2, 0, 3, 1])
    assert scheme.problems == (((2,), (0, 3, 1)), ((0,), (3, 1)), ((3,), (1,)))
    assert (scheme.name, scheme.n_classes, scheme.order) == ("tree", 4, (2, 0, 3, 1))


@pytest.mark.parametrize(
    "scheme", [Scheme.pairs(3), Scheme.pairs(5), Scheme.tree((2, 0, 1)), Scheme.tree((3, 1, 0, 4, 2))]
)
def test_probabilities_are_those_of_plain_loops(scheme):
    log_odds = 3 * np.random.default_rng(0).standard_normal((200, len(scheme.problems)))
    p = scheme.probabilities(log_odds)
    assert p.shape == (200, scheme.n_classes)
    for found, row in zip(p, log_odds, strict=True):
        answer, expected = naive_probabilities(scheme, row)
        np.testing.assert_allclose(found, expected, rtol=1e-7)
        assert found.argmax() == answer


def test_settings_say_what_they_are():
    assert str(Setting(0.03)) == "logistic regression"
    assert str(Setting(None, 2.0, 3.2)) == "cold 4 of 9"
    assert str(Setting(None, np.inf, 32.0)) == "cold 9 of 9, errors count alike"


# Training


@pytest.mark.parametrize("problem", [((0,), (1,)), ((2,), (0, 1))], ids=["pair", "tree"])
def test_units_learn_the_rows_of_their_classes_alone(problem):
    data = class_data_of(*contradictory_classes(), np.linspace(0.5, 2, 60))
    found = train_units(data, data.all, problem, FEW)
    own = np.isin(data.all.labels, [*problem[0], *problem[1]])
    X = data.X[:, data.all.pattern[own]]
    targets = np.where(np.isin(data.all.labels[own], problem[0]), 1.0, -1.0)
    weights = data.all.weights[own]
    for k, setting in enumerate(FEW):
        if setting.ridge is not None:
            share = weights / weights.sum()
            expected = fit_logistic(X[1:].T, (targets > 0).astype(float), share, setting.ridge)[0]
        else:
            signed = np.ascontiguousarray(X * targets)
            expected = unit_path(signed, weights, np.array([setting.beta]), theta=setting.theta)[0][0]
            assert np.linalg.norm(found[k]) == pytest.approx(1)
        np.testing.assert_allclose(found[k], expected, rtol=1e-6, atol=1e-9)


def test_a_unit_without_one_of_its_classes_answers_with_the_other():
    data = class_data_of(*rays())
    one = data.folds[0].train
    no_0 = type(one)(*(part[one.labels != 0] for part in (one.pattern, one.labels, one.weights)))
    for problem, side in ((((0,), (1,)), -1), (((1,), (0,)), 1), (((0,), (1, 2)), -1)):
        logistic, path = train_units(data, no_0, problem, [Setting(0.1), Setting(None, 2.0, 3.0)])
        np.testing.assert_array_equal(logistic, [side * units.SURE, 0, 0, 0])
        np.testing.assert_array_equal(path, [side, 0, 0, 0])


@SCHEMES
def test_candidates_judge_what_they_have_not_seen(scheme, few):
    data = class_data_of(*contradictory_classes(), np.linspace(0.5, 2, 60))
    candidates = unit_candidates(data, scheme)
    targets, weights = held_out_examples(data)
    losses = []
    for setting in FEW:
        margins = np.column_stack(
            [
                np.concatenate(
                    [
                        train_units(data, fold.train, problem, [setting])[0] @ data.X[:, fold.test.pattern]
                        for fold in data.folds
                    ]
                )
                for problem in scheme.problems
            ]
        )
        log_odds = margins.copy()
        if setting.ridge is None:
            for k, (positive, negative) in enumerate(scheme.problems):
                own = np.isin(targets, [*positive, *negative])
                signs = np.where(np.isin(targets[own], positive), 1.0, -1.0)
                line = fit_line(margins[own, k], signs, weights[own])
                log_odds[:, k] = agreeing(line[0] + line[1] * margins[:, k], margins[:, k] >= 0)
        p = np.array([naive_probabilities(scheme, row)[1] for row in log_odds])
        losses.append(weights @ log_losses(p, targets))
        found = [one for one in candidates if one.setting == setting]
        if found:
            np.testing.assert_allclose(np.concatenate(found[0].held_out), p, rtol=1e-5, atol=1e-8)
    assert [one.setting for one in candidates] == [FEW[int(np.argmin(losses[:2]))], *FEW[2:]]
    for one in candidates:
        assert (one.n_hidden, one.n_weights) == (len(scheme.problems), 3 * len(scheme.problems))
        assert [len(part) for part in one.held_out] == [len(fold.test.pattern) for fold in data.folds]
        cold = f"{scheme.name} of hyperplanes ({one.setting})"
        assert one.name == (f"{scheme.name} of logistic regressions" if one.temperature is None else cold)


def test_all_temperatures_and_one_logistic_regression_are_candidates():
    data = class_data_of(*rays(p=40), n_folds=2)
    candidates = unit_candidates(data, Scheme.tree((0, 1, 2)))
    assert candidates[0].setting in LOGISTIC
    assert tuple(one.setting for one in candidates[1:]) == PATH
    threads = unit_candidates(data, Scheme.tree((0, 1, 2)), partial(in_order, n_threads=2))
    for one, other in zip(candidates, threads, strict=True):
        np.testing.assert_array_equal(np.concatenate(one.held_out), np.concatenate(other.held_out))


def test_a_sure_error_costs_much_but_not_everything():
    """A far row of another class has the probability 0 in double precision."""
    X = np.random.default_rng(0).standard_normal((60, 1))
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    X[0], y[0] = 400.0, 0
    splits = [(np.arange(1, 60), [0]), (np.arange(30), np.arange(30, 60))]
    data = class_data_of(X, y, folds=lambda patterns: folds_of_rows(patterns, splits, y, np.ones(60)))
    data.X[1] *= 10
    first = unit_candidates(data, Scheme.tree((2, 0, 1)))[0]
    p = np.concatenate(first.held_out)
    assert p[0, 0] == 0
    assert first.setting in LOGISTIC


# The multinomial regression as units


@pytest.mark.parametrize("n_classes", [3, 5])
def test_the_regression_in_pairs_answers_like_itself(n_classes):
    data = class_data_of(*rays(n_classes=n_classes))
    linear = fit_linear(data)
    candidate = linear_candidate(data, linear)
    lines, weights = trained(data, candidate)
    assert weights.shape == (n_classes * (n_classes - 1) // 2, 4)
    np.testing.assert_allclose(np.linalg.norm(weights, axis=1), 1)
    p = candidate.scheme.probabilities((lines[:, :1] + lines[:, 1:] * (weights @ data.X)).T)
    own = linear.probability(data.rows)
    np.testing.assert_allclose(p, own, atol=1e-7)
    np.testing.assert_array_equal(p.argmax(axis=1), own.argmax(axis=1))
    assert candidate.held_out is linear.held_out
    assert (candidate.n_hidden, candidate.n_weights) == (len(weights), weights.size)


def test_lines_and_units_give_the_log_odds_back():
    log_odds = np.array([[3.0, 4.0], [0.0, 0.0], [-1e-100, 0.0]])
    lines, weights = unit_lines(log_odds)
    np.testing.assert_allclose(lines[:, 1:] * weights, log_odds, atol=1e-299)
    np.testing.assert_allclose(lines[0], [0, 5])
    np.testing.assert_array_equal(weights[1], [1, 0])


@pytest.mark.parametrize("setting", FEW, ids=str)
def test_units_of_a_candidate_are_trained_on_everything(setting, few):
    data = class_data_of(*rays())
    for scheme in (Scheme.pairs(3), Scheme.tree((2, 0, 1))):
        own = np.tile([0.5, 2.0], (len(scheme.problems), 1))
        candidate = units.UnitsCandidate("some", 2, 8, [], None, scheme, setting, own)
        lines, weights = trained(data, candidate)
        np.testing.assert_allclose(np.linalg.norm(weights, axis=1), 1)
        for k, problem in enumerate(scheme.problems):
            whole = train_units(data, data.all, problem, [setting])[0]
            if setting.ridge is None:
                np.testing.assert_array_equal(weights[k], whole)
                np.testing.assert_array_equal(lines[k], own[k])
            else:
                np.testing.assert_allclose(lines[k, 1] * weights[k], whole)
                assert lines[k, 0] == 0


# In the user's units


NAMES = np.array(["low", "mid", "top"])


def new_rows(data, n=300, seed=7):
    """Return rows around those of the data, in the user's units, and standardised."""
    Z = 2 * np.random.default_rng(seed).standard_normal((n, len(data.X) - 1))
    finite = np.where(np.isfinite(data.standardisation.scale), data.standardisation.scale, 1.0)
    rows = Z * finite + data.standardisation.mean
    return rows, data.standardisation.standardised(rows)


@pytest.mark.parametrize("setting", [None, *FEW], ids=str)
@SCHEMES
def test_assembled_units_answer_like_the_standardised_ones(scheme, setting, few):
    X, y = rays()
    X = np.column_stack([X, np.full(len(X), 3.0)])  # a constant column
    data = class_data_of(X, y, classes=NAMES, names=["a", "b", "c", "d"])
    if setting is None:
        candidate = linear_candidate(data, fit_linear(data))
    else:
        found = [one for one in unit_candidates(data, scheme) if one.setting == setting]
        lines = np.tile([0.1, 3.0], (len(scheme.problems), 1))
        candidate = found[0] if found else units.UnitsCandidate("s", 3, 12, [], None, scheme, setting, lines)
    networks = assemble(Choice(candidate, [candidate], "so"), data)
    assert isinstance(networks, Networks)
    lines, weights = trained(data, candidate)
    rows, Z = new_rows(data)
    margins = (weights @ Z).T
    log_odds = agreeing(lines[:, 0] + lines[:, 1] * margins, margins >= 0)
    expected = candidate.scheme.probabilities(log_odds)
    np.testing.assert_allclose(networks.probability(rows), expected, rtol=1e-6, atol=1e-9)
    np.testing.assert_array_equal(networks.predict(rows), NAMES[expected.argmax(axis=1)])
    assert networks.scheme == candidate.scheme.name
    assert networks.feature_names == ("a", "b", "c", "d")
    np.testing.assert_allclose(networks.training_priors, np.bincount(y) / len(y))
    if candidate.scheme.name == "tree":
        assert networks.learning_sequences == (("top", "low", "mid"),)
    for part, (positive, negative) in zip(networks.parts, candidate.scheme.problems, strict=True):
        assert part.positive == tuple(NAMES[list(positive)])
        assert part.negative == tuple(NAMES[list(negative)])
        assert part.network.hidden_weights[0, 4] == 0  # of the constant column
        assert np.linalg.norm(part.network.hidden_weights[0]) == pytest.approx(np.sqrt(5))
        expected = None if setting is None or setting.beta is None else pytest.approx(1 / setting.beta)
        assert part.network.temperature == expected


def test_an_assembled_layer_answers_like_the_standardised_one():
    X, y = blobs(p=90)
    X = X * [1e-3, 1e4] + [5.0, -2e4]
    data = class_data_of(X, y, classes=NAMES)
    rng = np.random.default_rng(0)
    hidden = rng.standard_normal((5, 3))
    student = Student(hidden / np.linalg.norm(hidden, axis=1, keepdims=True), rng.standard_normal((3, 6)))
    lessons = Lessons(data.X[:, data.all.pattern], np.eye(3)[data.all.labels], data.all.share)
    calibration = calibrated(student, lessons, data.all.priors(len(data.classes)))
    smaller = Student(student.hidden[:2], student.output[:, :3])
    larger = Student(np.vstack([student.hidden] * 2), np.hstack([student.output, student.output[:, 1:]]))
    candidate = units.Candidate("layer", 5, 33, [])
    choice = Choice(candidate, [candidate], "so", student, calibration, [smaller, student, larger])
    network = assemble(choice, data)
    assert isinstance(network, Network)
    rows, Z = new_rows(data)
    np.testing.assert_array_equal(network.predict(rows), NAMES[student.answers(Z)])
    expected = student_probabilities(student, calibration, Z)
    np.testing.assert_allclose(network.probability(rows), expected, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(network.hidden_weights, axis=1), np.sqrt(3))
    assert [record["n_hidden"] for record in network.growth_trace] == [2, 5]
    errors = (student.answers(data.X)[data.all.pattern] != data.all.labels).sum()
    assert network.growth_trace[-1]["errors"] == errors
    np.testing.assert_allclose(network.calibration.training_priors, np.bincount(y) / len(y))


def test_the_log_odds_of_a_part_are_those_of_its_unit():
    data = class_data_of(*rays())
    candidate = linear_candidate(data, fit_linear(data))
    networks = assemble(Choice(candidate, [candidate], "so"), data)
    W, (rows, Z) = fit_linear(data).probability.weights, new_rows(data)
    for part, (a, b) in zip(networks.parts, combinations(range(3), 2), strict=True):
        np.testing.assert_allclose(part.margin(rows), (W[a] - W[b]) @ Z, rtol=1e-7, atol=1e-7)
        np.testing.assert_allclose(part.chance(part.margin(rows)), expit((W[a] - W[b]) @ Z), atol=1e-7)
