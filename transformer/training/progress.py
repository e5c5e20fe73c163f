"""How far a training run has come."""

from dataclasses import dataclass, fields, replace
from math import isfinite
from typing import Any

from transformer.arguments import check_integer
from transformer.training.config import TrainingConfig, store

_LATER = {"best_chrf", "skipped"}  # older checkpoints have none


@dataclass(frozen=True)
class Progress:
    """How far a training run has come.

    Attributes:
        step: Updates done.
        epoch: The epoch of the last batch used, from 0.
        batch: Batches of that epoch used.
        best_step: The step of the best evaluation so far.
        best_loss: Its validation loss, or None before the first evaluation.
        waited: Evaluations since then.
        best_chrf: Its chrF, if that made it the best.
        skipped: Updates that were left out because their gradient was not finite.

    Raises:
        TypeError: If a count is not an integer, or the loss or chrF not a number.
        ValueError: If a count is negative, or the loss or chrF not finite.
    """

    step: int = 0
    epoch: int = 0
    batch: int = 0
    best_step: int = 0
    best_loss: float | None = None
    waited: int = 0
    best_chrf: float | None = None
    skipped: int = 0

    def __post_init__(self) -> None:
        for name, value in ((field.name, getattr(self, field.name)) for field in fields(self)):
            if name not in ("best_loss", "best_chrf"):
                store(self, name, check_integer(name, value, 0))
            elif value is not None and (not isinstance(value, float) or not isfinite(value)):
                raise ValueError(f"{name} must be a finite number or None: got {value!r}")

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Progress":
        """Make it from the values of its fields, in this version of the package or before.

        Args:
            values: The values by name.

        Raises:
            TypeError: If a value has the wrong type.
            ValueError: If there are other fields, or a value is out of range.
        """
        expected = {field.name for field in fields(cls)}
        if not expected - _LATER <= set(values) <= expected:
            raise ValueError(f"progress must have {sorted(expected)}: got {sorted(values)}")
        return cls(**values)

    def evaluated(self, loss: float, chrf: float | None = None) -> "Progress":
        """Return what an evaluation makes of it.

        Args:
            loss: The validation loss; the lowest is the best.
            chrf: If it is given, the highest is the best instead.

        Raises:
            FloatingPointError: If the loss is infinite or nan, which is no model to keep.

        Example:
            >>> progress = Progress(step=10).evaluated(2.5)
            >>> progress.best_loss, progress.evaluated(2.7).waited
            (2.5, 1)
        """
        if not isfinite(loss):
            raise FloatingPointError(f"the validation loss must be finite: got {loss}")
        if chrf is None:
            better = self.best_loss is None or loss < self.best_loss
        else:
            better = self.best_chrf is None or chrf > self.best_chrf
        if not better:
            return replace(self, waited=self.waited + 1)
        return replace(self, best_step=self.step, best_loss=loss, best_chrf=chrf, waited=0)

    def out_of_patience(self, config: TrainingConfig) -> bool:
        """Say whether patience is at an end."""
        return config.patience is not None and self.waited >= config.patience

    def finished(self, config: TrainingConfig) -> bool:
        """Say whether all steps are done, or patience is at an end."""
        return self.step >= config.steps or self.out_of_patience(config)
