"""Griffe extension: the API reference shows code as the pages do, in the reader's language."""

from contextlib import suppress
from typing import Any

import griffe

from docs.builder.package_source import source
from docs.builder.translations import ROOT, translator


class ReadableSources(griffe.Extension):
    """Give each function its code without docstring, comments translated: `extra["site"]["code"]`.

    docs/templates shows it in place of the raw source.
    """

    def __init__(self, lang: str) -> None:
        """Translate comments into `lang`."""
        self.lang = lang

    def on_function(self, *, func: griffe.Function, **kwargs: Any) -> None:
        """Read one function or method."""
        file = func.relative_package_filepath
        t = translator(self.lang, f"comment:{file.as_posix()}")
        path = func.path.removeprefix(func.module.path + ".").split(".")
        with suppress(LookupError):  # the constructor of a dataclass is written nowhere
            func.extra["site"]["code"] = source(ROOT / file, path, t)
