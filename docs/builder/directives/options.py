"""`<!-- options: NAME -->`: what a command of `transformer` takes, from the command itself."""

import json
from pathlib import Path

from docs.builder.cache import Artifact, code_of
from docs.builder.directives import Page, nearest
from docs.builder.translations import Translate, translator


def artifact(argument: str, language: str) -> Artifact:
    """Return what all commands take, for the cache."""
    return Artifact("options", "all", code_of(Path(__file__)), _commands)


def render(argument: str, t: Translate, page: Page) -> str:
    """Return a table with one row an option, in a box that the style sheet knows."""
    commands = json.loads(artifact(argument, page.language).text())
    if argument not in commands:
        raise LookupError(f"there is no such command; {nearest(argument, [*commands])}")
    help_in = translator(page.language, "cli")
    rows = [f"| {t('option')} | {t('default')} | {t('meaning')} |", "|---|---|---|"]
    for name, default, text in commands[argument]:
        rows.append(f"| `{name}` | {default and f'`{default}`'} | {help_in(text)} |")
    return "\n".join(['<div class="options" markdown>\n', *rows, "\n</div>"])


def _commands() -> str:
    """Name, default and help of every parameter of every command."""
    from typer.main import get_command

    from transformer.cli import app

    commands = {}
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        rows = []
        for parameter in command.params:
            shown = parameter.opts[0] if parameter.opts[0].startswith("-") else parameter.name
            default = parameter.default
            if isinstance(parameter.show_default, str):  # not typed is None: the help says more
                default = parameter.show_default
            given = default is not None and default is not False
            rows.append((shown, str(default) if given else "", parameter.help))
        commands[name] = rows
    return json.dumps(commands)
