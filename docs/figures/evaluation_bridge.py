"""Cross-attention of the shipped model in a sentence whose word order changes."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._bridge import draw_bridge
from transformer.inference.attention_table import bridge_attention
from transformer.inference.shipped import load_pretrained
from transformer.inference.translation import translate

Translate = Callable[[str], str]

ALT = (
    "A heatmap: the English words as columns, the Chinese characters as rows in the order in "
    "which they are written. For the main clause the bright cells go down to the right. The "
    "relative clause “that the cat saw” stands last in English; its characters come between "
    "those of “three” and of “fish”, so the bright cells jump right and come back to the left. "
    "The end token's column is bright for several characters."
)
SOURCE = "yesterday the old farmer did not buy the three fish that the cat saw ."


def draw(t: Translate) -> Figure:
    """Draw the weights of the last decoder layer, averaged over its heads."""
    model, tokenizer = load_pretrained()
    [target] = translate(model, tokenizer, [SOURCE])
    found = bridge_attention(model, tokenizer, SOURCE, target)
    title = t("The clause that is read last is written before its noun")
    return draw_bridge(t, found, (4.8, 5.2), title)
