"""Thirty tables as people have them: each with what `netlines fit` must say of it, or why it must refuse it.

`python tests/messy.py FOLDER` writes them, to be tried by hand.
"""

from __future__ import annotations

import gzip
import io
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

N = 120
TARGET = "outcome"


@dataclass(frozen=True)
class Messy:
    """A table in a file.

    Attributes
    ----------
    write : callable
        Makes the bytes of the file.
    suffix : str
    inputs : tuple of str
        What the columns become.
    says : tuple of str
        Parts of lines that are printed.
    refused : str
        What the one line of an error says; "" if a model is made.
    options : tuple of str
        Further options of `netlines fit`.
    """

    write: Callable[[], bytes]
    inputs: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    refused: str = ""
    suffix: str = ".csv"
    options: tuple[str, ...] = ()


def clean() -> pd.DataFrame:
    """Return a table without any difficulty."""
    rng = np.random.default_rng(0)
    age, dose = rng.integers(20, 80, N), rng.normal(5, 2, N).round(2)
    sex = rng.choice(["female", "male"], N)
    ill = (age + 6 * dose + 10 * (sex == "male") + rng.normal(0, 6, N)) > 85
    return pd.DataFrame({"age": age, "dose": dose, "sex": sex, TARGET: np.where(ill, "ill", "well")})


def csv(frame: pd.DataFrame, **how: object) -> bytes:
    """Return a table as CSV."""
    return frame.to_csv(index=how.pop("index", False), **how).encode(str(how.get("encoding", "utf-8")))


def changed(**columns: object) -> pd.DataFrame:
    """Return the clean table with further columns before the target, or others."""
    frame = clean()
    target = frame.pop(TARGET)
    return frame.assign(**columns, **{TARGET: target})


def gappy(share: float = 0.15, text: str = "") -> pd.DataFrame:
    """Return the clean table with gaps in two columns."""
    rng, frame = np.random.default_rng(1), clean().astype({"age": object, "dose": object})
    frame.loc[rng.random(N) < share, "age"] = text
    frame.loc[rng.random(N) < share, "sex"] = text
    return frame


def european() -> bytes:
    """Return semicolons and decimal commas in latin-1, as spreadsheets write them."""
    frame = clean().rename(columns={"sex": "Größe"})
    frame["dose"] = [f"{value:.2f}".replace(".", ",") for value in frame["dose"]]
    return frame.to_csv(index=False, sep=";", lineterminator="\r\n").encode("latin-1")


def zipped() -> bytes:
    """Return a zip archive of the clean table."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("table.csv", csv(clean()))
    return file.getvalue()


def stored(frame: pd.DataFrame, method: str) -> bytes:
    """Return a table in a binary format of pandas."""
    file = io.BytesIO()
    getattr(frame, method)(file, **({} if method == "to_feather" else {"index": False}))
    return file.getvalue()


def dated() -> pd.DataFrame:
    """Return dates over two years, with times."""
    rng = np.random.default_rng(2)
    minutes = pd.to_timedelta(rng.integers(0, 700 * 1440, N), "min")
    return changed(visit=pd.Timestamp("2021-03-01 08:00") + minutes)


def zips() -> pd.DataFrame:
    """Return a column of many texts of which some are frequent."""
    rng = np.random.default_rng(3)
    return changed(
        city=np.where(
            rng.random(N) < 0.6, rng.choice(["Rome", "Oslo", "Bern"], N), [f"c{i}" for i in range(N)]
        )
    )


PLAIN = ("age", "dose", "sex=male")
DAYS = ("visit: days since",)
TABLES: dict[str, Messy] = {
    "clean": Messy(lambda: csv(clean()), PLAIN),
    "semicolons and decimal commas": Messy(
        european, ("age", "dose", "Größe=male"), ("decimal comma", "UTF-8")
    ),
    "tabs": Messy(lambda: csv(clean(), sep="\t"), PLAIN, suffix=".tsv"),
    "pipes": Messy(lambda: csv(clean(), sep="|"), PLAIN, suffix=".txt"),
    "blanks": Messy(lambda: csv(clean(), sep=" "), PLAIN, suffix=".data"),
    "utf-16": Messy(lambda: clean().to_csv(index=False).encode("utf-16"), PLAIN),
    "utf-8 with a mark": Messy(lambda: clean().to_csv(index=False).encode("utf-8-sig"), PLAIN),
    "gzip": Messy(lambda: gzip.compress(csv(clean())), PLAIN, suffix=".csv.gz"),
    "zip": Messy(zipped, PLAIN, suffix=".csv.zip"),
    "parquet": Messy(lambda: stored(clean(), "to_parquet"), PLAIN, suffix=".parquet"),
    "feather": Messy(lambda: stored(clean(), "to_feather"), PLAIN, suffix=".feather"),
    "excel": Messy(lambda: stored(clean(), "to_excel"), PLAIN, suffix=".xlsx"),
    "json lines": Messy(
        lambda: clean().to_json(orient="records", lines=True).encode(), PLAIN, suffix=".jsonl"
    ),
    "an index without a name": Messy(lambda: csv(clean(), index=True), PLAIN, ("column 1 has no name",)),
    "quoted commas and line ends": Messy(
        lambda: csv(changed(site=np.where(np.arange(N) % 2, "Bonn, west\nside", 'the "old" one'))),
        (*PLAIN, 'site=the "old" one'),
    ),
    "empty cells": Messy(lambda: csv(gappy()), ("age", "dose", "sex=male")),
    "question marks": Messy(lambda: csv(gappy(text="?")), ("age", "dose", "sex=male")),
    "gaps that tell": Messy(
        lambda: csv(changed(score=np.where(clean()[TARGET] == "ill", "", np.arange(N) % 7))),
        (*PLAIN, "score", "score is missing"),
    ),
    "ids": Messy(
        lambda: csv(changed(patient_id=[f"P{i:05d}" for i in range(N)], row=range(1000, 1000 + N))),
        PLAIN,
        (
            "patient_id: 120 different texts in 120 rows, left out",
            "row: 120 different whole numbers in 120 rows",
        ),
    ),
    "constants, empty and repeated columns": Messy(
        lambda: csv(changed(country="FR", nothing="", again=clean()["dose"], version=3)),
        PLAIN,
        (
            "country: 'FR' in all rows, left out",
            "nothing: no values, left out",
            "again: the same as 'dose', left out",
            "version: 3 in all rows, left out",
        ),
    ),
    "dates": Messy(lambda: csv(dated()), (*PLAIN, *DAYS)),
    "dates of days and months": Messy(
        lambda: csv(dated().assign(visit=lambda f: f["visit"].dt.strftime("%d.%m.%Y"))), (*PLAIN, *DAYS)
    ),
    "typed dates": Messy(lambda: stored(dated(), "to_parquet"), (*PLAIN, *DAYS), suffix=".parquet"),
    "money, thousands and percent": Messy(
        lambda: csv(
            changed(
                price=[f"${1000 + 37 * i:,}" for i in range(N)],
                people=[f"{(i * 7919) % 90 * 1001 + 1000:,}" for i in range(N)],
                share=[f"{(i * 31) % 100} %" for i in range(N)],
            )
        ),
        (*PLAIN, "price", "people", "share"),
        (
            "price: texts such as '$1,000' are read as numbers",
            "share: texts such as '0 %' are read as numbers",
        ),
    ),
    "many categories": Messy(
        lambda: csv(zips()),
        (*PLAIN, "city=Bern", "city=Oslo", "city=Rome", "city=other"),
        ("the 3 most frequent are kept, the others count as 'other'",),
    ),
    "missing targets": Messy(
        lambda: csv(clean().assign(**{TARGET: lambda f: f[TARGET].mask(np.arange(N) % 20 == 0, "")})),
        PLAIN,
        ("6 rows have no value in the target 'outcome', left out",),
    ),
    "a class of one row": Messy(
        lambda: csv(clean().assign(**{TARGET: lambda f: f[TARGET].mask(np.arange(N) == 7, "odd")})),
        PLAIN,
        ("class 'odd' has one row of 120 rows",),
    ),
    "booleans, nullable and categories": Messy(
        lambda: stored(
            changed(
                flag=pd.array([True, False, None] * (N // 3), dtype="boolean"),
                steps=pd.array([1, None, 3, 5] * (N // 4), dtype="Int64"),
                kind=pd.Categorical(list("abc") * (N // 3)),
            ),
            "to_parquet",
        ),
        (*PLAIN, "flag", "steps", "kind=a", "kind=b", "kind=c"),
        suffix=".parquet",
    ),
    "decided by hand": Messy(
        lambda: csv(changed(code=np.arange(N) % 3, key=range(N))),
        ("age", "dose", "code=0", "code=1", "code=2", "key"),
        options=("--drop", "sex", "--categorical", "code", "--numeric", "key"),
    ),
    "text among numbers": Messy(
        lambda: csv(
            clean().astype({"age": object}).assign(age=lambda f: f["age"].mask(np.arange(N) == 4, "old"))
        ),
        refused="expected a number, got 'old' in column 'age', row 5",
        options=("--numeric", "age"),
    ),
    "a long row": Messy(lambda: csv(clean()) + b"1,2,3,4,5,6\n", refused="line 122"),
    "equal names": Messy(lambda: b"a,a,outcome\n1,2,x\n3,4,y\n", refused="more than one column is named 'a'"),
    "no such target": Messy(
        lambda: csv(clean().rename(columns={TARGET: "y"})), refused="no target column 'outcome'"
    ),
    "measurements as a target": Messy(
        lambda: csv(clean().assign(**{TARGET: np.arange(N) / 7})), refused="a target holds classes"
    ),
    "infinite": Messy(
        lambda: csv(clean().assign(dose=lambda f: f["dose"].mask(np.arange(N) == 2, np.inf))),
        refused="expected a finite number, got inf in column 'dose', row 3",
    ),
}


def write(name: str, folder: Path) -> Path:
    """Write a table into a folder."""
    path = folder / f"{name.replace(' ', '_').replace(',', '')}{TABLES[name].suffix}"
    path.write_bytes(TABLES[name].write())
    return path


if __name__ == "__main__":
    for table in TABLES:
        print(write(table, Path(sys.argv[1])))
