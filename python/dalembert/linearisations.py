"""Steady motions, their linearised equations, and where along a parameter they are stable."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core, checks
from .analyses import Analysed, page_table, report_of
from .errors import RequestError, StepError, caution
from .forms import needed
from .problems import Problem, Start
from .sensitivities import texts_of
from .studies import ProblemLike, core_study, problem_of, run_table, start_parameters, start_table, study_document

if TYPE_CHECKING:
    import matplotlib.axes

Array = npt.NDArray[np.float64]
ComplexArray = npt.NDArray[np.complex128]


class Linearisation(Analysed):
    """A steady motion, a move along symmetries of the equations, and the equations linearised there.

    ``q``, ``v``, ``lam``: the motion at t = 0, and its multipliers; ``distance``: from the start that was given.
    ``symmetries``: as vector fields; ``moves_along``: the one that the motion follows, from which the roots are seen
    ("0" at rest); a spinning body's is that which turns least in space. ``states``: the names of what describes a
    small deviation x along the constraints, with x' = ``matrix`` x, (states, states); ``held``: coordinates whose deviations the symmetries
    bring to zero; ``dependent``: the others, which are ``dependence`` x, (dependent, states).
    ``roots``: eigenvalues of the matrix, those that grow most first, (states,); ``modes``: their vectors as
    columns, (states, states). ``neutral``: how many roots are zero; ``family``: how many of these lead to other
    steady motions. ``stability``: "stable", "undecided" or "unstable". Where no motion was found, ``ok`` is
    false and ``message`` says why.
    """

    def __init__(self, entry: dict[str, Any], core: _core.Report | None = None, motion: dict[str, Any] | None = None) -> None:
        super().__init__(entry, core)
        one: dict[str, Any] = motion if motion is not None else json.loads(self.to_json())["motions"][0]
        found = one["status"] == "ok"
        self.status: str = one["status"]
        self.message: str = one["message"]
        self.residual: float = one["residual"]
        self.distance: float = one["distance"] if found else np.nan
        self.q, self.v, self.lam = (_fixed(one[name] if found else []) for name in ("q", "v", "lambda"))
        self.symmetries, self.states, self.held, self.dependent = (
            list(one[name]) if found else [] for name in ("symmetries", "states", "held", "dependent"))
        self.moves_along: str = one["moves_along"] if found else "0"
        count, modes = len(self.states), one["modes"] if found else []
        self.dependence: Array = _fixed(one["dependence"] if found else [], (len(self.dependent), count))
        self.matrix: Array = _fixed(one["matrix"] if found else [], (count, count))
        self.roots: ComplexArray = np.array([complex(mode["real"], mode["imaginary"]) for mode in modes], complex)
        self.modes: ComplexArray = np.array([[complex(*part) for part in mode["shape"]] for mode in modes], complex).reshape(len(modes), count).T
        for array in (self.roots, self.modes):
            array.setflags(write=False)
        self.neutral: int = one["neutral"] if found else 0
        self.family: int = one["family"] if found else 0
        self.stability: str = one["stability"] if found else "undecided"

    @property
    def ok(self) -> bool:
        """Whether a steady motion was found."""
        return self.status == "ok"

    @property
    def stable(self) -> bool:
        """Whether every mode decays but those that lead to other steady motions."""
        return self.ok and self.stability == "stable"

    @property
    def growth(self) -> float:
        """The largest real part of the roots that are not zero; nan without one, -inf if all are zero."""
        if not self.ok:
            return np.nan
        return float(max((root.real for root in self.roots if root != 0), default=-np.inf))

    @property
    def start(self) -> Start:
        """The motion as a start for ``dal.run``."""
        return Start(self.q, self.v)


def _fixed(values: Any, shape: tuple[int, ...] = (-1,)) -> Array:
    array = np.array(values, float).reshape(shape)
    array.setflags(write=False)
    return array


@dataclass(frozen=True)
class StabilityChange:
    """Where along a parameter the stability of a steady motion changes.

    ``before`` and ``after``: "stable", "undecided" or "unstable", in the order of the values; ``frequency``:
    of the oscillation that begins to grow there, 0 where none does.
    """

    value: float
    before: str
    after: str
    frequency: float


class LinearisedMotions(Analysed):
    """Steady motions along a parameter.

    ``parameter``, ``values`` (values,): which and where; ``motions``: one for each value; ``changes``: where
    stability changes between them; ``growth`` (values,): the largest real part of the roots that are not zero.
    """

    def __init__(self, entry: dict[str, Any], core: _core.Report | None = None) -> None:
        super().__init__(entry, core)
        data = json.loads(self.to_json())
        self.parameter: str = data["parameter"]
        self.values: Array = _fixed([motion["value"] for motion in data["motions"]])
        self.motions: list[Linearisation] = [_OneOfMany(motion) for motion in data["motions"]]
        self.changes: list[StabilityChange] = [
            StabilityChange(one["value"], one["before"], one["after"], one["imaginary"]) for one in data["changes"]]

    @property
    def growth(self) -> Array:
        """The largest real part at each value, nan where no steady motion was found, (values,)."""
        return np.array([motion.growth for motion in self.motions])

    def __len__(self) -> int:
        return len(self.motions)

    def plot(self, ax: matplotlib.axes.Axes | None = None, **options: Any) -> matplotlib.axes.Axes:
        """Draws real parts as dots and imaginary parts as circles against the parameter, and the changes as lines."""
        axes = ax if ax is not None else needed("matplotlib.pyplot", "a picture").subplots(layout="constrained")[1]
        x = np.concatenate([np.full(len(motion.roots), value) for value, motion in zip(self.values, self.motions)])
        roots = np.concatenate([motion.roots for motion in self.motions])
        axes.axhline(0, color="0.7", linewidth=0.8)
        axes.plot(x, roots.real, **{"marker": ".", "linestyle": "none", "label": "real parts", **options})
        turning = roots.imag > 0
        axes.plot(x[turning], roots.imag[turning], **{"marker": ".", "markersize": 3, "linestyle": "none", "label": "imaginary parts", **options})
        for change in self.changes:
            axes.axvline(change.value, color="0.4", linestyle="--", linewidth=0.8)
        axes.set(xlabel=self.parameter, ylabel="roots")
        axes.legend(fontsize="small")
        chosen: matplotlib.axes.Axes = axes
        return chosen


class _OneOfMany(Linearisation):
    """One of several motions, which have their forms together."""

    def __init__(self, motion: dict[str, Any]) -> None:
        super().__init__({"text": motion["message"]}, motion=motion)
        self._motion = motion
        if self.ok:
            self._entry["text"] = f"Linearisation({self.stability}, growth={self.growth:.6g})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _OneOfMany, (self._motion,)


def _linearised(problem: Problem, at: str | None, start: str | Start | None, q: npt.ArrayLike | None, v: npt.ArrayLike | None,
                keep: str | Iterable[str] | None, parameters: Mapping[str, Any]) -> _core.Report:
    if at is not None and at not in ("steady", "any") and (start is not None or q is not None):
        raise RequestError(f'at="{at}" is a start already; start and q, v are for at="steady", which looks near them')
    if at is None and start is None and q is None and v is None:
        at = "any"
    options = {"at": at, "keep": texts_of(keep, "keep") or None}
    document = study_document(problem, "gauss", run_table(step=1, steps=1), start_parameters(start) | dict(parameters),
                              initial=start_table(problem, start, q, v), **page_table("linearise", options))
    return report_of("linearise", core_study(document, []), False)


def linearise(problem: ProblemLike, at: str | None = None, *, start: str | Start | None = None, q: npt.ArrayLike | None = None,
              v: npt.ArrayLike | None = None, keep: str | Iterable[str] | None = None,
              parameters: Mapping[str, Any] | None = None) -> Linearisation:
    """Linearises a problem about a steady motion (a relative equilibrium), along its constraints.

    ``at``: a start that is a steady motion itself; or "steady": one is looked for near ``start``, near ``q`` and
    ``v``, or near the first start. If nothing is given: the first start that is a steady motion, or else one near
    the first. ``keep``: expressions of the state, "energy" and integrals that keep their values meanwhile.

    StepError where no steady motion is found; RequestError for a problem that depends on time.
    """
    core = _linearised(problem_of(problem), at, start, q, v, keep, parameters or {})
    data = json.loads(core.json())
    if len(data["motions"]) != 1:
        raise RequestError(f'{len(data["motions"])} motions are asked for; linearise_along takes several values of a parameter')
    motion = Linearisation(core.entries()[0], core)
    if not motion.ok:
        raise StepError(f'{data["problem"]}: {motion.message}')
    return motion


def linearise_along(problem: ProblemLike, parameter: str, values: npt.ArrayLike, at: str | None = None, *,
                    start: str | Start | None = None, q: npt.ArrayLike | None = None, v: npt.ArrayLike | None = None,
                    keep: str | Iterable[str] | None = None, parameters: Mapping[str, Any] | None = None) -> LinearisedMotions:
    """Linearises a problem about a steady motion for each value of a parameter, and finds where stability changes.

    ``values``: growing or falling. A start of the problem follows the parameter where it is written so. The rest
    is as for ``linearise``; where no steady motion is found, the motion says so, and a warning.
    """
    name = checks.text(parameter, "parameter")
    chosen = np.atleast_1d(checks.numbers(values, "values"))
    if chosen.ndim != 1 or len(chosen) < 2:
        raise RequestError(f"values has the shape {np.shape(values)}; two or more numbers are needed, and linearise takes one")
    if name in (parameters or {}):
        raise RequestError(f'parameter "{name}" is given by values and in parameters; give it once')
    core = _linearised(problem_of(problem), at, start, q, v, keep, {**(parameters or {}), name: chosen.tolist()})
    result = LinearisedMotions(core.entries()[0], core)
    failed = [value for value, motion in zip(result.values, result.motions) if not motion.ok]
    if failed:
        caution(f"no steady motion was found for {len(failed)} of {len(result)} values, first at {name} = {failed[0]:g}")
    return result
