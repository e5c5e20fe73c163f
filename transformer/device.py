"""Where to compute: the devices that a command line can name."""

from typing import Literal

import torch

from transformer.arguments import ArgumentError

DeviceName = Literal["auto", "cpu", "cuda", "mps"]


def find_device(name: DeviceName = "auto") -> torch.device:
    """Return the device of a name.

    Args:
        name: `"cpu"`, `"cuda"` for a GPU of NVIDIA or AMD, `"mps"` for the one of a Mac, or
            `"auto"` for a GPU where there is one.

    Raises:
        ValueError: If there is no such device.

    Example:
        >>> find_device("cpu")
        device(type='cpu')
    """
    gpus = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not gpus.get(name, True):
        raise ArgumentError(
            "device", f"must be one that PyTorch finds: got {name!r}, and there is no such GPU"
        )
    if name == "auto":
        return torch.device(next((gpu for gpu, found in gpus.items() if found), "cpu"))
    return torch.device(name)
