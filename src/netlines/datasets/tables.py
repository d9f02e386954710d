"""Tables of measurements and the Monk's problems: loaders of the bundled files and of scikit-learn's iris."""

from __future__ import annotations

import csv
from importlib import resources
from itertools import product
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Options, StrOptions, validate_params

from netlines.datasets.form import give

_CANCER = """Wisconsin breast cancer (original), W. H. Wolberg, from the UCI repository.

Nine attributes of cell samples, integers from 1 to 10; classes benign and malignant. Of the 699 rows
16 lack `bare_nuclei`; the 683 complete ones hold 444 benign and 239 malignant samples."""

_DIABETES = """Diabetes of the Pima women, NIDDK, from the UCI repository.

768 rows, eight attributes; classes neg (500) and pos (268). Zeros stand for missing values:
glucose 5, pressure 35, triceps 227, insulin 374, mass 11."""

_SONAR = """Sonar echoes of rocks and mines, Gorman and Sejnowski, from the UCI repository.

208 rows, the energy in 60 frequency bands; classes mine (111) and rock (97). The classes can be
separated by one hyperplane."""

_IRIS = """Iris flowers, R. A. Fisher 1936, as scikit-learn holds them (the UCI copy differs in two rows).

150 rows, length and width of sepals and petals in cm; classes setosa, versicolor and virginica, 50 each.
Setosa can be separated from the others by one hyperplane."""

_MONKS = """The Monk's problem {k:d}, Thrun et al. 1991, {subset} set: {rows} rows.

Six attributes with 3, 3, 2, 3, 4 and 2 values, one-hot coded by 17 inputs. Class 1 if {rule}.
{note}"""

_MONKS_SIZES = (3, 3, 2, 3, 4, 2)
_MONKS_TEXT = {
    1: ("a1 = a2 or a5 = 1", "The training set is free of noise."),
    2: ("exactly two of the six attributes have their first value", "The training set is free of noise."),
    3: ("(a5 = 3 and a4 = 1) or (a5 ≠ 4 and a2 ≠ 3)", "Six rows of the training set contradict the rule."),
}


@validate_params({"incomplete": [StrOptions({"drop", "keep", "only"})]}, prefer_skip_nested_validation=True)
def load_breast_cancer_wisconsin(
    *, incomplete: str = "drop", return_X_y: bool = False, as_frame: bool = False
) -> Any:
    """Load the Wisconsin breast cancer data (original, 9 integer attributes, classes benign and malignant).

    Parameters
    ----------
    incomplete : {"drop", "keep", "only"}, default="drop"
        What to do with the 16 rows that lack an attribute: leave them out (683 rows remain), keep
        them with NaN (699 rows), or load nothing else (16 rows).
    return_X_y : bool, default=False
        Return `(data, target)` instead of a Bunch.
    as_frame : bool, default=False
        Give pandas objects instead of arrays; needs the extra `netlines[cli]`.

    Returns
    -------
    Bunch with data, target, feature_names, target_names, DESCR and frame, or (data, target)

    Examples
    --------
    >>> from netlines.datasets import load_breast_cancer_wisconsin
    >>> cancer = load_breast_cancer_wisconsin()
    >>> cancer.data.shape, cancer.target_names.tolist()
    ((683, 9), ['benign', 'malignant'])
    """
    data, target, names = _read_table("breast_cancer_wisconsin.csv")
    if incomplete != "keep":
        lacking = np.isnan(data).any(axis=1)
        rows = lacking if incomplete == "only" else ~lacking
        data, target = data[rows], target[rows]
    return give(data, target, names, _CANCER, return_X_y=return_X_y, as_frame=as_frame)


def load_pima_diabetes(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """Load the Pima diabetes data (768 rows, 8 attributes, classes neg and pos).

    The parameters `return_X_y` and `as_frame` are those of `load_breast_cancer_wisconsin`.

    Examples
    --------
    >>> from netlines.datasets import load_pima_diabetes
    >>> load_pima_diabetes().data.shape
    (768, 8)
    """
    return give(*_read_table("pima_diabetes.csv"), _DIABETES, return_X_y=return_X_y, as_frame=as_frame)


def load_sonar(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """Load the sonar data (208 rows, 60 attributes, classes mine and rock).

    The parameters `return_X_y` and `as_frame` are those of `load_breast_cancer_wisconsin`.

    Examples
    --------
    >>> from netlines.datasets import load_sonar
    >>> load_sonar().data.shape
    (208, 60)
    """
    return give(*_read_table("sonar.csv"), _SONAR, return_X_y=return_X_y, as_frame=as_frame)


def load_iris(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """Load scikit-learn's iris data (150 rows, 4 attributes, three species), labelled by the species' names.

    The parameters `return_X_y` and `as_frame` are those of `load_breast_cancer_wisconsin`.

    Examples
    --------
    >>> from netlines.datasets import load_iris
    >>> iris = load_iris()
    >>> iris.data.shape, iris.target_names.tolist()
    ((150, 4), ['setosa', 'versicolor', 'virginica'])
    """
    from sklearn import datasets

    iris = datasets.load_iris()
    species = np.asarray(iris.target_names)[iris.target]
    return give(iris.data, species, iris.feature_names, _IRIS, return_X_y=return_X_y, as_frame=as_frame)


@validate_params(
    {
        "k": [Options(Integral, {1, 2, 3})],
        "subset": [StrOptions({"train", "test"})],
        "encoding": [tuple, list],
    },
    prefer_skip_nested_validation=True,
)
def load_monks(
    k: int,
    *,
    subset: str = "train",
    encoding: tuple[float, float] = (-1.0, 1.0),
    return_X_y: bool = False,
    as_frame: bool = False,
) -> Any:
    """Load the Monk's problem k, its six attributes one-hot coded by 17 binary inputs.

    Parameters
    ----------
    k : {1, 2, 3}
        Which of the three problems.
    subset : {"train", "test"}, default="train"
        The published training set, or all 432 combinations labelled by the problem's rule.
    encoding : pair of float, default=(-1, 1)
        The input's values where an attribute has not, and where it has, the value in question.
    return_X_y, as_frame : bool, default=False
        As in `load_breast_cancer_wisconsin`.

    Examples
    --------
    >>> from netlines.datasets import load_monks
    >>> test = load_monks(1, subset="test")
    >>> test.data.shape, test.feature_names[:3]
    ((432, 17), ['a1=1', 'a1=2', 'a1=3'])
    """
    pair = np.array(encoding, dtype=float)
    if pair.shape != (2,) or not np.isfinite(pair).all() or pair[0] == pair[1]:
        raise ValueError(f"encoding must be two different finite numbers, got {encoding!r}")
    low, high = pair
    if subset == "train":
        attributes, labels, _ = _read_table(f"monks_{k:d}_train.csv")
        values, target = attributes.astype(int), labels.astype(int)
    else:
        values = np.array(list(product(*(range(1, size + 1) for size in _MONKS_SIZES))))
        target = _monks_rule(k, values).astype(int)
    columns = [(i, value) for i, size in enumerate(_MONKS_SIZES) for value in range(1, size + 1)]
    data = np.column_stack([np.where(values[:, i] == value, high, low) for i, value in columns])
    names = [f"a{i + 1}={value}" for i, value in columns]
    rule, note = _MONKS_TEXT[k]
    text = _MONKS.format(k=k, subset=subset, rows=len(data), rule=rule, note=note)
    return give(data, target, names, text, return_X_y=return_X_y, as_frame=as_frame)


def _read_table(name: str) -> tuple[NDArray[np.float64], NDArray, list[str]]:
    """Read a bundled CSV whose last column is the class; an empty cell becomes NaN."""
    text = (resources.files("netlines.datasets") / "data" / name).read_text(encoding="utf-8")
    header, *rows = csv.reader(text.splitlines())
    data = np.array([[float(cell) if cell else np.nan for cell in row[:-1]] for row in rows])
    return data, np.array([row[-1] for row in rows]), header[:-1]


def _monks_rule(k: int, a: NDArray) -> NDArray[np.bool_]:
    a1, a2, _, a4, a5, _ = a.T
    if k == 1:
        return (a1 == a2) | (a5 == 1)
    if k == 2:
        return (a == 1).sum(axis=1) == 2
    return ((a5 == 3) & (a4 == 1)) | ((a5 != 4) & (a2 != 3))
