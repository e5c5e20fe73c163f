"""Which adjectives stand with which nouns in training, and which are kept out of it."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._style import ACCENT, MUTED
from transformer.data.generator import is_reserved
from transformer.data.grammar import lexicon

Translate = Callable[[str], str]

ALT = (
    "A grid of eight adjectives, such as old and blue, against nine nouns, such as cat and coat. "
    "Most places hold a dot: the pair occurs in training. Some hold a square: the pair stands in "
    "the compositional split only. Some are empty: the grammar has no such pair. Every row and "
    "every column has dots."
)

ADJECTIVES = ("old", "new", "big", "small", "white", "black", "blue", "expensive")
NOUNS = ("cat", "dog", "coat", "sweater", "hat", "umbrella", "backpack", "table", "house")


def draw(t: Translate) -> Figure:
    """Draw one mark for each combination of adjective and noun that the grammar has."""
    fig = Figure(figsize=(4.8, 3.9), layout="constrained")
    axes = fig.subplots()
    kept = [place for place in combinations() if reserved(*place)]
    seen = [place for place in combinations() if not reserved(*place)]
    axes.plot(*zip(*seen), "o", markersize=5, color=MUTED, label=t("in training"))
    axes.plot(*zip(*kept), "s", markersize=10, color=ACCENT, label=t("compositional split only"))
    axes.set_xticks(range(len(NOUNS)), NOUNS, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(ADJECTIVES)), ADJECTIVES)
    axes.set(ylim=(len(ADJECTIVES) - 0.5, -0.5), xlim=(-0.5, len(NOUNS) - 0.5))
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    fig.suptitle(t("Every word is known, not every combination"))
    fig.legend(loc="outside lower center", ncols=2, frameon=False)
    return fig


def combinations() -> list[tuple[int, int]]:
    """Noun and adjective, by their numbers, of every pair that the grammar has."""
    pairs = [(noun.one, a.en) for a in lexicon.ADJECTIVES for noun in a.nouns]
    return [
        (NOUNS.index(n), ADJECTIVES.index(a)) for n, a in pairs if n in NOUNS and a in ADJECTIVES
    ]


def reserved(noun: int, adjective: int) -> bool:
    """Whether a pair is kept for the compositional split."""
    return is_reserved("adjective", ADJECTIVES[adjective], NOUNS[noun])
