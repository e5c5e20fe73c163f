"""Checkpoints bring model and optimizer back; unfit ones change nothing."""

from dataclasses import replace

import pytest
import torch

from tests.copy_task import TINY, copy_batch, tiny_model
from transformer.data.tokenizer import Tokenizer
from transformer.model_file import load_model, load_tokenizer
from transformer.training.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from transformer.training.config import TrainingConfig
from transformer.training.progress import Progress
from transformer.training.run_folder import RunFolder
from transformer.training.teacher_forcing import accumulate_gradients

PROGRESS, CONFIG = Progress(step=3), TrainingConfig(warmup=7)
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
    checkpoint = Checkpoint(PROGRESS, CONFIG, {"cpu": torch.get_rng_state()[None]})
    path = RunFolder(tmp_path).checkpoint(3)
    save_checkpoint(path, model, optimizer, checkpoint)
    return model, optimizer, path


def test_what_comes_back_trains_on_as_if_nothing_had_happened(trained):
    model, optimizer, path = trained
    other = tiny_model(replace(TINY, dropout=0.0))
    other_optimizer = adam(other)
    checkpoint = load_checkpoint(path, other, other_optimizer)
    assert (checkpoint.progress, checkpoint.config) == (PROGRESS, CONFIG)
    assert torch.equal(checkpoint.rng["cpu"], torch.get_rng_state()[None])
    for _ in range(2):
        update(model, optimizer)
        update(other, other_optimizer)
    assert all(map(torch.equal, model.parameters(), other.parameters()))


def test_holds_the_tokenizer(tmp_path):
    tokenizer = Tokenizer.train(["貓在睡覺。"], 262)
    model = tiny_model(replace(TINY, src_vocab_size=262, tgt_vocab_size=262))
    optimizer, path = adam(model), tmp_path / "checkpoint"
    update(model, optimizer)
    checkpoint = Checkpoint(PROGRESS, CONFIG, {"cpu": torch.get_rng_state()[None]})
    save_checkpoint(path, model, optimizer, checkpoint, tokenizer)
    assert load_tokenizer(path).to_json() == tokenizer.to_json()
    assert load_checkpoint(path, model, optimizer).progress == PROGRESS


def test_a_checkpoint_is_a_model_too(trained):
    model, _, path = trained
    loaded = load_model(path)
    assert all(map(torch.equal, loaded.parameters(), model.parameters()))
