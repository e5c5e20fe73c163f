"""What a training run tells: lines of JSON for figures, a progress bar for people."""

import json
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

LOG = "log.jsonl"


class TrainingLog:
    """Writes a line of JSON for each record, and keeps the progress bar up to date.

    Lines of steps after `start` are dropped first: they come from a run that was stopped after
    its last checkpoint, and the run that goes on will write them again. The bar is drawn only
    where standard error is a terminal.

    Args:
        folder: Where `log.jsonl` is, or will be.
        steps: Number of updates in all.
        start: Updates done already.
        quiet: Write and show nothing, as every process but the first does.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     with TrainingLog(Path(folder), steps=2) as log:
        ...         log.validation(2, loss=1.5, accuracy=0.5)
        ...     read_log(Path(folder))
        [{'step': 2, 'validation_loss': 1.5, 'validation_accuracy': 0.5}]
    """

    def __init__(self, folder: Path, steps: int, start: int = 0, quiet: bool = False) -> None:
        self._quiet = quiet
        if not quiet:
            self._path = folder / LOG
            _forget_after(folder, start)
        self._tokens, self._since, self._validation = 0, time.perf_counter(), ""
        console = Console(file=sys.stderr)
        columns = (
            TextColumn("{task.completed}/{task.total}"),
            BarColumn(),
            TextColumn("{task.description}"),
            TimeRemainingColumn(),
        )
        self._bar = Progress(*columns, console=console, disable=quiet or not console.is_terminal)
        self._task = self._bar.add_task("", total=steps, completed=start)

    def __enter__(self) -> "TrainingLog":
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def count(self, tokens: int) -> None:
        """Take note of one more update, which predicted this many target tokens."""
        self._tokens += tokens
        self._bar.advance(self._task)

    def training(
        self, step: int, epoch: int, loss: float, learning_rate: float, gradient_norm: float
    ) -> None:
        """Record one update, with the target tokens per second since the last record."""
        now = time.perf_counter()
        speed = self._tokens / (now - self._since)
        self._tokens, self._since = 0, now
        self._bar.update(
            self._task,
            description=f"loss {loss:.3f}{self._validation}  lr {learning_rate:.1e}  "
            f"{speed:,.0f} tok/s",
        )
        self._write(
            step=step,
            epoch=epoch,
            loss=loss,
            learning_rate=learning_rate,
            gradient_norm=gradient_norm,
            tokens_per_second=round(speed),
        )

    def validation(self, step: int, loss: float, accuracy: float) -> None:
        """Record an evaluation; its time does not count against the tokens per second."""
        self._validation = f"  valid {loss:.3f} ({accuracy:.0%})"
        self._tokens, self._since = 0, time.perf_counter()
        self._write(step=step, validation_loss=loss, validation_accuracy=accuracy)

    def _write(self, **record: int | float) -> None:
        if not self._quiet:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")


def read_log(folder: Path) -> list[dict[str, Any]]:
    """Return the records of a run; a last line cut short by a kill is left out.

    Args:
        folder: Where `log.jsonl` is.

    Returns:
        In order, one dict for each record. Training: `step`, `epoch`, `loss` (nats, smoothed),
            `learning_rate`, `gradient_norm` (before clipping), `tokens_per_second`. Evaluation:
            `step`, `validation_loss` (nats, not smoothed), `validation_accuracy` (0 to 1).
    """
    text = (folder / LOG).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def _forget_after(folder: Path, step: int) -> None:
    if (folder / LOG).exists():
        kept = [json.dumps(record) + "\n" for record in read_log(folder) if record["step"] <= step]
        temporary = folder / f".{LOG}.tmp"
        temporary.write_text("".join(kept), encoding="utf-8")
        temporary.replace(folder / LOG)
