"""Derivatives of runs by their start, parameters and step; Lyapunov exponents; volumes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core, checks
from .analyses import Array, Finding, analyse, with_keys
from .errors import UnknownName
from .events import Event
from .forms import needed
from .problems import Start
from .progress import ProgressChoice
from .studies import MethodLike, ProblemLike, run_table

if TYPE_CHECKING:
    import matplotlib.axes
    from typing_extensions import Unpack

    from .keys import LyapunovKeys, SensitivityKeys, VolumeKeys


class Sensitivity(Finding):
    """A run with its derivatives, exact for the discrete map.

    ``t``: (records,). ``values``: (records, of). ``derivatives``: (records, of, by). ``of`` and ``by``: their
    names. ``status``: "ok", "failed" or "interrupted", with ``message``; ``mode``: "tangent" or "adjoint".
    """

    t: Array
    values: Array
    derivatives: Array
    of: list[str]
    by: list[str]
    mode: str

    @property
    def end(self) -> Array:
        """The quantities at the last record, (of,)."""
        last: Array = self.values[-1]
        return last

    @property
    def jacobian(self) -> Array:
        """Their derivatives there, (of, by)."""
        last: Array = self.derivatives[-1]
        return last

    def value(self, of: str) -> Array:
        """A quantity at all records, (records,)."""
        column: Array = self.values[:, _place(of, self.of, "quantity")]
        return column

    def derivative(self, of: str, by: str) -> Array:
        """The derivative of a quantity by an argument at all records, (records,)."""
        column: Array = self.derivatives[:, _place(of, self.of, "quantity"), _place(by, self.by, "argument")]
        return column


def _place(name: str, names: list[str], what: str) -> int:
    if name not in names:
        raise UnknownName(f'there is no {what} "{name}"; there are: {", ".join(names)}')
    return names.index(name)


def texts_of(names: str | Iterable[str] | None, what: str) -> list[str]:
    """One text or several, as a list."""
    if names is None:
        return []
    return [names] if isinstance(names, str) else [checks.text(name, what) for name in names]


@with_keys("sensitivity")
def sensitivity(problem: ProblemLike, method: MethodLike = "auto", *, step: float | str, until: float | str | None = None,
                steps: int | None = None, every: float | str | None = None, record_every: int | None = None,
                start: str | Start | None = None, q: npt.ArrayLike | None = None, v: npt.ArrayLike | None = None,
                parameters: Mapping[str, Any] | None = None, events: Sequence[Event | Mapping[str, Any]] | None = None,
                compensated: bool = False, progress: ProgressChoice = False,
                **options: Unpack[SensitivityKeys]) -> Sensitivity:
    """Differentiates a run by its start, by parameters and by the size of its steps.

    A changed start is brought back to the constraints. ``every`` or ``record_every``: records on the way, with
    derivatives at each of them. Where the solver fails the status is "failed", and a warning says so.
    """
    run = run_table(step=step, until=until, steps=steps, every=every, record_every=record_every, compensated=compensated)
    if every is not None or record_every is not None:
        options.setdefault("records", True)
    return analyse("sensitivity", Sensitivity, problem, method, run, start=start, q=q, v=v, parameters=parameters,
                   progress=progress, options=options, events=events)


@dataclass(frozen=True)
class Exponent:
    """A Lyapunov exponent with its interval of 95 %."""

    value: float
    low: float
    high: float

    def __float__(self) -> float:
        return self.value


class LyapunovSpectrum(Finding):
    """Lyapunov exponents of a motion, the largest first, per unit of time.

    ``exponents``: with their intervals; ``sum``: theirs, how fast volume changes if they are all;
    ``dimension``: of the constraint set. ``t`` (times,) and ``running`` (times, exponents): means up to t.
    """

    exponents: list[Exponent]
    sum: Exponent
    dimension: int
    t: Array
    running: Array

    def __init__(self, entry: dict[str, Any], core: _core.Report | None = None) -> None:
        super().__init__(entry, core)
        self.exponents = [Exponent(*map(float, row)) for row in np.asarray(self.exponents)] if self.ok else []
        self.sum = Exponent(*map(float, np.asarray(self.sum)))

    @property
    def values(self) -> Array:
        """The exponents as numbers, (exponents,)."""
        return np.array([one.value for one in self.exponents])

    def plot(self, ax: matplotlib.axes.Axes | None = None, **options: Any) -> matplotlib.axes.Axes:
        """Draws the running means with Matplotlib, and the intervals at their end."""
        axes = ax if ax is not None else needed("matplotlib.pyplot", "a picture").subplots(layout="constrained")[1]
        for i, column in enumerate(self.running.T):
            line, = axes.plot(self.t, column, **{"label": f"exponent {i + 1}", **options})
            if self.exponents:
                one = self.exponents[i]
                axes.errorbar(self.t[-1], one.value, [[one.value - one.low], [one.high - one.value]], color=line.get_color(), capsize=3)
        axes.set(xlabel="t", ylabel="Lyapunov exponents, means up to t")
        axes.legend(fontsize="small")
        chosen: matplotlib.axes.Axes = axes
        return chosen


@with_keys("lyapunov")
def lyapunov(problem: ProblemLike, method: MethodLike = "auto", *, step: float | str, until: float | str,
             start: str | Start | None = None, q: npt.ArrayLike | None = None, v: npt.ArrayLike | None = None,
             parameters: Mapping[str, Any] | None = None, compensated: bool = False, progress: ProgressChoice = False,
             **options: Unpack[LyapunovKeys]) -> LyapunovSpectrum:
    """Measures the Lyapunov exponents of a motion as a method follows it."""
    return analyse("lyapunov", LyapunovSpectrum, problem, method, run_table(step=step, until=until, compensated=compensated),
                   start=start, q=q, v=v, parameters=parameters, progress=progress, options=options)


class VolumeHistory(Finding):
    """What the steps of a run do to the volume of the constraint set, beside the motion from the same start.

    ``t`` (samples,), ``log_volume`` and ``of_motion`` (samples,): logarithms of the factor up to t. ``verdict``: "keeps it
    in every step", "keeps it", "loses it", "slowly loses it", "undecided"; where the motion keeps none "as the motion" or
    "not as the motion". ``difference`` and ``motion_rate``: (rate, low, high), of 95 %. ``dimension``: of the set, with
    the multipliers if the method carries them (``with_multiplier``).
    """

    t: Array
    log_volume: Array
    of_motion: Array
    verdict: str
    difference: tuple[float, float, float]
    motion_rate: tuple[float, float, float]
    dimension: int
    with_multiplier: bool

    def __init__(self, entry: dict[str, Any], core: _core.Report | None = None) -> None:
        super().__init__(entry, core)
        arrays = vars(self)
        self.motion_rate, self.difference = (_rate(arrays.get(name)) for name in ("of_motion", "difference"))
        self.of_motion = arrays.pop("log_volume_of_motion")
        self.verdict = arrays.get("verdict", "")

    def plot(self, ax: matplotlib.axes.Axes | None = None, **options: Any) -> matplotlib.axes.Axes:
        """Draws the logarithm of the volume, less that of the motion, with Matplotlib."""
        axes = ax if ax is not None else needed("matplotlib.pyplot", "a picture").subplots(layout="constrained")[1]
        axes.plot(self.t, self.log_volume - self.of_motion, **options)
        axes.set(xlabel="t", ylabel="log volume, less that of the motion")
        chosen: matplotlib.axes.Axes = axes
        return chosen


def _rate(drift: Array | None) -> tuple[float, float, float]:
    """The rate with its bounds; nan of a run that did not come to its end."""
    rate, low, high = (np.nan,) * 3 if drift is None else map(float, drift[:3])
    return rate, low, high


@with_keys("volume")
def volume(problem: ProblemLike, method: MethodLike = "auto", *, step: float | str, until: float | str,
           start: str | Start | None = None, q: npt.ArrayLike | None = None, v: npt.ArrayLike | None = None,
           parameters: Mapping[str, Any] | None = None, progress: ProgressChoice = False,
           **options: Unpack[VolumeKeys]) -> VolumeHistory:
    """Measures whether the steps of a method keep a volume of the constraint set, as the motion does or does not.

    For methods whose states satisfy the constraints.
    """
    return analyse("volume", VolumeHistory, problem, method, run_table(step=step, until=until), start=start, q=q, v=v,
                   parameters=parameters, progress=progress, options=options)
