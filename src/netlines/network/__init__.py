"""The value that training makes and all else reads: a frozen `Network`, or `Networks` that decide together.

numpy only. From outside: the names below; in this package the schemes, the probabilities and what is
remembered of the training rows have a module each.
"""

from netlines.network.network import PASS_ON, Network, sign
from netlines.network.networks import Networks
from netlines.network.parts import Part
from netlines.network.protocol import AnyNetwork
from netlines.network.weights import fold, normalised

__all__ = ["PASS_ON", "AnyNetwork", "Network", "Networks", "Part", "fold", "normalised", "sign"]
