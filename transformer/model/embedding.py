"""From ids to vectors that know their place: token embeddings and positions."""

import math
from collections.abc import Callable

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer.arguments import check_ids, check_integer, check_states


class TokenEmbedding(nn.Module):
    """Look up one row per id and multiply it by √d_model (§3.4).

    The rows start as N(0, 1/d_model), so that after the scaling every entry has variance 1.
    Padding embeds to zero, whatever its row holds.

    Args:
        vocab_size: Number of ids, and of rows.
        d_model: Width of a row.
        pad_id: The id that embeds to zero.

    Raises:
        TypeError: If a size is not an integer.
        ValueError: If a size is below 1, or `pad_id` is outside the vocabulary.

    Example:
        >>> embedding = TokenEmbedding(vocab_size=10, d_model=4, pad_id=0)
        >>> embedding(torch.tensor([[5, 7, 0]])).shape
        torch.Size([1, 3, 4])
        >>> embedding(torch.tensor([[0]]))
        tensor([[[0., 0., 0., 0.]]], grad_fn=<MaskedFillBackward0>)
        >>> embedding(torch.tensor([[5, 10]]))
        Traceback (most recent call last):
        ...
        ValueError: ids must be from 0 to 9 (vocab_size=10): got 10
    """

    def __init__(self, vocab_size: int, d_model: int, pad_id: int = 0) -> None:
        super().__init__()
        check_integer("vocab_size", vocab_size, 1)
        check_integer("d_model", d_model, 1)
        self.pad_id = check_integer("pad_id", pad_id, 0, max=vocab_size - 1)
        self.weight = nn.Parameter(torch.randn(vocab_size, d_model) / math.sqrt(d_model))
        with torch.no_grad():
            self.weight[pad_id] = 0

    def forward(self, ids: Int[Tensor, "batch seq_len"]) -> Float[Tensor, "batch seq_len d_model"]:
        """Return the scaled rows.

        Args:
            ids: Token ids, shape `(batch, seq_len)`; they are moved to the weights.

        Returns:
            Vectors, shape `(batch, seq_len, d_model)`.

        Raises:
            TypeError: If `ids` is not a tensor of integers.
            ValueError: If `ids` is empty, has not two dimensions, or holds an id outside
                the vocabulary. Ids that are on an accelerator already are not checked: to look
                at them would make the program wait.
        """
        vocab_size, d_model = self.weight.shape
        _check_ids(ids, vocab_size)
        ids = ids.to(self.weight.device)
        vectors = F.embedding(ids, self.weight) * math.sqrt(d_model)
        return vectors.masked_fill((ids == self.pad_id).unsqueeze(-1), 0)


class PositionalEncoding(nn.Module):
    """Add sines and cosines of the position, of wavelengths from 2π towards 10000·2π (§3.5).

    The table is a buffer, not a parameter: it moves with the module and is never trained.
    It follows from the sizes, so `state_dict` leaves it out.

    Args:
        d_model: Width of the states, an even number.
        max_len: Number of positions in the table.

    Raises:
        TypeError: If a size is not an integer.
        ValueError: If a size is below 1, or `d_model` is odd.

    Example:
        >>> encoding = PositionalEncoding(d_model=4, max_len=10)
        >>> encoding(torch.zeros(1, 2, 4))
        tensor([[[0.0000, 1.0000, 0.0000, 1.0000],
                 [0.8415, 0.5403, 0.0100, 0.9999]]])
    """

    table: Tensor

    def __init__(self, d_model: int, max_len: int = 512) -> None:
        super().__init__()
        check_integer("max_len", max_len, 1)
        if check_integer("d_model", d_model, 1) % 2:
            raise ValueError(f"d_model must be even for sinusoidal positions: got {d_model}")
        self.register_buffer("table", torch.empty(max_len, d_model), persistent=False)
        self.reset_parameters()

    @torch.no_grad()
    def reset_parameters(self) -> None:
        """Compute the table, in double precision, into the place that it has."""
        max_len, d_model = self.table.shape
        device = self.table.device
        position = torch.arange(max_len, dtype=torch.float64, device=device).unsqueeze(1)
        even = torch.arange(0, d_model, 2, dtype=torch.float64, device=device)
        angle = position / 10000 ** (even / d_model)  # (max_len, d_model / 2)
        table = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)  # sin, cos, sin, …
        self.table.copy_(table)

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
            TypeError: If `x` is not a tensor of states.
            ValueError: If `x` has another shape, or a position reaches `max_len`.
        """
        return x + _rows(self.table, start, x)


class LearnedPositionalEmbedding(nn.Module):
    """Add a trained vector for each position: the alternative of Table 3, row (E).

    Args:
        d_model: Width of the states.
        max_len: Number of positions in the table.

    Raises:
        TypeError: If a size is not an integer.
        ValueError: If a size is below 1.

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
        check_integer("d_model", d_model, 1)
        check_integer("max_len", max_len, 1)
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
            TypeError: If `x` is not a tensor of states.
            ValueError: If `x` has another shape, or a position reaches `max_len`.
        """
        return x + _rows(self.weight, start, x)


def _rows(table: Tensor, start: int, x: Tensor) -> Tensor:
    check_states(table.size(1), x=x)
    if not torch.compiler.is_compiling():
        check_integer("start", start, 0)
    count = x.size(1)
    if start + count > table.size(0):
        raise ValueError(
            f"the sequence must end by max_len={table.size(0)}: "
            f"got positions {start} to {start + count - 1}"
        )
    return table[start : start + count]


def _check_ids(ids: Tensor, vocab_size: int) -> None:
    check_ids("ids", ids)
    if ids.numel() == 0:
        raise ValueError(f"ids must hold at least one token: got shape {tuple(ids.shape)}")
    if not torch.compiler.is_compiling() and ids.is_cpu:  # elsewhere, looking means waiting
        low, high = int(ids.min()), int(ids.max())
        if low < 0 or high >= vocab_size:
            wrong = low if low < 0 else high
            raise ValueError(
                f"ids must be from 0 to {vocab_size - 1} (vocab_size={vocab_size}): got {wrong}"
            )
