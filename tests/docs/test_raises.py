"""The errors of docstrings are those that the code raises."""

from pathlib import Path

import pytest

from docs.checks.raises import problems

ROOT = Path(__file__).parents[2]

GOOD = '''\
def check(size):
    if size < 1:
        raise ValueError(size)


class Layer:
    """A layer.

    Raises:
        ValueError: If it is too small.
    """

    def __init__(self, size):
        check(size)

    @classmethod
    def load(cls, path):
        """Load.

        Raises:
            FileNotFoundError: If there is none.
            ValueError: If it is damaged.
        """
        return cls(path.stat())

    def other(self):
        raise TypeError


def build(layer):
    """Build.

    Raises:
        TypeError: If nothing fits.
        OverflowError: If it is too large.
    """
    layer.other()
    raise OverflowError
'''


def package(root: Path, source: str) -> Path:
    (root / "transformer").mkdir()
    (root / "transformer/layers.py").write_text(source, "utf-8")
    return root


def test_errors_that_are_raised_pass(tmp_path: Path) -> None:
    assert problems(package(tmp_path, GOOD)) == []


@pytest.mark.parametrize(
    ("good", "bad", "line", "message"),
    [
        ("ValueError: If it is too", "TypeError: If it is too", 10, "Layer: nothing that it calls"),
        ("raise ValueError(size)", "raise KeyError(size)", 10, "calls raises ValueError; mend"),
        ("        check(size)", "        self.size = size", 10, "calls raises ValueError; mend"),
        ("return cls(path.stat())", "return cls(path)", 21, "load: nothing that it calls raises F"),
        ("    layer.other()\n", "", 34, "build: nothing that it calls raises TypeError"),
        ("    raise OverflowError", "", 35, "build: nothing that it calls raises OverflowError"),
    ],
)
def test_another_error_is_named(
    tmp_path: Path, good: str, bad: str, line: int, message: str
) -> None:
    assert GOOD.count(good) == 1
    found = problems(package(tmp_path, GOOD.replace(good, bad)))
    assert any((p.line, message in p.message) == (line, True) for p in found), found


def test_the_repository_tells_the_errors_that_it_raises() -> None:
    found = problems(ROOT)
    assert not found, "\n".join(map(str, found))
