"""What missing attributes do to an answer: which classes are possible, and which one is the most probable.

`possible` and below it `unknowns`, `allowed`, `pieces` (one is missing) and `several`; `integration`;
`expected`; `study` (the paper's). From outside: the names below.
"""

from netlines.inspection.missing.integration import integrate
from netlines.inspection.missing.possible import Piece, Possible, possible_classes
from netlines.inspection.missing.study import Study, missing_study

__all__ = ["Piece", "Possible", "Study", "integrate", "missing_study", "possible_classes"]
