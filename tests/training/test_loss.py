"""The loss against PyTorch's, and the schedule against the paper's numbers."""

from functools import partial

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F

from tests.parity import assert_near
from tests.refused import refusals
from transformer.training.loss import label_smoothed_cross_entropy
from transformer.training.schedule import learning_rate, noam_schedule

SMOOTHINGS = pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.9])


def theirs(logits, target, smoothing, pad_id, reduction="mean"):
    return F.cross_entropy(
        logits.transpose(1, 2),
        target,
        label_smoothing=smoothing,
        ignore_index=pad_id,
        reduction=reduction,
    )


@SMOOTHINGS
@pytest.mark.parametrize("pad_id", [0, 6])
@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_equals_pytorchs_cross_entropy(smoothing, pad_id, reduction, dtype):
    logits = (3 * torch.randn(4, 5, 7)).requires_grad_()
    target = torch.randint(0, 7, (4, 5))
    target[0, 0] = pad_id
    loss = label_smoothed_cross_entropy(logits, target, smoothing, pad_id, reduction)
    expected = theirs(logits, target, smoothing, pad_id, reduction)
    assert_near(loss, expected)
    (gradient,) = torch.autograd.grad(loss, logits)
    (expected_gradient,) = torch.autograd.grad(expected, logits)
    assert_near(gradient, expected_gradient)
    assert not gradient[target == pad_id].any()


@SMOOTHINGS
def test_padding_alone_costs_nothing_where_pytorchs_mean_is_nan(smoothing):
    logits = torch.randn(2, 3, 7, requires_grad=True)
    target = torch.zeros(2, 3, dtype=torch.int64)
    assert theirs(logits, target, smoothing, 0).isnan()
    loss = label_smoothed_cross_entropy(logits, target, smoothing)
    loss.backward()
    assert loss == 0
    assert not logits.grad.any()


def test_half_precision_is_summed_in_float32():
    logits, target = torch.randn(50, 80, 7).bfloat16(), torch.randint(1, 7, (50, 80))
    loss = label_smoothed_cross_entropy(logits, target, reduction="sum")
    assert loss.dtype == torch.float32
    assert_near(loss, label_smoothed_cross_entropy(logits.float(), target, reduction="sum"))


def test_is_made_where_the_logits_are():
    logits = torch.zeros(2, 3, 4, device="meta", requires_grad=True)
    loss = label_smoothed_cross_entropy(logits, torch.ones(2, 3, dtype=torch.int64, device="meta"))
    loss.backward()
    assert loss.is_meta


# The schedule


def test_rises_in_a_line_and_falls_with_the_square_root():
    peak = learning_rate(4000, 512)
    assert peak == pytest.approx(512**-0.5 * 4000**-0.5, rel=1e-12)
    assert learning_rate(1000, 512) == pytest.approx(peak / 4, rel=1e-12)
    assert learning_rate(16000, 512) == pytest.approx(peak / 2, rel=1e-12)
    assert max(learning_rate(step, 512, 50) for step in range(1, 200)) == learning_rate(50, 512, 50)


@given(done=st.integers(0, 30))
def test_the_scheduler_follows_the_function_from_any_step(done):
    optimizer = torch.optim.Adam([torch.nn.Parameter(torch.ones(1))], lr=1.0)
    optimizer.param_groups[0]["initial_lr"] = 1.0  # as in a checkpoint
    schedule = noam_schedule(optimizer, 64, warmup=10, done=done)
    for step in range(done + 1, done + 20):
        assert optimizer.param_groups[0]["lr"] == learning_rate(step, 64, 10)
        optimizer.step()
        schedule.step()


# Errors


def logits_and_targets():
    """Calls of the loss that do not fit."""
    logits, target = torch.zeros(1, 4), torch.tensor([2])
    for arguments, error, text in (
        (([[0.0] * 4], target), TypeError, "logits must be a tensor: got list"),
        ((logits, [2]), TypeError, "target must be a tensor: got list"),
        ((logits.long(), target), TypeError,
         "logits must be a floating-point tensor: got torch.int64"),
        ((logits, target.float()), TypeError, "target must be int64 or int32: got torch.float32"),
        ((torch.zeros(2, 3, 4), torch.ones(3, 2).long()), ValueError,
         "target must have an id for each row of logits, shape (2, 3): got (3, 2)"),
        ((logits, target + 2), ValueError, "target must hold ids from 0 to 3: got 4"),
        ((logits, target - 102), ValueError, "target must hold ids from 0 to 3: got -100"),
        *(((logits, target, x), ValueError, f"smoothing must be at least 0 and below 1: got {x!r}")
          for x in (-0.1, 1.0, 2, float("nan"))),
        *(((logits, target, x), TypeError, f"smoothing must be a number: got {x!r}")
          for x in (True, "0.1", None)),
        ((logits, target, 0.1, 0, "none"), ValueError,
         "reduction must be one of ('mean', 'sum'): got 'none'"),
    ):  # fmt: skip
        yield partial(label_smoothed_cross_entropy, *arguments), error, text


OPTIMIZER = torch.optim.Adam([torch.nn.Parameter(torch.ones(1))], lr=1.0)
RANGE = f"must be from 1 to 1{18 * '0'}: got"
test_refuses = refusals(
    *logits_and_targets(),
    (lambda: learning_rate(0, 8, 4), ValueError, f"step {RANGE} 0"),
    (lambda: learning_rate(1, 0, 4), ValueError, f"d_model {RANGE} 0"),
    (lambda: learning_rate(1, 8, 0), ValueError, f"warmup {RANGE} 0"),
    (lambda: learning_rate(10**400, 8), ValueError, f"step {RANGE} 1…"),
    (lambda: learning_rate(1.5, 8), TypeError, "step must be an integer: got 1.5"),
    (lambda: learning_rate(1, 8, 4.0), TypeError, "warmup must be an integer: got 4.0"),
    (lambda: noam_schedule(OPTIMIZER, 8, done=-1), ValueError, "done must be at least 0: got -1"),
)
