"""What is measured: the base model, the shipped one, and a tiny one to see that all runs."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Sizes:
    """Sizes of the model, of its input, and how often each run is repeated."""

    vocab_size: int
    d_model: int
    num_heads: int
    num_layers: int
    d_ff: int
    batch: int
    length: int  # tokens of each source, of each target, and to be written
    rounds: int

    def ids(self, seed: int) -> Tensor:
        """Random ids without special ones, shape `(batch, length)`."""
        generator = torch.Generator().manual_seed(seed)
        return torch.randint(4, self.vocab_size, (self.batch, self.length), generator=generator)


BASE = Sizes(8000, 512, 8, 6, 2048, batch=8, length=64, rounds=5)
SHIPPED = Sizes(1593, 128, 4, 2, 512, batch=8, length=16, rounds=5)
QUICK = Sizes(100, 32, 2, 1, 64, batch=2, length=8, rounds=1)
