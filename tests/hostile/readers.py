"""What the readers of a network promise of every table: missing values, explanations, rules, confidence."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import netlines
from hostile.promises import Case, demand
from netlines.export.text import to_text
from netlines.inspection.nearest import nearest_other

FEW = 5  # rows that are read


def certain_is_certain(case: Case, rng: np.random.Generator) -> None:
    """The class of a row stays possible, whatever is hidden of it, and that of other allowed values too."""
    X = case.table.X.astype(float)
    rows = rng.permutation(np.flatnonzero(case.weights > 0))[:FEW]  # others may be out of the ranges
    hidden = rng.permutation(len(case.kept))[: int(rng.integers(1, 3))]  # the numbers of inputs
    lacking = X[rows].copy()
    lacking[:, case.kept[hidden]] = np.nan
    found = netlines.possible_classes(case.clf, case.rows(lacking))
    for row, one in zip(rows.tolist(), found, strict=True):
        filled = _other_values(case, X[row], hidden, X, rng)
        for k, (values, answer) in enumerate(zip(filled, case.clf.predict(case.rows(filled)), strict=True)):
            own = case.kept[hidden]
            what = "its own values" if k == 0 else f"other values {values[own].tolist()}"
            lacks = f"row {row} without columns {own.tolist()}"
            demand(answer in one.labels or not one.exact, f"{lacks}: {one}, yet {what} give {answer!r}")
            if one.exact and one.pieces and not one.finite:
                _in_its_piece(one.pieces, values[own[0]], answer, case, f"row {row}, column {own[0]}")
        demand(str(one), "there are words for what is possible")


def _other_values(
    case: Case, row: np.ndarray, hidden: np.ndarray, X: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Return the row, and copies of it with other values that its hidden columns may have."""
    known, filled = case.network.surroundings, np.tile(row, (9, 1))
    grouped = {i for group in known.groups for i in group}
    counted = np.flatnonzero(case.weights > 0)
    for i, column in zip(hidden.tolist(), case.kept[hidden].tolist(), strict=True):
        if i in grouped:
            continue
        if known.two[i]:
            filled[1:, column] = rng.choice([known.low[i], known.high[i]], 8)
        elif known.integer[i]:
            filled[1:, column] = np.floor(rng.uniform(known.low[i], known.high[i] + 1, 8)).clip(
                known.low[i], known.high[i]
            )
        else:
            between = known.low[i] + rng.random(8) * (known.high[i] - known.low[i])
            filled[1:, column] = np.where(rng.random(8) < 0.5, between, X[rng.choice(counted, 8), column])
    return filled


def _in_its_piece(pieces: Any, value: float, answer: Any, case: Case, where: str) -> None:
    """Demand that the piece in which a value lies has its answer, but for rounding at its ends."""
    ends = np.array([end for piece in pieces for end in (piece.low, piece.high) if np.isfinite(end)])
    span = float(np.ptp(case.table.X.astype(float))) if len(ends) else 0.0
    if len(ends) and np.abs(ends - value).min() <= 1e-9 * span + 4 * np.spacing(abs(value)):
        return
    inside = [piece for piece in pieces if piece.low <= value <= piece.high]
    right = any(piece.label == answer for piece in inside)
    demand(right, f"{where}: {value!r} gets {answer!r}, the pieces say {[piece.label for piece in inside]}")


def explanations_hold(case: Case, rng: np.random.Generator) -> None:
    """An explanation has the answer of `predict`, and its changed row gets another answer."""
    X = case.table.X
    for row in rng.permutation(len(X))[:2].tolist():
        change = str(rng.choice(["likely", "any"]))
        told = netlines.explain(case.clf, case.rows(X[row : row + 1]), change=change)
        demand(told.label == case.answers[row], f"explain of row {row} has the label of predict")
        demand(len(str(told)) > 0 and told.to_dict()["label"] == told.label, "an explanation has words")
        demand(
            0 <= told.confidence <= 1,
            f"the confidence of row {row} is between 0 and 1, got {told.confidence}",
        )
        if told.flip is not None:
            _flips(case, told.flip, told.label, f"explain(change={change!r}) of row {row}")
    flip = nearest_other(case.network, X[row, case.kept].astype(float))
    if flip is not None:
        _flips(case, flip, told.label, f"nearest_other of row {row}")


def _flips(case: Case, flip: Any, label: Any, what: str) -> None:
    answer = case.answers_to(flip.row[None])[0]
    demand(answer == flip.label, f"{what}: the changed row gets {answer!r}, told was {flip.label!r}")
    demand(answer != label, f"{what}: the changed row gets another answer")
    demand(np.isfinite(flip.norm), f"{what}: the length of the change is finite")


def rules_answer_the_same(case: Case, rng: np.random.Generator) -> None:
    """Rules give the answers of the network to the rows that they were read from."""
    rules = netlines.extract_rules(case.clf, case.table.given if case.table.names else case.table.X)
    disagree = int((rules.predict(case.rows(case.table.X)) != case.answers).sum())
    told = rules.n_disagreements
    demand(disagree == told, f"the rules miss {disagree} of the answers, told were {told}")
    demand(len(str(rules)) > 0, "rules have words")


def confidence_is_a_share(case: Case, rng: np.random.Generator) -> None:
    """Confidence is between 0 and 1, and domains count each row once."""
    for name in ("domain_confidence", "confidence"):
        if hasattr(case.clf, name):
            sure = getattr(case.clf, name)(case.table.given)
            within = np.isfinite(sure).all() and (sure >= 0).all() and (sure <= 1 + 1e-12).all()
            demand(within, f"{name} is between 0 and 1")
    domains = case.clf.domains(case.table.given, case.table.y)
    demand(sum(sum(domain.counts) for domain in domains) == len(case.table.y), "each row is in one domain")
    demand(len(str(domains)) > 0 and len(to_text(case.network)) > 0, "domains and networks have words")


def missing_values_are_integrated(case: Case, rng: np.random.Generator) -> None:
    """Rows that lack values get classes, finite scores and probabilities; complete rows stay as they were."""
    lacking = case.table.X.copy()
    lacking[rng.random(lacking.shape) < 0.3] = np.nan
    before = case.clf.missing
    case.clf.missing = "integrate"
    try:
        answers, decision = (
            case.clf.predict(case.rows(lacking)),
            case.clf.decision_function(case.rows(lacking)),
        )
        p = case.clf.predict_proba(case.rows(lacking)) if hasattr(case.clf, "predict_proba") else None
    finally:
        case.clf.missing = before
    whole, classes = ~np.isnan(lacking).any(axis=1), case.clf.classes_
    demand(np.isin(answers, classes).all(), "answers to incomplete rows are classes")
    demand((answers == case.answers)[whole].all(), "complete rows among incomplete ones keep their answers")
    demand(np.isfinite(decision).all(), "decisions about incomplete rows are finite")
    most = classes[(decision >= 0).astype(int) if decision.ndim == 1 else decision.argmax(axis=1)]
    demand((most == answers).all(), "decisions about incomplete rows agree with the answers")
    if p is not None:
        demand(np.isfinite(p).all() and np.allclose(p.sum(axis=1), 1), "they have finite probabilities")
        own = p[np.arange(len(p)), np.searchsorted(classes, answers)]
        demand((own == p.max(axis=1)).all(), "the answer to an incomplete row has the largest probability")


def a_study_counts_errors(case: Case, rng: np.random.Generator) -> None:
    """A study of a missing column counts the errors of `predict` at each value."""
    X, y, i = case.table.X.astype(float), case.table.y, int(rng.integers(len(case.kept)))
    lacking, column = X.copy(), case.kept[i]
    lacking[:, column] = np.nan
    study = netlines.missing_study(case.clf, case.rows(lacking), y, i)
    for value, errors in list(zip(study.values, study.errors, strict=True))[
        :: max(1, len(study.values) // 4)
    ]:
        lacking[:, column] = value
        wrong = int((case.clf.predict(case.rows(lacking)) != y).sum())
        demand(wrong == errors, f"column {column} at {value!r}: {wrong} errors, the study says {errors}")


def priors_move_answers(case: Case, rng: np.random.Generator) -> None:
    """Other priors leave everything finite and in agreement, and None brings the old answers back."""
    if not hasattr(case.clf, "predict_proba"):
        return
    shares = rng.dirichlet(np.ones(len(case.clf.classes_)))
    case.clf.set_priors(shares / shares.sum())
    try:
        p, answers = case.clf.predict_proba(case.table.given), case.clf.predict(case.table.given)
    finally:
        case.clf.set_priors(None)
    agree = np.isfinite(p).all() and (case.clf.classes_[p.argmax(axis=1)] == answers).all()
    demand(agree, f"probabilities with the priors {shares.tolist()} agree with the answers")
    demand(
        (case.clf.predict(case.table.given) == case.answers).all(), "without priors the answers are as before"
    )


def a_report_is_written(case: Case, rng: np.random.Generator) -> None:
    """A report on any table is written, whole."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "report.html")
        netlines.write_report(case.clf, case.table.given, case.table.y, path, folds=0, n_jobs=1)
        demand("</html>" in path.read_text(encoding="utf-8"), "the report is whole")
