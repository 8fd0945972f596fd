"""From the arguments of Python to the document of a study."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _core, checks
from .errors import RequestError
from .methods import Method
from .problems import Problem, Start, load

ProblemLike = Union[Problem, str, "os.PathLike[str]"]
MethodLike = Union[str, Method, Mapping[str, Any]]
"""A name with options, as "gauss(stages=3)", {"name": "gauss", "stages": 3, "label": "Gauss"}, or a typed method."""


def problem_of(problem: ProblemLike) -> Problem:
    return problem if isinstance(problem, Problem) else load(problem)


def _methods(method: MethodLike | Iterable[MethodLike]) -> list[dict[str, Any]]:
    chosen = method_list(method)
    if not chosen:
        raise RequestError('no method was given; name one or several, as "dla" or ["dla", "leapfrog"]')
    return [_entry(one) for one in chosen]


def method_list(method: MethodLike | Iterable[MethodLike]) -> list[MethodLike]:
    """One method or several as a list."""
    return [method] if isinstance(method, (str, Method, Mapping)) else checks.items(method, "the method")


def _entry(method: MethodLike) -> dict[str, Any]:
    """A table [[method]]."""
    if isinstance(method, Method):
        return dict(method._entry)
    if isinstance(method, str):
        return {"name": method}
    if isinstance(method, Mapping):
        name = method.get("name")
        return dict(method) | (name._entry if isinstance(name, Method) else {})
    raise RequestError(f'a method is a text as "gauss(stages=3)", a dict with "name" and options, or a method of '
                       f"dal.method, not {type(method).__name__}")


def typed_methods(method: MethodLike | Iterable[MethodLike]) -> list[Method]:
    """Those that were typed in Python, also as the name in a dict."""
    named = [one.get("name") if isinstance(one, Mapping) else one for one in method_list(method)]
    return [one for one in named if isinstance(one, Method)]


def core_study(document: Mapping[str, Any], methods: Sequence[Method]) -> _core.Study:
    """The study of a document, which may name these methods."""
    return _core.Study(dict(document), "", own_methods(methods))


def own_methods(methods: Sequence[Method]) -> list[_core.Method]:
    """What the library does not know, each once; two of one name are refused."""
    own: dict[str, _core.Method] = {}
    for method in methods:
        if not isinstance(method, Method):
            raise RequestError(f"a method is of the type {type(method).__name__}; one of dal.method is allowed here")
        for core in method._own:
            if own.setdefault(core.name, core) is not core:
                raise RequestError(f'two methods are named "{core.name}"; give one of them another name')
    return list(own.values())


def check_keys(page: str, names: Iterable[str]) -> None:
    """TypeError for arguments that are no keys of a page."""
    known = {key for key, *_ in _core.page_keys(page)}
    for name in names:
        if name not in known:
            raise TypeError(f'{page}() has no argument "{name}"; its own are {", ".join(sorted(known))}')


def run_table(swept: Iterable[str] = (), **values: Any) -> dict[str, Any]:
    """The table [run]; a step and an end have to be there, or among the keys that a sweep gives values."""
    check_keys("run", values)
    known = {key.removeprefix("run.") for key in swept}
    usual = {key: default for key, default, *_ in _core.page_keys("run")}
    table = {key: value for key, value in values.items() if value is not None and value is not usual[key]}
    if not {"step", "tolerance"} & (set(table) | known):
        raise RequestError("a run needs a step size: give step=0.1, or tolerance=1e-8, which chooses one")
    if not {"until", "steps"} & (set(table) | known):
        raise RequestError("a run needs an end: give until=100, or steps=1000")
    if "until" in table and "steps" in table:
        raise RequestError("until and steps both say where a run ends; give one of them")
    return table


def times_of(at: npt.ArrayLike | None) -> Any:
    """Times of records, as the table [run] has them."""
    return None if at is None else np.atleast_1d(checks.numbers(at, "at"))


def start_table(problem: Problem, start: str | Start | Sequence[str] | None, q: npt.ArrayLike | None,
                v: npt.ArrayLike | None) -> dict[str, Any]:
    """The table [initial]: a start of the problem, or q and v."""
    if q is not None or v is not None:
        if start is not None:
            raise RequestError("start and q, v both say where a run begins; give one of them")
        if q is None:
            raise RequestError("v was given without q; a start by numbers needs the positions q, too")
        start = Start(q, () if v is None else v)
    if isinstance(start, Start):
        if start.name and not (start.name in problem.starts and problem.starts[start.name] is start):
            return Start(start.q, start.v, start.lam, start.project)._document()
        return start._document()
    if start is None:
        if not problem.starts:
            raise RequestError(f'problem "{problem.name}" has no starts of its own; give q and v')
        return {"name": next(iter(problem.starts))}
    return {"name": start if isinstance(start, str) else list(start)}


def study_document(problem: Problem, method: MethodLike | Iterable[MethodLike], run: Mapping[str, Any],
                   parameters: Mapping[str, Any] | None, **tables: Any) -> dict[str, Any]:
    document = problem._document()
    document["parameters"] |= dict(parameters or {})
    if not document["parameters"]:
        del document["parameters"]
    document.update({key: value for key, value in tables.items() if value is not None})
    document["run"] = dict(run)
    document["method"] = _methods(method)
    return document


def start_parameters(start: object) -> dict[str, float]:
    """Those that a start sets which the study cannot name."""
    return dict(start.parameters) if isinstance(start, Start) and not start.name else {}


def settings_list(settings: Mapping[str, Any] | None) -> list[str]:
    """Changes of a study file, as the command line takes them."""
    return [f"{key}={_setting(value)}" for key, value in (settings or {}).items()]


def _setting(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(_setting(entry) for entry in value) + "]"
    if isinstance(value, (int, float, np.number)):
        return repr(value.item() if isinstance(value, np.number) else value)
    return str(value)


def study_of(study: str | os.PathLike[str] | Mapping[str, Any], settings: Mapping[str, Any] | None) -> _core.Study:
    """A study by its file, by its name, or as a dict."""
    if isinstance(study, Mapping):
        if settings:
            raise RequestError("settings change a study in a file; change the dict itself")
        methods = study.get("method", [])
        document = {**study, "method": _methods(methods)} if methods else study
        return core_study(document, typed_methods(methods))
    return _core.Study.read(os.fspath(study), settings_list(settings))


def request(threads: int, callback: object, out: str = "", overwrite: bool = False, lanes: int = 0,
            records: bool = True) -> _core.Request:
    """How runs are executed."""
    if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)) or not 1 <= threads <= 1024:
        raise RequestError(f"threads is {threads!r}; a whole number from 1 to 1024 is allowed")
    if lanes not in (0, 1, 4, 8):
        raise RequestError(f"lanes is {lanes!r}; 1, 4, 8, or 0 for the best of the machine is allowed")
    return _core.Request(int(threads), int(lanes), out, overwrite, callback, records)


def end_text(until: float | str | None) -> str:
    """An end as settings write it, "" for the one that the study has."""
    return "" if until is None else _setting(until)
