"""Results as pandas and xarray hold them."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import OutputError

if TYPE_CHECKING:
    import pandas
    import xarray

    from .ensembles import Ensemble
    from .motion import _Motion
    from .results import Result


def needed(module: str, what: str) -> Any:
    """A module that dalembert works without."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise OutputError(f"{what} needs the module {module.split('.')[0]}, which is not installed") from None


def to_dataframe(run: _Motion) -> pandas.DataFrame:
    pandas = needed("pandas", "a DataFrame")
    frame = pandas.DataFrame({name: run.column(name) for name in run.names})
    return frame.set_index("t")


def to_dataset(run: _Motion) -> xarray.Dataset:
    module = needed("xarray", "a Dataset")
    entry = run._entry
    names, positions, velocities = entry["names"], entry["positions"], entry["velocities"]
    multipliers, first_multiplier = entry["multipliers"], 1 + positions + velocities
    variables: dict[str, Any] = {
        "q": (("time", "position"), run.q), "v": (("time", "velocity"), run.v),
        "lam": (("time", "multiplier"), run.lam)}
    for name in names[first_multiplier + multipliers:]:
        variables[name] = ("time", run.column(name))
    coordinates = {"time": run.t, "position": names[1:1 + positions],
                   "velocity": names[1 + positions:first_multiplier],
                   "multiplier": names[first_multiplier:first_multiplier + multipliers]}
    attributes = {"method": run.method, "run": run.label, "step": run.step, "status": run.status,
                  "message": run.message}
    dataset: xarray.Dataset = module.Dataset(variables, coordinates, attributes)
    return dataset


def joined_dataset(result: Result) -> xarray.Dataset:
    module = needed("xarray", "a Dataset")
    names = list(result)
    sets = [one._to_dataset() for one in result.solutions]
    joined: xarray.Dataset = module.concat(sets, dim="run", join="outer", combine_attrs="drop")
    for key in ("method", "step", "status"):
        joined = joined.assign_coords({key: ("run", [one.attrs[key] for one in sets])})
    return joined.assign_coords(run=names)


def labelled_dataset(table: Mapping[str, Any], attributes: Mapping[str, Any]) -> xarray.Dataset:
    """A Dataset from a table of the compiled part."""
    module = needed("xarray", "a Dataset")

    def array(entry: Any) -> Any:
        dimensions, values, units, description = entry
        shape = [table["sizes"][name] for name in dimensions]
        said = {key: value for key, value in (("units", units), ("description", description)) if value}
        return dimensions, np.array(values, dtype=None if isinstance(values, np.ndarray) else object).reshape(shape), said

    dataset: xarray.Dataset = module.Dataset({name: array(entry) for name, entry in table["variables"].items()},
                                             {name: array(entry) for name, entry in table["coordinates"].items()}, attributes)
    return dataset


def summary_dataset(result: Result) -> xarray.Dataset:
    dataset = labelled_dataset(result._runs.table(), {"title": result._runs.title(), "study": result.study})
    if "lambda" in dataset:
        dataset = dataset.rename({"lambda": "lam"})
    said = ["; ".join(one.cautions) for one in result.solutions]
    runs = dataset.run.values
    cautions = np.array([said[int(run) - 1] if np.isfinite(run) else "" for run in runs.ravel()], dtype=object)
    return dataset.assign(caution=(dataset.run.dims, cautions.reshape(runs.shape),
                                   {"description": "what has to be known before the numbers are believed"}))


def ensemble_dataset(ensemble: Ensemble) -> xarray.Dataset:
    module = needed("xarray", "a Dataset")
    from .ensembles import QUANTILE_LEVELS
    quantities = list(ensemble.statistics)
    variables: dict[str, Any] = {}
    for name in ("count", "mean", "mean_square", "variance", "min", "max"):
        rows = [getattr(ensemble.statistics[quantity], name) for quantity in quantities]
        variables[name] = (("quantity", "time"), np.array(rows))
    variables["quantiles"] = (("quantity", "time", "level"),
                              np.array([ensemble.statistics[quantity].quantiles for quantity in quantities]))
    variables["alive"] = ("time", ensemble.alive)
    for when in ("initial", "final"):
        states = getattr(ensemble, when)
        variables[f"q_{when}"] = (("member", "position"), states.q)
        variables[f"v_{when}"] = (("member", "velocity"), states.v)
    coordinates = {"quantity": quantities, "time": ensemble.t, "level": list(QUANTILE_LEVELS)}
    attributes = {"method": ensemble.method, "run": ensemble.label, "step": ensemble.step, "seed": ensemble.seed}
    dataset: xarray.Dataset = module.Dataset(variables, coordinates, attributes)
    return dataset
