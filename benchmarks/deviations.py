"""Print what each departure from the paper brings: errors of a unit, hidden units of a network.

python benchmarks/deviations.py
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from netlines import MinimerrorClassifier, NetLinesClassifier
from netlines.datasets import (
    load_breast_cancer_wisconsin,
    load_monks,
    load_pima_diabetes,
    load_sonar,
    make_parity,
    make_waveform,
)

Problem = tuple[np.ndarray, np.ndarray]


def unit_problems() -> Iterator[tuple[str, Problem]]:
    """Yield the problems on which single units are compared."""
    yield "breast cancer", load_breast_cancer_wisconsin(return_X_y=True)
    yield "diabetes", load_pima_diabetes(return_X_y=True)
    yield "sonar", load_sonar(return_X_y=True)
    for k in (1, 2, 3):
        yield f"monks {k}", load_monks(k, return_X_y=True)
    X, y = make_waveform(300, random_state=0)
    for c in range(3):
        yield f"waveform {c}", (X, y == c)


def network_problems() -> Iterator[tuple[str, list[Problem]]]:
    """Yield groups of problems on which networks are compared."""
    for n in (4, 6, 8):
        yield f"parity {n}", [make_parity(n)]
    for k in (1, 2, 3):
        yield f"monks {k}", [load_monks(k, return_X_y=True)]
    waves = [make_waveform(300, random_state=seed) for seed in range(4)]
    yield "waveform class, 12 sets", [(X, y == c) for X, y in waves for c in range(3)]
    X, y = load_breast_cancer_wisconsin(return_X_y=True)
    rng = np.random.default_rng(0)
    chosen = [rng.permutation(len(y))[:525] for _ in range(5)]
    yield "breast cancer 525, 5 sets", [(X[rows], y[rows]) for rows in chosen]
    rng = np.random.default_rng(1)
    labels = [(rng.standard_normal((100, 10)), rng.random(100) < 0.5) for _ in range(10)]
    yield "100 random labels in 10-d, 10 sets", labels
    for k in (3, 5):
        yield f"majority of {k} hyperplanes, 3 sets", [_committee(k, rng) for _ in range(3)]


def _committee(k: int, rng: np.random.Generator) -> Problem:
    X, W = rng.standard_normal((1000, 10)), rng.standard_normal((k, 10))
    return X, np.sign(X @ W.T).sum(axis=1) > 0


def compare_units() -> None:
    """Print training errors and epochs of a unit by schedule."""
    units = {
        "paper": MinimerrorClassifier(schedule="paper"),
        "fast, θ = 6 once": MinimerrorClassifier(theta=6.0, n_starts=1),
        "fast, 14 θ (default)": MinimerrorClassifier(),
    }
    print(f"{'training errors (epochs) of a unit':36}" + "".join(f"{name:>24}" for name in units))
    for name, (X, y) in unit_problems():
        cells = []
        for unit in units.values():
            unit.fit(X, y)
            cells.append(f"{unit.n_training_errors_} ({unit.n_epochs_})")
        print(f"{name:36}" + "".join(f"{cell:>24}" for cell in cells), flush=True)


def compare_networks() -> None:
    """Print the mean number of hidden units by algorithm; every network is grown to zero errors."""
    networks = {
        "paper": NetLinesClassifier(schedule="paper", refine=False),
        "fast, refine=False": NetLinesClassifier(refine=False),
        "default": NetLinesClassifier(),
    }
    print(f"\n{'mean hidden units (seconds a fit)':36}" + "".join(f"{name:>24}" for name in networks))
    for name, problems in network_problems():
        cells = []
        for network in networks.values():
            start, sizes = time.perf_counter(), []
            for X, y in problems:
                sizes.append(network.fit(X, y).n_hidden_)
            seconds = (time.perf_counter() - start) / len(problems)
            cells.append(f"{np.mean(sizes):.1f} ({seconds:.2f})")
        print(f"{name:36}" + "".join(f"{cell:>24}" for cell in cells), flush=True)


if __name__ == "__main__":
    compare_units()
    compare_networks()
