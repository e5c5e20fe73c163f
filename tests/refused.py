"""What is refused, word for word: a reader meets the whole text of an error, and so do tests."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

Refusal = tuple[Callable[[], object], type[Exception], str]


def refused(error: type[Exception], text: str) -> AbstractContextManager:
    """Expect an error of this type with exactly this text; `…` at its end leaves the rest open."""
    begun = text.removesuffix("…")
    return pytest.raises(error, match=f"^{re.escape(begun)}{'' if begun != text else '$'}")


def refusals(*cases: Refusal) -> Callable[..., None]:
    """Make a test of each of these calls: what it raises, in one line, without shape checks."""

    @pytest.mark.parametrize(("call", "error", "text"), cases)
    def test(call, error, text, no_shape_checks):
        with refused(error, text) as caught:
            call()
        assert "\n" not in str(caught.value)

    return test
