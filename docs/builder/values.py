"""`<!-- value: NAME -->` inside a sentence: a number that is known elsewhere, as the reader's
language writes it.

docs/values.py says which values there are. Behind the name, `low` or `high` asks for
one end of a range, and a format for other digits: `.2f` for two decimals, `.1%` for a share, `.1m`
for millions.
"""

import json
import re
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path

from docs.builder.cache import Artifact, code_of
from docs.builder.markdown import outside_fences

SOURCES = Path(__file__).parents[1] / "values.py"
NOTEBOOK = SOURCES.parent / "en" / "practice" / "translate.py"
MEASURED = sorted((SOURCES.parent / "measured").glob("*.json"))
VALUE = re.compile(
    r"<!-- value: (?P<name>[\w.]+)(?: (?P<end>low|high))?(?: \.(?P<digits>\d)(?P<kind>[f%m]))? -->"
)
MEANT = re.compile(r"(?P<code>(?P<ticks>`+).+?(?P=ticks))|<!--\s*values?\b.*?-->")
RANGE = {"en": "between {} and {}", "zh-TW": "{} 到 {}"}

Number = int | float
Value = Number | list[Number]  # a number, or the lowest and the highest


def fill(text: str, language: str, complain: Callable[[str], object] = lambda problem: None) -> str:
    """Put values in their places, in prose only.

    Where a page is made, the build hears what is wrong; its other forms need not say it again.
    """

    def one(found: re.Match[str]) -> str:
        if found["code"]:
            return found[0]
        try:
            return printed(found[0], language)
        except LookupError as error:
            complain(f"{found[0]}: {error.args[0]}")
            return "?"

    lines = outside_fences(text.split("\n"))
    return "\n".join(line if is_code else MEANT.sub(one, line) for line, is_code in lines)


def printed(directive: str, language: str) -> str:
    """Return what a directive asks for.

    Raises:
        LookupError: it is written in another way, or asks for what is not there.
    """
    asked = VALUE.fullmatch(directive)
    if not asked:
        raise LookupError(
            "write <!-- value: NAME [low|high] [FORMAT] -->, a format as .2f, .1%, .1m"
        )
    values = known()
    if asked["name"] not in values:
        near = get_close_matches(asked["name"], values, 1) or [f"in {SOURCES.name}"]
        raise LookupError(f"there is no such value; the nearest is {near[0]}")
    value = values[asked["name"]]
    if asked["end"] and not isinstance(value, list):
        raise LookupError(f"this value has no {asked['end']} end: it is {value}")
    ends = value if isinstance(value, list) else [value]
    if asked["end"]:
        ends = [ends[asked["end"] == "high"]]
    words = [written(end, int(asked["digits"] or 0), asked["kind"], language) for end in ends]
    if len(set(words)) == 1:
        return words[0]
    if language == "en" and asked["kind"] == "m":
        words[0] = words[0].removesuffix(" million")
    return RANGE[language].format(*words).replace("萬 到", "萬到").replace("億 到", "億到")


def written(number: Number, digits: int, kind: str | None, language: str) -> str:
    """Write one number; without a format it keeps the digits that it has.

    >>> written(63_082_496, 1, "m", "en"), written(63_082_496, 1, "m", "zh-TW")
    ('63.1 million', '6,310 萬')
    """
    if kind is None:
        return f"{number:,}"
    if kind != "m":
        return f"{number:,.{digits}{kind}}"
    if language == "en":
        return f"{number / 1e6:,.{digits}f} million"
    hundreds_of_millions, rest = divmod(round(round(number / 1e6, digits) * 100), 10_000)
    parts = [f"{hundreds_of_millions:,} 億"] * (hundreds_of_millions > 0)
    return " ".join(parts + [f"{rest:,} 萬"] * (rest > 0 or not parts))


def stand_in(text: str) -> str:
    """Put digits in the places of values, for those who look at the shape of a sentence only."""

    def one(found: re.Match[str]) -> str:
        return found[0] if found["code"] else "0 萬" if found[0].endswith("m -->") else "0"

    return MEANT.sub(one, text)


def artifact() -> Artifact:
    """Return all values as JSON, for the cache: some are counted in thousands of sentences."""
    return Artifact("values", "values", code_of(SOURCES, NOTEBOOK, *MEASURED), _make)


def known() -> dict[str, Value]:
    """Return every value by its name."""
    values: dict[str, Value] = json.loads(artifact().text())
    return values


def _make() -> str:
    from docs.values import all_values  # torch takes seconds to load

    return json.dumps(all_values())
