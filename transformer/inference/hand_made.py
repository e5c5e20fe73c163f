"""The hand-made model: whole numbers in a file that a person reads, made into a `Transformer`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from os import PathLike
from pathlib import Path

import torch
from torch import Tensor, nn

from transformer.data.word_tokenizer import WordTokenizer
from transformer.model.config import TransformerConfig
from transformer.model.transformer import Transformer

HAND_MADE = Path(__file__).with_suffix(".txt")
NAMES = ("target", "source", "state", "head", "hidden")  # what a file names before its weights
NUM_HEADS = 2
MAX_LEN = 16  # more than the longest sentence has

# What the rows of a weight are, and what its columns are.
_AXES = {
    "src_embedding": ("source", "state"),
    "tgt_embedding": ("target", "state"),
    "q_proj": ("head", "state"),
    "k_proj": ("head", "state"),
    "v_proj": ("head", "state"),
    "out_proj": ("state", "head"),
    "expand": ("hidden", "state"),
    "contract": ("state", "hidden"),
    "output_layer": ("target", "state"),
}
_TERM = re.compile(r"(?P<sign>[+-]?) *(?:(?P<number>\d+) *)?(?P<name>[A-Za-z]\w*)? *")


def load_hand_made(
    path: str | PathLike[str] | None = None, device: torch.device | str = "cpu"
) -> tuple[Transformer, WordTokenizer]:
    """Load the model that was made by hand, and the tokenizer of its words.

    One layer on each side, `d_model=8`, two heads, `d_ff=1`; sinusoidal positions, post-norm. It
    translates 90 sentences: {cats, dogs, you} {beat, upset} {cats, dogs, you}, alone or with
    today or yesterday in front or behind.

    Args:
        path: A file of this kind that you changed; the package's own when None.
        device: Where the model shall be.

    Returns:
        The model, in evaluation mode, and the tokenizer of its ids.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If a line cannot be read; the line, and the name in it, are told.

    Example:
        >>> from transformer.inference.translation import translate
        >>> model, tokenizer = load_hand_made()
        >>> translate(model, tokenizer, ["cats beat dogs yesterday", "today you upset cats"])
        ['貓昨天贏了狗', '你今天惹貓']
        >>> model.output_layer.weight[tokenizer.encode("了")]
        tensor([[0., 0., 0., 0., 0., 0., 4., 0.]], grad_fn=<IndexBackward0>)
    """
    path = Path(HAND_MADE if path is None else path)
    sheet = _read(path)
    names = sheet.names
    # <eos> ends the source too, so it has a row there; the ids follow those of the target.
    config = TransformerConfig(
        len(names["target"]) + len(names["source"]),
        len(names["target"]),
        d_model=len(names["state"]),
        num_heads=NUM_HEADS,
        num_encoder_layers=1,
        num_decoder_layers=1,
        d_ff=len(names["hidden"]),
        dropout=0.0,
        max_len=MAX_LEN,
    )
    try:
        tokenizer = WordTokenizer(names["target"], names["source"])
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    with torch.random.fork_rng(devices=[]):  # its first numbers are random, and soon replaced
        model = Transformer(config)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" not in name:  # a LayerNorm keeps its scale 1 and its shift 0
                parameter.zero_()
        for cell in sheet.cells:
            _place(model, cell.part, cell.column is None)[cell.index] = cell.value
    return model.eval().to(device), tokenizer


@dataclass(frozen=True)
class Cell:
    """One number of the file.

    Attributes:
        line: Where it stands.
        part: The module that has it.
        row: What is computed.
        column: What is multiplied; None for a bias.
        index: Its place in the weight or the bias.
        value: The number.
    """

    line: int
    part: str
    row: str
    column: str | None
    index: tuple[int, ...]
    value: int


@dataclass
class _Sheet:
    names: dict[str, list[str]] = field(default_factory=dict)
    cells: list[Cell] = field(default_factory=list)


def hand_made_numbers(path: str | PathLike[str] | None = None) -> list[Cell]:
    """Return every number that is written in the file, in its order.

    Args:
        path: As `load_hand_made` takes it.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If a line cannot be read.

    Example:
        >>> cells = hand_made_numbers()
        >>> len(cells), max(abs(cell.value) for cell in cells)
        (109, 7)
    """
    return _read(Path(HAND_MADE if path is None else path)).cells


def hand_made_pairs() -> dict[str, str]:
    """Return the 90 sentences that the hand-made model translates, each with its translation.

    Example:
        >>> pairs = hand_made_pairs()
        >>> len(pairs), pairs["cats beat dogs yesterday"], pairs["today you upset cats"]
        (90, '貓昨天贏了狗', '你今天惹貓')
    """
    nouns = {"cats": "貓", "dogs": "狗", "you": "你"}
    verbs = {"beat": "贏", "upset": "惹"}
    times = {"": "", "today": "今天", "yesterday": "昨天"}
    pairs = {}
    for subject, verb, object_, time in product(nouns, verbs, nouns, times):
        past = "了" if time == "yesterday" else ""
        target = nouns[subject] + times[time] + verbs[verb] + past + nouns[object_]
        pairs[f"{subject} {verb} {object_} {time}".strip()] = target
        pairs[f"{time} {subject} {verb} {object_}".strip()] = target
    return pairs


def _read(path: Path) -> _Sheet:
    """Read names and numbers; an error says in which line, and what it found there."""
    sheet = _Sheet()
    lines: dict[tuple[str, str], int] = {}
    part = ""
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = text.partition("#")[0].strip()
        try:
            if line.startswith("["):
                part = _part(line, sheet)
            elif line:
                row, equals, formula = (side.strip() for side in line.partition("="))
                if not equals:
                    raise ValueError(f"a line must be `name = …` or `[part]`: got {line!r}")
                if (part, row) in lines:
                    raise ValueError(f"{row} must stand once: it stands in line {lines[part, row]}")
                lines[part, row] = number
                if part:
                    sheet.cells += _cells(sheet, part, row, formula, number)
                else:
                    sheet.names[_known(row, NAMES, "names")] = _names(formula)
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from error
    if missing := [name for name in NAMES if name not in sheet.names]:
        raise ValueError(f"{path}: a line `{missing[0]} = …` must stand before the weights")
    return sheet


def _names(text: str) -> list[str]:
    names = text.split()
    if twice := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"a name must stand once: got {twice[0]} twice")
    return names


def _part(line: str, sheet: _Sheet) -> str:
    """Return the module that a heading names."""
    if missing := [name for name in NAMES if name not in sheet.names]:
        raise ValueError(f"a line `{missing[0]} = …` must stand before the weights")
    part = line.strip("[]").strip()
    attentions = ("self_attention", "cross_attention")
    layer = {
        f"{side}.layers.0.{attention}.{name}"
        for side in ("encoder", "decoder")
        for attention in attentions[: 1 if side == "encoder" else 2]
        for name in ("q_proj", "k_proj", "v_proj", "out_proj")
    } | {
        f"{side}.layers.0.feed_forward.{name}"
        for side in ("encoder", "decoder")
        for name in ("expand", "contract")
    }
    return _known(part, ("src_embedding", "tgt_embedding", *sorted(layer), "output_layer"), "parts")


def _cells(sheet: _Sheet, part: str, row: str, formula: str, line: int) -> Iterator[Cell]:
    rows, columns = (sheet.names[axis] for axis in _AXES[part.rpartition(".")[2]])
    if part == "src_embedding":
        ids = [*sheet.names["target"], *sheet.names["source"]]
        place = ids.index(_known(row, ["<eos>", *rows], "names"))
    else:
        place = rows.index(_known(row, rows, "names"))
    seen: list[str] = []
    for number, name in [*_terms(formula)]:  # a formula that cannot be read is told first
        if name in seen:
            raise ValueError(f"{name or 'a bias'} must stand once: got {formula!r}")
        seen.append(name)
        if not name and part.endswith("embedding"):
            raise ValueError(f"an embedding has no bias: got {formula!r}")
        index = (place, columns.index(_known(name, columns, "names"))) if name else (place,)
        yield Cell(line, part, row, name or None, index, number)


def _terms(formula: str) -> Iterator[tuple[int, str]]:
    """Read `2 N - S` as numbers with names; a number alone has none."""
    at = 0
    while at < len(formula):
        term = _TERM.match(formula, at)
        if not term or not (term["number"] or term["name"]) or (at and not term["sign"]):
            raise ValueError(f"a formula must be like `2 N - S`: got {formula[at:]!r}")
        yield int(term["sign"] + (term["number"] or "1")), term["name"] or ""
        at = term.end()
    if not formula:
        raise ValueError("a formula must be like `2 N - S`: got nothing")


def _known(name: str, names: list[str] | tuple[str, ...], kind: str) -> str:
    if name not in names:
        raise ValueError(f"{kind} are {', '.join(names)}: got {name!r}")
    return name


def _place(model: nn.Module, part: str, bias: bool) -> Tensor:
    return model.get_submodule(part).get_parameter("bias" if bias else "weight")
