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
from netlines.classifiers.predictions import Answering
from netlines.export.model_file import PARAMETERS, read_model_file, save_network
from netlines.inspection.inputs import network_of
from netlines.network.network import Network
from netlines.network.networks import Networks


def save_model(clf: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted classifier to a JSON model file, whole or not at all.

    The file keeps the network, every number exactly, with its labels, the names of the inputs, its
    probabilities and what explanations need of the training rows; not the rows, and no code. What the
    classifier counted at its fit, and its parameters other than `missing` and `strict`, are not kept. A
    classifier that was fitted to a table knows its columns: asked with such a table it finds them by name.

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
    network: Any = scheme_networks(clf) if isinstance(clf, Scheme) else network_of(clf)
    asked = clf.estimators_[0] if isinstance(clf, Scheme) else clf
    kept = {name: getattr(asked, name) for name in PARAMETERS if hasattr(asked, name)}
    usual = vars(LoadedClassifier(network))
    save_network(network, path, metadata={name: own for name, own in kept.items() if own != usual[name]})


def load_model(path: str | os.PathLike[str]) -> LoadedClassifier:
    """Read a fitted classifier from a model file, of any format, that `save_model` or `netlines fit` wrote.

    No code is executed. It takes the raw table: columns are found by name, in any order, others are ignored.

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
    kept = {name: content.metadata[name] for name in PARAMETERS if name in content.metadata}
    return LoadedClassifier(content.network, **kept)


class LoadedClassifier(Answering, ClassifierMixin, BaseEstimator):
    """A fitted classifier that is a network and nothing else: what `load_model` returns.

    It answers as the classifier that was saved, and explanations, rules, pictures and reports take it. It
    cannot be trained; scikit-learn's meta-estimators take it inside a `sklearn.frozen.FrozenEstimator`.

    Parameters
    ----------
    network : Network or Networks
    missing : {"auto", "integrate", "error"}, default="auto"
        What predictions do with missing values, see `NetLinesClassifierCV`.
    strict : bool, default=False
        Whether a category that training had not is an error; else it counts as "other", or as missing.

    Attributes
    ----------
    network_ : Network or Networks
    classes_ : array of shape (C,)
    n_features_in_ : int
        Number of columns of the table that it was fitted to, or of inputs.
    feature_names_in_ : array of shape (n_features_in_,)
        Their names, if they have some.
    n_hidden_, n_weights_ : int
        Of all networks.
    """

    def __init__(self, network: Network | Networks, *, missing: str = "auto", strict: bool = False):
        self.network = network
        self.missing = missing
        self.strict = strict

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
        """Number of columns of the table, or of inputs."""
        layout = self.network.layout
        return self.network.n_features if layout is None else len(layout.names)

    @property
    def feature_names_in_(self) -> NDArray:
        """The names of the columns, or of the inputs; an `AttributeError` if they have none."""
        layout = self.network.layout
        names = self.network.feature_names if layout is None else layout.names
        if names is None or (layout is not None and not layout.named):
            raise AttributeError("the inputs of this LoadedClassifier have no names")
        return np.array(names, dtype=object)

    @property
    def n_hidden_(self) -> int:
        """Number of hidden units of all networks."""
        return self.network.n_hidden

    @property
    def n_weights_(self) -> int:
        """Number of weights of all networks."""
        return self.network.n_weights
