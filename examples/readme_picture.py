"""Draw the picture of the README: a disc learnt by a few hyperplanes, and how the network grew.

Run with `python examples/readme_picture.py`; it writes docs/picture.png.
"""

from pathlib import Path

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np

from netlines import NetLinesClassifier
from netlines.plots import GrowthDisplay, HyperplaneDisplay

PICTURE = Path(__file__).parent.parent / "docs" / "picture.png"


def make_disc(n_samples, radius=0.62, gap=0.04):
    """Make uniform points of a square, labelled by whether they lie in a disc; none in a gap around it."""
    X = np.random.default_rng(0).uniform(-1, 1, (n_samples, 2))
    X = X[abs(np.hypot(*X.T) - radius) > gap]
    return X, np.where(np.hypot(*X.T) < radius, "inside", "outside")


def main():
    """Train and draw."""
    X, y = make_disc(400)
    clf = NetLinesClassifier().fit(X, y)
    with plt.rc_context({"font.size": 9}):
        figure, (left, right) = plt.subplots(
            1, 2, figsize=(8.2, 3.6), layout="constrained", width_ratios=(1, 1.15)
        )
        left.set_aspect("equal")
        HyperplaneDisplay.from_estimator(clf, X, y, ax=left)
        GrowthDisplay.from_estimator(clf, ax=right)
        figure.get_layout_engine().set(wspace=0.06)
        PICTURE.parent.mkdir(exist_ok=True)
        figure.savefig(PICTURE, dpi=130)
    print(f"{clf.n_hidden_} hyperplanes, {clf.n_training_errors_} errors of {len(y)}: docs/{PICTURE.name}")


if __name__ == "__main__":
    main()
