"""Checks of arguments: an error names the argument, its value and what was expected."""

import math
import operator
import os
from collections.abc import Collection
from dataclasses import fields
from numbers import Real

import torch
from torch import Tensor

FilePath = str | os.PathLike[str]


class _NamesArgument(Exception):
    """What `ArgumentError` and `ArgumentTypeError` share."""

    def __init__(self, argument: str, message: str) -> None:
        super().__init__(argument, message)
        self.argument = argument
        self.message = message

    def __str__(self) -> str:
        return f"{self.argument} {self.message}"


class ArgumentError(_NamesArgument, ValueError):
    """A value that an argument cannot have.

    The text of the error is the argument's name followed by the message. The command line puts
    the name of its option in the argument's place.

    Args:
        argument: Name of the argument; it begins the text.
        message: The rest of the text: what was expected, and what was given.

    Example:
        >>> error = ArgumentError("num_heads", "must be at least 1: got 0")
        >>> print(error)
        num_heads must be at least 1: got 0
        >>> print(f"--num-heads {error.message}")
        --num-heads must be at least 1: got 0
    """


class ArgumentTypeError(_NamesArgument, TypeError):
    """A type that an argument cannot have; otherwise as `ArgumentError`.

    Args:
        argument: Name of the argument; it begins the text.
        message: The rest of the text: what was expected, and what was given.

    Example:
        >>> print(ArgumentTypeError("num_heads", "must be an integer: got '8'"))
        num_heads must be an integer: got '8'
    """


def check_integer(name: str, value: object, min: int, max: int | None = None) -> int:
    """Refuse what is not an integer, or out of range.

    Integers of NumPy are integers too; True and False are not.

    Args:
        name: What the value is called.
        value: The value.
        min: The smallest that is allowed.
        max: The greatest that is allowed; any when None.

    Returns:
        The value, as a plain `int`.

    Raises:
        TypeError: If the value is not an integer.
        ValueError: If it is below `min` or above `max`.

    Example:
        >>> check_integer("num_heads", 8, min=1)
        8
        >>> check_integer("num_heads", 0, min=1)
        Traceback (most recent call last):
        ...
        transformer.arguments.ArgumentError: num_heads must be at least 1: got 0
    """
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # the question asked here
    except TypeError:
        number = None
    if number is None or _is_flag(value):
        raise ArgumentTypeError(name, f"must be an integer: got {value!r}")
    if number < min or (max is not None and number > max):
        allowed = f"at least {min}" if max is None else f"from {min} to {max}"
        raise ArgumentError(name, f"must be {allowed}: got {number}")
    return number


def check_number(
    name: str,
    value: object,
    *,
    min: int | float | None = None,
    gt: int | float | None = None,
    max: int | float | None = None,
    lt: int | float | None = None,
) -> float:
    """Refuse what is not a finite number, or out of range.

    Args:
        name: What the value is called.
        value: The value.
        min: The smallest that is allowed.
        gt: A number that the value must be greater than.
        max: The greatest that is allowed.
        lt: A number that the value must be smaller than.

    Returns:
        The value, as a plain `float`.

    Raises:
        TypeError: If the value is not a number.
        ValueError: If it is not finite or out of range.

    Example:
        >>> check_number("dropout", 0, min=0, lt=1)
        0.0
        >>> check_number("dropout", 1.0, min=0, lt=1)
        Traceback (most recent call last):
        ...
        transformer.arguments.ArgumentError: dropout must be at least 0 and below 1: got 1.0
        >>> check_number("temperature", math.inf, gt=0)
        Traceback (most recent call last):
        ...
        transformer.arguments.ArgumentError: temperature must be above 0 and finite: got inf
    """
    if not isinstance(value, Real) or isinstance(value, bool):
        raise ArgumentTypeError(name, f"must be a number: got {value!r}")
    try:
        number = float(value)
    except OverflowError:  # an integer of hundreds of digits is refused as infinite
        number = math.inf
    known = [
        ("at least", min, operator.ge),
        ("above", gt, operator.gt),
        ("at most", max, operator.le),
        ("below", lt, operator.lt),
    ]
    bounds = [(word, bound, holds) for word, bound, holds in known if bound is not None]
    if not math.isfinite(number) or not all(holds(number, bound) for _, bound, holds in bounds):
        words = [f"{word} {bound}" for word, bound, _ in bounds]
        if max is None and lt is None:
            words.append("finite")
        raise ArgumentError(name, f"must be {' and '.join(words)}: got {value!r}")
    return number


def check_flag(name: str, value: object) -> None:
    """Refuse what is neither True nor False.

    Args:
        name: What the value is called.
        value: The value.

    Raises:
        TypeError: If the value is not a bool.

    Example:
        >>> check_flag("norm_first", 1)
        Traceback (most recent call last):
        ...
        transformer.arguments.ArgumentTypeError: norm_first must be True or False: got 1
    """
    if not isinstance(value, bool):
        raise ArgumentTypeError(name, f"must be True or False: got {value!r}")


def check_ids(name: str, value: object) -> None:
    """Refuse what is not a batch of token ids: a tensor of integers with two dimensions.

    Args:
        name: What the value is called.
        value: The value.

    Raises:
        TypeError: If the value is not a tensor, or does not hold integers.
        ValueError: If it does not have two dimensions.

    Example:
        >>> check_ids("src", None)
        Traceback (most recent call last):
        ...
        transformer.arguments.ArgumentTypeError: src must be a tensor of ids: got NoneType
        >>> check_ids("src", torch.tensor([5, 2]))
        Traceback (most recent call last):
        ...
        transformer.arguments.ArgumentError: src must have shape (batch, seq_len): got (2,)
    """
    if not isinstance(value, Tensor):
        hint = "" if value is None else " (make it with torch.tensor)"
        got = f"{type(value).__name__}{hint}"
        raise ArgumentTypeError(name, f"must be a tensor of ids: got {got}")
    if value.dtype not in (torch.int64, torch.int32):
        raise ArgumentTypeError(name, f"must be int64 or int32: got {value.dtype}")
    if value.layout != torch.strided or value.is_nested:
        kind = "a nested tensor" if value.is_nested else value.layout
        raise ArgumentTypeError(name, f"must be a dense tensor: got {kind}")
    if value.dim() != 2:
        shape = tuple(value.shape)
        raise ArgumentError(name, f"must have shape (batch, seq_len): got {shape}")


def check_states(
    name: str,
    value: object,
    d_model: int,
    batch: int | None = None,
    dtype: torch.dtype | None = None,
) -> None:
    """Refuse what are not the states of a batch.

    Args:
        name: What the value is called.
        value: The value.
        d_model: Width of the states.
        batch: Number of sentences; any when None.
        dtype: The precision they must have, but for autocast; any when None.

    Raises:
        TypeError: If the value is not a tensor, or of another precision.
        ValueError: If it has another shape.

    Example:
        >>> check_states("memory", torch.zeros(5, 8), 8)
        Traceback (most recent call last):
        ...
        transformer.arguments.ArgumentError: memory must have shape (batch, seq_len, 8): got (5, 8)
    """
    if not isinstance(value, Tensor):
        raise ArgumentTypeError(name, f"must be a tensor of states: got {type(value).__name__}")
    other = dtype not in (None, value.dtype) and autocast_dtype(value.device.type) is None
    if other or not value.is_floating_point():
        expected = dtype or "a floating-point tensor"
        raise ArgumentTypeError(name, f"must be {expected}: got {value.dtype}")
    shape = tuple(value.shape)
    if len(shape) != 3 or shape[2] != d_model or batch not in (None, shape[0]):
        expected = f"({'batch' if batch is None else batch}, seq_len, {d_model})"
        raise ArgumentError(name, f"must have shape {expected}: got {shape}")


def check_mask(mask: Tensor, scores_shape: tuple[int, ...]) -> None:
    """Refuse a mask that is not boolean or does not broadcast to the scores.

    Args:
        mask: The mask.
        scores_shape: Shape of the scores, `(..., q_len, k_len)`.

    Raises:
        TypeError: If the mask is not a boolean tensor.
        ValueError: If the mask does not broadcast to `scores_shape`.

    Example:
        >>> check_mask(torch.ones(3, 3, dtype=torch.bool), (2, 3, 3))
        >>> check_mask(torch.ones(3, 3, dtype=torch.bool), (2, 3, 4))  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        transformer.arguments.ArgumentError: mask must broadcast to the scores (2, 3, 4): got ...
    """
    if not isinstance(mask, Tensor) or mask.dtype != torch.bool:
        got = mask.dtype if isinstance(mask, Tensor) else type(mask).__name__
        raise ArgumentTypeError("mask", f"must be boolean (True = may be attended to): got {got}")
    shape, scores_shape = tuple(mask.shape), tuple(scores_shape)
    aligned = zip(reversed(shape), reversed(scores_shape))
    if len(shape) > len(scores_shape) or any(m != 1 and m != s for m, s in aligned):
        expected = f"must broadcast to the scores {scores_shape}"
        raise ArgumentError("mask", f"{expected}: got shape {shape}")


def autocast_dtype(device_type: str) -> torch.dtype | None:
    """Return the precision of autocast where it is on, None where it is not.

    Args:
        device_type: Such as `"cpu"`.

    Example:
        >>> with torch.autocast("cpu", torch.bfloat16):
        ...     autocast_dtype("cpu")
        torch.bfloat16
    """
    known = torch.amp.is_autocast_available(device_type)  # it is not for "meta"
    on = known and torch.is_autocast_enabled(device_type)
    return torch.get_autocast_dtype(device_type) if on else None


def check_strings(name: str, value: object) -> None:
    """Refuse what is not a list of strings, without a look at its elements.

    One string would be read letter by letter, and a generator can be read only once.

    Args:
        name: What the value is called.
        value: The value.

    Raises:
        TypeError: If the value is one string, or has no length.

    Example:
        >>> check_strings("x", "cat")
        Traceback (most recent call last):
        ...
        transformer.arguments.ArgumentTypeError: x must be a list of strings: got the string 'cat'
    """
    if isinstance(value, str | bytes):
        raise ArgumentTypeError(name, f"must be a list of strings: got the string {value!r}")
    if not isinstance(value, Collection):
        got = type(value).__name__
        raise ArgumentTypeError(name, f"must be a list of strings: got {got} (make it a list)")


def check_fields(values: object, cls: type) -> None:
    """Refuse what is not a dict of fields of a dataclass.

    Args:
        values: The dict; fields may be missing.
        cls: The dataclass.

    Raises:
        TypeError: If `values` is not a dict.
        ValueError: If a key is not a field.

    Example:
        >>> from transformer import Recipe
        >>> check_fields({"d_model": 64, "layers": 2}, Recipe)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        ValueError: unknown fields ['layers'] of Recipe: expected some of ['average', ...]
    """
    if not isinstance(values, dict):
        raise ArgumentTypeError("values", f"must be a dict: got {type(values).__name__}")
    known = {field.name for field in fields(cls)}
    if unknown := sorted(set(values) - known):
        raise ValueError(
            f"unknown fields {unknown} of {cls.__name__}: expected some of {sorted(known)}"
        )


def _is_flag(value: object) -> bool:
    """Whether it is True or False, also one of NumPy's or PyTorch's."""
    return isinstance(value, bool) or "bool" in str(getattr(value, "dtype", ""))
