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
    states = {"cpu": torch.get_rng_state()}
    if device.type == "cuda":
        states["cuda"] = torch.cuda.get_rng_state(device)
    elif device.type == "mps":
        states["mps"] = torch.mps.get_rng_state()
    return {name: gather(state, device) for name, state in states.items()}


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
