"""The sizes and choices that define one Transformer."""

from dataclasses import KW_ONLY, asdict, dataclass, fields, replace
from typing import Any

from transformer.arguments import (
    ArgumentError,
    check_fields,
    check_flag,
    check_integer,
    check_number,
)

POSITIONAL = ("sinusoidal", "learned")


@dataclass(frozen=True)
class TransformerConfig:
    """Every size and choice of one model, checked when it is made (§3, Table 3).

    The two vocabularies come first; everything else is given by its name.

    Attributes:
        src_vocab_size: Number of ids in the source vocabulary.
        tgt_vocab_size: Number of ids in the target vocabulary.
        d_model: Width of every state between sub-layers.
        num_heads: Attention heads in each attention (h in the paper).
        num_encoder_layers: Encoder layers (N in the paper).
        num_decoder_layers: Decoder layers (N in the paper).
        d_ff: Inner width of the feed-forward networks.
        dropout: Probability that dropout zeroes a number during training (P_drop).
        max_len: Longest sequence, in tokens, on either side.
        pad_id: Id of the padding token, in both vocabularies.
        bos_id: Id of the token that starts a target sentence.
        eos_id: Id of the token that ends a sentence.
        norm_first: Normalize before each sub-layer (pre-norm) instead of after it (post-norm).
        share_embeddings: Use one embedding matrix for source and target (§3.4).
        tie_output: Use the target embedding matrix as the output layer, without a bias (§3.4).
        positional: `"sinusoidal"` (§3.5) or `"learned"` (Table 3, row E).
        d_k: Width of a query and of a key in one head; `d_model // num_heads` when None.
        d_v: Width of a value in one head; `d_model // num_heads` when None.

    Raises:
        TypeError: If a size is not an integer or a flag is not a bool.
        ValueError: If a value is out of range or two values contradict each other.

    Example:
        >>> config = TransformerConfig(100, 120, d_model=64, num_heads=4)
        >>> config.d_ff, config.positional
        (2048, 'sinusoidal')
        >>> TransformerConfig.from_dict(config.to_dict()) == config
        True
    """

    src_vocab_size: int
    tgt_vocab_size: int
    _: KW_ONLY
    d_model: int = 512
    num_heads: int = 8
    num_encoder_layers: int = 6
    num_decoder_layers: int = 6
    d_ff: int = 2048
    dropout: float = 0.1
    max_len: int = 512
    pad_id: int = 0
    bos_id: int = 1
    eos_id: int = 2
    norm_first: bool = False
    share_embeddings: bool = False
    tie_output: bool = False
    positional: str = "sinusoidal"
    d_k: int | None = None
    d_v: int | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.type is bool:
                check_flag(field.name, value)
            elif field.type is int or (field.type == int | None and value is not None):
                smallest = 0 if field.name.endswith("_id") else 1
                object.__setattr__(self, field.name, check_integer(field.name, value, smallest))
        dropout = check_number("dropout", self.dropout, min=0, lt=1)
        object.__setattr__(self, "dropout", dropout)
        if self.positional not in POSITIONAL:
            got = repr(self.positional)
            raise ArgumentError("positional", f"must be one of {POSITIONAL}: got {got}")
        if self.positional == "sinusoidal" and self.d_model % 2:
            raise ArgumentError(
                "d_model", f"must be even for sinusoidal positions: got {self.d_model}"
            )
        head_widths(self.d_model, self.num_heads, self.d_k, self.d_v)
        self._check_special_ids()
        if self.share_embeddings and self.src_vocab_size != self.tgt_vocab_size:
            raise ArgumentError(
                "share_embeddings",
                "needs one vocabulary: "
                f"got src_vocab_size={self.src_vocab_size}, tgt_vocab_size={self.tgt_vocab_size}",
            )

    def _check_special_ids(self) -> None:
        special = {"pad_id": self.pad_id, "bos_id": self.bos_id, "eos_id": self.eos_id}
        if len(set(special.values())) < len(special):
            raise ValueError(f"pad_id, bos_id and eos_id must differ: got {special}")
        smallest = min(self.src_vocab_size, self.tgt_vocab_size)
        for name, value in special.items():
            if value >= smallest:
                raise ArgumentError(
                    name,
                    f"must be below both vocabulary sizes: got {value}, "
                    f"with src_vocab_size={self.src_vocab_size}, "
                    f"tgt_vocab_size={self.tgt_vocab_size}",
                )

    @classmethod
    def base(cls, vocab_size: int) -> "TransformerConfig":
        """Return the paper's base model, all three embedding matrices shared (§3.4, Table 3).

        Args:
            vocab_size: Number of ids in the joint vocabulary; the paper's had about 37,000.
        """
        return cls(vocab_size, vocab_size, share_embeddings=True, tie_output=True)

    @classmethod
    def big(cls, vocab_size: int) -> "TransformerConfig":
        """Return the paper's big model, all three embedding matrices shared (§3.4, Table 3).

        Args:
            vocab_size: Number of ids in the joint vocabulary; the paper's had about 37,000.

        Example:
            >>> big = TransformerConfig.big(vocab_size=37000)
            >>> big.d_model, big.num_heads, big.d_ff, big.dropout
            (1024, 16, 4096, 0.3)
        """
        return replace(cls.base(vocab_size), d_model=1024, num_heads=16, d_ff=4096, dropout=0.3)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as a plain dict of numbers, strings and None, ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "TransformerConfig":
        """Make a config from what `to_dict` returned.

        Args:
            values: A value for each field that has no default, and for any others.

        Raises:
            TypeError: If `values` is not a dict, or a value is of another type.
            ValueError: If a key is not a field, or a field without a default is missing.

        Example:
            >>> TransformerConfig.from_dict({"src_vocab_size": 9, "tgt_vocab_size": 9}).max_len
            512
        """
        check_fields(values, cls)
        if missing := sorted({"src_vocab_size", "tgt_vocab_size"} - set(values)):
            raise ValueError(f"missing config fields {missing}: got {sorted(values)}")
        return cls(**values)


def head_widths(
    d_model: int, num_heads: int, d_k: int | None = None, d_v: int | None = None
) -> tuple[int, int]:
    """Return the widths of a key and of a value in one head (§3.2.2).

    Args:
        d_model: Width of the states.
        num_heads: Number of heads.
        d_k: Width of a key and of a query; `d_model // num_heads` when None.
        d_v: Width of a value; `d_model // num_heads` when None.

    Raises:
        ValueError: If a width is not given and `num_heads` does not divide `d_model`.

    Example:
        >>> head_widths(512, 8, d_k=16)
        (16, 64)
    """
    if None in (d_k, d_v) and d_model % num_heads:
        raise ArgumentError(
            "num_heads",
            "must divide d_model (or give d_k and d_v): "
            f"got d_model={d_model}, num_heads={num_heads}",
        )
    default = d_model // num_heads
    return default if d_k is None else d_k, default if d_v is None else d_v
