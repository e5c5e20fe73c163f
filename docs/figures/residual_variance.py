"""Size and likeness of the states of an untrained encoder, with and without each part."""

from collections.abc import Callable
from functools import cache

import torch
from matplotlib.figure import Figure

from docs.figures._residual import SEEDS, encoder, likeness, states, variance
from docs.figures._style import ACCENT, INK, MUTED, SECOND

Translate = Callable[[str], str]

ALT = (
    "Two panels over the twelve sub-layers of an untrained encoder, three seeds for each line. "
    "Above, the variance of a state on a logarithmic axis: with both parts and with the "
    "normalization alone it stays at 1, with the residual connection alone it grows to about 1.5, "
    "and with neither it falls below a hundredth within two sub-layers. Below, the mean cosine "
    "between the states of two tokens: with the residual connection it stays below 0.25, without "
    "it is above 0.99 from the third sub-layer on, whether or not there is a normalization."
)

Run = tuple[list[float], list[float]]
BOTH, RESIDUAL, NORM, NEITHER = (True, True), (True, False), (False, True), (False, False)
STYLES = {BOTH: (SECOND, "-"), RESIDUAL: (MUTED, "--"), NORM: (ACCENT, "-."), NEITHER: (INK, ":")}


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
    fig = Figure(figsize=(4.8, 5.0), layout="constrained")
    fig.suptitle(
        t("The normalization keeps the size,\nthe residual connection keeps tokens apart"), size=11
    )
    above, below = fig.subplots(2, 1, sharex=True)
    for parts, (colour, line) in STYLES.items():
        for number, (sizes, cosines) in enumerate(runs()[parts]):
            style = {"color": colour, "linestyle": line, "linewidth": 1.6}
            label = labels[parts] if number == 0 else None
            above.semilogy(sizes, **style, label=label)
            below.plot(cosines, **style)
    above.set_ylabel(t("variance of a state"))
    below.set(xlabel=t("sub-layers passed"), ylabel=t("cosine of two tokens"), ylim=(-0.1, 1.1))
    below.set_xticks(range(0, 13, 2))
    for axes in (above, below):
        axes.spines[["top", "right"]].set_visible(False)
    fig.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    return fig


def claims() -> dict[str, bool]:
    """Say of the description whether it is so."""
    found = runs()
    ends = [sizes[-1] for sizes, _ in found[RESIDUAL]]
    kept = [size for parts in (BOTH, NORM) for sizes, _ in found[parts] for size in sizes]
    apart = [c for parts in (BOTH, RESIDUAL) for _, cosines in found[parts] for c in cosines]
    alike = [c for parts in (NORM, NEITHER) for _, cosines in found[parts] for c in cosines[3:]]
    return {
        "normalised states keep variance 1": all(0.95 < size < 1.05 for size in kept),
        "the residual connection alone: about 1.5": all(1.3 < size < 1.7 for size in ends),
        "neither: below a hundredth within two": all(
            size < 0.01 for sizes, _ in found[NEITHER] for size in sizes[2:]
        ),
        "with the residual connection below 0.25": max(apart) < 0.25,
        "without it above 0.99 from the third on": min(alike) > 0.99,
    }
