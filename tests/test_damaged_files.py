"""Files of models and checkpoints: whatever is wrong with one is said, and nothing is lost."""

import copy
import json
import random
import re
from dataclasses import replace
from functools import reduce
from operator import getitem

import pytest
import torch
from safetensors.torch import save_file

from tests.copy_task import TINY, tiny_model
from transformer.checksummed_file import ENTRY, FORMAT, open_checksummed, write_checksummed
from transformer.data.tokenizer import Tokenizer
from transformer.model_file import (
    average_models,
    load_model,
    load_tokenizer,
    load_translator,
    save_model,
)
from transformer.training.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from transformer.training.config import TrainingConfig
from transformer.training.progress import Progress

pytestmark = pytest.mark.usefixtures("no_shape_checks")  # our own words, as users see them

WORDS = replace(TINY, src_vocab_size=262, tgt_vocab_size=262, d_ff=8)
TOKENIZER = Tokenizer.train(["貓在睡覺。"], 262)
STATE = {"cpu": torch.get_rng_state()[None]}


def adam(model):
    return torch.optim.Adam(model.parameters(), lr=0.01, fused=True)


def stepped(model):
    """An optimizer after one update."""
    optimizer = adam(model)
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)
    optimizer.step()
    return optimizer


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The bytes of a model and of a checkpoint."""
    folder, model = tmp_path_factory.mktemp("files"), tiny_model(WORDS)
    save_model(folder / "model", model, tokenizer=TOKENIZER)
    checkpoint = Checkpoint(Progress(step=1), TrainingConfig(), STATE)
    save_checkpoint(folder / "checkpoint", model, stepped(model), checkpoint, TOKENIZER)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def path(tmp_path, request, written):
    path = tmp_path / "file.safetensors"
    path.write_bytes(written[request.param])
    return path


def read(path):
    """Read all that a file has for anybody; what cannot be read changes nothing."""
    load_translator(path)


def go_on(path):
    model = tiny_model(WORDS)
    optimizer = stepped(model)
    before = copy.deepcopy((model.state_dict(), optimizer.state_dict()))
    try:
        load_checkpoint(path, model, optimizer)
    except Exception:
        after = (model.state_dict(), optimizer.state_dict())
        torch.testing.assert_close(after, before, rtol=0, atol=0)
        raise


KINDS = pytest.mark.parametrize(
    ("path", "door"), [("model", read), ("checkpoint", go_on)], indirect=["path"]
)
MODEL = pytest.mark.parametrize("path", ["model"], indirect=True)
CHECKPOINT = pytest.mark.parametrize("path", ["checkpoint"], indirect=True)


def refused(door, path, text=""):
    with pytest.raises(ValueError, match=f"^{re.escape(str(path))}: {text}"):
        door(path)


@KINDS
def test_every_truncation_is_refused(path, door):
    door(path)  # as it was written
    content = path.read_bytes()
    for length in [0, 1, 7, 8, 9, *random.Random(0).sample(range(10, len(content)), 20)]:
        path.write_bytes(content[:length])
        refused(door, path, "no complete safetensors file: ")


@KINDS
def test_every_flipped_bit_is_refused(path, door):
    content = path.read_bytes()
    header = 8 + int.from_bytes(content[:8], "little")
    chance = random.Random(0)
    places = [*range(8), *chance.sample(range(8, header), 20), header - 1, header]
    for place in [*places, *chance.sample(range(header, len(content)), 20), len(content) - 1]:
        changed = bytearray(content)
        changed[place] ^= 1 << chance.randrange(8)
        path.write_bytes(changed)
        refused(door, path)


@KINDS
def test_what_is_no_safetensors_file(path, door, tmp_path):
    for content in (b"\x80\x02}q\x00.", b"PK\x03\x04" * 100, b"hello\n" * 50):
        path.write_bytes(content)
        refused(door, path, "no complete safetensors file: ")
    with pytest.raises(IsADirectoryError, match=re.escape(str(tmp_path))):
        door(tmp_path)
    with pytest.raises(FileNotFoundError, match="missing"):
        door(tmp_path / "missing")


@MODEL
def test_errors_of_the_block_are_not_blamed_on_the_file(path):
    with pytest.raises(FileNotFoundError, match=r"other"), open_checksummed(path):
        path.with_name("other").read_bytes()


NESTED = "[" * 200_000


@MODEL
@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (None, "no file of this package, or of its first days: make it again$"),
        ("{", "damaged: its header is no JSON document: "),
        ("[]", "damaged: its header is no JSON document: a list$"),
        (NESTED, "damaged: its header is no JSON document: "),
        (json.dumps({"format": FORMAT + 1}), "written in format 2: this package reads 1$"),
        ("{}", "written in format None: this package reads 1$"),
        (json.dumps({"format": FORMAT}), "damaged: its header does not have its checksum$"),
    ],
)
def test_headers_that_are_none(path, entry, text):
    entries = {"config": "{}"} if entry is None else {ENTRY: entry}
    save_file({"weight": torch.ones(2)}, path, entries)
    refused(read, path, text)


def craft(path, change):
    """Write the file again, with the right checksums and something else in it."""
    with open_checksummed(path) as file:
        document, tensors = copy.deepcopy(file.document), file.tensors()
    change(document, tensors)
    write_checksummed(path, document, tensors)


def put(*names_and_value):
    """Put a value into the document, under these names one in the other."""
    *names, last, value = names_and_value

    def change(document, tensors):
        reduce(getitem, names, document)[last] = value

    return change


def drop(*names):
    def change(document, tensors):
        del reduce(getitem, names[:-1], document)[names[-1]]

    return change


def config(**values):
    return lambda document, tensors: document["config"].update(values)


def tensor(name, make):
    return lambda document, tensors: tensors.update({name: make(tensors[name])})


def lose(name):
    return lambda document, tensors: tensors.pop(name)


def other_tokenizer(document, tensors):
    tokenizer = Tokenizer.train(["不是貓，是狗。"], 264)
    document["tokenizer"] = json.loads(tokenizer.to_json())


WEIGHT = "src_embedding.weight"
CRAFTED = [
    (drop("config"), "no model of this package: it has no config"),
    (put("config", []), "no model of this package: "),
    (put("config", 3), "no model of this package: "),
    (put("config", {}), "no model of this package: .*missing config fields"),
    (config(nonsense=1), "no model of this package: .*unknown fields"),
    (config(d_model="16"), "no model of this package: .*d_model must be an integer"),
    (config(dropout="much"), "no model of this package: .*dropout must be a number"),
    (config(d_model=10**9), "its config does not fit its size: d_model=1000000000"),
    (config(d_ff=10**30), "its config does not fit its size: d_ff="),
    (config(d_ff=10**4), r"its config asks for more than \d\d\d,\d\d\d numbers"),
    (config(max_len=10**12), "max_len=1000000000000 positions of d_model=16 take more"),
    (config(max_len=10**7), "max_len=10000000 positions of d_model=16 take more than 512 MiB"),
    (config(num_encoder_layers=10**6), "its config does not fit its size: num_encoder_layers="),
    (config(num_decoder_layers=2), r"weights do not fit the config: decoder\.layers\.1\."),
    (config(d_ff=16), r"weights do not fit the config: decoder\.layers\.0\.feed_forward"),
    (config(tie_output=False), r"weights do not fit the config: output_layer\.bias"),
    (config(pad_id=1, bos_id=0), "the tokenizer must be the model's own: its pad_id is 0, the mo"),
    (config(eos_id=5), "the tokenizer must be the model's own: its eos_id is 2, the model's 5"),
    (other_tokenizer, "the tokenizer must be the model's own: its src_vocab_size is 264, the mod"),
    (drop("tokenizer"), "a model without a tokenizer"),
    (put("tokenizer", {}), "not the JSON of a tokenizer"),
    (put("tokenizer", 3), "not the JSON of a tokenizer"),
    (put("tokenizer", "model", "vocab", {}), ""),
    (put("tokenizer", {"spelling": "loud", "bpe": json.loads(TOKENIZER.to_json())}), "spelling"),
    (lose(WEIGHT), f"weights do not fit the config: {WEIGHT}"),
    (tensor(WEIGHT, lambda w: w[:5]), f"weights do not fit the config: {WEIGHT}"),
    (tensor(WEIGHT, lambda w: w.long()), f"weights must be floats: {WEIGHT} is torch.int64"),
    (tensor(WEIGHT, lambda w: w > 0), f"weights must be floats: {WEIGHT} is torch.bool"),
    (tensor(WEIGHT, lambda w: w.cfloat()), f"weights must be floats: {WEIGHT} is C64"),
    (tensor(WEIGHT, lambda w: w / 0), f"every number must be finite: {WEIGHT}"),
    (tensor(WEIGHT, lambda w: w * torch.nan), f"every number must be finite: {WEIGHT}"),
]


@MODEL
@pytest.mark.parametrize(("change", "text"), CRAFTED)
def test_crafted_models(path, change, text):
    craft(path, change)
    refused(read, path, text)


FIRST = "training.optimizer.0"
TRAIN = "training cannot go on: "
CRAFTED_CHECKPOINTS = [
    (drop("training"), "a model without its training state: training cannot go on$"),
    (put("training", 3), f"{TRAIN}its training state must have"),
    (drop("training", "progress"), f"{TRAIN}its training state must have"),
    (put("training", "progress", []), f"{TRAIN}progress must be values by name"),
    (drop("training", "progress", "epoch"), f"{TRAIN}progress must have"),
    (put("training", "progress", "step", "1"), f"{TRAIN}step must be an integer"),
    (put("training", "progress", "batch", -1), f"{TRAIN}batch must be at least 0"),
    (put("training", "progress", "best_loss", "low"), f"{TRAIN}best_loss must be a finite"),
    (put("training", "scaler", {"scale": 1.0}), f"{TRAIN}its loss scaling must have"),
    (put("training", "config", None), f"{TRAIN}config must be values by name"),
    (put("training", "config", "warmup", "x"), f"{TRAIN}warmup must be an integer"),
    (put("training", "config", "nonsense", 1), f"{TRAIN}unknown fields"),
    (put("training", "optimizer", "SGD"), f"{TRAIN}its optimizer is 'SGD', not Adam$"),
    (put("training", "groups", []), f"{TRAIN}its optimizer must have 1 groups"),
    (put("training", "groups", 0, "lr", "fast"), f"{TRAIN}lr must be like 0.01: got 'fast'"),
    (put("training", "groups", 0, "betas", 3), f"{TRAIN}betas must be like"),
    (put("training", "groups", 0, "params", [0]), f"{TRAIN}its optimizer has other parameters"),
    (put("training", "groups", 0, "odd", 1), f"{TRAIN}a group of parameters must have some of"),
    (put("training", "schedule", {}), f"{TRAIN}a schedule of one's own must stay"),
    (tensor(f"{FIRST}.exp_avg_sq", lambda m: torch.ones(3)), f"{TRAIN}exp_avg_sq of parameter 0"),
    (tensor(f"{FIRST}.exp_avg", lambda m: torch.tensor(1.0)), f"{TRAIN}exp_avg of parameter 0"),
    (tensor(f"{FIRST}.exp_avg", lambda m: m.long()), f"{TRAIN}exp_avg of parameter 0 must be fl"),
    (tensor(f"{FIRST}.exp_avg", lambda m: m / 0), f"every number must be finite: {FIRST}.exp_avg"),
    (tensor(f"{FIRST}.step", lambda m: torch.ones(2)), f"{TRAIN}step of parameter 0"),
    (lose(f"{FIRST}.exp_avg"), f"{TRAIN}parameter 0 must have"),
    (lose("training.rng.cpu"), f"{TRAIN}the random state of the cpu is missing$"),
    (tensor("training.rng.cpu", lambda r: r[:, :-8].clone()), f"{TRAIN}the random state of the"),
    (tensor("training.rng.cpu", lambda r: r.float()), f"{TRAIN}random states must be rows of by"),
    (tensor("training.rng.cpu", lambda r: r[:0]), f"{TRAIN}random states must be rows of bytes"),
    (tensor(WEIGHT, lambda w: w / 0), f"every number must be finite: {WEIGHT}"),
    (lambda _, tensors: tensors.update({"training.optimizer.999.step": torch.tensor(1.0)}),
     rf"{TRAIN}moments of parameters that are not there: \[999\]$"),
    (lambda _, tensors: tensors.update({"training.optimizer.step": torch.tensor(1.0)}),
     rf"{TRAIN}no tensor of an optimizer: training.optimizer.step$"),
    (lambda _, tensors: tensors.update({"training.rng.tpu": tensors["training.rng.cpu"].clone()}),
     rf"{TRAIN}random states must be of cpu, cuda or mps: got \['tpu'\]$"),
    (tensor("training.rng.cpu", torch.zeros_like), f"{TRAIN}the random state of the cpu is none"),
    (config(dropout=0.3), "holds another model: dropout=0.3, not 0.2$"),
]  # fmt: skip


@CHECKPOINT
@pytest.mark.parametrize(("change", "text"), CRAFTED_CHECKPOINTS)
def test_crafted_checkpoints(path, change, text):
    craft(path, change)
    refused(go_on, path, text)


@MODEL
def test_tensors_outlive_their_file(path):
    with open_checksummed(path) as file:
        tensors = file.tensors()
    before = copy.deepcopy(tensors)
    with path.open("r+b") as file:  # the same file, other bytes: not a new one in its place
        file.write(b"\0" * path.stat().st_size)
    torch.testing.assert_close(tensors, before, rtol=0, atol=0)


@MODEL
def test_strings_are_paths(path):
    assert load_model(str(path)).config == load_translator(str(path))[0].config == WORDS
    assert average_models([str(path)]).config == WORDS
    assert load_tokenizer(str(path)).vocab_size == 262
    save_model(str(path), tiny_model())
    assert load_model(path).config == TINY


def test_what_cannot_be_saved_is_refused_and_the_old_file_stays(tmp_path):
    path, model = tmp_path / "model", tiny_model()
    save_model(path, model)
    before = path.read_bytes()
    for dtype in (torch.int8, torch.bool, torch.complex64):
        with pytest.raises(ValueError, match=r"^dtype must be one of .*torch\.float16"):
            save_model(path, model, dtype)
    with pytest.raises(ValueError, match=r"^the tokenizer must be the model's own: its src_vocab"):
        save_model(path, model, tokenizer=TOKENIZER)
    with torch.no_grad():
        model.output_layer.weight[0] = 1e9
    with pytest.raises(ValueError, match=r"finite: src_embedding.weight \(torch.float16\) is not$"):
        save_model(path, model, torch.float16)
    assert path.read_bytes() == before
