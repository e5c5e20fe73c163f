"""Generators come back to where they were."""

import torch

from transformer.training import random_state
from transformer.training.random_state import restore_random_states

CPU = torch.device("cpu")


def test_each_process_takes_its_own_state_and_a_new_one_keeps_what_it_has(monkeypatch):
    torch.manual_seed(1)
    states = {"cpu": torch.stack([torch.Generator().get_state(), torch.get_rng_state()])}
    drawn = torch.rand(5)
    monkeypatch.setattr(random_state, "rank", lambda: 1)
    restore_random_states(states, CPU)
    assert torch.equal(torch.rand(5), drawn)
    before = torch.get_rng_state()
    monkeypatch.setattr(random_state, "rank", lambda: 2)
    restore_random_states(states, CPU)
    assert torch.equal(torch.get_rng_state(), before)
