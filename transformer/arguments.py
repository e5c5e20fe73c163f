"""Checks of arguments: an error names the argument, its value and what was expected."""

import math
import operator
import os
from dataclasses import fields
from numbers import Real

import torch
from torch import Tensor

FilePath = str | os.PathLike[str]


def check_integer(name: str, value: object, least: int, most: int | None = None) -> int:
    """Refuse what is not an integer, or out of range.

    Integers of NumPy are integers too; True and False are not.

    Args:
        name: What the value is called.
        value: The value.
        least: The smallest that is allowed.
        most: The greatest that is allowed; any when None.

    Returns:
        The value, as a plain `int`.

    Raises:
        TypeError: If the value is not an integer.
        ValueError: If it is below `least` or above `most`.

    Example:
        >>> check_integer("num_heads", 8, least=1)
        8
        >>> check_integer("num_heads", 0, least=1)
        Traceback (most recent call last):
        ...
        ValueError: num_heads must be at least 1: got 0
    """
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # the question asked here
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise TypeError(f"{name} must be an integer: got {value!r}")
    if number < least or (most is not None and number > most):
        allowed = f"at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} must be {allowed}: got {number}")
    return number


def check_number(
    name: str,
    value: object,
    *,
    least: int | float | None = None,
    above: int | float | None = None,
    most: int | float | None = None,
    below: int | float | None = None,
) -> float:
    """Refuse what is not a finite number, or out of range.

    Args:
        name: What the value is called.
        value: The value.
        least: The smallest that is allowed.
        above: A number that the value must be greater than.
        most: The greatest that is allowed.
        below: A number that the value must be smaller than.

    Returns:
        The value, as a plain `float`.

    Raises:
        TypeError: If the value is not a number.
        ValueError: If it is not finite or out of range.

    Example:
        >>> check_number("dropout", 0, least=0, below=1)
        0.0
        >>> check_number("dropout", 1.0, least=0, below=1)
        Traceback (most recent call last):
        ...
        ValueError: dropout must be at least 0 and below 1: got 1.0
        >>> check_number("temperature", math.inf, above=0)
        Traceback (most recent call last):
        ...
        ValueError: temperature must be above 0 and finite: got inf
    """
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number: got {value!r}")
    try:
        number = float(value)
    except OverflowError:  # an integer of hundreds of digits
        number = math.inf  # or below, but finite it is not
    allowed = [
        (least, "at least", operator.ge),
        (above, "above", operator.gt),
        (most, "at most", operator.le),
        (below, "below", operator.lt),
    ]
    bounds = [(word, bound, holds) for bound, word, holds in allowed if bound is not None]
    if not math.isfinite(number) or not all(holds(number, b) for _, b, holds in bounds):
        words = [f"{word} {bound}" for word, bound, _ in bounds]
        if most is None and below is None:
            words.append("finite")
        raise ValueError(f"{name} must be {' and '.join(words)}: got {value!r}")
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
        TypeError: norm_first must be True or False: got 1
    """
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False: got {value!r}")


def check_ids(name: str, value: object) -> None:
    """Refuse what is not a batch of token ids: a tensor of integers with two dimensions.

    Args:
        name: What the value is called.
        value: The value.

    Raises:
        TypeError: If the value is not a tensor, or does not hold integers.
        ValueError: If it does not have two dimensions.

    Example:
        >>> check_ids("src", [[5, 2]])
        Traceback (most recent call last):
        ...
        TypeError: src must be a tensor of ids: got list (make it with torch.tensor)
        >>> check_ids("src", torch.tensor([5, 2]))
        Traceback (most recent call last):
        ...
        ValueError: src must have shape (batch, seq_len): got (2,)
    """
    if not isinstance(value, Tensor):
        hint = "" if value is None else " (make it with torch.tensor)"
        raise TypeError(f"{name} must be a tensor of ids: got {type(value).__name__}{hint}")
    if value.dtype not in (torch.int64, torch.int32):
        raise TypeError(f"{name} must be int64 or int32: got {value.dtype}")
    if value.dim() != 2:
        raise ValueError(f"{name} must have shape (batch, seq_len): got {tuple(value.shape)}")


def check_states(d_model: int, dtype: torch.dtype | None = None, **states: object) -> None:
    """Refuse what are not states of one batch. Each is given by its name.

    A compiled model leaves this to the compiler.

    Args:
        d_model: Width of the states.
        dtype: The precision they must have, but for autocast; any when None.
        **states: What should be tensors of shape `(batch, seq_len, d_model)`.

    Raises:
        TypeError: If one is not a tensor, or of another precision.
        ValueError: If one has another shape, or another number of rows than the first.

    Example:
        >>> check_states(8, memory=torch.zeros(2, 5, 4))
        Traceback (most recent call last):
        ...
        ValueError: memory must have shape (batch, seq_len, 8): got (2, 5, 4)
    """
    if torch.compiler.is_compiling():
        return
    rows: int | None = None
    checked: object = states  # none of them yet
    for name, x in states.items():
        if x is checked:  # self-attention asks for one tensor three times
            continue
        if not isinstance(x, Tensor):
            raise TypeError(f"{name} must be a tensor of states: got {type(x).__name__}")
        other = dtype not in (None, x.dtype) and autocast_dtype(x.device.type) is None
        if other or not x.is_floating_point():
            raise TypeError(f"{name} must be {dtype or 'a floating-point tensor'}: got {x.dtype}")
        shape = x.shape
        if len(shape) != 3 or shape[2] != d_model:
            expected = f"(batch, seq_len, {d_model})"
            raise ValueError(f"{name} must have shape {expected}: got {tuple(shape)}")
        if rows not in (None, shape[0]):
            names = " and ".join(states)
            raise ValueError(f"{names} must be one batch: got {rows} and {shape[0]} rows")
        checked, rows = x, shape[0]


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


def check_not_text(name: str, value: object) -> None:
    """Refuse one string where a list of strings belongs: it would be read letter by letter.

    Args:
        name: What the value is called.
        value: The value.

    Raises:
        TypeError: If the value is a string.

    Example:
        >>> check_not_text("sentences", "the cat")
        Traceback (most recent call last):
        ...
        TypeError: sentences must be a list of strings: got the string 'the cat'
    """
    if isinstance(value, str):
        raise TypeError(f"{name} must be a list of strings: got the string {value!r}")


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
        raise TypeError(f"values must be a dict: got {type(values).__name__}")
    known = {field.name for field in fields(cls)}
    if unknown := sorted(set(values) - known):
        raise ValueError(
            f"unknown fields {unknown} of {cls.__name__}: expected some of {sorted(known)}"
        )
