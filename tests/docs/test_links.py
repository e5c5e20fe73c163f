"""Links that lead nowhere, references to nothing and undocumented names are found."""

from pathlib import Path

import pytest

from docs.checks.links import problems
from docs.checks.pages import page_files

ROOT = Path(__file__).parents[2]

FILES = {
    "transformer/__init__.py": 'from transformer.masks import mask\n\n__all__ = ["mask"]\n',
    "transformer/masks.py": "def mask(): ...\ndef _hidden(): ...\n",
    "transformer/other.py": "from transformer.masks import mask\ndef free(): ...\n",
    "docs/figures/heat.py": 'ALT = "Heat."\n',
    "docs/assets/a.svg": "<svg/>",
    "docs/en/reference/api/masks.md": "# Masks { #masks }\n\n::: transformer.masks\n",
    "docs/en/index.md": "# Start { #start }\n\n## End { #end }\n",
    "README.md": "# Book\n\n[start](docs/en/index.md#end) [package](transformer/) [top](#book)\n",
}
GOOD = """\
# Page { #page }

[start](../index.md#end), [here](#page), [api](../reference/api/masks.md#transformer.masks.mask),
![picture](../assets/a.svg), [`mask`][transformer.masks.mask], [`transformer.masks.mask`][],
[torch][torch.nn.Linear], [web](https://example.org/x#y), [named][web], [heading][end],
`[code](nowhere.md)`, $[a](b)$, [^1]

[web]: https://example.org

<!-- figure: heat -->

```markdown
[text](nowhere.md)
```
"""


def site(root: Path, page: str = GOOD, **files: str) -> Path:
    both = FILES | {"docs/en/part/page.md": page}
    both |= {k.replace("/en/", "/zh-TW/"): v for k, v in both.items()}
    for name, text in (both | files).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def test_good_links_pass(tmp_path: Path) -> None:
    assert problems(site(tmp_path)) == []


@pytest.mark.parametrize(
    ("good", "bad", "line", "message"),
    [
        ("../index.md#end", "../indx.md#end", 3, "there is no file ../indx.md#end from here"),
        ("../index.md#end", "../index.md#edn", 3, "no heading of that page has this anchor"),
        ("../index.md#end", "..", 3, "there is no file .. from here"),
        ("../index.md#end", "/index.md", 3, "/index.md starts with /"),
        ("(#page)", "(#pgae)", 3, "#pgae: no heading of that page"),
        ("#transformer.masks.mask)", "#transformer.other.free)", 3, "no heading of that page"),
        ("../assets/a.svg", "../assets/b.svg", 4, "there is no file ../assets/b.svg"),
        ("[transformer.masks.mask]", "[transformer.masks.msak]", 4, "does not exist"),
        ("[`transformer.masks.mask`][]", "[`transformer.gone`][]", 4, "does not exist"),
        ("[transformer.masks.mask]", "[transformer.masks._hidden]", 4, "is private"),
        ("[transformer.masks.mask]", "[transformer.mask]", 4, "write transformer.masks.mask"),
        ("[transformer.masks.mask]", "[transformer.other.free]", 4, "is on no API page"),
        ("[heading][end]", "[heading][edn]", 5, "[edn] is no object, anchor or link"),
        ("figure: heat", "figure: hate", 10, "there is no docs/figures/hate.py"),
        ("[web]: https://example.org", "[web]: gone.md", 5, "there is no file gone.md"),
        ("[here](#page)", '<a href="gone.md">here</a>', 3, "there is no file gone.md"),
        ("[here](#page)", "[![alt](gone.svg)](#page)", 3, "there is no file gone.svg"),
    ],
)
def test_a_broken_link_is_named_at_its_line(
    tmp_path: Path, good: str, bad: str, line: int, message: str
) -> None:
    assert GOOD.count(good) == 1
    found = problems(site(tmp_path, GOOD.replace(good, bad)))
    places = [(p.file.as_posix(), p.line) for p in found]
    assert places == [("docs/en/part/page.md", line), ("docs/zh-TW/part/page.md", line)], found
    assert all(message in p.message for p in found)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[Start](page.md)", "[Start] is the title of index.md, but leads to page.md"),
        ("Well. Next: [more](page.md).", "the footer leads to the next page; take this"),
        ("好。下一頁：[更多](page.md)。", "the footer leads to the next page; take this"),
    ],
)
def test_a_link_that_leads_elsewhere_than_it_says(tmp_path: Path, text: str, message: str) -> None:
    (problem, _) = problems(site(tmp_path, f"# Page {{ #page }}\n\n{text}\n"))
    assert str(problem).startswith(f"docs/en/part/page.md:3: {message}")


@pytest.mark.parametrize("text", ["[start](../index.md#end)", "[`start`](page.md)", "Next: read."])
def test_a_link_that_keeps_its_promise(tmp_path: Path, text: str) -> None:
    assert problems(site(tmp_path, f"# Page {{ #page }}\n\n{text}\n")) == []


def test_a_chinese_page_may_not_link_to_an_english_one(tmp_path: Path) -> None:
    site(tmp_path, **{"docs/zh-TW/new.md": "[x](../en/index.md)\n"})
    assert [str(p) for p in problems(tmp_path)] == [
        "docs/zh-TW/new.md:1: ../en/index.md leaves docs/zh-TW; "
        "link to the page of the same language"
    ]


def test_a_public_name_without_documentation_is_named(tmp_path: Path) -> None:
    exports = "from transformer.other import free\n\n__all__ = ['free', 'gone']\n"
    site(tmp_path, **{"transformer/__init__.py": exports})
    assert [str(p) for p in problems(tmp_path)] == [
        "docs/en/reference/api/other.md:1: "
        "free is documented nowhere: add `::: transformer.other` here",
        "docs/zh-TW/reference/api/other.md:1: "
        "free is documented nowhere: add `::: transformer.other` here",
        "transformer/__init__.py:1: __all__ names gone, which is not there; mend __all__",
    ]


def test_options_stand_under_the_name_of_their_command(tmp_path: Path) -> None:
    text = "# A { #a }\n\n## Train { #train }\n\n<!-- options: train -->\n"
    assert problems(site(tmp_path / "good", text)) == []
    (problem, _) = problems(site(tmp_path / "bad", text.replace("s: train", "s: trace")))
    assert str(problem).endswith(
        "page.md:5: the options of trace stand under #train; move or rename them"
    )


@pytest.mark.parametrize("source", ["", 'ALT = ""\n', "def draw():\n    ALT = 'x'\n"])
def test_a_figure_without_alternative_text_is_named(tmp_path: Path, source: str) -> None:
    found = problems(site(tmp_path, **{"docs/figures/heat.py": source}))
    assert [p.line for p in found] == [10, 10]
    assert "docs/figures/heat.py has no ALT" in found[0].message


def test_the_readme_is_checked(tmp_path: Path) -> None:
    site(tmp_path, **{"README.md": "[a](docs/en/index.md#edn)\n[b](CONTRIBUTING.md)\n"})
    assert [(p.file.name, p.line) for p in problems(tmp_path)] == [
        ("README.md", 1),
        ("README.md", 2),
    ]


def test_the_repository_has_no_broken_link() -> None:
    found = problems(ROOT)
    assert not found, "\n".join(map(str, found))


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_every_chapter_leads_into_the_playground(language: str) -> None:
    docs = ROOT / "docs" / language
    chapters = [path for path in page_files(docs) if "reference" not in path.parts]
    without = [path.name for path in chapters if "playground.md" not in path.read_text("utf-8")]
    assert without == ["playground.md", "by-hand-sheet.md"]  # itself, and two sheets to print


def test_an_address_of_the_playground_that_it_does_not_know(tmp_path: Path) -> None:
    script = "const FIRST = {\n  layer: 1, head: 1,\n}\n"
    page = GOOD.replace(
        "[start](../index.md#end)", "[a](../index.md#layer=2&head=1), [b](../index.md#heat=2)"
    )
    root = site(tmp_path, page, **{"docs/assets/scripts/playground/state.js": script})
    assert {problem.message for problem in problems(root)} == {
        "../index.md#heat=2: the playground knows no heat; mend the address"
    }
