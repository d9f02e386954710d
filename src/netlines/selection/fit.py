"""From the rows of a table to the network that suits new rows, and all that is known about the choice.

1. Identical rows become patterns, and patterns are held out in folds.
2. Too few rows to hold some out: units with usual settings.
3. Many rows, or no teacher for a shared layer: networks learn the labels, the first fold judges.
4. Else a teacher is chosen, or fitted, and units are compared with it in the folds; students learn from it.
5. What was chosen is trained on all examples and put into the user's units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

from numpy.typing import NDArray

from netlines._words import count
from netlines.network.network import Network
from netlines.network.networks import Networks
from netlines.selection import many_rows
from netlines.selection.assembly import assemble
from netlines.selection.choice import LABELS_FROM, choose
from netlines.selection.chosen import Choice
from netlines.selection.data import Data
from netlines.selection.folds import lightest_rows, wanted_folds
from netlines.selection.judge import Judge, scores, unjudged
from netlines.selection.labels import SMALL
from netlines.selection.sizes import sizes_up_to
from netlines.selection.stages import Planned, Table, plan_choice, plan_labels
from netlines.selection.students import Student
from netlines.selection.teachers.best import choose_teacher
from netlines.selection.teachers.classifier import fit_classifier
from netlines.selection.teachers.fitted import fit_linear
from netlines.selection.teachers.teacher import Teacher
from netlines.selection.terms import Terms
from netlines.selection.tested import Tested
from netlines.selection.units import ONLY
from netlines.training.patterns import condense

ENOUGH = 2  # folds of a number of them, from `LABELS_FROM` patterns on
MOST_FOLDS = 1000  # up to which their stages are counted before


@dataclass(frozen=True, eq=False)
class Fitted:
    """What was chosen, as networks in the user's units, and all that is known about the choice.

    Attributes
    ----------
    network : the value
    chosen : what was chosen and why, in one line
    results : one entry a candidate in each array
    teacher : what networks learnt from, if anything
    temperature : of a unit, or of all units of a scheme, of the temperature path
    growth_trace : one record a network that was tried
    n_weights, n_epochs, n_updates : weights; passes and updates of all networks that were tried
    tested : what was answered to held-out examples; None if there were none
    what : what the network is, if its sizes do not say it
    """

    network: Network | Networks
    chosen: str
    results: dict[str, NDArray]
    n_weights: int
    teacher: Any = None
    temperature: float | None = None
    growth_trace: Sequence[Mapping[str, Any]] = ()
    n_epochs: int = 0
    n_updates: int = 0
    tested: Tested | None = None
    what: str = ""


def fit(
    X: NDArray,
    labels: NDArray,
    weights: NDArray,
    classes: NDArray,
    names: Sequence[str] | None,
    terms: Terms,
) -> Fitted:
    """Choose a network, or several, for rows of two or more classes.

    Parameters
    ----------
    X, labels, weights : rows, the numbers of their classes, and their weights
    classes, names : the labels of the numbers, the names of the columns
    terms : what the user wants
    """
    patterns = condense(X.astype(float), labels, weights, len(classes))
    folds = wanted_folds(patterns, terms.cv, X, labels, weights, classes, terms.seed)
    many = len(patterns.first) > many_rows.MANY and isinstance(terms.teacher, str | None)
    directly = terms.only_shared if terms.teacher is None else many
    some = len(patterns.first) >= LABELS_FROM and isinstance(terms.cv, Integral | None)
    folds = folds[: 1 if many or directly else ENOUGH if some else None]
    data = Data.of(patterns, X, classes, names, folds)
    if not folds:
        terms.stages.begin("usual")
        units = ONLY.of(data.n_classes)(data)
        choice = Choice(units, [units], "too few rows of a class to hold some of them out")
        return _fitted(choice, data, unjudged(units))
    lightest = lightest_rows(patterns)
    judge = Judge(data.folds, scores(data, terms.scoring), float(data.all.weights.sum()), lightest)
    sizes = sizes_up_to(terms.most_hidden(data.rows.shape[1], data.n_classes), data.n_classes)
    table = Table(data.X.shape[1], data.rows.shape[1], data.n_classes, len(data.folds), sizes)
    terms.stages.expect(_plan(table, terms, directly))
    terms.stages.begin("linear")
    linear, teacher = fit_linear(data), None
    if directly:
        choice = many_rows.choose_directly(data, linear, judge, terms)
    else:
        teacher = _teach(data, linear, terms)
        choice = choose(data, linear, teacher, judge, terms)
    asked = choice.taught or not isinstance(terms.teacher, str)
    own = teacher.fitted(classes) if teacher is not None and asked else None
    fitted = _fitted(choice, data, judge.table(choice.candidates, choice.chosen), own)
    return replace(fitted, tested=Tested.of(judge, choice.chosen.held_out, linear, teacher))


def most_stages(terms: Terms, n_classes: int) -> int | None:
    """Return how many stages `fit` tells of at most; None if that depends on the rows."""
    if not isinstance(terms.cv, Integral | None):
        return None
    folds = 5 if terms.cv is None else int(terms.cv)
    if not 1 <= folds <= MOST_FOLDS:
        return None
    sizes = sizes_up_to(terms.most_hidden(0, n_classes), n_classes)
    few = Table(0, 0, n_classes, folds, sizes)
    more = Table(LABELS_FROM, 0, n_classes, min(folds, ENOUGH), sizes)
    return max(len(_plan(table, terms, directly)) for table in (few, more) for directly in (False, True))


def _plan(table: Table, terms: Terms, directly: bool) -> list[Planned]:
    """Return the stages that may come."""
    if directly:
        return plan_labels(table, units=table.classes == 2 and not terms.only_shared)
    auto = "soft", "kernel", "boosting"
    teachers = auto if isinstance(terms.teacher, str) else () if terms.teacher is None else ("teacher",)
    beside = teachers is auto and table.classes == 2 and table.patterns >= LABELS_FROM
    labelled = [size for size in SMALL if beside and size <= table.sizes[-1]]
    return plan_choice(table, teachers, labelled, units=not terms.only_shared)


def _teach(data: Data, linear: Teacher, terms: Terms) -> Teacher | None:
    if terms.teacher is None:
        return None
    if isinstance(terms.teacher, str):
        return choose_teacher(data, linear, seed=terms.seed, run=terms.run, stages=terms.stages)
    words = f"fitting {type(terms.teacher).__name__} to learn from"
    run = terms.stages.parts("teacher", terms.run, len(data.folds) + 1, words=words)
    return fit_classifier(data, terms.teacher, run=run)


def _fitted(choice: Choice, data: Data, results: dict[str, NDArray], teacher: Any = None) -> Fitted:
    network = assemble(choice, data)
    what = f"{choice.chosen.name} ({count(network.n_weights, 'weight')}): {choice.reason}"
    return fitted_network(network, what, results, choice.students, teacher)


def fitted_network(
    network: Network | Networks,
    chosen: str,
    results: dict[str, NDArray],
    students: Sequence[Student] = (),
    teacher: Any = None,
) -> Fitted:
    """Return what is known of a network and of the students that were taught on the way to it."""
    one = network.parts[0].network  # units of a scheme are alike
    return Fitted(
        network,
        chosen,
        results,
        network.n_weights,
        teacher,
        one.temperature,
        one.growth_trace,
        sum(student.epochs for student in students),
        sum(student.epochs * student.n_weights for student in students),
    )
