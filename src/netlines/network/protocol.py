"""The questions that readers ask of a network, be it one or several that decide together."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines.network.background import Background, unknown

FloatArray = NDArray[np.floating]


class Answer(NamedTuple):
    """What a network says of n rows, by one pass over them.

    Attributes
    ----------
    labels : array (n,)
        The numbers of the classes.
    scores : array (n,) or (n, C)
        Of one network of two classes the log-odds of the second, else the logarithms of all probabilities.
        Without a calibration they are the decisions.
    probability : array (n, C) or None
        None without a calibration.
    """

    labels: NDArray
    scores: NDArray
    probability: NDArray | None


class AnyNetwork:
    """What `Network` and `Networks` have in common: no reader has to know which of them it holds.

    Both know `classes`, `parts`, `scheme`, `trees`, `hidden_weights`, `feature_names`, `growth_trace`,
    `background`, `priors`, their sizes, whether they have probabilities, whether other priors are expected
    and whether the code of a row decides; and both answer rows and codes. One network is the only part of
    itself, has the scheme None and no trees. Several have no growth trace.
    """

    if TYPE_CHECKING:
        classes: NDArray
        background: Background | None

        @property
        def scheme(self) -> str | None: ...
        @property
        def n_features(self) -> int: ...
        def answers(self, X: FloatArray) -> NDArray[np.intp]: ...
        def forward(self, X: FloatArray) -> Answer: ...

    @property
    def n_classes(self) -> int:
        """Number of classes C."""
        return len(self.classes)

    @property
    def one_score(self) -> bool:
        """Whether one number decides: that of one network of two classes."""
        return self.scheme is None and self.n_classes == 2

    @property
    def surroundings(self) -> Background:
        """The background, or if there is none one of standardised inputs."""
        return unknown(self.n_features) if self.background is None else self.background

    def predict(self, X: FloatArray) -> NDArray:
        """Class labels, shape (n,)."""
        return self.classes[self.answers(X)]

    def scores(self, X: FloatArray) -> FloatArray:
        """What speaks for the classes, shape (n,) or (n, C): see `Answer`."""
        return self.forward(X).scores

    def probability(self, X: FloatArray) -> FloatArray:
        """Probabilities of the classes, shape (n, C); the largest is that of the answer.

        Where the calibration or the scheme would disagree with it, it is put next above the others. Changed
        priors come on top and may then change the answer.
        """
        p = self.forward(X).probability
        if p is None:
            lacking = "not all of these networks have a" if self.scheme else "this network has no"
            raise ValueError(f"{lacking} calibration, hence there are no probabilities")
        return p
