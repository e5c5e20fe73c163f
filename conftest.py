"""Pytest runs the code in the README, and builds the site for the tests that need it."""

from pathlib import Path

# Given one file of the package, pytest would execute it again beside the one that its package
# imports, and `isinstance` would fail. jaxtyping's hook is in place before any conftest is read.
import transformer.cli  # noqa: F401
from docs.checks.snippets import sybil

pytest_plugins = ["tests.built_site"]
pytest_collect_file = sybil(
    str(Path(__file__).parent), patterns=["README.md"], exclude="*/README.md"
).pytest()
