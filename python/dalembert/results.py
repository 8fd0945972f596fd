"""The runs of a study together."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .errors import RequestError, StepError, UnknownName, caution
from .files import bytes_of, read_bytes, save
from .methods import Method
from .motion import _Motion
from .progress import ProgressChoice, shown
from .studies import end_text, own_methods, request

if TYPE_CHECKING:
    import matplotlib.axes
    import xarray

    from .animations import Animation


class Solution(_Motion):
    """One run: a method, a start, a step."""

    def __init__(self, result: Result, index: int) -> None:
        self._result, self._index = result, index

    def _place(self) -> tuple[_core.Runs, int]:
        return self._result._runs, self._index

    def _motion(self) -> _core.Motion:
        return self._result._motion_of(self._index)

    def to_xarray(self) -> xarray.Dataset:
        """A Dataset with the dimensions time, position, velocity, multiplier."""
        return self._to_dataset()

    def plot(self, quantity: str = "energy_error", *, ax: matplotlib.axes.Axes | None = None,
             **options: Any) -> matplotlib.axes.Axes:
        """Draws a column against time with Matplotlib; options go to ``Axes.plot``."""
        from .drawing import plot
        return plot([self], quantity, ax, options)

    def plot_path(self, x: str, y: str, *, ax: matplotlib.axes.Axes | None = None,
                  **options: Any) -> matplotlib.axes.Axes:
        """Draws one column against another, with equal axes."""
        from .drawing import plot_path
        return plot_path([self], x, y, ax, options)

    def plot_section(self, name: str, x: str, y: str, *, ax: matplotlib.axes.Axes | None = None,
                     **options: Any) -> matplotlib.axes.Axes:
        """Draws the crossings of a Poincare section in the plane of two columns of the motion."""
        from .drawing import plot_section
        return plot_section([self], name, x, y, ax, options)

    def animate(self, path: str | os.PathLike[str] | None = None, *, picture: Mapping[str, Any] | None = None, frames: int = 600,
                size: tuple[int, int] = (640, 400), seconds: float | None = None, overwrite: bool = False) -> Animation:
        """The motion as it looks: as a page in ``path`` (.html), as a picture (.gif), or, as the value of a cell, in a notebook.

        ``picture``: how the problem looks, as the table [picture] of a problem file, where the problem does not
        say it or shall look otherwise: ``{"view": "plane", "trail": {"at": ["x", "y"]}}``. ``frames``: at most so
        many of its records. ``size`` in pixels and ``seconds``: of a .gif.
        """
        from .animations import animate
        return animate(*self._place(), path, picture, frames, size, seconds, overwrite)

    def __reduce__(self) -> tuple[Any, ...]:
        return Solution, (self._result, self._index)

    def __repr__(self) -> str:
        times = self.t
        reached = f" to t = {times[-1]:g}" if len(times) else ""
        return f"<dalembert.Solution {self._title()}: {len(times)} records{reached}, {self.status}>"


class Result(_Motion, Mapping[str, Solution]):
    """The runs of a study, by their methods: ``result["leapfrog"].q``.

    Where one method has several runs (starts, parameters, steps) the names say which, as
    "leapfrog, rotating, h = 0.1"; ``result.solutions`` lists all. A result of one run has the arrays of
    that run itself: ``result.q``. ``refused`` holds methods that do not fit the problem, each with
    the reason.
    """

    def __init__(self, runs: _core.Runs, path: str = "", methods: Sequence[Method] = ()) -> None:
        self._runs, self._path, self._methods = runs, path, list(methods)
        self._motions: dict[int, _core.Motion] = {}

    def _place(self) -> tuple[_core.Runs, int]:
        if len(self._runs) != 1:
            raise RequestError(f"there are {len(self._runs)} runs; choose one of: {', '.join(self)}")
        return self._runs, 0

    def _motion(self) -> _core.Motion:
        return self._motion_of(self._place()[1])

    def _motion_of(self, index: int) -> _core.Motion:
        if index not in self._motions:
            self._motions[index] = _core.Motion(self._runs, index)
        return self._motions[index]

    @property
    def solutions(self) -> list[Solution]:
        """All runs in the order of the study."""
        return [Solution(self, index) for index in range(len(self._runs))]

    def _named(self) -> dict[str, Solution]:
        solutions = self.solutions
        methods = [one.method for one in solutions]
        named: dict[str, Solution] = {}
        for one in solutions:
            name = one.method if methods.count(one.method) == 1 else one._title()
            while name in named:
                name += "'"
            named[name] = one
        return named

    def __getitem__(self, name: str) -> Solution:
        named = self._named()
        if name not in named:
            raise UnknownName(f'there is no run "{name}"; there are: {", ".join(named)}')
        return named[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._named())

    def __len__(self) -> int:
        return len(self._runs)

    def __contains__(self, name: object) -> bool:
        return name in self._named()

    @property
    def refused(self) -> list[dict[str, str]]:
        """Methods that do not fit the problem: method, label, start, reason."""
        return self._runs.refused()

    @property
    def study(self) -> str:
        """The study, with its problem, as TOML: enough to run it again."""
        return self._runs.text()

    def to_json(self) -> str:
        """What ``dalembert run --json`` writes."""
        return self._runs.json()

    def to_csv(self, directory: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """A file for each run, with a line for each record; every number reads back as the same double.

        Files that dalembert did not make are replaced with ``overwrite`` only.
        """
        self._runs.write_csv(os.fspath(directory), overwrite)

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Writes the HDF5 result of the command line, which can be resumed, exported and opened.

        A file that is no result, or one that took more than a minute to compute, is replaced with
        ``overwrite`` only, unless this result was read from it. OutputError if it cannot be written.
        """
        self._path = save(self._runs, path, self._path, overwrite)

    def resume(self, *, until: float | str | None = None, strict: bool = False, threads: int = 1,
               progress: ProgressChoice = False) -> Result:
        """Goes on from the last states, to the bits of a run without a break, and returns itself.

        Without ``until`` an interrupted run goes on to the end that it was meant to have. Arrays that
        were taken before stay as they are. The file that it came from is not touched; see ``save``.
        ``strict`` and what is warned of as in ``run``.
        """
        with shown(progress) as callback:
            self._runs = self._runs.resume(end_text(until), request(threads, callback))
        self._motions.clear()
        self._tell(strict)
        return self

    def to_xarray(self) -> xarray.Dataset:
        """A Dataset with the dimensions time, position, velocity, multiplier, and run where there are several."""
        from .forms import joined_dataset
        return self._to_dataset() if len(self) == 1 else joined_dataset(self)

    def summary(self) -> xarray.Dataset:
        """A Dataset of what came of the runs, along the dimensions that the study varies: see ``sweep``."""
        from .forms import summary_dataset
        return summary_dataset(self)

    def plot(self, quantity: str = "energy_error", *, ax: matplotlib.axes.Axes | None = None,
             **options: Any) -> matplotlib.axes.Axes:
        """Draws a column of all runs against time with Matplotlib; options go to ``Axes.plot``."""
        from .drawing import plot
        return plot(self.solutions, quantity, ax, options)

    def plot_path(self, x: str, y: str, *, ax: matplotlib.axes.Axes | None = None,
                  **options: Any) -> matplotlib.axes.Axes:
        """Draws one column against another, with equal axes."""
        from .drawing import plot_path
        return plot_path(self.solutions, x, y, ax, options)

    def plot_section(self, name: str, x: str, y: str, *, ax: matplotlib.axes.Axes | None = None,
                     **options: Any) -> matplotlib.axes.Axes:
        """Draws the crossings of a Poincare section in the plane of two columns of the motion."""
        from .drawing import plot_section
        return plot_section(self.solutions, name, x, y, ax, options)

    def animate(self, path: str | os.PathLike[str] | None = None, *, picture: Mapping[str, Any] | None = None, frames: int = 600,
                size: tuple[int, int] = (640, 400), seconds: float | None = None, overwrite: bool = False) -> Animation:
        """The motion of the only run as it looks; see ``Solution.animate``."""
        from .animations import animate
        return animate(*self._place(), path, picture, frames, size, seconds, overwrite)

    def __reduce__(self) -> tuple[Any, ...]:
        return _result_of_bytes, (bytes_of(self._runs), self._methods)

    def _rows(self) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = [("run", "records", "to t", "energy error", "status")]
        for name, one in self.items():
            errors = np.abs(one.energy_error)
            rows.append((name, str(len(one.t)), f"{one.t[-1]:g}" if len(one.t) else "",
                         f"{np.max(errors):.2e}" if len(errors) else "", one.status))
        return rows

    def __repr__(self) -> str:
        rows = self._rows()
        widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)

    def _repr_html_(self) -> str:
        from html import escape
        rows = self._rows()
        lines = ["".join(f"<th>{escape(cell)}</th>" for cell in rows[0])]
        lines += ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows[1:]]
        return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"

    def _tell(self, strict: bool) -> None:
        """Warns of what has to be known; raises where the numbers refused and that is asked for."""
        for sentence in self._runs.common_cautions():
            caution(sentence)
        for refused in self.refused:
            caution(refused["reason"])
        for one in self.solutions:
            for sentence in one.cautions:
                caution(f"{one._title()}: {sentence}")
            if one.status == "failed" and strict:
                error = StepError(one.message)
                error.result = self
                raise error
            if not one.ok:
                caution(f"{one._title()}: {one.message or 'interrupted; resume() goes on'}")


def _result_of_bytes(content: bytes, methods: Sequence[Method]) -> Result:
    own = own_methods(methods)
    return Result(read_bytes(content, lambda path: _core.open(path, own)), "", methods)
