"""Large weight matrices, laid out for the processor while a model decodes."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import MethodType

import torch
from torch import Tensor, nn

from transformer.arguments import autocast_dtype

LARGE = 2**18  # numbers in a matrix, such as 512 x 512; much smaller ones gain nothing


@contextmanager
def packed_weights(model: nn.Module) -> Iterator[None]:
    """Let large linear maps use a copy of their weights in oneDNN's layout while the block runs.

    A step of decoding multiplies a few rows with every weight of the model, so most of its time
    goes into reading weights. In the order in which the processor takes them they are read
    faster. The results differ in their last bits, as they do between processors, and carry no
    gradients.

    It is done for matrices of at least `LARGE` numbers, in float32 without autocast, on x86
    processors with AVX2 or more, and takes as much memory again as these matrices. Elsewhere the
    model is left as it is. The two operators are those that PyTorch's compiler uses for this;
    PyTorch has no public name for them.

    Args:
        model: Any module; its weights must not change while the block runs.

    Example:
        >>> layer = nn.Linear(512, 512)
        >>> x = torch.randn(2, 3, 512)
        >>> expected = layer(x)
        >>> with packed_weights(layer):
        ...     torch.allclose(layer(x), expected, atol=1e-5)
        True
    """
    linear = [module for module in model.modules() if isinstance(module, nn.Linear)]
    packed = [layer for layer in linear if _is_worth_it(layer)]
    for layer in packed:
        layer.forward = _packed(layer)  # type: ignore[method-assign]
    try:
        yield
    finally:
        for layer in packed:
            vars(layer).pop("forward", None)  # the class's own method shows again


def _is_worth_it(layer: nn.Linear) -> bool:
    return (
        type(layer) is nn.Linear  # not what is made from it
        and "forward" not in vars(layer)  # it may be packed in another thread
        and layer.weight.numel() >= LARGE
        and layer.weight.is_cpu
        and layer.weight.dtype == torch.float32
        and autocast_dtype("cpu") is None
        and torch.backends.cpu.get_cpu_capability().startswith("AVX")
        and torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    )


def _packed(layer: nn.Linear) -> MethodType:
    packed = torch.ops.mkldnn._reorder_linear_weight(layer.weight.detach(), 1)

    def forward(self: nn.Linear, input: Tensor) -> Tensor:
        product: Tensor = torch.ops.mkldnn._linear_pointwise(
            input, packed, self.bias, "none", [], ""
        )
        return product

    return MethodType(forward, layer)  # a method, so that a recorded run names the layer
