"""What a training run reports: lines of JSON for figures, a bar or plain lines for people."""

import json
import sys
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from os import PathLike
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from transformer.arguments import check_integer
from transformer.atomic_write import atomic_write, name_file_in_errors
from transformer.training.run_folder import RunFolder

PAUSE = 10  # seconds between two plain lines
_SCORES = {"bleu": "BLEU", "chrf": "chrF"}


class TrainingLog:
    """Writes a line of JSON for each record, and shows people how far training has come.

    Lines of steps after `start` are dropped first: they come from a run that was stopped after
    its last checkpoint, and the run that goes on will write them again. Where standard error is
    a terminal a bar is drawn; elsewhere, such as in the log of a server, `message` gets a line
    every ten seconds and for each evaluation.

    Args:
        run: The folder where `log.jsonl` is, or will be.
        steps: Number of updates in all.
        start: Updates done already.
        first: Whether this is the first process; the others write and show nothing.
        bar: Draw the bar, where there is a terminal.
        message: Is called with each plain line; None for none.
        callback: Is called with each record.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     with TrainingLog(RunFolder(folder), steps=2) as log:
        ...         log.validation(2, loss=1.5, accuracy=0.5)
        ...     read_log(folder)
        [{'step': 2, 'validation_loss': 1.5, 'validation_accuracy': 0.5}]
    """

    def __init__(
        self,
        run: RunFolder,
        steps: int,
        start: int = 0,
        *,
        first: bool = True,
        bar: bool = True,
        message: Callable[[str], None] | None = None,
        callback: Callable[[dict[str, Any]], None] | None = None,
    ) -> None:
        self._path, self._first, self._steps, self._start = run.log, first, steps, start
        self._callback = callback
        if first:
            _forget_after(self._path, start)
        self._tokens, self._since, self._validation = 0, time.perf_counter(), ""
        self._state, self._last_line, self._begun = "", self._since, self._since
        console = Console(file=sys.stderr)
        self._message = None if console.is_terminal or not first else message
        columns = (
            TextColumn("{task.completed}/{task.total}"),
            BarColumn(),
            TextColumn("{task.description}"),
            TimeRemainingColumn(),
        )
        hidden = not (first and bar and console.is_terminal)
        self._bar = Progress(*columns, console=console, disable=hidden)
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
        self,
        step: int,
        epoch: int,
        loss: float,
        learning_rate: float,
        gradient_norm: float,
        skipped: int = 0,
    ) -> None:
        """Record one update, with the target tokens per second since the last record."""
        now = time.perf_counter()
        speed = self._tokens / (now - self._since)
        self._tokens, self._since = 0, now
        self._state = (
            f"loss {loss:.3f}{self._validation}  lr {learning_rate:.1e}  {speed:,.0f} tok/s"
        )
        self._bar.update(self._task, description=self._state)
        if now - self._last_line >= PAUSE:
            left = (now - self._begun) / (step - self._start) * (self._steps - step)
            self._show(step, f"{self._state}  {timedelta(seconds=round(left))} left")
        self._write(
            step=step,
            epoch=epoch,
            loss=loss,
            learning_rate=learning_rate,
            gradient_norm=gradient_norm,
            tokens_per_second=round(speed),
            skipped=skipped,
        )

    def validation(
        self,
        step: int,
        loss: float,
        accuracy: float,
        scores: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Record an evaluation; its time does not count against the tokens per second.

        Args:
            step: Updates done.
            loss: The validation loss.
            accuracy: Share of tokens that were predicted rightly.
            scores: What was measured besides, as `score_translations` returns it.
        """
        text = f"valid {loss:.3f} ({accuracy:.0%})"
        text += "".join(
            f"  {_SCORES[name]} {scores[name]:.1f}" for name in _SCORES if name in scores
        )
        self._validation = f"  {text}"
        self._tokens, self._since = 0, time.perf_counter()
        self._show(step, text)
        for sample in scores.get("samples", ()):
            self._print(
                "  {source}\n    right:   {reference}\n    written: {translation}".format(**sample)
            )
        self._write(step=step, validation_loss=loss, validation_accuracy=accuracy, **scores)

    def skipped(self, step: int, reason: str, total: int) -> None:
        """Say that an update was left out."""
        self._print(f"{step}/{self._steps}  skipped: {reason} ({total} skipped so far)")

    def _show(self, step: int, text: str) -> None:
        """Give a plain line to whoever wants one."""
        self._last_line = self._since
        if self._message:
            self._message(f"{step}/{self._steps}  {text}")

    def _print(self, text: str) -> None:
        """Give a line to whoever wants one, or print it above the bar."""
        if self._message:
            self._message(text)
        elif not self._bar.disable:
            self._bar.console.print(text, markup=False, highlight=False)

    def _write(self, **record: Any) -> None:
        if not self._first:
            return
        with name_file_in_errors(self._path), self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
        if self._callback:
            self._callback(record)


def read_log(folder: str | PathLike[str]) -> list[dict[str, Any]]:
    """Return the records of a run; a last line cut short by a kill is left out.

    Args:
        folder: Where `log.jsonl` is.

    Returns:
        In order, one dict for each record. Training: `step`, `epoch`, `loss` (nats, smoothed),
            `learning_rate`, `gradient_norm` (before clipping), `tokens_per_second`, `skipped`
            (updates left out so far). Evaluation: `step`, `validation_loss` (nats, not smoothed),
            `validation_accuracy` (0 to 1), and what `measure` returned.

    Raises:
        ValueError: If a line is no record.
    """
    return _records(RunFolder(folder).log)


def _records(path: Path) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = []
    with path.open(encoding="utf-8", newline="\n") as file:
        try:
            for line in file:
                if line.endswith("\n"):
                    record = json.loads(line)
                    check_integer("step", record["step"], 0)
                    records.append(record)
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            line = f"{path}: line {len(records) + 1}"
            raise ValueError(f"{line} is no record of a run: {error!r} (delete it)") from error
    return records


def _forget_after(path: Path, step: int) -> None:
    if path.exists():
        records = (record for record in _records(path) if record["step"] <= step)
        kept = [json.dumps(record, ensure_ascii=False) + "\n" for record in records]
        with atomic_write(path) as unfinished:
            unfinished.write_text("".join(kept), encoding="utf-8")
