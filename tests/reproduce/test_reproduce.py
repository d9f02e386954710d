"""The experiments of the paper: what is run, how it is measured, which claims hold, and the report."""

import csv
import doctest
import importlib
import json
import os
import re
import signal
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from netlines import __version__
from netlines.datasets import make_teacher, make_waveform
from netlines.reproduce import monks, parity, temperature, waveform
from netlines.reproduce.experiments import EXPERIMENTS
from netlines.reproduce.report import claims, facts, page, tables, votes
from netlines.reproduce.report.chapters import make_chapters
from netlines.reproduce.report.labels import Label, place_labels
from netlines.reproduce.report.published import read_claims, read_points, read_published
from netlines.reproduce.reproduction import Reproduction
from netlines.reproduce.runs import methods, statistics
from netlines.reproduce.runs.records import COLUMNS, Results, Row, Run, read_case, write_case
from netlines.reproduce.runs.runner import RunError, _interrupts_later, execute
from netlines.reproduce.runs.schemes import measure_scheme, scheme_runs
from netlines.reproduce.runs.verdicts import CHOOSES, Verdict, each_grown

COMMAND = [sys.executable, "-m", "netlines", "reproduce"]
NAN = re.compile(r"\bnan\b")
SMALL = [
    Run("parity", method, write_case(bits=bits), 0)
    for bits in (2, 3)
    for method in ("paper", "fast units", "default", "MonoPlane")
]


def row(method="default", parameters="P=10", seed=0, **values):
    """Return a row of an invented experiment."""
    numbers = {"P": 10, "G": 10, "H": 1, "weights": 3, "training_errors": 0, "test_error": 0.1}
    rest = {"updates": 100.0, "seconds": 0.5}
    return Row("invented", method, parameters, seed, **{**numbers, **rest, **values})


def frame(*rows):
    """Return rows as the experiments see them."""
    return statistics.as_frame(rows)


# Rows and their file


def test_a_case_is_written_and_read():
    case = write_case(bits=10, P=400, scheme="tree 1")
    assert case == "bits=10, P=400, scheme=tree 1"
    assert read_case(case) == {"bits": "10", "P": "400", "scheme": "tree 1"}
    assert read_case("") == {}


def test_rows_come_back_from_the_file_as_they_were(tmp_path):
    rows = [
        row(),
        row("LR", seed=3, H=None, updates=None, test_error=1 / 3),
        row("CART", "a=1, b=two", G=None),
    ]
    results = Results(tmp_path / "results.csv")
    results.add(rows)
    results.save()
    again = Results(tmp_path / "results.csv")
    assert again.rows == results.rows
    with open(tmp_path / "results.csv", newline="") as file:
        assert next(csv.reader(file)) == COLUMNS
    assert os.listdir(tmp_path) == ["results.csv"]


def test_the_columns_are_those_that_are_promised():
    assert COLUMNS[:8] == ["experiment", "method", "parameters", "seed", "P", "G", "H", "weights"]
    assert COLUMNS[8:] == ["training_errors", "test_error", "updates", "seconds"]


def test_a_run_is_done_when_all_its_rows_are_there(tmp_path):
    run = Run("invented", "default", "scheme=vote", 0, ("scheme=vote", "scheme=tree 1"))
    results = Results(tmp_path / "results.csv")
    results.add([row(parameters="scheme=vote")])
    assert run not in results
    assert results.of([run]) == []
    results.add([row(parameters="scheme=tree 1", H=5)])
    assert run in results
    assert [r.parameters for r in results.of([run])] == ["scheme=vote", "scheme=tree 1"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("invented,default,P=10,0,ten,10,1,3,0,0.1,100.0,0.5", "line 2: not a row .*'ten'.*delete the line"),
        ("invented,default,P=10,0", "line 2: not a row"),
        ("invented,default,P=10,,10,10,1,3,0,0.1,100.0,0.5", "line 2: not a row"),  # which seed?
    ],
)
def test_a_bad_line_is_named(tmp_path, line, message):
    (tmp_path / "results.csv").write_text(",".join(COLUMNS) + f"\n{line}\n")
    with pytest.raises(ValueError, match=message):
        Results(tmp_path / "results.csv")


def test_a_file_of_something_else_is_refused(tmp_path):
    (tmp_path / "results.csv").write_text("a,b\n1,2\n")
    with pytest.raises(
        ValueError, match="line 1: its columns are a, b; those of netlines reproduce are experiment"
    ):
        Results(tmp_path / "results.csv")


@pytest.mark.parametrize("content", [b"\xff", b"a" * 200_000], ids=["not UTF-8", "one endless field"])
def test_a_file_that_is_no_table_is_named(tmp_path, content):
    (tmp_path / "results.csv").write_bytes(",".join(COLUMNS).encode() + b"\n" + content + b"\n")
    with pytest.raises(ValueError, match=r"results\.csv is not a table of netlines reproduce: "):
        Results(tmp_path / "results.csv")


def test_commands_that_save_into_one_folder_at_once_lose_no_row(tmp_path):
    def add_one_by_one(method):
        results = Results(tmp_path / "results.csv")
        for seed in range(8):
            results.add([row(method, seed=seed)])
            results.save()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add_one_by_one, "abcd"))
    assert len(Results(tmp_path / "results.csv").rows) == 4 * 8
    assert os.listdir(tmp_path) == ["results.csv"]


# Doing runs


@pytest.mark.slow
def test_runs_are_done_once_and_do_not_depend_on_the_number_of_processes(tmp_path):
    results, done = Results(tmp_path / "results.csv"), []
    assert execute(SMALL, results, 2, done.append) == len(SMALL)
    assert sorted(done, key=str) == sorted(SMALL, key=str)
    assert execute(SMALL, results, 2, done.append) == 0
    kept = Results(tmp_path / "results.csv")
    lost = SMALL[2]
    expected = kept.rows.pop(lost.keys[0])
    assert execute(SMALL, kept, 1, done.append) == 1
    assert replace(kept.rows[lost.keys[0]], seconds=0) == replace(expected, seconds=0)


def test_an_interrupt_while_processes_start_comes_after_it():
    started = []

    def start():
        with _interrupts_later():
            signal.raise_signal(signal.SIGINT)
            started.append("a process")

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored in the background
    try:
        with pytest.raises(KeyboardInterrupt):
            start()
    finally:
        signal.signal(signal.SIGINT, before)
    assert started


@pytest.mark.slow
def test_a_run_that_fails_says_which_and_loses_nothing(tmp_path):
    results = Results(tmp_path / "results.csv")
    bad = Run("parity", "no such method", "bits=2", 7)
    with pytest.raises(RunError, match="parity: no such method, bits=2, seed 7 failed: KeyError"):
        execute([SMALL[0], bad], results, 1, lambda run: None)
    assert SMALL[0] in Results(tmp_path / "results.csv")


# Experiments


def test_published_claims_and_decided_claims_are_the_same():
    for name, experiment in EXPERIMENTS.items():
        assert [claim.name for claim in read_claims(name)] == list(experiment.claims)
    assert {statement.experiment for statement in read_published()} == set(EXPERIMENTS)


def test_every_statement_says_what_where_and_when_it_holds():
    names = [statement.name for statement in read_published()]
    assert len(set(names)) == len(names)
    for statement in read_published():
        assert statement.says
        assert statement.value
        assert statement.where
        assert statement.kind in ("claim", "point")
        assert bool(statement.rule) == (statement.kind == "claim")
    values = {statement.name for statement in read_published()}
    for experiment in EXPERIMENTS.values():
        assert all(name in values for line in experiment.headline for name in line.published)


def test_the_points_of_the_third_monks_problem_are_those_of_the_paper():
    points = {name: (weights, error) for name, weights, error in read_points("monks-3")}
    assert points["NetLines"] == (58, 0.0277)
    assert points["MonoPlane"] == (58, 0.0416)
    assert points["OBS-pruned"][0] == 4
    assert len(points) == 6


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_runs_three_ways_and_each_row_once(name, full):
    runs = list(EXPERIMENTS[name].runs(full))
    keys = [key for run in runs for key in run.keys]
    assert len(set(keys)) == len(keys)
    assert {run.experiment for run in runs} == {name}
    assert {"paper", "default", "CV"} <= {run.method for run in runs}


@pytest.mark.parametrize(
    ("name", "method", "count"),
    [
        ("clumps", "default", 8 * 25),
        ("cancer", "default", 3 * 50),
        ("diabetes", "CV", 50),
        ("iris", "LR", 150),
    ],
)
def test_the_full_plan_repeats_as_often_as_the_paper(name, method, count):
    assert sum(run.method == method for run in EXPERIMENTS[name].runs(True)) == count


CHEAP = {
    "parity": "default",
    "sonar": "LR",
    "monks": "unit",
    "clumps": "H=2",
    "cancer": "unit",
    "cancer-missing": "LR",
    "diabetes": "LDA",
    "waveform": "unit",
    "iris": "unit",
    "temperature": "unit without bias",
    "theta": "default",
    "convergence": "default",
}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_run_gives_the_rows_it_promises(name):
    run = next(run for run in EXPERIMENTS[name].runs(False) if run.method == CHEAP[name])
    rows = EXPERIMENTS[name].measure(run)
    assert sorted(r.key for r in rows) == sorted(run.keys)
    for r in rows:
        assert r.P > 0
        assert r.weights >= 1
        assert 0 <= r.training_errors <= r.P
        assert r.test_error is None or 0 <= r.test_error <= 1
        assert r.seconds > 0


def test_clumps_are_as_many_to_learn_as_to_test():
    run = next(
        run for run in EXPERIMENTS["clumps"].runs(True) if run.case == "bits=25, P=200" and run.method == "LR"
    )
    (r,) = EXPERIMENTS["clumps"].measure(run)
    assert (r.P, r.G, r.weights) == (200, 200, 26)


def test_a_vote_gives_its_trees_and_a_winner_its_networks():
    X, y = make_waveform(120, random_state=0)
    vote, winner = scheme_runs("waveform", ["unit"], range(3), [0])
    train, test = (X[:90], y[:90]), (X[90:], y[90:])
    rows = {r.parameters: r for r in measure_scheme(vote, train, test)}
    assert sorted(rows) == sorted(key[2] for key in vote.keys)
    assert rows["scheme=vote"].weights == 6 * 22
    assert rows["scheme=tree 0"].weights == 2 * 22
    assert rows["scheme=vote"].updates > rows["scheme=tree 0"].updates > 0
    networks = measure_scheme(winner, train, test)
    assert [r.key for r in networks] == winner.keys
    assert [r.weights for r in networks] == [66, 22, 22, 22]


def test_updates_are_counted_as_in_the_paper():
    X, y = make_teacher(40, 4, random_state=0)
    unit, _ = methods.fit(methods.make("unit", 0), X, y)
    assert methods.count_updates(unit) == unit.n_epochs_ * 5
    mlp, _ = methods.fit(methods.make("MLP(3)", 0), X, y)
    assert methods.count_updates(mlp) == mlp[-1].n_iter_ * (
        3 * 5 + 4
    )  # one step an epoch: 40 rows, one batch
    assert methods.count_hidden(mlp) == 3
    assert methods.count_updates(methods.fit(methods.make("LR", 0), X, y)[0]) is None
    assert methods.count_hidden(methods.fit(methods.make("CART", 0), X, y)[0]) is None


def test_the_paper_way_is_the_papers_algorithm():
    model = methods.make("paper", 3)
    assert (model.schedule, model.refine, model.random_state) == ("paper", False, 3)
    assert methods.make("MonoPlane, paper", 0).schedule == "paper"
    assert methods.make("H=2", 0).max_hidden == 2


# Exact answers to compare with


def test_the_optimal_error_has_its_known_limits():
    # Hebb's rule for few patterns: an overlap of √(2P/πN).
    assert temperature.optimal_error(0.01) == pytest.approx(
        np.arccos(np.sqrt(0.02 / np.pi)) / np.pi, abs=5e-4
    )
    # Opper and Haussler: 0.442 N/P for many patterns.
    assert temperature.optimal_error(500) * 500 == pytest.approx(0.442, abs=0.002)
    assert temperature.optimal_error(1) > temperature.optimal_error(2)


def test_the_bayes_point_errs_about_as_the_theory_says_and_no_more_than_others():
    errors = {"Bayes": [], "LR": []}
    for seed in range(6):
        X, y = make_teacher(100 + 5000, 50, random_state=seed)
        point = temperature.BayesPoint().fit(X[:100], y[:100])
        assert (point.predict(X[:100]) == y[:100]).all()
        errors["Bayes"].append(np.mean(point.predict(X[100:]) != y[100:]))
        logistic, _ = methods.fit(methods.make("LR", 0), X[:100], y[:100])
        errors["LR"].append(np.mean(logistic.predict(X[100:]) != y[100:]))
    assert np.mean(errors["Bayes"]) == pytest.approx(temperature.optimal_error(2), abs=0.02)
    assert np.mean(errors["Bayes"]) < np.mean(errors["LR"])


def test_the_bayes_point_in_two_dimensions_is_the_middle_of_the_version_space():
    """All perceptrons without errors form an angle, whose bisector is their mean direction."""
    angles = np.array([0.3, 1.1])  # normals of the two constraints
    X = np.column_stack([np.cos(angles), np.sin(angles)])
    point = temperature.BayesPoint(sweeps=200).fit(X, np.array([1, 1]))
    found = np.arctan2(*point.coef_[0][::-1])
    assert found == pytest.approx(angles.mean(), abs=1e-3)


def test_the_best_answers_to_waveforms_beat_any_others():
    X, y = make_waveform(4000, random_state=1)
    best = np.mean(waveform.best_answers(X) != y)
    assert best == pytest.approx(0.14, abs=0.015)
    nearest = np.array([[max(6 - abs(t - c), 0) for t in range(1, 22)] for c in (11, 15, 7)], dtype=float)
    middles = np.array([nearest[[0, 1]].mean(0), nearest[[0, 2]].mean(0), nearest[[1, 2]].mean(0)])
    naive = np.argmin(((X[:, None] - middles) ** 2).sum(axis=2), axis=1)
    assert best < np.mean(naive != y)


# Claims


def test_differences_are_paired_over_cases_and_seeds():
    rows = frame(
        row("a", seed=0, test_error=0.2),
        row("b", seed=0, test_error=0.1),
        row("a", seed=1, test_error=0.4),
        row("b", seed=1, test_error=0.1),
        row("a", seed=2, test_error=0.9),
    )
    gap, error, pairs = statistics.difference(rows, "a", "b")
    assert (gap, pairs) == (pytest.approx(0.2), 2)
    assert error == pytest.approx(np.std([0.1, 0.3], ddof=1) / np.sqrt(2))
    assert np.isnan(statistics.difference(rows[rows["seed"] == 0], "a", "b")[1])
    assert np.isnan(statistics.difference(rows, "a", "c")[0])


@pytest.mark.parametrize(
    ("gap", "error", "lower"),
    [
        (-0.05, 0.02, True),
        (-0.03, 0.02, False),
        (0.05, 0.01, False),
        (-0.01, np.nan, False),
        (0.0, 0.0, False),
    ],
)
def test_clearly_lower_means_two_standard_errors(gap, error, lower):
    assert statistics.clearly_lower(gap, error) is lower


def test_parity_holds_only_if_every_size_is_met():
    decide = parity.EXPERIMENT.claims["parity-size"]
    good = [row(parameters=f"bits={n}", H=n, training_errors=0) for n in (2, 3)]
    assert decide(frame(*good))["default"].holds is True
    larger = decide(frame(*good, row(parameters="bits=4", H=5)))["default"]
    assert larger.holds is False
    assert "not for N = 4" in larger.measured
    wrong = decide(frame(*good, row(parameters="bits=4", H=4, training_errors=1)))["default"]
    assert wrong.holds is False


def test_the_third_monks_problem_holds_up_to_twelve_errors():
    decide = monks.EXPERIMENT.claims["monks-3"]
    for wrong, holds in ((12, True), (13, False)):
        rows = frame(row("CV", "problem=3", test_error=wrong / 432))
        assert decide(rows)["CV"] == Verdict(f"{wrong} of 432 wrong", holds)


def test_early_stopping_is_of_use_if_a_unit_errs_clearly_less():
    grown = [row("default", seed=k, test_error=0.3 + 0.001 * k) for k in range(5)]
    units = [row("unit", seed=k, test_error=0.2) for k in range(5)]
    verdict = claims.early_stopping_is_no_use(frame(*grown, *units), "default")
    assert verdict.holds is False
    assert "one unit 20.0 %, grown 30.2 %" in verdict.measured
    better = [row("unit", seed=k, test_error=0.4) for k in range(5)]
    assert claims.early_stopping_is_no_use(frame(*grown, *better), "default").holds is True
    decide = each_grown(claims.early_stopping_is_no_use)
    assert decide(frame(*grown, *units, row("CV")))["CV"] == CHOOSES


def test_one_run_alone_decides_nothing():
    rows = frame(row("default", test_error=0.3), row("unit", test_error=0.2))
    verdict = claims.early_stopping_is_no_use(rows, "default")
    assert verdict.holds is None
    assert "one unit 20.0 %, grown 30.0 %" in verdict.measured
    assert claims.bagging_is_no_use(rows, "default") == Verdict("not run", None)


def test_the_paper_way_is_compared_with_units_of_its_own_schedule():
    rows = [row("paper", seed=k, test_error=0.3) for k in range(3)]
    rows += [row("unit", seed=k, test_error=0.1) for k in range(3)]
    rows += [row("unit, paper", seed=k, test_error=0.35 + 0.01 * k) for k in range(3)]
    assert claims.early_stopping_is_no_use(frame(*rows), "paper").holds is True


@pytest.mark.parametrize(
    ("updates", "holds", "same_order"),
    [
        (7e4, True, True),
        (2.2e5, False, False),
        (2.2e4, False, True),
        (2.5e4, True, True),
        (9e2, False, False),
    ],
)
def test_updates_are_compared_with_published_ones_and_with_backpropagation(updates, holds, same_order):
    mlps = [row(name, updates=1e4) for name in ("MLP(3)", "MLP(10)", "MLP(30)")]
    rows = frame(row("paper", updates=updates), row("CV", updates=None), *mlps)
    assert claims.number_of_updates(rows, "paper", 7e4).holds is holds
    assert claims.order_of_updates(rows, "paper").holds is same_order
    assert claims.order_of_updates(rows, "CV") == Verdict("not counted", None)


def test_backpropagation_is_beaten_only_in_error_and_in_size():
    mlps = [
        row(name, weights=size, test_error=0.05)
        for name, size in zip(claims.MLPS, (34, 100, 300), strict=True)
    ]
    for weights, error, holds in ((33, 0.04, True), (34, 0.04, False), (33, 0.05, False)):
        rows = frame(row("default", weights=weights, test_error=error), *mlps)
        assert claims.beats_backpropagation(rows, "default").holds is holds


@pytest.mark.parametrize(
    ("number", "text"), [(71234, "7·10⁴"), (1e5, "1·10⁵"), (9.7e5, "1·10⁶"), (3, "3·10⁰")]
)
def test_large_numbers_are_written_as_in_the_paper(number, text):
    assert claims.scientific(number) == text


def test_sonar_is_judged_by_a_unit_with_a_larger_theta_too():
    decide = EXPERIMENTS["sonar"].claims["sonar-all"]
    rows = [
        row("paper", "set=all", H=3),
        row("default", "set=all", H=1),
        row("unit, larger theta", "set=all"),
    ]
    verdicts = decide(frame(*rows))
    assert verdicts["paper"].holds is True
    assert "one unit without errors in 0 of 1 runs" in verdicts["paper"].measured
    rows[2] = row("unit, larger theta", "set=all", training_errors=1)
    assert decide(frame(*rows))["paper"].holds is False


def test_votes_and_trees_are_compared():
    rows = []
    for seed in range(3):
        rows += [
            row("paper", f"scheme=tree {c}", seed, test_error=0.2 + 0.02 * c + 0.03 * seed) for c in range(3)
        ]
        rows.append(row("paper", "scheme=vote", seed, test_error=0.19 + 0.01 * seed))
        rows.append(row("paper", "scheme=wta", seed, test_error=0.3))
    table = frame(*rows)
    assert votes.vote_beats_each_tree(table, "paper").holds is True
    assert votes.vote_lowers_the_variance(table, "paper").holds is True
    assert votes.vote_keeps_the_mean(table, "paper").holds is False
    assert votes.winner_is_worse(table, "paper").holds is True
    assert set(each_grown(votes.vote_beats_each_tree)(table)) == {"paper"}  # the only way with trees
    none = [replace(r, test_error=0.0) for r in rows]
    assert votes.vote_beats_each_tree(frame(*none), "paper").holds is None
    assert votes.vote_keeps_the_mean(table[table["seed"] == 0], "paper").holds is None


def test_a_unit_far_from_the_bayes_point_is_not_optimal():
    decide = temperature.EXPERIMENT.claims["temperature-optimal"]

    def rows(gap):
        units = [
            row("unit without bias", f"ratio=2, coldness={c}", seed, test_error=0.2 + gap + c / 200)
            for seed in range(3)
            for c in (0.5, 2)
        ]
        return frame(*units, *(row("Bayes", "ratio=2", seed, test_error=0.2) for seed in range(3)))

    assert decide(rows(0.0))[""].holds is True  # a quarter of a point at the better temperature
    assert decide(rows(0.01))[""].holds is False


def invented(run, error):
    """Return rows of a run as if it had been done."""
    random = np.random.default_rng(zlib.crc32(str(run).encode())) if error is None else None
    return [
        Row(
            *key[:3],
            key[3],
            P=int(read_case(key[2]).get("P", 100)),
            G=100,
            H=None if run.method in methods.PEERS else 3,
            weights=30,
            training_errors=int(random.integers(0, 5)) if random else 0,
            test_error=float(random.random()) if random else error,
            updates=1e5,
            seconds=0.1,
        )
        for key in run.keys
    ]


ANY_ROWS = [(False, None), (True, None), (False, 0.0)]


def chapter_of(experiment, full, error):
    rows = [r for run in experiment.runs(full) for r in invented(run, error)]
    return make_chapters([experiment], {experiment.name: rows})[0]


@pytest.mark.sample(12)
@pytest.mark.parametrize(("full", "error"), ANY_ROWS)
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_claim_takes_any_rows(name, full, error):
    chapter = chapter_of(replace(EXPERIMENTS[name], draw=lambda rows: {}), full, error)
    for decision in chapter.decisions:
        for verdict in decision.verdicts.values():
            assert verdict.holds in (True, False, None)
            assert verdict.measured
            assert not NAN.search(verdict.measured)
    for table in (
        tables.claims_table([chapter]),
        tables.headline_table([chapter]),
        tables.means_table(chapter),
    ):
        assert not any(NAN.search(cell or "") for line in table.rows for cell in line)
    assert not any(map(NAN.search, tables.departures_in_words([chapter])))


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("full", "error"), [ANY_ROWS[0], *(pytest.param(*one, marks=pytest.mark.slow) for one in ANY_ROWS[1:])]
)
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_figure_takes_any_rows(name, full, error):
    assert chapter_of(EXPERIMENTS[name], full, error).figures


# The report


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Return a reproduction of a few runs of the parity, and its folder."""
    out = tmp_path_factory.mktemp("small") / "out"
    whole = Reproduction.plan_for(["parity"], False, out)
    work = replace(whole, plan={"parity": SMALL})
    work.run(1, lambda run: None)
    return out, work, work.write("netlines reproduce parity --quick")


def test_the_folder_holds_all_that_is_promised(small):
    out, work, _ = small
    assert sorted(os.listdir(out)) == [
        "facts.json",
        "figures",
        "index.html",
        "reproduction.md",
        "results.csv",
    ]
    assert sorted(os.listdir(out / "figures")) == ["parity.png", "parity.svg"]
    assert (out / "figures" / "parity.png").read_bytes().startswith(b"\x89PNG")
    assert work.missing("parity") == 0


def test_the_page_is_self_contained_and_tells_claim_published_measured_holds(small):
    text = (small[0] / "index.html").read_text()
    assert not re.search(r'(src|href)="(?!data:|#)', text)
    assert "@import" not in text
    claim = read_claims("parity")[0]
    assert claim.says in text
    assert f"{claim.value} ({claim.where})" in text
    assert "H = N without errors for N = 2 to 3, 2 of 2 runs" in text
    assert ">✓ holds</span>" in text
    assert '<svg role="img"' in text
    assert f"netlines {__version__}" in text
    assert 'name="viewport"' in text


def test_the_text_has_the_same_claims_as_the_page(small):
    out, _, chapters = small
    text = (out / "reproduction.md").read_text()
    for line in tables.claims_table(chapters).rows:
        assert str(line[0]) in text
    assert "reproduction/parity.png" in text
    assert "`netlines reproduce parity --quick`" in text
    head = next(line for line in text.splitlines() if line.startswith("| claim"))
    lines = text[text.index(head) :].split("\n\n")[0].splitlines()
    assert {line.count(" | ") for line in lines} == {5}


def test_what_is_written_twice_is_the_same(small):
    out, work, _ = small
    before = {
        name: (out / name).read_bytes() for name in ("index.html", "reproduction.md", "figures/parity.svg")
    }
    work.write("netlines reproduce parity --quick")
    assert {name: (out / name).read_bytes() for name in before} == before


def test_the_page_has_what_another_command_finished_meanwhile(tmp_path):
    work = Reproduction.plan_for(["parity"], False, tmp_path)
    other = Results(tmp_path / "results.csv")
    other.add(r for run in EXPERIMENTS["iris"].runs(False) for r in invented(run, 0.0))
    other.save()
    assert [chapter.experiment.name for chapter in work.write("netlines reproduce parity")] == ["iris"]


def test_verdicts_are_counted_by_way(small):
    counts = tables.count_verdicts(small[2])
    assert counts["default"] == (1, 1)
    assert counts["CV"] == (0, 0)
    assert counts[""] == (0, 0)
    assert ("1 of 1", "NetLinesClassifier") in tables.describe_counts(small[2])


def test_departures_compare_one_way_with_the_next():
    experiment = replace(
        monks.EXPERIMENT,
        headline=tuple(line for line in monks.EXPERIMENT.headline if line.title == "Monk's 1"),
    )
    rows = [
        row("paper", "problem=1", weights=100, test_error=0.2),
        row("fast units", "problem=1", weights=50, test_error=0.1),
        row("default", "problem=1", weights=50, test_error=0.0),
        row("CV", "problem=1", weights=200, test_error=0.05),
    ]
    chapter = make_chapters(
        [replace(experiment, claims={}, draw=lambda rows: {}, name="none")], {"none": rows}
    )
    (line,) = tables.departures_table(chapter).rows
    assert line[1:] == [
        "−10.0 points, weights × 0.50",
        "−10.0 points, weights × 1.00",
        "+5.0 points, weights × 4.00",
    ]
    words = tables.departures_in_words(chapter)
    assert len(words) == 3
    assert "−10.0 points of test error and 0.50 times the weights" in words[0]
    (figures,) = tables.headline_table(chapter).rows
    assert figures[:2] == ["Monk's 1", "0 errors of 432"]
    assert figures[2].startswith("H 1, 100 weights, test 20.0 %")


def test_a_page_escapes_what_it_shows(small):
    chapter = small[2][0]
    strange = replace(chapter, experiment=replace(chapter.experiment, title="a <b> & c", about="<script>"))
    text = page.make_page([strange], facts.Facts(), "x", 1.0)
    assert "a &lt;b&gt; &amp; c" in text
    assert "<script>" not in text


def test_runs_of_other_versions_are_not_mixed(tmp_path):
    facts.keep_facts(tmp_path / "facts.json")
    assert facts.keep_facts(tmp_path / "facts.json").netlines == __version__
    kept = json.loads((tmp_path / "facts.json").read_text())
    (tmp_path / "facts.json").write_text(json.dumps({**kept, "netlines": "0.0.1"}))
    with pytest.raises(ValueError, match=r"holds runs of netlines 0\.0\.1.*give another --out, or delete it"):
        facts.keep_facts(tmp_path / "facts.json")
    for text in ("[]", '{"packages": 1}'):
        (tmp_path / "facts.json").write_text(text)
        with pytest.raises(ValueError, match="is not a file of netlines reproduce"):
            facts.keep_facts(tmp_path / "facts.json")


def test_names_stand_beside_their_points_and_not_on_each_other():
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 4))
    ax = figure.subplots()
    ax.set(xlim=(0, 1), ylim=(0, 1))
    labels = [Label(f"name {k}", 0.5, 0.5 + 0.001 * k, "black") for k in range(4)]
    place_labels(ax, labels, [(label.x, label.y) for label in labels])
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert [text.get_text() for text in ax.texts] == ["name 0", "name 1", "name 2", "name 3"]
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])


@pytest.mark.parametrize(
    "module", ["runs.records", "report.claims", "temperature"], ids=lambda name: name.replace(".", " ")
)
def test_the_examples_run(module):
    assert doctest.testmod(importlib.import_module(f"netlines.reproduce.{module}")).failed == 0


# The command


@pytest.mark.slow
def test_the_command_goes_on_after_an_interrupt(tmp_path):
    process = subprocess.Popen(
        [*COMMAND, "parity", "sonar", "--out", "out", "--jobs", "2"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # ignored in a shell's background
    )
    for line in process.stderr:
        if line.startswith("parity: done"):
            break
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in stderr
    runs = len(list(EXPERIMENTS["parity"].runs(False)))
    kept = int(
        re.search(r"interrupted: (\d+) runs are kept in out/results.csv; the same command goes on", stderr)[1]
    )
    assert kept >= runs
    assert sorted(os.listdir(tmp_path / "out")) == ["facts.json", "results.csv"]
    table = pd.read_csv(tmp_path / "out" / "results.csv")
    assert (table["experiment"] == "parity").sum() == runs
    again = subprocess.run([*COMMAND, "parity", "--out", "out"], cwd=tmp_path, capture_output=True, text=True)
    assert again.returncode == 0
    assert f"{runs} runs are kept from before, 0 to do" in again.stdout
    assert "the page is out/index.html" in again.stdout
    assert "NetLinesClassifier: 1 of 1 claims hold" in again.stdout
    assert (tmp_path / "out" / "index.html").exists()


@pytest.mark.slow
def test_no_worker_outlives_a_killed_command(tmp_path):
    process = subprocess.Popen(
        [*COMMAND, "parity", "sonar", "--out", "out", "--jobs", "2"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for line in process.stderr:
        if line.startswith("parity: done"):
            break
    process.kill()
    process.communicate(timeout=10)  # to the end of what workers could still write to


@pytest.mark.slow
def test_without_matplotlib_the_command_names_the_extra(tmp_path):
    script = "import sys; sys.modules['matplotlib'] = None; from netlines.cli import main; main()"
    command = [sys.executable, "-c", script, "reproduce", "--out", "out"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert 'needs matplotlib: pip install "netlines[plots]"' in done.stderr
    assert os.listdir(tmp_path) == []


def test_the_help_names_every_experiment():
    done = subprocess.run(
        [*COMMAND, "--help"], capture_output=True, text=True, env={**os.environ, "COLUMNS": "200"}
    )
    assert done.returncode == 0
    assert f"Some of: {', '.join(EXPERIMENTS)}; all of them" in " ".join(
        done.stdout.replace("│", " ").split()
    )


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["party"], "EXPERIMENT party is unknown; allowed are parity, sonar, monks"),
        (["--quick", "--full"], "--quick and --full exclude each other"),
        (["--jobs", "0"], "--jobs must be at least 1, got 0"),
        (["--out", "file.txt"], "--out file.txt is a file; allowed is a folder, which may be new"),
    ],
)
def test_a_bad_option_is_one_clear_line(tmp_path, options, message):
    (tmp_path / "file.txt").write_text("mine")
    done = subprocess.run([*COMMAND, *options], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert os.listdir(tmp_path) == ["file.txt"]


@pytest.mark.parametrize(
    ("column", "cell"), [("updates", str(10**400)), ("seconds", "inf"), ("seconds", "nan")]
)
def test_a_row_of_impossible_numbers_is_named(tmp_path, column, cell):
    path = tmp_path / "results.csv"
    results = Results(path)
    results.add([row()])
    results.save()
    header, line, *_ = path.read_text().splitlines()
    cells = line.split(",")
    cells[header.split(",").index(column)] = cell
    path.write_text("\n".join([header, ",".join(cells), ""]))
    with pytest.raises(ValueError, match=rf"line 2: .*{column} must be a number of ordinary size"):
        Results(path)
