"""What a linear map can read from the shipped encoder's states, layer by layer."""

from collections.abc import Callable
from functools import cache

import torch
from matplotlib.figure import Figure
from torch import Tensor
from torch.nn import functional as F

from docs.figures._sentences import sentences
from docs.figures._style import ACCENT, MUTED, SECOND
from transformer import padding_mask
from transformer.data.grammar.lexicon import NOUNS
from transformer.inference.shipped import load_pretrained

ALT = (
    "Three groups of bars, after 0, 1 and 2 layers: what is read correctly from states that were "
    "not used for fitting. A state's own token: 94, 89, 85 per cent. Its position: 81, 65, 47 per "
    "cent. At a determiner, the measure word that Chinese will need: 35, 57, 53 per cent."
)
FITTED, TESTED = 600, 300  # sentences
DETERMINERS = {"a", "an", "the", "this", "that", "one", "two", "three", "four", "five", "six"}


def draw(t: Callable[[str], str]) -> Figure:
    """Draw three bars, one for each stage, for each of the three questions."""
    fig = Figure(figsize=(4.8, 2.9), layout="constrained")
    panels = fig.subplots(1, 3, sharey=True)
    labels = (t("its own token"), t("its position"), t("the measure word"))
    for axes, found, label, colour in zip(panels, read(), labels, (MUTED, SECOND, ACCENT)):
        bars = axes.bar(range(3), [100 * share for share in found], 0.75, color=colour)
        axes.bar_label(bars, fmt="%.0f", padding=2)
        axes.set_title(label, size=10)
        axes.set_xticks(range(3), ["0", "1", "2"])
        axes.tick_params(length=0)
        axes.set(ylim=(0, 105), yticks=[])
        axes.spines[["top", "right", "left"]].set_visible(False)
    panels[0].set_ylabel(t("read correctly (%)"))
    panels[1].set_xlabel(t("after how many layers"))
    fig.suptitle(t("The position fades; the measure word\nappears in the first layer"), size=11)
    return fig


@cache
def read() -> list[list[float]]:
    """Share read correctly on sentences not fitted: token, position, measure word."""
    _, tokenizer = load_pretrained()
    pairs = sentences(FITTED + TESTED)
    rows = [tokenizer.encode_source(pair.source) for pair in pairs]
    src = torch.zeros(len(rows), max(map(len, rows)), dtype=torch.long)
    for row, ids in zip(src, rows, strict=True):
        row[: len(ids)] = torch.tensor(ids)
    real = src != 0
    positions = torch.arange(src.size(1)).expand_as(src)
    questions = (src, positions, measure_words(rows, src.shape))
    labels = [question.where(real, -1) for question in questions]
    found = layers(src)
    return [[probe(states, label) for states in found] for label in labels]


@torch.no_grad()
def layers(src: Tensor) -> list[Tensor]:
    """The states that enter the encoder, and those after each of its layers."""
    model, _ = load_pretrained()
    states = [model.src_position(model.src_embedding(src))]
    for layer in model.encoder.layers:
        states.append(layer(states[-1], padding_mask(src, pad_id=0)))
    return states


def measure_words(rows: list[list[int]], shape: torch.Size) -> Tensor:
    """At each determiner the measure word of its noun, as a number; -1 at all other places."""
    _, tokenizer = load_pretrained()
    counted = [noun for noun in NOUNS if noun.container is None]
    words = {form: noun.measure for noun in counted for form in (noun.one, noun.many)}
    numbers = {word: number for number, word in enumerate(sorted({*words.values()}))}
    labels = torch.full(shape, -1)
    for row, ids in enumerate(rows):
        pieces = [piece.strip() for piece in tokenizer.pieces(ids)]
        for place, piece in enumerate(pieces):
            noun = next((word for word in pieces[place + 1 : place + 4] if word in words), None)
            if piece in DETERMINERS and noun:
                labels[row, place] = numbers[words[noun]]
    return labels


def probe(states: Tensor, labels: Tensor) -> float:
    """Fit a linear map on the first sentences; return how often it is right on the others."""
    known = labels >= 0
    x = F.pad(states, (0, 1), value=1.0)
    kept = known[:FITTED]
    fitted, answers = x[:FITTED][kept], F.one_hot(labels[:FITTED][kept], int(labels.max()) + 1)
    ridge = 0.1 * torch.eye(x.size(-1))
    weights = torch.linalg.solve(fitted.T @ fitted + ridge, fitted.T @ answers.float())
    kept = known[FITTED:]
    guesses = (x[FITTED:][kept] @ weights).argmax(dim=-1)
    return (guesses == labels[FITTED:][kept]).double().mean().item()


def commonest() -> float:
    """How often the commonest measure word of the fitted sentences would be right."""
    _, tokenizer = load_pretrained()
    pairs = sentences(FITTED + TESTED)
    rows = [tokenizer.encode_source(pair.source) for pair in pairs]
    labels = measure_words(rows, torch.Size((len(rows), max(map(len, rows)))))
    fitted, tested = (part[part >= 0] for part in (labels[:FITTED], labels[FITTED:]))
    return (tested == fitted.mode().values).double().mean().item()


def claims() -> dict[str, bool]:
    """Say of the sentences that title and description claim whether they are so."""
    token, position, measure = ([round(100 * share) for share in row] for row in read())
    return {
        "token 94, 89, 85": near(token, [94, 89, 85]),
        "position 81, 65, 47": near(position, [81, 65, 47]),
        "measure word 35, 57, 53": near(measure, [35, 57, 53]),
        "less of where it is, layer by layer": position[0] > position[1] > position[2],
        "embedded, the measure word is a guess": abs(measure[0] / 100 - commonest()) < 0.03,
        "after both layers it is more": min(measure[1:]) > measure[0] + 10,
    }


def near(found: list[int], stated: list[int]) -> bool:
    """Whether numbers are those that are told, but for rounding on another machine."""
    return all(abs(a - b) <= 1 for a, b in zip(found, stated, strict=True))
