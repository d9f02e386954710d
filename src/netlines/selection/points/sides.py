"""Which classes points scores separate, and all the scores that may do so.

Two classes have one score. More have a sequence of them: each time the class that is most easily told from
those that remain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from netlines.selection.data import Data
from netlines.selection.folds import Examples
from netlines.selection.points.build import KINDS, Problem, cards_of, stepped_card
from netlines.selection.points.card import Card
from netlines.training.cases import Cases

NUMBERS = Cases(two=10, more=20)  # integers of all scores together, at most
ORDER_ROWS, ORDER_POINTS = 2000, 2  # by which the order of the classes is decided

Option = tuple[str, int]  # a kind of score and its number of points; of one with several cuts 0
STEPS: Option = ("steps", 0)


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


def all_cards(problem: Problem | None, most: int, *, steps: bool = True) -> Cards:
    """Return the scores of all kinds and sizes; none if there is nothing to learn."""
    if problem is None:
        return {}
    found: Cards = {}
    largest = min(most, NUMBERS.two) - 1
    for kind in KINDS:
        for card in cards_of(problem, kind, largest):
            found.setdefault((kind, len(card.points)), card)
    several = stepped_card(problem, min(most, NUMBERS.two)) if steps else None
    if several is not None:
        found[STEPS] = several
    return found


def worth_cuts(cards: Cards, problem: Problem | None) -> bool:
    """Tell whether several cuts describe the rows better than one, given how many integers it takes."""
    if problem is None or STEPS not in cards:
        return False

    def cost(card: Card) -> float:
        z = card.log_odds(problem.rows)
        loss = np.logaddexp(0.0, z) - problem.p * z
        return float(problem.share @ loss) + 0.5 * card.size * np.log(problem.effective) / problem.effective

    others = [cost(card) for option, card in cards.items() if option != STEPS]
    return not others or cost(cards[STEPS]) < min(others)


def without_cuts(cards: Cards) -> Cards:
    return {option: card for option, card in cards.items() if option != STEPS}


def find_sides(data: Data) -> list[Side]:
    """Return what the scores separate: each time the class that is most easily told from the others."""
    if data.n_classes == 2:
        return [Side(1, (0,))]
    left, found = list(range(data.n_classes)), []
    some = data.all.where(slice(None, None, max(1, len(data.all.labels) // ORDER_ROWS)))
    examples = some if some.has_all(data.n_classes) else data.all
    while len(left) > 1:
        sides = [Side(one, tuple(other for other in left if other != one)) for one in left]
        best = (
            min(sides, key=lambda side: _difficulty(side.of(data, examples))) if len(left) > 2 else sides[0]
        )
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
