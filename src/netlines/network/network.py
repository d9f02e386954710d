"""The one value that training produces: a frozen network of binary neurons in the user's own units.

A `Network` knows numpy, its calibration and how scores are made to agree, nothing else. Predicting,
explaining, plotting, saving and exporting read it by the questions of `AnyNetwork`; none changes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines.network.background import Background
from netlines.network.frozen import Frozen
from netlines.network.layout import Layout
from netlines.network.parts import Part
from netlines.network.probability import Calibration, checked_priors, most_probable
from netlines.network.protocol import AnyNetwork, FloatArray
from netlines.network.readout import Answer
from netlines.network.sums import accurate_sums, compared_sums, weighted_sums

PASS_ON = np.array([[0.0, np.sqrt(2.0)]])  # the output weights of a network with a single hidden unit


def sign(values: ArrayLike) -> FloatArray:
    """Return +1 where a value is at least 0 and -1 elsewhere: sign(0) = +1 everywhere in netlines."""
    values = np.asarray(values)
    states = np.asarray(values >= 0).astype(values.dtype if values.dtype.kind == "f" else float)
    states *= 2
    states -= 1
    return states


@dataclass(frozen=True, eq=False, repr=False)
class Network(AnyNetwork, Frozen):
    """One hidden layer of binary neurons and the outputs that read their states.

    Two classes have a single output unit, whose sign is the answer. More classes have one output each: the
    largest weighted sum is the answer, the first of equal ones.

    Parameters
    ----------
    hidden_weights : array of shape (H, N + 1)
        One hyperplane a row, bias first, in the user's units, norm √(N + 1); another one where inputs differ
        so much in size that this would lose small weights.
    output_weights : array of shape (1, H + 1) for two classes, (C, H + 1) for C > 2
        The outputs over the hidden states, bias first. The output of two classes only passes the state of a
        single hidden unit on: (0, √2).
    classes : array of shape (C,)
        The labels: of two, those that the outputs -1 and +1 stand for, in this order; of more, those that
        the rows of `output_weights` stand for.
    growth_trace : tuple of dict
        One record a hidden unit, in the order of growth.
    temperature : float or None
        The final temperature T₊ of the annealing, in standardised units.
    feature_names : tuple of str or None
        The names of the inputs, if the user's table had names.
    calibration : Calibration or None
        How the fields become probabilities: with as many scores as there are outputs.
    background : Background or None
        What is remembered of the training rows. Without it the inputs are taken to be standardised.
    origin : array of shape (N,) or None
        The weights multiply x - origin: inputs far from 0 for their spread, such as time stamps, count from
        their smallest training value, others from 0. None if all do.
    layout : Layout or None
        How the columns of the user's table became the inputs, if they were more than numbers.
    """

    hidden_weights: FloatArray
    output_weights: FloatArray
    classes: NDArray
    growth_trace: tuple[Mapping[str, Any], ...] = field(default=())
    temperature: float | None = None
    feature_names: tuple[str, ...] | None = None
    calibration: Calibration | None = None
    background: Background | None = None
    origin: NDArray | None = None
    layout: Layout | None = None

    def __post_init__(self) -> None:
        self._freeze("hidden_weights", "output_weights", "classes")
        if self.classes.ndim != 1 or len(self.classes) < 2:
            raise ValueError(f"classes must be at least 2 labels, got shape {self.classes.shape}")
        outputs = (len(self.readout.legend(self.classes)), self.n_hidden + 1)
        if self.hidden_weights.ndim != 2 or self.output_weights.shape != outputs:
            raise ValueError(
                f"output_weights must have shape {outputs} for {self.n_classes} classes and hidden_weights "
                f"of shape {self.hidden_weights.shape}, got {self.output_weights.shape}"
            )
        if self.calibration is not None:
            self._check_calibration(self.calibration)
        check_background(self.background, self.n_features)
        self._freeze("origin", dtype=float)
        if self.origin is not None and self.origin.shape != (self.n_features,):
            raise ValueError(f"origin must have shape {(self.n_features,)}, got {self.origin.shape}")
        check_layout(self.layout, self)

    def _check_calibration(self, calibration: Calibration) -> None:
        """Raise an error if the calibration is not one of as many outputs, hidden units and classes."""
        units, classes, outputs = (self.n_hidden,), (self.n_classes,), (len(self.output_weights),)
        expected = {"intercepts": outputs, "slopes": outputs + units, "steps": outputs + units}
        expected |= {"steepness": units, "training_priors": classes, "priors": classes}
        for name, shape in expected.items():
            found = getattr(calibration, name).shape
            if found != shape:
                raise ValueError(f"calibration.{name} must have shape {shape}, got {found}")

    @property
    def parts(self) -> tuple[Part]:
        """The network itself, with the labels that it separates."""
        labels, n_outputs = tuple(self.classes.tolist()), len(self.output_weights)
        return (Part(labels[-n_outputs:], labels[:-n_outputs], self),)

    @property
    def scheme(self) -> None:
        """None: a network decides by itself."""
        return None

    @property
    def trees(self) -> tuple[()]:
        """None: they are those of several networks."""
        return ()

    @property
    def priors(self) -> NDArray | None:
        """The shares of the classes that are expected, shape (C,); None without a calibration."""
        return None if self.calibration is None else self.calibration.priors

    @property
    def n_hidden(self) -> int:
        """Number of hidden units H."""
        return len(self.hidden_weights)

    @property
    def n_features(self) -> int:
        """Number of inputs N, without the bias."""
        return self.hidden_weights.shape[1] - 1

    @property
    def passes_on(self) -> bool:
        """Whether the output only passes on the state of a single unit: its weights do not count then."""
        return self.output_weights.shape == PASS_ON.shape

    @property
    def n_weights(self) -> int:
        """Number of weights as the paper counts them: N + 1, or H(N + 1) + H + 1 for H ≥ 2.

        For C > 2 classes: H(N + 1) + C(H + 1).
        """
        return self.hidden_weights.size + (0 if self.passes_on else self.output_weights.size)

    @property
    def n_nonzero(self) -> int:
        """Number of weights that are not 0; a single unit's output weights, which pass on, do not count."""
        output = 0 if self.passes_on else np.count_nonzero(self.output_weights)
        return int(np.count_nonzero(self.hidden_weights) + output)

    @property
    def class_outputs(self) -> FloatArray:
        """The outputs over the hidden states as one a class, shape (C, H + 1): the largest sum is the answer.

        Of two classes they are the output unit, against the first and for the second.
        """
        output = PASS_ON if self.passes_on else self.output_weights
        return self.readout.by_class(self.readout.flat(output.T)).T

    def with_feature_names(self, names: Sequence[str] | None) -> Network:
        """Return the network with other names of its inputs, or with none; with them goes the layout."""
        return replace(self, feature_names=checked_names(names, self.n_features), layout=None)

    def with_networks(self, networks: Sequence[Network]) -> Network:
        """Return what the network is with another network as its only part: that one."""
        (one,) = networks
        return one

    def fields(self, X: FloatArray) -> FloatArray:
        """Weighted sums of the hidden units, shape (n, H)."""
        return weighted_sums(self.relative(X), self.hidden_weights)

    def counted_from(self, origin: NDArray | None) -> Network:
        """Return the same hyperplanes as weights about another origin; None is 0 in all inputs."""
        zeros = np.zeros(self.n_features)
        old, new = (zeros if one is None else np.asarray(one) for one in (self.origin, origin))
        if (old == new).all():
            return self
        weights = self.hidden_weights.astype(float)
        weights[:, 0] = accurate_sums(np.tile(new - old, (len(weights), 1)), weights)
        return replace(self, hidden_weights=weights, origin=new if new.any() else None)

    def distances(self, X: FloatArray) -> FloatArray:
        """Signed distances to the hyperplanes in the user's units, shape (n, H); ±∞ from a constant unit."""
        fields, norms = self.fields(X), np.sqrt((self.hidden_weights[:, 1:] ** 2).sum(axis=1))
        return np.divide(fields, norms, out=np.copysign(np.inf, fields), where=norms > 0)

    def internal_representation(self, X: FloatArray) -> FloatArray:
        """States ±1 of the hidden units, shape (n, H). Eq. (update_hidden)."""
        return sign(self.fields(X))

    def decision(self, X: FloatArray) -> FloatArray:
        """Weighted sum of the output unit, shape (n,), Eq. (update_output); of C > 2 outputs, shape (n, C).

        A single unit has no output unit over it if there are two classes: its own weighted sum is the
        decision.
        """
        return self._decision(self.fields(X))

    def _decision(self, fields: FloatArray) -> FloatArray:
        return self.readout.flat(fields if self.passes_on else self._outputs(sign(fields)))

    def _outputs(self, states: FloatArray) -> FloatArray:
        return compared_sums(states, self.output_weights)

    @property
    def has_probability(self) -> bool:
        """Whether the network has a calibration, hence probabilities."""
        return self.calibration is not None

    @property
    def moved(self) -> bool:
        """Whether other shares of the classes are expected than those of the training rows."""
        return self.calibration is not None and bool(np.any(self.calibration.shift))

    @property
    def code_decides(self) -> bool:
        """Whether the answer depends on the states of the hidden units alone: not so with changed priors."""
        return not self.moved

    def answers(self, X: FloatArray) -> NDArray[np.intp]:
        """Numbers of the classes, shape (n,): by the outputs, or the probabilities if the priors changed."""
        return self.forward(X).labels if self.moved else most_probable(self.decision(X))

    def answers_of_codes(self, codes: NDArray) -> NDArray[np.intp]:
        """Return the number of the class for each code (m, H) of states ±1 of the hidden units.

        Examples
        --------
        >>> import numpy as np
        >>> from netlines.network.network import Network
        >>> network = Network([[-1.0, 1.0], [2.0, -1.0]], [[-1.0, 1.0, 1.0]], ["out", "in"])
        >>> network.answers_of_codes(np.array([[1.0, -1.0], [1.0, 1.0]])).tolist()
        [0, 1]
        """
        return most_probable(codes if self.passes_on else self._outputs(codes))

    def forward(self, X: FloatArray) -> Answer:
        """Return all that the network says of rows: what is answered, how much speaks for it, how probable.

        Where the calibration itself would disagree with the network, the scores are made to agree, next to
        equal. Changed priors come on top and may then change the answer.
        """
        fields = self.fields(X)
        decision = self._decision(fields)
        labels = most_probable(decision)
        if self.calibration is None:
            return Answer(labels, decision, None)
        return self.readout.calibrated(self.calibration.scores(fields), labels, self.calibration.shift)

    def combined(self, by_part: Sequence[NDArray]) -> NDArray:
        """Return the chances of the classes, shape (n, C), from those that each part gives to its own."""
        (chances,) = by_part
        return chances

    def with_priors(self, priors: Any) -> Network:
        """Return the network that expects other shares of the classes; None: those of the training rows."""
        if self.calibration is None:
            raise ValueError("this network has no calibration, hence no priors")
        shares = self.calibration.training_priors
        if priors is not None:
            shares = checked_priors(priors, self.classes)
        return replace(self, calibration=replace(self.calibration, priors=shares))


def checked_names(names: Sequence[str] | None, n_features: int) -> tuple[str, ...] | None:
    """Return the names of the inputs as a tuple, one for each of them, or None."""
    if names is None:
        return None
    if len(names) != n_features:
        raise ValueError(f"feature_names must name {n_features} inputs, got {len(names)} names")
    return tuple(names)


def check_layout(layout: Layout | None, network: AnyNetwork) -> None:
    """Raise an error if a layout makes other inputs than those of a network."""
    if layout is not None and layout.feature_names != network.feature_names:
        raise ValueError(
            f"layout must make the inputs {network.feature_names}, it makes {layout.feature_names}"
        )


def check_background(background: Background | None, n_features: int) -> None:
    """Raise an error if a background is one of another number of inputs."""
    if background is not None and len(background.mean) != n_features:
        raise ValueError(f"background must be one of {n_features} inputs, got {len(background.mean)}")
