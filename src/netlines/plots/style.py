"""What the pictures share: the colours of Okabe and Ito, the looks of classes, and where to draw."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

BLUE, VERMILLION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY, DARK, GREY = "#E69F00", "#56B4E9", "#222222", "#666666"
PALE_BLUE, PALE_ORANGE = "#E3F0F8", "#FADDBE"  # of different lightness too
_COLORS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, DARK)
_PALE = (PALE_BLUE, PALE_ORANGE, "#CBE8DD", "#F7E6EE", "#FBEBC4", "#D6EDFA", "#D8D8D8")
_MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*", "<", ">")
_SIZES = {"o": 22, "s": 20, "D": 18, "*": 40}


def class_style(number: int) -> dict[str, Any]:
    """Return colour, marker and its size for the class of a number: different ones for up to 70 classes."""
    marker = _MARKERS[number % len(_MARKERS)]
    return {"marker": marker, "color": class_color(number), "s": _SIZES.get(marker, 26)}


def class_color(number: int) -> str:
    """Return the colour of the class of a number."""
    return _COLORS[number % len(_COLORS)]


def pale_color(number: int) -> str:
    """Return a pale tone of the colour of the class of a number, for areas."""
    return _PALE[number % len(_PALE)]


def class_name(label: Any) -> str:
    """Return how a label is written in a legend."""
    return label if isinstance(label, str) else f"class {label}"


def fitted_network(estimator: Any) -> Any:
    """Return the network of a fitted estimator, or raise an error that says which estimators have one."""
    check_is_fitted(estimator)
    if not hasattr(estimator, "network_"):
        raise ValueError(
            f"{type(estimator).__name__} has no `network_` to draw; allowed are its `estimators_`, or a "
            "NetLinesClassifier, which takes many classes by multiclass=..."
        )
    return estimator.network_


def new_axes(ax: Any, **figure: Any) -> Any:
    """Return the given axes, or those of a new figure; without matplotlib an error that names the extra."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError('netlines.plots needs matplotlib: pip install "netlines[plots]"') from error
    return plt.subplots(layout="constrained", **figure)[1] if ax is None else ax
