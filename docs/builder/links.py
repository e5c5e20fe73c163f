"""Links of pages: to other pages by their files, and to objects of the package by their names."""

import posixpath
import re
from collections.abc import Callable

from docs.builder import api_pages

# Links, and what looks like them in code and formulas; a `[name][object]` leads to the API.
LINKS = re.compile(
    r"\[(?P<text>(?:`[^`]+`|[^\[\]`$])+)\]\[(?P<object>[\w.]*)\]"
    r"|\]\((?P<target>(?!\w+:)[^)\s]+)"
    r"|(?P<ticks>`+).+?(?P=ticks)|\$[^$]+\$"
)


def with_addresses(line: str, page: str, address_of: Callable[[str], str | None]) -> str:
    """Return a line of a page with addresses in its links.

    `address_of` gives the address of a page or a file, both named from the folder of the language,
    or None: such a link stays as it is.
    """

    def one(found: re.Match[str]) -> str:
        if found["text"]:
            name = found["object"] or found["text"].strip("`")
            file, anchor = api_pages.page_of(name), name
        elif found["target"]:
            path, _, anchor = found["target"].partition("#")
            file = posixpath.normpath(f"{page}/../{path}") if path else page
        else:
            return found[0]
        address = address_of(file) if file else None
        if not address:
            return found[0]
        link = f"]({address}{anchor and '#'}{anchor}"
        return f"[{found['text']}{link})" if found["text"] else link

    return LINKS.sub(one, line)
