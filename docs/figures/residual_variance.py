"""Size and likeness of the states of an untrained encoder, with and without each part."""

from collections.abc import Callable
from functools import cache

import torch
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from docs.figures._residual import SEEDS, encoder, likeness, states, variance
from docs.figures._style import ACCENT, INK, SECOND

Translate = Callable[[str], str]

ALT = (
    "Two panels over the twelve sub-layers of an untrained encoder that reads the cat ate two "
    "fish yesterday, full stop and end: eight tokens, three seeds for each line. Above, the "
    "variance of a state on a logarithmic axis: with both parts and with the normalization alone "
    "it is 1 from the first on, with the residual connection alone it grows to about 300, and "
    "with neither it falls below a hundredth within eight sub-layers. Below, the mean cosine "
    "between the states of two tokens, which begins between 0.2 and 0.3: without the residual "
    "connection it is above 0.99 from the third sub-layer on, with it about 0.6 there and 0.92 to "
    "0.98 after the twelfth."
)

Run = tuple[list[float], list[float]]
BOTH, RESIDUAL, NORM, NEITHER = (True, True), (True, False), (False, True), (False, False)
STYLES = {  # where lines coincide, one shows through the gaps of the other
    BOTH: (SECOND, "-", 3),
    RESIDUAL: (INK, "-", 1),
    NORM: (ACCENT, "--", 2),
    NEITHER: (INK, ":", 2),
}


@cache
def runs() -> dict[tuple[bool, bool], list[Run]]:
    """Return variances and cosines for each pair (residual, norm), a run for each seed."""
    found: dict[tuple[bool, bool], list[Run]] = {parts: [] for parts in STYLES}
    with torch.random.fork_rng(), torch.no_grad():
        for (residual, norm), list_of_runs in found.items():
            for seed in SEEDS:
                stack, x = encoder(seed)
                seen = [*states(stack, x, residual=residual, norm=norm)]
                list_of_runs.append(([*map(variance, seen)], [*map(likeness, seen)]))
    return found


def draw(t: Translate) -> Figure:
    """Draw the variance above and the cosine below."""
    labels = {
        BOTH: t("both"),
        RESIDUAL: t("residual connection only"),
        NORM: t("normalization only"),
        NEITHER: t("neither"),
    }
    fig = Figure(figsize=(4.8, 5.0), layout=ConstrainedLayoutEngine(h_pad=0.08))
    fig.suptitle(
        t(
            "The normalization keeps the size, the residual\n"
            "connection keeps tokens apart for longer"
        ),
        size=11,
    )
    above, below = fig.subplots(2, 1, sharex=True)
    for parts, (colour, line, width) in STYLES.items():
        for sizes, cosines in runs()[parts]:
            style = {"color": colour, "linestyle": line, "linewidth": width}
            above.semilogy(sizes, **style)
            below.plot(cosines, **style)
    for axes, parts, x, y in (
        (above, RESIDUAL, 7.5, 130),
        (above, BOTH, 12, 2.2),
        (above, NORM, 12, 0.4),
        (above, NEITHER, 6.3, 2e-3),
        (below, NORM, 8, 1.09),
        (below, NEITHER, 11, 1.09),
        (below, BOTH, 4.5, 0.82),
        (below, RESIDUAL, 12, 0.68),
    ):
        colour, *_ = STYLES[parts]
        axes.text(x, y, labels[parts], color=colour, size=9, ha="right", va="center")
    above.set_ylabel(t("variance of a state"))
    below.set(xlabel=t("sub-layers passed"), ylabel=t("cosine of two tokens"), ylim=(0, 1.19))
    below.set_xticks(range(0, 13, 2))
    for axes in (above, below):
        axes.spines[["top", "right"]].set_visible(False)
    return fig


def claims() -> dict[str, bool]:
    """Say of the description whether it is so."""
    found = runs()
    ends = [sizes[-1] for sizes, _ in found[RESIDUAL]]
    kept = [size for parts in (BOTH, NORM) for sizes, _ in found[parts] for size in sizes[1:]]
    apart = [cosines for parts in (BOTH, RESIDUAL) for _, cosines in found[parts]]
    alike = [c for parts in (NORM, NEITHER) for _, cosines in found[parts] for c in cosines[3:]]
    return {
        "normalized states have variance 1": all(0.99 < size < 1.01 for size in kept),
        "the residual connection alone: about 300": all(230 < size < 400 for size in ends),
        "neither: below a hundredth within eight": all(
            size < 0.01 for sizes, _ in found[NEITHER] for size in sizes[8:]
        ),
        "at first between 0.2 and 0.3": all(0.2 < cosines[0] < 0.3 for cosines in apart),
        "with the residual connection about 0.6 at the third": all(
            0.5 < cosines[3] < 0.7 for cosines in apart
        ),
        "and 0.92 to 0.98 at the twelfth": all(0.915 < cosines[-1] < 0.985 for cosines in apart),
        "without it above 0.99 from the third on": min(alike) > 0.99,
    }
