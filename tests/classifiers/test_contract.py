"""scikit-learn's own checks of an estimator, on all of ours."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from netlines import (
    MinimerrorClassifier,
    MonoPlaneClassifier,
    NetLinesClassifier,
    NetLinesClassifierCV,
)

ESTIMATORS = [
    MinimerrorClassifier(),
    NetLinesClassifier(),
    NetLinesClassifierCV(max_hidden=2, cv=2),
    NetLinesClassifierCV(teacher=None),
    MinimerrorClassifier(probability=True),
    NetLinesClassifier(max_hidden=1, probability=True, multiclass="pairs"),
    *(NetLinesClassifier(max_hidden=3, multiclass=scheme) for scheme in ("tree", "wta", "shared")),
    NetLinesClassifier(max_hidden=2, multiclass="shared", probability=True),
    MonoPlaneClassifier(),
    MonoPlaneClassifier(max_hidden=3, multiclass="tree"),
    *(
        NetLinesClassifierCV(max_hidden=2, cv=2, multiclass=scheme, teacher=None)
        for scheme in ("tree", "vote", "wta", "pairs", "shared")
    ),
]


# One check skips itself, for every estimator of every library: `check_array_api_input` runs only where
# the environment variable SCIPY_ARRAY_API is set, which has to be done before scipy is imported. Our
# estimators do not claim to support the array API, so that there is nothing to check. No other is skipped.
@parametrize_with_checks(ESTIMATORS)
def test_the_contract_of_scikit_learn_is_kept(estimator, check):
    assert check(estimator) is None
