"""How many of 90 sentences are wrong when a part of the hand-made model is taken out."""

from docs.builder.translations import Translate


def count() -> dict[str, int]:
    """Return the wrong ones by part."""
    from docs.figures import _hand_made  # torch takes seconds to load

    return {" ".join(part): wrong for part, wrong in _hand_made.worth().items()}


def table(t: Translate, worth: dict[str, int]) -> str:
    """Return a line a sub-layer, with what of it is taken out in the columns."""
    columns = ["head 1", "head 2", "sub-layer", "residual", "norm", "relu"]
    head = [
        t("taken out"), t("head a"), t("head b"), t("whole sub-layer"),
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
