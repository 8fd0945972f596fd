"""What happens where a file may not grow: one sentence, exit code 4, no signal, and older files stay."""

import os
import resource
import subprocess
import time

import pytest

from conftest import PROGRAM

pytestmark = pytest.mark.proof

LONG = ("run", "pendulum-cvt", "--method", "dla01", "--step", "0.1", "--until", "20000")


def limited(size):
    """Files of the program may not grow beyond a number of bytes: a full disk without one."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("output", [("--out", "r.h5"), ("--csv", "tables"), ("--plot", "p.svg"), ("--plot", "p.png"),
                                    ("--plot", "p.pdf")])
def test_a_file_that_may_not_grow_is_an_error_of_output(program, output):
    result = program.run(*LONG, *output, preexec_fn=limited(8192))
    assert result.returncode == 4, (result.returncode, result.stderr)
    lines = [line for line in result.stderr.splitlines() if line.startswith("dalembert: ")]
    assert len(lines) == 1 and "cannot write" in lines[0], result.stderr


def test_hdf5_itself_says_nothing(program):
    """Also where more rows than fit into memory cannot be written, so that its copy is closed while it cannot be."""
    result = program.run(*LONG, "--set", "run.record_every=1", "--set", "run.until=100000", "--out", "r.h5", "--quiet",
                         preexec_fn=limited(1 << 20), env={**os.environ, "DALEMBERT_FLUSH_SECONDS": "100"})
    assert result.returncode == 4
    assert len(result.stderr.splitlines()) == 1 and 'cannot write "r.h5"' in result.stderr, result.stderr
    assert list(program.directory.iterdir()) == []


PENDULUM = ("pendulum-cvt", "--method", "dla", "--step", "0.1", "--until", "1")
COMMANDS = ("list", "describe", "run", "ensemble", "order", "reproduce", "modified", "audit", "resume", "export", "plot", "completion")
PRINTED = [("--help",), ("--version",), *((command, "--help") for command in COMMANDS), ("list",), ("describe", "pendulum-cvt"),
           ("describe", "dla"), ("describe", "dla", "--latex"), ("describe", "dla", "--html"), ("export", "pendulum-cvt", "--sympy"),
           ("export", "pendulum-cvt", "--latex"), ("run", *PENDULUM), ("run", *PENDULUM, "--json", "-"), ("order", *PENDULUM),
           ("completion", "bash"), ("completion", "words", "--", "run"), ("resume", "r.h5"),
           ("audit", "dla", "--problem", "particle-free")]


def test_what_cannot_be_printed_is_an_error_of_output(program):
    program.good("run", *PENDULUM, "--out", "r.h5")
    for words in PRINTED:
        with open("/dev/full", "w") as full:
            result = subprocess.run([PROGRAM, *words], cwd=program.directory, stdout=full, stderr=subprocess.PIPE, text=True)
        assert result.returncode == 4, (words, result)
        complaints = [line for line in result.stderr.splitlines() if line.startswith("dalembert: ")]
        assert complaints == ["dalembert: cannot write to standard output: No space left on device"], (words, result.stderr)


def test_what_a_killed_run_left_of_an_output_is_removed_by_the_next(program):
    process = subprocess.Popen([PROGRAM, "run", *PENDULUM[:-1], "1e9", "--json", "r.json", "--out", "r.h5"], cwd=program.directory)
    while not list(program.directory.glob(".r.h5*")):
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert list(program.directory.glob("*partial*"))
    program.good("run", *PENDULUM, "--json", "r.json", "--out", "r.h5")
    assert sorted(path.name for path in program.directory.iterdir()) == ["r.h5", "r.json"]


@pytest.mark.parametrize("name", ["p.svg", "p.png", "r.json"])
def test_an_older_file_stays_where_a_new_one_cannot_be_written(program, name):
    option = "--json" if name.endswith("json") else "--plot"
    program.good(*LONG, option, name)
    older = (program.directory / name).read_bytes()
    result = program.run(*LONG, "--method", "leapfrog", option, name, preexec_fn=limited(1024))
    assert result.returncode == 4
    assert (program.directory / name).read_bytes() == older
    assert not [path for path in program.directory.iterdir() if "partial" in path.name]
