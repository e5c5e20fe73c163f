"""Tensors and a JSON document in one safetensors file, with checksums of both.

The document is the only entry of the file's header. It holds the checksum of the tensors, and its
own checksum in front. Equal contents are equal bytes: safetensors shuffles the entries of a header,
so there is only one. Nothing is pickled.
"""

import errno
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from os import strerror
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from transformer.atomic_write import atomic_write

FORMAT = 1  # raised when an older reader could not read the file any more
ENTRY = "transformer"  # the only entry of the header
_PREFIX = '{"sha256": "'
_CHECKSUM = re.compile(re.escape(_PREFIX) + r'([0-9a-f]{64})", ')
_DTYPES = {
    "F64": torch.float64,
    "F32": torch.float32,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I64": torch.int64,
    "I32": torch.int32,
    "U8": torch.uint8,
    "BOOL": torch.bool,
}


class Spec(NamedTuple):
    """What the header says of a tensor."""

    dtype: torch.dtype | str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class ChecksummedFile:
    """A file that is open: its document and what its tensors are, before any of them is read.

    Attributes:
        path: The file.
        document: What was written beside the tensors.
        specs: Dtype and shape of each tensor, by its name.
    """

    path: Path
    document: dict[str, Any]
    specs: dict[str, Spec]
    _checksum: str
    _file: Any

    def tensors(self) -> dict[str, Tensor]:
        """Read all tensors.

        Raises:
            ValueError: If they are not what was written.
        """
        # Copies: the file may be changed while the tensors live on.
        tensors = {name: self._file.get_tensor(name).clone() for name in self.specs}
        if _checksum(tensors) != self._checksum:
            raise ValueError(f"{self.path}: damaged: its tensors do not have their checksum")
        return tensors


def write_checksummed(path: Path, document: dict[str, Any], tensors: Mapping[str, Tensor]) -> None:
    """Write a document and tensors to one file, as a whole or not at all.

    Args:
        path: The file; one that is there is replaced.
        document: Values for JSON, by name.
        tensors: Tensors that share no memory, by name.

    Raises:
        OSError: If it cannot be written, such as on a full disk; it names the file.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "file")
        ...     write_checksummed(path, {"answer": 42}, {"ones": torch.ones(2)})
        ...     with open_checksummed(path) as file:
        ...         file.document["answer"], file.tensors()
        (42, {'ones': tensor([1., 1.])})
    """
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    document = {**document, "format": FORMAT, "tensors": _checksum(tensors)}
    text = json.dumps(document, sort_keys=True, allow_nan=False)
    entry = f'{_PREFIX}{sha256(text.encode()).hexdigest()}", {text[1:]}'
    with atomic_write(path) as unfinished:
        try:
            save_file(tensors, unfinished, {ENTRY: entry})
        except SafetensorError as error:
            found = re.search(r"os error (\d+)", str(error))
            number = int(found[1]) if found else errno.EIO
            raise OSError(number, strerror(number) if found else str(error)) from error


@contextmanager
def open_checksummed(path: Path) -> Iterator[ChecksummedFile]:
    """Open a file that `write_checksummed` wrote; its tensors are read when they are asked for.

    Args:
        path: The file.

    Yields:
        The file, its document known to be what was written.

    Raises:
        OSError: If there is no such file, or it cannot be opened.
        ValueError: If it is damaged, or was not written by this package.
    """
    path.open("rb").close()  # Python's own error names the file; that of safetensors does not.
    try:
        opened = safe_open(path, framework="pt")
    except (SafetensorError, OSError) as error:
        raise ValueError(f"{path}: no complete safetensors file: {error}") from error
    with opened as file:
        document = _read_document(path, file.metadata() or {})
        checksum = document.pop("tensors", None)
        specs = {name: _spec(file.get_slice(name)) for name in sorted(file.keys())}
        yield ChecksummedFile(path, document, specs, checksum, file)


def _read_document(path: Path, entries: dict[str, str]) -> dict[str, Any]:
    """Return the document, or say why it is none."""
    if ENTRY not in entries:
        raise ValueError(f"{path}: no file of this package, or of its first days: make it again")
    text = entries[ENTRY]
    try:
        document = json.loads(text)
        if not isinstance(document, dict):
            raise TypeError(f"a {type(document).__name__}")
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(f"{path}: damaged: its header is no JSON document: {error}") from error
    if document.get("format") != FORMAT:
        raise ValueError(
            f"{path}: written in format {document.get('format')!r}: this package reads {FORMAT}"
        )
    found = _CHECKSUM.match(text)
    if found is None or sha256(("{" + text[found.end() :]).encode()).hexdigest() != found[1]:
        raise ValueError(f"{path}: damaged: its header does not have its checksum")
    del document["sha256"], document["format"]
    return document


def _spec(piece: Any) -> Spec:
    name = piece.get_dtype()
    return Spec(_DTYPES.get(name, name), tuple(piece.get_shape()))


def _checksum(tensors: Mapping[str, Tensor]) -> str:
    """Return a checksum over names, dtypes, shapes and bytes."""
    digest = sha256()
    for name in sorted(tensors):
        tensor = tensors[name]
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)} ".encode())
        digest.update(tensor.flatten().view(torch.uint8).numpy())  # type: ignore[arg-type]
    return digest.hexdigest()
