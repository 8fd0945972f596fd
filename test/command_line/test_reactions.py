"""Constraints whose reactions have directions of their own: sliding friction with the true normal force, servo constraints."""

import json
import math

import pytest
import sympy

TEST_SYSTEM = """
description = "A system whose reaction is not ideal."
coordinates = ["q1", "q2", "q3"]
conserves   = "nothing"
[definitions]
speed = "sqrt(q1_dot^2 + q2_dot^2 + q3_dot^2)"
[lagrangian]
kinetic   = "(q1_dot^2 + 1.5*q2_dot^2 + 2*q3_dot^2)/2"
potential = "q1^4/4 + q1^2/2 - 0.3*q1*q2 + q2^2/2 + 0.1*q2^2*q3^2 + 0.25*q3^2 + 0.4*q3"
[[constraints.expressions]]
name       = "row"
expression = "sin(q3)*q1_dot - cos(q3)*q2_dot + (0.3 + 0.2*q1)*q3_dot"
[constraints.expressions.reaction]
q1 = "sin(q3) - 0.3*q1_dot/speed + 0.2*q2"
q2 = "-cos(q3) - 0.3*q2_dot/speed"
q3 = "0.3 + 0.2*q1 - 0.3*q3_dot/speed + 0.2"
[initial.start]
q = [0.7, 0.2, 0.4]
v = [0.5, 0.3, "-(sin(0.4)*0.5 - cos(0.4)*0.3)/0.44"]
"""

# A ball that is thrown without spin; the normal force is the multiplier.
BALL = """
description = "A ball that slides on the floor."
coordinates = ["x", "z", "phi"]
conserves   = "nothing"
[parameters]
m = 7
r = 0.11
mu = 0.2
g = 9.81
v0 = 3
[definitions]
slip = "x_dot - r*phi_dot"
[lagrangian]
kinetic   = "m*(x_dot^2 + z_dot^2)/2 + m*r^2*phi_dot^2/5"
potential = "m*g*z"
[constraints]
holonomic = [{ name = "normal", expression = "z = r", reaction = { x = "-mu*sign(slip)", z = 1, phi = "mu*r*sign(slip)" } }]
[[event]]
name = "grips"
of   = "x_dot - r*phi_dot"
terminal = true
[initial.thrown]
q = [0, "r", 0]
v = ["v0", 0, 0]
"""

# The lower end of a rod slides away from its mass centre, which presses it down.
ROD = """
description = "Painleve's rod."
coordinates = ["x", "z", "th"]
conserves   = "nothing"
[parameters]
mu = 1.7
g = 9.81
[definitions]
slip = "x_dot + sin(th)*th_dot"
[lagrangian]
kinetic   = "(x_dot^2 + z_dot^2)/2 + th_dot^2/6"
potential = "g*z"
[constraints]
holonomic = [{ name = "normal", expression = "z - sin(th)", reaction = { x = "-mu*sign(slip)", z = 1, th = "-cos(th) - mu*sin(th)*sign(slip)" } }]
[initial.start]
q = [0, "sin(0.6)", 0.6]
v = [-20, 0, 0]
"""


def final(program, file, method, h, until, *more):
    run = program.json("run", f"./{file}", "--method", method, "--step", str(h), "--until", str(until), *more)["runs"][0]
    assert run["status"] == "ok", run["message"]
    return run


# By an explicit method of order 8 at 1e-13, of another program: twelve digits.
Q1 = [0.736423459574, 0.265097056132, 0.511314906839]
V1 = [-0.329889398249, -0.163037853368, 0.043009117246]
LAMBDA1, E0, E1 = 0.674730615267, 0.710566082734, 0.669181808611


@pytest.mark.parametrize("method", ["gauss(stages=4)", "lobatto(stages=4)", "spark(stages=4)", "dop853"])
def test_a_motion_is_that_of_other_programs(program, method):
    program.write("system.toml", TEST_SYSTEM)
    run = final(program, "system.toml", method, 0.01, 1)
    # Errors of order 6 and more are below the digits that are printed there.
    for found, known in zip(run["final"]["q"] + run["final"]["v"], Q1 + V1):
        assert abs(found - known) < 1e-12
    assert abs(run["final"]["lambda_recomputed"][0] - LAMBDA1) < 1e-11
    found = run["diagnostics"]
    assert abs(found["energy"] - E0) < 1e-12 and abs(found["energy_final"] - E1) < 1e-12
    assert found["constraint_max"] < 1e-13 or method == "dop853"
    assert run["cautions"] == []


@pytest.mark.parametrize("method, order", [
    ("dla", 2), ("dla(alpha=0.25)", 1), ("dla01", 2), ("generalized-alpha", 2), ("generalized-alpha(rho=1)", 2),
    ("discrete-derivative", 2), ("lobatto(stages=2)", 2), ("lobatto(stages=3)", 4), ("spark(stages=3)", 4),
    ("gauss(stages=2)", 4), ("gauss(stages=2, projection=velocity)", 4), ("runge-kutta-4", 4)])
def test_methods_keep_their_orders(program, method, order):
    program.write("system.toml", TEST_SYSTEM)
    errors = []
    for h in (0.05, 0.025, 0.0125):
        run = final(program, "system.toml", method, h, 1)
        errors.append(max(abs(a - b) for a, b in zip(run["final"]["q"] + run["final"]["v"], Q1 + V1)))
        if "discrete" not in method and method not in ("runge-kutta-4", "gauss(stages=2)"):
            # Terms of size one, in at most 80 steps.
            assert run["diagnostics"]["constraint_max"] < 1e-14
    # The next power of h in the errors is a part of h in the ratios.
    for coarse, fine in zip(errors, errors[1:]):
        assert abs(math.log2(coarse / fine) - order) < 0.2


@pytest.mark.parametrize("method", ["gauss", "lobatto(stages=3)", "runge-kutta-4", "discrete-derivative"])
def test_a_ball_slides_with_the_true_normal_force_until_it_grips(program, method):
    """v = v0 - mu g t, and the slip ends at 2 v0/(7 mu g): closed forms; constant accelerations are exact for these methods."""
    program.write("ball.toml", BALL)
    run = final(program, "ball.toml", method, 0.01, 3)
    assert run["ended_by"] == "grips"
    end = run["final"]
    assert abs(end["t"] - 2 * 3 / (7 * 0.2 * 9.81)) < 1e-12 and abs(end["v"][0] - 15 / 7) < 1e-12
    assert abs(end["q"][0] - 1.123385133870) < 1e-11
    assert abs(run["initial"]["lambda_recomputed"][0] - 7 * 9.81) < 1e-11


def test_the_run_says_when_reactions_can_no_longer_hold_a_constraint(program):
    """Painleve's rod: p = 1 + 3 cos^2 - 3 mu sin cos is 0.1 at t = 0.175298551003 and zero at 0.18529722."""
    program.write("rod.toml", ROD)
    words = ("run", "./rod.toml", "--method", "gauss(stages=3)", "--step", "0.0005")
    run = program.json(*words, "--until", "0.175298551003")["runs"][0]
    th = run["final"]["q"][2]
    assert abs(1 + 3 * math.cos(th)**2 - 3 * 1.7 * math.sin(th) * math.cos(th) - 0.1) < 1e-8
    result = program.run(*words, "--until", "0.2", "--json", "r.json")
    lost = json.loads((program.directory / "r.json").read_text())["runs"][0]["diagnostics"]["rank_lost"]["mass"]
    # States are looked at every four steps.
    assert 0.1852 < lost < 0.1853 + 4 * 0.0005
    assert "the reactions can no longer hold the constraints (Painleve)" in result.stderr


def test_methods_that_need_ideal_constraints_say_so(program):
    program.write("system.toml", TEST_SYSTEM)
    for method in ("reduced-gradient", "energy-collocation", "hamel", "gni", "newmark", "leapfrog", "herglotz", "velocity-dla",
                   "frame-splitting", "gonzalez-full"):
        message = program.refuses(2, "run", "./system.toml", "--method", method, "--step", "0.1", "--until", "1")
        assert "cannot be used" in message
        if "ideal" not in message:
            assert "needs" in message  # something else that comes first
    message = program.refuses(2, "run", "./system.toml", "--method", "gauss(coordinates=quasi-velocity)", "--step", "0.1", "--until", "1")
    assert 'that of "row" has a direction of its own' in message
    # The choice of a method takes one that fits.
    assert final(program, "system.toml", "auto", 0.01, 1)["status"] == "ok"


@pytest.mark.parametrize("reaction, words", [
    ('"1"', "must be a table of the force by coordinate"), ("{}", "must be a table of the force by coordinate"),
    ('{ y = "1" }', 'is not a coordinate'), ('{ q1 = "nothing" }', '"nothing"'), ('{ q1 = ["1", "2"] }', "q1"),
    # A M^-1 B = 0 everywhere, and at the start alone.
    ('{ q1 = "cos(q3)", q2 = "1.5*sin(q3)" }', "cannot hold the constraints in any state"),
    ('{ q1 = "cos(q3)", q2 = "1.5*sin(q3) + q1 - 0.7" }', 'the reaction of "row" of system "system" at q = (0.7,')])
def test_mistakes_in_reactions_are_named(program, reaction, words):
    head, tail = TEST_SYSTEM.split("[constraints.expressions.reaction]")
    program.write("system.toml", head + f"reaction = {reaction}\n" + tail[tail.index("[initial"):])
    message = program.refuses(2, "run", "./system.toml", "--method", "dla", "--step", "0.1", "--until", "1")
    assert words in message


def test_a_family_of_constraints_has_no_reaction(program):
    program.write("family.toml", """
coordinates = ["x[1..3]"]
conserves = "nothing"
[lagrangian]
kinetic = "sum(i, 1, 3, x_dot[i]^2)/2"
[constraints]
expressions = [{ name = "rows", expression = "each(i, 1, 2, x_dot[i])", reaction = { x = ["1", "0", "0"] } }]
[initial.start]
q = [0, 0, 0]
v = [0, 0, 1]
""")
    assert "no place beside each" in program.refuses(2, "run", "./family.toml", "--method", "dla", "--step", "0.1", "--until", "1")


def test_describe_says_which_reactions_are_not_ideal_and_who_loses_energy(program):
    program.write("system.toml", TEST_SYSTEM)
    text = " ".join(program.good("describe", "./system.toml").stdout.split())
    assert "reaction on q2 -cos(q3) - 0.3*q2_dot/speed" in text
    assert "constraint 1 (row): linear in the velocities, with a reaction of its own direction" in text
    assert "the reaction of constraint 1 does work, because it has a direction of its own" in text


def test_exported_equations_have_the_reaction(program):
    """The multiplier at the start, from the equations as SymPy solves them."""
    program.write("system.toml", TEST_SYSTEM)
    script = {}
    exec(program.good("export", "./system.toml", "--sympy").stdout, script)
    v3 = -(math.sin(0.4) * 0.5 - math.cos(0.4) * 0.3) / 0.44
    here = dict(zip([*script["coordinates"], *script["velocities"]], [0.7, 0.2, 0.4, 0.5, 0.3, v3]))
    unknowns = [*script["accelerations"], *script["multipliers"]]
    solved = sympy.solve([equation.subs(here) for equation in script["equations"]], unknowns)
    assert abs(solved[script["multipliers"][0]] - 0.46211886) < 1e-8


# A disk that rolls down a round hill of radius 1; the forces between them are the multipliers.
HILL = """
description = "A disk on a hill."
coordinates = ["x", "z", "phi"]
[parameters]
r = 0.2
[definitions]
distance = "sqrt(x^2 + z^2)"
[lagrangian]
kinetic   = "(x_dot^2 + z_dot^2 + 0.02*phi_dot^2)/2"
potential = "9.81*z"
[constraints]
expressions = [{ name = "grip", expression = "(z*x_dot - x*z_dot)/distance - r*phi_dot" }]
holonomic   = [{ name = "normal", expression = "distance - 1 - r" }]
[[event]]
name      = "leaves"
of        = "normal"
direction = "falling"
terminal  = true
[[event]]
name      = "slips"
of        = "0.5*normal - abs(grip)"
direction = "falling"
[initial.near-top]
q = ["1.2*sin(0.05)", "1.2*cos(0.05)", 0]
v = [0, 0, 0]
"""


@pytest.mark.parametrize("method", ["gauss(stages=4)", "lobatto(stages=4)", "spark(stages=4)"])
def test_a_disk_leaves_the_hill_where_the_normal_force_is_zero(program, method):
    """cos(al) = 4/7 cos(0.05), and it would slip where sin/3 = mu (7/3 cos - 4/3 cos 0.05): closed forms; times of another program."""
    program.write("hill.toml", HILL)
    run = final(program, "hill.toml", method, 0.01, 3)
    assert run["ended_by"] == "leaves" and abs(run["final"]["t"] - 1.57252355846) < 1e-10
    # Errors of order 6 and more of 160 steps.
    assert abs(math.atan2(*run["final"]["q"][:2]) - math.acos(4 / 7 * math.cos(0.05))) < 1e-11
    slip = run["diagnostics"]["events"]["slips"]
    assert slip["count"] == 1 and abs(slip["t"][0] - 1.43865022129) < 1e-10
    assert abs(math.atan2(*slip["q"][0][:2]) - 0.711621710470) < 1e-11


def test_events_name_the_multipliers_that_there_are(program):
    program.write("hill.toml", HILL.replace('of        = "normal"', 'of        = "lambda_3"'))
    assert 'unknown name "lambda_3"' in program.refuses(2, "run", "./hill.toml", "--method", "gauss", "--step", "0.1", "--until", "1")


BODY = """
description = "A body whose third component of spin a motor holds by a torque about a tilted axis."
coordinates = ["R in SO(3)"]
conserves   = "nothing"
[lagrangian]
kinetic   = "(R_dot[1]^2 + 2*R_dot[2]^2 + 1.5*R_dot[3]^2)/2"
potential = "0.5*R[3,3]"
[constraints]
expressions = [{ name = "motor", expression = "R_dot[3] - 0.2*R_dot[1]", reaction = { R = ["0.3", "0.1*R[1,3]", "1"] } }]
[initial.start]
position = { R = { rotation_vector = [0.5, -0.3, 0.2] } }
velocity = { R = [1, 0.25, 0.2] }
"""


def test_bodies_have_reactions_too_and_charts_of_them(program):
    program.write("body.toml", BODY)
    best = final(program, "body.toml", "gauss(stages=6)", 0.02, 1)["final"]
    errors = {}
    for method, h in [("dla", 0.02), ("dla", 0.01), ("generalized-alpha", 0.02), ("generalized-alpha", 0.01), ("lobatto(stages=3)", 0.04),
                      ("lobatto(stages=3)", 0.02), ("chart(base=spark(stages=3))", 0.04), ("chart(base=spark(stages=3))", 0.02)]:
        end = final(program, "body.toml", method, h, 1)["final"]
        errors.setdefault(method, []).append(max(abs(a - b) for a, b in zip(end["q"] + end["v"], best["q"] + best["v"])))
    for method, (coarse, fine) in errors.items():
        order = 4 if "3" in method else 2
        assert abs(math.log2(coarse / fine) - order) < 0.2, method


def test_a_resumed_run_has_the_same_bits(program):
    program.write("system.toml", TEST_SYSTEM)
    words = ("run", "./system.toml", "--method", "lobatto(stages=3)", "--step", "0.05")
    whole = program.json(*words, "--until", "2")["runs"][0]["final"]
    program.good(*words, "--until", "1", "--out", "r.h5")
    program.good("resume", "r.h5", "--until", "2", "--json", "s.json")
    assert json.loads((program.directory / "s.json").read_text())["runs"][0]["final"] == whole
