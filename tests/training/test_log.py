"""The log survives kills and starts again where the checkpoint was; the bar stays out of files."""

import json

import pytest
from rich.console import Console

from transformer.training import log as training_log
from transformer.training.log import TrainingLog, read_log
from transformer.training.run_folder import RunFolder

LOG = "log.jsonl"


def test_writes_what_is_read(tmp_path, capsys):
    with TrainingLog(RunFolder(tmp_path), steps=4) as log:
        log.count(tokens=50)
        log.training(1, 0, loss=2.5, learning_rate=0.1, gradient_norm=3.0)
        log.validation(1, loss=2.0, accuracy=0.25, scores={"chrf": 31.2, "x": "貓"})
    first, second = read_log(tmp_path)
    assert first.pop("tokens_per_second") > 0
    assert first == {
        "step": 1, "epoch": 0, "loss": 2.5, "learning_rate": 0.1, "gradient_norm": 3.0,
        "skipped": 0,
    }  # fmt: skip
    scores = {"chrf": 31.2, "x": "貓"}
    assert second == {"step": 1, "validation_loss": 2.0, "validation_accuracy": 0.25, **scores}
    assert capsys.readouterr() == ("", "")  # no terminal, no bar


def test_forgets_what_came_after_the_checkpoint(tmp_path):
    lines = [json.dumps({"step": step}) + "\n" for step in (1, 2, 3, 4)]
    (tmp_path / LOG).write_text("".join(lines) + '{"step": 5, "lo')
    assert [record["step"] for record in read_log(tmp_path)] == [1, 2, 3, 4]
    TrainingLog(RunFolder(tmp_path), steps=9, start=2)
    assert (tmp_path / LOG).read_text() == "".join(lines[:2])


def test_a_quiet_log_touches_nothing(tmp_path):
    with TrainingLog(RunFolder(tmp_path), steps=4, first=False) as log:
        log.validation(1, loss=2.0, accuracy=0.25)
    assert not list(tmp_path.iterdir())


def test_the_bar_tells_loss_rate_speed_and_time_left(tmp_path, monkeypatch, capsys):
    console = lambda file: Console(file=file, force_terminal=True, width=120)  # noqa: E731
    monkeypatch.setattr(training_log, "Console", console)
    with TrainingLog(RunFolder(tmp_path), steps=4, start=1) as log:
        log.count(tokens=50)
        log.training(2, 0, loss=2.5, learning_rate=0.01, gradient_norm=3.0)
        samples = [{"source": "a [b]", "reference": "乙", "translation": "甲"}]
        log.validation(2, loss=2.0, accuracy=0.25, scores={"chrf": 31.25, "samples": samples})
        log.skipped(3, "a norm of inf", total=1)
        log.count(tokens=50)
        log.training(3, 0, loss=2.25, learning_rate=0.02, gradient_norm=3.0, skipped=1)
    shown = capsys.readouterr().err
    for text in (
        "3/4", "loss 2.250", "valid 2.000 (25%)  chrF 31.2", "lr 2.0e-02", "tok/s",
        "  a [b]\n    right:   乙\n    written: 甲\n",
        "3/4  skipped: a norm of inf (1 skipped so far)",
    ):  # fmt: skip
        assert text in shown
    assert "-:--:--" in shown or "0:00:0" in shown


def test_speed_counts_tokens_since_the_last_record(tmp_path, monkeypatch):
    now = iter([0.0, 2.0, 10.0, 14.0])
    monkeypatch.setattr(training_log.time, "perf_counter", lambda: next(now))
    monkeypatch.setattr(training_log, "Progress", lambda *_, **__: _NoBar())
    log = TrainingLog(RunFolder(tmp_path), steps=9)
    numbers = {"loss": 1.0, "learning_rate": 0.1, "gradient_norm": 1.0}
    log.count(tokens=30)
    log.count(tokens=50)
    log.training(2, 0, **numbers)
    log.validation(2, loss=1.0, accuracy=0.5)  # took 8 seconds, which do not count
    log.count(tokens=40)
    log.training(3, 0, **numbers)
    speeds = [r["tokens_per_second"] for r in read_log(tmp_path) if "tokens_per_second" in r]
    assert speeds == [40, 10]


class _NoBar:
    def __getattr__(self, name):
        return lambda *_, **__: None


@pytest.mark.parametrize("character", ["é", "的"])
def test_is_utf8(tmp_path, character):
    (tmp_path / LOG).write_text(json.dumps({"step": 1, "x": character}) + "\n", encoding="utf-8")
    assert read_log(tmp_path)[0]["x"] == character


def test_without_a_terminal_lines_are_lines(tmp_path, monkeypatch):
    now = iter([0.0, 2.0, 11.0, 12.0, 14.0, 30.0])
    monkeypatch.setattr(training_log.time, "perf_counter", lambda: next(now))
    monkeypatch.setattr(training_log, "Progress", lambda *_, **__: _NoBar())
    lines, numbers = [], {"loss": 1.25, "learning_rate": 0.1, "gradient_norm": 1.0}
    log = TrainingLog(RunFolder(tmp_path), steps=9, message=lines.append)
    log.training(1, 0, **numbers)  # after two seconds: not yet
    log.training(2, 0, **numbers)
    log.validation(2, loss=1.5, accuracy=0.25)
    log.training(3, 0, **numbers)
    log.training(4, 0, **numbers)
    assert lines == [
        "2/9  loss 1.250  lr 1.0e-01  0 tok/s  0:00:38 left",
        "2/9  valid 1.500 (25%)",
        "4/9  loss 1.250  valid 1.500 (25%)  lr 1.0e-01  0 tok/s  0:00:38 left",
    ]
