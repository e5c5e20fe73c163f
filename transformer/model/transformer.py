"""The whole model: embeddings, encoder, decoder and output layer."""

from collections.abc import Callable
from types import EllipsisType

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from transformer.arguments import (
    ArgumentError,
    ArgumentTypeError,
    check_ids,
    check_mask,
    check_states,
)
from transformer.model.attention import MultiHeadAttention
from transformer.model.cache import DecoderCache
from transformer.model.config import TransformerConfig
from transformer.model.decoder import Decoder, DecoderLayer
from transformer.model.embedding import (
    LearnedPositionalEmbedding,
    PositionalEncoding,
    TokenEmbedding,
)
from transformer.model.encoder import Encoder, EncoderLayer
from transformer.model.feed_forward import PositionwiseFeedForward
from transformer.model.masks import causal_mask, padding_mask
from transformer.model.normalization import LayerNorm

Part = Callable[..., nn.Module]
POSITIONS = {"sinusoidal": PositionalEncoding, "learned": LearnedPositionalEmbedding}


class Transformer(nn.Module):
    """The encoder-decoder of the paper, from ids to logits (§3, figure 1).

    Its parts are classes that are called with the sizes of the config. A variant is one class of
    your own, given here.

    Args:
        config: Every size and choice.
        attention: Makes each attention, called as `MultiHeadAttention` is.
        feed_forward: Makes each feed-forward network, called as `PositionwiseFeedForward` is.
        norm: Makes each normalization, called with `d_model`.
        position: Makes what adds positions, called with `d_model` and `max_len`; what
            `config.positional` says when None.

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
        >>> with_rms_norm = Transformer(config, norm=nn.RMSNorm)
        >>> with_rms_norm.encoder.layers[0].self_attention_norm
        RMSNorm((16,), eps=None, elementwise_affine=True)
    """

    def __init__(
        self,
        config: TransformerConfig,
        *,
        attention: Part = MultiHeadAttention,
        feed_forward: Part = PositionwiseFeedForward,
        norm: Part = LayerNorm,
        position: Part | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(config, TransformerConfig):
            got = type(config).__name__
            raise ArgumentTypeError("config", f"must be a TransformerConfig: got {got}")
        self.config = c = config
        self.src_embedding = TokenEmbedding(c.src_vocab_size, c.d_model, c.pad_id)
        self.tgt_embedding = (
            self.src_embedding
            if c.share_embeddings
            else TokenEmbedding(c.tgt_vocab_size, c.d_model, c.pad_id)
        )
        position = position or POSITIONS[c.positional]
        self.src_position = position(c.d_model, c.max_len)
        self.tgt_position = position(c.d_model, c.max_len)
        self.dropout = nn.Dropout(c.dropout)

        parts = attention, feed_forward, norm
        self.encoder = Encoder(
            [encoder_layer(c, *parts) for _ in range(c.num_encoder_layers)],
            norm=norm(c.d_model) if c.norm_first else None,
        )
        self.decoder = Decoder(
            [decoder_layer(c, *parts) for _ in range(c.num_decoder_layers)],
            norm=norm(c.d_model) if c.norm_first else None,
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
            ValueError: If a batch or a sequence is empty, an id is outside its vocabulary, or a
                sequence is longer than `max_len`.
        """
        src_mask = self.source_mask(src)
        memory = self.encode(src, src_mask)
        return self.project(self.decode(tgt, memory, src_mask))

    def encode(
        self,
        src: Int[Tensor, "batch src_len"],
        src_mask: Bool[Tensor, "batch 1 1 src_len"] | EllipsisType | None = ...,
    ) -> Float[Tensor, "batch src_len d_model"]:
        """Read the source sentence: embed, add positions, run the encoder.

        Args:
            src: Source ids, shape `(batch, src_len)`.
            src_mask: What `source_mask` returned; made from `src` when it is not given.

        Returns:
            The memory, shape `(batch, src_len, d_model)`.

        Raises:
            TypeError: If ids are not tensors of integers.
            ValueError: If the batch is empty, an id is outside the vocabulary, or the
                sequence is longer than `max_len`.
        """
        self._check_ids("src", src, self.config.src_vocab_size)
        mask = self.source_mask(src) if src_mask is ... else src_mask
        x = self.dropout(self.src_position(self.src_embedding(src)))
        return self.encoder(x, mask)

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
        """
        check_ids("src", src)
        return self._if_needed(padding_mask(src, self.config.pad_id))

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
                longer than `max_len`, or the memory or the mask does not fit.

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
        self._check_ids("tgt", tgt, self.config.tgt_vocab_size)
        dtype = self.tgt_embedding.weight.dtype
        check_states("memory", memory, self.config.d_model, tgt.size(0), dtype)
        if src_mask is not None:
            check_mask(src_mask, (tgt.size(0), 1, 1, memory.size(1)))
        start = 0 if cache is None else cache.length
        x = self.dropout(self.tgt_position(self.tgt_embedding(tgt), start))
        return self.decoder(x, memory, self._target_mask(tgt, cache), src_mask, cache)

    def project(
        self, states: Float[Tensor, "batch tgt_len d_model"]
    ) -> Float[Tensor, "batch tgt_len tgt_vocab_size"]:
        """Turn states into logits, one for each id of the target vocabulary (§3.4).

        Args:
            states: What `decode` returned, shape `(batch, tgt_len, d_model)`.

        Raises:
            TypeError: If `states` is not a tensor of states.
            ValueError: If it has another shape.
        """
        check_states("states", states, self.config.d_model)
        return self.output_layer(states)

    def new_cache(self) -> DecoderCache:
        """Return an empty cache for `decode`."""
        return DecoderCache(self.config.num_decoder_layers)

    def _target_mask(self, tgt: Tensor, cache: DecoderCache | None) -> Tensor | None:
        """Show each target token those before it and itself, without padding; None shows all."""
        mask, start = padding_mask(tgt, self.config.pad_id), 0
        if cache is not None:
            mask, start = cache.add_padding(mask.to(self.tgt_embedding.weight.device)), cache.length
        visible = self._if_needed(mask)
        if tgt.size(1) == 1:
            return visible
        causal = causal_mask(start + tgt.size(1), self.tgt_embedding.weight.device)[:, :, start:]
        return causal if visible is None else causal & visible

    def _if_needed(self, mask: Tensor) -> Tensor | None:
        """Return the mask on the model's device, or None where it hides nothing.

        On an accelerator, and while a model is compiled, it is not looked at: that means waiting.
        """
        unknown = torch.compiler.is_compiling() or not mask.is_cpu
        return mask.to(self.tgt_embedding.weight.device) if unknown or not mask.all() else None

    def _check_ids(self, name: str, ids: Tensor, vocab_size: int) -> None:
        """Refuse what the embedding cannot look up.

        Ids that are on an accelerator already are not looked at: that means waiting.
        """
        check_ids(name, ids)
        if ids.numel() == 0:
            raise ArgumentError(name, f"must hold at least one token: got shape {tuple(ids.shape)}")
        if ids.is_meta and not self.tgt_embedding.weight.is_meta:
            raise ArgumentError(name, "must hold ids: got a tensor on meta")
        if not torch.compiler.is_compiling() and ids.is_cpu:
            low, high = int(ids.min()), int(ids.max())
            if low < 0 or high >= vocab_size:
                allowed = f"from 0 to {vocab_size - 1} ({name}_vocab_size={vocab_size})"
                raise ArgumentError(name, f"must be {allowed}: got {low if low < 0 else high}")

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> "Transformer":
        """Tie the output layer again: `to_empty` gives each module a tensor of its own."""
        tied = self.output_layer.weight is self.tgt_embedding.weight
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        if tied:
            self.output_layer.weight = self.tgt_embedding.weight
        return self


def encoder_layer(
    c: TransformerConfig, attention: Part, feed_forward: Part, norm: Part
) -> EncoderLayer:
    """Make one encoder layer: each part is called with the sizes of the config."""
    return EncoderLayer(
        self_attention=attention(c.d_model, c.num_heads, d_k=c.d_k, d_v=c.d_v),
        self_attention_norm=norm(c.d_model),
        feed_forward=feed_forward(c.d_model, c.d_ff),
        feed_forward_norm=norm(c.d_model),
        dropout=c.dropout,
        norm_first=c.norm_first,
    )


def decoder_layer(
    c: TransformerConfig, attention: Part, feed_forward: Part, norm: Part
) -> DecoderLayer:
    """Make one decoder layer: each part is called with the sizes of the config."""
    return DecoderLayer(
        self_attention=attention(c.d_model, c.num_heads, d_k=c.d_k, d_v=c.d_v),
        self_attention_norm=norm(c.d_model),
        cross_attention=attention(c.d_model, c.num_heads, d_k=c.d_k, d_v=c.d_v),
        cross_attention_norm=norm(c.d_model),
        feed_forward=feed_forward(c.d_model, c.d_ff),
        feed_forward_norm=norm(c.d_model),
        dropout=c.dropout,
        norm_first=c.norm_first,
    )


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


def _initialize(module: nn.Module) -> None:
    if isinstance(module, nn.Linear):  # embeddings come initialized, see TokenEmbedding
        nn.init.xavier_uniform_(module.weight)
        if module.bias is not None:
            nn.init.zeros_(module.bias)
