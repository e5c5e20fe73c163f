"""Sentence pairs from the manual and the menus of an office program, English and Chinese.

LibreOffice's manual and menus are in three packages of Debian, 6 MB. `apt-get download` needs no
root; without apt, they are in http://deb.debian.org/debian/pool/main/libr/libreoffice/ (the build
of bookworm, `deb12`, is the one that the book measures):

    apt-get download libreoffice-help-en-us libreoffice-help-zh-tw libreoffice-l10n-zh-tw
    pip install python-debian lxml polib
    python examples/office_manual.py *.deb raw.tsv

Menus of other programs are found as well, such as those of GIMP in the package `gimp-data`.

The texts are under the Mozilla Public License 2.0, some under others such as Apache 2.0: see
`usr/share/doc/*/copyright` in each package. This script only takes them out of their files;
`transformer prepare` cleans them.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import polib
from debian.debfile import DebFile
from lxml import html

PAGE = re.compile(r"libreoffice/help/(en-US|zh-TW)/(text/.*\.html)$")
MENUS = re.compile(r"/zh_TW/LC_MESSAGES/([\w-]+)\.mo$")
PARAGRAPH = re.compile(r"(par|hd)_")  # how the ids of paragraphs and headings begin

Pairs = Iterator[tuple[str, str]]


def office_pairs(packages: list[Path]) -> Pairs:
    """Yield the pairs of all packages: first the manual, then the menus.

    Args:
        packages: The `.deb` files, in any order.

    Raises:
        ValueError: If they hold no pairs.
    """
    pages: dict[str, dict[str, bytes]] = {"en-US": {}, "zh-TW": {}}
    menus: dict[str, bytes] = {}
    for package in packages:
        with DebFile(str(package)) as deb, deb.data.tgz() as files:
            for member in files:  # in the order of the archive: it is unpacked once
                page, menu = PAGE.search(member.name), MENUS.search(member.name)
                file = files.extractfile(member) if page or menu else None
                if file and page:
                    pages[page[1]][page[2]] = file.read()
                elif file and menu:
                    menus[menu[1]] = file.read()
    both = sorted(pages["en-US"].keys() & pages["zh-TW"].keys())
    if not both and not menus:
        raise ValueError(f"no pages in two languages and no menus in {packages}")
    for name in both:
        english, chinese = (paragraphs(pages[language][name]) for language in pages)
        yield from ((text, chinese[id]) for id, text in english.items() if id in chinese)
    for name in sorted(menus):
        for entry in polib.mofile(menus[name]):  # type: ignore[call-overload]  # its content
            yield entry.msgid_plural or entry.msgid, entry.msgstr or entry.msgstr_plural[0]


def paragraphs(page: bytes) -> dict[str, str]:
    """Return the text of each paragraph and heading of a page of the manual, by its id.

    Where a text has a version for each operating system, all of them hidden until a script shows
    one, the last is taken: it is the one for the others.

    Args:
        page: The page's HTML, in UTF-8.
    """
    tree = html.fromstring(page, parser=html.HTMLParser(encoding="utf-8"))
    for switch in tree.find_class("switchinline"):
        for version in list(switch)[:-1]:
            version.drop_tree()
    for element in tree.iter("br", "img"):  # what parts words on the screen
        element.tail = f" {element.tail or ''}"
    texts: dict[str, str] = {}
    for element in tree.iter("p", "h1", "h2", "h3", "h4", "h5", "h6"):
        if PARAGRAPH.match(id := element.get("id", "")):
            texts.setdefault(id, element.text_content())
    return texts


def main() -> None:
    """Write the pairs to the last of the files that are named, one a line."""
    if len(sys.argv) < 3:
        sys.exit("usage: python examples/office_manual.py A.deb B.deb C.deb raw.tsv")
    *packages, out = map(Path, sys.argv[1:])
    with out.open("w", encoding="utf-8", newline="\n") as file:
        for pair in office_pairs(packages):
            source, target = (" ".join(text.split()) for text in pair)
            if source or target:
                file.write(f"{source}\t{target}\n")


if __name__ == "__main__":
    main()
