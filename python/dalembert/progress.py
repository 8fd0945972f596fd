"""A line that shows how far a run is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Union

Progress = Callable[[str, int, float], None]
"""Called about twenty times a second with what is done, the steps that are done, and all steps."""

ProgressChoice = Union[bool, Progress]


class _Line:
    """Writes to the standard error output, in a terminal or a notebook."""

    def __init__(self) -> None:
        self._begin = time.monotonic()
        self._shown = False

    def __call__(self, stage: str, done: int, total: float) -> None:
        seconds = time.monotonic() - self._begin
        if not self._shown and seconds < 0.2:
            return
        self._shown = True
        text = stage
        if total > 0:
            part = min(1.0, done / total)
            text = f"[{'#' * int(40 * part):.<40}] {100 * part:3.0f} %"
            if 0.01 < part < 1:
                text += f", {seconds / part * (1 - part):.0f} s left"
        print(f"\r{text:<78}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._shown:
            print(f"\r{'':78}\r", end="", file=sys.stderr, flush=True)


@contextmanager
def shown(choice: ProgressChoice) -> Iterator[Progress | None]:
    """The function to call, which ends its line afterwards."""
    if choice is not True:
        yield choice if callable(choice) else None
        return
    line = _Line()
    try:
        yield line
    finally:
        line.close()
