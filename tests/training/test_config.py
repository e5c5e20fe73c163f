"""Every number of a run is checked when the config is made."""

import json
import re

import pytest

from transformer.training.config import TrainingConfig

COUNTS = (
    "steps", "warmup", "accumulate", "log_every", "evaluate_every", "save_every", "keep",
    "patience",
)  # fmt: skip


@pytest.mark.parametrize("name", COUNTS)
def test_refuses_counts_below_one(name):
    with pytest.raises(ValueError, match=f"^{name} must be at least 1: got 0$"):
        TrainingConfig(**{"steps": 1, name: 0})


@pytest.mark.parametrize("name", [*COUNTS, "seed"])
@pytest.mark.parametrize("value", [1.0, True, "1"])
def test_refuses_counts_that_are_no_integers(name, value, no_shape_checks):
    with pytest.raises(TypeError, match=f"^{name} must be an integer: got {value!r}$"):
        TrainingConfig(**{"steps": 1, name: value})


@pytest.mark.parametrize(
    ("values", "error", "text"),
    [
        ({"seed": -1}, ValueError, "seed must be at least 0: got -1"),
        (
            {"label_smoothing": 1.0},
            ValueError,
            "label smoothing must be at least 0 and below 1: got 1.0",
        ),
        ({"clip_norm": 0.0}, ValueError, "clip_norm must be above 0 and finite, or None: got 0.0"),
        (
            {"clip_norm": float("inf")},
            ValueError,
            "clip_norm must be above 0 and finite, or None: got inf",
        ),
        (
            {"dtype": "float16"},
            ValueError,
            "dtype must be one of ('float32', 'bfloat16'): got 'float16'",
        ),
        ({"compile": 1}, TypeError, "compile must be True or False: got 1"),
    ],
)
def test_refuses_other_values_out_of_range(values, error, text, no_shape_checks):
    with pytest.raises(error, match=f"^{re.escape(text)}$"):
        TrainingConfig(steps=1, **values)


def test_survives_json():
    config = TrainingConfig(steps=10, clip_norm=None, patience=3)
    assert TrainingConfig(**json.loads(json.dumps(config.to_dict()))) == config


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("warmup", 9),
        ("label_smoothing", 0.0),
        ("clip_norm", None),
        ("accumulate", 2),
        ("seed", 1),
        ("dtype", "bfloat16"),
    ],
)
def test_what_shapes_the_weights_must_stay(name, value):
    earlier = TrainingConfig(steps=10)
    text = f"to go on, {name} must stay {getattr(earlier, name)!r}: got {value!r}"
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        TrainingConfig(**{"steps": 10, name: value}).check_continues(earlier.to_dict())
