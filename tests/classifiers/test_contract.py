"""scikit-learn's own checks of an estimator, on ours: every estimator × every check by `make contract`.

`make test` runs some of the checks of one estimator a code path.
"""

from zlib import crc32

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import estimator_checks_generator

from netlines import (
    MinimerrorClassifier,
    MonoPlaneClassifier,
    NetLinesClassifier,
    NetLinesClassifierCV,
)
from netlines.classifiers.multiclass import (
    PairwiseClassifier,
    TreeOfNetworksClassifier,
    TreeVoteClassifier,
    WinnerTakesAllClassifier,
)

SCHEMES = [TreeOfNetworksClassifier, TreeVoteClassifier, WinnerTakesAllClassifier, PairwiseClassifier]

ONE_A_PATH = [
    MinimerrorClassifier(),
    NetLinesClassifier(max_hidden=2),
    MonoPlaneClassifier(),
    NetLinesClassifierCV(teacher=None),
    *(scheme(LogisticRegression()) for scheme in SCHEMES),
]

VARIANTS = [
    NetLinesClassifierCV(max_hidden=2, cv=2),
    NetLinesClassifierCV(prefer="readable", cv=2),
    MinimerrorClassifier(probability=True),
    NetLinesClassifier(max_hidden=1, probability=True, multiclass="pairs"),
    *(NetLinesClassifier(max_hidden=3, multiclass=scheme) for scheme in ("tree", "wta", "shared")),
    NetLinesClassifier(max_hidden=2, multiclass="shared", probability=True),
    MonoPlaneClassifier(max_hidden=3, multiclass="tree"),
    *(
        NetLinesClassifierCV(max_hidden=2, cv=2, multiclass=scheme, teacher=None)
        for scheme in ("tree", "vote", "wta", "pairs", "shared")
    ),
    TreeOfNetworksClassifier(NetLinesClassifier(max_hidden=2)),
]

GROWN_WITHOUT_LIMIT = NetLinesClassifier()  # to the last error of noisy labels: seconds a fit

SHARE = 3  # `make test` runs one check in so many, drawn by their names

# This one runs only where SCIPY_ARRAY_API is set before scipy is imported, and skips itself elsewhere: for
# every estimator of every library. Ours do not claim to support the array API.
SKIPS_ITSELF = "check_array_api_input"

# These set a `cv`, splits of all rows, which is refused where each network learns some classes:
# `test_weights_are_repetitions` in test_classes.py checks the same with a number of folds. No other is left
# out.
WITH_SPLITS = {f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")}


# Some seconds each, of a dozen fits in as many formats that all come in by one door: one estimator a path
# takes them, `test_a_sparse_matrix_gives_the_network_of_its_array` in test_predictions.py tries others.
MANY_FORMATS = {"check_estimator_sparse_array", "check_estimator_sparse_matrix"}


def takes(estimator, name):
    """Return whether an estimator takes a check."""
    chosen_apart = isinstance(estimator, NetLinesClassifierCV) and estimator.multiclass not in (
        "auto",
        "shared",
    )
    once_more = name in MANY_FORMATS and estimator not in ONE_A_PATH
    return name != SKIPS_ITSELF and not once_more and not (name in WITH_SPLITS and chosen_apart)


def matrix():
    """Yield each estimator with each of its checks; what only `make contract` runs is marked slow."""
    for estimator in [*ONE_A_PATH, *VARIANTS, GROWN_WITHOUT_LIMIT]:
        for _, check in estimator_checks_generator(estimator):
            name, options = check.func.__name__, check.keywords
            if takes(estimator, name):
                words = [repr(estimator), name, *(f"{key}={value}" for key, value in options.items())]
                case = "-".join(words)
                quick = name not in MANY_FORMATS or estimator is ONE_A_PATH[0]
                drawn = quick and crc32(case.encode()) % SHARE == 0
                marks = [] if estimator in ONE_A_PATH and drawn else [pytest.mark.slow]
                yield pytest.param(estimator, check, marks=marks, id=case)


@pytest.mark.contract
@pytest.mark.parametrize(("estimator", "check"), list(matrix()))
def test_the_contract_of_scikit_learn_is_kept(estimator, check):
    assert check(estimator) is None


def test_what_is_left_out_is_a_check_of_scikit_learn():
    names = {check.func.__name__ for _, check in estimator_checks_generator(NetLinesClassifier())}
    assert names >= {SKIPS_ITSELF, *WITH_SPLITS, *MANY_FORMATS}
