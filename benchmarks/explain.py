"""The nearest flip of an answer: does it flip, is it needed in full, is it exact, and how long does it take.

    python benchmarks/explain.py [--rows N]

Random rows are rows of the data set, drawn with repetition, plus normal noise of half a standard deviation.
A flip is needed in full if 99 % of its change do not change the answer. "moved" expects other priors: there
probabilities decide. The last table compares flips with random changes that are at most as large.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from netlines import NetLinesClassifier, NetLinesClassifierCV, Network, Networks, datasets
from netlines.inspection.nearest import Flip, nearest_other

SETS: dict[str, Callable[[], Any]] = {
    "breast cancer": partial(datasets.load_breast_cancer_wisconsin, return_X_y=True),
    "diabetes": partial(datasets.load_pima_diabetes, return_X_y=True),
    "sonar": partial(datasets.load_sonar, return_X_y=True),
    "monks 1": partial(datasets.load_monks, 1, return_X_y=True),
    "monks 2": partial(datasets.load_monks, 2, return_X_y=True),
    "iris": partial(datasets.load_iris, return_X_y=True),
}
RANDOM_CHANGES = 2000


def models() -> Iterator[tuple[str, str, np.ndarray, Network | Networks]]:
    """Yield the names of set and classifier, the rows and the network."""
    for name, load in SETS.items():
        X, y = load()
        X = np.asarray(X, dtype=float)
        for kind in (NetLinesClassifier, NetLinesClassifierCV):
            model = kind(random_state=0).fit(X, y)
            yield name, kind.__name__, X, model.network_
        if name == "diabetes":
            yield name, "... CV, moved", X, model.set_priors([0.5, 0.5]).network_
    for scheme in ("tree", "wta", "pairs"):
        yield (
            name,
            f"scheme {scheme}",
            X,
            NetLinesClassifier(multiclass=scheme, random_state=0).fit(X, y).network_,
        )


def best_random(network: Network | Networks, row: np.ndarray, norm: float, rng: np.random.Generator) -> float:
    """Return the smallest of many random changes up to a norm that changes the answer, over that norm."""
    changes = rng.standard_normal((RANDOM_CHANGES, len(row)))
    changes *= (norm * rng.random(RANDOM_CHANGES) / np.sqrt((changes**2).sum(axis=1)))[:, None]
    flips = network.predict(row + changes * network.surroundings.scale) != network.predict(row[None])[0]
    return float(np.sqrt((changes[flips] ** 2).sum(axis=1)).min(initial=norm) / norm)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=1000)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # some networks cannot learn all rows: that does not matter here
    rng = np.random.default_rng(0)
    heads = ("units", "rows", "flipped", "at 0.99", "exact", "median ms", "max ms", "beaten")
    print(f"{'set':<15}{'classifier':<22}" + "".join(f"{head:>11}" for head in heads))
    for name, kind, X, network in models():
        rows = X[rng.integers(len(X), size=options.rows)]
        rows = rows + 0.5 * X.std(axis=0) * rng.standard_normal(rows.shape)
        flips: list[Flip | None] = []
        times = []
        for row in rows:
            start = time.perf_counter()
            flips.append(nearest_other(network, row))
            times.append(1e3 * (time.perf_counter() - start))
        pairs = [(row, flip) for row, flip in zip(rows, flips, strict=True) if flip is not None]
        before = network.predict(np.array([row for row, _ in pairs]))
        flipped = network.predict(np.array([flip.row for _, flip in pairs])) != before
        early = network.predict(np.array([row + 0.99 * flip.change for row, flip in pairs])) != before
        exact = np.mean([flip.exact for _, flip in pairs])
        beaten = [best_random(network, row, flip.norm, rng) < 0.999 for row, flip in pairs[:100]]
        shares = (flipped.sum() / len(rows), early.mean(), exact)
        told = [network.n_hidden, len(rows), *(f"{100 * share:.1f} %" for share in shares)]
        told += [f"{np.median(times):.2f}", f"{max(times):.1f}", f"{sum(beaten)} of {len(beaten)}"]
        print(f"{name:<15}{kind:<22}" + "".join(f"{one:>11}" for one in told), flush=True)


if __name__ == "__main__":
    main()
