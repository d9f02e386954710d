"""Classifiers in files: they answer as before, without the rows, wherever scikit-learn takes a fitted one."""

import json
import pickle

import jsonschema
import matplotlib
import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import ConfusionMatrixDisplay, RocCurveDisplay, accuracy_score, get_scorer, make_scorer
from sklearn.model_selection import cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.utils.validation import check_is_fitted

import netlines as nl
from netlines._words import count
from netlines.classifiers.loaded import LoadedClassifier
from netlines.export import schema
from netlines.inspection.missing import integrate
from netlines.plots import DomainDisplay, NetworkDisplay

IRIS, SPECIES = load_iris(return_X_y=True, as_frame=True)
X3, Y3 = IRIS, np.array(["setosa", "versicolor", "virginica"])[SPECIES]
X2, Y2 = IRIS[50:], Y3[50:]
NET = nl.NetLinesClassifier(random_state=0, max_hidden=2)


def forest():
    return RandomForestClassifier(10, random_state=0).fit(X2, Y2)


KINDS = {
    "unit": lambda: nl.MinimerrorClassifier(random_state=0).fit(X2, Y2),
    "network": lambda: clone(NET).fit(X2, Y2),
    "network without names": lambda: clone(NET).fit(X2.to_numpy(), Y2),
    "float32": lambda: clone(NET).fit(X2.to_numpy(dtype=np.float32), Y2),
    "with probabilities": lambda: clone(NET).set_params(probability=True).fit(X2, Y2),
    "other priors": lambda: (
        clone(NET).set_params(probability=True).fit(X2, Y2).set_priors({"versicolor": 0.9, "virginica": 0.1})
    ),
    "monoplane": lambda: nl.MonoPlaneClassifier(random_state=0, max_hidden=2).fit(X2, Y2),
    "chosen": lambda: nl.NetLinesClassifierCV(random_state=0, max_hidden=2, cv=2).fit(X2, Y2),
    "chosen of three": lambda: nl.NetLinesClassifierCV(random_state=0, max_hidden=2, cv=2).fit(X3, Y3),
    "pruned": lambda: nl.prune(clone(NET).fit(X2, Y2), X2, Y2),
    "distilled": lambda: nl.distill(forest(), X2, random_state=0),
    "tree": lambda: clone(NET).set_params(multiclass="tree").fit(X3, Y3),
    "vote": lambda: clone(NET).set_params(multiclass="vote").fit(X3, Y3),
    "wta": lambda: clone(NET).set_params(multiclass="wta").fit(X3, Y3),
    "pairs": lambda: clone(NET).set_params(multiclass="pairs", probability=True).fit(X3, Y3),
    "shared": lambda: clone(NET).set_params(multiclass="shared").fit(X3, Y3),
    "tree over networks": lambda: nl.TreeOfNetworksClassifier(clone(NET)).fit(X3, Y3),
    "vote over networks": lambda: nl.TreeVoteClassifier(clone(NET)).fit(X3, Y3),
    "wta over units": lambda: nl.WinnerTakesAllClassifier(nl.MinimerrorClassifier()).fit(X3, Y3),
    "pairs over networks": lambda: nl.PairwiseClassifier(clone(NET).set_params(probability=True)).fit(X3, Y3),
    "tree of two classes": lambda: nl.TreeOfNetworksClassifier(clone(NET)).fit(X2, Y2),
}


@pytest.fixture(scope="module")
def fitted():
    """Return a function that fits each kind once."""
    made = {}
    return lambda kind: made.setdefault(kind, KINDS[kind]())


def through_file(clf, folder):
    nl.save_model(clf, folder / "model.json")
    return nl.load_model(folder / "model.json")


def rows_for(clf):
    X = X3 if len(clf.classes_) == 3 else X2
    return X if hasattr(clf, "feature_names_in_") else X.to_numpy()


def assert_valid(path):
    jsonschema.validate(json.loads(path.read_text()), json.loads(schema.FILE.read_text()))


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_answers_as_before(tmp_path, fitted, kind):
    clf = fitted(kind)
    loaded, X = through_file(clf, tmp_path), rows_for(clf)
    assert_valid(tmp_path / "model.json")
    for one in (loaded, pickle.loads(pickle.dumps(loaded)), clone(loaded)):
        np.testing.assert_array_equal(one.predict(X), clf.predict(X))
    for name in ("predict_proba", "predict_log_proba"):
        # Schemes squash the decisions of networks that have no probabilities.
        assert hasattr(loaded, name) == loaded.network_.has_probability
        if hasattr(loaded, name):
            # A scheme asks one network after the other: the last digits may differ.
            rounding = 0.0 if hasattr(clf, "network_") else 1e-12
            np.testing.assert_allclose(getattr(loaded, name)(X), getattr(clf, name)(X), rtol=rounding)
    decisions = loaded.decision_function(X)
    assert decisions.shape == clf.decision_function(X).shape
    if hasattr(clf, "network_"):
        np.testing.assert_array_equal(decisions, clf.decision_function(X))
        np.testing.assert_array_equal(loaded.domain_confidence(X), clf.domain_confidence(X))
        np.testing.assert_array_equal(loaded.internal_representation(X), clf.internal_representation(X))
        assert str(loaded.domains(X, clf.predict(X))) == str(clf.domains(X, clf.predict(X)))
    np.testing.assert_array_equal(loaded.classes_, clf.classes_)
    assert loaded.classes_.dtype == clf.classes_.dtype
    assert loaded.n_features_in_ == 4
    assert loaded.n_weights_ == loaded.network_.n_weights
    assert loaded.n_hidden_ == loaded.network_.n_hidden
    assert list(getattr(loaded, "feature_names_in_", [])) == list(getattr(clf, "feature_names_in_", []))


@pytest.mark.sample(2)
@pytest.mark.parametrize("kind", ["unit", "with probabilities", "tree", "pairs", "shared", "wta over units"])
def test_what_was_loaded_is_explained_without_its_rows(tmp_path, fitted, kind):
    clf = fitted(kind)
    loaded, X = through_file(clf, tmp_path), rows_for(clf)
    row = X.iloc[3]
    assert nl.explain(loaded, row).label == clf.predict(X.iloc[[3]])[0]
    if hasattr(clf, "network_"):
        assert str(nl.explain(loaded, row)) == str(nl.explain(clf, row))
    assert (nl.extract_rules(loaded, X).predict(X) == loaded.predict(X)).mean() > 0.9
    lacking = X.iloc[[3]].copy()
    lacking.iloc[0, 0] = np.nan
    (possible,) = nl.possible_classes(loaded, lacking)
    assert loaded.predict(X.iloc[[3]])[0] in possible.labels
    matplotlib.use("agg")
    NetworkDisplay.from_estimator(loaded)
    DomainDisplay.from_estimator(loaded, X, loaded.predict(X))
    matplotlib.pyplot.close("all")


@pytest.mark.slow
def test_a_report_of_what_was_loaded_does_without_a_cross_validation(tmp_path, fitted):
    loaded = through_file(fitted("with probabilities"), tmp_path)
    nl.write_report(loaded, X2, Y2, tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "There was no cross-validation: the network came from a file" in text
    assert "load_model" in text


def test_scikit_learn_takes_it_as_a_fitted_classifier(tmp_path, fitted):
    loaded = through_file(fitted("with probabilities"), tmp_path)
    assert is_classifier(loaded)
    check_is_fitted(loaded)
    right = (loaded.predict(X2) == Y2).mean()
    assert loaded.score(X2, Y2) == make_scorer(accuracy_score)(loaded, X2, Y2) == right
    assert get_scorer("roc_auc")(loaded, X2, Y2) > 0.9
    assert get_scorer("neg_log_loss")(loaded, X2, Y2) < 0
    matplotlib.use("agg")
    RocCurveDisplay.from_estimator(loaded, X2, Y2, pos_label="virginica")
    ConfusionMatrixDisplay.from_estimator(loaded, X2, Y2)
    matplotlib.pyplot.close("all")
    importance = permutation_importance(loaded, X2, Y2, n_repeats=2, random_state=0)
    assert importance.importances.shape == (4, 2)


def test_inside_other_estimators_it_is_frozen(tmp_path, fitted):
    loaded = through_file(fitted("with probabilities"), tmp_path)
    frozen = FrozenEstimator(loaded)
    assert clone(frozen) is frozen
    again = CalibratedClassifierCV(frozen, cv=2).fit(X2, Y2)
    assert again.predict_proba(X2).shape == (100, 2)
    assert cross_validate(frozen, X2, Y2, cv=2)["test_score"].shape == (2,)
    assert make_pipeline(frozen).fit(X2, Y2).predict(X2).tolist() == loaded.predict(X2).tolist()
    for fit in (loaded.fit, CalibratedClassifierCV(loaded, cv=2).fit):
        with pytest.raises(TypeError, match=r"cannot be trained: .*FrozenEstimator\(loaded\)"):
            fit(X2, Y2)


def test_priors_and_missing_values(tmp_path, fitted):
    loaded = through_file(fitted("with probabilities"), tmp_path)
    before = loaded.predict_proba(X2)
    moved = loaded.set_priors([0.99, 0.01]).predict_proba(X2)
    assert (moved[:, 0] > before[:, 0]).all()
    np.testing.assert_array_equal(through_file(loaded, tmp_path).predict_proba(X2), moved)
    np.testing.assert_array_equal(loaded.set_priors(None).predict_proba(X2), before)
    lacking = X2.copy()
    lacking.iloc[0, 0] = np.nan
    assert loaded.missing == "auto"
    shares = integrate(loaded.network_, lacking[:1])
    np.testing.assert_allclose(loaded.predict_proba(lacking)[:1], shares)
    np.testing.assert_array_equal(loaded.predict_proba(lacking)[1:], before[1:])
    for missing in ("integrate", "error"):
        again = through_file(loaded.set_params(missing=missing), tmp_path)
        assert again.missing == missing
    with pytest.raises(ValueError, match=r"missing value \(NaN\) .* column 'sepal length \(cm\)', row 0"):
        again.predict(lacking)


def test_other_rows_are_refused(tmp_path, fitted):
    loaded = through_file(fitted("network"), tmp_path)
    turned = X2[X2.columns[::-1]].assign(further="a")
    np.testing.assert_array_equal(loaded.predict(turned), loaded.predict(X2))
    with pytest.raises(ValueError, match=r"the table lacks the column 'petal width \(cm\)'; it has 'sepal "):
        loaded.predict(X2.iloc[:, :3])
    with pytest.raises(ValueError, match=r"the table lacks the column 'sepal length .* it has 'SEPAL LENGTH"):
        loaded.predict(X2.rename(columns=str.upper))
    unnamed = pytest.warns(UserWarning, match="X does not have valid feature names, but LoadedClassifier was")
    with unnamed, pytest.raises(ValueError, match="X has 3 features, but LoadedClassifier is expecting 4"):
        loaded.predict(X2.to_numpy()[:, :3])
    with pytest.raises(AttributeError, match="predict_proba"):
        loaded.predict_proba(X2)


def test_a_model_of_the_command_line_is_loaded(tmp_path):
    from netlines.cli import _run

    X2.assign(species=Y2).to_csv(tmp_path / "iris.csv", index=False)
    options = ["--target", "species", "-o", str(tmp_path / "iris.json"), "--quiet", "--folds", "0"]
    assert _run(["fit", str(tmp_path / "iris.csv"), *options]) == 0
    assert_valid(tmp_path / "iris.json")
    loaded = nl.load_model(tmp_path / "iris.json")
    assert list(loaded.feature_names_in_) == list(X2.columns)
    assert loaded.score(X2, Y2) > 0.9


def test_what_has_no_network_is_refused_and_nothing_is_written(tmp_path, fitted):
    path = tmp_path / "model.json"
    logistic = LogisticRegression(max_iter=1000)
    with pytest.raises(TypeError, match="LogisticRegression has no `network_`"):
        nl.save_model(logistic.fit(X2, Y2), path)
    with pytest.raises(TypeError, match=r"TreeOfNetworksClassifier is over others .*: LogisticRegression"):
        nl.save_model(nl.TreeOfNetworksClassifier(logistic).fit(X3, Y3), path)
    for unfitted in (clone(NET), nl.TreeOfNetworksClassifier()):
        with pytest.raises(NotFittedError):
            nl.save_model(unfitted, path)
    assert not path.exists()
    with pytest.raises(OSError, match="cannot write the file"):
        nl.save_model(fitted("unit"), tmp_path / "nowhere" / "model.json")


def test_a_file_that_is_no_model_is_named(tmp_path, fitted):
    path = tmp_path / "other.json"
    with pytest.raises(FileNotFoundError, match=r"other\.json"):
        nl.load_model(path)
    path.write_text("{}")
    with pytest.raises(ValueError, match=r"other\.json is not a readable model file"):
        nl.load_model(path)
    nl.save_model(fitted("unit"), path)
    document = json.loads(path.read_text())
    path.write_text(json.dumps({**document, "metadata": {"missing": "guess"}}))
    with pytest.raises(
        ValueError, match=r"other\.json .*'missing'\] must be among auto, error, .*got 'guess'"
    ):
        nl.load_model(path)


def test_a_network_itself_is_saved(tmp_path, fitted):
    network = fitted("network").network_
    loaded = through_file(network, tmp_path)
    assert isinstance(loaded, LoadedClassifier)
    size = f"{count(network.n_hidden, 'hidden unit')} and {network.n_weights} weights"
    assert repr(loaded) == f"LoadedClassifier(<Network of {size}>, missing='auto')"
    np.testing.assert_array_equal(loaded.predict(X2), fitted("network").predict(X2))


@pytest.mark.sample(2)
@pytest.mark.parametrize("factors", [(1e-300, 1, 1), (1e-300,) * 3, (1e84, 1, 1e-300), (1e-20, 1e20, 1)])
def test_networks_of_columns_of_any_scale_come_back(tmp_path, factors):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 3)) * factors
    y = rng.integers(0, 2, 30)
    for clf in (nl.MinimerrorClassifier(), nl.NetLinesClassifier(max_hidden=2, probability=True)):
        nl.save_model(clf.fit(X, y), tmp_path / "model.json")
        loaded = nl.load_model(tmp_path / "model.json")
        assert loaded.decision_function(X).tobytes() == clf.decision_function(X).tobytes()
