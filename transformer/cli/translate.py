"""`transformer translate`: lines in, lines out."""

import sys
from collections.abc import Iterator
from functools import partial
from io import BufferedIOBase
from pathlib import Path
from typing import Annotated, cast

import torch
import typer
from rich.console import Console

from transformer.cli.options import (
    BatchSize,
    Beam,
    Device,
    KnownModel,
    LengthPenalty,
    MaxLength,
    Quiet,
    decoder,
    load,
    penalty_of,
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
from transformer.data.sentences import split_sentences as split
from transformer.device import find_device
from transformer.inference.attention_table import attention_table
from transformer.inference.decoding import sample as draw
from transformer.inference.shipped import PRETRAINED
from transformer.inference.translation import translate, translate_n_best
from transformer.inference.unfamiliar import unfamiliar
from transformer.text_files import Unreadable, read_lines, read_stream

READ_AHEAD = 4096  # lines of a file that are sorted by length together


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
    length_penalty: LengthPenalty = None,
    max_length: MaxLength = None,
    n_best: Annotated[
        int | None, typer.Option(help="Translations of each sentence, at most --beam.", min=1)
    ] = None,
    scores: Annotated[
        bool, typer.Option("--scores", help="Write the log-probability in front.")
    ] = False,
    split_sentences: Annotated[
        bool, typer.Option("--split-sentences", help="Translate each sentence of a line alone.")
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
    top_k: Annotated[
        int | None, typer.Option(help="With --sample: from so many most probable tokens.", min=1)
    ] = None,
    top_p: Annotated[
        float | None,
        typer.Option(help="With --sample: from the fewest tokens that reach this probability."),
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
    if not sample and (temperature, top_k, top_p, seed) != (None,) * 4:
        raise ValueError("--temperature, --top-k, --top-p and --seed go with --sample")
    if split_sentences and (n_best or attention):
        raise ValueError(
            "--split-sentences joins one translation of each: leave out --n-best and --attention"
        )
    if attention and (n_best or json):
        raise ValueError("--attention goes with plain output: leave out --n-best and --json")
    if json and scores:
        raise ValueError("--json holds the scores: leave out --scores")
    penalty = penalty_of(beam, length_penalty)
    check_output("--output", output, file, PRETRAINED if model is None else model)

    network, tokenizer = load(model)
    where = find_device(device)
    network.to(where)
    generator = torch.Generator(where).manual_seed(seed or 0)
    decode = decoder(beam, penalty, max_length)
    if sample:
        decode = partial(
            draw,
            temperature=1.0 if temperature is None else temperature,
            top_k=top_k,
            top_p=top_p,
            generator=generator,
            max_new_tokens=max_length,
        )

    def run(texts: list[str], report: Report) -> list[Translations]:
        if n_best or scores or (json and not sample):
            several = translate_n_best(
                network,
                tokenizer,
                texts,
                beam_size=beam,
                num_best=n_best or 1,
                length_penalty=penalty,
                max_new_tokens=max_length,
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
            lines,
            1 if typed else READ_AHEAD,
            run,
            partial(unfamiliar, tokenizer=shipped),
            split if split_sentences else None,
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
