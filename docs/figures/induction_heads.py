"""An induction head and the head that it needs, in a model of two layers that is trained here."""

from collections.abc import Callable
from functools import cache
from typing import cast

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch import Tensor, nn
from torch.nn import functional as F

from docs.figures._style import ACCENT, HEATMAP
from transformer import (
    EncoderLayer,
    LayerNorm,
    MultiHeadAttention,
    PositionalEncoding,
    PositionwiseFeedForward,
    attention_scores,
    attention_weights,
    causal_mask,
)

Translate = Callable[[str], str]

ALT = (
    "Two maps of attention weights over the letters C A D B F E H G and a second D. Rows ask, "
    "columns are asked; nothing to the right of a row's own letter is seen. In the first layer "
    "most rows give more than half of their weight to the letter before them. In the second layer "
    "the last row, the second D, gives nearly all its weight to B, the letter that came after the "
    "first D; that cell is outlined."
)
KINDS, LENGTH, WIDTH, STEPS = 12, 8, 32, 400
LETTERS = "CADBFEHG"  # and then D again


class Stack(nn.Module):
    """Layers of attention with one head that see only what came before, and predict the next."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(KINDS, WIDTH)
        self.position = PositionalEncoding(WIDTH, LENGTH + 1)
        self.layers = nn.ModuleList(
            EncoderLayer(
                self_attention=MultiHeadAttention(WIDTH, num_heads=1),
                self_attention_norm=LayerNorm(WIDTH),
                feed_forward=PositionwiseFeedForward(WIDTH, 2 * WIDTH),
                feed_forward_norm=LayerNorm(WIDTH),
                dropout=0.0,
            )
            for _ in range(layers)
        )
        self.output = nn.Linear(WIDTH, KINDS)

    def forward(self, ids: Tensor) -> Tensor:
        x = self.position(self.embedding(ids))
        for layer in self.layers:
            x = layer(x, causal_mask(ids.size(1)))
        return self.output(x[:, -1])


def puzzles(count: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Return rows of different letters, one of them again at the end, and what came after it."""
    letters = torch.rand(count, KINDS, generator=generator).argsort(dim=1)[:, :LENGTH]
    place = torch.randint(LENGTH - 1, (count, 1), generator=generator)
    ids = torch.cat([letters, letters.gather(1, place)], dim=1)
    return ids, letters.gather(1, place + 1)[:, 0]


@cache
def trained(layers: int = 2) -> tuple[Stack, float]:
    """Train, and return the model with the share of new puzzles that it solves."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        generator = torch.Generator().manual_seed(0)
        model = Stack(layers)
        optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
        for _ in range(STEPS):
            ids, follows = puzzles(128, generator)
            loss = F.cross_entropy(model(ids), follows)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        ids, follows = puzzles(2000, generator)
        return model, (model(ids).argmax(dim=1) == follows).float().mean().item()


def maps() -> list[Tensor]:
    """Return the attention weights of both layers for the letters of the picture."""
    model, _ = trained()
    ids = torch.tensor([["ABCDEFGH".index(letter) for letter in f"{LETTERS}D"]])
    mask, found = causal_mask(ids.size(1)), []
    with torch.no_grad():
        x = model.position(model.embedding(ids))
        for layer in cast("list[EncoderLayer]", model.layers):
            attention = cast(MultiHeadAttention, layer.self_attention)
            q = attention.split_heads(attention.q_proj(x), attention.d_k)
            k = attention.split_heads(attention.k_proj(x), attention.d_k)
            found.append(attention_weights(attention_scores(q, k), mask)[0, 0])
            x = layer(x, mask)
    return found


def draw(t: Translate) -> Figure:
    """Draw the two maps side by side."""
    fig = Figure(figsize=(4.8, 3.1), layout="constrained")
    fig.suptitle(t("Layer 1 looks one letter back;\nlayer 2 finds what came after D"), size=11)
    titles = t("layer 1"), t("layer 2")
    cells = ((3, 2), (8, 3))  # what the text speaks of: row and column
    letters = [*LETTERS, "D"]
    for axes, weights, title, (row, column) in zip(fig.subplots(1, 2), maps(), titles, cells):
        axes.imshow(weights.numpy(), cmap=HEATMAP, vmin=0, vmax=1)
        axes.set_xticks(range(len(letters)), letters)
        axes.set_yticks(range(len(letters)), letters)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        frame = Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, edgecolor=ACCENT, lw=2.2)
        axes.add_patch(frame)
        axes.set_title(title, size=10)
    return fig


def claims() -> dict[str, bool]:
    """Say of title, description and page whether they are so."""
    first, second = maps()
    before = [first[row, row - 1].item() for row in range(1, LENGTH)]
    return {
        "two layers solve it": trained(2)[1] > 0.95,
        "one layer does not": trained(1)[1] < 0.25,
        "layer 1: most rows more than half": sum(weight > 0.5 for weight in before) >= 4,
        "layer 2: nearly all to B": second[-1, 3].item() > 0.75,
    }
