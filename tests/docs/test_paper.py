"""The page on Table 3 counts with the numbers that the paper prints."""

import re
from pathlib import Path

import pytest

from docs.checks.pages import Page
from docs.figures._table_3 import TABLE_3
from tests.model.test_parameter_counts import PRINTED

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_the_page_counts_with_the_numbers_that_table_3_prints(language):
    path = ROOT / "docs" / language / "reference/table-3.md"
    code = "\n".join(fence.code for fence in Page.read(path).fences)
    asked = {int(number) for number in re.findall(r"\bvocabularies\((\d+)", code)}
    printed = {number for _, _, number in TABLE_3 if number is not None}
    assert printed == {paper for _, paper in PRINTED.values()}  # with which the package is tested
    assert asked == printed, f"{path}: {sorted(asked ^ printed)} only here or only in Table 3"
