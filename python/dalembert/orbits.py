"""Periodic motions, found by shooting."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import checks
from .errors import Caution, RequestError, StepError
from .problems import Problem, Start
from .sensitivities import Sensitivity, sensitivity, texts_of
from .studies import MethodLike, ProblemLike, problem_of

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class PeriodicOrbit:
    """A motion that returns to where it began, as a method follows it.

    ``start``: a state of it; ``period``, in ``steps`` steps of size ``step``. ``residual``: by how much the end
    differs from the start, after ``iterations`` of Newton's method. ``monodromy``: what it does to small
    changes along the constraint set, in the orthonormal ``basis`` (q and v, dimension) there;
    ``multipliers``: its eigenvalues, the largest first.
    """

    start: Start
    period: float
    steps: int
    step: float
    residual: float
    iterations: int
    monodromy: Array
    basis: Array
    multipliers: npt.NDArray[np.complex128]

    def __repr__(self) -> str:
        multipliers = ", ".join(f"{complex(one):.6g}" for one in self.multipliers)
        return f"PeriodicOrbit(period={self.period:.12g}, steps={self.steps}, residual={self.residual:.1e}, multipliers=[{multipliers}])"


def periodic_orbit(problem: ProblemLike, method: MethodLike = "auto", *, period: float, steps: int,
                   start: str | Start | None = None, q: npt.ArrayLike | None = None, v: npt.ArrayLike | None = None,
                   parameters: Mapping[str, Any] | None = None, shifts: str | Iterable[str] = (), keep: str | Iterable[str] = (),
                   most_iterations: int = 30) -> PeriodicOrbit:
    """Finds a periodic motion near a guess by Newton's method (shooting), with exact derivatives of the steps.

    ``period`` and ``start`` (or ``q`` and ``v``): the guess; both are changed, by as little as the equations
    leave open. ``steps``: of one period. ``shifts``: coordinates that the equations do not contain and that
    need not return, such as the place of a wheel. Angles return up to whole turns. ``keep``: quantities
    that keep their values at the guess, as "energy", "x", or "period": they choose one of a family of orbits.
    StepError where a step is refused or no orbit is found. For coordinates on lines and angles.
    """
    if q is not None or v is not None:
        if start is not None or q is None:
            raise RequestError("a guess is a start, or q and v")
        start = Start(q, () if v is None else v, project=True)
    shooting = _Shooting(problem_of(problem), method, checks.number(period, "period"), checks.whole(steps, "steps", 1), start, parameters,
                         texts_of(shifts, "shifts"), texts_of(keep, "keep"))
    shooting.iterate(checks.whole(most_iterations, "most_iterations", 1))
    return shooting.orbit()


class _Shooting:
    """Newton's method for the state and the period of an orbit."""

    def __init__(self, problem: Problem, method: MethodLike, period: float, steps: int, start: Start | str | None,
                 parameters: Mapping[str, Any] | None, shifts: list[str], keep: list[str]) -> None:
        names = list(problem.positions)
        if len(problem.velocities) != len(names):
            raise RequestError("periodic orbits are found in coordinates on lines and angles, and this problem has others")
        if not period > 0:
            raise RequestError(f"period is {period}; it must be > 0")
        for name in shifts:
            if name not in names:
                raise RequestError(f'shifts names "{name}", which is no coordinate; there are: {", ".join(names)}')
        self.problem, self.method, self.parameters = problem, method, parameters
        self.period, self.steps, self.iterations = period, steps, 0
        self.quantities = [name for name in keep if name != "period"]
        self.keeps_period = "period" in keep
        states = [*names, *problem.velocities]
        self.by_half, self.states = len(names), states
        self.returning = [i for i, name in enumerate(states) if name not in shifts]
        self.angles = [i for i, name in enumerate(names) if name in problem.angles]
        found = self._run(start, period)
        if not found.ok:
            raise StepError(found.message)
        self.found, self.wanted = found, found.values[0, len(states):]
        self.residual = self._apart(found)

    def _run(self, start: Start | str | None, period: float) -> Sensitivity:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Caution)
            found = sensitivity(self.problem, self.method, by=["start", "step"], of=[*self.states, *self.quantities], mode="tangent",
                                step=period / self.steps, steps=self.steps, start=start, parameters=self.parameters)
        if found.status == "interrupted":
            raise KeyboardInterrupt
        return found

    def _equations(self, found: Sensitivity) -> Array:
        count = len(self.states)
        gap = found.end[:count] - found.values[0, :count]
        gap[self.angles] -= 2 * np.pi * np.round(gap[self.angles] / (2 * np.pi))
        return np.concatenate([gap[self.returning], found.values[0, count:] - self.wanted])

    def _apart(self, found: Sensitivity) -> float:
        return float(np.abs(self._equations(found)).max(initial=0.0)) if found.ok else np.inf

    def _newton(self) -> tuple[Array, float]:
        """The least change of state and period that solves the linear equations, which leave the phase open."""
        before, after = self.found.derivatives[0], self.found.jacobian
        matrix = np.vstack([(after - before)[self.returning], before[len(self.states):]])
        matrix[:len(self.returning), -1] = after[self.returning, -1]
        change = np.linalg.lstsq(matrix[:, :-1] if self.keeps_period else matrix, -self._equations(self.found), rcond=1e-9)[0]
        return change[:len(self.states)], 0.0 if self.keeps_period else self.steps * float(change[-1])

    def _improve(self, is_near: bool) -> bool:
        """A step of Newton's method, or a part of it; whether the end came nearer to the start."""
        change, longer = self._newton()
        fraction = 1.0
        while fraction > 1e-3:
            # Not to an orbit without length.
            if abs(fraction * longer) < self.period / 2:
                state = self.found.values[0, :len(self.states)] + fraction * change
                start = Start(state[:self.by_half], state[self.by_half:], project=True)
                tried = self._run(start, self.period + fraction * longer)
                residual = self._apart(tried)
                if residual < self.residual:
                    self.found, self.residual, self.period = tried, residual, self.period + fraction * longer
                    return True
            if is_near:
                return False
            fraction /= 2
        return False

    def iterate(self, most: int) -> None:
        """Ends at round-off, where nothing is gained any more."""
        while True:
            scale = 1.0 + float(np.abs(self.found.values[0]).max())
            is_near = self.residual < 1e-9 * scale
            if self.residual <= 1e-14 * scale or (self.iterations >= most and is_near):
                return
            if self.iterations >= most or not self._improve(is_near):
                if is_near:
                    return
                raise StepError(f"no periodic orbit was found: Newton's method came to an end that differs from the start by "
                                f"{self.residual:.2g}; begin nearer to one")
            self.iterations += 1

    def orbit(self) -> PeriodicOrbit:
        count, found = len(self.states), self.found
        tangents, images = found.derivatives[0, :count, :-1], found.jacobian[:count, :-1]
        left, sizes, right = np.linalg.svd(tangents)
        dimension = int(np.sum(sizes > 1e-9 * sizes[0]))
        basis = left[:, :dimension]
        monodromy = basis.T @ images @ right[:dimension].T / sizes[:dimension]
        multipliers = np.linalg.eigvals(monodromy).astype(complex)
        multipliers = multipliers[np.argsort(-np.abs(multipliers), kind="stable")]
        start = Start(found.values[0, :self.by_half], found.values[0, self.by_half:count])
        return PeriodicOrbit(start, self.period, self.steps, self.period / self.steps, self.residual, self.iterations, monodromy, basis,
                             multipliers)
