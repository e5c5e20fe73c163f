"""Tensors and a JSON document in one safetensors file, sealed by a checksum over all of it.

The document stands in the file's header, with the checksum of the tensors in it and its own in
front. Equal contents are equal bytes: safetensors shuffles the entries of a header, so there is
one only. Nothing is pickled.
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

from transformer.whole_file import written_whole

FORMAT = 1  # raised when an older reader could not read the file any more
ENTRY = "transformer"  # the only entry of the header
_SEAL = '{"sha256": "'
_SEALED = re.compile(re.escape(_SEAL) + r'([0-9a-f]{64})", ')
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
class SealedFile:
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


def write_sealed(path: Path, document: dict[str, Any], tensors: Mapping[str, Tensor]) -> None:
    """Write a document and tensors to one file, whole or not at all.

    Args:
        path: The file; one that stands there is replaced.
        document: Values for JSON, by name.
        tensors: Tensors that share no memory, by name.

    Raises:
        OSError: If it cannot be written, such as on a full disk; it names the file.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "file")
        ...     write_sealed(path, {"answer": 42}, {"ones": torch.ones(2)})
        ...     with open_sealed(path) as file:
        ...         file.document["answer"], file.tensors()
        (42, {'ones': tensor([1., 1.])})
    """
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    document = {**document, "format": FORMAT, "tensors": _checksum(tensors)}
    text = json.dumps(document, sort_keys=True, allow_nan=False)
    sealed = f'{_SEAL}{sha256(text.encode()).hexdigest()}", {text[1:]}'
    with written_whole(path) as unfinished:
        try:
            save_file(tensors, unfinished, {ENTRY: sealed})
        except SafetensorError as error:
            found = re.search(r"os error (\d+)", str(error))
            number = int(found[1]) if found else errno.EIO
            raise OSError(number, strerror(number) if found else str(error)) from error


@contextmanager
def open_sealed(path: Path) -> Iterator[SealedFile]:
    """Open a file that `write_sealed` wrote; its tensors are read when they are asked for.

    Args:
        path: The file.

    Yields:
        The file, its document known to be what was written.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If it is damaged, or was not written by this package.
    """
    path.stat()  # raises where there is no file
    try:
        with safe_open(path, framework="pt") as file:
            document = _unsealed(path, file.metadata() or {})
            checksum = document.pop("tensors", None)
            specs = {name: _spec(file.get_slice(name)) for name in sorted(file.keys())}
            yield SealedFile(path, document, specs, checksum, file)
    except (SafetensorError, OSError) as error:
        raise ValueError(f"{path}: no complete safetensors file: {error}") from error


def _unsealed(path: Path, entries: dict[str, str]) -> dict[str, Any]:
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
    seal = _SEALED.match(text)
    if seal is None or sha256(("{" + text[seal.end() :]).encode()).hexdigest() != seal[1]:
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
