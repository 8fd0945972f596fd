"""Analyses of studies: arguments from their pages, results from their tables."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from .errors import caution
from .events import Event, event_tables
from .forms import labelled_dataset
from .problems import Start
from .progress import ProgressChoice, shown
from .studies import MethodLike, ProblemLike, check_keys, core_study, problem_of, start_parameters, start_table, study_document, typed_methods

if TYPE_CHECKING:
    import pandas
    import xarray

Array = npt.NDArray[np.float64]
Found = TypeVar("Found", bound="Finding")
Function = TypeVar("Function", bound=Callable[..., Any])


class Analysed:
    """Forms of what an analysis found, the same as on the command line."""

    def __init__(self, entry: dict[str, Any], core: _core.Report | None = None) -> None:
        self._entry, self._core = entry, core

    def to_json(self) -> str:
        """JSON as the command line writes it."""
        return self._form("json")

    def to_csv(self) -> str:
        """CSV as the command line writes it."""
        return self._form("csv")

    def to_xarray(self) -> xarray.Dataset:
        """A Dataset with all arrays along their dimensions."""
        return labelled_dataset(self._entry["table"], {key: self._entry[key] for key in ("status", "message")})

    def _form(self, name: str) -> str:
        if name not in self._entry:
            self._entry[name] = getattr(self._core, name)()
        return str(self._entry[name])

    def __repr__(self) -> str:
        return str(self._entry["text"]).rstrip()

    def __reduce__(self) -> tuple[Any, ...]:
        for name in ("json", "csv"):
            self._form(name)
        return type(self), (self._entry,)


class Finding(Analysed):
    """What an analysis found of a run.

    Every array of its table is an attribute: numbers and texts, or arrays that cannot be written to. ``status``:
    "ok", "failed" or "interrupted", with ``message``; ``steps``: completed.
    """

    def __init__(self, entry: dict[str, Any], core: _core.Report | None = None) -> None:
        super().__init__(entry, core)
        self.status: str = entry["status"]
        self.message: str = entry["message"]
        self.steps: int = entry["steps"]
        table = entry["table"]
        for name, (dimensions, values, _, _) in {**table["coordinates"], **table["variables"]}.items():
            setattr(self, table["plurals"].get(name, name), _plain(dimensions, values))

    @property
    def ok(self) -> bool:
        """Whether it came to its end."""
        return self.status == "ok"

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


def report_of(name: str, study: _core.Study, progress: ProgressChoice, *, one_run: bool = False, threads: int = 1) -> _core.Report:
    """The report of an analysis of a study."""
    with shown(progress) as callback:
        return _core.analyse(name, study, one_run, threads, callback)


def findings_of(kind: type[Found], core: _core.Report) -> list[Found]:
    """What a report found of each run, with a warning for each that failed."""
    found = [kind(entry, core) for entry in core.entries()]
    for one in found:
        if one.status == "failed":
            caution(one.message)
    return found


def asked_study(name: str, problem: ProblemLike, method: MethodLike | Iterable[MethodLike], run: dict[str, Any], *,
                start: str | Start | None, q: npt.ArrayLike | None, v: npt.ArrayLike | None, parameters: Mapping[str, Any] | None,
                options: Mapping[str, Any], events: Sequence[Event | Mapping[str, Any]] | None = None) -> _core.Study:
    """A study of a problem with the keys of a page that ``options`` give a value."""
    chosen = problem_of(problem)
    document = study_document(chosen, method, run, start_parameters(start) | dict(parameters or {}),
                              initial=start_table(chosen, start, q, v), event=event_tables(events, chosen), **page_table(name, options))
    return core_study(document, typed_methods(method))


def analyse(name: str, kind: type[Found], problem: ProblemLike, method: MethodLike, run: dict[str, Any], *,
            progress: ProgressChoice, **asked: Any) -> Found:
    """Analyses a run of a method on a problem; see ``asked_study``."""
    return findings_of(kind, report_of(name, asked_study(name, problem, method, run, **asked), progress, one_run=True))[0]


def page_table(name: str, options: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The table of a page in a study, with the keys that ``options`` give a value; no table without."""
    check_keys(name, options)
    table = {key: list(value) if isinstance(value, (set, frozenset)) else value for key, value in options.items() if value is not None}
    return {name: table} if table else {}


def with_keys(name: str) -> Callable[[Function], Function]:
    """A decorator that writes the keys of a page into the signature and the docstring of a function that takes them as ``**options``."""
    def decorated(function: Function) -> Function:
        keys = _core.page_keys(name)
        signature = inspect.signature(function)
        own = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
        keys = [key for key in keys if key[0] not in signature.parameters]
        added = [inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=default) for key, default, _, _ in keys]
        setattr(function, "__signature__", signature.replace(parameters=own + added))
        lines = [f"``{key}``: {sentence[0].lower() + sentence[1:]}; {admissible}." for key, _, admissible, sentence in keys]
        function.__doc__ = f"{inspect.getdoc(function)}\n\n" + "\n".join(lines)
        return function
    return decorated
