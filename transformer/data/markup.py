"""Text without what is not language: tags, entities, access keys, characters that nobody sees."""

import html
import re

from transformer.data.pair_files import TextPair

_INVISIBLE = re.compile(
    "[\u0000-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff]"
)
_INLINE = "a|abbr|b|big|code|em|font|i|kbd|small|span|strong|sub|sup|tt|u"
_BLOCK = "br|div|h[1-6]|hr|img|li|ol|p|pre|table|td|th|tr|ul"
_TAG = re.compile(rf"</?(?:({_BLOCK})|{_INLINE})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_KEY_BEHIND = re.compile(
    r"\s?\(([~_&])([A-Za-z0-9])\)"
)  # behind the text, where no letter of it fits
_KEY = re.compile(r"(?<![^\s(「\[])([~_&])(?=[^\W\d_])")  # ~File, Save _As
_SPACE_BEFORE_MARK = re.compile(r"\s+(?=[，。、；：！？」』）])")


def clean_pair(source: str, target: str) -> TextPair:
    """Return both texts without markup.

    Tags of HTML are taken out; those that part lines leave a space. An access key, the letter that
    opens a menu, is marked in front of the letter or written behind in brackets; where one side has
    it behind, the other loses its mark before the same letter wherever it is.

    Args:
        source: The source.
        target: Its translation.

    Example:
        >>> clean_pair("Save <b>_As</b>&hellip;", "另存新檔(_A)…")
        ('Save As…', '另存新檔…')
        >>> clean_pair("Fo~rmat<br>Cells", "格式 (~R) 儲存格")
        ('Format Cells', '格式 儲存格')
    """
    source, target = _plain(source), _plain(target)
    for behind in (_KEY_BEHIND.search(target), _KEY_BEHIND.search(source)):
        if behind:
            mark = re.compile(rf"{re.escape(behind[1])}(?={behind[2]})", re.IGNORECASE)
            source, target = (
                mark.sub("", _KEY_BEHIND.sub("", text), count=1) for text in (source, target)
            )
    return _without_key(source), _without_key(target)


def _plain(text: str) -> str:
    """Return a text without tags, entities and characters that are not drawn."""
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _TAG.sub(lambda tag: " " if tag[1] else "", text)
    return " ".join(_INVISIBLE.sub("", text).split())


def _without_key(text: str) -> str:
    """Return a text without the mark before a letter, if it has just one."""
    return _KEY.sub("", text) if len(_KEY.findall(text)) == 1 else text
