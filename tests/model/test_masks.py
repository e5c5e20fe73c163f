"""Masks: True = may be attended to."""

import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from transformer import causal_mask, padding_mask
from transformer.arguments import check_mask


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


def test_both_together_by_hand():
    keys = padding_mask(torch.tensor([[1, 7, 0], [0, 1, 8]]), pad_id=0)
    assert (keys & causal_mask(3)).int().tolist() == [
        [[[1, 0, 0], [1, 1, 0], [1, 1, 0]]],
        [[[0, 0, 0], [0, 1, 0], [0, 1, 1]]],
    ]


def test_device():
    assert causal_mask(2, torch.device("meta")).is_meta
    assert padding_mask(torch.ones(1, 2, dtype=torch.int32, device="meta"), 0).is_meta


@pytest.mark.parametrize(
    "shape", [(), (1,), (4,), (1, 4), (3, 4), (3, 1), (2, 3, 4), (1, 1, 4), (2, 1, 1)]
)
def test_broadcasting_masks_pass(shape):
    check_mask(torch.ones(shape, dtype=torch.bool), (2, 3, 4))


@pytest.mark.parametrize("shape", [(3,), (4, 1), (2, 4), (3, 3, 4), (1, 2, 3, 4), (4, 3), (0,)])
def test_other_shapes_fail(shape):
    text = f"mask must broadcast to the scores (2, 3, 4): got shape {shape}"
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        check_mask(torch.ones(shape, dtype=torch.bool), (2, 3, 4))


@pytest.mark.parametrize("dtype", [torch.float32, torch.int64, torch.uint8])
def test_other_dtypes_fail(dtype):
    text = f"mask must be boolean (True = may be attended to): got {dtype}"
    with pytest.raises(TypeError, match=f"^{re.escape(text)}$"):
        check_mask(torch.ones(3, 4, dtype=dtype), (2, 3, 4))


def test_padding_mask_refuses_what_is_not_ids(no_shape_checks):
    with pytest.raises(TypeError, match=r"^ids must be int64 or int32: got torch\.float32$"):
        padding_mask(torch.zeros(1, 3), 0)
    with pytest.raises(ValueError, match=r"^ids must have shape \(batch, seq_len\): got \(3,\)$"):
        padding_mask(torch.zeros(3, dtype=torch.int64), 0)


@pytest.mark.parametrize("n", [0, -1])
def test_causal_mask_refuses_no_positions(n):
    with pytest.raises(ValueError, match=f"^n must be at least 1: got {n}$"):
        causal_mask(n)
