"""`python -m dalembert` is the program: the same words, output, exit codes and signals."""
import json
import os
import signal
import subprocess
import sys
import time

import pytest

PROGRAM = os.environ["DALEMBERT_PROGRAM"]
AS_MODULE = [sys.executable, "-m", "dalembert"]


def call(command, *words, **others):
    return subprocess.run([*command, *words], capture_output=True, text=True, timeout=120, **others)


@pytest.mark.parametrize("words", [["--version"], ["list"], ["describe", "dla01"], ["run", "first-run", "--set", "run.until=-1"], ["fly"], []])
def test_words_are_answered_as_by_the_program(words):
    module, program = call(AS_MODULE, *words), call([PROGRAM], *words)
    assert (module.returncode, module.stdout, module.stderr) == (program.returncode, program.stdout, program.stderr)


def test_results_are_those_of_the_program(tmp_path):
    finals = []
    for command in (AS_MODULE, [PROGRAM]):
        done = call(command, "run", "rolling-coin", "--method", "gauss,dla01", "--step", "0.05", "--until", "3", "--json", "run.json", "--out", "run.h5",
                    "--force", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        finals.append([run["final"] for run in json.loads((tmp_path / "run.json").read_text())["runs"]])
    assert finals[0] == finals[1]


def test_a_closed_pipe_ends_it_without_a_word():
    endings = []
    for command in (AS_MODULE, [PROGRAM]):
        process = subprocess.Popen([*command, "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stdout.close()
        endings.append((process.stderr.read(), process.wait(60)))
    assert endings[0] == endings[1] and endings[0][0] == ""


def test_an_interrupt_ends_a_run_and_leaves_its_results(tmp_path):
    words = ["run", "rolling-coin", "--method", "gauss", "--step", "0.001", "--until", "1e6", "--out", "run.h5"]
    process = subprocess.Popen([*AS_MODULE, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "run.h5").exists():
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130 and "Traceback" not in said
    kept = call([PROGRAM], "export", "run.h5", "--json", "run.json", cwd=tmp_path)
    assert kept.returncode == 0, kept.stderr
    assert json.loads((tmp_path / "run.json").read_text())["runs"][0]["steps"] > 0
