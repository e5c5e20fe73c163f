"""What a run learns from: its tokenizer, its batches, and those that it validates with."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from os import PathLike
from typing import Any

from transformer.data.batching import Batch, IdPair, batches, fitting_pairs
from transformer.data.encoded_batches import EncodedBatches
from transformer.data.encoded_pairs import EncodedPairs
from transformer.data.pair_files import TextPair, encode_pairs
from transformer.data.report import Report
from transformer.data.tokenizer import Tokenizer
from transformer.data.training_pairs import TrainingPairs
from transformer.model_file import load_tokenizer
from transformer.training import distributed
from transformer.training.recipe import Recipe
from transformer.training.run_folder import RunFolder

Characters = tuple[Counter[str], Counter[str]]  # of sources, of targets
RARE = 0.001  # share of the text that a vocabulary may leave out without a warning


@dataclass(frozen=True)
class RunData:
    """What a run learns from.

    Attributes:
        tokenizer: The tokenizer of all ids.
        batches: What `train` takes: the batches of an epoch by its number.
        validation: Batches to validate with; None if there are none.
        validation_ids: The pairs in them, one by one.
    """

    tokenizer: Tokenizer
    batches: EncodedBatches | Callable[[int], Iterable[Batch]]
    validation: list[Batch] | None
    validation_ids: Sequence[IdPair]


def prepare(
    run: RunFolder,
    pairs: TrainingPairs,
    recipe: Recipe,
    seed: int,
    init: str | PathLike[str] | None,
    identity: dict[str, Any],
    message: Callable[[str], None],
) -> RunData:
    """Return what a run learns from.

    Pairs that are the same in every epoch, such as those of files, are encoded once, by the first
    process, into the folder of the run, and read from there by all of them. Others are encoded on
    the way.

    Args:
        run: The folder of the run.
        pairs: The pairs.
        recipe: Sizes of vocabulary and batches.
        seed: Seed of the order.
        init: A model whose tokenizer is used; without one, it is learned from the first epoch.
        identity: What tells these pairs and this `init` from others, ready for JSON.
        message: Is called with what a person should know.

    Raises:
        ValueError: If there is no pair to train on, or the encoded pairs are damaged.
    """
    max_len = min(recipe.max_len, recipe.batch_tokens)
    made: EncodedBatches | Callable[[int], Iterable[Batch]]
    if pairs.encode_once:
        key = {**identity, "max_len": max_len}
        key |= {name: getattr(recipe, name) for name in ("vocab_size", "separate_vocabularies")}
        if distributed.rank() == 0 and not _is_encoded(run, key):
            _encode(run, pairs, recipe, init, key, message)
        distributed.wait_for_all()
        encoded = EncodedPairs(run.ids / "train")
        tokenizer = Tokenizer.from_json(encoded.origin["tokenizer"])
        validates = encoded.origin["validation"]
        ids: Sequence[IdPair] = list(EncodedPairs(run.ids / "validation")) if validates else []
        made = EncodedBatches(encoded, recipe.batch_tokens, seed=seed)
    else:
        tokenizer = _tokenizer(run, pairs, recipe, init)
        ids = _to_validate(pairs, tokenizer, max_len, message)
        made = _streamed(pairs, tokenizer, recipe, max_len, seed, message)
    validation = list(batches(ids, recipe.batch_tokens)) if ids else None
    return RunData(tokenizer, made, validation, ids)


def _is_encoded(run: RunFolder, key: dict[str, Any]) -> bool:
    """Say whether the folder holds these pairs as ids, all of them as they were written."""
    try:
        encoded = [EncodedPairs(run.ids / "train")]
        if encoded[0].origin["validation"]:
            encoded.append(EncodedPairs(run.ids / "validation"))
    except FileNotFoundError:
        return False
    if not all(pairs.origin == {**pairs.origin, **key} for pairs in encoded):
        return False
    for pairs in encoded:
        pairs.check()
    return True


def _encode(
    run: RunFolder,
    pairs: TrainingPairs,
    recipe: Recipe,
    init: str | PathLike[str] | None,
    key: dict[str, Any],
    message: Callable[[str], None],
) -> None:
    """Write all pairs as ids, those to validate with first: the others mark the end."""
    tokenizer = _tokenizer(run, pairs, recipe, init)
    max_len, size = key["max_len"], max(tokenizer.vocab_size, tokenizer.source.vocab_size)
    ids = _to_validate(pairs, tokenizer, max_len, message)
    if ids:
        EncodedPairs.write(run.ids / "validation", ids, size, origin=key)
    origin = {**key, "tokenizer": tokenizer.to_json(), "validation": len(ids)}
    characters: Characters = (Counter(), Counter())
    train = encode_pairs(_counted(pairs.epoch(0), characters), tokenizer)
    with _reporting(pairs, max_len, message) as report:
        EncodedPairs.write(
            run.ids / "train", train, size, max_len=max_len, origin=origin, report=report
        )
    _report_characters(characters, tokenizer, message)


def _counted(pairs: Iterator[TextPair], characters: Characters) -> Iterator[TextPair]:
    """Pass the pairs on, and count the characters of each side."""
    for pair in pairs:
        for text, seen in zip(pair, characters):
            seen.update(text)
        yield pair


def _report_characters(
    characters: Characters, tokenizer: Tokenizer, message: Callable[[str], None]
) -> None:
    """Say which characters the vocabulary leaves out; it is a warning from one in 1,000 on."""
    cut: Counter[str] = Counter()
    for seen, side in zip(characters, (tokenizer.source, tokenizer.target)):
        for one, ids in zip(seen, side.encode_all(list(seen))):
            if not one.isascii() and side.pieces(ids)[0].startswith("<"):  # a byte of it
                cut[one] += seen[one]
    if not cut:
        return
    everything = characters[0] + characters[1]
    share = cut.total() / everything.total()
    examples = ", ".join(f"{one} ({times:,})" for one, times in cut.most_common(5))
    message(
        f"{'warning: ' if share >= RARE else ''}{len(cut):,} of {len(everything):,} different "
        f"characters are not in the vocabulary, {share:.2%} of the text, and are cut into bytes: "
        f"{examples}"
    )


def _streamed(
    pairs: TrainingPairs,
    tokenizer: Tokenizer,
    recipe: Recipe,
    max_len: int,
    seed: int,
    message: Callable[[str], None],
) -> Callable[[int], Iterator[Batch]]:
    """Return what makes the batches of an epoch; the first one reports what it leaves out."""

    def epoch(number: int) -> Iterator[Batch]:
        ids = encode_pairs(pairs.epoch(number), tokenizer)
        limits = {"max_len": max_len, "seed": seed, "epoch": number}
        with _reporting(pairs, max_len, message if number == 0 else None) as report:
            yield from batches(ids, recipe.batch_tokens, report=report, **limits)

    return epoch


@contextmanager
def _reporting(
    pairs: TrainingPairs, max_len: int, message: Callable[[str], None] | None
) -> Iterator[Report]:
    """Give a report of pairs that are too long; show it, and what reading the pairs left out."""
    report = Report()
    try:
        yield report
    except ValueError as error:
        if report.left_out:  # all of them were, or the error would be another
            text = f"{pairs}: no pair fits into {max_len} tokens: {report}"
            raise ValueError(text) from error
        raise
    finally:
        for name, reading in pairs.reports().items():
            if reading.left_out and message:
                message(f"{name}: {reading}")
    if report.left_out and message:
        message(str(report))


def _to_validate(
    pairs: TrainingPairs, tokenizer: Tokenizer, max_len: int, message: Callable[[str], None]
) -> list[IdPair]:
    """Return the pairs to validate with, as ids; what is left out is reported."""
    report, texts = Report(), pairs.validation()
    ids: list[IdPair] = [*fitting_pairs(encode_pairs(texts, tokenizer), max_len, report)]
    if texts and not ids:
        message(
            f"none of the {len(texts)} pairs to validate fits into {max_len} tokens: "
            "nothing is validated"
        )
    if report.left_out:
        message(f"of the pairs to validate, {report}")
    return ids


def _tokenizer(
    run: RunFolder, pairs: TrainingPairs, recipe: Recipe, init: str | PathLike[str] | None
) -> Tokenizer:
    """Return the run's tokenizer, the one of the model to begin with, or a new one."""
    if saved := run.checkpoints():
        return load_tokenizer(saved[-1])
    texts = pairs.epoch(0)
    first = next(texts, None)
    if first is None:
        left_out = [f", {report}" for report in pairs.reports().values()]
        kept = len(pairs.validation())
        raise ValueError(
            f"{pairs}: no pair to train on: {kept} kept to validate{''.join(left_out)}"
        )
    if init is not None:
        return load_tokenizer(init)
    texts = chain([first], texts)
    if recipe.separate_vocabularies:
        sources = (source for source, _ in texts)
        targets = (target for _, target in pairs.epoch(0))
        return Tokenizer.train_separate(sources, targets, recipe.vocab_size, pairs.spelling)
    sentences = chain.from_iterable(texts)
    return Tokenizer.train(sentences, recipe.vocab_size, pairs.spelling)
