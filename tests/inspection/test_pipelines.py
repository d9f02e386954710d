"""Pipelines: the network of the table that the first step gets answers as the pipeline; readers take it."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest, VarianceThreshold
from sklearn.impute import MissingIndicator, SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    RobustScaler,
    StandardScaler,
)

from netlines import NetLinesClassifier, NetLinesClassifierCV
from netlines.inspection.explanation import explain
from netlines.inspection.inputs import as_rows
from netlines.inspection.missing import possible_classes
from netlines.inspection.pipelines import unfolded
from netlines.inspection.rules import extract_rules
from netlines.network.background import describe
from netlines.network.network import Network
from netlines.network.probability import Calibration

NUMBERS, TEXTS = ["age", "dose"], ["color", "sex", "grade"]


class Drawn(ClassifierMixin, BaseEstimator):
    """A classifier of two hidden units with random weights: what is tested here is no training."""

    def fit(self, X, y):
        X, rng = np.asarray(X, dtype=float), np.random.default_rng(1)
        weights, shares = rng.normal(size=(2, X.shape[1] + 1)), np.array([0.5, 0.5])
        odds = Calibration(0.1, [0.5, -0.3], [1.0, 2.0], [0.7, 1.3], shares, shares)
        output, classes = [[0.1, 1.0, -0.8]], np.unique(y)
        self.network_ = Network(weights, output, classes, calibration=odds, background=describe(X))
        return self


def people(n=80, seed=0, gaps=True):
    """Return a table of numbers, texts and booleans, of which some are missing; and labels 0, 1 and 2."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n).astype(float),
            "sex": rng.choice(["f", "m"], n),
            "number": np.arange(n) + 100.0,
            "color": rng.choice(["red", "green", "blue", "teal"], n, p=[0.5, 0.3, 0.14, 0.06]),
            "dose": rng.normal(1000, 5, n),
            "grade": rng.choice([1, 2, 3], n),
            "flag": rng.choice([True, False], n),
        }
    )
    y = ((X.age > 50) ^ (X.color == "red")).astype(int) + (X.dose > 1003)
    if gaps:
        X.loc[rng.random(n) < np.where(y == 1, 0.4, 0.02), "age"] = np.nan  # which tells of the class
        X.loc[rng.random(n) < 0.1, "color"] = None
    return X, y.to_numpy()


def by_kind(numbers, texts, **more):
    return ColumnTransformer([("numbers", numbers, NUMBERS), ("texts", texts, TEXTS)], **more)


def one_hot(*before, **more):
    return make_pipeline(*before, OneHotEncoder(sparse_output=False, **more))


IMPUTED = make_pipeline(SimpleImputer(), StandardScaler())
SHOWN = make_pipeline(SimpleImputer(strategy="median", add_indicator=True), StandardScaler())
LATER = make_pipeline(StandardScaler(), SimpleImputer(strategy="constant", fill_value=-3.0))
FREQUENT = SimpleImputer(strategy="most_frequent")
STEPS = {
    "shown": [by_kind(SHOWN, OneHotEncoder(drop="first")), MaxAbsScaler()],
    "names": [by_kind(LATER, one_hot(FREQUENT, drop="if_binary")).set_output(transform="pandas")],
    "rare": [
        by_kind(
            IMPUTED, one_hot(SimpleImputer(strategy="constant"), min_frequency=15, handle_unknown="ignore")
        ),
        StandardScaler(),
    ],
    "dropped": [by_kind(IMPUTED, one_hot(min_frequency=15, drop="first")), RobustScaler()],
    "few": [by_kind(IMPUTED, one_hot(max_categories=2)), MinMaxScaler((-1, 2)), SelectKBest(k=5)],
    "two": [
        ColumnTransformer(
            [
                ("codes", OrdinalEncoder(), ["sex"]),
                ("kept", "passthrough", ["flag"]),
                ("numbers", IMPUTED, slice("age", "age")),
                ("no", "drop", ["dose"]),
            ]
        ),
        VarianceThreshold(),
    ],
    "united": [
        ColumnTransformer([("numbers", "passthrough", [0, 4])]),
        FeatureUnion(
            [("mean", SimpleImputer()), ("scaled", LATER), ("gaps", MissingIndicator(features="all"))],
            transformer_weights={"scaled": 2.0},
        ),
        FunctionTransformer(),
    ],
}
# What is left to the network itself, which takes texts and gaps as well.
OWN = {
    "gaps": [ColumnTransformer([("numbers", StandardScaler(), NUMBERS)])],
    "texts": [
        ColumnTransformer(
            [("numbers", StandardScaler(), NUMBERS), ("filled", FREQUENT, ["color"])],
            remainder="passthrough",
            verbose_feature_names_out=False,
        ).set_output(transform="pandas")
    ],
    "objects": [ColumnTransformer([("numbers", RobustScaler(), NUMBERS)], remainder="passthrough")],
}


def same_answers(pipeline, network, X):
    """Assert that labels, scores and probabilities of rows of the table are those of the pipeline."""
    if isinstance(pipeline[-1], Drawn):
        expected = pipeline[-1].network_.forward(np.asarray(pipeline[:-1].transform(X), dtype=float))
        labels, scores = pipeline[-1].network_.classes[expected.labels], expected.scores
        p = expected.probability
    else:
        labels, scores = pipeline.predict(X), pipeline.decision_function(X)
        p = pipeline.predict_proba(X) if network.has_probability else None
    found = network.forward(as_rows(network, X))
    assert (network.classes[found.labels] == labels).all()
    np.testing.assert_allclose(found.scores, scores, atol=1e-9, rtol=1e-9)
    if p is not None:
        np.testing.assert_allclose(found.probability, p, atol=1e-9)


@pytest.mark.parametrize("name", STEPS)
def test_any_steps(name):
    X, y = people()
    pipeline = make_pipeline(*STEPS[name], Drawn()).fit(X, y > 0)
    network = unfolded(pipeline)
    same_answers(pipeline, network, people(seed=1)[0])
    assert set(network.layout.sources) | {name for name, _ in network.layout.left_out} == set(X.columns)
    assert network.layout.names == tuple(X.columns)
    assert network.layout.feature_names == network.feature_names
    assert network.background.groups == network.layout.groups


@pytest.mark.parametrize("name", OWN)
@pytest.mark.filterwarnings("ignore::netlines.tables.encode.TableWarning")
def test_steps_that_leave_texts_and_gaps_to_the_network(name):
    X, y = people()
    pipeline = make_pipeline(*OWN[name], NetLinesClassifier(max_hidden=3, refine=False, random_state=0)).fit(
        X, y
    )
    network, new = unfolded(pipeline), people(seed=1)[0]
    gapless = [column.origin for column in network.layout.columns if not column.gaps]
    assert "age" not in gapless
    same_answers(pipeline, network, new.dropna(subset=gapless))
    if name != "gaps":
        assert "row" in dict(network.layout.left_out)["number"]  # as the network says, it counts them


@pytest.mark.parametrize(
    ("model", "n_classes"),
    [
        (NetLinesClassifier(max_hidden=3, probability=True, refine=False), 2),
        (NetLinesClassifier(max_hidden=3, multiclass="tree", probability=True, refine=False), 3),
        (NetLinesClassifier(max_hidden=3, multiclass="shared", refine=False), 3),
        (NetLinesClassifier(max_hidden=3, refine=False), 3),
        (NetLinesClassifierCV(max_hidden=2, teacher=LogisticRegression(), cv=2), 2),
    ],
)
def test_any_classifier(model, n_classes):
    X, y = people()
    pipeline = make_pipeline(*STEPS["shown"], model).fit(X, np.minimum(y, n_classes - 1))
    same_answers(pipeline, unfolded(pipeline), people(seed=1)[0])


CELLS = st.floats(-50, 50, allow_subnormal=False).map(lambda x: round(x, 3)) | st.just(np.nan)
SCALERS = (StandardScaler(), MinMaxScaler(), MaxAbsScaler(), RobustScaler(), VarianceThreshold())


@given(
    st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=6, max_size=12),
    st.lists(st.sampled_from(SCALERS[:-1]), max_size=2),
    st.sampled_from(["mean", "median", "most_frequent", "constant"]),
    st.booleans(),
    st.lists(st.sampled_from(SCALERS), max_size=2),
)
@settings(max_examples=25, deadline=None)
def test_numbers_with_gaps(rows, before, strategy, shown, after):
    X = np.array([[-7.0, 3.5, 12.0], [9.25, 4.5, -80.0], *rows])
    imputer = SimpleImputer(strategy=strategy, add_indicator=shown)
    steps = [clone(step) for step in (*before, imputer, *after)]
    pipeline = make_pipeline(*steps, Drawn()).fit(X, np.arange(len(X)) % 2)
    network = unfolded(pipeline)
    same_answers(pipeline, network, X)
    assert not network.layout.named
    inputs = np.asarray(as_rows(network, X))
    numbers = ["missing" not in name for name in network.feature_names]
    found, expected = network.background, describe(inputs)
    for name in ("mean", "scale", "low", "high"):
        mine, real = getattr(found, name)[numbers], getattr(expected, name)[numbers]
        np.testing.assert_allclose(mine, real, rtol=1e-6, atol=1e-8)


@given(
    st.lists(st.sampled_from(["a", "b", "c", "10", None]), min_size=4, max_size=15),
    st.sampled_from([None, "first", "if_binary"]),
    st.sampled_from([None, 2, 3]),
    st.sampled_from([None, "most_frequent", "constant"]),
    st.sampled_from(SCALERS),
)
@settings(max_examples=25, deadline=None)
def test_categories_with_gaps(cells, drop, least, strategy, after):
    X = pd.DataFrame({"text": ["a", "b", *cells], "number": np.arange(len(cells) + 2.0)})
    before = [] if strategy is None else [SimpleImputer(strategy=strategy)]
    texts = ("texts", one_hot(*before, drop=drop, min_frequency=least), ["text"])
    steps = ColumnTransformer([texts], remainder="passthrough"), clone(after)
    pipeline = make_pipeline(*steps, Drawn()).fit(X, np.arange(len(X)) % 2)
    network = unfolded(pipeline)
    same_answers(pipeline, network, X)
    if strategy is None and least is None:  # else gaps may count as a category
        found, expected = network.background, describe(np.asarray(as_rows(network, X)))
        np.testing.assert_allclose(found.mean, expected.mean, atol=1e-9)
        np.testing.assert_allclose(found.scale, expected.scale, atol=1e-9)


def test_the_background_is_that_of_the_table():
    X, y = people()
    network = unfolded(make_pipeline(*STEPS["shown"], Drawn()).fit(X, y > 0))
    found, expected = network.background, describe(np.asarray(as_rows(network, X)))
    names = [name for name in network.feature_names if name != "dose is missing"]  # there are none
    assert names[:4] == ["age", "age is missing", "sex=m", "color=blue"]
    own = [network.feature_names.index(name) for name in names]
    for name in ("mean", "scale", "low", "high", "two"):
        np.testing.assert_allclose(getattr(found, name)[own], getattr(expected, name)[own], atol=1e-9)
    np.testing.assert_allclose(
        found.correlation[np.ix_(own, own)], expected.correlation[np.ix_(own, own)], atol=1e-3
    )
    assert found.low[0] == X.age.min()  # no digit of a rounding error
    assert found.high[0] == X.age.max()
    assert found.integer.tolist() == [name not in NUMBERS for name in network.feature_names]


def test_columns():
    X, y = people()
    columns = {}
    for name, steps in STEPS.items():
        layout = unfolded(make_pipeline(*steps, Drawn()).fit(X, y > 0)).layout
        columns[name] = {column.name: column for column in layout.columns}
    assert columns["names"]["color"].categories == ("blue", "green", "red", "teal")
    assert columns["names"]["color"].gaps
    assert columns["rare"]["color"].categories == ("blue", "green", "red")
    assert columns["rare"]["color"].other == "other"
    assert columns["dropped"]["grade"].categories == ("1", "2", "3")
    assert columns["dropped"]["sex"].base == "f"
    assert columns["two"]["sex"].base == "f"
    assert list(columns["two"]) == ["age", "sex", "flag"]
    assert columns["united"]["age"].fill == pytest.approx(X.age.mean())


def test_readers_take_the_table():
    X, y = people()
    pipeline = make_pipeline(
        by_kind(SHOWN, OneHotEncoder()), NetLinesClassifier(max_hidden=3, random_state=0)
    )
    pipeline.fit(X, y > 0)
    network, row = unfolded(pipeline), X.iloc[3]
    found, expected = (
        explain(network, row.to_dict()),
        explain(pipeline[-1], pipeline[:-1].transform(X.iloc[[3]])),
    )
    np.testing.assert_allclose(found.distances, expected.distances, rtol=1e-9)
    assert found.label == expected.label == pipeline.predict(X.iloc[[3]])[0]
    assert found.flip.norm == pytest.approx(expected.flip.norm, rel=1e-6)
    changed = X.iloc[[3]].assign(
        **{name: found.flip.row[network.feature_names.index(name)] for name in NUMBERS}
    )
    assert pipeline.predict(changed)[0] == found.flip.label != found.label
    rules = extract_rules(network, X)
    assert (rules.predict(X) == pipeline.predict(X)).mean() > 0.95
    ((labels, *_),) = [(one.labels,) for one in possible_classes(network, X.iloc[[3]].assign(dose=np.nan))]
    doses = np.linspace(X.dose.min(), X.dose.max(), 200)
    tried = pipeline.predict(pd.concat([X.iloc[[3]]] * 200).assign(dose=doses))
    assert set(labels) == set(tried.tolist())


def test_a_column_far_from_zero():
    rng = np.random.default_rng(0)
    seconds = 1e15 + rng.integers(0, 1000, 60)
    X = np.column_stack([seconds, rng.normal(size=60)])
    pipeline = make_pipeline(StandardScaler(), Drawn()).fit(X, seconds > seconds.mean())
    network = unfolded(pipeline)
    assert network.origin.tolist() == [seconds.min(), 0.0]
    same_answers(pipeline, network, X)


def test_without_steps_it_is_the_network_itself():
    X, y = people(gaps=False)
    pipeline = make_pipeline("passthrough", Drawn()).fit(X[NUMBERS].to_numpy(), y > 0)
    assert unfolded(pipeline) is pipeline[-1].network_


X, Y = people(gaps=False)


@pytest.mark.parametrize(
    ("steps", "columns", "message"),
    [
        (
            [PCA()],
            NUMBERS,
            r"step 'pca' .* PCA, cannot .*allowed are StandardScaler.*pipeline\[:-1\].transform",
        ),
        (
            [by_kind(make_pipeline(PCA()), one_hot())],
            None,
            "step 'columntransformer__numbers__pca' of the pipe",
        ),
        ([FunctionTransformer(np.abs)], NUMBERS, "FunctionTransformer, .*absolute.*allowed is func=None"),
        ([MinMaxScaler(clip=True)], NUMBERS, "clip=True"),
        ([OrdinalEncoder()], TEXTS, "OrdinalEncoder, .* column 'color' has 4 categories, allowed are 2"),
        (
            [StandardScaler(), OneHotEncoder(sparse_output=False)],
            ["grade"],
            "OneHotEncoder, .*changed before",
        ),
        ([SimpleImputer(missing_values=3)], ["grade", "age"], "missing_values=3; allowed are NaN"),
        (
            [FeatureUnion([("n", MaxAbsScaler()), ("c", one_hot())])],
            ["grade"],
            "takes column 'grade' as a number",
        ),
    ],
)
def test_what_cannot_be_read_back(steps, columns, message):
    pipeline = make_pipeline(*steps, Drawn()).fit(X[columns or list(X)], Y > 0)
    with pytest.raises(TypeError, match=message):
        unfolded(pipeline)


def test_categories_that_the_table_reads_otherwise():
    steps = [ColumnTransformer([("texts", one_hot(), ["color"])]), Drawn()]
    unknown = X.assign(color=X.color.replace("teal", "?"))  # a gap for tables, and as such one category
    pipeline = make_pipeline(*steps).fit(unknown, Y > 0)
    same_answers(pipeline, unfolded(pipeline), unknown)
    with pytest.raises(TypeError, match="'color' look the same, 'red'"):
        unfolded(make_pipeline(*steps).fit(X.assign(color=X.color.replace("teal", " red")), Y > 0))


def test_other_last_steps():
    with pytest.raises(TypeError, match=r"last step 'logisticregression' .* has no `network_`; allowed are"):
        unfolded(make_pipeline(StandardScaler(), LogisticRegression()).fit(X[NUMBERS], Y > 0))
