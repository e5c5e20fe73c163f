"""What `make bench` measured of greedy decoding and beam search."""

from docs.builder.translations import Translate
from docs.tables._speed import lines


def table(t: Translate) -> str:
    """Return a line a comparison."""
    names = {
        "greedy decoding, 64 tokens, 1 at once": t("greedy decoding, 1 sentence"),
        "greedy decoding, 64 tokens": t("greedy decoding, 8 sentences"),
        "greedy decoding, 64 tokens, 32 at once": t("greedy decoding, 32 sentences"),
        "beam search, 4 beams": t("beam search, 4 beams"),
    }
    return lines(t, names)
