"""Source and target as one text: nothing from the future, nothing from padding."""

import pytest
import torch

from tests.parity import assert_near, randomized
from tests.refused import refusals
from transformer import TransformerConfig, label_smoothed_cross_entropy
from transformer.variants import DecoderOnly, NoPositions, RotaryAttention, continue_greedily

CONFIG = TransformerConfig(
    13, 13, d_model=8, num_heads=2, num_encoder_layers=2, d_ff=12, dropout=0.0, max_len=30,
    share_embeddings=True, tie_output=True,
)  # fmt: skip
PARTS = {"plain": {}, "rotary": {"attention": RotaryAttention, "position": NoPositions}}
EACH = pytest.mark.parametrize("parts", PARTS.values(), ids=PARTS)
SRC = torch.tensor([[5, 6, 7, 2], [8, 2, 0, 0]])
TGT = torch.tensor([[1, 4, 9, 2], [1, 6, 2, 0]])


def random_model(parts: dict[str, type]) -> DecoderOnly:
    model = DecoderOnly(CONFIG, **parts)
    return randomized(model, model.encoder).eval()


@EACH
def test_the_future_cannot_matter_and_the_source_does(parts):
    model, other = random_model(parts), TGT.clone()
    other[:, 2:] = 11
    assert torch.equal(model(SRC, TGT)[:, :2], model(SRC, other)[:, :2])
    assert not torch.allclose(model(SRC, TGT)[:, 2:], model(SRC, other)[:, 2:])
    other = SRC.clone()
    other[:, 0] = 12
    assert not torch.allclose(model(SRC, TGT)[:, 0], model(other, TGT)[:, 0])


@EACH
def test_padding_leaves_no_gap(parts, dtype):
    model = random_model(parts)
    assert_near(model(SRC, TGT)[1:, :3], model(SRC[1:, :2], TGT[1:, :3]))


@EACH
def test_greedy_takes_the_most_probable_token_at_every_step(parts):
    model = random_model(parts)
    for src, output in zip(SRC, continue_greedily(model, SRC, max_new_tokens=6)):
        text = torch.tensor([[1, *output]])
        logits = model(src[None], text)[0]
        logits[:, :2] = -torch.inf
        assert logits.argmax(-1).tolist()[: len(output)] == output
        assert len(output) == 6 or logits[-1].argmax() == 2


def test_learns_its_pairs_by_heart():
    model = DecoderOnly(CONFIG)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    for _ in range(100):
        optimizer.zero_grad()
        label_smoothed_cross_entropy(model(SRC, TGT[:, :-1]), TGT[:, 1:]).backward()
        optimizer.step()
    assert continue_greedily(model.eval(), SRC) == [[4, 9], [6]]


test_refuses = refusals(
    (
        lambda: DecoderOnly(TransformerConfig(9, 9)),
        ValueError,
        "share_embeddings must be True for a single text: got False",
    ),
)
