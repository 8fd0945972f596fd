"""Runs for every choice of several values, as one Dataset."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core, checks
from .analyses import with_keys
from .errors import caution
from .events import Event, event_tables
from .files import result_path
from .forms import summary_dataset
from .methods import Method
from .problems import Start
from .progress import ProgressChoice, shown
from .results import Result
from .studies import (MethodLike, ProblemLike, core_study, problem_of, request, run_table, start_parameters,
                      start_table, study_document, times_of, typed_methods)

if TYPE_CHECKING:
    import xarray
    from typing_extensions import Unpack

    from .keys import RunKeys

NO_RECORDS = 10**12  # steps between records


def _is_several(value: object) -> bool:
    return value is not None and not isinstance(value, (str, Mapping, Method, Start, float, int)) and not (
        isinstance(value, np.ndarray) and value.ndim == 0)


def _tell(result: Result) -> None:
    """Each sentence about runs once, with how many others there are."""
    for sentence in result._runs.common_cautions():
        caution(sentence)
    for refused in {one["reason"] for one in result.refused}:
        caution(refused)
    unsure = [(one, sentence) for one in result.solutions
              for sentence in one.cautions + ([] if one.ok else [one.message or "interrupted"])]
    if unsure:
        one, sentence = unsure[0]
        count = len({other._index for other, _ in unsure})
        more = f" (and something of {count - 1} other runs: see the variables status and caution)" if count > 1 else ""
        caution(f"{one._title()}: {sentence}{more}")


@with_keys("run")
def sweep(problem: ProblemLike, method: MethodLike | Iterable[MethodLike] = "auto", *,
          step: float | str | Sequence[float] | npt.ArrayLike | None = None, at: npt.ArrayLike | None = None,
          start: str | Start | Sequence[str] | None = None, q: npt.ArrayLike | None = None,
          v: npt.ArrayLike | None = None, parameters: Mapping[str, Any] | None = None,
          over: Mapping[str, Any] | None = None, diagnostics: Sequence[Mapping[str, Any]] | None = None,
          events: Sequence[Event | Mapping[str, Any]] | None = None, threads: int = 1,
          out: str | os.PathLike[str] | None = None, overwrite: bool = False,
          progress: ProgressChoice = False, **options: Unpack[RunKeys]) -> xarray.Dataset:
    """Runs a problem for every choice of methods, steps, starts, parameters and whatever else, as a Dataset.

    What is given as a list or an array is a dimension of the Dataset, what is given as one value a
    coordinate. ``over``: any other keys of a study with their values, as
    {"initial.v.2": [1, 2, 3], "method.0.stages": [2, 3]}, or ranges as in studies; a key is called by
    its last part, ``v_2`` and ``stages``. The rest as in ``run``.

    Variables, one entry for each run: ``energy_error``, ``constraint_error`` and ``NAME_error`` of each
    integral, the largest over all steps; ``t``, ``q``, ``v`` and ``lam`` at the end; ``steps``,
    ``evaluations``, ``seconds_per_step``; ``status`` and ``caution``, what has to be known before the
    numbers are believed. Records are kept in the file ``out`` alone. Ctrl-C leaves the runs that are not
    made as nan, with the status "interrupted". Choose with ``ds.sel({"method": "dla", "step": 0.1})``.
    """
    chosen = problem_of(problem)
    if at is None and not {"record_every", "every"} & set(options) and out is None and not diagnostics:
        options["record_every"] = NO_RECORDS
    swept = {key: value if isinstance(value, Mapping) else checks.items(value, f'over["{key}"]')
             for key, value in checks.mapping(over, "over").items()}
    table = run_table(swept, step=step, at=times_of(at), **options)
    document = study_document(chosen, method, table, start_parameters(start) | dict(parameters or {}),
                              initial=start_table(chosen, start, q, v),
                              diagnostic=None if diagnostics is None else [dict(one) for one in diagnostics],
                              event=event_tables(events, chosen), sweep=swept or None)
    methods, path = typed_methods(method), result_path(out)
    study = core_study(document, methods)
    with shown(progress) as callback:
        result = Result(_core.run(study, request(threads, callback, path, overwrite, records=False)), path, methods)
    _tell(result)
    given = {"method": method, "step": step, "start": start, **dict(parameters or {})}
    return _shaped(summary_dataset(result), {name for name, value in given.items() if _is_several(value)})


def _shaped(dataset: xarray.Dataset, several: set[str]) -> xarray.Dataset:
    """A dimension for each list, also of one value; none for a single method."""
    if "method" not in several and dataset.sizes.get("method") == 1:
        dataset = dataset.squeeze("method")
    for name in sorted(several & set(map(str, dataset.coords)) - set(map(str, dataset.dims))):
        dataset = dataset.expand_dims(name)
    return dataset
