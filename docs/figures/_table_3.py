"""Table 3 of the paper: what each row changes in the base model, and the parameters it prints."""

from collections import Counter
from typing import Any

import torch

from transformer import Transformer, TransformerConfig

VOCABULARY = 37_000  # §5.1: "about 37000 tokens"
BIG = {"d_model": 1024, "num_heads": 16, "d_ff": 4096, "dropout": 0.3}
TABLE_3: list[tuple[str, dict[str, Any], int | None]] = [  # row, changes, printed millions
    ("base", {}, 65),
    ("(A)", {"num_heads": 1}, None),
    ("(A)", {"num_heads": 4}, None),
    ("(A)", {"num_heads": 16}, None),
    ("(A)", {"num_heads": 32}, None),
    ("(B)", {"d_k": 16}, 58),
    ("(B)", {"d_k": 32}, 60),
    ("(C)", {"num_encoder_layers": 2, "num_decoder_layers": 2}, 36),
    ("(C)", {"num_encoder_layers": 4, "num_decoder_layers": 4}, 50),
    ("(C)", {"num_encoder_layers": 8, "num_decoder_layers": 8}, 80),
    ("(C)", {"d_model": 256}, 28),
    ("(C)", {"d_model": 1024}, 168),
    ("(C)", {"d_ff": 1024}, 53),
    ("(C)", {"d_ff": 4096}, 90),
    ("(D)", {"dropout": 0.0}, None),
    ("(D)", {"dropout": 0.2}, None),
    ("(E)", {"positional": "learned"}, None),
    ("big", BIG, 213),
]


def counts(**changes: Any) -> dict[str, int]:
    """Return the parameters of a changed base model, by part; shared ones count once."""
    config = TransformerConfig(
        VOCABULARY, VOCABULARY, share_embeddings=True, tie_output=True, **changes
    )
    with torch.device("meta"):  # shapes without numbers
        return by_part(Transformer(config))


def by_part(model: Transformer) -> dict[str, int]:
    """Return a model's parameters by part; shared ones count once."""
    found: Counter[str] = Counter()
    for name, parameter in model.named_parameters():
        stack, *path = name.split(".")
        part = path[2] if path[0] == "layers" else ""
        part = "norm" if part.endswith("_norm") else part
        found[f"{stack}.{part}" if part else stack] += parameter.numel()
    return dict(found)
