"""The choice between units and networks, of two classes and of more: what known tables get, and why."""

from dataclasses import replace

import numpy as np
import pytest
from class_data import (
    assert_same_networks,
    class_data_of,
    class_patterns_of,
    contradictory_classes,
    held_out_examples,
    rays,
)
from class_tables import blobs
from example_tables import plane, xor
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier

from netlines import NetLinesClassifierCV
from netlines.network.network import Network
from netlines.network.networks import Networks
from netlines.network.probability import agreeing, expit, most_probable
from netlines.selection import choice, course, fit, labels, many_rows, sizes, teaching
from netlines.selection.chosen import LEAN
from netlines.selection.course import Lessons
from netlines.selection.folds import folds_of_rows
from netlines.selection.judge import Judge, scores
from netlines.selection.students import Student
from netlines.selection.teachers.best import choose_teacher
from netlines.selection.teachers.classifier import fit_classifier
from netlines.selection.teachers.fitted import fit_linear
from netlines.selection.teachers.kernel import fit_kernel
from netlines.selection.teachers.teacher import Teacher
from netlines.selection.terms import Terms
from netlines.selection.units import (
    ONLY,
    PATH,
    Scheme,
    UnitsCandidate,
    all_units,
    linear_candidate,
    train_units,
    trained,
    unit_candidates,
)
from netlines.training.cases import Cases
from netlines.training.sequences import separable_order

BENT = pytest.mark.parametrize("table", [xor(), blobs(p=120)], ids=["two", "classes"])
STRAIGHT = pytest.mark.parametrize("table", [plane(), rays(p=90)], ids=["two", "classes"])


@pytest.fixture(autouse=True)
def little(monkeypatch):
    """Teach with few synthetic points, and in few steps."""
    for name, n in {
        "FEWEST": 1200,
        "EACH": 0,
        "FINER": Cases(two=600, more=600),
        "BOUNDARY": 500,
        "FRESH": 800,
    }.items():
        monkeypatch.setattr(course, name, n)
    for module, names in ((teaching, ["DESCENT"]), (sizes, ["DESCENT"]), (labels, ["DESCENT"])):
        for name in names:
            two, more = (
                replace(one, steps=600, batch=128) for one in (teaching.DESCENT.two, teaching.DESCENT.more)
            )
            monkeypatch.setattr(module, name, Cases(two, more))


@pytest.fixture
def many(monkeypatch):
    """Take more than 200 patterns for many."""
    monkeypatch.setattr(many_rows, "MANY", 200)


@pytest.fixture
def some(monkeypatch):
    """Let networks learn labels from 100 patterns on."""
    for module in (choice, fit):
        monkeypatch.setattr(module, "LABELS_FROM", 100)


def cv(**parameters):
    return NetLinesClassifierCV(**{"max_hidden": 6, "cv": 3, **parameters})


# Units


UNIT = Scheme.unit()


def test_probabilities_lie_on_the_side_of_the_answer():
    p = expit(agreeing(np.array([-2.0, 2.0, -2.0, 2.0, 0.0]), np.array([True, True, False, False, False])))
    np.testing.assert_array_equal(p >= 0.5, [True, True, False, False, False])
    assert p[1] == pytest.approx(expit(2.0))
    assert p[2] == pytest.approx(expit(-2.0))


def test_units_of_the_path_judge_what_they_have_not_seen():
    data = class_data_of(*plane(p=60))
    units = unit_candidates(data, UNIT)
    assert [unit.setting for unit in units] == list(PATH)
    for k in (0, len(units) - 1):
        for p, fold in zip(units[k].held_out, data.folds, strict=True):
            path = train_units(data, fold.train, UNIT.problems[0], PATH)
            answers = path[k] @ data.X[:, fold.test.pattern] >= 0
            np.testing.assert_array_equal(p[:, 1] >= 0.5, answers)


def test_the_path_has_weights_of_norm_one():
    data = class_data_of(*plane(p=60))
    path = train_units(data, data.all, UNIT.problems[0], PATH)
    np.testing.assert_allclose(np.linalg.norm(path, axis=1), np.ones(len(PATH)))
    for k in (0, len(PATH) - 1):  # the unit that is taken is one of the whole path
        np.testing.assert_array_equal(trained(data, unit_candidates(data, UNIT)[k])[1], path[k : k + 1])


def test_the_logistic_unit_is_the_hyperplane_of_the_regression():
    data = class_data_of(*plane(p=60))
    linear = fit_linear(data)
    unit = linear_candidate(data, linear)
    (line,), (margins,) = unit.lines, unit.weights @ data.X
    np.testing.assert_allclose(expit(line[0] + line[1] * margins), linear.probability(data.rows)[:, 1])
    assert np.linalg.norm(unit.weights) == pytest.approx(1)


def test_of_too_many_classes_there_are_no_units_in_pairs(monkeypatch):
    data = class_data_of(*rays(p=40, n_classes=4), n_folds=2)
    linear, order = fit_linear(data), separable_order(*rays(p=40, n_classes=4), np.ones(40))
    both = all_units(data, linear)
    assert {one.scheme.name for one in both[:-1]} == {"tree", "pairs"}
    assert {one.scheme.order for one in both if one.scheme.name == "tree"} == {order}
    monkeypatch.setattr("netlines.selection.units.MOST_PAIRS", 5)
    few = all_units(data, linear)
    assert {one.scheme.name for one in few[:-1]} == {"tree"}
    assert "multinomial" in few[-1].name


def test_without_folds_units_with_usual_settings_are_taken():
    data = class_data_of(*plane(p=30))
    unit = ONLY.two(data)
    assert (unit.n_hidden, unit.held_out) == (1, [])
    answers = (unit.weights[0] @ data.X >= 0)[data.all.pattern]
    assert (answers == data.all.labels).mean() > 0.7
    clf = cv(cv=2).fit([[0.0], [1.0]], [0, 1])
    assert "too few rows" in clf.chosen_
    assert clf.stop_reason_.startswith("single hyperplane (cold 4 of 9)")
    more = cv(cv=2).fit([[0.0], [1.0], [2.0]], [0, 1, 2])
    assert "too few rows" in more.chosen_
    np.testing.assert_array_equal(more.predict([[-9.0], [9.0]]), [0, 2])


# Units or a network


def chosen_of(data, prefer="balanced", model=fit_kernel, max_hidden=6, **more):
    """Return what is chosen beside a large model, fitted by a function of the data or given."""
    linear, score = fit_linear(data), scores(data, more.get("scoring"))
    own = model(data) if callable(model) else model
    judge = Judge(data.folds, score)
    return choice.choose(data, linear, own, judge, Terms(prefer, max_hidden, **more)), judge


def auto(data):
    return choose_teacher(data, fit_linear(data), seed=0)


@STRAIGHT
def test_a_noisy_hyperplane_takes_units(table):
    found, judge = chosen_of(class_data_of(*table), model=auto)
    assert isinstance(found.chosen, UnitsCandidate)
    assert found.student is None
    assert found.chosen in found.candidates
    assert judge.words(found.chosen) in found.reason
    roles = [one.role for one in found.candidates]
    assert roles.count("reference") == 1


@BENT
def test_bent_boundaries_take_a_network_that_is_far_better_than_units(table):
    data = class_data_of(*table)
    found, judge = chosen_of(data, model=auto)
    assert found.student.size == found.chosen.n_hidden > 1
    assert found.chosen in found.candidates
    assert found.chosen.fidelity == found.student.fidelity
    assert found.student.size <= 6
    units = [one for one in found.candidates if one.role == "single"]
    error = judge.mean(judge.errors(found.chosen))
    assert error < 0.6 * min(judge.mean(judge.errors(one)) for one in units)
    assert (found.student.answers(data.X)[data.all.pattern] == data.all.labels).mean() > 0.9
    assert f"held-out {judge.words(found.chosen)}; the smallest of" in found.reason
    networks = [one for one in found.candidates if one.role == "network"]
    assert len(networks) == len(found.students)
    assert all(one.held_out and one.fidelity > 0.5 for one in networks)
    p = found.calibration.scores(found.student.fields(data.X))
    assert (most_probable(p) == found.student.answers(data.X)).mean() > 0.9
    np.testing.assert_allclose(found.calibration.training_priors, data.priors)


def test_without_a_teacher_there_are_only_units():
    for table in (xor(), blobs(p=90)):
        found, judge = chosen_of(class_data_of(*table), model=None)
        assert found.student is None
        assert {one.role for one in found.candidates} == {"single"}
        assert found.reason.startswith(f"held-out {judge.words(found.chosen)}; ")


@BENT
def test_the_fewer_the_units_the_more_small_is_preferred(table):
    X, y = table
    y = np.where(np.random.default_rng(0).random(len(y)) < 0.1, (y + 1) % (y.max() + 1), y)
    data = class_data_of(X, y)
    found = [chosen_of(data, prefer, max_hidden=32)[0].student for prefer in LEAN]
    sizes = [0 if one is None else one.size for one in found]
    assert sizes == sorted(sizes)
    assert sizes[-1] > 1


def test_of_several_networks_that_are_as_good_the_smallest_is_taken(monkeypatch):
    def two_sizes(course, largest, **how):
        return [replace(teaching.teach(course, size, seed=0), excess=0.0) for size in (4, 6)]

    monkeypatch.setattr(choice, "teach_sizes", two_sizes)
    found, _ = chosen_of(class_data_of(*xor()), "small")
    assert found.student.size <= 4


def test_the_largest_size_is_respected():
    for size in (2, 4):
        assert chosen_of(class_data_of(*xor()), max_hidden=size)[0].chosen.n_hidden <= size


def said(data, right=1.0, sure=0.95, seed=0):
    """Return a teacher that knows the labels of test examples, but for some of them."""
    rng, n = np.random.default_rng(seed), data.n_classes
    held_out = []
    for fold in data.folds:
        wrong = rng.random(len(fold.test.labels)) >= right
        p = np.full((len(wrong), n), (1 - sure) / (n - 1))
        p[np.arange(len(wrong)), (fold.test.labels + wrong) % n] = sure
        held_out.append(p)
    return Teacher("oracle", lambda: lambda rows: np.full((len(rows), n), 1 / n), held_out)


def test_units_that_err_clearly_less_than_the_teacher_are_taken():
    found, _ = chosen_of(class_data_of(*plane(noise=0.2)), model=lambda data: said(data, right=0.7))
    assert isinstance(found.chosen, UnitsCandidate)
    assert "less than the large model that networks would learn from, oracle" in found.reason


def test_units_without_errors_are_taken_however_sure_the_teacher_is():
    X = np.arange(60) % 2 + 0.1 * np.random.default_rng(0).standard_normal(60)
    data = class_data_of(X[:, None], np.arange(60) % 2)
    found, judge = chosen_of(data, model=lambda data: said(data, sure=1 - 1e-9))
    assert not judge.errors(found.chosen).any()
    assert isinstance(found.chosen, UnitsCandidate)
    assert judge.loss_lag(found.chosen, found.candidates[-1])[0] > 0
    assert "no worse than" in found.reason


def test_units_that_are_hardly_behind_in_log_loss_are_taken():
    data = class_data_of(*plane())
    linear = fit_linear(data)
    same = Teacher("the same", lambda: linear.probability, linear.held_out)
    for prefer in LEAN:
        found, _ = chosen_of(data, prefer, model=same)
        assert isinstance(found.chosen, UnitsCandidate)
        assert "no worse than" in found.reason
        assert "so none were tried" in found.reason


def test_a_network_that_came_down_to_one_hyperplane_is_none():
    found, _ = chosen_of(class_data_of(*xor()), max_hidden=1)
    assert isinstance(found.chosen, UnitsCandidate)
    assert "came down to a single hyperplane" in found.reason
    assert found.students


def test_a_network_that_does_not_err_less_is_not_taken():
    """The teacher errs far less than units, but says too much of the space for a network to follow."""
    data = class_data_of(*plane(p=200, noise=1.0))

    def waves(rows):
        return np.eye(2)[(np.sin(40 * rows).sum(axis=1) > 0).astype(int)] * 0.9 + 0.05

    found, judge = chosen_of(data, model=replace(said(data, right=0.99), fit=lambda: waves))
    assert isinstance(found.chosen, UnitsCandidate)
    assert " hyperplanes (error " in found.reason
    assert "does not err less" in found.reason
    assert f"held-out {judge.words(found.chosen)}; " in found.reason


def test_only_a_shared_layer_may_be_wanted():
    found, _ = chosen_of(class_data_of(*rays(p=60)), only_shared=True, max_hidden=3)
    assert found.student is not None
    assert not any(isinstance(one, UnitsCandidate) for one in found.candidates)
    assert found.student.size <= 3


@BENT
@pytest.mark.parametrize("scoring", ["neg_log_loss", "accuracy"])
def test_a_score_decides(table, scoring):
    found, judge = chosen_of(class_data_of(*table), scoring=scoring)
    assert found.student is not None
    assert f"held-out score {judge.mean_score(found.chosen):.4g}" in found.reason
    chosen_units, judge = chosen_of(class_data_of(*plane()), model=None, scoring=scoring)
    best = max(chosen_units.candidates, key=judge.mean_score)
    assert judge.mean_score(chosen_units.chosen) == judge.mean_score(best)


# The errors of networks


def random_exam(student, n_classes, differs, n=600, seed=0):
    """Return an exam with leads of all sizes, and where `differs` says that the student answers otherwise."""
    rng = np.random.default_rng(seed)
    X = np.vstack([np.ones(n), rng.standard_normal((len(student.hidden[0]) - 1, n))])
    p = np.sort(rng.dirichlet(np.ones(n_classes), n), axis=1)[:, ::-1]
    wrong = differs(p[:, 0] - p[:, 1])
    first = (student.answers(X) + wrong) % n_classes
    places = (first[:, None] + np.arange(n_classes)) % n_classes
    said = np.empty_like(p)
    np.put_along_axis(said, places, p, axis=1)
    return Lessons(X, said, np.full(n, 1 / n)), wrong


@pytest.mark.parametrize("n_classes", [2, 4])
def test_a_network_is_expected_to_turn_as_many_answers_round_as_on_fresh_points(n_classes):
    rng, data = np.random.default_rng(1), class_data_of(*rays(p=40, n_classes=n_classes))
    student = Student(
        rng.standard_normal((3, 4)), rng.standard_normal((n_classes if n_classes > 2 else 1, 4))
    )
    student = replace(student, fidelity=0.5)
    exam, wrong = random_exam(student, n_classes, lambda lead: (lead < 0.2) & (rng.random(len(lead)) < 0.6))
    held_out = np.split(exam.p, [150, 310])  # as sure as on fresh points
    teacher = Teacher("some", lambda: None, held_out)
    found = choice._candidate(data, student, exam, teacher)
    assert (found.role, found.n_hidden, found.fidelity) == ("network", 3, 0.5)
    before, after = np.concatenate(held_out), np.concatenate(found.held_out)
    changed = (before != after).any(axis=1)
    assert abs(changed.sum() - wrong.sum()) <= 1
    assert wrong.sum() > 20
    lead = exam.lead[changed]
    assert lead.max() < 0.5  # mostly where the teacher is not sure
    assert (lead < 0.2).mean() > 0.7
    order = np.argsort(before, axis=1)
    np.testing.assert_array_equal(most_probable(after[changed]), order[changed, -2])
    np.testing.assert_array_equal(np.sort(after, axis=1), np.sort(before, axis=1))
    assert [len(p) for p in found.held_out] == [len(p) for p in held_out]


def test_a_network_that_answers_like_its_teacher_errs_like_it():
    data, student = class_data_of(*xor()), Student(np.eye(2, 3), np.array([[0.2, 1.0, -0.4]]))
    exam, _ = random_exam(student, 2, lambda lead: np.zeros(len(lead), dtype=int))
    teacher = said(data, right=0.8)
    found = choice._candidate(data, student, exam, teacher)
    for own, other in zip(found.held_out, teacher.held_out, strict=True):
        np.testing.assert_array_equal(own, other)


@BENT
def test_expected_errors_are_about_those_on_new_rows(table, monkeypatch):
    X, y = table
    data = class_data_of(X, y)
    found, judge = chosen_of(data, model=auto)
    new, truth = xor(p=2000, seed=5) if data.n_classes == 2 else blobs(p=2000)
    answers = found.student.answers(data.standardisation.standardised(new))
    expected, se = judge.mean(judge.errors(found.chosen)), judge.standard_error(judge.errors(found.chosen))
    assert abs((answers != truth).mean() - expected) < max(3 * se, 0.05)


# Networks that learn the labels


def test_networks_learn_labels_where_there_are_rows_enough(some):
    data = class_data_of(*xor(p=300))
    found, judge = chosen_of(data, model=lambda data: said(data, right=0.8, sure=0.8))
    assert found.student is not None
    assert not found.taught
    assert "it learnt the labels themselves and errs no more than the large model oracle" in found.reason
    answers = found.student.answers(data.X)[data.all.pattern]
    assert (answers == data.all.labels).mean() > 0.9
    assert judge.mean(judge.errors(found.chosen)) < 0.15
    for p, fold in zip(found.chosen.held_out, data.folds, strict=True):
        assert p.shape == (len(fold.test.pattern), 2)


def test_networks_that_learn_labels_have_to_err_no_more(some):
    data = class_data_of(*xor(p=110))

    def exact(rows):
        return np.eye(2)[(rows[:, 0] * rows[:, 1] > 0).astype(int)] * 0.98 + 0.01

    knowing = replace(said(data), name="knowing", fit=lambda: exact)
    found, _ = chosen_of(data, model=knowing)
    assert found.student is not None
    names = [one.name for one in found.candidates if one.role == "network"]
    assert len(names) > len(found.students)  # those that learnt labels are told, too
    assert found.taught
    assert "answers like knowing" in found.reason


@pytest.mark.parametrize(
    ("table", "more"),
    [(xor(p=120), {"teacher": KNeighborsClassifier()}), (blobs(p=120), {}), (xor(p=90), {})],
    ids=["user's teacher", "classes", "few rows"],
)
def test_labels_are_not_learnt_elsewhere(table, more, some, monkeypatch):
    monkeypatch.setattr(labels, "students_of", lambda *_: pytest.fail("labels are learnt"))
    found, _ = chosen_of(class_data_of(*table), **more)
    assert found.student is not None


def test_a_network_that_learnt_labels_is_the_best_of_the_folds():
    data = class_data_of(*xor(p=150))
    tried = labels.student_of(data, 4, Terms())
    answers = []
    for fold, p in zip(data.folds, tried.candidate.held_out, strict=True):
        lessons = Lessons.of_labels(data, fold.train)
        own = teaching.teach(
            course.Course(lessons, Lessons.of_labels(data, fold.test)), 4, seed=0, cooling=labels.COOLING
        )
        np.testing.assert_array_equal(p.argmax(axis=1), own.answers(data.X[:, fold.test.pattern]))
        answers.append((own.answers(data.X[:, data.all.pattern]) != data.all.labels).sum())
    best = (tried.student.answers(data.X[:, data.all.pattern]) != data.all.labels).sum()
    assert best == min(answers)


# Many rows


def directly(table, prefer="balanced", max_hidden=8, **more):
    data = class_data_of(*table)
    data = replace(data, folds=data.folds[:1])
    judge = Judge(data.folds)
    return (
        many_rows.choose_directly(data, fit_linear(data), judge, Terms(prefer, max_hidden, **more)),
        judge,
        data,
    )


@pytest.mark.parametrize("table", [xor(p=400), blobs(p=400)], ids=["two", "classes"])
def test_many_rows_are_learnt_from_their_labels(table):
    found, judge, data = directly(table)
    assert found.student.size > 1
    assert judge.mean(judge.errors(found.chosen)) < 0.12
    assert f"held-out {judge.words(found.chosen)}" in found.reason
    answers = found.student.answers(data.X[:, data.folds[0].test.pattern])
    np.testing.assert_array_equal(np.concatenate(found.chosen.held_out).argmax(axis=1), answers)


@pytest.mark.parametrize("table", [plane(p=300), rays(p=300)], ids=["two", "classes"])
def test_many_rows_of_hyperplanes_take_units(table):
    found, *_ = directly(table, max_hidden=4)
    assert isinstance(found.chosen, UnitsCandidate)
    assert "hardly worse than a network of" in found.reason


def test_many_rows_may_want_a_shared_layer_alone():
    found, *_ = directly(rays(p=200), only_shared=True, max_hidden=3)
    assert found.student is not None
    assert not any(isinstance(one, UnitsCandidate) for one in found.candidates)


@pytest.mark.parametrize("table", [xor(p=400), rays(p=200, noise=1.0)], ids=["two", "classes"])
def test_sizes_end_when_they_do_not_get_better(table, monkeypatch):
    monkeypatch.setattr(many_rows, "ALWAYS", Cases(two=2, more=2))
    found, judge, data = directly(table, only_shared=True, max_hidden=100)
    errors = [judge.mean(judge.errors(one)) for one in found.candidates]
    every, tried = [*many_rows.SIZES.of(data.n_classes), 100], [one.size for one in found.students]
    assert tried == [size for size in every if size <= 100][: len(tried)]
    best, patience = int(np.argmin(errors)), many_rows.PATIENCE.of(data.n_classes)
    assert len(errors) == min(best + 1 + patience, len([size for size in every if size <= 100]))
    allowed = errors[best] + many_rows.SLACK["balanced"] * judge.standard_error(
        judge.errors(found.candidates[best])
    )
    first = next(k for k, error in enumerate(errors) if error <= allowed)
    assert judge.mean(judge.errors(found.chosen)) == errors[first]


# All of it


def fitted(X, y, weights=None, stages=None, **more):
    weights = np.ones(len(y)) if weights is None else weights
    report = (lambda stage: None) if stages is None else stages.append
    terms = Terms(**{"max_hidden": 4, "teacher": None, "cv": 3, "report": report, **more})
    return fit.fit(X, y, weights, np.arange(y.max() + 1), None, terms)


def test_everything_that_is_known_about_the_choice_is_told():
    X, y = blobs(p=90)
    stages = []
    found = fitted(X, y, teacher=KNeighborsClassifier(), stages=stages)
    assert isinstance(found.network, Network)
    assert isinstance(found.teacher, KNeighborsClassifier)
    teacher = "fitting KNeighborsClassifier to learn from (1 of 4)"
    assert stages[:2] == ["fitting a logistic regression", teacher]
    assert "fitting a network of 4 hyperplanes" in stages
    assert found.results["chosen"].sum() == 1
    assert found.chosen.startswith(found.results["candidate"][found.results["chosen"]][0])
    assert found.n_weights == found.network.n_weights
    assert found.n_updates > found.n_epochs > 0


def test_without_a_teacher_units_are_assembled():
    found = fitted(*rays())
    assert isinstance(found.network, Networks)
    assert found.teacher is None
    assert (found.n_epochs, found.growth_trace) == (0, ())


def test_the_error_of_the_teacher_is_that_of_the_splits():
    X, y = blobs(p=90)
    splits = list(KFold(4, shuffle=True, random_state=0).split(X))
    found = fitted(X, y, teacher=KNeighborsClassifier(), cv=splits)
    wrong = sum((KNeighborsClassifier().fit(X[a], y[a]).predict(X[b]) != y[b]).sum() for a, b in splits)
    (row,) = np.flatnonzero(found.results["candidate"] == "KNeighborsClassifier")
    assert found.results["error"][row] == pytest.approx(wrong / 90)


def test_a_fold_that_trains_on_one_class_is_named():
    X, y = rays(p=30)
    order = np.argsort(y, kind="stable")
    alone = [(np.arange(5), np.arange(5, 30)), (np.arange(5, 30), np.arange(5))]
    with pytest.raises(ValueError, match=r"(?s)cv=.*fold 0 .* one class only.* several classes"):
        fitted(X[order], y[order], cv=alone)
    with pytest.raises(ValueError, match=r"cv=.*no folds"):
        fitted(X, y, cv=[])


@pytest.mark.parametrize("scoring", ["neg_log_loss", "accuracy"])
@pytest.mark.parametrize("only_shared", [False, True])
def test_scores_are_told_of_every_candidate(scoring, only_shared):
    found = fitted(*rays(p=60), scoring=scoring, only_shared=only_shared, max_hidden=2)
    assert np.isfinite(found.results["score"]).all()
    assert "score" in found.chosen
    if scoring == "accuracy" and only_shared:
        np.testing.assert_allclose(found.results["score"], 1 - found.results["error"])


def test_the_more_rows_the_fewer_folds(some, many, monkeypatch):
    seen = []
    monkeypatch.setattr(fit, "fit_linear", lambda data: seen.append(len(data.folds)) or fit_linear(data))
    for p in (80, 120, 250):
        fitted(*xor(p=p), teacher="auto", max_hidden=2)
    assert seen == [3, 2, 1]
    fitted(*xor(p=120), cv=KFold(4))  # what the user wants is kept
    fitted(*xor(p=250), teacher=KNeighborsClassifier(), max_hidden=1)
    assert seen[3:] == [4, 2]


def test_a_teacher_of_the_user_is_used_with_many_rows_too(many):
    X, y = blobs(p=250)
    found = fitted(X, y, teacher=KNeighborsClassifier())
    assert isinstance(found.teacher, KNeighborsClassifier)
    assert fitted(X, y, teacher="auto").teacher is None


def test_the_weights_of_rows_reach_folds_and_teacher():
    X, y = contradictory_classes()
    weights = np.linspace(0.5, 2, 60)
    splits = list(KFold(3, shuffle=True, random_state=0).split(X))
    data = class_data_of(X, y, weights, folds=lambda patterns: folds_of_rows(patterns, splits, y, weights))
    teacher = fit_classifier(data, KNeighborsClassifier())
    targets, w = held_out_examples(data)
    errors = np.concatenate(teacher.held_out).argmax(axis=1) != targets
    found = fitted(X, y, weights, teacher=KNeighborsClassifier(), cv=splits)
    (row,) = np.flatnonzero(found.results["candidate"] == "KNeighborsClassifier")
    assert found.results["error"][row] == pytest.approx(w @ errors / w.sum())
    assert class_patterns_of(X, y, weights).total == pytest.approx(w.sum())


@pytest.mark.parametrize("p", [400, 1500])
def test_a_table_of_many_equal_rows_gets_a_network(p):
    rng = np.random.default_rng(p)
    X = rng.integers(0, 2, (p, 3)).astype(float)
    y = (X[:, 0] != X[:, 1]) ^ (rng.random(p) < 0.1)
    clf = NetLinesClassifierCV().fit(X, y)
    assert clf.n_hidden_ > 1
    assert (clf.predict(X) == (X[:, 0] != X[:, 1])).all()
    results = clf.cv_results_
    assert results["error"][results["chosen"]] == pytest.approx(0.1, abs=0.03)
    assert results["error_se"][results["chosen"]] == pytest.approx(np.sqrt(0.09 / p), rel=0.2)


WAYS = {
    "folds": (xor(p=70), {}),
    "classes": (blobs(p=70), {}),
    "labels": (xor(p=130), {}),
    "many": (xor(p=230), {}),
    "many classes": (blobs(p=230), {}),
    "wide": (xor(p=70), {"max_hidden": 16, "prefer": "accurate"}),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_same_rows_give_the_same_network(way, some, many):
    """To the last bit: fitted again, by two threads, and in another order."""
    (X, y), more = WAYS[way]
    order = np.random.default_rng(0).permutation(len(y))
    first = cv(**more).fit(X, y)
    for other in (
        cv(**more).fit(X, y),
        cv(**more, n_jobs=2).fit(X, y),
        cv(**more).fit(X[order], y[order]),
    ):
        assert_same_networks(first, other)
        for name in ("candidate", "error", "log_loss", "fidelity"):
            np.testing.assert_array_equal(first.cv_results_[name], other.cv_results_[name])


@pytest.mark.parametrize("table", [xor(p=60), blobs(p=60)], ids=["two", "classes"])
def test_a_weight_is_a_repetition(table):
    X, y = table
    times = np.random.default_rng(0).integers(1, 4, 60)
    weighted = cv().fit(X, y, sample_weight=times)
    assert_same_networks(weighted, cv().fit(np.repeat(X, times, axis=0), np.repeat(y, times)))
