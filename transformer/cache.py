"""What decoding remembers, so that each new token costs one row of work."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

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
        self.entries: tuple[Tensor, Tensor] | None = None

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
        if self.entries is not None:
            old_keys, old_values = self.entries
            keys = torch.cat([old_keys, keys], dim=2)
            values = torch.cat([old_values, values], dim=2)
        self.entries = keys, values
        return self.entries

    def select(self, rows: Int[Tensor, " rows"]) -> None:
        """Keep the given rows of the batch, in that order; a row may be kept twice.

        Args:
            rows: Row numbers, shape `(rows,)`.
        """
        if self.entries is not None:
            keys, values = self.entries
            self.entries = keys[rows], values[rows]


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

    def select(self, rows: Int[Tensor, " rows"]) -> None:
        """Keep the given rows of the batch in both caches.

        Args:
            rows: Row numbers, shape `(rows,)`.
        """
        self.self_attention.select(rows)
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

    @property
    def length(self) -> int:
        """Number of target tokens seen so far, padding included."""
        return 0 if self.padding is None else self.padding.size(-1)

    def remember(self, mask: Bool[Tensor, "batch 1 1 new_len"]) -> Bool[Tensor, "batch 1 1 k_len"]:
        """Append the padding mask of new tokens and return the mask of all of them.

        Args:
            mask: True where a new token is not padding, shape `(batch, 1, 1, new_len)`.

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
        return mask

    def check(self, num_layers: int, src_len: int) -> None:
        """Refuse a model or a memory that is not the one of earlier calls.

        Args:
            num_layers: Number of decoder layers of the model.
            src_len: Length of the memory.

        Raises:
            ValueError: If one of them differs from what the cache was made for or holds.
        """
        if len(self.layers) != num_layers:
            raise ValueError(
                f"this cache is for {len(self.layers)} decoder layers: got {num_layers} "
                "(make it with model.new_cache())"
            )
        known = self.layers[0].cross_attention.fixed
        if known is not None and known[0].size(2) != src_len:
            raise ValueError(
                f"this cache holds a memory of length {known[0].size(2)}: got one of {src_len} "
                "(start with a new cache)"
            )

    def select(self, rows: Int[Tensor, " rows"]) -> None:
        """Keep the given rows of the batch, in that order: how beam search follows its beams.

        Args:
            rows: Row numbers, shape `(rows,)`; a row may be kept twice.

        Example:
            >>> cache = DecoderCache(num_layers=1)
            >>> _ = cache.remember(torch.tensor([[[[True]]], [[[False]]]]))
            >>> cache.select(torch.tensor([1, 1, 0]))
            >>> cache.padding.flatten()
            tensor([False, False,  True])
        """
        if self.padding is not None:
            self.padding = self.padding[rows]
        for layer in self.layers:
            layer.select(rows)
