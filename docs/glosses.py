"""What each Chinese word of the grammar means, for readers of the playground who read no Chinese.

Words come from the lexicon; what holds a sentence together has no entry there and stands here.
"""

from collections.abc import Iterator

from transformer.data.grammar import lexicon

MEASURE = "(measure)"  # a measure word: it stands between a number, or 那, and its noun
TOGETHER = {
    "的": "(of, that)",
    "了": "(done)",
    "過": "(once)",
    "好": "good",
    "嗎": "(question)",
    "那": "that",
    "這": "this",
    "那些": "those",
    "這些": "these",
    "一": "a",
    "一些": "some",
    "幾": "how many",
    "牠": "it",
    "東西": "thing",
    "正在": "(doing)",
    "會": "will",
    "要": "will",
    "想": "want to",
    "應該": "should",
    "應該要": "should",
    "是": "is",
    "有": "have",
    "不": "not",
    "沒": "not",
    "沒有": "not",
    "請": "please",
    "覺得": "think",
    "說": "say",
    "看到": "see",
    "幫助": "help",
    "修好": "fix",
    "在": "at",
    "天氣": "weather",
    "冷": "cold",
    "下雨": "rain",
    "很": "very",
    "非常": "very",
    "太": "too",
    "比": "than",
    "跟": "with",
    "一樣": "the same",
    "一點": "a little",
    "很多": "much",
    "常常": "often",
    "都": "all",
    "也": "also",
    "和": "and",
    "而且": "and",
    "但是": "but",
    "因為": "because",
    "所以": "so",
    "如果": "if",
    "就": "then",
    "誰": "who",
    "什麼": "what",
    "什麼時候": "when",
    "哪": "which",
    "哪裡": "where",
    "為什麼": "why",
    # of the model made by hand
    "今天": "today",
    "贏": "beat",
    "惹": "upset",
}


def glosses() -> dict[str, str]:
    """Return each Chinese word with its English; of several meanings the first.

    >>> found = glosses()
    >>> found["昨天"], found["姊姊"], found["吃"], found["條"], found["我"]
    ('yesterday', 'older sister', 'eat', '(measure)', 'I, my')
    """
    found = dict(TOGETHER)
    for chinese, english in _of_the_lexicon():
        found.setdefault(chinese, english)
    return found


def _of_the_lexicon() -> Iterator[tuple[str, str]]:
    for noun in lexicon.NOUNS:
        yield noun.zh, noun.one
    for noun in lexicon.NOUNS:
        yield noun.measure, MEASURE
    for adjective in lexicon.ADJECTIVES:
        for form in (adjective.attribute, adjective.predicate):
            if form:
                yield form.removeprefix("是").removesuffix("的"), adjective.en
    for verb in lexicon.VERBS.values():
        yield verb.zh, verb.base
    for spot, _ in lexicon.SPOTS:  # 樹下 is a place as well, "the tree"
        yield spot.zh, spot.en
    for place in lexicon.PLACES.values():
        yield place.zh, place.name.removeprefix("the ")
    for city in lexicon.CITIES:
        yield city.zh, city.name.title()
    for pronoun in lexicon.PRONOUNS:
        yield pronoun.zh, f"{pronoun.subject}, {pronoun.own}".replace("i,", "I,")
    for english, chinese in [*lexicon.NUMBERS.items(), *lexicon.FAMILY.items(), *lexicon.STATES]:
        yield chinese, english
    for english, chinese in [time for times in lexicon.TIMES.values() for time in times]:
        yield chinese, english
    for _, rides in lexicon.TRIPS:
        for english, chinese in rides:
            yield chinese, english.replace("mrt", "MRT")
