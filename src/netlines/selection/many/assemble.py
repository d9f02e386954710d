"""Turns what was chosen for many classes into networks in the user's units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from netlines.network.network import PASS_ON, Network, fold, normalised_outputs, stretch
from netlines.network.networks import Networks, Part
from netlines.selection.many.choice import Choice
from netlines.selection.many.units import UnitsCandidate, trained
from netlines.selection.teachers.teacher import Data
from netlines.training.calibration import line_calibration


def assemble(choice: Choice, data: Data, names: Sequence[str] | None) -> Network | Networks:
    """Return the shared layer, or the units of a scheme, that was chosen."""
    names = None if names is None else tuple(names)
    if choice.student is not None:
        return _shared(choice, data, names)
    assert isinstance(choice.chosen, UnitsCandidate)
    scheme, (lines, units) = choice.chosen.scheme, trained(data, choice.chosen)
    labels = data.classes.tolist()
    parts = []
    for (positive, negative), line, unit in zip(scheme.problems, lines, units, strict=True):
        network = _unit(line, unit, data, names, choice.chosen.setting.beta)
        own, others = tuple(labels[c] for c in positive), tuple(labels[c] for c in negative)
        parts.append(Part(own, others, network))
    trees = (tuple(range(len(parts))),) if scheme.name == "tree" else ()
    return Networks(
        scheme.name, data.classes, tuple(parts), trees, training_priors=data.all.priors(len(data.classes))
    )


def _unit(
    line: NDArray, unit: NDArray, data: Data, names: tuple[str, ...] | None, beta: float | None
) -> Network:
    """Return a single unit that answers 1 for its positive classes and 0 for the others."""
    scaling = unit[None], data.units.mean, data.units.scale
    calibration = line_calibration(line / np.array([1.0, stretch(*scaling)[0]]), np.full(2, 0.5))
    temperature = None if beta is None else 1.0 / beta
    return Network(
        fold(*scaling),
        PASS_ON,
        np.array([0, 1]),
        temperature=temperature,
        feature_names=names,
        calibration=calibration,
    )


def _shared(choice: Choice, data: Data, names: tuple[str, ...] | None) -> Network:
    """Return the layer with one output a class."""
    student, own = choice.student, choice.calibration
    assert student is not None
    assert own is not None
    scaling = student.hidden, data.units.mean, data.units.scale
    factor = stretch(*scaling)
    examples = data.X[:, data.all.pattern], data.all.labels, data.all.weights
    return Network(
        fold(*scaling),
        normalised_outputs(student.output),
        data.classes,
        growth_trace=tuple(one.record(*examples) for one in choice.students if one.size <= student.size),
        feature_names=names,
        calibration=replace(own, slopes=own.slopes / factor, steepness=own.steepness / factor),
    )
