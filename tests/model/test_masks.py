"""Masks: True = may be attended to."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.refused import refusals
from transformer import causal_mask, padding_mask
from transformer.arguments import check_mask

IDS = torch.tensor([[1, 7, 0], [0, 1, 8]])


@given(n=st.integers(1, 9))
def test_causal_mask_shows_itself_and_the_past(n):
    mask = causal_mask(n)
    assert mask.shape == (1, 1, n, n)
    for i in range(n):
        assert mask[0, 0, i].tolist() == [j <= i for j in range(n)]


@given(ids=st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=3))
@pytest.mark.parametrize("pad_id", [0, 3])
def test_padding_mask_hides_padding(ids, pad_id):
    mask = padding_mask(torch.tensor(ids), pad_id)
    assert mask.shape == (len(ids), 1, 1, 4)
    assert mask[:, 0, 0].tolist() == [[i != pad_id for i in row] for row in ids]


def test_device():
    assert causal_mask(2, torch.device("meta")).is_meta
    assert padding_mask(torch.ones(1, 2, dtype=torch.int32, device="meta"), 0).is_meta


# Errors

SHAPES = [(3,), (4, 1), (2, 4), (3, 3, 4), (1, 2, 3, 4), (4, 3), (0,)]
test_refuses = refusals(
    *((lambda shape=shape: check_mask(torch.ones(shape, dtype=torch.bool), (2, 3, 4)), ValueError,
       f"mask must broadcast to the scores (2, 3, 4): got shape {shape}") for shape in SHAPES),
    *((lambda dtype=dtype: check_mask(torch.ones(3, 4, dtype=dtype), (2, 3, 4)), TypeError,
       f"mask must be boolean (True = may be attended to): got {dtype}")
      for dtype in (torch.float32, torch.int64, torch.uint8)),
    (lambda: padding_mask([[5, 0]], 0), TypeError,
     "ids must be a tensor of ids: got list (make it with torch.tensor)"),
    (lambda: padding_mask(torch.zeros(1, 3), 0), TypeError,
     "ids must be int64 or int32: got torch.float32"),
    (lambda: padding_mask(IDS[0], 0), ValueError, "ids must have shape (batch, seq_len): got (3,)"),
    (lambda: padding_mask(IDS, None), TypeError, "pad_id must be an integer: got None"),
    (lambda: causal_mask(0), ValueError, "n must be at least 1: got 0"),
    (lambda: causal_mask(-1), ValueError, "n must be at least 1: got -1"),
    (lambda: causal_mask(2.5), TypeError, "n must be an integer: got 2.5"),
    (lambda: causal_mask(True), TypeError, "n must be an integer: got True"),
)  # fmt: skip
