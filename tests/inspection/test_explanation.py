"""Explanations: distances add up, decisive units decide, and the text says what the numbers say."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from netlines import NetLinesClassifierCV
from netlines.datasets import load_pima_diabetes
from netlines.export.model_file import load_network
from netlines.inspection.confidence import domain_confidence
from netlines.inspection.explanation import explain
from netlines.inspection.nearest import nearest_other
from netlines.network.background import describe
from netlines.network.network import PASS_ON, Network
from netlines.network.networks import Networks, Part

DATA = Path(__file__).parents[1] / "data"
NAMES = ("mass", "glucose", "age")


def some_network(seed=0, n_classes=2, H=3):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((80, 3)) * [5.0, 30.0, 10.0] + [30.0, 120.0, 40.0]
    about = describe(X)
    slopes = rng.standard_normal((H, 3)) / about.scale
    weights = np.column_stack([rng.standard_normal(H) - slopes @ about.mean, slopes])
    output = rng.standard_normal((1 if n_classes == 2 else n_classes, H + 1))
    labels = ["neg", "pos", "unknown"][:n_classes]
    return X, Network(weights, output, labels, feature_names=NAMES, background=about)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_offsets_and_contributions_add_up_to_the_distances(n_classes):
    X, network = some_network(n_classes=n_classes)
    about = network.background
    for x in X[:20]:
        told = explain(network, x)
        np.testing.assert_allclose(told.offsets + told.contributions.sum(axis=1), told.distances, atol=1e-10)
        slopes = network.hidden_weights[:, 1:] * about.scale
        by_hand = network.fields(x[None])[0] / np.linalg.norm(slopes, axis=1)
        np.testing.assert_allclose(told.distances, by_hand)
        np.testing.assert_array_equal(np.where(told.distances >= 0, 1, -1), told.code)
        assert told.label == network.predict(x[None])[0]
        assert told.confidence == domain_confidence(network, x[None])[0]
        assert told.probability is None


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_decisive_unit_alone_changes_the_answer(n_classes):
    seen = set()
    for seed in range(5):
        X, network = some_network(seed, n_classes)
        for x in X[:20]:
            told = explain(network, x)
            for k in range(3):
                code = told.code.copy()
                code[k] *= -1
                changes = network.classes[network.answers_of_codes(code[None])[0]] != told.label
                assert told.decisive[k] == changes
                seen.add(bool(changes))
    assert seen == {True, False}


def test_a_row_on_a_hyperplane_may_hang_on_it():
    network = Network([[0.0, 1.0], [1.0, 0.0]], [[-1.0, 1.0, 1.0]], ["no", "yes"])
    told = explain(network, [0.0])
    assert told.decisive.tolist() == [True, True]
    assert told.distances.tolist() == [0.0, np.inf]
    assert "unit 2 is +1 everywhere, decisive" in told.text(verbose=True)
    assert told.to_dict()["hyperplanes"][1]["distance"] is None


def test_the_winner_changes_with_the_margin_that_is_turned_over():
    near, far = Network([[0.0, 1.0]], PASS_ON, [0, 1]), Network([[0.0, 0.1]], PASS_ON, [0, 1])
    never = Network([[-9.0, 0.0]], PASS_ON, [0, 1])
    parts = [Part("a", "bc", near), Part("b", "ac", far), Part("c", "ab", never)]
    told = explain(Networks("wta", list("abc"), parts), [2.0])
    assert told.label == "a"  # 2, 0.2 and -9
    assert told.decisive.tolist() == [True, False, True]  # -2, 0.2, -9; 2, -0.2, -9; 2, 0.2, 9


@pytest.mark.parametrize("multiclass", ["tree", "vote", "wta", "pairs"])
def test_networks_that_decide_together_are_explained(fitted, multiclass):
    model, X, _ = fitted("iris", multiclass)
    told = explain(model, X[60])
    assert told.label == model.predict(X[60:61])[0]
    assert told.contributions.shape == (model.network_.n_hidden, 4)
    np.testing.assert_allclose(told.offsets + told.contributions.sum(axis=1), told.distances, atol=1e-9)
    assert model.predict(told.flip.row[None])[0] == told.flip.label != told.label
    assert len(told.text(verbose=True).splitlines()) >= model.network_.n_hidden + 2
    assert "hyperplane" not in str(told)
    json.dumps(told.to_dict())


def test_the_probability_is_that_of_the_answer():
    X, y = load_pima_diabetes(return_X_y=True)
    model = NetLinesClassifierCV(max_hidden=2, random_state=0).fit(X[:150], y[:150])
    told = explain(model, X[0])
    assert told.probability == model.predict_proba(X[:1]).max()
    assert str(told).startswith(
        f"The answer is {told.label!r}, with a probability of {told.probability:.0%}"[:-1]
    )
    moved = explain(model.network_.with_priors([0.99, 0.01]), X[0])
    assert moved.label == "neg"
    assert moved.flip is None or not moved.flip.exact


def test_rows_of_all_kinds_give_the_same():
    X, network = some_network()
    values = dict(zip(NAMES, X[0].tolist(), strict=True))
    kinds = [X[0], X[:1], values, pd.Series(values), pd.DataFrame([values])]
    assert len({str(explain(network, row)) for row in kinds}) == 1


def test_features_and_ranges_restrict_the_flip():
    X, network = some_network()
    x = X[3]
    ranges = {"glucose": (None, x[1] + 1.0)}
    flip = explain(network, x, features=["glucose", 2], ranges=ranges, change="any").flip
    low, high = np.full(3, -np.inf), np.array([np.inf, x[1] + 1.0, np.inf])
    expected = nearest_other(network, x, features=[1, 2], low=low, high=high)
    np.testing.assert_array_equal(flip.row, expected.row)
    assert flip.change[0] == 0.0
    assert flip.row[1] <= x[1] + 1.0
    tied_down = explain(network, x, features=["age"], ranges={2: (x[2] - 0.01, x[2] + 0.01)})
    assert tied_down.flip is None
    assert tied_down.changes == {}
    assert "No change in whole steps within these limits gives another answer." in str(tied_down)
    assert tied_down.to_dict()["flip"] is None


def test_two_valued_inputs_flip_or_stay():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 2, 50), rng.normal(size=50)]).astype(float)
    both = Network([[-1.0, 1.0, 1.0]], PASS_ON, ["no", "yes"], background=describe(X))
    flip = explain(both, [1.0, -0.5]).flip
    assert flip.change[0] == 0  # a half of it would be nearer
    assert flip.row[1] == pytest.approx(0.0, abs=1e-6)
    assert explain(both, [1.0, -0.5], change="any").flip.change[0] > 0
    only = Network([[-0.5, 1.0, 0.0]], PASS_ON, ["no", "yes"], background=describe(X))
    told = explain(only, [1.0, 0.0])
    assert told.flip.row.tolist() == [0.0, 0.0]
    assert told.changes == {"x0": (1, 0)}
    assert told.flip_exact
    assert told.flip.exact
    assert explain(only, [1.0, 0.0], features=[1]).flip is None
    assert explain(only, [1.0, 0.0], ranges={0: (0.2, None)}).flip is None
    assert explain(only, [1.0, 0.0], change="any").flip.row[0] == pytest.approx(0.5)


def test_categories_change_as_a_whole():
    X = np.eye(3)[[0, 1, 2, 0, 1, 2]]
    third = Network([[-0.5, 0.1, 0.2, 1.0]], PASS_ON, ["no", "yes"], background=describe(X))
    flip = explain(third, [1.0, 0.0, 0.0]).flip
    assert flip.row.tolist() == [0.0, 0.0, 1.0]
    assert flip.label == "yes"
    broken = explain(third, [1.0, 1.0, 0.0]).flip  # no category at all: it becomes one
    assert broken.row.tolist() == [0.0, 0.0, 1.0]


def test_likely_changes_keep_to_what_was_seen():
    seen = describe(np.array([[0.0, 0.0], [1.0, 5.0], [2.0, 9.0]]))
    network = Network([[-3.0, 1.0, 0.0]], PASS_ON, ["no", "yes"], background=seen)
    told = explain(network, [1.0, 20.0])  # a value beyond what was seen is no obstacle
    assert told.flip is None
    assert str(told).endswith(
        "No change in whole steps within the range of the training rows gives another answer."
    )
    assert told.warnings == ("x1 20 is outside of the range of the training rows, 0 to 9",)
    assert explain(network, [1.0, 20.0], change="any").flip.row[0] == pytest.approx(3.0)
    assert explain(network, [1.0, 20.0], ranges={0: (None, None)}).flip.row[0] == pytest.approx(3.0)
    with pytest.raises(ValueError, match="change must be one of 'likely', 'fewest', 'any', got 'all'"):
        explain(network, [1.0, 20.0], change="all")


def test_the_text_says_what_changes():
    about = describe(np.array([[20.5, 90.0, 30.0], [39.5, 150.0, 50.0], [30.0, 120.0, 40.0]]))
    network = Network(
        [[-30.0, 1.0, 0.0, 0.0]], PASS_ON, ["neg", "pos"], feature_names=NAMES, background=about
    )
    told = explain(network, {"mass": 33.6, "glucose": 148, "age": 50})
    lines = told.text(width=200).splitlines()
    assert lines[0] == "The answer is 'pos'."
    assert lines[1].startswith(f"Confidence {told.confidence:.3g}: how clearly the row lies on its side")
    assert lines[2:] == [
        "For it: mass 33.6 (average 30).",
        "It would be 'neg' if mass were 29.99 instead of 33.6 (0.464 standard deviations away; no smaller "
        "change in whole steps does).",
    ]
    assert told.changes == {"mass": (33.6, 29.99)}
    assert explain(network, {"mass": 29.99, "glucose": 148, "age": 50}).label == "neg"  # as it says
    assert told.text(width=200, verbose=True).splitlines()[3] == (
        "unit 1 is +1, 0.464 from its hyperplane, decisive: mass 33.6 (+0.464), the mean row +0"
    )
    close = explain(network, {"mass": 30.0001, "glucose": 148, "age": 50})
    assert "if mass were 29.99999 instead of 30.0001 (" in close.text()
    rough = replace(told, flip=replace(told.flip, exact=False), flip_exact=False)
    assert "away, the smallest change found)" in rough.text(width=200)


def test_without_a_flip_the_text_says_how_certain_that_is():
    never = Network([[1.0, 1.0], [2.0, 1.0]], [[5.0, 1.0, 1.0]], ["no", "yes"])
    told = explain(never, [0.0])
    assert (told.flip, told.flip_exact, told.limited) == (None, True, False)
    assert told.text().splitlines()[-1] == "No change in whole steps gives another answer."
    within = explain(never, [0.0], ranges={0: (0, 1)}).text()
    assert within.endswith("No change in whole steps within these limits gives another answer.")
    assert explain(never, [0.0], features=0).limited
    assert explain(never, [0.0], ranges={0: (None, None)}).limited is False
    parts = [Part(a, b, never) for a, b in (("a", "bc"), ("b", "ac"), ("c", "ab"))]
    rough = explain(Networks("wta", list("abc"), parts), [0.0], change="any")
    assert rough.text().splitlines()[-1] == "No change was found that gives another answer."
    assert rough.to_dict()["flip_exact"] is False


def test_a_row_on_a_hyperplane_is_told_so():
    network = Network(
        [[-1.0, 1.0, 1.0], [-9.0, 0.0, 1.0]], [[1.0, 1.0, 1.0]], ["no", "yes"], feature_names=("a", "b")
    )
    lines = explain(network, [1.0, 0.0]).text(verbose=True).splitlines()
    assert lines[-3].startswith("unit 1 is +1, on its hyperplane, decisive: a 1 (+")
    assert lines[-2].startswith("unit 2 is -1, 9 from its hyperplane: ")
    assert lines[-1] == "It is on the border: the smallest step of a and b makes it 'no'."
    flip = explain(network, [1.0, 0.0]).flip
    assert network.predict(flip.row[None])[0] == "no"
    near = explain(network, [1.0 + 1e-9, 0.0]).text(verbose=True)
    assert "7.07e-10 from its hyperplane" in near
    wide = Network(np.ones((1, 9)) * [-1, *np.ones(8)], PASS_ON, [0, 1])
    told = explain(wide, np.eye(8)[0]).text()
    assert "the smallest step of x0, x1, x2, x3, x4, x5 and 2 more makes it 0" in told


def test_of_a_class_on_hyperplanes_the_text_claims_nothing():
    network = Network([[-50.0, 1.0, 1.0], [50.0, -1.0, -1.0]], [[-1.0, 1.0, 1.0]], ["no", "50"])
    assert explain(network, [0, 0]).text().endswith("was found that gives another answer.")


def test_tiny_weights_raise_no_warning():
    for name in ("format_1", "format_3_outputs", "format_4_outputs"):
        network = replace(load_network(DATA / f"{name}.json"), layout=None)  # any numbers are its inputs
        for x in np.random.default_rng(0).standard_normal((5, 2)):
            told = explain(network, x)
            assert told.label == network.predict(x[None])[0]
            json.dumps(told.to_dict())


def test_long_texts_name_the_most_important_inputs_and_wrap():
    rng = np.random.default_rng(0)
    names = tuple(f"input_{i}" for i in range(30))
    network = Network(rng.standard_normal((1, 31)), PASS_ON, [0, 1], feature_names=names)
    x = rng.standard_normal(30)
    told = explain(network, x)
    text = told.text(digits=4, width=60, verbose=True)
    assert max(map(len, text.splitlines())) <= 60
    joined = " ".join(text.split())
    first = int(np.abs(told.contributions[0]).argmax())
    assert f": {names[first]} {x[first]:.4g} ({told.contributions[0, first]:+.4g})" in joined
    assert "26 more (" in joined
    assert "24 more were changed by less" in joined


def test_the_dictionary_is_plain_and_complete():
    X, network = some_network()
    told = explain(network, X[0])
    again = json.loads(json.dumps(told.to_dict()))
    assert again["label"] == told.label
    assert list(again["row"].values()) == X[0].tolist()
    assert list(again["flip"]["row"].values()) == told.flip.row.tolist()
    assert [one["distance"] for one in again["hyperplanes"]] == told.distances.tolist()
    assert [one["decisive"] for one in again["hyperplanes"]] == told.decisive.tolist()


def test_what_is_wrong_is_named():
    X, network = some_network()
    with pytest.raises(ValueError, match="no input 'size'"):
        explain(network, X[0], ranges={"size": (0, 1)})
    with pytest.raises(ValueError, match=r"ranges\['age'\] must be a pair \(low, high\), got 5"):
        explain(network, X[0], ranges={"age": 5})
    with pytest.raises(ValueError, match=r"ranges\['age'\] must have low at most high, got \(2, 1\)"):
        explain(network, X[0], ranges={"age": (2, 1)})
    with pytest.raises(ValueError, match="'age' must lie within its limits"):
        explain(network, X[0], ranges={"age": (1e6, None)})
    with pytest.raises(ValueError, match=r"ranges\['age'\] must be a pair \(low, high\), got '12'"):
        explain(network, X[0], ranges={"age": "12"})
    with pytest.raises(ValueError, match=r"an end of ranges\['age'\] must be a number, got '1'"):
        explain(network, X[0], ranges={"age": ("1", 2)})
    with pytest.raises(ValueError, match=r"ranges must be a mapping .* got \[\(0, 1\)\]"):
        explain(network, X[0], ranges=[(0, 1)])
    with pytest.raises(TypeError, match="has no `network_`"):
        explain("model", X[0])
    for digits in ("3", 0, 2.0, True):
        with pytest.raises(ValueError, match="digits must be an integer of at least 1, got"):
            explain(network, X[0]).text(digits=digits)
    with pytest.raises(ValueError, match="width must be an integer of at least 1, got 0"):
        explain(network, X[0]).text(width=0)
