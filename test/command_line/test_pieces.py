"""Forces made of pieces: motions in closed form, texts that read back, and mistakes."""

import csv
import re

import pytest

pytestmark = pytest.mark.proof

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


STOP = """
coordinates = ["x", "y"]
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2)/2"
potential = "x^2/2 + y^2/2 + 5*min(x + 0.5, 0)^2"
[constraints]
expressions = ["y_dot - x*x_dot"]
[initial.fast]
q = [0.3, 0.1]
v = [-1.5, -0.45]
"""


def test_orders_are_not_measured_across_a_switch(program):
    """Gauss' method of order 6 showed 2, the order across a jump of the third derivative: nothing of the method."""
    program.write("stop.toml", STOP)
    study = ("order", "./stop.toml", "--method", "gauss(stages=3)", "--method", "dla01")
    row, other = program.json(*study)["orders"]
    for found in (row, other):
        assert found["status"] == "not measured"
        assert "the potential has pieces (min, line 5)" in found["message"] and "at t = 0.4" in found["message"]
        assert found["q"]["verdict"] == "not measured" and found["q"]["slope"] is None
    assert "not measured: the potential has pieces" in program.good(*study).stdout
    # Before the switch every method has its order.
    before, other = program.json(*study, "--until", "0.2")["orders"]
    assert before["status"] == other["status"] == "ok"
    assert before["q"]["verdict"] == other["q"]["verdict"] == "holds"
    assert abs(before["q"]["slope"] - 6) < 0.1


def test_audits_stay_between_switches(program):
    """The unit of time is halved until it ends before the switch; where the start is next to one nothing is measured."""
    program.write("stop.toml", STOP)
    method, = program.json("audit", "gauss", "--problem", "./stop.toml")["methods"]
    problem, = method["problems"]
    assert problem["until"] == 0.25 and problem["not_measured"] is None
    orders = {finding["property"]: finding for finding in problem["findings"]}
    assert orders["order of q"]["verdict"] == "kept" and abs(orders["order of q"]["measured"] - 4) < 0.1
    program.write("stop.toml", STOP.replace("x + 0.5", "x - 0.29"))
    method, = program.json("audit", "gauss", "--problem", "./stop.toml")["methods"]
    problem, = method["problems"]
    assert problem["findings"] == [] and "(min, line 5)" in problem["not_measured"]
    text = program.good("audit", "gauss", "--problem", "./stop.toml").stdout
    assert "not measured: the potential has pieces (min, line 5)" in text and "BROKEN" not in text


@pytest.mark.parametrize("force, functions", [
    ("piecewise(1, t < 0.3, -x)*sign(cos(7*t))", ["piecewise", "sign"]),
    ("-abs(x_dot + t)*x_dot", ["abs"]),
    ("curve(t)", ["curve"]),
])
def test_what_has_pieces_is_named(program, force, functions):
    text = SYSTEM.replace("FORCE", force) + "[tables]\ncurve = { times = [0, 0.1, 0.2, 0.5], values = [0, 1, 0, 1] }\n"
    program.write("system.toml", text)
    row, = program.json("order", "./system.toml", "--method", "gauss")["orders"]
    line = next(number for number, line in enumerate(text.splitlines(), 1) if force in line)
    assert row["status"] == "not measured"
    assert "(" + "; ".join(f"{function}, line {line}" for function in functions) + ")" in row["message"]
