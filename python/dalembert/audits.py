"""What methods really preserve."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, checks
from .errors import RequestError, caution
from .forms import labelled_dataset, needed
from .methods import MethodChoice, method_of
from .problems import Problem
from .progress import ProgressChoice, shown
from .studies import ProblemLike, method_list, own_methods, request

if TYPE_CHECKING:
    import pandas
    import xarray


@dataclass(frozen=True)
class Breach:
    """A promise that a method does not keep, or on a witness a property that it has without promising it.

    ``detail`` is the number and the promise.
    """

    method: str
    property: str
    detail: str
    is_broken: bool


class AuditReport:
    """The measurements of ``audit``: ``print`` shows the table of the command line.

    ``broken`` lists promises that are not kept (empty if all are), ``breaches`` also what is kept without
    being promised; ``methods`` has every measurement by method, as ``to_json`` writes it.
    """

    def __init__(self, entry: Mapping[str, Any], core: _core.Audit | None = None) -> None:
        self._entry, self._core = dict(entry), core
        self.breaches = [Breach(*one) for one in entry["breaches"]]
        self.broken = [one for one in self.breaches if one.is_broken]
        self.data: dict[str, Any] = json.loads(entry["json"])
        self.methods: dict[str, dict[str, Any]] = {one["label"]: one for one in self.data["methods"]}

    @property
    def holds(self) -> bool:
        """Whether something was measured of every method, and every promise is kept, also in long runs."""
        return not self._entry["is_broken"] and not self.unmeasured

    @property
    def unmeasured(self) -> dict[str, str]:
        """Methods that fit none of the problems, each with the reason why not the first."""
        reasons = {}
        for method in self.data["methods"]:
            problems = method["problems"]
            if problems and not any(problem["findings"] for problem in problems):
                reasons[method["label"]] = str(problems[0]["misfit"] or problems[0]["not_measured"] or "")
        return reasons

    def text(self, *, details: bool = False) -> str:
        """The table of the command line; with ``details`` every single measurement."""
        return str(self._entry["details" if details else "text"])

    def to_json(self) -> str:
        """All measurements."""
        return str(self._entry["json"])

    def to_csv(self) -> str:
        """A line for each measurement, and for each drift of a long run."""
        return str(self._entry["csv"])

    def to_xarray(self) -> xarray.Dataset:
        """A Dataset of measurements along ``measurement``, and of drifts of long runs along ``drift``."""
        return labelled_dataset(self._entry["table"], {"audit": self.data["audit"]})

    def to_markdown(self) -> str:
        """A table with a row for each method."""
        return str(self._entry["markdown"])

    def to_html(self) -> str:
        """A page that stands alone, with pictures if gnuplot is there."""
        if "html" not in self._entry and self._core is not None:
            self._entry["html"] = self._core.html()
        return str(self._entry["html"])

    def to_dataframe(self) -> pandas.DataFrame:
        """A row for each measurement at short times: method, problem, property, promised, measured, verdict."""
        frame = needed("pandas", "a DataFrame").DataFrame(list(self._rows()), columns=[
            "method", "problem", "property", "promised", "measured", "verdict"])
        return frame

    def _rows(self) -> Iterable[tuple[Any, ...]]:
        for method in self.data["methods"]:
            for problem in method["problems"]:
                for finding in problem["findings"]:
                    yield (method["label"], problem["label"], finding["property"], finding["promised"],
                           finding["measured"], finding["verdict"])

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()

    def __reduce__(self) -> tuple[Any, ...]:
        self.to_html()
        return AuditReport, (self._entry,)


def audit(methods: MethodChoice | Iterable[MethodChoice], problems: ProblemLike | Sequence[ProblemLike] | None = None, *,
          full: bool = False, threads: int = 1, progress: ProgressChoice = False) -> AuditReport:
    """Measures what methods promise, typed ones as those of the library: orders, symmetry, reversibility, energy, ...

    ``problems``: names, as "knife-edge" or "knife-edge:horizontal" with a start, files, or problems; typed ones with all of
    their starts, or a generic one where they have none. The standard set of the library if not given, which takes
    minutes. ``full``: long runs ten times as long. Threads change no bit. Ctrl-C ends it with
    KeyboardInterrupt.
    """
    chosen = [method_of(one) for one in method_list(methods)]
    if not chosen:
        raise RequestError("no method was given; name one or several")
    own_methods(chosen)
    if problems is None:
        listed: list[ProblemLike] = []
    else:
        listed = [problems] if isinstance(problems, (str, os.PathLike, Problem)) else checks.items(problems, "problems")
        if not listed:
            raise RequestError("no problem was given; name one or several, or leave problems out")
    request(threads, None)
    checks.flag(full, "full")
    with shown(progress) as callback:
        core = _core.audit([one._core for one in chosen], [_case(one) for one in listed], full, threads, callback)
    report = AuditReport(core.entry(), core)
    for method, reason in report.unmeasured.items():
        caution(f"{method} fits none of the problems, and nothing was measured: {reason}")
    return report


def _case(problem: ProblemLike) -> tuple[Any, dict[str, float]]:
    if not isinstance(problem, Problem):
        if not isinstance(problem, (str, os.PathLike)):
            raise RequestError(f"a problem is of the type {type(problem).__name__}; a name, a path or a problem is allowed")
        return os.fspath(problem), {}
    if problem._sizes:
        raise RequestError(f'problem "{problem.name}" has sizes of its own; an audit takes those of the file')
    if problem.starts or isinstance(problem._source, str):
        return problem._source, problem._chosen
    return dict(problem._source) | {"initial": {"generic": _generic_start(problem)}}, {}


def _generic_start(problem: Problem) -> dict[str, Any]:
    """A state without symmetries near the origin, brought onto the constraints."""
    count = len(problem.positions)
    if len(problem.velocities) not in (0, count):
        raise RequestError(f'problem "{problem.name}" has elements of groups and no start; give it one to audit methods on')
    q = 0.5 * np.sin(1.0 + np.arange(count))
    if not problem.velocities:
        return {"zeta": q}
    return {"q": q, "v": 0.5 * np.cos(0.5 + np.arange(count)), "project": True}
