"""What was measured once agrees with itself and with its script; the changelog repeats it."""

import json
import re
from pathlib import Path

import pytest

from docs.checks.measured import MEASURED, is_stale, numbers_in
from transformer import count_parameters, load_pretrained

ROOT = Path(__file__).parents[2]
BENCH = json.loads((MEASURED / "bench.json").read_text("utf-8"))["rows"]


@pytest.mark.parametrize("row", BENCH, ids=lambda row: f"{row['what']}, {row['other']}")
def test_a_ratio_is_that_of_its_times_and_decides_of_the_budget(row: dict) -> None:
    advice, least = "run `make bench`, never edit bench.json", row["at_least"]
    assert row["ratio"] == row["theirs"] / row["ours"], advice
    assert row["met"] is (None if least is None else row["ratio"] >= least), advice


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


@pytest.mark.parametrize("path", sorted(MEASURED.iterdir()), ids=lambda path: path.stem)
def test_a_script_has_the_numbers_that_it_measured_with(path: Path) -> None:
    advice = f"`python -m docs.checks.measured {path.stem}` measures again"
    assert not is_stale(path), f"its script has other numbers now: {advice}"


def test_only_numbers_count(tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.py" for name in ("one", "renamed", "longer")]
    texts = ("STEPS = 150  # a lot", '"""Trains."""\nCOUNT = 150', "STEPS = 300")
    for file, text in zip(files, texts, strict=True):
        file.write_text(text, "utf-8")
    first, renamed, longer = (numbers_in([file]) for file in files)
    assert first == renamed != longer
