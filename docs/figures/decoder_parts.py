"""What each sub-layer of the shipped model's decoder is worth."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._taken_out import bars, right_without

ALT = (
    "Bars: of 100 sentences the whole model translates 99 right. With one sub-layer of the decoder "
    "switched off it is fewer: in layer 1 without self-attention 68, without cross-attention 78, "
    "without the feed-forward network 3; in layer 2 without self-attention 55, without "
    "cross-attention 0, without the feed-forward network 8."
)


def draw(t: Callable[[str], str]) -> Figure:
    """Draw a bar for the whole model, and one for each part switched off."""
    rows = {t("whole model"): right_without()}
    names = {
        "self_attention": t("self-attention"),
        "cross_attention": t("cross-attention"),
        "feed_forward": t("feed-forward"),
    }
    for layer in (0, 1):
        for name, label in names.items():
            rows[f"{label} {layer + 1}"] = right_without(f"decoder.layers.{layer}.{name}")
    title = t("Switch off any sub-layer:\nmany more sentences fail")
    return bars(rows, title, t("right of 100 when it is switched off"), 3.1)


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    stated = {
        "": 99,
        "decoder.layers.0.self_attention": 68,
        "decoder.layers.0.cross_attention": 78,
        "decoder.layers.0.feed_forward": 3,
        "decoder.layers.1.self_attention": 55,
        "decoder.layers.1.cross_attention": 0,
        "decoder.layers.1.feed_forward": 8,
    }
    return {
        f"{path or 'the whole model'}: {count}": abs(right_without(path) - count) <= 1
        for path, count in stated.items()
    }
