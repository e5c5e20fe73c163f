"""Trees on pages: numbers that tie lines to a drawing, names that lead somewhere."""

import re
from collections import Counter

import pytest

from docs.directives import Page, calltree
from docs.figures import calls_map

PAGE = Page("assembly/calling-sequence.md", "en")


def render(name):
    return calltree.render(name, lambda text: text, PAGE)


def test_the_forward_pass_has_the_numbers_of_its_drawing():
    found = re.findall(r"<em>([①-⑥])</em> <\w+ [^>]*><code>([\w().]+)", render("model_forward"))
    names = ["embedding", "self_attention", "feed_forward", "embedding", "self_attention"]
    names += ["cross_attention", "output_layer"]
    assert all(name in label for name, (_, label) in zip(names, found, strict=True))
    numbers = Counter("①②③④⑤⑥"[number - 1] for number in calls_map.NUMBERS.values())
    assert Counter(number for number, _ in found) == numbers


def test_the_way_to_a_number_is_open():
    around, ways = [], 0
    for tag in re.findall(r"<details[^>]*>|</details>|<em>[①-⑥]", render("model_forward")):
        if tag.startswith("<em>"):
            assert {*around} == {"<details open>"}
            ways += 1
        elif tag == "</details>":
            around.pop()
        else:
            around.append(tag)
    assert ways == len(calltree.MARKS["model_forward"])


def test_a_number_without_a_line_is_named(monkeypatch):
    wanted = {("Transformer.encode", "Linear(output_layer)"): "①"}
    monkeypatch.setitem(calltree.MARKS, "model_forward", wanted)
    with pytest.raises(LookupError, match=r"calls no Linear\(output_layer\) inside Transformer.en"):
        render("model_forward")


def test_a_private_class_leads_to_the_function_that_uses_it():
    html = render("greedy_decoding")
    public = "transformer.inference.decoding.greedy_decode"
    steps = f'<autoref identifier="{public}"><code>_Rows.step</code></autoref>'
    assert html.count(steps) == 3
    assert f"{steps} <em>×4</em>" in html
    assert '"transformer.inference.decoding._' not in html


def test_a_function_of_the_page_leads_nowhere():
    assert "<ul><li><span>update</span> <span></span><details open>" in render("update")
