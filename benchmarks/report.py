"""What was measured: rows with ratios and budgets, as a table and as JSON."""

import json
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Row:
    """One comparison: our value and another's, and the least ratio that is asked for."""

    what: str
    dropout: float | None
    unit: str
    ours: float
    other: str
    theirs: float
    at_least: float | None = None

    @property
    def ratio(self) -> float:
        """Theirs over ours: larger is better for us."""
        return self.theirs / self.ours

    @property
    def met(self) -> bool | None:
        """Whether the budget holds; None without one."""
        return None if self.at_least is None else self.ratio >= self.at_least


def run(
    arguments: list[str], module: str, measure: Callable[[bool], tuple[list[Row], dict[str, Any]]]
) -> None:
    """Measure, print a table, and save JSON if a file is named; `--quick` to see that it works."""
    files = [word for word in arguments if not word.startswith("-")]
    if len(files) > 1 or set(arguments) - set(files) - {"--quick"}:
        sys.exit(f"usage: python -m {module} [--quick] [FILE.json]")
    rows, sizes = measure("--quick" in arguments)
    Console().print(as_table(rows, sizes))
    if files:
        text = json.dumps(as_json(rows, sizes), indent=2, ensure_ascii=False)
        Path(files[0]).write_text(text + "\n", "utf-8")


def as_table(rows: Sequence[Row], sizes: dict[str, Any]) -> Table:
    """Return a table for the terminal."""
    caption = ", ".join(f"{name} {value}" for name, value in sizes.items())
    table = Table(
        caption=f"{caption}; torch {torch.__version__}, {torch.get_num_threads()} threads"
    )
    for name in ("what", "dropout", "ours", "beside", "theirs", "theirs/ours", "budget"):
        table.add_column(name, justify="left" if name in ("what", "beside") else "right")
    for row in rows:
        limit = f"≥ {row.at_least}"
        verdict = {None: "", True: f"{limit} met", False: f"[bold]{limit} missed[/]"}[row.met]
        dropout = "" if row.dropout is None else f"{row.dropout}"
        digits = ".3g" if row.ours < 100 else ",.0f"
        ours, theirs = (f"{value:{digits}} {row.unit}" for value in (row.ours, row.theirs))
        table.add_row(row.what, dropout, ours, row.other, theirs, f"{row.ratio:.2f}", verdict)
    return table


def as_json(rows: Sequence[Row], sizes: dict[str, Any]) -> dict[str, Any]:
    """Return everything as plain values, with versions and machine."""
    return {
        "date": date.today().isoformat(),
        "versions": {"python": platform.python_version(), **_versions()},
        "machine": {
            "cpu": _cpu(),
            "instructions": torch.backends.cpu.get_cpu_capability(),
            "threads": torch.get_num_threads(),
        },
        "sizes": sizes,
        "rows": [{**asdict(row), "ratio": row.ratio, "met": row.met} for row in rows],
    }


def _versions() -> dict[str, str]:
    found = {}
    for name in ("torch", "transformers", "ctranslate2"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def _cpu() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor()
