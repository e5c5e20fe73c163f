"""Models on disk: one safetensors file each, with the model's config and its tokenizer.

What is read is checked first: a file that is damaged, or that does not fit its own config, is
refused by its name before anything is built or overwritten.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from transformer.arguments import FilePath
from transformer.checksummed_file import ChecksummedFile, open_checksummed, write_checksummed
from transformer.data.tokenizer import Tokenizer
from transformer.model.config import TransformerConfig, head_widths
from transformer.model.transformer import Transformer

TRAINING = "training."  # It begins the names of tensors that are no weights.
PRECISIONS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
POSITION_NUMBERS = 2**27  # Tables of positions are in no file, so no file bounds them.


def save_model(
    path: FilePath,
    model: Transformer,
    dtype: torch.dtype | None = None,
    tokenizer: Tokenizer | None = None,
) -> None:
    """Write the model's weights and config to one file; shared weights are written once.

    Equal models make equal files, byte for byte.

    Args:
        path: The file; one that stands there is replaced.
        model: The model.
        dtype: Precision in the file, such as `torch.float16`; the model's own when None.
        tokenizer: The tokenizer of its ids, to be stored with it.

    Raises:
        ValueError: If `dtype` is no precision of weights, a weight is not finite in it, the
            tokenizer has other ids than the model, or `max_len` is too large to be loaded again.
        OSError: If the file cannot be written, such as on a full disk.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> model = Transformer(TransformerConfig(100, 120, d_model=16, num_heads=2, d_ff=32))
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder) / "model.safetensors"
        ...     save_model(path, model)
        ...     load_model(path).config == model.config
        True
    """
    if dtype is not None and dtype not in PRECISIONS:
        raise ValueError(f"dtype must be one of {PRECISIONS}: got {dtype}")
    tensors = {name: weight.to(dtype or weight.dtype) for name, weight in weights(model).items()}
    check_finite(Path(path), tensors)
    write_checksummed(Path(path), model_document(model, tokenizer), tensors)


def load_model(path: FilePath, device: torch.device | str = "cpu") -> Transformer:
    """Make the model that `save_model` or a training run wrote, ready to be used (`eval`).

    Args:
        path: The file.
        device: Where the model shall be.

    Returns:
        The model, in PyTorch's default precision.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If the file is damaged, or was not written by this package.
    """
    with open_checksummed(Path(path)) as file:
        model = Transformer(read_config(file))
        check_weights(file, model)
        tensors = file.tensors()
    check_finite(Path(path), tensors)
    copy_weights(model, tensors)
    return model.eval().to(device)


def load_tokenizer(path: FilePath) -> Tokenizer:
    """Read the tokenizer that is stored with a model or a checkpoint, and no weight.

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
    with open_checksummed(Path(path)) as file:
        config = read_config(file)
        if "tokenizer" not in file.document:
            raise ValueError(f"{path}: a model without a tokenizer: save it with tokenizer=…")
        try:
            tokenizer = Tokenizer.from_json(json.dumps(file.document["tokenizer"]))
            check_tokenizer(tokenizer, config)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error
    return tokenizer


def load_translator(
    path: FilePath, device: torch.device | str = "cpu"
) -> tuple[Transformer, Tokenizer]:
    """Load a model and the tokenizer that is stored with it.

    Args:
        path: What `transformer train` wrote: a model or a checkpoint, with its tokenizer.
        device: Where the model shall be.

    Returns:
        The model, in evaluation mode, and the tokenizer of its ids.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If the file is damaged, was not written by this package, or holds no
            tokenizer.

    Example:
        >>> from transformer.inference.shipped import PRETRAINED
        >>> model, tokenizer = load_translator(PRETRAINED)
        >>> model.config.src_vocab_size == tokenizer.vocab_size
        True
    """
    tokenizer = load_tokenizer(path)
    return load_model(path, device), tokenizer


def read_model_config(path: FilePath) -> TransformerConfig:
    """Read the config of a model or a checkpoint, and no weight.

    Args:
        path: The file.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If the file is damaged, or was not written by this package.
    """
    with open_checksummed(Path(path)) as file:
        return read_config(file)


def average_models(paths: Sequence[FilePath]) -> Transformer:
    """Make the model whose every weight is the mean over several files (§6.1).

    The paper averages the last 5 checkpoints of a base model, and the last 20 of a big one.

    Args:
        paths: Models or checkpoints of one run, such as its last checkpoints.

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
    """Return every weight once: a shared one under its first name."""
    return dict(model.named_parameters())


def model_document(model: Transformer, tokenizer: Tokenizer | None) -> dict[str, Any]:
    """Return what a file holds of a model besides its weights, ready for JSON.

    Raises:
        ValueError: If the tokenizer has other ids than the model, or `max_len` is too large.
    """
    _check_positions(model.config)
    document: dict[str, Any] = {"config": model.config.to_dict()}
    if tokenizer is not None:
        check_tokenizer(tokenizer, model.config)
        document["tokenizer"] = json.loads(tokenizer.to_json())
    return document


def check_tokenizer(tokenizer: Tokenizer, config: TransformerConfig) -> None:
    """Refuse a tokenizer whose ids are not those of the model.

    Raises:
        ValueError: If the number of ids, or a special id, differs.
    """
    sizes = tokenizer.source.vocab_size, tokenizer.vocab_size
    values = (*sizes, tokenizer.pad_id, tokenizer.bos_id, tokenizer.eos_id)
    names = ("src_vocab_size", "tgt_vocab_size", "pad_id", "bos_id", "eos_id")
    for name, value in zip(names, values, strict=True):
        if getattr(config, name) != value:
            raise ValueError(
                "the tokenizer must be the model's own: "
                f"its {name} is {value}, the model's {getattr(config, name)}"
            )


def read_config(file: ChecksummedFile) -> TransformerConfig:
    """Return the config of the model in a file.

    Raises:
        ValueError: If it is no config, or asks for more than the file can hold.
    """
    if "config" not in file.document:
        raise ValueError(f"{file.path}: no model of this package: it has no config")
    try:
        config = TransformerConfig.from_dict(file.document["config"])
    except (TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"{file.path}: no model of this package: {error}") from error
    # Every size but max_len is a side of some weight, and every layer has weights.
    bound, layers = file.path.stat().st_size, len(file.specs)
    for name, value in config.to_dict().items():
        max_value = layers if name.endswith("_layers") else bound
        if isinstance(value, int) and value > max_value and name != "max_len":
            raise ValueError(f"{file.path}: its config does not fit its size: {name}={value}")
    if (numbers := _min_numbers(config)) > bound:
        raise ValueError(f"{file.path}: its config asks for more than {numbers:,} numbers")
    try:
        _check_positions(config)
    except ValueError as error:
        raise ValueError(f"{file.path}: {error}") from error
    return config


def _min_numbers(c: TransformerConfig) -> int:
    """Return how many numbers a model has at least: a good part of all of them."""
    layers = c.num_encoder_layers + c.num_decoder_layers
    joined = c.num_heads * sum(head_widths(c.d_model, c.num_heads, c.d_k, c.d_v))
    return c.d_model * (max(c.src_vocab_size, c.tgt_vocab_size) + layers * (c.d_ff + joined))


def _check_positions(config: TransformerConfig) -> None:
    """Refuse a `max_len` whose tables of positions would fill the memory."""
    if config.max_len * config.d_model > POSITION_NUMBERS:
        raise ValueError(
            f"max_len={config.max_len} positions of d_model={config.d_model} take more than "
            f"{POSITION_NUMBERS * 4 // 2**20} MiB: nothing that large is saved or loaded"
        )


def check_weights(file: ChecksummedFile, model: Transformer) -> None:
    """Refuse a file whose weights have other names, shapes or precision than a model's.

    Raises:
        ValueError: If a weight is missing, too many, or of another kind.
    """
    expected = {name: tuple(weight.shape) for name, weight in weights(model).items()}
    specs = {name: spec for name, spec in file.specs.items() if not name.startswith(TRAINING)}
    found = {name: spec.shape for name, spec in specs.items()}
    if found != expected:
        differ = sorted(dict(found.items() ^ expected.items()))
        raise ValueError(f"{file.path}: weights do not fit the config: {', '.join(differ)}")
    for name, spec in specs.items():
        if spec.dtype not in PRECISIONS:
            raise ValueError(f"{file.path}: weights must be floats: {name} is {spec.dtype}")


def check_finite(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Refuse numbers that are infinite or nan, in a file to be written or just read.

    Raises:
        ValueError: If there is one.
    """
    for name, tensor in tensors.items():
        if not torch.isfinite(tensor).all():
            raise ValueError(f"{path}: every number must be finite: {name} ({tensor.dtype}) is not")


def copy_weights(model: Transformer, tensors: Mapping[str, Tensor]) -> None:
    """Give the model the weights among the tensors, whatever their precision."""
    with torch.no_grad():
        for name, weight in weights(model).items():
            weight.copy_(tensors[name])
