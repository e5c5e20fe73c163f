"""Work that is shared out among the cores, in order, with a bounded part of it in memory."""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from itertools import chain, islice
from multiprocessing import cpu_count, get_context
from typing import TypeVar

FEW = 50  # chunks that are done before other processes could have started

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")


def in_processes(
    function: Callable[[Chunk], Result], chunks: Iterable[Chunk]
) -> Iterator[tuple[Chunk, Result]]:
    """Yield each chunk with what a function makes of it, in order.

    Few chunks are done here. For more, each core has a process, which knows nothing of this one but
    the function; two chunks for each are on their way.

    Args:
        function: The function; it goes to the processes with every chunk.
        chunks: Its arguments.

    Example:
        >>> list(in_processes(len, ["one", "three"]))
        [('one', 3), ('three', 5)]
    """
    rest = iter(chunks)
    first = list(islice(rest, FEW))
    if len(first) < FEW:
        yield from ((chunk, function(chunk)) for chunk in first)
        return
    ignore = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for this process
    waiting: deque[tuple[Chunk, Future[Result]]] = deque()
    with ProcessPoolExecutor(mp_context=get_context("spawn"), initializer=ignore) as pool:
        for chunk in chain(first, rest):
            waiting.append((chunk, pool.submit(function, chunk)))
            if len(waiting) > 2 * cpu_count():
                done, future = waiting.popleft()
                yield done, future.result()
        for done, future in waiting:
            yield done, future.result()
