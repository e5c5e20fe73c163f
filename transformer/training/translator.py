"""From pairs to a translator, whole: tokenizer, batches, training, average (§5, §6.1)."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, replace
from os import PathLike
from pathlib import Path
from typing import Any

import torch

from transformer.arguments import ArgumentError, ArgumentTypeError
from transformer.data.encoded_batches import EncodedBatches
from transformer.data.tokenizer import Tokenizer
from transformer.data.training_pairs import TrainingPairs, fingerprint
from transformer.deprecation import renamed_parameters
from transformer.model.transformer import Transformer, count_parameters
from transformer.model_file import average_models, load_model, save_model
from transformer.training import distributed
from transformer.training.checkpoint import check_name
from transformer.training.config import TrainingConfig
from transformer.training.loop import train
from transformer.training.progress import Progress
from transformer.training.recipe import Recipe
from transformer.training.run_data import RunData, prepare
from transformer.training.run_folder import RunFolder
from transformer.training.translated import SCORED, score_translations


@renamed_parameters(tell="message")
def train_translator(
    folder: str | PathLike[str],
    pairs: TrainingPairs,
    recipe: Recipe = Recipe(),
    config: TrainingConfig = TrainingConfig(),
    *,
    device: torch.device | str = "cpu",
    init: str | PathLike[str] | None = None,
    callback: Callable[[dict[str, Any]], None] | None = None,
    message: Callable[[str], None] = print,
    bar: bool = True,
) -> Path:
    """Train a translator, or go on where it was stopped, and write the finished model.

    The tokenizer is learned from the first epoch. Each evaluation also translates some validation
    pairs, unless they are the grammar's, and logs BLEU, chrF and three samples. The finished model
    is the mean of the last checkpoints, or the best one if patience came to an end; it is in half
    precision, with its tokenizer in the same file. What the run goes on with is kept in
    `recipe.json`, and pairs of files in `ids`, as numbers: there may be more of them than memory
    could hold.

    Args:
        folder: Where to keep all of it; made if it is not there.
        pairs: The pairs, such as `FilePairs`, `ListPairs` or `GrammarPairs`.
        recipe: Sizes of model and batches.
        config: The numbers of training.
        device: Where to train.
        init: A model to begin with, of the recipe's sizes; its tokenizer is used. Without one,
            random weights.
        callback: Is called with every record of the log, in the first process.
        message: Is called with what a person should know, such as the pairs that were left out.
        bar: Draw a bar where there is a terminal.

    Returns:
        The file of the finished model.

    Raises:
        TypeError: If `pairs` are none.
        ValueError: If the folder holds a run with other pairs or another recipe, fewer checkpoints
            are kept than averaged, there is no pair to train on, or for what `train` refuses.
    """
    if not isinstance(pairs, TrainingPairs):
        got = type(pairs).__name__
        raise ArgumentTypeError("pairs", f"must be such as ListPairs or FilePairs: got {got}")
    if config.keep < recipe.average:
        raise ArgumentError(
            "keep",
            "must be at least average, the number of checkpoints whose mean is the model: "
            f"got keep={config.keep}, average={recipe.average}",
        )
    run, first = RunFolder(folder), distributed.rank() == 0
    message = message if first else lambda text: None
    settings = _settings(pairs, recipe, config, init)
    with run.locked() if first else nullcontext():
        _check_continues(run, settings)
        identity = {name: settings[name] for name in ("identity", "init")}
        data = prepare(run, pairs, recipe, config.seed, init, identity, message)
        if config.patience is not None and data.validation is None:
            raise ArgumentError(
                "patience",
                f"must have pairs to validate with: got {config.patience}, and of "
                f"{len(pairs.validation())} pairs to validate none fits",
            )
        model = _model(recipe, config, data.tokenizer, init).to(device)
        size, ids = count_parameters(model)["total"], f"{data.tokenizer.vocab_size:,}"
        if recipe.separate_vocabularies:
            ids = f"{data.tokenizer.source.vocab_size:,} source and {ids} target"
        validates = sum(len(batch.src) for batch in data.validation or ())
        message(f"{size:,} parameters, {ids} ids, {validates} pairs to validate")
        _report_steps(run, config, message)
        if isinstance(data.batches, EncodedBatches):
            _report_epochs(data.batches, config, message)
        measure = _measure(pairs, recipe, data, message)
        if first and run.read_recipe() != settings:
            run.write_recipe(settings)
        progress = train(
            model,
            data.batches,
            config,
            run.path,
            data.validation,
            tokenizer=data.tokenizer,
            measure=measure,
            callback=callback,
            message=message,
            bar=bar,
        )
        if first:
            finished = _finished(run, recipe, config, progress, message)
            save_model(run.model, finished, torch.float16, data.tokenizer)
        distributed.wait_for_all()
    return run.model


def _settings(
    pairs: TrainingPairs,
    recipe: Recipe,
    config: TrainingConfig,
    init: str | PathLike[str] | None,
) -> dict[str, Any]:
    """Return what is kept of how a run goes on, ready for JSON."""
    return {
        "pairs": str(pairs),
        "identity": pairs.identity(),
        "init": None if init is None else fingerprint(init),
        "recipe": asdict(recipe),
        "training": config.to_dict(),
    }


def _check_continues(run: RunFolder, settings: dict[str, Any]) -> None:
    """Refuse to go on in a folder that was begun with something else."""
    earlier = run.read_recipe()
    if earlier is None:
        return
    advice = "(go on with the same, or train in another folder)"
    try:
        recipe = asdict(Recipe.from_dict(earlier["recipe"]))
        config = TrainingConfig.from_dict(earlier["training"])
        identity, init, name = (earlier[key] for key in ("identity", "init", "pairs"))
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{run.recipe}: not what a run begins with: {error!r} (delete it, or mend it)"
        ) from error
    for key, value in settings["recipe"].items():
        if key not in ("average", "scored_pairs") and value != recipe[key]:
            raise ArgumentError(key, f"must stay {recipe[key]!r} in {run}: got {value!r} {advice}")
    if run.checkpoints():
        TrainingConfig.from_dict(settings["training"]).check_continues(config)
    if identity != settings["identity"]:
        pairs = settings["pairs"]
        got = f"{pairs!r} with other contents" if pairs == name else repr(pairs)
        raise ValueError(f"{run} holds a run with pairs {name!r}: got {got} {advice}")
    if init != settings["init"]:
        raise ValueError(f"{run} holds a run begun from another model, or from none {advice}")


def _model(
    recipe: Recipe,
    config: TrainingConfig,
    tokenizer: Tokenizer,
    init: str | PathLike[str] | None,
) -> Transformer:
    """Return the model to begin with: one of random weights, or another's in the recipe's shape."""
    torch.manual_seed(config.seed)
    sizes = tokenizer.vocab_size, tokenizer.source.vocab_size
    model = Transformer(recipe.config(*sizes))
    if init is not None:
        other = load_model(init)
        same = replace(other.config, dropout=recipe.dropout, max_len=recipe.max_len)
        if same != model.config:
            given, wanted = same.to_dict(), model.config.to_dict()
            differ = [f"{n}={v}, not {wanted[n]}" for n, v in given.items() if v != wanted[n]]
            raise ValueError(f"{init}: cannot begin with another model: {'; '.join(differ)}")
        model.load_state_dict(other.state_dict())
    return model


def _measure(
    pairs: TrainingPairs, recipe: Recipe, data: RunData, message: Callable[[str], None]
) -> Callable[[Transformer], dict[str, Any]] | None:
    """Return what translates pairs at each evaluation, if that is wanted."""
    most = recipe.scored_pairs
    if most is None:
        most = 0 if pairs.spelling == "grammar" else SCORED
    if not most or not data.validation_ids:
        return None
    message(f"{min(most, len(data.validation_ids))} of them are translated at each evaluation")
    return score_translations(data.validation_ids, data.tokenizer, most)


def _report_epochs(
    batches: EncodedBatches, config: TrainingConfig, message: Callable[[str], None]
) -> None:
    """Say what the pairs amount to, and warn of a run that does not see all of them."""
    steps = -(-batches.batches_per_epoch() // config.accumulate)
    tokens, epochs = batches.pairs.target_tokens(), config.steps / steps
    message(
        f"{tokens:,} target tokens in {len(batches.pairs):,} pairs: "
        f"{config.steps:,} steps are {epochs:,.1f} epochs"
    )
    if epochs < 1:
        message(
            "warning: the run ends before its first epoch, without having seen every pair: "
            f"an epoch takes about {steps:,} steps"
        )


def _report_steps(run: RunFolder, config: TrainingConfig, message: Callable[[str], None]) -> None:
    """Say so if there is nothing left to do."""
    if saved := run.checkpoints():
        done = run.step_of(saved[-1]) or 0
        if done >= config.steps:
            message(
                f"warning: the run has done {done} steps: no more are asked for ({config.steps})"
            )


def _finished(
    run: RunFolder,
    recipe: Recipe,
    config: TrainingConfig,
    progress: Progress,
    message: Callable[[str], None],
) -> Transformer:
    """Return the model that is shipped: the best one after an early stop, else the mean."""
    if progress.out_of_patience(config):
        message(
            f"no better for {progress.waited} evaluations: took the model of {progress.best_step}"
        )
        return load_model(run.best)
    averaged = run.checkpoints()[-recipe.average :]
    for path in averaged:
        check_name(path)
    return average_models(averaged)
