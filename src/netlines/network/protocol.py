"""The questions that readers ask of a network, be it one or several that decide together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import text_as_html
from netlines.network.background import Background, unknown
from netlines.network.frame import Frame
from netlines.network.layers import Layer, layer_of
from netlines.network.layout import Layout
from netlines.network.readout import EACH, ONE, Answer, Readout
from netlines.network.sums import accurate_sums

if TYPE_CHECKING:
    from netlines.network.network import Network
    from netlines.network.parts import Part

FloatArray = NDArray[np.floating]
SMALL, LARGE = 1e-100, 1e60  # spreads of inputs whose squares readers can take


class AnyNetwork:
    """What `Network` and `Networks` have in common: no reader has to know which of them it holds.

    One network is the only part of itself, has the scheme None and no trees. Several have no growth trace.
    """

    if TYPE_CHECKING:
        classes: NDArray
        background: Background | None
        layout: Layout | None

        @property
        def scheme(self) -> str | None: ...
        @property
        def parts(self) -> tuple[Part, ...]: ...
        @property
        def trees(self) -> tuple[tuple[int, ...], ...]: ...
        @property
        def origin(self) -> NDArray | None: ...
        @property
        def hidden_weights(self) -> FloatArray: ...
        @property
        def feature_names(self) -> tuple[str, ...] | None: ...
        @property
        def growth_trace(self) -> tuple[Mapping[str, Any], ...]: ...
        @property
        def priors(self) -> NDArray | None: ...
        @property
        def n_features(self) -> int: ...
        @property
        def n_hidden(self) -> int: ...
        @property
        def n_weights(self) -> int: ...
        @property
        def n_nonzero(self) -> int: ...
        @property
        def has_probability(self) -> bool: ...
        @property
        def moved(self) -> bool: ...
        @property
        def code_decides(self) -> bool: ...

        def internal_representation(self, X: FloatArray) -> FloatArray: ...
        def decision(self, X: FloatArray) -> FloatArray: ...
        def answers(self, X: FloatArray) -> NDArray[np.intp]: ...
        def answers_of_codes(self, codes: NDArray) -> NDArray[np.intp]: ...
        def forward(self, X: FloatArray) -> Answer: ...
        def combined(self, by_part: Sequence[NDArray]) -> NDArray: ...
        def with_networks(self, networks: Sequence[Network]) -> AnyNetwork: ...
        def with_feature_names(self, names: Sequence[str] | None) -> AnyNetwork: ...
        def with_priors(self, priors: Any) -> AnyNetwork: ...

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def __repr__(self) -> str:
        sizes = f"n_hidden={self.n_hidden}, n_weights={self.n_weights}, n_features={self.n_features}"
        scheme = f"scheme={self.scheme!r}, " if self.scheme else ""
        return f"{type(self).__name__}({scheme}{sizes}, n_classes={self.n_classes})"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the text of `print`."""
        head, *lines = self._lines(width=10_000)
        return text_as_html(head, "\n".join(lines))

    def _lines(self, width: int = 100) -> list[str]:
        from netlines.network.formula import Style
        from netlines.network.wording import network_lines  # which knows both kinds of networks

        return network_lines(self, Style(digits=3, width=width, full=False))

    @cached_property
    def layer(self) -> Layer | None:
        """What the network keeps ready for many rows, see `sweep`."""
        return layer_of(self)

    @property
    def n_classes(self) -> int:
        """Number of classes C."""
        return len(self.classes)

    @property
    def readout(self) -> Readout:
        """How scores are read: one number decides for one network of two classes, else one a class."""
        return ONE if self.scheme is None and self.n_classes == 2 else EACH

    @property
    def learning_sequences(self) -> tuple[tuple[Any, ...], ...]:
        """The labels in the order in which each tree separates them."""
        chains = ([self.parts[k] for k in tree] for tree in self.trees)
        return tuple((*(part.positive[0] for part in chain), chain[-1].negative[0]) for chain in chains)

    @property
    def surroundings(self) -> Background:
        """The background, or if there is none one of standardised inputs."""
        return unknown(self.n_features) if self.background is None else self.background

    def with_layout(self, layout: Layout | None) -> AnyNetwork:
        """Return the network whose inputs are what a table became, with their names."""
        if layout is None:
            return self
        return replace(self.with_feature_names(layout.feature_names), layout=layout)  # type: ignore[type-var]

    def relative(self, X: FloatArray) -> FloatArray:
        """Return rows as the weights multiply them: counted from the origin, if there is one."""
        return X if self.origin is None else X - self.origin

    @property
    def frame(self) -> Frame | None:
        """Where inputs are of ordinary size for readers; None if they are, and count from 0."""
        about = self.surroundings
        odd = (about.scale < SMALL) | (about.scale > LARGE)
        if self.origin is None and not odd.any():
            return None
        origin = np.zeros(len(odd)) if self.origin is None else self.origin
        reach = np.maximum(np.abs(about.low - origin), np.abs(about.high - origin))
        odd &= reach * SMALL <= about.scale * LARGE  # else the ends would be lost instead
        unit = np.ldexp(1.0, np.where(odd, np.frexp(about.scale)[1] - 1, 0))
        return Frame(origin, unit)

    def inside(self, frame: Frame) -> AnyNetwork:
        """Return the network that answers to rows inside its frame what this one answers to the rows."""
        unit, about = np.append(1.0, frame.unit), self.background
        networks = [part.network for part in self.parts]
        bare = [replace(one, hidden_weights=one.hidden_weights * unit, origin=None) for one in networks]
        whole = self.with_networks(bare)
        return replace(whole, background=None if about is None else about.inside(frame))  # type: ignore[type-var]

    @property
    def weights_about_zero(self) -> FloatArray:
        """The hyperplanes as weights of the inputs themselves: for texts and pictures, if far from 0."""
        weights = self.hidden_weights.astype(float)
        if self.origin is not None:
            weights[:, 0] = accurate_sums(np.tile(-self.origin, (len(weights), 1)), weights)
        return weights

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
