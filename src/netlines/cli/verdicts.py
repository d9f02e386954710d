"""What `fit` and `inspect` say first: what to think of the model."""

from __future__ import annotations

from collections.abc import Sequence

from netlines._words import wrapped
from netlines.cli.terminal import say, width

OPTIONS = {  # of Python, and of the command line
    "prefer='accurate'": "--prefer accurate",
    "prefer='balanced'": "--prefer balanced",
    "class_weight='balanced'": "--class-weight balanced",
}


def say_verdict(sentences: Sequence[str]) -> None:
    """Print what to think of a model, a sentence a line, with the options of the command line."""
    for sentence in sentences:
        for python, option in OPTIONS.items():
            sentence = sentence.replace(python, option)
        say(wrapped(sentence, width()))
