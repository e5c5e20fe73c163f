"""`transformer train`."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from transformer.cli.options import PairsFile, SourceFile, TargetFile, paths_of, tell
from transformer.data.sources import FilePairs, GrammarPairs
from transformer.training import distributed
from transformer.training.config import TrainingConfig
from transformer.training.recipe import Recipe, train_translator

_DEFAULTS = Recipe()


def train(
    folder: Annotated[Path, typer.Argument(help="Where to keep checkpoints, log and model.")],
    pairs: PairsFile = None,
    source: SourceFile = None,
    target: TargetFile = None,
    steps: Annotated[int, typer.Option(help="Updates of the weights in all.")] = 4000,
    warmup: Annotated[int, typer.Option(help="Step of the highest learning rate.")] = 1000,
    batch_tokens: Annotated[
        int, typer.Option(help="Most tokens of a batch on each side.")
    ] = _DEFAULTS.batch_tokens,
    accumulate: Annotated[int, typer.Option(help="Batches that make one update.")] = 1,
    vocab_size: Annotated[
        int, typer.Option(help="Most ids of the vocabulary.")
    ] = _DEFAULTS.vocab_size,
    d_model: Annotated[int, typer.Option(help="Width of a state.")] = _DEFAULTS.d_model,
    num_heads: Annotated[int, typer.Option(help="Heads of each attention.")] = _DEFAULTS.num_heads,
    num_layers: Annotated[
        int, typer.Option(help="Layers of the encoder, and of the decoder.")
    ] = _DEFAULTS.num_layers,
    d_ff: Annotated[
        int, typer.Option(help="Inner width of the feed-forward networks.")
    ] = _DEFAULTS.d_ff,
    dropout: Annotated[
        float, typer.Option(help="Probability of dropping a number.")
    ] = _DEFAULTS.dropout,
    max_len: Annotated[
        int, typer.Option(help="Most tokens of a sentence; longer pairs are left out.")
    ] = _DEFAULTS.max_len,
    label_smoothing: Annotated[
        float, typer.Option(help="Share of probability spread over all ids.")
    ] = 0.1,
    patience: Annotated[
        int | None, typer.Option(help="Stop after so many evaluations without a better loss.")
    ] = None,
    average: Annotated[int, typer.Option(help="Last checkpoints to average.")] = 10,
    seed: Annotated[int, typer.Option(help="Where all random numbers start.")] = 0,
    dtype: Annotated[
        Literal["float32", "bfloat16"], typer.Option(help="bfloat16 is mixed precision.")
    ] = "float32",
    compile: Annotated[
        bool, typer.Option("--compile", help="Let torch.compile compile the model.")
    ] = False,
    device: Annotated[
        Literal["auto", "cpu", "cuda"], typer.Option(help="Where to train; auto takes a GPU.")
    ] = "auto",
) -> None:
    """Train a translator, on your pairs or on the grammar, or go on where it was stopped.

    The defaults are the recipe of the shipped model. With torchrun in front, every process takes
    its share of each batch.
    """
    paths = paths_of(pairs, source, target)
    place = distributed.join(device)
    first = distributed.rank() == 0
    path = train_translator(
        folder,
        FilePairs(paths) if paths else GrammarPairs(seed),
        Recipe(vocab_size, d_model, num_heads, num_layers, d_ff, dropout, max_len, batch_tokens),
        TrainingConfig(
            steps=steps,
            warmup=warmup,
            label_smoothing=label_smoothing,
            accumulate=accumulate,
            seed=seed,
            evaluate_every=max(1, steps // 16),
            save_every=max(1, steps // 40),
            keep=max(average, 1),
            patience=patience,
            dtype=dtype,
            compile=compile,
        ),
        average=average,
        device=place,
        tell=tell if first else lambda text: None,
    )
    distributed.leave()
    if first:
        tell(f"the model is in {path}")
