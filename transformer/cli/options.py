"""What several commands take, and how they speak."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from torch import Tensor

from transformer.data.tokenizer import Tokenizer
from transformer.inference.decoding import beam_search, greedy_decode
from transformer.inference.shipped import unknown_words
from transformer.model.transformer import Transformer

ModelFile = Annotated[
    Path, typer.Option("--model", help="Model or checkpoint; the shipped one when not given.")
]
PairsFile = Annotated[
    Path | None, typer.Option(help="Your pairs: source, tab, target on each line.")
]
SourceFile = Annotated[Path | None, typer.Option(help="Your sources, one a line; needs --target.")]
TargetFile = Annotated[Path | None, typer.Option(help="Their translations, line by line.")]
Beam = Annotated[int, typer.Option(help="Beams to follow; 1 is greedy.", min=1)]


def tell(text: str) -> None:
    """Write a line for people: to standard error, so that output stays what was asked for."""
    print(text, file=sys.stderr)


def paths_of(pairs: Path | None, source: Path | None, target: Path | None) -> tuple[Path, ...]:
    """Return the one file or the two, or none."""
    if pairs and (source or target):
        raise ValueError(f"give --pairs, or --source and --target: got --pairs {pairs} and more")
    if (source is None) != (target is None):
        raise ValueError(f"--source and --target go together: got {source or target} alone")
    return tuple(path for path in (pairs, source, target) if path)


def decoder(beam: int) -> Callable[[Transformer, Tensor], list[list[int]]]:
    """Return greedy decoding for one beam, beam search for more."""
    if beam == 1:
        return greedy_decode

    def decode(model: Transformer, src: Tensor) -> list[list[int]]:
        return [list(best.ids) for [best] in beam_search(model, src, beam_size=beam)]

    return decode


def prepared(text: str, model: Path, tokenizer: Tokenizer) -> str:
    """Return the text as the model knows it; the shipped one knows few words."""
    text = tokenizer.spelled(text)
    if tokenizer.spelling == "grammar" and (unknown := unknown_words(text, tokenizer)):
        tell(f"warning: the shipped model has never seen: {', '.join(unknown)}")
    return text
