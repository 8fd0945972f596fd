"""Optimal control: which controls bring a motion to its end with the least cost."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core, checks
from .errors import UnknownName, caution
from .forms import needed
from .outcomes import Outcome
from .problems import Start
from .progress import ProgressChoice, shown
from .sensitivities import texts_of
from .studies import (MethodLike, ProblemLike, core_study, problem_of, run_table, start_parameters, start_table, study_document,
                      study_of, typed_methods)

if TYPE_CHECKING:
    import matplotlib.axes
    import xarray

Array = npt.NDArray[np.float64]


class OptimalControl(Outcome):
    """Controls for which the cost of the discrete motion is least, of all that were found, with that motion.

    ``cost``, and ``extremum``: "minimum", "family" (others nearby cost the same, as by a symmetry) or "saddle".
    ``t``: (nodes,). ``q``, ``v``: (nodes, n). ``controls``: (steps, by), constant along each step. ``costate``:
    (nodes, len(state)), the derivative of the least cost of the rest by the state, with the other sign.
    ``by``, ``state``: names. ``residual``, ``defect``, ``constraint``: to what the equations hold.
    ``searches``, and how many of them ``converged``; ``stationary_costs``: all that were found.
    ``status``: "ok", "failed" or "interrupted", with ``message``.
    """

    def __init__(self, entry: dict[str, Any]) -> None:
        super().__init__(entry)
        self.label: str = entry["label"]
        self.method: str = entry["method"]
        self.step: float = entry["step"]
        self.cost: float = entry["cost"]
        self.extremum: str = entry["extremum"]
        self.stationary_costs: list[float] = entry["stationary_costs"]
        self.residual: float = entry["residual"]
        self.defect: float = entry["defect"]
        self.constraint: float = entry["constraint"]
        self.iterations: int = entry["iterations"]
        self.searches: int = entry["searches"]
        self.converged: int = entry["converged"]
        self.by: list[str] = entry["by"]
        self.state: list[str] = entry["state"]
        self.t: Array = entry["t"]
        self.q: Array = entry["q"]
        self.v: Array = entry["v"]
        self.controls: Array = entry["controls"]
        self.costate: Array = entry["costate"]

    def __getitem__(self, name: str) -> Array:
        """A control in all steps, (steps,), or a coordinate or velocity at all nodes, (nodes,)."""
        if name in self.by:
            control: Array = self.controls[:, self.by.index(name)]
            return control
        if name not in self.state:
            raise UnknownName(f'there is no control and no coordinate "{name}"; there are: {", ".join(self.by + self.state)}')
        column: Array = np.concatenate([self.q, self.v], axis=1)[:, self.state.index(name)]
        return column

    def to_xarray(self) -> xarray.Dataset:
        """A Dataset with ``state`` and ``costate`` along (t, name) and ``control`` along (start, by)."""
        states = np.concatenate([self.q, self.v], axis=1)
        dataset: xarray.Dataset = needed("xarray", "a Dataset").Dataset(
            {"state": (("t", "name"), states), "costate": (("t", "name"), self.costate),
             "control": (("start", "by"), self.controls)},
            coords={"t": self.t, "name": self.state, "start": self.t[:-1], "by": self.by}, attrs={"cost": self.cost})
        return dataset

    def plot(self, ax: matplotlib.axes.Axes | None = None, **options: Any) -> matplotlib.axes.Axes:
        """Draws the controls against time with Matplotlib."""
        axes = ax if ax is not None else needed("matplotlib.pyplot", "a picture").subplots(layout="constrained")[1]
        for name in self.by:
            axes.stairs(self[name], self.t, **{"label": name, "baseline": None, **options})
        axes.set(xlabel="t", ylabel="controls")
        axes.legend(fontsize="small")
        chosen: matplotlib.axes.Axes = axes
        return chosen


def _found(study: _core.Study, progress: ProgressChoice) -> list[OptimalControl]:
    with shown(progress) as callback:
        results = [OptimalControl(entry) for entry in _core.control(study, callback)]
    for result in results:
        if result.status == "failed":
            caution(result.message)
    return results


def _guess(guess: Mapping[str, Any] | OptimalControl | None) -> dict[str, Any] | None:
    if guess is None:
        return None
    if isinstance(guess, OptimalControl):
        guess = {name: guess[name] for name in guess.by}
    return {name: value if isinstance(value, (str, int, float)) else [float(number) for number in value]
            for name, value in guess.items()}


def control(problem: ProblemLike, method: MethodLike = "auto", *, by: str | Iterable[str], cost: str | None = None,
            end: str | Start | None = None, conditions: str | Iterable[str] | None = None, end_cost: str | None = None,
            guess: Mapping[str, Any] | OptimalControl | None = None, trials: int | None = None, scale: float | None = None,
            seed: int | None = None, iterations: int | None = None, step: float | str, until: float | str | None = None,
            steps: int | None = None, start: str | Start | None = None, q: npt.ArrayLike | None = None,
            v: npt.ArrayLike | None = None, parameters: Mapping[str, Any] | None = None,
            progress: ProgressChoice = False) -> OptimalControl:
    """Finds controls that bring a motion to its end with the least cost.

    ``by``: parameters of the problem, which are chosen in each step and constant along it. ``cost``: an
    expression of state and controls whose integral is least, ``end_cost`` one of the last state that is
    added. ``end``: the state to end with, a start or its name; ``conditions``: expressions that vanish there.
    ``guess``: controls to begin with, as expressions of t or numbers for each step, or what was found before;
    else ``trials`` searches begin with random smooth controls of the size ``scale``.

    Where no search succeeds the status is "failed", and a warning says why.
    """
    chosen = problem_of(problem)
    table: dict[str, Any] = {"by": texts_of(by, "by")}
    if isinstance(end, Start):
        table["end"] = start_table(chosen, end, None, None)
    elif end is not None:
        table["end"] = checks.text(end, "end")
    if conditions is not None:
        table["conditions"] = texts_of(conditions, "conditions")
    more = {"cost": cost, "end_cost": end_cost, "guess": _guess(guess), "trials": trials, "scale": scale, "seed": seed,
            "iterations": iterations}
    table |= {key: value for key, value in more.items() if value is not None}
    document = study_document(chosen, method, run_table(step=step, until=until, steps=steps),
                              start_parameters(start) | dict(parameters or {}), initial=start_table(chosen, start, q, v),
                              control=table)
    return _found(core_study(document, typed_methods(method)), progress)[0]


def control_study(study: str | os.PathLike[str] | Mapping[str, Any], *, settings: Mapping[str, Any] | None = None,
                  progress: ProgressChoice = False) -> list[OptimalControl]:
    """The same for a study with a table [control]: a file, a published study by its name, or a dict.

    One result for each of its runs, in their order.
    """
    return _found(study_of(study, settings), progress)
