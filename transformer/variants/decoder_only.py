"""Decoder only: source and target are one text, read by one stack of layers."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor

from transformer.arguments import ArgumentError
from transformer.model.config import TransformerConfig
from transformer.model.masks import causal_mask
from transformer.model.transformer import Part, Transformer


class DecoderOnly(Transformer):
    """A model that goes on with the text `source <eos> <bos> target` (as GPT, Radford et al. 2018).

    A decoder layer without cross-attention is an encoder layer with a causal mask. So the encoder's
    layers are its layers, and there are no others: `encode` and `decode` are not for it. `forward`
    has the arguments of `Transformer.forward`, so it is trained in the same way, on the target.

    Args:
        config: Every size and choice; `num_encoder_layers` is the number of layers.
        **parts: As `Transformer` takes them.

    Raises:
        ValueError: If the config has two vocabularies: a text has one.

    Example:
        >>> sizes = {"d_model": 8, "num_heads": 2, "d_ff": 16, "share_embeddings": True}
        >>> model = DecoderOnly(TransformerConfig(9, 9, **sizes))
        >>> model(torch.tensor([[5, 6, 2], [7, 2, 0]]), torch.tensor([[1, 8], [1, 7]])).shape
        torch.Size([2, 2, 9])
    """

    def __init__(self, config: TransformerConfig, **parts: Part) -> None:
        if not config.share_embeddings:
            raise ArgumentError("share_embeddings", "must be True for a single text: got False")
        super().__init__(config, **parts)
        del self.decoder

    def forward(
        self, src: Int[Tensor, "batch src_len"], tgt: Int[Tensor, "batch tgt_len"]
    ) -> Float[Tensor, "batch tgt_len tgt_vocab_size"]:
        """Return, for every target position, logits of the token that comes next.

        Padding goes to the end of each row: there the causal mask hides it, and source and target
        have no gap between them.

        Args:
            src: Source ids, shape `(batch, src_len)`.
            tgt: Target ids, beginning with `bos_id`, shape `(batch, tgt_len)`.

        Returns:
            Logits, shape `(batch, tgt_len, tgt_vocab_size)`.
        """
        text = torch.cat([src, tgt], dim=1)
        self._check_ids("tgt", text, self.config.tgt_vocab_size)
        order = (text == self.config.pad_id).int().argsort(dim=1, stable=True)
        x = self.dropout(self.tgt_position(self.tgt_embedding(text.gather(1, order))))
        states = self.encoder(x, causal_mask(text.size(1), x.device))
        target = order.argsort(dim=1)[:, src.size(1) :]  # where each target token went
        return self.project(states[torch.arange(len(text)).unsqueeze(1), target])


@torch.inference_mode()
def continue_greedily(
    model: DecoderOnly, src: Int[Tensor, "batch src_len"], max_new_tokens: int | None = None
) -> list[list[int]]:
    """Translate a batch, taking the most probable token at every step.

    It keeps no cache: every step reads the text anew. `translate` takes it as `decode`.

    Args:
        model: The model, in evaluation mode.
        src: Source ids, filled up with `pad_id`, shape `(batch, src_len)`.
        max_new_tokens: Most tokens of a sentence; the source's length + 50 when None.

    Returns:
        Target ids of each sentence, without `bos_id` and `eos_id`.

    Example:
        >>> sizes = {"d_model": 8, "num_heads": 2, "d_ff": 16, "share_embeddings": True}
        >>> model = DecoderOnly(TransformerConfig(9, 9, **sizes)).eval()
        >>> [output] = continue_greedily(model, torch.tensor([[5, 6, 2]]), max_new_tokens=4)
        >>> len(output) <= 4
        True
    """
    c = model.config
    tgt = src.new_full((len(src), 1), c.bos_id)
    for _ in range(max_new_tokens or src.size(1) + 50):
        logits = model(src, tgt)[:, -1]
        logits[:, [c.pad_id, c.bos_id]] = -math.inf
        tgt = torch.cat([tgt, logits.argmax(-1, keepdim=True)], dim=1)
        if (tgt == c.eos_id).any(dim=1).all():
            break
    rows = tgt[:, 1:].tolist()
    return [row[: row.index(c.eos_id)] if c.eos_id in row else row for row in rows]
