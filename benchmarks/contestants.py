"""The same Transformer three times: ours, PyTorch's, Hugging Face's; all untrained.

Each embeds with the matrix that it projects with, and is called with source and target ids.
"""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.sizes import Sizes
from transformer import (
    PositionalEncoding,
    TokenEmbedding,
    Transformer,
    TransformerConfig,
)
from transformer.data.tokenizer import BOS_ID, EOS_ID, PAD_ID


def ours(sizes: Sizes, dropout: float, tie_output: bool = True) -> Transformer:
    """Return the package's model."""
    config = TransformerConfig(
        sizes.vocab_size,
        sizes.vocab_size,
        d_model=sizes.d_model,
        num_heads=sizes.num_heads,
        num_encoder_layers=sizes.num_layers,
        num_decoder_layers=sizes.num_layers,
        d_ff=sizes.d_ff,
        dropout=dropout,
        share_embeddings=True,
        tie_output=tie_output,
    )
    return Transformer(config)


class PyTorch(nn.Module):
    """`torch.nn.Transformer` with the package's embedding before and a projection after it."""

    def __init__(self, sizes: Sizes, dropout: float) -> None:
        super().__init__()
        self.embedding = TokenEmbedding(sizes.vocab_size, sizes.d_model, PAD_ID)
        self.position = PositionalEncoding(sizes.d_model)
        self.dropout = nn.Dropout(dropout)
        layers, width = sizes.num_layers, sizes.d_model
        self.layers = nn.Transformer(
            width, sizes.num_heads, layers, layers, sizes.d_ff, dropout, batch_first=True
        )
        self.layers.encoder.norm = self.layers.decoder.norm = None  # the paper has no final norm
        self.output_layer = nn.Linear(width, sizes.vocab_size)
        self.output_layer.weight = self.embedding.weight
        self.register_buffer("causal", self.layers.generate_square_subsequent_mask(sizes.length))

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        """Logits, shape `(batch, tgt_len, vocab_size)`."""
        x, y = (self.dropout(self.position(self.embedding(ids))) for ids in (src, tgt))
        states = self.layers(x, y, tgt_mask=self.causal, tgt_is_causal=True)
        logits: Tensor = self.output_layer(states)
        return logits


def marian(sizes: Sizes, dropout: float) -> Any:
    """Return `MarianMTModel` of Hugging Face, made from a config."""
    from transformers import MarianConfig, MarianMTModel

    config = MarianConfig(
        vocab_size=sizes.vocab_size,
        d_model=sizes.d_model,
        encoder_layers=sizes.num_layers,
        decoder_layers=sizes.num_layers,
        encoder_attention_heads=sizes.num_heads,
        decoder_attention_heads=sizes.num_heads,
        encoder_ffn_dim=sizes.d_ff,
        decoder_ffn_dim=sizes.d_ff,
        dropout=dropout,
        attention_dropout=0.0,
        activation_dropout=0.0,
        activation_function="relu",
        scale_embedding=True,
        pad_token_id=PAD_ID,
        bos_token_id=BOS_ID,
        eos_token_id=EOS_ID,
        decoder_start_token_id=BOS_ID,
        forced_eos_token_id=None,
    )
    return MarianMTModel(config)


Logits = Callable[[Tensor, Tensor], Tensor]
Contestant = tuple[nn.Module, Logits]


def build(name: str, sizes: Sizes, dropout: float) -> Contestant:
    """Return one contestant: the module, and what gives its logits."""
    if name == "Marian":
        hugging = marian(sizes, dropout)

        def logits(src: Tensor, tgt: Tensor) -> Tensor:
            result: Tensor = hugging(input_ids=src, decoder_input_ids=tgt, use_cache=False).logits
            return result

        return hugging, logits
    model = ours(sizes, dropout) if name == "ours" else PyTorch(sizes, dropout)
    return model, model


def names() -> list[str]:
    """Return the contestants' names: Hugging Face's only with the extra `bench`."""
    return ["ours", "nn.Transformer", *(["Marian"] if find_spec("transformers") else [])]


def training_step(
    module: nn.Module, logits: Logits, src: Tensor, tgt: Tensor
) -> Callable[[], None]:
    """One update by Adam on one batch, ready to be repeated."""
    module.train()
    optimizer = torch.optim.Adam(module.parameters(), lr=1e-4, fused=True)

    def step() -> None:
        optimizer.zero_grad()
        guess = logits(src, tgt)
        F.cross_entropy(guess.flatten(0, 1), tgt.roll(-1, dims=1).flatten()).backward()  # type: ignore[no-untyped-call]
        optimizer.step()

    return step
