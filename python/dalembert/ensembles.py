"""Many starts at a time, with statistics over them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from . import _core
from .analyses import with_keys
from .errors import RequestError, UnknownName, caution
from .events import Event, event_tables
from .files import bytes_of, read_bytes, result_path, save
from .methods import Method
from .motion import States
from .problems import Array, Problem, Start, _Named
from .running import _check_methods
from .progress import ProgressChoice, shown
from .studies import (MethodLike, ProblemLike, core_study, end_text, own_methods, problem_of, request, run_table,
                      start_parameters, start_table, study_document, study_of, times_of, typed_methods)

if TYPE_CHECKING:
    import xarray
    from typing_extensions import Unpack

    from .keys import RunKeys

QUANTILE_LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, eq=False)
class Statistics:
    """One quantity over the members, each [records]; ``quantiles`` [records, 5] at QUANTILE_LEVELS."""

    count: Array
    mean: Array
    mean_square: Array
    variance: Array
    min: Array
    max: Array
    quantiles: Array


@dataclass(frozen=True)
class Growth:
    """How a statistic y grows: y = factor t^exponent, and y = offset + rate t, from t = begin to end."""

    exponent: float
    uncertainty: float
    factor: float
    rate: float
    rate_uncertainty: float
    offset: float
    begin: float
    end: float


@dataclass(frozen=True)
class Failure:
    """A member whose step was refused (from 1; 0: it has no start), and why."""

    member: int
    step: int
    t: float
    residual: float
    message: str


@dataclass(frozen=True)
class End:
    """A member that an event has ended, in which step (from 1) and when."""

    member: int
    step: int
    t: float
    event: str


class Ensemble:
    """One method and step with all members.

    ``t`` and ``alive``, the members that have got there, are [records]; ``statistics`` by name:
    energy_error, energy_error_relative, constraint and <integral>_error; ``initial`` and ``final``
    hold the members; ``variance`` and ``mean_square`` how those of energy_error grow, or None.
    """

    def __init__(self, entry: Mapping[str, Any]) -> None:
        self.label: str = entry["label"]
        self.method: str = entry["method"]
        self.step: float = entry["step"]
        self.seed: int = entry["seed"]
        self.size: int = entry["size"]
        self.steps: int = entry["steps"]
        self.status: str = entry["status"]
        self.message: str = entry["message"]
        self.t: Array = entry["t"]
        self.alive: npt.NDArray[np.uint64] = entry["alive"]
        self.statistics: Mapping[str, Statistics] = _Named(
            {name: Statistics(**columns) for name, columns in entry["statistics"].items()}, "statistic")
        self.initial = States(**entry["initial"])
        self.final = States(**entry["final"])
        self.variance = None if entry["variance"] is None else Growth(**entry["variance"])
        self.mean_square = None if entry["mean_square"] is None else Growth(**entry["mean_square"])
        self.failures = [Failure(**one) for one in entry["failures"]]
        self.ends = [End(**one) for one in entry["ends"]]

    @property
    def ok(self) -> bool:
        """Whether all members came to the end."""
        return self.status == "ok"

    def _title(self) -> str:
        return ", ".join(part for part in (self.method, self.label) if part)

    def to_xarray(self) -> xarray.Dataset:
        """Statistics with the dimensions quantity, time and level, and the members' states."""
        from .forms import ensemble_dataset
        return ensemble_dataset(self)

    def __repr__(self) -> str:
        reached = f" to t = {self.t[-1]:g}" if len(self.t) else ""
        return (f"<dalembert.Ensemble {self._title()}: {self.size} members{reached}, "
                f"{len(self.failures)} failed, {self.status}>")


class EnsembleResult(Mapping[str, Ensemble]):
    """The ensembles of a study, by their methods; one alone has the attributes of ``Ensemble`` itself."""

    def __init__(self, core: _core.Ensembles, path: str = "", methods: Sequence[Method] = ()) -> None:
        self._path, self._methods = path, list(methods)
        self._take(core)

    def _take(self, core: _core.Ensembles) -> None:
        self._core = core
        self.ensembles = [Ensemble(core.entry(index)) for index in range(len(core))]
        methods = [one.method for one in self.ensembles]
        self._named = {one.method if methods.count(one.method) == 1 else one._title(): one for one in self.ensembles}

    def __getitem__(self, name: str) -> Ensemble:
        if name not in self._named:
            raise UnknownName(f'there is no ensemble "{name}"; there are: {", ".join(self._named)}')
        return self._named[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._named)

    def __len__(self) -> int:
        return len(self._named)

    def __contains__(self, name: object) -> bool:
        return name in self._named

    @property
    def _only(self) -> Ensemble:
        if len(self.ensembles) != 1:
            raise RequestError(f"there are {len(self.ensembles)} ensembles; choose one of: {', '.join(self)}")
        return self.ensembles[0]

    @property
    def t(self) -> Array:
        """Times of the records, [records]."""
        return self._only.t

    @property
    def alive(self) -> npt.NDArray[np.uint64]:
        """Members that have got to each record, [records]."""
        return self._only.alive

    @property
    def statistics(self) -> Mapping[str, Statistics]:
        """Statistics by quantity."""
        return self._only.statistics

    @property
    def initial(self) -> States:
        """The starts."""
        return self._only.initial

    @property
    def final(self) -> States:
        """The last states."""
        return self._only.final

    @property
    def variance(self) -> Growth | None:
        """How the variance of energy_error grows."""
        return self._only.variance

    @property
    def mean_square(self) -> Growth | None:
        """How the mean square of energy_error grows."""
        return self._only.mean_square

    @property
    def failures(self) -> list[Failure]:
        """Members whose step was refused."""
        return self._only.failures

    @property
    def ends(self) -> list[End]:
        """Members that events have ended; ``final`` has their states then."""
        return self._only.ends

    @property
    def status(self) -> str:
        """"ok", "failed" where members did, or "interrupted"."""
        return self._only.status

    @property
    def message(self) -> str:
        """One sentence where members failed."""
        return self._only.message

    @property
    def study(self) -> str:
        """The study, with its problem, as TOML: enough to run it again."""
        return self._core.text()

    def to_json(self) -> str:
        """What ``dalembert ensemble --json`` writes."""
        return self._core.json()

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Writes the HDF5 result of the command line; see ``Result.save``."""
        self._path = save(self._core, path, self._path, overwrite)

    def resume(self, *, until: float | str | None = None, threads: int = 1, lanes: int = 0,
               progress: ProgressChoice = False) -> EnsembleResult:
        """Goes on with all members, to the bits of a run without a break, and returns itself."""
        with shown(progress) as callback:
            self._take(self._core.resume(end_text(until), request(threads, callback, lanes=lanes)))
        self._tell()
        return self

    def to_xarray(self) -> xarray.Dataset:
        """As ``Ensemble.to_xarray``."""
        return self._only.to_xarray()

    def __reduce__(self) -> tuple[Any, ...]:
        return _ensembles_of_bytes, (bytes_of(self._core), self._methods)

    def __repr__(self) -> str:
        return "\n".join(repr(one) for one in self.ensembles)

    def _tell(self) -> None:
        for sentence in self._core.cautions():
            caution(sentence)
        for one in self.ensembles:
            if not one.ok:
                caution(f"{one._title()}: {one.message or 'interrupted; resume() goes on'}")


def _ensembles_of_bytes(content: bytes, methods: Sequence[Method]) -> EnsembleResult:
    own = own_methods(methods)
    return EnsembleResult(read_bytes(content, lambda path: _core.open_ensemble(path, own)), "", methods)


def _execute(study: _core.Study, methods: Sequence[Method], threads: int, lanes: int, out: str | os.PathLike[str] | None, overwrite: bool,
             progress: ProgressChoice) -> EnsembleResult:
    if not study.is_ensemble:
        raise RequestError("this study has no table [ensemble]; run it with run_study")
    path = result_path(out)
    with shown(progress) as callback:
        result = EnsembleResult(_core.ensemble(study, request(threads, callback, path, overwrite, lanes)), path, methods)
    result._tell()
    return result


Expressions = Union[Sequence[Union[str, float]], npt.ArrayLike, None]
"""Numbers and expressions for all members, or an array [members, n]."""


@with_keys("run")
def ensemble(problem: ProblemLike, method: MethodLike | Iterable[MethodLike], *, members: int | None = None, seed: int = 0,
             energy: float | str | None = None, q: Expressions = None, v: Expressions = None, p: Expressions = None,
             random: Mapping[str, Mapping[str, Sequence[float | str]]] | None = None,
             around: str | Start | None = None, spread: float | npt.ArrayLike | Mapping[str, Any] | None = None,
             box: Sequence[Any] | None = None, attempts: int | None = None, project: bool = False,
             part: tuple[int, int] | None = None,
             step: float | str | Sequence[float] | None = None, at: npt.ArrayLike | None = None,
             parameters: Mapping[str, Any] | None = None, events: Sequence[Event | Mapping[str, Any]] | None = None,
             threads: int = 1, lanes: int = 0, out: str | os.PathLike[str] | None = None, overwrite: bool = False,
             progress: ProgressChoice = False, **options: Unpack[RunKeys]) -> EnsembleResult:
    """Runs methods from many random starts.

    Member i depends on (seed, i) alone. Arrays ``q`` and ``v`` of two dimensions, [members, n], give
    the members one by one. ``energy`` scales velocities onto a level of energy.
    Positions come from ``around`` a start, with a normal ``spread``; from ``q``, expressions of
    parameters and of ``random`` variables, as {"a": {"uniform": [0, "2*pi"]}}; from a ``box`` of
    intervals; or from the default box. Velocities come from ``v`` or momenta ``p``, or are drawn. The
    page on ensembles says it in full. ``part=(3, 64)`` runs the third of 64 parts of the members,
    which ``merge`` puts together. ``events`` end members or change their states; ``ends`` says which
    and when. The rest as ``run``. Ctrl-C keeps what is there. Neither ``threads`` nor ``lanes`` nor
    ``native`` change a bit.
    """
    chosen = problem_of(problem)
    table = run_table(step=step, at=times_of(at), **options)
    if members is None and np.ndim(np.asarray(q, object)) != 2:
        raise RequestError("an ensemble needs a number of members: give members=1000, or q as an array [members, n]")
    entry = {"size": members, "seed": seed, "energy": energy, "q": q, "v": v, "p": p, "random": random,
             "around": _around(chosen, around), "spread": spread, "box": box, "attempts": attempts,
             "project": project or None, "part": None if part is None else f"{part[0]}/{part[1]}"}
    document = study_document(chosen, method, table, start_parameters(around) | dict(parameters or {}),
                              ensemble={key: value for key, value in entry.items() if value is not None},
                              event=event_tables(events, chosen))
    methods = typed_methods(method)
    return _execute(core_study(document, methods), methods, threads, lanes, out, overwrite, progress)


def ensemble_part(study: str | os.PathLike[str] | Mapping[str, Any], number: int, of: int, *,
                  settings: Mapping[str, Any] | None = None, threads: int = 1, lanes: int = 0,
                  out: str | os.PathLike[str] | None = None, overwrite: bool = False,
                  progress: ProgressChoice = False) -> EnsembleResult:
    """Runs part ``number``, from 1, of ``of`` parts of a study with a table [ensemble].

    The part draws and runs its own members; ``merge`` puts the parts together, as results or files.
    The function and what it returns can be pickled, so that workers of concurrent.futures, Dask or
    Ray may call it. The rest as ``ensemble_study``.
    """
    part = f"{number}/{of}"
    if isinstance(study, Mapping) and "ensemble" in study:
        study = {**study, "ensemble": {**study["ensemble"], "part": part}}
    else:
        settings = {**(settings or {}), "ensemble.part": part}
    return ensemble_study(study, settings=settings, threads=threads, lanes=lanes, out=out, overwrite=overwrite, progress=progress)


def merge(parts: Iterable[EnsembleResult | str | os.PathLike[str]], *, out: str | os.PathLike[str] | None = None,
          overwrite: bool = False, progress: ProgressChoice = False) -> EnsembleResult:
    """All parts of an ensemble together, each a result or its file, in any order.

    What comes has the bits of a run of the whole, and goes on from there; quantiles are nan where
    the values of all members are more than 2^25. RequestError where parts are missing, unfinished,
    there twice or of different studies.
    """
    named: list[tuple[str, _core.Ensembles]] = []
    methods: list[Method] = []
    for number, part in enumerate(parts, 1):
        if isinstance(part, EnsembleResult):
            methods = methods or part._methods
            named.append((f'result {number}' if not part._path else f'result {number} ("{part._path}")', part._core))
        else:
            named.append((f'"{os.fspath(part)}"', open_ensemble(part)._core))
    if not named:
        raise RequestError("there is no part to merge")
    path = result_path(out)
    with shown(progress) as callback:
        result = EnsembleResult(_core.merge(named, own_methods(methods), request(1, callback, path, overwrite)), path, methods)
    result._tell()
    return result


def _around(problem: Problem, around: str | Start | None) -> Any:
    if around is None:
        return None
    table = start_table(problem, around, None, None)
    return table.get("name", table)


def ensemble_study(study: str | os.PathLike[str] | Mapping[str, Any], *, settings: Mapping[str, Any] | None = None,
                   threads: int = 1, lanes: int = 0, out: str | os.PathLike[str] | None = None, overwrite: bool = False,
                   progress: ProgressChoice = False) -> EnsembleResult:
    """Runs a study with a table [ensemble]: a file, a published study, or a dict; see ``run_study``."""
    methods = typed_methods(study.get("method", [])) if isinstance(study, Mapping) else []
    return _execute(study_of(study, settings), methods, threads, lanes, out, overwrite, progress)


def open_ensemble(path: str | os.PathLike[str], *, methods: Method | Sequence[Method] = ()) -> EnsembleResult:
    """The ensembles in an HDF5 file; ``methods`` as in ``open``. OutputError if it is none."""
    name = os.fspath(path)
    typed = [methods] if isinstance(methods, Method) else list(methods)
    own = own_methods(typed)
    _check_methods(name, own)
    if not _core.Study.of_result(name, own).is_ensemble:
        raise RequestError(f'"{name}" holds no ensemble; read it with open')
    return EnsembleResult(_core.open_ensemble(name, own), name, typed)
