"""All that takes part in a training run, and what is done with it besides the steps."""

from dataclasses import dataclass, field, replace

import torch
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler

from transformer.arguments import ArgumentError
from transformer.data.tokenizer import Tokenizer
from transformer.model.transformer import Transformer
from transformer.model_file import save_model
from transformer.training import distributed
from transformer.training.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from transformer.training.config import TrainingConfig
from transformer.training.progress import Progress
from transformer.training.random_state import random_states, restore_random_states
from transformer.training.run_folder import RunFolder


@dataclass
class Run:
    """A model that is being trained, and all that a checkpoint must hold of its training.

    Attributes:
        model: The model.
        optimizer: Its optimizer.
        schedule: A schedule whose state is saved; None if the rate follows from the step alone.
        config: The numbers of the run.
        folder: Where its files are.
        tokenizer: The tokenizer of the model's ids, if it is to be stored with it.
        progress: How far training has come.
        scaler: Scales the loss in float16; in other precisions it does nothing.
    """

    model: Transformer
    optimizer: Optimizer
    schedule: LRScheduler | None
    config: TrainingConfig
    folder: RunFolder
    tokenizer: Tokenizer | None
    progress: Progress = field(default_factory=Progress)
    scaler: torch.amp.GradScaler = field(init=False)

    def __post_init__(self) -> None:
        scales = self.config.dtype == "float16"
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=scales)

    @property
    def device(self) -> torch.device:
        """The device of the model."""
        return next(self.model.parameters()).device

    def resume(self, allowed: bool = True) -> None:
        """Take the state of the newest checkpoint, if there is one.

        Args:
            allowed: Whether there may be one.

        Raises:
            ValueError: If there must be none, it is unfit or has the name of another step, or
                other processes see another folder.
        """
        if saved := self.folder.checkpoints():
            if not allowed:
                raise ArgumentError(
                    "folder", f"must have no checkpoint to begin anew: got {saved[-1]}"
                )
            checkpoint = load_checkpoint(
                saved[-1], self.model, self.optimizer, self.schedule, self.config
            )
            restore_random_states(checkpoint.rng, self.device)
            self.scaler.load_state_dict(checkpoint.scaler)
            self.progress = checkpoint.progress
        step = self.progress.step
        (total,) = distributed.sum_over_processes([float(step)], self.device)
        if total != step * distributed.world_size():
            raise ArgumentError("folder", f"must be one that all processes see: got {self.folder}")

    def skip(self, epoch: int, batch: int) -> None:
        """Leave an update out: forget its gradient, and count it.

        Args:
            epoch: The epoch of its last batch.
            batch: The number of that batch in it.
        """
        self.optimizer.zero_grad()
        self.scaler.update()  # halves the scale
        skipped = self.progress.skipped + 1
        self.progress = replace(self.progress, epoch=epoch, batch=batch, skipped=skipped)

    def save(self) -> None:
        """Write a checkpoint, then delete those that are too old."""
        rng = random_states(self.device)  # from all processes
        if distributed.rank() == 0:
            path = self.folder.checkpoint(self.progress.step)
            checkpoint = Checkpoint(self.progress, self.config, rng, self.scaler.state_dict())
            save_checkpoint(
                path, self.model, self.optimizer, checkpoint, self.tokenizer, self.schedule
            )
            self.folder.prune(self.config.keep)

    def save_best(self) -> None:
        """Write the model, the best one so far."""
        if distributed.rank() == 0:
            save_model(self.folder.best, self.model, tokenizer=self.tokenizer)
