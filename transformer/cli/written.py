"""How `transformer translate` writes what it found: text, scores, the best few, JSON."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from transformer.data.report import Report
from transformer.text_files import Unreadable

Found = list[tuple[str, float | None]]  # text and log-probability, best first


@dataclass(frozen=True)
class Translated:
    """A line of input and what became of it.

    Attributes:
        number: Its number, from 1.
        source: The sentence; None where the line could not be read.
        found: Translations and their log-probabilities, best first; none of an empty sentence.
        problem: Why it could not be translated, if so.
    """

    number: int
    source: str | None
    found: Found
    problem: str | None

    @property
    def best(self) -> str:
        """The best translation, or nothing."""
        return self.found[0][0] if self.found else ""


def translated(
    lines: Iterable[str | Unreadable],
    together: int,
    run: Callable[[list[str], Report], list[Found]],
) -> Iterator[Translated]:
    """Translate lines, some together, and yield them in their order.

    Args:
        lines: The lines.
        together: How many to read before translating.
        run: Translates sentences, and reports those that cannot be.
    """
    numbered = enumerate(lines, start=1)
    while group := list(islice(numbered, together)):
        report = Report(cap=len(group))
        outputs = run([line if isinstance(line, str) else "" for _, line in group], report)
        problems = {place: (kind, detail) for _, place, kind, detail in report.problems}
        for place, ((number, line), found) in enumerate(zip(group, outputs), start=1):
            problem = line if isinstance(line, Unreadable) else problems.get(place)
            yield Translated(
                number,
                line if isinstance(line, str) else None,
                [(" ".join(text.splitlines()), score) for text, score in found],
                problem and f"{problem[0]} ({problem[1]})",
            )


def as_text(line: Translated) -> str:
    """Return the translation."""
    return line.best


def as_scored(line: Translated) -> str:
    """Return log-probability and translation, a tab between them; nothing of an empty line."""
    return "\t".join(_columns(line)[0]) if line.found else ""


def as_numbered(line: Translated) -> str:
    """Return the number of the line, log-probability and text of each translation, a line each."""
    columns = _columns(line) if line.found else [("", "")]
    return "\n".join("\t".join((str(line.number), *pair)) for pair in columns)


def as_json(line: Translated) -> str:
    """Return the line and all that is known of it, as a JSON object on one line."""
    record: dict[str, object] = {"source": line.source, "translation": line.best}
    found = [{"translation": text, "log_probability": score} for text, score in line.found]
    if found and line.found[0][1] is not None:
        record["log_probability"] = found[0]["log_probability"]
    if len(found) > 1:
        record["n_best"] = found
    if line.problem:
        record["problem"] = line.problem
    return json.dumps(record, ensure_ascii=False)


def _columns(line: Translated) -> list[tuple[str, str]]:
    return [("" if score is None else f"{score:.4f}", text) for text, score in line.found]
