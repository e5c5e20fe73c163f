"""The recipe: what it builds, and what no machine could hold is refused before it is tried."""

import json
from dataclasses import asdict
from functools import partial

import numpy as np
import pytest

from tests.refused import refusals
from transformer import Transformer
from transformer.training import recipe
from transformer.training.recipe import Recipe


def test_one_matrix_embeds_and_projects():
    config = Recipe().config(vocab_size=1500)
    assert config.share_embeddings
    assert config.tie_output


def test_depths_may_differ_and_pre_norm_be_chosen():
    config = Recipe(num_layers=3, num_decoder_layers=1, norm_first=True).config(1500)
    assert (config.num_encoder_layers, config.num_decoder_layers) == (3, 1)
    assert config.norm_first


def test_survives_json(no_shape_checks):
    recipe = Recipe(d_model=np.int64(64), num_decoder_layers=np.int8(3), dropout=np.float32(0.5))
    assert Recipe.from_dict(json.loads(json.dumps(asdict(recipe)))) == recipe


@pytest.mark.parametrize("sizes", [{}, {"d_model": 512, "num_layers": 6, "d_ff": 2048}])
def test_the_size_that_is_checked_is_nearly_that_of_the_model(sizes, monkeypatch):
    model = Transformer(Recipe(**sizes).config(4000))
    counted = sum(tensor.numel() for tensor in [*model.parameters(), *model.buffers()])
    monkeypatch.setattr(recipe, "LARGEST", counted)
    Recipe(**sizes)  # biases and normalization are not counted
    monkeypatch.setattr(recipe, "LARGEST", int(0.98 * counted))
    with pytest.raises(ValueError, match="a model must have at most"):
        Recipe(**sizes)


# Errors

TOO_LARGE = "a model must have at most 10,000,000,000 numbers: got…"
SMALL = (
    ("max_len", 2, "at least 3"),
    ("batch_tokens", 0, "at least 3"),
    ("average", 0, "at least 1"),
    ("num_layers", 0, "at least 1"),
    ("num_encoder_layers", 0, "at least 1"),
)
LARGE = (
    ("d_model", 10**7),
    ("d_model", 10**12),
    ("d_ff", 10**12),
    ("num_layers", 10**6),
    ("num_decoder_layers", 10**9),
    ("max_len", 10**9),
    ("max_len", 10**30),
)
test_refuses = refusals(
    (lambda: Recipe.from_dict({"width": 1}), ValueError,
     "unknown fields ['width'] of Recipe: expected some of …"),
    *((partial(Recipe, **{name: value}), ValueError, f"{name} must be {expected}: got {value}")
      for name, value, expected in SMALL),
    *((partial(Recipe, **{name: value}), ValueError, TOO_LARGE) for name, value in LARGE),
)  # fmt: skip
