"""The recipe of a translator: sizes of model and batches; the defaults made the shipped one."""

from dataclasses import dataclass, field
from typing import Any

from transformer.arguments import check_fields, check_flag, check_integer, check_number
from transformer.model.config import TransformerConfig
from transformer.training.config import store

SHORTEST = 3  # tokens: a word between <bos> and <eos>
LARGEST = 10**10  # numbers of a model: 40 GB


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """What a translator is made of, besides its pairs and the numbers of training.

    The defaults are those of the shipped model. A field that has a help in its metadata is an
    option of `transformer train`.

    Attributes:
        vocab_size: Most ids of the joint vocabulary, or of each if they are separate.
        separate_vocabularies: Give each language a vocabulary and an embedding of its own.
        d_model: Width of a state.
        num_heads: Heads of each attention.
        num_layers: Layers of the encoder, and of the decoder.
        num_encoder_layers: Layers of the encoder; `num_layers` when None.
        num_decoder_layers: Layers of the decoder; `num_layers` when None.
        d_ff: Inner width of the feed-forward networks.
        dropout: Probability of dropping a number in training.
        norm_first: Normalize before each sub-layer (pre-norm), not after it as the paper does.
        max_len: Most tokens of a sentence, special ones counted; longer pairs are left out.
        batch_tokens: Most tokens of a batch on each side, padding counted.
        average: Number of last checkpoints whose mean is the finished model.
        scored_pairs: Validation pairs to translate and score at each evaluation; None takes 200 of
            your own pairs, and none of the grammar's, whose validation loss says enough.

    Raises:
        TypeError: If a value has the wrong type.
        ValueError: If a value is out of range, or the sizes do not fit together.
    """

    vocab_size: int = field(default=4000, metadata={"help": "Most ids of the vocabulary."})
    separate_vocabularies: bool = field(
        default=False, metadata={"help": "Give each language a vocabulary of its own."}
    )
    d_model: int = field(default=128, metadata={"help": "Width of a state."})
    num_heads: int = field(default=4, metadata={"help": "Heads of each attention."})
    num_layers: int = field(
        default=2, metadata={"help": "Layers of the encoder, and of the decoder."}
    )
    num_encoder_layers: int | None = field(
        default=None, metadata={"help": "Layers of the encoder, if not as many."}
    )
    num_decoder_layers: int | None = field(
        default=None, metadata={"help": "Layers of the decoder, if not as many."}
    )
    d_ff: int = field(default=512, metadata={"help": "Inner width of the feed-forward networks."})
    dropout: float = field(default=0.1, metadata={"help": "Probability of dropping a number."})
    norm_first: bool = field(
        default=False, metadata={"help": "Normalize before each sub-layer (pre-norm)."}
    )
    max_len: int = field(
        default=256, metadata={"help": "Most tokens of a sentence; longer pairs are left out."}
    )
    batch_tokens: int = field(
        default=2048, metadata={"help": "Most tokens of a batch on each side."}
    )
    average: int = field(default=10, metadata={"help": "Last checkpoints to average."})
    scored_pairs: int | None = field(
        default=None,
        metadata={"help": "Validation pairs to translate at an evaluation; 200 if not given."},
    )

    def __post_init__(self) -> None:
        for name in ("vocab_size", "d_model", "num_heads", "num_layers", "d_ff", "average"):
            store(self, name, check_integer(name, getattr(self, name), 1))
        for name in ("num_encoder_layers", "num_decoder_layers"):
            if getattr(self, name) is not None:
                store(self, name, check_integer(name, getattr(self, name), 1))
        for name in ("max_len", "batch_tokens"):
            store(self, name, check_integer(name, getattr(self, name), SHORTEST))
        if self.scored_pairs is not None:
            store(self, "scored_pairs", check_integer("scored_pairs", self.scored_pairs, 0))
        store(self, "dropout", check_number("dropout", self.dropout, min=0, lt=1))
        check_flag("norm_first", self.norm_first)
        check_flag("separate_vocabularies", self.separate_vocabularies)
        _check_size(self.config(self.vocab_size))  # refuses sizes that do not fit together

    def config(self, vocab_size: int, src_vocab_size: int | None = None) -> TransformerConfig:
        """Return the model's config: one matrix for both embeddings and the output (§3.4).

        With separate vocabularies the source embedding is another matrix.

        Args:
            vocab_size: How many ids the tokenizer really has, for targets.
            src_vocab_size: How many it has for sources; as many when None.

        Example:
            >>> Recipe(num_layers=3).config(vocab_size=1500).num_decoder_layers
            3
        """
        own = (self.num_encoder_layers, self.num_decoder_layers)
        encoder, decoder = (self.num_layers if n is None else n for n in own)
        return TransformerConfig(
            src_vocab_size or vocab_size,
            vocab_size,
            d_model=self.d_model,
            num_heads=self.num_heads,
            num_encoder_layers=encoder,
            num_decoder_layers=decoder,
            d_ff=self.d_ff,
            dropout=self.dropout,
            max_len=self.max_len,
            norm_first=self.norm_first,
            share_embeddings=not self.separate_vocabularies,
            tie_output=True,
        )

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Recipe":
        """Make a recipe from the values of its fields, such as those in a run's `recipe.json`.

        Args:
            values: A value for each field; one that is missing takes its default.

        Raises:
            TypeError: If a value has the wrong type.
            ValueError: If a key is not a field, or a value is out of range.

        Example:
            >>> Recipe.from_dict({"d_model": 64}).d_model
            64
        """
        check_fields(values, cls)
        return cls(**values)


def _check_size(config: TransformerConfig) -> None:
    """Refuse a model that no machine would hold, before memory is asked for."""
    c = config
    attention, feed_forward = 4 * c.d_model**2, 2 * c.d_model * c.d_ff  # without their biases
    encoder = c.num_encoder_layers * (attention + feed_forward)
    decoder = c.num_decoder_layers * (2 * attention + feed_forward)
    rows = c.tgt_vocab_size + (0 if c.share_embeddings else c.src_vocab_size) + 2 * c.max_len
    if rows * c.d_model + encoder + decoder > LARGEST:
        sizes = ("d_model", "d_ff", "num_encoder_layers", "num_decoder_layers", "max_len")
        asked = ", ".join(f"{name}={getattr(config, name)}" for name in sizes)
        raise ValueError(f"a model must have at most {LARGEST:,} numbers: got {asked}")
