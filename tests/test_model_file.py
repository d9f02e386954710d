"""The model file: exact round trip, whole or not at all, and a clear error for whatever is not one."""

import copy
import doctest
import json
import os
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from netlines._atomic import atomic_write, check_writable
from netlines.export import model_file
from netlines.export.model_file import FORMAT, load_model, load_network, save_network
from netlines.network import Network
from netlines.probability import Calibration

OLD_FILES = Path(__file__).parent / "data"
TRACE = (
    {"unit": 1, "origin": "targets", "errors": 3, "temperature": 0.1, "seconds": None, "code": [1, -1]},
    {"unit": 2, "origin": "errors", "errors": 0, "temperature": 1 / 3, "seconds": 2e-9, "code": [1, 1]},
)


CALIBRATION = Calibration(
    intercept=0.1 + 0.2,
    slopes=[1 / 3, -1e-17],
    steps=[-0.0, 5e-324],
    steepness=[3.0, 1e300],
    training_priors=[0.4, 0.6],
    priors=[0.9, 0.1],
)


def small_network(**changes):
    arguments = {
        "hidden_weights": [[0.1, -1 / 3, 1e-17], [-0.0, 5e-324, 1.7976931348623157e308]],
        "output_weights": [[0.1 + 0.2, 1.0, -1.0]],
        "classes": ["no", "yes"],
        "growth_trace": TRACE,
        "temperature": 2 / 3,
        "feature_names": ("âge", "colour=red"),
        "calibration": CALIBRATION,
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
    assert_same_calibration(a.calibration, b.calibration)


def assert_same_calibration(a, b):
    assert (a is None) == (b is None)
    if a is not None:
        assert type(a.intercept) is type(b.intercept) is float
        for field in fields(Calibration):
            values = np.asarray(getattr(a, field.name)), np.asarray(getattr(b, field.name))
            assert values[0].dtype == values[1].dtype == float
            assert values[0].tobytes() == values[1].tobytes()


def test_a_network_comes_back_bit_for_bit(tmp_path):
    network = small_network()
    table, metadata = {"target": "class"}, {"seed": 0}
    save_network(network, tmp_path / "model.json", table=table, metadata=metadata)
    model = load_model(tmp_path / "model.json")
    assert_same(model.network, network)
    assert model.table == table
    assert model.metadata == metadata
    assert_same(load_network(str(tmp_path / "model.json")), network)


def test_only_the_network_is_needed(tmp_path):
    network = small_network(growth_trace=(), temperature=None, feature_names=None, calibration=None)
    save_network(network, tmp_path / "model.json")
    model = load_model(tmp_path / "model.json")
    assert_same(model.network, network)
    assert model.table is None
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


@given(
    weights=hnp.arrays(
        st.sampled_from([np.float32, np.float64]),
        st.tuples(st.integers(1, 4), st.integers(2, 5)),
        elements={"allow_nan": False, "allow_infinity": False},
    ),
    data=st.data(),
)
def test_any_finite_weights_come_back_bit_for_bit(tmp_path_factory, weights, data):
    finite = st.floats(allow_nan=False, allow_infinity=False)
    output = data.draw(hnp.arrays(np.float64, (1, len(weights) + 1), elements=finite))
    names = tuple(
        data.draw(st.lists(st.text(), min_size=weights.shape[1] - 1, max_size=weights.shape[1] - 1))
    )
    calibration = Calibration(
        data.draw(finite),
        *(data.draw(hnp.arrays(np.float64, len(weights), elements=finite)) for _ in range(3)),
        *((share, 1 - share) for share in (data.draw(st.floats(1e-9, 1 - 1e-9)) for _ in range(2))),
    )
    network = Network(
        weights,
        output,
        [0, 1],
        temperature=data.draw(finite),
        feature_names=names,
        calibration=data.draw(st.sampled_from([calibration, None])),
    )
    path = tmp_path_factory.getbasetemp() / "any.json"
    save_network(network, path)
    assert_same(load_network(path), network)


def test_numpy_values_in_the_trace_become_plain_ones(tmp_path):
    trace = (
        {"errors": np.int64(3), "temperature": np.float64(0.1), "code": np.array([1, -1]), "pair": (1, 2)},
    )
    save_network(small_network(growth_trace=trace), tmp_path / "model.json")
    expected = ({"errors": 3, "temperature": 0.1, "code": [1, -1], "pair": [1, 2]},)
    assert load_network(tmp_path / "model.json").growth_trace == expected


@pytest.mark.parametrize("version", range(1, FORMAT + 1))
def test_files_of_every_format_are_read(version):
    model = load_model(OLD_FILES / f"format_{version}.json")
    assert model.network.classes.tolist() == ["no", "yes"]
    assert model.network.hidden_weights.tolist() == [[0.1, -1 / 3, 1e-17], [-0.0, 5e-324, 1.5]]
    assert model.network.output_weights.tolist() == [[0.1 + 0.2, 1.0, -1.0]]
    assert model.network.growth_trace == TRACE
    assert model.network.temperature == 2 / 3
    assert model.network.feature_names == ("âge", "colour=red")
    assert model.table["target"] == "answer"
    assert model.metadata == {"seed": 0}
    assert_same_calibration(model.network.calibration, None if version == 1 else CALIBRATION)


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


def valid_document():
    return json.loads((OLD_FILES / f"format_{FORMAT}.json").read_text())


def changed(*path, to):
    """The valid document with one entry replaced."""
    document = copy.deepcopy(valid_document())
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
    "too large for float32": (
        changed("hidden_weights", to={"dtype": "float32", "values": [[1.0, 1e39]]}),
        "finite numbers of float32, got 1e.39",
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
        "hidden_weights .* 2 columns, got 1",
    ),
    "a short output": (changed("output_weights", "values", 0, to=[1.0]), r"shape \(1, 3\), got \(1, 1\)"),
    "one class": (changed("classes", "values", to=["no"]), "classes must be 2 different"),
    "a class twice": (changed("classes", "values", to=["no", "no"]), "classes must be 2 different"),
    "a class of another type": (changed("classes", "values", to=["no", 1]), "1 is not a label of dtype str"),
    "classes of code": (changed("classes", "dtype", to="datetime64"), "classes .* got 'datetime64'"),
    "a class too large": (changed("classes", to={"dtype": "int8", "values": [0, 300]}), "classes: .*300"),
    "one name": (changed("feature_names", to=["a"]), "feature_names must name 2 inputs, got 1"),
    "names of numbers": (changed("feature_names", to=[1, 2]), "feature_names must be null or a list"),
    "temperature of text": (changed("temperature", to="hot"), "temperature .* got 'hot'"),
    "a trace of text": (changed("growth_trace", to=["unit"]), "growth_trace must be a list of objects"),
    "no calibration entry": (
        {k: v for k, v in valid_document().items() if k != "calibration"},
        "missing or unknown: calibration",
    ),
    "a calibration of text": (changed("calibration", to="yes"), "calibration must be null or an object"),
    "half a calibration": (changed("calibration", to={"intercept": 0.0}), "calibration .* slopes, steps"),
    "an unknown slope": (changed("calibration", "slope", to=1.0), "calibration must be null or an object"),
    "an intercept of text": (
        changed("calibration", "intercept", to="0"),
        r"calibration\['intercept'\] must be a finite number, got '0'",
    ),
    "a slope too few": (
        changed("calibration", "slopes", to=[1.0]),
        r"calibration\['slopes'\] must be 2 finite numbers, one a hidden unit",
    ),
    "a step too many": (changed("calibration", "steps", to=[1.0] * 3), r"\['steps'\] must be 2 finite"),
    "steepness of true": (changed("calibration", "steepness", 0, to=True), r"\['steepness'\] must be 2"),
    "a slope that is null": (changed("calibration", "slopes", 1, to=None), r"\['slopes'\] must be 2 finite"),
    "steps in no list": (changed("calibration", "steps", to="12"), r"\['steps'\] must be 2 finite"),
    "three priors": (
        changed("calibration", "priors", to=[0.2, 0.3, 0.5]),
        r"calibration\['priors'\] must be 2 finite numbers, one a class",
    ),
    "a prior of 0": (
        changed("calibration", "priors", to=[0.0, 1.0]),
        r"calibration\['priors'\] must be positive with the sum 1, got \[0.0, 1.0\]",
    ),
    "training priors of another sum": (
        changed("calibration", "training_priors", to=[0.5, 0.6]),
        r"calibration\['training_priors'\] must be positive with the sum 1, got \[0.5, 0.6\]",
    ),
    "metadata of text": (changed("metadata", to="seed"), "metadata must be an object"),
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
            {"hidden_weights": [[0.0, np.nan], [0.0, 1.0]]},
            r"hidden_weights\[0\]\[1\] must be finite, got nan",
        ),
        (
            {"calibration": replace(CALIBRATION, slopes=[0.0, np.nan])},
            r"calibration\['slopes'\]\[1\] must be finite, got nan",
        ),
        ({"calibration": replace(CALIBRATION, steps=[1.0])}, r"calibration\['steps'\] must be 2 finite"),
        (
            {"calibration": replace(CALIBRATION, priors=[1.0, 0.0])},
            r"calibration\['priors'\] must be positive",
        ),
        ({"temperature": np.inf}, "temperature must be finite, got inf"),
        ({"growth_trace": ({"margin": -np.inf},)}, r"growth_trace\[0\]\['margin'\] must be finite, got -inf"),
        ({"growth_trace": ({"unit": {1, 2}},)}, r"growth_trace\[0\]\['unit'\] must be a JSON value, got set"),
        ({"growth_trace": ({1: 2},)}, r"growth_trace\[0\] must have strings as keys, got 1"),
        (
            {"hidden_weights": [[1, 2], [3, 4]]},
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
