"""From ids to vectors that know their place: token embeddings and positions."""

import math
from collections.abc import Callable

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F


class TokenEmbedding(nn.Module):
    """Look up one row per id and multiply it by √d_model (§3.4).

    The rows start as N(0, 1/d_model), so that after the scaling every entry has variance 1.
    Padding embeds to zero, whatever its row holds.

    Args:
        vocab_size: Number of ids, and of rows.
        d_model: Width of a row.
        pad_id: The id that embeds to zero.

    Example:
        >>> embedding = TokenEmbedding(vocab_size=10, d_model=4, pad_id=0)
        >>> embedding(torch.tensor([[5, 7, 0]])).shape
        torch.Size([1, 3, 4])
        >>> embedding(torch.tensor([[0]]))
        tensor([[[0., 0., 0., 0.]]], grad_fn=<MaskedFillBackward0>)
    """

    def __init__(self, vocab_size: int, d_model: int, pad_id: int = 0) -> None:
        super().__init__()
        self.pad_id = pad_id
        self.weight = nn.Parameter(torch.randn(vocab_size, d_model) / math.sqrt(d_model))
        with torch.no_grad():
            self.weight[pad_id] = 0

    def forward(self, ids: Int[Tensor, "batch seq_len"]) -> Float[Tensor, "batch seq_len d_model"]:
        """Return the scaled rows.

        Args:
            ids: Token ids, shape `(batch, seq_len)`; they are moved to the weights.

        Returns:
            Vectors, shape `(batch, seq_len, d_model)`.
        """
        ids = ids.to(self.weight.device)
        vectors = F.embedding(ids, self.weight) * math.sqrt(self.weight.size(1))
        return vectors.masked_fill((ids == self.pad_id).unsqueeze(-1), 0)


class PositionalEncoding(nn.Module):
    """Add sines and cosines of the position, of wavelengths from 2π towards 10000·2π (§3.5).

    The table is a buffer, not a parameter: it moves with the module and is never trained.
    It follows from the sizes, so `state_dict` leaves it out.

    Args:
        d_model: Width of the states, an even number.
        max_len: Number of positions in the table.

    Example:
        >>> encoding = PositionalEncoding(d_model=4, max_len=10)
        >>> encoding(torch.zeros(1, 2, 4))
        tensor([[[0.0000, 1.0000, 0.0000, 1.0000],
                 [0.8415, 0.5403, 0.0100, 0.9999]]])
    """

    table: Tensor

    def __init__(self, d_model: int, max_len: int = 512) -> None:
        super().__init__()
        self.register_buffer("table", torch.empty(max_len, d_model), persistent=False)
        self.reset_parameters()

    @torch.no_grad()
    def reset_parameters(self) -> None:
        """Compute the table in double precision, which not every device has: on the processor."""
        max_len, d_model = self.table.shape
        position = torch.arange(max_len, dtype=torch.float64, device="cpu").unsqueeze(1)
        even = torch.arange(0, d_model, 2, dtype=torch.float64, device="cpu")
        angle = position / 10000 ** (even / d_model)  # (max_len, d_model / 2)
        table = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)  # sin, cos, sin, …
        self.table.copy_(table.to(self.table.dtype))

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> "PositionalEncoding":
        """Compute the table anew wherever the module goes: `to_empty` leaves it without numbers."""
        before = self.table
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        if self.table is not before:
            self.reset_parameters()
        return self

    def forward(
        self, x: Float[Tensor, "batch seq_len d_model"], start: int = 0
    ) -> Float[Tensor, "batch seq_len d_model"]:
        """Add the encodings of positions `start`, `start + 1`, ….

        Args:
            x: States, shape `(batch, seq_len, d_model)`.
            start: Position of the first state; above 0 when decoding goes on from a cache.

        Returns:
            The sum, shape `(batch, seq_len, d_model)`.

        Raises:
            ValueError: If a position reaches `max_len`.
        """
        return x + _rows(self.table, start, x)


class LearnedPositionalEmbedding(nn.Module):
    """Add a trained vector for each position: the alternative of Table 3, row (E).

    Args:
        d_model: Width of the states.
        max_len: Number of positions in the table.

    Example:
        >>> embedding = LearnedPositionalEmbedding(d_model=4, max_len=10)
        >>> embedding(torch.zeros(2, 3, 4)).shape
        torch.Size([2, 3, 4])
        >>> embedding(torch.zeros(1, 11, 4))
        Traceback (most recent call last):
        ...
        ValueError: the sequence must end by max_len=10: got positions 0 to 10
    """

    def __init__(self, d_model: int, max_len: int = 512) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(max_len, d_model) / math.sqrt(d_model))

    def forward(
        self, x: Float[Tensor, "batch seq_len d_model"], start: int = 0
    ) -> Float[Tensor, "batch seq_len d_model"]:
        """Add the vectors of positions `start`, `start + 1`, ….

        Args:
            x: States, shape `(batch, seq_len, d_model)`.
            start: Position of the first state; above 0 when decoding goes on from a cache.

        Returns:
            The sum, shape `(batch, seq_len, d_model)`.

        Raises:
            ValueError: If a position reaches `max_len`.
        """
        return x + _rows(self.weight, start, x)


def _rows(table: Tensor, start: int, x: Tensor) -> Tensor:
    count = x.size(1)
    if start + count > table.size(0):
        raise ValueError(
            f"the sequence must end by max_len={table.size(0)}: "
            f"got positions {start} to {start + count - 1}"
        )
    return table[start : start + count]
