"""What was measured once agrees with itself, and with the sentences that repeat it."""

import json
import re
from pathlib import Path

import pytest

from transformer import count_parameters, load_pretrained

ROOT = Path(__file__).parents[2]
MEASURED = ROOT / "docs/measured"
BENCH = json.loads((MEASURED / "bench.json").read_text("utf-8"))["rows"]


@pytest.mark.parametrize("row", BENCH, ids=lambda row: f"{row['what']}, {row['other']}")
def test_a_ratio_is_that_of_its_times(row: dict) -> None:
    assert row["ratio"] == row["theirs"] / row["ours"], "run `make bench`, never edit bench.json"


@pytest.mark.parametrize("row", BENCH, ids=lambda row: f"{row['what']}, {row['other']}")
def test_a_budget_is_met_if_its_ratio_says_so(row: dict) -> None:
    least = row["at_least"]
    met = None if least is None else row["ratio"] >= least
    assert row["met"] is met, "run `make bench`, never edit bench.json"


def test_the_changelog_knows_the_shipped_model() -> None:
    model, _ = load_pretrained()
    (file,) = (ROOT / "transformer").rglob("pretrained.safetensors")
    scores = json.loads((MEASURED / "evaluation.json").read_text("utf-8"))["scores"]
    test, compositional = (
        scores[split]["overall"]["exact_match"] for split in ("test", "compositional")
    )
    facts = [
        f"{count_parameters(model)['total'] / 1e6:.1f} million parameters",
        f"{file.stat().st_size / 1e6:.1f} MB",
        f"{test}% on the test split",
        f"{compositional}% on unseen combinations",
    ]
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    missing = [fact for fact in facts if not re.search(rf"(?<!\d){re.escape(fact)}", text)]
    assert not missing, f"CHANGELOG.md, the shipped model: write {', '.join(missing)}"
