"""`transformer translate`."""

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from transformer.cli.options import Beam, ModelFile, decoder, prepared
from transformer.inference.attention_table import attention_table
from transformer.inference.shipped import PRETRAINED, load_pretrained
from transformer.inference.translation import translate

_TOGETHER = 64  # sentences to translate at once


def translate_sentences(
    sentences: Annotated[
        list[str] | None, typer.Argument(help="Sentences; standard input when there are none.")
    ] = None,
    file: Annotated[Path | None, typer.Option(help="A file of sentences, one a line.")] = None,
    model: ModelFile = PRETRAINED,
    beam: Beam = 1,
    attention: Annotated[
        bool, typer.Option("--attention", help="Show what each word of the output looks at.")
    ] = False,
) -> None:
    """Translate sentences: one line of output for each of input, in the same order."""
    if sentences and file:
        raise ValueError(f"give sentences or --file, not both: got {file}")
    network, tokenizer = load_pretrained(model)
    decode = decoder(beam)
    lines, together = _lines(sentences, file)
    while group := list(islice(lines, together)):
        texts = [prepared(line, model, tokenizer) for line in group]
        written = [text for text in texts if text]
        outputs = iter(translate(network, tokenizer, written, decode=decode))
        for text in texts:
            output = next(outputs) if text else ""
            print(output, flush=True)
            if attention and text:
                Console().print(attention_table(network, tokenizer, text, output))


def _lines(sentences: list[str] | None, file: Path | None) -> tuple[Iterator[str], int]:
    """Return the sentences, and how many to read before translating."""
    if sentences:
        return iter(sentences), _TOGETHER
    if file:
        return iter(file.read_text("utf-8").splitlines()), _TOGETHER
    return (line.rstrip("\n") for line in sys.stdin), 1 if sys.stdin.isatty() else _TOGETHER
