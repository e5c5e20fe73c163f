"""Cross-attention of the shipped model on the book's sentence."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._bridge import draw_bridge
from transformer.inference.attention_table import bridge_attention
from transformer.inference.shipped import load_pretrained

ALT = (
    "A heatmap: the English words as columns, the Chinese characters as rows in the order in "
    "which they are written; the mean of four heads. Most rows have one bright cell. 隻 and 貓 "
    "look at cat, 條 and 魚 at fish. 昨 jumps to yesterday, the last word, and 吃 back to ate. "
    "天 looks mostly at the end token."
)
SOURCE, TARGET = "the cat ate two fish yesterday .", "那隻貓昨天吃了兩條魚。"


def draw(t: Callable[[str], str]) -> Figure:
    """Draw the weights of the last decoder layer, averaged over its heads."""
    found = bridge_attention(*load_pretrained(), SOURCE, TARGET)
    return draw_bridge(t, found, (4.2, 4.6), t("Last in English, written early: yesterday"))


def claims() -> dict[str, bool]:
    """Say of the sentences that title and description claim whether they are so."""
    columns, rows, weights = bridge_attention(*load_pretrained(), SOURCE, TARGET)
    looks = {
        row.strip(): columns[place].strip()
        for row, place in zip(rows, weights.argmax(dim=-1).tolist(), strict=True)
    }
    stated = {"隻": "cat", "貓": "cat", "條": "fish", "魚": "fish", "昨": "yesterday", "吃": "ate"}
    return {
        **{f"{row} looks at {column}": looks[row] == column for row, column in stated.items()},
        "天 looks at the end token": looks["天"] == "<eos>",
        "most rows have one bright cell": weights.amax(dim=-1).min().item() > 0.6,
    }
