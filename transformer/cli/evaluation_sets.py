"""What `transformer evaluate` scores: pairs of files or of the grammar, and ready output."""

from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from transformer.cli.output import print_message
from transformer.data.generator import generate_pairs
from transformer.data.pair_files import PairReader
from transformer.data.report import Report
from transformer.text_files import Unreadable, read_lines


@dataclass(frozen=True)
class EvaluationSet:
    """Pairs that are scored together.

    Attributes:
        name: What to call them.
        lines: The number of each pair's line, from 1.
        total: How many lines there are, with those that were left out.
        sources: What is translated.
        references: What is right.
        constructions: What each pair shows, if it is known.
    """

    name: str
    lines: list[int]
    total: int
    sources: list[str]
    references: list[str]
    constructions: list[frozenset[str]] | None = None


def pairs_of_files(paths: tuple[Path, ...], languages: tuple[str, str] | None) -> EvaluationSet:
    """Read pairs of one file or two; what is left out is told."""
    report = Report()
    reader = PairReader(paths, languages=languages)
    reader.check_aligned()
    numbered = list(reader.numbered(report))
    if report.left_out:
        print_message(str(report))
    if not numbered:
        files = " + ".join(map(str, paths))
        raise ValueError(f"{files}: no pair to score in {report.lines} lines")
    lines, pairs = zip(*numbered)
    sources, references = zip(*pairs)
    return EvaluationSet(str(reader), list(lines), report.lines, list(sources), list(references))


def pairs_of_split(split: str, count: int) -> EvaluationSet:
    """Generate the first pairs of a split of the grammar."""
    pairs = list(islice(generate_pairs(0, split), count))
    return EvaluationSet(
        split,
        list(range(1, count + 1)),
        count,
        [pair.source for pair in pairs],
        [pair.target for pair in pairs],
        [pair.constructions for pair in pairs],
    )


def outputs_of(path: Path, scored: EvaluationSet) -> list[str]:
    """Read ready output, a line for each line of the set; one that cannot be read is empty."""
    outputs = []
    for number, line in enumerate(read_lines(path), start=1):
        if isinstance(line, Unreadable):
            print_message(f"{path}, line {number}: {line.kind} ({line.detail}); scored as empty")
        outputs.append("" if isinstance(line, Unreadable) else line)
    if len(outputs) != scored.total:
        raise ValueError(
            f"{path} must have a line for each of {scored.name}, {scored.total}: got {len(outputs)}"
        )
    return [outputs[number - 1] for number in scored.lines]
