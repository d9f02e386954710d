"""Turns what was chosen into networks in the user's units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from netlines.network.network import PASS_ON, Network
from netlines.network.networks import Networks, Part
from netlines.network.probability import Calibration
from netlines.network.weights import normalised_outputs
from netlines.selection.chosen import Choice
from netlines.selection.data import Data
from netlines.selection.students import Student
from netlines.selection.units import UnitsCandidate, trained
from netlines.training.calibration import line_calibration


def assemble(choice: Choice, data: Data) -> Network | Networks:
    """Return the network, or the units of a scheme, that was chosen."""
    if choice.student is not None:
        assert choice.calibration is not None
        return as_network(choice.student, choice.calibration, data, data.classes, choice.students)
    assert isinstance(choice.chosen, UnitsCandidate)
    scheme, setting = choice.chosen.scheme, choice.chosen.setting
    found = list(zip(scheme.problems, *trained(data, choice.chosen), strict=True))
    more: dict[str, Any] = {"temperature": None if setting.beta is None else 1.0 / setting.beta}
    students = [Student(unit[None], np.array([[0.0, 1.0]])) for _, _, unit in found]
    if len(found) == 1:
        calibration = line_calibration(found[0][1], data.priors)
        return as_network(students[0], calibration, data, data.classes, choice.students, **more)
    parts, labels, answers = [], data.classes.tolist(), np.array([0, 1])
    for (problem, line, _), student in zip(found, students, strict=True):
        network = as_network(student, line_calibration(line, np.full(2, 0.5)), data, answers, **more)
        own, others = (tuple(labels[c] for c in side) for side in problem)
        parts.append(Part(own, others, network))
    trees = (tuple(range(len(parts))),) if scheme.name == "tree" else ()
    return Networks(scheme.name, data.classes, tuple(parts), trees, training_priors=data.priors)


def as_network(
    student: Student,
    calibration: Calibration,
    data: Data,
    classes: np.ndarray,
    students: Sequence[Student] = (),
    **more: Any,
) -> Network:
    """Return a network over standardised inputs, and its calibration there, in the user's units.

    Parameters
    ----------
    student, calibration : the network and its scores
    data : what it learnt
    classes : the labels of its answers
    students : those that were tried, for the trace of its growth
    more : what else the network knows
    """
    hidden, factor = data.standardisation.folded(student.hidden)
    examples = data.X[:, data.all.pattern], data.all.labels, data.all.weights
    # The last one as it is: it may have lost units since it was taught.
    told = [*(one for one in students if one.size < student.size), student] if students else []
    return Network(
        hidden,
        PASS_ON if student.passes_on else normalised_outputs(student.output),
        classes,
        growth_trace=tuple(one.record(*examples) for one in told),
        feature_names=data.names,
        calibration=replace(
            calibration, slopes=calibration.slopes / factor, steepness=calibration.steepness / factor
        ),
        origin=data.standardisation.frame.offset,
        **more,
    )
