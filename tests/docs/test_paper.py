"""What is quoted of papers: sections by what they are about, years, addresses, printed counts."""

import re
from pathlib import Path

import pytest

from docs.checks.pages import Page, page_files
from docs.figures._table_3 import TABLE_3
from tests.model.test_parameter_counts import PRINTED

ROOT = Path(__file__).parents[2]
PAGES = [path for language in ("en", "zh-TW") for path in page_files(ROOT / "docs" / language)]
ENGLISH = [*page_files(ROOT / "docs/en"), *sorted((ROOT / "transformer").rglob("*.py"))]

# Sections of "Attention Is All You Need", each with what is said where one is cited. Whether the
# Chinese cites the same is a matter of docs/checks/pairs.py and of the catalogue.
SECTIONS = {
    "3": "figure 1|table 3",
    "3.1": "stack|layer|sums|the model|known outputs",
    "3.2.1": "quer|gradient|dot product|score",
    "3.2.2": "head",
    "3.2.3": "illegal|what came before|-.infty",
    "3.3": "relu",
    "3.4": "embedding|logits|√d_model|E_s",
    "3.5": "sinusoid|sines|the model",
    "4": "layer|interpret",
    "5": "training|optimizer|translator|adam",
    "5.1": "tokens|pairs|vocabulary",
    "5.2": "hours",
    "5.3": "adam|rate|schedule|how long|constants",
    "5.4": "smooth|dropout|sub-layer|how to train",
    "6.1": "average|mean over|beam|alpha|translator|newstest2014|bleu",
    "6.2": "newstest2013",
}
READING = "1706.03762), "  # what to read on: its subject is the page's
OTHER_PAPERS = {"7": "1609.08144", "3.6": "1706.03872"}
YEARS = {
    "Ainslie": 2023,
    "Ba": 2016,
    "Bahdanau": 2014,
    "Brown": 2020,
    "Devlin": 2018,
    "Dong": 2021,
    "Elhage": 2021,
    "Geva": 2021,
    "Koehn": 2004,
    "Knowles": 2017,
    "Li": 2022,
    "Michel": 2019,
    "Papineni": 2002,
    "Popović": 2015,
    "Post": 2018,
    "Raffel": 2020,
    "Shazeer": 2017,
    "Vaswani": 2017,
    "Voita": 2019,
    "Wu": 2016,
    "Xiong": 2020,
}
CITED = re.compile(r"(\w+)(?: et al\.| 等人)?,? [(（]?((?:19|20)\d\d)(?=[,.;)，；）、 ])")
ADDRESSES = {  # with a word of the title, or an author, that the link shows
    "1301.3781": "Mikolov",
    "1409.0473": "Bahdanau",
    "1512.03385": "Deep Residual Learning",
    "1606.08415": "GELU",
    "1607.06450": "Layer Normalization",
    "1910.07467": "Sennrich",
    "2010.04245": "Query-Key Normalization",
    "2012.14913": "Geva",
    "2309.08586": "ReLU",
    "2103.03404": "Dong",
    "1412.6980": "Adam",
    "1508.07909": "Rare Words",
    "1608.05859": "Output Embedding",
    "1609.08144": "Google",
    "1701.06538": "Shazeer",
    "1703.03906": "Britz",
    "1706.03762": "Attention Is All You Need",
    "1706.03872": "Six Challenges",
    "1711.00350": "Systematicity",
    "1804.08771": "Clarity",
    "1810.04805": "BERT",
    "1902.10186": "not Explanation",
    "1904.09751": "Degeneration",
    "1905.09418": "Specialized Heads",
    "1905.10650": "Michel",
    "1906.02629": "Label Smoothing",
    "1908.04626": "not not Explanation",
    "1908.10090": "Search Errors",
    "1910.10683": "T5",
    "1911.02150": "Fast Transformer Decoding",
    "2002.04745": "Xiong",
    "2002.05202": "SwiGLU",
    "2004.10102": "Not Only a Weight",
    "2005.14165": "GPT-3",
    "2006.06264": "Tangled up",
    "2104.09864": "Su",
    "2107.06499": "Deduplicating",
    "2108.12409": "Press",
    "2203.16634": "Positional Encodings",
    "2205.14135": "FlashAttention",
    "2210.06313": "Li",
    "2208.07339": "LLM.int8()",
    "2210.17323": "GPTQ",
    "2211.05102": "Transformer Inference",
    "2211.17192": "speculative decoding",
    "2305.13245": "grouped-query",
    "2305.19466": "Kazemnejad",
    "2307.09288": "Llama 2",
    "2309.06180": "PagedAttention",
    "2403.08295": "Gemma",
    "2404.15255": "Activation patching",
    "2407.21783": "Llama 3",
    "2020.emnlp-main.213": "COMET",
    "2021.acl-long.507": "CCMatrix",
    "2022.wmt-1.2": "Stop Using BLEU",
    "P02-1040": "BLEU",
    "W15-3049": "chrF",
}
LINK = re.compile(r"\[([^\[\]]+)\]\(https://(?:arxiv\.org/abs|aclanthology\.org)/([\w.-]+)")


def short(path):
    return path.relative_to(ROOT).as_posix()


def wrong_sections(text):
    """Sections that are not in the paper, or not about what stands beside them."""
    for match in re.finditer(r"§(\d(?:\.\d)*)", text):
        line = text.count("\n", 0, match.start()) + 1
        beside = text[max(match.start() - 150, 0) : match.end() + 60]
        if OTHER_PAPERS.get(match[1], "nowhere") in beside:
            continue
        if match[1] not in SECTIONS:
            yield f"{line}: the paper has no {match[0]}"
        elif READING not in beside and not re.search(SECTIONS[match[1]], beside, re.IGNORECASE):
            yield f"{line}: {match[0]} is about {SECTIONS[match[1]]}; mend the number"


def wrong_years(text):
    for match in CITED.finditer(text):
        year = YEARS.get(match[1])
        if year and str(year) != match[2]:
            line = text.count("\n", 0, match.start()) + 1
            yield f"{line}: {match[1]} {match[2]} should be {year}"


def wrong_addresses(text):
    for match in LINK.finditer(text):
        shown = ADDRESSES.get(match[2].rstrip("/"))
        if not shown or shown.lower() not in match[1].lower():
            line = text.count("\n", 0, match.start()) + 1
            yield f"{line}: {match[2]} is {shown or 'not known to this test'}: [{match[1]}]"


@pytest.mark.parametrize("path", ENGLISH, ids=short)
def test_a_section_that_is_cited_is_about_it(path):
    found = [*wrong_sections(path.read_text("utf-8"))]
    assert not found, "\n".join(f"{path}:{problem}" for problem in found)


@pytest.mark.parametrize(
    "path", [*dict.fromkeys([*PAGES, *ENGLISH]), ROOT / "README.md"], ids=short
)
def test_papers_have_one_year_and_one_address(path):
    text = path.read_text("utf-8")
    found = [*wrong_years(text), *wrong_addresses(text)]
    assert not found, "\n".join(f"{path}:{problem}" for problem in found)


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_the_page_counts_with_the_numbers_that_table_3_prints(language):
    path = ROOT / "docs" / language / "reference/table-3.md"
    code = "\n".join(fence.code for fence in Page.read(path).fences)
    asked = {int(number) for number in re.findall(r"\bvocabularies\((\d+)", code)}
    printed = {number for _, _, number in TABLE_3 if number is not None}
    assert printed == {paper for _, paper in PRINTED.values()}  # with which the package is tested
    assert asked == printed, f"{path}: {sorted(asked ^ printed)} only here or only in Table 3"


@pytest.mark.parametrize(
    ("check", "text", "found"),
    [
        (wrong_sections, "\nLabel smoothing (§5.3)", "2: §5.3 is about"),
        (wrong_sections, "dropout (§5.5)", "1: the paper has no §5.5"),
        (wrong_years, "\n\n(Bahdanau et al., 2015)", "3: Bahdanau 2015 should be 2014"),
        (wrong_years, "Koehn 與 Knowles 2016 ", "1: Knowles 2016 should be 2017"),
        (wrong_addresses, "[Adam](https://arxiv.org/abs/1412.6908)", "1: 1412.6908 is not known"),
        (wrong_addresses, "[Adam](https://arxiv.org/abs/1706.03762)", "1: 1706.03762 is Atten"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(check, text, found):
    (problem,) = check(text)
    assert problem.startswith(found)
