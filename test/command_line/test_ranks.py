"""Ensembles of many processes, started by mpirun: the bits of one process, whatever their number, and after what may happen to them."""

import os
import pathlib
import shutil
import signal
import subprocess
import time

import h5py
import pytest

from conftest import PROGRAM, flushed_rows
from test_ensembles import CLIFF, STUDY
from test_events import MEMBERS
from test_parts import check_same, study

# As root, on fewer processors than ranks, within this machine.
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "OMPI_MCA_btl": "self,vader", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
               "OMPI_MCA_hwloc_base_binding_policy": "none"}


def command(count, *arguments):
    return ["mpirun", "-np", str(count), PROGRAM, *map(str, arguments)]


def on_ranks(program, count, *arguments):
    return subprocess.run(command(count, *arguments), cwd=program.directory, capture_output=True, text=True, timeout=120,
                          env=os.environ | ENVIRONMENT)


def good(program, count, *arguments):
    result = on_ranks(program, count, *arguments)
    assert result.returncode == 0, result.stdout + result.stderr
    return result


def sentences(result):
    return [line for line in result.stderr.splitlines() if line.startswith("dalembert: ")]


@pytest.fixture
def ensemble(program):
    return program.write("ensemble.toml", study())


@pytest.mark.parametrize("until", ["30.0", "7.25"])  # at a node, and between two
def test_any_number_of_ranks_writes_the_file_of_one_process(program, ensemble, until):
    words = (ensemble, "--until", until)
    table = program.good("ensemble", *words, "--out", "whole.h5").stdout
    for count in (1, 2, 3):
        result = good(program, count, "ensemble", *words, "--out", f"{count}.h5", "--threads", count)
        check_same(program, "whole.h5", f"{count}.h5")
        assert len(result.stdout.splitlines()) == len(table.splitlines())  # of one rank
    run = good(program, 2, "run", *words, "--json", "run.json")
    assert len(run.stdout.splitlines()) == len(table.splitlines())


def test_records_at_given_times_and_starts_that_fail(program):
    level = CLIFF.replace("[ensemble.random]", "energy = 0.2\nattempts = 1\n[ensemble.random]").replace("\nv = [0]", "")
    for name, text in (("cliff", CLIFF), ("level", level)):
        words = ("ensemble", program.write(f"{name}.toml", text), "--at", "0.25,1.11,5.55,19.99")
        whole = program.refuses(3, *words, "--out", f"{name}.h5")
        result = on_ranks(program, 3, *words, "--out", f"{name}-3.h5")
        assert result.returncode == 3 and sentences(result) == [whole]
        check_same(program, f"{name}.h5", f"{name}-3.h5")


def test_members_that_events_end_are_those_of_one_process(program):
    words = ("ensemble", program.write("members.toml", MEMBERS))
    program.good(*words, "--out", "whole.h5")
    good(program, 3, *words, "--out", "three.h5")
    check_same(program, "whole.h5", "three.h5")


def test_ranks_go_on_from_whatever_there_is(program, ensemble):
    program.good("ensemble", ensemble, "--until", 50, "--out", "whole.h5")
    good(program, 3, "ensemble", ensemble, "--until", 13.05, "--out", "some.h5")
    good(program, 2, "resume", "some.h5", "--until", 20.3)
    program.good("resume", "some.h5", "--until", 30)
    good(program, 3, "resume", "some.h5", "--until", 50, "--json", "some.json")
    check_same(program, "whole.h5", "some.h5", without=("0001 member_steps", "0002 member_steps", "0002 newton_iterations"))  # shorter steps were work, too
    assert (program.directory / "some.json").stat().st_size > 0


LONG = ("--set", "run.record_every=400", "--set", 'method=[{name="dla01"}]')


def started(program, count, *words):
    process = subprocess.Popen(command(count, *words), cwd=program.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, env=os.environ | ENVIRONMENT | {"DALEMBERT_FLUSH_SECONDS": "0"})
    for _ in range(600):
        if flushed_rows(program.directory / "e.h5") > 1:
            return process
        time.sleep(0.1)
    raise AssertionError("no records were written")


def ranks_of(process):
    """The processes of the program that belong to an mpirun."""
    task = pathlib.Path(f"/proc/{process.pid}/task")
    children = [child for thread in task.iterdir() for child in (thread / "children").read_text().split()]
    return sorted(int(child) for child in children if "dalembert" in pathlib.Path(f"/proc/{child}/comm").read_text())


@pytest.mark.parametrize("which", ["first", "last", "interrupt"])
def test_a_rank_that_dies_ends_the_run_and_leaves_a_file_that_goes_on(program, ensemble, which):
    process = started(program, 3, "ensemble", ensemble, *LONG, "--set", "run.steps=1000000000", "--out", "e.h5")
    ranks = ranks_of(process)
    assert len(ranks) == 3
    if which == "interrupt":
        process.send_signal(signal.SIGINT)
    else:
        os.kill(ranks[0 if which == "first" else -1], signal.SIGKILL)
    _, complaint = process.communicate(timeout=60)
    assert process.returncode != 0 and complaint
    with h5py.File(program.directory / "e.h5") as file:
        assert file["runs/0001"].attrs["status"] == "interrupted"
        t = float(file["runs/0001/t"][-1])
        assert t > 0
    end = round(t, 6) + 40
    good(program, 2, "resume", "e.h5", "--until", end)
    program.good("ensemble", ensemble, *LONG, "--until", end, "--out", "whole.h5")
    check_same(program, "whole.h5", "e.h5", without=("0001 member_steps",))


def test_mistakes_are_told_once(program, ensemble):
    for words, parts in {
        ("ensemble", ensemble, "--step", "-1"): ["step"],
        ("ensemble", ensemble, "--instruction-set", "v9"): ["v9"],
        ("ensemble", ensemble, "--part", "1/2"): ["part of an ensemble", "one process"],
        ("ensemble", ensemble, "--members", "10"): ["10 members make at most 1 part of 16 members"],
        ("ensemble", ensemble, "--out", "nowhere/e.h5"): ["nowhere/e.h5"],
        ("resume", "nowhere.h5"): ["nowhere.h5"],
    }.items():
        result = on_ranks(program, 2, *words)
        assert result.returncode in (2, 4), result
        said = sentences(result)
        assert len(said) == 1 and all(part in said[0] for part in parts), result.stderr
    program.good("run", program.write("study.toml", STUDY), "--out", "runs.h5")
    assert "without mpirun" in on_ranks(program, 2, "run", "study.toml", "--out", "other.h5").stderr
    assert "without mpirun" in on_ranks(program, 2, "resume", "runs.h5").stderr


def test_a_program_without_the_module_says_so(program, ensemble):
    """Where it lies elsewhere; processes that know nothing of each other would write the same file."""
    copy = program.directory / "bin" / "dalembert"
    copy.parent.mkdir()
    shutil.copy(PROGRAM, copy)
    result = subprocess.run([copy, "ensemble", ensemble, "--out", "e.h5"], cwd=program.directory, capture_output=True, text=True,
                            env=os.environ | {"OMPI_COMM_WORLD_SIZE": "2"})
    assert result.returncode == 4 and "MPI cannot be loaded" in result.stderr and not (program.directory / "e.h5").exists()


def test_processes_that_were_started_differently_are_refused(program, ensemble):
    """Another seed: without a look at it the parts of two ensembles would be put together as one."""
    other = program.write("other.toml", study().replace("seed = ", "seed = 1"))
    words = ["mpirun", "-np", "1", PROGRAM, "ensemble", ensemble, "--out", "r.h5", ":", "-np", "1", PROGRAM, "ensemble", other, "--out", "r.h5"]
    done = subprocess.run(words, cwd=program.directory, capture_output=True, text=True, timeout=120, env=os.environ | ENVIRONMENT)
    assert done.returncode == 2, done.stderr
    [sentence] = sentences(done)
    assert "process 1 of mpirun was started with another version of dalembert, or another study, than process 0" in sentence
    assert not (program.directory / "r.h5").exists()
