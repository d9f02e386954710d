"""A table as it comes: texts, dates, ids, constants and gaps."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

from sklearn.utils import Bunch

_TEXT = """Penguins of the Palmer Archipelago, K. B. Gorman and the Palmer Station LTER, as in palmerpenguins.

344 rows and 17 columns just as they were noted down: species, island, date and size of the nest, size of the
bird, isotopes in its blood, remarks; 11 birds are of unknown sex and 13 lack an isotope."""


def penguins_file() -> Path:
    """Return the bundled CSV file of the penguins.

    Examples
    --------
    >>> from netlines.datasets import penguins_file
    >>> penguins_file().name
    'penguins.csv'
    """
    return Path(str(resources.files("netlines.datasets") / "data" / "penguins.csv"))


def load_penguins(*, return_X_y: bool = False) -> Any:
    """Load the penguins of known sex as a raw table, to be told apart by everything else; needs pandas.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return `(data, target)` instead of a Bunch.

    Returns
    -------
    Bunch with data, target, frame, feature_names, target_names and DESCR, or (data, target)
        `data` is a DataFrame of 333 rows and 16 columns.

    Examples
    --------
    >>> from netlines.datasets import load_penguins
    >>> X, y = load_penguins(return_X_y=True)
    >>> X.shape, sorted(set(y)), int(X.isna().any(axis=1).sum())
    ((333, 16), ['FEMALE', 'MALE'], 299)
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError('load_penguins needs pandas: pip install "netlines[cli]"') from error
    frame = pd.read_csv(penguins_file())
    frame = frame[frame["Sex"].notna()].reset_index(drop=True)
    data, target = frame.drop(columns="Sex"), frame["Sex"]
    if return_X_y:
        return data, target
    names = sorted(set(target))
    return Bunch(
        data=data, target=target, frame=frame, feature_names=list(data), target_names=names, DESCR=_TEXT
    )
