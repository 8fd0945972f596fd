"""Forces made of pieces: motions in closed form, texts that read back, and mistakes."""

import csv
import re

import pytest

SYSTEM = """
coordinates = ["x"]
[parameters]
push = { default = 2.0 }
[lagrangian]
kinetic = "x_dot^2/2"
potential = "0"
[force]
x = "FORCE"
[initial.rest]
q = [0]
v = [0]
"""


def motion(program, force, method, steps=24):
    program.write("system.toml", SYSTEM.replace("FORCE", force))
    program.good("run", "./system.toml", "--method", method, "--step", "0.125", "--until", str(steps/8),
                 "--csv", "records")
    file, = (program.directory / "records").iterdir()
    with open(file) as text:
        *_, last = csv.DictReader(text)
    return {name: float(last[name]) for name in ("t", "x", "x_dot")}


@pytest.mark.parametrize("force", [
    "piecewise(push, 1 <= t < 2, 0)",
    "piecewise(0, t < 1, push, t < 2, 0)",
    "piecewise(0, not (t >= 1 and t < 2), push)",
    "min(push, max(0, 1000*floor(t)))*piecewise(0, t >= 2 or t < 0, 1)",
])
def test_a_force_between_two_times(program, force):
    """Gauss' points lie within steps, and the switches at their ends: x'' = 2 for a unit of time, then x' = 2."""
    end = motion(program, force, "gauss")
    assert abs(end["x"] - 3.0) < 1e-13
    assert abs(end["x_dot"] - 2.0) < 1e-13


@pytest.mark.parametrize("force", [
    "piecewise(push, 1 <= t < 2, t^2, t >= 3 or t < 0.5, 0)",
    "max(-x, min(push, 1 - x, t))",
    "piecewise(-x, x > 1 and not x_dot < 0, floor(3*t))",
])
def test_the_force_that_describe_prints_reads_back(program, force):
    first = motion(program, force, "runge-kutta-4")
    text = program.good("describe", "./system.toml").stdout
    found = re.search(r"force on x +(.*)", text)
    assert found, text
    assert motion(program, found[1], "runge-kutta-4") == first


@pytest.mark.parametrize("force, sentence", [
    ("piecewise(1, t < 1)", "the value where no condition holds is missing"),
    ("piecewise(1, t < 1, 2, t < 2)", "the value where no condition holds is missing"),
    ("piecewise(1, t, 2)", "expected a condition, such as t < 1"),
    ("piecewise(1, t == 1, 2)", "numbers are compared by <, <=, > and >="),
    ("push*(t < 1)", "a condition where a number is wanted"),
    ("t < 1", "a condition where a number is wanted"),
    ("min(t)", "expected two or more numbers: min(a, b, ...)"),
    ("maxx(t, 1)", 'did you mean "max"?'),
    ("piecewize(1, t < 1, 2)", 'did you mean "piecewise"?'),
])
def test_mistakes_are_named(program, force, sentence):
    program.write("system.toml", SYSTEM.replace("FORCE", force))
    refusal = program.refuses(2, "describe", "./system.toml")
    assert "system.toml" in refusal and sentence in refusal


def test_discrete_gradients_refuse_pieces_of_the_energy(program):
    program.write("system.toml", SYSTEM.replace('"0"', '"max(x - 1, 0)^2"').replace('[force]\nx = "FORCE"', ""))
    program.good("run", "./system.toml", "--method", "gauss", "--step", "0.1", "--until", "0.3")
    sentence = program.refuses(2, "run", "./system.toml", "--method", "gonzalez-full", "--step", "0.1", "--until", "0.3")
    assert "piecewise" in sentence and "without discrete gradients" in sentence
