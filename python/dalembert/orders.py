"""Orders of methods, and the fields that they really follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from .analyses import Analysed, Array, Finding, analyse, asked_study, report_of, with_keys
from .errors import RequestError, caution
from .events import Event
from .forms import needed
from .problems import Start
from .progress import ProgressChoice
from .studies import MethodLike, ProblemLike, run_table

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas
    from typing_extensions import Unpack

    from . import _core
    from .keys import ModifiedKeys, OrderKeys


class Orders(Analysed):
    """Orders of methods by halving the step: a row for each method.

    ``methods``: (rows,). ``order``, ``uncertainty``, ``promised``, ``verdict``: (rows, 3), of q, v and lambda; nan
    where none was measured. ``step``: (rows, levels), the largest first; ``error``: (rows, 3, levels).
    """

    def __init__(self, entry: dict[str, Any], core: _core.Report | None = None) -> None:
        super().__init__(entry, core)
        arrays = entry["table"]["variables"]
        self.methods: list[str] = list(entry["table"]["coordinates"]["method"][1])
        self.step, self.error, self.order, self.uncertainty, self.promised = (
            arrays[name][1] for name in ("step", "error", "order", "uncertainty", "promised"))
        words = arrays["verdict"][1]
        self.verdict: list[list[str]] = [list(words[first:first + 3]) for first in range(0, len(words), 3)]

    @property
    def holds(self) -> bool:
        """Whether every method reaches the order that it promises."""
        return "BROKEN" not in (word for row in self.verdict for word in row)

    def to_dataframe(self) -> pandas.DataFrame:
        """A row for each method, quantity and step."""
        frame: pandas.DataFrame = self.to_xarray()[["method", "step", "error"]].to_dataframe().reset_index().dropna(subset=["step"])
        return frame

    def plot(self, quantity: str = "q", ax: matplotlib.axes.Axes | None = None, **options: Any) -> matplotlib.axes.Axes:
        """Draws the errors of "q", "v" or "lambda" against the step with Matplotlib on logarithmic axes, a line for each method."""
        known = ("q", "v", "lambda")
        if quantity not in known:
            raise RequestError(f'quantity is "{quantity}"; it is one of {", ".join(known)}')
        place = known.index(quantity)
        axes = ax if ax is not None else needed("matplotlib.pyplot", "a picture").subplots(layout="constrained")[1]
        for row, method in enumerate(self.methods):
            axes.plot(self.step[row], self.error[row, place], **{"marker": ".", "label": method, **options})
        axes.set(xscale="log", yscale="log", xlabel="step h", ylabel=f"largest error of {quantity}")
        axes.legend(fontsize="small")
        chosen: matplotlib.axes.Axes = axes
        return chosen


@with_keys("order")
def order(problem: ProblemLike, method: MethodLike | Iterable[MethodLike], *, step: float | str = "0.1",
          start: str | Start | None = None, q: npt.ArrayLike | None = None, v: npt.ArrayLike | None = None,
          parameters: Mapping[str, Any] | None = None, events: Sequence[Event | Mapping[str, Any]] | None = None,
          progress: ProgressChoice = False, **options: Unpack[OrderKeys]) -> Orders:
    """Measures the order of methods on a motion, also of typed ones, by halving the step.

    ``step``: the largest. A warning names a method that fails, or does not reach its promised order.
    """
    study = asked_study("order", problem, method, run_table(step=step, until=f"20*({step})"), start=start, q=q, v=v,
                        parameters=parameters, options=options, events=events)
    core = report_of("order", study, progress)
    for sentence in core.failed() + core.broken():
        caution(sentence)
    return Orders(core.entries()[0], core)


class ModifiedField(Finding):
    """The field f~ that a method really follows, at points of a trajectory; vectors are slopes of (q, v).

    ``t``: (points,). ``value``, ``field``, ``modified``: (points, states), the state, f and f~; ``remainder``:
    (points,), the error of f~. ``coefficient``: (points, powers, states) of ``power`` of the step, with
    ``coefficient_error``. ``integral``: names; ``integral_slope``: (points, integrals), <grad I, f~>; ``drift``
    and ``drift_error``: (integrals,), dI/dt. ``mode_rate`` and ``mode_kind``: (modes,), where the driver closes.
    """

    t: Array
    value: Array
    field: Array
    modified: Array
    remainder: Array
    coefficient: Array
    coefficient_error: Array
    power: Array
    state: list[str]
    integral: list[str]
    integral_slope: Array
    drift: Array
    drift_error: Array
    steps_as_one: int


@with_keys("modified")
def modified(problem: ProblemLike, method: MethodLike, *, step: float | str = "0.1", until: float | str | None = None,
             start: str | Start | None = None, q: npt.ArrayLike | None = None, v: npt.ArrayLike | None = None,
             parameters: Mapping[str, Any] | None = None, progress: ProgressChoice = False,
             **options: Unpack[ModifiedKeys]) -> ModifiedField:
    """Finds the field that a method really follows: its expansion, what it does to integrals, and rates of drift.

    ``until``: the end of the trajectory at which the field is shown, 100 steps if not given.
    """
    run = run_table(step=step, until=f"100*({step})" if until is None else until)
    return analyse("modified", ModifiedField, problem, method, run, start=start, q=q, v=v, parameters=parameters,
                   progress=progress, options=options)
