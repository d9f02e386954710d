"""Rules answer as the network does, on all bundled problems, and their text says what they compute."""

import json
import re
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest

from netlines import MinimerrorClassifier, NetLinesClassifier, NetLinesClassifierCV, prune
from netlines.datasets import (
    load_breast_cancer_wisconsin,
    load_iris,
    load_monks,
    load_pima_diabetes,
    load_sonar,
)
from netlines.inspection.rules import extract_rules
from netlines.network.background import describe
from netlines.network.network import PASS_ON, Network
from netlines.network.networks import Networks, Part

PROBLEMS = {
    "breast cancer": load_breast_cancer_wisconsin,
    "diabetes": load_pima_diabetes,
    "sonar": load_sonar,
    "monks 1": lambda **how: load_monks(1, **how),
    "monks 2": lambda **how: load_monks(2, **how),
    "monks 3": lambda **how: load_monks(3, **how),
}


@cache
def problem(name):
    return PROBLEMS[name](return_X_y=True, as_frame=True)


@cache
def grown(name):
    return NetLinesClassifier().fit(*problem(name))


@cache
def pruned(k, low):
    """Return the network of a monks problem with integer weights, its rows, and all 432 patterns."""
    how = {"return_X_y": True, "as_frame": True, "encoding": (low, 1.0)}
    X, y = load_monks(k, **how)
    return (
        prune(NetLinesClassifier().fit(X, y), X, y, weights="integer"),
        X,
        load_monks(k, subset="test", **how),
    )


def assert_answers_as(rules, model, X):
    wrong = rules.predict(X) != model.predict(X)
    assert np.count_nonzero(wrong) == rules.n_disagreements


def holds(text, row):
    """Evaluate a printed condition, given the values of the names."""
    text = text.replace("·", "*").replace("≥", ">=").replace("≤", "<=").replace("\N{NO-BREAK SPACE}", " ")
    return eval(text, {}, row)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", PROBLEMS)
def test_rules_of_a_grown_network_answer_as_it_does(name):
    X, clf = problem(name)[0], grown(name)
    rules = extract_rules(clf, X)
    assert rules.exact
    assert_answers_as(rules, clf, X)
    seen = {code.tobytes() for code in clf.internal_representation(X)}
    assert rules.n_codes == len(seen)
    # Rows that were not given, but whose codes were seen, have the network's answers, too.
    near = X.to_numpy() + 0.05 * X.to_numpy().std(axis=0) * np.random.default_rng(0).standard_normal(X.shape)
    known = [code.tobytes() in seen for code in clf.network_.internal_representation(near)]
    assert sum(known) > 50
    np.testing.assert_array_equal(rules.predict(near[known]), clf.network_.predict(near[known]))


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", PROBLEMS)
def test_rules_of_a_chosen_network_answer_as_it_does(name):
    X, y = problem(name)
    clf = NetLinesClassifierCV(max_hidden=2, cv=2).fit(X.iloc[::3], y.iloc[::3])
    rules = extract_rules(clf, X)
    assert rules.exact
    assert_answers_as(rules, clf, X)


@pytest.mark.sample(2)
@pytest.mark.parametrize("multiclass", ["shared", "tree", "vote", "wta", "pairs"])
def test_rules_of_many_classes_answer_as_the_networks_do(multiclass):
    X, y = load_iris(return_X_y=True, as_frame=True)
    clf = NetLinesClassifier(multiclass=multiclass, probability=multiclass == "pairs").fit(X, y)
    rules = extract_rules(clf, X)
    assert rules.exact
    assert_answers_as(rules, clf, X)
    assert len(rules.order) == 3
    text = str(rules)
    assert "\nELSE IF " in text
    assert text.endswith(f"\nELSE {rules.default}")


def test_moved_priors_are_followed_as_far_as_codes_can():
    X, y = load_pima_diabetes(return_X_y=True, as_frame=True)
    clf = MinimerrorClassifier(temperature=1.0, probability=True).fit(X, y).set_priors([0.3, 0.7])
    rules = extract_rules(clf, X)
    assert not rules.exact
    assert_answers_as(rules, clf, X)
    assert f"(the network answers {rules.n_disagreements} of 768 rows otherwise)" in str(rules)


def test_earlier_classes_are_free_in_later_rules():
    """Three steps along one input: each class but the last takes one condition."""
    steps = Network(
        [[0, 1], [-1, 1]],
        [[0, -1, 0], [-0.5, 0.5, -0.5], [-1, 0, 1]],
        ["low", "mid", "high"],
        feature_names=("x",),
    )
    X = np.array([[-1.0], [0.5], [2.0]])
    assert steps.predict(X).tolist() == ["low", "mid", "high"]
    rules = extract_rules(steps, X)
    assert (rules.n_cubes, rules.n_literals, rules.exact) == (2, 2, True)
    assert str(rules) == "IF x < 0 THEN low\nELSE IF x < 1 THEN mid\nELSE high"


@pytest.mark.parametrize("low", [-1.0, 0.0])
def test_monks_1_expands_into_its_proposition(low):
    clf, X, (patterns, truth) = pruned(1, low)
    expanded = extract_rules(clf, X).expanded()
    assert str(expanded) == (
        "IF a5=1 OR (a1=1 AND a2=1) OR (a1=2 AND a2=2) OR (a1=3 AND a2=3) THEN 1\nELSE 0"
    )
    np.testing.assert_array_equal(expanded.predict(patterns), truth)
    assert len(patterns) == 432


def test_monks_2_is_a_count():
    clf, X, (patterns, truth) = pruned(2, -1.0)
    rules = extract_rules(clf, X)
    assert str(rules) == "IF exactly 2 of (a1=1, a2=1, a3=1, a4=1, a5=1, a6=1) THEN 1\nELSE 0"
    np.testing.assert_array_equal(rules.predict(patterns), truth)
    expanded = rules.expanded()
    assert (expanded.n_cubes, expanded.n_literals, expanded.minimal) == (15, 90, True)
    np.testing.assert_array_equal(expanded.predict(patterns), truth)


def test_expanded_rules_answer_all_patterns_as_the_rules():
    clf, X, (patterns, _) = pruned(3, -1.0)
    rules = extract_rules(clf, X)
    np.testing.assert_array_equal(rules.expanded().predict(patterns), rules.predict(patterns))


def test_groups_are_known_without_rows_from_the_background():
    clf, X, _ = pruned(1, 0.0)
    network = replace(clf.network_, background=describe(X.to_numpy()))
    rules = extract_rules(network)
    assert [len(group) for group in rules.inputs.groups] == [3, 3, 2, 3, 4, 2]
    assert str(rules.expanded()) == str(extract_rules(clf, X).expanded())
    mixed = X.to_numpy().copy()
    mixed[0, :3] = 1.0  # two more are on: not one-hot
    network = replace(clf.network_, background=describe(mixed))
    assert len(extract_rules(network).inputs.groups) == 5


def test_printed_sums_are_the_hyperplanes():
    """Random hyperplanes with all digits: what is printed holds where the unit is on."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3)) * (1, 10, 0.1) + (5, 0, 0)
    for _ in range(40):
        weights = rng.standard_normal((1, 4)) / np.array([0.2, 1, 10, 0.1])
        weights[0, 1:][rng.random(3) < 0.2] = 0
        weights = weights if rng.random() < 0.7 else np.rint(3 * weights)
        network = Network(weights, PASS_ON, ["off", "on"], feature_names=("a", "b", "c"))
        found = re.fullmatch(r"IF (.*) THEN (on|off)\nELSE (on|off)", extract_rules(network).text(17, 10_000))
        if not weights[0, 1:].any():
            continue
        inside = [holds(found[1], dict(zip("abc", row, strict=True))) for row in X.tolist()]
        np.testing.assert_array_equal(np.where(inside, found[2], found[3]), network.predict(X))


@pytest.mark.parametrize(
    ("weights", "text"),
    [
        ([-8.0, 2.0, 1.0], "2·size + age ≥ 8"),
        ([-1.25, 0.5, -1.0], "2·age - size ≤ -2.5"),
        ([187.3, -1.0, 0.0], "size ≤ 187.3"),
        ([-50.0, 0.413, 0.831], "age + 0.497·size ≥ 60.17"),
    ],
)
def test_sums_are_scaled_to_read_well(weights, text):
    network = Network([weights], PASS_ON, ["off", "on"], feature_names=("size", "age"))
    X = np.array([[0.0, 0.0], [100.0, 100.0], [-300.5, 0.5], [500.0, -100.0]])
    spread = describe(np.array([[0.1, 0.1], [20.3, 20.4]]))
    rules = extract_rules(replace(network, background=spread), X)
    assert str(rules) == f"IF {text} THEN on\nELSE off"
    assert_answers_as(rules, network, X)


def binary_rules(weights, names=("p", "q", "r", "s"), base=0.0):
    """Return the rules of one unit over binary inputs, and all rows with their answers."""
    rows = np.array(list(product((base, 1.0), repeat=len(names))))
    network = Network([weights], PASS_ON, ["off", "on"], feature_names=tuple(names))
    return extract_rules(network, rows), network, rows


@pytest.mark.parametrize(
    ("weights", "condition"),
    [
        ([-2, 1, 1, 1, 1], "at least 2 of (p=1, q=1, r=1, s=1)"),
        ([-1, 1, 1, 1, 1], "any of (p=1, q=1, r=1, s=1)"),
        ([-4, 1, 1, 1, 1], "all of (p=1, q=1, r=1, s=1)"),
        ([0, -1, -1, -1, -1], "all of (p=0, q=0, r=0, s=0)"),
        ([-1, 1, -1, 1, -1], "at least 3 of (p=1, q=0, r=1, s=0)"),
        ([-2, 1, 1, 0, 0], "p=1 AND q=1"),
        ([-1, 1, 1, 0, 0], "p=1 OR q=1"),
        ([0, -1, 0, 0, 0], "p=0"),
        ([-2, 2, 1, 1, 0], "p=1 OR (q=1 AND r=1)"),
        ([-4, 3, 2, 2, 1], "3·p + 2·q + 2·r + s ≥ 4"),
    ],
)
def test_binary_inputs_are_counted_joined_or_summed(weights, condition):
    rules, network, rows = binary_rules(weights)
    assert str(rules) == f"IF {condition} THEN on\nELSE off"
    assert_answers_as(rules, network, rows)


def test_one_hot_inputs_are_written_as_attributes():
    rows = np.eye(3)
    names = ("c=red", "c=blue", "c=pink")
    for weights, text in {
        (0, 0, 0, -1): "c≠pink",
        (-1, 1, 1, 0): "c≠pink",
        (-1, 1, -1, -1): "c=red",
        (0, -1, 1, -1): "c=blue",
    }.items():
        rules = extract_rules(Network([weights], PASS_ON, [0, 1], feature_names=names), rows)
        assert str(rules) == f"IF {text} THEN 1\nELSE 0"


def test_binary_conditions_say_what_the_unit_does():
    """Counts and formulas of random small integer weights, in both states and codings, by brute force."""
    from netlines.inspection.rules.wording import _condition, _joined

    rng = np.random.default_rng(1)
    names = ("p", "q", "r", "s")
    for trial in range(120):
        base = -1.0 if trial % 2 else 0.0
        weights = np.concatenate([rng.integers(-3, 4, 1), rng.integers(-2, 3, 4)]).astype(float)
        if not weights[1:].any():
            continue
        rules, network, rows = binary_rules(weights, names, base)
        for state in (-1, 1):
            text = _joined([_condition(weights, state, rules.inputs, 3)])
            said = [says(text, dict(zip(names, row, strict=True))) for row in rows]
            np.testing.assert_array_equal(said, network.internal_representation(rows)[:, 0] == state, text)


def says(text, row):
    """Evaluate a printed condition over binary inputs: a count, an OR of ANDs, or a sum."""
    if text in ("always", "never"):
        return text == "always"
    counted = re.fullmatch(r"(.*?) ?of \((.*)\)", text)
    if counted:
        found = [literal(one, row) for one in counted[2].split(", ")]
        number, n = re.findall(r"\d+", counted[1]), len(found)
        word = re.sub(r" ?\d+", "", counted[1])
        total = sum(found)
        k = int(number[0]) if number else 0
        return {
            "all": total == n,
            "none": total == 0,
            "any": total > 0,
            "not all": total < n,
            "exactly": total == k,
            "at least": total >= k,
            "at most": total <= k,
        }[word]
    if re.search("[≥≤<>]", text):
        text = re.sub(r"\[(\w)=1\]", lambda name: str(int(row[name[1]] == 1)), text)
        return holds(text, {name: float(value) for name, value in row.items()})
    return any(
        all(literal(one, row) for one in part.strip("()").split(" AND ")) for part in text.split(" OR ")
    )


def literal(text, row):
    name, value = text.split("=")
    return row[name] == float(value)


def test_letters_name_long_conditions_in_the_state_that_is_used():
    rules = extract_rules(grown("breast cancer"), problem("breast cancer")[0])
    text = rules.text(width=80)
    assert max(map(len, text.splitlines())) <= 80
    assert re.findall(r"^(\w+): ", text, flags=re.MULTILINE) == list("ABCDEFGH"[: len(rules.used_units)])
    mixed = [h for h in rules.used_units if len({s for c in rules.covers for s in c[:, h] if s}) > 1]
    assert ("NOT" in text) == bool(mixed)


def test_all_codes_are_taken_without_rows():
    majority = Network(np.eye(4)[1:], [[0, 1, 1, 1]], ["few", "many"], feature_names=("a", "b", "c"))
    rules = extract_rules(majority)
    assert (rules.n_codes, rules.n_cubes, rules.n_literals, rules.minimal) == (8, 3, 6, True)
    assert rules.used_units == [0, 1, 2]
    X = np.random.default_rng(0).standard_normal((50, 3))
    np.testing.assert_array_equal(rules.predict(X), majority.predict(X))
    many = extract_rules(Network(np.eye(4)[1:], np.eye(4)[[1, 2, 3]], ["a", "b", "c"]))
    np.testing.assert_array_equal(many.predict(X), extract_rules(many.network, X).predict(X))


def test_codes_that_a_constant_unit_cannot_have_do_not_count():
    network = Network([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 1, 1]], ["no", "yes"])
    rules = extract_rules(network)
    assert rules.n_codes == 4
    assert 0 not in rules.used_units


def test_one_answer_needs_no_condition():
    rules = extract_rules(Network([[1, 0], [0, 1]], [[5, 1, 1]], ["no", "yes"]), [[0.0], [-1.0]])
    assert str(rules) == "ALWAYS yes"
    assert rules.predict([[3.0]]).tolist() == ["yes"]
    assert (rules.n_cubes, rules.used_units, rules.cubes) == (0, [], {})
    assert str(rules.expanded()) == "ALWAYS yes"


def test_rules_are_plain_values_in_a_dictionary():
    clf, X, _ = pruned(2, -1.0)
    rules = extract_rules(clf, X)
    values = json.loads(json.dumps(rules.to_dict()))
    assert values["rules"] == [{"class": 1, "cubes": rules.cubes[1].tolist()}]
    assert (values["else"], values["n_cubes"], values["n_disagreements"]) == (0, 1, 0)
    np.testing.assert_array_equal(values["hidden_weights"], rules.hidden_weights)
    assert repr(rules) == "Rules(n_cubes=1, n_literals=2, used_units=[0, 1], n_rows=169, n_disagreements=0)"


def two_parts():
    low, high = (Network([w], PASS_ON, ["rest", "it"]) for w in ([1.0, -1.0], [-2.0, 1.0]))
    return Networks(
        "tree", ["a", "b", "c"], (Part(("a",), ("b", "c"), low), Part(("b",), ("c",), high)), ((0, 1),)
    )


@pytest.mark.parametrize(
    ("model", "X", "message"),
    [
        (Network(np.ones((13, 2)), np.ones((1, 14)), [0, 1]), None, "X must be given .* 13 hidden units"),
        (two_parts(), None, "X must be given, got None: several networks"),
        (two_parts(), [[1.0, 2.0]], r"X must be rows of 1 values, got shape \(1, 2\)"),
        (two_parts(), np.empty((0, 1)), "at least one row"),
        (two_parts(), [[np.nan]], "X has NaN in column 'x0', row 0"),
    ],
)
def test_what_cannot_be_read_is_refused(model, X, message):
    with pytest.raises(ValueError, match=message):
        extract_rules(model, X)


def test_columns_are_found_by_their_names():
    clf, X, _ = pruned(1, 0.0)
    turned = X[X.columns[::-1]]
    assert extract_rules(clf, turned).text() == extract_rules(clf, X).text()
    assert (extract_rules(clf).predict(turned) == extract_rules(clf).predict(X)).all()
    assert extract_rules(clf, X.assign(age=1)).text() == extract_rules(clf, X).text()
    with pytest.raises(ValueError, match=r"the table lacks the column 'a1=1'; it has 'a1=2', "):
        extract_rules(clf, X.drop(columns="a1=1"))


def test_only_few_binary_inputs_are_expanded():
    X, y = load_pima_diabetes(return_X_y=True, as_frame=True)
    clf = MinimerrorClassifier(temperature=1.0).fit(X, y)
    with pytest.raises(ValueError, match="only rules over binary inputs can be expanded, and 'pregnant'"):
        extract_rules(clf, X).expanded()
    rows = np.random.default_rng(0).integers(0, 2, (40, 13)).astype(float)
    wide = Network([[-45.5, *range(1, 14)]], PASS_ON, [0, 1])
    with pytest.raises(ValueError, match="13 binary inputs or groups of them with 8192 combinations"):
        extract_rules(wide, rows).expanded()


def test_a_threshold_far_from_narrow_rows_is_written_with_the_digits_of_a_double():
    about = describe(np.array([[0.0], [1e-300]]))
    network = Network([[1.0, 1e-30]], PASS_ON, ["no", "yes"], background=about)
    assert extract_rules(network).text() == "IF x0 ≥ -9.9999999999999988e+29 THEN yes\nELSE no"


def test_the_smallest_weights_of_all_have_rules():
    network = Network([[0.0, 5e-324], [0.0, -1e-320]], [[-1.0, 1.0, 1.0]], ["no", "yes"])
    assert extract_rules(network).text() == "IF x0 ≥ 0 AND x0 ≤ 0 THEN yes\nELSE no"


def test_rules_of_columns_far_from_0_hold_as_they_are_written():
    rng = np.random.default_rng(0)
    stamp, noise = 1.7e9 + rng.uniform(0, 1000, 60), rng.standard_normal(60)
    late = stamp > 1.7e9 + 437.25
    clf = NetLinesClassifier().fit(np.column_stack([stamp, noise]), late)
    written = re.fullmatch(
        r"IF ([\d.]+)·\(x0 - ([\d.]+)\) ([+-]) ([\d.]*)·?x1 ≥ ([\d.]+) THEN True\nELSE False",
        str(extract_rules(clf)),
    )
    slope, origin, sign_, other, threshold = written.groups()
    held = float(slope) * (stamp - float(origin)) + float(f"{sign_}{other or 1}") * noise >= float(threshold)
    assert (held == late).mean() > 0.97  # three digits
    alone = re.match(r"IF x0 ≥ (\d+)", str(extract_rules(NetLinesClassifier().fit(stamp[:, None], late))))
    assert ((stamp >= float(alone[1])) == late).all()
