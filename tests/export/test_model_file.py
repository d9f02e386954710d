"""The model file: exact round trip, whole or not at all, and a clear error for whatever is not one."""

import copy
import doctest
import json
import os
from dataclasses import fields, replace
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from any_tables import examples
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from netlines._files import atomic_write, check_writable
from netlines.export import model_file, schema
from netlines.export.model_file import FORMAT, load_network, read_model_file, save_network
from netlines.network.background import Background
from netlines.network.layout import Column, Layout
from netlines.network.network import PASS_ON, Network
from netlines.network.networks import Networks, Part
from netlines.network.probability import Calibration
from netlines.tables.cells import of_columns
from netlines.tables.encode import encode
from netlines.tables.numbers import WEEKDAYS

OLD_FILES = Path(__file__).parents[1] / "data"
TRACE = (
    {"unit": 1, "origin": "targets", "errors": 3, "temperature": 0.1, "seconds": None, "code": [1, -1]},
    {"unit": 2, "origin": "errors", "errors": 0, "temperature": 1 / 3, "seconds": 2e-9, "code": [1, 1]},
)
LAYOUT = Layout(
    ("âge", "colour"),
    (Column("âge", "number"), Column("colour", "category", categories=("red",))),
    target="answer",
)
# Dates of days first, decimal commas, gaps, two categories and many, columns left out, classes with names.
RICH = Layout(
    ("id", "size", "sex", "town", "dose", "seen", "smokes", "note"),
    (
        Column("size", "number", decimal=","),
        Column("sex", "category", categories=("male",), base="female"),
        Column("town", "category", categories=("town 00", "town 01"), other="other"),
        Column("dose", "number", gaps=True, fill=5.0, decimal=","),
        Column(
            "seen: days since 2024-01-29", "number", "seen", "days", start=1_706_486_400_000_000, order="day"
        ),
        Column("seen: month", "category", "seen", "month", ("Jan", "Feb", "Mar"), order="day"),
        Column("seen: weekday", "category", "seen", "weekday", WEEKDAYS, order="day"),
        Column("smokes", "boolean"),
    ),
    (
        ("id", "80 different whole numbers in 80 rows, a number or key of the row"),
        ("note", "'x' in all rows"),
    ),
    "answer",
    labels=(("0", "well"), ("1", "ill")),
)


CALIBRATION = Calibration(
    intercepts=0.1 + 0.2,
    slopes=[1 / 3, -1e-17],
    steps=[-0.0, 5e-324],
    steepness=[3.0, 1e300],
    training_priors=[0.4, 0.6],
    priors=[0.9, 0.1],
)


SOFTMAX = Calibration(
    intercepts=[0.1 + 0.2, 1e-300, -1.0],
    slopes=[[1 / 3, -1e-17], [0.5, -0.0], [1.0, 2.0]],
    steps=[[-0.0, 5e-324], [1.0, -1.0], [0.7, 0.0]],
    steepness=[3.0, 1e300],
    training_priors=[0.25, 0.25, 0.5],
    priors=[0.1, 0.7, 0.2],
)


BACKGROUND = Background(
    mean=[0.1 + 0.2, 1 / 3],
    scale=[1e-300, 2.5],
    low=[-1e100, 0.0],
    high=[5e-324, 1.0],
    integer=[False, True],
    two=[False, True],
    correlation=[[1.0, 0.25], [0.25, 1.0]],
    temperature=1 / 7,
)


def three_outputs(**changes):
    """A network of three classes with an output each."""
    arguments = {
        "hidden_weights": [[0.1, -1 / 3, 1e-17], [-0.0, 5e-324, 1.5]],
        "output_weights": [[0.1 + 0.2, 1.0, -1.0], [0.0, -1.0, 1 / 3], [0.5, 0.25, 0.0]],
        "classes": ["no", "perhaps", "yes"],
        "growth_trace": TRACE,
        "temperature": 2 / 3,
        "feature_names": ("âge", "colour=red"),
        "calibration": SOFTMAX,
        "background": BACKGROUND,
    }
    return Network(**{**arguments, **changes})


def three_trees(**changes):
    """A vote of three trees over three classes; two trees share their first network."""

    def part(positive, negative, weights, **more):
        calibration = Calibration(0.1, [0.5], [-0.25], [3.0], [0.75, 0.25], [0.75, 0.25])
        return Part(positive, negative, Network([weights], PASS_ON, [0, 1], calibration=calibration, **more))

    parts = (
        part(["yes"], ["no", "perhaps"], [0.1, -1 / 3, 1e-17], growth_trace=TRACE[:1], temperature=0.1),
        part(["no"], ["perhaps"], [0.5, 1.0, -1.0]),
        part(["perhaps"], ["no"], [-0.25, 1.5, 1.0], temperature=2 / 3),
        part(["no"], ["yes", "perhaps"], [1.0, -1.0, 2.0]),
        replace(part(["perhaps"], ["yes"], [-0.0, 1.0, 5e-324]), scale=1 / 3),
    )
    networks = Networks(
        "vote",
        ["no", "perhaps", "yes"],
        parts,
        trees=((0, 1), (0, 2), (3, 4)),
        voting="confidence",
        training_priors=[0.25, 0.25, 0.5],
        priors=[0.1, 0.7, 0.2],
        background=BACKGROUND,
    )
    return replace(networks, **changes).with_feature_names(("âge", "colour=red"))


def small_network(**changes):
    arguments = {
        "hidden_weights": [[0.1, -1 / 3, 1e-17], [-0.0, 5e-324, 1e149]],
        "output_weights": [[0.1 + 0.2, 1.0, -1.0]],
        "classes": ["no", "yes"],
        "growth_trace": TRACE,
        "temperature": 2 / 3,
        "feature_names": ("âge", "colour=red"),
        "calibration": CALIBRATION,
        "background": BACKGROUND,
    }
    return Network(**{**arguments, **changes})


def assert_same(a, b):
    for name in ("hidden_weights", "output_weights"):
        assert getattr(a, name).dtype == getattr(b, name).dtype
        assert getattr(a, name).tobytes() == getattr(b, name).tobytes()
    assert a.classes.dtype == b.classes.dtype
    assert a.classes.tolist() == b.classes.tolist()
    assert a.growth_trace == b.growth_trace
    assert a.temperature == b.temperature
    assert a.feature_names == b.feature_names
    assert a.layout == b.layout
    assert_same_calibration(a.calibration, b.calibration)
    assert_same_background(a.background, b.background)
    assert np.array_equal(a.origin, b.origin)


def assert_same_background(a, b):
    assert type(a) is type(b)
    for field in fields(a) if a is not None else ():
        values = np.asarray(getattr(a, field.name)), np.asarray(getattr(b, field.name))
        assert values[0].dtype == values[1].dtype
        assert values[0].tobytes() == values[1].tobytes()


def assert_same_networks(a, b):
    assert (a.scheme, a.voting, a.trees) == (b.scheme, b.voting, b.trees)
    assert a.layout == b.layout
    assert_same_background(a.background, b.background)
    assert a.classes.dtype == b.classes.dtype
    assert a.classes.tolist() == b.classes.tolist()
    for one, other in ((a.training_priors, b.training_priors), (a.priors, b.priors)):
        assert (one is None) == (other is None)
        assert one is None or one.tobytes() == other.tobytes()
    for one, other in zip(a.parts, b.parts, strict=True):
        assert (one.positive, one.negative) == (other.positive, other.negative)
        assert list(map(type, one.positive)) == list(map(type, other.positive))
        assert one.scale == other.scale
        assert_same(one.network, other.network)


def assert_same_calibration(a, b):
    assert type(a) is type(b)
    if a is not None:
        for field in fields(a):
            values = np.asarray(getattr(a, field.name)), np.asarray(getattr(b, field.name))
            assert values[0].dtype == values[1].dtype == float
            assert values[0].tobytes() == values[1].tobytes()


def test_a_network_comes_back_bit_for_bit(tmp_path):
    network = small_network(layout=LAYOUT)
    save_network(network, tmp_path / "model.json", metadata={"seed": 0})
    model = read_model_file(tmp_path / "model.json")
    assert_same(model.network, network)
    assert model.network.layout == LAYOUT
    assert model.metadata == {"seed": 0}
    assert_same(load_network(str(tmp_path / "model.json")), network)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"calibration": None},
        {"classes": [3, 1, 2]},
        {"background": None},
        {"background": replace(BACKGROUND, correlation=None)},
    ],
    ids=str,
)
def test_a_network_of_many_outputs_comes_back_bit_for_bit(tmp_path, changes):
    network = three_outputs(**changes, layout=LAYOUT)
    save_network(network, tmp_path / "model.json")
    assert_same(load_network(tmp_path / "model.json"), network)


@pytest.mark.parametrize(
    "change", [{}, {"voting": "hard"}, {"training_priors": None, "priors": None}], ids=str
)
def test_networks_come_back_bit_for_bit(tmp_path, change):
    networks = three_trees(**change).with_layout(LAYOUT)
    save_network(networks, tmp_path / "model.json", metadata={"seed": 0})
    model = read_model_file(tmp_path / "model.json")
    assert_same_networks(model.network, networks)
    assert model.metadata == {"seed": 0}
    X = np.random.default_rng(0).normal(size=(50, 2))
    assert model.network.probability(X).tobytes() == networks.probability(X).tobytes()
    assert (model.network.predict(X) == networks.predict(X)).all()


@pytest.mark.parametrize("scheme", ["tree", "wta", "pairs"])
@pytest.mark.parametrize(
    "classes", [[0.5, 1.5, 2.5], np.array([0.1, 0.2, 0.3], np.float32), [1, 2, 3]], ids=str
)
def test_every_scheme_keeps_its_labels(tmp_path, scheme, classes):
    a, b, c = np.asarray(classes)
    unit = Network([[0.5, 1.0]], PASS_ON, [False, True])
    separated = {
        "tree": [([a], [b, c]), ([b], [c])],
        "wta": [([a], [b, c]), ([b], [a, c]), ([c], [a, b])],
        "pairs": [([a], [b]), ([c], [a]), ([b], [c])],
    }
    parts = [Part(*labels, unit) for labels in separated[scheme]]
    networks = Networks(scheme, classes, parts, trees=[(0, 1)] if scheme == "tree" else [])
    save_network(networks, tmp_path / "model.json")
    assert_same_networks(load_network(tmp_path / "model.json"), networks)


def test_only_the_network_is_needed(tmp_path):
    absent = {"temperature": None, "feature_names": None, "calibration": None, "background": None}
    network = small_network(growth_trace=(), **absent)
    save_network(network, tmp_path / "model.json")
    model = read_model_file(tmp_path / "model.json")
    assert_same(model.network, network)
    assert model.network.layout is None
    assert model.metadata == {}


@pytest.mark.parametrize(
    "classes",
    [
        ["a", "ünlike"],
        np.array(["a", "b"], dtype=object),
        [-1, 1],
        np.array([0, 255], dtype=np.uint8),
        [-(2**63), 2**63 - 1],
        [False, True],
        [0.1, 0.1 + 0.2],
        np.array([0.1, 0.3], dtype=np.float32),
        ["0", "1"],
    ],
    ids=str,
)
def test_labels_keep_their_type(tmp_path, classes):
    network = small_network(classes=classes)
    save_network(network, tmp_path / "model.json")
    assert_same(load_network(tmp_path / "model.json"), network)


TEXTS = st.text(st.characters(codec="utf-8"))


@examples(100)
@given(
    weights=hnp.arrays(
        st.sampled_from([np.float32, np.float64]),
        st.tuples(st.integers(1, 4), st.integers(2, 5)),
        elements={"min_value": -(2.0**59), "max_value": 2.0**59},
    ),
    data=st.data(),
)
def test_any_weights_within_the_limits_come_back_bit_for_bit(tmp_path_factory, weights, data):
    finite = st.floats(-1e50, 1e50)
    output = data.draw(hnp.arrays(np.float64, (1, len(weights) + 1), elements=finite))
    names = tuple(data.draw(st.lists(TEXTS, min_size=weights.shape[1] - 1, max_size=weights.shape[1] - 1)))
    calibration = Calibration(
        data.draw(finite),
        *(data.draw(hnp.arrays(np.float64, len(weights), elements=finite)) for _ in range(3)),
        *((share, 1 - share) for share in (data.draw(st.floats(1e-9, 1 - 1e-9)) for _ in range(2))),
    )
    network = Network(
        weights,
        output,
        [0, 1],
        temperature=data.draw(st.floats(0, 1e100)),
        feature_names=names,
        calibration=data.draw(st.sampled_from([calibration, None])),
    )
    path = tmp_path_factory.getbasetemp() / "any.json"
    save_network(network, path)
    assert_same(load_network(path), network)


def test_origins_come_back_bit_for_bit(tmp_path):
    far = small_network(
        hidden_weights=[[0.1, -1 / 3, 1e-17]],
        output_weights=PASS_ON,
        calibration=None,
        origin=[1e15, -1.7e18],
    )
    several = three_trees()
    several = several.with_networks([replace(part.network, origin=[1e15, 0.0]) for part in several.parts])
    X = far.origin + np.array([[3.0, 512.0], [0.0, 0.0]])
    for network in (far, several):
        save_network(network, tmp_path / "model.json")
        again = load_network(tmp_path / "model.json")
        np.testing.assert_array_equal(again.origin, network.origin)
        assert again.decision(X).tobytes() == network.decision(X).tobytes()


def test_numpy_values_in_the_trace_become_plain_ones(tmp_path):
    trace = (
        {"errors": np.int64(3), "temperature": np.float64(0.1), "code": np.array([1, -1]), "pair": (1, 2)},
    )
    save_network(small_network(growth_trace=trace), tmp_path / "model.json")
    expected = ({"errors": 3, "temperature": 0.1, "code": [1, -1], "pair": [1, 2]},)
    assert load_network(tmp_path / "model.json").growth_trace == expected


@pytest.mark.parametrize("version", range(1, FORMAT + 1))
def test_files_of_every_format_are_read(version):
    model = read_model_file(OLD_FILES / f"format_{version}.json")
    assert model.network.classes.tolist() == ["no", "yes"]
    assert model.network.hidden_weights.tolist() == [[0.1, -1 / 3, 1e-17], [-0.0, 5e-324, 1.5]]
    assert model.network.output_weights.tolist() == [[0.1 + 0.2, 1.0, -1.0]]
    assert model.network.growth_trace == TRACE
    assert model.network.temperature == 2 / 3
    assert model.network.feature_names == ("âge", "colour=red")
    assert model.network.layout == LAYOUT
    assert model.metadata == {"seed": 0}
    assert_same_calibration(model.network.calibration, None if version == 1 else CALIBRATION)
    assert (model.network.origin is None) == (version < 6)


def test_files_of_many_classes_are_read():
    """Written by the first version that knew of them."""
    for version in range(3, FORMAT + 1):
        background = None if version == 3 else BACKGROUND
        outputs = load_network(OLD_FILES / f"format_{version}_outputs.json")
        assert_same(outputs, three_outputs(background=background, layout=LAYOUT))
        model = read_model_file(OLD_FILES / f"format_{version}_networks.json")
        assert_same_networks(model.network, three_trees(background=background).with_layout(LAYOUT))
        assert model.metadata == {"seed": 0}


@pytest.mark.parametrize("kind", ["", "_outputs", "_networks"])
def test_formats_answer_alike(kind):
    """The layouts of calibrations and tables have changed, no bit of an answer."""
    X = np.random.default_rng(0).normal(size=(50, 2))
    new = load_network(OLD_FILES / f"format_{FORMAT}{kind}.json")
    for version in range(3 if kind else 2, FORMAT):
        old = load_network(OLD_FILES / f"format_{version}{kind}.json")
        same = new if kind or version >= 6 else replace(new, origin=None)
        for one, other in zip(old.forward(X), same.forward(X), strict=True):
            assert one.tobytes() == other.tobytes()


def test_a_file_of_a_rich_table_is_read_and_answers_raw_rows():
    """Written by `netlines fit`, in the first version that knew of them."""
    model = read_model_file(OLD_FILES / "format_7_table.json")
    network = model.network
    assert network.layout == RICH
    assert network.feature_names == RICH.feature_names
    assert (model.facts.rows, model.facts.training_errors) == (80, 0)
    table = {
        "seen": ["1/2/2024", "2024-03-01", "29.1.2024"],
        "dose": ["3", "", "8,5"],
        "size": ["1,92", "-0,03", "1.000"],
        "sex": ["male", "female", "female"],
        "town": ["town 00", "elsewhere", "town 01"],
        "smokes": ["true", "FALSE", "0"],
    }
    inputs = encode(of_columns(table), network.layout).inputs
    assert inputs[:, [0, 1, 5, 6, 7]].tolist() == [
        [1.92, 1, 3, 0, 3],
        [-0.03, 0, 5, 1, 32],
        [1000, 0, 8.5, 0, 0],
    ]
    assert network.predict(inputs).tolist() == ["well", "ill", "ill"]
    fields = [[0.165933175, -3.38661895], [-2.92739873, -3.38931712], [-769.476473, -969.686858]]
    np.testing.assert_allclose(network.fields(inputs), fields, rtol=1e-8)


def test_probabilities_survive_the_file(tmp_path):
    calibration = Calibration(-0.3, [0.1, -0.2], [1.5, 0.7], [2.0, 3.0], [0.3, 0.7], [0.6, 0.4])
    weights = [[0.1, -1.0, 0.5], [0.3, 0.2, -2.0]]
    network = small_network(hidden_weights=weights, calibration=calibration)
    save_network(network, tmp_path / "model.json")
    again, X = load_network(tmp_path / "model.json"), np.random.default_rng(0).normal(size=(50, 2))
    assert again.moved
    assert again.probability(X).tobytes() == network.probability(X).tobytes()
    assert (again.predict(X) == network.predict(X)).all()
    assert (again.predict(X) != replace(again, calibration=None).predict(X)).any()


def valid_document(kind=""):
    return json.loads((OLD_FILES / f"format_{FORMAT}{kind}.json").read_text())


def changed(*path, to, kind=""):
    """The valid document with one entry replaced."""
    document = copy.deepcopy(valid_document(kind))
    entry = document
    for key in path[:-1]:
        entry = entry[key]
    entry[path[-1]] = to
    return document


DAMAGED = {
    "a list": ([], "does not begin with the format 'netlines model'"),
    "another format": (changed("format", to="pickle"), "does not begin with the format"),
    "a newer version": (
        changed("version", to=FORMAT + 1),
        f"format version is {FORMAT + 1}, this version of netlines reads 1 to {FORMAT}$",
    ),
    "a version before the first": (changed("version", to=0), "format version is 0"),
    "a first version of later entries": (changed("version", to=1), "missing or unknown: calibration"),
    "a version of text": (changed("version", to="1"), "format version is '1'"),
    "a version that is true": (changed("version", to=True), "format version is True"),
    "an unknown entry": (changed("extra", to=0), "missing or unknown: extra"),
    "no weights": ({k: v for k, v in valid_document().items() if k != "hidden_weights"}, "hidden_weights"),
    "weights in no object": (changed("hidden_weights", to=[[1.0, 2.0]]), "hidden_weights must be an object"),
    "weights of text": (changed("hidden_weights", "values", 0, 1, to="1"), "hidden_weights .* got '1'"),
    "weights of true": (changed("hidden_weights", "values", 0, 1, to=True), "hidden_weights .* got True"),
    "weights that overflow": (
        changed("hidden_weights", "values", 0, 1, to=1e308),
        r"hidden_weights must be from -1e\+150 to 1e\+150 as float64, got 1e\+308",
    ),
    "weights that overflow on the training rows": (
        changed("hidden_weights", "values", 0, 1, to=1e60),
        r"hidden_weights times the values of the background must be up to 1e\+150, got 1e\+160",
    ),
    "too large for float32": (
        changed("hidden_weights", to={"dtype": "float32", "values": [[1.0, 1e39]]}),
        r"hidden_weights must be from -1e\+18 to 1e\+18 as float32, got 1e.39",
    ),
    "a huge integer": (
        changed("output_weights", "values", 0, 0, to=10**400),
        "output_weights must be finite",
    ),
    "object weights": (changed("hidden_weights", "dtype", to="object"), "hidden_weights .* got 'object'"),
    "no rows": (changed("hidden_weights", "values", to=[]), "hidden_weights .* not empty"),
    "ragged rows": (changed("hidden_weights", "values", 0, to=[1.0]), "hidden_weights .* one length"),
    "no inputs": (
        changed("hidden_weights", "values", to=[[1.0], [1.0]]),
        "hidden_weights .* 2 columns and at most 1000001, got 1",
    ),
    "a short output": (changed("output_weights", "values", 0, to=[1.0]), r"shape \(1, 3\) .* got \(1, 1\)"),
    "one class": (changed("classes", "values", to=["no"]), "classes must be 2 different"),
    "a class twice": (changed("classes", "values", to=["no", "no"]), "classes must be 2 different"),
    "classes that an array confuses": (
        changed("classes", "values", to=["no", "no\0"]),
        "classes must be 2 different labels or more as str",
    ),
    "classes that float32 confuses": (
        changed("classes", to={"dtype": "float32", "values": [0.1, 0.1000000000001]}),
        "classes must be 2 different labels or more as float32",
    ),
    "a class that is no text": (
        changed("classes", "values", to=["no", "\ud800"]),
        r"classes must be text of at most 10000 characters, got '\\ud800'",
    ),
    "a class of another type": (changed("classes", "values", to=["no", 1]), "1 is not a label of dtype str"),
    "classes of code": (changed("classes", "dtype", to="datetime64"), "classes .* got 'datetime64'"),
    "a class too large": (changed("classes", to={"dtype": "int8", "values": [0, 300]}), "classes: .*300"),
    "one name": (changed("feature_names", to=["a"]), "feature_names must name 2 inputs, got 1"),
    "a name without end": (
        changed("feature_names", 1, to="x" * 100_000),
        "feature_names must be text of at most 10000 characters, got 'xxx",
    ),
    "names of numbers": (changed("feature_names", to=[1, 2]), "feature_names must be null or a list"),
    "temperature of text": (changed("temperature", to="hot"), "temperature .* got 'hot'"),
    "a trace of strange errors": (
        changed("growth_trace", 0, "errors", to="x"),
        r"growth_trace\[0\]\['errors'\] must be a finite number, got 'x'",
    ),
    "a trace of 400 digits": (
        changed("growth_trace", 1, "errors", to=10**400),
        r"growth_trace\[1\]\['errors'\] must be a finite number",
    ),
    "a trace of no size": (
        changed("growth_trace", 0, "n_hidden", to=None),
        r"growth_trace\[0\]\['n_hidden'\] must be an integer, got None",
    ),
    "a trace of objects": (
        changed("growth_trace", 0, "code", to=[{}]),
        r"growth_trace\[0\]\['code'\] must be null, true, false, a number, a string or a list of these",
    ),
    "a trace of text": (changed("growth_trace", to=["unit"]), "growth_trace must be a list of objects"),
    "no calibration entry": (
        {k: v for k, v in valid_document().items() if k != "calibration"},
        "missing or unknown: calibration",
    ),
    "a calibration of text": (changed("calibration", to="yes"), "calibration must be null or an object"),
    "half a calibration": (changed("calibration", to={"intercepts": [0.0]}), "calibration .* slopes, steps"),
    "an unknown slope": (changed("calibration", "slope", to=1.0), "calibration must be null or an object"),
    "an intercept of text": (
        changed("calibration", "intercepts", to=["0"]),
        r"calibration\['intercepts'\] must be 1 finite number, one an output, got \['0'\]",
    ),
    "a slope too few": (
        changed("calibration", "slopes", to=[[1.0]]),
        r"calibration\['slopes'\] must be 1 row, one an output, of 2 finite numbers, one a hidden unit, "
        r"got \[\[1.0\]\]",
    ),
    "a step too many": (changed("calibration", "steps", to=[[1.0] * 3]), r"\['steps'\] must be 1 row"),
    "steepness of true": (changed("calibration", "steepness", 0, to=True), r"\['steepness'\] must be 2"),
    "a slope that is null": (changed("calibration", "slopes", 0, 1, to=None), r"\['slopes'\] must be 1 row"),
    "steps in no list": (changed("calibration", "steps", to="12"), r"\['steps'\] must be 1 row"),
    "three priors": (
        changed("calibration", "priors", to=[0.2, 0.3, 0.5]),
        r"calibration\['priors'\] must be 2 finite numbers, one a class",
    ),
    "a prior of 0": (
        changed("calibration", "priors", to=[0.0, 1.0]),
        r"calibration\['priors'\] must be from 1e-150 to 1, got 0.0",
    ),
    "training priors of another sum": (
        changed("calibration", "training_priors", to=[0.5, 0.6]),
        r"calibration\['training_priors'\] must be positive with the sum 1, got \[0.5, 0.6\]",
    ),
    "a background of text": (changed("background", to="seen"), "background must be null or an object"),
    "half a background": (changed("background", to={"mean": [0, 0]}), "background .* mean, scale"),
    "a mean too few": (changed("background", "mean", to=[0.0]), r"background\['mean'\] must be 2 finite"),
    "a range that is null": (changed("background", "low", 0, to=None), r"\['low'\] must be 2 finite"),
    "a spread of 0": (
        changed("background", "scale", 0, to=0.0),
        r"background\['scale'\] must be from 4.94066e-324 to 1e\+100, got 0.0",
    ),
    "a mean that is too large": (
        changed("background", "mean", 0, to=1e308),
        r"background\['mean'\] must be from -1e\+100 to 1e\+100, got 1e\+308",
    ),
    "a mean out of range": (changed("background", "mean", 1, to=7.0), "background.mean must be between"),
    "a range that is turned": (
        changed("background", "low", 1, to=2.0),
        "background.low must be at most background.high, got 2.0 for input 1",
    ),
    "integers of a half": (changed("background", "high", 1, to=1.5), "background.high must be integers"),
    "a group of one": (
        changed("background", "groups", to=[[1]]),
        "background.groups must be of neighbouring",
    ),
    "an empty group": (changed("background", "groups", to=[[]]), "background.groups must be of neighbouring"),
    "a correlation of 2": (
        changed("background", "correlation", to=[[1.0, 2.0], [2.0, 1.0]]),
        "background.correlation must be a correlation",
    ),
    "a correlation of one side": (
        changed("background", "correlation", to=[[1.0, 0.0], [0.5, 1.0]]),
        "background.correlation must be a correlation",
    ),
    "two values of numbers": (
        changed("background", "two", to=[0, 1]),
        r"\['two'\] must be 2 values",
    ),
    "groups of text": (changed("background", "groups", to=["01"]), r"\['groups'\] must be a list of lists"),
    "a group of strangers": (
        changed("background", "groups", to=[[0, 2]]),
        r"groups must be of inputs from 0 to 1",
    ),
    "integers of numbers": (
        changed("background", "integer", to=[0, 1]),
        r"\['integer'\] must be 2 values",
    ),
    "an integer too few": (changed("background", "integer", to=[True]), r"\['integer'\] must be 2 values"),
    "half a correlation": (changed("background", "correlation", to=[[1.0]]), r"\['correlation'\] must be"),
    "a correlation too few": (
        changed("background", "correlation", to=[[1.0, 0.0]]),
        r"correlation'\] must be null or 2 rows, one an input, of 2 finite numbers, one an input",
    ),
    "a background of text for heat": (changed("background", "temperature", to="1"), "temperature.* got '1'"),
    "a background without heat": (
        changed("background", "temperature", to=0),
        r"temperature'\] must be from 1e-09 to",
    ),
    "a third version of later entries": (changed("version", to=3), "missing or unknown: background"),
    "a slope that overflows": (
        changed("calibration", "slopes", 0, 0, to=1e308),
        r"calibration\['slopes'\] must be from -1e\+307 to 1e\+307",
    ),
    "a prior next to 0": (
        changed("calibration", "priors", to=[1e-320, 1.0]),
        r"calibration\['priors'\] must be from 1e-150 to 1, got 1e-320",
    ),
    "a table of other inputs": (
        changed("table", "columns", 1, "categories", to=["red", "blue"]),
        "table: its columns give 3 inputs, the network has 2",
    ),
    "a table of other names": (
        changed("table", "columns", 0, to=Column("age", "number", "âge").to_json()),
        "table: its columns give input 0 the name 'age', the network the name 'âge'",
    ),
    "strange missing values": (
        changed("metadata", to={"missing": "guess"}),
        r"metadata\['missing'\] must be among auto, error, integrate, got 'guess'",
    ),
    "a strictness of numbers": (
        changed("metadata", to={"strict": 1}),
        r"metadata\['strict'\] must be true or false, got 1",
    ),
    "metadata of text": (changed("metadata", to="seed"), "metadata must be an object"),
}


def outputs(*path, to):
    return changed(*path, to=to, kind="_outputs")


def networks(*path, to):
    return changed(*path, to=to, kind="_networks")


def outputs_without(entry, **changes):
    """The valid document of many outputs with entries replaced and one removed."""
    return {key: value for key, value in {**valid_document("_outputs"), **changes}.items() if key != entry}


def older(document, **changes):
    """A document as it was before there were origins, and of no table."""
    return {**{key: value for key, value in document.items() if key != "origin"}, "table": None, **changes}


DAMAGED |= {
    "an origin of an older version": ({**valid_document(), "version": 5}, "missing or unknown: origin"),
    "a farthest row of an older version": (
        {**valid_document(), "version": 7},
        r"missing or unknown: background\['farthest'\]",
    ),
    "a farthest row that is nowhere": (
        changed("background", "farthest", to=-1.0),
        r"background\['farthest'\] must be from 0 to 1e\+160, got -1.0",
    ),
    "an origin of fewer inputs": (
        changed("origin", to=[0.0]),
        "origin must be null or 2 finite numbers, one an input",
    ),
    "many classes of an older version": (
        older(outputs_without("background"), version=2, calibration=None),
        r"classes must be 2 different labels, got \['no', 'perhaps', 'yes'\]",
    ),
    "parts of an older version": (networks("version", to=2), "missing or unknown: background"),
    "an output too few": (
        outputs("output_weights", "values", to=[[1.0] * 3] * 2),
        r"shape \(3, 3\) .* got \(2, 3\)",
    ),
    "one output of three classes": (outputs("output_weights", "values", to=[[1.0] * 3]), r"shape \(3, 3\)"),
    "a calibration of two of three classes": (
        outputs("calibration", to=valid_document()["calibration"]),
        r"calibration\['intercepts'\] must be 3 finite numbers, one an output",
    ),
    "a calibration of three of two classes": (
        changed("calibration", to=valid_document("_outputs")["calibration"]),
        r"calibration\['intercepts'\] must be 1 finite number, one an output",
    ),
    "the calibration of an older version": (
        changed("calibration", to={**valid_document()["calibration"], "intercept": 0.0}),
        "calibration must be null or an object with the entries intercepts, slopes",
    ),
    "a broken calibration of an older version": (
        older(valid_document(), version=4, background=None, calibration={"intercept": "0", "steps": 1}),
        "calibration must be null or an object with the entries intercepts, slopes",
    ),
    "an intercept too few": (
        outputs("calibration", "intercepts", to=[0.0, 1.0]),
        r"calibration\['intercepts'\] must be 3 finite numbers, one an output",
    ),
    "slopes of two classes": (
        outputs("calibration", "slopes", to=[[1.0, 1.0]] * 2),
        r"calibration\['slopes'\] must be 3 rows, one an output, of 2 finite numbers, one a hidden unit",
    ),
    "steps in one row": (
        outputs("calibration", "steps", to=[1.0] * 3),
        r"calibration\['steps'\] must be 3 rows",
    ),
    "a step of text": (
        outputs("calibration", "steps", 1, 1, to="1"),
        r"calibration\['steps'\] must be 3 rows",
    ),
    "priors of two classes": (
        outputs("calibration", "priors", to=[0.5, 0.5]),
        r"\['priors'\] must be 3 finite",
    ),
    "an unknown scheme": (networks("scheme", to="forest"), "scheme must be among tree, .* got 'forest'"),
    "a scheme in a list": (networks("scheme", to=["vote"]), r"scheme must be among tree, .* got \['vote'\]"),
    "no scheme": (
        {k: v for k, v in valid_document("_networks").items() if k != "scheme"},
        "missing or unknown: scheme",
    ),
    "an unknown voting": (networks("voting", to="loud"), "voting must be among hard, confidence, got 'loud'"),
    "parts in no list": (networks("parts", to={}), "parts must be a list of networks that is not empty"),
    "no parts": (networks("parts", to=[]), "parts must be a list of networks that is not empty"),
    "a part of text": (
        networks("parts", 1, to="unit"),
        r"parts\[1\] must be an object with the entries positive",
    ),
    "a class too many": (
        networks("parts", 1, "positive", to=[3]),
        r"parts\[1\].positive must be a list of numbers of classes from 0 to 2",
    ),
    "a class of text": (
        networks("parts", 1, "negative", to=["no"]),
        r"parts\[1\].negative must be a list of numb",
    ),
    "a class of true": (
        networks("parts", 1, "negative", to=[True]),
        r"parts\[1\].negative must be a list of numb",
    ),
    "a class in no list": (
        networks("parts", 1, "negative", to=1),
        r"parts\[1\].negative must be a list of numb",
    ),
    "a side without classes": (
        networks("parts", 1, "negative", to=[]),
        r"parts\[1\]: negative must have at least",
    ),
    "a scale of text": (
        networks("parts", 1, "scale", to="2"),
        r"parts\[1\].scale must be a finite number, got '2'",
    ),
    "a scale of 0": (
        networks("parts", 1, "scale", to=0),
        r"parts\[1\].scale must be from 1e-307 to 1e\+307, got 0",
    ),
    "a part of a network in no object": (
        networks("parts", 0, "network", to=[]),
        r"parts\[0\].network must be an object with the entries classes, hidden_weights",
    ),
    "a weight of text in a part": (
        networks("parts", 2, "network", "hidden_weights", "values", 0, 1, to="1"),
        r"parts\[2\]: hidden_weights must be finite numbers of float64, got '1'",
    ),
    "a part of three classes": (
        networks("parts", 0, "network", "classes", "values", to=[0, 1, 2]),
        r"parts\[0\]: classes must be 2 different labels, got \[0, 1, 2\]",
    ),
    "a part of other priors": (
        networks("parts", 0, "network", "calibration", "priors", to=[0.5, 0.5]),
        r"parts\[0\]: a part keeps the priors of its training rows",
    ),
    "a part of other inputs": (
        networks("parts", 1, "network", "hidden_weights", "values", to=[[1.0, 2.0]]),
        r"n_features must be equal: parts\[1\] has 1, parts\[0\] 2",
    ),
    "trees in no list": (networks("trees", to=1), "trees must be a list of lists of numbers of parts"),
    "a tree of text": (networks("trees", 0, to="01"), "trees must be a list of lists of numbers of parts"),
    "a tree of a strange part": (
        networks("trees", 0, to=[0, 7]),
        r"trees\[0\] must be 2 numbers of parts from 0 to 4",
    ),
    "an even number of trees": (networks("trees", to=[[0, 1], [3, 4]]), "odd number of trees"),
    "a part too often": (networks("trees", 0, to=[0, 0]), r"trees\[0\]: parts\[0\] must separate one class"),
    "training shares of text": (
        networks("training_priors", to="half"),
        "training_priors must be null or 3 finite numbers, one a class",
    ),
    "priors of another sum of all": (
        networks("priors", to=[0.5, 0.5, 0.5]),
        "priors must be 3 positive numbers",
    ),
    "priors from nothing": (networks("training_priors", to=None), "priors need training_priors"),
    "one name of two": (networks("feature_names", to=["a"]), "feature_names must name 2 inputs, got 1"),
    "one label twice": (networks("classes", "values", to=["no", "no", "yes"]), "classes must be 2 different"),
}


def table(*path, to):
    return changed("table", *path, to=to, kind="_table")


LONG = "x" * 10_001
OF_ENTRIES = [  # what is wrong with an entry by itself, as a schema can say too
    ("names", "id", "expected a list, got 'id'"),
    ("names", 0, 3, "a text has at most 10000 characters, got 3"),
    ("names", 0, LONG, "a text has at most 10000 characters, got 'xxx"),
    ("names", 0, "size", "a name is there twice among 'size', 'size', 'sex'"),
    ("columns", [], "there are no columns"),
    ("columns", {}, r"expected a list, got \{\}"),
    ("columns", 0, "size", "a column must have the entries base, categories, decimal"),
    ("columns", 0, {"name": "size", "kind": "number"}, "a column must have the entries base"),
    ("columns", 0, "further", 1, "a column must have the entries base"),
    ("columns", 0, "name", None, "column None: a text has at most"),
    ("columns", 0, "name", LONG, "column 'xxx.*: a text has at most"),
    ("columns", 0, "kind", "text", "column 'size' must be of a kind among .* got 'text'"),
    ("columns", 0, "kind", ["number"], r"column 'size' must be of a kind among .* got \['number'\]"),
    ("columns", 4, "source", 1, "column 'seen: days .*: a text has at most"),
    (
        "columns",
        4,
        "part",
        "year",
        "column 'seen: days .* must be of a part among '', 'days', .* got 'year'",
    ),
    ("columns", 1, "categories", "male", "expected a list, got 'male'"),
    ("columns", 1, "categories", 0, 1, "column 'sex': a text has at most"),
    ("columns", 2, "categories", ["a", "a"], "column 'town' has 2 categories, or one twice"),
    ("columns", 2, "categories", [f"{i}" for i in range(101)], "column 'town' has 101 categories"),
    ("columns", 1, "base", 0, "column 'sex': a text has at most 10000 characters, got 0"),
    ("columns", 2, "other", None, "column 'town': a text has at most 10000 characters, got None"),
    ("columns", 3, "gaps", 1, "column 'dose': gaps must be true or false"),
    ("columns", 3, "fill", "5", "column 'dose': fill must be a number if gaps is true, .* got '5'"),
    ("columns", 3, "fill", True, "column 'dose': fill must be .* got True"),
    ("columns", 3, "fill", 10**400, "column 'dose': fill must be .* got 1000"),
    ("columns", 3, "fill", -1e101, r"column 'dose': fill must be .* got -1e\+101"),
    ("columns", 0, "decimal", ";", "column 'size' must be of a decimal among '.', ',', got ';'"),
    ("columns", 4, "start", 1.5, "column 'seen: days .*: gaps must be .* and start an integer"),
    ("columns", 4, "order", "year", "column 'seen: days .* must be of a order among '', 'day', 'month'"),
    ("left_out", "id", "expected a list, got 'id'"),
    ("left_out", 0, ["id"], "not enough values to unpack"),
    ("left_out", 0, "id", "expected a list, got 'id'"),
    ("left_out", 0, ["id", 3], "a text has at most 10000 characters, got 3"),
    ("target", 3, "a text has at most 10000 characters, got 3"),
    ("named", 1, "named must be true or false, got 1"),
    ("labels", None, "expected a list, got None"),
    ("labels", 0, ["0", 1], "a text has at most 10000 characters, got 1"),
    ("labels", 0, ["0", "1", "2"], "too many values to unpack"),
    ("further", 1, "the table must have the entries columns, labels, left_out"),
]
OF_SEVERAL = [  # what does not go together
    ("names", 0, "\ud800", r"a text has at most 10000 characters, got '\\ud800'"),
    ("names", 1, "sizes", "'size' is no column among 'id', 'sizes', 'sex'"),
    ("names", 0, "answer", "a name is there twice among 'answer'"),
    ("columns", 0, "name", "sizes", "'sizes' is no column among 'id', 'size'"),
    ("columns", 7, Column("size", "number").to_json(), "more than one input has the same name"),
    ("columns", 0, "kind", "category", "column 'size' becomes no input"),
    ("columns", 1, "kind", "number", "column 'sex' is of kind number, got 2 categories"),
    ("columns", 4, "source", "said", "'said' is no column among 'id'"),
    (
        "columns",
        4,
        "part",
        "month",
        "column 'seen: days .* is of kind number, the part month of category",
    ),
    ("columns", 5, "part", "hour", "column 'seen: month' is of kind category, the part hour of number"),
    ("columns", 7, "part", "hour", "column 'smokes' is of kind boolean, the part hour of number"),
    ("columns", 1, "base", "male", "column 'sex' has 1 categories, or one twice"),
    ("columns", 0, "base", "0", "column 'size' is of kind number, got 1 categories"),
    ("columns", 2, "other", "town 00", "column 'town' has 2 categories, or one twice"),
    ("columns", 3, "gaps", False, "column 'dose': fill must be a number if gaps is true, .* got 5"),
    ("columns", 3, "fill", None, "column 'dose': fill must be a number if gaps is true, .* got None"),
    ("columns", 4, "start", 2**63, "column 'seen: days .*: gaps must be .* and start an integer"),
    ("left_out", 0, ["key", "a key"], "'key' is no column among"),
    ("target", "size", "a name is there twice among"),
]


def of_table(damages):
    return {
        f"the table's {'.'.join(map(str, path))} {ascii(to)[:20]}": (
            table(*path, to=to),
            f"table: the description .* damaged: .*{says}",
        )
        for *path, to, says in damages
    }


DAMAGED |= of_table([*OF_ENTRIES, *OF_SEVERAL])


def older_table(**change):
    """A document of the format before with a change in what it says of its table."""
    document = json.loads((OLD_FILES / "format_6.json").read_text())
    document["table"] |= change
    return document


ENTRIES = (
    "table: the description .* damaged: its entries are target and columns, those of a column name, kind"
)
DAMAGED |= {
    "an older table of text": ({**older_table(), "table": "seen"}, ENTRIES),
    "an older table of further entries": (older_table(more=1), ENTRIES),
    "older columns in no list": (older_table(columns={}), ENTRIES),
    "an older column of text": (older_table(columns=["size"]), ENTRIES),
    "an older column of further entries": (
        older_table(columns=[{"name": "a", "kind": "number", "categories": [], "base": None}]),
        ENTRIES,
    ),
    "an older table without columns": (older_table(columns=[]), "damaged: there are no columns"),
    "an older table of a newer kind": (
        older_table(columns=[{"name": "a", "kind": "category", "categories": ["b"]}]),
        "table: a column must be of a kind among number, boolean, text, got 'category'",
    ),
    "an older kind in a list": (
        older_table(columns=[{"name": "a", "kind": ["text"], "categories": ["b"]}]),
        r"table: a column must be of a kind among number, boolean, text, got \['text'\]",
    ),
    "older categories twice": (
        older_table(columns=[{"name": "a", "kind": "text", "categories": ["b", "b"]}]),
        "table: the description of the table is damaged: column 'a' has 2 categories, or one twice",
    ),
    "an older target among the columns": (older_table(target="colour"), "damaged: a name is there twice"),
    "a newer table of an older version": (
        {**older_table(), "table": valid_document()["table"]},
        ENTRIES,
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_file_is_named_with_what_is_wrong(tmp_path, name):
    document, message = DAMAGED[name]
    path = tmp_path / "damaged.json"
    path.write_text(json.dumps(document))
    with pytest.raises(ValueError, match=rf"damaged\.json is not a readable model file: .*{message}"):
        load_network(path)


@pytest.mark.parametrize("length", [0, 1, 20, 200, -3])
def test_a_truncated_file_is_named(tmp_path, length):
    path = tmp_path / "truncated.json"
    path.write_bytes((OLD_FILES / f"format_{FORMAT}.json").read_bytes()[:length])
    with pytest.raises(ValueError, match=r"truncated\.json is not a readable model file: it is not JSON"):
        load_network(path)


@pytest.mark.parametrize("content", [b"\x80\x04\x95", b"a,b\n1,2\n", b"\xff\xfe\x00", b"[" * 100_000])
def test_a_foreign_file_is_named(tmp_path, content):
    path = tmp_path / "foreign.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"foreign\.json is not a readable model file: it is not JSON"):
        load_network(path)


@pytest.mark.parametrize("number", ["1.5", "3.0"])  # a weight, and a number of the calibration
@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_are_none_are_refused_on_load(tmp_path, constant, number):
    path = tmp_path / "model.json"
    path.write_text((OLD_FILES / f"format_{FORMAT}.json").read_text().replace(number, constant))
    with pytest.raises(ValueError, match=r"model\.json is not a readable model file: .*(number|finite)"):
        load_network(path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"hidden_weights": [[0.0, np.nan, 1.0], [0.0, 1.0, 1.0]]},
            r"hidden_weights\[0\]\[1\] must be finite, got nan",
        ),
        (
            {"calibration": replace(CALIBRATION, slopes=[0.0, np.nan])},
            r"calibration\['slopes'\]\[0\]\[1\] must be finite, got nan",
        ),
        ({"calibration": replace(CALIBRATION, steps=[1.0])}, r"calibration.steps must have shape \(1, 2\)"),
        (
            {"calibration": replace(CALIBRATION, priors=[1.0, 0.0])},
            r"calibration\['priors'\] must be from 1e-150 to 1",
        ),
        ({"temperature": np.inf}, "temperature must be finite, got inf"),
        (
            {"background": replace(BACKGROUND, high=[np.inf, 1.0])},
            r"background\['high'\]\[0\] must be finite",
        ),
        ({"growth_trace": ({"margin": -np.inf},)}, r"growth_trace\[0\]\['margin'\] must be finite, got -inf"),
        ({"growth_trace": ({"unit": {1, 2}},)}, r"growth_trace\[0\]\['unit'\] must be a JSON value, got set"),
        ({"growth_trace": ({1: 2},)}, r"growth_trace\[0\] must have strings as keys, got 1"),
        (
            {"hidden_weights": [[1, 2, 3], [3, 4, 5]]},
            "hidden_weights must be an array of float32 or float64, got int64",
        ),
        (
            {"classes": np.array(["a", 1], dtype=object)},
            "classes must be strings, booleans, integers or floats",
        ),
        ({"classes": [b"a", b"b"]}, "classes must be strings, booleans, integers or floats"),
    ],
)
def test_what_a_file_cannot_hold_is_named_and_nothing_is_written(tmp_path, changes, message):
    with pytest.raises((ValueError, TypeError), match=message):
        save_network(small_network(**changes), tmp_path / "model.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("network", "message"),
    [
        (
            Network([[0.0, np.inf]], PASS_ON, [0, 1]),
            r"parts\[1\].network.hidden_weights\[0\]\[1\] must be finite",
        ),
        (
            Network([[0, 1]], PASS_ON, [0, 1]),
            r"parts\[1\].network.hidden_weights must be an array of float32 or",
        ),
        (
            Network([[0.0, 1.0]], PASS_ON, [b"a", b"b"]),
            r"parts\[1\].network.classes must be strings, booleans",
        ),
        (
            Network([[0.0, 1.0]], PASS_ON, [0, 1], growth_trace=({"a": np.nan},)),
            r"parts\[1\].network.growth_trace\[0\]\['a'\] must be finite",
        ),
        (
            Network([[0.0, 1.0]], PASS_ON, [0, 1], calibration=Calibration(0, [0], [0], [0], [1, 0], [1, 0])),
            r"model\.json cannot .* parts\[1\]: calibration\['training_priors'\] must be from",
        ),
    ],
)
def test_what_a_file_cannot_hold_of_a_part_is_named(tmp_path, network, message):
    unit = Network([[0.0, 1.0]], PASS_ON, [0, 1])
    tree = Networks("tree", ["a", "b", "c"], [Part("a", "bc", unit), Part("b", "c", network)], [(0, 1)])
    with pytest.raises((ValueError, TypeError), match=message):
        save_network(tree, tmp_path / "model.json")
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_place_of_the_folder_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / "model.json", tmp_path / "nowhere" / "model.json", tmp_path):
        with pytest.raises(OSError, match="cannot write the file: ") as caught:
            save_network(small_network(), path)
        assert str(path) in str(caught.value)
        with pytest.raises(OSError, match="cannot write the file: "):
            check_writable(path)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt, OSError])
def test_a_failure_while_writing_leaves_the_old_file(tmp_path, failure):
    path = tmp_path / "model.json"
    path.write_text("old")

    def write_half():
        with atomic_write(path) as file:
            file.write(b"half")
            raise failure

    with pytest.raises(failure):
        write_half()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_writing_replaces_the_file_behind_a_link_and_keeps_its_mode(tmp_path):
    path, link = tmp_path / "model.json", tmp_path / "link.json"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    check_writable(link)
    save_network(small_network(), link)
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert_same(load_network(path), small_network())
    assert sorted(os.listdir(tmp_path)) == ["link.json", "model.json"]


def test_the_example_runs():
    assert doctest.testmod(model_file).failed == 0


def test_a_pipe_is_refused_and_stays_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="not a regular file"), atomic_write(pipe) as file:
        file.write(b"text")
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_an_entry_that_is_there_twice_is_named(tmp_path):
    text = (OLD_FILES / f"format_{FORMAT}.json").read_text()
    (tmp_path / "twice.json").write_text(text.replace('"temperature"', '"metadata"', 1))
    with pytest.raises(ValueError, match=r"twice\.json .*'metadata' is there twice in one object"):
        load_network(tmp_path / "twice.json")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hidden_weights": np.full((2, 3), 1e160)}, r"hidden_weights must be from -1e\+150 to 1e\+150"),
        ({"feature_names": ("a" * 10_001, "b")}, "feature_names must be text of at most 10000 characters"),
        ({"classes": ["a", "b" * 10_001]}, "classes must be text of at most 10000 characters"),
    ],
)
def test_what_would_not_load_is_not_saved(tmp_path, changes, message):
    with pytest.raises(ValueError, match=rf"model\.json cannot be written as a model file: {message}"):
        save_network(small_network(**changes), tmp_path / "model.json")
    assert list(tmp_path.iterdir()) == []


def as_schema(document):
    """Validate a document against the committed schema."""
    jsonschema.validate(document, json.loads(schema.FILE.read_text()))


def test_the_schema_is_that_of_the_tables_which_check():
    """`python -m netlines.export.schema` writes it anew."""
    assert schema.FILE.read_text() == schema.text()


@pytest.mark.parametrize("kind", ["", "_outputs", "_networks", "_table"])
def test_files_of_the_present_format_validate(kind):
    as_schema(valid_document(kind))


@pytest.mark.parametrize("classes", [["a", "b"], [1, 2], [0.5, 1.5], [False, True]], ids=str)
def test_saved_files_validate(tmp_path, classes):
    networks = (
        small_network(classes=classes, calibration=None, background=None, growth_trace=()),
        three_outputs(),
        three_trees(),
    )
    for network in networks:
        metadata = {"missing": "error", "strict": True}
        save_network(network.with_layout(LAYOUT), tmp_path / "model.json", metadata=metadata)
        as_schema(json.loads((tmp_path / "model.json").read_text()))


@pytest.mark.sample(12)
@pytest.mark.parametrize(
    "name",
    [
        *("weights that overflow", "a slope that is null", "an unknown entry", "a trace of strange errors"),
        *("strange missing values", "a strictness of numbers"),
        *of_table(OF_ENTRIES),
    ],
)
def test_the_schema_refuses_what_is_refused_on_load(name):
    with pytest.raises(jsonschema.ValidationError):
        as_schema(DAMAGED[name][0])


@pytest.mark.parametrize(
    "change",
    [
        {"classes": json.loads("[" * 900 + "]" * 900)},
        {"hidden_weights": {"dtype": "f" * 10**6, "values": [1]}},
        {"x" * 10**6: 1},
        {"table": {**LAYOUT.to_json(), "names": ["x" * 10**4 for _ in range(30)]}},
        {"table": {**LAYOUT.to_json(), "columns": [Column("y" * 10**6, "number").to_json()]}},
        {"table": {**LAYOUT.to_json(), "columns": [Column("a", "z" * 10**6).to_json()]}},
        {"table": {**LAYOUT.to_json(), "target": json.loads("[" * 900 + "]" * 900)}},
    ],
    ids=["nested", "dtype", "entry", "names", "column", "kind", "nested table"],
)
def test_errors_of_files_stay_short(tmp_path, change):
    path = tmp_path / "model.json"
    path.write_text(json.dumps({**valid_document(), **change}))
    with pytest.raises(ValueError, match=r"model\.json") as error:
        load_network(path)
    assert len(str(error.value)) < 1000


def refused(tmp_path, document):
    """Return why a document is no model file."""
    path = tmp_path / "model.json"
    path.write_text(json.dumps(document))
    with pytest.raises(ValueError, match=r"model\.json") as error:
        load_network(path)
    return str(error.value)


def test_what_a_file_says_is_not_passed_over_or_passed_on(tmp_path):
    assert "\\x1b]0;" in refused(tmp_path, {**valid_document(), "\x1b]0;pwned\x07": 1})
    old = json.loads((OLD_FILES / "format_4.json").read_text())
    old["calibration"]["intercepts"] = [7.0]
    assert "unknown: calibration['intercepts']" in refused(tmp_path, old)


def test_the_mean_of_a_far_column_is_within_its_range(tmp_path):
    document = json.loads((OLD_FILES / "format_6.json").read_text())
    far = document["background"]
    far["low"][0], far["high"][0], far["mean"][0] = 1e15, 1e15 + 4, 1e15 + 5000
    assert "background.mean must be between" in refused(tmp_path, document)
