"""`transformer train`: what is typed becomes a recipe and pairs."""

from dataclasses import asdict, fields
from pathlib import Path
from typing import Annotated, Any

import typer

from transformer.cli.field_options import options_of
from transformer.cli.options import (
    PairsFile,
    SourceFile,
    SourceLanguage,
    TargetFile,
    TargetLanguage,
    languages_of,
    paths_of,
)
from transformer.cli.output import print_message
from transformer.data.training_pairs import FilePairs, GrammarPairs
from transformer.device import DeviceName
from transformer.model_file import read_model_config
from transformer.training import distributed
from transformer.training.config import TrainingConfig
from transformer.training.presets import PRESETS, PresetName
from transformer.training.recipe import Recipe
from transformer.training.run_folder import RunFolder, read_json
from transformer.training.translator import train_translator


@options_of(TrainingConfig, Recipe)
def train(
    folder: Annotated[str, typer.Argument(help="Where to keep checkpoints, log and model.")],
    pairs: PairsFile = None,
    source: SourceFile = None,
    target: TargetFile = None,
    source_language: SourceLanguage = None,
    target_language: TargetLanguage = None,
    validation: Annotated[
        Path | None,
        typer.Option(
            help="Pairs to validate with, like --pairs; else one in 20 is kept out, 1,000 at most."
        ),
    ] = None,
    preset: Annotated[
        PresetName | None,
        typer.Option(
            help="Sizes and numbers that belong together: tiny for some 30,000 pairs, small for "
            "500,000, base for millions. What is given here goes before."
        ),
    ] = None,
    recipe: Annotated[
        Path | None,
        typer.Option(help="Take what is not given here from the recipe.json of another run."),
    ] = None,
    init: Annotated[
        Path | None, typer.Option(help="Begin with this model, its tokenizer and its sizes.")
    ] = None,
    device: Annotated[DeviceName, typer.Option(help="Where to train; auto takes a GPU.")] = "auto",
    quiet: Annotated[bool, typer.Option("--quiet", help="Print errors only.")] = False,
    **options: Any,
) -> None:
    """Train a translator, on your pairs or on the grammar, or go on where it was stopped.

    The defaults are the recipe of the shipped model, which knows few words: for ordinary text,
    take a preset. In a folder that holds a run, they are the recipe of that run. With torchrun in
    front, every process takes its part of each batch.
    """
    given = {name: value for name, value in options.items() if value is not None}
    paths = paths_of(pairs, source, target)
    languages = languages_of(source_language, target_language)
    if languages and not paths:
        raise ValueError(f"languages belong to pairs of your own: got {', '.join(languages)} alone")
    if validation and not paths:
        raise ValueError(f"--validation needs pairs of your own to train on: got {validation}")
    own = RunFolder(folder).recipe
    if preset and (recipe or init):
        raise ValueError(
            f"--preset has sizes of its own: give it without {'--recipe' if recipe else '--init'}"
        )
    sizes, numbers = _chosen(given, preset, recipe or (own if own.exists() else None), init)
    where = distributed.join(device)
    message = print_message if distributed.rank() == 0 and not quiet else lambda text: None
    try:
        path = train_translator(
            folder,
            FilePairs(paths, validation, languages) if paths else GrammarPairs(numbers.seed),
            sizes,
            numbers,
            device=where,
            init=init,
            message=message,
            bar=not quiet,
        )
    finally:
        distributed.leave()
    message(f"the model is in {path}")


def _chosen(
    given: dict[str, Any], preset: PresetName | None, recipe: Path | None, init: Path | None
) -> tuple[Recipe, TrainingConfig]:
    """Return what was asked for: on the command line, else in preset or file, else by default."""
    sizes: dict[str, Any] = {}
    numbers: dict[str, Any] = {}
    if preset:
        sizes, numbers = asdict(PRESETS[preset].recipe), PRESETS[preset].training.to_dict()
    elif recipe:
        earlier = read_json(recipe)
        try:
            sizes, numbers = earlier["recipe"], earlier["training"]
            Recipe.from_dict(sizes)
            TrainingConfig.from_dict(numbers)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(
                f"{recipe}: no recipe of a run: {error!r} (delete it, or mend it)"
            ) from error
    if init:
        if "vocab_size" in given:
            raise ValueError(f"--vocab-size is that of the model with --init: got both, {init}")
        config = read_model_config(init).to_dict()
        del config["dropout"]  # each run has its own
        sizes |= _of(Recipe, config)
        sizes["vocab_size"] = max(config["src_vocab_size"], config["tgt_vocab_size"])
        sizes["separate_vocabularies"] = not config["share_embeddings"]
    if "num_layers" in given:
        sizes |= {"num_encoder_layers": None, "num_decoder_layers": None}
    sizes |= _of(Recipe, given)
    numbers |= _of(TrainingConfig, given)
    made = Recipe.from_dict(sizes)
    keep = max(numbers.get("keep", 1), made.average)
    return made, TrainingConfig.from_dict({**numbers, "keep": keep})


def _of(cls: type, given: dict[str, Any]) -> dict[str, Any]:
    """Return the values that are fields of a dataclass."""
    return {field.name: given[field.name] for field in fields(cls) if field.name in given}
