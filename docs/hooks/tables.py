"""`<!-- table: NAME -->`: a Markdown table that the package computes."""

import json
import logging
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from docs.hooks.cache import cached
from docs.hooks.catalogue import translator

log = logging.getLogger("mkdocs.hooks.tables")

Translate = Callable[[str], str]

MEASURED = Path(__file__).parents[1] / "measured"
DIRECTIVE = re.compile(r"^<!-- table: (\w+) -->$", re.M)
VOCABULARY = 37_000  # §5.1: "about 37000 tokens"
BIG = {"d_model": 1024, "num_heads": 16, "d_ff": 4096, "dropout": 0.3}
TABLE_3: list[tuple[str, dict[str, Any], int | None]] = [  # row, changes, printed millions
    ("base", {}, 65),
    ("(A)", {"num_heads": 1}, None),
    ("(A)", {"num_heads": 4}, None),
    ("(A)", {"num_heads": 16}, None),
    ("(A)", {"num_heads": 32}, None),
    ("(B)", {"d_k": 16}, 58),
    ("(B)", {"d_k": 32}, 60),
    ("(C)", {"num_encoder_layers": 2, "num_decoder_layers": 2}, 36),
    ("(C)", {"num_encoder_layers": 4, "num_decoder_layers": 4}, 50),
    ("(C)", {"num_encoder_layers": 8, "num_decoder_layers": 8}, 80),
    ("(C)", {"d_model": 256}, 28),
    ("(C)", {"d_model": 1024}, 168),
    ("(C)", {"d_ff": 1024}, 53),
    ("(C)", {"d_ff": 4096}, 90),
    ("(D)", {"dropout": 0.0}, None),
    ("(D)", {"dropout": 0.2}, None),
    ("(E)", {"positional": "learned"}, None),
    ("big", BIG, 213),
]


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put each table where its directive stands."""
    return DIRECTIVE.sub(partial(_table, config.theme["language"], page.file.src_uri), markdown)


def _table(language: str, page: str, directive: re.Match[str]) -> str:
    name = directive[1]
    if name not in TABLES:
        log.warning("%s asks for table %r: have %s", page, name, ", ".join(TABLES))
        return directive[0]
    return TABLES[name](translator(language, "site"))


def parameters(t: Translate) -> str:
    """Count the base model's parameters by part."""
    parts = counts()
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
    for row, changes, printed in TABLE_3:
        ours = sum(counts(**changes).values()) / 1e6
        paper = "" if printed is None else str(printed)
        difference = "" if printed is None else f"{ours - printed:+.2f}".replace("-", "−")
        lines.append(f"| {row} | {_changes(changes)} | {ours:.2f} | {paper} | {difference} |")
    return "\n".join(lines)


def scores(t: Translate) -> str:
    """Show what `transformer evaluate` measured of the shipped model."""
    record = json.loads((MEASURED / "evaluation.json").read_text("utf-8"))
    names = {"test": t("test"), "compositional": t("compositional")}
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


TABLES: dict[str, Callable[[Translate], str]] = {
    "parameters": parameters,
    "scores": scores,
    "speed_of_decoding": speed_of_decoding,
    "speed_of_training": speed_of_training,
    "table_3": table_3,
}


def _changes(changes: dict[str, Any]) -> str:
    """Write the changes so that a phone can break the line; N is the layers of both stacks."""
    short = {"num_encoder_layers": "N"}
    kept = {name: value for name, value in changes.items() if name != "num_decoder_layers"}
    return ", ".join(f"{short.get(name, name)} = {value}" for name, value in kept.items())


def counts(**changes: Any) -> dict[str, int]:
    """Return the parameters of a changed base model, by part; shared ones count once."""
    sources = [Path(__file__).read_text("utf-8"), json.dumps(changes)]
    found: dict[str, int] = json.loads(cached("tables", sources, partial(_count, changes)))
    return found


def _count(changes: dict[str, Any]) -> str:
    import torch

    from transformer import Transformer, TransformerConfig

    config = TransformerConfig(
        VOCABULARY, VOCABULARY, share_embeddings=True, tie_output=True, **changes
    )
    with torch.device("meta"):  # shapes without numbers
        model = Transformer(config)
    found: Counter[str] = Counter()
    for name, parameter in model.named_parameters():
        stack, *path = name.split(".")
        part = path[2] if path[0] == "layers" else ""
        part = "norm" if part.endswith("_norm") else part
        found[f"{stack}.{part}" if part else stack] += parameter.numel()
    return json.dumps(found)
