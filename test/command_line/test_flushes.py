"""The file that a run writes: whole at every moment, in its place, in nobody's way."""

import os
import subprocess
import time

import h5py
import numpy as np
import pytest

from conftest import PROGRAM, flushed_rows, wait_for_rows

ENDLESS = ("run", "pendulum-cvt", "--method", "dla", "--step", "0.1", "--until", "1e9", "--set", "run.record_every=10")
SHORT = ("run", "pendulum-cvt", "--method", "dla", "--step", "0.1", "--until", "10", "--out", "r.h5")


@pytest.fixture
def endless(program):
    """A run that goes on and on, with an output as asked for; killed at the end."""
    started = []

    def start(*arguments, **environment):
        started.append(subprocess.Popen([PROGRAM, *ENDLESS, *arguments], cwd=program.directory, env={**os.environ, **environment},
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


def hidden(program):
    return sorted(path.name for path in program.directory.iterdir() if path.name.startswith("."))


def test_the_file_grows_about_once_a_second_and_any_reader_sees_a_whole_one(program, endless):
    path = program.directory / "r.h5"
    endless("--out", "r.h5")
    wait_for_rows(path)
    kept_open = h5py.File(path)  # a reader that stays is neither in the way nor disturbed
    first = kept_open["runs/0001/t"][()]
    rows = [len(first)]
    for _ in range(15):
        time.sleep(0.2)
        with h5py.File(path) as file:
            t, state = file["runs/0001/t"][()], file["runs/0001/state"]
            assert state.attrs["steps"] // 10 + 1 == len(t)
            assert np.array_equal(t, np.arange(len(t)) * 10 * 0.1)
            rows.append(len(t))
    assert len(set(rows)) >= 3 and rows == sorted(rows)
    kept_open["runs/0001/q"].id.refresh()
    assert np.array_equal(kept_open["runs/0001/t"][()], first)
    kept_open.close()


def test_many_flushes_leave_the_file_of_one(program):
    """Also where there are more rows between flushes than are kept in memory."""
    words = ("run", "pendulum-cvt", "--method", "dla", "--method", "leapfrog", "--step", "0.1", "--until", "30000", "--set",
             "run.record_every=1", "--threads", "2", "--out")
    program.good(*words, "one.h5")
    for name, seconds in (("many.h5", "0.01"), ("some.h5", "0.15")):
        result = program.run(*words, name, env={**os.environ, "DALEMBERT_FLUSH_SECONDS": seconds})
        assert result.returncode == 0, result.stderr
        with h5py.File(program.directory / "one.h5") as one, h5py.File(program.directory / name) as many:
            for place in ("t", "q", "v", "lambda", "energy", "constraint", "integrals/driver_energy", "state/q", "state/v_carry"):
                for run in ("runs/0001/", "runs/0002/"):
                    assert one[run + place].shape[0] > 0 and np.array_equal(one[run + place], many[run + place]), (name, place)
    assert not hidden(program)


def test_two_runs_cannot_write_one_file(program, endless):
    endless("--out", "r.h5")
    wait_for_rows(program.directory / "r.h5")
    for words in (SHORT, ("resume", "r.h5")):
        assert 'cannot write "r.h5": another run is writing it' in program.refuses(4, *words)


def test_what_a_killed_run_left_is_removed_and_nothing_else(program, endless):
    process = endless("--out", "r.h5")
    wait_for_rows(program.directory / "r.h5")
    process.kill()
    process.wait()
    assert hidden(program)
    t = flushed_rows(program.directory / "r.h5")
    program.good("resume", "r.h5", "--until", t + 10)
    assert not hidden(program)
    (program.directory / ".r.h5.unfinished").write_text("somebody's notes")
    assert "is in the way" in program.refuses(4, *SHORT)
    assert (program.directory / ".r.h5.unfinished").read_text() == "somebody's notes"
    (program.directory / ".r.h5.unfinished").unlink()
    (program.directory / ".r.h5.lock").write_text("somebody's notes")
    assert "is not empty" in program.refuses(4, *SHORT)
    assert (program.directory / ".r.h5.lock").read_text() == "somebody's notes"


# What is on the disk after a power cut, of what was written without waiting for the disk: any of its blocks, or none.
# And what a kill leaves of a file that was made and not closed: addresses, of which one, at byte 28, ends it early.
LEFT_OVER = {
    "nothing": lambda data: b"",
    "zeros": lambda data: bytes(8192),
    "some bytes": lambda data: data[:5],
    "half of the first part": lambda data: data[:40],
    "the first part": lambda data: data[:100],
    "the first block": lambda data: data[:512],
    "the first page": lambda data: data[:4096],
    "all but the first page": lambda data: bytes(4096) + data[4096:],
    "the first page and zeros": lambda data: data[:4096] + bytes(len(data) - 4096),
    "just made": lambda data: data[:28] + (2048).to_bytes(8, "little") + data[36:48] + bytes(65536 - 48),
    "all": lambda data: data,
}


@pytest.mark.parametrize("name", [".r.h5.unfinished", ".r.h5.unfinished-2"])
def test_what_a_power_cut_left_blocks_no_name(program, name):
    program.good(*SHORT)
    data = (program.directory / "r.h5").read_bytes()
    for left, of in LEFT_OVER.items():
        for words in (SHORT, ("resume", "r.h5", "--until", "10")):
            (program.directory / name).write_bytes(of(data))
            result = program.run(*words)
            assert result.returncode == 0, (left, result.stderr)
            assert not hidden(program), left


def test_a_whole_file_of_somebody_else_is_left_alone(program):
    path = program.directory / ".r.h5.unfinished"
    for version in ("earliest", "latest"):
        with h5py.File(path, "w", libver=version) as file:
            file["notes"] = np.arange(5.0)
        before = path.read_bytes()
        assert "is in the way" in program.refuses(4, *SHORT)
        assert path.read_bytes() == before


def test_an_older_result_stays_until_there_is_more_than_a_beginning(program, endless):
    program.good(*SHORT)
    older = (program.directory / "r.h5").read_bytes()
    process = endless("--out", "r.h5", DALEMBERT_FLUSH_SECONDS="1000")
    time.sleep(0.5)
    assert (program.directory / "r.h5").read_bytes() == older
    process.kill()
    process.wait()
    assert (program.directory / "r.h5").read_bytes() == older
    program.good(*SHORT)


def test_links_are_followed_and_modes_and_other_names_stay(program):
    program.good(*SHORT)
    path, copy = program.directory / "r.h5", program.directory / "copy.h5"
    path.rename(program.directory / "results.h5")
    path.symlink_to("results.h5")
    (program.directory / "results.h5").chmod(0o640)
    os.link(program.directory / "results.h5", copy)
    before = copy.read_bytes()
    program.good("resume", "r.h5", "--until", "30")
    assert path.is_symlink() and (program.directory / "results.h5").stat().st_mode & 0o777 == 0o640
    with h5py.File(path) as file:
        assert file["runs/0001/t"].shape == (301,)
    assert copy.read_bytes() == before
    program.good(*SHORT)
    assert path.is_symlink() and (program.directory / "results.h5").stat().st_mode & 0o777 == 0o640
