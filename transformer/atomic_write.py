"""Files that are written as a whole or not at all, whatever happens on the way."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Give a path to write to; what is there at the end of the block takes the place of `path`.

    It is on the disk before it is renamed. After an error the old file is as it was, and nothing
    half written is left. A link is followed: the file that it points to is replaced.

    Args:
        path: The file; one that is there is replaced, and its permissions are kept.

    Yields:
        A path of the same name, in a folder of its own beside the file.

    Raises:
        OSError: If the disk is full, or the folder cannot be written to; it names `path`.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "greeting")
        ...     with atomic_write(path) as unfinished:
        ...         _ = unfinished.write_text("hello")
        ...         path.exists()
        ...     path.read_text()
        False
        'hello'
    """
    path = path.resolve() if path.is_symlink() else path
    staging = staging_folder(path)
    shutil.rmtree(staging, ignore_errors=True)  # A process that was killed may have left one.
    try:
        with name_file_in_errors(path):
            staging.mkdir()
            written = staging / path.name
            yield written
            # Some writers let nobody else read what they make.
            written.chmod((path if path.exists() else staging).stat().st_mode & 0o666)
            _sync(written)
            written.replace(path)
            staging.rmdir()
            if os.name == "posix":  # Other systems cannot open a folder.
                _sync(path.parent)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


@contextmanager
def name_file_in_errors(path: Path) -> Iterator[None]:
    """Let errors of the disk name a file: the error of a full disk names none.

    Args:
        path: The file that is written while the block runs.

    Raises:
        OSError: As it was raised, with `path` as its file if it had none.

    Example:
        >>> with name_file_in_errors(Path("log.jsonl")):
        ...     raise OSError(28, "No space left on device")
        Traceback (most recent call last):
        ...
        OSError: [Errno 28] No space left on device: 'log.jsonl'
    """
    try:
        yield
    except OSError as error:
        unfinished = str(error.filename).startswith(f"{staging_folder(path)}")
        if error.filename is not None and not unfinished:
            raise  # The error is of another file, such as one that is read in the block.
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
