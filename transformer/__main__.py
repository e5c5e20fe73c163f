"""`transformer` and `python -m transformer`: the command line."""

import os
import signal
import sys
from types import FrameType
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line; Ctrl-C while it is still being imported ends at once."""
    normal = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if normal:
        signal.signal(signal.SIGINT, _stop)
    from transformer.cli import main as run  # PyTorch takes seconds

    try:
        if normal:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        run()
    except KeyboardInterrupt:
        _stop()


def _stop(number: int = signal.SIGINT, frame: FrameType | None = None) -> NoReturn:
    """End the process as the command line does, from wherever it is in an import."""
    sys.stderr.write("stopped\n")
    sys.stderr.flush()
    os._exit(130)


if __name__ == "__main__":
    main()
