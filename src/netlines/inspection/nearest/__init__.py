"""The smallest change of a row that changes the answer of a network.

`nearest_other` and `search_other` take any change, `search_whole` those in whole steps, to values that the
attributes can have. Inside: `start` (the row), `search` where codes decide (`bounds`, `projection`), `around`
elsewhere; `values`, `whole`, `steps` and `trials` for whole steps; `decisive` units, `wording`.
"""

from netlines.inspection.nearest.flip import Flip, nearest_other, search_other
from netlines.inspection.nearest.search import BUDGET
from netlines.inspection.nearest.steps import search_whole

__all__ = ["BUDGET", "Flip", "nearest_other", "search_other", "search_whole"]
