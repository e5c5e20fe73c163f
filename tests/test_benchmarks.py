"""The benchmarks run, compare like with like, and say what they measured."""

import json
import os
import subprocess
import sys
from functools import partial
from itertools import count
from types import SimpleNamespace

import pytest
import torch

from benchmarks import decoding, steps, timing
from benchmarks.contestants import build, names, ours
from benchmarks.decoding import (
    NEVER,
    beam_without_cache,
    greedy_from_scratch,
    greedy_without_cache,
)
from benchmarks.report import Row
from benchmarks.sizes import BASE, QUICK
from benchmarks.timing import alternate, ratio
from transformer import beam_search, greedy_decode


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


def test_every_contestant_has_as_many_parameters():
    counts = [
        sum(parameter.numel() for parameter in build(name, BASE, 0.0)[0].parameters())
        for name in names()
    ]
    assert max(counts) < 1.03 * min(counts)  # Marian stores its positions


def test_runs_take_turns_and_the_ratio_is_the_median_of_the_rounds(monkeypatch):
    monkeypatch.setattr(timing, "taken", lambda: 0.0)
    order = []
    times = alternate({name: partial(order.append, name) for name in "ab"}, rounds=2)
    assert order == [*"aaabbb", *"aaabbb"]  # two to warm up, one that counts
    assert [len(seconds) for seconds in times.values()] == [2, 2]
    assert ratio({"a": [1.0, 6.0, 2.0], "b": [1.0, 2.0, 4.0]}, "a", "b") == 1.0


def test_a_disturbed_run_is_timed_again_and_the_least_disturbed_counts(monkeypatch):
    monkeypatch.setattr(timing.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(timing, "perf_counter", partial(next, count()))  # one second a run
    seconds = iter([7.0, 6.0, 5.0, 4.0])
    timer = SimpleNamespace(timeit=lambda _: SimpleNamespace(median=next(seconds)))
    monkeypatch.setattr(timing, "taken", partial(next, iter([0, 0.9, 0.9, 1.0, 1.0, 1.03])))
    assert timing.undisturbed(timer) == 5.0  # 45%, 5% and 1.5% were taken: the third is quiet
    seconds = iter([7.0, 6.0, 5.0, 4.0, 3.0])
    monkeypatch.setattr(timing, "taken", partial(next, iter([0, 1, 1, 1.5, 1.5, 2.5, 3, 4, 4, 5])))
    assert timing.undisturbed(timer) == 6.0  # none is quiet, and the second lost least


def test_what_others_took_is_read_from_linux(monkeypatch, tmp_path):
    stat = tmp_path / "stat"
    monkeypatch.setattr(timing, "STAT", stat)
    monkeypatch.setattr(timing, "process_time", lambda: 2.0)
    assert timing.taken() == 0.0
    stat.write_text("cpu  100 20 3 4444 5555 600 70 8000 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\n")
    assert timing.taken() == 8793 / os.sysconf("SC_CLK_TCK") - 2.0  # but idle and waiting


@pytest.mark.parametrize(("value", "met"), [(5.9, False), (6.0, True)])
def test_a_budget_is_met_or_missed(value, met):
    row = Row("x", None, "s", 1.0, "y", value, value, at_least=6.0)
    assert row.met is met
    assert Row("x", None, "s", 1.0, "y", value, value).met is None


def test_every_ratio_is_theirs_over_ours():
    [row] = steps._rows("training step", 0.0, {"ours": [1.0], "nn.Transformer": [2.0]})
    assert row.ratio == 2.0
    [row] = decoding._rows("greedy decoding", {"ours": [1.0], "Marian": [2.0]}, {})
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
def test_refuses_what_it_does_not_know():
    command = [sys.executable, "-m", "benchmarks", "--fast"]
    finished = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert finished.returncode == 1
    assert finished.stderr.startswith("usage: ")
