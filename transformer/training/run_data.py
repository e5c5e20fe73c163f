"""What a run learns from: its tokenizer, its batches, and those that it validates with."""

import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from os import PathLike
from typing import Any

from transformer.data.batching import Batch, IdPair, batches, fitting_pairs
from transformer.data.encoded_batches import EncodedBatches
from transformer.data.encoded_pairs import EncodedPairs
from transformer.data.files import encode_pairs
from transformer.data.left_out import Report
from transformer.data.sources import FilePairs, TrainingPairs
from transformer.data.tokenizer import Tokenizer
from transformer.model_file import load_tokenizer
from transformer.training import distributed
from transformer.training.recipe import Recipe
from transformer.training.run_folder import RunFolder


@dataclass(frozen=True)
class RunData:
    """What a run learns from.

    Attributes:
        tokenizer: The tokenizer of all ids.
        batches: What `train` takes: the batches of an epoch by its number.
        validation: Batches to validate with; None if there are none.
    """

    tokenizer: Tokenizer
    batches: EncodedBatches | Callable[[int], Iterable[Batch]]
    validation: list[Batch] | None


def prepare(
    run: RunFolder,
    pairs: TrainingPairs,
    recipe: Recipe,
    seed: int,
    init: str | PathLike[str] | None,
    identity: dict[str, Any],
    tell: Callable[[str], None],
) -> RunData:
    """Return what a run learns from.

    Pairs of files are encoded once, by the first process, into the folder of the run, and read
    from there by all of them. Others may be new in each epoch, and are encoded on the way.

    Args:
        run: The folder of the run.
        pairs: The pairs.
        recipe: Sizes of vocabulary and batches.
        seed: Seed of the order.
        init: A model whose tokenizer is used; without one, it is learned from the first epoch.
        identity: What tells these pairs and this `init` from others, ready for JSON.
        tell: Is called with what a person should know.

    Raises:
        ValueError: If there is no pair to train on.
    """
    longest = min(recipe.max_len, recipe.batch_tokens)
    if isinstance(pairs, FilePairs):
        key = {**identity, "vocab_size": recipe.vocab_size, "max_len": longest}
        if distributed.rank() == 0 and not _is_encoded(run, key):
            _encode(run, pairs, recipe, init, key, tell)
        distributed.wait_for_all()
        encoded = EncodedPairs(run.ids / "train")
        tokenizer = Tokenizer.from_json(encoded.origin["tokenizer"])
        validates = encoded.origin["validation"]
        ids: Sequence[IdPair] = list(EncodedPairs(run.ids / "validation")) if validates else []
        made: Any = EncodedBatches(encoded, recipe.batch_tokens, seed=seed)
    else:
        tokenizer = _tokenizer(run, pairs, recipe, init, tell)
        ids = _to_validate(pairs, tokenizer, longest, tell)
        made = _streamed(pairs, tokenizer, recipe, longest, seed, tell)
    validation = list(batches(ids, recipe.batch_tokens)) if ids else None
    return RunData(tokenizer, made, validation)


def _is_encoded(run: RunFolder, key: dict[str, Any]) -> bool:
    try:
        origin = EncodedPairs(run.ids / "train").origin
    except FileNotFoundError:
        return False
    return origin == {**origin, **key}


def _encode(
    run: RunFolder,
    pairs: TrainingPairs,
    recipe: Recipe,
    init: str | PathLike[str] | None,
    key: dict[str, Any],
    tell: Callable[[str], None],
) -> None:
    """Write all pairs as ids, those to validate with first: a file of the others is the end."""
    shutil.rmtree(run.ids, ignore_errors=True)
    tokenizer = _tokenizer(run, pairs, recipe, init, tell)
    longest, size, report = key["max_len"], tokenizer.vocab_size, Report()
    ids = _to_validate(pairs, tokenizer, longest, tell)
    if ids:
        EncodedPairs.write(run.ids / "validation", ids, size)
    origin = {**key, "tokenizer": tokenizer.to_json(), "validation": len(ids)}
    train = encode_pairs(pairs.epoch(0), tokenizer)
    with _naming(pairs, longest, report):
        EncodedPairs.write(
            run.ids / "train", train, size, max_len=longest, origin=origin, report=report
        )
    if report.left_out:
        tell(str(report))


def _streamed(
    pairs: TrainingPairs,
    tokenizer: Tokenizer,
    recipe: Recipe,
    longest: int,
    seed: int,
    tell: Callable[[str], None],
) -> Callable[[int], Iterator[Batch]]:
    """Return what makes the batches of an epoch; what the first one leaves out is told."""

    def epoch(number: int) -> Iterator[Batch]:
        report, ids = Report(), encode_pairs(pairs.epoch(number), tokenizer)
        limits = {"max_len": longest, "seed": seed, "epoch": number}
        with _naming(pairs, longest, report):
            yield from batches(ids, recipe.batch_tokens, report=report, **limits)
        if report.left_out and number == 0:
            tell(str(report))

    return epoch


@contextmanager
def _naming(pairs: TrainingPairs, longest: int, report: Report) -> Iterator[None]:
    """Say which pairs they were if all of them are left out."""
    try:
        yield
    except ValueError as error:
        if report.left_out:  # and nothing was left
            text = f"{pairs}: no pair fits into {longest} tokens: {report}"
            raise ValueError(text) from error
        raise


def _to_validate(
    pairs: TrainingPairs, tokenizer: Tokenizer, longest: int, tell: Callable[[str], None]
) -> list[IdPair]:
    """Return the pairs to validate with, as ids; what is left out is told."""
    report, texts = Report(), pairs.validation()
    ids: list[IdPair] = [*fitting_pairs(encode_pairs(texts, tokenizer), longest, report)]
    if isinstance(pairs, FilePairs) and pairs.validation_report.left_out:
        tell(f"{pairs.validation_path}: {pairs.validation_report}")
    if texts and not ids:
        tell(
            f"none of the {len(texts)} pairs to validate fits into {longest} tokens: "
            "nothing is validated"
        )
    if report.left_out:
        tell(f"of the pairs to validate, {report}")
    return ids


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
