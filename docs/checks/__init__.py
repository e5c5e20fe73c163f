"""Checks of the site's sources: each finds problems and says where they are and what to do."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, order=True)
class Problem:
    """One thing to mend: where (seen from the root), what is wrong, and what to do."""

    file: Path
    line: int
    message: str

    def __str__(self) -> str:
        """Print as editors and CI logs know it."""
        return f"{self.file.as_posix()}:{self.line}: {self.message}"
