"""Options that several commands take, and what they stand for."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from torch import Tensor

from transformer.data.tokenizer import Tokenizer
from transformer.device import DeviceName
from transformer.inference.decoding import beam_search, greedy_decode
from transformer.inference.hand_made import load_hand_made
from transformer.inference.shipped import PRETRAINED
from transformer.model.transformer import Transformer
from transformer.model_file import load_translator

PENALTY = 0.6  # as `beam_search` has it

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
    Path | None, typer.Option(help="Your pairs: source, tab, target on each line; or a .tmx file.")
]
SourceFile = Annotated[Path | None, typer.Option(help="Your sources, one a line; needs --target.")]
TargetFile = Annotated[Path | None, typer.Option(help="Their translations, line by line.")]
SourceLanguage = Annotated[
    str | None,
    typer.Option(help="The source's language in a .tmx file with more than two, such as en."),
]
TargetLanguage = Annotated[
    str | None, typer.Option(help="The target's language there, such as zh_TW.")
]
Beam = Annotated[int, typer.Option(help="Beams to follow; 1 is greedy.", min=1, max=100)]
LengthPenalty = Annotated[
    float | None,
    typer.Option(
        help="With --beam: 0 compares probabilities, more favours long translations; 0.6 when not "
        "given."
    ),
]
MaxLength = Annotated[
    int | None,
    typer.Option(
        help="Most tokens of a translation, the end token included; when not given, 50 more than "
        "the source has."
    ),
]
BatchSize = Annotated[int, typer.Option(help="Sentences to translate at once.", min=1, max=10**6)]
Device = Annotated[DeviceName, typer.Option(help="Where to compute; auto takes a GPU.")]
Seed = Annotated[int, typer.Option(help="Where all random numbers start.", min=0, max=2**63 - 1)]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print errors only, no warnings.")]


def paths_of(pairs: Path | None, source: Path | None, target: Path | None) -> tuple[Path, ...]:
    """Return the one file or the two, or none."""
    if pairs and (source or target):
        raise ValueError(f"give --pairs, or --source and --target: got --pairs {pairs} and more")
    if (source is None) != (target is None):
        raise ValueError(f"--source and --target go together: got {source or target} alone")
    return tuple(path for path in (pairs, source, target) if path)


def languages_of(source: str | None, target: str | None) -> tuple[str, str] | None:
    """Return both languages, or None."""
    if (source is None) != (target is None):
        raise ValueError(
            f"--source-language and --target-language go together: got {source or target} alone"
        )
    return (source, target) if source and target else None


def load(model: Path | None) -> tuple[Transformer, Tokenizer]:
    """Return the model that `KnownModel` names, and its tokenizer."""
    if is_hand_made(model):
        return load_hand_made()
    return load_translator(model or PRETRAINED)


def is_hand_made(model: Path | None) -> bool:
    """Say whether `--model hand-made` was asked for."""
    return model == Path("hand-made")


def penalty_of(beam: int, length_penalty: float | None) -> float:
    """Return the length penalty of `LengthPenalty`; refuse one that nothing would ask for."""
    if length_penalty is not None and beam == 1:
        raise ValueError("--length-penalty compares beams: give --beam 2 or more")
    return PENALTY if length_penalty is None else length_penalty


def decoder(
    beam: int, length_penalty: float = PENALTY, max_length: int | None = None
) -> Callable[[Transformer, Tensor], list[list[int]]]:
    """Return greedy decoding for one beam, beam search for more."""
    if beam == 1:
        return partial(greedy_decode, max_new_tokens=max_length)

    def decode(model: Transformer, src: Tensor) -> list[list[int]]:
        found = beam_search(
            model,
            src,
            beam_size=beam,
            length_penalty=length_penalty,
            max_new_tokens=max_length,
        )
        return [list(best.ids) for [best] in found]

    return decode
