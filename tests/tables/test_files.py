"""Table files: CSV and Parquet read and written, and a clear error for each bad file."""

import datetime
import doctest
import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from netlines.tables import files as table
from netlines.tables.files import Table, read_table, write_table


def csv(folder, text, name="data.csv"):
    path = folder / name
    path.write_text(text)
    return path


def test_a_csv_file_is_read_as_text(tmp_path):
    read = read_table(csv(tmp_path, 'size, colour ,note\n 1.50 ,red,"a, b"\n007,blue,"say ""x"""\n'))
    assert read.columns == ["size", "colour", "note"]
    assert not read.typed
    assert read.values("size").tolist() == ["1.50", "007"]
    assert read.values("colour").tolist() == ["red", "blue"]
    assert read.values("note").tolist() == ["a, b", 'say "x"']


def test_a_byte_order_mark_and_windows_lines_are_read(tmp_path):
    path = tmp_path / "data.csv"
    path.write_bytes(b"\xef\xbb\xbfa,b\r\n1,2\r\n")
    read = read_table(path)
    assert read.columns == ["a", "b"]
    assert read.values("b").tolist() == ["2"]


def test_a_parquet_file_keeps_its_types(tmp_path):
    frame = pd.DataFrame(
        {
            "number": [1.5, 2.0],
            "count": np.array([1, 2], dtype=np.int8),
            "nullable": pd.array([3, 4], dtype="Int64"),
            "flag": [True, False],
            "text": ["1", " 2"],
            "factor": pd.Categorical(["x", "y"]),
        },
        index=[5, 6],
    )
    frame.to_parquet(tmp_path / "data.parquet")
    read = read_table(tmp_path / "data.parquet")
    assert read.typed
    kinds = {name: read.values(name).dtype.kind for name in read.columns}
    assert kinds == {"number": "f", "count": "i", "nullable": "i", "flag": "b", "text": "O", "factor": "O"}
    assert read.values("text").tolist() == ["1", " 2"]


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_table_is_written_with_its_new_columns(tmp_path, suffix):
    first = read_table(csv(tmp_path, "size,colour\n1.50,red\n007,\n"))
    out = tmp_path / f"out{suffix}"
    write_table(first, out, prediction=np.array(["a", "b"]), decision=np.array([0.1 + 0.2, -1.0]))
    again = read_table(out)
    assert again.columns == ["size", "colour", "prediction", "decision"]
    assert again.values("size").tolist() == ["1.50", "007"]
    assert again.values("prediction").tolist() == ["a", "b"]
    assert [float(value) for value in again.values("decision")] == [0.1 + 0.2, -1.0]
    if suffix == ".csv":
        assert out.read_text().splitlines()[2] == "007,,b,-1.0"


def test_a_name_that_is_taken_is_refused(tmp_path):
    first = read_table(csv(tmp_path, "a,prediction\n1,2\n"))
    with pytest.raises(ValueError, match="already has a column 'prediction'"):
        write_table(first, tmp_path / "out.csv", prediction=np.array([1]))
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("word", ["", "  ", "?", "NA", "NaN", "nan", "n/a", "null", '""'])
def test_a_missing_value_is_named(tmp_path, word):
    read = read_table(csv(tmp_path, f"age,size\n30,1\n{word},2\n"))
    value = word.strip().strip('"')
    with pytest.raises(ValueError, match="missing value") as caught:
        read.values("age")
    expected = f"missing value {value!r} in column 'age', row 2 (rows are counted from 1 without the header)"
    assert str(caught.value) == expected


def test_a_short_row_has_a_missing_value(tmp_path):
    read = read_table(csv(tmp_path, "a,b\n1,2\n3\n"))
    with pytest.raises(ValueError, match="missing value '' in column 'b', row 2"):
        read.values("b")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ([1.0, np.nan], "nan"),
        (["x", None], "None|nan"),
        (pd.array([1, None], dtype="Int64"), "<NA>|nan|None"),
    ],
)
def test_a_missing_value_in_parquet_is_named(tmp_path, column, value):
    pd.DataFrame({"age": column}).to_parquet(tmp_path / "data.parquet")
    with pytest.raises(ValueError, match=rf"missing value ({value}) in column 'age', row 2"):
        read_table(tmp_path / "data.parquet").values("age")


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ([datetime.datetime(2020, 1, 1)] * 2, "Timestamp"),
        ([[1], [2]], "ndarray|list"),
        ([b"a", b"b"], "bytes"),
    ],
)
def test_a_column_of_another_type_is_named(tmp_path, column, kind):
    pd.DataFrame({"when": column}).to_parquet(tmp_path / "data.parquet")
    with pytest.raises(ValueError, match=f"column 'when' holds ({kind}); numbers, booleans and text"):
        read_table(tmp_path / "data.parquet").values("when")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b"a,b\n", "has no rows"),
        (b"a,b,a\n1,2,3\n", "more than one column is named 'a'"),
        (b"a,,b\n1,2,3\n", "column 2 has no name"),
        (b"a,b\n1,2\n1,2,3\n", "cannot be read as csv: .*line 3"),
        (b"a,b\n1,\xff\n", "cannot be read as csv: .*utf-8"),
    ],
)
def test_a_bad_csv_file_is_named(tmp_path, content, message):
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=rf"(?s)bad\.csv:? {message}"):
        read_table(path)


def test_a_bad_parquet_file_is_named(tmp_path):
    path = tmp_path / "bad.parquet"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match=r"bad\.parquet cannot be read as parquet"):
        read_table(path)
    pd.DataFrame({"a": [1.0]})[:0].to_parquet(path)
    with pytest.raises(ValueError, match=r"bad\.parquet has no rows"):
        read_table(path)


def test_another_suffix_or_no_file_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"data\.xlsx must end in \.csv or \.parquet, got '\.xlsx'"):
        read_table(tmp_path / "data.xlsx")
    with pytest.raises(FileNotFoundError, match=r"nowhere\.csv"):
        read_table(tmp_path / "nowhere.csv")


def test_without_pandas_the_extra_is_named():
    script = (
        "import sys; sys.modules['pandas'] = None\n"
        "from netlines.tables.files import read_table\n"
        "try: read_table('data.csv')\n"
        "except ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == 'reading tables needs pandas and pyarrow: pip install "netlines[cli]"'


def test_the_examples_run():
    assert doctest.testmod(table).failed == 0


def test_a_named_index_of_a_parquet_file_is_a_column(tmp_path):
    pd.DataFrame({"i": [3, 4], "x": [1.0, 2.0]}).set_index("i").to_parquet(tmp_path / "t.parquet")
    assert read_table(tmp_path / "t.parquet").columns == ["i", "x"]


def test_formulas_are_copied_as_they_are_unless_spreadsheets_will_open_the_file(tmp_path):
    cells = ["=cmd|' /C calc'!A0", "-1.5", "+x", "@SUM(A1)", "-", "a=b", "\u202f=1"]
    rows = table.Table(pd.DataFrame({"=name": cells, "n": range(7)}), typed=False)
    answers = np.array(["=yes", "no", "=yes", "no", "-2", "no", "no"], dtype=object)
    write_table(rows, tmp_path / "plain.csv", prediction=answers)
    assert pd.read_csv(tmp_path / "plain.csv")["=name"].tolist() == cells
    write_table(rows, tmp_path / "safe.csv", safe_csv=True, prediction=answers)
    safe = pd.read_csv(tmp_path / "safe.csv")
    expected = ["'=cmd|' /C calc'!A0", "-1.5", "'+x", "'@SUM(A1)", "'-", "a=b", "\u202f=1"]
    assert safe["'=name"].tolist() == expected
    assert safe["prediction"].tolist() == ["'=yes", "no", "'=yes", "no", "-2", "no", "no"]
    assert safe["n"].tolist() == list(range(7))


@pytest.mark.parametrize(
    "metadata", [b"{}", b"[]", b'{"columns": 3, "index_columns": [], "column_indexes": []}']
)
def test_a_parquet_file_of_damaged_metadata_is_named(tmp_path, metadata):
    path = tmp_path / "data.parquet"
    content = pa.table({"a": [1.0, 2.0]}).replace_schema_metadata({b"pandas": metadata})
    pq.write_table(content, path)
    with pytest.raises(ValueError, match=r"data\.parquet cannot be read as parquet: "):
        read_table(path)


def test_texts_of_a_parquet_file_that_are_none_are_refused_when_it_is_read(tmp_path):
    path = tmp_path / "data.parquet"
    content = pa.table({"a": pa.array([b"\xff\xfe", b"b"]).view(pa.string())})
    pq.write_table(content, path)
    with pytest.raises(ValueError, match=r"data\.parquet cannot be read as parquet: "):
        read_table(path)


def test_large_integers_beside_small_ones_stay_apart(tmp_path):
    path = tmp_path / "data.parquet"
    labels = [2**63 + 1, 2**63 + 3, 3]
    pd.DataFrame({"key": np.array(labels, dtype=np.uint64)}).to_parquet(path)
    assert read_table(path).values("key").tolist() == labels


@pytest.mark.parametrize("text", ["x\r=1+1", "\r", "a\rb"])
def test_a_carriage_return_within_a_cell_ends_no_row(tmp_path, text):
    before = Table(pd.DataFrame({"note": [text, "b"], "n": ["1", "2"]}), typed=False)
    write_table(before, tmp_path / "out.csv")
    assert pd.read_csv(tmp_path / "out.csv")["note"].tolist() == [text, "b"]


def test_safe_csv_leaves_no_formula_in_a_cell_of_other_separators(tmp_path):
    unseen = ["\n=1+1", "\u00a0=1+1", "\ufeff=1+1"]
    write_table(
        Table(pd.DataFrame({"note": ["x;=1+1", *unseen]}), typed=False), tmp_path / "out.csv", safe_csv=True
    )
    assert (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()[1] == '"x;=1+1"'
    assert all(cell.startswith("'") for cell in pd.read_csv(tmp_path / "out.csv")["note"][1:])
