"""`<!-- source: OBJECT -->`: the project's own code, without docstrings, comments translated."""

from docs.builder.directives import Page
from docs.builder.markdown import fenced
from docs.builder.package_source import located, source
from docs.builder.translations import ROOT, Translate, translator


def render(argument: str, t: Translate, page: Page) -> str:
    """Return the code of a class, a function or a whole module as a fence, titled with its file."""
    try:
        file, path = located(argument)
        code = source(ROOT / file, path, translator(page.language, f"comment:{file}"))
    except LookupError as error:
        raise LookupError(f"the package has no such function or class: {error.args[0]}") from None
    return fenced(code, f'python title="{file}"')
