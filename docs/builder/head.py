"""What search engines, link previews and assistants are told of a page; docs/theme/main.html
writes it."""

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from docs.builder.cards import Card, card
from docs.builder.search import API
from docs.builder.versions import Version, alternates, home_of_both, versions, way_up

LOCALES = {"en": "en_US", "zh-TW": "zh_TW"}  # Open Graph wants a region
MAP = "#map"  # of the home page, which lists what each part of the navigation holds

Data = dict[str, Any]


@dataclass(frozen=True)
class Head:
    """A page as it looks from outside."""

    url: str  # within the site of its language, as in start/setup/
    language: str
    site_url: str  # of its language
    site_name: str
    heading: str
    description: str
    trail: tuple[str, ...]  # its place in the navigation: home, part, page

    @property
    def address(self) -> str:
        """The whole address."""
        return self.site_url + self.url

    @property
    def title(self) -> str:
        """What a browser's tab says."""
        return f"{self.heading} - {self.site_name}" if self.url else self.site_name

    @property
    def kind(self) -> str:
        """What Open Graph calls it."""
        return "article" if self.url else "website"

    @cached_property
    def versions(self) -> list[Version]:
        """The page in each language."""
        return versions(self.url, self.language, self.site_url)

    @property
    def alternates(self) -> list[tuple[str, str]]:
        """What `hreflang` says of it, with whole addresses."""
        return alternates(self.versions)

    @property
    def locales(self) -> list[str]:
        """What Open Graph calls the languages, that of the page first."""
        others = [locale for code, locale in LOCALES.items() if code != self.language]
        return [LOCALES[self.language], *others]

    @property
    def card(self) -> Card:
        """The picture in its language."""
        return card(self.language)

    @property
    def up(self) -> str:
        """The way to what both languages share."""
        return way_up(self.url, self.language)

    @property
    def picture(self) -> str:
        """The whole address of the picture."""
        return home_of_both(self.site_url, self.language) + self.card.path

    @property
    def data(self) -> str:
        """The same as JSON-LD, in the words of schema.org."""
        things = [self._page(), self._trail()] if self.url else [self._site()]
        data = {"@context": "https://schema.org", "@graph": things}
        compact = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        return compact.replace("</", "<\\/")

    def _site(self) -> Data:
        return {
            "@type": "WebSite",
            "@id": self.site_url,
            "url": self.site_url,
            "name": self.site_name,
            **self._told("WebSite"),
        }

    def _page(self) -> Data:
        kind = "APIReference" if self.url.startswith(API) else "TechArticle"
        taught = not self.url.startswith("reference/")
        return {
            "@type": [kind, "LearningResource"] if taught else kind,
            "@id": self.address,
            "url": self.address,
            "headline": self.heading,
            **self._told(kind),
            "isPartOf": {"@type": "WebSite", "@id": self.site_url, "name": self.site_name},
        }

    def _told(self, kind: str) -> Data:
        """Return what is told of the site and of a page alike."""
        (other,) = (one for one in self.versions if one.language != self.language)
        # The English was written first: each Chinese section is recorded with its English one.
        work = "workTranslation" if self.language == "en" else "translationOfWork"
        return {
            "description": self.description,
            "inLanguage": self.language,
            "image": self.picture,
            "isAccessibleForFree": True,
            work: {"@type": kind, "@id": other.address, "inLanguage": other.language},
        }

    def _trail(self) -> Data:
        places = [self.site_url, *[self.site_url + MAP] * (len(self.trail) - 2), self.address]
        items = [
            {"@type": "ListItem", "position": number, "name": name, "item": place}
            for number, (name, place) in enumerate(zip(self.trail, places, strict=True), 1)
        ]
        return {"@type": "BreadcrumbList", "itemListElement": items}
