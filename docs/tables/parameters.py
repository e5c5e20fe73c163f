"""The parameters of the paper's base model, by part."""

from docs.builder.translations import Translate


def count() -> dict[str, int]:
    """Count them."""
    from docs.figures._table_3 import counts  # torch takes seconds to load

    return counts()


def table(t: Translate, parts: dict[str, int]) -> str:
    """Return the parameters by part, each with its share."""
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
