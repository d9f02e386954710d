"""Grow a network on the breast cancer data, show what it learnt and how well it does on new rows.

Run with `make demo`, or `python examples/demo.py` with netlines[plots,cli] installed. It prints the report
and writes it with the picture of the growth and the model file into demo/.
"""

import base64
import html
import textwrap
import warnings
from itertools import combinations
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import numpy as np
from rich.console import Console
from rich.progress import Progress
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from netlines import MinimerrorClassifier, NetLinesClassifier
from netlines.datasets import load_breast_cancer_wisconsin
from netlines.export.model_file import save_network
from netlines.plots import GrowthDisplay

FOLDER = Path("demo")
FOLDS = 10


def describe_hyperplanes(network):
    """Return the hyperplanes as text, the inputs with the largest weights first."""
    paragraphs = []
    for k, (bias, *slopes) in enumerate(network.hidden_weights, start=1):
        terms = []
        for i in np.argsort(np.abs(slopes))[::-1]:
            # Spaces that do not break keep a weight and its name on one line.
            term = f"{'-' if slopes[i] < 0 else '+'} {abs(slopes[i]):.2f} {network.feature_names[i]}"
            terms.append(term.replace(" ", "\N{NO-BREAK SPACE}"))
        sentence = f"unit {k} is + where {' '.join(terms)} ≥ {-bias:.2f}"
        paragraphs.append(textwrap.fill(sentence, 96, subsequent_indent="    "))
    return "\n".join(paragraphs).replace("\N{NO-BREAK SPACE}", " ").replace("where + ", "where ")


def describe_output(network):
    """Return the output unit as a rule: the smallest sets of hidden states that decide alone."""
    bias, weights = network.output_weights[0, 0], network.output_weights[0, 1:]
    helpful = np.where(weights > 0, 1.0, -1.0)
    sufficient = []
    for size in range(network.n_hidden + 1):
        for units in combinations(range(network.n_hidden), size):
            code = -helpful
            code[list(units)] *= -1
            if bias + code @ weights >= 0 and not any(set(smaller) <= set(units) for smaller in sufficient):
                sufficient.append(units)
    states = [" and ".join(f"unit {k + 1} {'+' if helpful[k] > 0 else '-'}" for k in s) for s in sufficient]
    low, high = network.classes
    return f"{high} where  " + f"\n{'or':>{len(high) + 6}}  ".join(states) + f"\notherwise {low}"


def describe_codes(network, X, y):
    """Return a table of the internal representations that occur, with the rows of each class that have it."""
    codes, which = np.unique(network.internal_representation(X), axis=0, return_inverse=True)
    units = "".join(f"{k + 1:>4}" for k in range(network.n_hidden))
    lines = [f"{units}   {network.classes[0]:>10}{network.classes[1]:>12}   answer"]
    counts = [[int((y[which == i] == label).sum()) for label in network.classes] for i in range(len(codes))]
    for i in np.argsort([-sum(count) for count in counts]):
        states = "".join(f"{'+' if state > 0 else '-':>4}" for state in codes[i])
        lines.append(
            f"{states}   {counts[i][0]:>10}{counts[i][1]:>12}   {network.predict(X[which == i][:1])[0]}"
        )
    return "\n".join(lines)


def count_parameters(model):
    """Return the numbers that a fitted classifier keeps: weights, or two a split and one a leaf of a tree."""
    model = model[-1] if hasattr(model, "steps") else model
    if hasattr(model, "n_weights_"):
        return model.n_weights_
    if hasattr(model, "tree_"):
        return 2 * model.tree_.node_count - model.tree_.n_leaves
    weights = getattr(model, "coefs_", None) or [model.coef_]
    biases = getattr(model, "intercepts_", None) or [model.intercept_]
    return sum(array.size for array in [*weights, *biases])


def cross_validate(models, X, y):
    """Return the error rate and the number of parameters of each model in each fold."""
    results = {name: [] for name in models}
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        for train, test in progress.track(list(folds.split(X, y)), description="cross-validating"):
            for name, model in models.items():
                fitted = clone(model).fit(X.iloc[train], y.iloc[train])
                error = float(np.mean(fitted.predict(X.iloc[test]) != y.iloc[test]))
                results[name].append((error, count_parameters(fitted)))
    return {name: np.array(pairs) for name, pairs in results.items()}


def describe_comparison(results):
    """Return the table of cross-validated errors with their standard errors, and of sizes."""
    lines = [f"{'':<34}{'error':>9}{'s.e.':>9}{'parameters':>13}"]
    for name, pairs in results.items():
        errors, sizes = pairs.T
        deviation = errors.std(ddof=1) / np.sqrt(len(errors))
        lines.append(f"{name:<34}{100 * errors.mean():>7.1f} %{100 * deviation:>7.1f} %{sizes.mean():>13.0f}")
    return "\n".join(lines)


def write_report(text, picture):
    """Write one HTML page that holds the text and the picture, and return its path."""
    encoded = base64.b64encode(picture.read_bytes()).decode()
    page = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>netlines: breast cancer</title>
<style>
body {{ font-family: system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }}
pre {{ background: #f6f6f6; padding: 1rem; overflow-x: auto; line-height: 1.4; }}
img {{ max-width: 100%; }}
</style>
<h1>Breast cancer, learnt by a few hyperplanes</h1>
<pre>{html.escape(text)}</pre>
<img alt="Training errors against the number of hidden units" src="data:image/png;base64,{encoded}">
</html>
"""
    report = FOLDER / "report.html"
    report.write_text(page, encoding="utf-8")
    return report


def main():
    """Train, compare, print and write."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    cancer = load_breast_cancer_wisconsin(as_frame=True)
    X, y = cancer.data, cancer.target
    clf = NetLinesClassifier().fit(X, y)
    network = clf.network_
    models = {
        "netlines, error-free network": NetLinesClassifier(),
        "netlines, one unit": MinimerrorClassifier(),
        "netlines, one unit, T = 0.3": MinimerrorClassifier(temperature=0.3),
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
        "decision tree": DecisionTreeClassifier(random_state=0),
        "MLP with 3 hidden units": make_pipeline(StandardScaler(), MLPClassifier((3,), random_state=0)),
    }
    results = cross_validate(models, X, y)
    paragraphs = [
        f"{len(X)} rows, {X.shape[1]} attributes from 1 to 10, classes {' and '.join(network.classes)}\n"
        f"{clf.n_hidden_} hidden units, {clf.n_weights_} weights, {clf.n_training_errors_} training errors\n"
        f"growth ended: {clf.stop_reason_}; a single unit makes {clf.growth_trace_[0]['errors']:.0f}",
        describe_hyperplanes(network),
        describe_output(network),
        "Hidden states that occur, and the rows that have them\n" + describe_codes(network, X.to_numpy(), y),
        f"{FOLDS}-fold cross-validation, the same folds for all\n" + describe_comparison(results),
    ]
    text = "\n\n".join(paragraphs)
    print(text)

    FOLDER.mkdir(exist_ok=True)
    model, picture = FOLDER / "model.json", FOLDER / "growth.png"
    save_network(network, model, metadata={"rows": len(X), "training_errors": clf.n_training_errors_})
    GrowthDisplay.from_estimator(clf).figure_.savefig(picture, dpi=130)
    report = write_report(text, picture)
    print(f"\nwritten: {model}, {picture}, {report}")


if __name__ == "__main__":
    main()
