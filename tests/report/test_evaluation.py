"""An evaluation: its numbers are scikit-learn's or a formula's, and its sentences say those numbers."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

from netlines.network.shares import Z, wilson
from netlines.report.evaluation import evaluate


def answers_of(n_classes, n=300, seed=0):
    """Return classes, truth, answers and probabilities that are right more often than not."""
    rng = np.random.default_rng(seed)
    classes = np.array(["ill", "unsure", "well", "dead"][:n_classes] if n_classes > 2 else ["ill", "well"])
    truth = rng.choice(n_classes, n, p=rng.dirichlet(np.full(n_classes, 5)))
    scores = rng.normal(size=(n, n_classes)) + 1.5 * np.eye(n_classes)[truth]
    p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    return classes, classes[truth], classes[p.argmax(axis=1)], p


@pytest.mark.parametrize("n_classes", [2, 4])
def test_numbers_are_those_of_scikit_learn(n_classes):
    classes, truth, answers, p = answers_of(n_classes)
    found = evaluate(answers, truth, classes, p)
    assert found.confusion == tuple(map(tuple, metrics.confusion_matrix(truth, answers, labels=classes)))
    assert found.error.value == pytest.approx(1 - metrics.accuracy_score(truth, answers))
    assert found.balanced_accuracy == pytest.approx(metrics.balanced_accuracy_score(truth, answers))
    scores = metrics.precision_recall_fscore_support(truth, answers, labels=classes)
    for one, precision, recall, f1, rows in zip(found.by_class, *scores, strict=True):
        assert (one.precision.value, one.recall.value, one.f1) == pytest.approx((precision, recall, f1))
        assert one.rows == rows
    order = np.argsort(classes)  # as scikit-learn wants probabilities
    more = {} if n_classes == 2 else {"multi_class": "ovr", "average": "macro"}
    auc = metrics.roc_auc_score(truth, p[:, 1] if n_classes == 2 else p[:, order], **more)
    brier = metrics.brier_score_loss(truth, p[:, order], labels=classes[order], scale_by_half=n_classes == 2)
    assert found.probabilities.auc == pytest.approx(auc)
    assert found.probabilities.log_loss == pytest.approx(metrics.log_loss(truth, p[:, order]))
    assert found.probabilities.brier == pytest.approx(brier)
    json.dumps(found.to_dict())


@pytest.mark.parametrize(("hits", "n"), [(40, 320), (1, 3), (0, 10), (10, 10)])
def test_the_ends_of_an_interval_are_where_the_normal_test_turns(hits, n):
    low, high = wilson(hits, n)
    for p in (low, high):
        if 0 < p < 1:
            assert (hits / n - p) ** 2 == pytest.approx(Z**2 * p * (1 - p) / n)
    assert (low == 0) == (hits == 0)
    assert (high == 1) == (hits == n)


def test_calibration_is_that_of_ten_groups_whatever_the_order_of_rows():
    classes, truth, answers, p = answers_of(4, n=200)
    found = evaluate(answers, truth, classes, p).probabilities
    sure, right = p.max(axis=1), truth == answers
    groups = np.array_split(np.argsort(sure), 10)
    naive = sum(abs(sure[one].mean() - right[one].mean()) * len(one) for one in groups) / len(sure)
    assert found.calibration_error == pytest.approx(naive)
    for one in found.said:
        own = (sure >= one.low) & ((sure < one.high) | (one.high == 1))
        assert (one.right.hits, one.right.of) == (right[own].sum(), own.sum())
    assert sum(one.right.of for one in found.said) == len(truth)
    coarse = np.round(p, 1)  # many are equal
    coarse[:, 0] += 1 - coarse.sum(axis=1)
    coarse = np.clip(coarse, 0, 1) / np.clip(coarse, 0, 1).sum(axis=1, keepdims=True)
    back = slice(None, None, -1)
    forth, turned = (
        evaluate(answers[k], truth[k], classes, coarse[k]).probabilities for k in (slice(None), back)
    )
    assert forth.calibration_error == pytest.approx(turned.calibration_error, abs=1e-12)


def test_rows_without_a_label_are_left_out_and_unknown_classes_are_errors():
    truth = ["ill", None, "well", "", "dead", float("nan"), "dead", "?"]
    answers = ["ill", "ill", "ill", "well", "well", "ill", "ill", "well"]
    p = np.array([[0.9, 0.1]] * 8)
    found = evaluate(answers, truth, ["ill", "well"], p)
    assert (found.n_rows, found.n_missing, found.unknown) == (4, 4, (("dead", 2),))
    assert (found.error.hits, found.confusion_unknown) == (3, (1, 1))
    assert (found.guess, found.guess_error.hits) == ("dead", 2)
    ill, well = found.by_class
    assert (ill.precision.hits, ill.precision.of, well.recall.hits, well.recall.of) == (1, 3, 0, 1)
    assert found.probabilities.rows == 2
    text = " ".join(found.text(80).split())
    assert "4 rows are judged; 4 more have no label and are left out" in text
    assert "2 rows are of a class that the model does not know ('dead'), and counted as errors" in text
    assert "that is no better than guessing" in text
    assert "probabilities, of the 2 rows of known classes" in text


@pytest.mark.parametrize(
    ("classes", "truth"),
    [
        ([0, 1], ["0", "1", "1.0", " 1"]),
        ([0, 1], [0.0, 1.0, 1, True + 0]),
        ([False, True], ["false", "True", "TRUE".lower(), True]),
        (["0", "1"], pd.Series([0, 1, 1, 1])),
        (["NA", "x"], ["NA", "x", "x", "x"]),
    ],
)
def test_labels_are_known_however_a_file_writes_them(classes, truth):
    found = evaluate(np.array(classes)[[0, 1, 1, 1]], truth, np.array(classes))
    assert (found.error.hits, found.n_rows, found.unknown) == (0, 4, ())


def number(text, before):
    """Return the first number after some words."""
    return float(re.search(rf"{re.escape(before)}\s*(-?[\d.,]+\d|\d)", text)[1].replace(",", ""))


def test_every_sentence_says_what_was_counted():
    classes, truth, answers, p = answers_of(2)
    text = " ".join(evaluate(answers, truth, classes, p).text(80).split())
    wrong, n = int((truth != answers).sum()), len(truth)
    low, high = wilson(wrong, n)
    ill, well = int((truth == "ill").sum()), int((truth == "well").sum())
    guess, rarer = ("well", ill) if well >= ill else ("ill", well)
    assert f"error {100 * wrong / n:.1f} % (95 % interval {100 * low:.1f} to {100 * high:.1f} %)" in text
    assert f"{wrong} of {n} rows; always answering '{guess}' errs on {100 * rarer / n:.1f} %" in text
    hits = int(((truth == "well") & (answers == "well")).sum())
    assert number(text, "sensitivity") == round(100 * hits / well, 1)
    assert f"of {well} rows that are 'well', {hits} are answered 'well'" in text
    own, other = p[truth == "well", 1], p[truth == "ill", 1]
    pairs = (own[:, None] > other).mean()
    assert (number(text, "AUC"), number(text, "of 'well' in")) == (round(pairs, 3), round(100 * pairs, 1))
    share = well / n
    base = -share * np.log(share) - (1 - share) * np.log(1 - share)
    assert number(text, "its probabilities would score") == round(base, 3)
    assert number(text, "Brier score") == round(((p[:, 1] - (truth == "well")) ** 2).mean(), 3)
    assert number(text, "overall shares would score") == round(share * (1 - share), 3)


def test_a_text_fits_a_terminal_of_80_columns_and_does_not_steer_it():
    rng = np.random.default_rng(0)
    classes = np.array([f"\x1b[31mclass\n{k} of a long list of classes 血圧" for k in range(40)])
    truth = classes[rng.integers(0, 40, 400)]
    answers = np.where(rng.random(400) < 0.6, truth, classes[0])
    found = evaluate(answers, truth, classes)
    for text in (found.text(80), found.summary(80)):
        assert "\x1b" not in text
        assert max(map(len, text.splitlines())) <= 80
    assert "which classes are confused most" in found.text(80)
    assert "how often each class was answered" not in found.text(80)
    part = found.text(80).split("which classes")[1].split("found least")[0]
    pairs = re.findall(r"(\d+) +\d+ %$", part, re.MULTILINE)
    counts = np.array(found.confusion)
    np.fill_diagonal(counts, 0)
    assert [int(n) for n in pairs] == sorted(counts.ravel().tolist(), reverse=True)[:10]


def test_a_class_without_rows_has_no_auc_and_is_named():
    found = evaluate(["a", "a", "b"], ["a", "b", "b"], ["a", "b", "c"], np.full((3, 3), 1 / 3))
    assert found.probabilities.auc is None
    assert "AUC is not known: it needs rows of every class" in found.text(80)
    assert "no row is of class 'c'" in found.text(80)
    assert found.by_class[2].recall is None


@pytest.mark.parametrize(
    ("answers", "truth", "p", "message"),
    [
        (["a"], ["a", "b"], None, "one label for each answer, got 2 for 1"),
        (["c", "a"], ["a", "b"], None, "an answer is 'c'; the classes are 'a', 'b'"),
        (["a", "a"], [None, ""], None, "no row has a label"),
        (["a", "a"], ["a", "b"], [[0.5, 0.5]], "shape"),
        (["a", "a"], ["a", "b"], [[0.5, 0.5], [0.9, 0.9]], "a sum of 1"),
        (["a", "a"], ["a", "b"], [[0.5, 0.5], [np.nan, 0.9]], "from 0 to 1"),
    ],
)
def test_what_cannot_be_judged_is_an_error(answers, truth, p, message):
    with pytest.raises(ValueError, match=message):
        evaluate(answers, truth, ["a", "b"], p)


def test_equal_probabilities_stay_equal_whatever_their_sums_round_to():
    classes, truth, answers, p = answers_of(3)
    p = np.round(p, 1)
    p[:, 0] = 1 - p[:, 1] - p[:, 2]
    p = np.clip(p, 0, 1) / np.clip(p, 0, 1).sum(axis=1, keepdims=True)
    order = np.argsort(classes)
    expected = metrics.roc_auc_score(truth, p[:, order], multi_class="ovr")
    assert evaluate(answers, truth, classes, p).probabilities.auc == expected
