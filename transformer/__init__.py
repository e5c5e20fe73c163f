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
from transformer.batching import Batch, batches, collate, padding_share
from transformer.cache import DecoderCache
from transformer.config import TransformerConfig
from transformer.corpus import Pair, generate
from transformer.data import encode_pairs, read_aligned, read_pairs
from transformer.decoder import Decoder, DecoderLayer
from transformer.decoding import Hypothesis, beam_search, greedy_decode, sample
from transformer.embedding import LearnedPositionalEmbedding, PositionalEncoding, TokenEmbedding
from transformer.encoder import Encoder, EncoderLayer
from transformer.feed_forward import PositionwiseFeedForward
from transformer.masks import causal_mask, padding_mask
from transformer.model import Transformer, count_parameters
from transformer.normalization import LayerNorm, explicit_layer_norm
from transformer.objective import label_smoothed_cross_entropy, learning_rate, noam_schedule
from transformer.pretrained import load_pretrained
from transformer.report import Report
from transformer.tokenizer import Tokenizer
from transformer.tracing import CallTree, trace
from transformer.training import train
from transformer.training_config import TrainingConfig
from transformer.weights import average_models, load_model, save_model

__all__ = [
    "Batch",
    "CallTree",
    "Decoder",
    "DecoderCache",
    "DecoderLayer",
    "Encoder",
    "EncoderLayer",
    "ExplicitMultiHeadAttention",
    "Hypothesis",
    "LayerNorm",
    "LearnedPositionalEmbedding",
    "LoopedMultiHeadAttention",
    "MultiHeadAttention",
    "Pair",
    "PositionalEncoding",
    "PositionwiseFeedForward",
    "Report",
    "TokenEmbedding",
    "Tokenizer",
    "TrainingConfig",
    "Transformer",
    "TransformerConfig",
    "attention_scores",
    "attention_weights",
    "average_models",
    "batches",
    "beam_search",
    "causal_mask",
    "collate",
    "count_parameters",
    "encode_pairs",
    "explicit_layer_norm",
    "generate",
    "greedy_decode",
    "label_smoothed_cross_entropy",
    "learning_rate",
    "load_model",
    "load_pretrained",
    "noam_schedule",
    "padding_mask",
    "padding_share",
    "read_aligned",
    "read_pairs",
    "record_attention",
    "sample",
    "save_model",
    "scaled_dot_product_attention",
    "trace",
    "train",
]
