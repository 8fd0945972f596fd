"""Every mistake gives one sentence that names place, key and what is allowed, and the right exit code."""

import json
import os
import re
import stat

import pytest

from conftest import STUDY

pytestmark = pytest.mark.proof

SYSTEM = """
coordinates = ["x", "y", "z"]
[parameters]
a = { default = 1.0, min = 0.0, min_exclusive = true }
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2"
potential = "a*x^2/2"
[constraints]
expressions = ["z_dot - y*x_dot"]
[initial.start]
q = [0, 1, 0]
v = [1, 0.5, 1]
"""
RUN = 'problem = "./system.toml"\n[run]\nstep = 0.1\nsteps = 10\n[[method]]\nname = "dla"\n'


STUDY_MISTAKES = {
    "unknown key": ("step = 0.1", "stp = 0.1", ["study.toml:7", '"run.stp"', 'did you mean "step"']),
    "unknown table": ("[run]", "[runs]\n[run]", ["study.toml:6", '"runs"', 'did you mean "run"']),
    "zero step": ("step = 0.1", "step = 0", ["study.toml:7", "run.step", "> 0"]),
    "negative step": ("step = 0.1", "step = -0.1", ["run.step", "-0.1", "> 0"]),
    "nan step": ("step = 0.1", "step = nan", ["run.step", "nan", "finite"]),
    "infinite step": ("step = 0.1", "step = inf", ["run.step", "finite"]),
    "text for a step": ("step = 0.1", "step = true", ["run.step", "true"]),
    "misspelt step": ("step = 0.1", 'step = "py/10"', ["run.step", "py", "pi"]),
    "no steps": ("steps = 50", "steps = 0", ["run.steps", "[1, 1000000000000]"]),
    "too many steps": ("steps = 50", "until = 1e300", ["run.until", "1e12"]),
    "half a number of steps": ("steps = 50", "steps = 2.5", ["run.steps", "2.5", "whole"]),
    "until and steps": ("steps = 50", "steps = 50\nuntil = 5.0", ['"run"', "until", "steps"]),
    "no end": ("steps = 50", "", ['"run"', "until", "steps"]),
    "unknown method": ('name = "dla"', 'name = "dlaa"', ["study.toml:9", "dlaa", 'did you mean "dla"']),
    "unknown option": ("alpha = 0.4", "alfa = 0.4", ["dla", "alfa", "alpha"]),
    "option out of range": ("alpha = 0.4", "alpha = 1.4", ["alpha", "1.4", "[0, 1]"]),
    "option of the wrong kind": ("alpha = 0.4", 'alpha = "x"', ["alpha", "number"]),
    "unknown problem": ('"pendulum-cvt"', '"pendulum-ctv"', ["study.toml:3", "pendulum-ctv", 'did you mean "pendulum-cvt"']),
    "missing problem file": ('"pendulum-cvt"', '"./nothing.toml"', ["study.toml:3", "nothing.toml", "not exist"]),
    "unknown start": ('"rotating"', '"rotatin"', ["study.toml:5", "rotatin", 'did you mean "rotating"']),
    "unknown parameter": ("[run]", "[parameters]\nepsilom = 1\n[run]", ["epsilom", 'did you mean "epsilon"']),
    "nan parameter": ("[run]", "[parameters]\nepsilon = nan\n[run]", ["parameters.epsilon", "finite"]),
    "unknown size": ("[run]", "[sizes]\nn = 3\n[run]", ["sizes.n", "no"]),
    "wrong size of q": ('name = "rotating"', "q = [1, 1]\nv = [0, 0, 1]", ["study.toml:5", "q", "2 entries", "3", "x1, x2, xi"]),
    "wrong size of v": ('name = "rotating"', "q = [1, 1, 0]\nv = [0, 0, 1, 2]", ["v", "4 entries", "3"]),
    "nan in q": ('name = "rotating"', "q = [1, nan, 0]\nv = [0, 0, 1]", ["initial.q.1", "finite"]),
    "division by zero in q": ('name = "rotating"', 'q = [1, "1/0", 0]\nv = [0, 0, 1]', ["initial.q.1", "division by zero"]),
    "v and p": ('name = "rotating"', "q = [1, 1, 0]\nv = [0, 0, 1]\np = [0, 0, 1]", ["initial.p", "v"]),
    "start off the constraint": ('name = "rotating"', "q = [1, 1, 1]\nv = [1, 0, 1]", ["study.toml:4", "violated by 1", "project"]),
    "ensemble beside a start": ("[run]", "[ensemble]\nsize = 10\n[run]", ["ensemble", "[initial]"]),
    "no method": (STUDY[STUDY.index("[[method]]"):], "", ["[[method]]"]),
    "no run": ("[run]\nstep = 0.1\nsteps = 50\n", "", ['"run"', "missing"]),
    "malformed TOML": ("step = 0.1", "step = = 0.1", ["study.toml:7", "TOML"]),
    "method that does not fit": ('"pendulum-cvt"', '"witness-affine-time"', ["dla", "witness-affine-time", "fit"]),
    "holonomic constraints": ('"pendulum-cvt"', '"spherical-pendulum"', ["dla", "holonomic", "leapfrog", "lobatto"]),
    "unknown plot key": ("[run]", "[plot]\nquantty = 1\n[run]", ["plot.quantty", 'did you mean "quantity"']),
}


@pytest.mark.parametrize("name", STUDY_MISTAKES)
def test_mistakes_in_a_study(program, name):
    old, new, words = STUDY_MISTAKES[name]
    text = STUDY.replace(old, new, 1)
    assert text != STUDY
    if name in ("method that does not fit", "holonomic constraints"):
        text = text.replace('"rotating"', '"generic"')
    sentence = program.refuses(2, "run", program.write("study.toml", text))
    for word in words:
        assert word in sentence, sentence


PROBLEM_MISTAKES = {
    "unknown key": ("potential", "potentiel", ["system.toml:7", '"lagrangian.potentiel"', 'did you mean "potential"']),
    "unknown function": ("a*x^2/2", "a*sinn(x)", ["system.toml:7", "sinn", 'did you mean "sin"']),
    "unknown name": ("a*x^2/2", "b*x^2/2", ["system.toml:7", '"b"']),
    "unbalanced": ("a*x^2/2", "(a*x^2/2", ["system.toml:7", "')'"]),
    "constraint zero": ('"z_dot - y*x_dot"', '"x_dot - x_dot"', ["system.toml:8", "identically zero"]),
    "constraint without velocity": ('"z_dot - y*x_dot"', '"z - y"', ["no velocity"]),
    "too many constraints": ('"z_dot - y*x_dot"', '"x_dot - 1", "y_dot", "z_dot", "x_dot + y_dot"', ["constraints 1, 2, 4", "contradict"]),
    "massless": (" + z_dot^2)", ")", ["z_dot", "singular"]),
    "default out of range": ("default = 1.0", "default = -1.0", ["parameters.a", "-1", "> 0"]),
    "name twice": ('"x", "y", "z"', '"x", "y", "x"', ["used twice"]),
    "bad coordinate": ('"x", "y", "z"', '"x", "y", "2z"', ["coordinates.2", "2z"]),
    "bad array": ('"x", "y", "z"', '"x", "y", "z[3]"', ["coordinates.2", "w[1..n]"]),
    "unknown angle": ("[parameters]", 'angles = ["zz"]\n[parameters]', ["angles", "zz"]),
    "division by zero at the start": ("a*x^2/2", "a/x", ["Lagrangian", "not a finite number"]),
    "no lagrangian": ("[lagrangian]", "[lagrangan]", ["system.toml:5", "lagrangan", 'did you mean "lagrangian"']),
    "frame": ("[initial.start]", '[frame]\nvectors = [["1", "0"]]\n[initial.start]', ["frame.vectors.0", "2 entries", "3"]),
    "frame not linear": ("[initial.start]", '[frame]\nvectors = ["x_dot^2"]\n[initial.start]', ["frame.vectors", "linear"]),
    "reversal": ("[initial.start]", "[reversal]\nsigns = [1, 2, 1]\n[initial.start]", ["reversal.signs.1", "1 or -1"]),
    "force": ("[initial.start]", '[force]\nw = "1"\n[initial.start]', ["force.w", "coordinate"]),
    "definition": ("[initial.start]", '[definitions]\nx = "1"\n[initial.start]', ["definitions.x", "already"]),
    "start off the constraint": ("v = [1, 0.5, 1]", "v = [1, 0.5, 2]", ["system.toml", "violated by 1", "start"]),
    "parameter of a start": ("v = [1, 0.5, 1]", "v = [1, 0.5, 1]\nparameters = { b = 1 }", ["parameters.b", "not a parameter"]),
    "each": ('"z_dot - y*x_dot"', '"each(i, 1, n)"', ["each(i, first, last, expression)"]),
}


@pytest.mark.parametrize("name", PROBLEM_MISTAKES)
def test_mistakes_in_a_problem(program, name):
    old, new, words = PROBLEM_MISTAKES[name]
    text = SYSTEM.replace(old, new, 1)
    assert text != SYSTEM
    program.write("system.toml", text)
    sentence = program.refuses(2, "run", program.write("study.toml", RUN))
    for word in words:
        assert word in sentence, sentence


def test_the_unspoilt_system_runs(program):
    program.write("system.toml", SYSTEM)
    program.good("run", program.write("study.toml", RUN))


@pytest.mark.parametrize("setting, words", [
    ("run.stp=0.1", ["--set run.stp=0.1", "run.stp", 'did you mean "step"']),
    ("run.step=0", ["--set run.step=0", "> 0"]),
    ("run.step", ["key=value"]),
    ("method.7.alpha=0.1", ["method.7", "2 entries"]),
    ("run.step.x=1", ["run.step", "not a table"]),
    ("method.0.alpha=7", ["alpha", "7", "[0, 1]"]),
])
def test_mistakes_in_settings(program, study, setting, words):
    sentence = program.refuses(2, "run", study, "--set", setting)
    for word in words:
        assert word in sentence, sentence


@pytest.mark.parametrize("words, sentence", [
    (("run", "--step", "0"), "--step is 0; a step size must be > 0"),
    (("run", "--step", "0.1", "--until", "never"), '--until is wrong: in the expression "never"'),
    (("run", "--step", "1", "--until", "0.5"), "--until is 0.5, less than a step of 1"),
    (("run", "--steps", "2.5"), "--steps is 2.5; it must be a whole number in"),
    (("run", "--tolerance", "2"), "--tolerance is 2; it must lie between"),
    (("run", "--every", "-1"), "--every"),
    (("run", "--at", "1,x"), "--at"),
    (("run", "--start", "rotatin"), '--start names no start of problem "pendulum-cvt": "rotatin"; did you mean "rotating"?'),
    (("control", "--by", "epsilom", "--cost", "x"), '--by is no parameter of problem "pendulum-cvt": "epsilom"; did you mean "epsilon"?'),
    (("control", "--by", "epsilon", "--cost", r"x1\temp"), r'in the expression "x1\temp"'),
    (("control", "--by", "epsilon", "--cost", "x1", "--trials", "-1"), "--trials is -1; it must be in [0, 100000]"),
])
def test_complaints_name_the_option_that_was_typed(program, study, words, sentence):
    """Not the key that it sets, and the text as it was typed: without the escapes of TOML."""
    assert sentence in program.refuses(2, words[0], study, *words[1:])


def test_mistakes_on_the_command_line(program, study):
    assert "stduy" in program.refuses(2, "run", "stduy")
    program.refuses(2, "rnu", study)
    program.refuses(2, "run", study, "--threads", "0")
    program.refuses(2, "run", study, "--unknown")
    assert ".svg" in program.refuses(2, "run", study, "--plot", "picture.jpg")
    assert "enrgy" in program.refuses(2, "run", study, "--plot", "picture.svg", "--set", "plot.quantity=enrgy")
    assert "--method" in program.refuses(2, "run", "knife-edge")
    assert 'did you mean "knife-edge"' in program.refuses(2, "describe", "knife-egde")


def test_files_that_cannot_be_read(program):
    assert "nothing.toml" in program.refuses(4, "run", "nothing.toml")
    assert "nothing.h5" in program.refuses(4, "plot", "nothing.h5", "--plot", "a.svg")
    program.write("text.h5", "no HDF5")
    assert "text.h5" in program.refuses(4, "resume", "text.h5")
    program.write("bytes.toml", "\x00\x01")
    program.refuses(2, "run", "bytes.toml")


@pytest.mark.parametrize("output", ["--out", "--json", "--csv", "--plot"])
def test_outputs_that_cannot_be_written_are_refused_before_the_run(program, study, output):
    program.write("file", "")
    slow = ["--set", "run.steps=1000000000000"]
    assert "file" in program.refuses(4, "run", study, *slow, output,
                                     "file/deeper/result" + (".h5" if output == "--out" else ".svg"))


def test_a_missing_plot_program_is_named(program, study):
    result = program.run("run", study, "--plot", "a.svg", env={**os.environ, "PATH": "/nowhere"})
    assert result.returncode == 4 and "gnuplot" in result.stderr
    assert not (program.directory / "a.svg").exists()


def test_a_refused_step_keeps_the_other_runs(program, study):
    settings = ["--set", "run.step=[0.1, 50.0]", "--set", "run.steps=200", "--set", "run.record_every=64"]
    result = program.run("run", study, *settings, "--json", "-", "--out", "result.h5", "--plot", "a.svg")
    runs = json.loads(result.stdout)["runs"]
    assert [run["status"] for run in runs if run["step"] == 0.1] == ["ok", "ok"]
    failed = [run for run in runs if run["status"] == "failed"]
    assert failed and result.returncode == 3
    assert re.search(r"step \d+ at t = ", failed[0]["message"]) and failed[0]["message"] in result.stderr
    assert failed[0]["final"]["t"] == failed[0]["steps"] * 50.0
    import h5py
    with h5py.File(program.directory / "result.h5") as file:
        states = [run.attrs["status"] for run in file["runs"].values()]
        assert states == [run["status"] for run in runs]
        for group, run in zip(file["runs"].values(), runs):
            assert group["q"][-1].tolist() == run["final"]["q"]


def test_numbers_that_overflow_are_null(program):
    text = STUDY.replace("alpha = 0.4", "alpha = 0.5").replace('name = "rotating"', "q = [1e200, 1, 0]\nv = [0, 1e200, 1]")
    result = program.run("run", program.write("study.toml", text), "--json", "-")
    assert "NaN" not in result.stdout and "Infinity" not in result.stdout
    if result.stdout:
        assert json.loads(result.stdout)["runs"][0]["diagnostics"]["energy"] is None


def test_a_pipe_is_written_to_and_stays_a_pipe(program):
    pipe = program.directory / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    program.good("run", "pendulum-cvt", "--start", "rotating", "--method", "dla01", "--step", "0.1", "--until", "1",
                 "--json", "pipe")
    assert json.loads(os.read(reader, 1 << 16))["runs"][0]["steps"] == 10
    os.close(reader)
    assert stat.S_ISFIFO(os.stat(pipe).st_mode) and os.listdir(program.directory) == ["pipe"]


@pytest.mark.parametrize("option", ["--out", "--json", "--csv", "--plot"])
def test_an_empty_name_of_a_file_is_refused(program, option):
    message = program.refuses(2, "run", "pendulum-cvt", "--method", "dla01", "--step", "0.1", "--until", "1", option, "")
    assert option in message and "must name a file" in message


@pytest.mark.parametrize("arguments, wanted", [((), "--step H"), (("--step", "0.1"), "--until T")])
def test_a_quick_run_says_which_option_is_missing(program, arguments, wanted):
    assert wanted in program.refuses(2, "run", "pendulum-cvt", "--method", "dla01", *arguments)


def test_a_command_line_has_no_lines(program):
    message = program.refuses(2, "run", "pendulum-cvt", "--method", "dla02", "--step", "0.1", "--until", "1")
    assert message.startswith('dalembert: command line: there is no method "dla02"')


def test_many_names_are_not_all_listed(program):
    sentence = program.refuses(2, "run", "chaotic", "--method", "leapfrog", "--step", "0.1", "--until", "1", "--set",
                               "sizes.n=500")
    assert "it needs 1001 (x, w_1, " in sentence and ", ..., z_500)" in sentence and len(sentence) < 400
