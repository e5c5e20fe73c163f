"""What several commands take, and how they speak."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal, TextIO

import torch
import typer
from torch import Tensor

from transformer.data.tokenizer import Tokenizer
from transformer.inference.decoding import beam_search, greedy_decode
from transformer.inference.hand_made import load_hand_made
from transformer.inference.shipped import load_pretrained
from transformer.model.transformer import Transformer

ModelFile = Annotated[
    Path | None,
    typer.Option("--model", help="Model or checkpoint; the shipped one when not given."),
]
KnownModel = Annotated[
    Path | None,
    typer.Option(
        "--model",
        help="Model or checkpoint, or hand-made for the one made by hand; the shipped one when "
        "not given.",
    ),
]
PairsFile = Annotated[
    Path | None, typer.Option(help="Your pairs: source, tab, target on each line.")
]
SourceFile = Annotated[Path | None, typer.Option(help="Your sources, one a line; needs --target.")]
TargetFile = Annotated[Path | None, typer.Option(help="Their translations, line by line.")]
Beam = Annotated[int, typer.Option(help="Beams to follow; 1 is greedy.", min=1, max=100)]
BatchSize = Annotated[int, typer.Option(help="Sentences to translate at once.", min=1)]
Device = Annotated[
    Literal["auto", "cpu", "cuda"], typer.Option(help="Where to compute; auto takes a GPU.")
]
Seed = Annotated[int, typer.Option(help="Where all random numbers start.", min=0, max=2**63 - 1)]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print errors only, no warnings.")]


def tell(text: str) -> None:
    """Write a line for people: to standard error, so that output stays what was asked for."""
    print(text, file=sys.stderr)


@contextmanager
def writing(path: Path | None = None) -> Iterator[TextIO]:
    """Give what to print to: the file, or standard output. A reader who has left is no error."""
    try:
        if path is None:
            yield sys.stdout
            sys.stdout.flush()
        else:
            with path.open("w", encoding="utf-8", newline="\n") as file:
                yield file
    except BrokenPipeError:  # as in `transformer translate … | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:  # a full disk does not say which file it was
        error.filename = error.filename or path
        raise


def paths_of(pairs: Path | None, source: Path | None, target: Path | None) -> tuple[Path, ...]:
    """Return the one file or the two, or none."""
    if pairs and (source or target):
        raise ValueError(f"give --pairs, or --source and --target: got --pairs {pairs} and more")
    if (source is None) != (target is None):
        raise ValueError(f"--source and --target go together: got {source or target} alone")
    return tuple(path for path in (pairs, source, target) if path)


def load(model: Path | None) -> tuple[Transformer, Tokenizer]:
    """Return the model that `KnownModel` names, and its tokenizer."""
    return load_hand_made() if is_hand_made(model) else load_pretrained(model)


def is_hand_made(model: Path | None) -> bool:
    """Say whether `--model hand-made` was asked for."""
    return model == Path("hand-made")


def decoder(beam: int) -> Callable[[Transformer, Tensor], list[list[int]]]:
    """Return greedy decoding for one beam, beam search for more."""
    if beam == 1:
        return greedy_decode

    def decode(model: Transformer, src: Tensor) -> list[list[int]]:
        return [list(best.ids) for [best] in beam_search(model, src, beam_size=beam)]

    return decode


def place(device: str) -> torch.device:
    """Return the device of that name; a GPU for `"auto"` where there is one."""
    if device == "cuda" and not torch.cuda.is_available():
        raise ValueError("device must be one that PyTorch finds: got 'cuda', and there is no GPU")
    gpu = device != "cpu" and torch.cuda.is_available()
    return torch.device("cuda" if gpu else "cpu")


def check_writable(option: str, path: Path) -> None:
    """Refuse a file that cannot be written, before any work is done for it."""
    if path.is_dir():
        raise ValueError(f"{option} must be a file: got the folder {path}")
    if not path.parent.is_dir():
        raise ValueError(f"{option} must be in a folder that is there: got {path}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ValueError(f"{option} must be a file that may be written: got {path}")
