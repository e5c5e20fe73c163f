"""PyTorch's own modules as twins of ours: the same weights, the same numbers."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor, nn

from transformer import (
    Decoder,
    DecoderLayer,
    Encoder,
    EncoderLayer,
    LayerNorm,
    MultiHeadAttention,
)

TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}

CHILDREN = {
    EncoderLayer: {
        "self_attention": "self_attn",
        "self_attention_norm": "norm1",
        "feed_forward.expand": "linear1",
        "feed_forward.contract": "linear2",
        "feed_forward_norm": "norm2",
    },
    DecoderLayer: {
        "self_attention": "self_attn",
        "self_attention_norm": "norm1",
        "cross_attention": "multihead_attn",
        "cross_attention_norm": "norm2",
        "feed_forward.expand": "linear1",
        "feed_forward.contract": "linear2",
        "feed_forward_norm": "norm3",
    },
}

Pair = tuple[list[nn.Parameter], nn.Parameter]


def assert_near(actual: Tensor | Sequence[Tensor], expected: Tensor | Sequence[Tensor]) -> None:
    """Compare within the tolerance of the dtype, relative to the largest number expected."""
    tensors = [expected] if isinstance(expected, Tensor) else list(expected)
    largest = max(float(tensor.detach().abs().max()) for tensor in tensors)
    tolerance = TOLERANCE[tensors[0].dtype] * largest
    torch.testing.assert_close(actual, expected, rtol=0, atol=tolerance)


def twin(ours: nn.Module) -> nn.Module:
    """Return PyTorch's module with the weights of ours."""
    theirs = _build(ours)
    pairs = list(_pairs(ours, theirs))
    assert sum(p.numel() for p in theirs.parameters()) == sum(t.numel() for _, t in pairs)
    assert set(ours.parameters()) == {p for parts, _ in pairs for p in parts}
    with torch.no_grad():
        for parts, their in pairs:
            their.copy_(torch.cat(parts))
    return theirs.train(ours.training)


def assert_same_gradients(ours: nn.Module, theirs: nn.Module) -> None:
    """Compare the gradients of every parameter, after a backward pass through both."""
    pairs = list(_pairs(ours, theirs))
    assert_near(
        [torch.cat([part.grad for part in parts]) for parts, _ in pairs],
        [their.grad for _, their in pairs],
    )


def randomized(module: nn.Module, *parts: nn.Module, std: float = 0.5) -> nn.Module:
    """Give every parameter, biases and norms too, a random number; of these parts alone if any."""
    for part in parts or (module,):
        for parameter in part.parameters():
            nn.init.normal_(parameter, std=std)
    return module


def copies(tensors: Sequence[Tensor]) -> list[Tensor]:
    """The same numbers, to be differentiated apart."""
    return [tensor.detach().clone().requires_grad_() for tensor in tensors]


def _build(ours: nn.Module) -> nn.Module:
    match ours:
        case MultiHeadAttention():
            return nn.MultiheadAttention(ours.q_proj.in_features, ours.num_heads, batch_first=True)
        case LayerNorm():
            return nn.LayerNorm(ours.weight.shape, eps=ours.eps)
        case EncoderLayer():
            return nn.TransformerEncoderLayer(**_sizes(ours))
        case DecoderLayer():
            return nn.TransformerDecoderLayer(**_sizes(ours))
        case Encoder():
            return nn.TransformerEncoder(*_layers_and_norm(ours), enable_nested_tensor=False)
        case Decoder():
            return nn.TransformerDecoder(*_layers_and_norm(ours))
    raise TypeError(f"no twin for {type(ours).__name__}")


def _layers_and_norm(ours: Encoder | Decoder) -> tuple[nn.Module, int, nn.Module | None]:
    """Return a layer, their number, and the final norm that pre-norm has and post-norm has not."""
    layer = ours.layers[0]
    norm = nn.LayerNorm(_sizes(layer)["d_model"]) if layer.norm_first else None
    return _build(layer), len(ours.layers), norm


def _sizes(layer: EncoderLayer | DecoderLayer) -> dict[str, object]:
    expand = layer.feed_forward.expand
    return {
        "d_model": expand.in_features,
        "nhead": layer.self_attention.num_heads,
        "dim_feedforward": expand.out_features,
        "dropout": 0.0,
        "norm_first": layer.norm_first,
        "batch_first": True,
    }


def _pairs(ours: nn.Module, theirs: nn.Module) -> Iterator[Pair]:
    """Pair each parameter of theirs with those of ours that make it up, joined."""
    match ours:
        case MultiHeadAttention():
            projections = ours.q_proj, ours.k_proj, ours.v_proj
            yield [p.weight for p in projections], theirs.in_proj_weight
            yield [p.bias for p in projections], theirs.in_proj_bias
            yield from _pairs(ours.out_proj, theirs.out_proj)
        case EncoderLayer() | DecoderLayer():
            for name, their_name in CHILDREN[type(ours)].items():
                yield from _pairs(ours.get_submodule(name), theirs.get_submodule(their_name))
        case Encoder() | Decoder():
            for layer, their_layer in zip(ours.layers, theirs.layers):
                yield from _pairs(layer, their_layer)
            if ours.norm is not None:
                yield from _pairs(ours.norm, theirs.norm)
        case _:
            yield [ours.weight], theirs.weight
            yield [ours.bias], theirs.bias
