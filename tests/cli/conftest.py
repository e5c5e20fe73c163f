"""What the tests of bad input share: a small model, and an empty folder to work in."""

from pathlib import Path

import pytest
import torch

from transformer import Tokenizer, Transformer, TransformerConfig, save_model


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a model that knows nothing, and is quick."""
    torch.manual_seed(0)
    tokenizer = Tokenizer.train(["the cat is sleeping .", "那隻貓正在睡覺。"], vocab_size=300)
    size = tokenizer.vocab_size
    sizes = {"d_model": 8, "num_heads": 2, "num_encoder_layers": 1, "num_decoder_layers": 1}
    model = Transformer(TransformerConfig(size, size, d_ff=8, max_len=32, **sizes))
    path = tmp_path_factory.mktemp("small") / "model.safetensors"
    save_model(path, model, tokenizer=tokenizer)
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
