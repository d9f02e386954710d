"""Draw the tree of networks for iris that the page on many classes shows.

Run with `python examples/tree_picture.py`; it writes docs/tree.png.
"""

from pathlib import Path

import matplotlib

matplotlib.use("agg")

from sklearn.datasets import load_iris

from netlines import TreeOfNetworksClassifier
from netlines.plots import TreeDisplay

PICTURE = Path(__file__).parent.parent / "docs" / "tree.png"


def main():
    """Train and draw."""
    iris = load_iris()
    tree = TreeOfNetworksClassifier().fit(iris.data, iris.target_names[iris.target])
    TreeDisplay.from_estimator(tree).figure_.savefig(PICTURE, dpi=110)
    print(f"wrote {PICTURE}")


if __name__ == "__main__":
    main()
