"""The state of PyTorch's global generators, from which dropout draws."""

import torch
from torch import Tensor

from transformer.training.distributed import gather, rank


def random_states(device: torch.device) -> dict[str, Tensor]:
    """Return the states of the generators that a model on this device draws from.

    Args:
        device: Where the model is.

    Returns:
        By device type, the states in all processes, shape `(processes, bytes)`.

    Example:
        >>> states = random_states(torch.device("cpu"))
        >>> before = torch.rand(1)
        >>> restore_random_states(states, torch.device("cpu"))
        >>> torch.equal(torch.rand(1), before)
        True
    """
    return {name: gather(state, device) for name, state in _own_states(device).items()}


def restore_random_states(states: dict[str, Tensor], device: torch.device) -> None:
    """Set the generators to what `random_states` returned.

    A generator without a saved state, because the run goes on with more processes or on another
    device, keeps its own.

    Args:
        states: The saved states.
        device: Where the model is.
    """
    # Copies: set_rng_state crashes on a tensor that is a part of another (PyTorch 2.13).
    own = {name: rows[rank()].clone() for name, rows in states.items() if rank() < len(rows)}
    if "cpu" in own:
        torch.set_rng_state(own["cpu"])
    if "cuda" in own and device.type == "cuda":
        torch.cuda.set_rng_state(own["cuda"], device)
    if "mps" in own and device.type == "mps":
        torch.mps.set_rng_state(own["mps"])


def check_random_states(states: dict[str, Tensor], device: torch.device) -> None:
    """Refuse what `random_states` cannot have returned.

    Args:
        states: The saved states.
        device: Where the model is.

    Raises:
        ValueError: If the state of a generator is missing, or is none.
    """
    if unknown := sorted(set(states) - {"cpu", "cuda", "mps"}):
        raise ValueError(f"random states must be of cpu, cuda or mps: got {unknown}")
    if "cpu" not in states:
        raise ValueError("the random state of the cpu is missing")
    expected = {name: state.shape for name, state in _own_states(device).items()}
    for name, rows in states.items():
        if rows.dtype != torch.uint8 or rows.ndim != 2 or not len(rows):
            raise ValueError(
                f"random states must be rows of bytes: {name} is {tuple(rows.shape)} {rows.dtype}"
            )
        if rows.shape[1:] != expected.get(name, rows.shape[1:]):
            raise ValueError(f"the random state of the {name} has {rows.size(1)} bytes")
    try:
        for row in states["cpu"]:
            torch.Generator().set_state(row.clone())
    except RuntimeError as error:
        raise ValueError(f"the random state of the cpu is none: {error}") from error


def _own_states(device: torch.device) -> dict[str, Tensor]:
    """Return the states of the generators of this process, by device type."""
    states = {"cpu": torch.get_rng_state()}
    if device.type == "cuda":
        states["cuda"] = torch.cuda.get_rng_state(device)
    elif device.type == "mps":
        states["mps"] = torch.mps.get_rng_state()
    return states
