"""The shipped model, spoilt more and more: what teacher forcing reports, and what it writes."""

from collections.abc import Callable
from copy import deepcopy
from functools import cache

import torch
from matplotlib.figure import Figure

from docs.figures._sentences import sentences
from docs.figures._style import ACCENT, INK, SECOND
from transformer import Transformer, collate
from transformer.inference.evaluation import score
from transformer.inference.shipped import load_pretrained
from transformer.inference.translation import translate
from transformer.training.teacher_forcing import validate

Translate = Callable[[str], str]

ALT = (
    "Three curves over the strength of the noise in the parameters. All begin near 100. The share "
    "of tokens that are right under teacher forcing falls last; BLEU of the decoded translations "
    "falls before it, exact match first. In the middle most tokens are still right and few "
    "sentences are."
)
STRENGTHS = (0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9)
SENTENCES = 100


def draw(t: Translate) -> Figure:
    """Draw three scores for each strength of noise."""
    fig = Figure(figsize=(4.8, 3.4), layout="constrained")
    axes = fig.subplots()
    looks = (
        (t("tokens right, teacher-forced"), INK, "--"),
        (t("BLEU, decoded"), SECOND, "-"),
        (t("exact match, decoded"), ACCENT, "-"),
    )
    for curve, (label, colour, line) in zip(measure(), looks, strict=True):
        axes.plot(STRENGTHS, curve, line, color=colour, marker="o", markersize=4, label=label)
    axes.set(xlabel=t("noise in the parameters"), ylabel=t("score (0 to 100)"), ylim=(-3, 105))
    axes.spines[["top", "right"]].set_visible(False)
    fig.suptitle(t("Many tokens right, few sentences"), size=11)
    fig.legend(loc="outside lower center", ncols=1, frameon=False)
    return fig


def measure() -> tuple[list[float], list[float], list[float]]:
    """Three scores for each strength: tokens right, BLEU, exact match."""
    tokens, bleu, exact = zip(*(scores(strength) for strength in STRENGTHS), strict=True)
    return list(tokens), list(bleu), list(exact)


@cache
def scores(strength: float, seed: int = 0) -> tuple[float, float, float]:
    """What one spoilt model gets: tokens right, BLEU, exact match."""
    model, tokenizer = load_pretrained()
    pairs = sentences(SENTENCES)
    sources, references = [pair.source for pair in pairs], [pair.target for pair in pairs]
    ids = [(tokenizer.encode_source(p.source), tokenizer.encode_target(p.target)) for p in pairs]
    spoilt = spoil(model, strength, seed)
    decoded = score(translate(spoilt, tokenizer, sources), references).overall
    accuracy = 100 * validate(spoilt, [collate(ids)]).accuracy
    return accuracy, decoded.bleu, decoded.exact_match


def spoil(model: Transformer, strength: float, seed: int) -> Transformer:
    """A copy with normal noise on every matrix, as large as `strength` times its own spread."""
    spoilt, seeded = deepcopy(model), torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in spoilt.parameters():
            if weight.dim() > 1:
                noise = torch.randn(weight.shape, generator=seeded)
                weight.add_(strength * weight.std() * noise)
    return spoilt


def claims() -> dict[str, bool]:
    """Say of the page's numbers, from three draws of noise, whether they are so."""
    tokens, _, exact = zip(*(scores(0.6, seed) for seed in range(3)), strict=True)
    return {
        "93% to 96% of the tokens": abs(min(tokens) - 93) < 1 and abs(max(tokens) - 96) < 1,
        "40 to 59 of 100 sentences": abs(min(exact) - 40) <= 3 and abs(max(exact) - 59) <= 3,
    }
