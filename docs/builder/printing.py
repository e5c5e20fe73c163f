"""What a printed page says in place of a link that can be pressed."""

import re
from urllib.parse import urljoin

LINK = re.compile(r'(<a (?![^>]*(?:headerlink|download))[^>]*\bhref=")(?!#|\w+:)([^"]+)"')


def with_addresses(html: str, url: str) -> str:
    """Note at each link of the article to another page where in the book that is.

    >>> with_addresses('<article><a href="../masks/#hide">c</a></article>', "components/model/")
    '<article><a href="../masks/#hide" data-address="components/masks/#hide">c</a></article>'
    """

    def one(link: re.Match[str]) -> str:
        return f'{link[0]} data-address="{urljoin(url, link[2])}"'

    start, article, end = re.split(r"(<article\b.*</article>)", html, maxsplit=1, flags=re.DOTALL)
    return start + LINK.sub(one, article) + end
