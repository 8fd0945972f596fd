"""Results in files, and as bytes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any, TypeVar

from .errors import RequestError

Core = TypeVar("Core")


def result_path(path: str | os.PathLike[str] | None) -> str:
    """Where a result is written, "" for nowhere."""
    if path is None:
        return ""
    name = os.fspath(path)
    ending = os.path.splitext(name)[1]
    others = {".csv": "to_csv", ".json": "to_json", ".svg": "plot", ".png": "plot", ".pdf": "plot"}
    if ending in others:
        raise RequestError(f'"{name}": a result is an HDF5 file, as result.h5; for {ending[1:]} call {others[ending]}')
    return name


def save(core: Any, path: str | os.PathLike[str], own: str, overwrite: bool) -> str:
    """Writes a result, also over the file `own`, where it was before; returns where it is now."""
    target = result_path(path)
    is_own = own != "" and os.path.exists(own) and os.path.exists(target) and os.path.samefile(own, target)
    core.save(target, overwrite or is_own)
    return target


def bytes_of(core: Any) -> bytes:
    """The file that `save` writes."""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "result.h5")
        core.save(path, True)
        with open(path, "rb") as file:
            return file.read()


def read_bytes(content: bytes, read: Callable[[str], Core]) -> Core:
    """What is read of such a file."""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "result.h5")
        with open(path, "wb") as file:
            file.write(content)
        return read(path)
