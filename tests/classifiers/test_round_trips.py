"""Frames of all sorts: what was fitted, saved and loaded answers as before, and every reader takes it.

`EXAMPLES=10 python -m pytest tests/classifiers/test_round_trips.py` tries 300 frames, and a report of some.
"""

import warnings

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from any_tables import examples
from hypothesis import given
from hypothesis import strategies as st

from netlines import (
    MinimerrorClassifier,
    NetLinesClassifier,
    NetLinesClassifierCV,
    explain,
    extract_rules,
    load_model,
    possible_classes,
    save_model,
    write_report,
)
from netlines.tables.encode import TableWarning

mpl.use("agg")

KINDS = {
    "number": lambda rng, n: rng.normal(0, 10.0 ** rng.integers(-3, 4), n),
    "integer": lambda rng, n: rng.integers(-5, 30, n),
    "nullable": lambda rng, n: pd.array(rng.integers(0, 9, n), dtype="Int64"),
    "boolean": lambda rng, n: rng.random(n) < 0.4,
    "text": lambda rng, n: rng.choice(["red", "green", "blue", "a = b, c", "ü"], n),
    "two": lambda rng, n: rng.choice(["yes", "no"], n),
    "category": lambda rng, n: pd.Categorical(rng.choice(["low", "mid", "high"], n)),
    "date": lambda rng, n: pd.Timestamp("2020-02-01") + pd.to_timedelta(rng.integers(0, 900, n), "D"),
    "id": lambda rng, n: [f"key {i}" for i in range(n)],
    "constant": lambda rng, n: ["same"] * n,
    "money": lambda rng, n: [f"${value:,}" for value in rng.integers(0, 9999, n)],
    "many": lambda rng, n: rng.choice([f"v{i}" for i in range(40)], n),
}


@st.composite
def frames(draw):
    """Draw a frame with gaps, labels, and a frame to predict that has strange values."""
    n, rng = draw(st.integers(12, 60)), np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    kinds = ["number", *draw(st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=5))]
    frame = pd.DataFrame({f"{kind} {i}": KINDS[kind](rng, n) for i, kind in enumerate(kinds)})
    share = draw(st.sampled_from([0.0, 0.1, 0.4]))
    labels = np.arange(n) % draw(st.sampled_from([2, 2, 3]))
    for name in frame.columns[1:] if draw(st.booleans()) else frame:
        frame[name] = frame[name].astype(object).where(rng.random(n) >= share, None)
    names = draw(st.sampled_from([["no", "yes", "perhaps"], [0, 1, 2]]))
    new = frame.copy()
    for name in draw(st.lists(st.sampled_from(list(frame)), max_size=2)):
        if not name.startswith(("number", "integer", "nullable", "boolean", "date", "money")):
            new.loc[rng.random(n) < 0.3, name] = "never seen"
        new[name] = new[name].astype(object).where(rng.random(n) >= 0.2, None)
    return frame, np.array(names)[labels], new


@pytest.mark.filterwarnings("ignore::netlines.tables.encode.TableWarning")
@pytest.mark.slow
@examples(30)
@given(table=frames(), kind=st.sampled_from(["unit", "net", "chosen"]), of_four=st.integers(0, 3))
def test_frames_survive_the_file_and_all_readers(table, kind, of_four, tmp_path_factory):
    frame, y, new = table
    model = {
        "unit": MinimerrorClassifier(n_starts=2),
        "net": NetLinesClassifier(max_hidden=2, probability=len(frame) % 2 == 0),
        "chosen": NetLinesClassifierCV(max_hidden=2, cv=2, teacher=None),
    }["net" if kind == "unit" and len(set(y)) > 2 else kind]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TableWarning)
        clf = model.fit(frame, y)
        path = tmp_path_factory.mktemp("models") / "model.json"
        save_model(clf, path)
        loaded, turned = load_model(path), new[new.columns[::-1]].assign(further="x")
        for rows, others in ((frame, frame), (new, turned)):
            assert (loaded.predict(others) == clf.predict(rows)).all()
            assert (loaded.decision_function(others) == clf.decision_function(rows)).all()
        label = explain(loaded, new.iloc[0]).label
        assert label == clf.predict(new[:1])[0]
        assert extract_rules(loaded, frame).text()
        assert len(possible_classes(loaded, new)) == len(new)
        if of_four == 3:  # a report takes longer than all the rest
            write_report(clf, frame, y, path.with_suffix(".html"), folds=0)
            assert path.with_suffix(".html").stat().st_size > 10_000
