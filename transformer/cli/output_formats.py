"""The forms in which `transformer translate` writes a line: text, scores, the best few, JSON."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from transformer.data.report import Report
from transformer.data.sentences import join_sentences
from transformer.text_files import Unreadable

LARGEST = 2**24  # characters to hold at once, should lines be long

Translations = list[tuple[str, float | None]]  # text and log-probability, best first


@dataclass(frozen=True)
class TranslatedLine:
    """A line of input and what became of it.

    Attributes:
        number: Its number, from 1.
        source: The sentence; None where the line could not be read.
        translations: Each with its log-probability, best first; none of an empty sentence.
        problem: Why it could not be translated, if so.
        warnings: What makes the translation doubtful.
    """

    number: int
    source: str | None
    translations: Translations
    problem: str | None
    warnings: Sequence[str] = ()

    @property
    def best(self) -> str:
        """The best translation, or nothing."""
        return self.translations[0][0] if self.translations else ""


def translate_lines(
    lines: Iterable[str | Unreadable],
    at_once: int,
    translate: Callable[[list[str], Report], list[Translations]],
    warnings_of: Callable[[str], Sequence[str]],
    split: Callable[[str], list[str]] | None = None,
) -> Iterator[TranslatedLine]:
    """Translate lines, some at once, and yield them in their order.

    Args:
        lines: The lines.
        at_once: How many to read before translating; fewer where they are very long.
        translate: Translates sentences, and reports those that it cannot.
        warnings_of: Says what makes the translation of a sentence doubtful.
        split: Cuts a line into sentences, which are translated alone and joined again; a line
            with one that cannot be translated has no translation. When None, a line is one.
    """
    for group in _groups(enumerate(lines, start=1), at_once):
        texts = [line if isinstance(line, str) else "" for _, line in group]
        parts = [split(text) for text in texts] if split else [[text] for text in texts]
        sentences = list(chain.from_iterable(parts))
        report = Report(cap=len(sentences))
        outputs = iter(translate(sentences, report))
        problems = {row: (kind, detail) for _, row, kind, detail in report.problems}
        rows = iter(range(1, len(sentences) + 1))
        for (number, line), those in zip(group, parts):
            found = [next(outputs) for _ in those]
            wrong = [problems[row] for _, row in zip(those, rows) if row in problems]
            problem = line if isinstance(line, Unreadable) else next(iter(wrong), None)
            warnings = [] if problem or not any(found) else list(map(warnings_of, those))
            yield TranslatedLine(
                number,
                line if isinstance(line, str) else None,
                [] if problem else _join(found),
                problem and f"{problem[0]} ({problem[1]})",
                list(chain.from_iterable(warnings)),
            )


def _groups(
    numbered: Iterable[tuple[int, str | Unreadable]], at_once: int
) -> Iterator[list[tuple[int, str | Unreadable]]]:
    """Yield so many lines at once, or fewer where they are very long."""
    group, size = [], 0
    for number, line in numbered:
        group.append((number, line))
        size += len(line)
        if len(group) == at_once or size >= LARGEST:
            yield group
            group, size = [], 0
    if group:
        yield group


def _join(found: list[Translations]) -> Translations:
    """Return the translations of a line: those of its only sentence, or the best of each joined."""
    if len(found) != 1:
        best = [one[0] for one in found if one]
        scores = [score for _, score in best if score is not None]
        joined = join_sentences(text for text, _ in best)
        found = [[(joined, sum(scores) if scores else None)] if best else []]
    return [(" ".join(text.splitlines()), score) for text, score in found[0]]


def as_text(line: TranslatedLine) -> str:
    """Return the translation."""
    return line.best


def as_scored(line: TranslatedLine) -> str:
    """Return log-probability and translation, a tab between them; nothing of an empty line."""
    return "\t".join(_columns(line)[0]) if line.translations else ""


def as_numbered(line: TranslatedLine) -> str:
    """Return the number of the line, log-probability and text of each translation, a line each."""
    columns = _columns(line) if line.translations else [("", "")]
    return "\n".join("\t".join((str(line.number), *pair)) for pair in columns)


def as_json(line: TranslatedLine, with_n_best: bool = False) -> str:
    """Return the line and all that is known of it, as a JSON object on one line.

    Every line has the same keys; what is not known is null.

    Args:
        line: The line.
        with_n_best: Whether all translations are listed, not only the best.
    """
    found = [{"translation": text, "log_probability": score} for text, score in line.translations]
    record = {
        "source": line.source,
        "translation": line.best,
        "log_probability": line.translations[0][1] if line.translations else None,
        **({"n_best": found} if with_n_best else {}),
        "warnings": list(line.warnings),
        "problem": line.problem,
    }
    return json.dumps(record, ensure_ascii=False)


def _columns(line: TranslatedLine) -> list[tuple[str, str]]:
    return [("" if score is None else f"{score:.4f}", text) for text, score in line.translations]
