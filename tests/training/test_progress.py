"""When a run is done, and which evaluation was the best."""

from dataclasses import replace

import pytest

from transformer.training.config import TrainingConfig
from transformer.training.progress import Progress


def test_remembers_the_first_of_the_best_evaluations():
    progress, waits = Progress(), []
    for step, loss in enumerate([3.0, 2.0, 2.5, 2.0, 1.0, 1.5], start=1):
        progress = replace(progress, step=step).evaluated(loss)
        waits.append(progress.waited)
    assert (progress.best_step, progress.best_loss) == (5, 1.0)
    assert waits == [0, 0, 1, 2, 0, 1]
    for step, chrf in enumerate([0.0, 9.0, 8.0], start=1):  # the loss says otherwise
        progress = replace(progress, step=step).evaluated(loss=1.0 + step, chrf=chrf)
    assert (progress.best_step, progress.best_loss, progress.best_chrf) == (2, 3.0, 9.0)
    older = {k: v for k, v in vars(progress).items() if k not in ("best_chrf", "skipped")}
    assert Progress.from_dict(older) == replace(progress, best_chrf=None)


@pytest.mark.parametrize(
    ("step", "waited", "patience", "finished"),
    [(9, 0, None, False), (10, 0, None, True), (9, 99, None, False), (5, 1, 2, False),
     (5, 2, 2, True), (11, 0, 2, True)],
)  # fmt: skip
def test_ends_with_the_steps_or_with_patience(step, waited, patience, finished):
    config = TrainingConfig(steps=10, patience=patience)
    assert Progress(step=step, waited=waited).finished(config) == finished
