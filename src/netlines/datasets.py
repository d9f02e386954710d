"""The paper's problems: loaders of the bundled tables and generators, in scikit-learn's manner."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from importlib import resources
from itertools import product
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Bunch, check_random_state

_CANCER = """Wisconsin breast cancer (original), W. H. Wolberg, from the UCI repository.

Nine attributes of cell samples, integers from 1 to 10; classes benign and malignant. Of the 699 rows
16 lack `bare_nuclei`; the 683 complete ones hold 444 benign and 239 malignant samples."""

_DIABETES = """Diabetes of the Pima women, NIDDK, from the UCI repository.

768 rows, eight attributes; classes neg (500) and pos (268). Zeros stand for missing values:
glucose 5, pressure 35, triceps 227, insulin 374, mass 11."""

_SONAR = """Sonar echoes of rocks and mines, Gorman and Sejnowski, from the UCI repository.

208 rows, the energy in 60 frequency bands; classes mine (111) and rock (97). The classes can be
separated by one hyperplane."""

_MONKS = """The Monk's problem {k}, Thrun et al. 1991, {subset} set: {rows} rows.

Six attributes with 3, 3, 2, 3, 4 and 2 values, one-hot coded by 17 inputs. Class 1 if {rule}.
{note}"""

_MONKS_SIZES = (3, 3, 2, 3, 4, 2)
_MONKS_TEXT = {
    1: ("a1 = a2 or a5 = 1", "The training set is free of noise."),
    2: ("exactly two of the six attributes have their first value", "The training set is free of noise."),
    3: ("(a5 = 3 and a4 = 1) or (a5 ≠ 4 and a2 ≠ 3)", "Six rows of the training set contradict the rule."),
}


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
    _check_choice("incomplete", incomplete, ("drop", "keep", "only"))
    data, target, names = _read_table("breast_cancer_wisconsin.csv")
    if incomplete != "keep":
        lacking = np.isnan(data).any(axis=1)
        rows = lacking if incomplete == "only" else ~lacking
        data, target = data[rows], target[rows]
    return _as_loader(data, target, names, _CANCER, return_X_y, as_frame)


def load_pima_diabetes(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """Load the Pima diabetes data (768 rows, 8 attributes, classes neg and pos).

    The parameters `return_X_y` and `as_frame` are those of `load_breast_cancer_wisconsin`.

    Examples
    --------
    >>> from netlines.datasets import load_pima_diabetes
    >>> load_pima_diabetes().data.shape
    (768, 8)
    """
    return _as_loader(*_read_table("pima_diabetes.csv"), _DIABETES, return_X_y, as_frame)


def load_sonar(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """Load the sonar data (208 rows, 60 attributes, classes mine and rock).

    The parameters `return_X_y` and `as_frame` are those of `load_breast_cancer_wisconsin`.

    Examples
    --------
    >>> from netlines.datasets import load_sonar
    >>> load_sonar().data.shape
    (208, 60)
    """
    return _as_loader(*_read_table("sonar.csv"), _SONAR, return_X_y, as_frame)


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
    _check_count("k", k, 3)
    _check_choice("subset", subset, ("train", "test"))
    low, high = _check_encoding(encoding)
    if subset == "train":
        attributes, labels, _ = _read_table(f"monks_{k}_train.csv")
        values, target = attributes.astype(int), labels.astype(int)
    else:
        values = np.array(list(product(*(range(1, size + 1) for size in _MONKS_SIZES))))
        target = _monks_rule(k, values).astype(int)
    columns = [(i, value) for i, size in enumerate(_MONKS_SIZES) for value in range(1, size + 1)]
    data = np.column_stack([np.where(values[:, i] == value, high, low) for i, value in columns])
    names = [f"a{i + 1}={value}" for i, value in columns]
    rule, note = _MONKS_TEXT[k]
    text = _MONKS.format(k=k, subset=subset, rows=len(data), rule=rule, note=note)
    return _as_loader(data, target, names, text, return_X_y, as_frame)


def make_parity(n: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Make all 2ⁿ patterns of n inputs ±1, labelled by the product of their inputs.

    Examples
    --------
    >>> from netlines.datasets import make_parity
    >>> X, y = make_parity(2)
    >>> y.tolist()
    [1, -1, -1, 1]
    """
    _check_count("n", n, 20)
    X = np.array(list(product([-1.0, 1.0], repeat=n)))
    return X, X.prod(axis=1).astype(np.int64)


def make_waveform(
    n_samples: int, *, random_state: Any = None
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Make noisy mixtures of two among three triangular waves: the three classes of the CART book.

    The waves h₁, h₂, h₃ have height 6 and half-width 6 and are centred on t = 11, 15 and 7. A pattern
    of 21 points is u hᵢ + (1 - u) hⱼ plus unit Gaussian noise, u uniform on [0, 1]; class 0 mixes h₁
    and h₂, class 1 h₁ and h₃, class 2 h₂ and h₃, with equal probabilities.

    Parameters
    ----------
    n_samples : int
        Number of patterns, at least 1.
    random_state : int, RandomState or None, default=None
        Decides the classes, the mixtures and the noise.

    Examples
    --------
    >>> from netlines.datasets import make_waveform
    >>> X, y = make_waveform(300, random_state=0)
    >>> X.shape
    (300, 21)
    """
    _check_count("n_samples", n_samples, None)
    random = check_random_state(random_state)
    t = np.arange(1, 22)
    waves = np.array([np.maximum(6 - np.abs(t - centre), 0) for centre in (11, 15, 7)], dtype=float)
    y = random.randint(0, 3, size=n_samples).astype(np.int64)
    u = random.uniform(size=(n_samples, 1))
    first, second = waves[np.array([0, 0, 1])[y]], waves[np.array([1, 2, 2])[y]]
    return u * first + (1 - u) * second + random.standard_normal((n_samples, 21)), y


def _read_table(name: str) -> tuple[NDArray[np.float64], NDArray, list[str]]:
    """Read a bundled CSV whose last column is the class; an empty cell becomes NaN."""
    text = (resources.files("netlines") / "data" / name).read_text(encoding="utf-8")
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


def _as_loader(
    data: NDArray, target: NDArray, names: list[str], text: str, return_X_y: bool, as_frame: bool
) -> Any:
    target_names = np.unique(target)
    frame = None
    if as_frame:
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError('as_frame=True needs pandas: pip install "netlines[cli]"') from error
        frame = pd.DataFrame(data, columns=names).assign(**{"class": target})
        data, target = frame[names], frame["class"]
    if return_X_y:
        return data, target
    return Bunch(
        data=data, target=target, frame=frame, feature_names=names, target_names=target_names, DESCR=text
    )


def _check_choice(name: str, value: Any, allowed: Sequence[str]) -> None:
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}")


def _check_count(name: str, value: Any, largest: int | None) -> None:
    is_count = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_count or not 1 <= int(value) <= (largest or int(value)):
        allowed = "an integer of at least 1" if largest is None else f"an integer from 1 to {largest}"
        raise ValueError(f"{name} must be {allowed}, got {value!r}")


def _check_encoding(encoding: Any) -> tuple[float, float]:
    pair = tuple(encoding) if isinstance(encoding, (tuple, list)) else ()
    if (
        len(pair) != 2
        or not all(isinstance(v, Real) and np.isfinite(float(v)) for v in pair)
        or pair[0] == pair[1]
    ):
        raise ValueError(
            f"encoding must be two different finite numbers, such as (-1, 1) or (0, 1), got {encoding!r}"
        )
    return float(pair[0]), float(pair[1])
