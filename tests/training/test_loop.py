"""The loop learns, stops, resumes bit for bit, and works in several processes."""

import json
from dataclasses import replace

import pytest
import torch
from safetensors import safe_open

from tests.copy_task import (
    TINY,
    Batch,
    copy_batch,
    copy_batches,
    encoded_copies,
    spoil,
    start,
    tiny_model,
    train_as_one_of_several,
    validation_batches,
)
from tests.refused import refused
from transformer.data.encoded_batches import EncodedBatches
from transformer.model_file import load_model
from transformer.training import distributed, loop
from transformer.training.config import TrainingConfig
from transformer.training.log import read_log
from transformer.training.loop import clip_gradients, train
from transformer.training.run_folder import RunFolder
from transformer.training.schedule import learning_rate
from transformer.training.teacher_forcing import Validation, validate

LOG, BEST = "log.jsonl", "best.safetensors"
STILL = replace(TINY, dropout=0.0)
SHORT = TrainingConfig(
    steps=12, warmup=6, accumulate=2, log_every=1, evaluate_every=4, save_every=3, keep=2
)


def contents(folder):
    """Everything a run leaves but its speed: tensors, headers and log."""
    files = {}
    for path in sorted(folder.glob("*.safetensors")):
        with safe_open(path, "pt") as file:
            header = {key: json.loads(value) for key, value in file.metadata().items()}
            files[path.name] = header, {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
    records = [{k: v for k, v in r.items() if k != "tokens_per_second"} for r in read_log(folder)]
    return files, records


def assert_same(folder, expected):
    (files, records), (expected_files, expected_records) = contents(folder), contents(expected)
    assert records == expected_records
    assert files.keys() == expected_files.keys()
    for name, (header, tensors) in files.items():
        expected_header, expected_tensors = expected_files[name]
        assert header == expected_header
        assert tensors.keys() == expected_tensors.keys()
        assert all(torch.equal(tensors[key], expected_tensors[key]) for key in tensors)


def checkpoints(folder):
    return RunFolder(folder).checkpoints()


def losses(folder):
    return [record["loss"] for record in read_log(folder) if "loss" in record]


# Learning


def test_learns_to_copy(tmp_path):
    model = tiny_model(replace(STILL, d_model=32, d_ff=64))

    def batches(epoch):
        return copy_batches(epoch, size=50, rows=32)

    config = TrainingConfig(steps=400, warmup=100, label_smoothing=0.0, evaluate_every=200)
    progress = train(model, batches, config, tmp_path, validation_batches())
    assert validate(model, validation_batches()).accuracy > 0.9
    best = validate(load_model(tmp_path / BEST), validation_batches())
    assert best.accuracy > 0.97  # the last look need not be the best one
    assert best.loss == progress.best_loss == load_best(tmp_path)


def load_best(folder):
    return min(r["validation_loss"] for r in read_log(folder) if "validation_loss" in r)


# What a run leaves


def test_keeps_log_best_model_and_newest_checkpoints(tmp_path):
    model = tiny_model()
    (tmp_path / ".step-00000001.safetensors.tmp").mkdir()  # which a killed process left
    progress = train(model, copy_batches, SHORT, tmp_path, validation_batches())
    assert not model.training
    assert (progress.step, progress.epoch, progress.batch) == (12, 3, 3)  # 24 batches, 7 an epoch
    assert [path.name[5:13] for path in checkpoints(tmp_path)] == ["00000009", "00000012"]
    assert {path.name for path in tmp_path.iterdir()} == {
        LOG, BEST, ".lock", *(path.name for path in checkpoints(tmp_path))
    }  # fmt: skip
    records = read_log(tmp_path)
    assert [r["step"] for r in records if "loss" in r] == list(range(1, 13))
    assert [r["step"] for r in records if "validation_loss" in r] == [4, 8, 12]
    rates = [r["learning_rate"] for r in records if "loss" in r]
    assert rates == pytest.approx([learning_rate(s, 16, 6) for s in range(1, 13)], rel=1e-12)
    best = validate(load_model(tmp_path / BEST), validation_batches())
    assert best.loss == progress.best_loss == load_best(tmp_path)
    last = load_model(checkpoints(tmp_path)[-1])
    assert all(map(torch.equal, last.parameters(), model.parameters()))


def test_logs_seldom_saves_the_last_step_anyway(tmp_path):
    train(tiny_model(), copy_batches, replace(SHORT, log_every=5, save_every=100), tmp_path)
    assert [record["step"] for record in read_log(tmp_path)] == [1, 5, 10]
    assert [path.name[5:13] for path in checkpoints(tmp_path)] == ["00000012"]


def test_the_seed_decides_dropout(tmp_path):
    runs = {"a": 0, "b": 0, "c": 1}
    for name, seed in runs.items():
        torch.manual_seed(ord(name))  # whatever was drawn before cannot matter
        model = tiny_model()
        torch.rand(ord(name))
        train(model, copy_batches, replace(SHORT, seed=seed), tmp_path / name)
    assert_same(tmp_path / "a", tmp_path / "b")
    assert losses(tmp_path / "a") != losses(tmp_path / "c")


# Stopping early


def diverging(tmp_path, config):
    """Train towards one target while validation asks for another: its loss must rise."""
    batch = copy_batch(8, 5, torch.Generator().manual_seed(0))
    other = Batch(batch.src, torch.where(batch.tgt > 2, 14 - batch.tgt, batch.tgt))
    return train(tiny_model(STILL), lambda epoch: [batch], config, tmp_path, [other])


def test_stops_when_patience_is_at_an_end(tmp_path):
    config = TrainingConfig(steps=500, warmup=20, evaluate_every=5, save_every=100, patience=3)
    progress = diverging(tmp_path, config)
    assert progress.step < 500
    assert progress.step == progress.best_step + 15
    assert progress.waited == 3
    assert checkpoints(tmp_path)[-1].name == f"step-{progress.step:08}.safetensors"
    before = contents(tmp_path)[1]
    assert diverging(tmp_path, config) == progress  # nothing is left to do
    assert contents(tmp_path)[1] == before
    more = diverging(tmp_path, replace(config, patience=5))
    assert more.step == progress.best_step + 25


def test_patience_needs_validation(tmp_path):
    with refused(ValueError, "patience must have validation batches: got 2"):
        train(tiny_model(), copy_batches, replace(SHORT, patience=2), tmp_path)


# Going on


@pytest.mark.parametrize(("stop", "dtype"), [(1, "float32"), (4, "float16"), (11, "float32")])
def test_a_run_in_two_parts_equals_one_in_one(stop, dtype, tmp_path):
    whole = replace(SHORT, dtype=dtype)
    train(tiny_model(), copy_batches, whole, tmp_path / "one", validation_batches())
    part = replace(whole, steps=stop)
    train(tiny_model(), copy_batches, part, tmp_path / "two", validation_batches())
    torch.rand(stop)
    train(tiny_model(), copy_batches, whole, tmp_path / "two", validation_batches())
    for folder in ("one", "two"):  # which older one is kept depends on where it stopped
        for path in checkpoints(tmp_path / folder)[:-1]:
            path.unlink()
    assert_same(tmp_path / "two", tmp_path / "one")


def test_what_is_frozen_stays_so_and_the_rest_goes_on(tmp_path):
    frozen = tiny_model().encoder.state_dict()
    for steps in (3, 6):
        model = tiny_model()
        model.encoder.requires_grad_(False)
        train(model, copy_batches, replace(SHORT, steps=steps), tmp_path)
    assert all(torch.equal(frozen[name], w) for name, w in model.encoder.state_dict().items())
    assert losses(tmp_path)[-1] < losses(tmp_path)[0]


def test_a_folder_of_each_process_alone_is_refused(tmp_path, monkeypatch):
    train(tiny_model(), copy_batches, replace(SHORT, steps=3), tmp_path)
    monkeypatch.setattr(distributed, "sum_over_processes", lambda values, device: [0.0])
    with refused(ValueError, f"folder must be one that all processes see: got {tmp_path}"):
        train(tiny_model(), copy_batches, SHORT, tmp_path)


def test_begins_anew_only_in_a_folder_without_checkpoints(tmp_path):
    train(tiny_model(), copy_batches, SHORT, tmp_path, resume=False)
    with refused(
        ValueError, f"folder must have no checkpoint to begin anew: got {checkpoints(tmp_path)[-1]}"
    ):
        train(tiny_model(), copy_batches, SHORT, tmp_path, resume=False)


def test_refuses_to_go_on_with_another_recipe_or_model(tmp_path):
    train(tiny_model(), copy_batches, SHORT, tmp_path)
    with pytest.raises(ValueError, match=r"^warmup must stay 6 to go on: got 7$"):
        train(tiny_model(), copy_batches, replace(SHORT, warmup=7), tmp_path)
    with pytest.raises(ValueError, match=r"12\.safetensors: holds another model: dropout=0\.2"):
        train(tiny_model(STILL), copy_batches, SHORT, tmp_path)


def test_a_damaged_checkpoint_is_named_and_the_one_before_still_works(tmp_path):
    train(tiny_model(), copy_batches, SHORT, tmp_path / "one")
    train(tiny_model(), copy_batches, SHORT, tmp_path / "two")
    newest = checkpoints(tmp_path / "two")[-1]
    newest.write_bytes(newest.read_bytes()[:1000])
    with refused(ValueError, f"{newest}: no complete safetensors file: …"):
        train(tiny_model(), copy_batches, SHORT, tmp_path / "two")
    newest.unlink()
    train(tiny_model(), copy_batches, SHORT, tmp_path / "two")
    assert_same(tmp_path / "two", tmp_path / "one")


# Several processes


def assert_records_near(folder, other):
    (_, records), (_, expected) = contents(folder), contents(other)
    assert len(records) == len(expected)
    for record, expected_record in zip(records, expected):
        assert record == pytest.approx(expected_record, rel=0, abs=1e-5)


@pytest.mark.process
def test_two_processes_equal_one_with_the_same_batches(tmp_path):
    part = replace(SHORT, steps=5)
    runs = [("still", STILL, SHORT), ("whole", TINY, SHORT), ("parts", TINY, part)]
    runs += [("parts", TINY, SHORT), ("spoilt", STILL, part)]
    workers = [start(train_as_one_of_several, rank, 2, tmp_path, runs) for rank in (0, 1)]
    train(tiny_model(STILL), copy_batches, SHORT, tmp_path / "one", validation_batches())
    for worker in workers:
        worker.join(timeout=60)
        assert worker.exitcode == 0

    assert_records_near(tmp_path / "still", tmp_path / "one")
    two, one = (load_model(checkpoints(tmp_path / name)[-1]) for name in ("still", "one"))
    for name, weight in two.named_parameters():
        if not name.endswith("k_proj.bias"):  # no score depends on it: Adam enlarges rounding
            torch.testing.assert_close(weight, one.get_parameter(name), rtol=0, atol=1e-4)

    assert read_log(tmp_path / "spoilt")[-1]["skipped"] == 1  # by both: process 0 had no nan

    # With dropout too, going on is bit for bit: each process has its own random numbers back.
    for name in ("whole", "parts"):
        checkpoints(tmp_path / name)[0].unlink()
    assert_same(tmp_path / "parts", tmp_path / "whole")
    with safe_open(checkpoints(tmp_path / "whole")[-1], "pt") as file:
        first, second = file.get_tensor("training.rng.cpu")
    assert not torch.equal(first, second)


@pytest.mark.process
def test_two_processes_that_read_half_each_equal_one_that_reads_all(tmp_path):
    """Each reads its own rows of the encoded pairs; what comes out is the same."""
    encoded = encoded_copies(tmp_path / "ids")
    arguments = (2, tmp_path, [("halves", STILL, SHORT)], encoded)
    workers = [start(train_as_one_of_several, rank, *arguments) for rank in (0, 1)]
    model = tiny_model(STILL)
    train(model, EncodedBatches(encoded, 40), SHORT, tmp_path / "one", validation_batches())
    for worker in workers:
        worker.join(timeout=60)
        assert worker.exitcode == 0
    assert_records_near(tmp_path / "halves", tmp_path / "one")


def test_goes_on_in_the_middle_of_encoded_pairs(tmp_path):
    encoded = encoded_copies(tmp_path / "ids")
    for name, steps in [("whole", SHORT.steps), ("parts", 5), ("parts", SHORT.steps)]:
        config = replace(SHORT, steps=steps)
        train(tiny_model(), EncodedBatches(encoded, 40), config, tmp_path / name)
    for name in ("whole", "parts"):
        checkpoints(tmp_path / name)[0].unlink()
    assert_same(tmp_path / "parts", tmp_path / "whole")


def test_encoded_pairs_and_a_list_of_their_batches_train_alike(tmp_path):
    batches = EncodedBatches(encoded_copies(tmp_path / "ids"), 40)
    for name, given in (("one", batches), ("two", lambda epoch: batches(epoch))):
        train(tiny_model(STILL), given, SHORT, tmp_path / name)
    assert losses(tmp_path / "one") == losses(tmp_path / "two")
    with pytest.raises(ValueError, match=r"the model's pad_id=0: got one with 3$"):
        train(tiny_model(), EncodedBatches(batches.pairs, 40, pad_id=3), SHORT, tmp_path / "pad")


# Options


def test_mixed_precision_trains(tmp_path):
    dtypes = ("float32", "bfloat16", "float16")
    for dtype in dtypes:
        config = replace(SHORT, dtype=dtype)
        train(tiny_model(STILL), copy_batches, config, tmp_path / dtype)
    full, *halves = (losses(tmp_path / dtype) for dtype in dtypes)
    for half, near in zip(halves, (0.03, 0.004)):
        assert half != full
        assert half == pytest.approx(full, rel=near)


@pytest.mark.compile
@pytest.mark.filterwarnings("ignore:.*script_method.*:DeprecationWarning")  # PyTorch's own
def test_a_compiled_model_trains_alike(tmp_path, compiler, no_shape_checks):
    for name, choice in (("compiled", True), ("plain", False)):
        config = replace(SHORT, compile=choice)
        train(tiny_model(STILL), copy_batches, config, tmp_path / name, validation_batches())
    assert losses(tmp_path / "compiled") == pytest.approx(losses(tmp_path / "plain"), abs=1e-4)


def test_clipping_shortens_the_gradient_and_keeps_its_direction():
    linear = torch.nn.Linear(3, 1, bias=False)
    for longest, expected in [(None, 1.0), (30.0, 1.0), (6.5, 0.5)]:
        linear.weight.grad = torch.tensor([[3.0, 4.0, 12.0]])
        assert clip_gradients(linear, longest) == 13.0
        torch.testing.assert_close(
            linear.weight.grad, expected * torch.tensor([[3.0, 4.0, 12.0]]), rtol=1e-5, atol=0
        )


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_a_gradient_that_is_not_finite_is_skipped(dtype, tmp_path):
    """What is left is the run that never saw these batches, at the same rates."""
    config, lines = replace(SHORT, accumulate=1, dtype=dtype), []
    for name, spoilt in (("spoilt", (3, 4)), ("without", ())):
        model = tiny_model(STILL)
        spoil(model, *spoilt)

        def batches(epoch, spoilt=spoilt):
            whole = list(copy_batches(epoch))
            return whole if spoilt or epoch else whole[:2] + whole[4:]

        progress = train(model, batches, config, tmp_path / name, message=lines.append)
        assert (progress.step, progress.skipped) == (12, len(spoilt))
    assert losses(tmp_path / "spoilt") == pytest.approx(losses(tmp_path / "without"), rel=1e-4)
    text = "skipped: the gradient must be finite: got a norm of nan"
    assert lines == [f"3/12  {text} ({n} skipped so far)" for n in (1, 2)]
    if dtype == "float16":
        with safe_open(checkpoints(tmp_path / "spoilt")[-1], "pt") as file:
            document = json.loads(file.metadata()["transformer"])
        assert document["training"]["scaler"]["scale"] == 2**14  # halved twice


def test_chrf_may_decide_which_evaluation_is_the_best(tmp_path):
    found = iter([1.0, 9.0, 5.0])
    config = replace(SHORT, best_by="chrf", patience=1)
    progress = train(
        tiny_model(), copy_batches, config, tmp_path, validation_batches(),
        measure=lambda model: {"chrf": next(found)},
    )  # fmt: skip
    assert (progress.best_step, progress.best_chrf, progress.waited) == (8, 9.0, 1)
    assert [r["chrf"] for r in read_log(tmp_path) if "chrf" in r] == [1.0, 9.0, 5.0]
    best = validate(load_model(tmp_path / BEST), validation_batches())
    assert best.loss == progress.best_loss
    with refused(ValueError, "best_by must be 'loss' where nothing is translated: got 'chrf'"):
        train(tiny_model(), copy_batches, config, tmp_path, validation_batches())


def test_gradients_that_are_never_finite_stop_training_before_the_update(tmp_path):
    model = tiny_model(STILL)
    with torch.no_grad():
        model.encoder.layers[0].feed_forward.contract.bias[0] = float("nan")
    before = [parameter.detach().clone() for parameter in model.parameters()]
    text = r"^step 1: 20 times in a row, the gradient must be finite: got a norm of nan: the lear"
    with pytest.raises(FloatingPointError, match=text):
        train(model, copy_batches, SHORT, tmp_path)
    for parameter, old in zip(model.parameters(), before):
        assert torch.equal(parameter.nan_to_num(), old.nan_to_num())
    assert not checkpoints(tmp_path)


def test_refuses_an_empty_epoch(tmp_path):
    with pytest.raises(ValueError, match=r"must hold at least one batch: got none in epoch 1$"):
        train(tiny_model(), lambda n: copy_batches(n, size=3 - 3 * n), SHORT, tmp_path)


def test_the_highest_rate_is_the_one_asked_for(tmp_path):
    config = replace(SHORT, peak_learning_rate=0.004)
    train(tiny_model(), copy_batches, replace(config, steps=5), tmp_path)
    train(tiny_model(), copy_batches, config, tmp_path)  # also after going on
    rates = {r["step"]: r["learning_rate"] for r in read_log(tmp_path)}
    assert max(rates, key=rates.get) == 6
    assert rates[6] == pytest.approx(0.004, rel=1e-12)
    assert rates[3] == pytest.approx(0.002, rel=1e-12)


def own(model, rate=0.01):
    """An optimizer and a schedule that are not the paper's."""
    optimizer = torch.optim.SGD(model.parameters(), lr=rate, momentum=0.9)
    return optimizer, torch.optim.lr_scheduler.StepLR(optimizer, step_size=4, gamma=0.5)


@pytest.mark.parametrize("scheduled", [True, False])
def test_an_optimizer_of_ones_own_goes_on_too(scheduled, tmp_path):
    for folder, parts in (("one", [12]), ("two", [5, 12])):
        for steps in parts:
            model = tiny_model()
            optimizer, schedule = own(model)
            train(
                model, copy_batches, replace(SHORT, steps=steps), tmp_path / folder,
                optimizer=optimizer, schedule=schedule if scheduled else None,
            )  # fmt: skip
    for folder in ("one", "two"):
        for path in checkpoints(tmp_path / folder)[:-1]:
            path.unlink()
    assert_same(tmp_path / "two", tmp_path / "one")
    rates = [record["learning_rate"] for record in read_log(tmp_path / "two")]
    assert rates == pytest.approx(([0.01] * 4 + [0.005] * 4 + [0.0025] * 4) if scheduled
                                  else [0.01] * 12)  # fmt: skip
    model = tiny_model()
    with pytest.raises(ValueError, match=r"its optimizer is 'SGD', not Adam$"):
        train(model, copy_batches, SHORT, tmp_path / "one")


def test_refuses_schedules_that_could_not_go_on(tmp_path):
    model = tiny_model()
    optimizer, schedule = own(model)
    text = "schedule must be one of the optimizer that is given with it"
    for given in (None, own(model)[0]):
        with pytest.raises(ValueError, match=f"^{text}$"):
            train(model, copy_batches, SHORT, tmp_path, optimizer=given, schedule=schedule)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
    with pytest.raises(ValueError, match=r"without a measurement: got ReduceLROnPlateau$"):
        train(model, copy_batches, SHORT, tmp_path, optimizer=optimizer, schedule=plateau)
    schedule.odd = object()
    with pytest.raises(ValueError, match=r"^schedule must have a state that fits into JSON: "):
        train(model, copy_batches, SHORT, tmp_path, optimizer=optimizer, schedule=schedule)
    assert not list(tmp_path.iterdir())


def test_the_callback_sees_the_log_and_may_stop_the_run(tmp_path):
    seen = []

    def stop(record):
        seen.append(record)
        if record["step"] == 7:
            raise StopIteration("enough")

    validation = validation_batches()
    with pytest.raises(StopIteration):
        train(tiny_model(), copy_batches, SHORT, tmp_path / "two", validation, callback=stop)
    assert seen == read_log(tmp_path / "two")
    for name in ("two", "one"):
        train(tiny_model(), copy_batches, SHORT, tmp_path / name, validation)
    assert_same(tmp_path / "two", tmp_path / "one")


def test_a_validation_loss_that_is_nan_is_never_the_best(tmp_path, monkeypatch):
    monkeypatch.setattr(loop, "validate", lambda *_: Validation(float("nan"), 0.0))
    text = "step 4: the validation loss must be finite: got nan: the learning rate there, "
    with pytest.raises(FloatingPointError, match=f"^{text}.*train in another folder with a lower"):
        train(tiny_model(), copy_batches, SHORT, tmp_path, validation_batches())
    assert [path.name for path in tmp_path.glob("*.safetensors")] == ["step-00000003.safetensors"]
