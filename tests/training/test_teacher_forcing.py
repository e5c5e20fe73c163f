"""Many small batches make the gradient of one large batch; padding and order cannot matter."""

from dataclasses import replace
from functools import partial

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F

from tests.copy_task import TINY, Batch, copy_batch, tiny_model
from tests.parity import assert_near
from tests.refused import refused
from transformer.data.batching import collate
from transformer.training.teacher_forcing import accumulate_gradients, count_tokens, validate

STILL = replace(TINY, dropout=0.0)


def gradients(batches, **choices):
    model = tiny_model(STILL)
    loss = accumulate_gradients(model, batches, **choices)
    return loss, [parameter.grad for parameter in model.parameters()]


@given(sizes=st.lists(st.integers(1, 4), min_size=2, max_size=4), data=st.data())
def test_small_batches_make_the_gradient_of_the_large_one(sizes, data):
    longest = [data.draw(st.integers(1, 8)) for _ in sizes]
    small = [copy_batch(n, m, torch.Generator().manual_seed(n)) for n, m in zip(sizes, longest)]
    large = Batch(*(_join([getattr(b, side) for b in small]) for side in ("src", "tgt")))
    loss, accumulated = gradients(small)
    expected_loss, expected = gradients([large])
    torch.testing.assert_close(loss, expected_loss, rtol=0, atol=1e-6)
    torch.testing.assert_close(accumulated, expected, rtol=0, atol=1e-6)


def _join(parts):
    width = max(part.size(1) for part in parts)
    return torch.cat([F.pad(part, (0, width - part.size(1))) for part in parts])


def test_equals_pytorchs_loss_on_the_shifted_target():
    batch, model = copy_batch(4, 5, torch.Generator()), tiny_model(STILL)
    loss = accumulate_gradients(model, [batch], smoothing=0.1)
    logits = model(batch.src, batch.tgt[:, :-1]).transpose(1, 2)
    expected = F.cross_entropy(logits, batch.tgt[:, 1:], ignore_index=0, label_smoothing=0.1)
    assert_near(loss, expected.detach())
    gradient = model.encoder.layers[0].feed_forward.expand.weight.grad
    (expected_gradient,) = torch.autograd.grad(
        expected, model.encoder.layers[0].feed_forward.expand.weight
    )
    assert_near(gradient, expected_gradient)


def test_mixed_precision_is_near_and_keeps_weights_in_float32():
    batches = [copy_batch(4, 5, torch.Generator())]
    loss, expected = (gradients(batches, dtype=d)[0] for d in ("bfloat16", "float32"))
    assert loss.dtype == torch.float32
    assert loss != expected
    torch.testing.assert_close(loss, expected, rtol=0.01, atol=0)
    assert all(g.dtype == torch.float32 for g in gradients(batches, dtype="bfloat16")[1])


def test_counts_what_is_to_be_predicted():
    batch = Batch(torch.tensor([[5, 2], [5, 2]]), torch.tensor([[1, 5, 2], [1, 2, 0]]))
    assert count_tokens([batch, batch]) == 6


def test_refuses_batches_without_a_token():
    empty = Batch(torch.tensor([[5, 2]]), torch.tensor([[1, 0]]))
    with refused(ValueError, "batches must hold a target token to predict: got none in 2"):
        accumulate_gradients(tiny_model(), [empty, empty])


# Validation


def test_validation_is_pytorchs_loss_and_the_share_of_right_tokens():
    batches = [copy_batch(n, 5, torch.Generator().manual_seed(n)) for n in (1, 4, 2)]
    model = tiny_model()  # with dropout, which must not act
    result = validate(model, batches)
    assert model.training
    model.eval()
    losses, right = [], []
    for batch in batches:
        for src, tgt in zip(batch.src, batch.tgt):
            tgt = tgt[tgt != 0][None]
            logits = model(src[None], tgt[:, :-1])[0]
            losses.append(F.cross_entropy(logits, tgt[0, 1:], reduction="none"))
            right.append(logits.argmax(-1) == tgt[0, 1:])
    assert result.loss == pytest.approx(float(torch.cat(losses).mean().detach()), rel=1e-5)
    assert result.accuracy == pytest.approx(float(torch.cat(right).float().mean()), rel=1e-6)


def test_validation_may_compute_in_mixed_precision():
    batches = [copy_batch(4, 5, torch.Generator())]
    full, half = (validate(tiny_model(), batches, dtype) for dtype in ("float32", "bfloat16"))
    assert half.loss != full.loss
    assert half.loss == pytest.approx(full.loss, rel=0.01)


def test_validation_leaves_every_mode_as_it_was():
    model = tiny_model()
    model.encoder.eval()  # frozen, say
    modes = [module.training for module in model.modules()]
    validate(model, [copy_batch(2, 5, torch.Generator())])
    assert [module.training for module in model.modules()] == modes


def test_predicting_padding_is_never_right():
    model = tiny_model()
    torch.nn.init.zeros_(model.output_layer.weight)  # every logit 0: the highest is the first
    batch = Batch(torch.tensor([[5, 2], [5, 2]]), torch.tensor([[1, 5, 2], [1, 2, 0]]))
    assert validate(model, [batch]).accuracy == 0


def test_validation_leaves_gradients_and_random_numbers_alone():
    model = tiny_model()
    before = torch.get_rng_state()
    validate(model, [copy_batch(2, 5, torch.Generator())])
    assert torch.equal(torch.get_rng_state(), before)
    assert all(parameter.grad is None for parameter in model.parameters())


@pytest.mark.parametrize("batches", [[], iter(())])
def test_refuses_validation_without_a_token(batches):
    text = (
        "validation must hold a target token to predict: got none "
        "(an iterator is used up after one round: give a list)"
    )
    with refused(ValueError, text):
        validate(tiny_model(), batches)


def test_padding_has_one_meaning():
    """A batch that says what it is filled up with must agree with the model."""
    config = replace(TINY, pad_id=5)
    pairs = [([7, 2], [1, 7, 8, 2]), ([9, 8, 2], [1, 2])]
    right, wrong = (collate(pairs, pad_id=pad_id) for pad_id in (5, 0))
    model = tiny_model(config)
    assert count_tokens([right], pad_id=5) == 4
    alone = [collate([pair], pad_id=5) for pair in pairs]
    assert validate(model, [right]).loss == pytest.approx(validate(model, alone).loss, rel=1e-5)
    text = "batches must be filled up with the model's pad_id=5: got one with 0"
    for function in (validate, partial(accumulate_gradients, pad_id=5)):
        with refused(ValueError, text):
            function(model, [wrong])
