"""How far a training run has come."""

from dataclasses import dataclass, fields, replace
from math import isfinite
from typing import Any

from transformer.arguments import check_integer
from transformer.training.config import TrainingConfig, store


@dataclass(frozen=True)
class Progress:
    """How far a training run has come.

    Attributes:
        step: Updates done.
        epoch: The epoch of the last batch used, from 0.
        batch: Batches of that epoch used.
        best_step: The step of the lowest validation loss so far.
        best_loss: That loss, or None before the first evaluation.
        waited: Evaluations since then.

    Raises:
        TypeError: If a count is not an integer, or the loss not a number.
        ValueError: If a count is negative, or the loss not finite.
    """

    step: int = 0
    epoch: int = 0
    batch: int = 0
    best_step: int = 0
    best_loss: float | None = None
    waited: int = 0

    def __post_init__(self) -> None:
        for field in fields(self):
            if field.name != "best_loss":
                store(self, field.name, check_integer(field.name, getattr(self, field.name), 0))
        loss = self.best_loss
        if loss is not None and (not isinstance(loss, float) or not isfinite(loss)):
            raise ValueError(f"best_loss must be a finite number or None: got {loss!r}")

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Progress":
        """Make it from the values of all its fields.

        Args:
            values: The values by name.

        Raises:
            TypeError: If a value has the wrong type.
            ValueError: If there are other fields, or a value is out of range.
        """
        expected = {field.name for field in fields(cls)}
        if set(values) != expected:
            raise ValueError(f"progress must have {sorted(expected)}: got {sorted(values)}")
        return cls(**values)

    def evaluated(self, loss: float) -> "Progress":
        """Return what an evaluation makes of it.

        Args:
            loss: The validation loss.

        Raises:
            FloatingPointError: If the loss is infinite or nan, which is no model to keep.

        Example:
            >>> progress = Progress(step=10).evaluated(2.5)
            >>> progress.best_loss, progress.evaluated(2.7).waited
            (2.5, 1)
        """
        if not isfinite(loss):
            raise FloatingPointError(f"the validation loss must be finite: got {loss}")
        if self.best_loss is None or loss < self.best_loss:
            return replace(self, best_step=self.step, best_loss=loss, waited=0)
        return replace(self, waited=self.waited + 1)

    def out_of_patience(self, config: TrainingConfig) -> bool:
        """Say whether patience is at an end."""
        return config.patience is not None and self.waited >= config.patience

    def finished(self, config: TrainingConfig) -> bool:
        """Say whether all steps are done, or patience is at an end."""
        return self.step >= config.steps or self.out_of_patience(config)
