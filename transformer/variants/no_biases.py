"""No biases: linear maps and normalizations that only multiply."""

from torch import nn


def remove_biases(model: nn.Module) -> None:
    """Take the bias out of every linear map and normalization, as PaLM does (arXiv:2204.02311).

    Args:
        model: A model that is not trained yet; it is changed.

    Example:
        >>> from transformer import Transformer, TransformerConfig, count_parameters
        >>> config = TransformerConfig(9, 9, d_model=8, num_heads=2, d_ff=16, tie_output=True)
        >>> model = Transformer(config)
        >>> before = count_parameters(model)["total"]
        >>> remove_biases(model)
        >>> before - count_parameters(model)["total"]
        1104
    """
    for module in model.modules():
        if isinstance(getattr(module, "bias", None), nn.Parameter):
            module.register_parameter("bias", None)
