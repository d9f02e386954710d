"""netlines: small classifiers grown out of binary neurons."""

from netlines.classifiers import MinimerrorClassifier, NetLinesClassifier
from netlines.network import Network

__all__ = ["MinimerrorClassifier", "NetLinesClassifier", "Network"]
__version__ = "0.1.0"
