"""Optimal control: which controls bring a motion to its end with the least cost."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from .analyses import Array, Finding, findings_of, page_table, report_of, with_keys
from .errors import UnknownName
from .forms import needed
from .problems import Start
from .progress import ProgressChoice
from .sensitivities import texts_of
from .studies import (MethodLike, ProblemLike, core_study, problem_of, run_table, start_parameters, start_table, study_document,
                      study_of, typed_methods)

if TYPE_CHECKING:
    import matplotlib.axes
    from typing_extensions import Unpack

    from .keys import ControlKeys


class OptimalControl(Finding):
    """Controls for which the cost of the discrete motion is least, of all that were found, with that motion.

    ``cost``, and ``extremum``: "minimum", "family" (others nearby cost the same, as by a symmetry) or "saddle".
    ``t``: (nodes,). ``q``, ``v``: (nodes, n). ``controls``: (steps, by), constant along each step. ``costate``:
    (nodes, len(state)), the derivative of the least cost of the rest by the state, with the other sign.
    ``by``, ``state``: names. ``residual``, ``defect``, ``constraint``: to what the equations hold.
    ``searches``, and how many of them ``converged``; ``stationary_costs``: all that were found.
    ``status``: "ok", "failed" or "interrupted", with ``message``. Numbers are nan where nothing was found.
    """

    t: Array
    q: Array
    v: Array
    controls: Array
    costate: Array
    by: list[str]
    state: list[str]
    searches: int
    converged: int
    stationary_costs: Array
    cost: float = np.nan
    extremum: str = ""
    residual: float = np.nan
    defect: float = np.nan
    constraint: float = np.nan
    iterations: int = 0

    def __init__(self, entry: dict[str, Any], core: _core.Report | None = None) -> None:
        super().__init__(entry, core)
        self.state = vars(self).pop("name")
        self.label: str = entry["label"]
        self.method: str = entry["method"]
        self.step: float = entry["step"]

    def __getitem__(self, name: str) -> Array:
        """A control in all steps, (steps,), or a coordinate or velocity at all nodes, (nodes,)."""
        if name in self.by:
            control: Array = self.controls[:, self.by.index(name)]
            return control
        if name not in self.state:
            raise UnknownName(f'there is no control and no coordinate "{name}"; there are: {", ".join(self.by + self.state)}')
        column: Array = np.concatenate([self.q, self.v], axis=1)[:, self.state.index(name)]
        return column

    def plot(self, ax: matplotlib.axes.Axes | None = None, **options: Any) -> matplotlib.axes.Axes:
        """Draws the controls against time with Matplotlib."""
        axes = ax if ax is not None else needed("matplotlib.pyplot", "a picture").subplots(layout="constrained")[1]
        for name in self.by:
            axes.stairs(self[name], self.t, **{"label": name, "baseline": None, **options})
        axes.set(xlabel="t", ylabel="controls")
        axes.legend(fontsize="small")
        chosen: matplotlib.axes.Axes = axes
        return chosen


def _guess(guess: Mapping[str, Any] | OptimalControl | None) -> dict[str, Any] | None:
    if guess is None:
        return None
    if isinstance(guess, OptimalControl):
        guess = {name: guess[name] for name in guess.by}
    return {name: value if isinstance(value, (str, int, float)) else [float(number) for number in value]
            for name, value in guess.items()}


@with_keys("control")
def control(problem: ProblemLike, method: MethodLike = "auto", *, by: str | Iterable[str],
            end: str | Start | None = None, guess: Mapping[str, Any] | OptimalControl | None = None, step: float | str,
            until: float | str | None = None, steps: int | None = None, start: str | Start | None = None,
            q: npt.ArrayLike | None = None, v: npt.ArrayLike | None = None, parameters: Mapping[str, Any] | None = None,
            progress: ProgressChoice = False, **options: Unpack[ControlKeys]) -> OptimalControl:
    """Finds controls that bring a motion to its end with the least cost.

    ``by``: parameters of the problem, which are chosen in each step and constant along it. ``end``: the state to
    end with, a start or its name. ``guess``: controls to begin with, as expressions of t or numbers for each step,
    or what was found before; else searches begin with random smooth controls.

    Where no search succeeds the status is "failed", and a warning says why.
    """
    chosen = problem_of(problem)
    more: dict[str, Any] = {"by": texts_of(by, "by"), "end": start_table(chosen, end, None, None) if isinstance(end, Start) else end}
    table = page_table("control", more | dict(options))
    if guess is not None:
        table["control"]["guess"] = _guess(guess)
    document = study_document(chosen, method, run_table(step=step, until=until, steps=steps),
                              start_parameters(start) | dict(parameters or {}), initial=start_table(chosen, start, q, v), **table)
    core = report_of("control", core_study(document, typed_methods(method)), progress, one_run=True)
    return findings_of(OptimalControl, core)[0]


def control_study(study: str | os.PathLike[str] | Mapping[str, Any], *, settings: Mapping[str, Any] | None = None,
                  progress: ProgressChoice = False) -> list[OptimalControl]:
    """The same for a study with a table [control]: a file, a published study by its name, or a dict.

    One result for each of its runs, in their order.
    """
    return findings_of(OptimalControl, report_of("control", study_of(study, settings), progress))
