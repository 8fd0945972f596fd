"""Methods that are typed in Python."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol, Union, overload

import numpy.typing as npt

from . import _core, checks
from .errors import RequestError
from .expressions import Scalar, Vector

System = _core.System
Unknowns = _core.Unknowns


@dataclass(frozen=True, eq=False)
class Before:
    """The state before a step, as expressions: q [stored numbers], v [dof], lam and carried, and the time t."""

    q: npt.NDArray[Any]
    v: npt.NDArray[Any]
    lam: npt.NDArray[Any]
    carried: npt.NDArray[Any]
    t: _core.Expression


@dataclass(frozen=True, eq=False)
class Step:
    """The equations of one step: ``zero``, the dynamics, and ``constraint``, conditions on the new state alone, vanish.

    There are as many of them as unknowns. ``after`` is the new state: (q, v) or (q, v, lam). ``carried``
    is what else the next step needs, ``error_estimate`` estimates of the step's errors for methods with a
    tolerance. For compensated runs of methods that find the new velocity as a whole, ``velocity_change``
    is its change in terms as small as itself, and ``velocity_rest`` what is left out of it.
    """

    zero: Vector = ()
    constraint: Vector = ()
    after: Sequence[Vector] = ()
    carried: Vector = ()
    error_estimate: Vector = ()
    velocity_change: Vector = ()
    velocity_rest: Vector = ()

    def _entry(self) -> dict[str, Any]:
        if not isinstance(self.after, (tuple, list)) or not 2 <= len(self.after) <= 3:
            raise RequestError("after is the new state, (q, v) or (q, v, lam)")
        q, v, *rest = self.after
        return {"zero": self.zero, "constraint": self.constraint, "q": q, "v": v, "lam": rest[0] if rest else None,
                "carried": self.carried, "error_estimate": self.error_estimate,
                "velocity_change": self.velocity_change, "velocity_rest": self.velocity_rest}


class StepEquations(Protocol):
    """What a method is: the equations of a step of size h from the state before it."""

    __name__: str

    def __call__(self, system: System, before: Before, unknowns: Unknowns, h: _core.Expression, /) -> Step: ...


_MASSES = ("constant", "position", "general", "skew-gradient")
_CONSTRAINTS = ("none", "linear", "affine", "nonlinear")


@dataclass(frozen=True)
class Needs:
    """What a method handles; the default is least.

    ``mass``: the most general Lagrangian, "constant" (v.M v/2 - V(q)), "position" (M(q)), "general", or
    "skew-gradient" for systems without one; ``constraints``: the most general ones, "none", "linear", "affine" or
    "nonlinear" in the velocities. Whether it handles ``time`` in the equations, external ``force``, constraints on
    positions (``holonomic``) and on velocities (``nonholonomic``), and elements of Lie ``groups``. ``reason``: why
    not more, a clause after "because".
    """

    mass: str = "constant"
    constraints: str = "linear"
    time: bool = False
    force: bool = False
    holonomic: bool = False
    nonholonomic: bool = True
    groups: bool = False
    reason: str = ""

    def __post_init__(self) -> None:
        checks.word(self.mass, "mass", _MASSES)
        checks.word(self.constraints, "constraints", _CONSTRAINTS)
        for key in ("time", "force", "holonomic", "nonholonomic", "groups"):
            checks.flag(getattr(self, key), key)
        checks.text(self.reason, "reason")


@dataclass(frozen=True)
class Piece:
    """A map of states for a fraction of the step: one piece of a splitting.

    ``map`` has the form of a method's equations. ``moves_time``: whether t moves on with it; ``is_flow``: whether
    two of these maps in a row are the one for the sum of their times.
    """

    name: str
    map: StepEquations = field(repr=False)
    moves_time: bool = False
    is_flow: bool = False
    fraction: Scalar = 1.0


class Method:
    """A method, typed in Python or of the library with options: what ``run``, ``audit`` and ``Stepper`` take.

    ``str(method)`` shows its equations on a formal system, what it promises and what it needs. A notebook
    shows the equations as formulas, unless words stand among them, as those of pieces and of stages.
    """

    def __init__(self, core: _core.Method, document: Mapping[str, Any], own: Sequence[_core.Method],
                 made_by: str | tuple[Any, ...]) -> None:
        self._core, self._entry, self._own, self._made_by = core, dict(document), list(own), made_by

    @property
    def name(self) -> str:
        """As results show it, with its options."""
        return self._core.label

    @property
    def equations(self) -> list[str]:
        """The equations of one step on a formal system of one coordinate, a line each; none where they need more coordinates."""
        try:
            return self._core.equations()
        except IndexError:
            return []

    @property
    def promises(self) -> list[str]:
        """What it promises; ``audit`` measures it."""
        return self._core.promises()

    def misfit(self, problem: Any) -> str | None:
        """Why it cannot be used on a problem, or None."""
        from .studies import problem_of
        return self._core.misfit(problem_of(problem)._system())

    def __reduce__(self) -> str | tuple[Any, ...]:
        # A typed one is found again by its name in its module, as functions are.
        return self._made_by

    def __str__(self) -> str:
        return "\n".join([self.name, *("  " + line for line in [*self.equations, *self.promises, self._core.needs()])])

    def __repr__(self) -> str:
        return f"<dalembert.Method {self.name}: {'; '.join(self.promises[:3])}>"

    def _repr_latex_(self) -> str | None:
        try:
            lines = self._core.latex_equations()
        except IndexError:  # as in equations
            return None
        return "$$\\begin{aligned}" + " \\\\ ".join(lines) + "\\end{aligned}$$" if lines else None


def _adapted(function: StepEquations, name: str) -> Callable[..., dict[str, Any]]:
    """The function as the compiled part calls it."""

    def equations(system: System, before: Mapping[str, Any], unknowns: Unknowns, h: _core.Expression) -> dict[str, Any]:
        step = function(system, Before(**before), unknowns, h)
        if not isinstance(step, Step):
            raise RequestError(f'the equations of "{name}" are {type(step).__name__}; they must be dal.Step(...)')
        return step._entry()

    return equations


def _names(carries: Sequence[str] | Callable[[System], Sequence[str]] | None) -> Callable[[System], list[str]] | None:
    if carries is None:
        return None
    if callable(carries):
        given = carries
        return lambda system: checks.words(given(system), "carries")
    names = checks.words(carries, "carries")
    return lambda system: names


def _misfit(function: Callable[[System], str | None] | None) -> Callable[[System], str | None] | None:
    """The function, held to what it may return."""
    if function is None:
        return None
    given = checks.function(function, "misfit")

    def misfit(system: System) -> str | None:
        reason = given(system)
        if reason is not None and not isinstance(reason, str):
            raise RequestError(f"misfit returned {reason!r}; it must be a sentence or None")
        return reason

    return misfit


_FLAGS = ("continuous_multiplier", "symmetric", "asymmetric_on_groups", "reversible", "maps_constraint_set", "exact_energy",
          "carries_multiplier", "reflects_multiplier", "keeps_fibration")


def _facts(options: Mapping[str, Any]) -> dict[str, Any]:
    facts: dict[str, Any] = {key: checks.flag(options[key], key) for key in _FLAGS}
    most = 1000
    facts["order"] = checks.whole(options["order"], "order", 1, most)
    for key in ("multiplier_order", "holonomic_multiplier_order"):
        facts[key] = checks.whole(options[key], key, 0, most)
    local = options["local_order"]
    facts["local_order"] = None if local is None else checks.whole(local, "local_order", 1, most)
    promised = options["symplectic"]
    facts["symplectic"] = None if promised is None else checks.word(promised, "symplectic", _MASSES[:3])
    return facts


def _checked_pieces(pieces: Sequence[Piece]) -> list[Piece]:
    listed = checks.items(pieces, "pieces")
    for one in listed:
        if not isinstance(one, Piece):
            raise RequestError(f"a piece is of the type {type(one).__name__}; dal.Piece(name, map) is allowed")
        checks.text(one.name, "the name of a piece")
        checks.flag(one.moves_time, "moves_time")
        checks.flag(one.is_flow, "is_flow")
    if not listed:
        raise RequestError("a splitting needs at least one piece")
    return listed


def _made(function: Callable[..., Any] | None, pieces: Sequence[Piece] | None, symmetric_sequence: bool, name: str,
          module: str, qualname: str, options: Mapping[str, Any]) -> Method:
    checks.name(checks.text(name, "name"), "method", hyphens=True)
    if name == "auto":
        raise RequestError('a method cannot be named "auto", which stands for one that is chosen; give another name')
    needs = options["needs"]
    if not isinstance(needs, Needs):
        raise RequestError(f"needs is of the type {type(needs).__name__}; dal.Needs(...) is allowed")
    facts = _facts(options)
    # Without constraints every velocity is on them.
    facts["maps_constraint_set"] |= needs.constraints == "none"
    start = options["start"]
    entries = None if pieces is None else [
        {"name": piece.name, "map": _adapted(piece.map, piece.name), "moves_time": piece.moves_time,
         "is_flow": piece.is_flow, "fraction": piece.fraction} for piece in _checked_pieces(pieces)]
    core = _core.Method({
        "name": name, **{key: checks.text(options[key], key) for key in ("title", "description", "source")},
        "facts": facts, "needs": asdict(needs), "pieces": entries, "symmetric_sequence": symmetric_sequence,
        "equations": _adapted(function, name) if function is not None else None, "carries": _names(options["carries"]),
        "start": None if start is None else lambda system, state: start(system, Before(**state)), "misfit": _misfit(options["misfit"]),
        "error_tolerance": checks.number(options["error_tolerance"], "error_tolerance")})
    method = Method(core, {"name": name}, [core], qualname)
    method.__module__ = module
    return method


@overload
def method(function: StepEquations, *, order: int, name: str | None = None, title: str = ..., description: str | None = ...,
           source: str = ..., needs: Needs = ..., multiplier_order: int = ..., holonomic_multiplier_order: int = ...,
           continuous_multiplier: bool = ..., symmetric: bool = ..., asymmetric_on_groups: bool = ...,
           reversible: bool = ..., maps_constraint_set: bool = ..., exact_energy: bool = ...,
           carries_multiplier: bool = ..., reflects_multiplier: bool = ..., keeps_fibration: bool = ...,
           symplectic: str | None = ..., local_order: int | None = ...,
           carries: Sequence[str] | Callable[[System], Sequence[str]] | None = ...,
           start: Callable[[System, Before], Vector] | None = ...,
           misfit: Callable[[System], str | None] | None = ..., error_tolerance: float = ...) -> Method: ...


@overload
def method(function: None = None, *, order: int, name: str | None = None, title: str = ..., description: str | None = ...,
           source: str = ..., needs: Needs = ..., multiplier_order: int = ..., holonomic_multiplier_order: int = ...,
           continuous_multiplier: bool = ..., symmetric: bool = ..., asymmetric_on_groups: bool = ...,
           reversible: bool = ..., maps_constraint_set: bool = ..., exact_energy: bool = ...,
           carries_multiplier: bool = ..., reflects_multiplier: bool = ..., keeps_fibration: bool = ...,
           symplectic: str | None = ..., local_order: int | None = ...,
           carries: Sequence[str] | Callable[[System], Sequence[str]] | None = ...,
           start: Callable[[System, Before], Vector] | None = ...,
           misfit: Callable[[System], str | None] | None = ...,
           error_tolerance: float = ...) -> Callable[[StepEquations], Method]: ...


def method(function: StepEquations | None = None, *, order: int, name: str | None = None, title: str = "",
           description: str | None = None, source: str = "", needs: Needs = Needs(), multiplier_order: int = 0,
           holonomic_multiplier_order: int = 0, continuous_multiplier: bool = False, symmetric: bool = False,
           asymmetric_on_groups: bool = False, reversible: bool = False, maps_constraint_set: bool = False,
           exact_energy: bool = False, carries_multiplier: bool = False, reflects_multiplier: bool = False,
           keeps_fibration: bool = False, symplectic: str | None = None, local_order: int | None = None,
           carries: Sequence[str] | Callable[[System], Sequence[str]] | None = None,
           start: Callable[[System, Before], Vector] | None = None,
           misfit: Callable[[System], str | None] | None = None, error_tolerance: float = 0.0) -> Any:
    """Makes a method of a function that says which equations hold between the states before and after a step; a decorator.

    The function takes the system ``s``, whose functions (``s.mass(q)``, ``s.potential_gradient(q)``,
    ``s.constraint(q, v)``, ...) may be asked at any point, the state ``a`` before the step, the unknowns ``u``
    and the step size ``h``, and returns ``Step``. It is called once for each system, with symbols; the
    step is differentiated, solved and run as those of the library.

    What it promises is not promised where it is left out: ``order`` of q and v, ``multiplier_order`` of the
    reported multiplier (``holonomic_multiplier_order`` of that of constraints on positions, where it is lower;
    ``continuous_multiplier``: it is that of the motion at the node), ``symmetric``, ``reversible``
    (``asymmetric_on_groups``: not on Lie groups), ``maps_constraint_set``: the new velocity satisfies the
    constraints, ``exact_energy``, ``keeps_fibration``, ``symplectic``: the most general mass ("constant", "position",
    "general") for which it is, without constraints, ``local_order`` where it is not order + 1. ``carries_multiplier``:
    the next step depends on lam, and ``reflects_multiplier``: time turned round reflects it. ``carries``: names of what
    else the next step needs, ``start`` its values (zero if not given). ``misfit``: why a system cannot be used, or
    None. With an ``error_tolerance`` runs divide steps until ``Step.error_estimate`` is below it, relative to 1 + size.
    ``name`` and ``description`` are those of the function and its docstring if not given.
    RequestError where this makes no sense; errors of the function come out of what runs it.
    """
    options = {key: value for key, value in locals().items() if key not in ("function", "name")}

    def made(given: StepEquations) -> Method:
        checks.function(given, "what the equations are")
        chosen = dict(options)
        chosen["description"] = description if description is not None else inspect.getdoc(given) or ""
        own_name = getattr(given, "__name__", "")
        return _made(given, None, False, name or own_name.replace("_", "-"), str(getattr(given, "__module__", "__main__")),
                     str(getattr(given, "__qualname__", own_name)), chosen)

    return made if function is None else made(function)


def splitting(name: str, pieces: Sequence[Piece], *, order: int, symmetric_sequence: bool = False, **options: Any) -> Method:
    """A method that is a sequence of pieces, with their fractions of the step.

    With ``symmetric_sequence`` the sequence is a_1(h/2) .. a_(n-1)(h/2) a_n(h) a_(n-1)(h/2) .. a_1(h/2), whatever the
    fractions were. The rest as ``method``; ``compose`` raises its order, also by composing flows themselves.
    """
    allowed = [key for key in inspect.signature(method).parameters if key not in ("function", "order", "name")]
    for key in options:
        if key not in allowed:
            raise RequestError(f'a splitting has no option "{key}"; there are: {", ".join(allowed)}')
    defaults = {key: value.default for key, value in inspect.signature(method).parameters.items() if key in allowed}
    chosen = defaults | options | {"order": order}
    chosen["description"] = chosen["description"] or ""
    caller = inspect.stack()[1].frame.f_globals.get("__name__", "__main__")
    return _made(None, pieces, symmetric_sequence, name, str(caller), name, chosen)


MethodChoice = Union[Method, str, Mapping[str, Any]]
"""A method of ``method``, a name with options, as "gauss(stages=3)", or {"name": "gauss", "stages": 3}."""


def _of_library(library_name: str, base: MethodChoice, options: Mapping[str, Any]) -> Method:
    chosen = method_of(base, "the base")
    core = _core.Method.of_library(library_name, {"base": chosen._core, **options})
    return Method(core, {"name": library_name, "base": chosen._entry, **options}, chosen._own,
                  (_of_library, (library_name, base, dict(options))))


def library_method(text: str | Mapping[str, Any]) -> Method:
    """A method of the library, as "gauss(stages=3)" or {"name": "gauss", "stages": 3}."""
    entry = {"name": text} if isinstance(text, str) else checks.mapping(text, "the method")
    options = {key: value._core if isinstance(value, Method) else value for key, value in entry.items() if key not in ("name", "label")}
    for key, value in options.items():
        if not isinstance(value, (str, _core.Method)):
            options[key] = checks.number(value, f'option "{key}"')
    core = _core.Method.of_library(checks.text(entry.get("name"), "the name of a method"), options)
    own = [one for value in entry.values() if isinstance(value, Method) for one in value._own]
    return Method(core, {key: value._entry if isinstance(value, Method) else value for key, value in entry.items()}, own,
                  (library_method, (text,)))


def method_of(choice: object, what: str = "the method") -> Method:
    """A method that was chosen in one of the ways of MethodChoice."""
    if isinstance(choice, Method):
        return choice
    if isinstance(choice, (str, Mapping)):
        name = choice.get("name") if isinstance(choice, Mapping) else None
        return name if isinstance(name, Method) else library_method(choice)
    raise RequestError(f'{what} is {choice!r}; a method of dal.method, a name as "gauss(stages=3)" or a dict is allowed')


def compose(base: MethodChoice, scheme: str = "triple-jump") -> Method:
    """Steps of a symmetric method in a sequence of fractions that has a higher order, as "suzuki-4" or "yoshida-6"."""
    return _of_library("compose", base, {"scheme": checks.text(scheme, "scheme")})


def adjoint(base: MethodChoice) -> Method:
    """The adjoint of a method: its step backwards in time, inverted."""
    return _of_library("adjoint", base, {})
