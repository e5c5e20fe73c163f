"""Peak memory of a training step, each contestant in a process of its own; on Linux only."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks.contestants import build, names, training_step
from benchmarks.report import Row
from benchmarks.sizes import BASE, QUICK, Sizes

AT_LEAST = 0.95  # no more than nn.Transformer, but for what two runs of one model differ by


def memory(sizes: Sizes) -> Iterator[Row]:
    """Yield a row for each comparison; ratio: their peak over ours."""
    if sys.platform != "linux":
        return
    which = "base" if sizes == BASE else "quick"
    peaks: dict[str, list[float]] = {name: [] for name in names()}
    for _ in range(min(3, sizes.rounds)):
        for name in peaks:
            peaks[name].append(_measured(name, which))
    mine = median(peaks["ours"])
    for other in names()[1:]:
        theirs = median(peaks[other])
        least = AT_LEAST if other == "nn.Transformer" else None
        yield Row("peak memory of a step", 0.0, "MB", mine, other, theirs, at_least=least)


def _measured(name: str, which: str) -> float:
    command = [sys.executable, "-m", "benchmarks", "peak", name, which]
    folder = Path(__file__).parents[1]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return float(done.stdout)


def peak_of_a_step(name: str, which: str) -> float:
    """Megabytes that this process takes for two training steps, on top of what it had before."""
    sizes = BASE if which == "base" else QUICK
    training_step(*build(name, QUICK, 0.0), QUICK.ids(0), QUICK.ids(1))()  # imports everything
    before = kilobytes("VmRSS")
    step = training_step(*build(name, sizes, 0.0), sizes.ids(0), sizes.ids(1))
    step()
    step()
    page = 4  # kilobytes: the quick sizes may find room in what is there
    return max(page, kilobytes("VmHWM") - before) / 1024


def kilobytes(name: str) -> int:
    """Return memory now (VmRSS, RssAnon) or its peak (VmHWM): `getrusage` adds the parent's."""
    status = Path("/proc/self/status").read_text("utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(name))
