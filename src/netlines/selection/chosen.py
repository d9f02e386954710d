"""What was chosen, and by how much what is smaller may be worse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from netlines.network.probability import Calibration
from netlines.selection.candidate import Candidate
from netlines.selection.students import Student
from netlines.training.cases import Cases


@dataclass(frozen=True)
class Lean:
    """By how much what is smaller may be worse.

    Attributes
    ----------
    units : standard errors of the log-loss, or of a score, by which units may fall behind
    ahead : standard errors by which a network has to err less than units that have
    network, most : standard errors of the teacher's error that a network may add to it, and at most
    """

    units: float
    ahead: float
    network: float
    most: float


_SMALL, _ACCURATE = Lean(2.0, 2.0, 1.5, 0.02), Lean(1.0, 0.0, 0.0, 0.0)
LEAN = {
    "small": Cases(two=_SMALL, more=_SMALL),
    "balanced": Cases(two=Lean(1.5, 0.0, 0.75, 0.01), more=Lean(1.5, 0.0, 0.25, 0.0025)),
    "accurate": Cases(two=_ACCURATE, more=_ACCURATE),
}


@dataclass(frozen=True, eq=False)
class Choice:
    """What was chosen: units of a scheme, or a student with its calibration; and why.

    Attributes
    ----------
    chosen, candidates : which of the candidates it is, and all of them, the teacher among them
    reason : why, in words
    student, calibration : the network over standardised inputs and its scores; None if units were chosen
    students : all networks that were taught all lessons
    taught : whether the student learnt from the teacher
    """

    chosen: Candidate
    candidates: Sequence[Candidate]
    reason: str
    student: Student | None = None
    calibration: Calibration | None = None
    students: Sequence[Student] = ()
    taught: bool = False


def slimmed(choice: Choice, student: Student) -> tuple[Candidate, list[Candidate]]:
    """Return what was chosen with the size of its student, and all candidates with it."""
    sizes = {"n_hidden": student.size, "n_weights": student.n_weights, "fidelity": student.fidelity}
    chosen = replace(choice.chosen, name=student.name, **sizes)  # type: ignore[arg-type]
    return chosen, [chosen if one is choice.chosen else one for one in choice.candidates]
