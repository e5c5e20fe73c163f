"""Files that are there whole or not at all, whatever happens while they are written."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Give a path to write to; what is there at the end of the block takes the place of `path`.

    It is on the disk before it is put in place. After an error the old file stands as it was, and
    nothing half written is left.

    Args:
        path: The file; one that stands there is replaced.

    Yields:
        A path of the same name, in a folder of its own beside the file.

    Raises:
        OSError: If the disk is full, or the folder cannot be written to; it names `path`.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "greeting")
        ...     with written_whole(path) as unfinished:
        ...         _ = unfinished.write_text("hello")
        ...         path.exists()
        ...     path.read_text()
        False
        'hello'
    """
    staging = staging_folder(path)
    shutil.rmtree(staging, ignore_errors=True)  # of a process that was killed
    try:
        with naming(path):
            staging.mkdir()
            written = staging / path.name
            yield written
            written.chmod(staging.stat().st_mode & 0o666)  # some writers let nobody else read it
            _sync(written)
            written.replace(path)
            staging.rmdir()
            if os.name == "posix":  # elsewhere a folder cannot be opened
                _sync(path.parent)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let errors of the disk name a file: that of a full disk names none.

    Args:
        path: The file that is written while the block runs.

    Raises:
        OSError: As it was raised, but with `path` as its file.

    Example:
        >>> with naming(Path("log.jsonl")):
        ...     raise OSError(28, "No space left on device")
        Traceback (most recent call last):
        ...
        OSError: [Errno 28] No space left on device: 'log.jsonl'
    """
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def staging_folder(path: Path) -> Path:
    """Return where a file is written before it is put in place.

    Example:
        >>> staging_folder(Path("best.safetensors")).name
        '.best.safetensors.tmp'
    """
    return path.with_name(f".{path.name}.tmp")


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
