"""The shipped model's rows of English nouns, drawn with the measure word that Chinese asks for."""

from collections import Counter
from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from torch import Tensor

from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer import load_pretrained
from transformer.data.grammar.lexicon import NOUNS, Noun

Translate = Callable[[str], str]

ALT = (
    "A plane with 39 points, one for each English noun of six groups, each drawn as the Chinese "
    "measure word of its noun. The nine 位 lie to the right, the six 隻 at the lower right, the "
    "eight 顆 at the lower left, the four 件 above them, the ten 個 at the top in two groups: "
    "girl, boy and child to the right, things to the left. Of the two 條, fish lies among the 顆 "
    "and skirt between 顆 and 件. The plane shows 25 percent of the variance."
)
COLOURS = {"位": ACCENT, "個": INK, "隻": SECOND, "顆": MUTED, "件": ACCENT, "條": INK}
NAMED = {
    "fish": (0, -18), "skirt": (19, 0), "cat": (0, -14), "girl": (18, 4), "nurse": (0, 13),
    "sandwich": (4, -13), "dress": (22, 0), "potato": (-30, 0), "bird": (18, 0),
}  # fmt: skip


def draw(t: Translate) -> Figure:
    """Draw each noun as its measure word, in the plane of the two main directions."""
    places, share = plane()
    fig = Figure(figsize=(4.8, 4.6), layout="constrained")
    axes = fig.subplots()
    for noun, (x, y) in zip(shown(), places.tolist(), strict=True):
        colour = COLOURS[noun.measure]
        weight = "bold" if noun.measure == "條" else "normal"
        axes.text(
            x, y, noun.measure, ha="center", va="center", size=11, color=colour, weight=weight
        )
        if noun.one in NAMED:
            axes.annotate(
                noun.one, (x, y), NAMED[noun.one], textcoords="offset points", ha="center",
                va="center", size=9, color=INK,
            )  # fmt: skip
    low, high = places.amin(dim=0).tolist(), places.amax(dim=0).tolist()
    axes.set(xlim=(low[0] - 0.1, high[0] + 0.1), ylim=(low[1] - 0.1, high[1] + 0.1))
    axes.set(xticks=[], yticks=[])
    axes.set_xlabel(t("first main direction"))
    axes.set_ylabel(t("second main direction"))
    title = t(
        "Nouns with one measure word lie together\n(this plane shows {:.0f}% of the variance)"
    )
    fig.suptitle(title.format(100 * share))
    return fig


def counted() -> list[Noun]:
    """The nouns that are counted by a measure word of their own."""
    return [noun for noun in NOUNS if not noun.container]


def shown() -> list[Noun]:
    """Those of the five commonest measure words, and of 條."""
    return [noun for noun in counted() if noun.measure in COLOURS]


def rows(nouns: list[Noun]) -> Tensor:
    """The rows of the nouns' singulars."""
    model, tokenizer = load_pretrained()
    ids = [tokenizer.encode(noun.one + " ") for noun in nouns]
    return model.src_embedding.weight.detach()[torch.tensor(ids)[:, 0]]


def plane() -> tuple[Tensor, float]:
    """Places in the plane of the two directions that vary most, and their share of all variance."""
    some = rows(shown())
    centred = (some - some.mean(dim=0)).double()
    turned, sizes, _ = torch.linalg.svd(centred, full_matrices=False)
    places = turned[:, :2] * sizes[:2]
    names = [noun.one for noun in shown()]  # which end of a direction comes first is chance
    ends = torch.stack([places[names.index("nurse"), 0], places[names.index("girl"), 1]])
    return places * ends.sign(), (sizes[:2].square().sum() / sizes.square().sum()).item()


def same_measure() -> tuple[int, int, float]:
    """How many nearest nouns share the measure word, how many could, how many by chance."""
    nouns = counted()
    unit = torch.nn.functional.normalize(rows(nouns), dim=1)
    likeness = (unit @ unit.T).fill_diagonal_(-1)
    nearest = likeness.argmax(dim=1).tolist()
    sizes = Counter(noun.measure for noun in nouns)
    same = sum(
        noun.measure == nouns[other].measure for noun, other in zip(nouns, nearest, strict=True)
    )
    could = sum(sizes[noun.measure] > 1 for noun in nouns)
    chance = sum((sizes[noun.measure] - 1) / (len(nouns) - 1) for noun in nouns)
    return same, could, chance


def claims() -> dict[str, bool]:
    """Say of the sentences in title and description whether they are so."""
    (places, share), (same, could, chance) = plane(), same_measure()
    at = dict(zip((noun.one for noun in shown()), places.tolist(), strict=True))
    by = {
        measure: places[[i for i, noun in enumerate(shown()) if noun.measure == measure]]
        for measure in COLOURS
    }
    low, high = ({m: f(p, dim=0).tolist() for m, p in by.items()} for f in (torch.amin, torch.amax))
    fruit = by["顆"].mean(dim=0).tolist()
    return {
        "39: 9 位, 6 隻, 8 顆, 4 件, 10 個, 2 條": [len(by[m]) for m in "位隻顆件個條"]
        == [9, 6, 8, 4, 10, 2],
        "位 to the right": all(low["位"][0] > high[m][0] for m in "隻顆件個條"),
        "隻 at the lower right": all(low["隻"][0] > high[m][0] for m in "顆件條")
        and high["隻"][1] < low["位"][1],
        "顆 at the lower left": high["顆"][1] < low["件"][1] and high["顆"][0] < low["隻"][0],
        "個 at the top": all(low["個"][1] > high[m][1] for m in "位隻顆件條"),
        "girl, boy, child to the right": min(at[w][0] for w in ("girl", "boy", "child"))
        > max(at[w][0] for w in ("cake", "bento", "sandwich", "story", "backpack", "box", "plate")),
        "fish among the 顆": all(
            low["顆"][i] - 0.01 < at["fish"][i] < high["顆"][i] for i in (0, 1)
        ),
        "skirt between 顆 and 件": fruit[1] < at["skirt"][1] < low["件"][1],
        "25 percent": round(100 * share) == 25,
        "52 of 65, 55 possible, 5 by chance": (len(counted()), same, could, round(chance))
        == (65, 52, 55, 5),
    }
