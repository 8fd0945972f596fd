"""Compares result files, JSON and HDF5, number by number and bit by bit, but for the work they cost."""
import json
import pathlib

import h5py
import numpy as np


def is_ignored(name, ignored):
    return any(part in name for part in ignored)


def json_differences(a, b, ignored, where="result"):
    """Where two values of JSON differ, leaving out keys that contain one of the words."""
    if isinstance(a, dict) and isinstance(b, dict):
        keys = sorted(key for key in {*a, *b} if not is_ignored(key, ignored))
        for key in keys:
            yield from json_differences(a.get(key), b.get(key), ignored, f"{where}.{key}")
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b)):
            yield from json_differences(x, y, ignored, f"{where}[{i}]")
    elif repr(a) != repr(b):  # which tells -0 from 0
        yield f"{where}: {str(a)[:60]} and {str(b)[:60]}"


def items(group):
    """All values of an HDF5 file by name: data sets and attributes."""
    found = {}

    def visit(name, thing):
        for key, value in thing.attrs.items():
            found[f"{name}@{key}"] = np.asarray(value)
        if isinstance(thing, h5py.Dataset):
            found[name] = thing[()]

    visit("", group)
    group.visititems(visit)
    return found


def hdf5_differences(path_a, path_b, ignored):
    with h5py.File(path_a) as file_a, h5py.File(path_b) as file_b:
        a, b = items(file_a), items(file_b)
    for name in sorted({*a, *b}):
        if is_ignored(name, ignored):
            continue
        if name not in a or name not in b:
            yield f"{name}: in one file only"
        elif name.endswith("@json"):  # a summary of the run, as text
            yield from json_differences(json.loads(str(a[name])), json.loads(str(b[name])), ignored, name)
        elif np.asarray(a[name]).dtype.hasobject or np.asarray(a[name]).dtype.names:
            if str(a[name].tolist()) != str(b[name].tolist()):
                yield f"{name}: {str(a[name])[:60]} and {str(b[name])[:60]}"
        elif np.asarray(a[name]).tobytes() != np.asarray(b[name]).tobytes():
            yield f"{name}: other bits"


def differences(path_a, path_b, ignored):
    """Sentences about two result files of the same kind; none if they agree."""
    if pathlib.Path(path_a).suffix == ".json":
        a, b = (json.loads(pathlib.Path(path).read_text()) for path in (path_a, path_b))
        return list(json_differences(a, b, ignored))
    return list(hdf5_differences(path_a, path_b, ignored))
