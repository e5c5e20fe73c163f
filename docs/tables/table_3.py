"""Parameters of the models in Table 3 of the paper: ours beside those that it prints."""

from typing import Any

from docs.builder.translations import Translate


def count() -> list[Any]:
    """Return the rows of Table 3: name, changes, printed millions, parameters by part."""
    from docs.figures._table_3 import TABLE_3, counts  # torch takes seconds to load

    return [(*row, counts(**row[1])) for row in TABLE_3]


def table(t: Translate, counted: list[Any]) -> str:
    """Return both counts and their difference, a line a row."""
    head = [t("row"), t("what changes"), t("ours, 10⁶"), t("paper, 10⁶"), t("difference")]
    lines = [f"| {' | '.join(head)} |", "|---|---|---:|---:|---:|"]
    for row, changes, printed, parts in counted:
        ours = sum(parts.values()) / 1e6
        paper = "" if printed is None else str(printed)
        difference = "" if printed is None else f"{ours - printed:+.2f}".replace("-", "−")
        lines.append(f"| {row} | {_changes(changes)} | {ours:.2f} | {paper} | {difference} |")
    return "\n".join(lines)


def _changes(changes: dict[str, Any]) -> str:
    """Write the changes so that a phone can break the line; N is the layers of both stacks."""
    short = {"num_encoder_layers": "N"}
    kept = {name: value for name, value in changes.items() if name != "num_decoder_layers"}
    return ", ".join(f"{short.get(name, name)} = {value}" for name, value in kept.items())
