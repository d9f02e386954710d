"""From rows to networks: patterns, compiled passes, one unit, growth, shared layers, pruning.

numpy, scipy and numba; no scikit-learn, and nothing that reads a finished network. From outside:
`patterns`, `minimerror`, `growth`, `shared.growth`, `calibration`, `pruning`.
"""
