"""Read block by block, attention is the same."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.parity import assert_near
from transformer import scaled_dot_product_attention
from transformer.variants import flash_attention

SMALL = st.integers(1, 9)


@given(SMALL, SMALL, SMALL, st.integers(1, 10), st.sampled_from([1.0, 1000.0]))
def test_flash_attention_equals_the_formula(q_len, k_len, d_v, block, size):
    query, key = torch.randn(2, 3, q_len, 4) * size, torch.randn(2, 3, k_len, 4)
    value = torch.randn(2, 3, k_len, d_v)
    expected, _ = scaled_dot_product_attention(query, key, value)
    assert_near(flash_attention(query, key, value, block), expected)
