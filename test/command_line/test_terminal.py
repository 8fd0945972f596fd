"""What is said on the way: --quiet, --verbose, widths of terminals, interrupts of `order`, completion, the manual."""

import fcntl
import itertools
import json
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time
from pathlib import Path

import h5py
import pytest
from conftest import PROGRAM

ROOT = Path(__file__).resolve().parents[2]
QUICK = ("knife-edge", "--method", "dla", "--step", "0.1", "--until", "1")


def test_quiet_says_nothing_and_keeps_errors(program, study):
    result = program.good("run", *QUICK, "--quiet", "--out", "result.h5")
    assert result.stdout == "" and result.stderr == ""
    assert program.good("resume", "result.h5", "--until", "2", "--quiet").stdout == ""
    assert program.good("order", *QUICK[:3], "--runs", "3", "--quiet").stdout == ""
    assert program.json("run", study, "--quiet")["runs"]
    assert "no method" in program.refuses(2, "run", *QUICK, "--method", "nothing", "--quiet")
    assert "--verbose" in program.refuses(2, "run", *QUICK, "--quiet", "--verbose")


def statistics_of(result):
    """The table of --verbose, a dictionary for each run."""
    lines = result.stderr.splitlines()
    first = next(i for i, line in enumerate(lines) if "evaluations  iterations  rejected" in line)
    names = re.split(r"  +", lines[first])
    rows = itertools.takewhile(lambda line: not line.startswith("evaluations:"), lines[first + 1:])
    return [dict(zip(names, re.split(r"  +", row))) for row in rows]


def test_verbose_counts_what_a_method_that_divides_its_steps_rejects(program):
    run = ("henon-heiles", "--method", "fehlberg-78", "--step", "5", "--until", "50")
    result = program.good("run", *run, "--verbose", "--json", "a.json")
    [row] = statistics_of(result)
    [work] = [made["work"] for made in json.loads((program.directory / "a.json").read_text())["runs"]]
    # A step of 5 is too long for a tolerance of 1e-12: its first substep is rejected, and several follow.
    assert int(row["rejected"]) >= 10 and row["iterations"] == "-"
    assert int(row["evaluations"]) >= int(row["rejected"]) + 2 * 10
    assert work["rejected_substeps"] == int(row["rejected"]) and work["evaluations"] == int(row["evaluations"])
    # Nothing is remembered from step to step, so that a run in two parts rejects the same.
    program.good("run", *run[:-1], "25", "--out", "a.h5")
    program.good("resume", "a.h5", "--until", "50")
    with h5py.File(program.directory / "a.h5") as file:
        attributes = file["runs/0001"].attrs
        assert attributes["rejected_substeps"] == work["rejected_substeps"] and attributes["evaluations"] == work["evaluations"]


def test_verbose_says_what_is_done(program):
    result = program.good("run", *QUICK, "--verbose")
    for word in ("system knife-edge: coordinates x1, x2, xi; 1 constraints on velocities", "method dla: a step of",
                 "instructions", "q = (", "compiled in"):
        assert word in result.stderr, word
    assert "system" not in result.stdout
    [row] = statistics_of(result)
    assert row["steps"] == "10" and row["to t"] == "1" and row["rejected"] == "-" and row["status"] == "ok"
    assert row["iterations"] == "0" and row["evaluations"] == "10"  # no equation of this step is nonlinear
    [row] = statistics_of(program.good("run", "pendulum-cvt", "--method", "gauss", "--start", "rotating", *QUICK[3:], "--verbose"))
    # The iteration of an implicit step needs one pass at least.
    assert int(row["iterations"]) >= 10 and int(row["evaluations"]) == 10 + int(row["iterations"])
    result = program.good("order", *QUICK[:3], "--runs", "3", "--verbose")
    for word in ("method dla: a step of", "dla: 3 steps from 0.1 to 0.025 until t = 2", "orders measured in"):
        assert word in result.stderr, word
    result = program.good("audit", "dla", "--problem", "knife-edge", "--verbose")
    for word in ("dla on knife-edge", "properties measured", "drifts measured", "audited in"):
        assert word in result.stderr, word
    result = program.good("reproduce", "modin-verdier-2020/figure-4", "--quick", "--verbose", "--out", "pages")
    assert "modin-verdier-2020/figure-4: " in result.stderr and "verdicts as recorded" in result.stderr


def on_terminal(columns, *arguments):
    """What the program prints on a terminal of that width."""
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([PROGRAM, *arguments], stdout=side, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    os.close(side)
    text = b""
    while True:
        try:
            piece = os.read(main, 65536)
        except OSError:
            break
        if not piece:
            break
        text += piece
    os.close(main)
    assert process.wait() == 0
    return text.decode().replace("\r\n", "\n").splitlines()


def test_lines_fit_the_terminal_and_files_get_everything(program):
    for columns in (60, 80, 120):
        for command in (["list", "problems"], ["run", *QUICK]):
            assert max(map(len, on_terminal(columns, *command))) <= columns, (columns, command)
    piped = program.good("list", "problems").stdout
    assert "..." not in piped and max(map(len, piped.splitlines())) > 120
    # A table without room for all columns goes on below, with the names of its rows.
    narrow = [line for line in on_terminal(60, "run", *QUICK) if line.startswith("run ")]
    assert len(narrow) > 1 and all("method" in line for line in narrow)


def test_order_takes_an_interrupt(program):
    process = subprocess.Popen([PROGRAM, "order", "pendulum-cvt", "--method", "lobatto(stages=4)", "--until", "500"],
                               cwd=program.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert process.returncode == 130 and out == ""
    assert len(error.splitlines()) == 1 and "interrupted" in error


def test_a_result_is_not_taken_back(program):
    program.good("run", *QUICK, "--out", "result.h5")
    sentence = program.refuses(2, "resume", "result.h5", "--until", "0.5")
    assert "0.5" in sentence and "t = 1" in sentence


def completed_by_bash(*words):
    """What bash makes of a line whose last word is being written."""
    script = ('source <("$1" completion bash); shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dalembert; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    result = subprocess.run(["bash", "-c", script, "bash", PROGRAM, PROGRAM, *words], capture_output=True, text=True,
                            check=True)
    return result.stdout.split()


def completed_by_zsh(*words):
    """The same in zsh, whose own functions of completion work on terminals only."""
    script = ('compdef() {}; _files() {}; compadd() { shift; print -l -- "$@" }; source <("$1" completion zsh); shift; '
              'words=("$@"); CURRENT=$#; _dalembert')
    result = subprocess.run(["zsh", "-fc", script, "zsh", PROGRAM, PROGRAM, *words], capture_output=True, text=True,
                            check=True)
    assert result.stderr == ""
    return [word for word in result.stdout.split() if word.startswith(words[-1])]


def completed_by_fish(*words):
    """The same in fish, without the descriptions and the names of files that it adds."""
    script = '$argv[1] completion fish | source; complete -C "$argv[2]"'
    folder = Path(PROGRAM).parent
    with tempfile.TemporaryDirectory() as empty:
        result = subprocess.run(["fish", "--no-config", "-c", script, PROGRAM, " ".join(["dalembert", *words])],
                                check=True, capture_output=True, text=True, cwd=empty,
                                env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
    return [line.split("\t")[0] for line in result.stdout.splitlines() if not line.endswith("/")]


@pytest.mark.parametrize("shell, completed", [
    ("bash", completed_by_bash), ("zsh", completed_by_zsh), ("fish", completed_by_fish)])
@pytest.mark.parametrize("words, found", [
    (["re"], {"reduce", "reproduce", "resume"}),
    (["run", "--meth"], {"--method"}),
    (["run", "knife-edge", "--method", "lob"], {"lobatto"}),
    (["run", "knife-edge-"], {"knife-edge-prescribed"}),
    (["run", "modin-verdier-2020/figure-6"], {"modin-verdier-2020/figure-6"}),
    (["run", "pendulum-cvt", "--start", "rot"], {"rotating"}),
    (["describe", "reduced"], {"reduced-gradient"}),
    (["audit", "dla0"], {"dla01"}),
    (["list", "st"], {"studies"}),
    (["plot", "result.h5", "--log", ""], {"x", "y", "xy"}),
    (["run", "study.toml", "--out", "a"], set()),
])
def test_shells_complete(shell, completed, words, found):
    if shutil.which(shell) is None:
        pytest.skip("needs " + shell)
    assert set(completed(*words)) == found


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_installed_script_is_the_one_of_the_program(program, shell):
    assert (ROOT / "doc" / "completion" / f"dalembert.{shell}").read_text() == program.good("completion", shell).stdout


def test_the_manual_has_every_command_and_option():
    subprocess.run([ROOT / "tool" / "write_manual", "--check", PROGRAM], check=True)


def test_planning_that_takes_long_says_where_it_is(program):
    """Four steps of some hundred thousand operations each: more than the second after which the line comes, on any machine."""
    program.write("problem.toml", """
name = "long-sum"
description = "A particle in a field of many waves."
source = "none"
coordinates = ["x"]
[lagrangian]
kinetic = "x_dot^2/2"
potential = "sum(i, 1, 5000, sin(i*x)/i^4)"
[initial.here]
q = [0.1]
v = [0]
""")
    methods = "".join(f'[[method]]\nname = "gauss"\nstages = {stages}\nlabel = "G{stages}-{copy}"\n' for stages in (4, 5) for copy in range(2))
    program.write("study.toml", 'problem = "problem.toml"\n[run]\nstep = 0.1\nsteps = 1\n' + methods)
    main, side = pty.openpty()
    process = subprocess.Popen([PROGRAM, "run", "study.toml"], cwd=program.directory, stdout=subprocess.DEVNULL, stderr=side,
                               stdin=subprocess.DEVNULL)
    os.close(side)
    text = b""
    while True:
        try:
            text += os.read(main, 65536)
        except OSError:
            break
    os.close(main)
    assert process.wait() in (0, 3)
    assert re.search(rb"\r\x1b\[Kplanning run \d+ of 4: G\d-\d on long-sum\r\x1b\[K", text), text[-2000:]


LARGE = """
name = "large"
description = "Much work in few words."
source = "none"
coordinates = [COORDINATES]
[lagrangian]
kinetic = "KINETIC"
potential = "POTENTIAL"
[initial.here]
q = ["each(i, 1, SIZE, 0.1)"]
v = ["each(i, 1, SIZE, 0)"]
"""
COUPLED = "sum(i, 1, 180, w_dot[i]^2) + sum(i, 1, 180, sum(j, 1, 180, cos(w[i] - w[j])*w_dot[i]*w_dot[j]))"
# Each takes seconds, in several stages: the words in the place of those above.
WORK = {"nested sums": ('"x"', "x_dot^2/2", "sum(i, 1, 300, sum(j, 1, 300, sin(i*j*x)))", "1"),
        "coupled coordinates": ('"w[1..180]"', COUPLED, "0", "180")}


def says_on_the_way(directory, pattern, *arguments):
    """Whether the program says something like that on a terminal; it is killed then."""
    main, side = pty.openpty()
    process = subprocess.Popen([PROGRAM, *arguments], stdout=side, stderr=side, stdin=subprocess.DEVNULL, cwd=directory)
    os.close(side)
    text = ""
    while not re.search(pattern, text):
        try:
            text += os.read(main, 65536).decode()
        except OSError:
            break
    process.kill()
    process.wait()
    os.close(main)
    return bool(re.search(pattern, text))


@pytest.mark.parametrize("work", WORK)
def test_work_before_the_first_step_says_what_it_is(program, work):
    text = LARGE
    for name, value in zip(("COORDINATES", "KINETIC", "POTENTIAL", "SIZE"), WORK[work]):
        text = text.replace(name, value)
    program.write("large.toml", text)
    assert says_on_the_way(program.directory, r"\r\x1b\[K(reading \./large\.toml|deriving equations of large)", "describe", "./large.toml")
    assert says_on_the_way(program.directory, r"\r\x1b\[Kplanning run(s of large| 1 of 1: dla on large)", "run", "./large.toml", "--method", "dla",
                           "--step", "0.1", "--until", "1")
