"""The application that the commands belong to, and what `netlines` answers without one."""

from __future__ import annotations

from typing import Annotated

import typer

from netlines import __version__
from netlines.cli.terminal import say

TABLE, MODEL, OUTPUT = "The table", "The model", "Output"  # panels of the help

app = typer.Typer(
    help="From a table to a small classifier that a person can read.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)


def _version(wanted: bool) -> None:
    if wanted:
        say(f"netlines {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """From a table to a small classifier that a person can read."""
