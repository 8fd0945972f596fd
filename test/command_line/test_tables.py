"""Forces and targets that are given by points: motions in closed form, files that may go, and mistakes."""

import csv
import os

import h5py
import pytest

pytestmark = pytest.mark.proof

SYSTEM = """
coordinates = ["x"]
[tables]
push = TABLE
[lagrangian]
kinetic = "x_dot^2/2"
[force]
x = "push(t)"
[initial.rest]
q = [0]
v = [0]
"""
STUDY = """
problem = "./system.toml"
[initial]
name = "rest"
[run]
step = 0.125
until = 2
[[method]]
name = "gauss"
"""


def last_state(program, folder="records"):
    file, = (program.directory / folder).iterdir()
    with open(file) as text:
        *_, last = csv.DictReader(text)
    return {name: float(last[name]) for name in ("t", "x", "x_dot")}


def motion(program, table):
    program.write("system.toml", SYSTEM.replace("TABLE", table))
    program.good("run", "./system.toml", "--method", "gauss", "--step", "0.125", "--until", "2", "--csv", "records")
    return last_state(program)


def test_a_force_by_straight_lines(program):
    """x'' = t up to 1 and 2 - t after it; two stages of Gauss integrate lines exactly."""
    last = motion(program, '{ times = [0, 1, 2], values = [0, 1, 0], interpolation = "linear" }')
    assert last["x_dot"] == pytest.approx(1, rel=1e-14)
    assert last["x"] == pytest.approx(1, rel=1e-14)


def test_a_force_by_a_spline_from_a_file(program):
    """Through points of a cubic goes the cubic: x'' = 4 t^3, which two stages integrate exactly in velocity."""
    rows = [(t, 4 * t**3) for t in (0, 0.5, 0.75, 1.5, 2, 3)]
    program.write("push.csv", "u,t\n" + "".join(f"{u},{t}\n" for t, u in rows))
    last = motion(program, '{ csv = "push.csv", value = "u" }')
    assert last["x_dot"] == pytest.approx(16, rel=1e-13)


def test_outside_its_points_the_last_value_is_kept(program):
    last = motion(program, '{ times = [-1, 0], values = [0, 3] }')
    assert last["x"] == pytest.approx(6, rel=1e-14)


def test_a_result_goes_on_without_the_file_of_its_table(program):
    program.write("push.csv", "t,u\n" + "".join(f"{t/8},{(t*t) % 7}\n" for t in range(33)))
    program.write("system.toml", SYSTEM.replace("TABLE", '{ csv = "push.csv", time = "t", value = "u" }'))
    study = program.write("study.toml", STUDY)
    program.good("run", study, "--out", "half.h5")
    program.good("run", study, "--set", "run.until=4", "--csv", "whole")
    os.remove(program.directory / "push.csv")
    program.good("resume", "half.h5", "--until", "4")
    program.good("plot", "half.h5", "--plot", "picture.svg", "--x", "t", "--y", "x")
    with h5py.File(program.directory / "half.h5") as file:
        x = file["runs/0001/q"][-1][0]
        study_text = file.attrs["study"]
    assert x == last_state(program, "whole")["x"]
    assert "push.csv" not in study_text and "times = [" in study_text


@pytest.mark.parametrize("table, sentence", [
    ('{ csv = "none.csv", value = "u" }', "there is no such file"),
    ('{ csv = "push.csv", value = "v" }', 'there is no column "v"'),
    ('{ csv = "push.csv", value = "u", time = "T" }', 'there is no column "T"'),
    ('{ csv = "push.csv" }', "value"),
    ('{ csv = "push.csv", value = "u", times = [1, 2] }', "stands beside csv"),
    ("{ times = [0, 1] }", "values"),
    ("{ times = [0], values = [1] }", "needs at least 2"),
    ("{ times = [0, 1], values = [1] }", "2 arguments and 1 values"),
    ("{ times = [1, 0], values = [1, 2] }", "arguments must increase"),
    ('{ times = [0, 1], values = [1, 2], interpolation = "splin" }', 'did you mean "spline"?'),
    ("{ times = [0, 1], values = [1, 2], degree = 3 }", "degree"),
    ('"push.csv"', "push"),
])
def test_mistakes_in_tables(program, table, sentence):
    program.write("push.csv", "t,u\n0,1\n1,2\n")
    program.write("system.toml", SYSTEM.replace("TABLE", table))
    result = program.run("describe", "./system.toml")
    assert result.returncode == 2
    assert sentence in result.stderr and "system.toml" in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("name, sentence", [("sin", "name of a function"), ("x", "name of a coordinate"),
                                            ("2nd", "a name is a letter")])
def test_names_that_tables_cannot_have(program, name, sentence):
    text = SYSTEM.replace("push = TABLE", f'"{name}" = {{ times = [0, 1], values = [1, 2] }}').replace("push(t)", "0")
    program.write("system.toml", text)
    result = program.run("describe", "./system.toml")
    assert result.returncode == 2 and sentence in result.stderr


def test_a_table_of_the_state_is_no_energy_for_discrete_gradients(program):
    text = SYSTEM.replace("TABLE", "{ times = [0, 1, 2, 3, 4], values = [0, 1, 0, 1, 5] }")
    text = text.replace('[force]\nx = "push(t)"\n', "")
    text = text.replace('kinetic = "x_dot^2/2"', 'kinetic = "x_dot^2/2"\npotential = "push(x)"')
    program.write("system.toml", text)
    refused = program.run("run", "./system.toml", "--method", "reduced-gradient", "--step", "0.1", "--until", "1")
    assert refused.returncode == 2 and "tables" in refused.stderr
    program.good("run", "./system.toml", "--method", "leapfrog", "--step", "0.1", "--until", "1")
    assert "push(x)" in program.good("describe", "./system.toml").stdout
