"""Runs the program with writes that fail, and compares result files.

The environment: DALEMBERT_PROGRAM, the program; DALEMBERT_FAULT_LIBRARY, what CMake makes of fault.c;
DALEMBERT_FAULT_KILLS, the number of kills at random moments (20; a night may take 200 or more);
DALEMBERT_FAULT_STRIDE, 1 to try every call in every case, which takes an hour (tool/check faults).
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
# Of the calls, those that are tried where not all are: each of so many; all if this is 1.
SOME = int(os.environ.get("DALEMBERT_FAULT_STRIDE", "5"))
# What the work was: time, iterations since a kill, whether compiled steps were ready. And a text that holds it.
WORK = {"seconds", "seconds_per_step", "newton_iterations", "evaluations", "rejected_substeps", "member_steps", "code",
        "json"}


def numbers(path):
    """All data sets and attributes of a result file but for the work it took."""
    found = {}

    def names(references):
        """What references lead to: they are places in the file, which differ."""
        return np.array([file[one[0]].name for one in references], dtype=object)

    def visit(name, item):
        for key, value in item.attrs.items():
            if key in ("DIMENSION_LIST", "REFERENCE_LIST"):
                found[name + "@" + key] = names(value)
            elif key not in WORK:
                found[name + "@" + key] = np.asarray(value)
        if isinstance(item, h5py.Dataset) and name not in WORK:
            found[name] = np.asarray(item[()])

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
        self.good(*arguments, **{"log": log, "does": "kill", "only": "r.h5", **faults})
        return log.read_text().split()

    def left_over(self):
        return [path.name for path in pathlib.Path(self.directory).iterdir() if path.name.startswith(".")]

    def fresh(self, older, name="r.h5"):
        """The directory as before a run: an older result, and nothing hidden."""
        for hidden in self.left_over():
            (self.directory / hidden).unlink()
        shutil.copy(older, self.directory / name)


STUDY = """
problem = "pendulum-cvt"
[initial]
name = "rotating"
[run]
step = 0.1
steps = 2
[[diagnostic]]
kind = "section"
of = "sin(xi)"
[[method]]
name = "dla"
"""
# Two steps: of more, how many come to the file at once depends on the time that they take.
ENSEMBLE = """
problem = "chaotic"
[ensemble]
size = 3
seed = 1
energy = 3.0
[run]
step = 0.1
steps = 2
[[method]]
name = "dla"
"""
# The command, and how many flushes bring no record: the outcomes of runs, their table, and the end.
CASES = {"run": (STUDY, 4), "ensemble": (ENSEMBLE, 2)}


def prepare(faults, command, resumed):
    """The study, the older result at r.h5, the result without a fault, and the words that make it."""
    text, idle = CASES[command]
    (faults.directory / "study.toml").write_text(text)
    if resumed:
        faults.good(command, "study.toml", "--set", "run.steps=1", "--out", "older.h5")
        words = ("resume", "r.h5", "--until", "0.2")
    else:
        faults.good("run", "pendulum-cvt", "--method", "leapfrog", "--step", "0.1", "--until", "1", "--out", "older.h5")
        words = (command, "study.toml", "--out", "r.h5")
    faults.good(command, "study.toml", "--out", "whole.h5")
    faults.fresh(faults.directory / "older.h5")
    return words, idle


@pytest.fixture
def faults(tmp_path):
    assert LIBRARY, "DALEMBERT_FAULT_LIBRARY names no library"
    return Faults(tmp_path)
