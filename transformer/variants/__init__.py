"""What today's models do differently from that of 2017, one change a file."""

from transformer.variants.alibi import AlibiAttention
from transformer.variants.decoder_only import DecoderOnly, continue_greedily
from transformer.variants.experts import MixtureOfExperts
from transformer.variants.flash import flash_attention
from transformer.variants.gated import GatedFeedForward
from transformer.variants.gelu import GeluFeedForward
from transformer.variants.grouped_query import GroupedQueryAttention
from transformer.variants.no_biases import remove_biases
from transformer.variants.query_key_norm import QueryKeyNormAttention
from transformer.variants.relative import NoPositions
from transformer.variants.rotary import RotaryAttention, rotate
from transformer.variants.window import SlidingWindowAttention

__all__ = [
    "AlibiAttention",
    "DecoderOnly",
    "GatedFeedForward",
    "GeluFeedForward",
    "GroupedQueryAttention",
    "MixtureOfExperts",
    "NoPositions",
    "QueryKeyNormAttention",
    "RotaryAttention",
    "SlidingWindowAttention",
    "continue_greedily",
    "flash_attention",
    "remove_biases",
    "rotate",
]
