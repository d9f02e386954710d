"""Table files: read whatever they are, written whole or not at all, and a clear error for each bad file."""

import doctest
import gzip
import io
import json
import subprocess
import sys
import zipfile

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from any_tables import examples
from hypothesis import given
from hypothesis import strategies as st

from netlines.tables import writing
from netlines.tables.files import Table, check_suffix, read_table, write_table

ROW_NAMES = "column 1 has no name and looks like row numbers or row names: left out"


def made(folder, content, name="data.csv"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def cells(table):
    return [table.columns, *table.frame.to_numpy().tolist()]


def excel(rows, *others):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for title in others:
        book.create_sheet(title).append(["x"])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def archive(**files):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as zipped:
        for name, text in files.items():
            zipped.writestr(f"{name}.csv", text)
    return file.getvalue()


def arrow_stream(table):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def test_a_text_keeps_its_cells(tmp_path):
    read = read_table(made(tmp_path, 'size, colour ,note\n 1.50 ,red,"a, b"\n007,NA,"say ""x"""\n'))
    assert cells(read) == [["size", "colour", "note"], ["1.50", "red", "a, b"], ["007", "NA", 'say "x"']]
    assert (read.text, read.decimal, read.notices) == (True, ".", ())
    assert read.frame.index.equals(pd.RangeIndex(2))


@pytest.mark.parametrize(
    ("text", "expected", "notices"),
    [
        (",a,b\n0,1,x\n1,2,y\n", [["a", "b"], ["1", "x"], ["2", "y"]], [ROW_NAMES]),
        ("Unnamed: 0,a\n0,1\n", [["a"], ["1"]], [ROW_NAMES]),
        ('"","mpg"\n"Mazda RX4",21\n', [["mpg"], ["21"]], [ROW_NAMES]),
        (
            "a,b,,\n1,2,,\n",
            [["a", "b"], ["1", "2"]],
            ["columns 3 and 4 have no name and no values: left out"],
        ),
        (
            "a,b\n1,2,\n3,4,\n",
            [["a", "b"], ["1", "2"], ["3", "4"]],
            ["empty cells without a column at the end of 2 rows: left out"],
        ),
        (
            "a,,c\n1,2,3\n",
            [["a", "column 2", "c"], ["1", "2", "3"]],
            ["column 2 has no name: it is called 'column 2'"],
        ),
        (
            'a,b,c\n1,2,3\n"x\ny",5\n\n6\n',
            [["a", "b", "c"], ["1", "2", "3"], ["x\ny", "5", ""], ["6", "", ""]],
            ["2 rows have fewer cells than the 3 columns, the first in line 3: the lacking ones are empty"],
        ),
        (
            "sep=;\r\na;b\r\n1,5;x\r\n;\r\n",
            [["a", "b"], ["1,5", "x"]],
            ["numbers have a decimal comma", "1 empty row at the end: left out"],
        ),
        (
            "\n# made today\na|b\n1|2\n",
            [["a", "b"], ["1", "2"]],
            ["2 lines above the names of the columns are left out", "cells are divided by |"],
        ),
        (
            "5.1,3.5,setosa\n4.9,3.0,setosa\n",
            [["5.1", "3.5", "setosa"], ["4.9", "3.0", "setosa"]],
            ["the names of the columns look like values: '5.1', '3.5'"],
        ),
        (
            b"a,b\n1,\xe4\n",
            [["a", "b"], ["1", "ä"]],
            ["the text is not UTF-8: read as Windows-1252 (--encoding names another encoding)"],
        ),
    ],
)
def test_what_is_left_out_or_guessed_is_said(tmp_path, text, expected, notices):
    read = read_table(made(tmp_path, text))
    assert cells(read) == expected
    assert list(read.notices) == notices


@pytest.mark.parametrize("suffix", [".parquet", ".feather"])
def test_typed_files_keep_their_types(tmp_path, suffix):
    frame = pd.DataFrame(
        {
            "number": [1.5, 2.0],
            "count": np.array([1, 2], dtype=np.int8),
            "large": np.array([2**63 + 1, 3], dtype=np.uint64),
            "flag": [True, False],
            "text": ["1", " 2"],
            "factor": pd.Categorical(["x", "y"]),
        }
    )
    path = tmp_path / f"data{suffix}"
    (frame.to_parquet if suffix == ".parquet" else frame.to_feather)(path)
    for name in (path.name, "unnamed"):
        read = read_table(path.rename(tmp_path / name))
        path = tmp_path / name
        assert not read.text
        assert [dtype.kind for dtype in read.frame.dtypes] == list("fiubOO")
        assert isinstance(read.frame["factor"].dtype, pd.CategoricalDtype)
        assert read.frame["large"].tolist() == [2**63 + 1, 3]
        assert read.frame["text"].tolist() == ["1", " 2"]


def test_an_index_with_a_name_is_a_column_and_another_is_left_out(tmp_path):
    frame = pd.DataFrame({"i": [3, 4], "x": [1.0, 2.0]})
    frame.set_index("i").to_parquet(tmp_path / "t.pq")
    assert read_table(tmp_path / "t.pq").columns == ["i", "x"]
    frame.set_axis([7, 9]).to_parquet(tmp_path / "t.pq")
    read = read_table(tmp_path / "t.pq")
    assert read.columns == ["i", "x"]
    assert read.notices == ("the index of the data frame has no name: left out",)
    assert read.frame.index.equals(pd.RangeIndex(2))


def test_an_arrow_stream_is_read(tmp_path):
    content = arrow_stream(pa.table({"a": [1, 2]}))
    assert cells(read_table(made(tmp_path, content, "t.arrow"))) == [["a"], [1], [2]]


@pytest.mark.parametrize("name", ["t.jsonl", "t.json", "unnamed"])
@pytest.mark.parametrize(
    "text",
    ['{"a": 1, "b": "x"}\n\n{"c": true, "a": 2.5}\n', '[\n {"a": 1, "b": "x"},\n {"c": true, "a": 2.5}]'],
)
def test_json_is_read_by_lines_or_as_an_array(tmp_path, text, name):
    read = read_table(made(tmp_path, text, name))
    assert cells(read) == [["a", "b", "c"], [1, "x", None], [2.5, None, True]]
    assert not read.text


def test_a_workbook_is_read_from_its_first_sheet(tmp_path):
    rows = [[], [None, "a", "b"], [1, 2.5, "=x"], [2, None, True], [3, "007"]]
    for name in ("t.xlsx", "unnamed"):
        read = read_table(made(tmp_path, excel(rows, "more"), name))
        assert cells(read) == [["a", "b"], [2.5, None], [None, True], ["007", None]]
        assert read.notices == (
            "the workbook has 2 sheets: the first, 'Sheet', is read, 'more' left out",
            "1 row above the names of the columns is left out",
            ROW_NAMES,
        )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ("\ufeff\n \n# nothing\n", "is empty"),
        ("a,b\n", "has no rows"),
        ("a,b\x1b,b\x1b\n1,2,3\n", r"more than one column is named 'b\\x1b'$"),
        ("1,2,1\n3,4,5\n", "more than one column is named '1': the first line has to hold the names"),
        ("Report;;\nname;size;kind\na;1;x\n", "2 of the 3 columns have no name: remove a title"),
        ("Report, 2024\n\na;b;c\n1;2;3\n4;5;6\n", "cannot be read as csv: line 1 has 1 cell and the lines"),
        (
            'a,b\n1,2\n"x\ny",2\n1,2,3\n',
            "cannot be read as csv: line 5 has 3 cells, 2 are expected as in line 1: .*--sep",
        ),
        ('a,b\n1,2\n"3,4\n5,6\n', "cannot be read as csv: line 3: a quote is opened here and never closed"),
        (
            'a,b\n1,2\n"3"x,4\n5,"6"\n"7,8",9\n',
            "cannot be read as csv: line 3: text follows the closing quote",
        ),
        ("a,b\n1,\0\n", "cannot be read as csv: line 2 holds a NUL character"),
    ],
)
def test_a_bad_text_is_named(tmp_path, content, message):
    with pytest.raises(ValueError, match=rf"bad\.csv:? {message}"):
        read_table(made(tmp_path, content, "bad.csv"))


def test_bytes_of_another_encoding_than_was_said_are_named(tmp_path):
    path = made(tmp_path, b"a,b\n1,\xff\n", "bad.csv")
    with pytest.raises(
        ValueError, match=r"bad\.csv cannot be read as csv: the bytes ff in line 2 are not utf-8"
    ):
        read_table(path, encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("bad.csv.gz", gzip.compress(b"a,b\n1,2\n")[:-9], "cannot be read as gz: "),
        ("bad.csv.gz", b"a,b\n1,2\n", "cannot be read as gz: "),
        ("bad", gzip.compress(b"a,b\n1,2\n")[:-9], "cannot be read as gz: "),
        ("bad.csv.zst", b"\x28\xb5\x2f\xfdno", "cannot be read as zst: "),
        ("bad.csv.xz", b"no", "cannot be read as xz: "),
        ("bad.zip", archive(a="x")[:30], "cannot be read as zip: "),
        ("bad.zip", archive(a="x", b="y"), "cannot be read as zip: .*got 2: 'a.csv', 'b.csv'"),
        ("bad.parquet", b"a,b\n1,2\n", "cannot be read as parquet: "),
        ("bad.feather", b"ARROW1\0\0no", "cannot be read as arrow: "),
        ("bad.arrow", arrow_stream(pa.table({"a": [1, 2]}))[:-60], "cannot be read as arrow: "),
        ("bad.xlsx", b"PK\x03\x04no", "cannot be read as xlsx: "),
        ("bad.xlsx", excel([]), "is empty"),
        ("bad.xlsx", excel([["a", "b"]]), "has no rows"),
        ("bad.xlsx", excel([["a", "a"], [1, 2]]), "more than one column is named 'a'"),
        ("bad.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is an old workbook of Excel"),
        ("bad.jsonl", b'{"a": 1}\n{"a": \n', "cannot be read as json: line 2: Expecting value"),
        ("bad.jsonl", b'{"a": 1}\n3\n', "cannot be read as json: line 2: an object .*, got 3"),
        (
            "bad.jsonl",
            b'{"a": 1, "a": 2}\n',
            "cannot be read as json: line 1: more than one value is named 'a'",
        ),
        ("bad.json", b'[{"a": 1},\n oh]', "cannot be read as json: line 2: "),
        ("bad.json", b"[" * 100_000, "cannot be read as json: "),
        ("bad.json", b" ", "is empty"),
    ],
    ids=lambda value: "bytes" if isinstance(value, bytes) else str(value)[:40],  # archives hold the time
)
def test_a_bad_file_is_named(tmp_path, name, content, message):
    with pytest.raises(ValueError, match=rf"{name}:? {message}"):
        read_table(made(tmp_path, content, name))


@pytest.mark.parametrize(
    "content",
    [
        *(
            pa.table({"a": [1.0, 2.0]}).replace_schema_metadata({b"pandas": metadata})
            for metadata in (b"{}", b"[]", b'{"columns": 3, "index_columns": [], "column_indexes": []}')
        ),
        pa.table({"a": pa.array([b"\xff\xfe", b"b"]).view(pa.string())}),
    ],
)
def test_a_parquet_file_of_damaged_metadata_or_texts_is_named(tmp_path, content):
    pq.write_table(content, tmp_path / "data.parquet")
    with pytest.raises(ValueError, match=r"data\.parquet cannot be read as parquet: "):
        read_table(tmp_path / "data.parquet")


def test_no_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere\.csv"):
        read_table(tmp_path / "nowhere.csv")


@pytest.mark.parametrize(
    ("module", "name", "message"),
    [
        ("pandas", "data.csv", 'reading tables needs pandas and pyarrow: pip install "netlines[cli]"'),
        ("openpyxl", "data.xlsx", 'Excel files need openpyxl: pip install "netlines[excel]"'),
    ],
)
def test_without_a_library_the_extra_is_named(tmp_path, module, name, message):
    made(tmp_path, excel([["a"], [1]]), name)
    script = (
        f"import sys; sys.modules[{module!r}] = None\n"
        "from netlines.tables.files import read_table\n"
        f"try: read_table({name!r})\n"
        "except ImportError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.strip() == message


@pytest.mark.parametrize("suffix", writing.SUFFIXES)
def test_a_table_is_written_with_its_new_columns(tmp_path, suffix):
    first = read_table(made(tmp_path, "size,colour,note\n1.50,red,a\n007,,\n"))
    out = tmp_path / f"out{suffix}"
    write_table(first, out, prediction=np.array(["a", "b"]), decision=np.array([0.1 + 0.2, np.nan]))
    again = read_table(out)
    assert again.columns == ["size", "colour", "note", "prediction", "decision"]
    assert again.frame["size"].tolist() == ["1.50", "007"]
    assert again.frame["colour"].fillna("").tolist() == ["red", ""]
    assert again.frame["prediction"].tolist() == ["a", "b"]
    decision = float(again.frame["decision"][0])
    assert decision == (0.3 if suffix == ".xlsx" else 0.1 + 0.2)  # of Excel, with its 15 digits
    if suffix == ".csv":
        assert out.read_bytes().splitlines()[2] == b"007,,,b,"
    content = out.read_bytes()
    write_table(first, out, prediction=np.array(["a", "b"]), decision=np.array([0.1 + 0.2, np.nan]))
    assert suffix == ".xlsx" or out.read_bytes() == content


@examples(150)
@given(
    st.integers(1, 3).flatmap(
        lambda width: st.lists(
            st.lists(st.text(",;|\t\"'\\#= \r\n-.0aäπ", max_size=5), min_size=width, max_size=width),
            min_size=1,
            max_size=5,
        )
    ),
    st.sampled_from([".csv", ".tsv", ".csv.zst", ".xlsx", ".jsonl"]),
)
def test_a_written_table_is_read_again(tmp_path_factory, rows, suffix):
    rows = [[cell.strip() for cell in row] for row in rows]
    rows.append([f"end{k}" for k in range(len(rows[0]))])
    names = [f"name{k}" for k in range(len(rows[0]))]
    path = tmp_path_factory.getbasetemp() / f"again{suffix}"
    write_table(Table(pd.DataFrame(rows, columns=names)), path, raw=True)
    again = read_table(path)
    if suffix == ".xlsx":  # its XML has one kind of line end
        rows = [[cell.replace("\r\n", "\n").replace("\r", "\n") for cell in row] for row in rows]
    assert again.columns == names
    assert [[cell or "" for cell in row] for row in again.frame.to_numpy().tolist()] == rows


def test_standard_input_and_output(monkeypatch, capfdbinary):
    content = b"a;b\n1,5;=x\n"
    for data in (content, gzip.compress(content)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        read = read_table("-")
        assert cells(read) == [["a", "b"], ["1,5", "=x"]]
    with pytest.raises(ValueError, match="standard input is empty"):
        read_table("-")
    write_table(read, "-", c=np.array([1]))
    write_table(read, "-", raw=True)
    assert capfdbinary.readouterr().out == b""""a","b","c"\n"1,5","'=x","1"\na,b\n"1,5",=x\n"""


def test_a_name_that_is_taken_and_another_suffix_are_refused(tmp_path):
    first = read_table(made(tmp_path, "a,prediction\n1,2\n"))
    with pytest.raises(ValueError, match="already has a column 'prediction'"):
        write_table(first, tmp_path / "out.csv", prediction=np.array([1]))
    with pytest.raises(ValueError, match=r"out\.ods must end in \.csv, .* or \.jsonl, got '\.ods'"):
        write_table(first, tmp_path / "out.ods")
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]
    assert (check_suffix("-"), check_suffix("A.CSV.GZ")) == (".csv", ".csv.gz")


@pytest.mark.parametrize(
    ("cell", "suffix"), [([1, "x"], ".parquet"), ("\ud800", ".csv"), ("\ud800", ".jsonl"), ("\x00", ".xlsx")]
)
def test_what_a_format_cannot_hold_is_said(tmp_path, cell, suffix):
    with pytest.raises(ValueError, match=rf"out{suffix} cannot be written as {suffix[1:]}: "):
        write_table(Table(pd.DataFrame({"a": pd.Series([cell, 2], dtype=object)})), tmp_path / f"out{suffix}")
    assert list(tmp_path.iterdir()) == []


def test_formulas_are_disarmed_unless_raw_texts_are_wanted(tmp_path):
    texts = ["=cmd|' /C calc'!A0", "-1.5", "-1,5", "+x", "@SUM(A1)", "-", "a=b", "\u202f=1", "＝1", "\n=1"]
    safe = [
        "'=cmd|' /C calc'!A0",
        "-1.5",
        "-1,5",
        "'+x",
        "'@SUM(A1)",
        "'-",
        "a=b",
        "\u202f=1",
        "'＝1",
        "'\n=1",
    ]
    answers = np.array(["=yes", "no"] * 5, dtype=object)
    rows = Table(pd.DataFrame({"=name": texts, "n": range(10), "f": pd.Categorical(texts)}))
    for suffix in (".csv", ".tsv", ".xlsx"):
        for raw, names, expected in ((True, "=name", texts), (False, "'=name", safe)):
            out = tmp_path / f"out{suffix}"
            write_table(rows, out, raw=raw, prediction=answers)
            if suffix == ".xlsx":
                again = pd.read_excel(out, dtype=object)
            else:
                again = pd.read_csv(out, sep="\t" if suffix == ".tsv" else ",", dtype=object)
            assert again.columns.tolist() == [names, "n", "f", "prediction"]
            assert again[names].tolist() == again["f"].tolist() == expected
            assert again["prediction"][0] == ("=yes" if raw else "'=yes")
    write_table(rows, tmp_path / "out.jsonl")
    assert json.loads((tmp_path / "out.jsonl").read_text().splitlines()[0])["=name"] == texts[0]


@pytest.mark.parametrize("text", ["x\r=1+1", "\r", "a\rb", "x;=1+1", "x\t=1+1"])
def test_no_text_begins_a_row_or_a_cell_of_other_separators(tmp_path, text):
    write_table(Table(pd.DataFrame({"#": [text, "b"], "n": ["1", "2"]})), tmp_path / "out.csv")
    assert pd.read_csv(tmp_path / "out.csv")["#"].tolist() == ["'\r" if text == "\r" else text, "b"]
    assert (tmp_path / "out.csv").read_bytes().startswith(b'"#"')


def test_the_examples_run():
    assert doctest.testmod(writing).failed == 0
