"""Which digests were seen before: 8 bytes for each, whatever they stand for."""

from hashlib import blake2b

import numpy as np
from jaxtyping import Bool, UInt64


def digest(text: str, seed: int = 0) -> int:
    """Return 64 bits that stand for a text.

    Args:
        text: The text.
        seed: Another one gives other bits.

    Example:
        >>> digest("cat") == digest("cat"), digest("cat") == digest("cat", seed=1)
        (True, False)
    """
    return int.from_bytes(blake2b(text.encode(), digest_size=8, salt=seed.to_bytes(16)).digest())


class Seen:
    """A set of digests in sorted arrays, each at least twice as long as the next.

    Example:
        >>> seen = Seen()
        >>> seen.add(np.array([3, 1, 3], np.uint64))
        array([ True,  True, False])
        >>> seen.add(np.array([1, 2], np.uint64))
        array([False,  True])
    """

    def __init__(self) -> None:
        self._runs: list[UInt64[np.ndarray, " run"]] = []

    def add(self, digests: UInt64[np.ndarray, " n"]) -> Bool[np.ndarray, " n"]:
        """Add digests, and say of each whether it is new.

        Args:
            digests: The digests.
        """
        new = np.zeros(len(digests), bool)
        new[np.unique(digests, return_index=True)[1]] = True
        for run in self._runs:
            found = run[np.minimum(np.searchsorted(run, digests), len(run) - 1)]
            new &= found != digests
        if new.any():
            self._runs.append(np.sort(digests[new]))
        while len(self._runs) > 1 and len(self._runs[-2]) < 2 * len(self._runs[-1]):
            self._runs[-2:] = [np.sort(np.concatenate(self._runs[-2:]), kind="stable")]
        return new
