"""What decoding remembers, so that each new token costs one row of work."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional as F

from transformer.arguments import autocast_dtype

Keys = Float[Tensor, "batch num_heads k_len d_k"]
Values = Float[Tensor, "batch num_heads k_len d_v"]


class KeyValueCache:
    """The projected keys and values of one attention.

    In self-attention they grow with every call; in cross-attention they are those of the
    encoder's memory, computed in the first call and used again in all others.

    Args:
        grows: Whether later calls add keys (self-attention) or use the first ones again.

    Example:
        >>> cache = KeyValueCache(grows=True)
        >>> step = torch.zeros(1, 8, 1, 64)
        >>> keys, values = cache.add(step, step)
        >>> keys, values = cache.add(step, step)
        >>> keys.shape
        torch.Size([1, 8, 2, 64])
    """

    def __init__(self, grows: bool) -> None:
        self.grows = grows
        self.length = 0
        self._buffers: tuple[Tensor, Tensor] | None = None  # with room behind the last key

    @property
    def entries(self) -> tuple[Keys, Values] | None:
        """All keys and values so far; None before the first."""
        return None if self._buffers is None else self._filled(*self._buffers)

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
        old_keys, old_values = self._buffers or (keys[:, :, :0], values[:, :, :0])
        new_keys = _write(old_keys, self.length, keys)
        self._buffers = new_keys, _write(old_values, self.length, values)
        self.length += keys.size(2)
        return self._filled(*self._buffers)

    def select(self, rows: Int[Tensor, " rows"]) -> None:
        """Keep the given rows of the batch, in that order; a row may be kept twice.

        Args:
            rows: Row numbers, shape `(rows,)`.
        """
        if self._buffers is not None:
            keys, values = self._buffers
            self._buffers = (
                _select(keys, self.length, rows),
                _select(values, self.length, rows),
            )

    def _filled(self, keys: Tensor, values: Tensor) -> tuple[Keys, Values]:
        return keys[:, :, : self.length], values[:, :, : self.length]


def _write(buffer: Tensor, length: int, new: Tensor) -> Tensor:
    """Write behind the first `length` positions, in place or into a copy with twice the room."""
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
    """The two caches of one decoder layer: self-attention's and cross-attention's.

    Example:
        >>> layer = LayerCache()
        >>> layer.self_attention.grows, layer.cross_attention.grows
        (True, False)
    """

    def __init__(self) -> None:
        self.self_attention = KeyValueCache(grows=True)
        self.cross_attention = KeyValueCache(grows=False)

    def select(self, rows: Int[Tensor, " rows"], same_memory: bool = False) -> None:
        """Keep the given rows of the batch in both caches.

        Args:
            rows: Row numbers, shape `(rows,)`.
            same_memory: Whether to leave the cache of cross-attention as it is.
        """
        self.self_attention.select(rows)
        if not same_memory:
            self.cross_attention.select(rows)


class DecoderCache:
    """Everything a decoder remembers of the tokens it has seen: made by `model.new_cache()`.

    Args:
        num_layers: Number of decoder layers.

    Example:
        >>> cache = DecoderCache(num_layers=6)
        >>> cache.length
        0
        >>> mask = cache.remember(torch.tensor([[[[True, True, False]]]]))
        >>> cache.length
        3
    """

    def __init__(self, num_layers: int) -> None:
        self.layers = [LayerCache() for _ in range(num_layers)]
        self.padding: Tensor | None = None
        self.padded = False  # whether a token so far may be padding
        self._memory: Tensor | None = None  # None after `select`: then the next one is believed
        self._precision: torch.dtype | None = None

    @property
    def length(self) -> int:
        """Number of target tokens seen so far, padding included."""
        return 0 if self.padding is None else self.padding.size(-1)

    def remember(
        self,
        mask: Bool[Tensor, "batch 1 1 new_len"],
        memory: Float[Tensor, "batch src_len d_model"] | None = None,
        padded: bool = True,
    ) -> Bool[Tensor, "batch 1 1 k_len"]:
        """Append the padding mask of new tokens and return the mask of all of them.

        Args:
            mask: True where a new token is not padding, shape `(batch, 1, 1, new_len)`.
            memory: The encoder's output, for `check` to compare that of later calls with.
            padded: Whether a new token may be padding.

        Returns:
            The mask of every token so far, shape `(batch, 1, 1, k_len)`.

        Raises:
            ValueError: If the batch size differs from that of earlier calls.
        """
        if self.padding is not None:
            if mask.size(0) != self.padding.size(0):
                raise ValueError(
                    f"this cache holds a batch of {self.padding.size(0)}: got one of "
                    f"{mask.size(0)} (select rows, or start with a new cache)"
                )
            mask = torch.cat([self.padding, mask], dim=-1)
        self.padding = mask
        self.padded = self.padded or padded
        if memory is not None:
            self._memory, self._precision = memory, _precision(memory)
        return mask

    def check(self, num_layers: int, memory: Float[Tensor, "batch src_len d_model"]) -> None:
        """Refuse a model, a memory or a precision that is not the one of earlier calls.

        Args:
            num_layers: Number of decoder layers of the model.
            memory: The encoder's output, shape `(batch, src_len, d_model)`.

        Raises:
            ValueError: If one of them differs from what the cache was made for or holds.
        """
        if len(self.layers) != num_layers:
            raise ValueError(
                f"this cache is for {len(self.layers)} decoder layers: got {num_layers} "
                "(make it with model.new_cache())"
            )
        known = self.layers[0].cross_attention.fixed
        if known is not None and known[0].size(2) != memory.size(1):
            raise ValueError(
                f"this cache holds a memory of length {known[0].size(2)}: got one of "
                f"{memory.size(1)} (start with a new cache)"
            )
        if not self._is_known(memory):
            raise ValueError("this cache holds another memory (start with a new cache)")
        if self._precision not in (None, _precision(memory)):
            raise ValueError(
                f"this cache was filled in {self._precision}: got a call in {_precision(memory)} "
                "(use it either under autocast or without)"
            )

    def _is_known(self, memory: Tensor) -> bool:
        """Whether it is the memory of earlier calls: most often the very object."""
        known = self._memory
        if known is None or known is memory or torch.compiler.is_compiling() or memory.is_meta:
            return True
        return known.shape != memory.shape or torch.equal(known, memory)  # shapes: told elsewhere

    def select(self, rows: Int[Tensor, " rows"], same_memory: bool = False) -> None:
        """Keep the given rows of the batch, in that order: how beam search follows its beams.

        Args:
            rows: Row numbers, shape `(rows,)`; a row may be kept twice.
            same_memory: Whether each row kept has the memory of the row whose place it takes,
                as beams of one sentence do; the memory's keys and values are then not copied.

        Raises:
            ValueError: If `same_memory` is True and the number of rows changes.

        Example:
            >>> cache = DecoderCache(num_layers=1)
            >>> _ = cache.remember(torch.tensor([[[[True]]], [[[False]]]]))
            >>> cache.select(torch.tensor([1, 1, 0]))
            >>> cache.padding.flatten()
            tensor([False, False,  True])
        """
        if self.padding is not None:
            if same_memory and len(rows) != len(self.padding):
                raise ValueError(
                    f"same_memory needs a row for each of {len(self.padding)}: got {len(rows)}"
                )
            self.padding = self.padding[rows]
        if not same_memory:
            self._memory = None
        for layer in self.layers:
            layer.select(rows, same_memory)


def _precision(memory: Tensor) -> torch.dtype:
    """What the projections of a memory are computed in."""
    return autocast_dtype(memory.device.type) or memory.dtype
