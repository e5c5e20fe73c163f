"""What `make bench` measured of decoding beside engines for serving."""

import json
import re
from pathlib import Path

from docs.builder.translations import Translate

MEASURED = Path(__file__).parents[1] / "measured"


def lines(model: str, t: Translate) -> str:
    """Return our seconds, the ratio of each engine to them, and the machine."""
    record = json.loads((MEASURED / "serving.json").read_text("utf-8"))
    cases: dict[str, dict[str, dict[str, float]]] = {}
    for row in record["rows"]:
        if row["what"].startswith(f"{model}, "):
            cases.setdefault(row["what"], {})[row["other"]] = row
    others = {
        "CTranslate2, float32": "CT2 float32",
        "CTranslate2, int8": "CT2 int8",
        "Marian": "HF MarianMT",  # The toolkit Marian is another program, and was not measured.
    }
    head = [t("beams"), t("batch"), t("ours"), *others.values()]
    table = [head, ["---:"] * len(head)]
    for what, beside in cases.items():
        ours = beside["Marian"]["ours"]
        ratios = [f"{beside[other]['ratio']:.2f}" for other in others]
        table.append([*re.findall(r"\d+", what), f"{ours:#.2g}&nbsp;s", *ratios])
    machine = t("Measured on {cpu}, {threads} threads.").format(**record["machine"])
    return "\n".join(f"| {' | '.join(line)} |" for line in table) + f"\n\n{machine}"
