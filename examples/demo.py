"""Choose a small classifier for the breast cancer data, show what it is and how well it does on new rows.

Run with `make demo`, or `python examples/demo.py` with netlines[plots,cli] installed. It prints the report
and writes it with two pictures and the model file into demo/.
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
from matplotlib.figure import Figure
from rich.console import Console
from rich.progress import Progress
from scipy.stats import beta
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from netlines import NetLinesClassifier, NetLinesClassifierCV, distill, prune
from netlines.datasets import load_breast_cancer_wisconsin
from netlines.export.model_file import save_network
from netlines.parameters import count_parameters
from netlines.plots import BLUE, GREY, GrowthDisplay

FOLDER = Path("demo")
FOLDS = 10
CHOSEN = "NetLinesClassifierCV"
BINS = np.array([0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0])


def as_text(number):
    """Return an integer as it is, and any other number with three digits."""
    return f"{number:.0f}" if number == np.rint(number) else f"{number:.3g}"


def describe_hyperplanes(network):
    """Return the hyperplanes in words, the inputs with the largest weights first."""
    paragraphs = []
    for k, (bias, *slopes) in enumerate(network.hidden_weights, start=1):
        terms = []
        for i in np.argsort(-np.abs(slopes), kind="stable"):
            if slopes[i] != 0:
                # Spaces that do not break keep a weight and its name on one line.
                name = network.feature_names[i].replace("_", " ")
                term = f"{'-' if slopes[i] < 0 else '+'} {as_text(abs(slopes[i]))} {name}"
                terms.append(term.replace(" ", "\N{NO-BREAK SPACE}"))
        what = network.classes[1] if network.n_hidden == 1 else f"unit {k} is +"
        sentence = f"{what} where {' '.join(terms)} ≥ {as_text(-bias)}"
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


def describe_rows(clf, X, y):
    """Return the probabilities of five rows, from surely the first class to surely the second."""
    p, answers = clf.predict_proba(X)[:, 1], clf.predict(X)
    lines = [f"{'row':>5}{'probability of ' + clf.classes_[1]:>27}   {'prediction':<12}truth"]
    for wanted in (0.01, 0.25, 0.5, 0.75, 0.99):
        i = int(np.argmin(np.abs(p - wanted)))
        lines.append(f"{i:>5}{100 * p[i]:>25.1f} %   {answers[i]:<12}{y.iloc[i]}")
    return "\n".join(lines)


def cross_validate(models, X, y):
    """Return each model's errors and numbers of parameters by fold, and what the chosen ones expect."""
    results, p = {name: [] for name in models}, np.empty(len(y))
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        for train, test in progress.track(list(folds.split(X, y)), description="cross-validating"):
            for name, model in models.items():
                fitted = clone(model).fit(X.iloc[train], y.iloc[train])
                error = float(np.mean(fitted.predict(X.iloc[test]) != y.iloc[test]))
                results[name].append((error, count_parameters(fitted)))
                if name == CHOSEN:
                    p[test] = fitted.predict_proba(X.iloc[test])[:, 1]
    return {name: np.array(pairs) for name, pairs in results.items()}, p


def describe_comparison(results):
    """Return the table of cross-validated errors with their standard errors, and of sizes."""
    lines = [f"{'':<32}{'error':>9}{'s.e.':>9}{'parameters':>13}"]
    for name, pairs in results.items():
        errors, sizes = pairs.T
        deviation = errors.std(ddof=1) / np.sqrt(len(errors))
        row = f"{100 * errors.mean():>7.1f} %{100 * deviation:>7.1f} %{sizes.mean():>13,.0f}"
        lines.append(f"{name:<32}{row}")
    return "\n".join(lines)


def draw_reliability(p, positive, label):
    """Return a figure: how often rows of a probability are positive, with intervals of 95 %."""
    figure = Figure(figsize=(5.0, 3.6), layout="constrained")
    ax = figure.subplots()
    ax.plot([0, 1], [0, 1], color=GREY, linewidth=0.9, linestyle="--")
    which = np.clip(np.digitize(p, BINS) - 1, 0, len(BINS) - 2)
    for k in np.unique(which):
        inside = which == k
        n, hits = int(inside.sum()), int(positive[inside].sum())
        x, share = p[inside].mean(), hits / n
        low, high = beta.ppf([0.025, 0.975], [hits, hits + 1], [n - hits + 1, n - hits])
        bar = [[share - (low if hits else 0.0)], [(high if hits < n else 1.0) - share]]
        ax.errorbar(x, share, yerr=bar, fmt="o", color=BLUE, capsize=3)
        above = (x, share + bar[1][0])
        ax.annotate(str(n), above, xytext=(0, 4), textcoords="offset points", fontsize="small", ha="center")
    ax.set_ylim(-0.04, 1.12)
    ax.set_xlabel(f"probability of {label}, out of fold")
    ax.set_ylabel(f"share of {label} rows")
    ax.spines[["top", "right"]].set_visible(False)
    return figure


def write_report(sections, pictures):
    """Write one HTML page that holds the text and the pictures, and return its path."""
    parts = []
    for title, text in sections.items():
        parts.append(f"<h2>{html.escape(title)}</h2>\n<pre>{html.escape(text)}</pre>")
    for alt, picture in pictures.items():
        encoded = base64.b64encode(picture.read_bytes()).decode()
        caption = f"<figcaption>{html.escape(alt)}</figcaption>"
        source = f'<img alt="{html.escape(alt)}" src="data:image/png;base64,{encoded}">'
        parts.append(f"<figure>{source}{caption}</figure>")
    content = "\n".join(parts)
    page = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>netlines: breast cancer</title>
<style>
body {{ font-family: system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }}
h2 {{ font-size: 1.1rem; margin: 1.6rem 0 0.4rem; }}
pre {{ background: #f6f6f6; padding: 0.8rem 1rem; margin: 0; overflow-x: auto; line-height: 1.4; }}
figure {{ display: inline-block; margin: 1.6rem 0.5rem 0 0; max-width: 27rem; vertical-align: top; }}
figcaption {{ font-size: 0.9rem; }}
img {{ max-width: 100%; }}
</style>
</head>
<body>
<h1>Breast cancer, told by a few hyperplanes</h1>
{content}
</body>
</html>
"""
    report = FOLDER / "report.html"
    report.write_text(page, encoding="utf-8")
    return report


def main():
    """Choose, compare, distil, prune, print and write."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    cancer = load_breast_cancer_wisconsin(as_frame=True)
    X, y = cancer.data, cancer.target
    clf = NetLinesClassifierCV(n_jobs=-1).fit(X, y)
    forest = RandomForestClassifier(random_state=0).fit(X, y)
    small_forest = distill(forest, X, n_jobs=-1)
    exact = NetLinesClassifier().fit(X, y)
    integers = prune(exact, X, y, weights="integer")
    models = {
        CHOSEN: NetLinesClassifierCV(n_jobs=-1),
        "NetLinesClassifier, error-free": NetLinesClassifier(n_jobs=-1),
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
        "decision tree": DecisionTreeClassifier(random_state=0),
        "random forest": RandomForestClassifier(random_state=0),
        "MLP with 3 hidden units": make_pipeline(StandardScaler(), MLPClassifier((3,), random_state=0)),
    }
    results, p = cross_validate(models, X, y)
    about = f"{len(X)} rows, {X.shape[1]} attributes from 1 to 10, classes {' and '.join(clf.classes_)}"
    compressed = (
        f"{small_forest.chosen_}\n"
        f"(the forest keeps {count_parameters(forest):,} numbers; {small_forest.n_training_errors_} of "
        f"{len(X)} rows are answered differently)"
    )
    pruned = (
        f"{exact.n_hidden_} hidden units with {exact.n_weights_} weights learn every row; pruned to "
        f"{integers.n_weights_} integers with {integers.n_training_errors_} errors:\n\n"
    )
    sections = {
        "What was chosen, and why": f"{about}\n" + textwrap.fill(f"chosen: {clf.chosen_}", 96),
        "The hyperplane" + "s" * (clf.n_hidden_ > 1): describe_hyperplanes(clf.network_)
        + (f"\n{describe_output(clf.network_)}" if clf.n_hidden_ > 1 else ""),
        "Probabilities of a few rows": describe_rows(clf, X, y),
        f"{FOLDS}-fold cross-validation, the same folds for all": describe_comparison(results),
        "A random forest, distilled": compressed,
        "Without training errors, in integers": pruned
        + f"{describe_hyperplanes(integers.network_)}\n{describe_output(integers.network_)}",
    }
    print("\n\n".join(f"{title}\n{'-' * len(title)}\n{text}" for title, text in sections.items()))

    FOLDER.mkdir(exist_ok=True)
    model, growth, reliability = (FOLDER / n for n in ("model.json", "growth.png", "reliability.png"))
    save_network(clf.network_, model, metadata={"rows": len(X), "chosen": clf.chosen_})
    GrowthDisplay.from_estimator(exact).figure_.savefig(growth, dpi=130)
    positive = (y == clf.classes_[1]).to_numpy()
    draw_reliability(p, positive, clf.classes_[1]).savefig(reliability, dpi=130)
    pictures = {
        "How often rows of a probability are malignant: intervals of 95 %, numbers of rows": reliability,
        "How the network without training errors grew": growth,
    }
    report = write_report(sections, pictures)
    print(f"\nwritten: {model}, {reliability}, {growth}, {report}")


if __name__ == "__main__":
    main()
