"""The words of the page for an address where nothing is, which readers of both languages get."""

from docs.builder.languages import FOLDERS
from docs.builder.translations import translator


def words(root: str) -> list[dict[str, str]]:
    """Return the words in each language; docs/theme/404.html lays them out.

    `root` is the path under which both languages lie, such as `/book/`.
    """
    return [_words(language, root) for language in FOLDERS]


def _words(language: str, root: str) -> dict[str, str]:
    t = translator(language, "site")
    return {
        "language": language,
        "link": root + FOLDERS[language],
        "title": t("There is no such page"),
        "why": t("This stall has its lights off: the address is mistyped, or the page has moved."),
        "home": t("To the home page"),
        "label": t("Search the book"),
        "search": t("Search"),
    }
