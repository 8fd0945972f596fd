"""Steady motions, their linearised equations, and where along a parameter they are stable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core, checks
from .errors import RequestError, StepError, caution
from .forms import needed
from .problems import Problem, Start
from .sensitivities import texts_of
from .studies import ProblemLike, core_study, problem_of, run_table, start_parameters, start_table, study_document

if TYPE_CHECKING:
    import matplotlib.axes

Array = npt.NDArray[np.float64]
ComplexArray = npt.NDArray[np.complex128]


class Linearisation:
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

    def __init__(self, entry: dict[str, Any], text: str = "") -> None:
        self._entry, self._text = entry, text
        count = len(entry["states"])
        self.status: str = entry["status"]
        self.message: str = entry["message"]
        self.residual: float = entry["residual"]
        self.distance: float = entry["distance"]
        self.q: Array = _fixed(entry["q"])
        self.v: Array = _fixed(entry["v"])
        self.lam: Array = _fixed(entry["lam"])
        self.symmetries: list[str] = entry["symmetries"]
        self.moves_along: str = entry["moves_along"]
        self.states: list[str] = entry["states"]
        self.held: list[str] = entry["held"]
        self.dependent: list[str] = entry["dependent"]
        self.dependence: Array = _fixed(entry["dependence"], (len(self.dependent), count))
        self.matrix: Array = _fixed(entry["matrix"], (count, count))
        self.roots: ComplexArray = np.array(entry["roots"], complex)
        self.modes: ComplexArray = np.array(entry["shapes"], complex).reshape(len(self.roots), count).T
        for array in (self.roots, self.modes):
            array.setflags(write=False)
        self.neutral: int = entry["neutral"]
        self.family: int = entry["family"]
        self.stability: str = entry["stability"]

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

    def __repr__(self) -> str:
        return self._text.rstrip() or (f"Linearisation({self.stability}, growth={self.growth:.6g})" if self.ok else self.message)

    def __reduce__(self) -> tuple[Any, ...]:
        return Linearisation, (self._entry, self._text)


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


class LinearisedMotions:
    """Steady motions along a parameter.

    ``parameter``, ``values`` (values,): which and where; ``motions``: one for each value; ``changes``: where
    stability changes between them; ``growth`` (values,): the largest real part of the roots that are not zero.
    """

    def __init__(self, parameter: str, entry: dict[str, Any]) -> None:
        self._entry = entry
        self.parameter = parameter
        self.values: Array = _fixed(entry["values"])
        self.motions: list[Linearisation] = [Linearisation(motion) for motion in entry["motions"]]
        self.changes: list[StabilityChange] = [StabilityChange(value, before, after, root.imag)
                                               for value, before, after, root in entry["changes"]]

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

    def __repr__(self) -> str:
        return str(self._entry["text"]).rstrip()

    def __reduce__(self) -> tuple[Any, ...]:
        return LinearisedMotions, (self.parameter, self._entry)


def _linearised(problem: Problem, at: str | None, start: str | Start | None, q: npt.ArrayLike | None, v: npt.ArrayLike | None,
                keep: str | Iterable[str] | None, parameters: Mapping[str, Any]) -> dict[str, Any]:
    if at is not None and at != "steady":
        if start is not None or q is not None:
            raise RequestError(f'at="{at}" is a start already; start and q, v are for at="steady", which looks near them')
        start = checks.text(at, "at")
    anywhere = start is None and q is None and v is None and at is None
    document = study_document(problem, "gauss", run_table(step=1, steps=1), start_parameters(start) | dict(parameters),
                              initial=start_table(problem, start, q, v))
    return _core.linearise(core_study(document, []), anywhere, at is None or at == "steady", texts_of(keep, "keep"))


def linearise(problem: ProblemLike, at: str | None = None, *, start: str | Start | None = None, q: npt.ArrayLike | None = None,
              v: npt.ArrayLike | None = None, keep: str | Iterable[str] | None = None,
              parameters: Mapping[str, Any] | None = None) -> Linearisation:
    """Linearises a problem about a steady motion (a relative equilibrium), along its constraints.

    ``at``: a start that is a steady motion itself; or "steady": one is looked for near ``start``, near ``q`` and
    ``v``, or near the first start. If nothing is given: the first start that is a steady motion, or else one near
    the first. ``keep``: expressions of the state, "energy" and integrals that keep their values meanwhile.

    StepError where no steady motion is found; RequestError for a problem that depends on time.
    """
    entry = _linearised(problem_of(problem), at, start, q, v, keep, parameters or {})
    if len(entry["motions"]) != 1:
        raise RequestError(f'{len(entry["motions"])} motions are asked for; linearise_along takes several values of a parameter')
    motion = Linearisation(entry["motions"][0], entry["text"])
    if not motion.ok:
        raise StepError(f'{entry["problem"]}: {motion.message}')
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
    result = LinearisedMotions(name, _linearised(problem_of(problem), at, start, q, v, keep, {**(parameters or {}), name: chosen.tolist()}))
    failed = [value for value, motion in zip(result.values, result.motions) if not motion.ok]
    if failed:
        caution(f"no steady motion was found for {len(failed)} of {len(result)} values, first at {name} = {failed[0]:g}")
    return result
