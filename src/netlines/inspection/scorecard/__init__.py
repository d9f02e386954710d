"""Scorecards: networks whose answer is a total of points, as tables that a person can add up.

`totals` holds what is added up, `reading` recognises it in a network by its `terms`, `rounding` makes one of
a single hyperplane of real numbers, `wording` prints, `card` is the value. From outside: `Scorecard` and
`as_points`.
"""

from netlines.inspection.scorecard.card import Scorecard, as_points

__all__ = ["Scorecard", "as_points"]
