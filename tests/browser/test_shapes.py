"""The shape explorer: its numbers are those of real models, and every reader can choose them."""

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from playwright.sync_api import Locator, Page, expect

from docs.shapes import model_sizes
from docs.shapes.controls import STOPS
from docs.shapes.model_sizes import INPUT, Sizes
from docs.shapes.tables import SHAPES
from tests.browser.test_every_page import check_axe
from tests.built_site import LANGUAGES
from transformer import (
    CallTree,
    ExplicitMultiHeadAttention,
    MultiHeadAttention,
    load_pretrained,
    trace,
)

# Whether a model has the shapes that it should is asked elsewhere.
pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("no_shape_checks")]

URL = "reference/hyper-parameters/"
PHONE = {"width": 320, "height": 640}
BASE = {**model_sizes.sizes_of("base"), **INPUT}
BIG = {**model_sizes.sizes_of("big"), **INPUT}
SHIPPED = {**model_sizes.sizes_of("shipped"), **INPUT}
SMALLEST: Sizes = {
    "d_model": 2, "num_heads": 1, "num_encoder_layers": 1, "num_decoder_layers": 1, "d_ff": 1,
    "vocab_size": 3, "share_embeddings": True, "tie_output": True,
    "batch": 1, "src_len": 1, "tgt_len": 1,
}  # fmt: skip
MODELS: list[Sizes] = [
    BASE,
    BIG,
    SHIPPED,
    SMALLEST,
    SHIPPED | {"share_embeddings": False},
    SHIPPED | {"tie_output": False},
    SHIPPED | {"share_embeddings": False, "tie_output": False, "vocab_size": 999},
    SHIPPED | {"num_heads": 1, "num_encoder_layers": 1, "num_decoder_layers": 3},
    SHIPPED | {"d_model": 90, "num_heads": 9, "d_ff": 77, "vocab_size": 101, "batch": 1},
    SHIPPED | {"batch": 3, "src_len": 7, "tgt_len": 11},
    SHIPPED | {"num_heads": 64, "batch": 1, "src_len": 1, "tgt_len": 33, "tie_output": False},
    SHIPPED | {"src_len": 130, "tgt_len": 1, "num_decoder_layers": 1, "share_embeddings": False},
    SMALLEST | {"d_model": 26, "num_heads": 13, "tgt_len": 5, "batch": 7, "tie_output": False},
]
CHOOSE = """(form, sizes) => {
  for (const [name, value] of Object.entries(sizes)) {
    const field = form.elements[name]
    field[field.type === "checkbox" ? "checked" : "value"] = value
  }
  form.elements[0].dispatchEvent(new Event("input", { bubbles: true }))
}"""
CHOSEN = """form => Object.fromEntries([...form.querySelectorAll("[name]")].map(
  field => [field.name, field.type === "checkbox" ? field.checked : field.valueAsNumber]))"""
# Everything that the tables and the drawing show, as the reader sees it.
NUMBERS = """() => Object.fromEntries(
  [...document.querySelectorAll(".sizes [data-number]")].map(
    place => [place.dataset.number, Number(place.querySelector("data").value)]))"""
SHAPES_SHOWN = """() => [...document.querySelectorAll(".sizes td > code:first-child")].map(
  code => code.textContent)"""
CHANGED = """() => Object.fromEntries(
  [...document.querySelectorAll(".sizes tbody [data-number]")]
    .map(place => [place.dataset.number, place.querySelector("em").textContent])
    .filter(([number, ratio]) => ratio && !number.startsWith("memory")))"""
# Labels of the drawing that are wider than their place, now that it is drawn smaller.
TOO_WIDE = """() => [...document.querySelectorAll(".shapes [data-room]")].filter(text =>
  text.getBoundingClientRect().width
    > text.dataset.room * text.getScreenCTM().a + 1).map(text => text.textContent)"""
DRAWN = """() => [...document.querySelectorAll(".shapes > svg text")].map(
  text => text.textContent).filter(text => /\\(/.test(text))"""


@pytest.fixture
def explorer(page: Page) -> Locator:
    page.goto(URL)
    found = page.locator(".shapes")
    expect(found.locator("form")).to_be_visible()
    return found


def field(explorer: Locator, name: str) -> Locator:
    return explorer.locator(f"[name={name}]")


def slider(explorer: Locator, name: str) -> Locator:
    return explorer.get_by_role("slider", name=name, exact=True)


def choose(explorer: Locator, **sizes: Any) -> None:
    """Put all these sizes into their fields at once."""
    explorer.locator("form").evaluate(CHOOSE, sizes)


def ratio(explorer: Locator, number: str) -> str:
    return explorer.locator(f".sizes [data-number='{number}'] em").inner_text()


def test_its_numbers_are_those_of_models_that_are_built_and_run(
    page: Page, explorer: Locator
) -> None:
    for sizes in MODELS:
        choose(explorer, **sizes)
        shown: dict[str, dict[str, int]] = {"parameters": {}, "multiply_adds": {}, "memory": {}}
        for number, value in page.evaluate(NUMBERS).items():
            kind, name = number.split()
            shown[kind][name] = value
        counts = model_sizes.counts(sizes)
        memory = counts["memory"]
        memory["step"] = memory["weights"] + memory["optimizer"] + memory["activations"]
        assert shown["memory"] == memory, sizes
        assert shown["multiply_adds"].pop("scores") == counts["multiply_adds"].pop("scores"), sizes
        for kind in ("parameters", "multiply_adds"):
            assert shown[kind].pop("total") == sum(counts[kind].values()), sizes
            assert {name: n for name, n in shown[kind].items() if n} == counts[kind], sizes


def test_its_shapes_are_those_of_a_real_run(page: Page, explorer: Locator) -> None:
    names = [f"{place} {name}" for place, shapes in SHAPES.items() for name in shapes]
    for sizes in MODELS:
        choose(explorer, **sizes)
        for name in ("num_encoder_layers", "num_decoder_layers"):
            shown = explorer.locator(f"[data-size={name}]").all_text_contents()
            assert shown == 2 * [str(sizes[name])]  # in the drawing and in the table
        recorded = dict(recorded_shapes(sizes))
        assert dict(zip(names, page.evaluate(SHAPES_SHOWN), strict=True)) == recorded, sizes
        assert page.evaluate(DRAWN) == [*drawn_shapes(recorded)], sizes


def recorded_shapes(sizes: Sizes) -> Iterator[tuple[str, str]]:
    """What `trace` says of each shape in the table."""
    layers = {"num_encoder_layers": 1, "num_decoder_layers": 1}  # they are all alike
    model = model_sizes.build(sizes | layers, "cpu").eval()  # traced faster than on meta
    for module in model.modules():
        if type(module) is MultiHeadAttention:
            module.__class__ = ExplicitMultiHeadAttention  # which computes weights
    run = trace(model, *(model_sizes.ids(sizes, side, "cpu") for side in ("src_len", "tgt_len")))
    encode, decode = part(run, "Transformer.encode"), part(run, "Transformer.decode")
    for half, place, side in ((encode, "encode", "src"), (decode, "decode", "tgt")):
        layer, stack = part(half, "Layer(layers"), f"{place}r.layers"
        own = part(layer, "self_attention)")
        yield f"{place} {side}", half.arguments[side].strip()
        yield f"{place} {side}_embedding", part(half, "_embedding)").result
        yield f"{place} {side}_position", part(half, f"{side}_position)").result
        yield f"{place} {side}_mask", own.arguments["mask"].strip()
        q, k, v = heads(own)
        assert q == k == v
        yield f"{stack} self_attention: q, k, v", q
        yield f"{stack} self_attention: weights", part(own, "attention_weights").result
        if side == "tgt":
            cross = part(layer, "cross_attention)")
            q, k, v = heads(cross)
            assert k == v
            yield f"{stack} cross_attention: q", q
            yield f"{stack} cross_attention: k, v", k
            yield f"{stack} cross_attention: weights", part(cross, "attention_weights").result
        yield f"{stack} feed_forward.expand", part(layer, "expand").result
        yield f"{stack} {'memory' if side == 'src' else 'states'}", half.result
    yield "project logits", part(run, "Transformer.project").result


def heads(attention: CallTree) -> list[str]:
    """Shapes of the queries, keys and values that an attention works on."""
    return [part(attention, "attend").arguments[name].strip() for name in "qkv"]


def part(tree: CallTree, label: str) -> CallTree:
    """The first call below `tree` with `label` in its label."""
    found = [call for call in descendants(tree) if label in call.label]
    assert found, f"no {label} below {tree.label}"
    return found[0]


def descendants(tree: CallTree) -> Iterator[CallTree]:
    for child in tree.children:
        yield child
        yield from descendants(child)


def drawn_shapes(recorded: dict[str, str]) -> Iterator[str]:
    """The shapes at the arrows and in the boxes, from bottom to top, left before right."""
    for side, stack in (("src", "encoder"), ("tgt", "decoder")):
        half = "encode" if side == "src" else "decode"
        states = recorded[f"{half} {side}_embedding"]
        yield recorded[f"{half} {side}"]
        yield states
        for attention in ("self", "cross") if side == "tgt" else ("self",):
            yield states
            yield f"weights {recorded[f'{stack}.layers {attention}_attention: weights']}"
            yield states
        yield states
        yield f"inside {recorded[f'{stack}.layers feed_forward.expand']}"
        yield states
        if side == "src":
            yield f"memory {recorded['encoder.layers memory']}"
    yield recorded["decoder.layers states"]
    yield recorded["project logits"]


def test_the_cache_is_as_large_as_one_that_was_filled_token_by_token() -> None:
    sizes = SHIPPED | {"batch": 3, "src_len": 7, "tgt_len": 5}
    model = model_sizes.build(sizes, "cpu").eval()
    cache = model.new_cache()
    with torch.no_grad():
        memory = model.encode(model_sizes.ids(sizes, "src_len", "cpu"))
        for _ in range(sizes["tgt_len"]):
            model.decode(torch.ones(3, 1, dtype=torch.long), memory, None, cache)
    held = 0
    for layer in cache.layers:
        for attention in (layer.self_attention, layer.cross_attention):
            held += sum(tensor.nbytes for tensor in attention.entries)
    assert model_sizes.cached(sizes) == held


def test_gradients_and_adam_take_three_times_the_weights() -> None:
    model, _ = load_pretrained()
    model.requires_grad_()
    optimizer = torch.optim.Adam(model.parameters())
    ids = torch.ones(1, 2, dtype=torch.long)
    model(ids, ids).sum().backward()
    optimizer.step()
    held = sum(weight.grad.nbytes for weight in model.parameters())
    for state in optimizer.state.values():
        held += state["exp_avg"].nbytes + state["exp_avg_sq"].nbytes
    assert held == model_sizes.counts(SHIPPED)["memory"]["optimizer"]


def test_presets_are_the_models_of_the_paper_and_the_shipped_one(explorer: Locator) -> None:
    buttons = explorer.get_by_role("group", name="Presets").get_by_role("button")
    expect(buttons).to_have_text(["base", "big", "shipped model"])
    expect(buttons.first).to_have_attribute("aria-pressed", "true")
    choose(explorer, src_len=9)
    for button, sizes in zip(buttons.all(), (BASE, BIG, SHIPPED), strict=True):
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(explorer.locator("[aria-pressed=true]")).to_have_count(1)
        assert explorer.locator("form").evaluate(CHOSEN) == sizes | {"src_len": 9}
    choose(explorer, d_ff=513)
    expect(explorer.locator("[aria-pressed=true]")).to_have_count(0)


def test_what_the_page_predicts_comes_true(page: Page, explorer: Locator) -> None:
    choose(explorer, vocab_size=74000)
    changed = page.evaluate(CHANGED)
    assert changed == {"parameters src_embedding": "×2", "multiply_adds output_layer": "×2"}

    choose(explorer, vocab_size=37000, d_model=1024)
    assert ratio(explorer, "parameters encoder.self_attention") == "×4"
    assert ratio(explorer, "parameters decoder.feed_forward") == "×2"
    assert ratio(explorer, "memory cache") == "×2"

    choose(explorer, d_model=512, src_len=10, tgt_len=8)
    assert ratio(explorer, "multiply_adds scores") == "×4"
    assert ratio(explorer, "multiply_adds output_layer") == "×2"
    assert ratio(explorer, "multiply_adds encoder.feed_forward") == "×2"

    choose(explorer, src_len=4096, tgt_len=4096)
    shown = page.evaluate(NUMBERS)
    assert shown["multiply_adds scores"] > shown["multiply_adds total"] / 2

    explorer.get_by_role("button", name="base").click()  # compare with this from now on
    assert ratio(explorer, "multiply_adds scores") == ""


PROBLEMS: list[tuple[str, float | str, set[str], str]] = [  # a size, what is wrong, what is said
    ("num_heads", 7, {"d_model"}, "num_heads must divide d_model, 512: got 7. The nearest is 8."),
    ("d_model", 511, set(), "d_model must be even, as sines and cosines come in pairs"),
    ("batch", "", set(), "batch must be a whole number from 1 to 128."),
    ("d_ff", 0, set(), "d_ff must be a whole number from 1 to 16384."),
    ("src_len", 1.5, set(), "src_len must be a whole number from 1 to 4096."),
    ("vocab_size", 10**9, set(), "must be a whole number from 3 to 256000."),
]


def test_sizes_that_do_not_fit_are_said_and_nothing_breaks(page: Page, explorer: Locator) -> None:
    before = page.evaluate(NUMBERS), page.evaluate(DRAWN)
    status, marked = explorer.get_by_role("status"), explorer.locator("[aria-invalid=true]")
    for name, value, others, said in PROBLEMS:
        field(explorer, name).fill(str(value))
        expect(status).to_contain_text(said)
        assert {one.get_attribute("name") for one in marked.all()} == {name, *others}
        assert (page.evaluate(NUMBERS), page.evaluate(DRAWN)) == before
        choose(explorer, **{name: BASE[name]})
        expect(marked).to_have_count(0)
        expect(status).to_contain_text("63.1 million parameters")


def test_the_keyboard_moves_a_slider_from_stop_to_stop(page: Page, explorer: Locator) -> None:
    width, typed = slider(explorer, "d_model"), field(explorer, "d_model")
    width.focus()
    for key, value in (("ArrowRight", 768), ("ArrowLeft", 512), ("End", 4096), ("Home", 32)):
        page.keyboard.press(key)
        expect(typed).to_have_value(str(value))
        expect(width).to_have_attribute("aria-valuetext", str(value))
        expect(explorer.locator("[data-size=d_model]").first).to_have_text(str(value))
    page.keyboard.press("Tab")
    expect(typed).to_be_focused()
    page.keyboard.type("600")  # between two stops; Tab has selected what was there
    expect(width).to_have_attribute("aria-valuetext", "600")
    width.focus()
    page.keyboard.press("ArrowRight")
    expect(typed).to_have_value("768")


def test_what_a_slider_sets_is_pointed_out(explorer: Locator) -> None:
    marked = explorer.locator("svg .set")
    slider(explorer, "tgt_len").focus()
    assert set(marked.all_text_contents()) == {"4"}
    field(explorer, "num_heads").focus()
    assert set(marked.all_text_contents()) == {"8"}
    assert {"8", "64"} == set(explorer.locator("td .set").all_text_contents())
    explorer.get_by_role("button").first.focus()
    expect(marked).to_have_count(0)


def test_without_a_script_the_tables_are_those_of_the_base_model(
    page: Page, explorer: Locator, plain: Page
) -> None:
    page.evaluate("document.querySelector('.shapes details').open = true")
    with_script = page.locator(".sizes").all_inner_texts()
    plain.goto(URL)
    expect(plain.locator(".shapes :is(form, output)").locator("visible=true")).to_have_count(0)
    expect(plain.locator(".shapes > p")).to_contain_text("Preset base")
    plain.locator(".shapes summary").click()
    texts = plain.locator(".sizes").all_inner_texts()
    assert texts == with_script


@LANGUAGES
def test_it_fits_a_small_phone(page: Page, language: str) -> None:
    page.set_viewport_size(PHONE)
    page.goto(language + URL)
    explorer = page.locator(".shapes")
    explorer.locator("details").evaluate("details => { details.open = true }")
    largest = {name: stops[-1] for name, stops in STOPS.items()}
    for sizes in (BASE, largest, {"num_heads": 63}):
        choose(explorer, **sizes)
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    choose(explorer, num_heads=64)
    assert page.evaluate(TOO_WIDE) == []
    for control in explorer.locator("button, [type=range], [type=number], form > label").all():
        box = control.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44, control.evaluate("e => e.outerHTML")


def test_its_largest_sums_are_exact(explorer: Locator) -> None:
    largest = {name: stops[-1] for name, stops in STOPS.items()}
    choose(explorer, **largest, share_embeddings=False, tie_output=False)
    total = explorer.locator(".sizes [data-number='multiply_adds total'] data")
    assert int(total.get_attribute("value") or 0) < 2**53


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_can_read_it(page: Page, explorer: Locator, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    explorer.locator("details").evaluate("details => { details.open = true }")
    slider(explorer, "d_model").press("ArrowRight")
    check_axe(page, {}, ".shapes")
    choose(explorer, num_heads=7)
    check_axe(page, {}, ".shapes")


def test_chinese_readers_are_told_in_chinese(page: Page) -> None:
    page.goto(f"zh-TW/{URL}")
    explorer = page.locator(".shapes")
    expect(explorer.get_by_role("status")).to_contain_text("6,310 萬")
    field(explorer, "num_heads").fill("7")
    expect(explorer.get_by_role("status")).to_contain_text(
        "num_heads 必須能整除 d_model（現在是 512）；7 不行，最接近、又能整除的是 8。"
    )
    assert "權重 (2, 8, 5, 5)" in page.evaluate(DRAWN)
