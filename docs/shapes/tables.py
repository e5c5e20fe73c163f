"""The tables of the shape explorer, as counted on one preset.

The script puts other numbers into the same places, which it knows by `data-size` (one number of a
shape) and `data-number`.
"""

from docs.builder.translations import Translate
from docs.shapes.model_sizes import Sizes

SOURCE, TARGET = ("batch", "src_len"), ("batch", "tgt_len")
SOURCE_HEADS = ("batch", "num_heads", "src_len", "d_k")
TARGET_HEADS = ("batch", "num_heads", "tgt_len", "d_k")
# What has which shape: first where, then what, by the names of the code.
SHAPES: dict[str, dict[str, tuple[str, ...]]] = {
    "encode": {
        "src": SOURCE,
        "src_embedding": (*SOURCE, "d_model"),
        "src_position": (*SOURCE, "d_model"),
        "src_mask": ("batch", "1", "1", "src_len"),
    },
    "encoder.layers": {
        "self_attention: q, k, v": SOURCE_HEADS,
        "self_attention: weights": ("batch", "num_heads", "src_len", "src_len"),
        "feed_forward.expand": (*SOURCE, "d_ff"),
        "memory": (*SOURCE, "d_model"),
    },
    "decode": {
        "tgt": TARGET,
        "tgt_embedding": (*TARGET, "d_model"),
        "tgt_position": (*TARGET, "d_model"),
        "tgt_mask": ("batch", "1", "tgt_len", "tgt_len"),
    },
    "decoder.layers": {
        "self_attention: q, k, v": TARGET_HEADS,
        "self_attention: weights": ("batch", "num_heads", "tgt_len", "tgt_len"),
        "cross_attention: q": TARGET_HEADS,
        "cross_attention: k, v": SOURCE_HEADS,
        "cross_attention: weights": ("batch", "num_heads", "tgt_len", "src_len"),
        "feed_forward.expand": (*TARGET, "d_ff"),
        "states": (*TARGET, "d_model"),
    },
    "project": {"logits": (*TARGET, "vocab_size")},
}
REPEATED = {"encoder.layers": "num_encoder_layers", "decoder.layers": "num_decoder_layers"}
UNITS = ("B", "kB", "MB", "GB", "TB")

Counts = dict[str, int]
KINDS = ("parameters", "multiply_adds")


def counts(t: Translate, counted: dict[str, Counts]) -> str:
    """Return parameters and multiply-adds by part, each with its share."""
    names = {
        "src_embedding": t("source embedding"),
        "tgt_embedding": t("target embedding"),
        "encoder.self_attention": t("encoder: self-attention"),
        "encoder.feed_forward": t("encoder: feed-forward networks"),
        "encoder.norm": t("encoder: layer normalizations"),
        "decoder.self_attention": t("decoder: self-attention"),
        "decoder.cross_attention": t("decoder: cross-attention"),
        "decoder.feed_forward": t("decoder: feed-forward networks"),
        "decoder.norm": t("decoder: layer normalizations"),
        "output_layer": t("output layer"),
    }
    rows = ""
    for part, name in names.items():
        rows += _row(name, *(_share(kind, part, counted) for kind in KINDS))
    totals = [_cell(f"{kind} total", _total(counted[kind])) for kind in KINDS]
    compared = t("of these, scores and averages of attention")
    feet = _row(t("total"), *totals)
    feet += _row(compared, "<td></td>", _share("multiply_adds", "scores", counted))
    head = (t("part"), t("parameters"), t("multiply-adds"))
    heads = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    body = f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody><tfoot>{feet}</tfoot>"
    return _table(t("Parameters, and multiply-adds of one forward pass"), body)


def memory(t: Translate, counted: Counts) -> str:
    """Return what training and decoding must keep, in bytes."""
    notes = {
        "weights": (t("parameters"), t("4 bytes for each")),
        "optimizer": (t("gradients and Adam"), t("a gradient and two averages for each parameter")),
        "activations": (
            t("activations"),
            t("what autograd keeps for the backward pass, with dropout, on a CPU"),
        ),
        "step": (t("a training step"), t("the sum of these three")),
        "cache": (t("the cache"), t("keys and values in all decoder layers, when all is written")),
    }
    step = counted["weights"] + counted["optimizer"] + counted["activations"]
    rows = ""
    for key, (name, note) in notes.items():
        value = {**counted, "step": step}[key]
        rows += _row(f"{name}<small>{note}</small>", _cell(f"memory {key}", value, amount(value)))
    return _table(t("Memory, with 4 bytes for each number"), f"<tbody>{rows}</tbody>")


def shapes(t: Translate, sizes: Sizes) -> str:
    """Return every shape from ids to logits, in numbers and in names."""
    known = {**sizes, "d_k": sizes["d_model"] // sizes["num_heads"]}
    groups = ""
    for place, found in SHAPES.items():
        times = f" ×{_size(REPEATED[place], known)}" if place in REPEATED else ""
        rows = f'<tr><th colspan="2" scope="rowgroup"><code>{place}</code>{times}</th></tr>'
        for name, shape in found.items():
            rows += _row(f"<code>{name}</code>", _shape(shape, known))
        groups += f"<tbody>{rows}</tbody>"
    title = t("Every shape, from ids to logits")
    return f"<details><summary>{title}</summary>{_table('', groups)}</details>"


def amount(count: int) -> str:
    """Write a number of bytes in the largest unit that leaves a digit before the point.

    >>> amount(252_329_984)
    '252.3 MB'
    """
    power = min((len(str(count)) - 1) // 3, len(UNITS) - 1)
    return f"{count / 1000**power:.1f} {UNITS[power]}" if power else f"{count} B"


def _table(title: str, body: str) -> str:
    caption = f"<caption>{title}</caption>" if title else ""
    return f'<table class="sizes">{caption}{body}</table>'


def _row(name: str, *cells: str) -> str:
    return f'<tr><th scope="row">{name}</th>{"".join(cells)}</tr>'


def _cell(number: str, value: int, written: str = "", more: str = "") -> str:
    """A number, room for its ratio to what it was, and more."""
    data = f'<data value="{value}">{written or f"{value:,}"}</data> <em></em>'
    return f'<td data-number="{number}">{data}{more}</td>'


def _share(kind: str, part: str, counted: dict[str, Counts]) -> str:
    """A count with its share of the total, in words and as a bar."""
    value = counted[kind].get(part, 0)
    share = value / _total(counted[kind])
    bar = f'<rect width="{100 * share:.2f}" height="4"/>'
    picture = f'<svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">{bar}</svg>'
    return _cell(f"{kind} {part}", value, more=f"<small>{share:.1%}</small>{picture}")


def _total(parts: Counts) -> int:
    return sum(count for part, count in parts.items() if part != "scores")


def _shape(names: tuple[str, ...], sizes: Sizes) -> str:
    numbers = ", ".join(_size(name, sizes) for name in names)
    return f"<td><code>({numbers})</code><small>({', '.join(names)})</small></td>"


def _size(name: str, sizes: Sizes) -> str:
    return name if name == "1" else f'<span data-size="{name}">{sizes[name]}</span>'
