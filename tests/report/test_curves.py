"""Curves by thresholds, beside naive counting and scikit-learn."""

import re

import numpy as np
import pytest
from sklearn import metrics

from netlines.plots import DecisionCurveDisplay, ThresholdDisplay
from netlines.plots.decision_curve import net_benefit
from netlines.plots.threshold import AtThresholds
from netlines.report.curves import Curve, along, draw_precision, draw_roc, threshold_rows
from netlines.report.html import figure
from netlines.report.probability_scores import auc_interval


def made(n=400, share=0.3, seed=0):
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < share
    p = 1 / (1 + np.exp(-rng.normal(np.where(positive, 1.0, -1.0), 1.3)))
    return positive, np.round(p, 2)  # many are equal


def naive(positive, p, t):
    said = p >= t
    return (said & positive).sum(), (said & ~positive).sum()


def test_what_a_threshold_finds_is_counted_row_by_row():
    positive, p = made()
    thresholds = np.array([0.0, 0.13, 0.5, 0.77, 1.0])
    at = AtThresholds.of(positive, p, thresholds)
    for k, t in enumerate(thresholds):
        hits, alarms = naive(positive, p, t)
        assert (at.hits[k], at.alarms[k]) == (hits, alarms)
        assert at.sensitivity[k] == hits / positive.sum()
        assert at.specificity[k] == pytest.approx(1 - alarms / (~positive).sum())
        assert at.answered[k] == np.mean(p >= t)


def test_shares_of_a_handful_of_answers_are_not_drawn():
    positive, p = made()
    display = ThresholdDisplay(positive=positive, p=p).plot()
    said = display.at_.hits + display.at_.alarms
    drawn = display.lines_[2].get_ydata()
    assert (np.isnan(drawn) == (said < 10)).all()
    assert drawn[said >= 10] == pytest.approx(display.at_.precision[said >= 10])


def test_net_benefit_is_hits_less_weighed_false_alarms():
    positive, p = made()
    thresholds = np.array([0.05, 0.2, 0.5, 0.9])
    expected = []
    for t in thresholds:
        hits, alarms = naive(positive, p, t)
        expected.append(hits / len(p) - alarms / len(p) * t / (1 - t))
    assert net_benefit(positive, p, thresholds) == pytest.approx(expected)
    assert net_benefit(positive, np.ones(len(p)), [0.2]) == pytest.approx(
        positive.mean() - (1 - positive.mean()) * 0.25
    )
    display = DecisionCurveDisplay.from_predictions(np.where(positive, "ill", "well"), p, "ill")
    assert display.always_[0] == pytest.approx(positive.mean(), abs=0.02)
    with pytest.raises(ValueError, match="thresholds must be below 1"):
        net_benefit(positive, p, [1.0])


@pytest.mark.parametrize("share", [0.3, 0.04])
def test_thresholds_of_the_table_do_what_they_promise(share):
    positive, p = made(1000, share)
    rows = {row[0]: row[1:] for row in threshold_rows(positive, p, "'ill'")}
    assert any("as often as it is true" in name for name in rows) == (share < 0.1)
    youden = max(np.unique(p), key=lambda t: sum(_rates(positive, p, t)))
    for name, (found, left, right, answered) in rows.items():
        t = float(name.split(":")[0])
        hits, alarms = naive(positive, p, t)
        assert found.startswith(f"{100 * hits / positive.sum():.1f} % (")
        assert left.startswith(f"{100 * (1 - alarms / (~positive).sum()):.1f} % (")
        assert right.startswith(f"{100 * hits / (hits + alarms):.1f} % (")
        assert answered == f"{100 * np.mean(p >= t):.1f} %"
        if "Youden" in name:
            assert sum(_rates(positive, p, t)) == pytest.approx(sum(_rates(positive, p, youden)))
        for wanted in re.findall(r"at least (\d+) %", name):
            assert hits / positive.sum() >= int(wanted) / 100
            assert naive(positive, p, t + 0.01)[0] / positive.sum() < int(wanted) / 100


def _rates(positive, p, t):
    hits, alarms = naive(positive, p, t)
    return hits / positive.sum(), 1 - alarms / (~positive).sum()


def test_the_auc_is_that_of_scikit_learn_and_its_interval_that_of_resampling():
    positive, p = made(300)
    auc, low, high = auc_interval(positive, p)
    assert auc == pytest.approx(metrics.roc_auc_score(positive, p))
    rng = np.random.default_rng(0)
    some = [rng.integers(0, 300, 300) for _ in range(300)]
    again = np.quantile([metrics.roc_auc_score(positive[k], p[k]) for k in some], (0.025, 0.975))
    assert (low, high) == pytest.approx(tuple(again), abs=0.015)
    assert auc_interval(np.array([False, True, True]), np.array([0.1, 0.5, 0.9])) == (1.0, 1.0, 1.0)


def test_curves_are_light_and_end_where_they_should():
    positive, p = made(5000)
    p = np.clip(p + np.random.default_rng(1).normal(0, 0.01, len(p)), 0, 1)
    x, y, _ = metrics.roc_curve(positive, p)
    some = along(x, y)
    assert len(some) <= 200
    assert (some[0], some[-1]) == (0, len(x) - 1)
    thin = np.trapezoid(y[some], x[some])
    assert thin == pytest.approx(metrics.roc_auc_score(positive, p), abs=2e-3)
    drawn = [Curve("netlines", positive, p, {"color": "#0072B2"})]
    for name, picture in (
        ("roc", draw_roc(drawn)),
        ("pr", draw_precision(drawn, 0.3)),
        ("threshold", ThresholdDisplay(positive=positive, p=p).plot()),
        ("decision", DecisionCurveDisplay(positive=positive, p=p).plot()),
    ):
        assert len(figure(picture, name, "a curve")) < 40_000


@pytest.mark.parametrize(
    ("y", "p", "label", "message"),
    [
        (["a", "b"], [0.1], "a", "one probability for each row"),
        (["a", "b"], [0.1, 1.2], "a", "probabilities from 0 to 1, got 1.2"),
        (["a", "b"], [0.1, 0.2], "c", "label must be among 'a', 'b', got 'c'"),
    ],
)
def test_what_has_no_thresholds_is_an_error(y, p, label, message):
    for display in (ThresholdDisplay, DecisionCurveDisplay):
        with pytest.raises(ValueError, match=message):
            display.from_predictions(y, p, label)
