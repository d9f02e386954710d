"""Single units: one between two classes, and with more one for each pair of them, or for each step of a tree.

Each unit is a hyperplane with log-odds, of a logistic regression with some ridge or of Minimerror at some
temperature; all units of a scheme have the same setting.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from netlines.network.probability import agreeing, expit, probabilities
from netlines.network.schemes import agreeing_shares, sum_pairs, walk_tree
from netlines.selection.candidate import Candidate
from netlines.selection.data import Data
from netlines.selection.folds import Examples, Fold
from netlines.selection.judge import Judge
from netlines.selection.stages import SILENT, Stages
from netlines.selection.teachers.fitted import Linear, fit_ridges
from netlines.selection.teachers.teacher import Teacher, mean_loss
from netlines.training.calibration import fit_line, fit_logistics
from netlines.training.cases import Cases
from netlines.training.minimerror import INVERSE_TEMPERATURES, unit_path
from netlines.training.sequences import separable_order

THETAS = (2.0, np.inf)
RIDGES = (1.0, 3e-1, 1e-1, 3e-2, 1e-2, 3e-3, 1e-3)
BEYOND = Cases(two=2.0, more=1.0)  # standard errors by which units have to beat the logistic regression
USUAL_BETA, USUAL_RIDGE = 3.2, 1e-2  # 1/T₊, and the ridge, that do well where nothing can be chosen
SURE = 7.0  # log-odds of a class against one that is not there
STRAIGHT = (0.0, 1.0)  # the line of a margin that is log-odds already
MOST_PAIRS = 66  # pairs of classes up to which each has units of its own

Problem = tuple[tuple[int, ...], tuple[int, ...]]  # the classes of +1 and of -1


@dataclass(frozen=True)
class Setting:
    """How units are trained: with a ridge, or at T₋/T₊ and 1/T₊."""

    ridge: float | None = None
    theta: float = np.nan
    beta: float | None = None

    def __str__(self) -> str:
        if self.beta is None:
            return "logistic regression"
        k, n = int(np.sum(self.beta > INVERSE_TEMPERATURES)) + 1, len(INVERSE_TEMPERATURES)
        return f"cold {min(k, n)} of {n}" + (", errors count alike" if np.isinf(self.theta) else "")


LOGISTIC = tuple(map(Setting, RIDGES))
PATH = tuple(Setting(None, theta, float(beta)) for theta in THETAS for beta in INVERSE_TEMPERATURES)


@dataclass(frozen=True)
class Scheme:
    """Which classes each unit separates: one "unit", "pairs", or a "tree" with its learning sequence."""

    name: str
    problems: tuple[Problem, ...]
    n_classes: int
    order: tuple[int, ...] = ()

    @classmethod
    def unit(cls) -> Scheme:
        """Return the one unit of two classes."""
        return cls("unit", (((1,), (0,)),), 2)

    @classmethod
    def pairs(cls, n_classes: int) -> Scheme:
        """Return a unit for each pair of classes."""
        problems = tuple(((a,), (b,)) for a, b in combinations(range(n_classes), 2))
        return cls("pairs", problems, n_classes)

    @classmethod
    def tree(cls, order: Sequence[int]) -> Scheme:
        """Return a unit for each class but the last against those that come after it."""
        order = tuple(order)
        problems = tuple(((c,), order[k + 1 :]) for k, c in enumerate(order[:-1]))
        return cls("tree", problems, len(order), order)

    def called(self, setting: Setting) -> str:
        """Return what its units with a setting are called."""
        if setting.beta is None:
            return f"{self.name} of logistic regressions"
        what = "single hyperplane" if self.name == "unit" else f"{self.name} of hyperplanes"
        return f"{what} ({setting})"

    def probabilities(self, log_odds: NDArray) -> NDArray:
        """Return the probabilities (n, C), the answer's the largest, by the log-odds (n, K) of the units."""
        if self.name == "unit":
            return probabilities(log_odds)
        p = expit(log_odds)
        if self.name == "tree":
            said = walk_tree(log_odds, p, np.array(self.order))
        else:
            said = sum_pairs(p, [(a, b) for (a,), (b,) in self.problems], self.n_classes)
        return agreeing_shares(said.chances, said.answers)


@dataclass(frozen=True, eq=False)
class UnitsCandidate(Candidate):
    """Units of a scheme: their setting, and the line from the margin of each to its log-odds (K, 2).

    `weights` (K, M), of norm 1, are those of units that are trained already.
    """

    scheme: Scheme = field(default_factory=Scheme.unit)
    setting: Setting = Setting()
    lines: NDArray = field(default_factory=lambda: np.empty((0, 2)))
    weights: NDArray | None = None

    @property
    def temperature(self) -> float | None:
        """T₊ of all units."""
        return None if self.setting.beta is None else 1.0 / self.setting.beta

    @property
    def theta(self) -> float | None:
        """T₋/T₊ of all units."""
        return None if self.setting.beta is None else self.setting.theta


def train_units(data: Data, examples: Examples, problem: Problem, settings: Sequence[Setting]) -> NDArray:
    """Return the weights (settings, M) of units that separate some classes from others.

    Those of a logistic regression give log-odds, the others have the norm 1.
    """
    positive, both = np.isin(examples.labels, problem[0]), np.isin(examples.labels, sum(problem, ()))
    targets, weights = np.where(positive, 1.0, -1.0)[both], examples.weights[both]
    if not positive.any() or not (targets < 0).any():
        constant = np.eye(1, len(data.X))[0] * (1.0 if positive.any() else -1.0)
        return np.array([constant * (1.0 if setting.ridge is None else SURE) for setting in settings])
    X = np.ascontiguousarray(data.X[:, examples.pattern[both]])
    labels, share = (targets > 0).astype(float), weights / weights.sum()
    units = np.empty((len(settings), len(X)))
    ridges = [setting.ridge for setting in settings if setting.ridge is not None]
    if ridges:  # the settings with ridges come first
        units[: len(ridges)] = [line for line, _ in fit_logistics(X[1:].T, labels, share, ridges)]
    for theta in {setting.theta for setting in settings if setting.ridge is None}:
        some = [k for k, setting in enumerate(settings) if setting.theta == theta]
        betas = np.array([settings[k].beta for k in some], dtype=float)
        units[some] = unit_path(X * targets, weights, betas, theta=theta)[0]
    return units


def unit_candidates(data: Data, scheme: Scheme, run: Callable = map) -> list[UnitsCandidate]:
    """Return the units of a scheme with what they say about examples that they have not seen.

    One candidate for each temperature that makes a difference, and of several units the logistic regressions
    with the ridge of the lowest held-out loss; that of one unit is fitted elsewhere.
    """
    logistic = LOGISTIC if len(scheme.problems) > 1 else ()
    settings = (*logistic, *PATH)

    def margins_of(job: tuple[Fold, Problem]) -> NDArray:
        fold, problem = job
        return train_units(data, fold.train, problem, settings) @ data.X[:, fold.test.pattern]

    jobs = [(fold, problem) for fold in data.folds for problem in scheme.problems]
    parts = list(run(margins_of, jobs))
    n_problems, sizes = len(scheme.problems), [len(fold.test.pattern) for fold in data.folds]
    folds = range(len(data.folds))
    # (problems, settings, examples of all folds)
    margins = np.array([np.hstack([parts[f * n_problems + k] for f in folds]) for k in range(n_problems)])
    tests = Examples.joined([fold.test for fold in data.folds])
    found = []
    for s, setting in enumerate(settings):
        lines = np.array([STRAIGHT] * n_problems)
        if setting.ridge is None:
            pairs = zip(margins[:, s], scheme.problems, strict=True)
            lines = np.array([_line(m, tests, problem) for m, problem in pairs])
        log_odds = lines[:, :1] + lines[:, 1:] * margins[:, s]
        p = scheme.probabilities(agreeing(log_odds, margins[:, s] >= 0).T)
        held_out = np.split(p, np.cumsum(sizes)[:-1])
        name, n_weights = scheme.called(setting), n_problems * len(data.X)
        found.append(UnitsCandidate(name, n_problems, n_weights, held_out, None, scheme, setting, lines))
    losses = [mean_loss(one.held_out, data.folds) for one in found[: len(logistic)]]
    return [*(found[int(np.argmin(losses))] for _ in losses[:1]), *_different(found[len(logistic) :])]


def _different(units: Sequence[UnitsCandidate]) -> list[UnitsCandidate]:
    """Leave out units that say the same as others before them, to the last bit."""
    different: dict[bytes, UnitsCandidate] = {}
    for one in units:
        different.setdefault(np.concatenate(one.held_out).tobytes(), one)
    return list(different.values())


def _line(margins: NDArray, examples: Examples, problem: Problem) -> NDArray:
    """Fit log-odds to the margins of examples of the unit's own classes."""
    own, positive = np.isin(examples.labels, sum(problem, ())), np.isin(examples.labels, problem[0])
    return fit_line(margins[own], np.where(positive[own], 1.0, -1.0), examples.weights[own])


def linear_candidate(data: Data, linear: Teacher) -> UnitsCandidate:
    """Return the logistic regression as a unit, a multinomial one as units between each pair of its classes.

    Their log-odds are the differences of the scores, so that the class with the largest score wins and the
    probabilities are the regression's own.
    """
    W, n = linear.probability.weights, data.n_classes  # type: ignore[attr-defined]
    W = np.vstack([np.zeros((n - len(W), len(data.X))), W])  # one score is what the second has above 0
    two = Scheme.unit(), "logistic regression"
    more = Scheme.pairs(n), "multinomial logistic regression"
    scheme, name = Cases(two, more).of(n)
    lines, units = unit_lines(np.array([W[a] - W[b] for (a,), (b,) in scheme.problems]))
    own = {"scheme": scheme, "lines": lines, "weights": units}
    return UnitsCandidate(name, len(units), units.size, linear.held_out, **own)  # type: ignore[arg-type]


def unit_lines(log_odds: NDArray) -> tuple[NDArray, NDArray]:
    """Return lines (K, 2) and weights (K, M) of norm 1 for weights that give log-odds."""
    norm = np.sqrt([w @ w for w in log_odds])
    constant = np.eye(1, log_odds.shape[1])
    units = np.where(norm[:, None] > 0, log_odds / np.where(norm > 0, norm, 1.0)[:, None], constant)
    return np.column_stack([np.zeros(len(norm)), np.maximum(norm, 1e-300)]), units


def all_units(
    data: Data, linear: Teacher, run: Callable = map, stages: Stages = SILENT
) -> list[UnitsCandidate]:
    """Return what single units there are to choose from, the logistic regression last.

    Parameters
    ----------
    data, linear : what to learn, and what `fit_linear` returned
    run : `map`, or a parallel one with the same order of results
    stages : told of the folds
    """
    run = stages.parts("units", run, len(data.folds), what="fold ")
    schemes = SCHEMES.of(data.n_classes)(data)
    units = [one for scheme in schemes for one in unit_candidates(data, scheme, run)]
    return [*units, linear_candidate(data, linear)]


def _tree_and_pairs(data: Data) -> list[Scheme]:
    everything = data.rows[data.all.pattern], data.all.labels, data.all.weights
    tree, pairs = Scheme.tree(separable_order(*everything)), Scheme.pairs(data.n_classes)
    return [tree, pairs] if len(pairs.problems) <= MOST_PAIRS else [tree]


SCHEMES = Cases[Callable[[Data], list[Scheme]]](two=lambda _: [Scheme.unit()], more=_tree_and_pairs)


def best_units(judge: Judge, units: Sequence[UnitsCandidate]) -> UnitsCandidate:
    """Return the logistic regression, the last one, or the best of the others if it is better beyond chance.

    By a score it is simply the best of all.
    """
    *others, linear = units
    if judge.score is not None:
        return max([linear, *others], key=judge.mean_score)
    best = min(units, key=lambda one: (judge.mean(judge.errors(one)), judge.mean(judge.losses(one))))
    lag, se = judge.lag(linear, best)
    return best if lag > BEYOND.of(linear.scheme.n_classes) * se else linear


def _usual_regression(data: Data) -> UnitsCandidate:
    """Return a logistic regression with a ridge that mostly does well."""
    (W,) = fit_ridges(data, data.all, [USUAL_RIDGE])
    whole = Linear(data.standardisation, W)
    return linear_candidate(data, Teacher("logistic regression", lambda: whole, []))


def _usual_unit(data: Data) -> UnitsCandidate:
    """Return a unit at a temperature that mostly does well."""
    scheme, setting = Scheme.unit(), Setting(None, 2.0, USUAL_BETA)
    units = train_units(data, data.all, scheme.problems[0], [setting])
    lines = _line((units @ data.X)[0, data.all.pattern], data.all, scheme.problems[0])[None]
    name = scheme.called(setting)
    return UnitsCandidate(name, 1, units.size, [], None, scheme, setting, lines, units)


# What is taken without a choice, of tables with too few rows of a class to hold some out.
ONLY = Cases(two=_usual_unit, more=_usual_regression)


def trained(data: Data, candidate: UnitsCandidate) -> tuple[NDArray, NDArray]:
    """Train a candidate's units on all examples; return their lines (K, 2) and weights (K, M) of norm 1.

    A single unit is cooled along the whole path, as it was in the folds.
    """
    if candidate.weights is not None:
        return candidate.lines, candidate.weights
    problems, setting = candidate.scheme.problems, candidate.setting
    along = PATH if len(problems) == 1 else (setting,)
    units = np.array([train_units(data, data.all, one, along)[along.index(setting)] for one in problems])
    return (candidate.lines, units) if setting.ridge is None else unit_lines(units)
