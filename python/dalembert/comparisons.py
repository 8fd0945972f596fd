"""Methods side by side on one motion."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from .analyses import Analysed, asked_study, report_of, with_keys
from .errors import RequestError, caution
from .events import Event
from .forms import labelled_dataset, needed
from .problems import Start
from .progress import ProgressChoice
from .studies import MethodLike, ProblemLike, request, run_table

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas
    import xarray
    from typing_extensions import Unpack

    from .keys import CompareKeys


class Comparison(Analysed):
    """What methods keep of a motion, how accurately they follow it, and what that costs, with several steps each."""

    def __init__(self, entry: dict[str, Any], core: _core.Report | None = None) -> None:
        super().__init__(entry, core)
        self._data: dict[str, Any] = json.loads(self.to_json())

    @property
    def kept(self) -> list[str]:
        """What the motion keeps: energy, integrals."""
        return list(self._data["kept"])

    @property
    def methods(self) -> list[str]:
        """Those that were run."""
        return [one["label"] for one in self._data["methods"]]

    @property
    def horizon(self) -> float:
        """The time up to which the solution is compared with the reference."""
        return float(self._data["horizon"])

    @property
    def reference(self) -> str:
        """The method and the step that others are compared with."""
        return str(self._data["reference"])

    @property
    def reference_error(self) -> float:
        """Its own error, by halving the step."""
        error = self._data["reference_error"]
        return float("nan") if error is None else float(error)

    @property
    def messages(self) -> dict[str, str]:
        """By method: why it has no runs, or no smaller steps."""
        return {one["label"]: one["message"] for one in self._data["methods"] + self._data["refused"] if one["message"]}

    def to_xarray(self) -> xarray.Dataset:
        """A Dataset along method and level, of steps from the largest on; nan where a method has fewer.

        ``step``, ``seconds``, ``evaluations``, ``solution_error``, ``constraint_error``; of each quantity that
        the motion keeps ``NAME_error``, ``NAME_drift`` and its interval; ``status``.
        """
        return labelled_dataset(self._entry["table"], {key: self._data[key] for key in (
            "problem", "start", "until", "horizon", "reference")} | {"reference_error": self.reference_error})

    def to_dataframe(self) -> pandas.DataFrame:
        """A row for each method and step."""
        dataset = self.to_xarray()
        frame: pandas.DataFrame = dataset.to_dataframe().reset_index().dropna(subset=["step"]).drop(columns="level", errors="ignore")
        order = {name: place for place, name in enumerate(self.methods)}
        return frame.sort_values(["method", "step"], key=lambda one: one.map(order) if one.name == "method" else -one,
                                 ignore_index=True)

    def plot(self, quantity: str = "solution_error", *, against: str = "seconds", ax: matplotlib.axes.Axes | None = None,
             **options: Any) -> matplotlib.axes.Axes:
        """Draws a quantity of ``to_xarray`` against another with Matplotlib on logarithmic axes, a line for each method."""
        dataset = self.to_xarray()
        for name in (quantity, against):
            if name not in dataset or name == "status":
                known = ", ".join(str(one) for one in dataset.data_vars if one != "status")
                raise RequestError(f'a comparison has no quantity "{name}"; it has: {known}')
        axes = ax if ax is not None else needed("matplotlib.pyplot", "a picture").subplots(layout="constrained")[1]
        for method in self.methods:
            one = dataset.sel({"method": method})
            axes.plot(one[against], np.abs(one[quantity]), **{"marker": ".", "label": method, **options})
        axes.set(xscale="log", yscale="log", xlabel=against, ylabel=quantity)
        axes.legend(fontsize="small")
        chosen: matplotlib.axes.Axes = axes
        return chosen


@with_keys("compare")
def compare(problem: ProblemLike, method: MethodLike | Iterable[MethodLike] | None = None, *, until: float | str,
            step: float | str | None = None, start: str | Start | None = None, q: npt.ArrayLike | None = None,
            v: npt.ArrayLike | None = None, parameters: Mapping[str, Any] | None = None,
            events: Sequence[Event | Mapping[str, Any]] | None = None, native: str | None = None, threads: int = 1,
            progress: ProgressChoice = False, **options: Unpack[CompareKeys]) -> Comparison:
    """Compares methods on one motion: their errors and the drifts of all that the motion keeps, against cost.

    ``method``: one or several, also typed ones; all of the library that fit if not given. ``step``: the
    largest; each method gets one of its own, with which it can follow the motion, if not given.
    ``native="require"`` measures compiled steps. Ctrl-C ends it with what is there. RequestError for whatever
    cannot be run.
    """
    table = run_table(step="1" if step is None else step, until=until, native=native)
    if step is None:
        table["step"] = until
        options.setdefault("own_steps", True)
    if method is None:
        options.setdefault("all", True)
    study = asked_study("compare", problem, "gauss" if method is None else method, table, start=start, q=q, v=v, parameters=parameters,
                        options=options, events=events)
    request(threads, None)
    core = report_of("compare", study, progress, threads=threads)
    comparison = Comparison(core.entries()[0], core)
    if method is not None:
        for name, message in comparison.messages.items():
            caution(f"{name}: {message}")
    return comparison
