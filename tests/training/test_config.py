"""Every number of a run is checked when the config is made."""

import json
from functools import partial

import numpy as np
import pytest

from tests.refused import refusals, refused
from transformer.training.config import TrainingConfig
from transformer.training.recipe import Recipe


@pytest.mark.parametrize(
    "make",
    [
        lambda: TrainingConfig(steps=10, clip_norm=None, patience=3),
        lambda: TrainingConfig(steps=np.int64(3), seed=np.uint8(3), patience=np.int32(1)),
        lambda: TrainingConfig(clip_norm=np.float32(0.5), label_smoothing=np.float16(0.25)),
    ],
)
def test_survives_json(make, no_shape_checks):
    config = make()
    assert TrainingConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("warmup", 9),
        ("peak_learning_rate", 0.001),
        ("label_smoothing", 0.0),
        ("clip_norm", None),
        ("accumulate", 2),
        ("seed", 1),
        ("dtype", "bfloat16"),
    ],
)
def test_what_shapes_the_weights_must_stay(name, value):
    earlier = TrainingConfig(steps=10)
    with refused(
        ValueError, f"{name} must stay {getattr(earlier, name)!r} to go on: got {value!r}"
    ):
        TrainingConfig(**{"steps": 10, name: value}).check_continues(earlier)


def test_an_older_run_without_a_newer_field_can_go_on():
    older = {"steps": 10, "warmup": 7}  # says nothing of a peak
    TrainingConfig(steps=20, warmup=7).check_continues(TrainingConfig.from_dict(older))
    with refused(ValueError, "unknown fields ['nonsense'] of TrainingConfig: expected some of …"):
        TrainingConfig.from_dict({"nonsense": 1})


def test_intervals_follow_from_the_steps_unless_they_are_given():
    for steps in (1, 3, 40, 4000):
        config = TrainingConfig(steps=steps)
        assert sum(map(config.evaluates, range(1, steps + 1))) in range(min(steps, 14), 21)
        assert sum(map(config.saves, range(1, steps + 1))) in range(min(steps, 39), 41)
    config = TrainingConfig(steps=9, evaluate_every=3, save_every=4)
    assert list(filter(config.evaluates, range(1, 10))) == [3, 6, 9]
    assert list(filter(config.saves, range(1, 10))) == [4, 8]


def test_the_defaults_are_the_shipped_models():
    config, recipe = TrainingConfig(), Recipe()
    assert (config.steps, config.warmup, config.keep, recipe.average) == (4000, 1000, 10, 10)


# Errors


def wrong_numbers():
    counts = ("steps", "warmup", "accumulate", "log_every", "evaluate_every", "save_every", "keep",
              "patience", "seed")  # fmt: skip
    for name in counts:
        allowed = "at least 1" if name != "seed" else "from 0 to 9223372036854775807"
        yield {name: -1}, ValueError, f"{name} must be {allowed}: got -1"
        for value in (1.0, True, "1"):
            yield {name: value}, TypeError, f"{name} must be an integer: got {value!r}"
    for name, value, expected in (
        ("seed", 2**64, "from 0 to 9223372036854775807"),
        ("label_smoothing", 1.0, "at least 0 and below 1"),
        ("clip_norm", 0.0, "above 0 and finite"),
        ("clip_norm", float("inf"), "above 0 and finite"),
        ("peak_learning_rate", 0.0, "above 0 and finite"),
        ("dtype", "float64", "one of ('float32', 'bfloat16', 'float16')"),
        ("best_by", "bleu", "one of ('loss', 'chrf')"),
    ):
        yield {name: value}, ValueError, f"{name} must be {expected}: got {value!r}"
    yield {"compile": 1}, TypeError, "compile must be True or False: got 1"
    yield {"clip_norm": "1"}, TypeError, "clip_norm must be a number: got '1'"


test_refuses = refusals(
    *((partial(TrainingConfig, **values), error, text) for values, error, text in wrong_numbers()),
    (lambda: TrainingConfig(1000), TypeError, "TrainingConfig.__init__() takes 1 positional …"),
    (lambda: Recipe(1000), TypeError, "Recipe.__init__() takes 1 positional argument but 2 …"),
)
