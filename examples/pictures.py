"""Draw the pictures of docs/pictures.md.

Run with `python examples/pictures.py`; it writes docs/pictures/*.png.
"""

from functools import cache
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

from netlines import NetLinesClassifier, NetLinesClassifierCV
from netlines.datasets import load_breast_cancer_wisconsin, load_iris, load_pima_diabetes
from netlines.plots import (
    DomainDisplay,
    GrowthDisplay,
    HyperplaneDisplay,
    MissingAttributeDisplay,
    MissingRowsDisplay,
    NetworkDisplay,
    ReliabilityDisplay,
    TreeDisplay,
    WeightsDisplay,
)

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"


def make_triangle(n_samples):
    """Make uniform points of a square, labelled by whether they lie in a triangle; none next to its sides."""
    X = np.random.default_rng(0).uniform(-1, 1, (n_samples, 2))
    depth = np.minimum(X[:, 1] + 0.55, 0.8 - X[:, 1] - 1.7 * np.abs(X[:, 0]))
    apart = np.abs(depth) > 0.06
    return X[apart], np.where(depth > 0, "inside", "outside")[apart]


@cache
def cancer():
    """Return the breast cancer data and a network without errors on them."""
    table = load_breast_cancer_wisconsin(as_frame=True)
    return table.data, table.target, NetLinesClassifier(random_state=0).fit(table.data, table.target)


def draw_hyperplanes():
    """Draw hyperplanes over two inputs, with the codes of the domains."""
    X, y = make_triangle(150)
    clf = NetLinesClassifier(random_state=0).fit(X, y)
    return HyperplaneDisplay.from_estimator(clf, X, y, codes=True)


def draw_plane():
    """Draw a plane of more inputs."""
    iris = load_iris(as_frame=True)
    clf = NetLinesClassifier(multiclass="shared", random_state=0).fit(iris.data, iris.target)
    return HyperplaneDisplay.from_estimator(clf, iris.data, iris.target, codes=True, features="best")


def draw_domains():
    """Draw the domains of the breast cancer data."""
    X, y, clf = cancer()
    return DomainDisplay.from_estimator(clf, X, y)


def draw_weights():
    """Draw the weights of several units."""
    return WeightsDisplay.from_estimator(cancer()[2])


def draw_unit():
    """Draw the weights of one unit."""
    X, y, _ = cancer()
    return WeightsDisplay.from_estimator(NetLinesClassifierCV(random_state=0).fit(X, y))


def draw_network():
    """Draw a network as a graph."""
    return NetworkDisplay.from_estimator(cancer()[2])


def draw_reliability():
    """Draw how far probabilities of new rows can be trusted."""
    X, y = load_pima_diabetes(return_X_y=True)
    clf = NetLinesClassifierCV(random_state=0).fit(X[:500], y[:500])
    return ReliabilityDisplay.from_estimator(clf, X[500:], y[500:])


def draw_missing():
    """Draw errors against the value assumed for a missing input."""
    rows = load_breast_cancer_wisconsin(incomplete="only", as_frame=True)
    return MissingAttributeDisplay.from_estimator(cancer()[2], rows.data, rows.target, "bare_nuclei")


def draw_missing_rows():
    """Draw for which values of a missing input a row is of which class."""
    rows = load_breast_cancer_wisconsin(incomplete="only", as_frame=True)
    return MissingRowsDisplay.from_estimator(cancer()[2], rows.data, rows.target)


def draw_growth():
    """Draw how a network grew."""
    return GrowthDisplay.from_estimator(cancer()[2])


def draw_tree():
    """Draw a tree of networks."""
    iris = load_iris(as_frame=True)
    clf = NetLinesClassifier(multiclass="tree", random_state=0).fit(iris.data, iris.target)
    return TreeDisplay.from_estimator(clf)


DRAWINGS = {
    "hyperplanes": draw_hyperplanes,
    "plane": draw_plane,
    "domains": draw_domains,
    "weights": draw_weights,
    "unit": draw_unit,
    "network": draw_network,
    "reliability": draw_reliability,
    "missing": draw_missing,
    "missing_rows": draw_missing_rows,
    "growth": draw_growth,
    "tree": draw_tree,
}


def main():
    """Draw all."""
    FOLDER.mkdir(exist_ok=True)
    for name, draw in DRAWINGS.items():
        picture = FOLDER / f"{name}.png"
        draw().figure_.savefig(picture, dpi=130)
        plt.close("all")
        with Image.open(picture) as image:  # few colours make small files
            image.convert("RGB").quantize(64).save(picture, optimize=True)
        print(f"docs/pictures/{picture.name}: {picture.stat().st_size / 1024:.0f} kB")


if __name__ == "__main__":
    main()
