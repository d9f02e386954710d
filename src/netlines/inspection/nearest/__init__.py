"""The smallest change of a row that changes the answer of a network: `nearest_other`."""

from netlines.inspection.nearest.flip import Flip, nearest_other, search_other
from netlines.inspection.nearest.search import BUDGET

__all__ = ["BUDGET", "Flip", "nearest_other", "search_other"]
