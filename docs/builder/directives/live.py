"""`<!-- live: FIGURE -->`: a sentence that the reader may change, and where the shipped model looks
while it translates. The figure, of one translation, stands there until then and without a script.
"""

from docs.builder import scripts
from docs.builder.book import url_of
from docs.builder.directives import Page, figure, playground
from docs.builder.languages import link
from docs.builder.translations import Translate

HTML = True
SENTENCE = "the cat ate two fish yesterday ."
artifact, in_words = figure.artifact, figure.in_words


def render(argument: str, t: Translate, page: Page) -> str:
    """Return the figure below a form, and what starts the script."""
    more = link(url_of(page.path), page.language, playground.URL, to=page.language)
    field = f'type="text" lang="en" value="{SENTENCE}" autocomplete="off" spellcheck="false"'
    return (  # no <div> in it: what Markdown makes of the page would close it early
        f'<div class="live" data-search-exclude><form action="{more}">'
        f'<label for="sentence">{t("Change the sentence; the model translates it here")}</label>'
        f'<input id="sentence" {field}>'
        f'<button class="md-button md-button--primary">{t("Translate")}</button></form>'
        f'<span role="status"></span>{figure.render(argument, t, page)}<output></output>'
        f"{playground.meanings(page)}{scripts.load('home', t, page)}</div>"
    )
