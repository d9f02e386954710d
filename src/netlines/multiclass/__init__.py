"""Many classes by two-class classifiers: trees of networks, their votes, winner-takes-all, pairs.

Four meta-estimators over any binary classifier of scikit-learn.
"""

from netlines.multiclass.pairs import PairwiseClassifier
from netlines.multiclass.tree import TreeOfNetworksClassifier
from netlines.multiclass.vote import TreeVoteClassifier
from netlines.multiclass.winner import WinnerTakesAllClassifier

__all__ = [
    "PairwiseClassifier",
    "TreeOfNetworksClassifier",
    "TreeVoteClassifier",
    "WinnerTakesAllClassifier",
]
