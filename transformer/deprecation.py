"""Old names that still work for one release, with a DeprecationWarning."""

import warnings
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def renamed_parameters(**new_names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function take some of its parameters under their old names too.

    Args:
        **new_names: The new name of each, by its old name.

    Example:
        >>> @renamed_parameters(tell="message")
        ... def train(message):
        ...     print(message)
        >>> with warnings.catch_warnings(record=True) as caught:
        ...     train(tell="hello")
        hello
        >>> print(caught[0].message)
        tell of train is now called message
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            for old, new in new_names.items():
                if old in kwargs:
                    text = f"{old} of {function.__name__} is now called {new}"
                    warnings.warn(text, DeprecationWarning, stacklevel=2)
                    kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return call

    return decorate
