"""The nearest flip of an answer: does it flip, is it needed in full, is it exact, and how long does it take.

    python benchmarks/explain.py [--rows N]
    python benchmarks/explain.py --whole [--rows N]

With --whole it is `explain` as users call it, in whole steps, on six tables with categories, integers, dates
and gaps. Random rows are rows of the table, drawn with repetition, of which a few values come from other
rows. Each flip is asked again as a row of the table; each changed value must be one that the column can have;
"beaten" counts flips for which one of 2,000 random whole changes that are smaller does as well; with
"fewest", one of fewer attributes, or of as many that is smaller. Without --whole:

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
import pandas as pd

from netlines import NetLinesClassifier, NetLinesClassifierCV, Network, Networks, datasets, explain
from netlines.inspection.nearest import Flip, nearest_other
from netlines.inspection.nearest.values import values_of

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


def tables() -> Iterator[tuple[str, Any, Any]]:
    """Yield names, tables and classes for explanations in whole steps."""
    for name in ("breast cancer", "diabetes", "iris"):
        yield name, *datasets_as_frames()[name]()
    frame = datasets.load_monks(2, as_frame=True).frame
    names = [column for column in frame if column != frame.columns[-1]]
    whole = {name.partition("=")[0] for name in names}
    monks = {a: [c.partition("=")[2] for c in picked(frame, names, a)] for a in sorted(whole)}
    yield "monks 2", pd.DataFrame(monks).add_prefix("is ").map("v{}".format), frame[frame.columns[-1]]
    yield "penguins", *datasets.load_penguins(return_X_y=True)
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "age": rng.integers(18, 90, 400),
            "pain": rng.choice(["none", "typical", "non-anginal", "severe"], 400),
            "dose": rng.normal(5, 2, 400).round(2),
            "smokes": rng.choice(["no", "yes"], 400),
            "visits": rng.poisson(2, 400),
        }
    )
    score = (
        table["age"] / 20 + 2 * (table["pain"] == "severe") - table["dose"] / 3 + (table["smokes"] == "yes")
    )
    yield "made up", table, np.where(score + rng.normal(0, 0.5, 400) > score.median(), "ill", "well")


def datasets_as_frames() -> dict[str, Callable[[], Any]]:
    """Return the loaders of tables with names."""
    return {name: partial(load, as_frame=True) for name, load in SETS.items()}


def picked(frame: pd.DataFrame, names: list[str], attribute: str) -> pd.Series:
    """Return of each row the input of an attribute that is on."""
    return frame[[name for name in names if name.partition("=")[0] == attribute]].idxmax(axis=1)


def is_possible(column: pd.Series, value: Any) -> bool:
    """Tell whether a column can have a value: one of its own, a date between, or a number in its range."""
    if not pd.api.types.is_numeric_dtype(column):
        dates = pd.to_datetime(column, errors="coerce", format="mixed")
        if dates.notna().all():
            return bool(dates.min() <= pd.Timestamp(value) <= dates.max())
        return value in set(column.astype(str))
    if column.nunique() == 2 and value not in set(column):
        return False
    whole = bool((column.dropna() % 1 == 0).all())
    return bool(column.min() <= value <= column.max()) and (not whole or value == int(value))


def smaller(network: Any, row: np.ndarray, norm: float, rng: np.random.Generator) -> bool:
    """Tell whether one of many random whole changes below a norm changes the answer."""
    about = network.surroundings
    found = values_of(network, row, range(len(row)), about.low, about.high)
    rows = np.tile(row, (RANDOM_CHANGES, 1))
    for one in found.choices:
        costs = np.sqrt(
            (((one.values - row[list(one.inputs)]) / about.scale[list(one.inputs)]) ** 2).sum(axis=1)
        )
        near = one.values[costs < norm]
        which = rng.random(RANDOM_CHANGES) < 0.4
        if len(near):
            rows[np.ix_(which, one.inputs)] = near[rng.integers(len(near), size=which.sum())]
    for i in found.numbers:
        moved = row[i] + about.scale[i] * norm * rng.uniform(-1, 1, RANDOM_CHANGES)
        rows[:, i] = np.where(
            rng.random(RANDOM_CHANGES) < 0.5, np.clip(moved, about.low[i], about.high[i]), row[i]
        )
    norms = np.sqrt((((rows - row) / about.scale) ** 2).sum(axis=1))
    near_ones = rows[norms < 0.999 * norm]
    return len(near_ones) > 0 and bool((network.predict(near_ones) != network.predict(row[None])[0]).any())


def fewer(network: Any, row: np.ndarray, flip: Flip, rng: np.random.Generator) -> bool:
    """Tell whether a random whole change of fewer attributes does, or a smaller one of as many."""
    about = network.surroundings
    found = values_of(network, row, range(len(row)), about.low, about.high)
    own = [list(one.inputs) for one in found.choices] + [[i] for i in found.numbers]
    most = sum(bool(flip.change[inputs].any()) for inputs in own)
    rows = np.tile(row, (RANDOM_CHANGES, 1))
    sizes = rng.integers(1, most + 1, RANDOM_CHANGES)
    which = rng.random((RANDOM_CHANGES, len(own))).argsort(axis=1).argsort(axis=1) < sizes[:, None]
    for k, inputs in enumerate(own):
        n = which[:, k].sum()
        if k < len(found.choices):
            values = found.choices[k].values
            rows[np.ix_(which[:, k], inputs)] = values[rng.integers(len(values), size=n)]
        else:
            rows[which[:, k], inputs[0]] = rng.uniform(about.low[inputs[0]], about.high[inputs[0]], n)
    norms = np.sqrt((((rows - row) / about.scale) ** 2).sum(axis=1))
    flips = network.predict(rows) != network.predict(row[None])[0]
    return bool((flips & ((sizes < most) | (norms < 0.999 * flip.norm))).any())


def whole_steps(n_rows: int) -> None:
    """Measure and print explanations in whole steps."""
    heads = ("units", "rows", "flipped", "impossible", "exact", "median ms", "p90 ms", "max ms", "beaten")
    print(f"{'table':<15}{'change':<10}" + "".join(f"{head:>11}" for head in heads))
    fitted = [(name, X, NetLinesClassifierCV(random_state=0).fit(X, y)) for name, X, y in tables()]
    for change in ("likely", "fewest"):
        for name, X, clf in fitted:
            figures = map(str, measured(X, clf, change, n_rows))
            print(f"{name:<15}{change:<10}" + "".join(f"{one:>11}" for one in figures), flush=True)


def measured(X: pd.DataFrame, clf: Any, change: str, n_rows: int) -> list[Any]:
    """Return the figures of one line."""
    rng, network = np.random.default_rng(0), clf.network_
    drawn = X.iloc[rng.integers(len(X), size=n_rows)].reset_index(drop=True)
    for column in X:
        other = rng.random(n_rows) < 0.1
        drawn.loc[other, column] = X[column].iloc[rng.integers(len(X), size=other.sum())].to_numpy()
    times, told, impossible = [], [], 0
    for k in range(n_rows):
        start = time.perf_counter()
        told.append(explain(clf, drawn.iloc[k], change=change))
        times.append(1e3 * (time.perf_counter() - start))
    flips = [one for one in told if one.flip is not None]
    rows = np.array([one.flip.row for one in flips])
    labels = np.array([one.flip.label for one in flips])
    wrong = network.predict(rows) != labels
    wrong |= labels == np.array([one.completed_label for one in flips])
    asked = drawn.astype(object)  # the changes as they are told, in the user's table
    whole = np.array([one.flip is not None and not one.missing for one in told])
    for k in np.flatnonzero(whole):
        for column, (_, after) in told[k].changes.items():
            asked.at[k, column] = after
            impossible += not is_possible(X[column], after)
    answers = clf.predict(asked[whole].infer_objects())
    unmet = int((answers != np.array([told[k].flip.label for k in np.flatnonzero(whole)])).sum())
    some = [one for one in flips[: n_rows // 5] if one.flip_exact and not one.missing]
    if change == "likely":
        beaten = sum(smaller(network, np.array(one.row), one.flip.norm, rng) for one in some)
    else:
        beaten = sum(fewer(network, np.array(one.row), one.flip, rng) for one in some)
    exact = np.mean([one.flip_exact for one in told])
    figures = [network.n_hidden, n_rows, f"{len(flips) - int(wrong.sum()) - unmet}/{len(flips)}", impossible]
    figures += [f"{100 * exact:.1f} %", *(f"{np.quantile(times, q):.1f}" for q in (0.5, 0.9, 1.0))]
    return [*figures, beaten]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--whole", action="store_true", help="explanations in whole steps")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # some networks cannot learn all rows: that does not matter here
    if options.whole:
        whole_steps(options.rows)
        return
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
