"""Several two-class networks that decide together about many classes: a frozen value like `Network`.

numpy only. Each network is a `Part` that separates some of the classes from others; the scheme says how
their answers become one: along a tree, by a vote of trees, by the largest output, or by all pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.network.background import Background
from netlines.network.frozen import Frozen
from netlines.network.layout import Layout
from netlines.network.network import Network, check_background, check_layout, checked_names
from netlines.network.parts import (
    Part,
    check_one_for_each_class,
    check_one_for_each_pair,
    check_parts,
    check_trees,
)
from netlines.network.probability import are_shares, checked_priors, logarithms, most_probable
from netlines.network.protocol import AnyNetwork, FloatArray
from netlines.network.readout import Answer
from netlines.network.schemes import (
    Combined,
    agreeing_scores,
    champions,
    count_votes,
    first_positive,
    hold_vote,
    sum_pairs,
    take_largest,
    walk_tree,
)

SCHEMES = ("tree", "vote", "wta", "pairs")
VOTING = ("hard", "confidence")


@dataclass(frozen=True, eq=False, repr=False)
class Networks(AnyNetwork, Frozen):
    """Several two-class networks that decide together about many classes.

    The margin of a part is the log-odds of +1, or the weighted sum of its output unit if it has no
    calibration; its chance of +1 is its probability, or its weighted sum squashed (see `Part`).

    - "tree": the networks of a learning sequence. The first that answers +1 decides, the last class if none
      does. The decision of a class is the smallest margin on its path, its chance the product along it.
    - "vote": an odd number of trees. With `voting` "hard" the class of most trees wins, among equals the one
      of the largest mean chance, then the first in the sequence of the first tree; the decision is the number
      of votes plus 0.999 times the mean chance. With "confidence" that mean alone decides.
    - "wta": one network for each class against the rest. The largest margin wins, the first of equal ones.
    - "pairs": one network for each pair of classes. A class that wins all its pairs wins; else the largest
      sum of chances in its pairs, the first of equal ones.

    Parameters
    ----------
    scheme : {"tree", "vote", "wta", "pairs"}
    classes : array of shape (C,)
        All labels.
    parts : tuple of Part
        All of the same inputs.
    trees : tuple of tuples of int
        Of each tree the numbers of its C - 1 parts, in the order of its learning sequence: each has the next
        class as `positive` and all that remain as `negative`. "tree" has one, "vote" an odd number of them,
        which may share parts; the other schemes have none.
    voting : {"hard", "confidence"}, default="hard"
        Only "vote" reads it.
    training_priors : array of shape (C,) or None
        The classes' shares of the weight of the training rows, which changed priors need.
    priors : array of shape (C,) or None
        The shares that are expected of the rows to predict; None: those of the training rows.
    background : Background or None
        What is remembered of the training rows of all classes.
    layout : Layout or None
        How the columns of the user's table became the inputs, if they were more than numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.network.network import PASS_ON, Network
    >>> from netlines.network.networks import Networks, Part
    >>> low = Network([[1.0, -1.0]], PASS_ON, ["rest", "low"])  # +1 up to 1
    >>> high = Network([[-2.0, 1.0]], PASS_ON, ["rest", "high"])  # +1 from 2 on
    >>> parts = Part(["low"], ["high", "middle"], low), Part(["high"], ["middle"], high)
    >>> tree = Networks("tree", ["high", "low", "middle"], parts, trees=[(0, 1)])
    >>> tree.predict(np.array([[0.5], [1.5], [2.5]])).tolist()
    ['low', 'middle', 'high']
    >>> tree.learning_sequences
    (('low', 'high', 'middle'),)
    """

    scheme: str
    classes: NDArray
    parts: tuple[Part, ...]
    trees: tuple[tuple[int, ...], ...] = ()
    voting: str = "hard"
    training_priors: NDArray | None = None
    priors: NDArray | None = None
    background: Background | None = None
    layout: Layout | None = None

    def __post_init__(self) -> None:
        for name, allowed in (("scheme", SCHEMES), ("voting", VOTING)):
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} must be among {', '.join(allowed)}, got {getattr(self, name)!r}")
        self._freeze("classes")
        classes = self.classes
        object.__setattr__(self, "parts", _from_one_origin(tuple(self.parts)))
        object.__setattr__(self, "trees", tuple(tuple(map(int, tree)) for tree in self.trees))
        if classes.ndim != 1 or len(set(classes.tolist())) != classes.size or classes.size < 2:
            raise ValueError(f"classes must be at least 2 different labels, got {classes.tolist()!r}")
        self._set_priors()
        self._check()
        check_background(self.background, self.n_features)
        check_layout(self.layout, self)

    def _set_priors(self) -> None:
        """Freeze the priors; those to expect are those of the training rows if there are no others."""
        if self.training_priors is None and self.priors is not None:
            raise ValueError("priors need training_priors, which are None")
        if self.priors is None:
            object.__setattr__(self, "priors", self.training_priors)
        self._freeze("training_priors", "priors", dtype=float)
        for name in ("training_priors", "priors"):
            shares = getattr(self, name)
            if shares is not None and not are_shares(shares, len(self.classes)):
                raise ValueError(
                    f"{name} must be {len(self.classes)} positive numbers with the sum 1, one a class, "
                    f"got {shares.tolist()}"
                )

    def _check(self) -> None:
        """Raise an error if the parts and the trees are not those of the scheme."""
        labels, n_trees = self.classes.tolist(), len(self.trees)
        check_parts(self.parts, labels)
        if self.scheme == "tree" and n_trees != 1:
            raise ValueError(f"the scheme 'tree' must have one tree, got {n_trees}")
        if self.scheme == "vote" and n_trees % 2 == 0:
            raise ValueError(f"a vote must have an odd number of trees, so that two never tie, got {n_trees}")
        if self.scheme in ("tree", "vote"):
            check_trees(self.parts, labels, self.trees)
        elif self.trees:
            raise ValueError(f"the scheme {self.scheme!r} has no trees, got {n_trees}")
        elif self.scheme == "wta":
            check_one_for_each_class(self.parts, labels)
        else:
            check_one_for_each_pair(self.parts, labels)
        if self.moved and not self.has_probability:
            raise ValueError("priors other than training_priors need a calibration of every part")

    @property
    def hidden_weights(self) -> FloatArray:
        """The hyperplanes of all parts in their order, shape (H, N + 1)."""
        return np.vstack([part.network.hidden_weights for part in self.parts])

    @property
    def origin(self) -> NDArray | None:
        """What the weights of all parts count from, see `Network`."""
        return self.parts[0].network.origin

    @property
    def growth_trace(self) -> tuple[Mapping[str, Any], ...]:
        """Nothing: each part has its own."""
        return ()

    @property
    def n_features(self) -> int:
        """Number of inputs N, without the bias."""
        return self.parts[0].network.n_features

    @property
    def feature_names(self) -> tuple[str, ...] | None:
        """The names of the inputs, if the user's table had names."""
        return self.parts[0].network.feature_names

    @property
    def n_hidden(self) -> int:
        """Number of hidden units of all parts."""
        return sum(part.network.n_hidden for part in self.parts)

    @property
    def n_weights(self) -> int:
        """Number of weights of all parts, each counted as the paper does."""
        return sum(part.network.n_weights for part in self.parts)

    @property
    def n_nonzero(self) -> int:
        """Number of weights of all parts that are not 0."""
        return sum(part.network.n_nonzero for part in self.parts)

    @cached_property
    def has_probability(self) -> bool:
        """Whether all parts have a calibration, hence probabilities."""
        return all(part.network.has_probability for part in self.parts)

    @cached_property
    def moved(self) -> bool:
        """Whether other shares of the classes are expected than those of the training rows."""
        return self.priors is not None and bool(np.any(self.priors != self.training_priors))

    @cached_property
    def _firsts(self) -> list[tuple[int, int]]:
        """The numbers of the first classes that each part answers +1 and -1 for."""
        numbers = {label: i for i, label in enumerate(self.classes.tolist())}
        return [(numbers[part.positive[0]], numbers[part.negative[0]]) for part in self.parts]

    @cached_property
    def _orders(self) -> list[NDArray]:
        """The learning sequence of each tree as numbers of classes."""
        firsts = self._firsts
        return [np.array([*(firsts[k][0] for k in tree), firsts[tree[-1]][1]]) for tree in self.trees]

    @property
    def code_decides(self) -> bool:
        """Whether the answer depends on the states of the hidden units alone.

        Not so with changed priors, and where networks compare margins: the schemes "wta", "pairs" and "vote"
        by confidence. A hard vote of several trees counts, though the margins decide between tied classes.
        """
        return not self.moved and bool(self.trees) and (self.voting == "hard" or len(self.trees) == 1)

    def with_networks(self, networks: Sequence[Network]) -> Networks:
        """Return the same parts with other networks."""
        pairs = zip(self.parts, networks, strict=True)
        return replace(self, parts=tuple(replace(part, network=network) for part, network in pairs))

    def with_feature_names(self, names: Sequence[str] | None) -> Networks:
        """Return the networks with other names of their inputs, or with none; with them goes the layout."""
        names, bare = checked_names(names, self.n_features), replace(self, layout=None)
        return bare.with_networks([part.network.with_feature_names(names) for part in self.parts])

    def with_priors(self, priors: Any) -> Networks:
        """Return the networks that expect other shares of the classes; None: those of the training rows."""
        if not self.has_probability:
            raise ValueError("not all of these networks have a calibration, hence there are no priors")
        if self.training_priors is None:
            raise ValueError("these networks do not know the shares of the classes they were trained on")
        shares = self.training_priors if priors is None else checked_priors(priors, self.classes)
        return replace(self, priors=shares)

    def internal_representation(self, X: FloatArray) -> FloatArray:
        """States ±1 of the hidden units of all parts in their order, shape (n, H)."""
        return np.hstack([part.network.internal_representation(X) for part in self.parts])

    def decision(self, X: FloatArray) -> FloatArray:
        """What speaks for each class, shape (n, C): its largest is the answer at the training priors."""
        return self._combine(X).scores

    def answers(self, X: FloatArray) -> NDArray[np.intp]:
        """Numbers of the classes, shape (n,): by the scheme, or the probabilities if the priors changed."""
        return self.forward(X).labels if self.moved else self._combine(X).answers

    def answers_of_codes(self, codes: NDArray) -> NDArray[np.intp]:
        """Return the number of the class for each code (m, H) of ±1 of all parts; -1 where a vote is tied."""
        ends = np.cumsum([part.network.n_hidden for part in self.parts])[:-1]
        by_part = zip(self.parts, np.split(codes, ends, axis=1), strict=True)
        return self.answers_of_signs(
            np.column_stack([part.network.answers_of_codes(own) == 1 for part, own in by_part])
        )

    def answers_of_signs(self, says: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Return the number of the class where parts answer +1 or not (n, parts).

        It is -1 where it depends on how sure they are.
        """
        if self.scheme == "pairs":
            return champions(says, self._firsts, self.n_classes)
        if self.scheme == "wta" or (self.voting == "confidence" and len(self.trees) > 1):
            return np.full(len(says), -1)
        pairs = zip(self.trees, self._orders, strict=True)
        answers = np.column_stack([order[first_positive(says[:, tree])] for tree, order in pairs])
        votes = count_votes(answers, self.n_classes)
        tied = (votes == votes.max(axis=1, keepdims=True)).sum(axis=1) > 1
        return np.where(tied, -1, votes.argmax(axis=1))

    def forward(self, X: FloatArray) -> Answer:
        """Return all that the networks say of rows: what is answered, how much speaks for it, how probable.

        Where the scheme's answer is not the most probable class, its probability is put next above. Changed
        priors come on top and may then change the answer.
        """
        return self.said(self._combine(X))

    def said(self, together: Combined) -> Answer:
        """Return the answer by what the parts say together: its probability agrees, changed priors on top."""
        labels = together.answers
        if not self.has_probability:
            return Answer(labels, together.scores, None)
        p = agreeing_scores(together.chances, labels)
        if self.moved:
            p = p * (np.asarray(self.priors) / np.asarray(self.training_priors))
        p = p / p.sum(axis=1, keepdims=True)
        return Answer(most_probable(p) if self.moved else labels, logarithms(p), p)

    def combined(self, by_part: Sequence[NDArray]) -> NDArray:
        """Return the chances of the classes, shape (n, C), from those that each part gives to its own."""
        p = np.clip(np.column_stack([own[:, 1] for own in by_part]), 1e-12, 1.0 - 1e-12)
        return self.together(p - 0.5, p).chances  # clipped: winners need a sum that is not 0

    def _combine(self, X: FloatArray) -> Combined:
        """Return what the parts say together, before the probabilities are made to agree with the answers."""
        by_part = [part.margin(X) for part in self.parts]
        p = [part.chance(one) for part, one in zip(self.parts, by_part, strict=True)]
        return self.together(np.column_stack(by_part), np.column_stack(p))

    def together(self, margins: FloatArray, p: FloatArray) -> Combined:
        """Return what margins and chances of +1 of the parts, both (n, parts), say together."""
        if self.scheme == "wta":
            return take_largest(margins, p, [first for first, _ in self._firsts])
        if self.scheme == "pairs":
            return sum_pairs(p, self._firsts, self.n_classes, wins=margins >= 0)
        orders = self._orders
        pairs = zip(self.trees, orders, strict=True)
        trees = [walk_tree(margins[:, tree], p[:, tree], order) for tree, order in pairs]
        return hold_vote(trees, orders[0], confidence=self.voting == "confidence")


def _from_one_origin(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return the parts with weights about one origin: of each input the first that is not 0."""
    origins = [part.network.origin for part in parts if part.network.origin is not None]
    if not origins:
        return parts
    first = origins[0].copy()
    for one in origins[1:]:
        first = np.where(first == 0, one, first)
    return tuple(replace(part, network=part.network.counted_from(first)) for part in parts)
