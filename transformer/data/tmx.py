"""Translation memories: pairs from TMX, the format in which translators' tools and OPUS give them.

A unit holds one sentence in several languages. Units are read one at a time, so a file may be
larger than the memory.
"""

from collections.abc import Iterator
from io import BufferedIOBase
from xml.etree import ElementTree as ET

from transformer.data.tab_separated import Row
from transformer.text_files import Unreadable

_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_CODES = ("bpt", "ept", "it", "ph", "ut")  # hold markup of the translated document, no text


def read_units(
    stream: BufferedIOBase, name: str, languages: tuple[str, str] | None = None
) -> Iterator[tuple[int, Row]]:
    """Yield each unit's text in two languages.

    Args:
        stream: The XML.
        name: What to call it when something is wrong.
        languages: Codes of the two, such as `("en", "zh_TW")`; those of the file when None, which
            may then have no third. `en` stands for `en-US` too; capitals make no difference.

    Yields:
        Number of the unit, from 1, and source and target, or why it has none.

    Raises:
        ValueError: If the XML is damaged, no unit has both languages, or there are more than two
            and none were named.

    Example:
        >>> from io import BytesIO
        >>> unit = "<tuv xml:lang='en'><seg>cat</seg></tuv><tuv xml:lang='zh'><seg>貓</seg></tuv>"
        >>> memory = f"<tmx><body><tu>{unit}</tu></body></tmx>".encode()
        >>> list(read_units(BytesIO(memory), "memory.tmx", ("zh", "en")))
        [(1, ['貓', 'cat'])]
    """
    known: dict[str, None] = {}  # the languages that were seen, in their order
    wanted: tuple[str, ...] = languages or ()
    number, found = 0, False
    try:
        for number, texts in enumerate(_units(stream), start=1):
            known |= dict.fromkeys(texts)
            if languages is None:
                if len(known) > 2:
                    raise ValueError(
                        f"{name}: more than two languages, {', '.join(known)}: name the source's "
                        "and the target's"
                    )
                wanted = tuple(known) if len(known) == 2 else ()
            row = [text for code in wanted if (text := _in_language(texts, code)) is not None]
            if len(row) == 2:
                found = True
                yield number, row
            else:
                yield number, Unreadable("malformed", f"a unit in {', '.join(texts) or 'nothing'}")
    except ET.ParseError as error:
        raise ValueError(f"{name}: damaged XML after unit {number}: {error}") from error
    if number and not found:
        both = " and ".join(languages or ("a second language",))
        raise ValueError(f"{name}: no unit has {both}: its languages are {', '.join(known)}")


def _units(stream: BufferedIOBase) -> Iterator[dict[str, str]]:
    """Yield the texts of each unit by their languages."""
    body = None
    for event, element in ET.iterparse(stream, events=("start", "end")):
        tag = element.tag.rpartition("}")[2]
        if event == "start":
            body = element if tag == "body" else body
        elif tag == "tu":
            variants = [(one.get(_LANG) or one.get("lang"), one.find("{*}seg")) for one in element]
            yield {lang: _text(seg) for lang, seg in variants if lang and seg is not None}
            if body is not None:
                body.clear()  # what was read takes no memory


def _text(segment: ET.Element) -> str:
    """Return what a translator reads."""
    tag = segment.tag.rpartition("}")[2]
    own = "" if tag in _CODES else segment.text or ""
    inner = "" if tag in _CODES else "".join(_text(child) + (child.tail or "") for child in segment)
    return own + inner


def _in_language(texts: dict[str, str], wanted: str) -> str | None:
    """Return the text in a language, or in the first of its variants."""
    code = _plain(wanted)
    exact = (text for lang, text in texts.items() if _plain(lang) == code)
    variant = (text for lang, text in texts.items() if _plain(lang).startswith(f"{code}-"))
    return next(exact, None) or next(variant, None)


def _plain(code: str) -> str:
    return code.lower().replace("_", "-")
