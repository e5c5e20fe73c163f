"""`<!-- options: NAME -->`: what a command of `transformer` takes, from the command itself."""

import json
import logging
import re
from functools import partial
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from docs.hooks.cache import cached
from docs.hooks.catalogue import translator

log = logging.getLogger("mkdocs.hooks.commands")

DIRECTIVE = re.compile(r"^<!-- options: (\w+) -->$", re.M)


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put each table of options where its directive stands."""
    return DIRECTIVE.sub(partial(_table, config.theme["language"], page.file.src_uri), markdown)


def _table(language: str, page: str, directive: re.Match[str]) -> str:
    commands = json.loads(cached("commands", [Path(__file__).read_text("utf-8")], _commands))
    if directive[1] not in commands:
        log.warning("%s asks for command %r: have %s", page, directive[1], ", ".join(commands))
        return directive[0]
    t, help_in = translator(language, "site"), translator(language, "cli")
    rows = [f"| {t('option')} | {t('default')} | {t('meaning')} |", "|---|---|---|"]
    for name, default, text in commands[directive[1]]:
        rows.append(f"| `{name}` | {default and f'`{default}`'} | {help_in(text)} |")
    return "\n".join(rows)


def _commands() -> str:
    """Name, default and help of every parameter of every command."""
    from typer.main import get_command

    from transformer.cli import app
    from transformer.inference.shipped import PRETRAINED

    commands = {}
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        rows = []
        for parameter in command.params:
            shown = parameter.opts[0] if parameter.opts[0].startswith("-") else parameter.name
            default = parameter.default
            given = default is not None and default is not False and default != PRETRAINED
            rows.append((shown, str(default) if given else "", parameter.help))
        commands[name] = rows
    return json.dumps(commands)
