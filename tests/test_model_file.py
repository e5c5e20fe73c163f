"""Model files: what is written is read, and nothing but that."""

from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_file

from tests.copy_task import TINY, copy_batch, tiny_model
from tests.refused import refused
from transformer import atomic_write, checksummed_file
from transformer.checksummed_file import ChecksummedFile
from transformer.data.tokenizer import Tokenizer
from transformer.model_file import average_models, load_model, load_tokenizer, save_model

BATCH = copy_batch(3, 5, torch.Generator().manual_seed(0))
UNTIED = replace(TINY, share_embeddings=False, tie_output=False, positional="learned")


@pytest.mark.parametrize("config", [TINY, UNTIED], ids=["tied", "untied"])
def test_round_trip(config, tmp_path):
    model = tiny_model(config).eval()
    save_model(tmp_path / "model.safetensors", model)
    loaded = load_model(tmp_path / "model.safetensors")
    assert loaded.config == config
    assert not loaded.training
    assert torch.equal(loaded(BATCH.src, BATCH.tgt), model(BATCH.src, BATCH.tgt))
    assert [path.name for path in tmp_path.iterdir()] == ["model.safetensors"]
    (tmp_path / "other").touch()
    assert (tmp_path / "model.safetensors").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_shared_weights_are_written_once_and_stay_shared(tmp_path):
    save_model(tmp_path / "model", tiny_model())
    names = set(load_file(tmp_path / "model"))
    assert "src_embedding.weight" in names
    assert not names & {"tgt_embedding.weight", "output_layer.weight"}
    loaded = load_model(tmp_path / "model")
    assert loaded.output_layer.weight is loaded.src_embedding.weight


TOKENIZER = Tokenizer.train(["貓在睡覺。"], 262)
WORDS = replace(TINY, src_vocab_size=262, tgt_vocab_size=262)


def test_the_tokenizer_is_read_without_a_weight(tmp_path, monkeypatch):
    path = tmp_path / "model.safetensors"
    save_model(path, tiny_model(WORDS), tokenizer=TOKENIZER)
    monkeypatch.setattr(ChecksummedFile, "tensors", lambda self: pytest.fail("read the tensors"))
    assert load_tokenizer(path).vocab_size == 262


def test_the_model_goes_where_it_is_asked_to(tmp_path):
    save_model(tmp_path / "model", tiny_model())
    device = next(load_model(tmp_path / "model", device="meta").parameters()).device
    assert device.type == "meta"


def test_the_average_is_the_mean_of_every_weight(tmp_path):
    models, paths = [], []
    for seed in range(3):
        model = tiny_model()
        torch.manual_seed(seed)
        for parameter in model.parameters():
            torch.nn.init.normal_(parameter)
        models.append(model)
        paths.append(tmp_path / f"{seed}")
        save_model(paths[-1], model)
    average = average_models(paths)
    assert not average.training
    for name, weight in average.named_parameters():
        mean = torch.stack([m.get_parameter(name).double() for m in models]).mean(0).float()
        assert torch.equal(weight, mean)


def test_refuses_to_average_nothing_or_different_models(tmp_path):
    with refused(ValueError, "paths must hold at least one file: got none"):
        average_models([])
    a, b = paths = [tmp_path / "a", tmp_path / "b"]
    save_model(a, tiny_model())
    save_model(b, tiny_model(replace(TINY, num_heads=4)))
    with refused(ValueError, f"{b} holds another model than {a}: their configs differ"):
        average_models(paths)


@pytest.mark.parametrize("moment", [(checksummed_file, "save_file"), (atomic_write, "_sync")])
def test_a_crash_while_writing_leaves_the_old_file(moment, tmp_path, monkeypatch):
    path = tmp_path / "model.safetensors"
    save_model(path, tiny_model())
    before = path.read_bytes()

    def crash(*_):
        (tmp_path / ".model.safetensors.tmp" / "half").write_bytes(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(*moment, crash)
    with pytest.raises(OSError, match=r"disk full"):
        save_model(path, tiny_model(UNTIED))
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    monkeypatch.undo()
    save_model(path, tiny_model(UNTIED))
    assert load_model(path).config == UNTIED
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_half_precision_halves_the_file(tmp_path):
    model = tiny_model(replace(TINY, d_ff=2048))
    save_model(tmp_path / "full", model)
    save_model(tmp_path / "half", model, torch.float16)
    assert (tmp_path / "half").stat().st_size < 0.6 * (tmp_path / "full").stat().st_size
    loaded = load_model(tmp_path / "half")
    for name, weight in loaded.named_parameters():
        assert weight.dtype == torch.float32
        assert torch.equal(weight, model.get_parameter(name).half().float())


def test_the_tokenizer_travels_with_the_model(tmp_path):
    path = tmp_path / "model.safetensors"
    for spelling in ("plain", "grammar"):
        tokenizer = Tokenizer.from_json(TOKENIZER.to_json())
        tokenizer.spelling = spelling
        save_model(path, tiny_model(WORDS), tokenizer=tokenizer)
        assert load_tokenizer(path).to_json() == tokenizer.to_json()
        assert load_tokenizer(path).spelling == spelling
        assert load_model(path).config == WORDS


def test_equal_models_are_equal_bytes(tmp_path):
    for name in ("a", "b"):
        save_model(tmp_path / name, tiny_model(WORDS), tokenizer=TOKENIZER)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
