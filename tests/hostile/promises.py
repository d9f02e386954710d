"""What is promised of every table: each function asks a classifier for one promise, and raises `Broken`.

The promises are those of the docstrings and of docs/: what only holds up to rounding, or only where a search
says that it is exact, is asked no further than that.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.utils.class_weight import compute_class_weight

import netlines
from hostile.generator import FORMS, SAME_NUMBERS, Table, in_form, keeps
from netlines.export.text import to_text

NEGLIGIBLE = 1e-5  # of the heaviest row: what weighs less may be left wrong
KNOWN = {name: getattr(netlines, name) for name in netlines.__all__} | {
    "LogisticRegression": LogisticRegression
}


class Broken(Exception):
    """A promise was not kept."""


def demand(kept: Any, what: str) -> None:
    """Raise an error that says what was promised, unless it was kept."""
    if not kept:
        raise Broken(what)


@dataclass
class Case:
    """A table, how to fit a classifier to it, and what came of it."""

    table: Table
    recipe: str

    def fit(self, X: Any = None, y: Any = None, weights: Any = None, jobs: int | None = None) -> Any:
        """Return the recipe's classifier fitted to the table, or to other rows."""
        rows = self.table.given if X is None else X
        labels, w = (self.table.y, self.table.weights) if y is None else (y, weights)
        return eval(self.recipe, {**KNOWN, "np": np, "X": rows, "y": labels, "w": w, "jobs": jobs})

    @cached_property
    def clf(self) -> Any:
        """The fitted classifier."""
        return self.fit()

    @cached_property
    def answers(self) -> np.ndarray:
        """What it answers on the rows of the table in the form that they had."""
        return self.clf.predict(self.table.given)

    @property
    def network(self) -> Any:
        """What was learnt, if it is a classifier of netlines itself."""
        return getattr(self.clf, "network_", None)

    @cached_property
    def weights(self) -> np.ndarray:
        """What an error on each row costs, beside the heaviest one."""
        table, by_class = self.table, getattr(self.clf, "class_weight", None)
        plain = np.ones(len(table.y)) if table.weights is None else table.weights
        if by_class is not None:
            labels = self.clf.classes_
            own = np.searchsorted(labels, table.y)
            if isinstance(by_class, dict):
                each = np.array([by_class[label] for label in labels.tolist()])
            else:
                numbers = np.arange(len(labels))
                each = compute_class_weight(by_class, classes=numbers, y=own, sample_weight=plain)
            plain = plain * each[own]
        return plain / plain.max()

    @cached_property
    def kept(self) -> np.ndarray:
        """Of each input the number of the column that it is: of a frame some columns may be left out."""
        layout = None if self.network is None else self.network.layout
        if layout is None:
            return np.arange(self.table.X.shape[1])
        return np.array([layout.names.index(column.origin) for column in layout.columns])

    def answers_to(self, inputs: np.ndarray) -> np.ndarray:
        """Return the answers to rows of inputs."""
        layout = self.network.layout
        if layout is None or layout.is_plain:
            return self.clf.predict(self.rows(inputs))
        return self.network.predict(inputs)  # no table may have parts of booleans

    def rows(self, X: Any) -> Any:
        """Return rows as a frame if the classifier knows the names of its columns."""
        named = getattr(self.clf, "feature_names_in_", None)
        return X if named is None else in_form(X, "frame", tuple(named))


def answers_agree(case: Case) -> None:
    """Answers are classes; scores and probabilities are finite and agree with them."""
    clf, given, answers = case.clf, case.table.given, case.answers
    demand(
        answers.shape == case.table.y.shape and np.isin(answers, clf.classes_).all(), "answers are classes"
    )
    number = np.searchsorted(clf.classes_, answers)
    decision = clf.decision_function(given)
    demand(np.isfinite(decision).all(), "decisions are finite")
    most = (decision >= 0).astype(int) if decision.ndim == 1 else decision.argmax(axis=1)
    demand((most == number).all(), f"decisions agree with the answers: {(most != number).sum()} do not")
    if hasattr(clf, "predict_proba"):
        p = clf.predict_proba(given)
        demand(np.isfinite(p).all() and (p >= 0).all(), "probabilities are finite")
        demand(np.allclose(p.sum(axis=1), 1, atol=1e-9), "probabilities have the sum 1")
        demand((p.argmax(axis=1) == number).all(), "the most probable class is the answer")


def errors_are_counted(case: Case) -> None:
    """`n_training_errors_` are the errors of `predict`, whatever the form of the rows."""
    clf, table = case.clf, case.table
    if case.network is None or case.recipe.startswith("distill"):
        return
    positive = case.weights > 0
    for form in ["C", table.form, *FORMS]:
        if keeps(table.X, form) and form != "polars":
            rows = in_form(table.X, form) if table.names is None else table.given
            wrong = int(((_quiet_predict(clf, rows) != table.y) & positive).sum())
            told = clf.n_training_errors_
            demand(wrong == told, f"n_training_errors_ is {told}, `predict` makes {wrong} on rows as {form}")


def _quiet_predict(clf: Any, rows: Any) -> np.ndarray:
    """Predict without the names of the columns where the classifier knows none, or the other way round."""
    named = hasattr(clf, "feature_names_in_")
    return clf.predict(np.asarray(rows) if hasattr(rows, "columns") and not named else rows)


def no_avoidable_errors(case: Case) -> None:
    """A network without limits makes no errors but those of contradictory rows; others it answers right."""
    grown = case.recipe.startswith(("NetLinesClassifier(", "MonoPlaneClassifier("))
    if not grown or "max_hidden" in case.recipe:
        return
    X, y, weights, classes = case.table.X[:, case.kept], case.table.y, case.weights, case.clf.classes_
    counted = weights > 0
    labels, weights = np.searchsorted(classes, y[counted]), weights[counted]
    _, group = np.unique(X[counted] + 0.0, axis=0, return_inverse=True)
    of_class = np.zeros((group.max() + 1, len(classes)))
    np.add.at(of_class, (group.ravel(), labels), weights)
    got = of_class[group.ravel(), np.searchsorted(classes, case.answers[counted])]
    lost = of_class.max(axis=1)[group.ravel()] - got
    if (
        len(classes) > 2 and "shared" not in case.recipe
    ):  # the networks of a scheme see contradictions otherwise
        lost[(of_class > 0).sum(axis=1)[group.ravel()] > 1] = 0
    first = np.unique(group, return_index=True)[1]
    demand(
        lost[first].sum() <= NEGLIGIBLE * (len(classes) - 1) * 1.01,
        f"no avoidable errors: {np.count_nonzero(lost[first] > 0)} patterns are answered wrong "
        f"({getattr(case.clf, 'stop_reason_', '')})",
    )


def a_row_has_one_answer(case: Case, rng: np.random.Generator) -> None:
    """A row alone, or among others in any order and form, gets the answer it gets in the table."""
    clf, X = case.clf, case.table.X
    some = rng.permutation(len(X))[:12]
    alone = [clf.predict(case.rows(X[i : i + 1]))[0] for i in some]
    changed = [int(i) for i, answer in zip(some, alone, strict=True) if answer != case.answers[i]]
    demand(not changed, f"a row alone gets the answer that it gets among others: not the rows {changed}")
    order = rng.permutation(len(X))[: max(1, len(X) - int(rng.integers(3)))]
    demand(
        (clf.predict(case.rows(X[order])) == case.answers[order]).all(),
        "rows get the same answers in another order",
    )
    if case.network is not None:
        code = clf.internal_representation(case.rows(X))
        again = [clf.internal_representation(case.rows(X[i : i + 1]))[0] for i in some]
        demand((code[some] == again).all(), "a row alone has the code that it has among others")


def _same_network(case: Case, other: Any, what: str) -> None:
    mine, theirs = case.network, other.network_
    demand(mine.n_hidden == theirs.n_hidden, f"{what}: {mine.n_hidden} units became {theirs.n_hidden}")
    for k, (a, b) in enumerate(zip(mine.parts, theirs.parts, strict=True)):
        for name in ("hidden_weights", "output_weights", "origin"):
            same = np.array_equal(getattr(a.network, name, None), getattr(b.network, name, None))
            demand(same, f"{what}: {name} of network {k} have the same bits")


def order_does_not_matter(case: Case, rng: np.random.Generator) -> None:
    """The same rows in another order give the same network, bit for bit."""
    if case.network is None:
        return
    table, order = case.table, rng.permutation(len(case.table.y))
    weights = None if table.weights is None else table.weights[order]
    other = case.fit(case.rows(table.X[order]), table.y[order], weights)
    _same_network(case, other, "another order of the rows")


def threads_do_not_matter(case: Case, rng: np.random.Generator) -> None:
    """More threads give the same network, bit for bit."""
    if case.network is not None:
        _same_network(case, case.fit(jobs=2), "two threads")


def memory_does_not_matter(case: Case, rng: np.random.Generator) -> None:
    """The same numbers in another order of memory give the same network, bit for bit."""
    if case.network is None or case.table.names is not None:
        return
    form, table = str(rng.choice(SAME_NUMBERS)), case.table
    plain = Case(replace(table, form="C"), case.recipe)
    _same_network(plain, case.fit(in_form(table.X, form), table.y, table.weights), f"rows as {form}")


def powers_of_two_do_not_matter(case: Case, rng: np.random.Generator) -> None:
    """Columns times powers of two give as many units, and each row that counts the same code and answer.

    A row that a network did not learn may lie on its hyperplane but for rounding: one of weight 0, or of
    several networks one of other classes. Where these compare margins, which are in the user's units, the
    answer may then change.
    """
    chosen = "CV" in case.recipe or "probability" in case.recipe or case.recipe.startswith("distill")
    if case.network is None or chosen:  # the folds of these hang on the bits of the values
        return
    table = case.table
    factors = 2.0 ** rng.integers(-30, 31, table.X.shape[1])
    with np.errstate(over="ignore"):
        scaled = table.X * factors.astype(table.X.dtype)
        exact = np.isfinite(scaled) & (scaled / factors.astype(table.X.dtype) == table.X)
    exact &= np.abs(scaled) <= 1e100
    scaled = np.ascontiguousarray(np.where(exact.all(axis=0), scaled, table.X))
    other = case.fit(case.rows(scaled), table.y, table.weights)
    if case.network.feature_names != other.network_.feature_names:  # other columns seem to count the rows
        return
    mine, theirs = case.clf.network_.n_hidden, other.network_.n_hidden
    demand(mine == theirs, f"columns times powers of two: {mine} units became {theirs}")
    if case.network.scheme is None:
        code = case.clf.internal_representation(case.rows(table.X))
        same = code == other.internal_representation(case.rows(scaled))
        learnt = same[case.weights > 0]
        demand(learnt.all(), "columns times powers of two: the codes of the rows stay the same")
    if case.network.scheme not in ("wta", "pairs"):
        same = other.predict(case.rows(scaled)) == case.answers
        learnt = same[case.weights > 0]
        demand(learnt.all(), "columns times powers of two: the answers stay the same")


def saved_is_the_same(case: Case, rng: np.random.Generator) -> None:
    """A saved and loaded model answers with the same bits."""
    if case.network is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.json")
        netlines.save_model(case.clf, path)
        loaded = netlines.load_model(path)
    given = case.table.given
    demand((loaded.predict(given) == case.answers).all(), "the loaded model answers as the saved one")
    for name in ("decision_function", "predict_proba", "domain_confidence"):
        if hasattr(case.clf, name):
            same = np.array_equal(getattr(loaded, name)(given), getattr(case.clf, name)(given))
            demand(same, f"{name} of the loaded model has the same bits")
    demand(to_text(loaded.network_) == to_text(case.network), "the loaded network has the same text")


def pruned_answers_the_same(case: Case, rng: np.random.Generator) -> None:
    """A pruned classifier keeps its answers, or its errors, and counts them."""
    if case.network is None or case.network.n_classes > 2 or case.network.n_hidden > 6:
        return
    weights, keep = (
        str(rng.choice(["float", "integer", "ternary"])),
        str(rng.choice(["predictions", "errors"])),
    )
    table, own = case.table, case.weights
    try:
        small = netlines.prune(case.clf, table.given, table.y, weights=weights, keep=keep, sample_weight=own)
    except ValueError as error:
        if weights == "float" or "no network with weights=" not in str(error):
            raise
        return
    answers, counted = small.predict(table.given), own > 0
    if keep == "predictions":
        demand((answers == case.answers)[counted].all(), f"prune(weights={weights!r}) keeps the answers")
    wrong, before = (((one != table.y) * own).sum() for one in (answers, case.answers))
    slack = 1e-8 * own.sum()  # what weighs less is negligible
    demand(wrong <= before + slack, f"prune(weights={weights!r}, keep={keep!r}) makes no more errors")
    errors = int(((answers != table.y) & counted).sum())
    demand(errors == small.n_training_errors_, "n_training_errors_ of the pruned classifier are its errors")
    demand(small.network_.n_nonzero <= case.network.n_nonzero, "the pruned network has no more weights")
