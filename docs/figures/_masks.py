"""Leave out the causal mask in training, or the padding mask when a trained model translates.

`python -m docs.figures._masks` writes docs/measured/masks.json, which the figure `masks_leak` draws
and the page on masks quotes: three seeds with the causal mask and three without, of the small
model on that page, and the shipped model on sentences padded without a mask: about three minutes.
"""

import json
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from transformer import (
    Transformer,
    TransformerConfig,
    causal_mask,
    generate_pairs,
    load_pretrained,
    padding_mask,
)

RESULT = Path(__file__).parents[1] / "measured" / "masks.json"
SEEDS = (0, 1, 2)
STEPS = 150
CONFIG = TransformerConfig(
    src_vocab_size=12,
    tgt_vocab_size=12,
    d_model=32,
    num_heads=2,
    d_ff=64,
    num_encoder_layers=1,
    num_decoder_layers=1,
    dropout=0.0,
)
SENTENCES = 150
PADDINGS = (0, 10, 40)


def leak(causal: bool, seed: int) -> dict[str, Any]:
    """Train on new random pairs at every step, then measure on others.

    `given` is the share of words that are right when the right ones before are given, `written`
    the same when the model continues its own.
    """
    torch.manual_seed(seed)
    model = Transformer(CONFIG)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1, 0, total_iters=STEPS)
    losses = []
    for _ in range(STEPS):
        src, tgt = pairs(32)
        scores = logits(model, src, tgt[:, :-1], causal)
        loss = F.cross_entropy(scores.transpose(1, 2), tgt[:, 1:])
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        schedule.step()
        losses.append(round(loss.item(), 4))
    with torch.no_grad():
        src, tgt = pairs(300)
        words, written = tgt[:, 1:-1], tgt[:, :1]
        given = logits(model, src, tgt[:, :-1], causal).argmax(-1)[:, :-1]
        for _ in range(words.size(1)):
            next_ids = logits(model, src, written, causal)[:, -1:].argmax(-1)
            written = torch.cat([written, next_ids], dim=1)
    shares = [(guess == words).float().mean().item() for guess in (given, written[:, 1:])]
    return {"loss": losses, "given": round(shares[0], 4), "written": round(shares[1], 4)}


def pairs(count: int) -> tuple[Tensor, Tensor]:
    """Return random sources of five words, and targets: begin, the words reversed, end."""
    src = torch.randint(3, 12, (count, 5))
    begin, end = torch.full((count, 1), 1), torch.full((count, 1), 2)
    return src, torch.cat([begin, src.flip(1), end], dim=1)


def logits(model: Transformer, src: Tensor, tgt: Tensor, causal: bool) -> Tensor:
    """Run the model, its causal mask left out on demand."""
    mask = causal_mask(tgt.size(1)) if causal else None
    x = model.tgt_position(model.tgt_embedding(tgt))
    return model.project(model.decoder(x, model.encode(src), mask))


@torch.no_grad()
def padded(count: int, masked: bool) -> int:
    """Count the sentences that the shipped model gets right with so many padding tokens behind."""
    model, tokenizer = load_pretrained()
    right = 0
    for pair in islice(generate_pairs(0, "validation"), SENTENCES):
        ids = [*tokenizer.encode_source(pair.source), *[tokenizer.pad_id] * count]
        src = torch.tensor([ids])
        mask = padding_mask(src, tokenizer.pad_id) if masked else None
        memory = model.encoder(model.src_position(model.src_embedding(src)), mask)
        tgt, cache = torch.tensor([[tokenizer.bos_id]]), model.new_cache()
        written: list[int] = []
        while len(written) < 50 and tokenizer.eos_id not in written:
            scores = model.project(model.decode(tgt, memory, mask, cache))[0, -1]
            scores[[tokenizer.pad_id, tokenizer.bos_id]] = -torch.inf  # never written
            tgt = scores.argmax().view(1, 1)
            written.append(int(tgt))
        right += tokenizer.decode(written) == pair.target
    return right


if __name__ == "__main__":
    torch.set_num_threads(1)
    runs = {name: [leak(name == "masked", seed) for seed in SEEDS] for name in ("masked", "leaky")}
    without = {count: padded(count, masked=False) for count in PADDINGS}
    counts = {
        "sentences": SENTENCES,
        "with": padded(max(PADDINGS), masked=True),
        "without": without,
    }
    RESULT.write_text(json.dumps({**runs, "padding": counts}), "utf-8")
