"""Checkpoints bring model and optimizer back; unfit ones change nothing."""

import copy
import re
from dataclasses import replace

import pytest
import torch

from tests.copy_task import TINY, copy_batch, tiny_model
from transformer.data.tokenizer import Tokenizer
from transformer.model_file import (
    load_model,
    load_tokenizer,
    read_file,
    save_model,
    staging_folder,
    write_file,
)
from transformer.training.checkpoint import (
    Checkpoint,
    checkpoint_path,
    checkpoints,
    load_checkpoint,
    prune,
    save_checkpoint,
)
from transformer.training.teacher_forcing import accumulate_gradients

BATCH = copy_batch(3, 5, torch.Generator().manual_seed(0))


def adam(model):
    return torch.optim.Adam(model.parameters(), lr=0.01, betas=(0.9, 0.98))


def update(model, optimizer):
    accumulate_gradients(model, [BATCH])
    optimizer.step()
    optimizer.zero_grad()


@pytest.fixture
def trained(tmp_path):
    """A model and an optimizer after three updates, and their checkpoint."""
    model = tiny_model(replace(TINY, dropout=0.0))
    optimizer = adam(model)
    for _ in range(3):
        update(model, optimizer)
    checkpoint = Checkpoint({"step": 3}, {"warmup": 7}, {"cpu": torch.get_rng_state()[None]})
    path = checkpoint_path(tmp_path, 3)
    save_checkpoint(path, model, optimizer, checkpoint)
    return model, optimizer, path


def test_what_comes_back_trains_on_as_if_nothing_had_happened(trained):
    model, optimizer, path = trained
    other = tiny_model(replace(TINY, dropout=0.0))
    other_optimizer = adam(other)
    checkpoint = load_checkpoint(path, other, other_optimizer)
    assert (checkpoint.progress, checkpoint.config) == ({"step": 3}, {"warmup": 7})
    assert torch.equal(checkpoint.rng["cpu"], torch.get_rng_state()[None])
    for _ in range(2):
        update(model, optimizer)
        update(other, other_optimizer)
    assert all(map(torch.equal, model.parameters(), other.parameters()))


def test_holds_the_tokenizer(trained):
    model, optimizer, path = trained
    tokenizer = Tokenizer.train(["貓在睡覺。"], 300)
    checkpoint = load_checkpoint(path, model, optimizer)
    save_checkpoint(path, model, optimizer, checkpoint, tokenizer)
    assert load_tokenizer(path).to_json() == tokenizer.to_json()
    assert load_checkpoint(path, model, optimizer).progress == {"step": 3}


def test_a_checkpoint_is_a_model_too(trained):
    model, _, path = trained
    loaded = load_model(path)
    assert all(map(torch.equal, loaded.parameters(), model.parameters()))


def unchanged_after(path, text, config=TINY):
    """Loading must fail with this text, and leave model and optimizer alone."""
    model = tiny_model(replace(config, dropout=0.0))
    optimizer = adam(model)
    update(model, optimizer)
    weights = copy.deepcopy(model.state_dict())
    state = copy.deepcopy(optimizer.state_dict())
    with pytest.raises(ValueError, match=f"^{re.escape(str(path))}: {text}"):
        load_checkpoint(path, model, optimizer)
    torch.testing.assert_close(model.state_dict(), weights, rtol=0, atol=0)
    torch.testing.assert_close(optimizer.state_dict(), state, rtol=0, atol=0)


def test_refuses_a_truncated_file(trained):
    _, _, path = trained
    path.write_bytes(path.read_bytes()[:-1])
    unchanged_after(path, "no complete safetensors file: ")


def test_refuses_a_model_without_training_state(trained):
    model, _, path = trained
    save_model(path, model)
    unchanged_after(path, "a model without its training state: training cannot go on$")


def test_refuses_the_checkpoint_of_another_model(trained):
    _, _, path = trained
    unchanged_after(path, "holds another model: d_ff=32, not 64$", replace(TINY, d_ff=64))


def test_refuses_weights_that_do_not_fit(trained):
    _, _, path = trained
    config, tensors, header = read_file(path)
    tensors["src_embedding.weight"] = torch.ones(5, 16)
    write_file(path, config, tensors, training=header["training"])
    unchanged_after(path, r"weights do not fit the config: src_embedding\.weight$")


def test_a_missing_checkpoint_is_not_found(tmp_path):
    model = tiny_model()
    with pytest.raises(FileNotFoundError, match=r"step-00000001\.safetensors"):
        load_checkpoint(checkpoint_path(tmp_path, 1), model, adam(model))


def test_lists_complete_checkpoints_oldest_first(tmp_path):
    for name in ("step-00000020", "step-00000003", "best", ".step-00000004"):
        (tmp_path / f"{name}.safetensors").touch()
    (tmp_path / ".step-00000005.safetensors.tmp").touch()
    assert checkpoints(tmp_path) == [checkpoint_path(tmp_path, step) for step in (3, 20)]


def test_prunes_old_checkpoints_and_unfinished_files(tmp_path):
    for step in (1, 2, 3):
        checkpoint_path(tmp_path, step).touch()
    (tmp_path / "best.safetensors").touch()
    (tmp_path / ".mine").touch()
    unfinished = staging_folder(checkpoint_path(tmp_path, 4))
    unfinished.mkdir()
    (unfinished / "half").touch()
    prune(tmp_path, keep=2)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        ".mine", "best.safetensors", "step-00000002.safetensors", "step-00000003.safetensors"
    ]  # fmt: skip
