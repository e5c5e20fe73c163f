"""From pairs to a translator, whole: tokenizer, batches, training, average (§5, §6.1)."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import asdict, replace
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

import torch

from transformer.data.batching import Batch, batches
from transformer.data.files import TextPair, encode_pairs
from transformer.data.left_out import Report
from transformer.data.sources import FilePairs, TrainingPairs, fingerprint
from transformer.data.tokenizer import Tokenizer
from transformer.model.transformer import Transformer, count_parameters
from transformer.model_file import average_models, load_model, load_tokenizer, save_model
from transformer.training import distributed
from transformer.training.config import TrainingConfig
from transformer.training.loop import train
from transformer.training.progress import Progress
from transformer.training.recipe import Recipe
from transformer.training.run_folder import RunFolder


def train_translator(
    folder: str | PathLike[str],
    pairs: TrainingPairs,
    recipe: Recipe = Recipe(),
    config: TrainingConfig = TrainingConfig(),
    *,
    device: torch.device | str = "cpu",
    init: str | PathLike[str] | None = None,
    callback: Callable[[dict[str, Any]], None] | None = None,
    tell: Callable[[str], None] = print,
    bar: bool = True,
) -> Path:
    """Train a translator, or go on where it was stopped, and write the finished model.

    The tokenizer is learned from the first epoch. The finished model is the mean of the last
    checkpoints, or the best one if patience came to an end; it is in half precision, with its
    tokenizer in the same file. What the run was begun with is kept in `recipe.json`.

    Args:
        folder: Where to keep all of it; made if it is not there.
        pairs: The pairs, such as `FilePairs`, `ListPairs` or `GrammarPairs`.
        recipe: Sizes of model and batches.
        config: The numbers of training.
        device: Where to train.
        init: A model to begin with, of the recipe's sizes; its tokenizer is used. Without one,
            random weights.
        callback: Is called with every record of the log, in the first process.
        tell: Is called with what a person should know, such as the pairs that were left out.
        bar: Draw a bar where there is a terminal.

    Returns:
        The file of the finished model.

    Raises:
        ValueError: If the folder holds a run with other pairs or another recipe, fewer checkpoints
            are kept than averaged, there is no pair to train on, or for what `train` refuses.
    """
    if config.keep < recipe.average:
        raise ValueError(
            "keep must be at least average, the number of checkpoints whose mean is the model: "
            f"got keep={config.keep}, average={recipe.average}"
        )
    run, first = RunFolder(folder), distributed.rank() == 0
    tell = tell if first else lambda text: None
    begun = _begun_with(pairs, recipe, config, init)
    with run.locked() if first else nullcontext():
        _check_continues(run, begun)
        tokenizer = _tokenizer(run, pairs, recipe, init, tell)
        held_out = pairs.validation()
        cut = _Batches(pairs, recipe, config, tokenizer, tell)
        unseen = cut.validation(held_out)
        model = _model(recipe, config, tokenizer, init).to(device)
        size = count_parameters(model)["total"]
        tell(
            f"{size:,} parameters, {tokenizer.vocab_size:,} ids, {len(held_out)} pairs to validate"
        )
        if isinstance(pairs, FilePairs) and pairs.validation_report.left_out:
            tell(f"{pairs.validation_path}: {pairs.validation_report}")
        _tell_steps(run, config, tell)
        if first and not run.recipe.exists():
            run.write_recipe(begun)
        shown: dict[str, Any] = {"callback": callback, "tell": tell, "bar": bar}
        progress = train(model, cut.epoch, config, run.path, unseen, tokenizer=tokenizer, **shown)
        if first:
            finished = _finished(run, recipe, config, progress, tell)
            save_model(run.model, finished, torch.float16, tokenizer)
        distributed.wait_for_all()
    return run.model


class _Batches:
    """The batches of a run: pairs as ids, by length, in an order of their own each epoch."""

    def __init__(
        self,
        pairs: TrainingPairs,
        recipe: Recipe,
        config: TrainingConfig,
        tokenizer: Tokenizer,
        tell: Callable[[str], None],
    ) -> None:
        self._pairs, self._recipe, self._seed = pairs, recipe, config.seed
        self._tokenizer, self._tell = tokenizer, tell
        self._longest = min(recipe.max_len, recipe.batch_tokens)

    def epoch(self, number: int) -> Iterator[Batch]:
        """Yield the batches of an epoch; what the first one leaves out is told."""
        report = Report()
        try:
            yield from self._batches(self._pairs.epoch(number), report, number)
        except ValueError as error:
            if report.left_out:  # and nothing was left
                raise ValueError(
                    f"{self._pairs}: no pair fits into {self._longest} tokens: {report}"
                ) from error
            raise
        if report.left_out and number == 0:
            self._tell(str(report))

    def validation(self, pairs: list[TextPair]) -> list[Batch] | None:
        """Return the batches to validate with, or None; what is left out is told."""
        report = Report()
        try:
            found = list(self._batches(pairs, report, 0)) if pairs else None
        except ValueError:
            if report.left_out < len(pairs):
                raise
            found = None
            self._tell(
                f"none of the {len(pairs)} pairs to validate fits into {self._longest} tokens: "
                "nothing is validated"
            )
        if report.left_out:
            self._tell(f"of the pairs to validate, {report}")
        return found

    def _batches(self, texts: Iterable[TextPair], report: Report, epoch: int) -> Iterator[Batch]:
        return batches(
            encode_pairs(texts, self._tokenizer),
            self._recipe.batch_tokens,
            max_len=self._longest,
            seed=self._seed,
            epoch=epoch,
            report=report,
        )


def _begun_with(
    pairs: TrainingPairs,
    recipe: Recipe,
    config: TrainingConfig,
    init: str | PathLike[str] | None,
) -> dict[str, Any]:
    """Return what is kept of how a run began, ready for JSON."""
    return {
        "pairs": str(pairs),
        "identity": pairs.identity(),
        "init": None if init is None else fingerprint(init),
        "recipe": asdict(recipe),
        "training": config.to_dict(),
    }


def _check_continues(run: RunFolder, begun: dict[str, Any]) -> None:
    """Refuse to go on in a folder that was begun with something else."""
    earlier = run.read_recipe()
    if earlier is None:
        return
    advice = "(go on with the same, or train in another folder)"
    try:
        before = asdict(Recipe.from_dict(earlier["recipe"]))
        identity, init, name = (earlier[key] for key in ("identity", "init", "pairs"))
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{run.recipe}: not what a run begins with: {error!r} (delete it, or mend it)"
        ) from error
    for key, value in begun["recipe"].items():
        if key != "average" and value != before[key]:
            raise ValueError(
                f"{run} holds a run with {key} {before[key]!r}: got {value!r} {advice}"
            )
    if identity != begun["identity"]:
        pairs = begun["pairs"]
        got = f"{pairs!r} with other contents" if pairs == name else repr(pairs)
        raise ValueError(f"{run} holds a run with pairs {name!r}: got {got} {advice}")
    if init != begun["init"]:
        raise ValueError(f"{run} holds a run begun from another model, or from none {advice}")


def _tokenizer(
    run: RunFolder,
    pairs: TrainingPairs,
    recipe: Recipe,
    init: str | PathLike[str] | None,
    tell: Callable[[str], None],
) -> Tokenizer:
    """Return the run's tokenizer, the one of the model to begin with, or a new one."""
    if saved := run.checkpoints():
        return load_tokenizer(saved[-1])
    texts = pairs.epoch(0)
    report = pairs.report if isinstance(pairs, FilePairs) else Report()
    first = next(texts, None)
    if first is None:
        kept = len(pairs.validation())
        raise ValueError(f"{pairs}: no pair to train on: {kept} kept to validate, {report}")
    sentences = chain.from_iterable(chain([first], texts))
    if init is None:
        spelling = getattr(pairs, "spelling", "plain")
        tokenizer = Tokenizer.train(sentences, recipe.vocab_size, spelling)
    else:
        tokenizer = load_tokenizer(init)
    if report.left_out:
        tell(f"{pairs}: {report}")
    return tokenizer


def _model(
    recipe: Recipe,
    config: TrainingConfig,
    tokenizer: Tokenizer,
    init: str | PathLike[str] | None,
) -> Transformer:
    """Return the model to begin with: one of random weights, or another's in the recipe's shape."""
    torch.manual_seed(config.seed)
    model = Transformer(recipe.config(tokenizer.vocab_size))
    if init is not None:
        other = load_model(init)
        same = replace(other.config, dropout=recipe.dropout, max_len=recipe.max_len)
        if same != model.config:
            theirs, ours = same.to_dict(), model.config.to_dict()
            differ = [f"{n}={v}, not {ours[n]}" for n, v in theirs.items() if v != ours[n]]
            raise ValueError(f"{init}: cannot begin with another model: {'; '.join(differ)}")
        model.load_state_dict(other.state_dict())
    return model


def _tell_steps(run: RunFolder, config: TrainingConfig, tell: Callable[[str], None]) -> None:
    """Say so if there is nothing left to do."""
    if saved := run.checkpoints():
        done = int(saved[-1].stem.removeprefix("step-"))
        if done >= config.steps:
            tell(f"warning: the run has done {done} steps: no more are asked for ({config.steps})")


def _finished(
    run: RunFolder,
    recipe: Recipe,
    config: TrainingConfig,
    progress: Progress,
    tell: Callable[[str], None],
) -> Transformer:
    """Return the model that is shipped: the best one after an early stop, else the mean."""
    if progress.impatient(config):
        tell(f"no better for {progress.waited} evaluations: took the model of {progress.best_step}")
        return load_model(run.best)
    return average_models(run.checkpoints()[-recipe.average :])
