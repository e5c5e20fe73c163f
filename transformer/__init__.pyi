# What `from transformer import ...` gives, each imported when it is first asked for.
# Floor by floor: a floor knows those above it in this file, never those below.
from .tracing import CallTree, trace

# isort: split
from .model.attention import (
    ExplicitMultiHeadAttention,
    LoopedMultiHeadAttention,
    MultiHeadAttention,
    attention_scores,
    attention_weights,
    scaled_dot_product_attention,
)
from .model.cache import DecoderCache
from .model.config import TransformerConfig
from .model.decoder import Decoder, DecoderLayer
from .model.embedding import (
    LearnedPositionalEmbedding,
    PositionalEncoding,
    TokenEmbedding,
)
from .model.encoder import Encoder, EncoderLayer
from .model.feed_forward import PositionwiseFeedForward
from .model.masks import causal_mask, padding_mask
from .model.normalization import LayerNorm, explicit_layer_norm
from .model.transformer import Transformer, count_parameters

# isort: split
from .data.batching import Batch, batches, collate, padding_share
from .data.encoded_batches import EncodedBatches
from .data.encoded_pairs import EncodedPairs
from .data.generator import Pair, generate_pairs
from .data.pair_files import encode_pairs, read_aligned, read_pairs
from .data.preparation import Preparation, PreparationReport, prepare_pairs
from .data.report import Report
from .data.tokenizer import Tokenizer
from .data.training_pairs import FilePairs, GrammarPairs, ListPairs
from .data.word_tokenizer import WordTokenizer

# isort: split
from .model_file import average_models, load_model, load_translator, save_model

# isort: split
from .inference.attention_recording import record_attention
from .inference.decoding import Hypothesis, beam_search, greedy_decode, sample
from .inference.evaluation import score
from .inference.export import export_ctranslate2
from .inference.hand_made import hand_made_pairs, load_hand_made
from .inference.shipped import load_pretrained
from .inference.translation import translate

# isort: split
from .training.config import TrainingConfig
from .training.loop import train
from .training.loss import label_smoothed_cross_entropy
from .training.recipe import Recipe
from .training.schedule import learning_rate, noam_schedule
from .training.translator import train_translator

__version__: str

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
    "prepare_pairs",
    "Preparation",
    "PreparationReport",
    "Report",
    "Tokenizer",
    "WordTokenizer",
    "encode_pairs",
    "Batch",
    "batches",
    "collate",
    "padding_share",
    "EncodedPairs",
    "EncodedBatches",
    "save_model",
    "load_model",
    "load_translator",
    "average_models",
    "greedy_decode",
    "beam_search",
    "sample",
    "Hypothesis",
    "translate",
    "score",
    "record_attention",
    "load_pretrained",
    "hand_made_pairs",
    "load_hand_made",
    "export_ctranslate2",
    "label_smoothed_cross_entropy",
    "learning_rate",
    "noam_schedule",
    "TrainingConfig",
    "train",
    "Recipe",
    "train_translator",
]
