"""`transformer train`: options, pairs, disks and other trainings; the folder stays usable."""

import errno
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import fields, replace
from pathlib import Path

import ctranslate2
import pytest
import tokenizers
import torch
from safetensors import SafetensorError

from tests.copy_task import copy_batches, tiny_model
from transformer import atomic_write, checksummed_file
from transformer.cli import training as command
from transformer.data.training_pairs import GrammarPairs
from transformer.model.config import TransformerConfig
from transformer.model_file import load_model
from transformer.training.config import TrainingConfig
from transformer.training.log import read_log
from transformer.training.loop import train
from transformer.training.presets import PRESETS
from transformer.training.recipe import Recipe
from transformer.training.run_folder import RunFolder

pytestmark = pytest.mark.usefixtures("no_shape_checks")  # our own words, as users see them

SMALL = ["--d-model=16", "--num-heads=2", "--num-layers=1", "--d-ff=32", "--batch-tokens=256"]
SMALL += ["--vocab-size=300", "--steps=4", "--warmup=2", "--average=2", "--device=cpu"]
OWN = ["--pairs", "pairs.tsv", *SMALL]
PAIRS = "".join(f"{n} cats .\t{n} 隻貓。\n" for n in range(60))


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A working folder with a file of pairs."""
    (tmp_path / "pairs.tsv").write_text(PAIRS, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def train_in(run):
    """Run `transformer train` in a folder; return the exit code and what was said."""

    def train_in(*arguments):
        code, out, err = run("train", *arguments)
        assert out == ""
        return code, err

    return train_in


def files_in(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refused(result, *parts):
    code, err = result
    assert code == 2, err
    last = err.splitlines()[-1]
    assert last.startswith("error: ")
    for part in parts:
        assert part in last


# Separate vocabularies


def test_each_language_may_have_a_vocabulary_of_its_own(train_in, run, place):
    words = {"cat": "貓", "dog": "狗", "fish": "魚", "bird": "鳥"}
    pairs = {f"{a} {b}": words[a] + words[b] for a in words for b in words}
    (place / "both.tsv").write_text("".join(f"{s}\t{t}\n" for s, t in pairs.items()), "utf-8")
    sizes = ["--d-model=32", "--num-heads=2", "--num-layers=1", "--d-ff=64", "--vocab-size=300"]
    sizes += ["--separate-vocabularies", "--dropout=0", "--average=2", "--device=cpu"]
    sizes += ["--warmup=20", "--peak-learning-rate=0.01"]
    data = ["--pairs", "both.tsv", "--validation", "both.tsv"]
    code, err = train_in("run", *data, *sizes, "--steps=60")
    assert code == 0
    assert "274 source and 268 target ids" in err
    assert train_in("run", *data, "--steps=120")[0] == 0  # The folder knows that there are two.
    assert train_in("other", *data, "--init", "run/model.safetensors", "--steps=2")[0] == 0

    model = "run/model.safetensors"
    assert run("translate", "--model", model, *pairs)[:2] == (0, "\n".join(pairs.values()) + "\n")
    traced = run("trace", "--model", model, "--sentence=cat dog")[1]
    assert "forward  src (1, 3), tgt (1, 3)" in traced
    table = run("translate", "--model", model, "--attention", "cat dog")[1]
    assert [row.split()[0] for row in table.splitlines()[2:]] == ["cat", "dog", "<eos>"]
    scores = run("evaluate", "--model", model, "--pairs", "both.tsv")[1]
    assert "BLEU 100.00, chrF 100.00, 100.00% exact match" in scores
    assert run("export", model, "served")[0] == 0
    source, target = (
        tokenizers.Tokenizer.from_file(f"served/{side}_tokenizer.json")
        for side in ("source", "target")
    )
    engine = ctranslate2.Translator("served")
    for text, translation in pairs.items():
        [found] = engine.translate_batch([source.encode(text).tokens])
        assert target.decode([*map(target.token_to_id, found.hypotheses[0])]) == translation


# Every option arrives


OPTIONS = {
    "numbers": {
        "steps": 7, "warmup": 7, "peak_learning_rate": 0.5, "accumulate": 7,
        "label_smoothing": 0.25, "evaluate_every": 7, "save_every": 7, "patience": 7, "seed": 7,
        "dtype": "bfloat16", "compile": True, "best_by": "chrf",
    },
    "sizes": {
        "batch_tokens": 77, "vocab_size": 777, "d_model": 36, "num_heads": 8, "num_layers": 7,
        "num_encoder_layers": 7, "num_decoder_layers": 7, "d_ff": 7, "norm_first": True,
        "dropout": 0.25, "max_len": 7, "average": 7, "separate_vocabularies": True,
        "scored_pairs": 7,
    },
}  # fmt: skip


@pytest.fixture
def spy(monkeypatch):
    """What `train_translator` was called with, instead of training."""
    seen = {}

    def train_translator(folder, pairs, sizes, numbers, **others):
        seen.update(folder=folder, pairs=pairs, sizes=sizes, numbers=numbers, others=others)
        return Path(folder, "model.safetensors")

    monkeypatch.setattr(command, "train_translator", train_translator)
    return seen


@pytest.mark.parametrize(
    ("where", "name", "value"),
    [(where, *option) for where, options in OPTIONS.items() for option in options.items()],
)
def test_every_option_arrives(where, name, value, train_in, spy, place):
    assert train_in("out")[0] == 0
    assert getattr(spy[where], name) != value
    option = "--" + name.replace("_", "-")
    assert train_in("out", option, *([] if value is True else [value]))[0] == 0
    assert getattr(spy[where], name) == value


def test_every_field_with_a_help_is_an_option_that_arrives():
    known = {field.name for cls in (Recipe, TrainingConfig) for field in fields(cls)
             if "help" in field.metadata}  # fmt: skip
    assert known <= {name for options in OPTIONS.values() for name in options}


def test_the_other_options_arrive(train_in, spy, place):
    assert train_in("out", "--average", 12, "--device", "cpu", "--quiet")[0] == 0
    assert spy["numbers"].keep == 12
    assert (spy["others"]["device"], spy["others"]["bar"]) == (torch.device("cpu"), False)


def test_files_and_seed_arrive(train_in, spy, place):
    assert train_in("out")[0] == 0
    assert (spy["sizes"], spy["numbers"]) == (Recipe(), TrainingConfig())
    assert spy["pairs"] == GrammarPairs(0)
    assert train_in("out", "--seed", 3)[0] == 0
    assert spy["pairs"] == GrammarPairs(3)
    for name in ("a", "b", "held"):
        (place / name).touch()
    assert train_in("out", "--source", "a", "--target", "b", "--validation", "held")[0] == 0
    assert spy["pairs"].paths == (Path("a"), Path("b"))
    assert spy["pairs"].validation_path == Path("held")
    assert spy["folder"] == "out"


def test_the_recipe_of_a_run_is_the_default_of_another(train_in, spy, place):
    changed = ["--d-model=64", "--num-heads=8", "--num-encoder-layers=3", "--warmup=5"]
    RunFolder(place / "one").write_recipe({"recipe": {}, "training": {}})
    assert train_in("out", *changed, "--peak-learning-rate=0.5", "--average=3")[0] == 0
    first = spy["sizes"], spy["numbers"]
    recipe = {"recipe": vars(first[0]), "training": first[1].to_dict()}
    RunFolder(place / "one").write_recipe(recipe)
    assert train_in("two", "--recipe", "one/recipe.json")[0] == 0
    assert (spy["sizes"], spy["numbers"]) == first
    assert train_in("two", "--recipe", "one/recipe.json", "--warmup=6", "--num-layers=1")[0] == 0
    assert (spy["numbers"].warmup, spy["sizes"].num_layers) == (6, 1)
    assert spy["sizes"].num_encoder_layers is None
    assert spy["sizes"].d_model == 64


def test_a_preset_is_the_default_and_what_is_typed_goes_before(train_in, spy, place):
    for name, preset in PRESETS.items():
        assert train_in("out", "--preset", name)[0] == 0
        assert (spy["sizes"], spy["numbers"]) == (preset.recipe, preset.training)
    assert train_in("out", "--preset", "base", "--dropout=0.25", "--warmup=9")[0] == 0
    base = PRESETS["base"]
    assert spy["sizes"] == replace(base.recipe, dropout=0.25)
    assert spy["numbers"] == replace(base.training, warmup=9)
    paper = TransformerConfig(32_000, 32_000, share_embeddings=True, tie_output=True, max_len=256)
    assert base.recipe.config(32_000) == paper
    for option in ("--recipe", "--init"):
        refused(train_in("out", "--preset", "tiny", option, "x"), f"without {option}")


# What is wrong is said by the name that was typed


TOO_LARGE = "at most 10,000,000,000 numbers"


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["", "--pairs", "pairs.tsv"], ["folder must have a name: got ''"]),
        (["pairs.tsv"], ["folder must be a folder: got the file pairs.tsv"]),
        (["run", "--batch-tokens", 0], ["--batch-tokens must be at least 3: got 0"]),
        (["run", "--max-len", 1], ["--max-len must be at least 3: got 1"]),
        (["run", "--max-len", 10**9], [TOO_LARGE, "max_len=1000000000"]),
        (["run", "--num-heads", 3], ["must divide d_model", "num_heads=3"]),
        (["run", "--seed", 2**64], ["--seed must be from 0 to 9223372036854775807: got 1844674"]),
        (["run", "--label-smoothing", 1], ["--label-smoothing must be at least 0 and below 1"]),
        (["run", "--peak-learning-rate", 0], ["must be above 0 and finite"]),
        (["run", "--steps", 0], ["--steps must be at least 1: got 0"]),
        (["run", "--validation", "pairs.tsv"], ["--validation needs pairs of your own"]),
        (["run", "--recipe", "missing.json"], ["missing.json: No such file"]),
        (["run", "--recipe", "pairs.tsv"], ["pairs.tsv: damaged, no JSON object: "]),
        (["run", "--recipe", "empty.json"], ["empty.json: no recipe of a run: KeyError('recipe')"]),
        (["run", "--recipe", "odd.json"], ["odd.json: no recipe of a run: ", "unknown fields"]),
        (["run", "--device", "cuda"], ["--device must be one that PyTorch finds: got 'cuda'"]),
        (["run", "--init", "missing"], ["missing: No such file"]),
        (["run", "--init", "pairs.tsv"], ["pairs.tsv: no complete safetensors file"]),
        (["run", "--pairs", "pipe"], ["pipe: pairs to be read more than once must be in a file"]),
        (["run", "--pairs", "wide.tsv"], ["wide.tsv must be UTF-8: it is UTF-16"]),
        (["run", "--pairs", "mac.tsv"], ["mac.tsv must have lines that end in LF or CRLF"]),
        (["run", "--pairs", "pairs.tsv", "--validation", "bad.tsv", "--patience", 1, *SMALL],
         ["--patience must have pairs to validate with: got 1, and of 0 pairs"]),
        (["run", "--pairs", "nothing.tsv"], ["nothing.tsv: no pair to train on: ", "left out: 0"]),
        (["run", "--pairs", "bad.tsv"], ["bad.tsv: no pair to train on: ", "1 malformed"]),
        (["run", "--pairs", "long.tsv", *SMALL], ["long.tsv: no pair fits into 256 tokens"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_and_nothing_is_left(arguments, parts, train_in, place, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    (place / "empty.json").write_text("{}")
    (place / "odd.json").write_text('{"recipe": {"width": 1}, "training": {}}')
    (place / "nothing.tsv").touch()
    (place / "bad.tsv").write_text("no tab\n")
    (place / "wide.tsv").write_text(PAIRS, "utf-16-le")
    (place / "mac.tsv").write_text("a\tb\rc\td\r")
    os.mkfifo(place / "pipe")
    long = ["".join(chr(0x4E00 + 300 * n + k) for k in range(300)) for n in range(30)]
    (place / "long.tsv").write_text("".join(f"{text}\tx\n" for text in long), "utf-8")
    before = sorted(place.iterdir())
    refused(train_in(*arguments), *parts)
    after = [path for path in sorted(place.iterdir()) if path.name != "run"]
    assert after == [path for path in before if path.name != "run"]
    assert not list(place.glob("run/*.safetensors"))


# Going on


CHANGES = [
    (["--d-ff", "64"], "--d-ff must stay 32 in out: got 64 (go on with the same, or train in"),
    (["--norm-first"], "--norm-first must stay False in out: got True"),
    (["--warmup", "3"], "--warmup must stay 2 to go on: got 3"),
    (["--peak-learning-rate", "1"], "--peak-learning-rate must stay None to go on: got 1.0"),
    (["--dtype", "bfloat16"], "--dtype must stay 'float32' to go on: got 'bfloat16'"),
]


def test_going_on_with_other_options_is_refused_and_changes_nothing(train_in, place):
    assert train_in("out", *OWN)[0] == 0
    before = files_in(place / "out")
    for typed, text in CHANGES:
        refused(train_in("out", *OWN, *typed), text)
    (place / "pairs.tsv").write_text(PAIRS + "x .\t甲。\n", "utf-8")
    refused(train_in("out", *OWN), "'pairs.tsv' with other contents")
    assert before == files_in(place / "out")


def test_a_folder_goes_on_with_its_own_numbers(train_in, spy, place):
    """What is typed counts first; --recipe counts before the folder's own."""
    small = [*SMALL, "--norm-first", "--peak-learning-rate=0.5"]
    assert train_in("out", *small)[0] == 0
    first = spy["sizes"], spy["numbers"]
    recipe = {"recipe": vars(first[0]), "training": first[1].to_dict()}
    RunFolder(place / "out").write_recipe(recipe)
    assert train_in("out")[0] == 0
    assert (spy["sizes"], spy["numbers"]) == first
    assert train_in("out", "--steps=9", "--d-ff=64")[0] == 0
    assert (spy["numbers"].steps, spy["sizes"].d_ff, spy["sizes"].d_model) == (9, 64, 16)
    recipe["recipe"]["d_model"] = 8
    RunFolder(place / "two").write_recipe(recipe)
    assert train_in("out", "--recipe", "two/recipe.json")[0] == 0
    assert spy["sizes"].d_model == 8


def test_a_damaged_recipe_is_named(train_in, place):
    arguments = ["out", *OWN]
    assert train_in(*arguments)[0] == 0
    recipe = place / "out" / "recipe.json"
    for content in ("", "{", "[]", "null", '{"recipe": 3}', "[" * 100_000):
        recipe.write_text(content)
        refused(train_in(*arguments), "out/recipe.json: ", "delete it, or mend")
    recipe.unlink()
    assert train_in(*arguments, "--steps=5")[0] == 0
    assert recipe.exists()


@pytest.mark.parametrize("line", ["{}", "3", '{"step": "1"}', "{", "[" * 100_000])
def test_a_damaged_log_is_named(line, tmp_path):
    path = RunFolder(tmp_path).log
    path.write_text(f'{{"step": 1}}\n{line}\n{{"step": 3}}\n')
    with pytest.raises(ValueError, match=r"log\.jsonl: line 2 is no record of a run: "):
        read_log(tmp_path)


def test_a_run_may_begin_with_the_model_of_another(train_in, place):
    assert train_in("one", *OWN)[0] == 0
    small = [option for option in SMALL if option.startswith(("--steps", "--warm", "--av", "--b"))]
    (place / "other.tsv").write_text("9 cats .\t九隻貓。\n" * 50, "utf-8")
    code, err = train_in("two", "--pairs", "other.tsv", "--init", "one/model.safetensors", *small)
    assert code == 0, err
    assert load_model("two/model.safetensors").config == load_model("one/model.safetensors").config
    refused(
        train_in("3", "--init", "one/model.safetensors", "--vocab-size=300"), "--vocab-size is that"
    )
    refused(
        train_in(
            "3", "--pairs", "other.tsv", "--init", "one/model.safetensors", "--d-model=64", *small
        ),
        "one/model.safetensors: cannot begin with another model: d_model=16, not 64",
    )


# Disks


FULL = errno.ENOSPC, os.strerror(errno.ENOSPC)
RUST = "I/O error: No space left on device (os error 28)"
WRITERS = [(checksummed_file, "save_file", SafetensorError(RUST)),
           (atomic_write, "_sync", OSError(*FULL))]  # fmt: skip


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("moment", [1, 7])
def test_a_full_disk_names_the_file_and_leaves_the_folder_usable(
    writer, moment, train_in, place, monkeypatch
):
    module, name, error = writer
    real, calls = getattr(module, name), []

    def full(*arguments):
        calls.append(arguments)
        if len(calls) == moment:
            raise error
        return real(*arguments)

    monkeypatch.setattr(module, name, full)
    refused(train_in("out", *OWN), "error: out/", ": No space left on device")
    assert not list((place / "out").glob(".*.tmp"))
    monkeypatch.undo()
    monkeypatch.chdir(place)
    assert train_in("out", *OWN)[0] == 0
    assert train_in("whole", *OWN)[0] == 0
    for file in ("model.safetensors", "best.safetensors", "step-00000004.safetensors"):
        assert (place / "out" / file).read_bytes() == (place / "whole" / file).read_bytes()


def test_a_log_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    real = Path.open

    def full(path, mode="r", *arguments, **others):
        if mode == "a":
            raise OSError(*FULL)
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
def test_two_trainings_never_work_in_one_folder(train_in, place):
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, "out"], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout.readline() == "locked\n"
    before = sorted((place / "out").iterdir())
    refused(
        train_in("out", *OWN),
        "out: another training is at work in this folder (wait for its end, or train in another",
    )
    assert sorted((place / "out").iterdir()) == before
    holder.kill()  # the lock goes with the process
    holder.wait()
    holder.stdout.close()
    assert train_in("out", *OWN)[0] == 0


@pytest.mark.process
def test_a_recipe_killed_at_any_moment_goes_on_to_the_same_model(train_in, place):
    arguments = [*OWN, "--steps=60", "--evaluate-every=5"]
    assert train_in("whole", *arguments)[0] == 0
    chance = random.Random(0)
    shell = [sys.executable, "-m", "transformer", "train", "killed", *arguments]
    for _ in range(3):
        process = subprocess.Popen(shell, stderr=subprocess.DEVNULL)
        wait, before = chance.uniform(0, 1), time.monotonic()
        while not (place / "killed").exists() and process.poll() is None:
            assert time.monotonic() - before < 60
            time.sleep(0.01)
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.wait()
    code, err = train_in("killed", *arguments)
    assert code == 0, err
    for file in ("model.safetensors", "best.safetensors", "recipe.json"):
        assert (place / "killed" / file).read_bytes() == (place / "whole" / file).read_bytes()
    steps = [record["step"] for record in read_log(place / "killed") if "loss" in record]
    assert steps == sorted(set(steps))


@pytest.mark.process
def test_two_processes_train_one_model(place):
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node=2", "--standalone"]
    command += ["-m", "transformer", "train", "out", *OWN]
    finished = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert finished.returncode == 0, finished.stderr
    assert finished.stderr.count("the model is in") == 1
    assert load_model(place / "out" / "model.safetensors").config.d_model == 16


# What is said


def test_says_what_it_does_and_less_when_asked_to(train_in, run, place):
    with (place / "pairs.tsv").open("a", encoding="utf-8") as file:
        file.write("no tab\n\t空的\n\n")
    code, err = train_in("out", *OWN)
    assert code == 0
    assert "left out: 3 of 63 lines (2 empty, 1 malformed)" in err
    assert "line 61: malformed" in err
    assert "4/4  valid " in err  # no terminal: plain lines
    assert "the model is in out/model.safetensors" in err
    assert run("translate", "--model", "out/model.safetensors", "3 cats .")[0] == 0
    assert train_in("two", *OWN, "--quiet") == (0, "")
    code, err = train_in("out", *OWN)
    assert "warning: the run has done 4 steps: no more are asked for (4)" in err
