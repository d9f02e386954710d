"""Pictures of networks in scikit-learn's manner: Displays with `from_estimator`, `from_network` and `plot`.

How a network grew, its hyperplanes over two inputs, its domains, weights and units, a tree of networks, how
far its probabilities can be trusted, what thresholds on them and acting on them are worth, and what missing
values do. Classes differ by marker or hatch and by colour, curves by marker and by line style, so that the
pictures can be read in print and by colour-blind eyes. The colours are those of Okabe and Ito.
"""

from netlines.plots.decision_curve import DecisionCurveDisplay
from netlines.plots.domains import DomainDisplay
from netlines.plots.drawing import NetworkDisplay
from netlines.plots.growth import GrowthDisplay
from netlines.plots.hyperplanes import HyperplaneDisplay
from netlines.plots.missing_attribute import MissingAttributeDisplay
from netlines.plots.missing_rows import MissingRowsDisplay
from netlines.plots.reliability import ReliabilityDisplay
from netlines.plots.style import BLUE, GREY
from netlines.plots.threshold import ThresholdDisplay
from netlines.plots.tree import TreeDisplay
from netlines.plots.weights import WeightsDisplay

__all__ = [
    "BLUE",
    "GREY",
    "DecisionCurveDisplay",
    "DomainDisplay",
    "GrowthDisplay",
    "HyperplaneDisplay",
    "MissingAttributeDisplay",
    "MissingRowsDisplay",
    "NetworkDisplay",
    "ReliabilityDisplay",
    "ThresholdDisplay",
    "TreeDisplay",
    "WeightsDisplay",
]
