"""Which values pages can print, and where each comes from: `without.encoder` is `encoder` of
`without()`.

A range is a pair, its lowest and its highest number. Shares are of 1. What no page prints is
removed; tests/docs/test_values.py says what that is.
"""

import inspect
import json
import math
import re
import tracemalloc
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from docs.figures import (
    _fine_tuning,
    _race,
    _variants_run,
    heads_number,
    race_length,
    residual_gradients,
    serving_together,
)
from transformer import (
    Recipe,
    TrainingConfig,
    Transformer,
    TransformerConfig,
    beam_search,
    count_parameters,
    encode_pairs,
    greedy_decode,
    load_pretrained,
)
from transformer.cli.evaluate import evaluate
from transformer.data import filters, generator, near_copies, training_pairs
from transformer.data.batching import batches
from transformer.data.grammar import LONGEST
from transformer.data.preparation import Preparation
from transformer.data.report import Report
from transformer.inference.shipped import PRETRAINED
from transformer.inference.significance import compare
from transformer.inference.translation import translate
from transformer.training.log import PAUSE
from transformer.training.loop import MOST_SKIPPED
from transformer.training.translated import SCORED

DOCS = Path(__file__).parent
BASE = {"src_vocab_size": 37_000, "tgt_vocab_size": 37_000, "share_embeddings": True}

Number = int | float
Values = dict[str, Number | tuple[Number, Number]]


def all_values() -> dict[str, Number | tuple[Number, Number]]:
    """Return every value under its full name."""
    return {
        f"{section.__name__}.{name}": value
        for section in SECTIONS
        for name, value in section().items()
    }


def measured(name: str) -> dict[str, Any]:
    """Read a file of docs/measured."""
    record: dict[str, Any] = json.loads((DOCS / "measured" / f"{name}.json").read_text("utf-8"))
    return record


def ends(numbers: Iterable[Number]) -> tuple[Number, Number]:
    """Return the lowest and the highest."""
    found = list(numbers)
    return min(found), max(found)


# What was measured


def without() -> Values:
    """Small models without a part: sentences right, and losses, over three seeds."""
    record = measured("without")
    runs = {part: found for part, found in record.items() if isinstance(found, list)}
    right = {part: ends(run["right"] for run in found) for part, found in runs.items()}
    first = {part: ends(run["loss"][0] for run in found) for part, found in runs.items()}
    tried = {(run["part"], run["rate"]): run["right"] for run in record["rates"]["runs"]}
    rates = dict(zip(("half", "quarter", "eighth"), _variants_run.RATES, strict=True))
    retuned = Values()
    for name, rate in rates.items():
        retuned[f"rate_{name}"] = rate
        retuned[f"{name}_rate"] = tried["nothing", rate]
        retuned[f"division_{name}_rate"] = tried["score_division", rate]
    return {
        **retuned,
        "warmup": _variants_run.WARMUP,
        "peak": _variants_run.PEAK,
        "first_seed": runs["nothing"][0]["right"],
        "division_first_seed": runs["score_division"][0]["right"],
        "sentences": record["sentences"],
        "steps": record["steps"],
        **{"whole" if part == "nothing" else part: pair for part, pair in right.items()},
        "first_loss": first["nothing"],
        "first_loss_norms": first["norms"],
    }


def heads() -> Values:
    """Small models with so many heads: sentences right, over three seeds."""
    found = {str(number): ends(right) for number, right in heads_number.right().items()}
    return {"sentences": measured("heads_number")["sentences"], **found}


def muted() -> Values:
    """The shipped model with a head muted, or a whole attention: right, and how many that costs."""
    record = measured("heads_muted")
    head = ends(right for heads in record["heads"].values() for right in heads)
    attention = ends(record["layers"].values())
    whole = record["whole"]
    return {
        "sentences": record["sentences"],
        "whole": whole,
        "head": head,
        "attention": attention,
        "cost_of_head": (whole - head[1], whole - head[0]),
        "cost_of_attention": (whole - attention[1], whole - attention[0]),
    }


def remembered() -> Values:
    """Facts that a feed-forward network of width 8, 32 or 128 keeps, over three seeds."""
    record = measured("feed_forward_facts")
    every = [count for counts in record["no_relu"].values() for count in counts]
    return {
        "facts": record["facts"],
        "8": ends(record["relu"]["8"]),
        "32": ends(record["relu"]["32"]),
        "128": ends(record["relu"]["128"]),
        "linear_32": ends(record["no_relu"]["32"]),
        "linear_128": ends(record["no_relu"]["128"]),
        "linear_highest": max(every),
    }


def masks() -> Values:
    """The shipped model with unmasked padding; small models that could see the future."""
    record = measured("masks")
    padding = record["padding"]
    return {
        "sentences": padding["sentences"],
        "padding_masked": padding["with"],
        "padding_10": padding["without"]["10"],
        "padding_40": padding["without"]["40"],
        "steps": len(record["masked"][0]["loss"]),
        "given": ends(run["given"] for run in record["masked"] + record["leaky"]),
        "written": ends(run["written"] for run in record["leaky"]),
    }


def gradients() -> Values:
    """Untrained models: by how much a gradient in the decoder changes over its layers."""
    runs = {
        norm_first: [
            residual_gradients.gradients(norm_first, seed)["decoder"]
            for seed in residual_gradients.SEEDS
        ]
        for norm_first in (False, True)
    }
    return {
        "last_over_first": ends(run[-1] / run[0] for run in runs[False]),
        "first_over_last_in_pre_norm": ends(run[0] / run[-1] for run in runs[True]),
    }


def race() -> Values:
    """Three translators: right ones of all sentences, shares of some, time and size."""
    record = measured("race")
    names = {"vector": "one vector", "attention": "attention", "transformer": "Transformer"}
    longest, _ = race_length.GROUPS[-1]
    found = Values()
    for name, kind in names.items():
        words = race_length.by_words(kind)
        found[f"{name}_long"] = ends_of_shares(words[-1])
        found[f"{name}_later"] = ends_of_shares(race_length.by_words(kind, "long")[-1])
    return {
        **found,
        "sentences": len(record["runs"]["attention"][0]["sentences"]),
        "longest": sum(
            words >= longest for words, *_ in record["runs"]["attention"][0]["sentences"]
        ),
        "steps": record["steps"],
        "long_steps": record["long_steps"],
        "weights": ends(round(size, -3) for size in record["sizes"].values()),
        "learning_rate": ends(_race.RATES),
    }


def ends_of_shares(per_cent: list[float]) -> tuple[Number, Number]:
    """Return the ends of shares that are given in per cent."""
    return ends(share / 100 for share in per_cent)


def positions() -> Values:
    """Sines and learned positions: sentences right by the mean and by the last checkpoint."""
    record = measured("positions")
    kinds, found = ("sinusoidal", "learned"), Values()

    def right(run: dict[str, Any], split: str) -> int:
        return sum(right for _, right in run[split].values())

    for split in ("validation", "longer"):
        counts = {kind: [right(run, split) for run in record[kind]] for kind in kinds}
        found |= {f"{kind}_{split}": ends(rights) for kind, rights in counts.items()}
        found[f"{split}_sentences"] = sum(n for n, _ in record["learned"][0][split].values())
        if split == "validation":
            found["mean"] = ends(right for rights in counts.values() for right in rights)
    return found | {"last": ends(run["last"] for kind in kinds for run in record[kind])}


def dropout() -> Values:
    """Small models on few pairs, with dropout and without: loss at the end, sentences right."""
    record = measured("dropout")
    found: Values = {name: record[name] for name in ("pairs", "steps", "sentences")}
    for name, rate in (("with", "0.1"), ("without", "0.0")):
        for number, run in enumerate(record[rate], 1):
            found[f"loss_{name}_{number}"] = run["validation"][-1]
            found[f"right_{name}_{number}"] = run["right"]
        found[f"right_{name}"] = sum(run["right"] for run in record[rate])
    found["sentences_of_all"] = record["sentences"] * len(record["0.1"])
    return found


def tuning() -> Values:
    """The shipped model fine-tuned on longer sentences: how many of two splits are right."""
    record = measured("fine_tuning")
    found: Values = {name: record[name] for name in ("pairs", "steps", "sentences")}
    runs = {
        name: record[str(rate)]
        for name, rate in zip(("large", "middle", "small"), _fine_tuning.RATES, strict=True)
    }
    for split in _fine_tuning.SPLITS:
        found[f"{split}_before"] = record["before"][split]
        for name, some in runs.items():
            found[f"{split}_{name}"] = ends(run[split] for run in some)
    return found


def scores() -> Values:
    """The shipped model on the test splits: how many sentences, right and wrong ones, shares."""
    record = measured("evaluation")["scores"]
    test, compositional, longer = (record[name] for name in ("test", "compositional", "longer"))
    seen = [test["overall"], compositional["overall"]]
    longest = [test["by_length"]["16-20"], compositional["by_length"]["16-20"]]
    return {
        "test_sentences": test["overall"]["sentences"],
        "test_wrong": wrong([test["overall"]]),
        "compositional_sentences": compositional["overall"]["sentences"],
        "compositional_wrong": wrong([compositional["overall"]]),
        "seen_sentences": count(seen)[0],
        "seen": share(seen),
        "longest_sentences": count(longest)[0],
        "longest_wrong": wrong(longest),
        "longest": share(longest),
        "longer": share([longer["overall"]]),
        "longer_right": count([longer["overall"]])[1],
        "longer_19_to_20": share([longer["by_length"]["16-20"]]),
        "longer_21_to_25": share([longer["by_length"]["21-25"]]),
        "longer_26_to_30": share([longer["by_length"]["26-30"]]),
    }


def count(groups: list[dict[str, float]]) -> tuple[int, int]:
    """Return how many sentences groups have, and how many are right."""
    right = sum(round(group["sentences"] * group["exact_match"] / 100) for group in groups)
    return round(sum(group["sentences"] for group in groups)), right


def wrong(groups: list[dict[str, float]]) -> int:
    """Return how many sentences are wrong."""
    sentences, right = count(groups)
    return sentences - right


def share(groups: list[dict[str, float]]) -> float:
    """Return which share is right."""
    sentences, right = count(groups)
    return right / sentences


def bench() -> Values:
    """`make bench`, the base model beside others: sizes, and the time without a cache."""
    record = measured("bench")
    sizes = record["sizes"]
    what = f"greedy decoding, {sizes['length']} tokens"
    times = {r["what"]: r["ratio"] for r in record["rows"] if r["other"] == "without cache"}
    return {
        "ids": sizes["vocab_size"],
        "sentences": sizes["batch"],
        "tokens": sizes["length"],
        "runs": sizes["rounds"],
        "runs_of_step": 2 * sizes["rounds"],
        "many_sentences": 32,
        "without_cache": times[what],
        "many_without_cache": times[f"{what}, 32 at once"],
    }


def serving() -> Values:
    """`make bench`, our decoding beside engines for serving."""
    record = measured("serving")
    (one, alone, *_), *_, (many, wait, wait_in_float32, wait_in_int8) = serving_together.seconds()
    seconds = [row for row in record["rows"] if row["unit"] == "s"]

    def ratios(other: str, *models: str) -> tuple[float, float]:
        return ends(
            r["ratio"] for r in seconds if r["other"] == other and r["what"].startswith(models)
        )

    exact = [row for row in record["rows"] if row["unit"] == "%"]
    slower = ratios("Marian", "base", "shipped")
    return {
        "tokens": record["sizes"]["base"]["length"],
        "small_tokens": record["sizes"]["shipped"]["length"],
        "runs": record["sizes"]["base"]["rounds"],
        "small_runs": record["sizes"]["shipped"]["rounds"],
        "at_once": many,
        "rate_alone": one / alone,
        "rate": many / wait,
        "rate_in_float32": many / wait_in_float32,
        "rate_in_int8": many / wait_in_int8,
        "wait_alone": alone,
        "wait": wait,
        "float32": ratios("CTranslate2, float32", "base"),
        "small_float32": ratios("CTranslate2, float32", "shipped"),
        "int8": ratios("CTranslate2, int8", "base"),
        "small_int8": ratios("CTranslate2, int8", "shipped"),
        "marian_more": (slower[0] - 1, slower[1] - 1),
        "exact_sentences": int(exact[0]["what"].split()[3]),
        **{f"exact_{row['other'].split()[-1]}": row["theirs"] / 100 for row in exact},
    }


def reading() -> Values:
    """`make bench`, ids from a file or from a stream: how many a second, and memory in MB."""
    speed, memory, _ = measured("reading")["rows"]
    return {
        "ids_a_second": 1e6 / speed["ours"],
        "stream_ids_a_second": 1e6 / speed["theirs"],
        "megabytes": memory["ours"],
        "gigabytes_as_lists": gigabytes_as_lists(),
    }


def gigabytes_as_lists() -> float:
    """Return what ten million pairs of the grammar take as lists of ids, by 5,000 of them."""
    texts = [(pair.source, pair.target) for pair in islice(generator.generate_pairs(0), 5000)]
    tokenizer = load_pretrained()[1]
    tracemalloc.start()
    pairs = list(encode_pairs(texts, tokenizer))
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return taken / len(pairs) / 100  # times ten million, over a billion


# What the package takes unless it is told otherwise


def default() -> Values:
    """Defaults of functions and configurations."""
    config = TrainingConfig()
    (resamples,) = re.findall(r"bs:(\d+)", compare(["a"], ["a"], ["a"])["BLEU"].signature)
    return {
        "batch_size": parameter(translate, "batch_size"),
        "beam_size": parameter(beam_search, "beam_size"),
        "clip_norm": config.clip_norm or 0,
        "copied_share": filters.COPIED,
        "extra_tokens": tokens_beyond_the_source(),
        "evaluated_sentences": parameter(evaluate, "sentences"),
        "held_out_pairs": Preparation.test,
        "label_smoothing": config.label_smoothing,
        "length_ratio": filters.RATIO,
        "length_penalty": parameter(beam_search, "length_penalty"),
        "log_seconds": PAUSE,
        "longest_pair": filters.LONGEST,
        "longest_sentence": LONGEST,
        "most_skipped": MOST_SKIPPED,
        "one_in_validates": training_pairs._HELD_OUT,
        "resamples": int(resamples),
        "scored_pairs": SCORED,
        "script_share": filters.IN_SCRIPT,
        "shown_problems": Report.cap,
        "similar_share": near_copies.SIMILAR,
        "validation_pairs": training_pairs._VALIDATION,
        "window": parameter(batches, "window"),
    }


def parameter(function: Callable[..., object], name: str) -> int | float:
    """Return what a function takes for a parameter unless it is given another."""
    found: int | float = inspect.signature(function).parameters[name].default
    return found


def tokens_beyond_the_source() -> int:
    """Return by how much a translation may be longer than its source."""
    model = tiny_model()
    with torch.no_grad():
        model.output_layer.bias[model.config.eos_id] = -1e9  # so that the end never comes
    (written,) = greedy_decode(model, torch.tensor([[3, 4, 5, model.config.eos_id]]))
    return len(written) - 4


def tiny_model() -> Transformer:
    """Return a model that is made at once."""
    return Transformer(
        TransformerConfig(
            src_vocab_size=9, tgt_vocab_size=9, d_model=8, num_heads=2,
            num_encoder_layers=1, num_decoder_layers=1, d_ff=8,
        )
    )  # fmt: skip


def shipped() -> Values:
    """The shipped model: its sizes, and the recipe that it was trained by."""
    model, tokenizer = load_pretrained()
    config, recipe = TrainingConfig(), Recipe()
    pairs = islice(generator.generate_pairs(0), 5000)  # enough for each word to have occurred
    words = {word for pair in pairs for word in pair.source.split() if word.isalpha()}
    return {
        "parameters": count_parameters(model)["total"],
        "vocabulary": tokenizer.vocab_size,
        "loss_of_guessing": math.log(tokenizer.vocab_size),
        "d_model": recipe.d_model,
        "max_len": recipe.max_len,
        "words": len(words),
        "steps": config.steps,
        "minutes": measured("shipped_speed")["seconds"] * config.steps / 60,
        "warmup": config.warmup,
        "dropout": recipe.dropout,
        "batch_tokens": recipe.batch_tokens,
        "averaged": recipe.average,
        "saved_every": next(step for step in range(1, 10_000) if config.saves(step)),
        "pairs_an_epoch": training_pairs.GrammarPairs.per_epoch,
        "file_megabytes": PRETRAINED.stat().st_size / 1e6,
    }


def base() -> Values:
    """Parameters of the paper's base model with 37,000 ids, and with one size changed."""
    whole = parameters()
    apart = parameters(share_embeddings=False)
    return {
        "parameters": whole,
        "doubled_vocabulary_more": parameters(src_vocab_size=74_000, tgt_vocab_size=74_000) - whole,
        "d_model_1024": parameters(d_model=1024),
        "two_layers": parameters(num_encoder_layers=2, num_decoder_layers=2),
        "d_ff_4096": parameters(d_ff=4096),
        "own_embeddings_more": apart - whole,
        "own_output_more": parameters(share_embeddings=False, tie_output=False) - apart - 37_000,
        "own_matrices_more": parameters(share_embeddings=False, tie_output=False) - whole - 37_000,
        "narrow_heads": parameters(d_k=32, d_v=32),
    }


def parameters(**changes: Any) -> int:
    """Count the parameters of the base model with some sizes changed."""
    with torch.device("meta"):
        model = Transformer(TransformerConfig(**(BASE | {"tie_output": True} | changes)))
    return count_parameters(model)["total"]


def notebook() -> Values:
    """Numbers in the code of practice/translate.py."""
    code = (DOCS / "en" / "practice" / "translate.py").read_text("utf-8")
    found = Values()
    for name in ("steps", "warmup", "d_model", "max_tokens"):
        (number,) = set(re.findall(rf"\b{name}=(\d+)", code))
        found[name] = int(number)
    return found


SECTIONS: tuple[Callable[[], Values], ...] = (
    without, heads, muted, remembered, masks, gradients, race, positions, dropout, tuning,
    scores, bench, serving, reading, default, shipped, base, notebook,
)  # fmt: skip
