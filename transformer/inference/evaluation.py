"""Scores of decoded translations: exact match, BLEU and chrF, in all and by kind of sentence."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from transformer.arguments import check_strings

TOKENIZE = ("zh", "13a", "intl", "char", "none")  # what of sacreBLEU's needs no download
BUCKETS = {"words": 5, "characters": 10}  # sources of 1 to 5 words are scored together, and so on
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


@dataclass(frozen=True)
class GroupScores:
    """Three scores of one group of sentences, each from 0 to 100.

    Attributes:
        sentences: How many sentences the group holds.
        exact_match: Percentage of hypotheses that are the reference, character for character.
        bleu: Corpus BLEU, over Chinese characters or over words; see `bleu_tokenizer`.
        chrf: Corpus chrF: runs of up to six characters, recall counting twice.
    """

    sentences: int
    exact_match: float
    bleu: float
    chrf: float


@dataclass(frozen=True)
class Scores:
    """What `score` returns; `str` of it is a table to read.

    Attributes:
        overall: Scores of all sentences.
        by_construction: Scores of the sentences that show a construction, by its name. A
            sentence counts under each of its names.
        by_length: Scores by the length of the source: `"1-5"`, `"6-10"`, … words, or
            `"1-10"`, … characters where the sources are Chinese.
        length_unit: `"words"` or `"characters"`.
        bleu_signature: How BLEU was computed, to be quoted with it.
        chrf_signature: How chrF was computed, to be quoted with it.
    """

    overall: GroupScores
    by_construction: Mapping[str, GroupScores]
    by_length: Mapping[str, GroupScores]
    length_unit: str
    bleu_signature: str
    chrf_signature: str

    def to_dict(self) -> dict[str, Any]:
        """Return the scores as plain dicts, numbers and strings, ready for JSON.

        Example:
            >>> score(["貓在睡覺。"], ["貓正在睡覺。"]).to_dict()["overall"]["exact_match"]
            0.0
        """
        return asdict(self)

    def __str__(self) -> str:
        tables: list[tuple[str, Mapping[str, GroupScores]]] = [
            ("by construction", self.by_construction),
            (f"by {self.length_unit} in the source", self.by_length),
        ]
        rows: list[tuple[str, GroupScores | None]] = [("all", self.overall)]
        for title, groups in tables:
            if groups:
                rows += [(title, None), *((f"  {name}", group) for name, group in groups.items())]
        width = max(len(label) for label, _ in rows)
        lines = [f"{'':{width}}  sentences   exact    BLEU    chrF"]
        for label, group in rows:
            cells = f"  {group.sentences:9}" if group else ""
            for value in (group.exact_match, group.bleu, group.chrf) if group else ():
                cells += f"  {value:6.2f}"
            lines.append(f"{label:{width}}{cells}".rstrip())
        return "\n".join([*lines, f"BLEU {self.bleu_signature}", f"chrF {self.chrf_signature}"])


def score(
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    sources: Sequence[str] | None = None,
    constructions: Sequence[Collection[str]] | None = None,
    tokenize: str | None = None,
) -> Scores:
    """Compare decoded translations with the right ones.

    Both sides are brought to NFC and stripped first: one character has several encodings that
    look the same, and a translator should not lose for that. BLEU is sacreBLEU's with effective
    order: where no output has four tokens in a row, shorter runs count alone (the default gives
    even a perfect "她跑。" 0). Elsewhere the two are equal.

    Args:
        hypotheses: What the system said, one string a sentence.
        references: What it should have said, in the same order.
        sources: The sentences that were translated, for scores by length. A word is what stands
            between spaces and holds a letter or a digit; punctuation alone is none. Of Chinese,
            which has no spaces, characters are counted.
        constructions: Names for each sentence, for scores by construction.
        tokenize: How sacreBLEU cuts text for BLEU: `"zh"` for Chinese, `"13a"` or `"intl"` for
            languages with spaces, `"char"` for characters, `"none"` where spaces stand already;
            when None, what `bleu_tokenizer` says of the references.

    Returns:
        Scores in all, and of each group that holds a sentence.

    Raises:
        TypeError: If one string stands where a list of strings belongs.
        ValueError: If there is nothing to score, the numbers of sentences differ, a reference is
            empty, or `tokenize` is unknown.

    Example:
        >>> scores = score(
        ...     ["她買了三本書。", "貓在睡覺。"],
        ...     ["她買了三本書。", "貓正在睡覺。"],
        ...     sources=["she bought three books .", "the cat is sleeping ."],
        ...     constructions=[{"measure word", "perfective"}, {"progressive"}],
        ... )
        >>> scores.overall.exact_match
        50.0
        >>> print(scores)
                                sentences   exact    BLEU    chrF
        all                             2   50.00   82.81   77.48
        by construction
          measure word                  1  100.00  100.00  100.00
          perfective                    1  100.00  100.00  100.00
          progressive                   1    0.00   57.89   47.45
        by words in the source
          1-5                           2   50.00   82.81   77.48
        BLEU nrefs:1|case:mixed|eff:yes|tok:zh|smooth:exp|version:...
        chrF nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:...
    """
    columns = {
        "hypotheses": hypotheses,
        "references": references,
        "sources": sources,
        "constructions": constructions,
    }
    for name, column in columns.items():
        if column is not None:
            check_strings(name, column)
    for number, names in enumerate(constructions or [], 1):
        check_strings(f"constructions of sentence {number}", names)
    counts = {name: len(column) for name, column in columns.items() if column is not None}
    if len(set(counts.values())) > 1:
        raise ValueError(f"there must be as many of each, one a sentence: got {counts}")
    if not hypotheses:
        raise ValueError("there must be at least one sentence to score: got none")
    pairs = [(normalize(h), normalize(r)) for h, r in zip(hypotheses, references)]
    for number, (_, reference) in enumerate(pairs, 1):
        if not reference:
            raise ValueError(f"a reference must not be empty: reference {number} is")

    bleu, chrf = metrics(tokenize or bleu_tokenizer(references))
    unit = "characters" if _is_chinese(sources or []) else "words"

    def score_group(rows: Collection[int]) -> GroupScores:
        hypotheses, right = [pairs[i][0] for i in rows], [pairs[i][1] for i in rows]
        exact = 100 * sum(h == r for h, r in zip(hypotheses, right)) / len(rows)
        # sacreBLEU's perfect score is exp(log(100)): a little more than 100
        b, c = (min(m.corpus_score(hypotheses, [right]).score, 100.0) for m in (bleu, chrf))
        return GroupScores(len(rows), exact, b, c)

    by_name = _group(constructions or [])
    by_length = _group([{_bucket(source, unit)} for source in sources or []])
    return Scores(
        overall=score_group(range(len(pairs))),
        by_construction={name: score_group(by_name[name]) for name in sorted(by_name)},
        by_length={
            f"{high - BUCKETS[unit] + 1}-{high}": score_group(by_length[high])
            for high in sorted(by_length)
        },
        length_unit=unit,
        bleu_signature=str(bleu.get_signature()),
        chrf_signature=str(chrf.get_signature()),
    )


def _group(labels: Iterable[Collection[Any]]) -> dict[Any, list[int]]:
    """Row numbers under each label."""
    groups: defaultdict[Any, list[int]] = defaultdict(list)
    for row, names in enumerate(labels):
        for name in set(names):
            groups[name].append(row)
    return groups


def _bucket(source: str, unit: str) -> int:
    """Greatest length that a sentence in the bucket of this one has."""
    words = source.split() if unit == "words" else source
    length = sum(any(map(str.isalnum, word)) for word in words)
    return -(-max(length, 1) // BUCKETS[unit]) * BUCKETS[unit]


def _is_chinese(texts: Iterable[str]) -> bool:
    """Whether at least one letter of ten is a Chinese character."""
    han = letters = 0
    for text in texts:
        han += len(_HAN.findall(text))
        letters += sum(map(str.isalpha, text))
    return 0 < letters <= 10 * han


def bleu_tokenizer(references: Iterable[str]) -> str:
    """Return how BLEU should cut text with these references.

    Args:
        references: The references of a corpus.

    Returns:
        `"zh"` if at least a tenth of their letters are Chinese characters, else `"13a"`.

    Example:
        >>> bleu_tokenizer(["按 Ctrl+S 儲存檔案。"]), bleu_tokenizer(["Press Ctrl+S."])
        ('zh', '13a')
    """
    return "zh" if _is_chinese(references) else "13a"


def metrics(tokenize: str) -> tuple[BLEU, CHRF]:
    """Return sacreBLEU's BLEU and chrF as `score` computes them.

    Args:
        tokenize: See `score`.

    Raises:
        ValueError: If there is no such way to cut text.

    Example:
        >>> bleu, chrf = metrics("13a")
        >>> bleu.tokenizer("It's late.")
        "It's late ."
    """
    if tokenize not in TOKENIZE:
        raise ValueError(f"tokenize must be one of {', '.join(TOKENIZE)}: got {tokenize!r}")
    return BLEU(tokenize=tokenize, effective_order=True), CHRF()


def normalize(text: str) -> str:
    """Return a text in NFC, without white space at its ends."""
    return unicodedata.normalize("NFC", text).strip()
