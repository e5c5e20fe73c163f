"""The folder of a training run: what lies where in it, and who may write there."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from transformer.arguments import ArgumentError
from transformer.atomic_write import atomic_write, staging_folder


class RunFolder:
    """The one that knows the names of a run's files; nobody else puts such a name together.

    Args:
        path: The folder; it is made when something is written.

    Attributes:
        path: The folder.
        recipe: What the run goes on with.
        log: What was measured on the way, a line of JSON each.
        best: The model at its lowest validation loss.
        model: The finished model.
        ids: A folder of the pairs as ids.

    Raises:
        ValueError: If the name is empty, or that of a file.

    Example:
        >>> run = RunFolder("runs/mine")
        >>> run.log.as_posix(), run.checkpoint(500).name, run.checkpoints()
        ('runs/mine/log.jsonl', 'step-00000500.safetensors', [])
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        if not str(path):
            raise ArgumentError("folder", "must have a name: got ''")
        self.path = Path(path)
        if self.path.exists() and not self.path.is_dir():
            raise ArgumentError("folder", f"must be a folder: got the file {path}")
        self.recipe = self.path / "recipe.json"
        self.log = self.path / "log.jsonl"
        self.best = self.path / "best.safetensors"
        self.model = self.path / "model.safetensors"
        self.ids = self.path / "ids"

    def __str__(self) -> str:
        return str(self.path)

    def checkpoint(self, step: int) -> Path:
        """Return the file that holds the checkpoint of a step."""
        return self.path / f"step-{step:08}.safetensors"

    @staticmethod
    def step_of(path: Path) -> int | None:
        """Return the step that the name of a checkpoint says; None if it says none."""
        number = path.stem.removeprefix("step-")
        return int(number) if path.stem.startswith("step-") and number.isdecimal() else None

    def checkpoints(self) -> list[Path]:
        """Return the checkpoints, oldest first."""
        return sorted(self.path.glob("step-" + "[0-9]" * 8 + ".safetensors"))

    def prune(self, keep: int) -> None:
        """Delete all checkpoints but the newest, and what killed processes left half written.

        Args:
            keep: Number of checkpoints to keep.
        """
        for old in self.checkpoints()[:-keep]:
            old.unlink()
        for unfinished in self.path.glob(staging_folder(Path("*")).name):
            shutil.rmtree(unfinished)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep every other training out of the folder; the lock goes with the process.

        Raises:
            ValueError: If another training is at work in it.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self.path / ".lock", timeout=0, is_singleton=True)
        try:
            lock.acquire()
        except Timeout:
            raise ValueError(
                f"{self}: another training is at work in this folder "
                "(wait for its end, or train in another folder)"
            ) from None
        try:
            yield
        finally:
            lock.release()

    def read_recipe(self) -> dict[str, Any] | None:
        """Return what the run goes on with, or None if there is no run.

        Raises:
            ValueError: If the file is damaged.
        """
        return read_json(self.recipe) if self.recipe.exists() else None

    def write_recipe(self, recipe: dict[str, Any]) -> None:
        """Write down what the run goes on with.

        Args:
            recipe: Values for JSON, by name.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        text = json.dumps(recipe, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        with atomic_write(self.recipe) as unfinished:
            unfinished.write_text(text, "utf-8")


def read_json(path: str | PathLike[str]) -> dict[str, Any]:
    """Return the JSON object in a file.

    Args:
        path: The file.

    Raises:
        ValueError: If there is none in it.
    """
    try:
        values = json.loads(Path(path).read_text("utf-8"))
        if not isinstance(values, dict):
            raise TypeError(f"it holds {values!r:.50}")
    except (TypeError, ValueError, RecursionError) as error:
        message = f"{path}: damaged, no JSON object: {error} (delete it, or mend it)"
        raise ValueError(message) from error
    return values
