"""What `make bench` measured, our package beside others."""

import json
from pathlib import Path

from docs.builder.translations import Translate

MEASURED = Path(__file__).parents[1] / "measured"


def lines(t: Translate, names: dict[str, str]) -> str:
    """Return a table of what `names` has, under these names."""
    rows = json.loads((MEASURED / "bench.json").read_text("utf-8"))["rows"]
    shown = [row for what in names for row in rows if row["what"] == what]
    beside = {
        "without cache": t("the same model without cache"),
        "whole model for each token": t("the whole model for each token"),
        "Marian": "HF MarianMT",  # The toolkit Marian is another program, and was not measured.
    }
    head = [t("measured"), "dropout", t("ours"), t("beside"), t("theirs"), t("ratio")]
    table = [head, ["---", "---", "---:", "---", "---:", "---:"]]
    for row in shown:
        dropout = "" if row["dropout"] is None else str(row["dropout"])
        other = beside.get(row["other"], row["other"])
        digits = ",.3g" if row["ours"] < 100 else ",.0f"
        ours, theirs = (f"{row[side]:{digits}}&nbsp;{row['unit']}" for side in ("ours", "theirs"))
        table.append([names[row["what"]], dropout, ours, other, theirs, f"{row['ratio']:.2f}"])
    if len({row["dropout"] for row in shown}) == 1:
        table = [[cell for column, cell in enumerate(line) if column != 1] for line in table]
    return "\n".join(f"| {' | '.join(line)} |" for line in table)
