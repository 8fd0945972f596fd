"""Events: what happens to a motion where a function of the state passes zero."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from . import _core
from .errors import RequestError, UnknownName
from .systems import Parameters, Quantities

if TYPE_CHECKING:
    from .problems import Problem

EventFunction = Union[str, Callable[..., Any]]
"""An expression as in problem files, or a function of (q), (q, v), (q, v, t) or (q, v, p, t) that returns one."""


def _trace(function: EventFunction, problem: Problem, what: str) -> str:
    """The text of an expression in the names of the problem."""
    if isinstance(function, str):
        return function
    if not callable(function):
        raise RequestError(f"{what} is a text or a function of (q, v, t), not {type(function).__name__}")
    entry = _core.symbols(problem._system())
    q, v = Quantities(entry["q"], entry["positions"]), Quantities(entry["v"], entry["velocities"])
    wanted = [one for one in inspect.signature(function).parameters.values() if one.default is one.empty]
    arguments: dict[int, list[Any]] = {1: [q], 2: [q, v], 3: [q, v, entry["t"]],
                                       4: [q, v, Parameters(entry["parameters"]), entry["t"]]}
    if len(wanted) not in arguments:
        raise RequestError(f"{what} takes {len(wanted)} arguments; it is a function of (q), (q, v), (q, v, t) or (q, v, p, t)")
    value = function(*arguments[len(wanted)])
    if not isinstance(value, (_core.Expression, int, float)):
        raise RequestError(f"{what} returns {type(value).__name__}; it must return one expression")
    return str(value)


@dataclass(frozen=True)
class Event:
    """Something that happens where a function of the state passes zero: it is noted, ends the run, or changes the state.

    ``function``: an expression as in problem files, "1 - x", or a function of (q, v, t) or (q, v, p, t) of
    expressions. ``direction``: "rising", "falling" or "both". ``terminal``: True for the first one to
    end the run, or the number of the one that does. ``impact``: a dict with ``restitution``, perhaps
    ``grip``, ``grip_restitution`` and ``rest``. ``set``: or what coordinates and velocities become,
    {"x_dot": "0.5*x_dot"}, as texts, numbers or functions; ``project=True`` brings that onto the constraints.
    ``name``: what results call it.
    """

    function: EventFunction
    name: str = ""
    direction: str = "both"
    terminal: bool | int = False
    impact: Mapping[str, Any] | None = None
    set: Mapping[str, Any] | None = field(default=None)
    project: bool = False

    def _table(self, problem: Problem, number: int) -> dict[str, Any]:
        name = self.name or f"event_{number}"
        table: dict[str, Any] = {"name": name, "of": _trace(self.function, problem, f'event "{name}"'),
                                 "direction": self.direction}
        if self.terminal is not False:
            table["terminal"] = self.terminal
        if self.impact is not None:
            impact = {key: _value(value, problem, f'{key} of event "{name}"') for key, value in self.impact.items()}
            table["impact"] = impact
        if self.set is not None:
            table["set"] = {key: _value(value, problem, f'{key} of event "{name}"') for key, value in self.set.items()}
        if self.project:
            table["project"] = True
        return table


def _value(value: Any, problem: Problem, what: str) -> Any:
    if isinstance(value, (list, tuple)):
        return [_value(one, problem, what) for one in value]
    return _trace(value, problem, what) if callable(value) else value


def event_tables(events: Sequence[Event | Mapping[str, Any]] | None, problem: Problem) -> list[dict[str, Any]] | None:
    """The tables [[event]] of a study."""
    if events is None:
        return None
    if isinstance(events, (str, Event, Mapping)):
        raise RequestError("events are a list of dal.Event, or of dicts with the keys of [[event]] in studies")
    tables = []
    for number, one in enumerate(events, 1):
        if not isinstance(one, (Event, Mapping)):
            raise RequestError(f"an event is a dal.Event, or a dict with the keys of [[event]], not {type(one).__name__}")
        tables.append(one._table(problem, number) if isinstance(one, Event) else dict(one))
    return tables


@dataclass(frozen=True)
class Occurrences:
    """When an event has happened, and at which states; angles are unwrapped.

    Arrays: ``t`` [count], ``q``, ``v`` and, after what the event does, ``q_after``, ``v_after``
    [count, entries]; ``rising`` [count].
    """

    name: str
    t: npt.NDArray[np.float64]
    q: npt.NDArray[np.float64]
    v: npt.NDArray[np.float64]
    q_after: npt.NDArray[np.float64]
    v_after: npt.NDArray[np.float64]
    rising: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.t)


class Events(Sequence[Occurrences]):
    """The events of a run, by number or by name."""

    def __init__(self, entries: Mapping[str, Mapping[str, Any]]) -> None:
        self._all = [Occurrences(name, **entry) for name, entry in entries.items()]

    def __getitem__(self, which: Any) -> Any:
        if not isinstance(which, str):
            return self._all[which]
        for one in self._all:
            if one.name == which:
                return one
        known = ", ".join(one.name for one in self._all) or "none"
        raise UnknownName(f'there is no event "{which}"; known are {known}')

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Occurrences]:
        return iter(self._all)

    def __repr__(self) -> str:
        return f"<dalembert.Events {', '.join(f'{one.name}: {len(one)}' for one in self._all)}>"
