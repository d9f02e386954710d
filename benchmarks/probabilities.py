"""Probabilities of NetLinesClassifierCV: log-loss beside logistic regression, changed priors, a picture.

    python benchmarks/probabilities.py [--splits N] [--picture FILE]

1. Log-loss on the test rows over that of logistic regression, on the same splits.
2. Priors: the test rows are drawn anew so that the second class has another share; error before and after
   `set_priors`.
3. Reliability: of the test rows of all splits with similar probabilities, the share of the second class.
"""

from __future__ import annotations

import argparse
from itertools import islice
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np
from peers import peers
from sets import splits
from sklearn.metrics import log_loss

from netlines import NetLinesClassifierCV

NAMES = ("breast-cancer", "diabetes", "ionosphere", "banana", "phoneme")
MOVED = ("breast-cancer", "diabetes", "phoneme")
COLOURS = {"netlines": "#D55E00", "logistic regression": "#000000"}
BINS = np.linspace(0.0, 1.0, 11)


def resampled(y: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """Return rows, drawn with repetition, of which the second class has this share."""
    one = rng.random(len(y)) < share
    rows = [rng.choice(np.flatnonzero(y == label), len(y)) for label in (0, 1)]
    return np.where(one, rows[1], rows[0])


def draw_reliability(found: dict[str, dict[str, list]], path: Path) -> None:
    """Draw the share of the second class against its probability, one panel a set."""
    figure, axes = plt.subplots(
        1, len(found), figsize=(3.1 * len(found), 3.4), sharey=True, layout="constrained"
    )
    for ax, (name, methods) in zip(axes, found.items(), strict=True):
        ax.plot([0, 1], [0, 1], color="0.7", linewidth=1)
        for (method, pairs), marker in zip(methods.items(), "os", strict=True):
            p, y = (np.concatenate(part) for part in zip(*pairs, strict=True))
            which = np.clip(np.digitize(p, BINS) - 1, 0, 9)
            use = [k for k in range(10) if np.count_nonzero(which == k) >= 20]
            points = [(p[which == k].mean(), y[which == k].mean()) for k in use]
            ax.plot(
                *zip(*points, strict=True), marker=marker, markersize=4, label=method, color=COLOURS[method]
            )
        ax.set(title=name, xlabel="probability of the second class", aspect="equal")
    axes[0].set_ylabel("share of the second class")
    axes[0].legend(frameon=False, fontsize=8)
    figure.savefig(path, dpi=120, bbox_inches="tight")
    plt.close(figure)


def main() -> None:
    """Measure, print and draw."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--splits", type=int, default=20)
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    found: dict[str, dict[str, list]] = {}
    moved: dict[str, list] = {name: [] for name in MOVED}
    print(f"{'set':<15}{'splits':>8}{'netlines':>10}{'LR':>9}{'ratio':>8}")
    for name in NAMES:
        found[name] = {method: [] for method in COLOURS}
        losses = []
        for X, y, X_test, y_test in islice(splits(name), options.splits):
            models = NetLinesClassifierCV().fit(X, y), peers()["LR"]().fit(X, y)
            p = [model.predict_proba(X_test)[:, 1] for model in models]
            losses.append([log_loss(y_test, one, labels=[0, 1]) for one in p])
            for method, one in zip(COLOURS, p, strict=True):
                found[name][method].append((one, y_test))
            for share in (0.1, 0.9) if name in MOVED else ():
                rows = resampled(y_test, share, rng)
                before = np.mean(models[0].set_priors(None).predict(X_test[rows]) != y_test[rows])
                after = np.mean(
                    models[0].set_priors([1 - share, share]).predict(X_test[rows]) != y_test[rows]
                )
                moved[name].append((share, before, after))
        mine, theirs = np.mean(losses, axis=0)
        print(f"{name:<15}{len(losses):>8}{mine:>10.4f}{theirs:>9.4f}{mine / theirs:>8.3f}", flush=True)
    print(f"\n{'set':<15}{'new share':>11}{'error before':>14}{'after set_priors':>18}")
    for name, rows in moved.items():
        table = np.array(rows)
        for share in (0.1, 0.9):
            _, before, after = table[table[:, 0] == share].mean(axis=0)
            print(f"{name:<15}{share:>11}{100 * before:>12.2f} %{100 * after:>16.2f} %")
    if options.picture:
        draw_reliability(found, options.picture)


if __name__ == "__main__":
    main()
