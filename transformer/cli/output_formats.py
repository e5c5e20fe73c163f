"""The forms in which `transformer translate` writes a line: text, scores, the best few, JSON."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from transformer.data.report import Report
from transformer.text_files import Unreadable

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
    batch_size: int,
    translate: Callable[[list[str], Report], list[Translations]],
    warnings_of: Callable[[str], Sequence[str]],
) -> Iterator[TranslatedLine]:
    """Translate lines, some at once, and yield them in their order.

    Args:
        lines: The lines.
        batch_size: How many to read before translating.
        translate: Translates sentences, and reports those that it cannot.
        warnings_of: Says what makes the translation of a sentence doubtful.
    """
    numbered = enumerate(lines, start=1)
    while group := list(islice(numbered, batch_size)):
        report = Report(cap=len(group))
        outputs = translate([line if isinstance(line, str) else "" for _, line in group], report)
        problems = {row: (kind, detail) for _, row, kind, detail in report.problems}
        for row, ((number, line), found) in enumerate(zip(group, outputs), start=1):
            problem = line if isinstance(line, Unreadable) else problems.get(row)
            source = line if isinstance(line, str) else None
            yield TranslatedLine(
                number,
                source,
                [(" ".join(text.splitlines()), score) for text, score in found],
                problem and f"{problem[0]} ({problem[1]})",
                warnings_of(source) if source and found and not problem else (),
            )


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
