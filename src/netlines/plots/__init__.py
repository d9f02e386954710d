"""Pictures of networks in scikit-learn's manner: how one grew, hyperplanes over two inputs, a tree of them.

Classes differ by marker and by colour, curves by marker and by line style, so that the pictures can be read
in print and by colour-blind eyes. The colours are those of Okabe and Ito.
"""

from netlines.plots.growth import GrowthDisplay
from netlines.plots.hyperplanes import HyperplaneDisplay
from netlines.plots.style import BLUE, GREY
from netlines.plots.tree import TreeDisplay

__all__ = ["BLUE", "GREY", "GrowthDisplay", "HyperplaneDisplay", "TreeDisplay"]
