"""The other constructive algorithms for networks of binary neurons, one a file.

To add one, write `grow_x(task, plan, watch)` and a `GrowingClassifier` with `_grow` and a docstring (what it
does, Notes, an example; parameters are added to it), and name it here: `tests/family/test_algorithms.py`
tests it.
"""

from netlines.family.monoplane import MonoPlaneClassifier

__all__ = ["MonoPlaneClassifier"]
