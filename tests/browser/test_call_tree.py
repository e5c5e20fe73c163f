"""Call trees: they filter, fold, move by keyboard and light up the drawing, as was recorded."""

import json
import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from docs import call_trees
from docs.call_parts import forward_parts
from tests.browser.test_every_page import ONLY_COLOURS, STICKS_OUT, STILL, check_axe, turn

pytestmark = pytest.mark.browser

CALLS = "reference/calling-sequence/"
NAMES = ["model_construction", "model_forward", "attention_explicit", "update", "greedy_decoding"]
WORDS = {  # what is typed, and how a line has it
    "model_forward": {
        "linear": "Linear",
        "SPLIT_HEADS": "split_heads",
        "2048": "2048",
        "(2,8,5,64)": "(2, 8, 5, 64)",
        "q  (2, 8": "q (2, 8",
        "×6": "×6",
        "tgt_mask": "tgt_mask",
    },
    "model_construction": {"bias=False": "bias=False", "dropout": "dropout"},
    "greedy_decoding": {
        "_decodingstate": "_DecodingState",
        "keyvaluecache.add": "KeyValueCache.add",
    },
    "update": {"update": "update"},
}
LINES = """tree => [...tree.querySelectorAll("ul li")].filter(e => e.checkVisibility()).map(item =>
  [...item.childNodes].filter(e => e.nodeName !== "DETAILS").map(e => e.textContent).join("")
)"""
LIT = "[...document.querySelectorAll('.lit')].map(box => box.dataset.part)"
MARKED = "[...CSS.highlights.get('found')].map(range => range.toString())"


@dataclass(frozen=True)
class Call:
    path: tuple[str, ...]  # the labels of the calls around it, and its own
    around: tuple[int, ...]  # the places of the calls around it
    text: str
    times: int


def recorded(name: str) -> list[Call]:
    """The calls of a tree in their order."""
    calls: list[Call] = []

    def walk(node: dict, path: tuple[str, ...], around: tuple[int, ...], times: int) -> None:
        words = [node["label"], f"×{node['count']}" if node["count"] > 1 else ""]
        words.append(", ".join(name + value for name, value in node["arguments"].items()))
        words.append(f"→ {node['result']}" if node["result"] else "")
        here, path, times = len(calls), (*path, node["label"]), times * node["count"]
        calls.append(Call(path, around, " ".join(filter(None, words)), times))
        for child in node["children"]:
            walk(child, path, (*around, here), times)

    walk(json.loads(call_trees.artifact(name).text())["tree"], (), (), 1)
    return calls


def opened(page: Page, name: str = "model_forward", language: str = "") -> Locator:
    page.goto(language + CALLS)
    return page.locator(".calltree").nth(NAMES.index(name))


def seen(tree: Locator) -> list[str]:
    """The lines that a reader sees, without the numbers of the drawing."""
    return [re.sub("^[①-⑥] ", "", line) for line in tree.evaluate(LINES)]


def lit(page: Page) -> set[str]:
    return {*page.evaluate(LIT)}


def line(tree: Locator, label: str) -> Locator:
    return tree.locator("ul a").get_by_text(label, exact=True)


def boxes(path: tuple[str, ...]) -> set[str]:
    """What a call of the forward pass belongs to: the innermost part around it, or all inside."""
    parts = [part for part in forward_parts(str) if part.outer in ("", *path)]
    found = next(part for label in reversed(path) for part in parts if part.label in label)
    if found.box:
        return {found.box}
    inside = [part for part in forward_parts(str) if part.box]
    if found.label != "Transformer.forward":
        inside = [part for part in inside if part.outer in (found.label, found.outer)]
    ends = ("embedding)", "position)") if found.outer else ()  # the layers have none
    return {part.box for part in inside if not part.label.endswith(ends)}


def test_a_filter_leaves_what_was_recorded(page: Page) -> None:
    opened(page)
    for name in WORDS:
        check_filter(page, page.locator(".calltree").nth(NAMES.index(name)), name)


def check_filter(page: Page, tree: Locator, name: str) -> None:
    calls, before = recorded(name), seen(tree)
    for typed, word in WORDS[name].items():
        tree.get_by_role("searchbox").fill(typed)
        found = [i for i, call in enumerate(calls) if word.lower() in call.text.lower()]
        kept = sorted({*found, *(j for i in found for j in calls[i].around)})
        assert seen(tree) == [calls[i].text for i in kept], typed
        times = sum(calls[i].times for i in found)
        on_lines = "" if times == len(found) else f" on {len(found)} lines"
        count = "1 call" if times == 1 else f"{times} calls{on_lines}"
        expect(tree.get_by_role("status")).to_have_text(count)
        marked = [found.lower() for found in page.evaluate(MARKED)]
        text = "\n".join(calls[i].text.lower() for i in found)
        assert marked == [word.lower()] * text.count(word.lower()), typed
    tree.get_by_role("searchbox").fill("convolution")
    assert seen(tree) == []
    expect(tree.get_by_role("status")).to_have_text("No call matches “convolution”.")
    tree.get_by_role("searchbox").press("Escape")
    assert seen(tree) == before
    assert not page.evaluate(MARKED)


def test_every_call_lights_up_the_part_it_belongs_to(page: Page) -> None:
    tree, calls = opened(page), recorded("model_forward")
    tree.get_by_role("button", name="Unfold all").click()
    assert not lit(page)
    line(tree, "Transformer.forward").focus()
    for call in calls:
        label, parts = page.evaluate(f"[document.activeElement.textContent, {LIT}]")
        assert (label, {*parts}) == (call.path[-1], boxes(call.path)), call.path
        page.keyboard.press("ArrowDown")


def test_a_call_that_is_pointed_at_is_lit_until_the_pointer_leaves(page: Page) -> None:
    tree = opened(page)
    name = tree.locator("[aria-live=polite]")
    line(tree, "causal_mask").hover()
    expect(name).to_have_text("From target ids to states")
    page.mouse.move(0, 300)
    assert not lit(page)
    expect(name).to_have_text("Choose a call, or a part of the drawing.")
    line(tree, "Transformer.encode").focus()
    line(tree, "LayerNorm(cross_attention_norm).forward").hover()
    assert lit(page) == {"cross_attention_norm"}
    expect(name).to_have_text("Decoder: add and normalize")
    tree.locator("[data-part=masked_self_attention]").hover()
    assert lit(page) == {"masked_self_attention"}
    page.mouse.move(0, 300)
    assert lit(page) == boxes(("Transformer.forward", "Transformer.encode"))
    expect(name).to_have_text("From source ids to the memory")


def test_a_part_of_the_drawing_opens_its_call(page: Page) -> None:
    tree = opened(page)
    tree.get_by_role("button", name="Fold all", exact=True).click()
    assert len(seen(tree)) == 1
    tree.locator("[data-part=encoder_feed_forward]").click()
    expect(page.locator(":focus")).to_have_text("PositionwiseFeedForward(feed_forward).forward")
    expect(page.locator(":focus")).to_be_in_viewport()
    tree.get_by_role("searchbox").fill("project")
    tree.locator("[data-part=encoder_self_attention]").click()
    expect(page.locator(":focus")).to_have_text("MultiHeadAttention(self_attention).forward")
    expect(tree.get_by_role("searchbox")).to_have_value("")
    assert lit(page) == {"encoder_self_attention"}


def test_the_parts_come_one_after_the_other(page: Page) -> None:
    tree = opened(page, language="zh-TW/")
    tree.get_by_role("searchbox").fill("q_proj")  # hides most of them
    names = []
    for _ in range(25):
        tree.get_by_role("button", name="下一個零件").click()
        names.append(tree.locator("[aria-live=polite]").inner_text())
    assert len(set(names)) == 18  # sums and normalizations have one name in each half
    assert names[0] == "整個模型"
    assert names[-1] == "⑥ 輸出層"
    expect(line(tree, "Linear(output_layer)")).to_be_in_viewport()
    tree.get_by_role("button", name="上一個零件").click()
    expect(tree.locator("[aria-live=polite]")).to_have_text("從狀態到 logits")


def test_the_keys_of_a_tree(page: Page) -> None:
    tree = opened(page)
    tree.get_by_role("button", name="Level 2").focus()
    page.keyboard.press("Enter")
    names = ("source_mask", "encode", "decode", "project")
    halves = [f"Transformer.{name}" for name in names]
    assert [text.split()[0] for text in seen(tree)] == ["Transformer.forward", *halves]
    line(tree, "Transformer.encode").focus()
    went = []
    right = "ArrowRight"
    for key in ["End", "ArrowUp", "Home", right, right, right, "End", "ArrowLeft"]:
        page.keyboard.press(key)
        went.append(page.locator(":focus").inner_text())
    mask, _, decode, project = halves
    forward = "Transformer.forward"
    assert went == [project, decode, forward, mask, mask, "padding_mask", project, forward]
    page.keyboard.press("ArrowLeft")
    assert seen(tree) == [recorded("model_forward")[0].text]
    page.keyboard.press("Tab")  # a tree is one stop
    expect(tree.locator("> details > summary")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/reference/api/model/transformer/#*Transformer.forward")


def test_what_has_the_keyboard_is_not_covered(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 600})
    tree = opened(page)
    tree.get_by_role("button", name="Unfold all").click()
    line(tree, "Linear(output_layer)").focus()
    for _ in range(30):
        page.keyboard.press("ArrowUp")
        assert page.evaluate("""() => {
            const drawn = document.querySelector(".drawing").getBoundingClientRect()
            const line = document.activeElement.getBoundingClientRect()
            return drawn.top > 0 && drawn.bottom <= line.top && line.bottom <= innerHeight
        }""")


def test_a_narrow_phone(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    tree = opened(page)
    tree.get_by_role("button", name="Unfold all").click()
    assert not page.evaluate(STICKS_OUT)
    for control in tree.locator(":is(.tools, .drawing) :is(button, input)").all():
        size = control.evaluate("e => [e.offsetWidth, e.offsetHeight]")
        assert min(size) >= 44, control.inner_text()


def test_all_can_use_a_tree(page: Page) -> None:
    tree = opened(page)
    page.add_style_tag(content=STILL)
    tree.get_by_role("searchbox").fill("attend")
    tree.locator("ul a").last.focus()
    part = ".calltree:has(.drawing)"
    check_axe(page, {}, part)
    turn(page, "dark", "slate")
    check_axe(page, ONLY_COLOURS, part)


def test_the_text_of_a_tree_can_be_copied(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tree = opened(page, "update")
    tree.locator("> details > summary").click()
    tree.locator("pre").hover()
    tree.locator("pre [data-md-type=copy]").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.strip() == json.loads(call_trees.artifact("update").text())["text"]


def test_a_tree_without_a_script(plain: Page) -> None:
    tree = opened(plain)
    text = tree.locator("ul").first.inner_text()
    assert "EncoderLayer(layers.0–5).forward ×6" in text
    assert "Linear(q_proj)" not in text
    fold = tree.locator("summary[aria-label^='MultiHeadAttention(self_attention)']").first
    fold.click()
    expect(tree.get_by_text("Linear(q_proj)").first).to_be_visible()
    fold.press("Enter")
    expect(tree.get_by_text("Linear(q_proj)").first).to_be_hidden()
    assert tree.locator("ul a").evaluate_all("links => links.every(link => link.href)")
    assert tree.locator("input, button").count() == 0
