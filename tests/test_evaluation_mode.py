"""The modes of a model: off for a while, then as they were."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from transformer import Transformer, TransformerConfig
from transformer.evaluation_mode import evaluation_mode

TINY = TransformerConfig(9, 9, d_model=8, num_heads=2, num_encoder_layers=1,
                         num_decoder_layers=1, d_ff=8)  # fmt: skip


def modes(model: nn.Module) -> list[bool]:
    return [module.training for module in model.modules()]


@given(data=st.data())
def test_every_module_gets_its_own_mode_back(data):
    model = Transformer(TINY)
    for module in model.modules():
        module.training = data.draw(st.booleans())
    before = modes(model)
    with evaluation_mode(model):
        assert not any(modes(model))
    assert modes(model) == before


def test_after_an_error_too():
    model = Transformer(TINY)
    model.encoder.eval()  # frozen, say
    before = modes(model)
    with pytest.raises(KeyError), evaluation_mode(model):
        raise KeyError
    assert modes(model) == before
    assert {True, False} == set(before)


def test_a_compiled_model_and_the_one_inside_it():
    model = Transformer(TINY)
    compiled = torch.compile(model, backend="eager")
    model.encoder.eval()
    before = modes(model), modes(compiled)
    with evaluation_mode(compiled):
        assert not any(modes(model) + modes(compiled))
    assert (modes(model), modes(compiled)) == before


def test_blocks_of_two_threads_may_overlap():
    model = Transformer(TINY)
    first, second = evaluation_mode(model), evaluation_mode(model)
    with first:
        second.__enter__()
    assert not any(modes(model))  # the second goes on
    second.__exit__(None, None, None)
    assert all(modes(model))


def test_refuses_what_has_no_mode(no_shape_checks):
    with (
        pytest.raises(TypeError, match=r"^model must be an nn.Module: got str$"),
        evaluation_mode("model"),
    ):
        pass
