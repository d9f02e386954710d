"""What tests of several rooms share: fitted models, and which cases of a long list `make test` runs."""

from collections import defaultdict
from copy import deepcopy
from functools import cache
from zlib import crc32

import pytest

from netlines import NetLinesClassifier, NetLinesClassifierCV
from netlines.datasets import load_breast_cancer_wisconsin, load_iris, load_monks, load_pima_diabetes

TABLES = {
    "cancer": load_breast_cancer_wisconsin,
    "diabetes": load_pima_diabetes,
    "iris": load_iris,
    "monks": lambda **how: load_monks(1, **how),
}
MODELS = {
    "chosen": NetLinesClassifierCV(random_state=0),
    "grown": NetLinesClassifier(random_state=0),
    "tree": NetLinesClassifier(multiclass="tree", random_state=0),
    "vote": NetLinesClassifier(multiclass="vote", random_state=0),
    "wta": NetLinesClassifier(multiclass="wta", random_state=0),
    "pairs": NetLinesClassifier(multiclass="pairs", random_state=0),
    "shared": NetLinesClassifierCV(multiclass="shared", random_state=0),
}


@cache
def fit(table, model, as_frame):
    X, y = TABLES[table](return_X_y=True, as_frame=as_frame)
    return deepcopy(MODELS[model]).fit(X, y), X, y


@pytest.fixture(scope="session")
def fitted():
    """Return a function of a table and a model: a copy of the fitted model, its rows and their labels."""
    return lambda table, model, as_frame=False: deepcopy(fit(table, model, as_frame))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark all but n cases of a test marked `sample(n)` as slow: which ones is drawn by their names, once."""
    cases = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sample"):
            cases[item.path, item.originalname].append(item)
    for same in cases.values():
        (n,) = same[0].get_closest_marker("sample").args
        for item in sorted(same, key=lambda item: crc32(item.name.encode()))[n:]:
            item.add_marker("slow")
