"""The config: its defaults are the paper's, and it refuses what cannot work."""

import json
import pickle
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from tests.refused import refusals
from transformer import Transformer, TransformerConfig
from transformer.model.config import head_widths

TINY = TransformerConfig(11, 13, d_model=8, num_heads=2, d_ff=16)


def test_base_is_the_papers():
    base = TransformerConfig.base(vocab_size=37000)
    assert base == TransformerConfig(
        37000, 37000, d_model=512, num_heads=8, num_encoder_layers=6, num_decoder_layers=6,
        d_ff=2048, dropout=0.1, share_embeddings=True, tie_output=True,
    )  # fmt: skip
    assert not base.norm_first
    assert base.positional == "sinusoidal"


def test_big_is_the_papers():
    base, big = TransformerConfig.base(37000), TransformerConfig.big(37000)
    assert big == replace(base, d_model=1024, num_heads=16, d_ff=4096, dropout=0.3)


def test_is_frozen_and_hashable():
    with pytest.raises(FrozenInstanceError):
        TINY.d_model = 16
    assert {TINY: "found"}[replace(TINY)] == "found"
    assert hash(TINY) != hash(replace(TINY, dropout=0.2))


def test_survives_json_and_pickle():
    config = replace(TINY, norm_first=True, positional="learned", d_k=3, dropout=0.0)
    assert TransformerConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config
    assert pickle.loads(pickle.dumps(config)) == config


@pytest.mark.parametrize("integer", [np.int64, np.int32, np.uint8])
def test_integers_of_numpy_become_plain_ones(integer, no_shape_checks):
    config = TransformerConfig(integer(11), integer(13), d_model=integer(8), num_heads=integer(2))
    assert config == TransformerConfig(11, 13, d_model=8, num_heads=2)
    assert {type(value) for value in (config.src_vocab_size, config.d_model)} == {int}


@pytest.mark.parametrize(
    ("sizes", "widths"),
    [((512, 8), (64, 64)), ((512, 8, 16), (16, 64)), ((8, 3, 5, 7), (5, 7)), ((6, 1), (6, 6))],
)
def test_head_widths(sizes, widths):
    assert head_widths(*sizes) == widths


# Errors

DIVIDE = "num_heads must divide d_model (or give d_k and d_v): got d_model=8, num_heads=3"
DROPOUT = "dropout must be at least 0 and below 1: got"
VALUES = [
    ({"d_model": 0}, "d_model must be at least 1: got 0"),
    ({"num_heads": -2}, "num_heads must be at least 1: got -2"),
    ({"d_k": 0}, "d_k must be at least 1: got 0"),
    ({"d_v": -1}, "d_v must be at least 1: got -1"),
    ({"max_len": 0}, "max_len must be at least 1: got 0"),
    ({"num_encoder_layers": 0}, "num_encoder_layers must be at least 1: got 0"),
    ({"pad_id": -1}, "pad_id must be at least 0: got -1"),
    ({"dropout": 1.0}, f"{DROPOUT} 1.0"),
    ({"dropout": -0.1}, f"{DROPOUT} -0.1"),
    ({"dropout": float("nan")}, f"{DROPOUT} nan"),
    ({"num_heads": 3}, DIVIDE),
    ({"num_heads": 3, "d_k": 4}, DIVIDE),
    ({"positional": "rotary"},
     "positional must be one of ('sinusoidal', 'learned'): got 'rotary'"),
    ({"d_model": 9, "num_heads": 3}, "d_model must be even for sinusoidal positions: got 9"),
    ({"bos_id": 2},
     "pad_id, bos_id and eos_id must differ: got {'pad_id': 0, 'bos_id': 2, 'eos_id': 2}"),
    ({"eos_id": 11}, "eos_id must be below both vocabulary sizes: got 11, "
     "with src_vocab_size=11, tgt_vocab_size=13"),
    ({"share_embeddings": True},
     "share_embeddings needs one vocabulary: got src_vocab_size=11, tgt_vocab_size=13"),
]  # fmt: skip
TYPES = [
    ({"tgt_vocab_size": True}, "tgt_vocab_size must be an integer: got True"),
    ({"d_model": 8.0}, "d_model must be an integer: got 8.0"),
    ({"d_ff": "16"}, "d_ff must be an integer: got '16'"),
    ({"d_k": 4.0}, "d_k must be an integer: got 4.0"),
    ({"d_v": False}, "d_v must be an integer: got False"),
    ({"pad_id": None}, "pad_id must be an integer: got None"),
    ({"norm_first": 1}, "norm_first must be True or False: got 1"),
    ({"tie_output": None}, "tie_output must be True or False: got None"),
    ({"dropout": "0.1"}, "dropout must be a number: got '0.1'"),
]
KNOWN = sorted(TINY.to_dict())
test_refuses = refusals(
    *((lambda values=values: replace(TINY, **values), ValueError, text) for values, text in VALUES),
    *((lambda values=values: replace(TINY, **values), TypeError, text) for values, text in TYPES),
    (lambda: TransformerConfig(11, 13, 8), TypeError, "TransformerConfig.__init__() takes 3 posi…"),
    (lambda: TransformerConfig.from_dict(None), TypeError, "values must be a dict: got NoneType"),
    (lambda: TransformerConfig.from_dict([11]), TypeError, "values must be a dict: got list"),
    (lambda: TransformerConfig.from_dict({"layers": 6, "d_ff": 8, "heads": 8}), ValueError,
     f"unknown fields ['heads', 'layers'] of TransformerConfig: expected some of {KNOWN}"),
    (lambda: TransformerConfig.from_dict({"src_vocab_size": 9, "d_ff": 16}), ValueError,
     "missing config fields ['tgt_vocab_size']: got ['d_ff', 'src_vocab_size']"),
    (lambda: Transformer(TINY.to_dict()), TypeError,
     "config must be a TransformerConfig: got dict…"),
)  # fmt: skip
