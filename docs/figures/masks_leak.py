"""A tiny Transformer that learns to reverse its source, with and without the causal mask."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import torch
from matplotlib.figure import Figure
from torch import Tensor
from torch.nn import functional as F

from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer import Transformer, TransformerConfig, causal_mask

Translate = Callable[[str], str]

ALT = (
    "Left: the training loss of two models over 150 steps. Both fall to nearly zero, the one "
    "without the causal mask sooner. Right: the share of correct words. When the right words "
    "before it are given, both models reach about 100 percent. When each model has to go on from "
    "its own words, the one with the mask stays there and the one without falls near chance."
)

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


STEPS = 150


@dataclass(frozen=True)
class Outcome:
    """What one training run gave."""

    losses: list[float]
    given: float  # share of words that are right when the right ones before are given
    written: float  # the same when the model continues its own


def draw(t: Translate) -> Figure:
    """Draw both losses, and beside them what each model can do."""
    with torch.random.fork_rng():
        masked, leaky = train(causal=True), train(causal=False)

    fig = Figure(figsize=(4.8, 3.0), layout="constrained")
    fig.suptitle(t("No causal mask: perfect only in training"))
    left, right = fig.subplots(1, 2, width_ratios=(1, 1.25))
    runs = ((masked, SECOND, "-", t("with the mask")), (leaky, ACCENT, "--", t("without")))
    for offset, (run, colour, line, label) in zip((-0.23, 0.23), runs, strict=True):
        left.plot(run.losses, line, color=colour, label=label)
        shares = [100 * run.given, 100 * run.written]
        bars = right.bar([0 + offset, 1.3 + offset], shares, 0.4, color=colour)
        right.bar_label(bars, fmt="%.0f", size=9)
    left.set(xlabel=t("step"), ylabel=t("training loss"), ylim=(0, None))
    right.set(ylabel=t("correct words (%)"), xlim=(-0.6, 2.6), ylim=(0, 118), yticks=[0, 50, 100])
    right.set_xticks([0, 1.3], [t("training"), t("writing alone")])
    right.axhline(100 / 9, color=MUTED, linestyle=":")
    right.text(1.76, 100 / 9 + 2, t("chance"), color=INK, size=9)
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    fig.legend(loc="outside lower center", ncols=2, frameon=False)
    return fig


@cache
def train(causal: bool) -> Outcome:
    """Train on new random pairs at every step, then measure on others."""
    torch.manual_seed(0)
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
        losses.append(loss.item())
    with torch.no_grad():
        src, tgt = pairs(300)
        words, written = tgt[:, 1:-1], tgt[:, :1]
        given = logits(model, src, tgt[:, :-1], causal).argmax(-1)[:, :-1]
        for _ in range(words.size(1)):
            next_ids = logits(model, src, written, causal)[:, -1:].argmax(-1)
            written = torch.cat([written, next_ids], dim=1)
    right = [(guess == words).float().mean().item() for guess in (given, written[:, 1:])]
    return Outcome(losses, *right)


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
