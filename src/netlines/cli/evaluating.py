"""What `netlines evaluate` prints, and what `netlines predict` adds if the truth is in the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from netlines.cli.terminal import say, width
from netlines.report.evaluation_words import error_sentence

if TYPE_CHECKING:
    from netlines.report.evaluation import Evaluation


def show_evaluation(evaluation: Evaluation) -> None:
    """Print all that an evaluation tells."""
    say(evaluation.text(width()))


def summary_line(evaluation: Evaluation) -> str:
    """Return the error with its interval in one line, beside that of always giving one answer."""
    return error_sentence(evaluation)
