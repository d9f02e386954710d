"""The installed command by subprocess: fit → inspect → predict, and one clear line for each user's error."""

import doctest
import hashlib
import html
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import warnings
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from netlines import NetLinesClassifierCV, Network, __version__
from netlines.classifiers.multiclass import scheme
from netlines.cli import _run, candidates, fitting, labels, printing, remaining, tables
from netlines.cli.labels import read_numbers_of_classes, with_priors
from netlines.cli.options import Criterion, Prefer, Scheme
from netlines.cli.training import fit
from netlines.export.facts import CANDIDATE, Facts
from netlines.export.kinds import check_facts
from netlines.export.model_file import load_network, read_model_file, save_network
from netlines.inspection.rules import extract_rules
from netlines.network.layout import Column, Layout
from netlines.network.network import PASS_ON
from netlines.network.networks import Networks, Part
from netlines.network.probability import Calibration
from netlines.network.shares import wilson
from netlines.tables.files import read_table

COMMAND = [str(Path(sys.executable).with_name("netlines"))]


def netlines(*arguments, folder):
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=120
    )


def training_frame():
    """60 rows: a number, a text and a flag; the class depends on all three, with an exclusive or."""
    random = np.random.default_rng(0)
    size = random.uniform(0, 10, 60).round(3)
    colour = random.choice(["blue", "green", "red"], 60)
    flag = random.random(60) < 0.5
    answer = np.where((size > 5) ^ (colour == "red") ^ flag, "yes", "no")
    return pd.DataFrame({"size": size, "colour": colour, "flag": flag, "answer": answer})


def inputs(frame):
    """What the command makes of the columns of the training frame."""
    colours = [frame["colour"] == colour for colour in ("blue", "green", "red")]
    return np.column_stack([frame["size"], *colours, frame["flag"]]).astype(float)


@pytest.fixture(scope="module")
def chosen():
    """The classifier that the command has to come to."""
    frame = training_frame()
    return NetLinesClassifierCV(max_hidden=3).fit(inputs(frame), frame["answer"])


CHOICE = ["fit", "training.csv", "--target", "answer", "--max-hidden", 3, "--folds", 2, "-o"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the training table, a model.json chosen on it, and an exact.json without errors."""
    folder = tmp_path_factory.mktemp("cli")
    training_frame().to_csv(folder / "training.csv", index=False)
    training_frame().to_parquet(folder / "training.parquet")
    done = netlines(*CHOICE, "model.json", folder=folder)
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("netlines: training: fitting a logistic regression\n")
    (folder / "fit.txt").write_text(done.stdout)
    fit(folder / "training.csv", "answer", folder / "exact.json", error_free=True, folds=0, quiet=True)
    return folder


@pytest.fixture
def run(folder, monkeypatch, capsys):
    """The command without a process of its own: returns the exit code, stdout and stderr."""

    def command(*arguments):
        code = _run([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    monkeypatch.chdir(folder)
    return command


def words(text):
    return " ".join(text.split())


def test_fit_prints_what_was_chosen_and_why_beside_its_peers(folder, chosen):
    text, model = words((folder / "fit.txt").read_text()), read_model_file(folder / "model.json")
    assert model.network.hidden_weights.tobytes() == chosen.network_.hidden_weights.tobytes()
    results = chosen.cv_results_
    i = int(np.argmax(results["chosen"]))
    name, error, se, size = (results[key][i] for key in ("candidate", "error", "error_se", "n_weights"))
    name = candidates.plain_name(name)
    assert f"{name} {100 * error:.1f} % ± {100 * se:.1f} % {size:.0f} chosen" in text
    assert text.count("%") < 36
    assert "beside others: errors in the check afterwards, all anew in 2 folds" in text
    verdict = model.facts.verdict
    for method, share in zip(model.facts.cross_validated_errors, verdict["errors"], strict=True):
        assert f" {method} {100 * share:.1f} % " in text
    assert f"errs on {100 * verdict['errors'][0]:.1f} % of new rows" in text
    assert "error when chosen: in the folds that the choice was made by; the error above is from a" in text
    assert f"this one keeps {chosen.network_.n_nonzero}" in text
    after = "netlines report model.json --data training.csv -o model.html"
    assert text.endswith(f"the model is in model.json; next, a page about it: {after}")


def test_the_comparison_is_that_of_the_peers_on_the_same_folds(folder):
    """Worked out again by scikit-learn, and the sizes by hand."""
    saved = read_model_file(folder / "model.json").metadata["fit"]
    X, y = inputs(training_frame()), training_frame()["answer"].to_numpy()
    errors = {"netlines": [], "logistic regression": []}
    for train, test in StratifiedKFold(2, shuffle=True, random_state=0).split(X, y):
        for name, model in (
            ("netlines", NetLinesClassifierCV(max_hidden=3)),
            ("logistic regression", make_pipeline(StandardScaler(), LogisticRegression())),
        ):
            errors[name].append(1 - model.fit(X[train], y[train]).score(X[test], y[test]))
    methods = ["netlines", "logistic regression", "decision tree", "random forest"]
    assert list(saved["cross_validated_errors"]) == list(saved["parameters"]) == methods
    for name, by_fold in errors.items():
        assert saved["cross_validated_errors"][name] == pytest.approx(by_fold)
    assert saved["parameters"]["logistic regression"] == [6, 6]
    assert np.mean(saved["parameters"]["random forest"]) > 20 * np.mean(saved["parameters"]["decision tree"])
    line = next(line for line in (folder / "fit.txt").read_text().splitlines() if "random forest  " in line)
    sizes, error = (
        saved["parameters"]["random forest"],
        np.mean(saved["cross_validated_errors"]["random forest"]),
    )
    low, high = wilson(60 * error, 60)
    interval = f"{100 * error:.1f} % {100 * low:.1f} to {100 * high:.1f} %"
    assert words(line).removesuffix(" best") == (
        f"random forest {interval} {np.mean(sizes):,.0f} ({min(sizes):,} to {max(sizes):,})"
    )
    assert re.search(r"^guessing +50\.0 %", (folder / "fit.txt").read_text(), flags=re.MULTILINE)


def test_the_model_file_says_how_the_columns_become_inputs(folder):
    model = read_model_file(folder / "model.json")
    names = ("size", "colour=blue", "colour=green", "colour=red", "flag")
    assert model.network.layout.feature_names == names
    assert model.network.feature_names == names
    assert model.network.classes.tolist() == ["no", "yes"]


def test_the_model_file_remembers_the_choice_and_the_options(folder):
    saved = read_model_file(folder / "model.json").metadata["fit"]
    verdict = saved["verdict"]
    assert saved["chosen"] == " ".join(verdict["sentences"])
    assert verdict["how"] == "measured in 2 folds, all chosen anew in each"
    assert verdict["low"] <= verdict["error"] < verdict["high"]
    assert verdict["error"] == pytest.approx(np.mean(saved["cross_validated_errors"]["netlines"]))
    assert "held-out error" in saved["stop_reason"]
    source, data = saved["source"], (folder / "training.csv").read_bytes()
    assert (source["file"], source["sha256"]) == ("training.csv", hashlib.sha256(data).hexdigest())
    assert source["command"].startswith("netlines fit training.csv --target answer")
    assert [one["prefer"] for one in saved["sizes"]] == ["readable", "balanced", "accurate"]
    assert saved["sizes"][0]["n_weights"] <= 10
    assert " ≥ " in saved["sizes"][0]["formula"]
    assert (saved["rows"], saved["seed"]) == (60, 0)
    assert saved["options"] == {
        "error_free": False,
        "max_hidden": 3,
        "prefer": "balanced",
        "criterion": "cv",
        "folds": 2,
    }
    roles = [one["role"] for one in saved["candidates"]]
    assert set(roles) == {"unit", "teacher", "network", "chosen"}
    (chosen,) = (one for one in saved["candidates"] if one["chosen"])
    assert chosen["role"] == "chosen"
    assert saved["stop_reason"].startswith(f"{chosen['candidate']} ({chosen['n_weights']:.0f} weights)")
    exact = read_model_file(folder / "exact.json").metadata["fit"]
    assert exact["options"] == {"error_free": True, "max_hidden": None, "max_errors": 0, "folds": 0}
    assert (exact["chosen"], exact["candidates"], exact["stop_reason"]) == (None, [], "no training errors")
    assert exact["cross_validated_errors"] == exact["parameters"] == {}


@pytest.mark.slow
def test_the_same_seed_gives_the_same_file_with_any_number_of_workers(folder):
    done = netlines(*CHOICE, "again.json", "--quiet", "--jobs", 2, folder=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    again, model = (json.loads((folder / name).read_text()) for name in ("again.json", "model.json"))
    sources = [one["metadata"]["fit"].pop("source") for one in (again, model)]
    assert json.dumps(again) == json.dumps(model)
    assert [one["command"].split()[10:] for one in sources] == [
        ["again.json", "--quiet", "--jobs", "2"],
        ["model.json"],
    ]


def test_what_was_asked_for_reaches_the_estimator(folder, monkeypatch):
    """The estimators are replaced by ones that only remember their parameters."""

    class Done(Exception):
        pass

    def asked(**options):
        seen = []

        class Stub:
            def __init__(self, **parameters):
                seen.append(parameters)
                raise Done

        monkeypatch.setattr(fitting, "NetLinesClassifierCV", Stub)
        monkeypatch.setattr(fitting, "NetLinesClassifier", Stub)
        monkeypatch.setattr(fitting, "NetLinesClassifier" + ("CV" if options.get("error_free") else ""), None)
        with pytest.raises(Done):
            fit(folder / "training.csv", "answer", folder / "x.json", **options)
        return seen[0]

    usual = {"random_state": 0, "n_jobs": None}
    chosen = {"max_hidden": None, "prefer": "balanced", "criterion": "cv", **usual}
    assert asked() == chosen
    assert asked(prefer=Prefer.SMALL, max_hidden=4, seed=3, jobs=2) == {
        **{"max_hidden": 4, "prefer": "small", "criterion": "cv", "random_state": 3, "n_jobs": 2}
    }
    assert asked(criterion=Criterion.MDL) == {**chosen, "criterion": "mdl"}
    assert asked(class_weight="balanced") == {**chosen, "class_weight": "balanced"}
    assert asked(class_weight="yes=3,no=0.5") == {**chosen, "class_weight": {"no": 0.5, "yes": 3.0}}
    assert asked(error_free=True) == {"max_hidden": None, "max_errors": 0, **usual}
    assert asked(error_free=True, max_errors=0.1) == {"max_hidden": None, "max_errors": 0.1, **usual}
    training_frame().assign(answer=np.arange(60) % 3).to_csv(folder / "three.csv", index=False)
    monkeypatch.setattr(tables, "read_table", lambda path, **how: read_table(folder / "three.csv"))
    assert asked() == chosen
    assert asked(scheme=Scheme.PAIRS) == {**chosen, "multiclass": "pairs"}
    assert asked(scheme=Scheme.VOTE, error_free=True) == {
        **{"max_hidden": None, "max_errors": 0, "multiclass": "vote"},
        **usual,
    }


@pytest.mark.slow
def test_the_shortest_description_is_chosen_of_all_candidates(run):
    arguments = ["--target", "answer", "--max-hidden", 2, "--folds", 0, "-o", "short.json"]
    code, text, _ = run("fit", "training.csv", *arguments, "--criterion", "mdl")
    assert code == 0
    model, text = read_model_file("short.json"), words(text)
    saved = model.metadata["fit"]
    assert text.startswith(saved["chosen"])
    assert "the shortest of" in saved["stop_reason"]
    assert [one["bits"] for one in saved["candidates"]] == sorted(one["bits"] for one in saved["candidates"])
    roles = [one["role"] for one in saved["candidates"]]
    assert (roles[0], set(roles[1:])) == ("chosen", {"unit", "network"})
    assert "model bits of its description weights" in text
    assert f"{saved['candidates'][0]['bits']:.0f} {model.network.n_nonzero} chosen" in text


def test_the_options_are_read_from_the_command_line(run):
    code, text, _ = run(
        "fit",
        "training.csv",
        "--target",
        "answer",
        "--folds",
        0,
        "-o",
        "limited.json",
        "--error-free",
        "--max-errors",
        "0.2",
        "--max-hidden",
        5,
    )
    assert code == 0
    assert "stop reason" in text
    assert read_model_file("limited.json").metadata["fit"]["options"]["max_errors"] == 0.2
    assert 0 < read_model_file("limited.json").metadata["fit"]["training_errors"] <= 12
    code, _, _ = run(
        "fit",
        "training.csv",
        "--target",
        "answer",
        "--folds",
        0,
        "-o",
        "small.json",
        "--prefer",
        "small",
        "--max-hidden",
        1,
        "--quiet",
    )
    assert code == 0
    assert read_model_file("small.json").metadata["fit"]["options"]["prefer"] == "small"
    assert load_network("small.json").n_hidden == 1


def test_too_few_rows_of_a_class_to_hold_some_out(run):
    """Nothing can be chosen, and nothing cross-validated."""
    frame = training_frame()
    frame["answer"] = np.where(np.arange(60) == 7, "rare", "usual")
    frame.to_csv("rare.csv", index=False)
    code, text, stderr = run("fit", "rare.csv", "--target", "answer", "-o", "rare.json")
    assert (code, stderr) == (0, "netlines: training: fitting hyperplanes with usual settings\n")
    assert "too few rows of a class" in words(text)
    assert "models that were tried" not in text
    assert "beside others" not in text


def test_inspect_shows_the_choice_the_comparison_and_the_hyperplanes(folder, run):
    code, text, stderr = run("inspect", "model.json")
    assert (code, stderr) == (0, "")
    network = load_network("model.json")
    assert f"{network.n_hidden} hyperplanes over 3 attributes" in text
    assert "classes 'no' and 'yes'" in text
    assert words(extract_rules(network).text(3, 120, 4)) in words(text)
    assert "colour=red" in text
    printed = (folder / "fit.txt").read_text().rsplit("\nthe model is in", 1)[0]
    verdict, tables = printed.split("\nthree sizes", 1)
    assert words(verdict) in words(text)
    assert words(tables) in words(text)
    assert "growth" not in text
    assert "growth" in run("inspect", "model.json", "--verbose")[1]


def test_inspect_shows_that_there_are_no_probabilities_and_how_the_network_grew(run):
    code, text, _ = run("inspect", "exact.json", "--verbose")
    assert code == 0
    assert "probabilities none" in words(text)
    assert "stop reason no training errors" in words(text)
    assert "beside others" not in text
    assert words(text).count("joint annealing") + words(text).count("random start") >= 1


def test_inspect_reads_files_of_the_first_version(run, folder):
    """They know of no choice, no sizes and no probabilities."""
    document = json.loads((folder / "exact.json").read_text())
    document["version"] = 1
    del document["calibration"], document["background"], document["origin"]
    kinds = {"size": "number", "colour": "text", "flag": "boolean"}
    names = {"colour": ["blue", "green", "red"]}
    document["table"] = {
        "target": "answer",
        "columns": [{"name": k, "kind": kinds[k], "categories": names.get(k, [])} for k in kinds],
    }
    document["metadata"]["fit"] = {
        **{"netlines": "0.1.0", "rows": 60, "seed": 0, "training_errors": 0},
        **{"stop_reason": "no training errors", "cross_validated_errors": {"netlines": [0.0, 0.1, 0.2]}},
    }
    (folder / "first.json").write_text(json.dumps(document))
    code, text, _ = run("inspect", "first.json")
    assert code == 0
    assert "netlines 10.0 % 4.7 to 20.1 % best" in words(text)
    assert "size" not in text.split("beside others")[1]
    assert "probabilities none" in words(text)
    code, _, _ = run("predict", "first.json", "training.csv", "-o", "first.csv")
    assert code == 0
    assert list(pd.read_csv("first.csv").columns)[-2:] == ["prediction", "decision"]
    assert run("predict", "exact.json", "training.csv", "-o", "exact.csv", "--quiet") == (0, "", "")
    assert (folder / "first.csv").read_bytes() == (folder / "exact.csv").read_bytes()


DAMAGES = {
    "a list": [],
    "nothing": {},
    "no rows": {"rows": 0},
    "errors of text": {"training_errors": "few"},
    "a reason of numbers": {"stop_reason": 3},
    "a single fold": {"cross_validated_errors": {"netlines": [0.1]}, "parameters": {}},
    "unequal folds": {"cross_validated_errors": {"a": [0.1, 0.2], "b": [0.1, 0.2, 0.3]}, "parameters": {}},
    "errors in no list": {"cross_validated_errors": {"netlines": "0.1"}, "parameters": {}},
    "errors that are null": {"cross_validated_errors": None},
    "sizes of a stranger": {"parameters": {"stranger": [1, 2]}},
    "sizes of text": {"parameters": {"netlines": ["a", "b"]}},
    "a choice of numbers": {"chosen": 3},
    "candidates in no list": {"candidates": {"a": 1}},
    "a candidate of text": {"candidates": ["unit"]},
    "an error of text": {"candidates": [{"candidate": "unit", "error": "small"}]},
    "a nameless candidate": {"candidates": [{"candidate": None, "error": 0.1}]},
    "more errors than rows": {"training_errors": 61},
    "errors of 400 digits": {"training_errors": 10**400},
    "units of 400 digits": {"candidates": [{"candidate": "unit", "n_hidden": 10**400}]},
    "a deviation of 400 digits": {"candidates": [{"candidate": "unit", "error": 0.1, "error_se": 10**400}]},
    "an error of 400 digits": {"cross_validated_errors": {"netlines": [10**400, 0.1]}, "parameters": {}},
    "an unknown option": {"options": {"foo": 1}},
    "options in a list": {"options": [1]},
    "a seed among the options": {"options": {"random_state": 1}},
    "a preference without a choice": {"options": {"error_free": True, "prefer": "small"}},
    "an unknown preference": {"options": {"prefer": "large"}},
    "units of text": {"options": {"max_hidden": "3"}},
    "a seed of text": {"seed": "x"},
    "a negative seed": {"seed": -1},
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damaged_facts_are_named(folder, tmp_path, name):
    document = json.loads((folder / "model.json").read_text())
    saved, damage = document["metadata"]["fit"], DAMAGES[name]
    document["metadata"]["fit"] = {**saved, **damage} if damage else damage
    (tmp_path / "damaged.json").write_text(json.dumps(document))
    with pytest.raises(ValueError, match=r"damaged\.json is not a readable model file: metadata\['fit'\]"):
        read_model_file(tmp_path / "damaged.json")
    assert Facts.from_json({**saved, "unknown": 1}).to_json() == saved


@pytest.mark.sample(1)
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_predict_writes_the_rows_with_their_classes_and_probabilities(folder, chosen, suffix):
    out = f"out.{suffix}"
    done = netlines("predict", "model.json", f"training.{suffix}", "-o", out, folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{out}: 60 rows, ")
    written = pd.read_csv(folder / out) if suffix == "csv" else pd.read_parquet(folder / out)
    frame = training_frame()
    assert list(written.columns) == [*frame.columns, "prediction", "decision", "probability"]
    pd.testing.assert_frame_equal(written[frame.columns], frame)
    assert (written["prediction"] == chosen.predict(inputs(frame))).all()
    np.testing.assert_allclose(written["probability"], chosen.predict_proba(inputs(frame)).max(axis=1))
    np.testing.assert_allclose(written["decision"], chosen.decision_function(inputs(frame)))
    assert ((written["decision"] >= 0) == (written["prediction"] == "yes")).all()
    assert written["probability"].between(0.5, 1).all()


def test_predict_by_a_model_without_probabilities_writes_none(run):
    code, _, _ = run("predict", "exact.json", "training.csv", "-o", "exact.csv")
    assert code == 0
    written, frame = pd.read_csv("exact.csv"), training_frame()
    assert list(written.columns) == [*frame.columns, "prediction", "decision"]
    assert (written["prediction"] == frame["answer"]).all()
    np.testing.assert_allclose(written["decision"], load_network("exact.json").decision(inputs(frame)))


def test_priors_move_probabilities_and_predictions(run, chosen):
    frame = training_frame()
    answers = {}
    for name, priors in {"usual": [], "other": ["--priors", "yes=0.001, no=.999"]}.items():
        code, _, _ = run("predict", "model.json", "training.csv", "-o", f"{name}.csv", *priors)
        assert code == 0
        answers[name] = pd.read_csv(f"{name}.csv")
    network = chosen.network_.with_priors({"yes": 0.001, "no": 0.999})
    assert (answers["other"]["prediction"] == network.predict(inputs(frame))).all()
    probability = network.probability(inputs(frame)).max(axis=1)
    np.testing.assert_allclose(answers["other"]["probability"], probability)
    np.testing.assert_allclose(
        answers["usual"]["decision"] - answers["other"]["decision"], np.log(999), rtol=1e-9
    )
    assert (answers["other"]["prediction"] == "no").sum() > (answers["usual"]["prediction"] == "no").sum()


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (["a,b=1", "c"], 'c=0.25,"a,b=1=0.75"'),
        ([0, 1], "0=0.75,1=0.25"),
        ([False, True], " True = 0.25 , False = 75e-2"),
        (["c+", "c"], "c=0.25,c+=0.75"),
    ],
)
def test_any_label_can_be_given_a_share(labels, text):
    half = [0.5, 0.5]
    unit = Network(
        [[0.0, 1.0]], [[0.0, 1.0]], labels, calibration=Calibration(0.0, [1.0], [0.0], [0.0], half, half)
    )
    moved = with_priors(unit, text, Path("model.json"))
    assert moved.calibration.priors.tolist() == [0.75, 0.25]
    assert unit.calibration.priors.tolist() == half


def test_predict_finds_its_columns_in_any_order_and_leaves_others_aside(run):
    frame = training_frame()[["flag", "colour", "size"]].assign(note=None)
    frame.to_csv("extra.csv", index=False)
    code, text, stderr = run("predict", "exact.json", "extra.csv", "-o", "out_extra.csv")
    assert (code, stderr) == (0, "")
    assert text.count("\n") == 1  # without the true classes nothing is said of errors
    written = pd.read_csv("out_extra.csv")
    assert list(written.columns) == [*frame.columns, "prediction", "decision"]
    assert (written["prediction"] == training_frame()["answer"]).all()


def test_predict_tells_how_often_the_truth_was_met(run):
    frame = training_frame()
    frame.loc[:5, "answer"] = np.where(frame.loc[:5, "answer"] == "yes", "no", "yes")
    frame.loc[6:9, "answer"] = ""
    frame.to_csv("wrong.csv", index=False)
    code, text, _ = run("predict", "exact.json", "wrong.csv", "-o", "out_wrong.csv")
    assert code == 0
    assert re.search(r"\nerror 10\.7 % \(95 % interval .*\), 6 of 56 rows; always answering '(yes|no)'", text)


@pytest.mark.parametrize(
    "command", [["spare.csv", "-o", "lean.csv", "--priors", "no=0.3,yes=0.7"], ["training.csv", "--quiet"]]
)
def test_predicting_does_without_scikit_learn(folder, command):
    """Unless it has to tell of errors."""
    training_frame().drop(columns="answer").to_csv(folder / "spare.csv", index=False)
    command = ["predict", "model.json", *command]
    script = (
        f"import sys; from netlines.cli import _run; code = _run({command}); "
        "heavy = {'sklearn', 'scipy', 'numba'} & {name.partition('.')[0] for name in sys.modules}; "
        "print(code, heavy)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1:] == ["0 set()"], done.stderr


def with_cell(row, column, value):
    frame = training_frame().astype(object)
    frame.loc[row, column] = value
    return frame


BAD_TRAINING = {
    "measurements as target": (
        pd.DataFrame({"size": range(101), "answer": range(101)}),
        "target column 'answer' has 101 different values, at most 100 are allowed",
    ),
    "infinity": (with_cell(6, "size", "inf"), "expected a finite number, got inf in column 'size', row 7"),
    "1e300": (with_cell(3, "size", "1e300"), "got 1e+300 in column 'size', row 4"),
    "no classes": (training_frame().assign(answer=""), "no row has a value in the target column 'answer'"),
    "no rows": (training_frame()[:0], "no rows.csv has no rows"),
    "one class": (training_frame().assign(answer="yes"), "one class"),
    "one row": (training_frame()[:1], "no column that is left to learn from (size: 6.37 in all rows; "),
}
BAD_NEW = {
    "a missing column": (training_frame().drop(columns="colour"), "lacks the column 'colour'"),
    "no number": (with_cell(4, "size", "much"), "expected a number, got 'much' in column 'size', row 5"),
}
FIT = ["fit", "training.csv", "--target", "answer", "-o"]
PREDICT = ["predict", "model.json", "training.csv", "-o", "old.csv"]
BAD_COMMANDS = {
    "its own model": (
        ["predict", "model.csv", "training.csv", "-o", "model.csv"],
        "--output model.csv would overwrite the file that is read, model.csv",
    ),
    "another suffix": ([*PREDICT[:-1], "x.ods"], "x.ods must end in .csv, .csv.gz,"),
    "an unknown value, strictly": (
        ["predict", "model.json", "pink.csv", "--strict", "-o", "old.csv"],
        "expected a value that training had ('blue', 'green', 'red'), got 'pink' in column 'colour', row 5 "
        "(rows are counted from 1 without the header)",
    ),
    "a gap that is an error": (
        ["predict", "model.json", "gap.csv", "--missing", "error", "-o", "old.csv"],
        "a missing value (NaN) is not allowed here",
    ),
    "a gap that is an error in training": (
        ["fit", "gap.csv", "--target", "answer", "--missing", "error", "-o", "x.json"],
        "expected a value, got None in column 'size', row 3",
    ),
    "an option that is gone": ([*PREDICT, "--ignore-extra"], "No such option: --ignore-extra"),
    "no truth": (
        ["evaluate", "model.json", "spare.csv"],
        "spare.csv has no column 'answer' with the true classes, which evaluate needs",
    ),
    "columns that are not there": (
        [*FIT, "x.json", "--drop", "size,shape", "--drop", "form"],
        "--drop: there is no column 'shape', 'form'; the columns are 'size', 'colour', 'flag'",
    ),
    "a column of two kinds": (
        [*FIT, "x.json", "--numeric", "size", "--categorical", "size"],
        "column 'size' is in --categorical and --numeric: allowed is one of them",
    ),
    "texts as numbers": ([*FIT, "x.json", "--numeric", "colour"], "expected a number, got 'green' in column"),
    "numbers as dates": ([*FIT, "x.json", "--date", "size"], "expected a date such as 2024-12-31, got "),
    "the target among the columns": ([*FIT, "x.json", "--drop", "answer"], "there is no column 'answer'"),
    "labels of no class": (
        [*FIT, "x.json", "--labels", "maybe=perhaps"],
        "--labels: no row has 'maybe' in the target column 'answer'; it has 'yes', 'no'",
    ),
    "labels without names": ([*FIT, "x.json", "--labels", "no"], "--labels no: expected VALUE=NAME"),
    "one name of two classes": (
        [*FIT, "x.json", "--labels", "no=a,yes=a"],
        "--labels no=a,yes=a: two classes would have one name among 'a', 'a'",
    ),
    "weights of no class": (
        [*FIT, "x.json", "--class-weight", "no=1,maybe=2"],
        "--class-weight no=1,maybe=2: expected balanced, or no=WEIGHT,yes=WEIGHT with a positive number",
    ),
    "a weight of 0": ([*FIT, "x.json", "--class-weight", "no=0,yes=1"], "expected balanced, or no=WEIGHT"),
    "no workers": (
        [*FIT, "x.json", "--jobs", "0"],
        "--jobs 0 has no workers; allowed are numbers from 1 on, or -1 for all cores",
    ),
    "no workers of a report": (
        ["report", "model.json", "--data", "training.csv", "-o", "x.html", "--jobs", "0"],
        "--jobs 0 has no workers",
    ),
    "a strange separator": ([*FIT, "x.json", "--sep", "ab"], "--sep must be one character"),
    "a strange encoding": ([*FIT, "x.json", "--encoding", "latin-0"], "--encoding must be the name of an"),
    "a strange decimal sign": ([*FIT, "x.json", "--decimal", ";"], "--decimal must be , or ."),
    "links in a circle": (
        [*PREDICT[:-1], "circle.csv"],
        "circle.csv: cannot write the file: Too many levels",
    ),
    "no target": (["fit", "training.csv", "-o", "x.json"], "--target"),
    "no table": (["fit", "nowhere.csv", "--target", "answer", "-o", "x.json"], "nowhere.csv: No such file"),
    "a file as folder": ([*FIT, "training.csv/x.json"], "training.csv/x.json: cannot write the file"),
    "no folder": (
        ["predict", "model.json", "training.csv", "-o", "nowhere/x.csv"],
        "nowhere/x.csv: cannot write",
    ),
    "no number": (
        [*FIT, "x.json", "--error-free", "--max-errors", "few"],
        "'few' is neither a count such as 3 nor a fraction",
    ),
    "no units": (
        [*FIT, "x.json", "--max-hidden", "0"],
        "--max-hidden 0 leaves no hyperplane; allowed are numbers from 1 on",
    ),
    "accepted errors of a choice": (
        [*FIT, "x.json", "--max-errors", "3"],
        "--max-errors 3 needs --error-free",
    ),
    "a preference without a choice": (
        [*FIT, "x.json", "--error-free", "--prefer", "small"],
        "--prefer small has no meaning with --error-free",
    ),
    "a criterion without a choice": (
        [*FIT, "x.json", "--error-free", "--criterion", "cv"],
        "--criterion cv has no meaning with --error-free",
    ),
    "a preference among descriptions": (
        [*FIT, "x.json", "--criterion", "mdl", "--prefer", "small"],
        "--prefer small has no meaning with --criterion mdl",
    ),
    "an unknown preference": (
        [*FIT, "x.json", "--prefer", "best"],
        "'best' is not one of 'readable'",
    ),
    "an unknown scheme": (
        [*FIT, "x.json", "--scheme", "forest"],
        "'forest' is not one of 'auto', 'shared', 'pairs'",
    ),
    "a scheme of two classes": (
        [*FIT, "x.json", "--scheme", "tree"],
        "--scheme tree has no meaning for two classes",
    ),
    "an unknown criterion": ([*FIT, "x.json", "--criterion", "aic"], "'aic' is not one of 'cv', 'mdl'"),
    "priors without probabilities": (
        ["predict", "exact.json", "training.csv", "-o", "old.csv", "--priors", "no=0.5,yes=0.5"],
        "--priors no=0.5,yes=0.5 needs probabilities, which exact.json does not have",
    ),
    "priors of no class": (
        [*PREDICT, "--priors", "no=0.5,maybe=0.5"],
        "--priors no=0.5,maybe=0.5: expected no=SHARE,yes=SHARE",
    ),
    "one prior": ([*PREDICT, "--priors", "no=0.5"], "expected no=SHARE,yes=SHARE"),
    "one prior twice": ([*PREDICT, "--priors", "no=0.5,no=0.5"], "expected no=SHARE,yes=SHARE"),
    "priors of text": ([*PREDICT, "--priors", "no=few,yes=many"], "expected no=SHARE,yes=SHARE"),
    "priors of another sum": (
        [*PREDICT, "--priors", "yes=0.5,no=0.6"],
        "--priors yes=0.5,no=0.6: priors=[0.6, 0.5]; allowed are positive numbers with the sum 1",
    ),
    "a prior of 0": ([*PREDICT, "--priors", "no=0,yes=1"], "allowed are positive numbers with the sum 1"),
    "a prior that is none": ([*PREDICT, "--priors", "no=nan,yes=1"], "allowed are positive numbers"),
    "a table that has its answers": (
        ["predict", "model.json", "answered.csv", "-o", "old.csv"],
        "already has a column 'probability'",
    ),
    "a truncated model": (
        ["predict", "truncated.json", "training.csv", "-o", "x.csv"],
        "truncated.json is not a readable model file: it is not JSON, or only the beginning of it",
    ),
    "a model of no table": (
        ["predict", "no_table.json", "training.csv", "-o", "x.csv"],
        "no_table.json does not say which columns its inputs are",
    ),
    **{
        f"fit on {name}": (["fit", f"{name}.csv", "--target", "answer", "-o", "x.json"], message)
        for name, (_, message) in BAD_TRAINING.items()
    },
    **{
        f"predict with {name}": (["predict", "model.json", f"{name}.csv", "-o", "old.csv"], message)
        for name, (_, message) in BAD_NEW.items()
    },
}


@pytest.fixture(scope="module")
def place(folder, tmp_path_factory):
    """A folder of its own for the bad commands, which leave it as it is."""
    place = tmp_path_factory.mktemp("refusals")
    for name, (frame, _) in {**BAD_TRAINING, **BAD_NEW}.items():
        frame.to_csv(place / f"{name}.csv", index=False)
    content = (folder / "model.json").read_bytes()
    for name in ("model.json", "model.csv"):
        (place / name).write_bytes(content)
    for one, other in (("circle.csv", "round.csv"), ("round.csv", "circle.csv")):
        (place / one).symlink_to(other)
    (place / "truncated.json").write_bytes(content[: len(content) // 2])
    (place / "no_table.json").write_text(json.dumps({**json.loads(content), "table": None}))
    shutil.copy(folder / "training.csv", place)
    shutil.copy(folder / "exact.json", place)
    training_frame().assign(probability=1).to_csv(place / "answered.csv", index=False)
    training_frame().drop(columns="answer").to_csv(place / "spare.csv", index=False)
    with_cell(4, "colour", "pink").to_csv(place / "pink.csv", index=False)
    with_cell(2, "size", "").to_csv(place / "gap.csv", index=False)
    (place / "old.csv").write_text("old")
    return place


@pytest.mark.parametrize("name", BAD_COMMANDS)
def test_a_user_error_is_one_line(place, run, monkeypatch, name):
    monkeypatch.chdir(place)
    before = sorted(os.listdir(place))
    command, message = BAD_COMMANDS[name]
    code, stdout, stderr = run(*command)
    assert (code, stdout) == (2, "")
    assert stderr.startswith("netlines: error: ")
    assert stderr.count("\n") == 1
    assert message in stderr
    assert sorted(os.listdir(place)) == before
    assert (place / "old.csv").read_text() == "old"


def test_a_user_error_is_the_exit_code(place):
    done = netlines("predict", "truncated.json", "training.csv", "-o", "old.csv", folder=place)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("netlines: error: truncated.json is not a readable model file")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"output": "training.csv"}, "--output .*training.csv would overwrite the file"),
        ({"folds": 1}, "--folds must be 0 or at least 2, got 1"),
        ({"target": "class"}, "no target column 'class'; the columns are 'size', 'colour', 'flag', 'answer'"),
        ({"data": "model.json"}, "model.json cannot be read as json: line 1"),
    ],
)
def test_a_bad_option_is_refused_before_any_work(folder, options, message):
    options = {"data": "training.csv", "output": "x.json", "target": "answer", **options}
    options = {**options, "data": folder / options["data"], "output": folder / options["output"]}
    with pytest.raises(ValueError, match=message):
        fit(**options)
    assert not (folder / "x.json").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_an_interrupt_leaves_the_old_file_and_no_other(tmp_path, number):
    """The command reads its table from a pipe, so that it is known to be at work when the signal comes."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.standard_normal((3000, 20))).assign(answer=random.integers(0, 2, 3000))
    (tmp_path / "model.json").write_text("old")
    os.mkfifo(tmp_path / "data.csv")
    command = [*COMMAND, "fit", "data.csv", "--target", "answer", "-o", "model.json"]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # ignored in a shell's background
    )
    frame.to_csv(tmp_path / "data.csv", index=False)
    time.sleep(2)
    process.send_signal(number)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert all(line.startswith("netlines: training: ") for line in stderr.splitlines())
    assert (tmp_path / "model.json").read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["data.csv", "model.json"]


def test_without_the_extra_the_command_names_it(tmp_path):
    script = "import sys; sys.modules['typer'] = None; from netlines.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == 'netlines: error: the command line needs typer: pip install "netlines[cli]"\n'


def test_the_module_runs_as_the_command(capsys):
    assert shutil.which(COMMAND[0])
    done = subprocess.run([sys.executable, "-m", "netlines"], capture_output=True, text=True)
    assert done.returncode == 0
    for name in (
        "describe",
        "fit",
        "predict",
        "evaluate",
        "inspect",
        "explain",
        "report",
        "words",
        "reproduce",
    ):
        assert f" {name} " in done.stdout
    assert _run(["version"]) == 0
    assert capsys.readouterr().out == f"netlines {__version__}\n"
    done = subprocess.run([sys.executable, "-m", "netlines", "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"netlines {__version__}\n", "")


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("fit", ["--prefer", "small|balanced|accurate", "cv|mdl", "--error-free", "0 leaves the check out"]),
        ("fit", ["--scheme", "auto|shared|pairs|vote|tree|wta", "Without it whatever suits best"]),
        ("fit", ["numbers, texts, dates and missing values", "--categorical", "VALUE=NAME,...", "The table"]),
        ("describe", ["what each column of a table would become", "--drop", "auto|integrate|error"]),
        ("predict", ["probability is that of the predicted class", "LABEL=SHARE,...", "log-odds"]),
        ("predict", ["probability of LABEL for each class", "decision of LABEL", "--raw", "--strict"]),
        ("evaluate", ["has the true classes", "95 % interval", "LABEL=SHARE,..."]),
    ],
)
def test_the_help_says_what_there_is(run, monkeypatch, command, says):
    monkeypatch.setenv("COLUMNS", "200")
    code, text, _ = run(command, "--help")
    assert code == 0
    for phrase in says:
        assert phrase in words(text)


def test_a_warning_is_one_line_and_comes_once(run, monkeypatch):
    load_iris(as_frame=True).frame.to_csv("iris.csv", index=False)
    monkeypatch.setattr(scheme, "MANY_NETWORKS", 4)
    fit = ["fit", "iris.csv", "--target", "target", "--error-free", "--max-hidden", 1, "-o", "iris.json"]
    with warnings.catch_warnings():
        warnings.simplefilter("always")  # those of the folds, too
        code, _, errors = run(*fit, "--folds", 2)
        assert code == 0
        (warning,) = (line for line in errors.splitlines() if "warning" in line)
        says = r"netlines: warning: 3 classes by a vote of trees take the training of 6 networks.*"
        assert re.fullmatch(says, warning)
        assert run(*fit, "--folds", 0, "--quiet") == (0, "", "")


@pytest.mark.parametrize(
    ("chosen", "roles"),
    [
        (2, {0: "unit", 1: "unit", 2: "chosen", 3: "teacher", 4: "network"}),
        (4, {0: "unit", 1: "unit", 2: "unit", 3: "teacher", 4: "chosen"}),
    ],
)
def test_the_model_file_keeps_all_candidates_with_their_roles(chosen, roles):
    results = {
        "candidate": ["a", "b", "c", "d", "e"],
        "error": [0.2, 0.1, 0.1, 0.0, 0.1],
        "log_loss": [0.1, 0.3, 0.4, 0.0, 0.2],
        "n_hidden": [1.0, 1.0, 1.0, np.nan, 2.0],
        "fidelity": [np.nan, np.nan, 1.0, np.nan, 0.9],
        "chosen": np.arange(5) == chosen,
    }
    short = candidates.shortened({name: np.array(column) for name, column in results.items()})
    assert {"abcde".index(one["candidate"]): one["role"] for one in short} == roles
    assert [one["fidelity"] for one in short if one["role"] == "teacher"] == [None]
    assert json.loads(json.dumps(short, allow_nan=False)) == short
    assert candidates.shortened({}) == []


def test_a_model_of_no_command_is_shown(run):
    unit = Network([[0.0, 1.0]], [[0.0, 1.0]], ["[red]", "b"])
    save_network(unit, "unit.json", metadata={"seed": 0})
    code, text, _ = run("inspect", "unit.json")
    assert code == 0
    assert "classes '[red]' and 'b'" in text
    assert "training errors" not in text


# More than two classes

SPOTS = pd.DataFrame({"left": [1.0, 1.0, -1.0, -1.0, 0.0], "right": [2.0, -1.0, 1.0, -1.0, 0.5]})
LAYOUT = Layout(("left", "right"), (Column("left", "number"), Column("right", "number")), target="answer")


def many(kind, calibrated=True):
    """A network of three outputs, or three of pairs, or a tree."""
    thirds, half = [0.25, 0.25, 0.5], [0.5, 0.5]
    if kind == "outputs":
        slopes = [[0.5, 0.2], [-0.5, 0.1], [0.0, -0.7]]
        calibration = Calibration([0.1, 0.0, -0.2], slopes, np.zeros((3, 2)), [0, 0], thirds, thirds)
        weights = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [[0.0, 1.0, 1.0], [0.5, -1.0, 0.0], [0.0, 0.0, -1.0]]
        return Network(*weights, ["a", "b", "c"], calibration=calibration if calibrated else None)
    lines = [[0.5, 1.0, 0.0], [0.1, 0.3, 1.0], [-0.2, -1.0, 1.0]]
    calibration = Calibration(0.1, [0.8], [0.0], [0.0], half, half) if calibrated else None
    units = [Network([line], PASS_ON, [0, 1], calibration=calibration) for line in lines]
    separated = {"pairs": ["a|b", "a|c", "b|c"], "tree": ["b|ac", "c|a"]}[kind]
    parts = [Part(*one.split("|"), unit) for one, unit in zip(separated, units, strict=False)]
    trees = [(0, 1)] if kind == "tree" else []
    return Networks(kind, ["a", "b", "c"], parts, trees, training_priors=thirds)


@pytest.fixture
def spots(run):
    SPOTS.to_csv("spots.csv", index=False)
    return run


def saved(kind, calibrated=True):
    network = many(kind, calibrated).with_layout(LAYOUT)
    save_network(network, "many.json")
    return network


@pytest.mark.parametrize("kind", ["outputs", "pairs", "tree"])
def test_predict_writes_the_probability_of_each_of_many_classes(spots, kind):
    network = saved(kind)
    code, text, stderr = spots("predict", "many.json", "spots.csv", "-o", "many.csv")
    assert (code, stderr) == (0, "")
    assert text.startswith("many.csv: 5 rows, ")
    written = pd.read_csv("many.csv")
    of_classes = ["probability of a", "probability of b", "probability of c"]
    assert list(written.columns) == ["left", "right", "prediction", "probability", *of_classes]
    np.testing.assert_allclose(written[of_classes], network.probability(SPOTS.to_numpy()))
    assert (written["prediction"] == network.predict(SPOTS.to_numpy())).all()
    np.testing.assert_allclose(written["probability"], written[of_classes].max(axis=1))
    assert (written[of_classes].to_numpy().argmax(axis=1) == written["prediction"].map("abc".index)).all()


@pytest.mark.parametrize("kind", ["outputs", "pairs", "tree"])
def test_predict_writes_decisions_of_many_classes_without_probabilities(spots, kind):
    network = saved(kind, calibrated=False)
    assert spots("predict", "many.json", "spots.csv", "-o", "bare.csv", "--quiet") == (0, "", "")
    written = pd.read_csv("bare.csv")
    of_classes = ["decision of a", "decision of b", "decision of c"]
    assert list(written.columns) == ["left", "right", "prediction", *of_classes]
    np.testing.assert_allclose(written[of_classes], network.decision(SPOTS.to_numpy()))
    assert (written["prediction"] == network.predict(SPOTS.to_numpy())).all()
    code, _, stderr = spots(
        "predict", "many.json", "spots.csv", "-o", "bare.csv", "--priors", "a=0.2,b=0.3,c=0.5"
    )
    assert code == 2
    assert "needs probabilities, which many.json does not have" in stderr


@pytest.mark.parametrize("kind", ["outputs", "pairs", "tree"])
def test_priors_of_many_classes_move_the_predictions(spots, kind):
    network = saved(kind).with_priors([0.998, 0.001, 0.001])
    arguments = ["predict", "many.json", "spots.csv", "-o", "moved.csv", "--priors"]
    assert spots(*arguments, "c=0.001, a=0.998,b=0.001", "--quiet") == (0, "", "")
    written = pd.read_csv("moved.csv")
    assert (written["prediction"] == network.predict(SPOTS.to_numpy())).all()
    assert (written["prediction"] == "a").sum() > (saved(kind).predict(SPOTS.to_numpy()) == "a").sum()
    code, _, stderr = spots(*arguments, "c=0.1,a=0.9")
    assert code == 2
    assert "expected a=SHARE,b=SHARE,c=SHARE, with a number for each class" in stderr
    code, _, stderr = spots(*arguments, "c=0.1,a=0.9,b=0.1")
    assert code == 2
    assert "allowed are positive numbers with the sum 1 for the classes a, b and c" in stderr


def test_shares_of_very_many_classes_are_read_at_once():
    labels = [str(number) for number in range(100)]
    text = ",".join(f"{label}={int(label) / 4950}" for label in reversed(labels))
    assert read_numbers_of_classes(text, labels) == [number / 4950 for number in range(100)]
    assert read_numbers_of_classes(text + ",", labels) is None
    assert read_numbers_of_classes(f"x,{text}", labels) is None


def test_inspect_shows_networks_that_decide_together(spots):
    saved("tree")
    code, text, stderr = spots("inspect", "many.json")
    assert (code, stderr) == (0, "")
    assert "The first of these conditions that holds gives the class, 'a' if none does." in words(text)
    assert "2. 'c' rather than 'a' where 10·right + 3·left ≥ -1" in words(text)
    assert "probabilities calibrated, for 25 % 'a', 25 % 'b' and 50 % 'c'" in words(text)
    text = words(spots("inspect", "many.json", "--verbose")[1])
    assert "networks a tree of 2 networks hyperplanes 2 weights 6" in text
    assert "1 b a, c 1 3 2 c a 1 3" in text
    saved("outputs")
    code, text, _ = spots("inspect", "many.json")
    assert code == 0
    assert words(extract_rules(saved("outputs")).text()) in words(text)
    assert "THEN" in text


def test_the_table_of_networks_has_an_end():
    labels = [f"class {i}" for i in range(8)]
    unit = Network([[0.0, 1.0]], PASS_ON, [0, 1])
    pairs = [Part([a], [b], unit) for i, a in enumerate(labels) for b in labels[i + 1 :]]
    table = printing._networks(Networks("pairs", labels, pairs))
    assert table.row_count == 21
    assert "and 8 more" in [str(cell) for cell in table.columns[1].cells]


def test_candidates_need_no_single_unit():
    results = {"candidate": ["a", "b"], "error": [0.2, 0.1], "log_loss": [0.1, 0.3], "n_hidden": [4.0, 6.0]}
    results |= {"chosen": [False, True], "scheme": ["shared", "pairs"]}
    short = candidates.shortened({name: np.array(column) for name, column in results.items()})
    assert [one["role"] for one in short] == ["network", "chosen"]
    for one in short:
        check_facts("candidates", one, CANDIDATE)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "options", [[], ["--scheme", "pairs"], ["--scheme", "vote", "--error-free"]], ids=str
)
def test_iris_is_fitted_inspected_and_predicted(run, options):
    data = load_iris(as_frame=True)
    names = data.target_names[data.target]
    data.data.assign(species=names).to_csv("iris.csv", index=False)
    arguments = ["--target", "species", "-o", "iris.json", "--folds", 0, *options]
    code, text, stderr = run("fit", "iris.csv", *arguments)
    assert code == 0
    assert all(line.startswith("netlines: training: ") for line in stderr.splitlines())
    assert "the model is in iris.json; next, a page about it:" in text
    network = load_network("iris.json")
    assert network.classes.tolist() == ["setosa", "versicolor", "virginica"]
    assert network.feature_names == tuple(data.data.columns)
    code, text, _ = run("inspect", "iris.json")
    assert code == 0
    assert "petal width" in text
    assert run("predict", "iris.json", "iris.csv", "-o", "species.csv", "--quiet") == (0, "", "")
    written = pd.read_csv("species.csv")
    assert (written["prediction"] != names).mean() < 0.06
    assert ("probability of setosa" in written) == network.has_probability


@pytest.mark.slow
def test_the_demo_writes_its_report(tmp_path, monkeypatch, capsys):
    """On a part of its rows, in two folds."""
    specification = spec_from_file_location("demo", Path(__file__).parents[2] / "examples" / "demo.py")
    demo = module_from_spec(specification)
    specification.loader.exec_module(demo)
    cancer = demo.load_breast_cancer_wisconsin(incomplete="keep", as_frame=True)
    cancer.data, cancer.target = cancer.data[:200], cancer.target[:200]
    complete = cancer.data.notna().all(axis=1)
    monkeypatch.setattr(demo, "load_breast_cancer_wisconsin", lambda **options: cancer)
    monkeypatch.setattr(demo, "write_report", partial(demo.write_report, folds=2))
    monkeypatch.chdir(tmp_path)
    demo.main()
    text, page = capsys.readouterr().out, (tmp_path / "demo" / "report.html").read_text(encoding="utf-8")
    clf = NetLinesClassifierCV().fit(cancer.data[complete], cancer.target[complete])
    assert clf.chosen_ in words(text)
    assert html.escape(clf.verdict_.what[1:]) in page
    readable = NetLinesClassifierCV(prefer="readable").fit(cancer.data[complete], cancer.target[complete])
    assert str(readable.as_points()) in text
    for said in (
        "with a probability of",
        "It would be '",
        "bare_nuclei is",
    ):
        assert said in words(text)
    for method in ("logistic regression", "decision tree", "random forest", "small neural network"):
        assert method in page
    assert re.search(r"pruned to \d+ integers with 0 errors", text)
    saved = load_network(tmp_path / "demo" / "model.json")
    rows = cancer.data[complete]
    inputs = rows.to_numpy()
    np.testing.assert_allclose(saved.probability(inputs), clf.predict_proba(rows), rtol=1e-12)


@pytest.mark.parametrize("module", [candidates, labels, printing, remaining])
def test_the_examples_run(module):
    assert doctest.testmod(module).failed == 0
