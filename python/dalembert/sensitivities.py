"""Derivatives of runs by their start, parameters and step; Lyapunov exponents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core, checks
from .errors import UnknownName, caution
from .events import Event, event_tables
from .forms import needed
from .outcomes import Outcome
from .problems import Problem, Start
from .progress import ProgressChoice, shown
from .studies import (MethodLike, ProblemLike, core_study, problem_of, run_table, start_parameters, start_table, study_document,
                      typed_methods)

if TYPE_CHECKING:
    import matplotlib.axes
    import xarray

Array = npt.NDArray[np.float64]


class Sensitivity(Outcome):
    """A run with its derivatives, exact for the discrete map.

    ``t``: (records,). ``values``: (records, of). ``derivatives``: (records, of, by). ``of`` and ``by``: their
    names. ``status``: "ok", "failed" or "interrupted", with ``message``; ``mode``: "tangent" or "adjoint".
    """

    def __init__(self, entry: dict[str, Any]) -> None:
        super().__init__(entry)
        self.t: Array = entry["t"]
        self.values: Array = entry["values"]
        self.derivatives: Array = entry["derivatives"]
        self.of: list[str] = entry["of"]
        self.by: list[str] = entry["by"]
        self.mode: str = entry["mode"]
        self.steps: int = entry["steps"]

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

    def to_xarray(self) -> xarray.Dataset:
        """A Dataset with ``value`` along (t, of) and ``derivative`` along (t, of, by)."""
        dataset: xarray.Dataset = needed("xarray", "a Dataset").Dataset(
            {"value": (("t", "of"), self.values), "derivative": (("t", "of", "by"), self.derivatives)},
            coords={"t": self.t, "of": self.of, "by": self.by})
        return dataset


def _place(name: str, names: list[str], what: str) -> int:
    if name not in names:
        raise UnknownName(f'there is no {what} "{name}"; there are: {", ".join(names)}')
    return names.index(name)


def texts_of(names: str | Iterable[str] | None, what: str) -> list[str]:
    """One text or several, as a list."""
    if names is None:
        return []
    return [names] if isinstance(names, str) else [checks.text(name, what) for name in names]


def _study(problem: Problem, method: MethodLike, run: dict[str, Any], start: str | Start | None, q: npt.ArrayLike | None,
           v: npt.ArrayLike | None, parameters: Mapping[str, Any] | None,
           events: Sequence[Event | Mapping[str, Any]] | None) -> _core.Study:
    document = study_document(problem, method, run, start_parameters(start) | dict(parameters or {}),
                              initial=start_table(problem, start, q, v), event=event_tables(events, problem))
    return core_study(document, typed_methods(method))


def sensitivity(problem: ProblemLike, method: MethodLike = "auto", *, by: str | Iterable[str] | None = None,
                of: str | Iterable[str] | None = None, step: float | str, until: float | str | None = None,
                steps: int | None = None, every: float | str | None = None, record_every: int | None = None,
                start: str | Start | None = None, q: npt.ArrayLike | None = None, v: npt.ArrayLike | None = None,
                parameters: Mapping[str, Any] | None = None, events: Sequence[Event | Mapping[str, Any]] | None = None,
                compensated: bool = False, mode: str = "automatic", progress: ProgressChoice = False) -> Sensitivity:
    """Differentiates a run by its start, by parameters and by the size of its steps.

    ``by``: coordinates, velocities ("x_dot"), parameters, "step"; or "start", "positions", "velocities",
    "parameters" for all of a kind; start and parameters if not given. A changed start is brought back to
    the constraints. ``of``: expressions of the state, multipliers, "energy" and integrals; all positions
    and velocities if not given. ``every`` or ``record_every``: records on the way; else start and end alone.
    ``mode``: "tangent" (one for each argument, forwards), "adjoint" (one for each quantity, backwards), or
    "automatic", what is less work.

    Where the numbers refuse a step the status is "failed", and a warning says so.
    """
    chosen = problem_of(problem)
    checks.word(mode, "mode", ("automatic", "tangent", "adjoint"))
    run = run_table(step=step, until=until, steps=steps, every=every, record_every=record_every, compensated=compensated)
    study = _study(chosen, method, run, start, q, v, parameters, events)
    with_records = every is not None or record_every is not None
    with shown(progress) as callback:
        result = Sensitivity(_core.sensitivity(study, texts_of(by, "by"), texts_of(of, "of"), mode, with_records, callback))
    if result.status == "failed":
        caution(result.message)
    return result


@dataclass(frozen=True)
class Exponent:
    """A Lyapunov exponent with its interval of 95 %."""

    value: float
    low: float
    high: float

    def __float__(self) -> float:
        return self.value


class LyapunovSpectrum(Outcome):
    """Lyapunov exponents of a motion, the largest first, per unit of time.

    ``exponents``: with their intervals; ``sum``: theirs, how fast volume changes if they are all;
    ``dimension``: of the constraint set. ``t`` (times,) and ``running`` (times, exponents): means up to t.
    """

    def __init__(self, entry: dict[str, Any]) -> None:
        super().__init__(entry)
        self.exponents: list[Exponent] = [Exponent(*map(float, row)) for row in entry["exponents"]]
        self.sum = Exponent(*entry["sum"])
        self.dimension: int = entry["dimension"]
        self.t: Array = entry["t"]
        self.running: Array = entry["running"]
        self.steps: int = entry["steps"]

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


def lyapunov(problem: ProblemLike, method: MethodLike = "auto", *, step: float | str, until: float | str,
             exponents: int | None = None, settle: float = 0.1, blocks: int = 20, start: str | Start | None = None,
             q: npt.ArrayLike | None = None, v: npt.ArrayLike | None = None, parameters: Mapping[str, Any] | None = None,
             compensated: bool = False, progress: ProgressChoice = False) -> LyapunovSpectrum:
    """Measures the Lyapunov exponents of a motion as a method follows it.

    ``exponents``: how many, the largest; all of the constraint set if not given. The first part of the
    time, ``settle``, is left out; the rest is divided into ``blocks``, whose means give the intervals.
    """
    chosen = problem_of(problem)
    count = 0 if exponents is None else checks.whole(exponents, "exponents", 1)
    run = run_table(step=step, until=until, compensated=compensated)
    study = _study(chosen, method, run, start, q, v, parameters, None)
    with shown(progress) as callback:
        result = LyapunovSpectrum(_core.lyapunov(study, count, checks.number(settle, "settle"), checks.whole(blocks, "blocks", 4),
                                                 callback))
    if result.status == "failed":
        caution(result.message)
    return result


class VolumeHistory(Outcome):
    """What the steps of a run do to the volume of the constraint set, beside the motion from the same start.

    ``t`` (samples,), ``log_volume`` and ``of_motion`` (samples,): logarithms of the factor up to t. ``verdict``: "keeps it
    in every step", "keeps it", "loses it", "slowly loses it", "undecided"; where the motion keeps none "as the motion" or
    "not as the motion". ``difference`` and ``motion_rate``: (rate, low, high), of 95 %. ``dimension``: of the set, with
    the multipliers if the method carries them (``with_multiplier``).
    """

    def __init__(self, entry: dict[str, Any]) -> None:
        super().__init__(entry)
        self.t: Array = entry["t"]
        self.log_volume: Array = entry["log_volume"]
        self.of_motion: Array = entry["of_motion"]
        self.verdict: str = entry["verdict"]
        self.difference: tuple[float, float, float] = entry["difference"]
        self.motion_rate: tuple[float, float, float] = entry["motion_rate"]
        self.dimension: int = entry["dimension"]
        self.with_multiplier: bool = entry["with_multiplier"]
        self.steps: int = entry["steps"]

    def plot(self, ax: matplotlib.axes.Axes | None = None, **options: Any) -> matplotlib.axes.Axes:
        """Draws the logarithm of the volume, less that of the motion, with Matplotlib."""
        axes = ax if ax is not None else needed("matplotlib.pyplot", "a picture").subplots(layout="constrained")[1]
        axes.plot(self.t, self.log_volume - self.of_motion, **options)
        axes.set(xlabel="t", ylabel="log volume, less that of the motion")
        chosen: matplotlib.axes.Axes = axes
        return chosen


def volume(problem: ProblemLike, method: MethodLike = "auto", *, step: float | str, until: float | str, samples: int = 2000,
           start: str | Start | None = None, q: npt.ArrayLike | None = None, v: npt.ArrayLike | None = None,
           parameters: Mapping[str, Any] | None = None, progress: ProgressChoice = False) -> VolumeHistory:
    """Measures whether the steps of a method keep a volume of the constraint set, as the motion does or does not.

    ``samples``: about how many sums are kept. For methods whose states satisfy the constraints.
    """
    chosen = problem_of(problem)
    study = _study(chosen, method, run_table(step=step, until=until), start, q, v, parameters, None)
    with shown(progress) as callback:
        result = VolumeHistory(_core.volume(study, checks.whole(samples, "samples", 12), callback))
    if result.status == "failed":
        caution(result.message)
    return result
