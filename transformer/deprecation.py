"""Old names that still work for one release, with a DeprecationWarning."""

import sys
import warnings
from collections.abc import Callable, Sequence
from functools import wraps
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType
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
        >>> with warnings.catch_warnings(record=True, action="always") as caught:
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


def renamed_modules(package: str, **new_names: str) -> None:
    """Let modules of a package be imported under their old names too.

    Args:
        package: The package.
        **new_names: The new name of each module, by its old name.

    Example:
        >>> with warnings.catch_warnings(record=True, action="always") as caught:
        ...     from transformer.data.corpus import generate_pairs
        >>> print(caught[0].message)
        transformer.data.corpus is now called transformer.data.generator
        >>> generate_pairs.__module__
        'transformer.data.generator'
    """
    names = {f"{package}.{old}": f"{package}.{new}" for old, new in new_names.items()}
    sys.meta_path.append(_OldModules(names))


class _OldModules(MetaPathFinder, Loader):
    """Finds a module under its old name: it is the one of the new name."""

    def __init__(self, new_names: dict[str, str]) -> None:
        self._new_names = new_names
        self._specs: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return spec_from_loader(fullname, self) if fullname in self._new_names else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        new = self._new_names[spec.name]
        warnings.warn(f"{spec.name} is now called {new}", DeprecationWarning, stacklevel=2)
        module = import_module(new)
        self._specs[new] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._specs[module.__name__]  # The import put the old name there.
