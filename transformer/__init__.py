"""The Transformer of "Attention Is All You Need", in plain PyTorch."""

from transformer.attention import (
    ExplicitMultiHeadAttention,
    LoopedMultiHeadAttention,
    MultiHeadAttention,
    attention_scores,
    attention_weights,
    record_attention,
    scaled_dot_product_attention,
)
from transformer.cache import DecoderCache
from transformer.config import TransformerConfig
from transformer.data import (
    Batch,
    Report,
    batches,
    collate,
    encode_pairs,
    padding_share,
    read_aligned,
    read_pairs,
)
from transformer.decoder import Decoder, DecoderLayer
from transformer.embedding import LearnedPositionalEmbedding, PositionalEncoding, TokenEmbedding
from transformer.encoder import Encoder, EncoderLayer
from transformer.feed_forward import PositionwiseFeedForward
from transformer.masks import causal_mask, padding_mask
from transformer.model import Transformer, count_parameters
from transformer.normalization import LayerNorm, explicit_layer_norm
from transformer.tokenizer import Tokenizer
from transformer.tracing import CallTree, trace

__all__ = [
    "Batch",
    "CallTree",
    "Decoder",
    "DecoderCache",
    "DecoderLayer",
    "Encoder",
    "EncoderLayer",
    "ExplicitMultiHeadAttention",
    "LayerNorm",
    "LearnedPositionalEmbedding",
    "LoopedMultiHeadAttention",
    "MultiHeadAttention",
    "PositionalEncoding",
    "PositionwiseFeedForward",
    "Report",
    "TokenEmbedding",
    "Tokenizer",
    "Transformer",
    "TransformerConfig",
    "attention_scores",
    "attention_weights",
    "batches",
    "causal_mask",
    "collate",
    "count_parameters",
    "encode_pairs",
    "explicit_layer_norm",
    "padding_mask",
    "padding_share",
    "read_aligned",
    "read_pairs",
    "record_attention",
    "scaled_dot_product_attention",
    "trace",
]
