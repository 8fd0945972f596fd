"""Runs and what came of them, as arrays."""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from . import _core
from .errors import Caution, RequestError, StepError
from .problems import Array, Start, _Named, _numbers
from .progress import ProgressChoice, _callback, _close
from .studies import (MethodLike, ProblemLike, problem_of, run_table, settings_list, start_parameters, start_table,
                      study_document, times_of)

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas
    import xarray


@dataclass(frozen=True, eq=False)
class State:
    """A state at time ``t``. Shapes as one record: ``q``, ``v``, ``lam``."""

    t: float
    q: Array
    v: Array
    lam: Array

    def start(self, *, project: bool = False) -> Start:
        """The same state as a start of another run; ``project`` brings it onto the constraints first."""
        return Start(self.q, self.v, project=project)


@dataclass(frozen=True, eq=False)
class States:
    """Several states, each in its own row: ``t`` [n], ``q``, ``v``, ``lam`` [n, ...].

    Of an ensemble a row is a member; those without a start are nan.
    """

    t: Array
    q: Array
    v: Array
    lam: Array


class _Motion:
    """What one run has: records as arrays, time first, that cannot be written to (copy them to do so)."""

    def _place(self) -> tuple[_core.Runs, int]:
        raise NotImplementedError

    @property
    def _entry(self) -> dict[str, Any]:
        runs, index = self._place()
        return runs.entry(index)

    @property
    def _records(self) -> Array:
        runs, index = self._place()
        return runs.records(index)

    # What was run.

    @property
    def label(self) -> str:
        """Start, varied parameters and step: what distinguishes the run from others beside its method."""
        return str(self._entry["label"])

    @property
    def method(self) -> str:
        """The method, with its options, or its label."""
        return str(self._entry["method"])

    @property
    def step(self) -> float:
        """The size of a step."""
        return float(self._entry["step"])

    @property
    def parameters(self) -> Mapping[str, float]:
        """All parameters of the problem."""
        return _Named(self._entry["parameters"], "parameter")

    # How it went.

    @property
    def status(self) -> str:
        """"ok", "failed" or "interrupted"; whatever was computed up to there is in the arrays."""
        return str(self._entry["status"])

    @property
    def message(self) -> str:
        """One sentence when it failed: step, time, residual."""
        return str(self._entry["message"])

    @property
    def ok(self) -> bool:
        """Whether it came to its end."""
        return self.status == "ok"

    @property
    def cautions(self) -> list[str]:
        """What has to be known before the numbers are believed: energies out of scale, contacts that ended, ..."""
        runs, index = self._place()
        return runs.cautions(index)

    @property
    def outcome(self) -> dict[str, Any]:
        """All that JSON results say of the run: errors over every step, work, reports."""
        runs, index = self._place()
        outcome: dict[str, Any] = json.loads(runs.outcome(index))
        return outcome

    # Records.

    def _columns(self, begin: int, count: int) -> Array:
        columns: Array = self._records[:, begin:begin + count]
        return columns

    @property
    def t(self) -> Array:
        """Times, [records]."""
        return self.column("t")

    @property
    def q(self) -> Array:
        """Positions, angles with all their turns, [records, positions]."""
        return self._columns(1, self._entry["positions"])

    @property
    def v(self) -> Array:
        """Velocities, [records, velocities]."""
        entry = self._entry
        return self._columns(1 + entry["positions"], entry["velocities"])

    @property
    def lam(self) -> Array:
        """Multipliers of the constraints, [records, multipliers]."""
        entry = self._entry
        return self._columns(1 + entry["positions"] + entry["velocities"], entry["multipliers"])

    @property
    def energy(self) -> Array:
        """[records]."""
        return self.column("energy")

    @property
    def energy_error(self) -> Array:
        """The energy less that at the start, [records]."""
        return self.column("energy_error")

    @property
    def constraint(self) -> Array:
        """The largest violation of a constraint, [records]."""
        return self.column("constraint")

    @property
    def integrals(self) -> Mapping[str, Array]:
        """Integrals of the problem and quantities of the study by name, each [records]."""
        entry = self._entry
        names: list[str] = entry["names"]
        first = 3 + entry["positions"] + entry["velocities"] + entry["multipliers"]
        last = len(names) - entry["contacts"]
        return _Named({names[k]: self._records[:, k] for k in range(first, last)}, "integral")

    @property
    def names(self) -> list[str]:
        """The names of all columns, as in CSV results: t, x, x_dot, lambda_1, energy, ..."""
        return list(self._entry["names"])

    @property
    def units(self) -> dict[str, str]:
        """Units of the columns whose unit is known."""
        entry = self._entry
        return {name: unit for name, unit in zip(entry["names"], entry["units"]) if unit}

    def column(self, name: str) -> Array:
        """One column by its name, [records]; "energy_error" and other names with _error are errors."""
        names = self.names
        if name in names:
            values: Array = self._records[:, names.index(name)]
            return values
        if name.endswith("_error") and name[:-6] in names:
            from_start: Array = self.column(name[:-6])
            if len(from_start):
                from_start = from_start - from_start[0]
            return from_start
        raise RequestError(f'there is no column "{name}"; there are: {", ".join(names)}, and errors as energy_error')

    def _motion(self) -> _core.Motion:
        raise NotImplementedError

    @overload
    def __call__(self, t: float) -> State: ...

    @overload
    def __call__(self, t: Sequence[float] | Array) -> States: ...

    def __call__(self, t: Any) -> State | States:
        """The state at a time, or the states at several, up to the last record.

        Between records it is what the run itself passed: from the record before by the method's own
        steps, then a shorter one; the bits are those of a run with ``at``, but for the round-off of
        angles that have turned and of compensated sums. RequestError for times outside of the records.
        """
        times = np.asarray(t, float)
        if times.ndim > 1:
            raise RequestError(f"times have the shape {times.shape}; a number or one row of them is allowed")
        rows = self._motion().rows_at([float(one) for one in np.atleast_1d(times)])
        entry = self._entry
        ends = np.cumsum([1, entry["positions"], entry["velocities"], entry["multipliers"]])
        q, v, lam = (rows[:, begin:end] for begin, end in zip(ends[:-1], ends[1:]))
        if times.ndim == 0:
            return State(float(rows[0, 0]), q[0], v[0], lam[0])
        return States(rows[:, 0], q, v, lam)

    def _state(self, record: int) -> State:
        return State(float(self.t[record]), self.q[record], self.v[record], self.lam[record])

    @property
    def initial(self) -> State:
        """The first record."""
        return self._state(0)

    @property
    def final(self) -> State:
        """The last record."""
        return self._state(-1)

    @property
    def sections(self) -> Mapping[str, dict[str, Array]]:
        """Crossings of Poincare sections by name: arrays t, q and v."""
        runs, index = self._place()
        return _Named(runs.sections(index), "section")

    # To other forms.

    def to_dataframe(self) -> pandas.DataFrame:
        """All columns as a pandas DataFrame with t as its index."""
        from .forms import to_dataframe
        return to_dataframe(self)

    def _to_dataset(self) -> xarray.Dataset:
        from .forms import to_dataset
        return to_dataset(self)

    def _title(self) -> str:
        return ", ".join(part for part in (self.method, self.label) if part)


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

    def __init__(self, runs: _core.Runs, path: str = "") -> None:
        self._runs, self._path = runs, path
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
            raise RequestError(f'there is no run "{name}"; there are: {", ".join(named)}')
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

    def to_csv(self, directory: str | os.PathLike[str], *, force: bool = False) -> None:
        """A file for each run, with a line for each record; every number reads back as the same double.

        Files that dalembert did not make are replaced with ``force`` only.
        """
        self._runs.write_csv(os.fspath(directory), force)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes the HDF5 result of the command line, which can be resumed, exported and opened.

        A file that is no result, or one that took more than a minute to compute, is replaced with
        ``force`` only, unless this result was read from it. OutputError if it cannot be written.
        """
        target = os.fspath(path)
        own = bool(self._path) and os.path.exists(target) and os.path.exists(self._path) \
            and os.path.samefile(target, self._path)
        self._runs.save(target, force or own)
        self._path = target

    def resume(self, *, until: float | str | None = None, threads: int = 1, progress: ProgressChoice = False) -> Result:
        """Goes on from the last states, to the bits of a run without a break, and returns itself.

        Without ``until`` an interrupted run goes on to the end that it was meant to have. Arrays that
        were taken before stay as they are. The file that it came from is not touched; see ``save``.
        """
        callback = _callback(progress)
        try:
            end = "" if until is None else repr(until) if isinstance(until, (int, float)) else str(until)
            self._runs = self._runs.resume(end, _request(threads, callback))
            self._motions.clear()
        finally:
            _close(callback)
        return self

    def to_xarray(self) -> xarray.Dataset:
        """A Dataset with the dimensions time, position, velocity, multiplier, and run where there are several."""
        from .forms import joined_dataset
        return self._to_dataset() if len(self) == 1 else joined_dataset(self)

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

    def __reduce__(self) -> tuple[Any, ...]:
        return _result_of_bytes, (_bytes_of(self._runs),)

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


def _bytes_of(saved: Any) -> bytes:
    """The file that `save` writes."""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "result.h5")
        saved.save(path, True)
        with open(path, "rb") as file:
            return file.read()


def _result_of_bytes(content: bytes) -> Result:
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "result.h5")
        with open(path, "wb") as file:
            file.write(content)
        return Result(_core.open(path))


def _request(threads: int, callback: Any, out: str = "", force: bool = False, lanes: int = 0) -> _core.Request:
    if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)) or not 1 <= threads <= 1024:
        raise RequestError(f"threads is {threads!r}; a whole number from 1 to 1024 is allowed")
    if lanes not in (0, 1, 4, 8):
        raise RequestError(f"lanes is {lanes!r}; 1, 4, 8, or 0 for the best of the machine is allowed")
    return _core.Request(int(threads), int(lanes), out, force, callback)


def _warn(sentence: str) -> None:
    warnings.warn(sentence, Caution, stacklevel=4)


def _tell(result: Result, strict: bool) -> Result:
    """Warns of what has to be known; raises where the numbers refused and that is asked for."""
    for sentence in result._runs.common_cautions():
        _warn(sentence)
    for refused in result.refused:
        _warn(refused["reason"])
    for one in result.solutions:
        for sentence in one.cautions:
            _warn(f"{one._title()}: {sentence}")
        if one.status == "failed" and strict:
            error = StepError(one.message)
            error.result = result
            raise error
        if not one.ok:
            _warn(f"{one._title()}: {one.message or 'interrupted; resume() goes on'}")
    return result


def _execute(study: _core.Study, threads: int, out: str | os.PathLike[str] | None, force: bool, strict: bool,
             progress: ProgressChoice) -> Result:
    if study.is_ensemble:
        raise RequestError("this study has a table [ensemble]; run it with ensemble_study")
    path = "" if out is None else os.fspath(out)
    callback = _callback(progress)
    try:
        runs = _core.run(study, _request(threads, callback, path, force))
    finally:
        _close(callback)
    return _tell(Result(runs, path), strict)


def run(problem: ProblemLike, method: MethodLike | Iterable[MethodLike] = "auto", *,
        step: float | str | Sequence[float] | None = None, tolerance: float | None = None,
        until: float | str | None = None, steps: int | None = None,
        start: str | Start | Sequence[str] | None = None, q: npt.ArrayLike | None = None,
        v: npt.ArrayLike | None = None, parameters: Mapping[str, Any] | None = None,
        record_every: int | None = None, every: float | str | None = None, at: npt.ArrayLike | None = None,
        compensated: bool = False, wrap_angles: bool = True, diagnostics: Sequence[Mapping[str, Any]] | None = None,
        strict: bool = False, threads: int = 1, out: str | os.PathLike[str] | None = None, force: bool = False,
        progress: ProgressChoice = False) -> Result:
    """Runs methods on a problem, with the bits of the command line.

    ``method``: one or several, as "gauss(stages=3)", or "auto". ``step``: a number or several, or
    ``tolerance`` instead, for which one is chosen. ``until`` (or ``steps``): the end. ``start``: the
    name of a start of the problem, several names, or a ``Start``; or ``q`` and ``v``; the problem's
    first if not given. ``parameters``: values, or lists of them for a run each. Records are at most
    10000 unless ``record_every`` so many steps, ``every`` so much time or ``at`` given times.
    ``diagnostics``: dicts with the keys of [[diagnostic]] in studies. ``out``: an HDF5 file that is
    written on the way and survives crashes. ``progress``: True for a line, or a function of stage,
    steps done and all steps.

    Ctrl-C ends the runs, and what there is comes back, with the status "interrupted". Where the
    numbers refuse a step the status is "failed" and everything up to there is in the arrays;
    ``strict=True`` raises StepError then. What has to be known before the numbers are believed is a
    warning of the category Caution. RequestError for whatever cannot be run.
    """
    chosen = problem_of(problem)
    table = run_table(step=step, tolerance=tolerance, until=until, steps=steps, record_every=record_every,
                      every=every, at=times_of(at),
                      compensated=compensated, wrap_angles=wrap_angles, strict=strict)
    document = study_document(chosen, method, table, start_parameters(start) | dict(parameters or {}),
                              initial=start_table(chosen, start, q, v),
                              diagnostic=None if diagnostics is None else [dict(one) for one in diagnostics])
    return _execute(_core.Study(document, ""), threads, out, force, strict, progress)


def run_study(study: str | os.PathLike[str] | Mapping[str, Any], *, settings: Mapping[str, Any] | None = None,
              threads: int = 1, out: str | os.PathLike[str] | None = None, force: bool = False, strict: bool = False,
              progress: ProgressChoice = False) -> Result:
    """Runs a study: a file, a published study by its name, or the same as a dict.

    ``settings`` change values of it, as {"run.step": 0.05, "method.0.alpha": 0.3}. The rest as ``run``.
    """
    return _execute(_study_of(study, settings), threads, out, force, strict, progress)


def _study_of(study: str | os.PathLike[str] | Mapping[str, Any], settings: Mapping[str, Any] | None) -> _core.Study:
    if isinstance(study, Mapping):
        if settings:
            raise RequestError("settings change a study in a file; change the dict itself")
        return _core.Study(dict(study), "")
    return _core.Study.read(os.fspath(study), settings_list(settings))


def open_result(path: str | os.PathLike[str]) -> Result:
    """The result in an HDF5 file of ``save`` or of the command line (``dalembert.open``).

    OutputError if it is none; for a result of ``ensemble`` see ``open_ensemble``.
    """
    name = os.fspath(path)
    if _core.Study.of_result(name).is_ensemble:
        raise RequestError(f'"{name}" holds an ensemble; read it with open_ensemble')
    return Result(_core.open(name), name)
