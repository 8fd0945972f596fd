"""Steps in a loop of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import _core, checks
from ._core import Point as Point
from .errors import RequestError, StepError
from .methods import MethodChoice, method_of
from .problems import Array, Start, _numbers
from .studies import ProblemLike, problem_of


@dataclass(frozen=True)
class StepReport:
    """How one step or several went; true if the numbers took them all.

    ``status``: "ok", "not converged" or "not finite"; ``residual`` of a refused step, ``steps`` that were
    taken, ``iterations`` beyond one for each step, and ``message``, a sentence where a step was refused.
    """

    status: str
    residual: float
    steps: int
    iterations: int
    message: str

    def __bool__(self) -> bool:
        return self.status == "ok"


@dataclass(frozen=True)
class Block:
    """A part of a step's equations: its unknowns, how it is solved ("explicit", "linear", "Newton iteration"), and the
    size of the linear system that is left after elimination."""

    kind: str
    unknowns: list[str]
    system_size: int


class Stepper:
    """Takes single steps of a method on a problem.

    ``step``: the step size, also negative. ``parameters`` by name, instead of the problem's. ``compensated`` and ``wrap_angles`` as in
    ``run``. Both may change on the way: ``stepper.parameters = {"slope": -1.0}`` (those that are not
    named stay), ``stepper.step_size = 0.05``. A stepper serves any number of points; threads take turns.
    RequestError where the method does not fit the problem.
    """

    __slots__ = ("_core", "_given", "_method", "_problem")

    def __init__(self, problem: ProblemLike, method: MethodChoice, *, step: float,
                 parameters: Mapping[str, float] | None = None, compensated: bool = False, wrap_angles: bool = True) -> None:
        self._problem = problem_of(problem)
        self._method = method_of(method)
        self._given = _numbers(parameters, "parameter")
        self._core = _core.Stepper(self._problem._system(), self._method._core, checks.number(step, "step", finite=False),
                                   self._given, checks.flag(compensated, "compensated"), checks.flag(wrap_angles, "wrap_angles"))

    def start(self, q: npt.ArrayLike | Start | str | None = None, v: npt.ArrayLike | None = None, *, t: float = 0.0,
              project: bool = False) -> Point:
        """A point to begin from: positions and velocities, a ``Start``, or the name of one of the problem (its first if
        none is given), with the exact multiplier and what else the method needs.

        With ``project`` it is brought onto the constraints first. Parameters that a start sets become those of the
        stepper, but for those that it was given itself. RequestError, with how much and where, if the constraints are
        violated.
        """
        lam: npt.ArrayLike | None = None
        if q is None or isinstance(q, (str, Start)):
            if v is not None:
                raise RequestError("v stands beside a start that has velocities; give q and v, or a start")
            chosen = q if isinstance(q, Start) else self._named(q)
            q, v, lam, project = chosen.q, chosen.v, chosen.lam, project or chosen.project
            self._take(chosen.parameters)
        positions, velocities = checks.numbers(q, "q").ravel(), checks.numbers(() if v is None else v, "v").ravel()
        multipliers = None if lam is None else checks.numbers(lam, "lam").ravel().tolist()
        return self._core.start(positions.tolist(), velocities.tolist(), multipliers, checks.number(t, "t"),
                                checks.flag(project, "project"))

    def _take(self, parameters: Mapping[str, float]) -> None:
        changed = {name: value for name, value in parameters.items() if name not in self._given}
        if changed:
            self._core.set_parameters(_numbers(changed, "parameter"))

    def _named(self, name: str | None) -> Start:
        starts = self._problem.starts
        if name is None and not starts:
            raise RequestError(f'problem "{self._problem.name}" has no starts of its own; give q and v')
        return starts[next(iter(starts)) if name is None else name]

    def step(self, point: Point) -> StepReport:
        """One step. Where the numbers refuse it, the report says why and the point stays as it was."""
        return StepReport(*self._core.advance(_checked(point), 1))

    def advance(self, point: Point, steps: int, *, strict: bool = False) -> StepReport:
        """So many steps without the interpreter's lock, up to the first that is refused.

        Ctrl-C ends it with KeyboardInterrupt, and the point is where it has got to. ``strict``: StepError where a step
        is refused.
        """
        report = StepReport(*self._core.advance(_checked(point), checks.whole(steps, "steps", 0)))
        if strict and not report:
            raise StepError(report.message)
        return report

    def energy(self, point: Point) -> float:
        """The energy at a point."""
        return self._core.energy(_checked(point))

    def constraint_error(self, point: Point) -> float:
        """The largest violation of a constraint at a point; 0 without constraints."""
        return self._core.constraint_error(_checked(point))

    def integrals(self, point: Point) -> dict[str, float]:
        """The integrals of the problem at a point."""
        return self._core.integrals(_checked(point))

    def multiplier(self, point: Point) -> Array:
        """The multiplier of the exact motion through a point, [constraints]."""
        return np.array(self._core.multiplier(_checked(point)))

    @property
    def parameters(self) -> dict[str, float]:
        """Values of all parameters."""
        return self._core.parameters()

    @parameters.setter
    def parameters(self, changed: Mapping[str, float]) -> None:
        self._core.set_parameters(_numbers(changed, "parameter"))

    @property
    def step_size(self) -> float:
        """The step size."""
        return self._core.step_size()

    @step_size.setter
    def step_size(self, step: float) -> None:
        self._core.set_step_size(checks.number(step, "step_size", finite=False))

    @property
    def blocks(self) -> list[Block]:
        """What is solved how in a step."""
        return [Block(*one) for one in _core.blocks(self._problem._system(), self._method._core)]

    def __repr__(self) -> str:
        return f"<dalembert.Stepper {self._method.name} on {self._problem.name}, step {self.step_size:g}>"


def _checked(point: object) -> Point:
    if not isinstance(point, Point):
        raise RequestError(f"the point is of the type {type(point).__name__}; one of stepper.start() is allowed")
    return point
