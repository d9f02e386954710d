"""Many classes by two-class classifiers: trees of networks, their votes, winner-takes-all, pairs.

Four meta-estimators over any binary classifier of scikit-learn.
"""

from netlines.classifiers.multiclass.pairs import PairwiseClassifier
from netlines.classifiers.multiclass.tree import TreeOfNetworksClassifier
from netlines.classifiers.multiclass.vote import TreeVoteClassifier
from netlines.classifiers.multiclass.winner import WinnerTakesAllClassifier

__all__ = [
    "PairwiseClassifier",
    "TreeOfNetworksClassifier",
    "TreeVoteClassifier",
    "WinnerTakesAllClassifier",
]
