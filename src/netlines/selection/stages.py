"""The stages of a choice: what is being done, in plain words, and how long it and what follows may take.

1. A plan lists the stages that may come, in their order, with the seconds that each may take.
2. Each stage is told of when it begins; what the plan has before it was not needed, or is done.
3. What is told knows how long the stage may take, and what the plan has after it.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any, NamedTuple

WORDS = {
    "usual": "fitting hyperplanes with usual settings",
    "linear": "fitting a logistic regression",
    "soft": "fitting soft neural networks to learn from",
    "kernel": "fitting a kernel regression to learn from",
    "boosting": "fitting boosted trees to learn from",
    "teacher": "fitting the teacher",
    "units": "comparing single hyperplanes",
    "lessons": "making points between the rows to learn from",
    "students": "fitting networks of growing size",
    "probabilities": "fitting probabilities",
    "points": "fitting points scores",
    "integers": "rounding single hyperplanes to integers",
    "grown": "growing networks of integers",
}
ONLY_IF = frozenset({"lessons", "students", "probabilities"})  # if units do not suffice
LIKELY = 0.5  # how often units did not suffice, roughly


class Stage(str):
    """The name of a task for callbacks; what else is known of it comes along.

    Attributes
    ----------
    group : what several stages in a row are called together
    seconds : how long it may take
    after : how long what follows may take
    """

    group: str
    seconds: float
    after: float

    def __new__(cls, words: str, group: str | None = None, seconds: float = 0.0, after: float = 0.0) -> Stage:
        stage = super().__new__(cls, words)
        stage.group, stage.seconds, stage.after = group or words, seconds, after
        return stage


class Table(NamedTuple):
    """What the seconds depend on: patterns, inputs, classes, folds, and the sizes that are tried."""

    patterns: int
    inputs: int
    classes: int
    folds: int
    sizes: Sequence[int]

    @property
    def values(self) -> int:
        """Numbers in the table."""
        return self.patterns * self.inputs


@dataclass(frozen=True)
class Seconds:
    """How long the stages take, roughly: a bar is to move evenly, so their proportions matter.

    Timed on one core, and read off by eye: breast cancer (683 × 9), `make_classification` (2000 × 30 and
    12,000 × 10), `make_moons` (400 × 2), iris, wine and digits. A pair is a number of seconds, and one more
    for each of the P·N values of P patterns with N inputs, unless it says otherwise.
    """

    linear: tuple[float, float] = (0.01, 7e-7)
    soft: tuple[float, float] = (0.02, 2.6e-5)
    soft_of_more: tuple[float, float] = (0.4, 2.5e-5)  # classes than two
    kernel: tuple[float, float] = (0.06, 8e-5)  # the second P times
    boosting: tuple[float, float] = (0.01, 6e-6)  # the second C times
    teacher: tuple[float, float] = (0.6, 2.5e-4)  # of the user, of which nothing is known: P·√N times
    units: tuple[float, float] = (0.016, 5e-7)  # for each problem of two classes
    lessons: tuple[float, float] = (0.08, 1.5e-5)
    student: tuple[float, float, float] = (0.05, 0.011, 0.0017)  # and for each unit, and each weight of it
    student_of_more: tuple[float, float, float] = (0.15, 0.003, 0.00004)  # also of the large ones of two
    tried: float = 0.6  # how many of the sizes are, roughly
    labels: float = 1 / 18_000  # times patterns and what a student takes, where networks learn labels
    probabilities: float = 0.05
    integers: float = 0.35
    grown: tuple[float, float] = (0.4, 0.1)  # and for each unit
    grown_sizes: int = 5  # up to which networks mostly grow

    def student_of(self, table: Table, size: int) -> float:
        """Return how long a network of a size takes."""
        small = table.classes == 2 and size < 16
        first, unit, weight = self.student if small else self.student_of_more
        return first + size * (unit + weight * table.inputs)


SECONDS = Seconds()

Planned = tuple[str, float]  # a key of `WORDS`, and seconds


def plan_choice(
    table: Table, teachers: Sequence[str], labelled: Sequence[int] = (), *, units: bool
) -> list[Planned]:
    """Return the stages of a choice between units and networks that learn from a teacher.

    Parameters
    ----------
    table : how much is to be learnt
    teachers : which are fitted beside the logistic regression; without any there are no networks
    labelled : sizes of networks that learn the labels beside those that learn from a teacher
    units : whether there are units to choose from
    """
    s, n, c, folds = SECONDS, table.values, table.classes, table.folds
    seconds = {
        "soft": _line(s.soft if c == 2 else s.soft_of_more, n),
        "kernel": _line(s.kernel, table.patterns),
        "boosting": _line(s.boosting, n * (1 if c == 2 else c)),
        "teacher": _line(s.teacher, table.patterns * table.inputs**0.5),
    }
    plan = [("linear", _line(s.linear, n))]
    for key in teachers:
        parts = 1 if key == "kernel" else folds + (key == "teacher")
        plan += [(key, seconds[key] / parts)] * parts
    if units:
        problems = (1,) if c == 2 else (c - 1, c * (c - 1) // 2)  # the latter in pairs
        plan += [("units", k * _line(s.units, n) / folds) for k in problems for _ in range(folds)]
    share = s.labels * table.patterns * folds
    plan += [("students", share * s.student_of(table, size)) for size in labelled]
    return plan + (_plan_students(table) if teachers else [])


def _plan_students(table: Table) -> list[Planned]:
    """Return the stages of networks that learn from a teacher."""
    s = SECONDS
    plan = [("lessons", _line(s.lessons, table.values))]
    plan += [("students", s.tried * s.student_of(table, size)) for size in table.sizes]
    return [*plan, ("probabilities", s.probabilities)]


def plan_labels(table: Table, *, units: bool) -> list[Planned]:
    """Return the stages of a choice where networks learn the labels, `units` says whether beside others."""
    s, share = SECONDS, SECONDS.labels * table.patterns
    plan = [("linear", _line(s.linear, table.values))]
    plan += [("units", _line(s.units, table.values))] if units else []
    plan += [("students", share * s.student_of(table, size)) for size in table.sizes]
    return [*plan, ("probabilities", s.probabilities)]


def plan_descriptions(units: int, largest: int) -> list[Planned]:
    """Return the stages of a choice of the shortest description, by so many units and grown networks."""
    first, more = SECONDS.grown
    sizes = range(1, min(largest, SECONDS.grown_sizes) + 1)
    return [("integers", SECONDS.integers)] * units + [("grown", first + more * size) for size in sizes]


def _line(coefficients: tuple[float, float], n: float) -> float:
    return coefficients[0] + coefficients[1] * n


class Stages:
    """Tells of the stages of a choice as they begin.

    Parameters
    ----------
    tell : callable
        Is given each `Stage`, in the thread that chooses.
    """

    def __init__(self, tell: Callable[[Stage], Any] = lambda stage: None) -> None:
        self._tell = tell
        self.expect([])

    def expect(self, plan: Iterable[Planned]) -> None:
        """Take over what may come."""
        self._plan = deque(plan)
        self._left = Counter(key for key, _ in self._plan)
        self._after = [0.0, 0.0]  # seconds of what comes anyway, and only if units do not suffice
        for key, seconds in self._plan:
            self._after[key in ONLY_IF] += seconds
        self._sure = not self._left["units"]  # that the latter come

    def begin(self, key: str, detail: str = "", words: str | None = None) -> None:
        """Tell of a stage, by its key in `WORDS` or by other words, and by a detail in brackets."""
        self._sure |= key in ONLY_IF
        seconds = self._come_to(key)
        anyway, perhaps = self._after
        after = max(0.0, anyway + (1.0 if self._sure else LIKELY) * perhaps)
        words, group = words or WORDS[key], WORDS[key] if key != "teacher" else words
        self._tell(Stage(f"{words} ({detail})" if detail else words, group, seconds, after))

    def _come_to(self, key: str) -> float:
        """Take the next stage of this kind, and all before it, out of the plan; return its seconds."""
        seconds = 0.0
        while self._left[key]:
            other, seconds = self._plan.popleft()
            self._left[other] -= 1
            self._after[other in ONLY_IF] -= seconds
            if other == key:
                break
        return seconds

    def begin_student(self, name: str) -> None:
        """Tell of a network of some size, by its name."""
        self.begin("students", words=f"fitting a {name}")

    def parts(self, key: str, run: Callable, *of: int, what: str = "", words: str | None = None) -> Callable:
        """Return a `map` that tells of each part of a stage when its first result is begun.

        Parameters
        ----------
        key, words : of the stage
        run : the `map` that does it
        of : into how many parts each call is divided; further calls are the same parts again
        what : what a part is called before its number
        """
        calls, told = chain(of, repeat(of[-1])), 0

        def announced(function: Callable, jobs: Any) -> Iterator:
            nonlocal told
            jobs, n = list(jobs), next(calls)
            results = iter(run(function, jobs))
            for j in range(len(jobs)):
                if j == 0 or j * n // len(jobs) > (j - 1) * n // len(jobs):
                    told = told % sum(of) + 1
                    self.begin(key, f"{what}{told} of {sum(of)}" if sum(of) > 1 else "", words)
                yield next(results)

        return announced


SILENT = Stages()
