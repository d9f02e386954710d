"""The other constructive algorithms for networks of binary neurons, one a file."""

from netlines.family.monoplane import MonoPlaneClassifier

__all__ = ["MonoPlaneClassifier"]
