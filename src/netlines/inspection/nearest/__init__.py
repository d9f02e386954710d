"""The smallest change of a row that changes the answer of a network.

`nearest_other` and `search_other` take any change; `search_likely` one to a row that could be real. Inside:
`start` (the row), `search` where codes decide (`bounds`, `projection`), `around` elsewhere; `decisive` units.
"""

from netlines.inspection.nearest.flip import Flip, nearest_other, search_other
from netlines.inspection.nearest.likely import search_likely
from netlines.inspection.nearest.search import BUDGET

__all__ = ["BUDGET", "Flip", "nearest_other", "search_likely", "search_other"]
