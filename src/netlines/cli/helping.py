"""How the help of the commands looks: in the order of use, flags without a type, arguments in capitals."""

from __future__ import annotations

from typing import Any

import typer

ORDER = (
    *("describe", "fit", "inspect", "explain", "predict", "evaluate", "report", "card"),
    *("words", "reproduce"),
)


def in_order_of_use(app: typer.Typer) -> None:
    """Sort the commands as they are used one after the other; others come last."""
    places = {name: k for k, name in enumerate(ORDER)}
    names = {id(one): getattr(one.callback, "__name__", "") for one in app.registered_commands}
    app.registered_commands.sort(key=lambda one: places.get(names[id(one)], len(ORDER)))


def with_plain_help(command: Any) -> Any:
    """Return a command whose help, and that of its own commands, calls flags flags and arguments TABLE."""
    for one in (command, *getattr(command, "commands", {}).values()):
        for parameter in one.get_params(typer.Context(one)):  # with that of --help
            if getattr(parameter, "is_flag", False):
                parameter.metavar = ""  # else it would say <bool>, as if it took a value
            elif parameter.param_type_name == "argument" and parameter.metavar is None:
                parameter.metavar = parameter.name.upper()
    return command
