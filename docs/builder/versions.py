"""The same page in each language: where it lives, and how search engines are told so."""

from dataclasses import dataclass

NAMES = {"en": "English", "zh-TW": "繁體中文"}
FOLDERS = {"en": "", "zh-TW": "zh-TW/"}
# What search engines are told of each. zh-TW is the language that the pages say they are in; for
# readers elsewhere who read Traditional Chinese too, search engines know zh-Hant, and x-default for
# all others.
CODES = {"en": ("en", "x-default"), "zh-TW": ("zh-TW", "zh-Hant")}


@dataclass(frozen=True)
class Version:
    """A page in one language."""

    language: str
    link: str  # from the page where it is asked for
    address: str  # the whole one

    @property
    def name(self) -> str:
        """The language in itself."""
        return NAMES[self.language]


def home_of_both(site_url: str, language: str) -> str:
    """Return the address that both languages lie under, from the address of one language's site.

    >>> home_of_both("https://example.org/book/zh-TW/", "zh-TW")
    'https://example.org/book/'
    """
    return site_url.removesuffix(FOLDERS[language])


def versions(url: str, language: str, site_url: str) -> list[Version]:
    """Return all versions of a page, from its address within the site of its language.

    >>> [version.link for version in versions("start/setup/", "en", "https://example.org/")]
    ['../../start/setup/', '../../zh-TW/start/setup/']
    >>> versions("", "zh-TW", "https://example.org/zh-TW/")[0].address
    'https://example.org/'
    """
    home, up = home_of_both(site_url, language), way_up(url, language)
    paths = {code: folder + url for code, folder in FOLDERS.items()}
    return [Version(code, up + path or "./", home + path) for code, path in paths.items()]


def way_up(url: str, language: str) -> str:
    """Return the link from a page to the home of both languages, but for an empty one.

    >>> way_up("start/setup/", "zh-TW")
    '../../../'
    """
    return "../" * (FOLDERS[language] + url).count("/")


def alternates(found: list[Version]) -> list[tuple[str, str]]:
    """Return the codes of all versions with their whole addresses, for `hreflang`.

    >>> alternates(versions("a/", "en", "https://x.org/"))[2]
    ('zh-Hant', 'https://x.org/zh-TW/a/')
    """
    pairs = [(code, one.address) for one in found for code in CODES[one.language]]
    return sorted(pairs, key=lambda pair: pair[0] == "x-default")
