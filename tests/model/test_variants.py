"""A variant is one class of your own, handed to the model: nothing in the package changes."""

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tests.parity import assert_near
from transformer import (
    MultiHeadAttention,
    Transformer,
    TransformerConfig,
    beam_search,
    greedy_decode,
    label_smoothed_cross_entropy,
)

CONFIG = TransformerConfig(
    11, 13, d_model=8, num_heads=4, num_encoder_layers=2, num_decoder_layers=2, d_ff=12, max_len=20
)
SRC = torch.tensor([[5, 6, 7, 2], [8, 9, 2, 0]])
TGT = torch.tensor([[1, 4, 5, 2], [1, 6, 2, 0]])


class RMSNorm(nn.Module):
    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x: Tensor) -> Tensor:
        return self.weight * x / x.square().mean(dim=-1, keepdim=True).add(1e-6).sqrt()


class GatedFeedForward(nn.Module):
    def __init__(self, d_model: int, d_ff: int) -> None:
        super().__init__()
        self.gate, self.expand = nn.Linear(d_model, d_ff), nn.Linear(d_model, d_ff)
        self.contract = nn.Linear(d_ff, d_model)

    def forward(self, x: Tensor) -> Tensor:
        return self.contract(F.silu(self.gate(x)) * self.expand(x))


class FewerKeyHeads(MultiHeadAttention):
    """Two heads of queries share one head of keys and values."""

    def __init__(self, d_model: int, num_heads: int, **widths: int | None) -> None:
        super().__init__(d_model, num_heads, **widths)
        self.k_proj = nn.Linear(d_model, num_heads // 2 * self.d_k)
        self.v_proj = nn.Linear(d_model, num_heads // 2 * self.d_v)

    def attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        k, v = (x.repeat_interleave(2, dim=1) for x in (k, v))
        return super().attend(q, k, v, mask)


VARIANTS = {
    "norm": {"norm": RMSNorm},
    "feed_forward": {"feed_forward": GatedFeedForward},
    "attention": {"attention": FewerKeyHeads},
    "all": {"norm": RMSNorm, "feed_forward": GatedFeedForward, "attention": FewerKeyHeads},
}


@pytest.mark.parametrize("parts", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("norm_first", [False, True], ids=["post_norm", "pre_norm"])
def test_a_variant_trains_and_decodes(parts, norm_first, no_shape_checks):
    config = TransformerConfig(**CONFIG.to_dict() | {"norm_first": norm_first, "dropout": 0.0})
    model = Transformer(config, **parts)
    for part in parts.values():
        for stack in (model.encoder, model.decoder):
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
    class NoPositions(nn.Module):
        def __init__(self, d_model: int, max_len: int) -> None:
            super().__init__()

        def forward(self, x: Tensor, start: int = 0) -> Tensor:
            return x

    model = Transformer(CONFIG, position=NoPositions).eval()
    src = torch.tensor([[5, 6, 7]])
    assert_near(model.encode(src).flip(1), model.encode(src.flip(1)))
