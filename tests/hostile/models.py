"""Model files of every kind, to be mutated: fitted here, and those of every format that are kept."""

from __future__ import annotations

import contextlib
import io
import tempfile
from pathlib import Path

import numpy as np

import netlines as nl
from netlines.cli import _run
from netlines.family import MonoPlaneClassifier

KEPT = Path(__file__).resolve().parents[1] / "data"


def model_files() -> list[bytes]:
    """Return the bytes of a model file of every kind and of every format."""
    with tempfile.TemporaryDirectory() as folder:
        _fit(Path(folder))
        paths = [*sorted(KEPT.glob("*.json")), *sorted(Path(folder).glob("*.json"))]
        return [path.read_bytes() for path in paths]


def _fit(folder: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3)).round(3)
    X[:, 2] = rng.integers(0, 2, 40)
    far = np.array([1e15, 0, 0])
    two, three = np.where(X[:, 0] * X[:, 1] > 0.1, "yes", "no"), (X[:, 0] > 0).astype(int) + (X[:, 1] > 0.3)
    network = nl.NetLinesClassifier(max_hidden=3).fit(X, two)
    sure = nl.NetLinesClassifier(max_hidden=2, probability=True).fit(X, two)
    grown = {
        "unit": nl.MinimerrorClassifier().fit(X, two),
        "network": network,
        "far from 0": nl.NetLinesClassifier(max_hidden=2, probability=True).fit(X + far, two),
        "probable": sure,
        "integer": nl.prune(network, X, two, weights="integer"),
        "monoplane": MonoPlaneClassifier(max_hidden=3).fit(X, two > "no"),
        "other priors": sure.network_.with_priors([0.9, 0.1]),
        "chosen": nl.NetLinesClassifierCV(max_hidden=2, cv=3, multiclass="shared").fit(X, three),
        "distilled": nl.distill(nl.NetLinesClassifier(max_hidden=2, probability=True).fit(X, two), X),
    }
    for scheme in ("tree", "vote", "wta", "pairs"):
        for probability in (False, True):
            how = {"max_hidden": 2, "multiclass": scheme, "probability": probability}
            grown[f"{scheme} {probability}"] = nl.NetLinesClassifier(**how).fit(X, three.astype(float))
    for name, clf in grown.items():
        nl.save_model(clf, folder / f"{name}.json")
    colours = np.array(["red", "green", "blue"])[three]
    lines = [f"{a},{b},{c:g},{d}" for (a, b, c), d in zip(X.tolist(), colours, strict=True)]
    (folder / "two.csv").write_text("\n".join(["a,b,c,d,y", *map(",".join, zip(lines, two, strict=True))]))
    (folder / "three.csv").write_text("\n".join(["a,b,c,y", *lines]))
    for table, options in {
        "two": ["--folds", "0"],
        "three": ["--folds", "0"],
        "two free": ["--error-free", "--folds", "2"],
    }.items():
        data, output = folder / f"{table.split()[0]}.csv", folder / f"table of {table}.json"
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            code = _run(["fit", str(data), "--target", "y", "-o", str(output), "--max-hidden", "2", *options])
        assert code == 0, table
