"""Constraints that follow from others: accepted where they are consistent, with multipliers that share reactions; refused by name where not."""

import csv
import json
import math
import re

import h5py
import pytest

CAR = """
coordinates = ["x", "y", "th", "p1", "p2", "p3", "p4"]
angles = ["th"]
conserves = "nothing"
[parameters]
m = 500
l = 3
w = 2
r = 0.4
rho = 5  # from the left rear wheel to the centre of the turn
mw = 25
tau = 200
[definitions]
dl = "atan(l/rho)"
dr = "atan(l/(rho + w))"
[[body]]
name = "car"
mass = "m"
inertia = "m*(l^2 + w^2)/12"
position = ["x", "y"]
rotation = "th"
[lagrangian]
kinetic = "mw*r^2/4*(p1_dot^2 + p2_dot^2 + p3_dot^2 + p4_dot^2)"
[force]
p1 = "tau"
p2 = "tau"
""" + "".join(f"""
[[contact]]
name = "{name}"
body = "car"
kind = "wheel"
point = {point}
along = "cos({angle})*car.axis_1 + sin({angle})*car.axis_2"
spin = "{spin}"
radius = "r"
""" for name, point, angle, spin in (("rl", '["-l/2", "w/2"]', "0", "p1"), ("rr", '["-l/2", "-w/2"]', "0", "p2"),
                                     ("fl", '["l/2", "w/2"]', "dl", "p3"), ("fr", '["l/2", "-w/2"]', "dr", "p4"))) + """
[initial.rest]
position = { x = 0, y = 0, th = 0, p1 = 0, p2 = 0, p3 = 0, p4 = 0 }
velocity = { x = 0, y = 0, th = 0, p1 = 0, p2 = 0, p3 = 0, p4 = 0 }
"""

# One freedom: turns about a point that stays, with the work of two wheels.
SQUARES = sum(d * d for d in (5, 7, math.hypot(5, 3), math.hypot(7, 3)))
YAW_RATE = 4 * 200 * 12 / 0.4 / (500 * (6**2 + 1.5**2) + 500 * 13 / 12 + 12.5 * SQUARES)

PARALLELOGRAM = """
coordinates = ["a1", "a2", "a3", "x", "y", "th"]
gravity = ["0", "-9.81"]
conserves = "energy"
""" + "".join(f"""
[[body]]
name = "crank{i}"
mass = 1
inertia = "1/12"
position = ["{foot} + cos(a{i})/2", "sin(a{i})/2"]
rotation = "a{i}"
""" for i, foot in ((1, 0), (2, 2), (3, 1))) + """
[[body]]
name = "coupler"
mass = 1
inertia = "1/3"
position = ["x", "y"]
rotation = "th"
[constraints]
joint = [["crank1.point(1/2, 0, 0)", "coupler.point(-1, 0, 0)"], ["crank2.point(1/2, 0, 0)", "coupler.point(1, 0, 0)"],
         ["crank3.point(1/2, 0, 0)", "coupler.point(0, 0, 0)"]]
[initial.go]
position = { a1 = -1.2, a2 = -1.2, a3 = -1.2, x = "1 + cos(1.2)", y = "-sin(1.2)", th = 0 }
velocity = { a1 = 1, a2 = 1, a3 = 1, x = "sin(1.2)", y = "cos(1.2)", th = 0 }
[initial.flat]
position = { a1 = 0, a2 = 0, a3 = 0, x = 2, y = 0, th = 0 }
velocity = { a1 = 1, a2 = 1, a3 = 1, x = 0, y = 1, th = 0 }
[initial.rough]
position = { a1 = -1.2, a2 = -1.2, a3 = -1.2, x = 1.362, y = -0.932, th = 0 }
velocity = { a1 = 1, a2 = 1, a3 = 1, x = 0.93, y = 0.36, th = 0 }
project = true
"""

CRANK = """
coordinates = ["a"]
[lagrangian]
kinetic = "a_dot^2"
potential = "9.81*5/2*sin(a)"
[initial.go]
q = [-1.2]
v = [1]
"""

DOOR = """
coordinates = ["R in SO(3)", "x", "y", "z"]
gravity = ["0", "0", "-9.81"]
conserves = "energy"
[parameters]
w = 0.8
h = 2
m = 10
tilt = 0.2
[[body]]
name = "door"
mass = "m"
inertia = ["m*h^2/12", "m*(h^2 + w^2)/12", "m*w^2/12"]
position = ["x", "y", "z"]
rotation = "R"
[constraints]
joint = [["door.point(-w/2, 0, 0.8)", "[0.8*sin(tilt), 0, 0.8*cos(tilt)]"], ["door.point(-w/2, 0, -0.8)", "[-0.8*sin(tilt), 0, -0.8*cos(tilt)]"]]
[initial.swing]
position = { R = { matrix = [["-cos(tilt)", 0, "sin(tilt)"], [0, -1, 0], ["sin(tilt)", 0, "cos(tilt)"]] }, x = "-w/2*cos(tilt)", y = 0, z = "w/2*sin(tilt)" }
velocity = { R = [0, 0, 0.5], x = 0, y = "-0.5*w/2", z = 0 }
"""

PARTICLE = """
coordinates = ["x", "y", "z"]
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2"
potential = "z + x^2/2"
[constraints]
expressions = [%s]
[initial.start]
q = %s
v = %s
"""


def particle(*rows, q="[0.3, 1, 0.5]", v="[0, 0, 0]"):
    named = (f'{{ name = "{name}", expression = "{row}" }}' for name, row in zip(("left", "right", "other"), rows))
    return PARTICLE % (", ".join(named), q, v)


def run_of(program, text, method, *words):
    program.write("problem.toml", text)
    run, = program.json("run", "problem.toml", "--method", method, *words)["runs"]
    assert run["status"] == "ok", run["message"]
    return run


def test_a_car_on_four_wheels_turns_as_one_body(program):
    run = run_of(program, CAR, "gauss(stages=4)", "--step", "0.05", "--until", "4")
    # The rate is linear in time, for which the method is exact but for round-off.
    assert abs(run["final"]["v"][2] - YAW_RATE) < 1e-13
    assert abs(YAW_RATE - 1.103871215025) < 1e-12
    # Computed independently, to the digits that are given; those of wheels that share are of least norm.
    wanted = [482.752012265, 22.403535715, 475.852817171, 22.403535715, -20.114437353, 74.388012354, -26.271352224, 129.554279716]
    assert all(abs(found - value) < 1e-9 for found, value in zip(run["initial"]["lambda"], wanted))
    assert run["names"]["lambda"] == ["rl_1", "rl_2", "rr_1", "rr_2", "fl_1", "fl_2", "fr_1", "fr_2"]
    assert run["redundancy"]["shared"] == ["rl_2", "rr_2", "fl_2", "fr_2"]
    assert len(run["redundancy"]["left_out"]) == 2
    # A multiplier of the motion at nodes where the method has none of its own.
    assert run["final"]["lambda"] == run["final"]["lambda_recomputed"]


@pytest.mark.parametrize("method", ["dla", "dla01", "leapfrog", "generalized-alpha", "lobatto(stages=2)", "spark", "newmark", "moser-veselov",
                                    "gni", "velocity-dla", "gauss(stages=2,projection=velocity)", "runge-kutta-4(projection=velocity)"])
def test_every_method_takes_the_car_and_keeps_all_eight_constraints(program, method):
    run = run_of(program, CAR, method, "--step", "0.02", "--until", "4")
    # Round-off of velocities up to 8 and of solved equations, which the solver stops at.
    assert run["diagnostics"]["constraint_max"] < 2e-13
    # Methods of order 2 with a step of a fiftieth; round-off for the others.
    assert abs(run["final"]["v"][2] - YAW_RATE) < 1e-3


def test_redundant_bars_have_one_freedom(program):
    run = run_of(program, PARALLELOGRAM, "gauss(stages=4,projection=velocity)", "--start", "go", "--step", "0.01", "--until", "3")
    crank = run_of(program, CRANK, "gauss(stages=4)", "--step", "0.01", "--until", "3")
    for angle in run["final"]["q"][:3]:
        # Errors of order 8 are below round-off, which grows over 300 steps.
        assert abs(angle - crank["final"]["q"][0]) < 1e-11
    assert run["diagnostics"]["constraint_max"] < 1e-12
    lobatto = run_of(program, PARALLELOGRAM, "lobatto", "--start", "go", "--step", "0.01", "--until", "3")
    assert lobatto["diagnostics"]["constraint_max"] < 1e-13


def test_a_run_ends_where_constraints_that_are_kept_come_near_to_be_dependent(program):
    """Those of the third crank that are kept hold it along x or y, which does nothing where the crank stands across."""
    program.write("bars.toml", PARALLELOGRAM.replace("1.2", "0.5"))
    result = program.run("run", "bars.toml", "--start", "go", "--method", "lobatto", "--step", "0.01", "--until", "3", "--json", "r.json")
    assert result.returncode == 3 and "come near to be dependent, where others are not" in result.stderr
    run, = json.loads((program.directory / "r.json").read_text())["runs"]
    # Before it hangs at -pi/2, to where rows of the length sin are shorter than 0.3.
    assert -math.pi / 2 < run["final"]["q"][0] < -math.pi / 2 + 0.31
    state = ", ".join(f"{name} = {value!r}" for name, value in zip(run["names"]["q"], run["final"]["q"]))
    rates = ", ".join(f"{name} = {value!r}" for name, value in zip(run["names"]["q"], run["final"]["v"]))
    again = PARALLELOGRAM + f"[initial.again]\nposition = {{ {state} }}\nvelocity = {{ {rates} }}\nproject = true\n"
    run = run_of(program, again, "gauss(stages=4)", "--start", "again", "--step", "0.01", "--until", "0.2")
    assert run["final"]["q"][0] < -math.pi / 2 and run["diagnostics"]["constraint_max"] < 1e-12


def test_a_parallelogram_that_passes_through_lying_flat_is_no_longer_determined(program):
    program.write("bars.toml", PARALLELOGRAM.replace('"-sin(1.2)"', '"sin(0.2)"').replace('"sin(1.2)"', '"-sin(0.2)"').replace("-1.2", "0.2")
                  .replace("1.2", "0.2"))
    result = program.good("run", "bars.toml", "--start", "go", "--method", "lobatto", "--step", "0.013", "--until", "0.52")
    crank = run_of(program, CRANK.replace("-1.2", "0.2"), "gauss(stages=4)", "--step", "0.01", "--until", "0.28")
    assert -0.1 < crank["final"]["q"][0] < 0.1
    assert re.search(r"the constraints become dependent at t = 0\.(2[5-9]|3)", result.stderr)


def test_a_hinge_by_two_points_is_a_pendulum(program):
    run = run_of(program, DOOR, "gauss(stages=4,projection=velocity)", "--step", "0.01", "--until", "2")
    rate, height = run["final"]["v"][2], run["final"]["q"][6]
    # v^2 = v0^2 + 2 w^2 (1 - cos psi), z = 0.4 sin(tilt) cos psi, w^2 = 3 g sin(tilt)/(2 width)
    square = (rate**2 - 0.25) / 2 / (1 - height / 0.4 / math.sin(0.2))
    assert abs(square - 3 * 9.81 * math.sin(0.2) / 1.6) < 1e-11
    assert abs(math.sqrt(square) - 1.911615547989) < 1e-11


def test_the_frequency_of_a_door_that_hangs(program):
    """Both hinges hold it: the roots of one freedom."""
    program.write("door.toml", DOOR.replace("-cos(tilt)", "cos(tilt)", 1).replace('[0, -1, 0]', '[0, 1, 0]').replace('["sin(tilt)", 0, "cos', '["-sin(tilt)", 0, "cos')
                  .replace('x = "-w/2*cos(tilt)", y = 0, z = "w/2*sin(tilt)"', 'x = "w/2*cos(tilt)", y = 0, z = "-w/2*sin(tilt)"')
                  .replace("[0, 0, 0.5]", "[0, 0, 0]").replace('"-0.5*w/2"', "0"))
    assert "+-1.91161554799 " in program.good("linearise", "door.toml").stdout


def test_a_start_is_brought_onto_all_constraints(program):
    run = run_of(program, PARALLELOGRAM, "gauss(stages=4)", "--start", "rough", "--step", "0.01", "--until", "0.1")
    assert run["names"]["lambda"] == [f"joint_{i}" for i in range(1, 7)]
    assert run["diagnostics"]["constraint_max"] < 1e-12


def test_least_multipliers_do_not_depend_on_factors_or_coordinates(program):
    """y is measured in units of a tenth, and the last constraint is ten times another."""
    rows = ("z_dot - y*x_dot", "y_dot - x*x_dot", "z_dot + y_dot - (x + y)*x_dot")
    plain = particle(*rows, q="[0.4, 0.7, 0]", v="[1, 0.4, 0.7]")
    other = particle(*(row.replace("y", "y/10").replace("y/10_dot", "y_dot/10") for row in rows[:2]), "10*z_dot + y_dot - 10*(x + y/10)*x_dot",
                     q="[0.4, 7, 0]", v="[1, 4, 0.7]").replace("y_dot^2", "y_dot^2/100")
    first, second = (run_of(program, text, "gauss(stages=3)", "--step", "0.1", "--until", "1") for text in (plain, other))
    for state in ("initial", "final"):
        # Round-off of ten steps of a motion of the size one.
        assert abs(first[state]["q"][0] - second[state]["q"][0]) < 1e-13
        for found, wanted, factor in zip(second[state]["lambda"], first[state]["lambda"], (1, 1, 0.1)):
            assert abs(found - wanted * factor) < 1e-12


def test_a_resumed_run_is_bitwise_identical(program):
    program.write("car.toml", CAR)
    words = ["run", "car.toml", "--method", "lobatto", "--method", "generalized-alpha", "--step", "0.02"]
    program.good(*words, "--until", "1", "--out", "part.h5")
    program.good("resume", "part.h5", "--until", "2")
    program.good(*words, "--until", "2", "--out", "whole.h5")
    with h5py.File(program.directory / "part.h5") as part, h5py.File(program.directory / "whole.h5") as whole:
        for run in ("0001", "0002"):
            for name in ("q", "v", "lambda", "energy", "constraint"):
                assert (part["runs"][run][name][:] == whole["runs"][run][name][:]).all()


def test_states_between_records_and_multipliers_in_expressions(program):
    program.write("study.toml", """
problem = "car.toml"
[run]
step = 0.02
until = 1
record_every = 10
[[method]]
name = "lobatto"
[[diagnostic]]
kind = "expression"
name = "side"
expression = "rl_2 + rr_2 + lambda_6*cos(dl) + fr_2*cos(dr)"
[[diagnostic]]
kind = "recomputed-multiplier"
""".replace("cos(dl)", "5/sqrt(34)").replace("cos(dr)", "7/sqrt(58)"))
    program.write("car.toml", CAR)
    program.good("run", "study.toml", "--out", "r.h5", "--csv", "csv")
    rows = list(csv.DictReader(next((program.directory / "csv").glob("*.csv")).open()))
    for row in rows:
        row = {name: float(value) for name, value in row.items()}
        side = row["rl_2"] + row["rr_2"] + row["fl_2"] * 5 / math.sqrt(34) + row["fr_2"] * 7 / math.sqrt(58)
        assert abs(side - row["side"]) < 1e-12 * abs(side)
        # The multipliers of the method have order 2.
        assert abs(row["rl_2"] - row["lambda_recomputed_2"]) < 0.02**2 * abs(row["rl_2"])
    program.good("export", "r.h5", "--at", "0.5,0.51", "--csv", "at")
    between = list(csv.DictReader(next((program.directory / "at").glob("*.csv")).open()))
    # 0.5 is a node, reached from the record at 0.4.
    assert abs(float(between[0]["th_dot"]) - YAW_RATE / 8) < 1e-9
    assert all(float(row["constraint"]) < 1e-13 for row in between)


def test_descriptions_say_what_is_shared(program):
    program.write("car.toml", CAR)
    text = program.good("describe", "car.toml").stdout
    assert "constraint 2 (rl_2): linear in the velocities, shared" in text
    assert "constraint 1 (rl_1): linear in the velocities\n" in text
    assert text.count("follows from the others") == 2
    warning = program.good("run", "car.toml", "--method", "dla", "--step", "0.1", "--until", "1").stderr
    assert "follow from the others; of the multipliers rl_2, rr_2, fl_2, fr_2" in warning
    assert "method auto is" in program.good("run", "car.toml", "--method", "auto", "--step", "0.1", "--until", "1").stderr


@pytest.mark.proof
@pytest.mark.parametrize("text, clause", [
    (particle("x_dot - 1", "2*x_dot - 3", "y_dot", v="[1, 0, 0]"), "constraints left, right of system \"problem\" contradict each other"),
    (particle("x_dot - z*y_dot", "x_dot + y_dot - 1 - t - z*y_dot", "y_dot - 1", v="[0.5, 1, 0]"), "constraints left, right, other of system \"problem\" contradict"),
    (particle("x_dot - z*y_dot", "x_dot - z*y_dot + 1e-8*z_dot"), "constraints left, right of system \"problem\" are nearly dependent"),
    (particle("x_dot - z*y_dot", "x_dot - y*z*y_dot"), "constraints left, right of system \"problem\" are dependent at this start only"),
    (particle("z_dot - y*x_dot", "2*z_dot - 2*y*x_dot", v="[1, 0, 0]"), "constraint left of system \"problem\" is violated by -1"),
    (particle("z_dot - y*x_dot", "(sin(x)^2 + cos(x)^2 - 1)*y_dot"), "vanishes for every velocity"),
    ("coordinates = ['x', 'y']\n[lagrangian]\nkinetic = 'x_dot^2 + y_dot^2'\n[constraints]\nholonomic = ['x - 1', '2*x - 3']\n[initial.a]\nq = [1, 0]\nv = [0, 0]\n",
     "constraints 1, 2 of system \"problem\" contradict each other")])
def test_what_is_not_plainly_dependent_or_independent_is_refused_by_name(program, text, clause):
    program.write("problem.toml", text)
    sentence = program.refuses(2, "run", "problem.toml", "--method", "gauss", "--step", "0.1", "--until", "1")
    assert clause in sentence


@pytest.mark.proof
def test_a_flat_parallelogram_has_no_unique_motion(program):
    program.write("bars.toml", PARALLELOGRAM)
    sentence = program.refuses(2, "run", "bars.toml", "--start", "flat", "--method", "gauss", "--step", "0.1", "--until", "1")
    assert "joint_1" in sentence and "dependent at this start only" in sentence


@pytest.mark.proof
def test_constraints_that_part_end_the_run_with_their_names(program):
    text = particle("x_dot - 1 - z_dot + y*z_dot", "x_dot - 1 - z_dot + y*z_dot + max(x - 1, 0)^3*(y_dot - z_dot)", q="[0.3, 1, 0.5]", v="[1, 0, 0]")
    program.write("problem.toml", text)
    result = program.run("run", "problem.toml", "--method", "gauss", "--step", "0.1", "--until", "2")
    assert result.returncode == 3 and "no longer follows from the others" in result.stderr and "right" in result.stderr


def test_a_recorded_state_is_a_start(program):
    """With multipliers of all constraints: the reaction of a carried one goes on."""
    program.write("car.toml", CAR)
    words = ("run", "car.toml", "--method", "lobatto(multiplier=carried)", "--step", "0.02")
    program.good(*words, "--until", "1", "--csv", "csv")
    path = next((program.directory / "csv").glob("*.csv"))
    program.write("study.toml", f"""
problem = "car.toml"
[initial]
csv = "csv/{path.name}"
time = 1
[run]
step = 0.02
until = 1
[[method]]
name = "lobatto"
multiplier = "carried"
""")
    run, = program.json("run", "study.toml")["runs"]
    whole, = program.json(*words, "--until", "2")["runs"]
    # Round-off of 50 steps of velocities up to 10.
    assert all(abs(a - b) < 1e-12 for a, b in zip(run["final"]["v"], whole["final"]["v"]))


ENSEMBLE = """
problem = "car.toml"
[ensemble]
size = 5
seed = 1
%s
[run]
step = 0.1
until = 1
[[method]]
name = "dla"
"""


def test_an_ensemble_around_a_start_leaves_out_what_follows_there(program):
    program.write("car.toml", CAR)
    result = program.good("run", program.write("study.toml", ENSEMBLE % 'around = "rest"\nspread = 0.3'), "--out", "e.h5")
    assert "follow from the others" in result.stderr
    with h5py.File(program.directory / "e.h5") as file:
        members = file["runs/0001/members"]
        assert members["lambda_final"].shape == (5, 6)
        for q, v in zip(members["q_final"][:], members["v_final"][:]):
            x_dot, y_dot, rate = v[:3]
            # The axle of the rear wheels does not slip, and those in front are set for the same turn: round-off of velocities up to 10.
            sideways = -math.sin(q[2]) * x_dot + math.cos(q[2]) * y_dot
            forwards = math.cos(q[2]) * x_dot + math.sin(q[2]) * y_dot
            assert abs(sideways - 1.5 * rate) < 1e-13 and abs(forwards - 6 * rate) < 1e-13
    assert "8 constraints for 7 coordinates" in program.refuses(2, "run", program.write("box.toml", ENSEMBLE % "energy = 1"))


def test_others_say_that_they_need_independent_constraints(program):
    program.write("car.toml", CAR)
    assert "cannot be reduced: it has 8 constraints" in program.refuses(2, "reduce", "car.toml", "--symmetry", "x,y")
    assert "8 constraints for 7 coordinates" in program.refuses(2, "export", "car.toml", "--c", "dla")
    program.write("study.toml", ENSEMBLE.replace('[ensemble]\nsize = 5\nseed = 1\n%s', '[control]\nby = ["tau"]\ncost = "tau^2"'))
    assert "[control] needs independent constraints, and constraints rr_2, fl_2" in program.refuses(2, "control", "study.toml")
    words = ("sensitivity", "car.toml", "--method", "gauss(stages=4)", "--step", "0.1", "--until", "1", "--by", "tau")
    slope = program.json(*words, "--of", "th_dot")["runs"][0]["derivatives"][-1][0][0]
    assert abs(slope - YAW_RATE / 4 / 200) < 1e-14  # linear in the torque and in time
    assert "lambda_2" in program.refuses(2, *words, "--of", "lambda_2")


PUSHED = """
coordinates = ["x", "y", "z"]
conserves = "nothing"
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2"
potential = "x^2/2"
[constraints]
expressions = [{ name = "a", expression = "z_dot - y*x_dot"REACTION }, { name = "b", expression = "2*z_dot - 2*y*x_dot" }, { name = "c", expression = "y_dot - x_dot"OTHER }]
[initial.start]
q = [0, 1, 0]
v = [1, 1, 1]
"""
OWN = ', reaction = { z = "1", y = "0.2" }'


def test_reactions_of_their_own_are_not_shared(program):
    program.write("shared.toml", PUSHED.replace("REACTION", OWN).replace("OTHER", ""))
    message = program.refuses(2, "run", "./shared.toml", "--method", "gauss", "--step", "0.1", "--until", "1")
    assert "the reaction of constraint a has a direction of its own, and the motion depends on its share" in message
    # One that is not shared may have its own: the motion is that without the row that follows.
    other = PUSHED.replace("REACTION", "").replace("OTHER", ', reaction = { y = "1", z = "0.3" }')
    program.write("other.toml", other)
    program.write("once.toml", other.replace('{ name = "b", expression = "2*z_dot - 2*y*x_dot" }, ', ""))
    ends = [program.json("run", f"./{name}.toml", "--method", "lobatto", "--step", "0.1", "--until", "1")["runs"][0]["final"]
            for name in ("other", "once")]
    assert ends[0]["q"] == ends[1]["q"] and ends[0]["v"] == ends[1]["v"]


def test_events_name_no_shared_multipliers(program):
    event = '[[event]]\nof = "OF"\n[initial.start]'
    text = PUSHED.replace("REACTION", "").replace("OTHER", "")
    for of in ("c", "lambda_2", "x_ddot"):
        program.write("event.toml", text.replace("[initial.start]", event.replace("OF", of)))
        message = program.refuses(2, "run", "./event.toml", "--method", "gauss", "--step", "0.1", "--until", "1")
        assert "several share one reaction" in message and "event.toml:" in message


def test_warnings_name_multipliers_by_their_numbers_among_all(program):
    """A sleigh that settles, whose carried multiplier is the third of all constraints and the second of those that are kept."""
    program.write("sleigh.toml", """
coordinates = ["x", "y", "th", "z"]
angles = ["th"]
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2 + th_dot^2 + z_dot^2)/2 + 0.3*th_dot*(cos(th)*y_dot - sin(th)*x_dot)"
[constraints]
expressions = ["z_dot", "2*z_dot", "cos(th)*y_dot - sin(th)*x_dot"]
[initial.start]
q = [0, 0, 0, 0]
v = [1, 0, 0.5, 0]
""")
    told = program.good("run", "./sleigh.toml", "--method", "lobatto(multiplier=carried)", "--step", "0.1", "--until", "200").stderr
    assert "the carried multiplier lambda_3 has left that of the motion" in told
