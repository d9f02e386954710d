"""`netlines inspect` in 80 columns: what to think of a model first, each formula once, no jargon; `words`."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from netlines.cli import _run, terminal
from netlines.cli.candidates import best_of, plain_name
from netlines.cli.printing import closing_tables
from netlines.cli.words import entries, explain_word, list_words
from netlines.export.facts import Facts
from netlines.export.model_file import ModelFile, read_model_file, save_network
from netlines.network.background import describe
from netlines.network.network import PASS_ON, Network
from netlines.network.networks import Networks, Part

JARGON = re.compile(
    r"\bT =|θ|\bcodes?\b|faithful|teacher|fidelity|distilled|\(\+1\)|\(-1\)|log-loss", flags=re.IGNORECASE
)
VERDICT = [
    "4 hyperplanes over 9 attributes: errs on 12.5 % of new rows (95 % interval 8.6 to 17.8 %, measured in 5 "
    "folds, all chosen anew in each).",
    "Always answering 'ill' errs on 50.0 %, a logistic regression on 14.0 %.",
    "That is somewhat better than a logistic regression.",
]


def candidate(name, error, size, role="network", **more):
    return {
        **{
            "role": role,
            "candidate": name,
            "error": error,
            "error_se": 0.01,
            "log_loss": 0.4,
            "fidelity": 0.9,
        },
        **{"n_hidden": None if role == "teacher" else 2.0, "n_weights": size, "chosen": role == "chosen"},
        **more,
    }


CANDIDATES = [
    candidate("soft networks + kernel", 0.10, None, "teacher"),
    candidate("distilled unit (logistic regression)", 0.14, 10.0, "unit"),
    *(candidate(f"unit at T = {t:g}, θ = 2", 0.15 + t / 100, 10.0, "unit") for t in range(1, 40)),
    *(candidate(f"distilled network of {k} units", 0.11 + k / 1000, 11.0 * k + 1) for k in range(2, 12)),
    candidate("distilled network of 12 units", 0.2, 133.0, "chosen"),
]


def facts(**changes):
    return Facts(
        **{
            **{"netlines": "0.1.0", "rows": 200, "seed": 0, "training_errors": 3, "stop_reason": "grown"},
            "cross_validated_errors": {
                **{"netlines": [0.1, 0.15], "logistic regression": [0.1, 0.15]},
                **{"decision tree": [0.2, 0.2], "random forest": [0.15, 0.15]},
            },
            "parameters": {
                **{"netlines": [20, 48], "logistic regression": [10, 10]},
                **{"decision tree": [40, 60], "random forest": [30000, 31000]},
            },
            **{"chosen": "distilled: fidelity 0.9, as its teacher", "candidates": CANDIDATES},
            **{"verdict": {"sentences": VERDICT}},
            **changes,
        }
    )


def random_network(units, inputs, classes, seed=0):
    random = np.random.default_rng(seed)
    outputs = 1 if len(classes) == 2 else len(classes)
    hidden, output = random.normal(size=(units, inputs + 1)), random.normal(size=(outputs, units + 1))
    rows = random.normal(size=(50, inputs))
    names = tuple(f"measured attribute {i}" for i in range(inputs))
    trace = tuple({"n_hidden": k, "errors": 9.0, "origin": "distilled"} for k in range(1, units + 1))
    return Network(
        hidden, output, classes, growth_trace=trace, feature_names=names, background=describe(rows)
    )


@pytest.fixture
def inspected(tmp_path, monkeypatch, capsys):
    """What the command prints of a network in 80 columns."""

    def run(network, *options, found=None):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(terminal, "WIDE", 80)
        given = facts() if found is None else found
        save_network(network, "model.json", metadata={"fit": given.to_json()})
        assert _run(["inspect", "model.json", *options]) == 0
        return capsys.readouterr().out

    return run


LARGE = {
    "many classes": random_network(128, 10, [f"vowel {c}" for c in "abcdefghijk"]),
    "many columns": random_network(11, 166, ["musk", "other"]),
    "one sum": Network(
        [np.linspace(-3, 5, 58)],
        PASS_ON,
        ["ham", "spam"],
        feature_names=tuple(f"word {i}" for i in range(57)),
    ),
    "few hyperplanes": random_network(6, 60, ["well", "ill"]),
    "pairs": Networks(
        "pairs",
        list("abcdefghijk"),
        [
            Part([a], [b], Network(np.ones((1, 30)), PASS_ON, [0, 1]))
            for i, a in enumerate("abcdefghijk")
            for b in "abcdefghijk"[i + 1 :]
        ],
    ),
}


@pytest.mark.parametrize("name", LARGE)
def test_large_models_fit_on_a_screen_without_jargon(inspected, name):
    text = inspected(LARGE[name])
    lines = text.splitlines()
    assert len(lines) <= 40, text
    assert max(map(len, map(str.rstrip, lines))) <= 80
    assert not JARGON.search(text), JARGON.search(text)
    assert text.startswith("4 hyperplanes over 9 attributes: errs on 12.5 % of new rows")
    whole = inspected(LARGE[name], "--all")
    assert len(whole.splitlines()) > len(lines)
    assert "smaller" not in whole
    assert "--all" in text.split("models that were tried")[0] + lines[-1]


def test_the_terms_that_move_a_sum_most_come_first_and_once(inspected):
    random = np.random.default_rng(1)
    names = ("grams", "tons", "sex=female", "sex=male")
    male = random.random(200) < 0.5
    rows = np.column_stack([random.normal(0, 1000, 200), random.normal(0, 0.001, 200), ~male, male])
    unit = Network(
        [[0.3, 0.01, 100.0, -0.889, 0.889]], PASS_ON, [0, 1], feature_names=names, background=describe(rows)
    )
    text = inspected(unit)
    terms = re.findall(r"^ +[+-]\S+ (?:× |if )(\S+)$", text, flags=re.MULTILINE)
    assert terms == ["grams", "sex=male", "tons"]
    assert "sex=female" not in text
    assert text.count("grams") == 1
    assert "+1.78 if sex=male" in text


def test_rules_over_lettered_hyperplanes_are_shown_instead_of_sums(inspected):
    text = inspected(random_network(3, 4, ["well", "ill"]))
    assert "A: " in text
    assert "THEN " in text
    assert "h1:" not in text
    assert text.count("measured attribute 0") <= 3


def test_verbose_tells_how_it_was_trained(inspected):
    text = inspected(LARGE["many columns"], "--verbose")
    for word in ("fidelity", "teacher", "θ = 2", "training errors", "growth", "log-loss"):
        assert word in text, word
    assert "rows that it has seen; expect more" in " ".join(text.split())


def shown(model, verbose=False):
    from io import StringIO

    from rich.console import Console

    console = Console(file=StringIO(), width=80)
    for table in closing_tables(model, verbose):
        console.print(table)
    return console.file.getvalue()


def test_the_best_five_and_the_chosen_one_are_shown(tmp_path):
    save_network(LARGE["many columns"], tmp_path / "m.json", metadata={"fit": facts().to_json()})
    text = shown(read_model_file(tmp_path / "m.json"))
    assert not JARGON.search(text)
    tried = text.split("models that were tried")[1].split("\n\n")[0].splitlines()[2:]
    names = [line.split("  ")[0] for line in tried[:-1]]
    sizes = (2, 3, 4, 5, 6, 12)
    assert names == [f"network of {k} hyperplanes" for k in sizes]
    assert tried[5].rstrip().endswith("chosen")
    assert f"{len(CANDIDATES) - 1 - 6} more are in the model file" in tried[-1]


def test_models_of_one_name_and_size_are_shown_once():
    hot, cold = (candidate(f"unit at T = {t}, θ = inf", e, 10.0, "unit") for t, e in ((1, 0.2), (2, 0.1)))
    chosen = candidate("unit at T = 3, θ = 2", 0.1, 10.0, "chosen")
    assert best_of([hot, cold, chosen]) == [chosen]
    worse = {**chosen, "error": 0.15}
    assert best_of([hot, cold, worse]) == [cold, worse]
    assert plain_name("unit at T = 3, θ = 2") == "one weighted sum"
    assert plain_name("single hyperplane (cold 3 of 9, errors count alike)") == "one weighted sum"
    assert plain_name("distilled unit (logistic regression)") == "logistic regression"
    assert plain_name("network of 4 hyperplanes") == "network of 4 hyperplanes"


def test_the_best_is_marked_with_ties_and_sizes_are_those_of_the_folds(tmp_path):
    network = replace(LARGE["many columns"], growth_trace=())
    text = shown(ModelFile(network, {}, facts(candidates=[])))
    lines = [line.rstrip() for line in text.splitlines()]
    assert [line.split("  ")[0] for line in lines if line.endswith("best")] == [
        "netlines",
        "logistic regression",
    ]
    assert any("34 (20 to 48)" in line for line in lines if line.startswith("netlines"))
    assert f"this one keeps {network.n_nonzero:,}" in text
    assert "8.6 to 17.8 %" in text  # of 25 of 200


def test_guessing_has_a_row_where_the_shares_are_known(inspected):
    from netlines.network.probability import Calibration

    calibration = Calibration(0.0, [1.0], [0.0], [0.0], [0.3, 0.7], [0.3, 0.7])
    unit = Network([[0.0, 1.0]], PASS_ON, ["a", "b"], calibration=calibration)
    assert re.search(r"^guessing +30\.0 %", inspected(unit), flags=re.MULTILINE)
    weighted = facts(options={"error_free": False, "class_weight": "balanced"})
    assert "guessing" not in inspected(unit, found=weighted)


def test_the_glossary_is_that_of_the_documents():
    root = Path(__file__).resolve().parents[2]
    own, page = (root / place / "glossary.md" for place in ("src/netlines/cli", "docs"))
    assert own.read_text(encoding="utf-8") == page.read_text(encoding="utf-8")


def test_words_are_explained_in_two_sentences_without_jargon():
    for one in entries():
        text = one.text
        assert 2 <= len(re.findall(r"[.;:](?: |$)", text)) <= 5, one
        assert "](" not in text
        if one.section != "Advanced words":
            assert not JARGON.search(text.replace("log-loss", "")), one
    names = {name for one in entries() for name in one.names}
    for word in ("row", "hyperplane", "fold", "held out", "guessing", "AUC", "θ", "teacher", "faithful"):
        assert word in names
        assert explain_word(word, 80)
    assert "How well it does" in list_words(80)


def test_unknown_words_name_similar_ones(capsys):
    assert _run(["words", "calibraton"]) == 2
    assert "similar words are 'calibration'" in capsys.readouterr().err
    assert _run(["words", "nearest", "other", "answers"]) == 0
    assert capsys.readouterr().out.startswith("nearest other answer: ")


def test_flags_take_no_value_and_commands_stand_in_order(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert _run([]) == 0
    text = capsys.readouterr().out
    places = [text.index(f" {name} ") for name in ("describe", "fit", "inspect", "report", "words")]
    assert places == sorted(places)
    for command in ("fit", "predict", "evaluate", "inspect", "explain", "report", "reproduce", "words"):
        assert _run([command, "--help"]) == 0
        text = capsys.readouterr().out
        assert "<bool>" not in text, command
        assert "default: (" not in text, command
