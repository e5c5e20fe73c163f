"""The search index of a finished site: which section answers which word, and how well.

Python does what takes judgement: it cuts Chinese into words, knows other names of a term, and
weighs. docs/assets/scripts/search/ looks words up, adds their weights and shows the sections.
"""

import csv
import json
import logging
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import jieba
import lxml.html
from lxml.html import HtmlElement
from opencc import OpenCC

from docs.builder.glossary import Row, terms, words

NAMES = Path(__file__).parents[1] / "search_names.csv"
API = "reference/api/"
CHINESE = re.compile("[一-鿿]")
# The browser reads a query by the same two expressions.
RUN = re.compile(r"[一-鿿]+|[a-z0-9à-ÿα-ω][\wà-ÿα-ω]*(?:\.\w+)*", re.ASCII)
PLURAL = re.compile(r"(?<=[a-z]{2}[^su])s$")
BRACKETS = re.compile(r" \(.*\)")  # memory (encoder output)
HYPHENATED = re.compile(r"[a-z]+(?:-[a-z]+)+")
LEFT_OUT_TAGS = {"button", "nav", "script", "style", "svg", "template"}
LEFT_OUT_CLASSES = re.compile(r"\b(?:doc-labels|headerlink|mkdocstrings-source)\b")
INLINE = {"a", "abbr", "b", "code", "em", "i", "mark", "small", "span", "strong", "sub", "sup", "u"}
HEADINGS = {f"h{level}" for level in range(1, 7)}
# Where a formula's second part begins, as one would type it: d_k, x^2, a/b.
BETWEEN = {"msub": "_", "msup": "^", "mfrac": "/"}

# A question is asked in these words; the others say what it is about.
_ASKING = (
    "a about all am an and any are as at be because been but by can could did do does doing each "
    "every for from get gets had happens has have how i if in instead into is it its like made "
    "make makes many matter me mean means much my need needed needs no not of on only or other "
    "our over really shall should so some such than that the their them then there these they "
    "this those to too up use used using was we were what when where which who whom why will with "
    "work works would you your "
    "為什麼 爲什麼 為何 什麼 甚麼 什麼是 是什麼 怎麼 怎麼辦 怎樣 如何 多少 哪些 哪裡 哪個 "
    "哪一個 可以 能不能 可不可以 是不是 需要 應該 必須 這個 那個 一個 的 了 是 在 有 和 與 或 "
    "及 要 會 能 嗎 呢 吧 我 你 我的 它 把 被 讓 請 請問 到底 意思 之 於 為 也 都 就 還 很 不 "
    "用 裡 到 只 再 時 那 這 個 每 每個 上 著 各 對 從 所以 就是 不是 沒有 一樣 這樣 因為"
)
QUESTION_WORDS = [*dict.fromkeys(PLURAL.sub("", word) for word in _ASKING.split())]

# What a word counts for in a name, a heading, the page's title (each shared among its words),
# and at most in the text.
NAME, HEADING, TITLE, TEXT = 14.0, 6.0, 1.0, 1.0
SATURATION, LENGTH = 1.5, 0.6  # k1 and b of BM25
# Chapters explain, so they come first; of the API, first what has a name of its own.
OBJECT, WORD = 0.4, 0.1
NAMED_BY_A_WORD = re.compile(r"(?:/|\.[A-Z]\w*\.[a-z]+)$")
SCALE = 10  # weights are written as integers

jieba.setLogLevel(logging.WARNING)


@dataclass
class Section:
    """What stands under a heading, up to the next."""

    url: str  # within the site of its language, as in start/setup/#gpu
    title: str  # of the page
    heading: str = ""
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The words, with one space where there was white space."""
        return " ".join("".join(self.parts).split())


def write_index(site: Path, language: str) -> None:
    """Write search/index.json beside the finished pages of one language."""
    path = site / "search" / "index.json"
    path.parent.mkdir(exist_ok=True)
    found = index(list(sections(site)), language)
    path.write_text(json.dumps(found, ensure_ascii=False, separators=(",", ":")), "utf-8")


def index(found: list[Section], language: str) -> dict[str, Any]:
    """Return what the browser loads: sections, the words that lead to them, and other words."""
    chinese = language != "en"
    named = {place_of(section): names for section, names in names_of_sections().items()}
    weights: defaultdict[str, list[int]] = defaultdict(list)
    counts = [Counter(words_of(section.text, chinese)) for section in found]
    average = (sum(count.total() for count in counts) or 1) / len(counts)
    for number, (section, count) in enumerate(zip(found, counts)):
        names = [name for name in named.get(section.url, []) if chinese or not _is_chinese(name)]
        for word, weight in _weights(section, count, average, names, chinese).items():
            weights[word] += [number, max(1, round(weight * SCALE))]
    for word in QUESTION_WORDS:
        weights.pop(word, None)
    rows = [[section.url, section.title, section.heading, section.text] for section in found]
    instead = other_words(found) if chinese else {}
    questions = [word for word in QUESTION_WORDS if chinese or not _is_chinese(word)]
    return {
        "run": RUN.pattern,
        "plural": PLURAL.pattern,
        "questions": questions,
        "instead": instead,
        "words": weights,
        "sections": rows,
    }


def sections(site: Path) -> Iterator[Section]:
    """Yield the sections of all pages below a folder, but for another language's."""
    for path in sorted(site.rglob("index.html")):
        folder = path.parent.relative_to(site).as_posix()
        if not folder.startswith("zh-TW"):
            yield from sections_of(path.read_text("utf-8"), "" if folder == "." else f"{folder}/")


def sections_of(html: str, url: str) -> list[Section]:
    """Return the sections of a page, cut at its headings and where a name leads.

    >>> page = "<article><h1 id=a>A</h1>b<h2 id=c>C</h2><p>d</p><p>e</p></article>"
    >>> [(section.url, section.title, section.heading, section.text)
    ...  for section in sections_of(page, "x/")]
    [('x/', 'A', 'A', 'b'), ('x/#c', 'A', 'C', 'd e')]
    """
    article = lxml.html.document_fromstring(html).find(".//article")
    found: list[Section] = []
    if article is not None:
        _read(article, url, found)
    return [section for section in found if section.text or section.heading]


def words_of(text: str, chinese: bool) -> Iterator[str]:
    """Yield the words of a text as the index has them.

    >>> list(words_of("Look-ahead masks, causal_mask(n) of d_model", False))
    ['look', 'ahead', 'mask', 'causal_mask', 'n', 'of', 'd_model', 'lookahead']
    """
    text = _normal(text)
    for run in RUN.findall(text):
        if not _is_chinese(run):
            yield PLURAL.sub("", run)
        elif chinese:
            yield from _cut(run)
    for compound in HYPHENATED.findall(text):
        yield PLURAL.sub("", compound.replace("-", ""))


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


def names() -> list[tuple[str, str]]:
    """Return the names that readers type, each with the page or section that it leads to."""
    with NAMES.open(encoding="utf-8", newline="") as file:
        return [(row["name"], row["page"]) for row in csv.DictReader(file)]


def names_of_sections() -> dict[str, list[str]]:
    """Return all names by section, as in a.md#b, or by page; those of the glossary among them.

    A name of the list leads where the list says, even if the glossary explains it elsewhere.
    """
    listed = {name.lower() for name, _ in names()}
    found: defaultdict[str, list[str]] = defaultdict(list)
    for row in terms():
        for name in (BRACKETS.sub("", row["en"]), row["zh_tw"]):
            if name.lower() not in listed:
                found[row["page"]].append(name)
    for name, section in names():
        found[section].append(name)
    return {section: [*dict.fromkeys(filter(None, named))] for section, named in found.items()}


def place_of(section: str) -> str:
    """Return where the site has a page or a section.

    >>> place_of("start/setup.md#gpu")
    'start/setup/#gpu'
    """
    page, number_sign, anchor = section.partition("#")
    return f"{Path(page).with_suffix('').as_posix()}/{number_sign}{anchor}"


def other_words(found: list[Section]) -> dict[str, str]:
    """Return what the pages write, by what readers elsewhere type: characters and words.

    >>> section = Section("", "遮罩", parts=["編碼"])
    >>> other_words([section]).items() >= {"编": "編", "码": "碼", "掩碼": "遮罩"}.items()
    True
    """
    characters = Counter(CHINESE.findall("".join(s.title + s.heading + s.text for s in found)))
    other: dict[str, str] = {}
    for character, _ in characters.most_common():
        if (simple := _simplified(character)) not in characters:
            other.setdefault(simple, character)
    spelt = str.maketrans(other)
    listed = {name for name, _ in names()}
    for row in sorted([*terms(), *words()], key=lambda row: len(row["zh_tw"])):
        for word in f"{row['avoid']};{row['not_in_this_sense']}".split(";"):
            word = word.translate(spelt)
            if len(word) > 1 and _is_chinese(word) and word not in listed | {row["zh_tw"]}:
                other.setdefault(word, row["zh_tw"].lower())
    return other


def _is_chinese(text: str) -> bool:
    return CHINESE.search(text) is not None


@cache
def _cut(run: str) -> tuple[str, ...]:
    """Return Chinese words and the words within them; jieba knows them by their simplified form."""
    end = 0
    found: list[str] = []
    for word in _dictionary().cut(_simplified(run), HMM=False):
        start, end = end, end + len(word)
        for part in _dictionary().cut_for_search(word, HMM=False) if len(word) > 2 else [word]:
            at = start + word.find(part)
            found.append(run[at : at + len(part)])
    return tuple(found)


@cache
def _dictionary() -> jieba.Tokenizer:
    """Return jieba with the glossary's terms and the names, which stay whole."""
    tokenizer = jieba.Tokenizer()
    rows: list[Row] = [*terms(), *words()]
    for word in {row["zh_tw"] for row in rows} | {name for name, _ in names()}:
        for run in re.findall("[一-鿿]{2,}", word):
            tokenizer.add_word(_simplified(run), 100_000)
    for word in QUESTION_WORDS:
        tokenizer.add_word(_simplified(word), 10_000)
    return tokenizer


def _simplified(text: str) -> str:
    """Return a text in simplified characters, each in its place."""
    simple: str = _converter().convert(text)
    return simple if len(simple) == len(text) else text


@cache
def _converter() -> OpenCC:
    return OpenCC("t2s")


def _weights(
    section: Section, count: Counter[str], average: float, names: list[str], chinese: bool
) -> dict[str, float]:
    """Return what each word of a section counts for."""
    length = SATURATION * (1 - LENGTH + LENGTH * count.total() / average)
    found = {word: TEXT * n * (SATURATION + 1) / (n + length) for word, n in count.items()}
    titles = [(section.heading, HEADING), (section.title, TITLE)]
    best: defaultdict[str, float] = defaultdict(float)
    for name, most in [*titles, *((name, NAME) for name in names)]:
        parts = {word: len(word) for word in words_of(name, chinese)}
        whole = sum(map(len, RUN.findall(_normal(name)))) or 1
        for word, size in parts.items():
            best[word] = max(best[word], most * min(1.0, size / whole))
    for word, weight in best.items():
        found[word] = found.get(word, 0.0) + weight
    factor = 1.0
    if section.url.startswith(API):
        factor = WORD if NAMED_BY_A_WORD.search(section.url) else OBJECT
    return {word: weight * factor for word, weight in found.items()}


@cache
def _targets() -> frozenset[str]:
    return frozenset(map(place_of, names_of_sections()))


def _read(element: HtmlElement, url: str, found: list[Section]) -> None:
    """Add an element's text to the last section, or begin another with it."""
    if _is_left_out(element):
        return
    anchor = element.get("id")
    if element.tag in HEADINGS:
        heading = " ".join(_text(element).split())
        is_title = element.tag == "h1" or not found
        title = heading if is_title else found[0].title
        found.append(Section(url if is_title or not anchor else f"{url}#{anchor}", title, heading))
        return
    if anchor and found and f"{url}#{anchor}" in _targets():
        found.append(Section(f"{url}#{anchor}", found[0].title, found[-1].heading))
    if element.tag == "math":
        _add(found, _formula(element))
        return
    space = "" if element.tag in INLINE else " · " if element.tag in ("td", "th") else " "
    _add(found, space + (element.text or ""))
    for child in element:
        _read(child, url, found)
        _add(found, child.tail or "")
    _add(found, "" if space == "" else " ")


def _is_left_out(element: HtmlElement) -> bool:
    if not isinstance(element.tag, str) or element.tag in LEFT_OUT_TAGS:
        return True
    attributes = element.attrib
    return "data-search-exclude" in attributes or bool(
        LEFT_OUT_CLASSES.search(attributes.get("class", ""))
    )


def _add(found: list[Section], text: str) -> None:
    if found:
        found[-1].parts.append(text)


def _text(element: HtmlElement) -> str:
    if _is_left_out(element):
        return ""
    if element.tag == "math":
        return _formula(element)
    inside = (_text(child) + (child.tail or "") for child in element)
    return (element.text or "") + "".join(inside)


def _formula(element: HtmlElement) -> str:
    parts = [_formula(child) for child in element]
    if element.tag in BETWEEN:
        return BETWEEN[element.tag].join(parts)
    return ("√" if element.tag == "msqrt" else "") + (element.text or "") + "".join(parts)
