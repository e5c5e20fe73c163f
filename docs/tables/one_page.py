"""What stands where in docs/one_page.py, with links down the page that shows it."""

import ast
from itertools import pairwise
from pathlib import Path

from docs.builder.package_source import Definition, span
from docs.builder.translations import Translate

FILE = Path(__file__).parents[1] / "one_page.py"


def table(t: Translate) -> str:
    """Return the parts in the order of the file, each with its first line and its last."""
    code = FILE.read_text("utf-8")
    nodes = [node for node in ast.parse(code).body if isinstance(node, Definition)]
    starts = {node.name: span(node)[0] for node in nodes}
    gap = 2  # empty lines between two definitions
    parts = [  # where a part begins, what it is, and its section of the page
        (1, t("what is imported"), "file"),
        (starts["Config"], t("sizes and positions"), "positions"),
        (starts["MultiHeadAttention"], t("attention"), "attention"),
        (starts["PositionwiseFeedForward"], t("layers"), "layers"),
        (starts["Transformer"], t("the model"), "model"),
        (starts["sentence_pairs"], t("sentences and batches"), "batches"),
        (starts["loss_of"], t("loss and training loop"), "training"),
        (starts["greedy_decode"], t("greedy decoding"), "decoding"),
        (starts["main"], t("the run"), "run"),
        (len(code.splitlines()) + 1 + gap, "", ""),
    ]
    rows = [f"| {t('lines of the file')} | {t('what is there')} |", "|---|---|"]
    for (first, what, anchor), (following, _, _) in pairwise(parts):
        rows.append(f"| {first}–{following - 1 - gap} | [{what}](#{anchor}) |")
    return "\n".join(rows)
