"""Trees on pages: numbers that tie lines to a drawing, names that lead somewhere."""

import re
from collections import Counter

import pytest
from matplotlib.patches import FancyBboxPatch

from docs.builder.directives import Page, calltree
from docs.call_parts import Part, forward_parts
from docs.figures import calls_map


def render(name: str) -> str:
    return calltree.render(name, str, Page("reference/calling-sequence.md", "en"))


def test_the_forward_pass_has_the_numbers_and_boxes_of_its_drawing() -> None:
    html = render("model_forward")
    found = re.findall(r"<em>([①-⑥])</em> <\w+ [^>]*>([\w().]+)", html)
    names = ["embedding", "self_attention", "feed_forward", "embedding", "self_attention"]
    names += ["cross_attention", "output_layer"]
    assert all(name in label for name, (_, label) in zip(names, found, strict=True))
    numbers = Counter("①②③④⑤⑥"[number - 1] for number in calls_map.NUMBERS.values())
    assert Counter(number for number, _ in found) == numbers
    drawn = [patch.get_gid() for patch in calls_map.draw(str).findobj(FancyBboxPatch)]
    boxes = [f"part-{box}" for box in re.findall(r'data-box="(\w+)"', html)]
    assert sorted(boxes) == sorted({*drawn})


def test_what_holds_a_number_is_open() -> None:
    around, numbers = list[str](), 0
    for tag in re.findall(r"<details[^>]*>|</details>|<em>[①-⑥]", render("model_forward")):
        if tag.startswith("<em>"):
            assert {*around} == {"<details open>"}
            numbers += 1
        elif tag == "</details>":
            around.pop()
        else:
            around.append(tag)
    assert numbers == sum(bool(part.number) for part in forward_parts(str))


def test_a_part_without_a_line_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    part = Part("Transformer.encode", "(output_layer)", "Output layer", "output_layer", "⑥")
    monkeypatch.setitem(calltree.PARTS, "model_forward", lambda t: [part])
    with pytest.raises(LookupError, match=r"calls no \(output_layer\) inside Transformer.encode"):
        render("model_forward")


def test_a_name_leads_to_what_is_public_and_the_page_s_own_function_nowhere() -> None:
    html = render("greedy_decoding")
    public = "../api/inference/decoding/#transformer.inference.decoding.greedy_decode"
    steps = f'<a href="{public}">_DecodingState.step</a>'
    assert html.count(steps) == 3
    assert f"{steps} <em>×4</em>" in html
    assert "#transformer.inference.decoding._" not in html
    assert "<ul><li>update<details open>" in render("update")
