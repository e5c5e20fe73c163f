"""Attentions of today: each equals its formula, PyTorch's kernel or the paper's with a mask."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F

from tests.parity import assert_near, randomized
from tests.refused import refusals
from transformer import (
    MultiHeadAttention,
    attention_scores,
    attention_weights,
    causal_mask,
    scaled_dot_product_attention,
)
from transformer.model.cache import KeyValueCache
from transformer.variants import (
    AlibiAttention,
    GroupedQueryAttention,
    QueryKeyNormAttention,
    RotaryAttention,
    SlidingWindowAttention,
    rotate,
)

MASKS = {
    "none": None,
    "causal": causal_mask(6),
    "padding": torch.tensor([[1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0]]).bool()[:, None, None],
}
EACH_MASK = pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS)
RELATIVE = [AlibiAttention, RotaryAttention, SlidingWindowAttention]
FAR = [[abs(i - j) for j in range(6)] for i in range(6)]


def heads(key_heads: int = 4) -> list[torch.Tensor]:
    """Queries, keys and values of two texts, four heads and six tokens."""
    return [torch.randn(2, number, 6, 4) for number in (4, key_heads, key_heads)]


@EACH_MASK
@pytest.mark.parametrize("key_heads", [1, 2, 4])
def test_grouped_queries_equal_pytorchs_kernel_with_a_smaller_cache(key_heads, mask, dtype):
    attention = GroupedQueryAttention(16, 4, key_heads=key_heads)
    q, k, v = heads(key_heads)
    expected = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
    assert_near(attention.attend(q, k, v, mask), expected)
    x, cache, whole = torch.randn(2, 6, 16), KeyValueCache(grows=True), KeyValueCache(grows=True)
    attention(x, x, x, cache=cache), MultiHeadAttention(16, 4)(x, x, x, cache=whole)
    sizes = [sum(part.numel() for part in one.entries) for one in (cache, whole)]
    assert sizes[0] * 4 == sizes[1] * key_heads


@pytest.mark.parametrize("start", [0, 300])
def test_turning_is_multiplying_with_complex_numbers(start, dtype):
    x = torch.randn(2, 3, 5, 8)
    pairs = torch.view_as_complex(x.unflatten(-1, (4, 2)))
    angle = torch.outer(torch.arange(start, start + 5.0), 10000.0 ** -(torch.arange(4.0) / 4))
    turned = torch.view_as_real(pairs * torch.polar(torch.ones_like(angle), angle)).flatten(-2)
    assert_near(rotate(x, start), turned)


@given(st.integers(0, 200), st.integers(0, 200), st.integers(0, 200))
def test_rotary_scores_depend_on_the_distance_alone(query, key, shift):
    q, k = torch.randn(2, 1, 8, dtype=torch.float64)
    score = rotate(q, query) @ rotate(k, key).T
    torch.testing.assert_close(rotate(q, query + shift) @ rotate(k, key + shift).T, score)


@EACH_MASK
def test_alibi_equals_adding_the_bias_to_the_scores(mask, dtype):
    q, k, v = heads()
    slopes = [2 ** (-8 / 4 * head) for head in (1, 2, 3, 4)]
    bias = torch.tensor([[[-slope * far for far in row] for row in FAR] for slope in slopes])
    expected = attention_weights(attention_scores(q, k) + bias, mask) @ v
    assert_near(AlibiAttention(16, 4).attend(q, k, v, mask), expected)


@EACH_MASK
@pytest.mark.parametrize(("window", "sinks"), [(1, 0), (2, 1), (3, 2), (9, 0)])
def test_a_window_equals_dense_attention_with_a_mask(window, sinks, mask, dtype):
    q, k, v = heads()
    near = [[far < window or j < sinks for j, far in enumerate(row)] for row in FAR]
    seen = torch.tensor(near) if mask is None else torch.tensor(near) & mask
    expected, _ = scaled_dot_product_attention(q, k, v, seen)
    attention = SlidingWindowAttention(16, 4, window_size=window, sinks=sinks)
    assert_near(attention.attend(q, k, v, mask), expected)


@EACH_MASK
def test_normalized_queries_and_keys_score_their_cosine(mask, dtype):
    attention, (q, k, v) = randomized(QueryKeyNormAttention(16, 4)), heads()
    cosine = F.cosine_similarity(q.unsqueeze(3), k.unsqueeze(2), dim=-1)
    expected = attention_weights(cosine * attention.gain * math.sqrt(4), mask) @ v
    assert_near(attention.attend(1000 * q, 1000 * k, v, mask), expected)


@pytest.mark.parametrize("kind", RELATIVE)
def test_a_distance_counts_within_one_text_alone(kind, dtype):
    attention, plain = randomized(kind(16, 4)), MultiHeadAttention(16, 4)
    plain.load_state_dict(attention.state_dict())
    x, memory = torch.randn(2, 12, 16), torch.randn(2, 12, 16)
    assert_near(attention(x, memory, memory), plain(x, memory, memory))
    assert not torch.allclose(attention(x, x, x), plain(x, x, x))
    assert_near(attention(x, memory, memory), plain(x, memory, memory))


@pytest.mark.parametrize("kind", [*RELATIVE, GroupedQueryAttention, QueryKeyNormAttention])
def test_a_row_that_sees_nothing_is_zero_and_has_finite_gradients(kind):
    attention, x = kind(16, 4), torch.randn(2, 6, 16, requires_grad=True)
    output = attention(x, x, x, MASKS["padding"])
    assert torch.equal(output[1], attention.out_proj.bias.expand(6, 16))
    output.sum().backward()
    assert x.grad.isfinite().all()


test_refuses = refusals(
    (
        lambda: GroupedQueryAttention(16, 4, key_heads=3),
        ValueError,
        "key_heads must divide num_heads: got num_heads=4, key_heads=3",
    ),
    (
        lambda: rotate(torch.zeros(1, 3)),
        ValueError,
        "d_k must be even for rotary positions: got 3",
    ),
    (
        lambda: SlidingWindowAttention(16, 4, window_size=0),
        ValueError,
        "window_size must be at least 1: got 0",
    ),
)
