"""What `transformer evaluate` measured of the shipped model."""

import json
from pathlib import Path

from docs.builder.translations import Translate

MEASURED = Path(__file__).parents[1] / "measured"


def table(t: Translate) -> str:
    """Return a line a split."""
    record = json.loads((MEASURED / "evaluation.json").read_text("utf-8"))
    names = {"test": t("test"), "compositional": t("compositional"), "longer": t("longer")}
    head = [t("split"), t("sentences"), t("exact match"), "BLEU", "chrF"]
    lines = [f"| {' | '.join(head)} |", "|---|---:|---:|---:|---:|"]
    for split, groups in record["scores"].items():
        group = groups["overall"]
        numbers = (f"{group[name]:.2f}" for name in ("exact_match", "bleu", "chrf"))
        lines.append(f"| {names[split]} | {group['sentences']:,} | {' | '.join(numbers)} |")
    return "\n".join(lines)
