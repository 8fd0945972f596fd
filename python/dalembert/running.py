"""Runs methods on problems, and reads what was run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from . import _core
from .analyses import with_keys
from .errors import RequestError
from .events import Event, event_tables
from .files import result_path
from .methods import Method
from .problems import Start
from .progress import ProgressChoice, shown
from .results import Result
from .studies import (MethodLike, ProblemLike, core_study, own_methods, problem_of, request, run_table,
                      start_parameters, start_table, study_document, study_of, times_of, typed_methods)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .keys import RunKeys


def _execute(study: _core.Study, methods: Sequence[Method], threads: int, out: str | os.PathLike[str] | None, overwrite: bool,
             strict: bool, progress: ProgressChoice) -> Result:
    if study.is_ensemble:
        raise RequestError("this study has a table [ensemble]; run it with ensemble_study")
    path = result_path(out)
    with shown(progress) as callback:
        result = Result(_core.run(study, request(threads, callback, path, overwrite)), path, methods)
    result._tell(strict)
    return result


@with_keys("run")
def run(problem: ProblemLike, method: MethodLike | Iterable[MethodLike] = "auto", *,
        step: float | str | Sequence[float] | None = None, at: npt.ArrayLike | None = None,
        start: str | Start | Sequence[str] | None = None, q: npt.ArrayLike | None = None,
        v: npt.ArrayLike | None = None, parameters: Mapping[str, Any] | None = None,
        diagnostics: Sequence[Mapping[str, Any]] | None = None, events: Sequence[Event | Mapping[str, Any]] | None = None,
        threads: int = 1, out: str | os.PathLike[str] | None = None, overwrite: bool = False, progress: ProgressChoice = False,
        **options: Unpack[RunKeys]) -> Result:
    """Runs methods on a problem, with the bits of the command line.

    ``method``: one or several, as "gauss(stages=3)", "auto", or typed ones. ``step``: the step size, or several.
    ``at``: times of records, in the place of ``record_every``. ``start``: the name of a start of the problem, several
    names, or a ``Start``; or ``q`` and ``v``; the problem's first if not given. ``parameters``: values, or lists of
    them for a run each. ``diagnostics``: dicts with the keys of [[diagnostic]] in studies. ``events``: a list of
    ``Event``, or of dicts with the keys of [[event]], beside those of the problem. ``out``: an HDF5 file that is
    written on the way and survives crashes. ``progress``: True for a line, or a function of stage, steps done and all
    steps.

    Ctrl-C ends the runs, and what there is comes back, with the status "interrupted". Where the
    numbers refuse a step the status is "failed" and everything up to there is in the arrays;
    ``strict=True`` raises StepError then. What has to be known before the numbers are believed is a
    warning of the category Caution. RequestError for whatever cannot be run.
    """
    chosen = problem_of(problem)
    table = run_table(step=step, at=times_of(at), **options)
    document = study_document(chosen, method, table, start_parameters(start) | dict(parameters or {}),
                              initial=start_table(chosen, start, q, v),
                              diagnostic=None if diagnostics is None else [dict(one) for one in diagnostics],
                              event=event_tables(events, chosen))
    methods = typed_methods(method)
    return _execute(core_study(document, methods), methods, threads, out, overwrite, bool(options.get("strict")), progress)


def run_study(study: str | os.PathLike[str] | Mapping[str, Any], *, settings: Mapping[str, Any] | None = None,
              threads: int = 1, out: str | os.PathLike[str] | None = None, overwrite: bool = False, strict: bool = False,
              progress: ProgressChoice = False) -> Result:
    """Runs a study: a file, a published study by its name, or the same as a dict.

    ``settings`` change values of it, as {"run.step": 0.05, "method.0.alpha": 0.3}. The rest as ``run``.
    """
    methods = typed_methods(study.get("method", [])) if isinstance(study, Mapping) else []
    return _execute(study_of(study, settings), methods, threads, out, overwrite, strict, progress)


def open_result(path: str | os.PathLike[str], *, methods: Method | Sequence[Method] = ()) -> Result:
    """The result in an HDF5 file of ``save`` or of the command line (``dalembert.open``).

    ``methods``: those that were typed in Python, if it was made with such. OutputError if it is none;
    for a result of ``ensemble`` see ``open_ensemble``.
    """
    name = os.fspath(path)
    typed = [methods] if isinstance(methods, Method) else list(methods)
    own = own_methods(typed)
    _check_methods(name, own)
    if _core.Study.of_result(name, own).is_ensemble:
        raise RequestError(f'"{name}" holds an ensemble; read it with open_ensemble')
    return Result(_core.open(name, own), name, typed)


def _check_methods(name: str, own: list[_core.Method]) -> None:
    """Says what is missing where a result was made with methods that are not given."""
    try:
        _core.Study.of_result(name, own)
    except RequestError as error:
        if "there is no method" not in str(error):
            raise
        missing = str(error).partition('method "')[2].partition('"')[0]
        raise RequestError(f'"{name}" was made with the method "{missing}", which is none of the library; if it was typed in '
                           f"Python, give it: methods=[...]") from None
