"""Checkpoints: a model file that also holds all that training needs to go on.

One file, because two cannot be replaced in one step. Tensors are beside the weights, plain
values in the header's JSON.
"""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import Tensor
from torch.optim import Optimizer

from transformer.data.tokenizer import Tokenizer
from transformer.model.transformer import Transformer
from transformer.model_file import (
    TRAINING,
    check_weights,
    copy_weights,
    read_file,
    staging_folder,
    tokenizer_header,
    weights,
    write_file,
)

OPTIMIZER, RNG = TRAINING + "optimizer.", TRAINING + "rng."


@dataclass(frozen=True)
class Checkpoint:
    """What a checkpoint says besides the weights and the optimizer's state.

    Attributes:
        progress: How far training has come, ready for JSON: step, epoch, batch and more.
        config: The numbers of the training run, ready for JSON.
        rng: States of the random generators, by name.
    """

    progress: dict[str, Any]
    config: dict[str, Any]
    rng: dict[str, Tensor]


def save_checkpoint(
    path: Path,
    model: Transformer,
    optimizer: Optimizer,
    checkpoint: Checkpoint,
    tokenizer: Tokenizer | None = None,
) -> None:
    """Write all that training needs to go on: weights, optimizer, progress, random generators.

    Args:
        path: The file; one that stands there is replaced.
        model: The model being trained.
        optimizer: Its optimizer.
        checkpoint: The rest.
        tokenizer: The tokenizer of the model's ids, to be stored with it.
    """
    state = optimizer.state_dict()
    moments = {
        f"{OPTIMIZER}{index}.{name}": value
        for index, values in state["state"].items()
        for name, value in values.items()
    }
    rng = {RNG + name: value for name, value in checkpoint.rng.items()}
    training = {
        "progress": checkpoint.progress,
        "config": checkpoint.config,
        "optimizer": state["param_groups"],
    }
    tensors = {**weights(model), **moments, **rng}
    header = {"training": json.dumps(training, allow_nan=False), **tokenizer_header(tokenizer)}
    write_file(path, model.config, tensors, **header)


def load_checkpoint(path: Path, model: Transformer, optimizer: Optimizer) -> Checkpoint:
    """Give the model and the optimizer the state in a file; nothing changes if it is unfit.

    Args:
        path: What `save_checkpoint` wrote.
        model: A model of the same config.
        optimizer: An optimizer of the same kind, over the model's parameters.

    Returns:
        The rest of the checkpoint.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If the file is damaged, was not written by this package, holds a model
            without its training state, or belongs to another model.
    """
    config, tensors, header = read_file(path)
    if "training" not in header:
        raise ValueError(f"{path}: a model without its training state: training cannot go on")
    if config != model.config:
        theirs, ours = config.to_dict(), model.config.to_dict()
        differ = [f"{n}={v}, not {ours[n]}" for n, v in theirs.items() if v != ours[n]]
        raise ValueError(f"{path}: holds another model: {'; '.join(differ)}")
    check_weights(path, model, tensors)
    moments: dict[int, dict[str, Tensor]] = {}
    for key in [key for key in tensors if key.startswith(OPTIMIZER)]:
        index, name = key.removeprefix(OPTIMIZER).split(".")
        moments.setdefault(int(index), {})[name] = tensors[key]
    training = json.loads(header["training"])
    optimizer.load_state_dict({"state": moments, "param_groups": training["optimizer"]})
    copy_weights(model, tensors)
    rng = {k.removeprefix(RNG): v for k, v in tensors.items() if k.startswith(RNG)}
    return Checkpoint(training["progress"], training["config"], rng)


def checkpoint_path(folder: Path, step: int) -> Path:
    """Return the file that holds the checkpoint of a step.

    Example:
        >>> checkpoint_path(Path("runs"), 500).name
        'step-00000500.safetensors'
    """
    return folder / f"step-{step:08}.safetensors"


def checkpoints(folder: Path) -> list[Path]:
    """Return the checkpoints in a folder, oldest first.

    Example:
        >>> checkpoints(Path("no-such-folder"))
        []
    """
    return sorted(folder.glob("step-" + "[0-9]" * 8 + ".safetensors"))


def prune(folder: Path, keep: int) -> None:
    """Delete all checkpoints but the newest, and what killed processes left half written.

    Args:
        folder: A folder in which nobody else is writing now.
        keep: Number of checkpoints to keep.
    """
    for old in checkpoints(folder)[:-keep]:
        old.unlink()
    for unfinished in folder.glob(staging_folder(Path("*.safetensors")).name):
        shutil.rmtree(unfinished)
