"""Classifiers on tables as people have them: texts, categories, dates, gaps, of pandas, polars and Arrow."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from netlines import MinimerrorClassifier, MonoPlaneClassifier, NetLinesClassifier, NetLinesClassifierCV
from netlines.classifiers.loaded import load_model, save_model
from netlines.classifiers.multiclass import (
    PairwiseClassifier,
    TreeOfNetworksClassifier,
    TreeVoteClassifier,
    WinnerTakesAllClassifier,
)
from netlines.tables.encode import TableWarning

NET = NetLinesClassifier(max_hidden=2)
ESTIMATORS = [
    MinimerrorClassifier(n_starts=2),
    MinimerrorClassifier(n_starts=2, probability=True),
    NET,
    MonoPlaneClassifier(max_hidden=2),
    NetLinesClassifierCV(max_hidden=2, cv=2, teacher=None),
]
SCHEMES = [TreeOfNetworksClassifier, TreeVoteClassifier, WinnerTakesAllClassifier, PairwiseClassifier]
each_estimator = pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)


def people(n=90, seed=0):
    """Return a frame of all kinds of columns, of which some cells are missing, and two classes."""
    rng = np.random.default_rng(seed)
    days = pd.to_timedelta(rng.integers(0, 60, n), unit="D")
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n).astype(float),
            "sex": rng.choice(["female", "male"], n),
            "colour": rng.choice(["red", "green", "blue"], n),
            "member": rng.random(n) < 0.5,
            "joined": pd.Timestamp("2024-03-01") + days,
            "code": rng.choice([1, 2, 3], n),
        }
    )
    y = np.where((frame["age"] > 50) ^ (frame["colour"] == "red"), "yes", "no")
    frame.loc[[4, 17, 37, 65], "age"] = np.nan  # too few to have an input of their own
    frame.loc[[8, 17, 31, 70], "colour"] = None
    return frame, y


FRAME, Y = people()
Y3 = np.where(FRAME["member"] & (FRAME["sex"] == "male"), "other", Y)
CELLS = {name: [None if pd.isna(cell) else cell for cell in FRAME[name].tolist()] for name in FRAME}
ROWS = list(map(list, zip(*CELLS.values(), strict=True)))
INPUTS = [
    *("age", "sex=male", "colour=blue", "colour=green", "colour=red", "member"),
    *("joined: days since 2024-03-01", "joined: month=Apr"),  # or March
    *(f"joined: weekday={day}" for day in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")),
    "code",
]
KINDS = {
    "nullable": FRAME.convert_dtypes(),
    "pandas of Arrow": FRAME.convert_dtypes(dtype_backend="pyarrow"),
    "declared categories": FRAME.astype({"sex": "category", "colour": "category"}),
    "polars": pl.DataFrame(CELLS),
    "polars categories": pl.DataFrame(CELLS).with_columns(pl.col("sex", "colour").cast(pl.Categorical)),
    "Arrow": pa.table({name: pa.array(cells) for name, cells in CELLS.items()}),
    "Arrow dictionaries": pa.table(
        {
            name: pa.array(cells).dictionary_encode() if name in ("sex", "colour") else pa.array(cells)
            for name, cells in CELLS.items()
        }
    ),
    "texts": FRAME.astype(object).map(lambda cell: "" if pd.isna(cell) else str(cell)),
    "objects": np.array(ROWS, dtype=object),
    "lists": ROWS,
}
UNNAMED = ("objects", "lists")


def bits(clf):
    """Return all that a network answers by."""
    return b"".join(
        part.network.hidden_weights.tobytes() + part.network.output_weights.tobytes()
        for part in clf.networks_
    )


def names(**choices):
    """Return the inputs that the frame becomes."""
    return list(clone(NET).set_params(**choices).fit(FRAME, Y).network_.feature_names)


# The same table in other forms


@pytest.fixture(scope="module")
def net():
    return clone(NET).fit(FRAME, Y)


def test_each_column_becomes_what_it_is(net):
    assert list(net.network_.feature_names) == INPUTS
    assert list(net.feature_names_in_) == list(FRAME)
    assert net.n_features_in_ == 6
    assert net.network_.layout.names == tuple(FRAME)
    assert net.score(FRAME, Y) > 0.85


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_of_any_kind_gives_the_same_network_bit_for_bit(net, kind):
    other = clone(NET).fit(KINDS[kind], Y)
    assert bits(other) == bits(net)
    assert (other.decision_function(KINDS[kind]) == net.decision_function(FRAME)).all()
    if kind in UNNAMED:
        assert other.network_.feature_names[:3] == ("x0", "x1=male", "x2=blue")
        assert not hasattr(other, "feature_names_in_")
        with pytest.warns(UserWarning, match="X does not have valid feature names, but NetLinesClassifier"):
            assert (net.predict(KINDS[kind]) == net.predict(FRAME)).all()
    else:
        assert list(other.network_.feature_names) == INPUTS
        assert (net.predict(KINDS[kind]) == net.predict(FRAME)).all()


@each_estimator
def test_numbers_give_the_same_network_in_an_array_and_in_a_frame(estimator):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 3)) * [1, 10, 100] + 5
    for kind in (np.float64, np.float32):
        rows = X.astype(kind)
        plain = clone(estimator).fit(rows, Y[:60])
        assert plain.network_.layout is None
        for table in (pd.DataFrame(rows, columns=list("uvw")), pl.DataFrame(rows, schema=list("uvw"))):
            named = clone(estimator).fit(table, Y[:60])
            assert bits(named) == bits(plain)
            assert named.network_.layout.is_plain
            assert (named.decision_function(table) == plain.decision_function(rows)).all()


@each_estimator
def test_columns_are_found_by_name_whatever_else_is_there(estimator):
    clf = clone(estimator).fit(FRAME, Y)
    expected = clf.decision_function(FRAME)
    turned = FRAME[FRAME.columns[::-1]].assign(further=[object()] * len(FRAME))
    assert (clf.decision_function(turned) == expected).all()
    assert (
        clf.decision_function(pl.DataFrame(CELLS).reverse()[::-1].select(*turned.columns[:6])) == expected
    ).all()
    with pytest.raises(ValueError, match="the table lacks the column 'sex'; it has 'age', 'colour'"):
        clf.predict(FRAME.drop(columns="sex"))
    one = [clf.decision_function(FRAME.iloc[[row]])[0] for row in range(8)]  # a row alone is read as it was
    np.testing.assert_allclose(one, expected[:8])


def test_a_column_that_is_not_there_is_integrated_out_if_all_gaps_are():
    clf = clone(NET).set_params(missing="integrate").fit(FRAME, Y)
    without = clf.predict(FRAME.drop(columns="sex"))
    assert (without == clf.predict(FRAME.assign(sex=None))).all()


# What the user decides


def test_the_type_of_a_column_may_be_given():
    as_numbers = INPUTS[-1:]
    as_categories = [*INPUTS[:-1], "code=1", "code=2", "code=3"]
    assert names()[-1:] == as_numbers
    for which in ("code", ["code"], 5, -1, [5], [False] * 5 + [True], np.arange(6) == 5):
        assert names(categorical_features=which) == as_categories
    assert names(date_features="joined") == INPUTS
    frame = FRAME.assign(code=FRAME["code"] + 20240300)
    dated = clone(NET).set_params(date_features=["code"]).fit(frame, Y).network_.feature_names
    assert dated[15:17] == ("code: days since 2024-03-01", "code: weekday=Fri")
    declared = frame.astype({"code": "category"})
    for choice, n_inputs in (("from_dtype", 3), (None, 1), ("age", 1)):
        clf = clone(NET).set_params(categorical_features=choice, only_features=["age", "code"])
        with pytest.warns(TableWarning, match="sex: not among only_features, left out"):
            clf.fit(declared, Y)
        assert sum(name.startswith("code") for name in clf.network_.feature_names) == n_inputs
    numeric = clone(NET).set_params(numeric_features=["code"]).fit(declared, Y)
    assert numeric.network_.feature_names[-1] == "code"


def test_columns_may_be_left_out():
    clf = clone(NET).set_params(drop_features=["joined", 3]).fit(FRAME, Y)
    assert clf.network_.feature_names == (*INPUTS[:5], "code")
    assert clf.network_.layout.left_out == (("member", "as asked"), ("joined", "as asked"))
    assert (clf.predict(FRAME.drop(columns=["joined", "member"])) == clf.predict(FRAME)).all()
    with pytest.warns(TableWarning, match="member: not among only_features, left out"):
        only = clone(NET).set_params(only_features=["age", "sex", "colour", "code"]).fit(FRAME, Y)
    assert bits(only) == bits(clf)
    array = FRAME[["age", "code"]].fillna(50).to_numpy()
    of_array = clone(NET).set_params(categorical_features=[1], drop_features=[0]).fit(array, Y)
    assert of_array.network_.feature_names == ("x1=1", "x1=2", "x1=3")
    assert set(of_array.predict(array)) <= {"yes", "no"}


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        ({"categorical_features": "colr"}, r"categorical_features names 'colr'; .* \('age', 'sex', "),
        ({"numeric_features": [6]}, "numeric_features names 6; allowed are .* their numbers from 0 to 5"),
        ({"date_features": ["age", "day"]}, "date_features names 'day'; allowed are names of columns"),
        ({"drop_features": [True, False]}, "drop_features is a mask of 2 entries, X has 6 columns"),
        ({"only_features": [1.5]}, r"only_features names 1\.5; allowed are names of columns"),
        ({"drop_features": list(FRAME)}, r"no column that is left to learn from \(age: as asked; sex"),
        ({"numeric_features": "sex"}, "expected a number, got '(fe)?male' in column 'sex', row 0"),
        ({"date_features": "sex"}, "expected a date such as 2024-12-31, got .* in column 'sex', row 0"),
        ({"numeric_features": 5, "date_features": "code"}, "column 'code' is in numeric_features and date_f"),
        ({"drop_features": 2.5}, "'drop_features' parameter of NetLinesClassifier must be"),
        ({"strict": "yes"}, "'strict' parameter of NetLinesClassifier must be"),
    ],
)
def test_a_choice_that_cannot_be_kept_is_named(choices, says):
    with pytest.raises(ValueError, match=says):
        names(**choices)


@pytest.mark.parametrize("multiclass", ["tree", "vote", "wta", "pairs", "shared"])
def test_choices_are_of_the_columns_whatever_is_trained_inside(multiclass):
    choices = {"categorical_features": [5], "drop_features": ["joined", "age"]}
    clf = NetLinesClassifier(max_hidden=1, multiclass=multiclass, **choices).fit(FRAME, Y3)
    assert clf.network_.feature_names == (*INPUTS[1:6], "code=1", "code=2", "code=3")
    assert (clf.predict(FRAME.drop(columns=["joined", "age"])) == clf.predict(FRAME)).all()


def test_choices_are_of_the_columns_also_where_copies_are_trained():
    choices = {"categorical_features": [5], "drop_features": ["joined", "age"]}
    unit = MinimerrorClassifier(n_starts=1, probability=True, **choices).fit(FRAME, Y)
    assert unit.predict_proba(FRAME).shape == (90, 2)
    clf = NetLinesClassifierCV(max_hidden=1, cv=2, teacher=None, multiclass="tree", **choices).fit(FRAME, Y3)
    assert unit.network_.feature_names == clf.network_.feature_names
    assert clf.predict_proba(FRAME).shape == (90, 3)


# What the user is told


def test_columns_to_learn_nothing_from_are_left_out_and_told():
    n = len(FRAME)
    odd = FRAME.assign(id=np.arange(n), note=[f"text {k}" for k in range(n)], same=1.5, again=FRAME["sex"])
    with pytest.warns(TableWarning) as told:
        clf = clone(NET).fit(odd.assign(empty=np.nan), Y)
    assert len(told) == 1
    assert told[0].filename == __file__
    left = dict(clf.network_.layout.left_out)
    assert list(left) == ["id", "note", "same", "again", "empty"]
    assert left["again"] == "the same as 'sex'"
    assert str(told[0].message).splitlines() == [f"{name}: {why}, left out" for name, why in left.items()]
    assert bits(clf) == bits(clone(NET).fit(FRAME, Y))
    assert (clf.predict(FRAME) == clf.predict(odd)).all()


def test_plain_arrays_are_taken_as_they_are():
    X = np.column_stack([np.arange(60.0), np.ones(60), np.arange(60.0)])
    clf = clone(NET).fit(X, Y[:60])
    assert clf.network_.layout is None
    assert clf.network_.n_features == 3


def test_categories_that_training_had_not_are_counted_or_refused(net):
    new = FRAME.copy()
    new.loc[:4, "colour"] = ["pink", "teal", "pink", None, "red"]
    with pytest.warns(
        TableWarning, match=r"colour: 3 rows have .* \('pink', 'teal'\), taken as missing"
    ) as told:
        answers = net.decision_function(new)
    assert told[0].filename == __file__
    unknown = FRAME.copy()
    unknown.loc[:4, "colour"] = [None, None, None, None, "red"]
    assert (answers == net.decision_function(unknown)).all()
    strict = clone(NET).set_params(strict=True).fit(FRAME, Y)
    assert bits(strict) == bits(net)
    assert (strict.predict(FRAME) == net.predict(FRAME)).all()
    with pytest.raises(ValueError, match=r"'pink' in column 'colour', row 0"):
        strict.predict(new)


# Gaps and weights


@each_estimator
def test_a_weight_of_0_is_a_row_left_out(estimator):
    frame = FRAME.copy()
    frame.loc[::3, "colour"] = "violet"  # which only rows without a weight have,
    frame.loc[::3, "age"] = 1e6  # and what would be expected of gaps
    weights = np.where(np.arange(90) % 3 == 0, 0.0, 1.0)
    clf = clone(estimator).fit(frame, Y, sample_weight=weights)
    left = clone(estimator).fit(frame[weights > 0], Y[weights > 0])
    assert bits(clf) == bits(left)
    assert clf.network_.layout == left.network_.layout
    assert clf.network_.feature_names[2:5] == ("colour=blue", "colour=green", "colour=red")


def test_weights_count_in_what_is_expected_of_gaps():
    frame, y = FRAME.iloc[:40], Y[:40]
    weights = np.repeat([2.0, 1.0], 20)
    twice = clone(NET).fit(pd.concat([frame, frame[:20]]), np.append(y, y[:20]))
    clf = clone(NET).fit(frame, y, sample_weight=weights)
    np.testing.assert_allclose(clf.network_.background.mean, twice.network_.background.mean)
    assert (clf.predict(FRAME) == twice.predict(FRAME)).mean() > 0.95


def test_gaps_may_be_refused(net):
    clf = clone(NET).set_params(missing="error")
    with pytest.raises(ValueError, match="in column 'age', row"):
        clf.fit(FRAME, Y)
    clf.fit(FRAME.dropna(), Y[FRAME.notna().all(axis=1)])
    first = int(FRAME.isna().any(axis=1).argmax())
    for use in (clf.predict, net.internal_representation, net.domain_confidence):
        with pytest.raises(
            ValueError, match=rf"a missing value \(NaN\) is not .* column '\w+', row {first} "
        ):
            use(FRAME)


# scikit-learn around it


@each_estimator
def test_estimators_are_cloned_and_pickled_and_saved(estimator, tmp_path):
    clf = clone(estimator).set_params(drop_features=["member"], strict=True).fit(FRAME, Y)
    again = clone(clf).fit(FRAME, Y)
    assert bits(again) == bits(clf)
    save_model(clf, tmp_path / "model.json")
    for other in (again, pickle.loads(pickle.dumps(clf)), load_model(tmp_path / "model.json")):
        assert (other.decision_function(FRAME) == clf.decision_function(FRAME)).all()
        assert other.network_.layout == clf.network_.layout
        assert other.strict
    lone = FRAME.assign(sex="other")
    with pytest.raises(ValueError, match="'other'"):
        load_model(tmp_path / "model.json").predict(lone)


@pytest.mark.slow
def test_meta_estimators_take_the_raw_frame():
    scores = cross_val_score(NET, FRAME, Y, cv=3)
    assert scores.shape == (3,)
    assert np.isfinite(scores).all()
    search = GridSearchCV(NET, {"missing": ["auto", "integrate"], "drop_features": [None, "colour"]}, cv=2)
    search.fit(FRAME, Y)
    assert search.best_params_["drop_features"] is None  # half of the rule is in it
    assert (search.predict(FRAME) == search.best_estimator_.predict(FRAME)).all()
    failing = GridSearchCV(NET, {"missing": ["error", "auto"]}, cv=2)
    nan = pytest.warns(UserWarning, match="scores are non-finite")
    with nan, pytest.warns(FitFailedWarning, match="2 fits failed"):
        failing.fit(FRAME, Y)
    assert failing.best_params_ == {"missing": "auto"}
    assert make_pipeline(NET).fit(FRAME, Y).score(FRAME, Y) == clone(NET).fit(FRAME, Y).score(FRAME, Y)
    scaled = ColumnTransformer(
        [("scaled", StandardScaler(), ["age"])], remainder="passthrough", verbose_feature_names_out=False
    )
    pipeline = make_pipeline(scaled.set_output(transform="pandas"), NET).fit(FRAME, Y)
    assert pipeline[-1].network_.feature_names[1] == "sex=male"
    assert pipeline.score(FRAME, Y) > 0.85
    numbers = cross_val_score(NET, pl.DataFrame(CELLS), Y, cv=3)
    assert (numbers == scores).all()


@pytest.mark.sample(2)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_schemes_take_the_raw_table(scheme, tmp_path):
    clf = scheme(clone(NET).set_params(drop_features=["joined"], categorical_features=[5])).fit(FRAME, Y3)
    expected = clf.predict_proba(FRAME)
    inputs = (*INPUTS[:6], "code=1", "code=2", "code=3")
    assert [model.network_.feature_names for model in clf.estimators_] == [inputs] * len(clf.estimators_)
    assert list(clf.feature_names_in_) == list(FRAME)
    assert clf.score(FRAME, Y3) > 0.8
    assert (clf.predict_proba(FRAME[FRAME.columns[::-1]].assign(further="a")) == expected).all()
    assert (clf.predict_proba(KINDS["polars"]) == expected).all()
    with pytest.raises(ValueError, match="the table lacks the column 'sex'"):
        clf.predict(FRAME.drop(columns="sex"))
    with pytest.warns(TableWarning, match="sex: 90 rows have a value that training had not"):
        clf.predict(FRAME.assign(sex="x"))
    save_model(clf, tmp_path / "model.json")
    loaded, complete = load_model(tmp_path / "model.json"), FRAME.dropna()
    assert (loaded.predict(complete) == clf.predict(complete)).all()
    assert set(loaded.predict(FRAME)) <= {"yes", "no", "other"}  # its networks integrate together, not apart
    exact = scheme(clone(NET).set_params(missing="error", strict=True)).fit(complete, Y3[complete.index])
    save_model(exact, tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    assert (loaded.missing, loaded.strict) == ("error", True)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_schemes_read_numbers_however_they_are_written(scheme):
    rng = np.random.default_rng(2)
    frame, y = pd.DataFrame(rng.normal(size=(40, 2)).round(2), columns=["u", "v"]), Y3[:40]
    unit = NetLinesClassifier(max_hidden=1)
    expected = scheme(unit).fit(frame.to_numpy(), y).decision_function(frame.to_numpy())
    with_comma = frame.map(lambda number: f"{number:.2f}".replace(".", ","))
    for table in (frame, frame.astype(str), with_comma, with_comma.to_numpy(), frame.convert_dtypes()):
        assert (scheme(unit).fit(table, y).decision_function(table) == expected).all()
    gaps = frame.convert_dtypes()
    gaps.iloc[3, 0] = pd.NA
    assert np.isfinite(scheme(unit).fit(gaps, y).decision_function(gaps)).all()
    with pytest.raises(ValueError, match="in column 'u', row 3"):
        scheme(clone(unit).set_params(missing="error")).fit(gaps, y)
    exact = scheme(clone(unit).set_params(missing="error")).fit(frame, y)
    with pytest.raises(ValueError, match="in column 'u', row 3"):
        exact.predict(gaps)
