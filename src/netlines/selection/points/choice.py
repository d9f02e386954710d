"""Chooses a points score by folds: conditions or a sum, and how many points.

1. Two classes have one score. More have a sequence of them: each tells one class from those that remain.
2. Scores of every kind and size are made on all rows and in each fold.
3. The smallest is taken that is hardly worse than the best on rows it has not seen.
4. What the folds say tells how sure its probabilities may be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import count
from netlines.network.probability import expit, probabilities
from netlines.network.schemes import agreeing_shares, walk_tree
from netlines.selection.candidate import Candidate
from netlines.selection.data import Data
from netlines.selection.fit import Fitted
from netlines.selection.folds import Examples, Fold, wanted_folds
from netlines.selection.judge import Judge, scores
from netlines.selection.points.assembly import fitted_cards, name_of
from netlines.selection.points.card import Card
from netlines.selection.points.sides import (
    NUMBERS,
    Cards,
    Option,
    Side,
    all_cards,
    find_sides,
    without_cuts,
    worth_cuts,
)
from netlines.selection.teachers.fitted import fit_linear
from netlines.selection.terms import Terms
from netlines.selection.tested import Tested
from netlines.training.calibration import fit_factor
from netlines.training.patterns import condense

BEHIND, BEHIND_EASY = 0.25, 0.5  # standard errors by which a simpler score may be worse than the best
USUAL = 3  # points where no rows can be held out
PRICES = (
    *np.geomspace(0.1, 1e-4, 25).tolist(),
    0.0,
)  # of an integer, in errors and log-loss, of more classes


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
    sides = find_sides(data)
    most = max(NUMBERS.of(data.n_classes), 2 * len(sides))
    problems = [side.of(data, data.all) for side in sides]
    whole = [all_cards(problem, most) for problem in problems]
    worth = [worth_cuts(own, problem) for own, problem in zip(whole, problems, strict=True)]
    whole = [own if also else without_cuts(own) for own, also in zip(whole, worth, strict=True)]

    def in_fold(fold: Fold) -> list[Cards]:
        pairs = zip(sides, worth, strict=True)
        return [all_cards(side.of(data, fold.train), most, steps=also) for side, also in pairs]

    in_folds = list(run(in_fold, folds))
    if not folds:
        chosen = [_usual(cards) for cards in whole]
        return fitted_cards(chosen, sides, data, None, "too few rows of a class to hold some of them out")
    return _choose(whole, in_folds, sides, data, most, terms)


def most_scores(cv: Any) -> int | None:
    """Return how many stages `fit_points` tells of at most; None if that depends on the rows."""
    if not isinstance(cv, Integral | None):
        return None
    return 1 + (5 if cv is None else int(cv))


def seconds_of(data: Data) -> float:
    """Return how long the scores of one fold may take, roughly."""
    return 0.1 + 2e-5 * data.rows.size * (data.n_classes - 1)


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
    found = [
        {
            option: [_margins(_like(fold[j], option), own) for fold, own in zip(in_folds, rows, strict=True)]
            for option in cards
        }
        for j, cards in enumerate(whole)
    ]
    # Judged as sure as they will be: without their factors long scores, which fit closest, look too sure.
    factors = [
        {option: _factor(side, margins, data) for option, margins in own.items()}
        for side, own in zip(sides, found, strict=True)
    ]
    margins = [
        {option: [factor[option] * z for z in own[option]] for option in own}
        for factor, own in zip(factors, found, strict=True)
    ]
    losses = [
        {option: _loss(side, found, data) for option, found in own.items()}
        for side, own in zip(sides, margins, strict=True)
    ]
    plans = _plans(whole, losses, most)
    if not any(whole):
        return fitted_cards([None] * len(sides), sides, data, None, "no column tells the classes apart")
    candidates = [_candidate(plan, whole, margins, sides, data) for plan in plans]
    counted = [_is_counted(plan, whole) for plan in plans]
    best, chosen = _best_and_chosen(judge, candidates, plans, counted)
    plan = plans[candidates.index(chosen)]
    cards = [
        None if option is None else own[option].stretched(factor[option])
        for option, own, factor in zip(plan, whole, factors, strict=True)
    ]
    reason = f"out-of-fold {judge.words(chosen)}"
    if chosen is not best:
        reason += f", hardly more than the best of {len(candidates)}, {best.name}: {judge.words(best)}"
    else:
        reason += f", the best of {count(len(candidates), 'points score')}"
    fitted = fitted_cards(cards, sides, data, judge.table(candidates, chosen), reason)
    return replace(fitted, tested=Tested.of(judge, chosen.held_out, fit_linear(data)))


def _like(cards: Cards, option: Option) -> Card | None:
    """Return the score of a fold that is most like an option: of the same kind, with no more points."""
    if option in cards:
        return cards[option]
    same = [own for own in cards if own[0] == option[0] and own[1] <= option[1]]
    if same:
        return cards[max(same, key=lambda own: own[1])]
    return next(iter(cards.values()), None)


def _plans(whole: list[Cards], losses: list[dict[Option, float]], most: int) -> list[list[Option | None]]:
    """Return which option each score may be: of two classes every one, of more the best at each price."""
    if len(whole) == 1:
        return [[option] for option in whole[0]]
    plans: list[list[Option | None]] = []
    for price in PRICES:
        plan: list[Option | None] = [
            min(cards, key=lambda option: own[option] + price * cards[option].size) if cards else None
            for own, cards in zip(losses, whole, strict=True)
        ]
        if _size(plan, whole) <= most and plan not in plans and any(plan):
            plans.append(plan)
    return plans or [[min(cards, key=lambda option: cards[option].size, default=None) for cards in whole]]


def _size(plan: list[Option | None], whole: list[Cards]) -> int:
    return sum(cards[option].size for option, cards in zip(plan, whole, strict=True) if option is not None)


def _loss(side: Side, margins: list[NDArray], data: Data) -> float:
    """Return errors and log-loss on held-out rows of the side's classes, in the weight of all rows."""
    total, weight = 0.0, 0.0
    for fold, z in zip(data.folds, margins, strict=True):
        own = np.isin(fold.test.labels, (side.positive, *side.negative))
        y, w, z = fold.test.labels[own] == side.positive, fold.test.weights[own], z[own]
        total += float(w @ (np.logaddexp(0.0, np.where(y, -z, z)) + ((z >= 0) != y)))
        weight += float(fold.test.weights.sum())
    return total / weight


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
    return Candidate(
        name_of([None if one is None else own[one] for one, own in zip(plan, whole, strict=True)]),
        units,
        size,
        held_out,
    )


def _together(margins: NDArray, sides: list[Side]) -> NDArray:
    """Return the probabilities of the classes by the log-odds of the scores, (n, scores)."""
    if len(sides) == 1:
        return probabilities(margins)
    order = np.array([*(side.positive for side in sides), sides[-1].negative[0]])
    said = walk_tree(margins, expit(margins), order)
    return agreeing_shares(said.chances, said.answers)


def _units(card: Card) -> int:
    return len(card.cuts) if card.is_sum else len(card.points)


def _best_and_chosen(
    judge: Judge, candidates: list[Candidate], plans: list[list[Option | None]], counted: list[bool]
) -> tuple[Candidate, Candidate]:
    """Return the best candidate and the simplest that is hardly worse.

    Totals of whole numbers come first, if one is hardly worse than the best; then the smallest counts.
    """
    means, raw = _merits(judge, candidates, plans)

    def within(k: int, other: int, behind: float) -> bool:
        spread = (
            judge.standard_error(raw[k] - raw[other])
            if judge.score is None
            else judge.lag(candidates[k], candidates[other])[1]
        )
        return bool(means[k] - means[other] <= behind * spread)

    every = range(len(candidates))
    best = reference = min(every, key=lambda k: means[k])
    easy = [k for k in every if counted[k] and within(k, best, BEHIND_EASY)]
    if easy:
        reference = min(easy, key=lambda k: means[k])
    group = [k for k in every if counted[k] == counted[reference]]
    good = [k for k in group if k == reference or within(k, reference, BEHIND)]
    chosen = min(good, key=lambda k: (candidates[k].n_weights, means[k]))
    return candidates[best], candidates[chosen]


def _merits(
    judge: Judge, candidates: list[Candidate], plans: list[list[Option | None]]
) -> tuple[NDArray, list[NDArray]]:
    """Return how bad each candidate is, by errors and log-loss together, and the same for each held-out row.

    Half of what counts are the next smaller and the next larger score of the same kind, as far as chance may
    tell them apart: one that stands out among them does so by chance. With a score to judge by, that alone
    counts.
    """
    if judge.score is not None:
        return np.array([-judge.mean_score(one) for one in candidates]), []
    raw = [judge.errors(one) + judge.losses(one) for one in candidates]
    kinds, found = [_kind(plan) for plan in plans], np.array([judge.mean(one) for one in raw])
    means = found.copy()
    for kind in set(kinds):
        own = [k for k, other in enumerate(kinds) if other == kind]
        for k, other in [*pairwise(own), *pairwise(own[::-1])]:
            spread = judge.standard_error(raw[k] - raw[other])
            means[k] += np.clip(found[other] - found[k], -spread, spread) / 4
    return means, raw


def _is_counted(plan: list[Option | None], whole: list[Cards]) -> bool:
    """Tell whether all totals are whole numbers, which are added up in the head."""
    return all(own[option].whole for option, own in zip(plan, whole, strict=True) if option is not None)


def _kind(plan: list[Option | None]) -> str:
    """Return what makes neighbours in size alike; of several scores all are."""
    return "" if len(plan) > 1 or plan[0] is None else plan[0][0]
