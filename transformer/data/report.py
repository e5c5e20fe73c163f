"""What is left out of the data, and why: counted, shown, never silently dropped."""

import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple


class Problem(NamedTuple):
    """One pair that was left out.

    Attributes:
        place: What is counted, `"line"` of a file or `"pair"` of a stream.
        number: Its number, from 1.
        kind: The reason in two words, the same for all pairs left out for it.
        detail: What was found, and what was expected.
    """

    place: str
    number: int
    kind: str
    detail: str

    def __str__(self) -> str:
        return f"{self.place} {self.number}: {self.kind} ({self.detail})"


@dataclass
class Report:
    """What was left out, and why: every pair is counted, the first ones are kept to be shown.

    Attributes:
        cap: Most problems to keep.
        lines: Lines read so far.
        counts: Pairs left out for each kind of problem.
        problems: The first problems, at most `cap`.

    Example:
        >>> report = Report(cap=1)
        >>> report.add("line", 3, "malformed", "no tab between source and target")
        >>> report.add("line", 7, "empty", "the target")
        >>> print(report)
        left out: 2 (1 malformed, 1 empty)
          line 3: malformed (no tab between source and target)
          and 1 more
    """

    cap: int = 20
    lines: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)

    @property
    def left_out(self) -> int:
        """Number of pairs left out."""
        return self.counts.total()

    def add(self, place: str, number: int, kind: str, detail: str) -> None:
        """Count one pair that is left out.

        Args:
            place: What is counted, `"line"` or `"pair"`.
            number: Its number, from 1.
            kind: The reason in two words.
            detail: What was found, and what was expected.
        """
        self.counts[kind] += 1
        if len(self.problems) < self.cap:
            self.problems.append(Problem(place, number, kind, detail))

    def __str__(self) -> str:
        of = f" of {self.lines} lines" if self.lines else ""
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.counts.most_common())
        shown = [f"left out: {self.left_out}{of}" + (f" ({kinds})" if kinds else "")]
        shown += [f"  {problem}" for problem in self.problems]
        if more := self.left_out - len(self.problems):
            shown.append(f"  and {more} more")
        return "\n".join(shown)


@contextmanager
def reporting(report: Report | None) -> Iterator[Report]:
    """Give a report to write to: the caller's, or one that ends in a warning if it is needed.

    Args:
        report: The caller's; None makes a new one.

    Yields:
        The report.

    Example:
        >>> report = Report()
        >>> with reporting(report) as same:
        ...     same is report
        True
    """
    own = Report() if report is None else report
    yield own
    if report is None and own.left_out:
        warnings.warn(str(own), stacklevel=4)  # the caller's line: this, contextlib, the iterator
