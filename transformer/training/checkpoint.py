"""Checkpoints: a model file that also holds all that training needs to go on.

One file, because two cannot be replaced in one step. Tensors are beside the weights, plain
values in the file's document. All of it is checked before model or optimizer are touched.
"""

import json
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler

from transformer.arguments import check_number
from transformer.checksummed_file import open_checksummed, write_checksummed
from transformer.data.tokenizer import Tokenizer
from transformer.model.transformer import Transformer
from transformer.model_file import (
    TRAINING,
    check_finite,
    check_weights,
    copy_weights,
    model_document,
    read_config,
    weights,
)
from transformer.training.config import TrainingConfig
from transformer.training.progress import Progress
from transformer.training.random_state import check_random_states
from transformer.training.run_folder import RunFolder

OPTIMIZER, RNG = TRAINING + "optimizer.", TRAINING + "rng."
_FIELDS = {"progress", "config", "optimizer", "groups", "schedule", "scaler"}
_NUMBERS = {"step", "eta", "mu", "mu_product"}  # What optimizers keep as one number.
Moments = dict[int, dict[str, Tensor]]


@dataclass(frozen=True)
class Checkpoint:
    """What a checkpoint says besides the weights and the optimizer's state.

    Attributes:
        progress: How far training has come.
        config: The numbers of the training run.
        rng: States of the random generators, by name.
        scaler: The state of PyTorch's `GradScaler` with float16; empty without.
    """

    progress: Progress
    config: TrainingConfig
    rng: dict[str, Tensor]
    scaler: dict[str, Any] = field(default_factory=dict)


def save_checkpoint(
    path: str | PathLike[str],
    model: Transformer,
    optimizer: Optimizer,
    checkpoint: Checkpoint,
    tokenizer: Tokenizer | None = None,
    schedule: LRScheduler | None = None,
) -> None:
    """Write all that training needs to go on: weights, optimizer, progress, random generators.

    Args:
        path: The file; one that stands there is replaced.
        model: The model being trained.
        optimizer: Its optimizer.
        checkpoint: The rest.
        tokenizer: The tokenizer of the model's ids, to be stored with it.
        schedule: A schedule with a state of its own.

    Raises:
        ValueError: If the optimizer or the schedule has a state that a file cannot hold.
        OSError: If the file cannot be written, such as on a full disk.
    """
    state = optimizer.state_dict()
    _check_moments(optimizer, state["state"])
    tensors = dict(weights(model))
    for index, values in state["state"].items():
        tensors |= {f"{OPTIMIZER}{index}.{name}": value for name, value in values.items()}
    tensors |= {RNG + name: value for name, value in checkpoint.rng.items()}
    training = {
        "progress": asdict(checkpoint.progress),
        "config": checkpoint.config.to_dict(),
        "optimizer": type(optimizer).__name__,
        "groups": state["param_groups"],
        "schedule": schedule_state(schedule),
        "scaler": checkpoint.scaler,
    }
    document = {**model_document(model, tokenizer), "training": training}
    write_checksummed(Path(path), document, tensors)


def load_checkpoint(
    path: str | PathLike[str],
    model: Transformer,
    optimizer: Optimizer,
    schedule: LRScheduler | None = None,
    config: TrainingConfig | None = None,
) -> Checkpoint:
    """Give the model and the optimizer the state in a file; nothing changes if it is unfit.

    Args:
        path: What `save_checkpoint` wrote.
        model: A model of the same config.
        optimizer: An optimizer of the same kind, over the model's parameters.
        schedule: A schedule with a state of its own, as when it was saved.
        config: What the run shall go on with; it must fit what it was begun with.

    Returns:
        The rest of the checkpoint.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If the file is damaged, was not written by this package, holds a model
            without its training state, belongs to another model, optimizer or schedule, or
            `config` does not fit.
    """
    path = Path(path)
    with open_checksummed(path) as file:
        if "training" not in file.document:
            raise ValueError(f"{path}: a model without its training state: training cannot go on")
        found = read_config(file)
        if found != model.config:
            saved, own = found.to_dict(), model.config.to_dict()
            differ = [f"{n}={v}, not {own[n]}" for n, v in saved.items() if v != own[n]]
            raise ValueError(f"{path}: holds another model: {'; '.join(differ)}")
        check_weights(file, model)
        training, tensors = file.document["training"], file.tensors()
    try:
        moments = _moments(tensors)
        rng = {k.removeprefix(RNG): v for k, v in tensors.items() if k.startswith(RNG)}
        checkpoint = _checked(training, rng)
        check_step(path, checkpoint.progress.step)
        groups = _checked_groups(training, moments, optimizer)
        if (training["schedule"] is None) != (schedule is None):
            raise ValueError("a schedule of one's own must stay: give `train` the same as before")
        device = next(model.parameters()).device
        check_random_states(rng, device)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: training cannot go on: {error}") from error
    check_finite(path, tensors)
    if config is not None:
        config.check_continues(checkpoint.config)
    optimizer.load_state_dict({"state": moments, "param_groups": groups})
    if schedule is not None:
        schedule.load_state_dict(training["schedule"])
    copy_weights(model, tensors)
    return checkpoint


def check_name(path: Path) -> None:
    """Refuse a checkpoint that has the name of another step: it was renamed, or copied there.

    Args:
        path: The file.

    Raises:
        ValueError: If the name says otherwise, or the file is damaged.
    """
    with open_checksummed(path) as file:
        training = file.document.get("training")
    try:
        check_step(path, _checked(training, {}).progress.step)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from error


def check_step(path: Path, step: int) -> None:
    """Refuse a checkpoint that has the name of another step: it was renamed, or copied here.

    Args:
        path: The file.
        step: The step of its state.

    Raises:
        ValueError: If the name says otherwise; one that names no step says nothing.
    """
    named = RunFolder.step_of(path)
    if named not in (None, step):
        raise ValueError(f"the checkpoint of step {step} under the name of step {named}")


def schedule_state(schedule: LRScheduler | None) -> dict[str, Any] | None:
    """Return the state of a schedule as JSON holds it.

    Raises:
        ValueError: If it holds what JSON cannot.
    """
    if schedule is None:
        return None
    try:
        return json.loads(json.dumps(schedule.state_dict(), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise ValueError(f"schedule must have a state that fits into JSON: {error}") from error


def _checked(training: object, rng: dict[str, Tensor]) -> Checkpoint:
    """Return what a checkpoint says, or what is wrong with it."""
    if isinstance(training, dict):
        training = {"scaler": {}, **training}  # before there was float16 it had none
    if not isinstance(training, dict) or set(training) != _FIELDS:
        raise ValueError(f"its training state must have {sorted(_FIELDS)}")
    for name in ("progress", "config", "scaler"):
        if not isinstance(training[name], dict):
            raise TypeError(f"{name} must be values by name: got {training[name]!r:.50}")
    config = TrainingConfig.from_dict(training["config"])
    scaler = training["scaler"]
    own = torch.amp.GradScaler("cpu", enabled=config.dtype == "float16").state_dict()
    if set(scaler) != set(own):
        raise ValueError(f"its loss scaling must have {sorted(own)}: got {sorted(scaler)}")
    for name, value in scaler.items():
        check_number(f"its loss scaling's {name}", value, min=0)
    return Checkpoint(Progress.from_dict(training["progress"]), config, rng, scaler)


def _moments(tensors: dict[str, Tensor]) -> Moments:
    """Return the optimizer's tensors by the number of their parameter."""
    moments: Moments = defaultdict(dict)
    for key in [key for key in tensors if key.startswith(OPTIMIZER)]:
        index, _, name = key.removeprefix(OPTIMIZER).partition(".")
        if not index.isdecimal() or not name:
            raise ValueError(f"no tensor of an optimizer: {key}")
        moments[int(index)][name] = tensors[key]
    return dict(moments)


def _checked_groups(
    training: dict[str, Any], moments: Moments, optimizer: Optimizer
) -> list[dict[str, Any]]:
    """Return the groups of parameters, if they and the moments are those of this optimizer."""
    kind = type(optimizer).__name__
    if training["optimizer"] != kind:
        raise ValueError(f"its optimizer is {training['optimizer']!r}, not {kind}")
    own = json.loads(json.dumps(optimizer.state_dict()["param_groups"]))
    saved = training["groups"]
    if not isinstance(saved, list) or len(saved) != len(own):
        raise ValueError(f"its optimizer must have {len(own)} groups of parameters")
    for expected, group in zip(own, saved):
        if not isinstance(group, dict) or set(group) - {"initial_lr"} - set(expected):
            raise ValueError(
                f"a group of parameters must have some of {sorted(expected)}: got {group}"
            )
        for name in expected.keys() & group.keys():
            kinds = {type(expected[name]), type(group[name])}
            if len(kinds) > 1 and kinds != {int, float}:
                raise TypeError(f"{name} must be like {expected[name]!r}: got {group[name]!r}")
        if group.get("params") != expected["params"]:
            raise ValueError("its optimizer has other parameters")
    _check_moments(optimizer, moments)
    return [{**expected, **group} for expected, group in zip(own, saved)]


def _check_moments(optimizer: Optimizer, moments: Moments) -> None:
    """Refuse moments that are missing, or of another shape than their parameter.

    PyTorch does not look, and a fused kernel then writes where it should not.
    """
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    if unknown := sorted(set(moments) - set(range(len(parameters)))):
        raise ValueError(f"moments of parameters that are not there: {unknown}")
    names: set[str] = set().union(*moments.values())  # an optimizer keeps the same of each
    for index, parameter in enumerate(parameters):
        values = moments.get(index, {})
        if not values and not parameter.requires_grad:
            continue
        if set(values) != names:
            raise ValueError(f"parameter {index} must have {sorted(names)}: got {sorted(values)}")
        for name, value in values.items():
            if not isinstance(value, Tensor) or not value.is_floating_point():
                raise TypeError(f"{name} of parameter {index} must be floats: got {value!r:.50}")
            expected = () if name in _NUMBERS else tuple(parameter.shape)
            if tuple(value.shape) != expected:
                raise ValueError(
                    f"{name} of parameter {index} must have shape {expected}: "
                    f"got {tuple(value.shape)}"
                )
