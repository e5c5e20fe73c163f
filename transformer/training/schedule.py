"""The learning rate of the paper: up in a line, then down with 1/√step (§5.3)."""

from torch.optim import Optimizer
from torch.optim.lr_scheduler import LambdaLR

from transformer.arguments import check_integer


def learning_rate(step: int, d_model: int, warmup: int = 4000) -> float:
    """Return the paper's learning rate: up in a line, then down with 1/√step (§5.3, eq. 3).

    Args:
        step: Number of the update, from 1.
        d_model: Width of the model.
        warmup: The step at which the rate is highest.

    Raises:
        TypeError: If a number is not an integer.
        ValueError: If a number is below 1 or above 10**18.

    Example:
        >>> [round(learning_rate(step, d_model=512), 6) for step in (1, 2000, 4000, 16000)]
        [0.0, 0.000349, 0.000699, 0.000349]
    """
    for name, value in (("step", step), ("d_model", d_model), ("warmup", warmup)):
        check_integer(name, value, 1, 10**18)
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def noam_schedule(
    optimizer: Optimizer, d_model: int, warmup: int = 4000, done: int = 0
) -> LambdaLR:
    """Let `learning_rate` set the optimizer's rate; call `step()` on it after every update.

    Args:
        optimizer: Made with `lr=1.0`: its own rate multiplies the schedule's.
        d_model: Width of the model.
        warmup: The step at which the rate is highest.
        done: Updates that the optimizer, loaded from a checkpoint, has made already. The rate
            follows from their number, so that the schedule has no other state.

    Returns:
        PyTorch's scheduler, already at the rate of the next step.

    Raises:
        TypeError: If a number is not an integer.
        ValueError: If `d_model` or `warmup` is below 1, or `done` below 0.

    Example:
        >>> import torch
        >>> optimizer = torch.optim.Adam([torch.nn.Parameter(torch.ones(1))], lr=1.0)
        >>> noam_schedule(optimizer, d_model=16, warmup=4).get_last_lr()
        [0.03125]
    """
    check_integer("done", done, 0)
    return LambdaLR(optimizer, lambda n: learning_rate(n + 1, d_model, warmup), done - 1)
