"""Methods that keep the energy do so where their quadrature along a step is exact: who adds nodes, and who says where it is not."""

import json

import h5py
import pytest

# A particle that passes a softened centre within a step of 0.1.
CENTRE = """
name = "centre"
coordinates = ["x", "y", "z"]
[definitions]
d = "sqrt((x - 1)^2 + y^2 + 0.01)"
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2"
potential = "(x^2 + y^2 + z^2)/2 - 0.3/d"
[constraints]
expressions = ["z_dot - y*x_dot"]
[initial.start]
q = [0.3, 0.1, 0]
v = [0.7, -0.45, 0.07]
"""
STUDY = """
problem = "./centre.toml"
[initial]
name = "start"
[run]
step = 0.1
until = UNTIL
compensated = true
[[method]]
name = "METHOD"
"""


@pytest.fixture
def centre(program):
    return program.write("centre.toml", CENTRE)


def run(program, method, until=100):
    found, = program.json("run", "./centre.toml", "--method", method, "--step", "0.1", "--until", until)["runs"]
    return found


def test_a_run_takes_as_many_nodes_as_it_needs_and_says_how_many(program, centre):
    found = run(program, "energy-collocation")
    # A thousand steps of some units of round-off each; the rule of 9 nodes left 8e-7.
    assert found["diagnostics"]["energy_error_max"] < 32*2.2e-16*1000**0.5
    assert found["method"]["quadrature"] == 24 and found["diagnostics"]["energy_off"] is None
    # A polynomial needs none of it.
    smooth, = program.json("run", "chaotic", "--method", "energy-collocation(stages=1)", "--step", "0.1", "--until", "1")["runs"]
    assert smooth["method"]["quadrature"] == "auto"


def test_what_is_lost_is_named_with_since_when_and_why(program, centre):
    command = ("run", "./centre.toml", "--method", "energy-collocation(quadrature=9)", "--step", "0.1", "--until", "100")
    lost, = program.json(*command)["runs"]
    assert lost["diagnostics"]["energy_error_max"] > 1e-8
    since = lost["diagnostics"]["energy_off"]
    warning, = [line for line in program.good(*command).stderr.splitlines() if "keeps the energy" in line]
    assert f"by more than round-off from t = {since:.6g} on" in warning and "(quadrature = 9 here)" in warning
    before, = program.json(*command[:-1], str(since - 0.1))["runs"]
    assert before["diagnostics"]["energy_off"] is None


def test_resumed_runs_and_lanes_take_the_same_nodes(program, centre):
    program.write("short.toml", STUDY.replace("METHOD", "energy-collocation").replace("UNTIL", "5"))
    program.write("long.toml", STUDY.replace("METHOD", "energy-collocation").replace("UNTIL", "10"))
    program.good("run", "short.toml", "--out", "resumed.h5")
    program.good("resume", "resumed.h5", "--until", "10")
    program.good("run", "long.toml", "--out", "whole.h5")
    with h5py.File(program.directory / "resumed.h5") as resumed, h5py.File(program.directory / "whole.h5") as whole:
        for name in ("q", "v", "energy"):
            assert (resumed["runs/0001"][name][-1] == whole["runs/0001"][name][-1]).all()
    program.write("many.toml", STUDY.replace('[initial]\nname = "start"', "[ensemble]\nsize = 5\nseed = 3\naround = \"start\"\nspread = 0.01")
                  .replace("METHOD", "energy-collocation").replace("UNTIL", "10"))
    one, eight = (program.json("run", "many.toml", "--lanes", lanes)["runs"][0] for lanes in ("1", "8"))
    assert one["ensemble"]["final"]["q"] == eight["ensemble"]["final"]["q"]
    assert one["method"]["quadrature"] == eight["method"]["quadrature"] >= 16


@pytest.mark.parametrize("options, sentence", [
    ("stages=3, quadrature=2", "has 3 stages and only 2 nodes of quadrature"),
    ("quadrature=65", "it must be in [1, 64]"),
    ("quadrature=9.5", "must be a whole number"),
    ("quadrature=many", "unknown name"),
])
def test_mistakes_are_named(program, centre, options, sentence):
    words = ("run", "./centre.toml", "--method", f"energy-collocation({options})", "--step", "0.1", "--until", "1")
    assert sentence in program.refuses(2, *words)


def test_the_promise_is_limited_to_what_is_true(program):
    page = program.good("describe", "energy-collocation").stdout
    assert "energy exact to round-off where the quadrature along a step is exact" in page
    assert "default auto, whole number in [1, 64] or auto" in page


def test_an_audit_has_one_verdict_and_run_can_repeat_it(program):
    """In short steps the fixed rule of discrete-derivative is exact, over a long run it is not: that is one broken promise."""
    # So hard a centre that millions of units of round-off are lost: how near a chaotic run passes is a matter of its last digits.
    program.write("centre.toml", CENTRE.replace("0.01)", "0.006)"))
    result = program.run("audit", "discrete-derivative", "--problem", "./centre.toml", "--json", "audit.json")
    assert result.returncode == 1 and "a promise is broken" in result.stderr
    energy, = [line for line in result.stdout.splitlines() if line.startswith("energy ")]
    assert "BROKEN on the long run on centre" in energy and " kept" not in energy
    assert "orders up to t = 1 in 32, 64, 128 and 256 steps, defects in 4 steps of 0.0625" in result.stdout
    method, = json.loads((program.directory / "audit.json").read_text())["methods"]
    assert not method["holds"]
    problem, = method["problems"]
    assert (problem["until"], problem["order_steps"], problem["defect_step"]) == (1, [32, 64, 128, 256], 0.0625)
    long_run, = method["long_runs"]
    lost, = long_run["findings"]
    assert lost["breaks_promise"] and long_run["steps"] == 30000
    # The same run again, from what the audit says of it.
    program.write("again.toml", STUDY.replace("METHOD", "discrete-derivative").replace("UNTIL", str(long_run["until"])))
    again, = program.json("run", "again.toml")["runs"]
    assert again["step"] == long_run["step"] and again["steps"] == long_run["steps"]
    assert again["diagnostics"]["energy_error_max"] == pytest.approx(lost["largest_error"], rel=1e-6)


def test_the_audit_of_enough_nodes_keeps_its_promise(program, centre):
    method, = program.json("audit", "energy-collocation", "--problem", "./centre.toml")["methods"]
    assert method["holds"]
    assert method["long_runs"][0]["findings"][0]["verdict"] == "exact"


def test_orders_print_the_steps_they_were_measured_with(program, centre):
    words = ("order", "./centre.toml", "--method", "gauss", "--until", "0.5")
    row, = program.json(*words)["orders"]
    assert row["step_counts"] == [5, 10, 20, 40, 80, 160]
    assert row["steps"] == [0.5/count for count in row["step_counts"]]
    assert "up to t = 0.5: 5, 10, 20, 40, 80, 160 of them" in program.good(*words).stdout
