"""The numbers and choices of one training run."""

from dataclasses import asdict, dataclass
from typing import Any

from transformer.arguments import check_integer
from transformer.training.loss import check_smoothing

DTYPES = ("float32", "bfloat16")
MAY_CHANGE = frozenset(
    {"steps", "log_every", "evaluate_every", "save_every", "keep", "patience", "compile"}
)


@dataclass(frozen=True)
class TrainingConfig:
    """How long and how to train, checked when it is made (§5.3, §5.4).

    The size of a batch is not here: whoever makes the batches decides it.

    Attributes:
        steps: Number of updates in all.
        warmup: The step at which the learning rate is highest.
        label_smoothing: Share of the probability spread over the vocabulary (ε_ls).
        clip_norm: Longest gradient, as one vector; longer ones are scaled down to it. None
            leaves them, as the paper does.
        accumulate: Batches whose gradients make one update, as if they were one large batch.
        seed: Where the random numbers of dropout start.
        log_every: Steps between two lines of the log.
        evaluate_every: Steps between two looks at the validation batches.
        save_every: Steps between two checkpoints. The last step is always saved.
        keep: Number of checkpoints kept, the newest ones.
        patience: Stop after this many evaluations in a row without a better validation loss;
            None goes on to the last step.
        dtype: `"float32"`, or `"bfloat16"` for mixed precision (autocast).
        compile: Let `torch.compile` compile the model. This needs a C++ compiler on a CPU.

    Raises:
        TypeError: If a count is not an integer or `compile` is not a bool.
        ValueError: If a value is out of range.

    Example:
        >>> TrainingConfig(steps=1000, warmup=100).label_smoothing
        0.1
        >>> TrainingConfig(steps=0)
        Traceback (most recent call last):
        ...
        ValueError: steps must be at least 1: got 0
    """

    steps: int
    warmup: int = 4000
    label_smoothing: float = 0.1
    clip_norm: float | None = 1.0
    accumulate: int = 1
    seed: int = 0
    log_every: int = 10
    evaluate_every: int = 500
    save_every: int = 500
    keep: int = 5
    patience: int | None = None
    dtype: str = "float32"
    compile: bool = False

    def __post_init__(self) -> None:
        counts = ("steps", "warmup", "accumulate", "log_every", "evaluate_every", "save_every")
        for name in (*counts, "keep", *(["patience"] if self.patience is not None else [])):
            check_integer(name, getattr(self, name), 1)
        check_integer("seed", self.seed, 0)
        check_smoothing(self.label_smoothing)
        if self.clip_norm is not None and not 0 < self.clip_norm < float("inf"):
            raise ValueError(f"clip_norm must be above 0 and finite, or None: got {self.clip_norm}")
        if self.dtype not in DTYPES:
            raise ValueError(f"dtype must be one of {DTYPES}: got {self.dtype!r}")
        if not isinstance(self.compile, bool):
            raise TypeError(f"compile must be True or False: got {self.compile!r}")

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as a plain dict, ready for JSON.

        Example:
            >>> TrainingConfig(steps=1000).to_dict()["clip_norm"]
            1.0
        """
        return asdict(self)

    def check_continues(self, earlier: dict[str, Any]) -> None:
        """Refuse to go on with other numbers than those the weights were trained with.

        How long to train, and what is logged, evaluated and kept, may change on the way.

        Args:
            earlier: What `to_dict` returned when the run began.

        Raises:
            ValueError: If a value that shapes the weights differs.

        Example:
            >>> earlier = TrainingConfig(steps=1000, warmup=100).to_dict()
            >>> TrainingConfig(steps=2000, warmup=100).check_continues(earlier)
            >>> TrainingConfig(steps=1000, warmup=200).check_continues(earlier)
            Traceback (most recent call last):
            ...
            ValueError: to go on, warmup must stay 100: got 200
        """
        for name, value in self.to_dict().items():
            if name not in MAY_CHANGE and value != earlier.get(name):
                raise ValueError(f"to go on, {name} must stay {earlier.get(name)!r}: got {value!r}")
