"""Models on disk: one safetensors file each, written whole or not at all.

The header of the file holds the model's config and its tokenizer as JSON. Nothing is pickled.
"""

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from transformer.data.tokenizer import Tokenizer
from transformer.model.config import TransformerConfig
from transformer.model.transformer import Transformer

TRAINING = "training."  # begins the names of tensors that are no weights


def save_model(
    path: Path,
    model: Transformer,
    dtype: torch.dtype | None = None,
    tokenizer: Tokenizer | None = None,
) -> None:
    """Write the model's weights and config to one file; shared weights are written once.

    Args:
        path: The file; one that stands there is replaced.
        model: The model.
        dtype: Precision in the file, such as `torch.float16`; the model's own when None.
        tokenizer: The tokenizer of its ids, to be stored with it.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> model = Transformer(TransformerConfig(100, 120, d_model=16, num_heads=2, d_ff=32))
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder) / "model.safetensors"
        ...     save_model(path, model)
        ...     load_model(path).config == model.config
        True
    """
    tensors = {name: weight.to(dtype or weight.dtype) for name, weight in weights(model).items()}
    write_file(path, model.config, tensors, **tokenizer_header(tokenizer))


def load_model(path: Path) -> Transformer:
    """Make the model that `save_model` or `save_checkpoint` wrote, ready to be used (`eval`).

    Args:
        path: The file.

    Returns:
        The model on the CPU, in PyTorch's default precision.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If the file is damaged, or was not written by this package.
    """
    config, tensors, _ = read_file(path)
    model = Transformer(config)
    check_weights(path, model, tensors)
    copy_weights(model, tensors)
    return model.eval()


def load_tokenizer(path: Path) -> Tokenizer:
    """Read the tokenizer that is stored with a model or a checkpoint.

    Args:
        path: The file.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If the file is damaged, was not written by this package, or holds no
            tokenizer.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> tokenizer = Tokenizer.train(["the cat sleeps ."], vocab_size=300)
        >>> size = tokenizer.vocab_size
        >>> model = Transformer(TransformerConfig(size, size, d_model=16, num_heads=2, d_ff=32))
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder) / "model.safetensors"
        ...     save_model(path, model, tokenizer=tokenizer)
        ...     load_tokenizer(path).encode("cat") == tokenizer.encode("cat")
        True
    """
    header = read_file(path)[2]
    if "tokenizer" not in header:
        raise ValueError(f"{path}: a model without a tokenizer: save it with tokenizer=…")
    try:
        return Tokenizer.from_json(header["tokenizer"])
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def tokenizer_header(tokenizer: Tokenizer | None) -> dict[str, str]:
    """Return what the header of a file holds of a tokenizer, or nothing without one."""
    return {} if tokenizer is None else {"tokenizer": tokenizer.to_json()}


def average_models(paths: Sequence[Path]) -> Transformer:
    """Make the model whose every weight is the mean over several files (§6.1).

    The paper averages the last 5 checkpoints of a base model, and the last 20 of a big one.

    Args:
        paths: Models or checkpoints of one run, such as the last of `checkpoints(folder)`.

    Returns:
        The averaged model, in evaluation mode.

    Raises:
        FileNotFoundError: If a file is missing.
        ValueError: If there is no file, one is damaged, or the configs differ.
    """
    if not paths:
        raise ValueError("paths must hold at least one file: got none")
    average = load_model(paths[0])
    sums = {name: p.detach().double() for name, p in weights(average).items()}
    for path in paths[1:]:
        model = load_model(path)
        if model.config != average.config:
            raise ValueError(f"{path} holds another model than {paths[0]}: their configs differ")
        for name, weight in weights(model).items():
            sums[name] += weight.detach()
    with torch.no_grad():
        for name, weight in weights(average).items():
            weight.copy_(sums[name] / len(paths))
    return average


def weights(model: Transformer) -> dict[str, Tensor]:
    """Return every weight once: a shared one under its first name, as `save_file` wants it."""
    return dict(model.named_parameters())


def check_weights(path: Path, model: Transformer, tensors: dict[str, Tensor]) -> None:
    """Refuse tensors whose names and shapes are not those of the model's weights.

    Raises:
        ValueError: If one is missing, too many, or of another shape.
    """
    found = {k: v.shape for k, v in tensors.items() if not k.startswith(TRAINING)}
    expected = {name: weight.shape for name, weight in weights(model).items()}
    if found != expected:
        differ = sorted(dict(found.items() ^ expected.items()))
        raise ValueError(f"{path}: weights do not fit the config: {', '.join(differ)}")


def copy_weights(model: Transformer, tensors: dict[str, Tensor]) -> None:
    """Give the model the weights among the tensors, whatever their precision."""
    with torch.no_grad():
        for name, weight in weights(model).items():
            weight.copy_(tensors[name])


def read_file(path: Path) -> tuple[TransformerConfig, dict[str, Tensor], dict[str, str]]:
    """Return the model's config, all tensors, and the header with everything else.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If the file is damaged, or was not written by this package.
    """
    path.stat()  # raises where there is no file
    try:
        with safe_open(path, framework="pt") as file:
            header = file.metadata() or {}
            # Copies: the file may be deleted while the tensors live on.
            tensors = {key: file.get_tensor(key).clone() for key in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError) as error:
        raise ValueError(f"{path}: no complete safetensors file: {error}") from error
    try:
        return TransformerConfig.from_dict(json.loads(header["config"])), tensors, header
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: no model of this package: {error!r}") from error


def write_file(
    path: Path, config: TransformerConfig, tensors: dict[str, Tensor], **header: str
) -> None:
    """Write beside the file, make sure that it is on the disk, then put it in place at once."""
    staging = staging_folder(path)
    shutil.rmtree(staging, ignore_errors=True)  # of a process that was killed
    staging.mkdir()
    written = staging / path.name
    save_file(tensors, written, {"config": json.dumps(config.to_dict()), **header})
    written.chmod(staging.stat().st_mode & 0o666)  # save_file lets nobody else read it
    _sync(written)
    written.replace(path)
    staging.rmdir()
    if os.name == "posix":  # elsewhere a folder cannot be opened
        _sync(path.parent)


def staging_folder(path: Path) -> Path:
    """Return where a file is written before it is put in place."""
    return path.with_name(f".{path.name}.tmp")


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
