"""The two languages: what they are called, and where the site of each lies."""

from posixpath import relpath

NAMES = {"en": "English", "zh-TW": "繁體中文"}
FOLDERS = {"en": "", "zh-TW": "zh-TW/"}
# Search engines know more names: zh-Hant for readers elsewhere who read Traditional Chinese, and
# x-default for all others.
CODES = {"en": ("en", "x-default"), "zh-TW": ("zh-TW", "zh-Hant")}
OTHER = {"en": "zh-TW", "zh-TW": "en"}


def address(home: str, language: str, url: str) -> str:
    """Return the whole address of a page, from the address under which both languages lie.

    >>> address("https://example.org/", "zh-TW", "start/setup/")
    'https://example.org/zh-TW/start/setup/'
    """
    return home + FOLDERS[language] + url


def link(url: str, language: str, target: str, to: str) -> str:
    """Return the link from a page to a page or file of a language, both by their address within it.

    >>> link("start/setup/", "zh-TW", "start/setup/", to="en")
    '../../../start/setup/'
    >>> link("", "en", "", to="en"), link("start/setup/", "en", "llms.txt", to="en")
    ('./', '../../llms.txt')
    """
    here, there = "/" + FOLDERS[language] + url, "/" + FOLDERS[to] + target
    return relpath(there, here) + ("/" if there.endswith("/") else "")


def alternates(home: str, url: str) -> list[tuple[str, str]]:
    """Return the codes of all languages with the address of a page in each, for `hreflang`.

    >>> alternates("https://x.org/", "a/")[0], alternates("https://x.org/", "a/")[-1]
    (('en', 'https://x.org/a/'), ('x-default', 'https://x.org/a/'))
    """
    pairs = [(code, address(home, language, url)) for language in NAMES for code in CODES[language]]
    return sorted(pairs, key=lambda pair: pair[0] == "x-default")
