"""Ctrl-C and kill leave readable files."""

import json
import os
import signal
import subprocess
import time

import h5py
import pytest

from conftest import PROGRAM, wait_for_rows

pytestmark = pytest.mark.proof

# Longer than two signals are one.
PATIENCE = 1.1


def start(program, study, *arguments, before=(), **environment):
    return subprocess.Popen([*before, PROGRAM, "run", study, "--set", "run.steps=1000000000", "--set", "run.record_every=100",
                             *arguments], cwd=program.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env={**os.environ, **environment})


def wait_for(path):
    while not path.exists():
        time.sleep(0.01)


def check_whole(program):
    """Nothing since the last flush is lost: the table of results and the file agree."""
    steps = json.loads((program.directory / "r.json").read_text())["runs"][0]["steps"]
    with h5py.File(program.directory / "r.h5") as file:
        assert file["runs/0001/state"].attrs["steps"] == steps > 0
        assert file["runs/0001/t"].shape[0] == steps // 100 + 1


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupt_keeps_data_and_names_resume(program, study, kind):
    process = start(program, study, "--out", "result.h5", "--json", "result.json")
    wait_for_rows(program.directory / "result.h5")
    process.send_signal(kind)
    _, complaint = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "dalembert resume result.h5" in complaint
    run = json.loads((program.directory / "result.json").read_text())["runs"][0]
    assert run["status"] == "interrupted" and run["steps"] > 0
    with h5py.File(program.directory / "result.h5") as file:
        group = file["runs/0001"]
        assert group["t"].shape[0] == run["steps"] // 100 + 1
        assert group["state"].attrs["steps"] == run["steps"]


def test_kill_leaves_a_readable_file_that_can_go_on(program, study):
    process = start(program, study, "--out", "result.h5")
    wait_for_rows(program.directory / "result.h5")
    process.kill()
    process.communicate()
    with h5py.File(program.directory / "result.h5") as file:
        rows = file["runs/0001/t"].shape[0]
        assert rows > 0 and file["runs/0001"].attrs["status"] == "interrupted"
        until = file["runs/0001/t"][-1] + 10.0
    program.good("resume", "result.h5", "--until", until)
    with h5py.File(program.directory / "result.h5") as file:
        assert file["runs/0001"].attrs["status"] == "ok"
        assert abs(file["runs/0001/t"][-1] - until) < 0.1
        assert file["runs/0002"].attrs["status"] == "ok"


# Each try is a race between the second signal and what the first one began.
TRIES = 8


@pytest.mark.parametrize("kinds", [(signal.SIGTERM, signal.SIGTERM), (signal.SIGINT, signal.SIGINT), (signal.SIGTERM, signal.SIGHUP)])
def test_signals_that_come_together_are_one(program, study, kinds):
    for _ in range(TRIES):
        (program.directory / "r.h5").unlink(missing_ok=True)
        process = start(program, study, "--out", "r.h5", "--json", "r.json", DALEMBERT_FLUSH_SECONDS="0.05")
        wait_for(program.directory / "r.h5")
        for kind in kinds:
            process.send_signal(kind)
            time.sleep(0.002)  # so that it is not merged with the next one
        _, complaint = process.communicate(timeout=30)
        assert process.returncode == 130, complaint
        check_whole(program)


def test_timeout_loses_nothing(program, study):
    """It sends one signal to the program and one to its group, within a millisecond."""
    for _ in range(TRIES):
        process = start(program, study, "--out", "r.h5", "--json", "r.json", before=("timeout", "--preserve-status", "0.25"),
                        DALEMBERT_FLUSH_SECONDS="0.05")
        _, complaint = process.communicate(timeout=30)
        assert process.returncode == 130, complaint
        check_whole(program)


def test_a_signal_that_comes_later_ends_the_program(program, study):
    """Here while it waits for somebody to read its results from a pipe."""
    os.mkfifo(program.directory / "pipe")
    process = start(program, study, "--json", "pipe")
    time.sleep(0.5)
    process.send_signal(signal.SIGTERM)
    time.sleep(PATIENCE)
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == -signal.SIGTERM
    process.communicate()
