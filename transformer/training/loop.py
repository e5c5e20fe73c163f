"""The training loop: batches, gradients, updates, evaluation, checkpoints (§5)."""

import math
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from itertools import count, islice
from os import PathLike
from typing import Any, cast

import torch
from torch import nn
from torch.optim import Adam, Optimizer
from torch.optim.lr_scheduler import LRScheduler, ReduceLROnPlateau

from transformer.arguments import ArgumentError
from transformer.data.encoded_batches import EncodedBatches, RankBatch
from transformer.data.tokenizer import Tokenizer
from transformer.deprecation import renamed_parameters
from transformer.model.transformer import Transformer
from transformer.training import distributed
from transformer.training.checkpoint import schedule_state
from transformer.training.config import TrainingConfig
from transformer.training.log import TrainingLog
from transformer.training.progress import Progress
from transformer.training.run import Run
from transformer.training.run_folder import RunFolder
from transformer.training.schedule import learning_rate, noam_schedule
from transformer.training.teacher_forcing import (
    TokenBatch,
    accumulate_gradients,
    check_padding,
    count_tokens,
    validate,
)

MOST_SKIPPED = 20  # updates in a row; float16 needs some until its loss scaling has found a scale


@renamed_parameters(tell="message")
def train(
    model: Transformer,
    batches_for_epoch: EncodedBatches | Callable[[int], Iterable[TokenBatch]],
    config: TrainingConfig,
    folder: str | PathLike[str],
    validation: Collection[TokenBatch] | None = None,
    resume: bool = True,
    tokenizer: Tokenizer | None = None,
    *,
    optimizer: Optimizer | None = None,
    schedule: LRScheduler | None = None,
    measure: Callable[[Transformer], dict[str, Any]] | None = None,
    callback: Callable[[dict[str, Any]], None] | None = None,
    message: Callable[[str], None] | None = None,
    bar: bool = True,
) -> Progress:
    """Train the model, and keep checkpoints and a log in a folder.

    A run that was stopped, even killed, goes on from its newest checkpoint when `train` is
    called again with the same arguments. It ends with the very weights of a run that was never
    stopped, bit for bit, on the same machine with as many threads and processes (and without
    `config.compile`, which may compute batches of new sizes in another way).

    Dropout draws from PyTorch's global generator: `train` seeds it with `config.seed` (plus the
    number of the process), and saves its state in every checkpoint.

    In several processes (`torchrun`, after `torch.distributed.init_process_group`), each one
    plans the same batches and takes its part of the rows; of `EncodedBatches` it reads no
    others. Their gradients are those of one process with the whole batch. The folder must be one
    that all of them see.

    If a gradient is infinite or nan, its batches are skipped and counted, in all processes: the
    weights stay as they are, and it is no step. With float16 this also halves the scale of the
    loss, which begins too large.

    The folder holds `step-….safetensors` (checkpoints), `best.safetensors` (the model at its
    best evaluation) and `log.jsonl`. Only one training works in it at a time.

    Args:
        model: The model, on the device that shall do the work. Its weights are trained in place,
            and it is left in evaluation mode.
        batches_for_epoch: Returns the batches of an epoch, from 0. They must depend on this
            number alone, so that training can go on in the middle of an epoch: it goes through
            those that are done, but for `EncodedBatches`, which skips them.
        config: Every number of the run.
        folder: Where to keep checkpoints and log; made if it is not there.
        validation: Batches that measure the model from time to time, such as a list.
        resume: Go on from the newest checkpoint. If False, there must be none.
        tokenizer: The tokenizer of the ids, to be stored in every file of a model.
        optimizer: An optimizer of your own, over the model's parameters; its rate stays as it is
            unless you give a schedule. Without one, the paper's Adam and schedule (§5.3).
        schedule: A schedule of your own, over your optimizer; its `step` is called after every
            update. Its state is saved too, so it must fit into JSON.
        measure: Is called with the model at each evaluation, in the first process. What it
            returns stands in the log beside the validation loss, such as `{"chrf": 31.2}`;
            `score_translations` makes one.
        callback: Is called with every record of the log, as `read_log` gives it, in the first
            process. What it raises stops the run, which goes on from its newest checkpoint.
        message: Is called with a line of progress now and then where there is no terminal.
        bar: Draw a bar where there is a terminal.

    Returns:
        Where the run ended.

    Raises:
        FloatingPointError: If the gradients of 20 updates in a row or a validation loss are
            infinite or nan; no file is written, then.
        OSError: If a file cannot be written, such as on a full disk; the run can go on later.
        ValueError: If an epoch is empty, the newest checkpoint is damaged or belongs to another
            model or config, another training is at work in the folder, patience has no validation
            to look at or `best_by` no `measure`, the schedule is not one for the optimizer, or
            `resume` is False and the folder has a checkpoint.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> from types import SimpleNamespace
        >>> from transformer import TransformerConfig
        >>> _ = torch.manual_seed(0)
        >>> sizes = {"num_encoder_layers": 1, "num_decoder_layers": 1, "d_ff": 32}
        >>> model = Transformer(TransformerConfig(9, 9, d_model=16, num_heads=2, **sizes))
        >>> batch = SimpleNamespace(src=torch.tensor([[5, 2]]), tgt=torch.tensor([[1, 5, 2]]))
        >>> config = TrainingConfig(steps=50, warmup=10)
        >>> with TemporaryDirectory() as folder:
        ...     progress = train(model, lambda epoch: [batch], config, folder)
        >>> progress.step, progress.epoch
        (50, 49)
        >>> validate(model, [batch]).accuracy
        1.0
    """
    if config.patience is not None and validation is None:
        raise ArgumentError("patience", f"must have validation batches: got {config.patience}")
    if config.best_by == "chrf" and (validation is None or measure is None):
        raise ArgumentError("best_by", "must be 'loss' where nothing is translated: got 'chrf'")
    _check_schedule(schedule, optimizer)
    first, pad_id = distributed.rank() == 0, model.config.pad_id
    run = Run(
        model, optimizer or _adam(model, config), schedule, config, RunFolder(folder), tokenizer
    )
    with run.folder.locked() if first else nullcontext():
        torch.manual_seed(config.seed + distributed.rank())
        run.resume(resume)
        if optimizer is None:
            done = run.progress.step
            schedule = noam_schedule(run.optimizer, model.config.d_model, config.warmup, done)
        forward = distributed.parallel(model)
        if config.compile:
            # One program for batches of every size.
            forward = cast(nn.Module, torch.compile(forward, dynamic=True))

        model.train()
        stream = _rank_batches(batches_for_epoch, run.progress, pad_id)
        with TrainingLog(
            run.folder,
            config.steps,
            run.progress.step,
            first=first,
            bar=bar,
            message=message,
            callback=callback,
        ) as log:
            in_a_row = 0  # updates that were skipped
            while not run.progress.finished(config):
                batches = list(islice(stream, config.accumulate))
                tokens = sum(batch.tokens for batch in batches)
                rate = float(run.optimizer.param_groups[0]["lr"])
                step, last = run.progress.step + 1, batches[-1]
                loss = accumulate_gradients(
                    forward,
                    batches,
                    config.label_smoothing,
                    pad_id,
                    config.dtype,
                    tokens,
                    run.scaler,
                )
                run.scaler.unscale_(run.optimizer)
                try:
                    norm = clip_gradients(model, config.clip_norm)
                except FloatingPointError as error:  # the same in all processes
                    in_a_row += 1
                    if in_a_row == MOST_SKIPPED:
                        text = f"{in_a_row} times in a row, {error}"
                        raise FloatingPointError(_explained(step, rate, text)) from error
                    run.skip(last.epoch, last.number)
                    log.skipped(step, str(error), run.progress.skipped)
                    continue
                in_a_row = 0
                run.scaler.step(run.optimizer)
                run.scaler.update()
                run.optimizer.zero_grad()
                if schedule is not None:
                    schedule.step()
                run.progress = replace(run.progress, step=step, epoch=last.epoch, batch=last.number)

                log.count(tokens)
                if step == 1 or step % config.log_every == 0:
                    (mean,) = distributed.sum_over_processes([float(loss)], loss.device)
                    log.training(step, last.epoch, mean, rate, norm, run.progress.skipped)
                if validation is not None and config.evaluates(step):
                    result = validate(model, validation, config.dtype)
                    scores = measure(model) if measure and first else {}
                    chrf = None
                    if config.best_by == "chrf":  # from the first process to all
                        found = [float(scores.get("chrf", 0.0))]
                        (chrf,) = distributed.sum_over_processes(found, loss.device)
                    try:
                        run.progress = run.progress.evaluated(result.loss, chrf)
                    except FloatingPointError as error:
                        raise FloatingPointError(_explained(step, rate, str(error))) from error
                    log.validation(step, result.loss, result.accuracy, scores)
                    if run.progress.best_step == step:
                        run.save_best()
                if config.saves(step) or run.progress.finished(config):
                    run.save()
        distributed.wait_for_all()
    model.eval()
    return run.progress


def clip_gradients(model: nn.Module, max_norm: float | None) -> float:
    """Scale all gradients down together so that, as one vector, they are no longer than this.

    Args:
        model: A module after a backward pass.
        max_norm: The greatest length; None leaves the gradients as they are.

    Returns:
        The length before.

    Raises:
        FloatingPointError: If it is infinite or nan.

    Example:
        >>> linear = nn.Linear(2, 1, bias=False)
        >>> linear.weight.grad = torch.tensor([[3.0, 4.0]])
        >>> clip_gradients(linear, max_norm=1.0), linear.weight.grad
        (5.0, tensor([[0.6000, 0.8000]]))
    """
    norm = float(nn.utils.clip_grad_norm_(model.parameters(), max_norm or math.inf))
    if not math.isfinite(norm):
        raise FloatingPointError(f"the gradient must be finite: got a norm of {norm}")
    return norm


def _explained(step: int, rate: float, text: str) -> str:
    """Say of a number that is not finite when it came, and what may help."""
    return (
        f"step {step}: {text}: the learning rate there, {rate:.1e}, may be too high (a run that "
        "goes on comes here again: train in another folder with a lower peak learning rate, a "
        "longer warmup or another dtype)"
    )


def _rank_batches(
    batches_for_epoch: EncodedBatches | Callable[[int], Iterable[TokenBatch]],
    progress: Progress,
    pad_id: int,
) -> Iterator[RankBatch]:
    """Yield this process's rows of batch after batch, epoch after epoch, without those done."""
    check_padding(batches_for_epoch, pad_id)
    epoch, done = progress.epoch, progress.batch
    if isinstance(batches_for_epoch, EncodedBatches):
        rank, world_size = distributed.rank(), distributed.world_size()
        yield from batches_for_epoch.rank_batches(epoch, done, rank, world_size)
        return
    for now in count(epoch):
        number = 0
        for number, batch in enumerate(batches_for_epoch(now), start=1):
            if now > epoch or number > done:
                check_padding(batch, pad_id)
                rows = distributed.rank_rows(batch.src, batch.tgt, pad_id)
                yield RankBatch(now, number, count_tokens([batch], pad_id), *rows)
        if number == 0:
            raise ValueError(f"an epoch must hold at least one batch: got none in epoch {now}")


def _check_schedule(schedule: LRScheduler | None, optimizer: Optimizer | None) -> None:
    """Refuse a schedule that is not the optimizer's, or that no checkpoint could bring back."""
    if schedule is not None and (optimizer is None or schedule.optimizer is not optimizer):
        raise ArgumentError("schedule", "must be one of the optimizer that is given with it")
    if isinstance(schedule, ReduceLROnPlateau):
        raise ArgumentError("schedule", "must step without a measurement: got ReduceLROnPlateau")
    schedule_state(schedule)


def _adam(model: Transformer, config: TrainingConfig) -> Adam:
    """Return the paper's optimizer; its own rate multiplies that of the schedule (§5.3)."""
    scale = 1.0
    if config.peak_learning_rate is not None:
        papers_peak = learning_rate(config.warmup, model.config.d_model, config.warmup)
        scale = config.peak_learning_rate / papers_peak
    return Adam(model.parameters(), lr=scale, betas=(0.9, 0.98), eps=1e-9, fused=True)
