"""Times of several runs that take turns, so that a busy moment hits all of them."""

import os
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import torch
from torch.utils.benchmark import Timer

QUIET = 0.02  # of the processors' time, the most that others may have while something is timed
ATTEMPTS = 5
STAT = Path("/proc/stat")


def alternate(runs: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Time every run once in each round, in seconds; `Timer` runs it twice before that."""
    threads = torch.get_num_threads()  # Timer would take one
    timers = {
        name: Timer("run()", globals={"run": run}, num_threads=threads)
        for name, run in runs.items()
    }
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, timer in timers.items():
            times[name].append(undisturbed(timer))
    return times


def undisturbed(timer: Timer) -> float:
    """Time a run, and again while other programs, or other machines of one host, are at work."""
    tried = []
    for _ in range(ATTEMPTS):
        lost, began = taken(), perf_counter()
        seconds = timer.timeit(1).median
        share = (taken() - lost) / (perf_counter() - began) / (os.cpu_count() or 1)
        tried.append((share, seconds))
        if share <= QUIET:
            break
    return min(tried)[1]


def taken() -> float:
    """Seconds of all processors that went to others, not counted from 0; 0 where that is not told.

    Others are programs beside this one and, on a virtual machine, what else its host runs.
    """
    if not STAT.exists():
        return 0.0
    user, nice, system, _, _, irq, soft, stolen = map(int, STAT.read_text("ascii").split()[1:9])
    busy = (user + nice + system + irq + soft + stolen) / os.sysconf("SC_CLK_TCK")
    return busy - process_time()


def ratio(times: dict[str, list[float]], over: str, under: str) -> float:
    """Median over the rounds of one run's time over another's."""
    return median(a / b for a, b in zip(times[over], times[under], strict=True))
