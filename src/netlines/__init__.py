"""netlines: small classifiers grown out of binary neurons."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from netlines.classifier_cv import NetLinesClassifierCV
    from netlines.classifier_network import NetLinesClassifier
    from netlines.classifier_unit import MinimerrorClassifier
    from netlines.compress import distill
    from netlines.network import Network
    from netlines.pruning import prune

__all__ = [
    "MinimerrorClassifier",
    "NetLinesClassifier",
    "NetLinesClassifierCV",
    "Network",
    "distill",
    "prune",
]
__version__ = "0.1.0"

_HOMES = {
    "MinimerrorClassifier": "classifier_unit",
    "NetLinesClassifier": "classifier_network",
    "NetLinesClassifierCV": "classifier_cv",
    "Network": "network",
    "distill": "compress",
    "prune": "pruning",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: a command that only predicts does without scikit-learn."""
    if name in _HOMES:
        return getattr(import_module(f"netlines.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'netlines' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
