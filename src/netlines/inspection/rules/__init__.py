"""What a network answers as rules over the user's own inputs: `extract_rules`."""

from netlines.inspection.rules.extraction import Rules, extract_rules

__all__ = ["Rules", "extract_rules"]
