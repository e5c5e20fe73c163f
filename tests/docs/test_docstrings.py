"""Docstrings and signatures tell the same shapes."""

from pathlib import Path

import pytest

from docs.checks.docstrings import problems

ROOT = Path(__file__).parents[2]

GOOD = '''\
"""A package."""


class Layer:
    """A layer."""

    def forward(
        self, x: Float[Tensor, "batch n d"], y: Float[Tensor, "*batch n"], z: Int[Tensor, "k"]
    ) -> tuple[Float[Tensor, "batch d"], Bool[Tensor, "n m"]]:
        """Go.

        Args:
            x: States `(batch, n, d)`.
            y: Shape `(..., n)`, or `(2,)` of them.
            z: Shape `(heads * k,)`.

        Returns:
            Output `(batch, d)` and mask `(n, m)`.
        """
'''


def package(root: Path, source: str) -> Path:
    (root / "transformer").mkdir()
    (root / "transformer/__init__.py").write_text(source, "utf-8")
    return root


def test_the_same_shapes_pass(tmp_path: Path) -> None:
    assert problems(package(tmp_path, GOOD)) == []


@pytest.mark.parametrize(
    ("good", "bad", "message"),
    [
        ("States `(batch, n, d)`", "States `(batch, d, n)`", "forward, x: `(batch, d, n)` is 'b"),
        (
            "States `(batch, n, d)`",
            "States `(batch, n)`",
            "forward, x: `(batch, n)` is 'b",
        ),
        ("`(..., n)`", "`(..., m)`", "forward, y: `(..., m)` is '*batch n' in the signature"),
        ("mask `(n, m)`", "mask `(m, n)`", "forward, the result: `(m, n)` is 'n m'"),
        ('"batch n d"', '"batch d n"', "forward, x: `(batch, n, d)` is 'batch d n'"),
    ],
)
def test_another_shape_is_named(tmp_path: Path, good: str, bad: str, message: str) -> None:
    assert GOOD.count(good) == 1
    (problem,) = problems(package(tmp_path, GOOD.replace(good, bad)))
    assert (problem.file, problem.line) == (Path("transformer/__init__.py"), 10)
    assert problem.message.startswith(message)


def test_the_repository_tells_the_shapes_that_it_enforces() -> None:
    found = problems(ROOT)
    assert not found, "\n".join(map(str, found))
