"""Problems: a system with its starts, from the library or from a file."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core, checks
from .errors import RequestError, UnknownName

if TYPE_CHECKING:
    from .methods import MethodChoice
    from .symbolic import EquationsOfMotion, SympySystem

Array = npt.NDArray[np.float64]


def start_entries(values: npt.ArrayLike, name: str) -> Array | list[float | str]:
    """The numbers of a start, or a list in which texts are expressions. RequestError for anything else."""
    try:
        entries = np.asarray(values)
        if entries.dtype.kind in "fiub":
            return entries.astype(float)
        return [value if isinstance(value, str) else float(value) for value in np.atleast_1d(np.asarray(values, object))]
    except (TypeError, ValueError):
        raise RequestError(f"{name} of a start is a list of numbers, or of texts with expressions, not {values!r:.80}") from None


@dataclass(frozen=True, eq=False)
class Start:
    """Where a run begins, at t = 0.

    Shapes: ``q`` one number for each of ``Problem.positions``, ``v`` one for each of
    ``Problem.velocities`` (none in skew-gradient form), or texts with expressions of the parameters, as
    "cos(0.4)"; ``lam`` one for each multiplier, for methods that carry one. With ``project`` the state is brought
    onto the constraints first. ``parameters`` are set with the start.
    """

    q: npt.ArrayLike
    v: npt.ArrayLike = ()
    lam: npt.ArrayLike | None = None
    project: bool = False
    parameters: Mapping[str, float] = field(default_factory=dict)
    name: str = ""
    description: str = ""

    def _document(self) -> dict[str, Any]:
        if self.name:
            return {"name": self.name}
        document: dict[str, Any] = {"q": start_entries(self.q, "q"), "v": start_entries(self.v, "v"), "lambda": self.lam}
        if self.project:
            document["project"] = True
        return document


@dataclass(frozen=True)
class Parameter:
    """A parameter of a problem: its value, the range that it may have, and what it is.

    The bounds belong to the range unless they are exclusive. ``allowed`` says the range in words, in
    problems that were loaded.
    """

    value: float
    min: float = -math.inf
    max: float = math.inf
    min_exclusive: bool = False
    max_exclusive: bool = False
    description: str = ""
    name: str = ""
    allowed: str = ""

    def _entry(self, name: str) -> dict[str, Any]:
        what = f'of parameter "{name}"'
        entry: dict[str, Any] = {key: checks.number(getattr(self, key), f"{key} {what}", finite=key == "value")
                                 for key in ("value", "min", "max")}
        entry |= {key: checks.flag(getattr(self, key), f"{key} {what}") for key in ("min_exclusive", "max_exclusive")}
        return entry | {"name": name, "description": checks.text(self.description, f"description {what}")}


def _line(value: object) -> str:
    """An entry of a problem as it is written."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{name} = {_line(entry)}" for name, entry in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_line(entry) for entry in value) + "]"
    return str(value)


def _floats(values: npt.ArrayLike) -> list[float]:
    return [float(value) for value in np.ravel(checks.numbers(values, "a state"))]


class Equations:
    """The equations of a problem as its file writes them; ``print`` shows all of them.

    Energies are None where the problem has none of that form: it has ``kinetic`` and ``potential``, or
    a ``lagrangian``, or ``bodies``, or a ``hamiltonian`` with a ``matrix`` (zeta' = matrix grad H).
    """

    def __init__(self, entry: Mapping[str, Any]) -> None:
        def text(key: str) -> str | None:
            return _line(entry[key]) if key in entry else None

        def texts(key: str) -> dict[str, str]:
            return {name: _line(value) for name, value in entry[key].items()}

        self.definitions = texts("definitions")
        self.kinetic, self.potential, self.lagrangian = text("kinetic"), text("potential"), text("lagrangian")
        self.hamiltonian, self.matrix = text("hamiltonian"), text("matrix")
        self.bodies = [_line(body) for body in entry["bodies"]]
        self.contacts = [_line(contact) for contact in entry["contacts"]]
        self.constraints = [_equation(_line(value)) for value in entry["constraints"]]
        self.holonomic = [_equation(_line(value)) for value in entry["holonomic"]]
        self.force, self.integrals = texts("force"), texts("integrals")

    def __str__(self) -> str:
        lines = [f"{name} = {text}" for name, text in self.definitions.items()]
        energies = {"kinetic energy": self.kinetic, "potential": self.potential, "Lagrangian": self.lagrangian,
                    "Hamiltonian": self.hamiltonian, "matrix": self.matrix}
        lines += [f"{title}: {text}" for title, text in energies.items() if text is not None]
        for title, entries in {"body": self.bodies, "contact": self.contacts, "constraint": self.constraints,
                               "constraint on positions": self.holonomic}.items():
            lines += [f"{title}: {text}" for text in entries]
        for title, named in {"force on": self.force, "integral": self.integrals}.items():
            lines += [f"{title} {name}: {text}" for name, text in named.items()]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)


def _equation(text: str) -> str:
    return text if "=" in text else text + " = 0"


class _Named(Mapping[str, Any]):
    """A mapping whose missing names are refused with those that there are."""

    def __init__(self, entries: Mapping[str, Any], what: str) -> None:
        self._entries, self._what = dict(entries), what

    def __getitem__(self, name: str) -> Any:
        if name not in self._entries:
            there = ", ".join(self._entries) or "none"
            raise UnknownName(f'there is no {self._what} "{name}"; there are: {there}')
        return self._entries[name]

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return repr(self._entries)


def _numbers(values: Mapping[str, Any] | None, what: str) -> dict[str, float]:
    numbers = {}
    for name, value in checks.mapping(values, what + "s").items():
        try:
            numbers[name] = float(value)
        except (TypeError, ValueError, OverflowError):
            raise RequestError(f'{what} "{name}" is {value!r}; it must be a number') from None
    return numbers


def _sizes(values: Mapping[str, Any] | None) -> dict[str, int]:
    sizes = {}
    for name, value in checks.mapping(values, "sizes").items():
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
            raise RequestError(f'size "{name}" is {value!r}; it must be a whole number')
        sizes[str(name)] = int(value)
    return sizes


class Problem:
    """A system with named starts; ``load`` and ``system`` make one.

    Attributes: ``name``, ``description``, ``source``; ``positions``, ``velocities``, ``multipliers``
    and ``integrals``, the names of what results hold, in order; ``angles``, those of the positions
    that are; ``starts`` and ``parameters`` by name; ``equations``.
    """

    def __init__(self, reference: str | Mapping[str, Any], parameters: Mapping[str, float],
                 sizes: Mapping[str, int]) -> None:
        self._source: str | dict[str, Any] = reference if isinstance(reference, str) else dict(reference)
        entry = _core.problem(self._source, dict(parameters), dict(sizes))
        self.name: str = entry["name"]
        self.description: str = entry["description"]
        self.source: str = entry["source"]
        self.positions: list[str] = entry["positions"]
        self.angles: list[str] = entry["angles"]
        self.velocities: list[str] = entry["velocities"]
        self.multipliers: list[str] = entry["multipliers"]
        self.integrals: list[str] = entry["integrals"]
        self.parameters: Mapping[str, Parameter] = _Named(
            {one["name"]: Parameter(**one) for one in entry["parameters"]}, f'parameter of "{self.name}"')
        self.starts: Mapping[str, Start] = _Named(
            {one["name"]: Start(**one) for one in entry["starts"]}, f'start of "{self.name}"')
        self.equations = Equations(entry["equations"])
        if isinstance(self._source, str) and self._source != self.name:
            self._source = entry["path"]
        self._chosen, self._sizes = dict(parameters), dict(sizes)
        self._made: _core.System | None = None

    def advice(self) -> list[tuple[str, str]]:
        """Up to three methods for this problem, the one to begin with first, each with the reason."""
        return _core.advice(self._source, self._chosen, self._sizes)

    @property
    def lagrangian(self) -> _core.Expression:
        """L(q, v, t) as an expression. RequestError for systems in skew-gradient form."""
        from .symbolic import _formulas
        return _formulas(self)["lagrangian"]  # type: ignore[no-any-return]

    def equations_of_motion(self) -> EquationsOfMotion:
        """The Lagrange-d'Alembert equations with multipliers: what vanishes along motions."""
        from .symbolic import EquationsOfMotion
        return EquationsOfMotion(self)

    def to_sympy(self) -> SympySystem:
        """Lagrangian, constraints and equations of motion in SymPy, with coordinates as functions of t."""
        from .symbolic import SympySystem
        return SympySystem(self)

    def to_c(self, method: MethodChoice, *, prefix: str = "", compensated: bool = False) -> str:
        """The steps of a method on this problem as a C header that needs the C library alone and leaves the bits of a run.

        ``prefix``: what all names in it begin with, that of method and problem if not given. RequestError where the method
        does not fit, or chooses its steps by a tolerance.
        """
        from .methods import method_of
        starts = [(name, _floats(start.q), _floats(start.v), dict(start.parameters)) for name, start in self.starts.items()]
        return _core.c_step(self._system(), method_of(method)._core, starts, checks.text(prefix, "prefix"),
                            checks.flag(compensated, "compensated"))

    def _system(self) -> _core.System:
        if self._made is None:
            self._made = _core.system(self._source, self._chosen, self._sizes)
        return self._made

    def _document(self) -> dict[str, Any]:
        key = "problem" if isinstance(self._source, str) else "system"
        return {key: self._source, "sizes": self._sizes or None, "parameters": dict(self._chosen)}

    def __reduce__(self) -> tuple[Any, ...]:
        return Problem, (self._source, self._chosen, self._sizes)

    def __repr__(self) -> str:
        return (f"<dalembert.Problem {self.name}: {len(self.positions)} positions, {len(self.multipliers)} constraints, "
                f"starts {', '.join(self.starts) or 'none'}>")


def load(problem: str | os.PathLike[str], *, parameters: Mapping[str, float] | None = None,
         sizes: Mapping[str, int] | None = None) -> Problem:
    """A problem of the library by name, or a problem file by its path (with a slash or ending in .toml).

    ``parameters`` replace the problem's defaults and what starts set; ``sizes`` are whole numbers that
    fix how many coordinates a family has. RequestError, with the nearest name, if there is no such
    problem, parameter or size.
    """
    if not isinstance(problem, (str, os.PathLike)):
        raise RequestError(f"a problem is named by a text or a path, not by {type(problem).__name__}")
    return Problem(os.fspath(problem), _numbers(parameters, "parameter"), _sizes(sizes))


def problems() -> list[str]:
    """The names of all problems of the library."""
    return _core.problem_names()


def studies() -> list[str]:
    """The names of all published studies, as "paper/figure"."""
    return _core.study_names()


@dataclass(frozen=True)
class MethodPage:
    """What there is to say about a method of the library."""

    name: str
    title: str
    description: str
    source: str


def methods() -> Mapping[str, MethodPage]:
    """The methods of the library by name."""
    return _Named({one["name"]: MethodPage(**one) for one in _core.methods()}, "method")
