"""Chooses with many rows: networks learn the labels themselves and are judged on rows set aside."""

from __future__ import annotations

from netlines.selection.chosen import LEAN, Choice
from netlines.selection.data import Data
from netlines.selection.judge import Judge
from netlines.selection.labels import Tried, finished, student_of
from netlines.selection.teachers.teacher import Teacher
from netlines.selection.terms import Terms
from netlines.selection.units import all_units, best_units, linear_candidate
from netlines.training.cases import Cases

MANY = 10_000  # patterns from which on networks are trained directly
PATIENCE = Cases(two=2, more=1)  # sizes without a better one after which no larger are tried
SIZES = Cases(two=(2, 3, 4, 6, 11, 64, 128), more=(4, 8, 16, 32, 64, 128))
ALWAYS = Cases(two=64, more=16)  # a size that is tried in any case: round boundaries need many
SLACK = {"small": 1.0, "balanced": 0.15, "accurate": 0.0}  # standard errors that smaller ones may err more


def choose_directly(data: Data, linear: Teacher, judge: Judge, terms: Terms) -> Choice:
    """Choose between single units and networks, by the single fold of `data`.

    The smallest network within `SLACK` standard errors of the best is compared with the units, which may fall
    behind by `LEAN` standard errors. Of more than two classes the units are a multinomial regression.
    """
    path = data.n_classes == 2
    units = all_units(data, linear, terms.run, terms.stages) if path else [linear_candidate(data, linear)]
    units = [] if terms.only_shared else units
    tried = _tried(data, judge, terms)
    errors = [judge.mean(judge.errors(one.candidate)) for one in tried]
    best = tried[min(range(len(tried)), key=errors.__getitem__)]
    allowed = min(errors) + SLACK[terms.prefer] * judge.standard_error(judge.errors(best.candidate))
    taken = next(one for one, error in zip(tried, errors, strict=True) if error <= allowed)
    network = taken.candidate
    candidates, reason = [*units, *(one.candidate for one in tried)], f"held-out {judge.words(network)}"
    students = [one.student for one in tried]
    if units:
        unit = best_units(judge, units)
        lag, se = judge.lag(unit, network)
        if lag <= LEAN[terms.prefer].of(data.n_classes).units * se:
            other = f"hardly worse than a {network.name} ({judge.words(network)})"
            return Choice(unit, candidates, f"held-out {judge.words(unit)}, {other}", students=students)
        reason += f"; {unit.name}: {judge.words(unit)}"
    terms.stages.begin("probabilities")
    return finished(data, Choice(network, candidates, reason, taken.student, None, students))


def _tried(data: Data, judge: Judge, terms: Terms) -> list[Tried]:
    """Return networks of growing size, until larger ones are no better; round boundaries need many units."""
    largest = terms.most_hidden(len(data.X) - 1, data.n_classes)
    sizes = [size for size in SIZES.of(data.n_classes) if size < largest] + [largest]
    tried: list[Tried] = []
    errors: list[float] = []
    for size in sizes:
        last = len(errors) - 1 - min(range(len(errors)), key=errors.__getitem__) if errors else 0
        if last >= PATIENCE.of(data.n_classes) and size > ALWAYS.of(data.n_classes):
            break
        tried.append(student_of(data, size, terms, terms.run))
        errors.append(judge.mean(judge.errors(tried[-1].candidate)))
    return tried
