"""The server of `examples/` under load."""

import json

from docs.builder.translations import Translate
from docs.tables._serving import MEASURED


def table(t: Translate) -> str:
    """Return a line a number of clients: sentences a second, and how long they wait."""
    record = json.loads((MEASURED / "server.json").read_text("utf-8"))
    head = [
        t("clients"),
        t("sentences a second"),
        t("median wait"),
        t("19 of 20 wait less than"),
        t("one request a call"),
    ]
    lines = [head, ["---:"] * len(head)]
    together, alone = (
        [row for row in record["rows"] if row["batches"] is batches] for batches in (True, False)
    )
    for row, other in zip(together, alone, strict=True):
        waits = [f"{row[name]:.0f}&nbsp;ms" for name in ("median_ms", "slow_ms")]
        rates = [f"{one['sentences_per_second']:,.0f}" for one in (row, other)]
        lines.append([str(row["clients"]), rates[0], *waits, rates[1]])
    machine = t("Measured on {cpu}, {threads} threads.").format(**record["machine"])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + f"\n\n{machine}"
