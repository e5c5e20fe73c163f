"""What a text says, whatever its capitals, marks, digits and spaces: as words, or characters."""

import re
import unicodedata
from functools import lru_cache

import regex

_CHARACTER = r"[\p{Han}\p{Hiragana}\p{Katakana}]"  # written without spaces: each is a token
_TOKEN = regex.compile(rf"(?V1){_CHARACTER}|[[\p{{L}}\p{{M}}]--{_CHARACTER}]+|\p{{N}}+")
_NUMBER = re.compile(r"\d+")
_CHARACTERS = regex.compile(_CHARACTER)


@lru_cache(maxsize=8)  # each text is asked for twice
def tokens(text: str) -> list[str]:
    """Return the words of a text, or its characters where it has no spaces between words.

    Capitals are small, marks are left out, and each number is a 0.

    Args:
        text: The text.

    Example:
        >>> tokens("Insert 12 Rows…"), tokens("插入 3 列")
        (['insert', '0', 'rows'], ['插', '入', '0', '列'])
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    found: list[str] = _TOKEN.findall(_NUMBER.sub("0", plain))
    return found


@lru_cache(maxsize=2**16)
def is_character(token: str) -> bool:
    """Say whether a token is a character of a text without spaces.

    Example:
        >>> is_character("列"), is_character("rows")
        (True, False)
    """
    return _CHARACTERS.match(token) is not None
