"""Times of several runs that take turns, so that a busy moment hits all of them."""

from collections.abc import Callable
from statistics import median

import torch
from torch.utils.benchmark import Timer


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
            times[name].append(timer.timeit(1).median)
    return times


def ratio(times: dict[str, list[float]], over: str, under: str) -> float:
    """Median over the rounds of one run's time over another's."""
    return median(a / b for a, b in zip(times[over], times[under], strict=True))
