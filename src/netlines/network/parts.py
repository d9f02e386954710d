"""The two-class networks that decide together: which labels each separates, and whether they fit a scheme."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from netlines.network.probability import expit
from netlines.network.protocol import FloatArray

if TYPE_CHECKING:
    from netlines.network.network import Network


@dataclass(frozen=True, eq=False)
class Part:
    """A two-class network among several, and the labels that it separates.

    Parameters
    ----------
    positive, negative : tuples of labels
        Those for which the network answers +1, its second class, and -1, its first. Of a network with one
        output a class: all its classes, and none.
    network : Network
        A network of two classes, whatever they are called, or one with one output a class.
    scale : float, default=2.0
        How large the output sums of a network without a calibration are, for example in the mean over its
        training rows: a sum of this size counts as the log-odds 2. So at 2 the sums themselves are log-odds.
    """

    positive: tuple[Any, ...]
    negative: tuple[Any, ...]
    network: Network
    scale: float = 2.0

    def __post_init__(self) -> None:
        if not 0 < self.scale < np.inf:
            raise ValueError(f"scale must be a positive number, got {self.scale!r}")
        n, classes = len(self.network.output_weights), tuple(self.network.classes.tolist())
        own = {"positive": classes[-n:], "negative": classes[:-n]}  # the sides of the network itself
        for name in own:
            labels = tuple(one.item() if isinstance(one, np.generic) else one for one in getattr(self, name))
            if own[name] and not labels:
                raise ValueError(f"{name} must have at least one label")
            object.__setattr__(self, name, labels)
        both = sorted(map(str, set(self.positive) & set(self.negative)))
        if both:
            raise ValueError(f"a label is either positive or negative, got both for {', '.join(both)}")
        if not own["negative"] and (self.negative or self.positive != own["positive"]):
            raise ValueError(
                f"a part has a network of 2 classes, or separates all classes of a larger one, {_got(self)}"
            )

    @property
    def labels(self) -> set[Any]:
        """All labels that the part separates."""
        return {*self.positive, *self.negative}

    @property
    def sides(self) -> tuple[tuple[Any, ...], ...]:
        """What each answer of the network stands for: `negative` and `positive`, or one label an output."""
        return (self.negative, self.positive) if self.negative else tuple((one,) for one in self.positive)

    def margin(self, X: FloatArray) -> FloatArray:
        """Return the log-odds of +1, shape (n,), or the output sum if the network has no calibration."""
        return self.network.scores(X).astype(float)

    def chance(self, margin: FloatArray) -> FloatArray:
        """Return the probability of +1 at a margin, shape (n,); without a calibration it is only a guess."""
        with np.errstate(over="ignore"):  # the chance is then 0 or 1
            return expit(margin if self.network.has_probability else 2.0 / self.scale * margin)


def check_parts(parts: Sequence[Part], labels: Sequence[Any]) -> None:
    """Raise an error if a part knows other labels or other inputs than the rest."""
    if not parts:
        raise ValueError("parts must have at least one network")
    for k, part in enumerate(parts):
        if part.network.moved:
            raise ValueError(
                f"parts[{k}]: a part keeps the priors of its training rows: change those of all parts at once"
            )
        strange = part.labels - set(labels)
        if strange:
            raise ValueError(f"parts[{k}] has the label {strange.pop()!r}, which is not among the classes")
        for name in ("n_features", "feature_names"):
            mine, others = getattr(part.network, name), getattr(parts[0].network, name)
            if mine != others:
                raise ValueError(f"{name} must be equal: parts[{k}] has {mine!r}, parts[0] {others!r}")


def check_trees(parts: Sequence[Part], labels: Sequence[Any], trees: Sequence[Sequence[int]]) -> None:
    """Raise an error unless each tree is a learning sequence: one class after the other against the rest."""
    for t, tree in enumerate(trees):
        if len(tree) != len(labels) - 1 or not all(0 <= k < len(parts) for k in tree):
            numbers = f"{len(labels) - 1} numbers of parts from 0 to {len(parts) - 1}"
            raise ValueError(f"trees[{t}] must be {numbers}, got {tree!r}")
        left = set(labels)
        for k in tree:
            if len(parts[k].positive) != 1 or parts[k].labels != left:
                raise ValueError(
                    f"trees[{t}]: parts[{k}] must separate one class from the others among "
                    f"{', '.join(sorted(map(str, left)))}, {_got(parts[k])}"
                )
            left -= set(parts[k].positive)
    unused = set(range(len(parts))) - {k for tree in trees for k in tree}
    if unused:
        raise ValueError(f"every part must be in a tree, parts {sorted(unused)} are in none")


def check_one_for_each_class(parts: Sequence[Part], labels: Sequence[Any]) -> None:
    """Raise an error unless there is one part for each class against all others."""
    for k, part in enumerate(parts):
        if len(part.positive) != 1 or part.labels != set(labels):
            raise ValueError(f"parts[{k}] must separate one class from all others, {_got(part)}")
    if len(parts) != len(labels) or len({part.positive for part in parts}) != len(labels):
        raise ValueError(f"parts must be one for each of the {len(labels)} classes, got {len(parts)} parts")


def check_one_for_each_pair(parts: Sequence[Part], labels: Sequence[Any]) -> None:
    """Raise an error unless there is one part for each pair of classes."""
    for k, part in enumerate(parts):
        if len(part.positive) != 1 or len(part.negative) != 1:
            raise ValueError(f"parts[{k}] must separate two classes, {_got(part)}")
    wanted = len(labels) * (len(labels) - 1) // 2
    if len(parts) != wanted or len({frozenset(part.labels) for part in parts}) != wanted:
        raise ValueError(
            f"parts must be one for each of the {wanted} pairs of classes, got {len(parts)} parts"
        )


def _got(part: Part) -> str:
    positive, negative = (", ".join(map(repr, labels)) for labels in (part.positive, part.negative))
    return f"got {positive} against {negative}"
