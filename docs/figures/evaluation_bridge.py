"""The bridge of the shipped model while it translates a sentence whose word order changes."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._style import HEATMAP
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
    columns, rows, weights = bridge_attention(model, tokenizer, SOURCE, target)
    fig = Figure(figsize=(4.8, 5.2), layout="constrained")
    axes = fig.subplots()
    image = axes.imshow(
        weights.numpy(), cmap=HEATMAP, vmin=0, vmax=1, aspect="auto", interpolation="none"
    )
    axes.set_xticks(range(len(columns)), [piece.strip() for piece in columns], rotation=90)
    axes.set_yticks(range(len(rows)), [piece.strip() for piece in rows])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_ylabel(t("written, one a step"))
    axes.xaxis.tick_top()
    bar = fig.colorbar(image, location="bottom", shrink=0.6, aspect=30, ticks=[0, 0.5, 1])
    bar.set_label(t("attention weight"))
    bar.outline.set_visible(False)
    fig.suptitle(t("The clause that is read last is written before its noun"), size=11)
    return fig
