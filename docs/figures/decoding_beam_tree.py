"""The tree that beam search grows on a sentence with a word the model has never seen."""

from collections.abc import Callable
from functools import cache

import torch
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, MUTED, PAPER
from transformer import Hypothesis, Tokenizer, beam_search, load_pretrained

Translate = Callable[[str], str]
Ids = tuple[int, ...]

ALT = (
    "A tree that grows from left to right, one token a step, with at most four tokens in each "
    "column. Most branches end after a few steps. Where the unknown word comes, the tree forks "
    "anew, and its branches go on to different ends. The path of the best "
    "sentence is highlighted, and each finished sentence carries its score."
)
SOURCE = "i bought a piano ."
BEAMS = 4


def draw(t: Translate) -> Figure:
    """Draw the four best beginnings after every step, and which one each grew from."""
    columns, finished = search()
    places = lanes(columns)
    best = whole(finished[0])
    tokenizer = load_pretrained()[1]

    fig = Figure(figsize=(4.8, 3.3), layout="constrained")
    ax = fig.subplots()
    for ids, (x, y) in places.items():
        colour, width = (ACCENT, 2.0) if best[: len(ids)] == ids else (MUTED, 1.0)
        if ids and ids[:-1] in places:
            before_x, before_y = places[ids[:-1]]
            ax.plot([before_x, x], [before_y, y], color=colour, linewidth=width, zorder=1)
        if ids and ids[-1] != tokenizer.eos_id:
            ax.scatter(x, y, s=270, color=PAPER, edgecolors=colour, linewidths=width, zorder=2)
            [token] = tokenizer.pieces(ids[-1:])
            ax.text(x, y, token, ha="center", va="center_baseline", size=10, zorder=3)
        else:
            ax.scatter(x, y, s=45, color=colour, zorder=2)
    for hypothesis in finished:
        x, y = places[whole(hypothesis)]
        score = f"{hypothesis.score:.2f}".replace("-", "−")
        ax.text(x + 0.28, y, score, ha="left", va="center", size=9)
    ax.set(xlim=(-0.3, len(columns) + 0.2), ylim=(BEAMS - 0.5, -0.5))
    ax.set_xticks(range(1, len(columns)))
    ax.set_xlabel(t("step"))
    ax.set_yticks([])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    fig.suptitle(t("The four best beginnings after every step"), fontsize=11)
    return fig


@cache
def search() -> tuple[list[list[Ids]], list[Hypothesis]]:
    """Return the beginnings that were best after each step, and the sentences that came out."""
    model, tokenizer = load_pretrained()
    src = torch.tensor([tokenizer.encode_source(SOURCE)])
    columns: list[list[Ids]] = [[()]]
    while True:  # a search that may write n tokens returns its beams after n steps
        steps = len(columns)
        [found] = beam_search(model, src, beam_size=BEAMS, num_best=BEAMS, max_new_tokens=steps)
        new = [h for h in found if len(whole(h)) == steps]
        if not new:
            return [with_ancestors(column, found) for column in columns], found
        new.sort(key=lambda h: h.log_probability, reverse=True)
        columns.append([whole(h) for h in new])


def with_ancestors(column: list[Ids], found: list[Hypothesis]) -> list[Ids]:
    """Put back beginnings that lead to a sentence: finished ones, listed first, hide open ones."""
    step = len(column[0])
    ancestors = [whole(h)[:step] for h in found if len(whole(h)) >= step]
    lost = [ids for ids in dict.fromkeys(ancestors) if ids not in column]
    return [ids for ids in column if ids in ancestors] + lost if lost else column


def lanes(columns: list[list[Ids]]) -> dict[Ids, tuple[int, int]]:
    """Give every beginning its step and a row; a finished sentence keeps its row for itself."""
    places = {}
    free = list(range(BEAMS))
    for step, column in enumerate(columns):
        rows = free.copy()
        for ids, row in zip(column, rows):
            places[ids] = (step, row)
            if ids and ids[-1] == Tokenizer.eos_id:
                free.remove(row)
    return places


def whole(hypothesis: Hypothesis) -> Ids:
    """The ids of a hypothesis, with its end token if it has one."""
    return (*hypothesis.ids, Tokenizer.eos_id) if hypothesis.finished else hypothesis.ids
