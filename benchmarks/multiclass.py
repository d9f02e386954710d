"""Many classes: trees of networks, their votes, winner-takes-all, pairs, one shared layer, and their peers.

    python benchmarks/multiclass.py                       # every section
    python benchmarks/multiclass.py waveform iris         # the paper's two problems, beside the peers
    python benchmarks/multiclass.py schemes --splits 1    # error-free networks on the group "classes"
    python benchmarks/multiclass.py votes time            # a vote beside its trees; times with n_jobs=2
    python benchmarks/multiclass.py iris --again net-vote netlines

Names: net-… are the classifiers with error-free networks inside, free-… the same through
NetLinesClassifier(multiclass=…), cv-… NetLinesClassifierCV(multiclass=…) and netlines its default. The first
three sections keep each figure of a (set, split, method) in the cache of generalise.py and share the peers'
figures with it; the other two measure anew, so that their ratios are of one run.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from generalise import Report, change_results, read_results, run
from peers import peers, simple_peers
from sets import BUILD, CLASSES, splits
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.tree import DecisionTreeClassifier

import netlines

SCHEMES = ("tree", "vote", "wta", "pairs", "shared")
NETS, FREE, CHOSEN = ([f"{kind}-{scheme}" for scheme in SCHEMES] for kind in ("net", "free", "cv"))
BESIDE = ["LR", "LR-CV", "LDA", "QDA", "forest", "LightGBM", "tree", "SVC", "MLP(3)", "MLP(10)"]
SIDE_BY_SIDE = [*NETS, "netlines", *CHOSEN, *BESIDE]
ORDERS = ([0, 1, 2], [1, 0, 2], [2, 0, 1])  # of three classes: each one first
PARTS = {"net": "error-free networks", "unit": "single units"}
SINGLES = {part: [f"{part}-{order[0]}-first" for order in ORDERS] for part in PARTS}


def seconds(fit: Callable[[], object]) -> float:
    """Return the shorter time of two runs."""
    times = []
    for _ in range(2):
        start = perf_counter()
        fit()
        times.append(perf_counter() - start)
    return min(times)


def own(name: str, *arguments: Any, **options: Any) -> Callable[[], Any]:
    """Return a factory of a classifier of the library; the class is looked up when it is called."""
    return lambda: getattr(netlines, name)(*arguments, **options)


def methods() -> dict[str, Callable[[], Any]]:
    """Return the factory of each method by its name."""
    factories = {
        "net-tree": own("TreeOfNetworksClassifier"),
        "net-vote": own("TreeVoteClassifier"),
        "net-wta": own("WinnerTakesAllClassifier"),
        "net-pairs": own("PairwiseClassifier"),
        "net-shared": own("NetLinesClassifier", multiclass="shared"),
        "netlines": own("NetLinesClassifierCV"),
    }
    for scheme in SCHEMES:
        factories[f"cv-{scheme}"] = own("NetLinesClassifierCV", multiclass=scheme)
        factories[f"free-{scheme}"] = own("NetLinesClassifier", multiclass=scheme)
    estimators = {"net": netlines.NetLinesClassifier(), "unit": netlines.MinimerrorClassifier()}
    for part, estimator in estimators.items():
        for name, order in zip(SINGLES[part], ORDERS, strict=True):
            factories[name] = own("TreeOfNetworksClassifier", estimator, order=order)
        factories[f"{part}-vote-of-3"] = own("TreeVoteClassifier", estimator, orders=ORDERS)
    return factories | peers() | simple_peers()


def measured(names: Iterable[str], chosen: Iterable[str], options: argparse.Namespace) -> Report:
    """Measure what the cache lacks and return everything it holds then."""
    report = Report({}, options.splits)
    keys = [(name, k, method) for method in chosen for name in names for k in range(report.wanted(name))]
    results = change_results(options.cache, without=[key for key in keys if key[2] in options.again])
    tasks = [key for key in keys if key not in results]
    options.failures += run(tasks, options.cache, options.jobs, methods)
    return Report(read_results(options.cache), options.splits)


def errors_of(report: Report, name: str, method: str) -> np.ndarray:
    """Return the error of each split of a set in %."""
    return np.array([100 * result.error for result in report.of(name, method).values()])


def sizes(report: Report, name: str, method: str) -> str:
    """Return the mean number of parameters and fit time on a set, and how many splits are lacking."""
    lacking = report.wanted(name) - len(report.of(name, method))
    parameters, fit = (report.mean(name, method, quantity) for quantity in ("parameters", "seconds"))
    return f"{parameters:>12,.0f}{fit:>9.3g}" + (f"  {lacking} are lacking" if lacking else "")


def waveform(options: argparse.Namespace) -> None:
    """Print the paper's waveform problem: all methods, then single trees against their vote."""
    chosen = [*SIDE_BY_SIDE, *(name for part in PARTS for name in (*SINGLES[part], f"{part}-vote-of-3"))]
    report = measured(["waveform3"], chosen, options)
    print(f"waveform: {report.wanted('waveform3')} training sets of 300, one test set of 5000")
    print(f"  {'':<15}{'error %':>9}{'s.d.':>7}{'parameters':>12}{'s a fit':>9}")
    for method in chosen:
        errors = errors_of(report, "waveform3", method)
        if len(errors):
            print(f"  {method:<15}{errors.mean():>9.2f}{deviation(errors):>7.2f}", end="")
            print(sizes(report, "waveform3", method))
    for part, what in PARTS.items():
        trees = [errors_of(report, "waveform3", method) for method in SINGLES[part]]
        vote = errors_of(report, "waveform3", f"{part}-vote-of-3")
        if len({len(vote), *map(len, trees)}) == 1 and len(vote) > 1:
            print_remark(what, np.array(trees), vote)


def deviation(values: np.ndarray) -> float:
    """Return the standard deviation, NaN for a single value."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else float("nan")


def print_remark(what: str, trees: np.ndarray, vote: np.ndarray) -> None:
    """Hold "the vote reduces the variance, but does not decrease the average error" against the figures."""
    spread = np.sqrt(trees.var(axis=1, ddof=1).mean())
    gains = trees.mean(axis=0) - vote
    gain, error = gains.mean(), deviation(gains) / np.sqrt(len(gains))
    print(f"\nthe paper's remark on the vote of three trees, {what}: a tree, the vote")
    print(f"  s.d. over the training sets {spread:>6.2f}{deviation(vote):>7.2f}", end="")
    print(f"   the vote reduces the variance: {'shown' if deviation(vote) < spread else 'refuted'}")
    print(f"  mean error, %               {trees.mean():>6.2f}{vote.mean():>7.2f}", end="")
    print(f"   it does not decrease the average error: {'refuted' if gain > 2 * error else 'shown'}", end="")
    print(f" (by {gain:.2f} ± {error:.2f} on the same training sets)")


def iris(options: argparse.Namespace) -> None:
    """Print the errors on iris, one row left out at a time."""
    methods = [method for method in SIDE_BY_SIDE if method not in CHOSEN]  # 150 fits of each take too long
    report = measured(["iris3"], methods, options)
    print(f"iris, leave one out: errors of {report.wanted('iris3')}")
    print(f"  {'':<15}{'errors':>9}{'parameters':>12}{'s a fit':>9}")
    for method in methods:
        errors = errors_of(report, "iris3", method)
        if len(errors):
            print(f"  {method:<15}{round(errors.sum() / 100):>9}{sizes(report, 'iris3', method)}")


def schemes(options: argparse.Namespace) -> None:
    """Print error, weights and time of error-free networks in each scheme on the sets of group "classes"."""
    report = measured(CLASSES, FREE, options)
    print("error-free networks by NetLinesClassifier(multiclass=…), means over the splits")
    titles = {"error": "test error", "parameters": "weights", "seconds": "seconds a fit"}
    for (quantity, title), form in zip(titles.items(), ("9.2%", "9,.0f", "9.2f"), strict=True):
        rows = {name: [mean_of_all(report, name, method, quantity) for method in FREE] for name in CLASSES}
        rows["mean"] = list(np.mean(list(rows.values()), axis=0))
        print(f"  {title:<15}" + "".join(f"{scheme:>9}" for scheme in SCHEMES))
        for name, values in rows.items():
            print(f"  {name:<15}" + "".join(f"{value:{form}}" for value in values))
        print()


def mean_of_all(report: Report, name: str, method: str, quantity: str) -> float:
    """Return the mean over the splits of a set, NaN if one of them is lacking."""
    return report.mean(name, method, quantity) if report.is_complete(name, method) else float("nan")


def votes(options: argparse.Namespace) -> None:
    """Print the accuracy of a vote of trees of logistic regressions against that of each tree, on digits."""
    linear = LogisticRegression(max_iter=2000)
    print("digits, half for training: accuracy of a vote of trees of logistic regressions, of its trees")
    print(f"  {'split':<8}{'vote':>8}{'trees':>7}{'mean':>8}{'best':>8}{'worst':>8}   at least the mean")
    for k, (X, y, X_test, y_test) in enumerate(splits("digits10")):
        vote = netlines.TreeVoteClassifier(linear).fit(X / 16, y)
        score = vote.score(X_test / 16, y_test)
        trees = [tree.score(X_test / 16, y_test) for tree in vote.trees_]
        print(f"  {k:<8}{score:>8.4f}{len(trees):>7}{np.mean(trees):>8.4f}{max(trees):>8.4f}", end="")
        print(f"{min(trees):>8.4f}   {'yes' if score >= np.mean(trees) else 'NO'}", flush=True)
    X, y, X_test, y_test = next(splits("digits10"))
    shallow = DecisionTreeClassifier(max_depth=3, random_state=0)
    tree = netlines.TreeOfNetworksClassifier(shallow).fit(X, y)
    alone = shallow.fit(X, y).score(X_test, y_test)
    together = tree.score(X_test, y_test)
    print(f"  a tree of {len(tree.estimators_)} decision trees of depth 3: {together:.4f}; one: {alone:.4f}")


def time(options: argparse.Namespace) -> None:
    """Print how long fits take with n_jobs=2, with n_jobs=1, and by scikit-learn's one-against-the-rest."""
    X, y, *_ = next(splits("digits10"))
    X = X / 16
    print(f"fit to {len(y)} digits of {X.shape[1]} pixels, 10 classes, the shorter of two runs in s")
    print(f"  {'':<26}{'n_jobs=1':>10}{'n_jobs=2':>10}{'2 to 1':>8}{'1 to one-vs-rest':>18}")
    for estimator in (LogisticRegression(max_iter=2000), netlines.NetLinesClassifier()):
        rest = seconds(partial(OneVsRestClassifier(estimator, n_jobs=1).fit, X, y))
        print(f"  {type(estimator).__name__} in OneVsRestClassifier: {rest:.2f} s", flush=True)
        for name in ("TreeOfNetworksClassifier", "TreeVoteClassifier", "WinnerTakesAllClassifier"):
            make = getattr(netlines, name)
            one, two = (seconds(partial(make(estimator, n_jobs=jobs).fit, X, y)) for jobs in (1, 2))
            print(f"  {name:<26}{one:>10.2f}{two:>10.2f}{two / one:>8.2f}{one / rest:>18.2f}", flush=True)


SECTIONS = {"waveform": waveform, "iris": iris, "schemes": schemes, "votes": votes, "time": time}


def main() -> int:
    """Print the chosen sections; return 1 after a failure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    what = ", ".join(SECTIONS)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"of {what}; default all")
    parser.add_argument("--splits", type=int, help="only the first splits of each set")
    parser.add_argument(
        "--again", nargs="+", default=[], choices=list(methods()), metavar="METHOD", help="measure anew"
    )
    parser.add_argument("--cache", type=Path, default=BUILD / "generalise.csv", metavar="FILE")
    parser.add_argument("--jobs", type=int, default=1, help="processes; times are honest with one")
    options = parser.parse_args()
    for section in options.sections:
        if section not in SECTIONS:
            parser.error(f"{section!r} is not a section, those are {what}")
    if options.splits is not None and options.splits < 1:
        parser.error(f"--splits must be at least 1, got {options.splits}")
    options.failures = []
    warnings.simplefilter("ignore")
    for section in options.sections or SECTIONS:
        SECTIONS[section](options)
        print(flush=True)
    for failure in options.failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    return int(bool(options.failures))


if __name__ == "__main__":
    sys.exit(main())
