"""The Transformer of "Attention Is All You Need", in plain PyTorch."""

# Floor by floor: a floor knows those above it in this file, never those below.
from transformer.tracing import CallTree, trace

# isort: split
from transformer.model.attention import (
    ExplicitMultiHeadAttention,
    LoopedMultiHeadAttention,
    MultiHeadAttention,
    attention_scores,
    attention_weights,
    record_attention,
    scaled_dot_product_attention,
)
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
from transformer.model.normalization import LayerNorm, explicit_layer_norm
from transformer.model.transformer import Transformer, count_parameters

# isort: split
from transformer.data.batching import Batch, batches, collate, padding_share
from transformer.data.corpus import Pair, generate_pairs
from transformer.data.files import encode_pairs, read_aligned, read_pairs
from transformer.data.left_out import Report
from transformer.data.sources import FilePairs, GrammarPairs, ListPairs
from transformer.data.tokenizer import Tokenizer

# isort: split
from transformer.model_file import average_models, load_model, save_model

# isort: split
from transformer.inference.decoding import Hypothesis, beam_search, greedy_decode, sample
from transformer.inference.evaluation import score
from transformer.inference.shipped import load_pretrained
from transformer.inference.translation import translate

# isort: split
from transformer.training.config import TrainingConfig
from transformer.training.loop import train
from transformer.training.loss import label_smoothed_cross_entropy
from transformer.training.recipe import Recipe
from transformer.training.schedule import learning_rate, noam_schedule
from transformer.training.translator import train_translator

__version__ = "0.1.0"

__all__ = [  # noqa: RUF022 - in the order of the floors
    "CallTree",
    "trace",
    "TransformerConfig",
    "padding_mask",
    "causal_mask",
    "TokenEmbedding",
    "PositionalEncoding",
    "LearnedPositionalEmbedding",
    "attention_scores",
    "attention_weights",
    "scaled_dot_product_attention",
    "MultiHeadAttention",
    "ExplicitMultiHeadAttention",
    "LoopedMultiHeadAttention",
    "record_attention",
    "DecoderCache",
    "LayerNorm",
    "explicit_layer_norm",
    "PositionwiseFeedForward",
    "Encoder",
    "EncoderLayer",
    "Decoder",
    "DecoderLayer",
    "Transformer",
    "count_parameters",
    "Pair",
    "generate_pairs",
    "GrammarPairs",
    "FilePairs",
    "ListPairs",
    "read_pairs",
    "read_aligned",
    "Report",
    "Tokenizer",
    "encode_pairs",
    "Batch",
    "batches",
    "collate",
    "padding_share",
    "save_model",
    "load_model",
    "average_models",
    "greedy_decode",
    "beam_search",
    "sample",
    "Hypothesis",
    "translate",
    "score",
    "load_pretrained",
    "label_smoothed_cross_entropy",
    "learning_rate",
    "noam_schedule",
    "TrainingConfig",
    "train",
    "Recipe",
    "train_translator",
]
