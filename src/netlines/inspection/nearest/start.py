"""The row that changes start from: what is allowed, and where the hyperplanes lie from it, standardised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.inputs import as_row, input_names, input_numbers, number_of
from netlines.network.layout import LARGEST
from netlines.network.protocol import AnyNetwork

FAR = 1e12  # standard deviations: hyperplanes further away are never reached


@dataclass(frozen=True, eq=False)
class Start:
    """A row and the changes of it that are allowed, all in standardised units, of the free inputs.

    Of each unit the normal of its hyperplane over the free inputs (zeros if it does not depend on them), the
    signed distance, how far rounding may blur it, and the largest distance within the limits. `far` tells
    whether hyperplanes so far away that they are taken to be out of reach could be reached.
    """

    network: AnyNetwork
    x: NDArray
    wanted: NDArray  # whether each class is allowed as the new answer
    free: NDArray  # numbers of the inputs
    scale: NDArray  # of the free inputs
    low: NDArray  # of the changes, as many
    high: NDArray
    limits: tuple[NDArray, NDArray]  # of the free inputs, in the user's units
    code: NDArray
    normals: NDArray
    distances: NDArray
    blur: NDArray
    most: NDArray
    far: bool

    @classmethod
    def of(cls, network: AnyNetwork, x: Any, classes: Any, features: Any, low: Any, high: Any) -> Start:
        """Return the start that the parameters of `nearest_other` describe, or raise an error."""
        x = as_row(network, x)
        names = input_names(network)
        bottom, top = _limits(names, -np.inf, low, "low"), _limits(names, np.inf, high, "high")
        for i in np.flatnonzero(~((bottom <= x) & (x <= top))):
            span = f"{bottom[i]:g} to {top[i]:g}"
            raise ValueError(f"the value of {names[i]!r} must lie within its limits {span}, got {x[i]:g}")
        numbers = range(len(x)) if features is None else input_numbers(network, features)
        free = np.array(numbers, dtype=int)
        scale = network.surroundings.scale[free]
        limits = np.maximum(bottom[free], -LARGEST), np.minimum(top[free], LARGEST)
        with np.errstate(over="ignore"):  # a limit that is so far away is none
            down, up = ((limit - x[free]) / scale for limit in (bottom[free], top[free]))
        wanted = _wanted(network, x, classes)
        normals, distances, blur = _planes(network, x, free, scale)
        ends = _ends(normals, down, up)
        near = np.abs(distances) < FAR
        far = ~near & (np.where(distances > 0, ends[1], ends[0]) > np.abs(distances))
        normals, distances = np.where(near[:, None], normals, 0.0), np.where(near, distances, 0.0)
        most = distances + np.where(near, ends[0], 0.0)
        code = network.internal_representation(x[None])[0]
        planes = code, normals, distances, blur, most, bool(far.any())
        return cls(network, x, wanted, free, scale, down, up, limits, *planes)

    @property
    def rounding(self) -> float:
        """A length up to which changes may be lost by rounding."""
        return float(np.finfo(float).eps * (1 + (np.abs(self.x[self.free]) / self.scale).max(initial=0.0)))

    def change_to(self, row: NDArray) -> NDArray:
        """Return the change that makes a row, up to rounding."""
        return np.asarray((row - self.x)[self.free] / self.scale)

    def norm(self, row: NDArray) -> float:
        """Return how far a row is away."""
        return length((row - self.x) / self.network.surroundings.scale)

    def rows(self, changes: NDArray) -> NDArray:
        """Return the rows (..., N) that changes (..., number of free inputs) make, within the limits."""
        rows = np.broadcast_to(self.x, (*changes.shape[:-1], len(self.x))).copy()
        rows[..., self.free] = np.clip(rows[..., self.free] + changes * self.scale, *self.limits)
        return rows

    def flips(self, changes: NDArray) -> NDArray:
        """Tell which changes (m, number of free inputs) give an allowed answer, shape (m,)."""
        return np.asarray(self.wanted[self.network.answers(self.rows(changes))])

    def flips_one(self, change: NDArray) -> bool:
        """Tell whether a change gives an allowed answer."""
        return bool(self.flips(change[None])[0])

    def allows(self, row: NDArray) -> bool:
        """Tell whether a row by itself has an allowed answer: among others it may be rounded otherwise."""
        return bool(self.wanted[self.network.answers(row[None])[0]])


def _limits(names: Sequence[str], side: float, given: Any, name: str) -> NDArray:
    """Return the lower or upper limits of the inputs; what is None is without limit."""
    if given is None:
        return np.full(len(names), side)
    if isinstance(given, str | Mapping) or not np.iterable(given):
        raise ValueError(f"{name} must be {len(names)} numbers or None, one for each input, got {given!r}")
    limits = np.array([side if one is None else number_of(one, f"a limit in {name}") for one in given])
    if limits.shape != (len(names),) or np.isnan(limits).any():
        raise ValueError(f"{name} must be {len(names)} numbers or None, got {limits.tolist()}")
    return limits


def _wanted(network: AnyNetwork, x: NDArray, classes: Any) -> NDArray:
    """Return whether each class is allowed as the new answer, shape (C,)."""
    labels = network.classes.tolist()
    wanted = np.full(len(labels), classes is None)
    if classes is not None:
        for label in [classes] if isinstance(classes, str) or not np.iterable(classes) else classes:
            if label not in labels:
                raise ValueError(f"classes must be among {labels}, got {label!r}")
            wanted[labels.index(label)] = True
    wanted[network.answers(x[None])] = False
    return wanted


def _planes(
    network: AnyNetwork, x: NDArray, free: NDArray, scale: NDArray
) -> tuple[NDArray, NDArray, NDArray]:
    """Return normals, distances and blurs of all units, see `Start`."""
    weights = network.hidden_weights.astype(float)
    slopes = weights[:, 1:][:, free] * scale
    largest = np.abs(slopes).max(axis=1, initial=0.0)
    # A weight may be so small that its square vanishes: the largest is divided out first.
    slopes = slopes / np.where(largest > 0, largest, 1.0)[:, None]
    norms = np.sqrt((slopes**2).sum(axis=1))
    x = network.relative(x)
    fields = weights[:, 0] + weights[:, 1:] @ x
    reach = np.abs(x)
    reach[free] += scale
    blur = np.abs(weights[:, 0]) + np.abs(weights[:, 1:]) @ reach
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        distances, blur = (one / largest / norms for one in (fields, 16 * np.finfo(float).eps * blur))
    normals = slopes / np.where(norms > 0, norms, 1.0)[:, None]
    return normals, np.where(norms > 0, distances, np.inf), blur


def _ends(normals: NDArray, low: NDArray, high: NDArray) -> NDArray:
    """Return by how much distances can grow and fall within limits of the changes, shape (2, H)."""
    with np.errstate(invalid="ignore"):  # 0 times infinity
        ends = np.array([normals * low, normals * high])
    ends = np.where(normals == 0, 0.0, ends)
    return np.array([ends.max(axis=0).sum(axis=1), -ends.min(axis=0).sum(axis=1)])


def length(vector: NDArray) -> float:
    """Return the Euclidean norm."""
    return float(np.sqrt(vector @ vector))
