"""Flash attention: the same average, without all scores in memory at once."""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from transformer.model.attention import attention_scores


def flash_attention(
    query: Float[Tensor, "*batch q_len d_k"],
    key: Float[Tensor, "*batch k_len d_k"],
    value: Float[Tensor, "*batch k_len d_v"],
    block: int = 64,
) -> Float[Tensor, "*batch q_len d_v"]:
    """Average the values as eq. 1 does, reading the keys block by block (arXiv:2205.14135).

    A softmax needs the highest score and the sum of all exponentials. Both are kept as found so
    far, with the weighted sum of the values; where a block has a higher score, what was added up
    before shrinks by the difference (Milakov and Gimelshein 2018, arXiv:1805.02867). This is only
    the arithmetic of Dao et al. 2022: it is fast only where a block stays in the chip's own memory.

    Args:
        query: Shape `(..., q_len, d_k)`.
        key: Shape `(..., k_len, d_k)`.
        value: Shape `(..., k_len, d_v)`.
        block: Keys that are read at once.

    Returns:
        What `scaled_dot_product_attention` returns as output, shape `(..., q_len, d_v)`.

    Example:
        >>> query, key = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0], [0.0, 1.0]])
        >>> flash_attention(query, key, torch.tensor([[10.0], [20.0]]), block=1)
        tensor([[15.]])
    """
    highest = query.new_full((*query.shape[:-1], 1), -math.inf)
    total, output = torch.zeros_like(highest), query.new_zeros(())
    for keys, values in zip(torch.split(key, block, dim=-2), torch.split(value, block, dim=-2)):
        scores = attention_scores(query, keys)  # (..., q_len, block)
        higher = highest.maximum(scores.amax(dim=-1, keepdim=True))
        shrink, weights = (highest - higher).exp(), (scores - higher).exp()
        total = total * shrink + weights.sum(dim=-1, keepdim=True)
        output = output * shrink + weights @ values
        highest = higher
    return output / total
