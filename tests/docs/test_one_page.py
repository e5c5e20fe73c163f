"""The model on one page computes what the package does, learns, and is short enough to be read."""

import ast
import re
from itertools import islice, repeat
from pathlib import Path

import pytest
import torch
from torch import nn

from docs import one_page
from docs.builder.directives import Page, source
from transformer import (
    Batch,
    Transformer,
    TransformerConfig,
    collate,
    generate_pairs,
    greedy_decode,
    label_smoothed_cross_entropy,
    load_pretrained,
)

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "one_page.py"
SIZES = {"d_model": 16, "num_heads": 2, "d_ff": 32, "dropout": 0.0}
SRC = torch.tensor([[5, 6, 7, 2], [8, 2, 0, 0]])
TGT = torch.tensor([[1, 9, 2, 0, 0], [1, 4, 6, 8, 2]])


def with_weights_of(package: Transformer, **sizes: int | float) -> one_page.Transformer:
    """Return the page's model with the package's weights: one embedding in place of three."""
    model = one_page.Transformer(one_page.Config(package.config.src_vocab_size, **sizes))
    weights = {page_name(name): weight for name, weight in package.state_dict().items()}
    model.load_state_dict(weights)
    return model


def page_name(name: str) -> str:
    name = re.sub("^(src_embedding|tgt_embedding|output_layer)", "embedding", name)
    return name.replace("coder.layers.", "coder.")


@pytest.fixture
def package() -> Transformer:
    torch.manual_seed(0)
    layers = {"num_encoder_layers": 2, "num_decoder_layers": 2}
    config = TransformerConfig(11, 11, **layers, **SIZES, share_embeddings=True, tie_output=True)
    model = Transformer(config)
    for parameter in model.parameters():  # biases and scales too, which begin at 0 and 1
        nn.init.normal_(parameter, std=0.3)
    return model


@pytest.fixture
def page(package: Transformer) -> one_page.Transformer:
    return with_weights_of(package, **SIZES)


def test_the_same_weights_give_the_same_logits(
    package: Transformer, page: one_page.Transformer
) -> None:
    with torch.no_grad():
        wanted, found = package(SRC, TGT), page(SRC, TGT)
    real = TGT != 0  # what stands at padding, nobody reads
    torch.testing.assert_close(found[real], wanted[real], rtol=0, atol=1e-5)


def test_the_same_weights_give_the_same_loss_and_gradients(
    package: Transformer, page: one_page.Transformer
) -> None:
    wanted = label_smoothed_cross_entropy(package(SRC, TGT[:, :-1]), TGT[:, 1:], smoothing=0.1)
    found = one_page.loss_of(page, Batch(SRC, TGT))
    torch.testing.assert_close(found, wanted)
    wanted.backward()
    found.backward()
    theirs = {page_name(name): one.grad for name, one in package.named_parameters()}
    assert theirs.keys() == dict(page.named_parameters()).keys()
    for name, parameter in page.named_parameters():
        torch.testing.assert_close(parameter.grad, theirs[name], rtol=1e-4, atol=1e-6, msg=name)


def test_the_shipped_weights_write_the_same_sentences() -> None:
    shipped, tokenizer = load_pretrained()
    page = with_weights_of(shipped).eval()
    pairs = [(pair.source, pair.target) for pair in islice(generate_pairs(0, "test"), 16)]
    ids = [(tokenizer.encode_source(s), tokenizer.encode_target(t)) for s, t in pairs]
    src = collate(ids).src
    assert one_page.greedy_decode(page, src) == greedy_decode(shipped, src)


def test_a_sentence_that_never_ends_is_cut(
    page: one_page.Transformer, monkeypatch: pytest.MonkeyPatch
) -> None:
    always_seven = torch.eye(11)[[7, 7]]
    monkeypatch.setattr(page, "project", lambda states: always_seven)
    assert one_page.greedy_decode(page, SRC, max_new_tokens=3) == [[7, 7, 7], [7, 7, 7]]


def test_a_few_steps_lower_the_loss(capsys: pytest.CaptureFixture[str]) -> None:
    torch.manual_seed(0)
    _, tokenizer = load_pretrained()
    batch = next(one_page.batch_stream(one_page.sentence_pairs("train", 30), tokenizer))
    model = one_page.Transformer(one_page.Config(tokenizer.vocab_size, d_model=32, d_ff=64))
    before = one_page.loss_of(model.eval(), batch).item()
    one_page.train(model, repeat(batch), steps=20, warmup=10)
    assert one_page.loss_of(model, batch).item() < before - 1
    assert capsys.readouterr().out.startswith("step 1: loss ")


def test_an_epoch_holds_every_pair_and_is_followed_by_another() -> None:
    _, tokenizer = load_pretrained()
    pairs = one_page.sentence_pairs("train", 30)  # in one batch
    first, second = islice(one_page.batch_stream(pairs, tokenizer), 2)
    assert len(first.src) == len(second.src) == 30
    assert not first.src.equal(second.src)


def test_it_runs_from_pairs_to_translations(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def few(split: str, number: int) -> list[tuple[str, str]]:
        return pairs[split][:number]

    pairs = {split: one_page.sentence_pairs(split, 100) for split in ("train", "test")}
    monkeypatch.setattr(one_page, "sentence_pairs", few)
    one_page.main(steps=1)
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.startswith("step 1: loss ")
    assert [source for source, _ in pairs["test"][:10]] == rest[::2]
    assert all("✓" in answer or "✗" in answer for answer in rest[1::2])


def test_its_page_shows_the_very_file() -> None:
    shown = source.render("docs.one_page", str, Page("assembly/one-page.md", "en"))
    assert FILE.read_text("utf-8") in shown + "\n"


def test_it_is_short_enough_to_be_read() -> None:
    assert len(FILE.read_text("utf-8").splitlines()) <= 200


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_its_page_shows_every_definition_in_the_order_of_the_file(language: str) -> None:
    text = (ROOT / "docs" / language / "assembly" / "one-page.md").read_text("utf-8")
    shown = re.findall(r"<!-- source: docs\.one_page\.(\w+) -->", text)
    nodes = ast.parse(FILE.read_text("utf-8")).body
    assert shown == [n.name for n in nodes if isinstance(n, ast.ClassDef | ast.FunctionDef)]
