"""Times of several runs that take turns, so that a busy moment hits all of them."""

from collections.abc import Callable
from timeit import timeit


def fastest(runs: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Time every run once in each round, and return each one's least seconds.

    The least, since whatever else a machine does, it makes a run longer, never shorter.
    """
    for run in runs.values():
        run()  # the first one also pays for what is set up once
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            times[name].append(timeit(run, number=1))
    return {name: min(seconds) for name, seconds in times.items()}
