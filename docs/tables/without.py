"""Small models that were trained without a part: sentences right."""

import json
from pathlib import Path

from docs.builder.translations import Translate

RESULT = Path(__file__).parents[1] / "measured" / "without.json"


def table(t: Translate) -> str:
    """Return a line for each part that was left out, with the lowest and the highest seed."""
    runs = json.loads(RESULT.read_text("utf-8"))
    names = {
        "nothing": t("nothing: the whole model"),
        "positions": t("positions"),
        "embedding_scale": t("embeddings times √d_model"),
        "score_division": t("division of the scores by √dₖ"),
        "smaller_queries": t("division by √dₖ, but the queries start so much smaller"),
        "residuals": t("residual connections"),
        "norms": t("layer normalizations"),
        "feed_forward": t("feed-forward networks"),
        "encoder": t("encoder: the decoder reads the embedded words"),
        "self_attention": t("decoder: self-attention"),
        "cross_attention": t("decoder: cross-attention"),
    }
    lines = [f"| {t('left out')} | {t('sentences right')} |", "|---|---:|"]
    for part, name in names.items():
        right = sorted(run["right"] for run in runs[part])
        found = f"{right[0]}–{right[-1]}" if right[0] < right[-1] else f"{right[0]}"
        lines.append(f"| {name} | {found} |")
    return "\n".join(lines)
