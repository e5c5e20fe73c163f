"""What a reader moves in the shape explorer: hidden until the script comes that follows them."""

import json
from html import escape

from docs.builder.translations import Translate
from docs.shapes.model_sizes import INPUT, Sizes

LAYERS = (1, 2, 3, 4, 5, 6, 8, 12, 16, 24)
LENGTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 64, 128, 256, 512, 1024, 2048, 4096)
# Where each slider stops. Its field takes every whole number from the least to the last stop; with
# more, the script's sums might be larger than JavaScript's numbers are exact.
STOPS = {
    "d_model": (32, 64, 128, 256, 384, 512, 768, 1024, 1536, 2048, 4096),
    "num_heads": (1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 32, 64),
    "num_encoder_layers": LAYERS,
    "num_decoder_layers": LAYERS,
    "d_ff": (64, 128, 256, 512, 1024, 1536, 2048, 3072, 4096, 8192, 16384),
    "vocab_size": (500, 1000, 1593, 4000, 8000, 16000, 37000, 50000, 74000, 128000, 256000),
    "src_len": LENGTHS,
    "tgt_len": LENGTHS,
    "batch": (1, 2, 4, 8, 16, 32, 64, 128),
}
LEAST = {"d_model": 2, "vocab_size": 3}  # a sine and a cosine; padding, begin and end
SWITCHES = ("share_embeddings", "tie_output")


def names(t: Translate) -> dict[str, str]:
    """Return what the presets are called."""
    return {"base": t("base"), "big": t("big"), "shipped": t("shipped model")}


def without_script(t: Translate, chosen: str) -> str:
    """Say what the tables are of; the script takes this away."""
    text = t("Preset {preset}, with {batch} pairs of sentences of {src_len} and {tgt_len} tokens:")
    return f"<p>{text.format(preset=names(t)[chosen], **INPUT)}</p>"


def controls(t: Translate, chosen: str, presets: dict[str, Sizes]) -> str:
    """Return presets, a slider and a field for each size, and the switches."""
    buttons = (
        f'<button type="button" data-sizes="{escape(json.dumps(sizes))}">{names(t)[name]}</button>'
        for name, sizes in presets.items()
    )
    sizes = {**presets[chosen], **INPUT}
    switches = (
        f'<label><input type="checkbox" name="{name}"{" checked" if sizes[name] else ""}>'
        f"<code>{name}</code></label>"
        for name in SWITCHES
    )
    sliders = (_slider(name, sizes[name]) for name in STOPS)
    group = f'<div role="group" aria-label="{t("Presets")}">{"".join(buttons)}</div>'
    below = "".join([*sliders, *switches])
    return f'<form hidden autocomplete="off">{group}{below}</form>'


def _slider(name: str, value: int) -> str:
    stops, label = STOPS[name], f"shapes-{name}"
    return (
        f'<div><label for="{label}"><code>{name}</code></label>'
        f'<input type="range" aria-label="{name}" max="{len(stops) - 1}" data-stops="{[*stops]}">'
        f'<input type="number" id="{label}" name="{name}" value="{value}" '
        f'min="{LEAST.get(name, 1)}" max="{stops[-1]}" aria-describedby="shapes-problem"></div>'
    )


def totals(t: Translate) -> str:
    """Return the line that stays in sight while a reader moves the sliders."""
    names = {
        "parameters total": t("parameters"),
        "multiply_adds total": t("multiply-adds"),
        "memory step": t("for a training step"),
        "memory cache": t("for the cache"),
    }
    totals = (
        f'<span data-number="{number}"><data></data> <em></em><small>{name}</small></span>'
        for number, name in names.items()
    )
    return f'<output hidden><strong id="shapes-problem"></strong>{"".join(totals)}</output>'
