"""Optimal control: controls, costs and sentences."""

import csv
import json
import math
import os
import pathlib
import signal
import subprocess
import time

import pytest
from conftest import PROGRAM

# Parking sideways in 20 steps of dla01, from shooting.
COST, FIRST = 4.3852563988940, (1.156386416431, 1.906703534851)
ROBOT = ["differential-drive", "--start", "starting", "--method", "dla01", "--step", "0.2", "--until", "4", "--by", "tau_l,tau_r",
         "--cost", "tau_l^2 + tau_r^2", "--trials", "2"]
THERE = ["--set", 'control.conditions=["x", "y - 1", "theta", "theta_dot", "x_dot"]']


def test_parking_has_the_cost_of_the_shooting(program):
    run, = program.json("control", "parking", "--step", "0.2")["runs"]
    assert run["status"] == "ok" and run["extremum"] == "minimum" and run["by"] == ["push", "torque"]
    assert run["cost"] == pytest.approx(COST, abs=1e-12) and run["defect"] < 1e-12 and run["constraint"] < 1e-12
    assert [abs(number) for number in run["controls"][0]] == pytest.approx(FIRST, abs=1e-11)
    assert len(run["t"]) == len(run["q"]) == len(run["costate"]) == 21 and len(run["controls"]) == 20
    assert run["state"] == ["x", "y", "theta", "x_dot", "y_dot", "theta_dot"]
    assert run["q"][-1] == pytest.approx([0, 1, 0], abs=1e-12) and run["v"][-1] == pytest.approx([0, 0, 0], abs=1e-12)
    assert run["converged"] == run["searches"] == 16 and run["stationary_costs"][0] == run["cost"]


BALL = """
[system]
coordinates = [{coordinates}]
[system.parameters]
m = 1
r = 0.2
t1 = 0
t2 = 0
{system}
[initial]
free = [{free}]
position = {{ x = 1, y = 0, {position} }}
velocity = {{ x = 0, y = 1, {velocity} }}
[control]
by = ["t1", "t2"]
cost = "t1^2 + t2^2"
conditions = ["x", "y", "x_dot", "y_dot"]
trials = 2
[run]
step = 0.1
until = 4
[[method]]
name = "lobatto"
"""
TURNING = """
[[system.body]]
name = "ball"
mass = "m"
inertia = "2/5*m*r^2"
position = ["x", "y", "r"]
rotation = "R"
[[system.contact]]
name = "disc"
body = "ball"
kind = "rolling"
shape = { sphere = "r" }
velocity = "cross([0, 0, 1], disc.point)"
[system.force]
R = ["R[1,1]*t1 + R[2,1]*t2", "R[1,2]*t1 + R[2,2]*t2", "R[1,3]*t1 + R[2,3]*t2"]
"""
SPEEDS = """
[system.lagrangian]
kinetic = "m*(x_dot^2 + y_dot^2)/2 + m*r^2/5*(a1_dot^2 + a2_dot^2)"
[system.constraints]
expressions = ["x_dot - r*a2_dot + y", "y_dot + r*a1_dot - x"]
[system.force]
a1 = "t1"
a2 = "t2"
"""


def test_a_ball_that_turns_many_times_costs_what_its_speeds_alone_do(program):
    """On a turning disk, to its centre with the least torque: the rotation has no part in it, and takes no part of the search."""
    with_rotation = BALL.format(coordinates='"R in SO(3)", "x", "y"', system=TURNING, free='"R_dot_1", "R_dot_2"', position='R = "identity"',
                                velocity="R = [0, 0, 0]")
    speeds = BALL.format(coordinates='"x", "y", "a1", "a2"', system=SPEEDS, free='"a1_dot", "a2_dot"', position="a1 = 0, a2 = 0",
                         velocity="a1 = 0, a2 = 0")
    costs = []
    for name, text in (("ball", with_rotation), ("speeds", speeds)):
        run, = program.json("control", program.write(f"{name}.toml", text))["runs"]
        assert run["status"] == "ok" and run["extremum"] == "minimum" and run["converged"] == 2
        costs.append(run["cost"])
    # Torques along axes of space change in the body within a step, which lobatto of order 4 sees to h^4.
    assert costs[0] == pytest.approx(costs[1], abs=1e-6)
    # The exact motion with free torques, 0.0701380; those that stay within a step cost more, by h^2.
    assert 0 < costs[1] - 0.0701380 < 1e-4


def test_every_run_of_a_study_in_table_and_files(program):
    text = program.good("control", "parking", "--set", "run.step=[0.2, 0.1]", "--method", "dla01,gauss", "--trials", "3", "--csv", "all.csv",
                        "--plot", "all.svg").stdout
    lines = text.splitlines()
    assert len(lines) == 5 and lines[0].split()[:5] == ["run", "method", "h", "cost", "extremum"]
    assert "4.385256398894" in text and "4.367173313903" in text and text.count("minimum") == 4
    rows = list(csv.DictReader((program.directory / "all.csv").open()))
    assert len(rows) == 2 * (21 + 41)
    assert math.hypot(float(rows[0]["push"]), float(rows[0]["torque"])) == pytest.approx(math.hypot(*FIRST), abs=1e-11)
    assert float(rows[20]["y"]) == pytest.approx(1, abs=1e-12) and rows[20]["push"] == rows[19]["push"]
    assert {"lambda_1", "energy", "constraint", "costate_theta_dot"} <= set(rows[0])
    assert "torque" in (program.directory / "all.svg").read_text()


def test_controls_of_a_library_problem(program):
    run, = program.json("control", *ROBOT, *THERE)["runs"]
    assert run["status"] == "ok" and run["extremum"] == "minimum"
    assert run["q"][-1][:3] == pytest.approx([0, 1, 0], abs=1e-12)


def test_a_guess_is_followed_and_steps_stay_where_they_are(program):
    guess = 'control.guess={ push = "1.2*cos(pi*t/2)", torque = "t - 2" }'
    run, = program.json("control", "parking", "--step", "0.2", "--set", guess)["runs"]
    assert run["searches"] == 1 and run["cost"] == pytest.approx(COST, abs=1e-12)
    again, = program.json("control", "parking", "--step", "0.2", "--set", guess)["runs"]
    assert again == run
    listed = 'control.guess={ push = ' + str([row[0] for row in run["controls"]]) + ', torque = ' + str([row[1] for row in run["controls"]]) + ' }'
    near, = program.json("control", "parking", "--step", "0.2", "--set", listed)["runs"]
    assert near["cost"] == pytest.approx(COST, abs=1e-12) and near["iterations"] < run["iterations"]


def test_a_failure_is_said_and_the_others_are_shown(program):
    # The rate of the heading cannot be 1 where nothing turns it.
    refused = program.run("control", "parking", "--step", "0.2", "--set", 'control.by=["push"]', "--trials", "2", "--json", "none.json")
    assert refused.returncode == 3 and "none has ended at stationary ones" in refused.stderr and "0 of 2" in refused.stdout
    assert '"status": "failed"' in (program.directory / "none.json").read_text()


def test_what_is_no_minimum_is_said_to_be_none(program):
    # |push| has no derivative where it is best.
    refused = program.run("control", "parking", "--step", "0.2", "--cost", "abs(push) + torque^2", "--trials", "1")
    assert refused.returncode == 3 and "the motion is not stationary: a derivative is" in refused.stderr


def test_an_interrupt_keeps_what_was_found(program):
    # The first run ends at once, the second would take minutes.
    text = pathlib.Path(os.environ["DALEMBERT_DATA"], "studies", "parking.toml").read_text()
    program.write("s.toml", text.replace("step  = 0.05", "step  = 0.2") + '\n[sweep]\n"control.trials" = [2, 50000]\n')
    process = subprocess.Popen([PROGRAM, "control", "s.toml", "--json", "some.json"],
                               cwd=program.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    out, complaint = process.communicate(timeout=60)
    assert process.returncode == 130 and "interrupted" in complaint and "minimum" in out
    first, second = json.loads((program.directory / "some.json").read_text())["runs"]
    assert first["status"] == "ok" and second["status"] == "interrupted" and "cost" not in second


@pytest.mark.parametrize("more, words", [
    (["parking", "--by", "pusch"], 'is no parameter of problem "unicycle": "pusch"; did you mean "push"?'),
    (["parking", "--by", "push,push"], 'names "push" twice'),
    (["parking", "--cost", "push^2 + speed"], 'unknown name "speed"'),
    (["parking", "--end", "there"], 'names no start of problem "unicycle": "there"'),
    (["parking", "--until", "4.01"], "no multiple of the step"),
    (["parking", "--trials", "0"], "has neither a guess nor trials"),
    (["parking", "--set", "control.end={ q = [0, 1, 0], v = [0, 1, 0] }"], "no motion can end there: constraint 1"),
    (["parking", "--set", 'control.guess={ pull = "t" }'], "is none of the controls"),
    (["parking", "--set", "control.guess={ push = [1, 2] }"], "has 2 values; the motion has 80 steps"),
    (["parking", "--set", "control.costs=1"], 'did you mean "cost"?'),
    (["parking", "--set", "control.scale=0"], "is 0; it must be in (0, inf)"),
    (["parking", "--plot", "p.svg", "--quantity", "speed"], '"speed"'),
    (["parking", "--method", "fehlberg-78(tolerance=1e-8)"], "divides its steps"),
    (["pendulum-cvt", "--method", "dla", "--step", "0.1", "--until", "1"], "no table [control]"),
    (["ball-on-turntable", "--method", "dla", "--start", "tumbling", "--step", "0.1", "--until", "1", "--by", "Omega", "--cost", "Omega^2"],
     "changes the constraints"),
    ([*ROBOT[:-6], "--by", "tau_l"], "needs cost"),
])
def test_what_is_refused(program, more, words):
    assert words in program.refuses(2, "control", *more)


def test_ensembles_have_no_controls_and_other_commands_take_no_notice(program):
    study = ('problem = "chaotic"\n[[method]]\nname = "dla01"\n[run]\nstep = 0.1\nuntil = 1\n'
             '[ensemble]\nsize = 5\nenergy = 3\nseed = 1\n[control]\nby = "k"\ncost = "1"\n')
    (program.directory / "s.toml").write_text(study.replace('by = "k"', 'by = []'))
    assert "is an empty list" in program.refuses(2, "control", "s.toml")
    run, = program.json("run", "parking")["runs"]
    assert run["final"]["q"] == [0, 0, 0]
