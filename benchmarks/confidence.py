"""Test errors among the rows a network is sure of and the others, and how long its confidence takes.

Run with `python benchmarks/confidence.py [PICTURE]`. Over 20 random splits of breast cancer (525 training
rows) and diabetes (576) it counts the test errors among the half of the rows with the higher
`domain_confidence` and among the other half, beside the halves by `predict_proba` and by the distance to the
nearest hyperplane. Given the name of a file, it draws the errors among the surest rows into it.
"""

import sys
import time

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import train_test_split

from netlines import NetLinesClassifier, NetLinesClassifierCV
from netlines.datasets import load_breast_cancer_wisconsin, load_pima_diabetes
from netlines.inspection.confidence import domain_weights
from netlines.inspection.domains import standard_distances
from netlines.network import Network

SPLITS = 20
SETS = {"breast cancer": (load_breast_cancer_wisconsin, 525), "diabetes": (load_pima_diabetes, 576)}
MODELS = {
    "NetLinesClassifierCV": lambda seed: NetLinesClassifierCV(random_state=seed),
    "NetLinesClassifier": lambda seed: NetLinesClassifier(random_state=seed),
}
LOOKS = {
    "domain_confidence": {"color": "#0072B2", "linestyle": "-"},
    "predict_proba": {"color": "#009E73", "linestyle": ":"},
    "nearest hyperplane": {"color": "#D55E00", "linestyle": "--"},
}


def errors_by_certainty(load, n_train, make):
    """Return for each measure of certainty which rows are wrong, the surest first, one split a row."""
    X, y = load(return_X_y=True)
    found = {}
    for seed in range(SPLITS):
        X_train, X_test, y_train, y_test = train_test_split(X, y, train_size=n_train, random_state=seed)
        clf = make(seed).fit(X_train, y_train)
        wrong = clf.predict(X_test) != y_test
        measures = {
            "domain_confidence": clf.domain_confidence(X_test),
            "nearest hyperplane": np.abs(standard_distances(clf.network_, X_test)).min(axis=1),
        }
        if hasattr(clf, "predict_proba"):
            measures["predict_proba"] = clf.predict_proba(X_test).max(axis=1)
        for name, certainty in measures.items():
            found.setdefault(name, []).append(wrong[np.argsort(-certainty, kind="stable")])
    return {name: np.array(rows) for name, rows in found.items()}


def draw(ax, title, found):
    """Draw the error among the surest rows against how many of them there are."""
    for name, wrong in found.items():
        share = np.arange(1, wrong.shape[1] + 1) / wrong.shape[1]
        error = np.cumsum(wrong.mean(axis=0)) / np.arange(1, wrong.shape[1] + 1)
        shown = share >= 0.1
        ax.plot(100 * share[shown], 100 * error[shown], label=name, linewidth=1.8, **LOOKS[name])
    ax.set_title(title, fontsize="medium")
    ax.set_ylim(bottom=0)
    ax.grid(color="#DDDDDD", linewidth=0.6)
    ax.spines[["top", "right"]].set_visible(False)


def main():
    """Print the errors, then the times, and draw."""
    figure, axes = plt.subplots(2, 2, figsize=(8.2, 5.6), sharex=True, layout="constrained")
    panels = iter(axes.flat)
    print(f"{'':<16}{'':<22}{'by':<20}{'surer half':>11}{'other half':>11}{'ratio':>7}")
    for problem, (load, n_train) in SETS.items():
        for model, make in MODELS.items():
            found = errors_by_certainty(load, n_train, make)
            draw(next(panels), f"{problem}, {model}", found)
            for name, wrong in found.items():
                half = wrong.shape[1] // 2
                sure, other = wrong[:, :half].sum(), wrong[:, half:].sum()
                ratio = f"{other / sure:.1f}" if sure else "-"
                print(f"{problem:<16}{model:<22}{name:<20}{sure:>11}{other:>11}{ratio:>7}", flush=True)
    if len(sys.argv) > 1:
        axes[0, 0].legend(frameon=False)
        figure.supxlabel("surest test rows, %")
        figure.supylabel("errors among them, %")
        figure.savefig(sys.argv[1], dpi=110)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(10_000, 30))
    print(f"\n{'10,000 rows':<16}{'classes':>9}{'seconds':>9}")
    for n_hidden, n_classes in ((16, 2), (16, 10), (100, 2), (100, 10)):
        output = rng.normal(size=(1 if n_classes == 2 else n_classes, n_hidden + 1))
        network = Network(rng.normal(size=(n_hidden, 31)), output, range(n_classes))
        start = time.perf_counter()
        domain_weights(network, X)
        print(f"{f'{n_hidden} units':<16}{n_classes:>9}{time.perf_counter() - start:>9.2f}")


if __name__ == "__main__":
    main()
