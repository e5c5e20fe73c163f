"""Two recurrent translators and a Transformer of one size: who learns the grammar's language?

`python -m docs.figures._race` writes docs/measured/race.json, which the figures `race_*` draw. All
three have the same schedule, the same sentences in the same order and as many numbers as the others
within two per cent. Each takes the peak of its learning rate from the same list, the one with which
seed 0 translates most of validation; then two more seeds follow, and all three again for
four times as many steps at that rate. About two hours on two cores.
"""

import json
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from docs.figures._recurrent import RecurrentTranslator
from docs.figures._variants_run import SEEDS, SIZES, STEPS, WARMUP
from transformer import (
    Batch,
    GrammarPairs,
    Pair,
    Transformer,
    batches,
    encode_pairs,
    generate_pairs,
    greedy_decode,
    label_smoothed_cross_entropy,
    load_pretrained,
)
from transformer.data.tokenizer import BOS_ID, EOS_ID

RESULT = Path(__file__).parents[1] / "measured" / "race.json"
KINDS = ("one vector", "attention", "Transformer")
RATES = (0.001, 0.002, 0.004, 0.008, 0.016)
LONG = 4000  # steps
SENTENCES = 1000
MOST = 60  # tokens of a translation


def build(kind: str, vocab_size: int) -> nn.Module:
    """Make a translator of the kind; the hidden widths make all three equally large."""
    if kind == "Transformer":
        return Transformer(SIZES.config(vocab_size))
    hidden = 134 if kind == "attention" else 143
    return RecurrentTranslator(vocab_size, SIZES.d_model, hidden, kind == "attention")


def size(model: nn.Module) -> int:
    return sum(parameter.numel() for parameter in model.parameters())


def run(kind: str, rate: float, seed: int, steps: int = STEPS) -> dict[str, Any]:
    """Train, and tell of every sentence how many words it has and whether it is right."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    tokenizer = load_pretrained()[1]
    model = build(kind, tokenizer.vocab_size)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, betas=(0.9, 0.98), eps=1e-9)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda n: min((n + 1) / WARMUP, (WARMUP / (n + 1)) ** 0.5)
    )
    model.train()
    for batch in islice(training(seed), steps):
        loss = loss_of(model, batch)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
    model.eval()
    some = list(islice(generate_pairs(0, "validation"), SENTENCES))
    outputs = translations(model, [tokenizer.encode_source(pair.source) for pair in some])
    translated = [
        (words(pair), tokenizer.decode(output) == pair.target)
        for pair, output in zip(some, outputs, strict=True)
    ]
    return {"rate": rate, "right": sum(right for _, right in translated), "sentences": translated}


def training(seed: int) -> Iterator[Batch]:
    """Yield the batches of the package's grammar, epoch after epoch."""
    tokenizer, pairs = load_pretrained()[1], GrammarPairs()
    for epoch in count():
        ids = encode_pairs(pairs.epoch(epoch), tokenizer)
        yield from batches(ids, SIZES.batch_tokens, seed=seed, epoch=epoch)


def translations(model: nn.Module, sources: list[list[int]]) -> list[list[int]]:
    """Write the most probable token at every step, for all sources at once."""
    src = pad_sequence([torch.tensor(ids) for ids in sources], batch_first=True)
    if isinstance(model, RecurrentTranslator):
        return model.greedy(src, BOS_ID, EOS_ID, MOST)
    assert isinstance(model, Transformer)
    return greedy_decode(model, src, max_new_tokens=MOST)


def loss_of(model: nn.Module, batch: Batch) -> Tensor:
    logits = model(batch.src, batch.tgt[:, :-1])
    return label_smoothed_cross_entropy(logits, batch.tgt[:, 1:])


def words(pair: Pair) -> int:
    return sum(word not in ".?!" for word in pair.source.split())


def shares(kind: str, fewest: int, most: int, runs: str = "runs") -> list[float]:
    """Per cent right of the sentences with so many words, one number a seed.

    `runs` is "runs", or "long" for those that were trained longer.
    """
    shares = []
    for result in json.loads(RESULT.read_text("utf-8"))[runs][kind]:
        asked = [right for words, right in result["sentences"] if fewest <= words <= most]
        shares.append(100 * sum(asked) / len(asked))
    return shares


if __name__ == "__main__":
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        asked = [(kind, rate) for kind in KINDS for rate in RATES]
        found = dict(zip(asked, pool.map(partial(run, seed=0), *zip(*asked, strict=True))))
        tried = {kind: {rate: found[kind, rate]["right"] for rate in RATES} for kind in KINDS}
        best = {kind: max(of, key=of.__getitem__) for kind, of in tried.items()}
        more = [(kind, best[kind], seed) for kind in KINDS for seed in SEEDS[1:]]
        rest = list(pool.map(run, *zip(*more, strict=True)))
        every = [(kind, best[kind], seed) for seed in SEEDS for kind in KINDS]
        ran = list(pool.map(partial(run, steps=LONG), *zip(*every, strict=True)))
    long = {kind: [r for (k, *_), r in zip(every, ran) if k == kind] for kind in KINDS}
    runs = {
        kind: [found[kind, best[kind]], *(r for (k, *_), r in zip(more, rest) if k == kind)]
        for kind in KINDS
    }
    sizes = {kind: size(build(kind, load_pretrained()[1].vocab_size)) for kind in KINDS}
    document = {"steps": STEPS, "long_steps": LONG, "sizes": sizes, "tried": tried}
    RESULT.write_text(json.dumps({**document, "runs": runs, "long": long}), "utf-8")
