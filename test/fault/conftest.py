"""Runs the program with writes that fail, and compares result files.

The environment: DALEMBERT_PROGRAM, the program; DALEMBERT_FAULT_LIBRARY, what CMake makes of fault.c;
DALEMBERT_FAULT_KILLS, the number of kills at random moments (20; a night may take 200 or more);
DALEMBERT_FAULT_STRIDE, 1 to try every write in every case, which takes many minutes.
"""

import os
import pathlib
import shutil
import subprocess

import h5py
import numpy as np
import pytest

PROGRAM = os.environ.get("DALEMBERT_PROGRAM", "dalembert")
LIBRARY = os.environ.get("DALEMBERT_FAULT_LIBRARY", "")
# What the work was: time, and iterations since a kill. And a text that holds it.
WORK = {"seconds", "seconds_per_step", "newton_iterations", "evaluations", "member_steps", "json"}


def numbers(path):
    """All data sets and attributes of a result file but for the work it took."""
    found = {}

    def visit(name, item):
        for key, value in item.attrs.items():
            if key not in WORK:
                found[name + "@" + key] = np.asarray(value)
        if isinstance(item, h5py.Dataset):
            found[name] = item[()]

    with h5py.File(path) as file:
        visit("", file)
        file.visititems(visit)
    return found


def same(a, b):
    """The names under which two files differ in any bit, without the runs' own texts of what was asked of them."""
    names = {name for name in a.keys() | b.keys() if "@study" not in name}
    return [name for name in sorted(names) if name not in a or name not in b or a[name].tobytes() != b[name].tobytes()
            and a[name].dtype != object or (a[name].dtype == object and not np.array_equal(a[name], b[name]))]


def records(path):
    """The records of all runs together."""
    with h5py.File(path) as file:
        return sum(run["t"].shape[0] for run in file["runs"].values())


class Faults:
    """The program in a directory of its own, with the library of faults."""

    def __init__(self, directory):
        self.directory = directory

    def run(self, *arguments, flush=0.0, **faults):
        environment = dict(os.environ, DALEMBERT_FLUSH_SECONDS=str(flush))
        if faults:
            environment.update({f"FAULT_{key.upper()}": str(value) for key, value in faults.items()},
                               LD_PRELOAD=LIBRARY)
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.directory, capture_output=True, text=True,
                              timeout=120, env=environment)

    def good(self, *arguments, **options):
        result = self.run(*arguments, **options)
        assert result.returncode == 0, (arguments, result.stderr)

    def calls(self, *arguments, **faults):
        """The calls that change files while the program does its work, in their order."""
        log = self.directory / "calls.log"
        log.unlink(missing_ok=True)
        self.good(*arguments, log=log, does="kill", only="r.h5", **faults)
        return log.read_text().split()

    def left_over(self):
        return [path.name for path in pathlib.Path(self.directory).iterdir() if path.name.startswith(".")]

    def fresh(self, older, name="r.h5"):
        """The directory as before a run: an older result, and nothing hidden."""
        for hidden in self.left_over():
            (self.directory / hidden).unlink()
        shutil.copy(older, self.directory / name)


@pytest.fixture
def faults(tmp_path):
    assert LIBRARY, "DALEMBERT_FAULT_LIBRARY names no library"
    return Faults(tmp_path)
