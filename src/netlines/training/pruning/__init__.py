"""Fewer and simpler weights with the same answers: `prune_network`."""

from netlines.training.pruning.network import prune_network

__all__ = ["prune_network"]
