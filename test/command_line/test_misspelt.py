"""Misspelt commands, options, names and methods: one sentence, with the name that was probably meant."""

import pytest

pytestmark = pytest.mark.proof


@pytest.mark.parametrize("line, wrong, meant", [
    (["rnu", "study.toml"], '"rnu"', '"run"'),
    (["repro"], '"repro"', '"reproduce"'),
    (["descirbe", "dla"], '"descirbe"', '"describe"'),
    (["run", "study.toml", "--mehtod", "dla"], '"--mehtod"', '"--method"'),
    (["run", "study.toml", "--thread=2"], '"--thread"', '"--threads"'),
    (["run", "study.toml", "-plot", "a.svg"], '"-plot"', '"--plot"'),
    (["--versoin"], '"--versoin"', '"--version"'),
    (["plot", "a.h5", "--quantitiy", "energy"], '"--quantitiy"', '"--quantity"'),
    (["describe", "pendulm-cvt"], '"pendulm-cvt"', '"pendulum-cvt"'),
    (["run", "knife-edge", "--method", "lobato", "--step", "0.1", "--until", "1"], '"lobato"', '"lobatto"'),
])
def test_what_was_meant_is_named(program, study, line, wrong, meant):
    sentence = program.refuses(2, *line)
    assert wrong in sentence and f"did you mean {meant}?" in sentence, sentence


def test_what_resembles_nothing_gets_no_suggestion(program, study):
    assert "known are list, describe" in program.refuses(2, "frobnicate")
    assert "see dalembert run --help" in program.refuses(2, "run", study, "--frobnicate")


def test_values_that_look_like_options_are_left_alone(program, study):
    program.good("run", study, "--set", "run.steps=5", "--json", "-")
    assert "needs" in program.refuses(2, "run", "knife-edge", "--method", "dla", "--step", "0.1")
    assert "-1" in program.refuses(2, "run", study, "--threads", "-1")


METHOD = "gauss(stages=2)"


@pytest.mark.parametrize("line", [
    ["run", "knife-edge", "--method", METHOD, "--step", "0.1", "--until", "1"],
    ["order", "knife-edge", "--method", METHOD, "--step", "0.2", "--runs", "4"],
    ["modified", "knife-edge", "--method", METHOD, "--points", "1", "--terms", "0", "--window", "5"],
    ["describe", METHOD],
    ["ensemble", "chaotic", "--method", METHOD, "--step", "0.1", "--until", "1", "--members", "2", "--energy", "3"],
])
def test_methods_with_options_are_written_alike_everywhere(program, line):
    result = program.good(*line)
    assert "gauss" in result.stdout
    wrong = [word.replace("stages=2", "stages=77") for word in line]
    assert '"stages"' in program.refuses(2, *wrong)


PROBLEM = """
name = "two"
description = "Two points that move alike."
source = "none"
coordinates = ["x", "y"]
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2)/2"
potential = "y"
[constraints]
expressions = ["x_dot - y_dot"]
[initial.a]
q = [1, 2]
v = [1, 1]
"""


def test_a_page_of_a_problem_with_a_wrong_start_ends_in_a_sentence(program):
    program.write("good.toml", PROBLEM)
    assert "Methods that fit" in program.good("describe", "good.toml").stdout
    for wrong, word in [("v = [1, 1]\n".replace("1]", "1, 0]"), "entries"), ("v = [1, 0]\n", "constraint")]:
        program.write("wrong.toml", PROBLEM.replace("v = [1, 1]\n", wrong))
        result = program.run("describe", "wrong.toml")
        assert result.returncode == 2 and "Starts" in result.stdout
        assert len(result.stderr.splitlines()) == 1 and word in result.stderr, result.stderr
    assert "--with" in program.refuses(2, "describe", "knife-edge", "--with", "dla")
