"""Times of several runs that take turns, so that a busy moment hits all of them."""

from collections.abc import Callable, Mapping
from functools import partial
from timeit import timeit


def fastest(runs: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Time every run once in each round, and return each one's least seconds."""
    return least({name: partial(timeit, run, number=1) for name, run in runs.items()}, rounds)


def least(clocks: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """Let every clock run once in each round, and return each one's least seconds.

    The least, since whatever else a machine does, it makes a run longer, never shorter.
    """
    for clock in clocks.values():
        clock()  # the first one also pays for what is set up once
    times: dict[str, list[float]] = {name: [] for name in clocks}
    for _ in range(rounds):
        for name, clock in clocks.items():
            times[name].append(clock())
    return {name: min(seconds) for name, seconds in times.items()}
