"""What one run has: its records as arrays."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from . import _core, checks
from .errors import RequestError
from .events import Events
from .problems import Array, Start, _Named

if TYPE_CHECKING:
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

    @property
    def swept(self) -> Mapping[str, Any]:
        """The run's values of the keys that a study sweeps, by their names."""
        return _Named(self._entry["swept"], "swept key")

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
        times = checks.numbers(t, "t")
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

    @property
    def events(self) -> Events:
        """What has happened on the way, by number or by name: run.events["floor"].t."""
        runs, index = self._place()
        return Events(runs.events(index))

    @property
    def ended_by(self) -> str | None:
        """The event that has ended the run, whose last record is the state then; None if none has."""
        runs, index = self._place()
        return runs.ended_by(index) or None

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
