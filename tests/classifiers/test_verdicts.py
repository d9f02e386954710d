"""What is said of a model in situations that a user meets: made-up tables, and the sentence each gets."""

import re

import numpy as np
import pandas as pd
import pytest

from netlines import NetLinesClassifierCV
from netlines.network.network import PASS_ON, Network
from netlines.network.verdict import Measured, Verdict, verdict_facts, verdict_of_facts, what_it_is


def normal(n, columns=3, seed=0):
    return np.random.default_rng(seed).normal(size=(n, columns))


def noise():
    return normal(200), np.random.default_rng(7).integers(0, 2, 200)


def separable():
    X = normal(160)
    X = X[np.abs(X[:, 0] + X[:, 1]) > 0.4]
    return X, X[:, 0] + X[:, 1] > 0


def rare():
    X, rng = normal(600), np.random.default_rng(1)
    return X, np.where(rng.random(600) < np.where(X[:, 0] > 1.5, 0.3, 0.005), "fraud", "fine")


def exclusive_or():
    X = np.random.default_rng(0).uniform(-1, 1, (200, 2))
    return X, np.where((X[:, 0] > 0) ^ (X[:, 1] > 0), "a", "b")


def leak():
    X = pd.DataFrame(normal(120), columns=["age", "dose", "bill"])
    y = X["age"] + normal(120, 1, seed=3)[:, 0] > 0
    return X.assign(bill=100 * y + np.random.default_rng(4).random(120)), y


def ten_rows():
    X = normal(10)
    return X, X[:, 0] > 0


def one_row_of_a_class():
    X = normal(120)
    y = np.where(X[:, 0] > 0, "a", "b").astype(object)
    y[0] = "c"
    return X, y


def linear():
    X = normal(200)
    return X, X[:, 0] + 0.7 * normal(200, 1, seed=2)[:, 0] > 0


def round_class():
    X = normal(200, 2)
    return X, (X**2).sum(axis=1) < 1.2


def many_classes():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 6, 240)
    return 4 * rng.normal(size=(6, 2))[y] + rng.normal(size=(240, 2)), y


def one_class_in_a_group():
    X = normal(240)
    site = np.where(np.arange(240) % 4 == 0, "B", "A")
    ill = (X[:, 0] + normal(240, 1, seed=3)[:, 0] > 0) & (site == "A")
    return pd.DataFrame({"age": X[:, 0], "dose": X[:, 1], "site": site}), np.where(ill, "ill", "well")


def spirals():
    rng = np.random.default_rng(0)
    t, arm = np.sqrt(rng.random(300)) * 3 * np.pi, rng.integers(0, 2, 300)
    return np.column_stack([t * np.cos(t + np.pi * arm), t * np.sin(t + np.pi * arm)]), arm


ENOUGH = "Nothing that was tried does clearly better: a logistic regression is enough."
SITUATIONS = {
    noise: ["That is no better than guessing."],
    separable: [ENOUGH, "a logistic regression: errs on"],
    rare: ["Rare class: ", "'fraud' found; choose class_weight='balanced', or a threshold"],
    exclusive_or: ["hyperplanes over 2 attributes", "That is clearly better than a logistic regression."],
    leak: ["'bill' alone decides the class: make sure that it is known before the answer is"],
    ten_rows: ["There are only 10 rows: take figures as rough."],
    one_row_of_a_class: ["Class 'c' (1 row) has too few rows to learn from or to judge by."],
    linear: ["One weighted sum of 3 attributes, a logistic regression", ENOUGH],
    round_class: ["That is clearly better than a logistic regression."],
    many_classes: ["6 classes", "Always answering"],
    one_class_in_a_group: ["All 60 rows with site=B are 'well': of other classes there it learnt nothing."],
    spirals: [" does clearly better (", "): try prefer='accurate'."],
}


@pytest.mark.sample(6)
@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda one: one.__name__)
def test_what_is_said_of(situation):
    more = {"max_hidden": 1} if situation is spirals else {"max_hidden": 6}
    more = {} if situation is many_classes else more
    X, y = situation()
    clf = NetLinesClassifierCV(cv=3, **more).fit(X, y)
    for sentence in SITUATIONS[situation]:
        assert sentence in clf.chosen_
    assert clf.chosen_ == " ".join(clf.verdict_.sentences)
    error = clf.verdict_.error
    assert error.low <= error.value <= error.high
    # What is a warning in one situation must not be said of all.
    others = {said for one in (noise, rare, leak, ten_rows, one_row_of_a_class) for said in SITUATIONS[one]}
    for sentence in others - set(SITUATIONS[situation]) - {SITUATIONS[noise][0]}:
        assert sentence not in clf.chosen_
    if situation not in (noise, rare):
        assert SITUATIONS[noise][0] not in clf.chosen_
    assert_the_reason_fits_the_table(clf)


def assert_the_reason_fits_the_table(clf):
    """Assert that figures of the reason are in the table, and that it accounts for all that errs less."""
    table, reason = clf.cv_results_, clf.stop_reason_
    (chosen,) = table["error"][table["chosen"]]
    assert f"error {100 * chosen:.1f} %" in reason
    assert set(re.findall(r"[0-9.]+ %", reason)) <= {f"{100 * error:.1f} %" for error in table["error"]}
    for role, why in (("single", "errs less beyond chance"), ("network", "that answers like")):
        if (table["error"][table["role"] == role] < chosen - 1e-9).any():
            assert why in reason or "standard error" in reason


def test_errors_are_counted_on_held_out_rows_whatever_classes_weigh():
    X, y = rare()
    clf = NetLinesClassifierCV(cv=3, class_weight="balanced", max_hidden=1).fit(X, y)
    hits, of = {label: (hits, of) for label, hits, of in clf.verdict_.found}["fraud"]
    assert of == np.count_nonzero(y == "fraud")
    assert hits > 0.6 * of
    assert f"Rare class: {hits} of {of} 'fraud' found." in clf.chosen_
    assert clf.verdict_.guess_error.value == pytest.approx(np.mean(y == "fraud"))


def test_repeated_rows_are_as_many_as_they_are():
    X, y = np.repeat([[0.0], [1.0]], 200, axis=0), np.repeat(["no", "yes"], 200)
    y[:20], y[-20:] = "yes", "no"
    verdict = NetLinesClassifierCV().fit(X, y).verdict_
    assert (verdict.error.of, verdict.rows) == (400, 400)
    assert verdict.error.high - verdict.error.low < 0.07


def test_a_worse_model_is_told_to_be_worse_than_guessing():
    truth = np.repeat([0, 1], [150, 50])
    measured = Measured.of(truth, 1 - truth, {"logistic regression": truth}, how="in 5 folds")
    told = Verdict("2 hyperplanes", False, 200, **measured.figures, prefer="accurate")
    assert "That is worse than guessing: always answering 0 errs less often." in str(told)
    assert "A logistic regression does clearly better (0.0 against 100.0 %): take it if" in str(told)


def test_a_model_that_was_not_measured_says_so_and_files_keep_what_is_known():
    network = Network([[1, 2, 0]], PASS_ON, ["no", "yes"])
    told = Verdict(what_it_is(network), False, 8, remarks=("Odd.",))
    expected = "One weighted sum of 1 attribute: how often it errs on new rows was not measured."
    assert told.sentences[0] == told.headline == expected
    assert "only 8 rows" in str(told)
    again = verdict_of_facts(verdict_facts(told), network, 8, "balanced")
    assert again.sentences == told.sentences
