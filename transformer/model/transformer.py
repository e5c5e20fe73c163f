"""The whole model: embeddings, encoder, decoder and output layer."""

from collections.abc import Callable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from transformer.arguments import check_ids, check_states
from transformer.model.cache import DecoderCache
from transformer.model.config import TransformerConfig
from transformer.model.decoder import Decoder
from transformer.model.embedding import (
    LearnedPositionalEmbedding,
    PositionalEncoding,
    TokenEmbedding,
)
from transformer.model.encoder import Encoder
from transformer.model.masks import causal_mask, check_mask, padding_mask


class Transformer(nn.Module):
    """The encoder-decoder of the paper, from ids to logits (§3, figure 1).

    Args:
        config: Every size and choice.

    Raises:
        TypeError: If `config` is not a `TransformerConfig`.

    Example:
        >>> import torch
        >>> config = TransformerConfig(100, 120, d_model=16, num_heads=2, d_ff=32)
        >>> model = Transformer(config)
        >>> src = torch.tensor([[5, 6, 7, 2]])
        >>> tgt = torch.tensor([[1, 8, 9]])
        >>> model(src, tgt).shape
        torch.Size([1, 3, 120])
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        if not isinstance(config, TransformerConfig):
            raise TypeError(f"config must be a TransformerConfig: got {type(config).__name__}")
        self.config = config
        c = config
        self.src_embedding = TokenEmbedding(c.src_vocab_size, c.d_model, c.pad_id)
        self.tgt_embedding = (
            self.src_embedding
            if c.share_embeddings
            else TokenEmbedding(c.tgt_vocab_size, c.d_model, c.pad_id)
        )
        position = (
            PositionalEncoding if c.positional == "sinusoidal" else LearnedPositionalEmbedding
        )
        self.src_position = position(c.d_model, c.max_len)
        self.tgt_position = position(c.d_model, c.max_len)
        self.dropout = nn.Dropout(c.dropout)
        self.encoder = Encoder(
            c.num_encoder_layers,
            c.d_model,
            c.num_heads,
            c.d_ff,
            dropout=c.dropout,
            norm_first=c.norm_first,
            d_k=c.d_k,
            d_v=c.d_v,
        )
        self.decoder = Decoder(
            c.num_decoder_layers,
            c.d_model,
            c.num_heads,
            c.d_ff,
            dropout=c.dropout,
            norm_first=c.norm_first,
            d_k=c.d_k,
            d_v=c.d_v,
        )
        self.output_layer = nn.Linear(c.d_model, c.tgt_vocab_size, bias=not c.tie_output)
        self.apply(_initialize)
        if c.tie_output:
            self.output_layer.weight = self.tgt_embedding.weight

    def forward(
        self, src: Int[Tensor, "batch src_len"], tgt: Int[Tensor, "batch tgt_len"]
    ) -> Float[Tensor, "batch tgt_len tgt_vocab_size"]:
        """Return, for every target position, logits of the token that comes next.

        Args:
            src: Source ids, shape `(batch, src_len)`.
            tgt: Target ids, beginning with `bos_id`, shape `(batch, tgt_len)`.

        Returns:
            Logits, shape `(batch, tgt_len, tgt_vocab_size)`.

        Raises:
            TypeError: If ids are not tensors of integers.
            ValueError: If the batch is empty, an id is outside its vocabulary, or a sequence
                is longer than `max_len`.
        """
        memory = self.encode(src)
        return self.project(self.decode(tgt, memory, self.source_mask(src)))

    def encode(self, src: Int[Tensor, "batch src_len"]) -> Float[Tensor, "batch src_len d_model"]:
        """Read the source sentence: embed, add positions, run the encoder.

        Args:
            src: Source ids, shape `(batch, src_len)`.

        Returns:
            The memory, shape `(batch, src_len, d_model)`.

        Raises:
            TypeError: If ids are not tensors of integers.
            ValueError: If the batch is empty, an id is outside the vocabulary, or the
                sequence is longer than `max_len`.

        Example:
            >>> import torch
            >>> config = TransformerConfig(100, 120, d_model=16, num_heads=2, d_ff=32)
            >>> Transformer(config).encode(torch.tensor([[5, 6, 7, 2]])).shape
            torch.Size([1, 4, 16])
        """
        check_ids("src", src)
        x = self.dropout(self.src_position(self.src_embedding(src)))
        return self.encoder(x, self.source_mask(src))

    def source_mask(
        self, src: Int[Tensor, "batch src_len"]
    ) -> Bool[Tensor, "batch 1 1 src_len"] | None:
        """Return the padding mask of the source, or None when nothing is padded.

        Args:
            src: Source ids, shape `(batch, src_len)`.

        Returns:
            `padding_mask(src, pad_id)` on the model's device. On an accelerator, ids that are
                there already are not looked at: they get a mask in any case.

        Raises:
            TypeError: If ids are not tensors of integers.

        Example:
            >>> import torch
            >>> config = TransformerConfig(100, 120, d_model=16, num_heads=2, d_ff=32)
            >>> Transformer(config).source_mask(torch.tensor([[5, 2], [2, 0]])).shape
            torch.Size([2, 1, 1, 2])
            >>> Transformer(config).source_mask(torch.tensor([[5, 2]])) is None
            True
        """
        mask = padding_mask(src, self.config.pad_id)
        return mask.to(self.src_embedding.weight.device) if _hides_something(mask) else None

    def decode(
        self,
        tgt: Int[Tensor, "batch tgt_len"],
        memory: Float[Tensor, "batch src_len d_model"],
        src_mask: Bool[Tensor, "batch 1 1 src_len"] | None,
        cache: DecoderCache | None = None,
    ) -> Float[Tensor, "batch tgt_len d_model"]:
        """Embed the target, add positions, run the decoder over it and the memory.

        With a cache, `tgt` holds only the new ids: earlier ones are remembered.

        Args:
            tgt: Target ids, shape `(batch, tgt_len)`.
            memory: What `encode` returned, shape `(batch, src_len, d_model)`.
            src_mask: What `source_mask` returned.
            cache: What `new_cache` returned, for decoding step by step.

        Returns:
            States, shape `(batch, tgt_len, d_model)`.

        Raises:
            TypeError: If ids are not tensors of integers, or the mask is not boolean.
            ValueError: If the batch is empty, an id is outside the vocabulary, the sequence is
                longer than `max_len`, the mask does not fit, or the cache belongs to another
                model, batch, memory or precision.

        Example:
            >>> import torch
            >>> config = TransformerConfig(100, 120, d_model=16, num_heads=2, d_ff=32)
            >>> model = Transformer(config)
            >>> memory, cache = model.encode(torch.tensor([[5, 6, 7, 2]])), model.new_cache()
            >>> model.decode(torch.tensor([[1]]), memory, None, cache).shape
            torch.Size([1, 1, 16])
            >>> model.decode(torch.tensor([[8]]), memory, None, cache).shape
            torch.Size([1, 1, 16])
            >>> cache.length
            2
        """
        check_ids("tgt", tgt)
        start = 0 if cache is None else cache.length
        x = self.dropout(self.tgt_position(self.tgt_embedding(tgt), start))
        check_states(self.config.d_model, memory=memory)
        if memory.size(0) != tgt.size(0):
            raise ValueError(
                f"memory and tgt must be one batch: got {memory.size(0)} and {tgt.size(0)} rows"
            )
        if src_mask is not None:  # before the cache changes, so that an error loses nothing
            check_mask(src_mask, (*tgt.shape[:1], 1, 1, memory.size(1)))
        mask = padding_mask(tgt, self.config.pad_id)
        padded, mask = _hides_something(mask), mask.to(x.device)
        if cache is not None:
            cache.check(len(self.decoder.layers), memory)
            mask = cache.remember(mask, memory, padded)
            padded = cache.padded
        several = tgt.size(1) > 1  # a single new token may see all before it
        if several and (padded or start):
            mask = mask & causal_mask(start + tgt.size(1), x.device)[:, :, start:]
            return self.decoder(x, memory, mask, src_mask, cache)
        return self.decoder(x, memory, mask if padded else None, src_mask, cache, several)

    def project(
        self, states: Float[Tensor, "batch tgt_len d_model"]
    ) -> Float[Tensor, "batch tgt_len tgt_vocab_size"]:
        """Turn states into logits, one for each id of the target vocabulary (§3.4).

        Args:
            states: What `decode` returned, shape `(batch, tgt_len, d_model)`.

        Returns:
            Logits, shape `(batch, tgt_len, tgt_vocab_size)`.

        Raises:
            TypeError: If `states` is not a tensor of states.
            ValueError: If it has another shape.
        """
        check_states(self.config.d_model, states=states)
        return self.output_layer(states)

    def new_cache(self) -> DecoderCache:
        """Return an empty cache for `decode`."""
        return DecoderCache(self.config.num_decoder_layers)

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> "Transformer":
        """Tie the output layer again: `to_empty` gives each module a tensor of its own."""
        tied = self.output_layer.weight is self.tgt_embedding.weight
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        if tied:
            self.output_layer.weight = self.tgt_embedding.weight
        return self


def count_parameters(model: nn.Module) -> dict[str, int]:
    """Count trainable numbers, in all and by part; shared ones count once.

    Args:
        model: Any module.

    Returns:
        `"total"` first, then one entry for each child module. A child that shares all its
            parameters with earlier ones counts 0.

    Example:
        >>> model = Transformer(TransformerConfig.base(vocab_size=37000))
        >>> counts = count_parameters(model)
        >>> counts["total"], counts["encoder"], counts["decoder"], counts["output_layer"]
        (63082496, 18914304, 25224192, 0)
    """
    seen: set[nn.Parameter] = set()
    parts = {}
    for name, part in model.named_children():
        new = {p for p in part.parameters() if p.requires_grad} - seen
        seen |= new
        parts[name] = sum(p.numel() for p in new)
    total = sum(p.numel() for p in model.parameters() if p.requires_grad)
    return {"total": total, **parts}


def _hides_something(mask: Tensor) -> bool:
    """Whether a mask is needed: without one, the kernels have less to do.

    Not looked at on an accelerator, where looking means waiting, nor while a model is compiled.
    """
    return torch.compiler.is_compiling() or not mask.is_cpu or not mask.all()


def _initialize(module: nn.Module) -> None:
    if isinstance(module, nn.Linear):  # embeddings come initialized, see TokenEmbedding
        nn.init.xavier_uniform_(module.weight)
        if module.bias is not None:
            nn.init.zeros_(module.bias)
