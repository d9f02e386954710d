"""netlines: small classifiers grown out of binary neurons."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from netlines.classifiers.distill import distill
    from netlines.classifiers.loaded import load_model, save_model
    from netlines.classifiers.minimerror import MinimerrorClassifier
    from netlines.classifiers.multiclass import (
        PairwiseClassifier,
        TreeOfNetworksClassifier,
        TreeVoteClassifier,
        WinnerTakesAllClassifier,
    )
    from netlines.classifiers.netlines import NetLinesClassifier
    from netlines.classifiers.netlines_cv import NetLinesClassifierCV
    from netlines.classifiers.prune import prune
    from netlines.family import MonoPlaneClassifier
    from netlines.inspection.explanation import explain
    from netlines.inspection.missing import missing_study, possible_classes
    from netlines.inspection.rules import extract_rules
    from netlines.inspection.scorecard import Scorecard, as_points
    from netlines.inspection.unusual import unusual_rows
    from netlines.network.network import Network
    from netlines.network.networks import Networks
    from netlines.report import write_report

__all__ = [
    "MinimerrorClassifier",
    "MonoPlaneClassifier",
    "NetLinesClassifier",
    "NetLinesClassifierCV",
    "Network",
    "Networks",
    "PairwiseClassifier",
    "Scorecard",
    "TreeOfNetworksClassifier",
    "TreeVoteClassifier",
    "WinnerTakesAllClassifier",
    "as_points",
    "distill",
    "explain",
    "extract_rules",
    "load_model",
    "missing_study",
    "possible_classes",
    "prune",
    "save_model",
    "unusual_rows",
    "write_report",
]
__version__ = "0.1.0"

_HOMES = {
    "MinimerrorClassifier": "classifiers.minimerror",
    "MonoPlaneClassifier": "family",
    "NetLinesClassifier": "classifiers.netlines",
    "NetLinesClassifierCV": "classifiers.netlines_cv",
    "Network": "network.network",
    "Networks": "network.networks",
    "PairwiseClassifier": "classifiers.multiclass",
    "Scorecard": "inspection.scorecard",
    "TreeOfNetworksClassifier": "classifiers.multiclass",
    "TreeVoteClassifier": "classifiers.multiclass",
    "WinnerTakesAllClassifier": "classifiers.multiclass",
    "as_points": "inspection.scorecard",
    "distill": "classifiers.distill",
    "explain": "inspection.explanation",
    "extract_rules": "inspection.rules",
    "load_model": "classifiers.loaded",
    "missing_study": "inspection.missing",
    "possible_classes": "inspection.missing",
    "prune": "classifiers.prune",
    "save_model": "classifiers.loaded",
    "unusual_rows": "inspection.unusual",
    "write_report": "report",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: a command that only predicts does without scikit-learn."""
    if name in _HOMES:
        return getattr(import_module(f"netlines.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'netlines' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
