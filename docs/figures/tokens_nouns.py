"""The shipped model's rows of English nouns, drawn with the measure word that Chinese asks for."""

from collections import Counter
from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from torch import Tensor

from docs.figures._style import ACCENT, INK, PAPER, SECOND
from transformer import load_pretrained
from transformer.data.grammar.lexicon import NOUNS, Noun

Translate = Callable[[str], str]

ALT = (
    "A plane with 39 points, one for each English noun of six groups, each drawn as the Chinese "
    "measure word of its noun. The nine 位 lie to the right, the six 隻 at the lower right, the "
    "eight 顆 at the lower left, the four 件 above them, the ten 個 at the top in two groups: "
    "girl, boy and child to the right, things to the left. Of the two 條, fish lies among the 顆 "
    "and skirt between 顆 and 件. Words that would overlap are moved a little apart. The plane "
    "shows 25 percent of the variance."
)
STYLES = {  # colour of each measure word, and how full the disc behind it is
    "位": (ACCENT, 0), "個": (INK, 0), "隻": (SECOND, 0),
    "顆": (SECOND, 0.2), "件": (ACCENT, 0.2), "條": (INK, 1),
}  # fmt: skip
WIDTH = 0.055  # of a word, in the units of the plane
NAMED = {  # how far beside its measure word a noun stands, in points
    "fish": 10, "skirt": 10, "cat": 10, "bird": 10, "girl": 10, "plate": 10, "dress": 10,
    "apple": -10, "nurse": -10,
}  # fmt: skip


def draw(t: Translate) -> Figure:
    """Draw each noun as its measure word, in the plane of the two main directions."""
    exact, share = plane()
    places = apart(exact)
    fig = Figure(figsize=(4.8, 4.9), layout="constrained")
    axes = fig.subplots()
    for noun, (x, y) in zip(shown(), places.tolist(), strict=True):
        colour, full = STYLES[noun.measure]
        axes.plot(x, y, "o", color=colour, alpha=full, markersize=14.5, markeredgewidth=0)
        axes.text(
            x, y, noun.measure, ha="center", va="center", size=10.5,
            color=PAPER if full == 1 else colour,
        )  # fmt: skip
        if side := NAMED.get(noun.one):
            axes.annotate(
                noun.one, (x, y), (side, 0), textcoords="offset points",
                ha="left" if side > 0 else "right", va="center", size=10,
            )  # fmt: skip
    low, high = places.amin(dim=0).tolist(), places.amax(dim=0).tolist()
    axes.set(xlim=(low[0] - 0.1, high[0] + 0.1), ylim=(low[1] - 0.1, high[1] + 0.1))
    axes.set(xticks=[], yticks=[])
    axes.set_xlabel(t("first main direction"))
    axes.set_ylabel(t("second main direction"))
    title = t(
        "Nouns with the same measure word mostly lie together\n"
        "(this plane shows {:.0f}% of the variance)"
    )
    fig.suptitle(title.format(100 * share), size=11)
    return fig


def counted() -> list[Noun]:
    """The nouns that are counted by a measure word of their own."""
    return [noun for noun in NOUNS if not noun.container]


def shown() -> list[Noun]:
    """Those of the five commonest measure words, and of 條."""
    return [noun for noun in counted() if noun.measure in STYLES]


def rows(nouns: list[Noun]) -> Tensor:
    """The rows of the nouns' singulars."""
    model, tokenizer = load_pretrained()
    ids = [tokenizer.encode(noun.one) for noun in nouns]
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


def apart(places: Tensor) -> Tensor:
    """Push words that would overlap apart, each as little as it takes."""
    for _ in range(100):
        ways = places[:, None] - places
        far = ways.norm(dim=-1, keepdim=True).clamp(min=1e-9)  # from itself, too
        places = places + ((WIDTH - far).clamp(min=0) * ways / far / 2).sum(dim=1)
    return places


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
    (exact, share), (same, could, chance) = plane(), same_measure()
    places = apart(exact)
    at = dict(zip((noun.one for noun in shown()), places.tolist(), strict=True))
    by = {
        measure: places[[i for i, noun in enumerate(shown()) if noun.measure == measure]]
        for measure in STYLES
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
        "moved a little": (places - exact).norm(dim=1).max().item() < 0.04,
        "25 percent": round(100 * share) == 25,
        "52 of 65, 55 possible, 5 by chance": (len(counted()), same, could, round(chance))
        == (65, 52, 55, 5),
    }
