"""The presets of `transformer train`: which numbers belong together, and how large the model is."""

from docs.builder.translations import Translate


def table(t: Translate) -> str:
    """Return a row for each number, a column for each preset."""
    from transformer.training.presets import PRESETS  # torch takes seconds to load

    rows = [
        (t("pairs, about"), [f"{one.pairs:,}" for one in PRESETS.values()]),
        *(
            (f"`--{name.replace('_', '-')}`", [_text(values[name], t) for values in _values()])
            for name in (
                "d_model", "num_heads", "d_ff", "num_layers", "norm_first", "vocab_size", "dropout",
                "batch_tokens", "warmup", "steps",
            )
        ),
    ]  # fmt: skip
    head = (
        "| | " + " | ".join(f"`{name}`" for name in PRESETS) + " |\n|---|" + "---:|" * len(PRESETS)
    )
    return "\n".join([head, *(f"| {name} | {' | '.join(cells)} |" for name, cells in rows)])


def _values() -> list[dict[str, int | float]]:
    from transformer.training.presets import PRESETS

    return [{**vars(one.recipe), **vars(one.training)} for one in PRESETS.values()]


def _text(value: bool | int | float, t: Translate) -> str:
    if isinstance(value, bool):
        return t("yes") if value else t("no")
    return f"{value:,}" if isinstance(value, int) else str(value)
