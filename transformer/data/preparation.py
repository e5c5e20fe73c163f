"""From raw pairs to what a run needs: clean, without copies, and divided into three files."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from errno import EEXIST
from functools import partial
from itertools import islice
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple, TextIO, TypeVar

import numpy as np

from transformer.arguments import ArgumentError, FilePath, check_integer
from transformer.atomic_write import name_file_in_errors, staging_folder
from transformer.data.filters import Filters
from transformer.data.markup import clean_pair
from transformer.data.near_copies import NearCopies
from transformer.data.normal_form import tokens
from transformer.data.pair_files import PairReader, Reading, TextPair, is_memory
from transformer.data.processes import in_processes
from transformer.data.seen import Seen, digest
from transformer.data.training_pairs import fingerprint

RULES = ("markup", *Filters.RULES, "duplicate", "near-duplicate", "near-held-out")
SPLITS = ("train", "validation", "test")
_TOGETHER = 2000  # lines that a process takes at one time
_EXAMPLES = 3  # of each reason, in the report
_SHOWN = 60  # characters of a text there
_SHARE = 10  # one pair in so many is in each of the two held-out files, at most
_ANY_LENGTH = 10**6  # characters: the rule too-long says what is too long

Some = TypeVar("Some")


@dataclass(frozen=True)
class Preparation:
    """How raw pairs are prepared.

    Attributes:
        languages: Codes of the source's and the target's language.
        validation: Pairs to validate with; at most a tenth of all.
        test: Pairs for the test; at most a tenth of all.
        keep: Rules that are not applied, some of `RULES`.
        convert: Whether Simplified Chinese is converted rather than left out, where Traditional is
            expected.
        seed: Another one holds out other sources.

    Raises:
        ValueError: If a rule is unknown, or a number out of range.
    """

    languages: tuple[str, str] = ("en", "zh-TW")
    validation: int = 1000
    test: int = 1000
    keep: tuple[str, ...] = ()
    convert: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("validation", "test", "seed"):
            check_integer(name, getattr(self, name), 0, 2**63 - 1)
        if unknown := ", ".join(sorted(set(self.keep) - set(RULES))):
            raise ArgumentError("keep", f"must be some of {', '.join(RULES)}: got {unknown}")
        object.__setattr__(self, "keep", tuple(sorted(set(self.keep))))


@dataclass
class PreparationReport:
    """What became of every line.

    Attributes:
        lines: Lines read, or units of translation memories.
        changed: Pairs whose markup was taken out, or whose Simplified characters were replaced.
        left_out: Pairs left out, by reason.
        examples: The first pairs left out for each reason: what was found, source and target.
        pairs: Pairs in each file.
    """

    lines: int = 0
    changed: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[tuple[str, str, str]]] = field(default_factory=dict)
    pairs: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        kept = ", ".join(f"{self.pairs[split]:,} {split}" for split in SPLITS)
        shown = [f"{self.lines:,} lines, {self.pairs.total():,} pairs kept: {kept}"]
        shown += [f"changed, {what}: {count:,}" for what, count in self.changed.most_common()]
        for reason, count in self.left_out.most_common():
            shown.append(f"left out, {reason}: {count:,}")
            for texts in self.examples[reason]:
                found, source, target = (
                    text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…" for text in texts
                )
                shown.append(f"    {source} | {target}  ({found})")
        return "\n".join(shown)


def prepare_pairs(
    inputs: Sequence[FilePath | tuple[FilePath, FilePath]],
    folder: FilePath,
    settings: Preparation | None = None,
    message: Callable[[str], None] = lambda text: None,
) -> PreparationReport:
    r"""Clean pairs and divide them into `train.tsv`, `validation.tsv` and `test.tsv`.

    Markup is taken out. A pair that breaks a rule, or was there before, goes to `left_out.tsv`:
    reason, what was found, source, target. A hash of the source's words decides whether it is held
    out, with all its translations; the first of them is in the file. No pair of `train.tsv` has a
    source or a target that is a near copy of a held-out one. `report.json` holds the counts. The
    same files and settings give the same bytes.

    Memory: 16 bytes a pair, for a moment three times as much, and the held-out pairs. Long files
    are shared out among the cores, so a script needs its `if __name__ == "__main__"`.

    Args:
        inputs: Files of raw pairs in order; two that are aligned line by line stand in a tuple.
        folder: The folder to make.
        settings: Languages, sizes and rules; the defaults when None.
        message: Is told how far the work is, every million lines.

    Returns:
        What became of the lines.

    Raises:
        FileExistsError: If the folder is there and not empty.
        OSError: If the folder cannot be written, such as on a full disk.
        ValueError: If a file cannot be read, a language is unknown, or no pair is left.

    Example:
        >>> import tempfile
        >>> raw = Path(tempfile.mkdtemp(), "raw.tsv")
        >>> _ = raw.write_text("~Open\t開啟(~O)\n<b>Open</b>\t開啟\nOK\tOK\n", "utf-8")
        >>> print(prepare_pairs([raw], raw.with_name("prepared")))
        3 lines, 1 pairs kept: 1 train, 0 validation, 0 test
        changed, markup: 2
        left out, untranslated: 1
            OK | OK  (100% of the target's words are the source's)
        left out, duplicate: 1
            Open | 開啟  (the same pair as before)
    """
    settings = settings or Preparation()
    path = Path(folder)
    if path.is_file() or (path.is_dir() and any(path.iterdir())):
        raise FileExistsError(EEXIST, "is there already: give the name of a new folder", str(path))
    readers = [_reader(paths, settings.languages) for paths in inputs]
    filters = Filters(settings.languages, settings.keep, settings.convert)
    staging = staging_folder(path)
    rmtree(staging, ignore_errors=True)
    try:
        with name_file_in_errors(path):
            staging.mkdir(parents=True)
            report = _Writing(staging, settings, filters, message).write(readers)
            files = [file for reader in readers for file in reader.paths]
            record = {
                "files": [{"name": file.name, **fingerprint(file)} for file in files],
                "settings": asdict(settings),
                **vars(report),
            }
            text = json.dumps(record, indent=1, ensure_ascii=False)
            (staging / "report.json").write_text(text + "\n", "utf-8")
            if path.is_dir():
                path.rmdir()
            staging.replace(path)
    finally:
        rmtree(staging, ignore_errors=True)
    return report


class _Writing:
    """The files of a folder on their way, and the report."""

    def __init__(
        self, path: Path, settings: Preparation, filters: Filters, message: Callable[[str], None]
    ) -> None:
        self._path, self._settings, self._message = path, settings, message
        self._clean = partial(_clean, filters, "markup" in settings.keep, settings.seed)
        self._report = PreparationReport()
        self._left_out: TextIO

    def write(self, readers: Sequence[PairReader]) -> PreparationReport:
        """Write the pairs, first all that are good, then divided."""
        kept = self._path / "kept.tsv"
        with ExitStack() as files:
            self._left_out = files.enter_context(_open(self._path / "left_out.tsv"))
            with _open(kept) as file:
                sources = self._write_kept(readers, file)
            splits = {
                name: files.enter_context(_open(self._path / f"{name}.tsv")) for name in SPLITS
            }
            self._divide(kept, sources, splits)
        kept.unlink()
        if not self._report.pairs["train"]:
            raise ValueError(f"no pair is left to train on: {self._report}")
        return self._report

    def _write_kept(self, readers: Sequence[PairReader], file: TextIO) -> dict[int, str]:
        """Write what is good and new; return the sources to hold out, and for what."""
        validation, test = self._settings.validation, self._settings.test
        seen, seen_near, count, lowest = Seen(), Seen(), 0, np.empty(0, np.uint64)
        readings = (reading for reader in readers for reading in reader.readings())
        for _, lines in in_processes(self._clean, _chunks(readings)):
            self._count(lines)
            good = [line for line in lines if line.broken is None]
            digests = np.array([line[-3:] for line in good], np.uint64).reshape(-1, 3)
            new = zip(good, seen.add(digests[:, 0]).tolist(), seen_near.add(digests[:, 1]).tolist())
            fresh = [line for line, *first in new if self._is_new(line.pair, *first)]
            file.writelines(_row(str(line.source), *line.pair) for line in fresh)
            count += len(fresh)
            sources = np.array([line.source for line in fresh], np.uint64)
            lowest = np.unique(np.concatenate([lowest, sources]))[: validation + test]
        test, validation = min(test, count // _SHARE), min(validation, count // _SHARE)
        names = ["test"] * test + ["validation"] * validation
        return dict(zip(lowest.tolist(), names))

    def _count(self, lines: list["_Line"]) -> None:
        before = self._report.lines
        self._report.lines += len(lines)
        if self._report.lines // 10**6 > before // 10**6:
            self._message(f"{self._report.lines:,} lines")
        for line in lines:
            self._report.changed.update(line.changed)
            if line.broken:
                self._leave_out(*line.broken, line.pair)

    def _is_new(self, pair: TextPair, new: bool, new_near: bool) -> bool:
        if not new and "duplicate" not in self._settings.keep:
            self._leave_out("duplicate", "the same pair as before", pair)
        elif new and not new_near and "near-duplicate" not in self._settings.keep:
            self._leave_out("near-duplicate", "the words of a pair before", pair)
        else:
            return True
        return False

    def _divide(self, kept: Path, sources: dict[int, str], files: dict[str, TextIO]) -> None:
        """Write the held-out pairs to their files, and what is like none of them to train on."""
        held_out: dict[str, dict[int, TextPair]] = {"test": {}, "validation": {}}
        for source, pair in _read(kept):
            if (name := sources.get(source)) and pair != held_out[name].setdefault(source, pair):
                self._leave_out("other-translation", f"the source is in {name}.tsv", pair)
        known: list[TextPair] = []
        for name, pairs in held_out.items():
            known += self._write_unlike(known, [[*pairs.values()]], files[name], name)
        training = (pair for source, pair in _read(kept) if source not in sources)
        self._write_unlike(known, _chunks(training), files["train"], "train")

    def _write_unlike(
        self, known: list[TextPair], chunks: Iterable[list[TextPair]], file: TextIO, name: str
    ) -> list[TextPair]:
        """Write the pairs that are no near copies of known ones; return the last of them."""
        written: list[TextPair] = []
        if "near-held-out" in self._settings.keep:
            known = []
        copies = (NearCopies(s for s, _ in known), NearCopies(t for _, t in known))
        for pairs, found in in_processes(partial(_near_copies, copies), chunks):
            for pair, copy in zip(pairs, found):
                if copy is not None:
                    self._leave_out("near-held-out", copy, pair)
            written = [pair for pair, copy in zip(pairs, found) if copy is None]
            file.writelines(_row(*pair) for pair in written)
            self._report.pairs[name] += len(written)
        return written

    def _leave_out(self, reason: str, found: str, pair: TextPair) -> None:
        self._report.left_out[reason] += 1
        examples = self._report.examples.setdefault(reason, [])
        if len(examples) < _EXAMPLES:
            examples.append((found, *pair))
        self._left_out.write(_row(reason, found, *pair))


class _Line(NamedTuple):
    """All that can be said of a line alone; the digests of a good pair come last."""

    pair: TextPair
    changed: tuple[str, ...]
    broken: tuple[str, str] | None
    exact: int = 0
    near: int = 0
    source: int = 0


def _clean(filters: Filters, with_markup: bool, seed: int, readings: list[Reading]) -> list[_Line]:
    """Say of each line what can be said of it alone."""
    lines = []
    for number, raw, problem in readings:
        if problem:
            kind, detail = problem
            lines.append(_Line(raw, (), (kind.replace(" ", "-"), f"line {number}: {detail}")))
            continue
        plain = raw if with_markup else clean_pair(*raw)
        pair = filters.traditional(*plain)
        changed = ("markup",) * (plain != raw) + ("characters",) * (pair != plain)
        if broken := filters.broken(*pair):
            lines.append(_Line(pair, changed, broken))
            continue
        source, target = ("".join(tokens(text)) for text in pair)
        near = digest(f"{source}\t{target}")
        lines.append(
            _Line(pair, changed, None, digest("\t".join(pair)), near, digest(source, seed))
        )
    return lines


def _near_copies(copies: tuple[NearCopies, NearCopies], pairs: list[TextPair]) -> list[str | None]:
    """Return, for each pair, the held-out source or target that it is a near copy of."""
    of_source, of_target = copies
    return [of_source.find(source) or of_target.find(target) for source, target in pairs]


def _reader(paths: FilePath | tuple[FilePath, FilePath], languages: TextPair) -> PairReader:
    """Return a reader that leaves the length of sentences to the rules."""
    memory = not isinstance(paths, tuple) and is_memory(paths)
    reader = PairReader(paths, _ANY_LENGTH, languages if memory else None)
    reader.check_aligned()
    return reader


def _chunks(items: Iterable[Some]) -> Iterator[list[Some]]:
    rest = iter(items)
    while chunk := list(islice(rest, _TOGETHER)):
        yield chunk


def _open(path: Path) -> TextIO:
    return path.open("w", encoding="utf-8", newline="\n")


def _row(*columns: str) -> str:
    return "\t".join(" ".join(column.split()) for column in columns) + "\n"


def _read(kept: Path) -> Iterator[tuple[int, TextPair]]:
    """Yield the digest of a source, and its pair."""
    with kept.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            source, *pair = line.rstrip("\n").split("\t")
            yield int(source), (pair[0], pair[1])
