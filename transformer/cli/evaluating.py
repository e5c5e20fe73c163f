"""`transformer evaluate`."""

import json
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

import typer

from transformer.cli.options import (
    Beam,
    ModelFile,
    PairsFile,
    SourceFile,
    TargetFile,
    decoder,
    paths_of,
    tell,
)
from transformer.data.corpus import generate_pairs
from transformer.data.files import TextPair
from transformer.data.left_out import Report
from transformer.data.sources import FilePairs, read_files
from transformer.inference.evaluation import score
from transformer.inference.shipped import PRETRAINED, load_pretrained
from transformer.inference.translation import translate

SPLITS = ("test", "compositional")


def evaluate(
    model: ModelFile = PRETRAINED,
    split: Annotated[
        Literal["test", "compositional"] | None,
        typer.Option(help="Which pairs of the grammar; both when not given."),
    ] = None,
    sentences: Annotated[int, typer.Option(help="Pairs of each split.", min=1)] = 1000,
    pairs: PairsFile = None,
    source: SourceFile = None,
    target: TargetFile = None,
    beam: Beam = 1,
    to: Annotated[Path | None, typer.Option("--json", help="Save the scores here too.")] = None,
) -> None:
    """Translate pairs that training did not see, and score what comes out."""
    paths = paths_of(pairs, source, target)
    if paths and split:
        raise ValueError(f"give --split or your own pairs, not both: got {split}")
    network, tokenizer = load_pretrained(model)
    scores = {}
    for name, texts, constructions in _sets(paths, [split] if split else SPLITS, sentences):
        sources = [text for text, _ in texts]
        references = [reference for _, reference in texts]
        hypotheses = translate(network, tokenizer, sources, decode=decoder(beam))
        scores[name] = score(hypotheses, references, sources=sources, constructions=constructions)
        print(f"{name}\n{scores[name]}\n")
    for name, result in scores.items():
        print(f"{name}: {result.overall.exact_match:.2f}% exact match")
    if to:
        record = {
            "model": model.name,
            "beam": beam,
            "versions": {name: version(name) for name in ("torch", "sacrebleu", "tokenizers")},
            "scores": {name: result.to_dict() for name, result in scores.items()},
        }
        to.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", "utf-8")


def _sets(
    paths: tuple[Path, ...], splits: Iterable[str], count: int
) -> Iterator[tuple[str, list[TextPair], list[frozenset[str]] | None]]:
    """Yield the pairs to score: a name, the texts, and what they show if it is known."""
    if paths:
        report = Report()
        yield str(FilePairs(paths)), list(read_files(paths, report)), None
        if report.left_out:
            tell(str(report))
        return
    for split in splits:
        found = list(islice(generate_pairs(0, split), count))
        texts = [(pair.source, pair.target) for pair in found]
        yield split, texts, [pair.constructions for pair in found]
