"""What is promised of tables of texts, dates, categories and gaps: models that take raw rows."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

import netlines
from hostile.promises import Case, demand

FEW = 4  # rows that are looked at one by one


def any_table_is_taken(case: Case, rng: np.random.Generator) -> None:
    """A frame of any columns is learnt, and its raw rows get the same answers however they are given."""
    if case.network is None or case.recipe.startswith("distill"):  # which makes up rows of numbers
        return
    frame, y = _mixed(case, rng), case.table.y
    try:
        clf = case.fit(frame, y, case.table.weights)
    except ValueError as error:
        words = ("no column that is left to learn from", "criterion='mdl' found no network", "one class")
        demand(any(one in str(error) for one in words), f"a fit says what is wrong, got: {error}")
        return
    answers, layout = clf.predict(frame), clf.network_.layout
    told = f"{frame.to_dict('list')!r}, {layout.columns!r}"
    demand(np.isin(answers, clf.classes_).all(), f"answers are classes: {told}")
    demand(
        {*layout.sources, *(name for name, _ in layout.left_out)} == set(frame.columns),
        f"each column is used or left out with a reason: {layout}",
    )
    some = rng.permutation(len(frame))[:FEW].tolist()
    alone = [clf.predict(frame.iloc[[k]])[0] for k in some]
    demand(list(answers[some]) == alone, f"rows {some} alone get {alone}, not {answers[some]}: {told}")
    turned = frame[list(rng.permutation(frame.columns))].assign(further="x")
    demand((clf.predict(turned) == answers).all(), f"other orders of columns do not matter: {told}")
    demand((clf.predict(pa.Table.from_pandas(frame)) == answers).all(), f"nor does the library: {told}")
    _is_saved(clf, frame, answers, told)
    _is_read(clf, frame, some, told)


def _mixed(case: Case, rng: np.random.Generator) -> pd.DataFrame:
    """Return the columns of a table as texts, categories, dates or with gaps, and some that say nothing."""
    columns: dict[str, Any] = {}
    for i, numbers in enumerate(case.table.X.T.astype(float)):
        ranks = np.unique(numbers, return_inverse=True)[1].ravel()
        sorts: dict[str, Any] = {
            "plain": numbers,
            "texts": [repr(float(one)) for one in numbers],
            "categories": [f"c{one % 7}" for one in ranks],
            "declared": pd.Categorical([f"{one % 25}" for one in ranks]),
            "flags": [str(bool(one % 2)) for one in ranks],
            "dates": pd.Timestamp("2024-01-29") + pd.to_timedelta(ranks * 3, "D"),
            "written dates": [f"{one % 28 + 1}/{one % 11 + 1}/2024" for one in ranks],
        }
        sort = str(rng.choice(list(sorts)))
        column = pd.Series(sorts[sort])
        if rng.random() < 0.4:
            often = 0.1 + 0.6 * rng.random() * (case.table.y == case.table.y[0])
            column = column.mask(rng.random(len(column)) < often)
        columns[f"{sort} {i}"] = column
    columns |= {"nothing": None, "always": "x", "id": np.arange(len(case.table.y))}
    return pd.DataFrame(columns)[list(rng.permutation(list(columns)))]


def _is_saved(clf: Any, frame: pd.DataFrame, answers: np.ndarray, told: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        netlines.save_model(clf, Path(folder, "model.json"))
        loaded = netlines.load_model(Path(folder, "model.json"))
    demand((loaded.predict(frame) == answers).all(), f"the loaded model answers as the saved one: {told}")
    same = np.array_equal(loaded.decision_function(frame), clf.decision_function(frame))
    demand(same, f"decisions of the loaded model have the same bits: {told}")


def _is_read(clf: Any, frame: pd.DataFrame, some: list[int], told: str) -> None:
    """Ask the readers about raw rows."""
    answers = clf.predict(frame)
    for k in some[:2]:
        row = frame.iloc[k].to_dict()
        about = netlines.explain(clf, row)
        demand(
            about.label == answers[k], f"explain of row {k} says {about.label!r}, not {answers[k]!r}: {told}"
        )
        demand(len(str(about)) > 0, "an explanation has words")
        (possible,) = netlines.possible_classes(clf, frame.iloc[[k]])
        if any(column.gaps and pd.isna(row[column.origin]) for column in clf.network_.layout.columns):
            continue  # that it is missing tells something, which is not asked there
        demand(answers[k] in possible.labels or not possible.exact, f"row {k}: {possible}: {told}")
    rules = netlines.extract_rules(clf, frame)
    demand(len(str(rules)) > 0, "rules have words")
