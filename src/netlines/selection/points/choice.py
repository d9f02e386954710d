"""Chooses a points score by folds: conditions or a sum, and how many points.

1. Two classes have one score. More have a sequence of them: each tells one class from those that remain.
2. Scores of every kind and size are made on all rows and in each fold.
3. The smallest is taken that is hardly worse than the best on rows it has not seen.
4. What the folds say tells how sure its probabilities may be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import count
from netlines.network.network import PASS_ON, Network
from netlines.network.networks import Networks, Part
from netlines.network.probability import Calibration, expit, probabilities
from netlines.network.schemes import agreeing_shares, walk_tree
from netlines.selection.candidate import Candidate
from netlines.selection.data import Data
from netlines.selection.fit import Fitted, fitted_network
from netlines.selection.folds import Examples, Fold, wanted_folds
from netlines.selection.judge import Judge, scores, unjudged
from netlines.selection.points.build import KINDS, Problem, cards_of, gaps_below, stepped_card
from netlines.selection.points.card import Card
from netlines.selection.terms import Terms
from netlines.training.calibration import fit_factor
from netlines.training.cases import Cases
from netlines.training.patterns import condense

NUMBERS = Cases(two=10, more=20)  # integers of all scores together, at most
BEHIND = 0.5  # standard errors by which a smaller score may be worse than the best
USUAL = 3  # points where no rows can be held out
ORDER_ROWS, ORDER_POINTS = 2000, 2  # by which the order of the classes is decided

Option = tuple[str, int]  # a kind of score and its number of points; of a stepped one 0


@dataclass(frozen=True, eq=False)
class Side:
    """Which classes one of several scores separates: one from those that remain."""

    positive: int
    negative: tuple[int, ...]

    def of(self, data: Data, examples: Examples) -> Problem | None:
        """Return its rows among examples; None if they are all of one side."""
        own = np.isin(examples.labels, (self.positive, *self.negative))
        some = examples.where(own)
        second = (some.labels == self.positive).astype(float)
        if not len(second) or second.min() == second.max():
            return None
        return Problem.of(data.rows, some.pattern, second, some.weights)


Cards = dict[Option, Card]


def fit_points(
    X: NDArray,
    labels: NDArray,
    weights: NDArray,
    classes: NDArray,
    names: Sequence[str] | None,
    terms: Terms,
) -> Fitted:
    """Choose a points score, or a sequence of them; the parameters are those of `selection.fit.fit`.

    Of the terms count `cv`, `scoring`, `seed`, `n_threads` and `report`.
    """
    patterns = condense(X.astype(float), labels, weights, len(classes))
    folds = wanted_folds(patterns, terms.cv, X, labels, weights, classes, terms.seed)
    folds = [fold for fold in folds if fold.train.has_all(len(classes))]
    data = Data.of(patterns, X, classes, names, folds)
    parts = len(folds) + 1
    terms.stages.expect([("points", seconds_of(data))] * parts)
    terms.stages.begin("points")
    run = terms.stages.parts("points", terms.run, max(len(folds), 1), what="fold ")
    sides = _sides(data)
    most = max(NUMBERS.of(data.n_classes), 2 * len(sides))
    problems = [side.of(data, data.all) for side in sides]
    whole = [_all_cards(problem, most) for problem in problems]
    worth = [_worth(own, problem) for own, problem in zip(whole, problems, strict=True)]
    whole = [own if also else _without_steps(own) for own, also in zip(whole, worth, strict=True)]

    def in_fold(fold: Fold) -> list[Cards]:
        pairs = zip(sides, worth, strict=True)
        return [_all_cards(side.of(data, fold.train), most, steps=also) for side, also in pairs]

    in_folds = list(run(in_fold, folds))
    if not folds:
        chosen = [_usual(cards) for cards in whole]
        return _fitted(chosen, sides, data, None, "too few rows of a class to hold some of them out")
    return _choose(whole, in_folds, sides, data, most, terms)


def most_scores(cv: Any) -> int | None:
    """Return how many stages `fit_points` tells of at most; None if that depends on the rows."""
    if not isinstance(cv, Integral | None):
        return None
    return 1 + (5 if cv is None else int(cv))


def seconds_of(data: Data) -> float:
    """Return how long the scores of one fold may take, roughly."""
    return 0.1 + 2e-5 * data.rows.size * (data.n_classes - 1)


def _all_cards(problem: Problem | None, most: int, *, steps: bool = True) -> Cards:
    """Return the scores of all kinds and sizes; none if there is nothing to learn."""
    if problem is None:
        return {}
    found: Cards = {}
    largest = min(most, NUMBERS.two) - 1
    for kind in KINDS:
        for card in cards_of(problem, kind, largest):
            found.setdefault((kind, len(card.points)), card)
    card = stepped_card(problem, min(most, NUMBERS.two)) if steps else None
    if card is not None:
        found["steps", 0] = card
    return found


def _worth(cards: Cards, problem: Problem | None) -> bool:
    """Tell whether several cuts describe the rows better than one, given how many integers it takes."""
    if problem is None or ("steps", 0) not in cards:
        return False

    def cost(card: Card) -> float:
        z = card.log_odds(problem.rows)
        loss = np.logaddexp(0.0, z) - problem.p * z
        return float(problem.share @ loss) + 0.5 * card.size * np.log(problem.effective) / problem.effective

    others = [cost(card) for option, card in cards.items() if option[0] != "steps"]
    return not others or cost(cards["steps", 0]) < min(others)


def _without_steps(cards: Cards) -> Cards:
    return {option: card for option, card in cards.items() if option[0] != "steps"}


def _sides(data: Data) -> list[Side]:
    """Return what the scores separate: each time the class that is most easily told from those that remain."""
    if data.n_classes == 2:
        return [Side(1, (0,))]
    left, found = list(range(data.n_classes)), []
    some = data.all.where(slice(None, None, max(1, len(data.all.labels) // ORDER_ROWS)))
    examples = some if some.has_all(data.n_classes) else data.all
    while len(left) > 1:
        sides = [Side(one, tuple(other for other in left if other != one)) for one in left]
        best = min(sides, key=lambda side: _difficulty(side.of(data, examples))) if len(left) > 2 else sides[0]
        found.append(best)
        left.remove(best.positive)
    return found


def _difficulty(problem: Problem | None) -> float:
    """Return which part of the doubt about the class a short score leaves."""
    if problem is None:
        return np.inf
    p = problem.mean
    doubt = -p * np.log(p) - (1.0 - p) * np.log(1.0 - p)
    left = doubt
    for kind in KINDS:
        for card in cards_of(problem, kind, ORDER_POINTS):
            z = card.log_odds(problem.rows)
            left = min(left, float(problem.share @ (np.logaddexp(0.0, z) - problem.p * z)))
    return left / doubt


def _usual(cards: Cards) -> Card | None:
    """Return the score to take if nothing can be held out."""
    some = [card for (kind, size), card in cards.items() if kind == "conditions" and size <= USUAL]
    return some[-1] if some else next(iter(cards.values()), None)


def _margins(card: Card | None, rows: NDArray) -> NDArray:
    return np.full(len(rows), -1e-3) if card is None else card.log_odds(rows)


def _choose(
    whole: list[Cards], in_folds: list[list[Cards]], sides: list[Side], data: Data, most: int, terms: Terms
) -> Fitted:
    """Choose the size, and of each score the kind, by what the folds say of rows they have not seen."""
    judge = Judge(data.folds, scores(data, terms.scoring), float(data.all.weights.sum()))
    rows = [data.rows[fold.test.pattern] for fold in data.folds]
    margins = [
        {option: [_margins(_like(fold[j], option), own) for fold, own in zip(in_folds, rows, strict=True)]
         for option in cards}
        for j, cards in enumerate(whole)
    ]
    losses = [
        {option: _loss(side, found, data) for option, found in own.items()}
        for side, own in zip(sides, margins, strict=True)
    ]
    plans = _plans(whole, losses, most)
    if not plans:
        return _fitted([None] * len(sides), sides, data, None, "no column tells the classes apart")
    candidates = [_candidate(plan, whole, margins, sides, data) for plan in plans]
    best = min(candidates, key=lambda one: _merit(judge, one))
    good = [one for one in candidates if one is best or _hardly_worse(judge, one, best)]
    chosen = min(good, key=lambda one: (one.n_weights, _merit(judge, one)))
    plan = plans[candidates.index(chosen)]
    cards = []
    for j, (side, option) in enumerate(zip(sides, plan, strict=True)):
        factor = _factor(side, margins[j][option], data) if option is not None else 1.0
        cards.append(None if option is None else whole[j][option].stretched(factor))
    reason = f"out-of-fold {judge.words(chosen)}"
    if chosen is not best:
        reason += f", hardly more than the best of {len(candidates)}, {best.name}: {judge.words(best)}"
    else:
        reason += f", the best of {count(len(candidates), 'points score')}"
    return _fitted(cards, sides, data, judge.table(candidates, chosen), reason)


def _like(cards: Cards, option: Option) -> Card | None:
    """Return the score of a fold that is most like an option: of the same kind, with no more points."""
    if option in cards:
        return cards[option]
    same = [own for own in cards if own[0] == option[0] and own[1] <= option[1]]
    if same:
        return cards[max(same, key=lambda own: own[1])]
    return next(iter(cards.values()), None)


def _plans(whole: list[Cards], losses: list[dict[Option, float]], most: int) -> list[list[Option | None]]:
    """Return which option each score may be: of two classes every one, of more the best up to each size."""
    if len(whole) == 1:
        return [[option] for option in whole[0]]
    plans: list[list[Option | None]] = []
    for largest in range(1, NUMBERS.two):
        plan = [_best(own, cards, largest) for own, cards in zip(losses, whole, strict=True)]
        while _size(plan, whole) > most:  # what costs least to make smaller becomes smaller
            plan = _shrunk(plan, losses, whole)
        if plan not in plans and any(option is not None for option in plan):
            plans.append(plan)
    return plans


def _best(losses: dict[Option, float], cards: Cards, largest: int) -> Option | None:
    some = [option for option in cards if len(cards[option].points) <= largest]
    return min(some, key=lambda option: (losses[option], cards[option].size)) if some else None


def _size(plan: list[Option | None], whole: list[Cards]) -> int:
    return sum(cards[option].size for option, cards in zip(plan, whole, strict=True) if option is not None)


def _shrunk(
    plan: list[Option | None], losses: list[dict[Option, float]], whole: list[Cards]
) -> list[Option | None]:
    trials = []
    for j, option in enumerate(plan):
        if option is not None:
            smaller = _best(losses[j], whole[j], len(whole[j][option].points) - 1)
            cost = (np.inf if smaller is None else losses[j][smaller]) - losses[j][option]
            trials.append((cost, j, smaller))
    _, j, smaller = min(trials, key=lambda one: one[:2])
    return [*plan[:j], smaller, *plan[j + 1 :]]


def _loss(side: Side, margins: list[NDArray], data: Data) -> float:
    """Return the share of the weight that is wrong plus the log-loss, on held-out rows of the side's classes."""
    total, weight = 0.0, 0.0
    for fold, z in zip(data.folds, margins, strict=True):
        own = np.isin(fold.test.labels, (side.positive, *side.negative))
        y, w, z = fold.test.labels[own] == side.positive, fold.test.weights[own], z[own]
        total += float(w @ (np.logaddexp(0.0, np.where(y, -z, z)) + ((z >= 0) != y)))
        weight += float(w.sum())
    return total / weight if weight else 0.0


def _factor(side: Side, margins: list[NDArray], data: Data) -> float:
    """Return by what the log-odds have to be multiplied to suit rows that were not seen."""
    tests = Examples.joined([fold.test for fold in data.folds])
    own = np.isin(tests.labels, (side.positive, *side.negative))
    y, z = (tests.labels[own] == side.positive).astype(int), np.concatenate(margins)[own]
    if y.min() == y.max():
        return 1.0
    return fit_factor(np.column_stack([-z / 2, z / 2]), y, tests.weights[own])


def _candidate(
    plan: list[Option | None], whole: list[Cards], margins: list[dict], sides: list[Side], data: Data
) -> Candidate:
    """Return what a plan says of held-out rows, as a candidate."""
    held_out = []
    for k, fold in enumerate(data.folds):
        z = [
            np.full(len(fold.test.labels), -1e-3) if option is None else own[option][k]
            for option, own in zip(plan, margins, strict=True)
        ]
        held_out.append(_together(np.column_stack(z), sides))
    size = _size(plan, whole)
    units = sum(_units(cards[one]) for one, cards in zip(plan, whole, strict=True) if one is not None)
    return Candidate(_name(plan, whole), units, size, held_out)


def _together(margins: NDArray, sides: list[Side]) -> NDArray:
    """Return the probabilities of the classes by the log-odds of the scores, (n, scores)."""
    if len(sides) == 1:
        return probabilities(margins)
    order = np.array([*(side.positive for side in sides), sides[-1].negative[0]])
    said = walk_tree(margins, expit(margins), order)
    return agreeing_shares(said.chances, said.answers)


def _units(card: Card) -> int:
    return len(card.cuts) if card.is_sum else len(card.points)


def _name(plan: list[Option | None], whole: list[Cards]) -> str:
    """Return what a plan is called."""
    cards = [own[option] for option, own in zip(plan, whole, strict=True) if option is not None]
    points = sum(len(card.points) for card in cards)
    if len(plan) > 1:
        return f"{len(plan)} points scores in sequence, {count(points, 'point')} in all"
    (card,) = cards
    if len(card.cuts) > 1:
        return f"points score of {count(points, 'column')} with {len(card.cuts)} cuts"
    return f"points score of {count(points, 'column' if card.is_sum else 'condition')}"


def _merit(judge: Judge, candidate: Candidate) -> float:
    """Return what the best candidate has least of: its score, or its error and log-loss together."""
    if judge.score is not None:
        return -judge.mean_score(candidate)
    return judge.mean(judge.errors(candidate) + judge.losses(candidate))


def _hardly_worse(judge: Judge, candidate: Candidate, best: Candidate) -> bool:
    if judge.score is not None:
        lag, se = judge.lag(candidate, best)
        return lag <= BEHIND * se
    worse = (
        judge.errors(candidate) + judge.losses(candidate) - judge.errors(best) - judge.losses(best)
    )
    return judge.mean(worse) <= BEHIND * judge.standard_error(worse)


def _fitted(
    cards: Sequence[Card | None], sides: list[Side], data: Data, results: dict | None, reason: str
) -> Fitted:
    """Return the network of the scores that were chosen."""
    origin, n = data.standardisation.frame.offset, data.rows.shape[1]
    networks = []
    for card, side in zip(cards, sides, strict=True):
        two = len(sides) == 1
        priors = data.priors if two else np.full(2, 0.5)
        more = {
            "priors": priors,
            "classes": data.classes if two else np.array([0, 1]),
            "feature_names": data.names,
        }
        networks.append(_network(card, side, data, n, origin, more))
    size = sum(0 if card is None else card.size for card in cards)
    network: Network | Networks = networks[0]
    if len(sides) > 1:
        labels = data.classes.tolist()
        parts = [
            Part((labels[side.positive],), tuple(labels[c] for c in side.negative), one)
            for side, one in zip(sides, networks, strict=True)
        ]
        tree = (tuple(range(len(parts))),)
        network = Networks("tree", data.classes, tuple(parts), tree, training_priors=data.priors)
    plan = [None if card is None else ("", 0) for card in cards]
    name = _name(plan, [{} if card is None else {("", 0): card} for card in cards]) if size else "no points score"
    if results is None:
        results = unjudged(Candidate(name, network.n_hidden, size, []))
    found = fitted_network(network, f"{name} ({count(size, 'integer')}): {reason}", results)
    return Fitted(found.network, found.chosen, found.results, size)


def _network(
    card: Card | None, side: Side, data: Data, n: int, origin: NDArray | None, more: dict
) -> Network:
    """Return the network of a score, or without one a network that always answers the same."""
    priors = more.pop("priors")
    if card is None:
        problem = side.of(data, data.all)
        p = 0.5 if problem is None else min(max(problem.mean, 1e-6), 1.0 - 1e-6)
        z = np.log(p / (1.0 - p))
        hidden = np.zeros((1, n + 1))
        hidden[0, 0] = 1.0 if z >= 0 else -1.0
        line = Calibration(z, np.zeros(1), np.zeros(1), np.zeros(1), priors, priors)
        return Network(hidden, PASS_ON, calibration=line, origin=origin, **more)
    return card.network(n, gaps_below(card, data.rows), origin, priors=priors, **more)

