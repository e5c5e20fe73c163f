"""What decoding remembers, so that each new token costs one row of work."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional as F

Keys = Float[Tensor, "batch num_heads k_len d_k"]
Values = Float[Tensor, "batch num_heads k_len d_v"]


class KeyValueCache:
    """The projected keys and values of one attention.

    In self-attention they grow with every call; in cross-attention they are those of the
    encoder's memory, computed in the first call and used again in all others.

    Args:
        grows: Whether later calls add keys (self-attention) or use the first ones again.
    """

    def __init__(self, grows: bool) -> None:
        self.grows = grows
        self.length = 0
        self._buffers: tuple[Tensor, Tensor] | None = None  # with room after the last key

    @property
    def entries(self) -> tuple[Keys, Values] | None:
        """All keys and values so far; None before the first."""
        if self._buffers is None:
            return None
        return self._buffers[0][:, :, : self.length], self._buffers[1][:, :, : self.length]

    @property
    def fixed(self) -> tuple[Keys, Values] | None:
        """Keys and values that need no projection any more: those of the memory, once known."""
        return None if self.grows else self.entries

    def add(
        self,
        keys: Float[Tensor, "batch num_heads new_len d_k"],
        values: Float[Tensor, "batch num_heads new_len d_v"],
    ) -> tuple[Keys, Values]:
        """Append new keys and values along the sequence and return all of them.

        Args:
            keys: Shape `(batch, num_heads, new_len, d_k)`.
            values: Shape `(batch, num_heads, new_len, d_v)`.

        Returns:
            All keys and all values so far, `k_len` of them.
        """
        new_len = keys.size(2)
        if self._buffers is not None:
            keys = _append(self._buffers[0], self.length, keys)
            values = _append(self._buffers[1], self.length, values)
        self._buffers = keys, values
        self.length += new_len
        return keys[:, :, : self.length], values[:, :, : self.length]

    def select(self, rows: Int[Tensor, " rows"]) -> None:
        """Keep the given rows of the batch, in that order; a row may be kept twice."""
        if self._buffers is not None:
            keys, values = self._buffers
            selected_keys = _select(keys, self.length, rows)
            self._buffers = selected_keys, _select(values, self.length, rows)


def _append(buffer: Tensor, length: int, new: Tensor) -> Tensor:
    """Write after the first `length` positions, in place or into a copy with twice the room."""
    end = length + new.size(2)
    if end > buffer.size(2) or _is_protected(buffer):
        buffer = F.pad(buffer[:, :, :length], (0, 0, 0, end))
    buffer[:, :, length:end] = new
    return buffer


def _select(buffer: Tensor, length: int, rows: Tensor) -> Tensor:
    """Copy what is filled, back into the buffer where it may change: that keeps its room."""
    selected = buffer[:, :, :length].index_select(0, rows)
    if len(rows) > len(buffer) or _is_protected(buffer):
        return selected
    buffer = buffer[: len(rows)]
    buffer[:, :, :length] = selected
    return buffer


def _is_protected(buffer: Tensor) -> bool:
    """Whether a backward pass may need the buffer as it is, or PyTorch forbids to change it."""
    only_for_inference = buffer.is_inference() and not torch.is_inference_mode_enabled()
    return torch.is_grad_enabled() or only_for_inference


class LayerCache:
    """The two caches of one decoder layer: self-attention's and cross-attention's."""

    def __init__(self) -> None:
        self.self_attention = KeyValueCache(grows=True)
        self.cross_attention = KeyValueCache(grows=False)


class DecoderCache:
    """Everything a decoder remembers of the tokens it has seen: made by `model.new_cache()`.

    It belongs to one batch and one memory: for other sentences, make another.

    Args:
        num_layers: Number of decoder layers.

    Example:
        >>> cache = DecoderCache(num_layers=6)
        >>> len(cache.layers), cache.length
        (6, 0)
    """

    def __init__(self, num_layers: int) -> None:
        self.layers = [LayerCache() for _ in range(num_layers)]
        self.length = 0  # target tokens seen so far, padding included
        self.padding: Tensor | None = None  # the padding mask of the tokens so far

    def add_padding(
        self, mask: Bool[Tensor, "batch 1 1 new_len"]
    ) -> Bool[Tensor, "batch 1 1 k_len"]:
        """Append the padding mask of new tokens and return the mask of all tokens."""
        if self.padding is not None:
            mask = torch.cat([self.padding, mask], dim=-1)
        self.padding = mask
        return mask

    def select(self, rows: Int[Tensor, " rows"], same_memory: bool = False) -> None:
        """Keep the given rows of the batch, in that order: how beam search follows its beams.

        Args:
            rows: Row numbers, shape `(rows,)`; a row may be kept twice.
            same_memory: Whether each row kept has the memory of the row whose place it takes,
                as beams of one sentence do; the memory's keys and values are then not copied.

        Example:
            >>> cache = DecoderCache(num_layers=1)
            >>> _ = cache.add_padding(torch.tensor([[[[True]]], [[[False]]]]))
            >>> cache.select(torch.tensor([1, 1, 0]))
            >>> cache.padding.flatten()
            tensor([False, False,  True])
        """
        if self.padding is not None:
            self.padding = self.padding[rows]
        for layer in self.layers:
            layer.self_attention.select(rows)
            if not same_memory:
                layer.cross_attention.select(rows)
