"""`transformer translate`: lines in, lines out."""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from io import BufferedIOBase
from pathlib import Path
from typing import Annotated, cast

import torch
import typer
from rich.console import Console
from torch import Tensor

from transformer.cli.options import (
    BatchSize,
    Beam,
    Device,
    KnownModel,
    Quiet,
    decoder,
    load,
    place,
)
from transformer.cli.output import check_output, open_output, print_message
from transformer.cli.output_formats import (
    Translations,
    as_json,
    as_numbered,
    as_scored,
    as_text,
    translate_lines,
)
from transformer.data.report import Report
from transformer.inference.attention_table import attention_table
from transformer.inference.decoding import sample as draw
from transformer.inference.shipped import PRETRAINED
from transformer.inference.translation import translate, translate_n_best
from transformer.inference.unfamiliar import unfamiliar
from transformer.model.transformer import Transformer
from transformer.text_files import Unreadable, read_lines, read_stream


def translate_sentences(
    sentences: Annotated[
        list[str] | None, typer.Argument(help="Sentences; standard input when there are none.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option(help="A file of sentences, one a line; may be gzipped.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Write to this file, not to standard output.")
    ] = None,
    model: KnownModel = None,
    device: Device = "auto",
    batch_size: BatchSize = 64,
    beam: Beam = 1,
    n_best: Annotated[
        int | None, typer.Option(help="Translations of each sentence, at most --beam.", min=1)
    ] = None,
    scores: Annotated[
        bool, typer.Option("--scores", help="Write the log-probability in front.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Write a JSON object for each sentence.")
    ] = False,
    sample: Annotated[
        bool, typer.Option("--sample", help="Draw each token by its probability.")
    ] = False,
    temperature: Annotated[
        float | None, typer.Option(help="With --sample: below 1 tamer, above 1 wilder.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="With --sample: which draws.", min=0, max=2**63 - 1)
    ] = None,
    attention: Annotated[
        bool, typer.Option("--attention", help="Show what each word of the output looks at.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Translate sentences: one line of output for each of input, in the same order.

    A sentence that cannot be translated is named and leaves an empty line; the exit code is then
    1.
    """
    if sentences and file:
        raise ValueError(f"give sentences or --file, not both: got {file}")
    if n_best and n_best > beam:
        raise ValueError(f"--n-best must be at most --beam: got {n_best}, and --beam {beam}")
    if sample and (scores or n_best or beam > 1):
        raise ValueError(
            "--sample draws one translation, unscored: leave out --beam, --n-best and --scores"
        )
    if not sample and (temperature, seed) != (None, None):
        raise ValueError("--temperature and --seed go with --sample")
    if attention and (n_best or json):
        raise ValueError("--attention goes with plain output: leave out --n-best and --json")
    if json and scores:
        raise ValueError("--json holds the scores: leave out --scores")
    check_output("--output", output, file, PRETRAINED if model is None else model)

    network, tokenizer = load(model)
    where = place(device)
    network.to(where)
    generator = torch.Generator(where).manual_seed(seed or 0)
    decode = _sampler(temperature, generator) if sample else decoder(beam)

    def run(texts: list[str], report: Report) -> list[Translations]:
        if n_best or scores or (json and not sample):
            several = translate_n_best(
                network,
                tokenizer,
                texts,
                beam_size=beam,
                num_best=n_best or 1,
                batch_size=batch_size,
                report=report,
            )
            return [[(one.text, one.log_probability) for one in found] for found in several]
        found = translate(
            network, tokenizer, texts, batch_size=batch_size, decode=decode, report=report
        )
        return [[(text, None)] if text else [] for text in found]

    write = as_numbered if n_best else as_scored if scores else as_text
    if json:
        write = partial(as_json, with_n_best=n_best is not None)
    name, lines = _lines(sentences, file)
    typed = not sentences and not file and sys.stdin.isatty()
    shipped = tokenizer if model is None else None
    left_out = 0
    with open_output(output) as out:
        for line in translate_lines(
            lines, 1 if typed else batch_size, run, partial(unfamiliar, tokenizer=shipped)
        ):
            if line.problem:
                left_out += 1
                print_message(f"{name} {line.number}: {line.problem}")
            for warning in () if quiet else line.warnings:
                print_message(f"warning: {name} {line.number}: {warning}")
            print(write(line), file=out, flush=True)
            if attention and line.source and line.best:
                table = attention_table(network, tokenizer, line.source, line.best)
                # Rich would cut the table to 80 columns where there is no terminal.
                Console(file=out, width=10_000).print(table)
    if left_out:
        print_message(f"not translated: {left_out}; the output has an empty line for each")
        raise typer.Exit(1)


def _lines(
    sentences: list[str] | None, file: Path | None
) -> tuple[str, Iterator[str | Unreadable]]:
    """Return what to call a line, and the lines."""
    if sentences:
        return "sentence", iter(sentences)
    if file:
        return f"{file}, line", read_lines(file)
    if sys.stdin is None:
        raise ValueError("standard input is closed: give sentences, or a file with --file")
    stream = cast(BufferedIOBase, sys.stdin.buffer)
    return "standard input, line", read_stream(stream, "standard input")


def _sampler(
    temperature: float | None, generator: torch.Generator
) -> Callable[[Transformer, Tensor], list[list[int]]]:
    """Return a decoder that draws, at temperature 1 when None."""
    value = 1.0 if temperature is None else temperature

    def decode(model: Transformer, src: Tensor) -> list[list[int]]:
        return draw(model, src, temperature=value, generator=generator)

    return decode
