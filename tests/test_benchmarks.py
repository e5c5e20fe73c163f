"""The benchmarks run, compare like with like, and say what they measured."""

import json
import os
import subprocess
import sys
from functools import partial
from itertools import product

import pytest
import torch

from benchmarks import decoding, serving, steps, timing
from benchmarks.contestants import build, names, ours
from benchmarks.decoding import (
    NEVER,
    beam_without_cache,
    greedy_from_scratch,
    greedy_without_cache,
)
from benchmarks.report import Row, run
from benchmarks.sizes import BASE, QUICK
from benchmarks.timing import fastest
from transformer import beam_search, greedy_decode, load_pretrained


def test_what_is_compared_gives_the_same_ids():
    model = ours(QUICK, 0.0, tie_output=False).eval()
    with torch.no_grad():
        model.output_layer.bias[NEVER] = -1e9
    src, length = QUICK.ids(0), QUICK.length
    written = greedy_decode(model, src, max_new_tokens=length)
    assert written == greedy_without_cache(model, src, length)
    assert written == greedy_from_scratch(model, src, length)
    assert all(len(row) == length for row in written)
    found = beam_search(model, src, beam_size=3, max_new_tokens=length)
    assert [list(best.ids) for [best] in found] == beam_without_cache(model, src, 3, length)


@pytest.mark.parametrize("beams", [1, 3])
def test_the_engine_made_for_serving_writes_the_same_ids(beams):
    here, there = (serving.engines()[name](QUICK) for name in ("ours", "CTranslate2, float32"))
    written = here(QUICK.ids(0), QUICK.length, beams)
    assert written == there(QUICK.ids(0), QUICK.length, beams)
    assert all(len(row) == QUICK.length for row in written)


def test_the_shipped_size_is_that_of_the_shipped_model():
    config = load_pretrained()[0].config
    shipped = serving.SHIPPED
    assert (shipped.vocab_size, shipped.d_model) == (config.src_vocab_size, config.d_model)
    assert (shipped.num_heads, shipped.d_ff) == (config.num_heads, config.d_ff)
    assert shipped.num_layers == config.num_encoder_layers == config.num_decoder_layers


def test_every_contestant_has_as_many_parameters():
    counts = [
        sum(parameter.numel() for parameter in build(name, BASE, 0.0)[0].parameters())
        for name in names()
    ]
    assert max(counts) < 1.03 * min(counts)  # Marian stores its positions


def test_runs_take_turns_and_the_fastest_of_each_counts(monkeypatch):
    order = []
    runs = {name: partial(order.append, name) for name in "ab"}
    seconds = iter([1.0, 1.0, 3.0, 5.0, 2.0, 6.0])
    monkeypatch.setattr(timing, "timeit", lambda run, number: run() or next(seconds))
    assert fastest(runs, rounds=2) == {"a": 2.0, "b": 5.0}
    assert order == [*"ab", *"abab"]  # once to warm up


@pytest.mark.parametrize(("value", "met"), [(5.9, False), (6.0, True)])
def test_a_budget_is_met_or_missed(value, met):
    row = Row("x", None, "s", 2.0, "y", 2 * value, at_least=6.0)
    assert row.met is met
    assert Row("x", None, "s", 2.0, "y", 2 * value).met is None


def test_every_ratio_is_theirs_over_ours():
    [row] = steps._rows("training step", 0.0, {"ours": 1.0, "nn.Transformer": 2.0})
    assert row.ratio == 2.0
    [row] = decoding._rows("greedy decoding", {"ours": 1.0, "Marian": 2.0}, {})
    assert row.ratio == 2.0


@pytest.mark.process
def test_measures_all_of_it_in_one_run(tmp_path):
    path = tmp_path / "bench.json"
    command = [sys.executable, "-m", "benchmarks", "--quick", str(path)]
    wide = os.environ | {"COLUMNS": "120"}
    finished = subprocess.run(command, env=wide, capture_output=True, text=True, timeout=600)
    assert finished.returncode == 0, finished.stderr
    assert "greedy decoding" in finished.stdout
    record = json.loads(path.read_text("utf-8"))
    assert record["sizes"]["d_model"] == QUICK.d_model
    assert record["versions"]["torch"] == torch.__version__
    measured = {(row["what"], row["other"]) for row in record["rows"]}
    assert {
        ("training step", "nn.Transformer"),
        ("forward pass", "nn.Transformer"),
        ("greedy decoding, 8 tokens", "without cache"),
        ("beam search, 4 beams", "without cache"),
        ("peak memory of a step", "nn.Transformer"),
        ("padding", "random batches"),
    } <= measured
    if "Marian" in names():
        assert ("greedy decoding, 8 tokens", "Marian") in measured
    assert all(row["ratio"] > 0 for row in record["rows"])
    padding = next(row for row in record["rows"] if row["what"] == "padding")
    assert 0 < padding["ours"] < 0.25 * padding["theirs"]


@pytest.mark.process
def test_measures_serving(tmp_path):
    path = tmp_path / "serving.json"
    command = [sys.executable, "-m", "benchmarks.serving", "--quick", str(path)]
    finished = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert finished.returncode == 0, finished.stderr
    rows = json.loads(path.read_text("utf-8"))["rows"]
    measured = {(row["what"], row["other"]) for row in rows}
    for beams, batch in product((1, 4), (1, 8, 32)):
        for other in ("float32", "int8"):
            assert (f"tiny, {beams} beams, {batch} at once", f"CTranslate2, {other}") in measured
    assert all(row["ratio"] > 0 for row in rows)
    assert next(row["theirs"] for row in rows if row["unit"] == "%") > 90


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_measures_reading(tmp_path):
    path = tmp_path / "reading.json"
    command = [sys.executable, "-m", "benchmarks.reading", "--quick", str(path)]
    finished = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert finished.returncode == 0, finished.stderr
    speed, memory, halves = json.loads(path.read_text("utf-8"))["rows"]
    assert speed["ratio"] > 1
    assert memory["unit"] == "MB"
    assert 0.9 < halves["ratio"] < 1.1


@pytest.mark.parametrize("arguments", [["--fast"], ["a.json", "b.json"]])
def test_refuses_what_it_does_not_know(arguments):
    with pytest.raises(SystemExit, match=r"^usage: python -m benchmarks \[--quick\]"):
        run(arguments, "benchmarks", pytest.fail)
