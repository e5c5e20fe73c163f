"""Pytest runs the code on the pages."""

from pathlib import Path

from docs.checks.snippets import sybil

pytest_collect_file = sybil(str(Path(__file__).parent), patterns=["*.md"]).pytest()
collect_ignore_glob = ["en/*.py", "zh-TW/*.py"]  # notebooks: the build runs them
