"""Tables of all sorts, made by hypothesis, always the same ones, and how many of them are tried.

A third of those that a test asks for, or another share: `make slow` sets EXAMPLES=1 and tries all, and
`EXAMPLES=10 python -m pytest tests/training/test_properties.py` tries ten times as many.
"""

import os

import numpy as np
from hypothesis import Phase, settings
from hypothesis import strategies as st

SHARE = float(os.environ.get("EXAMPLES", "0.34"))


def examples(count):
    """Return the settings of a property that holds on all of `count` examples."""
    most = max(1, round(SHARE * count))
    phases = (
        Phase.explicit,
        Phase.generate,
    )  # rows drawn by a seed do not shrink: minutes for nothing
    return settings(derandomize=True, deadline=None, database=None, max_examples=most, phases=phases)


@st.composite
def tables(draw, most=200):
    """Draw rows of all sorts with random labels of two classes."""
    p, n = draw(st.integers(2, most)), draw(st.integers(1, 20))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    values = draw(st.sampled_from([None, 2, 3, 10]))
    X = rng.standard_normal((p, n)) if values is None else rng.integers(0, values, (p, n)).astype(float)
    if draw(st.booleans()):  # duplicates, some of them contradictory
        X = X[rng.integers(0, max(1, p // 2), p)]
    if n > 1 and draw(st.booleans()):
        X[:, 0] = draw(st.sampled_from([0.0, 1.0, -1e8, 1e-8]))
    if n > 2 and draw(st.booleans()):
        X[:, 1] = 3.0 * X[:, 2] - 1.0
    decades = draw(st.sampled_from([0.0, 3.0, 8.0]))
    X = X * 10.0 ** rng.uniform(-decades, decades, n)
    y = (rng.random(p) < draw(st.sampled_from([0.5, 0.5, 0.1]))).astype(int)
    y[:2] = 0, 1
    return X, y


def unavoidable(X, y):
    """Count the errors that any function of the inputs makes."""
    _, group = np.unique(X, axis=0, return_inverse=True)
    counts = [np.bincount(group.ravel(), y == label, minlength=len(y)) for label in np.unique(y)]
    return int(np.minimum(*counts).sum())
