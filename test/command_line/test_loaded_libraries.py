"""The program starts without HDF5, which is loaded when a result file is written or read."""

import os
import pathlib
import re

import pytest

from conftest import PROGRAM


def environment(**variables):
    return {**os.environ, **variables}


@pytest.fixture
def without_hdf5(tmp_path):
    """An environment in which a file that is no library stands in the place of HDF5."""
    program = pathlib.Path(PROGRAM)
    parts = [program, *program.parent.glob("../lib*/libdalembert_study.so")]
    names = {name for part in parts for name in re.findall(rb"libhdf5[a-z_]*\.so\.[0-9]+", part.read_bytes())}
    assert len(names) == 1
    folder = tmp_path / "no_library"
    folder.mkdir()
    (folder / names.pop().decode()).write_text("")
    return environment(LD_LIBRARY_PATH=str(folder))


def test_the_program_starts_without_hdf5(program):
    result = program.run("--version", env=environment(LD_TRACE_LOADED_OBJECTS="1"))
    assert "libstdc++" in result.stdout and "hdf5" not in result.stdout and "curl" not in result.stdout


def test_what_needs_no_result_file_runs_without_hdf5(program, study, without_hdf5):
    result = program.run("run", study, "--json", "result.json", "--csv", "tables", env=without_hdf5)
    assert result.returncode == 0, result.stderr


def test_hdf5_that_cannot_be_loaded_is_an_error_of_output(program, study, without_hdf5):
    result = program.run("run", study, "--out", "result.h5", env=without_hdf5)
    assert result.returncode == 4 and result.stdout == ""
    assert result.stderr.startswith('dalembert: cannot write "result.h5": HDF5 cannot be loaded: ') and "too short" in result.stderr
    assert not list(program.directory.glob("*result.h5*"))


def test_a_result_file_cannot_be_read_without_hdf5(program, study, without_hdf5):
    program.good("run", study, "--out", "result.h5")
    result = program.run("resume", "result.h5", env=without_hdf5)
    assert result.returncode == 4 and "HDF5 cannot be loaded: " in result.stderr and result.stderr.count("\n") == 1
