"""Systems that are typed in Python."""

from __future__ import annotations

import inspect
import keyword
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Union, overload

import numpy as np
import numpy.typing as npt

from . import _core, checks
from .errors import RequestError, UnknownName
from .expressions import Scalar, Vector
from .problems import Parameter, Problem, Start, start_entries

Named = Union[Vector, Mapping[str, Scalar]]
"""A list, or a mapping whose names are those of the multipliers."""


@dataclass(frozen=True, eq=False)
class Mechanics:
    """The equations of a system, as ``system`` functions return them.

    The Lagrangian is ``lagrangian`` if given, else ``kinetic - potential``. ``constraints`` are
    functions of (q, v, t) that vanish, ``holonomic`` functions of (q, t); the names of a mapping
    become those of the multipliers. ``force``: external generalized forces, one for each velocity.
    ``reactions``: of constraints that are not ideal, by the name of the multiplier or lambda_i, the
    generalized force of a multiplier of 1, one entry for each velocity.
    ``integrals`` by name are followed along every run. ``reversal``: the signs +1 and -1 of the coordinates under
    time reversal. ``frame``: vector fields that span the distribution of the constraints. Instead of a
    Lagrangian, ``hamiltonian`` with the skew matrix ``structure`` is the system q' = structure grad H.
    d/dt dL/dv - dL/dq = A^T lambda + force, with A the derivative of the constraints by v, or with its
    reaction in the place of a row.
    """

    kinetic: Scalar = 0.0
    potential: Scalar = 0.0
    lagrangian: Scalar | None = None
    constraints: Named = ()
    holonomic: Named = ()
    force: Vector | None = None
    reactions: Mapping[str, Vector] = field(default_factory=dict)
    integrals: Mapping[str, Scalar] = field(default_factory=dict)
    reversal: Sequence[float] | None = None
    frame: Sequence[Vector] = ()
    hamiltonian: Scalar | None = None
    structure: Sequence[Vector] | npt.NDArray[Any] | None = None

    def _entry(self) -> dict[str, Any]:
        if self.lagrangian is not None and not (_is_zero(self.kinetic) and _is_zero(self.potential)):
            raise RequestError("lagrangian stands beside kinetic or potential; give one or the other")
        self._check_form()
        names, constraints = _names(self.constraints)
        more, holonomic = _names(self.holonomic)
        return {"kinetic": self.kinetic, "potential": self.potential, "lagrangian": self.lagrangian,
                "constraints": constraints, "holonomic": holonomic,
                "multipliers": names + more if any(names + more) else [], "force": self.force,
                "reactions": self._reactions(names + more),
                "integrals": checks.mapping(self.integrals, "integrals"), "reversal": self.reversal,
                "frame": checks.items(self.frame, "frame"),
                "hamiltonian": self.hamiltonian, "structure": self.structure}

    def _reactions(self, names: list[str]) -> list[Any]:
        """One for each multiplier, empty for ideal constraints; none where all are ideal."""
        given = dict(checks.mapping(self.reactions, "reactions"))
        listed = [given.pop(name, given.pop(f"lambda_{i}", [])) for i, name in enumerate(names, 1)] if given else []
        if given:
            raise RequestError(f'reactions name "{next(iter(given))}", which is no multiplier of these constraints')
        return listed

    def _check_form(self) -> None:
        if (self.hamiltonian is None) != (self.structure is None):
            raise RequestError("hamiltonian and structure belong together: q' = structure grad H")
        if self.hamiltonian is None:
            return
        given = [name for name in ("kinetic", "potential", "lagrangian", "force") if not _is_zero(getattr(self, name))]
        given += [name for name in ("constraints", "holonomic", "frame") if _names(getattr(self, name))[0]]
        if given:
            raise RequestError(f"{given[0]} has no place beside hamiltonian and structure, which say all of a system q' = structure grad H")


def _is_zero(value: object) -> bool:
    return value is None or bool(isinstance(value, (int, float)) and value == 0)


def _names(given: Named) -> tuple[list[str], Any]:
    """Names of multipliers, "" where there is none, and what vanishes."""
    if isinstance(given, Mapping):
        return list(checks.mapping(given, "constraints")), list(given.values())
    if isinstance(given, _core.Expression):
        return [""], [given]
    listed = checks.items(given, "constraints")
    return [""] * len(listed), listed


class Quantities(np.ndarray[Any, np.dtype[np.object_]]):
    """An array of expressions whose entries have names, too: q[0], q.x, q["x"].

    Of an element of a group this is the whole: q.R is a rotation matrix, v.R its velocity in the body
    frame.
    """

    _named: Mapping[str, Any]

    def __new__(cls, entries: npt.NDArray[Any], named: Mapping[str, Any]) -> Quantities:
        array = entries.view(cls)
        array._named = dict(named)
        return array

    def __array_finalize__(self, made_from: object) -> None:
        # What is computed from it, or is a part of it, has no names.
        self._named = {}

    def __getattribute__(self, name: str) -> Any:
        # A coordinate comes before what all arrays have, as size or T.
        named = object.__getattribute__(self, "__dict__").get("_named")
        return named[name] if named and name in named else super().__getattribute__(name)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(_unknown("coordinate", name, self.__dict__.get("_named", {})))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, str):
            if index not in self._named:
                raise UnknownName(_unknown("coordinate", index, self._named))
            return self._named[index]
        return super().__getitem__(index)


class Parameters(Mapping[str, _core.Expression]):
    """The parameters of a system as expressions: p.eps or p["eps"]."""

    def __init__(self, named: Mapping[str, _core.Expression]) -> None:
        self._named = dict(named)

    def __getattr__(self, name: str) -> _core.Expression:
        try:
            return self.__dict__["_named"][name]  # type: ignore[no-any-return]
        except KeyError:
            raise AttributeError(_unknown("parameter", name, self.__dict__.get("_named", {}))) from None

    def __getitem__(self, name: str) -> _core.Expression:
        if name not in self._named:
            raise UnknownName(_unknown("parameter", name, self._named))
        return self._named[name]

    def __iter__(self) -> Any:
        return iter(self._named)

    def __len__(self) -> int:
        return len(self._named)


def _unknown(what: str, name: str, known: Mapping[str, Any]) -> str:
    return f'there is no {what} "{name}"; there are: {", ".join(known) or "none"}'


def _check_name(name: str, what: str) -> None:
    checks.name(name, what)
    if keyword.iskeyword(name):
        raise RequestError(f'{what} "{name}" is a word of Python; choose another name')


def _coordinates(coordinates: str | Sequence[str], angles: str | Sequence[str]) -> list[tuple[str, bool, str]]:
    turning = checks.words(angles, "angles")
    entries = []
    for text in checks.words(coordinates, "coordinates"):
        name, _, group = (part.strip() for part in text.partition(" in "))
        _check_name(name, "coordinate")
        entries.append((name, name in turning, group.replace(" ", "")))
    if not entries:
        raise RequestError('coordinates is empty; name them, as coordinates="x y z" or ["x", "R in SO(3)"]')
    for name in turning:
        if name not in [entry[0] for entry in entries]:
            raise RequestError(f'angle "{name}" is none of the coordinates; they are: '
                               + ", ".join(entry[0] for entry in entries))
    return entries


def _parameters(parameters: Mapping[str, float | Parameter] | None) -> list[dict[str, Any]]:
    entries = []
    for name, value in checks.mapping(parameters, "parameters").items():
        _check_name(name, "parameter")
        if not isinstance(value, Parameter):
            try:
                value = Parameter(float(value))
            except (TypeError, ValueError, OverflowError):
                raise RequestError(f'parameter "{name}" is {value!r}; a number or dal.Parameter(...) is allowed') from None
        entries.append(value._entry(name))
    return entries


def _start_table(start: Start, name: str, skew_gradient: bool) -> dict[str, Any]:
    if not isinstance(start, Start):
        raise RequestError(f'start "{name}" is of the type {type(start).__name__}; dal.Start(q=..., v=...) is allowed')
    table: dict[str, Any] = {"description": start.description or None, "lambda": start.lam,
                             "project": start.project or None, "parameters": dict(start.parameters) or None}
    if skew_gradient:
        return table | {"zeta": start_entries(start.q, "q")}
    return table | {"q": start_entries(start.q, "q"), "v": start_entries(start.v, "v")}


def _wanted_arguments(function: Callable[..., Any], name: str) -> int:
    """How many of (q, v, p, t) a function takes: those without a value of their own."""
    wanted = 0
    for one in inspect.signature(function).parameters.values():
        if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
            raise RequestError(f'the equations of "{name}" take *{one.name}; name their arguments: (q, v), (q, v, p) or (q, v, p, t)')
        if one.default is not one.empty:
            continue
        if one.kind is one.KEYWORD_ONLY:
            raise RequestError(f'the equations of "{name}" need "{one.name}" by its name; give it a value of its own')
        wanted += 1
    if not 1 <= wanted <= 4:
        raise RequestError(f'the equations of "{name}" take {wanted} arguments; they are a function of (q, v), (q, v, p) or (q, v, p, t)')
    return wanted


def _call(function: Callable[..., Any], name: str, entry: Mapping[str, Any]) -> Mechanics:
    arguments = [Quantities(entry["q"], entry["positions"]), Quantities(entry["v"], entry["velocities"]),
                 Parameters(entry["parameters"]), entry["t"]]
    mechanics = function(*arguments[:_wanted_arguments(function, name)])
    if not isinstance(mechanics, Mechanics):
        raise RequestError(f'the equations of "{name}" return {type(mechanics).__name__}; they must return dal.Mechanics(...)')
    return mechanics


@overload
def system(function: Callable[..., Mechanics], *, coordinates: str | Sequence[str], angles: str | Sequence[str] = (),
           parameters: Mapping[str, float | Parameter] | None = None, starts: Mapping[str, Start] | None = None,
           name: str | None = None, description: str | None = None, source: str = "") -> Problem: ...


@overload
def system(function: None = None, *, coordinates: str | Sequence[str], angles: str | Sequence[str] = (),
           parameters: Mapping[str, float | Parameter] | None = None, starts: Mapping[str, Start] | None = None,
           name: str | None = None, description: str | None = None,
           source: str = "") -> Callable[[Callable[..., Mechanics]], Problem]: ...


def system(function: Callable[..., Mechanics] | None = None, *, coordinates: str | Sequence[str],
           angles: str | Sequence[str] = (), parameters: Mapping[str, float | Parameter] | None = None,
           starts: Mapping[str, Start] | None = None, name: str | None = None, description: str | None = None,
           source: str = "") -> Any:
    """Makes a problem of a function that says what the equations of a system are; a decorator.

    The function takes the positions q and velocities v as arrays of expressions, the parameters p and the
    time t, (q, v), (q, v, p) or (q, v, p, t), and returns ``Mechanics``; arguments with values of their own keep these. It is called once, with symbols:
    operators, @ and the functions of NumPy build expressions, and runs evaluate those.

    ``coordinates``: names, as "x y z", or a list that may have elements of Lie groups, ["x", "R in SO(3)"].
    ``angles``: those in which the system has the period 2 pi. ``parameters``: values by name, or
    ``Parameter`` with a range. ``starts`` by name. ``name`` and ``description`` are those of the function
    and its docstring if not given. RequestError where the equations make no sense.
    """
    def made(given: Callable[..., Mechanics]) -> Problem:
        checks.function(given, "what the equations are")
        about = description if description is not None else inspect.getdoc(given) or ""
        return _problem(given, {"name": _system_name(given, name), "coordinates": _coordinates(coordinates, angles),
                                "parameters": _parameters(parameters), "source": checks.text(source, "source"),
                                "description": checks.text(about, "description")}, checks.mapping(starts, "starts"))

    return made if function is None else made(function)


def _system_name(function: Callable[..., Any], name: str | None) -> str:
    chosen = str(name or getattr(function, "__name__", ""))
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", chosen):
        raise RequestError(f'a system needs a name of letters, digits, - and _, not "{chosen}"; give name="..."')
    return chosen


def _problem(function: Callable[..., Mechanics], entry: dict[str, Any], starts: Mapping[str, Start]) -> Problem:
    is_skew = False

    def equations(symbols: Mapping[str, Any]) -> dict[str, Any]:
        nonlocal is_skew
        mechanics = _call(function, entry["name"], symbols)
        is_skew = mechanics.hamiltonian is not None
        return mechanics._entry()

    made = _core.define(entry, equations)
    table: dict[str, Any] = {"name": entry["name"], "serialised": made.serialised()}
    if starts:
        table["initial"] = {key: _start_table(start, key, is_skew) for key, start in starts.items()}
    return Problem(table, {}, {})
