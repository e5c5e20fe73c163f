"""The words as objects: nouns, adjectives, verbs, places, pronouns."""

from dataclasses import dataclass
from typing import NamedTuple

from transformer.data.grammar import words


@dataclass(frozen=True, eq=False, slots=True)
class Noun:
    """A noun; what is served in a `container` (singular, plural) is counted by it."""

    one: str
    many: str
    zh: str
    measure: str
    tags: frozenset[str]
    container: tuple[str, str] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Adjective:
    """An adjective: `attribute` stands before one of the `nouns`, `predicate` after 很."""

    en: str
    attribute: str
    predicate: str
    comparative: str
    too: bool
    nouns: tuple[Noun, ...]


class Place(NamedTuple):
    """A place: English with and without its preposition, Chinese without 在."""

    en: str
    name: str
    zh: str


@dataclass(frozen=True, eq=False, slots=True)
class Verb:
    """A verb; `done` is what marks a finished action in Chinese: 了, 好了 or nothing.

    Of a `skill`, 會 says that one has it.
    """

    base: str
    third: str
    past: str
    ing: str
    zh: str
    done: str
    aspects: tuple[str, ...]
    subjects: tuple[Noun, ...]
    objects: tuple[Noun, ...]
    places: tuple[Place, ...]
    skill: bool = False


class Pronoun(NamedTuple):
    """A personal pronoun, its forms, and its form of "be"."""

    subject: str
    object: str
    own: str
    zh: str
    be: str


class Weather(NamedTuple):
    """Weather in past and present, whether one goes out, and what else one does."""

    was: str
    present: str
    zh: str
    good: bool
    acts: tuple[tuple[str, str], ...] = ()


def _row(line: str) -> list[str]:
    return [word.replace("_", " ") for word in line.split()]


def _rows(table: str) -> list[list[str]]:
    return [_row(line) for line in table.strip().splitlines()]


def _columns(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]


def _counted() -> list[Noun]:
    rows = _rows(words.COUNTED)
    return [Noun(one, many, zh, unit, frozenset(tags)) for one, many, zh, unit, *tags in rows]


def _served() -> list[Noun]:
    containers = {one: ((one, many), measure) for one, many, measure in _rows(words.CONTAINERS)}
    served = []
    for en, zh, names, *tags in _rows(words.SERVED):
        for container, measure in (containers[name] for name in names.split(",")):
            served.append(Noun(en, en, zh, measure, frozenset(tags), container))
    return served


NOUNS = (*_counted(), *_served())


def nouns(names: str) -> tuple[Noun, ...]:
    """Nouns by tag or by name; one after a minus sign is left out.

    Example:
        >>> [noun.one for noun in nouns("pet fish -cat")]
        ['dog', 'rabbit', 'bird', 'fish']
    """
    wanted = {name for name in _row(names) if name[0] != "-"}
    unwanted = {name[1:] for name in _row(names) if name[0] == "-"}
    return tuple(n for n in NOUNS if wanted & {n.one, *n.tags} and n.one not in unwanted)


def _adjective(
    en: str, attribute: str, predicate: str, comparative: str, too: str, names: str
) -> Adjective:
    predicate, comparative = predicate.strip("-"), comparative.strip("-").replace("_", " ")
    return Adjective(en, attribute, predicate, comparative, too == "too", nouns(names))


ADJECTIVES = tuple(_adjective(*row) for row in _columns(words.ADJECTIVES))
PLACES = {name: Place(en, en.partition(" ")[2], zh) for name, en, zh in _columns(words.PLACES)}
CITIES = tuple(PLACES[name] for name in ("taipei", "tainan", "hualien"))
TOWN = tuple(
    place
    for name, place in PLACES.items()
    if place not in CITIES and name not in ("kitchen", "home", "tree")
)
SPOTS = tuple(
    (Place(en, en.partition(" ")[2], zh), nouns(names)) for en, zh, names in _columns(words.SPOTS)
)
_ASPECTS = {
    "p": ("past",),
    "f": ("future",),
    "h": ("habitual",),
    "g": ("progressive",),
    "w": ("want", "should"),
    "s": ("stative",),
}


def _verb(forms: str, zh: str, letters: str, subjects: str, objects: str, places: str) -> Verb:
    base, third, past, ing = forms.split()[-4:]
    zh, _, done = zh.partition("+") if "+" in zh else (zh.removesuffix("了"), "", zh[-1:])
    return Verb(
        base,
        third,
        past,
        ing,
        zh,
        done if done.endswith("了") else "",
        tuple(aspect for letter in letters for aspect in _ASPECTS.get(letter, ())),
        nouns(subjects),
        nouns(objects),
        tuple(PLACES[name] for name in places.split()),
        "k" in letters,
    )


VERBS = {row[0].split()[0]: _verb(*row) for row in _columns(words.VERBS)}


def verbs(names: str) -> tuple[Verb, ...]:
    """Verbs by their base forms.

    Example:
        >>> [verb.past for verb in verbs("buy go")]
        ['bought', 'went']
    """
    return tuple(VERBS[name] for name in names.split())


PRONOUNS = (
    Pronoun("i", "me", "my", "我", "am"),
    Pronoun("you", "you", "your", "你", "are"),
    Pronoun("he", "him", "his", "他", "is"),
    Pronoun("she", "her", "her", "她", "is"),
    Pronoun("we", "us", "our", "我們", "are"),
    Pronoun("they", "them", "their", "他們", "are"),
)
YOU, HE, SHE, THEY = PRONOUNS[1], PRONOUNS[2], PRONOUNS[3], PRONOUNS[5]
FAMILY = {
    "mother": "媽媽",
    "father": "爸爸",
    "grandmother": "奶奶",
    "grandfather": "爺爺",
    "older brother": "哥哥",
    "older sister": "姊姊",
    "younger brother": "弟弟",
    "younger sister": "妹妹",
}
# Who is "he" or "she" without a doubt.
GENDER = dict.fromkeys(("boy", "father", "grandfather", "older brother", "younger brother"), HE)
GENDER |= dict.fromkeys(("girl", "mother", "grandmother", "older sister", "younger sister"), SHE)
NUMBERS = {"two": "兩", "three": "三", "four": "四", "five": "五", "ten": "十", "twelve": "十二"}
STATES = (("busy", "忙"), ("tired", "累"), ("hungry", "餓"), ("happy", "開心"), ("angry", "生氣"))
_PAST = (("yesterday", "昨天"), ("last night", "昨天晚上"), ("last week", "上星期"))
_FUTURE = (("tomorrow", "明天"), ("tonight", "今天晚上"), ("next week", "下星期"))
_FREQUENT = (("every day", "每天"), ("every morning", "每天早上"), ("every week", "每個星期"))
TIMES = {
    "past": (*_PAST, ("this morning", "今天早上")),
    "future": _FUTURE,
    "want": _FUTURE,
    "should": _FUTURE,
    "habitual": _FREQUENT,
}
_BUS = ("by bus", "搭公車")
_RIDES = (_BUS, ("by taxi", "搭計程車"), ("by mrt", "搭捷運"), ("by scooter", "騎機車"))
TRIPS = (
    (TOWN, (*_RIDES, ("by bicycle", "騎腳踏車"))),
    (CITIES, (_BUS, ("by train", "搭火車"))),
)
WEATHER = (
    Weather("it rained", "it rains", "下雨", False, (("buy", "umbrella"), ("borrow", "umbrella"))),
    Weather(
        "it was cold", "it is cold", "天氣很冷", False, (("wear", "coat"), ("wear", "sweater"))
    ),
    Weather("it was hot", "it is hot", "天氣很熱", False, (("drink", "water"), ("drink", "juice"))),
    Weather("the weather was good", "the weather is good", "天氣很好", True),
)
