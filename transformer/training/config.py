"""The numbers and choices of one training run."""

from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from transformer.arguments import (
    ArgumentError,
    check_fields,
    check_flag,
    check_integer,
    check_number,
)

Dtype = Literal["float32", "bfloat16", "float16"]
DTYPES = get_args(Dtype)
Measure = Literal["loss", "chrf"]
MEASURES = get_args(Measure)
LARGEST_SEED = 2**63 - 1
MAY_CHANGE = frozenset(
    {"steps", "log_every", "evaluate_every", "save_every", "keep", "patience", "compile"}
)


@dataclass(frozen=True, kw_only=True)
class TrainingConfig:
    """How long and how to train, checked when it is made (§5.3, §5.4).

    The defaults are those of the shipped model. The size of a batch is not here: whoever makes
    the batches decides it. A field that has a help in its metadata is an option of
    `transformer train`.

    Attributes:
        steps: Number of updates in all.
        warmup: The step at which the learning rate is highest.
        peak_learning_rate: The rate at that step; None takes the paper's, 1/√(d_model · warmup).
        label_smoothing: Share of the probability spread over the vocabulary (ε_ls).
        clip_norm: Longest gradient, as one vector; longer ones are scaled down to it. None
            leaves them, as the paper does.
        accumulate: Batches whose gradients make one update, as if they were one large batch.
        seed: Where the random numbers of dropout start.
        log_every: Steps between two lines of the log.
        evaluate_every: Steps between two looks at the validation batches; None makes 16 of them.
        save_every: Steps between two checkpoints; None makes 40 of them. The last step is always
            saved.
        keep: Number of checkpoints kept, the newest ones.
        patience: Stop after this many evaluations in a row without a better one; None goes on to
            the last step.
        best_by: What makes an evaluation the best one: `"loss"` the lowest validation loss,
            `"chrf"` the highest chrF of the translated validation pairs.
        dtype: `"float32"`, or `"bfloat16"` or `"float16"` for mixed precision (autocast); float16
            with loss scaling.
        compile: Let `torch.compile` compile the model. This needs a C++ compiler on a CPU.

    Raises:
        TypeError: If a count is not an integer, a rate not a number or `compile` not a bool.
        ValueError: If a value is out of range.

    Example:
        >>> TrainingConfig(steps=1000, warmup=100).label_smoothing
        0.1
        >>> TrainingConfig(steps=0)
        Traceback (most recent call last):
        ...
        transformer.arguments.ArgumentError: steps must be at least 1: got 0
    """

    steps: int = field(default=4000, metadata={"help": "Updates of the weights in all."})
    warmup: int = field(default=1000, metadata={"help": "Step of the highest learning rate."})
    peak_learning_rate: float | None = field(
        default=None, metadata={"help": "The rate at that step; the paper's when not given."}
    )
    label_smoothing: float = field(
        default=0.1, metadata={"help": "Share of probability spread over all ids."}
    )
    clip_norm: float | None = 1.0
    accumulate: int = field(default=1, metadata={"help": "Batches that make one update."})
    seed: int = field(default=0, metadata={"help": "Where all random numbers start."})
    log_every: int = 10
    evaluate_every: int | None = field(
        default=None, metadata={"help": "Steps between two evaluations; 16 of them if not given."}
    )
    save_every: int | None = field(
        default=None, metadata={"help": "Steps between two checkpoints; 40 of them if not given."}
    )
    keep: int = 10
    patience: int | None = field(
        default=None, metadata={"help": "Stop after so many evaluations without a better one."}
    )
    best_by: Measure = field(
        default="loss", metadata={"help": "What makes an evaluation the best: loss or chrF."}
    )
    dtype: Dtype = field(
        default="float32", metadata={"help": "bfloat16 and float16 are mixed precision."}
    )
    compile: bool = field(default=False, metadata={"help": "Let torch.compile compile the model."})

    def __post_init__(self) -> None:
        for name in ("steps", "warmup", "accumulate", "log_every", "keep"):
            store(self, name, check_integer(name, getattr(self, name), 1))
        for name in ("evaluate_every", "save_every", "patience"):
            if getattr(self, name) is not None:
                store(self, name, check_integer(name, getattr(self, name), 1))
        store(self, "seed", check_integer("seed", self.seed, 0, LARGEST_SEED))
        smoothing = check_number("label_smoothing", self.label_smoothing, min=0, lt=1)
        store(self, "label_smoothing", smoothing)
        for name in ("peak_learning_rate", "clip_norm"):
            if getattr(self, name) is not None:
                store(self, name, check_number(name, getattr(self, name), gt=0))
        for name, choices in (("dtype", DTYPES), ("best_by", MEASURES)):
            if getattr(self, name) not in choices:
                raise ArgumentError(name, f"must be one of {choices}: got {getattr(self, name)!r}")
        check_flag("compile", self.compile)

    def evaluates(self, step: int) -> bool:
        """Say whether the model is validated after a step.

        Example:
            >>> config = TrainingConfig(steps=4000)
            >>> config.evaluates(249), config.evaluates(250)
            (False, True)
        """
        return step % (self.evaluate_every or max(1, self.steps // 16)) == 0

    def saves(self, step: int) -> bool:
        """Say whether a checkpoint is due after a step.

        Example:
            >>> config = TrainingConfig(steps=4000)
            >>> config.saves(99), config.saves(100)
            (False, True)
        """
        return step % (self.save_every or max(1, self.steps // 40)) == 0

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as a plain dict, ready for JSON.

        Example:
            >>> TrainingConfig(steps=1000).to_dict()["clip_norm"]
            1.0
        """
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "TrainingConfig":
        """Make a config from what `to_dict` returned, in this version of the package or before.

        Args:
            values: A value for each field; one that is missing takes its default.

        Raises:
            TypeError: If a value has the wrong type.
            ValueError: If a key is not a field, or a value is out of range.

        Example:
            >>> TrainingConfig.from_dict({"steps": 9}).warmup
            1000
        """
        check_fields(values, cls)
        return cls(**values)

    def check_continues(self, earlier: "TrainingConfig") -> None:
        """Refuse to go on with other numbers than those the weights were trained with.

        How long to train, and what is logged, evaluated and kept, may change on the way.

        Args:
            earlier: The config when the run began.

        Raises:
            ValueError: If a value that shapes the weights differs.

        Example:
            >>> earlier = TrainingConfig(steps=1000, warmup=100)
            >>> TrainingConfig(steps=2000, warmup=100).check_continues(earlier)
            >>> TrainingConfig(steps=1000, warmup=200).check_continues(earlier)
            Traceback (most recent call last):
            ...
            transformer.arguments.ArgumentError: warmup must stay 100 to go on: got 200
        """
        before = earlier.to_dict()
        for name, value in self.to_dict().items():
            if name not in MAY_CHANGE and value != before[name]:
                stay = f"must stay {before[name]!r} to go on: got {value!r}"
                raise ArgumentError(name, stay)


def store(config: object, name: str, value: object) -> None:
    """Put what a check returned into a field of a frozen dataclass: a plain number for NumPy's.

    Args:
        config: The object that is being made.
        name: The field.
        value: Its value, checked.
    """
    object.__setattr__(config, name, value)
