"""What matters: shuffled attributes, how answers follow them, how they are spread, and groups of errors."""

import re

import numpy as np
import pandas as pd
import pytest

from netlines import NetLinesClassifierCV
from netlines.network.attributes import Attribute, attributes_of
from netlines.report.attribute_values import seen_values
from netlines.report.distributions import distributions
from netlines.report.evidence import gather
from netlines.report.importance import importance
from netlines.report.permutation import Permutation
from netlines.report.responses import response
from netlines.report.subgroups import find_groups


@pytest.fixture(scope="module")
def judged():
    """Evidence of a table in which a colour of four values and, a little, an age decide, and no dose does."""
    rng = np.random.default_rng(0)
    n = 300
    colour = rng.choice(["red", "green", "blue", "a colour with quite a long name of its own"], n)
    age = rng.integers(20, 80, n).astype(float)
    chance = np.where(np.isin(colour, ["red", "green"]), 0.95, 0.05) * np.where(age > 70, 0.3, 1.0)
    age[::29] = np.nan
    X = pd.DataFrame({"dose": rng.normal(size=n), "colour": colour, "age": age})
    y = np.where(rng.random(n) < chance, "yes", "no")
    clf = NetLinesClassifierCV(max_hidden=1, cv=2, teacher=None, missing="auto").fit(X, y)
    fresh = NetLinesClassifierCV(max_hidden=1, cv=2, teacher=None)
    return gather(clf.network_, fresh, X, y, folds=3)


def test_the_only_useful_attribute_comes_first_as_a_whole(judged):
    permuted = judged.permuted
    assert permuted.out_of_fold
    assert judged.important[0].name == "colour"
    assert len(permuted.attributes) == 3
    by_name = {one.name: k for k, one in enumerate(permuted.attributes)}
    mean, low, high = permuted.interval("errors", by_name["colour"])
    assert low > 0.2
    assert mean == pytest.approx(0.45, abs=0.12)  # half of the rows get another half of the colours
    _, low, high = permuted.interval("errors", by_name["dose"])
    assert low < 0.02
    assert high < 0.05
    text = importance(judged)
    assert re.findall(r'<tr><td class="left">([^<]+)', text)[0] == "colour"
    assert "by models that had not seen them" in text


def test_a_shuffle_costs_what_a_naive_one_does():
    """The sign of one input is right on half of the shuffled rows of two equal classes."""
    n = 2000
    X = np.column_stack([np.arange(n) % 2 * 2.0 - 1, np.arange(n) % 7])
    y = X[:, 0].astype(int)

    class Sign:
        classes_ = np.array([-1, 1])

        def predict(self, X):
            return np.sign(X[:, 0]).astype(int)

        def predict_proba(self, X):
            p = np.where(X[:, 0] > 0, 0.9, 0.1)
            return np.column_stack([1 - p, p])

    class Net:
        n_hidden = 1

    attributes = [Attribute("sign", "number", (0,)), Attribute("other", "number", (1,))]
    found = Permutation(Net, attributes, X, y, seed=0)
    for test in (np.arange(0, n, 2), np.arange(1, n, 2)):
        with np.errstate(all="raise"):
            found.add(Sign(), np.concatenate([test[:500], (test + 1)[:500] % n]))
    result = found.result(True)
    mean, low, high = result.interval("errors", 0)
    assert low < 0.5 < high
    assert high - low < 0.1
    loss, _, _ = result.interval("losses", 0)
    assert loss == pytest.approx(mean * np.log(9), rel=1e-6)  # from -log 0.9 to -log 0.1
    assert result.interval("errors", 1) == (0.0, 0.0, 0.0)


def test_responses_are_mean_probabilities_with_the_value_set(judged):
    network, X = judged.network, np.asarray(judged.X, dtype=float)
    colour, age = (
        next(one for one in attributes_of(network) if one.name == name) for name in ("colour", "age")
    )
    seen = seen_values(colour, X)
    found = response(network, colour, seen, X)
    for k, level in enumerate(seen.levels):
        rows = X.copy()
        rows[:, list(colour.inputs)] = 0
        choice = next(i for i in colour.choices if colour.value(i) == level)
        rows[:, choice] = 1
        assert found.means[k] == pytest.approx(network.probability(rows).mean(axis=0))
    seen = seen_values(age, X)
    found = response(network, age, seen, X)
    rows = X.copy()
    rows[:, age.inputs[0]] = seen.present.max()
    if age.gap is not None:
        rows[:, age.gap] = 0
    assert found.means[-1] == pytest.approx(network.probability(rows).mean(axis=0), abs=1e-6)


def test_distributions_count_the_rows_of_each_class(judged):
    text = distributions(judged)
    names = re.findall(r"<figcaption><b>([^<]+)", text)
    assert names == [one.name for one in judged.important]
    picture = text.split("<figure>")[1 + names.index("colour")]
    assert "a colour with quite a long name of its own" in picture
    rows = seen_values(judged.important[0], judged.X).counts
    assert all(f">{n}</text>" in picture for n in rows)
    wide = 300 - 12
    bars = np.array(re.findall(r'<rect[^>]*width="([\d.]+)"', picture), dtype=float)
    assert bars.sum() == pytest.approx(wide * len(rows), rel=0.01)
    assert len(text) < 12_000


def test_a_planted_bad_group_is_found_and_chance_is_not():
    rng = np.random.default_rng(0)
    names = ["ward", "age", *(f"x{k}" for k in range(4))]
    attributes = [Attribute(name, "number", (k,)) for k, name in enumerate(names)]
    X = np.column_stack([rng.integers(0, 4, 800), rng.integers(20, 90, 800), rng.normal(size=(800, 4))])
    wrong = rng.random(800) < np.where(X[:, 0] == 2, 0.4, 0.1)
    found = find_groups(attributes, X, wrong)
    assert found[0].name == "ward: 2"
    assert [one.name for one in found if one.differs and one.lead > 0] == ["ward: 2"]
    own = X[:, 0] == 2
    assert (found[0].rows, found[0].errors) == (own.sum(), wrong[own].sum())
    assert found[0].elsewhere == pytest.approx(wrong[~own].mean())
    assert sum(one.rows for one in found if one.name.startswith("age")) == 800
    flagged = 0
    for seed in range(20):
        none = np.random.default_rng(seed).random(800) < 0.15
        flagged += any(one.differs for one in find_groups(attributes, X, none))
    assert flagged <= 3  # 1 is expected at most
