"""`python -m benchmarks.serving`: decoding beside CTranslate2, an engine made for serving."""

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, replace
from functools import partial
from itertools import islice, product
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from timeit import timeit
from typing import Any, Literal

import torch
from torch import Tensor

from benchmarks.contestants import marian, names, ours
from benchmarks.decoding import NEVER, generate
from benchmarks.report import Row, run
from benchmarks.sizes import BASE, QUICK, SHIPPED, Sizes
from benchmarks.timing import least
from transformer import (
    Transformer,
    beam_search,
    export_ctranslate2,
    generate_pairs,
    greedy_decode,
    load_pretrained,
    score,
    translate,
)
from transformer.inference.export import ctranslate2_spec

BEAMS, BATCHES = (1, 4), (1, 8, 32)
PENALTY = 0.6
PRECISIONS: dict[str, Literal["float32", "int8"]] = {
    "CTranslate2, float32": "float32",
    "CTranslate2, int8": "int8",
}
Decode = Callable[[Tensor, int, int], Any]  # sources, length and beams
_decode: Decode  # the engine of this process


def serving(sizes: Sizes, name: str) -> Iterator[Row]:
    """Yield a row for each other engine, number of sentences and number of beams.

    Each engine has a process of its own: the threads of two in one process get in each other's
    way, and both were seen to take twice as long.
    """
    marian_too = ["Marian"] if "Marian" in names() else []
    with ExitStack() as stack:
        processes = {
            engine: stack.enter_context(
                ProcessPoolExecutor(1, get_context("spawn"), _load, (engine, sizes))
            )
            for engine in ["ours", *PRECISIONS, *marian_too]
        }
        for beams, batch in product(BEAMS, BATCHES):
            clocks = {
                engine: partial(_ask, process, replace(sizes, batch=batch), beams)
                for engine, process in processes.items()
            }
            times = least(clocks, sizes.rounds)
            what = f"{name}, {beams} beams, {batch} at once"
            for other in list(times)[1:]:
                yield Row(what, 0.0, "s", times["ours"], other, times[other])


def _ask(process: ProcessPoolExecutor, sizes: Sizes, beams: int) -> float:
    return process.submit(_seconds, sizes, beams).result()


def _load(engine: str, sizes: Sizes) -> None:
    """Keep an engine for the calls of `_seconds` in this process."""
    global _decode
    _decode = engines()[engine](sizes)


def _seconds(sizes: Sizes, beams: int) -> float:
    return timeit(partial(_decode, sizes.ids(0), sizes.length, beams), number=1)


def exact_match(sentences: int) -> Iterator[Row]:
    """Yield how often the shipped model's greedy output is the reference, here and there."""
    model, tokenizer = load_pretrained()
    vocabulary = tokenizer.vocabulary
    ids = {token: i for i, token in enumerate(vocabulary)}
    pairs = list(islice(generate_pairs(seed=0, split="test"), sentences))
    sources, references = zip(*((pair.source, pair.target) for pair in pairs), strict=True)

    def share(outputs: Sequence[str]) -> float:
        return score(outputs, references).overall.exact_match

    what = f"exact match of {sentences} sentences"
    mine = share(translate(model, tokenizer, sources))
    with TemporaryDirectory() as folder:
        for name, precision in PRECISIONS.items():
            path = Path(folder) / precision
            export_ctranslate2(model, tokenizer, path, precision=precision)
            engine = translator(path, precision)
            tokens = [
                [vocabulary[i] for i in tokenizer.encode(tokenizer.spelled(text))]
                for text in sources
            ]
            found = engine.translate_batch(tokens, beam_size=1)
            written = [tokenizer.decode(ids[token] for token in one.hypotheses[0]) for one in found]
            yield Row(what, None, "%", mine, name, share(written))


def engines() -> dict[str, Callable[[Sizes], Decode]]:
    """Return what makes each engine, with a model of the given sizes."""
    converted = {
        name: partial(ctranslate2, precision=precision) for name, precision in PRECISIONS.items()
    }
    return {"ours": package, **converted, "Marian": hugging_face}


def untrained(sizes: Sizes) -> Transformer:
    """Return a model that never ends a sentence: the same one in every process."""
    torch.manual_seed(0)
    model = ours(sizes, 0.0, tie_output=False).eval()
    with torch.no_grad():
        model.output_layer.bias[NEVER] = -1e9
    return model


def package(sizes: Sizes) -> Decode:
    """Decode with this package: greedily, or with beams."""
    model = untrained(sizes)

    def decode(src: Tensor, length: int, beams: int) -> list[list[int]]:
        if beams == 1:
            return greedy_decode(model, src, max_new_tokens=length)
        found = beam_search(
            model, src, beam_size=beams, length_penalty=PENALTY, max_new_tokens=length
        )
        return [list(best.ids) for [best] in found]

    return decode


def ctranslate2(sizes: Sizes, precision: str) -> Decode:
    """Decode the package's model with CTranslate2, all sentences at once."""
    vocabulary = list(map(str, range(sizes.vocab_size)))
    spec = ctranslate2_spec(untrained(sizes), vocabulary, vocabulary)
    spec.config.unk_token, spec.config.add_source_eos = "3", False
    spec.optimize()
    with TemporaryDirectory() as folder:
        spec.save(folder)
        engine = translator(folder, precision)

    def decode(src: Tensor, length: int, beams: int) -> list[list[int]]:
        tokens = [list(map(str, ids)) for ids in src.tolist()]
        limits = {"min_decoding_length": length, "max_decoding_length": length}
        options = {"beam_size": beams, "length_penalty": PENALTY, "max_batch_size": 0}
        found = engine.translate_batch(tokens, **options, **limits)
        return [list(map(int, one.hypotheses[0])) for one in found]

    return decode


def hugging_face(sizes: Sizes) -> Decode:
    """Decode with Hugging Face's model of the same size, with weights of its own."""
    model = marian(sizes, 0.0).eval()

    def decode(src: Tensor, length: int, beams: int) -> Any:
        options = {} if beams == 1 else {"length_penalty": PENALTY}
        return generate(model, src, length, beams, **options)

    return decode


def translator(folder: str | Path, precision: str) -> Any:
    """Return CTranslate2's engine, with as many threads as PyTorch has."""
    from ctranslate2 import Translator

    return Translator(
        str(folder),
        compute_type=precision,
        inter_threads=1,
        intra_threads=torch.get_num_threads(),
    )


def measure(quick: bool) -> tuple[list[Row], dict[str, Any]]:
    """Run all comparisons; quick: with a tiny model."""
    base = replace(BASE, rounds=3)
    shipped = replace(SHIPPED, rounds=25)  # each takes a hundredth of a second
    sizes = {"tiny": QUICK} if quick else {"base": base, "shipped": shipped}
    rows = [row for name, one in sizes.items() for row in serving(one, name)]
    rows += exact_match(20 if quick else 1000)
    return rows, {name: asdict(one) for name, one in sizes.items()}


if __name__ == "__main__":
    run(sys.argv[1:], "benchmarks.serving", measure)
