"""Texts of any dialect: delimiters, quotes, encodings, line ends and decimal commas are found."""

import bz2
import csv
import doctest
import gzip
import io
import lzma
import zipfile

import pyarrow as pa
import pytest
from any_tables import examples
from hypothesis import given
from hypothesis import strategies as st

from netlines.tables import charset, containers, dialect, names, options
from netlines.tables.dialect import BLANKS, Dialect, find_dialect
from netlines.tables.files import read_table


def zipped(data):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("folder/table.txt", data)
        archive.writestr("__MACOSX/folder/table.txt", "x")
    return file.getvalue()


def zstd(data):
    file = pa.BufferOutputStream()
    with pa.CompressedOutputStream(file, "zstd") as stream:
        stream.write(data)
    return file.getvalue().to_pybytes()


PACKINGS = {
    "": bytes,
    ".gz": gzip.compress,
    ".zst": zstd,
    ".zip": zipped,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
}
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "latin-1"]


@st.composite
def written(draw):
    """Draw a table of awkward texts, and the file that it is written to in some dialect."""
    delimiter = draw(st.sampled_from([",", ";", "\t", "|", BLANKS]))
    quote = draw(st.sampled_from("\"'"))
    all_quoted = delimiter == BLANKS or draw(st.booleans())
    encoding = draw(st.sampled_from(ENCODINGS))
    signs = ",;|\t \"'\\#=.-01aä" + ("" if encoding in ("cp1252", "latin-1") else "π国")
    awkward = ["007", "1,5", "-3.5", "1e5", "NA", "", "a, b", "=1+1", "x;y|z", 'say "hi"', "it's"]
    if all_quoted and delimiter != BLANKS:
        signs, awkward = signs + "\r\n", [*awkward, "two\nlines", "\r\n"]
    cell = st.one_of(st.sampled_from(awkward), st.text(signs, max_size=6))
    if not all_quoted:  # a quote at the start of a cell would stand alone
        cell = cell.filter(lambda text: not text.strip().startswith(("'", '"')))
    width, length = draw(st.integers(1, 4)), draw(st.integers(1, 6))
    cells = draw(st.lists(st.lists(cell, min_size=width, max_size=width), min_size=length, max_size=length))
    header = ["row", *(f"name {k}" if all_quoted else f"name{k}" for k in range(width))]
    rows = [header, *([f"r{k}", *row] for k, row in enumerate(cells))]
    if delimiter == BLANKS:  # blanks divide only where numbers are
        rows = [[*row, "n" if not k else str(k)] for k, row in enumerate(rows)]
    text = io.StringIO(newline="")
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    quoting = csv.QUOTE_ALL if all_quoted else csv.QUOTE_MINIMAL
    writer = csv.writer(text, delimiter=delimiter, quotechar=quote, quoting=quoting, lineterminator=end)
    writer.writerows(rows)
    packing = draw(st.sampled_from(list(PACKINGS)))
    data = PACKINGS[packing](text.getvalue().encode(encoding))
    known = draw(st.booleans()) and packing != ".zip"
    return [[cell.strip() for cell in row] for row in rows], data, f"table.csv{packing}" if known else "table"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("dialects")


@examples(450)
@given(written())
def test_awkward_texts_are_read_in_every_dialect(folder, case):
    rows, data, name = case
    (folder / name).write_bytes(data)
    table = read_table(folder / name)
    assert table.text
    assert [table.columns, *table.frame.to_numpy().tolist()] == rows


def found(text):
    return find_dialect(io.StringIO(text, newline="").readlines(), True)[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\n1,2\n", Dialect(",")),
        ("a\tb\n1, 2\t3\n4\t5\n", Dialect("\t")),
        ("size, cm;weight, kg\n1,80;80,5\n1,75;70,25\n", Dialect(";")),
        ("a;b, c;d\n1;x, y;z\n", Dialect(";")),
        ("name,notes\nx,a;b;c\ny,d;e\n", Dialect(",")),
        ("id|name|genres\n1|Toy, Story|a;b\n2|Jumanji|c\n", Dialect("|")),
        ("a|b,c,d\nx|y,1,2\nz|u,3,4\n", Dialect(",")),
        ("  x   y\n 1   2.5\n10  30\n", Dialect(BLANKS)),
        ("full name\nJohn Smith\nJane Doe\n", Dialect("\x1f")),
        ("comment\nhello, world\nwell, well\n", Dialect("\x1f")),
        ("'a','b'\n'it''s, ok','2'\n", Dialect(",", "'")),
        ("a,b\n'tis,1\n'twas,2\n", Dialect(",")),
        ('"a","b"\n"say \\"hi, you\\"","1"\n', Dialect(",", escaped=True)),
        ('"a","b"\n"C:\\dir\\","1"\n', Dialect(",")),
        ('a, b\n"x, y" , "2"\n', Dialect(",", padded=True)),
        ('id\ttitle\n1\t"Foo" bar\n2\tx\n', Dialect("\t", None)),
        ('"mpg" "cyl"\n"Mazda RX4" 21 6\n"Datsun 710" 22.8 4\n', Dialect(BLANKS, row_names=True)),
        ("   a    b\n0  1  0.5\n1  2  1.5\n", Dialect(BLANKS, row_names=True)),
        ("sep=;\na;b\n1;2\n", Dialect(";", above=1)),
        ("# by me\n\n;;\na,b\n1,2\n", Dialect(",", above=3)),
        ("# x y z\n1.0 2.0 3.0\n4 5 6\n", Dialect(BLANKS, marked=True)),
        ("##v1\n#chrom\tpos\n1\t100\n", Dialect("\t", above=1, marked=True)),
    ],
)
def test_a_dialect_is_found(text, expected):
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "decimal"),
    [
        ("a;b\n1;3,5\n", ","),
        ("a;b\nx;1.234,5\n", ","),
        ("a;b\nx;1,234\n", ","),
        ("a;b\n31.12.2024;0,123\n", ","),
        ("a\tb\n1,234\tx\n", None),
        ("a\tb\n1,234,567\tx\n", "."),
        ("a;b\n3.5;3,5\n", None),
        ("a;b\n1.234;x\n", None),
        ("x\n1,5\n2,5\n", ","),
        ('a,b\n"3,5",1\n', None),
        ("a,b\n3.5,1\n", "."),
        ("a,b\n1,2\n", None),
    ],
)
def test_a_decimal_sign_is_found_only_where_cells_show_it(tmp_path, text, decimal):
    (tmp_path / "table.csv").write_text(text)
    assert read_table(tmp_path / "table.csv").decimal == decimal


@pytest.mark.parametrize(
    ("options", "columns", "decimal"),
    [
        ({"sep": "semicolon"}, ["a,b", "c"], ","),
        ({"sep": ";"}, ["a,b", "c"], ","),
        ({"sep": "pipe", "decimal": "comma"}, ["a,b;c"], ","),
        ({"sep": "comma", "encoding": "latin-1", "decimal": "."}, ["a", "b;c"], "."),
    ],
)
def test_options_overrule_what_is_found(tmp_path, options, columns, decimal):
    (tmp_path / "table.csv").write_text("a,b;c\n1,2;3\n")
    table = read_table(tmp_path / "table.csv", **options)
    assert (table.columns, table.decimal) == (columns, decimal)


@pytest.mark.parametrize(
    ("option", "value"),
    [("sep", "::"), ("sep", "a"), ("sep", ""), ("sep", '"'), ("decimal", ";"), ("encoding", "utf-9"),
     ("encoding", "base64"), ("encoding", "a\0b")],
)  # fmt: skip
def test_a_bad_option_is_named(option, value):
    with pytest.raises(ValueError, match=f"^--{option} must be .*, got ") as caught:
        read_table("not there.csv", **{option: value})
    assert repr(value) in str(caught.value)


def test_the_sample_need_not_hold_the_whole_text(tmp_path):
    (tmp_path / "long.csv").write_text("\n".join(["x;y", *["1,5;2"] * 50_000, '"a\nb";"c;d"']))
    assert read_table(tmp_path / "long.csv").frame.iloc[-1].tolist() == ["a\nb", "c;d"]
    (tmp_path / "cut.csv").write_text("x,y\n" + '"' + "a\n" * 140_000 + '",2\n' + "3,4\n" * 9)
    assert read_table(tmp_path / "cut.csv").frame["y"].tolist() == ["2", *["4"] * 9]


@pytest.mark.parametrize("module", [charset, containers, dialect, names, options])
def test_the_examples_run(module):
    assert doctest.testmod(module).failed == 0
