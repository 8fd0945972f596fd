"""Ctrl-C and kill leave readable files."""

import json
import signal
import subprocess

import h5py
import pytest

from conftest import PROGRAM, wait_for_rows


def start(program, study, *arguments):
    return subprocess.Popen([PROGRAM, "run", study, "--set", "run.steps=1000000000", "--set", "run.record_every=100",
                             *arguments], cwd=program.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


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
