"""Zeros of events: at nodes, where functions stay zero, before steps that are refused, and where bodies come to rest."""

import json
import math

import h5py
import numpy as np
import pytest

# A particle that moves at one unit of length per unit of time, and a counter.
CLOCK = """
coordinates = ["x", "n"]
[lagrangian]
kinetic = "(x_dot^2 + n_dot^2)/2"
[initial.a]
q = [0, 0]
v = [1, 0]
"""
# Of methods with steps of any size, with carried data, and with steps of their own.
METHODS = ("gauss", "dla", "shake", "fehlberg-78")


def zeros_of(program, problem, of, step, until, direction="both", method="gauss"):
    """Times and directions of an event."""
    run = program.json("run", problem, "--method", method, "--step", step, "--until", until, "--set",
                       f'event=[{{name="zero", of="{of}", direction="{direction}"}}]')["runs"][0]
    found = run["diagnostics"]["events"]["zero"]
    assert found["count"] == len(found["t"])
    return found["t"], found["rising"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("of", ["sin(pi*t)", "sin(pi*x)", "sin(pi*t)^3", "-sin(pi*(x - 2*t))"])
@pytest.mark.parametrize("step", [0.25, 0.5, 1, 0.3])
def test_every_zero_happens_once_also_at_a_node(program, method, of, step):
    problem = "./" + program.write("clock.toml", CLOCK)
    times, rising = zeros_of(program, problem, of, step, 40.3, method=method)
    # A zero of third order is known to the third root of round-off.
    allowed = 1e-4 if "^3" in of else 1e-12
    assert len(times) == 40 and np.max(np.abs(np.array(times) - np.arange(1, 41))) < allowed
    assert rising == [k % 2 == 0 for k in range(1, 41)]  # all of them are sin(pi t)
    for direction in ("rising", "falling"):
        one_way = zeros_of(program, problem, of, step, 40.3, direction, method)[0]
        assert len(one_way) == 20


def test_clocks_of_the_step_and_of_half_of_it_tick(program):
    problem = "./" + program.write("clock.toml", CLOCK)
    times, rising = zeros_of(program, problem, "cos(pi*t/2)", 1, 100.3)
    assert times == pytest.approx(np.arange(1, 101, 2), abs=1e-12) and rising == [k % 2 == 1 for k in range(50)]
    # Two zeros in each step, one of them at its end.
    assert zeros_of(program, problem, "sin(pi*t)", 2, 100.3)[0] == pytest.approx(np.arange(1, 101), abs=1e-12)
    # What an event changes at a node it changes once.
    ticks = 'event=[{name="tick", of="sin(pi*t)", set={n="n + 1"}}]'
    for step in ("0.5", "1"):
        run = program.json("run", problem, "--method", "lobatto", "--step", step, "--until", "100.3", "--set", ticks)["runs"][0]
        assert run["final"]["q"][1] == 100 and run["diagnostics"]["events"]["tick"]["count"] == 100


@pytest.mark.parametrize("of", ["1 - cos(2*pi*t)", "cos(pi*x) - 1", "sin(pi*t)^2", "abs(sin(pi*t))", "abs(x - 20)", "(x - 20)^2"])
@pytest.mark.parametrize("method", METHODS)
def test_a_touch_at_a_node_or_of_a_kink_is_no_zero(program, of, method):
    problem = "./" + program.write("clock.toml", CLOCK)
    for step in (0.5, 1, 0.3):
        assert zeros_of(program, problem, of, step, 40.3, method=method) == ([], [])


def test_what_comes_to_zero_and_stays_has_happened_once(program):
    problem = "./" + program.write("clock.toml", CLOCK)
    for step in (0.5, 0.3):
        assert zeros_of(program, problem, "max(0, 20 - x)", step, 40.3) == (pytest.approx([20], abs=1e-13), [False])
        assert zeros_of(program, problem, "min(0, x - 20)", step, 40.3, "rising")[1] == [True]
        assert zeros_of(program, problem, "max(0, x - 20)", step, 40.3)[0] == []


BALL = """
m = 7
r = 0.11
mu = 0.2
g = 9.81
"""
# A bowling ball: m x'' = -mu m g, slip x' - r phi' until t = 2 v0/(7 mu g); then it rolls, a constraint.
BOWLING = """
coordinates = ["x", "phi", "rolls", "slack"]
[parameters]
""" + BALL + """[lagrangian]
kinetic = "m*x_dot^2/2 + m*r^2*phi_dot^2/5 + rolls_dot^2/2 + slack_dot^2/2"
[constraints]
expressions = ["piecewise(slack_dot, rolls < 0.5, x_dot - r*phi_dot)"]
[force]
x   = "piecewise(-mu*m*g, rolls < 0.5, 0)"
phi = "piecewise(r*mu*m*g, rolls < 0.5, 0)"
[[event]]
name = "grips"
of   = "x_dot - r*phi_dot"
set  = { rolls = 1 }
project = true
[initial.thrown]
q = [0, 0, 0, 0]
v = [3, 0, 0, 0]
"""
GRIPS = 2 * 3 / (7 * 0.2 * 9.81)


@pytest.mark.parametrize("method", ["gauss", "lobatto", "dla", "radau-iia"])
def test_a_slip_that_becomes_a_constraint_grips_once(program, method):
    problem = "./" + program.write("bowling.toml", BOWLING)
    run = program.json("run", problem, "--method", method, "--step", "0.01", "--until", "20")["runs"][0]
    grips = run["diagnostics"]["events"]["grips"]
    # The motion is a parabola, which all of them follow.
    assert grips["count"] == 1 and abs(grips["t"][0] - GRIPS) < 1e-12
    assert abs(run["final"]["v"][0] - 15 / 7) < 1e-12


# The same by friction alone, which the equations cannot follow beyond the slip.
SLIDES = """
coordinates = ["x", "phi"]
[parameters]
""" + BALL + """[lagrangian]
kinetic = "m*x_dot^2/2 + m*r^2*phi_dot^2/5"
[force]
x   = "-mu*m*g*sign(x_dot - r*phi_dot)"
phi = "r*mu*m*g*sign(x_dot - r*phi_dot)"
[[event]]
name = "grips"
of   = "x_dot - r*phi_dot"
[initial.thrown]
q = [0, 0]
v = [3, 0]
"""


@pytest.mark.parametrize("method", ["gauss", "lobatto", "dla", "radau-iia", "spark", "generalized-alpha", "discrete-derivative",
                                    "runge-kutta-4", "fehlberg-78"])
@pytest.mark.parametrize("step", ["0.01", "0.3"])
def test_friction_that_stops_a_slip_is_found_before_the_step_fails(program, method, step):
    problem = "./" + program.write("slides.toml", SLIDES)
    words = ["run", problem, "--method", method, "--step", step, "--until", "2"]
    end = 'event=[{name="ends", of="x_dot - r*phi_dot", terminal=true}]'
    run = program.json(*words, "--set", end)["runs"][0]
    assert run["status"] == "ok" and run["ended_by"] == "ends"
    assert abs(run["final"]["t"] - GRIPS) < 1e-9
    # It is in the list of a run that fails beyond, or goes to and fro in explicit steps, and once.
    result = program.run(*words, "--json", "r.json", "--force")
    run = json.loads((program.directory / "r.json").read_text())["runs"][0]
    assert result.returncode in (0, 3) and run["diagnostics"]["events"]["grips"]["count"] == 1


def test_a_ball_that_rolling_resistance_stops_ends_its_run_there(program):
    problem = "./" + program.write("resists.toml", """
coordinates = ["R in SO(3)", "x", "y"]
[parameters]
m = 0.17
r = 0.028
c = 0.01
g = 9.81
[definitions]
speed = "sqrt(x_dot^2 + y_dot^2)"
[[body]]
name = "ball"
mass = "m"
inertia = "2/5*m*r^2"
position = ["x", "y", "r"]
rotation = "R"
[[contact]]
name = "cloth"
body = "ball"
kind = "rolling"
shape = { sphere = "r" }
[force]
x = "-c*m*g*x_dot/speed"
y = "-c*m*g*y_dot/speed"
[[event]]
name = "stops"
of = "speed - 1e-6"
direction = "falling"
terminal = true
[initial.shot]
free = ["R_dot_1", "R_dot_2"]
position = { R = "identity", x = 0, y = 0 }
velocity = { R = [0, 0, 0], x = 1, y = 0.5 }
""")
    # m (1 + 2/5) v' = -c m g.
    stop = (math.sqrt(1.25) - 1e-6) * 1.4 / (0.01 * 9.81)
    for method in ("gauss", "lobatto", "radau-iia", "runge-kutta-4", "generalized-alpha"):
        run = program.json("run", problem, "--method", method, "--step", "0.01", "--until", "20")["runs"][0]
        assert run["ended_by"] == "stops" and abs(run["final"]["t"] - stop) < 1e-10, method


# A point on a floor.
REST = """
coordinates = ["x", "y"]
[parameters]
level = 0.1
e = 0.5
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2)/2"
potential = "10*y"
[[event]]
name = "floor"
of = "y - level"
direction = "falling"
impact = { restitution = "e" }
[initial.dropped]
q = [0, "level + 1"]
v = [1, 0]
[initial.rests]
q = [0, "level"]
v = [1, 0]
[initial.touches]
q = [0, "level - 1e-10"]
v = [1, 0]
"""


@pytest.mark.parametrize("level", ["0.1", "0.3", "1", "-1", "0", "1000.1", "1e-8"])
@pytest.mark.parametrize("step", ["0.01", "0.3", "3"])
def test_a_body_that_comes_to_rest_does_not_fall_through_the_floor(program, level, step):
    problem = "./" + program.write("rest.toml", REST)
    for method in ("lobatto", "dla", "runge-kutta-4"):
        for start in ("dropped", "rests", "touches"):
            for e in ("0.5", "0", "0.9"):
                result = program.run("run", problem, "--start", start, "--method", method, "--step", step, "--until", "40",
                                     "--set", f"parameters.level={level}", "--set", f"parameters.e={e}")
                assert result.returncode == 3 and "comes to rest" in result.stderr, (method, start, e, result.stderr)


@pytest.mark.parametrize("of, direction", [("y - 0.3*x - 0.1", "falling"), ("y - 0.1*sin(t)", "falling"), ("0.1 - y", "rising"),
                                           ("y - 0.1 - x^2/3", "falling"), ("y - 0.05*sin(20*t)", "falling"), ("y - 0.1", "both")])
def test_so_it_is_on_floors_that_lean_or_move(program, of, direction):
    floor = f'of = "{of}"\ndirection = "{direction}"\n'
    text = REST.replace('of = "y - level"\ndirection = "falling"\n', floor)
    problem = "./" + program.write("rest.toml", text.replace("[initial", '[force]\nx = "-0.2*x_dot"\n[initial', 1))
    for method in ("gauss", "dla", "fehlberg-78(tolerance=1e-10)"):
        for step in ("0.01", "0.3"):
            result = program.run("run", problem, "--start", "dropped", "--method", method, "--step", step, "--until", "20")
            assert result.returncode == 3 and "comes to rest" in result.stderr, (method, step, result.stderr)


def test_the_sentence_says_when_it_comes_to_rest(program):
    problem = "./" + program.write("rest.toml", REST)
    message = program.refuses(3, "run", problem, "--start", "dropped", "--method", "lobatto", "--step", "0.01", "--until", "3")
    when = float(message.split("comes to rest on it at t = ")[1].split(",")[0])
    assert abs(when - 3 * math.sqrt(0.2)) < 1e-9  # t0 + 2 t0 (1/2 + 1/4 + ...)


def test_members_count_zeros_at_nodes_as_single_runs_do(program):
    program.write("clock.toml", CLOCK + """
[[event]]
name = "tick"
of   = "sin(pi*t)"
set  = { n = "n + 1", x_dot = "x_dot*0.999" }
""")
    study = program.write("members.toml", """
problem = "./clock.toml"
[ensemble]
size = 19
seed = 1
around = "a"
spread = { q = [0.1, 0], v = [0.2, 0] }
[run]
step = 0.5
until = 50.3
[[method]]
name = "gauss"
""")
    for lanes in (1, 4):
        program.good("ensemble", study, "--lanes", lanes, "--out", f"{lanes}.h5")
    with h5py.File(program.directory / "1.h5") as one, h5py.File(program.directory / "4.h5") as four:
        last = one["runs/0001/members/q_final"][:]
        assert np.array_equal(last, four["runs/0001/members/q_final"][:]) and set(last[:, 1]) == {50.0}


def test_promises_of_methods_with_carried_data_are_judged_at_nodes(program):
    end = 'event=[{name="end", of="x1 - 0.9", terminal=true}]'
    for method in ("newmark", "driver-splitting"):
        result = program.good("run", "pendulum-cvt", "--method", method, "--step", "0.05", "--until", "20", "--set", end)
        assert "ended the run" in result.stdout and "warning" not in result.stderr
