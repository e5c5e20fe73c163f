"""What `make bench` measured of a training step and a forward pass."""

from docs.builder.translations import Translate
from docs.tables._speed import lines


def table(t: Translate) -> str:
    """Return a line a comparison."""
    names = {
        "training step": t("training step"),
        "forward pass": t("forward pass"),
        "peak memory of a step": t("peak memory of a step"),
    }
    return lines(t, names)
