"""Fitted classifiers in files: `save_model` writes one, `load_model` reads it back as a fitted classifier."""

from __future__ import annotations

import os
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from netlines._words import count
from netlines.classifiers.delegation import scheme_networks
from netlines.classifiers.multiclass.scheme import Scheme
from netlines.classifiers.predictions import MISSING, Answering
from netlines.export.model_file import read_model_file, save_network
from netlines.inspection.inputs import network_of
from netlines.network.network import Network
from netlines.network.networks import Networks


def save_model(clf: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted classifier to a JSON model file, whole or not at all.

    The file keeps the network, every number exactly, with its labels, the names of the inputs, its
    probabilities and what explanations need of the training rows; not the rows, and no code. What the
    classifier counted at its fit, and its parameters other than `missing`, are not kept.

    Parameters
    ----------
    clf : fitted classifier of netlines
        Of any kind, pruned or distilled ones and schemes over classifiers of netlines among them; or a
        network.
    path : str or path
        The file to write or to replace.

    See Also
    --------
    load_model : reads it back.

    Examples
    --------
    >>> import os, tempfile
    >>> from netlines import NetLinesClassifier, load_model, save_model
    >>> from netlines.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = NetLinesClassifier(random_state=0).fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(clf, os.path.join(folder, "iris.json"))
    ...     loaded = load_model(os.path.join(folder, "iris.json"))
    >>> bool((loaded.predict(X) == clf.predict(X)).all())
    True
    """
    network = scheme_networks(clf) if isinstance(clf, Scheme) else network_of(clf)
    missing = getattr(clf, "missing", MISSING[0])
    save_network(network, path, metadata={} if missing == MISSING[0] else {"missing": missing})


def load_model(path: str | os.PathLike[str]) -> LoadedClassifier:
    """Read a fitted classifier from a model file, of any format, that `save_model` or `netlines fit` wrote.

    No code is executed. The inputs of what `netlines fit` wrote are those that its table became.

    Parameters
    ----------
    path : str or path
        The file; one that is damaged or of another kind ends in a `ValueError` that says what is wrong.

    Returns
    -------
    LoadedClassifier

    See Also
    --------
    save_model : writes it, and an example.
    """
    content = read_model_file(path)
    return LoadedClassifier(content.network, missing=content.metadata.get("missing", MISSING[0]))


class LoadedClassifier(Answering, ClassifierMixin, BaseEstimator):
    """A fitted classifier that is a network and nothing else: what `load_model` returns.

    It answers as the classifier that was saved, and explanations, rules, pictures and reports take it. It
    cannot be trained; scikit-learn's meta-estimators take it inside a `sklearn.frozen.FrozenEstimator`.

    Parameters
    ----------
    network : Network or Networks
    missing : {"error", "integrate"}, default="error"
        What predictions do with NaN: refuse it, or integrate over what is missing.

    Attributes
    ----------
    network_ : Network or Networks
    classes_ : array of shape (C,)
    n_features_in_ : int
    feature_names_in_ : array of shape (n_features_in_,)
        Only if the inputs have names.
    n_hidden_, n_weights_ : int
        Of all networks.
    """

    def __init__(self, network: Network | Networks, *, missing: str = "error"):
        self.network = network
        self.missing = missing

    def fit(self, X: Any, y: Any = None) -> NoReturn:
        """Raise an error: a network from a file stays as it is."""
        raise TypeError(
            "a LoadedClassifier cannot be trained: inside another estimator use "
            "sklearn.frozen.FrozenEstimator(loaded), and to train fit a new NetLinesClassifier"
        )

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        """Say what is inside; all of its weights would fill pages."""
        size = f"{count(self.n_hidden_, 'hidden unit')} and {self.n_weights_} weights"
        return f"LoadedClassifier(<{type(self.network).__name__} of {size}>, missing={self.missing!r})"

    def __sklearn_is_fitted__(self) -> bool:
        return True

    @property
    def network_(self) -> Network | Networks:
        """What answers."""
        return self.network

    @network_.setter
    def network_(self, network: Network | Networks) -> None:
        self.network = network

    @property
    def classes_(self) -> NDArray:
        """The labels."""
        return self.network.classes

    @property
    def n_features_in_(self) -> int:
        """Number of inputs."""
        return self.network.n_features

    @property
    def feature_names_in_(self) -> NDArray:
        """The names of the inputs; an `AttributeError` if they have none."""
        if self.network.feature_names is None:
            raise AttributeError("the inputs of this LoadedClassifier have no names")
        return np.array(self.network.feature_names, dtype=object)

    @property
    def n_hidden_(self) -> int:
        """Number of hidden units of all networks."""
        return self.network.n_hidden

    @property
    def n_weights_(self) -> int:
        """Number of weights of all networks."""
        return self.network.n_weights
