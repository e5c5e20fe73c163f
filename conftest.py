"""Pytest runs the code in the README, and builds the site for the tests that need it."""

from pathlib import Path

from docs.checks.snippets import sybil

pytest_plugins = ["tests.built_site"]
pytest_collect_file = sybil(
    str(Path(__file__).parent), patterns=["README.md"], exclude="*/README.md"
).pytest()
