"""Doors of a run's folder: options, pairs, disks and other trainings; the folder stays usable."""

import errno
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import fields
from pathlib import Path

import pytest
import torch

from tests.copy_task import TINY, copy_batches, tiny_model, validation_batches
from transformer import atomic_write, checksummed_file
from transformer.cli import main
from transformer.cli import training as command
from transformer.data.training_pairs import FilePairs, GrammarPairs
from transformer.model_file import load_model
from transformer.training.config import TrainingConfig
from transformer.training.log import read_log
from transformer.training.loop import train
from transformer.training.recipe import Recipe
from transformer.training.run_folder import RunFolder

pytestmark = pytest.mark.usefixtures("no_shape_checks")  # our own words, as users see them

SMALL = ["--d-model=16", "--num-heads=2", "--num-layers=1", "--d-ff=32", "--batch-tokens=256"]
SMALL += ["--vocab-size=300", "--steps=4", "--warmup=2", "--average=2", "--device=cpu"]
PAIRS = "".join(f"{n} cats .\t{n} 隻貓。\n" for n in range(60))


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A working folder with a file of pairs."""
    (tmp_path / "pairs.tsv").write_text(PAIRS, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys):
    """Run `transformer train`; return the exit code and what was said."""

    def run(*arguments):
        with pytest.raises(SystemExit) as exit:
            main(["train", *map(str, arguments)])
        return exit.value.code, capsys.readouterr().err

    return run


def files_in(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refused(result, *parts):
    code, err = result
    assert code == 2, err
    last = err.splitlines()[-1]
    assert last.startswith("error: ")
    for part in parts:
        assert part in last


# Every option arrives


OPTIONS = [
    (["--steps", 7], "numbers", "steps", 7),
    (["--warmup", 7], "numbers", "warmup", 7),
    (["--peak-learning-rate", 0.5], "numbers", "peak_learning_rate", 0.5),
    (["--accumulate", 7], "numbers", "accumulate", 7),
    (["--label-smoothing", 0.25], "numbers", "label_smoothing", 0.25),
    (["--evaluate-every", 7], "numbers", "evaluate_every", 7),
    (["--save-every", 7], "numbers", "save_every", 7),
    (["--patience", 7], "numbers", "patience", 7),
    (["--seed", 7], "numbers", "seed", 7),
    (["--dtype", "bfloat16"], "numbers", "dtype", "bfloat16"),
    (["--compile"], "numbers", "compile", True),
    (["--average", 12], "numbers", "keep", 12),
    (["--batch-tokens", 77], "sizes", "batch_tokens", 77),
    (["--vocab-size", 777], "sizes", "vocab_size", 777),
    (["--d-model", 36], "sizes", "d_model", 36),
    (["--num-heads", 8], "sizes", "num_heads", 8),
    (["--num-layers", 7], "sizes", "num_layers", 7),
    (["--num-encoder-layers", 7], "sizes", "num_encoder_layers", 7),
    (["--num-decoder-layers", 7], "sizes", "num_decoder_layers", 7),
    (["--d-ff", 7], "sizes", "d_ff", 7),
    (["--norm-first"], "sizes", "norm_first", True),
    (["--dropout", 0.25], "sizes", "dropout", 0.25),
    (["--max-len", 7], "sizes", "max_len", 7),
    (["--average", 7], "sizes", "average", 7),
    (["--device", "cpu"], "others", "device", torch.device("cpu")),
    (["--quiet"], "others", "bar", False),
]


@pytest.fixture
def spy(monkeypatch):
    """What `train_translator` was called with, instead of training."""
    seen = {}

    def train_translator(folder, pairs, sizes, numbers, **others):
        seen.update(folder=folder, pairs=pairs, sizes=sizes, numbers=numbers, others=others)
        return Path(folder, "model.safetensors")

    monkeypatch.setattr(command, "train_translator", train_translator)
    return seen


@pytest.mark.parametrize(("typed", "where", "name", "value"), OPTIONS)
def test_every_option_arrives(typed, where, name, value, run, spy, place):
    assert run("out")[0] == 0
    plain = spy[where]
    assert run("out", *typed)[0] == 0
    get = dict.get if where == "others" else getattr
    assert get(spy[where], name) == value
    if name != "device":
        assert get(plain, name) != value


def test_every_field_with_a_help_is_an_option_that_arrives():
    known = {field.name for cls in (Recipe, TrainingConfig) for field in fields(cls)
             if "help" in field.metadata}  # fmt: skip
    assert known <= {name for *_, name, _ in OPTIONS}


def test_files_and_seed_arrive(run, spy, place):
    assert run("out")[0] == 0
    assert (spy["sizes"], spy["numbers"]) == (Recipe(), TrainingConfig())
    assert spy["pairs"] == GrammarPairs(0)
    assert run("out", "--seed", 3)[0] == 0
    assert spy["pairs"] == GrammarPairs(3)
    for name in ("a", "b", "held"):
        (place / name).touch()
    assert run("out", "--source", "a", "--target", "b", "--validation", "held")[0] == 0
    assert spy["pairs"].paths == (Path("a"), Path("b"))
    assert spy["pairs"].validation_path == Path("held")
    assert spy["folder"] == "out"


def test_the_recipe_of_a_run_is_the_default_of_another(run, spy, place):
    changed = ["--d-model=64", "--num-heads=8", "--num-encoder-layers=3", "--warmup=5"]
    RunFolder(place / "one").write_recipe({"recipe": {}, "training": {}})
    assert run("out", *changed, "--peak-learning-rate=0.5", "--average=3")[0] == 0
    first = spy["sizes"], spy["numbers"]
    recipe = {"recipe": vars(first[0]), "training": first[1].to_dict()}
    RunFolder(place / "one").write_recipe(recipe)
    assert run("two", "--recipe", "one/recipe.json")[0] == 0
    assert (spy["sizes"], spy["numbers"]) == first
    assert run("two", "--recipe", "one/recipe.json", "--warmup=6", "--num-layers=1")[0] == 0
    assert (spy["numbers"].warmup, spy["sizes"].num_layers) == (6, 1)
    assert spy["sizes"].num_encoder_layers is None
    assert spy["sizes"].d_model == 64


# What is wrong is said by the name that was typed


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["", "--pairs", "pairs.tsv"], ["folder must have a name: got ''"]),
        (["pairs.tsv"], ["folder must be a folder: got the file pairs.tsv"]),
        (["run", "--batch-tokens", 0], ["--batch-tokens must be at least 3: got 0"]),
        (["run", "--max-len", 1], ["--max-len must be at least 3: got 1"]),
        (["run", "--d-model", 10**7], ["at most 10,000,000,000 numbers", "d_model=10000000"]),
        (["run", "--max-len", 10**9], ["at most 10,000,000,000 numbers", "max_len=1000000000"]),
        (
            ["run", "--num-layers", 10**6],
            ["at most 10,000,000,000 numbers", "num_encoder_layers"],
        ),
        (["run", "--num-heads", 3], ["must divide d_model", "num_heads=3"]),
        (["run", "--seed", 2**64], ["--seed must be from 0 to 9223372036854775807: got 1844674"]),
        (["run", "--label-smoothing", 1], ["--label-smoothing must be at least 0 and below 1"]),
        (["run", "--peak-learning-rate", 0], ["must be above 0 and finite"]),
        (["run", "--evaluate-every", 0], ["--evaluate-every must be at least 1: got 0"]),
        (["run", "--validation", "pairs.tsv"], ["--validation needs pairs of your own"]),
        (["run", "--recipe", "missing.json"], ["missing.json: No such file"]),
        (["run", "--recipe", "pairs.tsv"], ["pairs.tsv: damaged, no JSON object: "]),
        (["run", "--recipe", "empty.json"], ["empty.json: no recipe of a run: KeyError('recipe')"]),
        (["run", "--recipe", "odd.json"], ["odd.json: no recipe of a run: ", "unknown fields"]),
        (["run", "--init", "missing"], ["missing: No such file"]),
        (["run", "--pairs", "quotes.tsv", *SMALL], ["no pair to train on: ", "2 open quote"]),
        (["run", "--pairs", "pairs.tsv", "--validation", "ids.tsv"], ["ids.tsv: the sources are"]),
        (["run", "--pairs", "pipe"], ["pipe: pairs to be read more than once must be in a file"]),
        (["run", "--pairs", "wide.tsv"], ["wide.tsv must be UTF-8: it is UTF-16"]),
        (["run", "--pairs", "mac.tsv"], ["mac.tsv must have lines that end in LF or CRLF"]),
        (
            ["run", "--pairs", "pairs.tsv", "--validation", "bad.tsv", "--patience", 1, *SMALL],
            ["--patience must have pairs to validate with: got 1, and of 0 pairs"],
        ),
        (["run", "--init", "pairs.tsv"], ["pairs.tsv: no complete safetensors file"]),
        (["run", "--pairs", "nothing.tsv"], ["nothing.tsv: no pair to train on: ", "left out: 0"]),
        (["run", "--pairs", "bad.tsv"], ["bad.tsv: no pair to train on: ", "1 malformed"]),
        (
            ["run", "--pairs", "ids.tsv"],
            ["ids.tsv: the sources are numbers, such as '7'"],
        ),
        (["run", "--pairs", "long.tsv", *SMALL], ["long.tsv: no pair fits into 256 tokens"]),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_left(arguments, parts, run, place):
    (place / "empty.json").write_text("{}")
    (place / "odd.json").write_text('{"recipe": {"width": 1}, "training": {}}')
    (place / "nothing.tsv").touch()
    (place / "bad.tsv").write_text("no tab\n")
    (place / "quotes.tsv").write_text('"a\tb\nb\t"a\n')
    (place / "wide.tsv").write_text(PAIRS, "utf-16-le")
    (place / "mac.tsv").write_text("a\tb\rc\td\r")
    os.mkfifo(place / "pipe")
    (place / "ids.tsv").write_text("7\tI have a cat.\t8\t我有一隻貓。\n" * 30)
    long = ["".join(chr(0x4E00 + 300 * n + k) for k in range(300)) for n in range(30)]
    (place / "long.tsv").write_text("".join(f"{text}\tx\n" for text in long), "utf-8")
    before = sorted(place.iterdir())
    refused(run(*arguments), *parts)
    after = [path for path in sorted(place.iterdir()) if path.name != "run"]
    assert after == [path for path in before if path.name != "run"]
    assert not list(place.glob("run/*.safetensors"))


# Going on


CHANGES = [
    (["--d-ff", "64"], "--d-ff must stay 32 in out: got 64 (go on with the same, or train in"),
    (["--norm-first"], "--norm-first must stay False in out: got True"),
    (["--num-decoder-layers", "2"], "--num-decoder-layers must stay None in out: got 2"),
    (["--warmup", "3"], "--warmup must stay 2 to go on: got 3"),
    (["--peak-learning-rate", "1"], "--peak-learning-rate must stay None to go on: got 1.0"),
    (["--seed", "3"], "--seed must stay 0 to go on: got 3"),
    (["--dtype", "bfloat16"], "--dtype must stay 'float32' to go on: got 'bfloat16'"),
]


def test_going_on_with_other_options_is_refused_and_changes_nothing(run, place):
    assert run("out", "--pairs", "pairs.tsv", *SMALL)[0] == 0
    before = files_in(place / "out")
    for typed, text in CHANGES:
        refused(run("out", "--pairs", "pairs.tsv", *SMALL, *typed), text)
    (place / "pairs.tsv").write_text(PAIRS + "x .\t甲。\n", "utf-8")
    refused(run("out", "--pairs", "pairs.tsv", *SMALL), "'pairs.tsv' with other contents")
    assert before == files_in(place / "out")


def test_a_folder_goes_on_with_its_own_numbers(run, spy, place):
    """What is typed counts first; --recipe counts before the folder's own."""
    small = [*SMALL, "--norm-first", "--peak-learning-rate=0.5"]
    assert run("out", *small)[0] == 0
    first = spy["sizes"], spy["numbers"]
    recipe = {"recipe": vars(first[0]), "training": first[1].to_dict()}
    RunFolder(place / "out").write_recipe(recipe)
    assert run("out")[0] == 0
    assert (spy["sizes"], spy["numbers"]) == first
    assert run("out", "--steps=9", "--d-ff=64")[0] == 0
    assert (spy["numbers"].steps, spy["sizes"].d_ff, spy["sizes"].d_model) == (9, 64, 16)
    recipe["recipe"]["d_model"] = 8
    RunFolder(place / "two").write_recipe(recipe)
    assert run("out", "--recipe", "two/recipe.json")[0] == 0
    assert spy["sizes"].d_model == 8


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"recipe": 3}', "[" * 100_000])
def test_a_damaged_recipe_is_named(content, run, place):
    assert run("out", "--pairs", "pairs.tsv", *SMALL)[0] == 0
    recipe = place / "out" / "recipe.json"
    recipe.write_text(content)
    refused(run("out", "--pairs", "pairs.tsv", *SMALL), "out/recipe.json: ", "delete it, or mend")
    recipe.unlink()
    assert run("out", "--pairs", "pairs.tsv", *SMALL, "--steps=5")[0] == 0
    assert recipe.exists()


@pytest.mark.parametrize("line", ["{}", "3", '{"step": "1"}', "{", "[" * 100_000])
def test_a_damaged_log_is_named(line, tmp_path):
    path = RunFolder(tmp_path).log
    path.write_text(f'{{"step": 1}}\n{line}\n{{"step": 3}}\n')
    with pytest.raises(ValueError, match=r"log\.jsonl: line 2 is no record of a run: "):
        read_log(tmp_path)


def test_a_run_may_begin_with_the_model_of_another(run, place):
    assert run("one", "--pairs", "pairs.tsv", *SMALL)[0] == 0
    small = [option for option in SMALL if option.startswith(("--steps", "--warm", "--av", "--b"))]
    (place / "other.tsv").write_text("9 cats .\t九隻貓。\n" * 50, "utf-8")
    code, err = run("two", "--pairs", "other.tsv", "--init", "one/model.safetensors", *small)
    assert code == 0, err
    assert load_model("two/model.safetensors").config == load_model("one/model.safetensors").config
    refused(run("3", "--init", "one/model.safetensors", "--vocab-size=300"), "--vocab-size is that")
    refused(
        run("3", "--pairs", "other.tsv", "--init", "one/model.safetensors", "--d-model=64", *small),
        "one/model.safetensors: cannot begin with another model: d_model=16, not 64",
    )


# Disks


WRITERS = [(checksummed_file, "save_file"), (atomic_write, "_sync")]


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("moment", [1, 2, 4, 7])
def test_a_full_disk_names_the_file_and_leaves_the_folder_usable(
    writer, moment, run, place, monkeypatch
):
    module, name = writer
    real, calls = getattr(module, name), []

    def full(*arguments):
        calls.append(arguments)
        if len(calls) == moment:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(*arguments)

    monkeypatch.setattr(module, name, full)
    refused(run("out", "--pairs", "pairs.tsv", *SMALL), "error: out/", ": No space left on device")
    assert not list((place / "out").glob(".*.tmp"))
    monkeypatch.undo()
    monkeypatch.chdir(place)
    assert run("out", "--pairs", "pairs.tsv", *SMALL)[0] == 0
    assert run("whole", "--pairs", "pairs.tsv", *SMALL)[0] == 0
    for file in ("model.safetensors", "best.safetensors", "step-00000004.safetensors"):
        assert (place / "out" / file).read_bytes() == (place / "whole" / file).read_bytes()


def test_a_log_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    real = Path.open

    def full(path, mode="r", *arguments, **others):
        if mode == "a":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(path, mode, *arguments, **others)

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(OSError, match=r"No space left on device: '.*log\.jsonl'"):
        train(tiny_model(), copy_batches, TrainingConfig(steps=2, warmup=1), tmp_path)


# Another training


HOLD = """
import sys, time
from transformer.training.run_folder import RunFolder
with RunFolder(sys.argv[1]).locked():
    print("locked", flush=True)
    time.sleep(60)
"""


@pytest.mark.process
def test_two_trainings_never_work_in_one_folder(run, place):
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, "out"], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout.readline() == "locked\n"
    before = sorted((place / "out").iterdir())
    refused(
        run("out", "--pairs", "pairs.tsv", *SMALL),
        "out: another training is at work in this folder (wait for its end, or train in another",
    )
    assert sorted((place / "out").iterdir()) == before
    holder.kill()  # the lock goes with the process
    holder.wait()
    holder.stdout.close()
    assert run("out", "--pairs", "pairs.tsv", *SMALL)[0] == 0


@pytest.mark.process
def test_a_recipe_killed_at_any_moment_goes_on_to_the_same_model(run, place):
    arguments = ["--pairs", "pairs.tsv", *SMALL, "--steps=60", "--evaluate-every=5"]
    assert run("whole", *arguments)[0] == 0
    chance = random.Random(0)
    environment = os.environ | {"OMP_NUM_THREADS": str(torch.get_num_threads())}  # equal sums
    shell = [sys.executable, "-m", "transformer", "train", "killed", *arguments]
    for _ in range(3):
        process = subprocess.Popen(shell, stderr=subprocess.DEVNULL, env=environment)
        wait, before = chance.uniform(0, 1), time.monotonic()
        while not (place / "killed").exists() and process.poll() is None:
            assert time.monotonic() - before < 60
            time.sleep(0.01)
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.wait()
    code, err = run("killed", *arguments)
    assert code == 0, err
    for file in ("model.safetensors", "best.safetensors", "recipe.json"):
        assert (place / "killed" / file).read_bytes() == (place / "whole" / file).read_bytes()
    steps = [record["step"] for record in read_log(place / "killed") if "loss" in record]
    assert steps == sorted(set(steps))


# What is said


def test_says_less_when_asked_to(run, place):
    code, err = run("out", "--pairs", "pairs.tsv", *SMALL)
    assert code == 0
    assert "4/4  valid " in err  # no terminal: plain lines
    assert "the model is in out/model.safetensors" in err
    assert run("two", "--pairs", "pairs.tsv", *SMALL, "--quiet") == (0, "")
    code, err = run("out", "--pairs", "pairs.tsv", *SMALL)
    assert "warning: the run has done 4 steps: no more are asked for (4)" in err


def test_pairs_of_a_file_are_refused_as_the_same_by_name_only(place):
    one = FilePairs("pairs.tsv").identity()
    assert FilePairs([place / "pairs.tsv"]).identity() == one
    (place / "pairs.tsv").write_text(PAIRS.replace("3", "4"), "utf-8")
    assert FilePairs("pairs.tsv").identity() != one


def test_train_takes_a_string_for_a_folder(tmp_path):
    config = TrainingConfig(steps=2, warmup=1)
    train(tiny_model(TINY), copy_batches, config, str(tmp_path), validation_batches())
    assert len(RunFolder(str(tmp_path)).checkpoints()) == 2
    with pytest.raises(ValueError, match=r"^folder must have a name: got ''$"):
        train(tiny_model(TINY), copy_batches, config, "")
