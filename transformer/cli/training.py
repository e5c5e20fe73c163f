"""`transformer train`: what is typed becomes a recipe and pairs."""

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from transformer.cli.options import PairsFile, SourceFile, TargetFile, paths_of, tell
from transformer.data.sources import FilePairs, GrammarPairs
from transformer.model_file import read_model_config
from transformer.training import distributed
from transformer.training.config import TrainingConfig
from transformer.training.recipe import Recipe
from transformer.training.run_folder import read_json
from transformer.training.translator import train_translator

if TYPE_CHECKING:
    from typer import Context
else:
    Context = typer.Context.__base__  # of which typer passes an object

_SIZES = Recipe()
_TRAINING = TrainingConfig()
_OF_RECIPE = {field.name for field in fields(Recipe)}
_OF_TRAINING = {field.name for field in fields(TrainingConfig)}


def train(
    context: Context,
    folder: Annotated[str, typer.Argument(help="Where to keep checkpoints, log and model.")],
    pairs: PairsFile = None,
    source: SourceFile = None,
    target: TargetFile = None,
    validation: Annotated[
        Path | None,
        typer.Option(
            help="Pairs to validate with, like --pairs; else one in 20 is kept out, 1,000 at most."
        ),
    ] = None,
    recipe: Annotated[
        Path | None,
        typer.Option(help="Take what is not given here from the recipe.json of another run."),
    ] = None,
    init: Annotated[
        Path | None, typer.Option(help="Begin with this model, its tokenizer and its sizes.")
    ] = None,
    steps: Annotated[int, typer.Option(help="Updates of the weights in all.")] = _TRAINING.steps,
    warmup: Annotated[
        int, typer.Option(help="Step of the highest learning rate.")
    ] = _TRAINING.warmup,
    peak_learning_rate: Annotated[
        float | None, typer.Option(help="The rate at that step; the paper's when not given.")
    ] = _TRAINING.peak_learning_rate,
    batch_tokens: Annotated[
        int, typer.Option(help="Most tokens of a batch on each side.")
    ] = _SIZES.batch_tokens,
    accumulate: Annotated[
        int, typer.Option(help="Batches that make one update.")
    ] = _TRAINING.accumulate,
    vocab_size: Annotated[
        int, typer.Option(help="Most ids of the vocabulary.")
    ] = _SIZES.vocab_size,
    d_model: Annotated[int, typer.Option(help="Width of a state.")] = _SIZES.d_model,
    num_heads: Annotated[int, typer.Option(help="Heads of each attention.")] = _SIZES.num_heads,
    num_layers: Annotated[
        int, typer.Option(help="Layers of the encoder, and of the decoder.")
    ] = _SIZES.num_layers,
    num_encoder_layers: Annotated[
        int | None, typer.Option(help="Layers of the encoder, if not as many.")
    ] = _SIZES.num_encoder_layers,
    num_decoder_layers: Annotated[
        int | None, typer.Option(help="Layers of the decoder, if not as many.")
    ] = _SIZES.num_decoder_layers,
    d_ff: Annotated[
        int, typer.Option(help="Inner width of the feed-forward networks.")
    ] = _SIZES.d_ff,
    norm_first: Annotated[
        bool, typer.Option("--norm-first", help="Normalize before each sub-layer (pre-norm).")
    ] = _SIZES.norm_first,
    dropout: Annotated[
        float, typer.Option(help="Probability of dropping a number.")
    ] = _SIZES.dropout,
    max_len: Annotated[
        int, typer.Option(help="Most tokens of a sentence; longer pairs are left out.")
    ] = _SIZES.max_len,
    label_smoothing: Annotated[
        float, typer.Option(help="Share of probability spread over all ids.")
    ] = _TRAINING.label_smoothing,
    evaluate_every: Annotated[
        int | None, typer.Option(help="Steps between two evaluations; 16 of them if not given.")
    ] = _TRAINING.evaluate_every,
    save_every: Annotated[
        int | None, typer.Option(help="Steps between two checkpoints; 40 of them if not given.")
    ] = _TRAINING.save_every,
    patience: Annotated[
        int | None, typer.Option(help="Stop after so many evaluations without a better loss.")
    ] = _TRAINING.patience,
    average: Annotated[int, typer.Option(help="Last checkpoints to average.")] = _SIZES.average,
    seed: Annotated[int, typer.Option(help="Where all random numbers start.")] = _TRAINING.seed,
    dtype: Annotated[
        Literal["float32", "bfloat16"], typer.Option(help="bfloat16 is mixed precision.")
    ] = "float32",
    compile: Annotated[
        bool, typer.Option("--compile", help="Let torch.compile compile the model.")
    ] = _TRAINING.compile,
    device: Annotated[
        Literal["auto", "cpu", "cuda"], typer.Option(help="Where to train; auto takes a GPU.")
    ] = "auto",
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing but errors.")] = False,
) -> None:
    """Train a translator, on your pairs or on the grammar, or go on where it was stopped.

    The defaults are the recipe of the shipped model. With torchrun in front, every process takes
    its share of each batch.
    """
    given = {
        name: value
        for name, value in context.params.items()
        if getattr(context.get_parameter_source(name), "name", "") == "COMMANDLINE"
    }
    paths = paths_of(pairs, source, target)
    if validation and not paths:
        raise ValueError(f"--validation needs pairs of your own to train on: got {validation}")
    sizes, numbers = _chosen(given, recipe, init)
    place = distributed.join(device)
    first = distributed.rank() == 0
    say = tell if first and not quiet else lambda text: None
    try:
        path = train_translator(
            folder,
            FilePairs(paths, validation) if paths else GrammarPairs(numbers.seed),
            sizes,
            numbers,
            device=place,
            init=init,
            tell=say,
            bar=not quiet,
        )
    finally:
        distributed.leave()
    say(f"the model is in {path}")


def _chosen(
    given: dict[str, Any], recipe: Path | None, init: Path | None
) -> tuple[Recipe, TrainingConfig]:
    """Return what was asked for: on the command line, else in the file, else by default."""
    sizes: dict[str, Any] = {}
    numbers: dict[str, Any] = {}
    if recipe:
        earlier = read_json(recipe)
        try:
            sizes, numbers = earlier["recipe"], earlier["training"]
            Recipe.from_dict(sizes)
            TrainingConfig.from_dict(numbers)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{recipe}: no recipe of a run: {error!r}") from error
    if init:
        if "vocab_size" in given:
            raise ValueError(f"--vocab-size is that of the model with --init: got both, {init}")
        config = read_model_config(init).to_dict()
        layers = ("num_encoder_layers", "num_decoder_layers")
        same = ("d_model", "num_heads", "d_ff", "norm_first", "max_len", *layers)
        sizes |= {name: config[name] for name in same}
        sizes["vocab_size"] = config["src_vocab_size"]
    if "num_layers" in given:
        sizes |= {"num_encoder_layers": None, "num_decoder_layers": None}
    sizes |= {name: value for name, value in given.items() if name in _OF_RECIPE}
    numbers |= {name: value for name, value in given.items() if name in _OF_TRAINING}
    made = Recipe.from_dict(sizes)
    keep = max(numbers.get("keep", 1), made.average)
    return made, TrainingConfig.from_dict({**numbers, "keep": keep})
