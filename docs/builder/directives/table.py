"""`<!-- table: NAME -->`: a Markdown table that the package computes."""

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from docs.builder.cache import Product, code_of
from docs.builder.directives import Page, nearest
from docs.builder.translations import Translate

MEASURED = Path(__file__).parents[2] / "measured"
HAND_MADE = Path(__file__).parents[3] / "transformer" / "inference" / "hand_made.txt"


def render(argument: str, t: Translate, page: Page) -> str:
    """Return the table of this name."""
    if argument not in TABLES:
        raise LookupError(f"there is no such table; {nearest(argument, [*TABLES])}")
    return TABLES[argument](t)


def product(argument: str, language: str) -> Product:
    """Return the counts behind a table, for the cache; they are the same in every language."""
    if argument in ("hand_made_sheet", "hand_made_worth"):
        made_from = (*code_of(Path(__file__)), HAND_MADE.read_text("utf-8"))
        return Product("table", "hand_made", made_from, _hand_made)
    if argument not in ("parameters", "table_3"):
        raise LookupError("the other tables are read from docs/measured")
    return Product("table", "table_3", code_of(Path(__file__)), _count)


def parameters(t: Translate) -> str:
    """Count the base model's parameters by part."""
    parts = counted()[0][3]
    total = sum(parts.values())
    rows = [
        (t("embedding, which is the output layer too"), parts["src_embedding"]),
        (t("encoder: self-attention"), parts["encoder.self_attention"]),
        (t("encoder: feed-forward networks"), parts["encoder.feed_forward"]),
        (t("encoder: layer normalizations"), parts["encoder.norm"]),
        (t("decoder: self-attention"), parts["decoder.self_attention"]),
        (t("decoder: cross-attention"), parts["decoder.cross_attention"]),
        (t("decoder: feed-forward networks"), parts["decoder.feed_forward"]),
        (t("decoder: layer normalizations"), parts["decoder.norm"]),
        (t("total"), total),
    ]
    head = f"| {t('part')} | {t('parameters')} | {t('share')} |\n|---|---:|---:|\n"
    return head + "\n".join(f"| {name} | {n:,} | {n / total:.2%} |" for name, n in rows)


def table_3(t: Translate) -> str:
    """Compare our counts with those printed in Table 3 of the paper."""
    head = [t("row"), t("what changes"), t("ours, 10⁶"), t("paper, 10⁶"), t("difference")]
    lines = [f"| {' | '.join(head)} |", "|---|---|---:|---:|---:|"]
    for row, changes, printed, parts in counted():
        ours = sum(parts.values()) / 1e6
        paper = "" if printed is None else str(printed)
        difference = "" if printed is None else f"{ours - printed:+.2f}".replace("-", "−")
        lines.append(f"| {row} | {_changes(changes)} | {ours:.2f} | {paper} | {difference} |")
    return "\n".join(lines)


def hand_made_worth(t: Translate) -> str:
    """Show how many of 90 sentences are wrong when a part of the hand-made model is taken out."""
    worth = json.loads(product("hand_made_worth", "").text())["worth"]
    columns = ["head 1", "head 2", "sub-layer", "residual", "norm", "relu"]
    head = [
        t("taken out"), t("head 1"), t("head 2"), t("whole sub-layer"),
        t("its residual connection"), t("its LayerNorm"), t("its ReLU"),
    ]  # fmt: skip
    parts = {
        "encoder.layers.0.self_attention": t("encoder self-attention"),
        "encoder.layers.0.feed_forward": t("encoder feed-forward network"),
        "decoder.layers.0.self_attention": t("masked self-attention"),
        "decoder.layers.0.cross_attention": t("cross-attention"),
        "decoder.layers.0.feed_forward": t("decoder feed-forward network"),
    }
    lines = [f"| {' | '.join(head)} |", "|---" + "|---:" * len(columns) + "|"]
    for part, name in parts.items():
        cells = [str(worth.get(f"{part} {column}", "")) for column in columns]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def hand_made_sheet(t: Translate) -> str:
    """Lay out every number of the hand-made model's sentence, for print."""
    from docs.builder.hand_made_sheet import lay_out

    return lay_out(t, json.loads(product("hand_made_sheet", "").text()), HAND_MADE)


def scores(t: Translate) -> str:
    """Show what `transformer evaluate` measured of the shipped model."""
    record = json.loads((MEASURED / "evaluation.json").read_text("utf-8"))
    names = {"test": t("test"), "compositional": t("compositional"), "longer": t("longer")}
    head = [t("split"), t("sentences"), t("exact match"), "BLEU", "chrF"]
    lines = [f"| {' | '.join(head)} |", "|---|---:|---:|---:|---:|"]
    for split, groups in record["scores"].items():
        group = groups["overall"]
        numbers = (f"{group[name]:.2f}" for name in ("exact_match", "bleu", "chrf"))
        lines.append(f"| {names[split]} | {group['sentences']:,} | {' | '.join(numbers)} |")
    return "\n".join(lines)


def speed_of_training(t: Translate) -> str:
    """Show what `make bench` measured of a training step and a forward pass."""
    names = {
        "training step": t("training step"),
        "forward pass": t("forward pass"),
        "peak memory of a step": t("peak memory of a step"),
    }
    return _speed(t, names)


def speed_of_decoding(t: Translate) -> str:
    """Show what `make bench` measured of greedy decoding and beam search."""
    names = {
        "greedy decoding, 64 tokens, 1 at once": t("greedy decoding, 1 sentence"),
        "greedy decoding, 64 tokens": t("greedy decoding, 8 sentences"),
        "greedy decoding, 64 tokens, 32 at once": t("greedy decoding, 32 sentences"),
        "beam search, 4 beams": t("beam search, 4 beams"),
    }
    return _speed(t, names)


def _speed(t: Translate, names: dict[str, str]) -> str:
    rows = json.loads((MEASURED / "bench.json").read_text("utf-8"))["rows"]
    shown = [row for what in names for row in rows if row["what"] == what]
    beside = {
        "without cache": t("the same model without cache"),
        "whole model for each token": t("the whole model for each token"),
    }
    head = [t("measured"), "dropout", t("ours"), t("beside"), t("theirs"), t("ratio")]
    table = [head, ["---", "---", "---:", "---", "---:", "---:"]]
    for row in shown:
        dropout = "" if row["dropout"] is None else str(row["dropout"])
        other = beside.get(row["other"], row["other"])
        digits = ",.3g" if row["ours"] < 100 else ",.0f"
        mine, theirs = (f"{row[side]:{digits}}&nbsp;{row['unit']}" for side in ("ours", "theirs"))
        table.append([names[row["what"]], dropout, mine, other, theirs, f"{row['ratio']:.2f}"])
    if len({row["dropout"] for row in shown}) == 1:
        table = [[cell for column, cell in enumerate(line) if column != 1] for line in table]
    return "\n".join(f"| {' | '.join(line)} |" for line in table)


def speed_of_serving(model: str, t: Translate) -> str:
    """Show what `make bench` measured of a model's decoding beside other engines."""
    rows = json.loads((MEASURED / "serving.json").read_text("utf-8"))["rows"]
    cases: dict[str, dict[str, dict[str, float]]] = {}
    for row in rows:
        if row["what"].startswith(f"{model}, "):
            cases.setdefault(row["what"], {})[row["other"]] = row
    others = {"CTranslate2, float32": "float32", "CTranslate2, int8": "int8", "Marian": "Marian"}
    head = [t("beams"), t("batch"), t("ours"), *others.values()]
    table = [head, ["---:"] * len(head)]
    for what, beside in cases.items():
        ours = beside["Marian"]["ours"]
        ratios = [f"{beside[other]['ratio']:.2f}" for other in others]
        table.append([*re.findall(r"\d+", what), f"{ours:#.2g}&nbsp;s", *ratios])
    return "\n".join(f"| {' | '.join(line)} |" for line in table)


TABLES: dict[str, Callable[[Translate], str]] = {
    "hand_made_sheet": hand_made_sheet,
    "hand_made_worth": hand_made_worth,
    "parameters": parameters,
    "scores": scores,
    "speed_of_decoding": speed_of_decoding,
    "speed_of_serving_base": partial(speed_of_serving, "base"),
    "speed_of_serving_shipped": partial(speed_of_serving, "shipped"),
    "speed_of_training": speed_of_training,
    "table_3": table_3,
}


def _changes(changes: dict[str, Any]) -> str:
    """Write the changes so that a phone can break the line; N is the layers of both stacks."""
    short = {"num_encoder_layers": "N"}
    kept = {name: value for name, value in changes.items() if name != "num_decoder_layers"}
    return ", ".join(f"{short.get(name, name)} = {value}" for name, value in kept.items())


def counted() -> list[Any]:
    """Return the rows of Table 3: name, changes, printed millions, parameters by part."""
    return list(json.loads(product("table_3", "").text()))


def _count() -> str:
    from docs.figures._table_3 import TABLE_3, counts  # torch takes seconds to load

    return json.dumps([(*row, counts(**row[1])) for row in TABLE_3])


def _hand_made() -> str:
    from docs.figures import _hand_made as made

    worth = {" ".join(part): wrong for part, wrong in made.worth().items()}
    tables = {name: table.tolist() for name, table in made.numbers().items()}
    return json.dumps({"worth": worth, "tables": tables, "words": made.words()})
