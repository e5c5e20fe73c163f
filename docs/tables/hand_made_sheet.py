"""One sentence in the hand-made model on two sheets of paper: every number, to two decimals."""

import math
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from docs.builder.translations import Translate

FILE = Path(__file__).parents[2] / "transformer" / "inference" / "hand_made.txt"
STATE = ("sin", "cos", "V", "S", "T", "N", "P", "O")
Table = Sequence[Sequence[float]]


def count() -> dict[str, Any]:
    """Return the tables by name, and the words of source, input and output."""
    from docs.figures import _hand_made as made  # torch takes seconds to load

    tables = {name: table.tolist() for name, table in made.numbers().items()}
    return {"tables": tables, "words": made.words()}


def table(t: Translate, made: dict[str, Any]) -> str:
    """Return two sections of HTML, one a sheet."""
    tables: dict[str, Table] = made["tables"]
    source, reads, writes = made["words"]
    ids = [[i] for i in tables["src.ids"]], [[i] for i in tables["tgt.ids"][:-1]]
    english, chinese = _Sheet(t, tables, source), _Sheet(t, tables, reads)
    numbered = iter(range(1, 99))

    def says(text: str) -> str:
        return f"<b>{next(numbered)}</b> {text}"

    one = [
        _row(
            english.block(
                says(t("ids, and their rows of src_embedding times √8 = 2.83")),
                (("id",), ids[0], 0), (STATE, tables["src.embedding"], 2),
            ),
            english.block(says(t("plus the sines and cosines of the place")), "src.x"),
        ),
        _row(
            english.block(
                says(t("queries, keys, values of table 2: rows of q_proj, k_proj, v_proj")),
                *_projected("enc", tables, ("a1", "a2", "b1"), ("a1", "b1")),
            ),
        ),
        _row(*english.heads(says, "enc", source)),
        _row(
            english.summed(
                says(t("heads: weights times values; O = a1, P = b1; sum with table 2")),
                "enc", heads=(("a1", "b1"), _columns(tables["enc.heads"], 0, 4)),
            ),
            english.block(says(t("normalized: minus the mean, by the deviation")), "enc.norm"),
        ),
        _row(
            english.summed(says(t("the neuron; where h > 0, P + 2 h")), "src.ffn", neuron=True),
            english.block(says(t("normalized again: the memory")), "src.ffn.norm"),
        ),
        f'<div class="file">{_file()}</div>',
    ]  # fmt: skip
    two = [
        _row(
            chinese.block(
                says(t("rows of tgt_embedding times √8, plus places")),
                (("id",), ids[1], 0), (STATE, tables["tgt.x"], 2),
            ),
            chinese.block(
                says(t("queries, keys, values")),
                *_projected("self", tables, ("a1", "a2", "b1"), ("a1", "b1")),
            ),
        ),
        _row(*chinese.heads(says, "self", reads)),
        _row(
            chinese.summed(
                says(t("heads; O = a1 − 3 b1; V, T, N, P = − 3 b1; sum with table 12")),
                "self", heads=(("a1", "b1"), _columns(tables["self.heads"], 0, 4)),
            ),
            chinese.block(says(t("normalized")), "self.norm"),
        ),
        _row(
            chinese.block(
                says(t("queries of cross-attention: 4 times table 19")),
                (("a1", "a2", "a3", "a4", "b1"), _columns(tables["cross.q"], *range(5)), 2),
            ),
            english.block(
                says(t("keys and values of cross-attention, from table 11")),
                (("a1", "a2", "a3", "a4", "b1"), _columns(tables["cross.k"], *range(5)), 2),
                (("a1", "a2", "a3", "a4", "b1"), _columns(tables["cross.v"], *range(5)), 2),
            ),
        ),
        _row(*chinese.heads(says, "cross", source)),
        _row(
            chinese.summed(
                says(t("heads; V, S, T, N = 3 a2, 3 a4, 3 a3, 3 a1; P = 2 b1; sum with table 19")),
                "cross", heads=(
                    ("a1", "a2", "a3", "a4", "b1"), _columns(tables["cross.heads"], *range(5))
                ),
            ),
            chinese.block(says(t("normalized")), "cross.norm"),
        ),
        _row(
            chinese.summed(says(t("the neuron; where h > 0, P + 6 h")), "tgt.ffn", neuron=True),
            chinese.block(says(t("normalized")), "tgt.ffn.norm"),
        ),
        _row(
            chinese.block(
                says(t("logits: the rows of output_layer")),
                (_targets()[2:], _columns(tables["logits"], *range(2, 11)), 2),
            ),
            chinese.block(
                says(t("probabilities, what is written, and its loss")),
                (_targets()[2:], _columns(tables["probabilities"], *range(2, 11)), 2),
                (("→",), [[word] for word in writes], 0), ((t("loss"),), tables["loss"], 2),
            ),
        ),
    ]  # fmt: skip
    titles = (
        t("The encoder reads: cats beat dogs yesterday"),
        t("The decoder writes: 貓昨天贏了狗"),
    )
    style = Path(__file__).with_suffix(".css").read_text("utf-8")
    return f"<style>{style}</style>" + "\n".join(
        f'<section class="sheet" tabindex="0" data-search-exclude>'
        f'<p class="title">{title}</p>{"".join(rows)}</section>'
        for title, rows in zip(titles, (one, two))
    )


class _Sheet:
    """Tables with the same words as rows."""

    def __init__(self, t: Translate, tables: dict[str, Table], names: Sequence[str]) -> None:
        self.t, self.tables, self.names = t, tables, names

    def block(self, caption: str, *groups: Any) -> str:
        """Return a table: groups of columns side by side, or the states of one name."""
        cells = [
            (STATE, self.tables[group], 2) if isinstance(group, str) else group for group in groups
        ]
        head = "".join(
            f"<th{_first(i)}>{escape(str(name))}</th>"
            for names, *_ in cells
            for i, name in enumerate(names)
        )
        lines = [
            "".join(
                f"<td{_first(i)}>{_number(cell, digits)}</td>"
                for _, rows, digits in cells
                for i, cell in enumerate(rows[row])
            )
            for row in range(len(self.names))
        ]
        body = "".join(
            f"<tr><th>{escape(name)}</th>{line}</tr>" for name, line in zip(self.names, lines)
        )
        return (
            f'<table class="numbers"><caption>{caption}</caption>'
            f"<thead><tr><th></th>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table>"
        )

    def heads(self, says: Any, name: str, columns: Sequence[str]) -> list[str]:
        """Return scores and weights of both heads."""
        blocks = []
        for head, rows in (("a", self.t("head a")), ("b", self.t("head b"))):
            for what, words in (
                ("scores", self.t("scores: query times key, halved")),
                ("weights", self.t("weights: softmax of each row")),
            ):
                table = self.tables[f"{name}.{what}.{head}"]
                blocks.append(self.block(says(f"{rows} · {words}"), (columns, table, 2)))
        return blocks

    def summed(self, caption: str, name: str, heads: Any = None, neuron: bool = False) -> str:
        """Return a sum, with the mean and the deviation of each row."""
        rows = self.tables[f"{name}.sum"]
        groups: list[Any] = [(*heads, 2)] if heads else []
        if neuron:
            groups.append((("h",), self.tables[f"{name}.neuron"], 2))
        spread = [
            [mean := sum(row) / len(row), math.sqrt(sum((x - mean) ** 2 for x in row) / len(row))]
            for row in rows
        ]
        groups += [(STATE, rows, 2), ((self.t("mean"), self.t("dev.")), spread, 2)]
        return self.block(caption, *groups)


def _projected(
    name: str, tables: dict[str, Table], asked: Sequence[str], given: Sequence[str]
) -> list[Any]:
    """Return queries, keys and values of self-attention; the rest is 0."""
    return [
        (asked, _columns(tables[f"{name}.q"], 0, 1, 4), 2),
        (asked, _columns(tables[f"{name}.k"], 0, 1, 4), 2),
        (given, _columns(tables[f"{name}.v"], 0, 4), 2),
    ]


def _columns(rows: Table, *columns: int) -> Table:
    return [[row[column] for column in columns] for row in rows]


def _row(*blocks: str) -> str:
    return f'<div class="row">{"".join(blocks)}</div>'


def _first(column: int) -> str:
    return ' class="first"' if column == 0 else ""


def _number(cell: float | str, digits: int) -> str:
    if isinstance(cell, str):
        return escape(cell)
    if math.isinf(cell):
        return ""
    return f"{round(cell, digits) + 0.0:.{digits}f}".replace("-", "−")


def _targets() -> list[str]:
    [line] = [x for x in FILE.read_text("utf-8").splitlines() if x.startswith("target =")]
    return line.split()[2:]


def _file() -> str:
    """Return the file without its comments, each part in a block."""
    parts: list[list[str]] = []
    for text in FILE.read_text("utf-8").splitlines():
        line = " ".join(text.partition("#")[0].split())
        if line.startswith("["):
            parts.append([f"<b>{escape(line[1:-1].replace('.layers.0', ''))}</b>"])
        elif line and parts:
            parts[-1].append(escape(line.replace(" - ", " − ")))
    return "".join(f"<p>{'<br>'.join(part)}</p>" for part in parts)
