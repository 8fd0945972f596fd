"""Analyses of single runs: arguments from their pages, results from their tables."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from .errors import caution
from .events import Event, event_tables
from .forms import labelled_dataset
from .outcomes import Outcome
from .problems import Start
from .progress import ProgressChoice, shown
from .studies import MethodLike, ProblemLike, core_study, problem_of, start_parameters, start_table, study_document, typed_methods

if TYPE_CHECKING:
    import pandas
    import xarray

Array = npt.NDArray[np.float64]
Found = TypeVar("Found", bound="Finding")
Function = TypeVar("Function", bound=Callable[..., Any])


class Finding(Outcome):
    """What an analysis found of a run.

    Every array of its table is an attribute: numbers and texts, or arrays that cannot be written to. ``status``:
    "ok", "failed" or "interrupted", with ``message``; ``steps``: completed.
    """

    def __init__(self, entry: dict[str, Any]) -> None:
        super().__init__(entry)
        self.steps: int = entry["steps"]
        table = entry["table"]
        for name, (dimensions, values, _, _) in {**table["coordinates"], **table["variables"]}.items():
            setattr(self, table["plurals"].get(name, name), _plain(dimensions, values))

    def to_xarray(self) -> xarray.Dataset:
        """A Dataset with all arrays along their dimensions."""
        return labelled_dataset(self._entry["table"], {key: self._entry[key] for key in ("status", "message", "steps")})

    def to_dataframe(self) -> pandas.DataFrame:
        """What stands along time as a table: a row for each time, or for each time and place of an array."""
        dataset = self.to_xarray()
        along = [name for name in dataset.data_vars if dataset[name].dims[:1] == ("t",)]
        frame: pandas.DataFrame = dataset[along].to_dataframe().reset_index()
        return frame


def _plain(dimensions: Sequence[str], values: Any) -> Any:
    if not isinstance(values, np.ndarray):
        return list(values) if dimensions else values[0]
    if not dimensions:
        return values.item()
    values.flags.writeable = False
    return values


def analyse(name: str, kind: type[Found], problem: ProblemLike, method: MethodLike, run: dict[str, Any], *,
            start: str | Start | None, q: npt.ArrayLike | None, v: npt.ArrayLike | None, parameters: Mapping[str, Any] | None,
            progress: ProgressChoice, options: Mapping[str, Any], events: Sequence[Event | Mapping[str, Any]] | None = None) -> Found:
    """Analyses a run of a method on a problem, with the keys of the page that ``options`` give a value."""
    chosen = problem_of(problem)
    document = study_document(chosen, method, run, start_parameters(start) | dict(parameters or {}),
                              initial=start_table(chosen, start, q, v), event=event_tables(events, chosen), **page_table(name, options))
    with shown(progress) as callback:
        result = kind(_core.analyse(name, core_study(document, typed_methods(method)), callback))
    if result.status == "failed":
        caution(result.message)
    return result


def page_table(name: str, options: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The table of a page in a study, with the keys that ``options`` give a value; no table without."""
    known = {key for key, *_ in _core.page_keys(name)}
    for key in options:
        if key not in known:
            raise TypeError(f'{name}() has no argument "{key}"; its own are {", ".join(sorted(known))}')
    table = {key: list(value) if isinstance(value, (set, frozenset)) else value for key, value in options.items() if value is not None}
    return {name: table} if table else {}


def with_keys(name: str) -> Callable[[Function], Function]:
    """A decorator that writes the keys of a page into the signature and the docstring of a function that takes them as ``**options``."""
    def decorated(function: Function) -> Function:
        keys = _core.page_keys(name)
        signature = inspect.signature(function)
        own = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
        added = [inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=default) for key, default, _, _ in keys]
        setattr(function, "__signature__", signature.replace(parameters=own + added))
        lines = [f"``{key}``: {sentence[0].lower() + sentence[1:]}; {admissible}." for key, _, admissible, sentence in keys]
        function.__doc__ = f"{inspect.getdoc(function)}\n\n" + "\n".join(lines)
        return function
    return decorated
