"""Runs the program as a user does. Its path is in DALEMBERT_PROGRAM."""

import json
import os
import shutil
import subprocess
import time

import h5py
import pytest

PROGRAM = os.environ.get("DALEMBERT_PROGRAM", "dalembert")


def pytest_configure(config):
    config.addinivalue_line("markers", "proof: also under the sanitizers (tool/check proof): inputs that are wrong, damaged or cut short, and files")
    config.addinivalue_line("markers", "slow: not under the sanitizers, where it takes a minute")
    config.addinivalue_line("markers", "night: with DALEMBERT_NIGHT=1 alone, as in tool/night: ten seconds and more, on the road of a shorter test")


def pytest_collection_modifyitems(config, items):
    if os.environ.get("DALEMBERT_NIGHT"):
        return
    late = [item for item in items if item.get_closest_marker("night")]
    config.hook.pytest_deselected(items=late)
    items[:] = [item for item in items if item not in late]


STUDY = """
title = "Two methods"
problem = "pendulum-cvt"
[initial]
name = "rotating"
[run]
step = 0.1
steps = 50
[[method]]
name = "dla"
alpha = 0.4
[[method]]
name = "leapfrog"
label = "LF"
"""

# A particle on a circle, by a constraint on positions.
PENDULUM = """
coordinates = ["x", "y"]
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2)/2"
potential = "y"
[constraints]
holonomic = ["x^2 + y^2 - 1"]
[initial.start]
q = [1, 0]
v = [0, 0]
"""


class Program:
    """The program in a directory of its own."""

    def __init__(self, directory):
        self.directory = directory

    def write(self, name, text):
        (self.directory / name).write_text(text)
        return name

    def run(self, *arguments, **options):
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.directory, capture_output=True, text=True,
                              timeout=120, **options)

    def good(self, *arguments):
        result = self.run(*arguments)
        assert result.returncode == 0, result.stderr
        return result

    def json(self, *arguments):
        return json.loads(self.good(*arguments, "--json", "-").stdout)

    def refuses(self, code, *arguments):
        """Runs, checks the exit code and that there is one sentence beside warnings; returns the sentence."""
        result = self.run(*arguments)
        assert result.returncode == code, (result.returncode, result.stdout, result.stderr)
        lines = [line for line in result.stderr.splitlines()
                 if line.startswith("dalembert: ") and not line.startswith("dalembert: warning: ")]
        assert len(lines) == 1, result.stderr
        return lines[0]


def flushed_rows(path):
    """The records of the first run that are on the disk, by a copy, since the file itself is in use."""
    copy = path.with_suffix(".copy.h5")
    try:
        shutil.copy(path, copy)
        with h5py.File(copy) as file:
            return file["runs/0001/t"].shape[0]
    except (OSError, KeyError):  # not there yet, or copied in the middle of a flush
        return 0


def wait_for_rows(path, patience=60):
    """Until the first block of records has been flushed."""
    for _ in range(10 * patience):
        if flushed_rows(path) > 0:
            return
        time.sleep(0.1)
    raise AssertionError("no records were written")


@pytest.fixture
def program(tmp_path):
    return Program(tmp_path)


@pytest.fixture
def study(program):
    return program.write("study.toml", STUDY)
