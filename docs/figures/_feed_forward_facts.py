"""Let feed-forward networks of several widths learn arbitrary facts by heart.

`python -m docs.figures._feed_forward_facts` writes docs/measured/feed_forward_facts.json, which
the figure `feed_forward_facts` draws: three seeds for each width, two minutes on one core. A fact
is a random state of 32 numbers and one of 32 answers, drawn by lot: nothing can be understood, only
remembered.
"""

import json
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional as F

from transformer import PositionwiseFeedForward

RESULT = Path(__file__).parents[1] / "measured" / "feed_forward_facts.json"
SEEDS = (0, 1, 2)
WIDTHS = (8, 16, 32, 64, 128)
D_MODEL = 32
FACTS = 2000
STEPS = 1000


class NoReLU(PositionwiseFeedForward):
    """Two linear maps with nothing between them."""

    def forward(self, x: Tensor) -> Tensor:
        return self.contract(self.expand(x))


def learned(kind: type[PositionwiseFeedForward], d_ff: int, seed: int) -> int:
    """Train one network; return how many facts it then knows."""
    torch.manual_seed(seed)
    states = torch.randn(1, FACTS, D_MODEL)
    answers = torch.randint(D_MODEL, (FACTS,))
    network = kind(D_MODEL, d_ff)
    optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1, 0, STEPS)
    for _ in range(STEPS):
        loss = F.cross_entropy(network(states)[0], answers)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        schedule.step()
    with torch.no_grad():
        return int((network(states)[0].argmax(dim=-1) == answers).sum())


if __name__ == "__main__":
    torch.set_num_threads(1)
    kinds = ("relu", PositionwiseFeedForward, WIDTHS), ("no_relu", NoReLU, WIDTHS[::2])
    record = {
        name: {d_ff: [learned(kind, d_ff, seed) for seed in SEEDS] for d_ff in widths}
        for name, kind, widths in kinds
    }
    RESULT.write_text(json.dumps({"facts": FACTS, "steps": STEPS, **record}), "utf-8")
