"""Three classes by networks of two: trees, their vote, winner-takes-all, each class against the rest."""

from __future__ import annotations

from collections.abc import Iterable

from netlines.classifiers.multiclass import TreeVoteClassifier, WinnerTakesAllClassifier
from netlines.reproduce.runs.methods import CV, fit, make, measure, score
from netlines.reproduce.runs.records import Row, Run, read_case, write_case
from netlines.reproduce.runs.splits import Patterns

OWN, VOTE, WTA = "own", "vote", "wta"
TREE, CLASS = "tree", "class"  # the learning sequence that begins with a class; a class against the rest


def scheme_runs(
    experiment: str, methods: Iterable[str], labels: Iterable[object], seeds: Iterable[int]
) -> list[Run]:
    """Return a vote, which gives its trees too, and a winner-takes-all, which gives its networks too."""
    gives = {
        VOTE: [VOTE, *(f"{TREE} {label}" for label in labels)],
        WTA: [WTA, *(f"{CLASS} {label}" for label in labels)],
    }
    seeds = list(seeds)
    return [
        Run(experiment, method, write_case(scheme=scheme), seed, tuple(write_case(scheme=s) for s in parts))
        for method in methods
        for scheme, parts in gives.items()
        for seed in seeds
    ]


def measure_scheme(run: Run, train: Patterns, test: Patterns) -> list[Row]:
    """Fit a scheme and score it as a whole and in its parts."""
    scheme = read_case(run.case)["scheme"]
    if scheme == OWN:
        return measure(run, train, test)
    (X, y), (X_test, y_test) = train, test
    if run.method == CV and scheme.startswith(CLASS):
        label = scheme.removeprefix(f"{CLASS} ")
        return measure(run, (X, y.astype(str) == label), (X_test, y_test.astype(str) == label))
    if run.method == CV:
        return measure(run, train, test, multiclass=scheme)
    kind = TreeVoteClassifier if scheme == VOTE else WinnerTakesAllClassifier
    fitted, seconds = fit(kind(make(run.method, run.seed)), X, y)
    rows = [score(run, fitted, seconds, train, test)]
    if scheme == VOTE:
        for tree in fitted.trees_:
            rows.append(score(_part(run, TREE, tree.order_[0]), tree, seconds, train, test))
    else:
        for (label, _), network in zip(fitted.problems_, fitted.estimators_, strict=True):
            one, one_test = (X, y == label), (X_test, y_test == label)
            rows.append(score(_part(run, CLASS, label), network, seconds, one, one_test))
    return rows


def _part(run: Run, kind: str, label: object) -> Run:
    return Run(run.experiment, run.method, write_case(scheme=f"{kind} {label}"), run.seed)
