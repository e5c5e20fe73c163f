"""`python -m benchmarks.serving`: decoding beside CTranslate2, an engine made for serving."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import torch
from torch import Tensor

from benchmarks.contestants import marian, names, ours
from benchmarks.decoding import NEVER, generate
from benchmarks.report import Row, run
from benchmarks.sizes import BASE, QUICK, SHIPPED, Sizes
from benchmarks.timing import fastest
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
Engines = dict[str, Any]


def serving(sizes: Sizes, name: str) -> Iterator[Row]:
    """Yield a row for each other engine, number of sentences and number of beams."""
    model = ours(sizes, 0.0, tie_output=False).eval()
    with torch.no_grad():
        model.output_layer.bias[NEVER] = -1e9
    hugging = marian(sizes, 0.0).eval() if "Marian" in names() else None
    with TemporaryDirectory() as folder:
        found = engines(model, Path(folder))
        for beams in BEAMS:
            for batch in BATCHES:
                src, length = replace(sizes, batch=batch).ids(0), sizes.length
                tokens = [list(map(str, ids)) for ids in src.tolist()]
                runs: dict[str, Callable[[], Any]] = {
                    "ours": partial(write, model, src, length, beams)
                }
                for other, engine in found.items():
                    runs[other] = partial(serve, engine, tokens, length, beams)
                if hugging:
                    penalty = {} if beams == 1 else {"length_penalty": PENALTY}
                    runs["Marian"] = partial(generate, hugging, src, length, beams, **penalty)
                times = fastest(runs, sizes.rounds)
                what = f"{name}, {beams} beams, {batch} at once"
                for other in list(times)[1:]:
                    yield Row(what, 0.0, "s", times["ours"], other, times[other])


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
            tokens = [[vocabulary[i] for i in tokenizer.encode_source(text)] for text in sources]
            found = engine.translate_batch(tokens, beam_size=1)
            written = [tokenizer.decode(ids[token] for token in one.hypotheses[0]) for one in found]
            yield Row(what, None, "%", mine, name, share(written))


def write(model: Transformer, src: Tensor, length: int, beams: int) -> object:
    """Decode with the package: greedily, or with beams."""
    if beams == 1:
        return greedy_decode(model, src, max_new_tokens=length)
    return beam_search(model, src, beam_size=beams, length_penalty=PENALTY, max_new_tokens=length)


def engines(model: Transformer, folder: Path) -> Engines:
    """Return the model in CTranslate2, in both precisions."""
    spec = ctranslate2_spec(model, list(map(str, range(model.config.src_vocab_size))))
    spec.config.unk_token = "3"
    spec.optimize()
    spec.save(str(folder))
    return {name: translator(folder, precision) for name, precision in PRECISIONS.items()}


def translator(folder: Path, precision: str) -> Any:
    """Return CTranslate2's engine, with as many threads as PyTorch has."""
    import ctranslate2

    return ctranslate2.Translator(
        str(folder),
        compute_type=precision,
        inter_threads=1,
        intra_threads=torch.get_num_threads(),
    )


def serve(engine: Any, tokens: list[list[str]], length: int, beams: int) -> list[list[int]]:
    """Decode with CTranslate2, all sentences at once, as many tokens as ours."""
    limits = {"min_decoding_length": length, "max_decoding_length": length}
    found = engine.translate_batch(
        tokens, beam_size=beams, length_penalty=PENALTY, max_batch_size=0, **limits
    )
    return [list(map(int, one.hypotheses[0])) for one in found]


def measure(quick: bool) -> tuple[list[Row], dict[str, Any]]:
    """Run all comparisons; quick: with a tiny model."""
    base = replace(BASE, rounds=3)
    sizes = {"tiny": QUICK} if quick else {"base": base, "shipped": SHIPPED}
    rows = [row for name, one in sizes.items() for row in serving(one, name)]
    rows += exact_match(20 if quick else 1000)
    return rows, {name: asdict(one) for name, one in sizes.items()}


if __name__ == "__main__":
    run(sys.argv[1:], "benchmarks.serving", measure)
