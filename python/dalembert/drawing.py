"""Pictures by Matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .errors import RequestError
from .forms import needed

if TYPE_CHECKING:
    import matplotlib.axes

    from .problems import Array
    from .results import Solution


def _axes(ax: matplotlib.axes.Axes | None) -> matplotlib.axes.Axes:
    if ax is not None:
        return ax
    pyplot = needed("matplotlib.pyplot", "a picture")
    axes: matplotlib.axes.Axes = pyplot.subplots(layout="constrained")[1]
    return axes


def _named(run: Solution, name: str) -> str:
    unit = run.units.get(name.removesuffix("_error"), "")
    return f"{name} ({unit})" if unit not in ("", "nondimensional") else name


def _options(run: Solution, runs: Sequence[Solution], options: Mapping[str, Any]) -> dict[str, Any]:
    methods = [one.method for one in runs]
    label = run.method if methods.count(run.method) == 1 else run._title()
    return {"label": label, **options}


def _finished(ax: matplotlib.axes.Axes, runs: Sequence[Solution], x: str, y: str) -> matplotlib.axes.Axes:
    ax.set_xlabel(_named(runs[0], x))
    ax.set_ylabel(_named(runs[0], y))
    if len(runs) > 1:
        ax.legend()
    return ax


def plot(runs: Sequence[Solution], quantity: str, ax: matplotlib.axes.Axes | None,
         options: Mapping[str, Any]) -> matplotlib.axes.Axes:
    columns = [run.column(quantity) for run in runs]
    axes = _axes(ax)
    for run, values in zip(runs, columns):
        axes.plot(run.t, values, **_options(run, runs, options))
    return _finished(axes, runs, "t", quantity)


def plot_path(runs: Sequence[Solution], x: str, y: str, ax: matplotlib.axes.Axes | None,
              options: Mapping[str, Any]) -> matplotlib.axes.Axes:
    columns = [(run.column(x), run.column(y)) for run in runs]
    axes = _axes(ax)
    for run, (across, up) in zip(runs, columns):
        axes.plot(across, up, **_options(run, runs, options))
    axes.set_aspect("equal", adjustable="datalim")
    return _finished(axes, runs, x, y)


def _crossing(run: Solution, section: str, name: str) -> Array:
    """A column of the motion at the crossings of a section."""
    entry = run._entry
    names: list[str] = entry["names"]
    place = names.index(name) if name in names else -1
    crossings = run.sections[section]
    if 1 <= place <= entry["positions"]:
        return crossings["q"][:, place - 1]
    if entry["positions"] < place <= entry["positions"] + entry["velocities"]:
        return crossings["v"][:, place - 1 - entry["positions"]]
    motion = ", ".join(names[1:1 + entry["positions"] + entry["velocities"]])
    raise RequestError(f'a section has no column "{name}"; it has: {motion}')


def plot_section(runs: Sequence[Solution], section: str, x: str, y: str, ax: matplotlib.axes.Axes | None,
                 options: Mapping[str, Any]) -> matplotlib.axes.Axes:
    columns = [(_crossing(run, section, x), _crossing(run, section, y)) for run in runs]
    axes = _axes(ax)
    for run, (across, up) in zip(runs, columns):
        axes.plot(across, up, **{"linestyle": "none", "marker": ".", "markersize": 2, **_options(run, runs, options)})
    return _finished(axes, runs, x, y)
