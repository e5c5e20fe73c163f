"""The words of the page for an address where nothing is, which readers of both languages get."""

from docs.builder.translations import translator


def told(language: str) -> dict[str, str]:
    """Return the words in one language."""
    t = translator(language, "site")
    return {
        "title": t("There is no such page"),
        "why": t("This stall has its lights off: the address is mistyped, or the page has moved."),
        "home": t("To the home page"),
        "label": t("Search the book"),
        "search": t("Search"),
    }
