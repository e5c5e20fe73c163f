"""`python -m benchmarks`: measure everything in one run, print a table, save JSON."""

import json
import sys
from dataclasses import asdict, replace
from pathlib import Path

from rich.console import Console

from benchmarks.decoding import decoding
from benchmarks.memory import memory, peak_of_a_step
from benchmarks.padding import padding
from benchmarks.report import as_json, as_table
from benchmarks.sizes import BASE, QUICK
from benchmarks.steps import steps

USAGE = "usage: python -m benchmarks [--quick] [FILE.json]"


def main(arguments: list[str]) -> None:
    """Run all benchmarks; `--quick` with a tiny model, to see that they work."""
    if arguments[:1] == ["peak"]:  # the process that `memory` starts
        print(peak_of_a_step(*arguments[1:]))
        return
    sizes = QUICK if "--quick" in arguments else BASE
    files = [word for word in arguments if not word.startswith("-")]
    if len(files) > 1 or set(arguments) - set(files) - {"--quick"}:
        sys.exit(USAGE)
    rows = [*steps(sizes), *decoding(sizes), *memory(sizes), *padding()]
    if sizes == QUICK:  # the budgets are for the base model
        rows = [replace(row, at_least=None) for row in rows]
    Console().print(as_table(rows, asdict(sizes)))
    if files:
        text = json.dumps(as_json(rows, asdict(sizes)), indent=2, ensure_ascii=False)
        Path(files[0]).write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
