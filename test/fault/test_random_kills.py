"""Kills at random moments of runs that flush often."""

import os
import random
import signal
import subprocess
import time

import pytest

from conftest import PROGRAM, numbers, records, same

STUDY = """
problem = "pendulum-cvt"
[initial]
name = "rotating"
[run]
step = 0.1
steps = 1500000
record_every = 20
[[method]]
name = "dla"
[[method]]
name = "leapfrog"
"""
ENSEMBLE = """
problem = "chaotic"
[ensemble]
size = 20
seed = 1
energy = 3.0
[run]
step = 0.1
steps = 100000
record_every = 20
[[method]]
name = "dla"
"""
KILLS = int(os.environ.get("DALEMBERT_FAULT_KILLS", "20"))


@pytest.mark.parametrize("command, text", [("run", STUDY), ("ensemble", ENSEMBLE)], ids=["run", "ensemble"])
def test_killed_at_random_moments(faults, command, text):
    (faults.directory / "study.toml").write_text(text)
    begin = time.monotonic()
    faults.good(command, "study.toml", "--out", "whole.h5", flush=0.02)
    seconds = time.monotonic() - begin
    whole, path = numbers(faults.directory / "whole.h5"), faults.directory / "r.h5"
    chance, resumed = random.Random(1), 0
    for kill in range(KILLS // 2):
        path.unlink(missing_ok=True)
        process = subprocess.Popen([PROGRAM, command, "study.toml", "--out", "r.h5"], cwd=faults.directory,
                                   env=dict(os.environ, DALEMBERT_FLUSH_SECONDS="0.02"), stdout=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.0, 0.9) * seconds)
        process.send_signal(signal.SIGKILL)
        assert process.wait() in (-signal.SIGKILL, 0), kill  # what the one before left is not in its way
        if not path.exists():  # before its first flush
            continue
        assert records(path) > 0, kill
        faults.good("resume", "r.h5", flush=0.02)
        assert not same(numbers(path), whole), kill
        assert not faults.left_over(), kill
        resumed += 1
    print(f"{command}: {resumed} of {KILLS // 2} killed runs had flushed, all went on to the same bits")
    assert resumed > 0
