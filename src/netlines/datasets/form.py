"""The form in which data are given: arrays or frames, a pair or a Bunch."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Bunch


def give(
    data: NDArray,
    target: NDArray,
    feature_names: list[str],
    text: str,
    *,
    return_X_y: bool,
    as_frame: bool,
    classes: Any = None,
    **more: Any,
) -> Any:
    """Give `(data, target)` or a Bunch that also holds the names, the text as DESCR, and `more`.

    `classes` are the Bunch's `target_names`, by default the labels found in `target`.
    """
    target_names = np.unique(target) if classes is None else np.asarray(classes)
    frame = None
    if as_frame:
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError('as_frame=True needs pandas: pip install "netlines[cli]"') from error
        frame = pd.DataFrame(data, columns=feature_names).assign(**{"class": target})
        data, target = frame[feature_names], frame["class"]
    if return_X_y:
        return data, target
    return Bunch(
        data=data,
        target=target,
        frame=frame,
        feature_names=feature_names,
        target_names=target_names,
        DESCR=text,
        **more,
    )
