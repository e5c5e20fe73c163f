"""The recipe: what it builds, what it writes, and when it refuses to go on."""

import json
from dataclasses import replace

import pytest
import torch

from transformer.data.sources import FilePairs
from transformer.model_file import average_models, load_model, load_tokenizer
from transformer.training.checkpoint import checkpoints
from transformer.training.config import TrainingConfig
from transformer.training.recipe import MODEL, RECIPE, Recipe, train_translator

TINY = Recipe(300, d_model=16, num_heads=2, num_layers=1, d_ff=32, batch_tokens=256)
SHORT = TrainingConfig(steps=6, warmup=2, evaluate_every=3, save_every=2, keep=3)


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.tsv"
    lines = [f"{n} cats .\t{n} 隻貓。\n" for n in range(200)]
    path.write_text("".join(lines) + f"{'long ' * 150}.\t長。\n", "utf-8")
    return FilePairs((path,))


def trained(folder, pairs, recipe=TINY, training=SHORT, **others):
    told = []
    train_translator(folder, pairs, recipe, training, tell=told.append, **others)
    return told


def test_the_model_is_the_mean_of_the_last_checkpoints_in_half_precision(pairs, tmp_path):
    told = trained(tmp_path / "run", pairs, average=2)
    model = load_model(tmp_path / "run" / MODEL)
    mean = average_models(checkpoints(tmp_path / "run")[-2:])
    for name, weight in model.named_parameters():
        assert torch.equal(weight, mean.get_parameter(name).half().float())
    assert "300 ids" in told[0]
    for file in (tmp_path / "run").glob("*.safetensors"):
        assert load_tokenizer(file).vocab_size == 300


def test_tells_which_pairs_were_too_long(pairs, tmp_path):
    told = trained(tmp_path / "run", pairs, replace(TINY, max_len=64, batch_tokens=1024))
    assert told[1].startswith("left out: 1 (1 too long)")


def test_one_matrix_embeds_and_projects():
    config = Recipe().config(vocab_size=1500)
    assert config.share_embeddings
    assert config.tie_output


def test_too_few_pairs_to_validate_are_no_error(tmp_path):
    (tmp_path / "few.tsv").write_text("x .\t甲。\n", "utf-8")
    pairs = FilePairs((tmp_path / "few.tsv",))
    assert pairs.validation() == []
    assert "0 pairs to validate" in trained(tmp_path / "run", pairs)[0]


def test_goes_on_only_with_the_same_recipe(pairs, tmp_path):
    trained(tmp_path / "run", pairs)
    trained(tmp_path / "run", pairs, training=replace(SHORT, steps=8))
    assert json.loads((tmp_path / "run" / RECIPE).read_text("utf-8"))["d_ff"] == 32
    with pytest.raises(ValueError, match=r"run holds a run with d_ff 32: got 64 \(go on with"):
        trained(tmp_path / "run", pairs, replace(TINY, d_ff=64))
    other = tmp_path / "other.tsv"
    other.write_text("x .\t甲。\n", "utf-8")
    with pytest.raises(ValueError, match=r"with pairs 'pairs.tsv': got 'other.tsv'"):
        trained(tmp_path / "run", FilePairs((other,)))


def test_what_is_refused_leaves_nothing_behind(pairs, tmp_path):
    with pytest.raises(ValueError, match=r"^average must be at least 1: got 0$"):
        trained(tmp_path / "run", pairs, average=0)
    with pytest.raises(ValueError, match=r"^vocab_size must be from 260 .* got 100$"):
        trained(tmp_path / "run", pairs, replace(TINY, vocab_size=100))
    with pytest.raises(ValueError, match="num_heads"):
        replace(TINY, num_heads=3)
    with pytest.raises(ValueError, match=r"^folder must be a folder: got the file .*pairs.tsv$"):
        trained(pairs.paths[0], pairs)
    assert [path.name for path in tmp_path.iterdir()] == ["pairs.tsv"]
