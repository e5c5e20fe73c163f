"""A variant is one class of your own, handed to the model: nothing in the package changes."""

import pytest
import torch
from torch import nn

from tests.parity import assert_near
from transformer import (
    Transformer,
    TransformerConfig,
    beam_search,
    greedy_decode,
    label_smoothed_cross_entropy,
)
from transformer.variants import (
    AlibiAttention,
    GatedFeedForward,
    GeluFeedForward,
    GroupedQueryAttention,
    MixtureOfExperts,
    NoPositions,
    QueryKeyNormAttention,
    RotaryAttention,
    SlidingWindowAttention,
)

CONFIG = TransformerConfig(
    11, 13, d_model=8, num_heads=4, num_encoder_layers=2, num_decoder_layers=2, d_ff=12, max_len=20
)
SRC = torch.tensor([[5, 6, 7, 2], [8, 9, 2, 0]])
TGT = torch.tensor([[1, 4, 5, 2], [1, 6, 2, 0]])


class Modern(RotaryAttention, SlidingWindowAttention, QueryKeyNormAttention, GroupedQueryAttention):
    """All attentions that go together, as one."""


VARIANTS = {
    "norm": {"norm": nn.RMSNorm},
    "gelu": {"feed_forward": GeluFeedForward},
    "gated": {"feed_forward": GatedFeedForward},
    "experts": {"feed_forward": MixtureOfExperts},
    "grouped": {"attention": GroupedQueryAttention},
    "normalized": {"attention": QueryKeyNormAttention},
    "window": {"attention": SlidingWindowAttention},
    "alibi": {"attention": AlibiAttention, "position": NoPositions},
    "rotary": {"attention": RotaryAttention, "position": NoPositions},
    "all": {
        "norm": nn.RMSNorm,
        "feed_forward": GatedFeedForward,
        "attention": Modern,
        "position": NoPositions,
    },
}


@pytest.mark.parametrize("parts", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("norm_first", [False, True], ids=["post_norm", "pre_norm"])
def test_a_variant_trains_and_decodes(parts, norm_first, no_shape_checks):
    config = TransformerConfig(**CONFIG.to_dict() | {"norm_first": norm_first, "dropout": 0.0})
    model = Transformer(config, **parts)
    for name, part in parts.items():
        where = (model.encoder, model.decoder)
        for stack in (model.src_position, model.tgt_position) if name == "position" else where:
            assert any(isinstance(module, part) for module in stack.modules())

    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for _ in range(5):
        loss = label_smoothed_cross_entropy(model(SRC, TGT[:, :-1]), TGT[:, 1:])
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        assert all(parameter.grad.isfinite().all() for parameter in model.parameters())
        optimizer.step()
    assert losses[-1] < losses[0]

    model.eval()
    with torch.inference_mode():
        memory, mask, cache = model.encode(SRC), model.source_mask(SRC), model.new_cache()
        steps = [model.decode(ids, memory, mask, cache) for ids in TGT.split(1, dim=1)]
        assert_near(torch.cat(steps, dim=1), model.decode(TGT, memory, mask))
    greedy = greedy_decode(model, SRC, max_new_tokens=6)
    assert [list(best.ids) for [best] in beam_search(model, SRC, beam_size=1, max_new_tokens=6)] \
        == greedy  # fmt: skip


def test_positions_are_a_part_too():
    model = Transformer(CONFIG, position=NoPositions).eval()
    src = torch.tensor([[5, 6, 7]])
    assert_near(model.encode(src).flip(1), model.encode(src.flip(1)))
