"""`python -m benchmarks`: measure everything in one run, print a table, save JSON."""

import sys
from dataclasses import asdict, replace
from typing import Any

from benchmarks.decoding import decoding
from benchmarks.memory import memory, peak_of_a_step
from benchmarks.padding import padding
from benchmarks.report import Row, run
from benchmarks.sizes import BASE, QUICK
from benchmarks.steps import steps


def measure(quick: bool) -> tuple[list[Row], dict[str, Any]]:
    """Run all benchmarks; quick: with a tiny model."""
    sizes = QUICK if quick else BASE
    rows = [*steps(sizes), *decoding(sizes), *memory(sizes), *padding()]
    if quick:  # the budgets are for the base model
        rows = [replace(row, at_least=None) for row in rows]
    return rows, asdict(sizes)


if __name__ == "__main__":
    if sys.argv[1:2] == ["peak"]:  # the process that `memory` starts
        print(peak_of_a_step(*sys.argv[2:]))
    else:
        run(sys.argv[1:], "benchmarks", measure)
