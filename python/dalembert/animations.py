"""Motions as they look: pages that play, and animated pictures."""

from __future__ import annotations

import os
from collections.abc import Mapping
from html import escape
from typing import Any

from . import _core, checks
from .errors import RequestError


class Animation:
    """A motion as a page that plays; in a notebook it plays in the cell.

    ``html``: the page, which needs nothing but itself; ``path``: the file that was written, or "".
    """

    def __init__(self, html: str, path: str = "") -> None:
        self.html, self.path = html, path

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{escape(self.html)}" style="width: 100%; height: 620px; border: 0" sandbox="allow-scripts"'
                ' title="motion"></iframe>')

    def __repr__(self) -> str:
        return f"<dalembert.Animation {self.path or 'of ' + str(len(self.html)) + ' characters'}>"


def animate(runs: _core.Runs, index: int, path: str | os.PathLike[str] | None, picture: Mapping[str, Any] | None, frames: int,
            size: tuple[int, int], seconds: float | None, overwrite: bool) -> Animation:
    """What ``Solution.animate`` does."""
    count = checks.whole(frames, "frames", 2)
    document = None if picture is None else dict(picture)
    if path is None:
        return Animation(runs.motion_page(index, document, count))
    name = os.fspath(path)
    if not name.endswith((".html", ".gif")):
        raise RequestError(f'"{name}" must end in .html, a page that plays, or .gif, an animated picture')
    width, height = (checks.whole(number, "size", 64) for number in size)
    length = 0.0 if seconds is None else checks.number(seconds, "seconds")
    if seconds is not None and not length > 0:
        raise RequestError(f"seconds is {length:g}; it must be > 0")
    runs.write_motion(index, document, count, name, (width, height), length, overwrite)
    return Animation(runs.motion_page(index, document, count), name)
