"""Options of a command that come from the fields of dataclasses: name, default and help."""

import inspect
from collections.abc import Callable
from dataclasses import Field, fields
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

Command = TypeVar("Command", bound=Callable[..., None])


def options_of(*classes: type) -> Callable[[Command], Command]:
    """Give a command an option for each field that has a help in its metadata.

    An option that is not typed is None, so that the command knows what was; the help shows the
    field's default.

    Args:
        *classes: The dataclasses. The command takes the options as keyword arguments.
    """

    def decorate(command: Command) -> Command:
        signature = inspect.signature(command)
        own = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
        made = [
            _parameter(field, get_type_hints(cls)[field.name])
            for cls in classes
            for field in fields(cls)
            if "help" in field.metadata
        ]
        command.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[*own, *made]
        )
        return command

    return decorate


def _parameter(field: Field[Any], kind: Any) -> inspect.Parameter:
    names = ["--" + field.name.replace("_", "-")] if kind is bool else []
    shows = field.default is not None and kind is not bool
    option = typer.Option(
        *names,
        help=field.metadata["help"],
        show_default=str(field.default) if shows else False,
    )
    return inspect.Parameter(
        field.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[kind | None, option],
    )
