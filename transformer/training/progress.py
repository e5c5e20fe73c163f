"""How far a training run has come."""

from dataclasses import dataclass, replace

from transformer.training.config import TrainingConfig


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
    """

    step: int = 0
    epoch: int = 0
    batch: int = 0
    best_step: int = 0
    best_loss: float | None = None
    waited: int = 0

    def evaluated(self, loss: float) -> "Progress":
        """Return what an evaluation makes of it.

        Example:
            >>> progress = Progress(step=10).evaluated(2.5)
            >>> progress.best_loss, progress.evaluated(2.7).waited
            (2.5, 1)
        """
        if self.best_loss is None or loss < self.best_loss:
            return replace(self, best_step=self.step, best_loss=loss, waited=0)
        return replace(self, waited=self.waited + 1)

    def finished(self, config: TrainingConfig) -> bool:
        """Say whether all steps are done, or patience is at an end."""
        impatient = config.patience is not None and self.waited >= config.patience
        return self.step >= config.steps or impatient
