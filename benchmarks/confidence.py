"""Test errors among the rows a network is sure of and the others, and how long its confidence takes.

Run with `python benchmarks/confidence.py`. Over 20 random splits of breast cancer (525 training rows) and
diabetes (576) it counts the test errors among the half of the rows with the higher `domain_confidence` and
among the other half, beside the halves by `predict_proba` and by the distance to the nearest hyperplane.
"""

import time

import numpy as np
from sklearn.model_selection import train_test_split

from netlines import NetLinesClassifier, NetLinesClassifierCV
from netlines.confidence import domain_weights
from netlines.datasets import load_breast_cancer_wisconsin, load_pima_diabetes
from netlines.domains import standard_distances
from netlines.network import Network

SPLITS = 20
SETS = {"breast cancer": (load_breast_cancer_wisconsin, 525), "diabetes": (load_pima_diabetes, 576)}
MODELS = {
    "NetLinesClassifierCV": lambda seed: NetLinesClassifierCV(random_state=seed),
    "NetLinesClassifier": lambda seed: NetLinesClassifier(random_state=seed),
}


def halves(wrong, certainty):
    """Return the errors among the surer half of the rows and among the others."""
    order = np.argsort(-certainty, kind="stable")
    return np.array([wrong[order[: len(order) // 2]].sum(), wrong[order[len(order) // 2 :]].sum()])


def count_errors(load, n_train, make):
    """Return the errors in both halves over all splits, by each measure of certainty."""
    X, y = load(return_X_y=True)
    total = {}
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
            total[name] = total.get(name, 0) + halves(wrong, certainty)
    return total


def main():
    """Print the errors, then the times."""
    print(f"{'':<16}{'':<22}{'by':<20}{'surer half':>11}{'other half':>11}{'ratio':>7}")
    for problem, (load, n_train) in SETS.items():
        for model, make in MODELS.items():
            for name, (sure, other) in count_errors(load, n_train, make).items():
                ratio = f"{other / sure:.1f}" if sure else "-"
                print(f"{problem:<16}{model:<22}{name:<20}{sure:>11}{other:>11}{ratio:>7}", flush=True)
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
