"""Make what is not kept before the pages ask for it: on all cores, and saying so."""

import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from multiprocessing import get_context

from docs.builder import directives, notebooks
from docs.builder.cache import ROOT, Artifact

FEW = 2  # these are not worth the seconds that new processes take to load the libraries
SILENCE = 4  # seconds without a word, at most

Group = list[Artifact]  # made one after the other, in one process: they share what they compute
Say = Callable[[str], object]


def make_for(languages: Iterable[str], say: Say) -> None:
    """Make what the pages of these languages will ask for."""
    groups: dict[str, Group] = defaultdict(list)
    for path in sorted((ROOT / "docs" / "en").rglob("*.py")):  # one run serves all languages
        artifact = notebooks.artifact(path)
        groups[f"{artifact.kind} {artifact.name}"].append(artifact)
    for language in sorted(languages):
        for path in sorted((ROOT / "docs" / language).rglob("*.md")):
            for artifact in directives.artifacts(path.read_text("utf-8"), language):
                groups[f"{artifact.kind} {artifact.name}"].append(artifact)
    make(groups.values(), say)


def make(groups: Iterable[Group], say: Say) -> None:
    """Make all that is not kept; what fails is left to the page that asks for it."""
    todo = [new for group in groups if (new := [item for item in group if not item.is_kept()])]
    left = Counter(group[0].kind for group in todo)
    total = dict(left)

    def tell(group: Group) -> None:
        kind, name = group[0].kind, group[0].name
        left[kind] -= 1
        say(f"{kind} {total[kind] - left[kind]} of {total[kind]}: {name}")

    if len(todo) <= FEW:
        for group in todo:
            make_group(group)
            tell(group)
        return
    workers, start = os.cpu_count() or 1, time.monotonic()
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        waiting = {pool.submit(make_group, group): group for group in todo}
        say(f"{len(todo)} to make with {workers} processes, which load PyTorch first")
        while waiting:
            done = wait(waiting, SILENCE, FIRST_COMPLETED).done
            for one in done:
                tell(waiting.pop(one))
            if not done:
                names = [f"{group[0].kind} {group[0].name}" for group in waiting.values()]
                seconds = round(time.monotonic() - start)
                say(f"still at work, {seconds} s by now: {', '.join(names[:workers])}")


def make_group(group: Group) -> None:
    """Make several things, in this process."""
    import torch  # takes seconds to load

    torch.set_num_threads(1)  # each core has a process; the threads would wait for each other
    for item in group:
        try:
            item.read()
        except Exception:  # the page that asks for it says what is wrong
            return
