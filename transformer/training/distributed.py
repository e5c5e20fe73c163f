"""Several processes that train one model: who takes which rows, and sums over all of them.

Each function works in one process too, where there is nothing to share. Processes begin with
`torchrun` and `join`; they talk by gloo on CPUs, by nccl on GPUs.
"""

import os
from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta
from inspect import signature

import torch
from jaxtyping import Int
from torch import Tensor, distributed, nn
from torch.nn.parallel import DistributedDataParallel

from transformer.arguments import ArgumentError
from transformer.data.batching import rank_rows as rows_of
from transformer.device import DeviceName, find_device

TIMEOUT = timedelta(days=1)  # The first process may read a long file; torchrun ends the others.


def join(device: DeviceName = "auto") -> torch.device:
    """Join the processes that `torchrun` started, if it did, and return where this one works.

    Args:
        device: As `find_device` takes it; several processes need CPUs or GPUs of their own, so
            that `"auto"` takes no `"mps"` for them.

    Returns:
        The device: with several GPUs, one of its own for each process of a machine.

    Raises:
        ValueError: If a GPU is asked for and there is none, there are more processes than GPUs,
            they ask for `"mps"`, or a variable of torchrun is no number.

    Example:
        >>> join("cpu")
        device(type='cpu')
    """
    found, several = find_device(device), distributed.is_torchelastic_launched()
    if several and found.type == "mps":
        if device == "mps":
            raise ArgumentError("device", "must be cpu or cuda for several processes: got 'mps'")
        found = torch.device("cpu")
    gpu = found.type == "cuda"
    own_gpu = torch.device("cuda", _from_environment("LOCAL_RANK", 0))
    if gpu:
        here, gpus = _from_environment("LOCAL_WORLD_SIZE", 1), torch.cuda.device_count()
        if here > gpus:
            raise ValueError(
                "each process needs a GPU of its own: "
                f"got {here} processes and {gpus} GPUs (lower --nproc_per_node, or --device cpu)"
            )
        torch.cuda.set_device(own_gpu)  # before they meet: nccl takes the current one
    if several:
        backend, device_id = ("nccl", own_gpu) if gpu else ("gloo", None)
        distributed.init_process_group(backend, timeout=TIMEOUT, device_id=device_id)
    return own_gpu if gpu else found


def leave() -> None:
    """Leave the processes that `join` joined."""
    if _several():
        distributed.destroy_process_group()


def rank() -> int:
    """Return the number of this process, from 0."""
    return distributed.get_rank() if _several() else 0


def world_size() -> int:
    """Return how many processes there are."""
    return distributed.get_world_size() if _several() else 1


def rank_rows(
    src: Int[Tensor, "batch src_len"], tgt: Int[Tensor, "batch tgt_len"], pad_id: int
) -> tuple[Int[Tensor, "rows src_len"], Int[Tensor, "rows tgt_len"]]:
    """Return the rows of a batch that this process takes.

    Args:
        src: Source ids, shape `(batch, src_len)`.
        tgt: Target ids, shape `(batch, tgt_len)`.
        pad_id: Id of the padding token.

    Returns:
        The rows of both; if there are too few, the first one with a target of padding.

    Example:
        >>> rank_rows(torch.tensor([[5, 2]]), torch.tensor([[1, 6, 2]]), pad_id=0)
        (tensor([[5, 2]]), tensor([[1, 6, 2]]))
    """
    rows = rows_of(len(src), rank(), world_size())
    return src[rows], tgt[rows] if rank() < len(src) else torch.full_like(tgt[rows], pad_id)


def parallel(model: nn.Module) -> nn.Module:
    """Return the model as it is, or wrapped so that all processes average their gradients."""
    if not _several():
        return model
    # Buffers are tables of positions, the same everywhere; PyTorch 2.13 renamed the option.
    if "forward_sync_buffers" in signature(DistributedDataParallel).parameters:
        return DistributedDataParallel(model, forward_sync_buffers=False)
    return DistributedDataParallel(model, broadcast_buffers=False)


def keep_gradients_local(model: nn.Module) -> AbstractContextManager[None]:
    """Let gradients pile up without averaging them yet: for all batches of a step but the last."""
    no_sync: type[nullcontext[None]] = getattr(model, "no_sync", nullcontext)
    return no_sync()


def sum_over_processes(values: list[float], device: torch.device) -> list[float]:
    """Return the sum of each number over all processes.

    Example:
        >>> sum_over_processes([1.0, 2.0], torch.device("cpu"))
        [1.0, 2.0]
    """
    if not _several():
        return values
    total = torch.tensor(values, dtype=torch.float64, device=device)
    distributed.all_reduce(total)
    return total.tolist()


def gather(tensor: Tensor, device: torch.device) -> Tensor:
    """Return this tensor of every process, stacked, on the CPU."""
    if not _several():
        return tensor.unsqueeze(0)
    parts = [torch.empty_like(tensor, device=device) for _ in range(world_size())]
    distributed.all_gather(parts, tensor.to(device))
    return torch.stack(parts).cpu()


def wait_for_all() -> None:
    """Return when every process has come here."""
    if _several():
        distributed.barrier()


def _several() -> bool:
    return distributed.is_available() and distributed.is_initialized()


def _from_environment(name: str, default: int) -> int:
    value = os.environ.get(name, str(default))
    if not value.isdecimal():
        raise ValueError(f"{name} must be a number, as torchrun sets it: got {value!r}")
    return int(value)
