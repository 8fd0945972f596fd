"""Steady motions, their roots, and where along a parameter they become stable."""

import csv
import json
import math

import pytest

# Source: Meijaard, Papadopoulos, Ruina and Schwab 2007: the roots at 5 m/s, the speeds of weave and capsize.
PUBLISHED_ROOTS = [(-0.32286642900409, 0), (-0.77534188219585, 4.46486771378823), (-0.77534188219585, -4.46486771378823), (-14.07838969279822, 0)]
WEAVE, CAPSIZE = 4.29238253634111, 6.02426201538837


def test_the_bicycle_has_its_published_roots(program):
    result = program.json("linearise", "bicycle", "--set", "speed=5")
    motion, = result["motions"]
    assert result["start"] == "straight" and motion["status"] == "ok" and motion["stability"] == "stable"
    assert motion["states"] == ["phi", "delta", "x_dot", "phi_dot", "delta_dot"] and motion["held"] == ["x", "y", "psi", "theta_R", "theta_F"]
    assert motion["neutral"] == motion["family"] == 1 and motion["distance"] < 1e-12
    roots = [(mode["real"], mode["imaginary"]) for mode in motion["modes"] if mode["real"] != 0]
    assert roots == [pytest.approx(root, abs=1e-11) for root in PUBLISHED_ROOTS]
    text = program.good("linearise", "bicycle", "--set", "parameters.speed=5").stdout
    assert text.splitlines()[0] == "bicycle, straight: a steady motion"
    assert "-14.0783896928" in text and "+-4.46486771379" in text
    assert text.splitlines()[-1] == "stable: every mode decays but 1 that leads to other steady motions nearby"


def test_the_bicycle_weaves_and_capsizes(program):
    text = program.good("linearise", "bicycle", "--set", "speed={from=3, to=7, count=5}", "--json", "all.json", "--csv", "all.csv", "--plot", "all.svg").stdout
    assert "speed = 4.29238253634: unstable below, stable above, roots at +-3.43503 i" in text
    result = json.loads((program.directory / "all.json").read_text())
    assert result["parameter"] == "speed" and [motion["value"] for motion in result["motions"]] == [3, 4, 5, 6, 7]
    weave, capsize = result["changes"]
    assert weave["value"] == pytest.approx(WEAVE, abs=1e-9) and capsize["value"] == pytest.approx(CAPSIZE, abs=1e-9)
    assert (weave["before"], weave["after"], capsize["after"], capsize["imaginary"]) == ("unstable", "stable", "unstable", 0)
    rows = list(csv.DictReader((program.directory / "all.csv").open()))
    assert len(rows) == 25 and rows[0]["speed"] == "3" and {row["stability"] for row in rows} == {"stable", "unstable"}
    picture = (program.directory / "all.svg").read_text()
    assert "real parts of the roots" in picture and "speed = 4.29238253634: unstable below" in picture
    # Falling values meet the same changes, named from the lower side.
    text = program.good("linearise", "bicycle", "--set", "speed=[5, 4]").stdout
    assert "speed = 4.29238253634: unstable below, stable above" in text


def test_motions_near_a_start(program):
    motion, = program.json("linearise", "bicycle", "--start", "weaving", "--keep", "x_dot")["motions"]
    assert motion["v"][0] == pytest.approx(4, abs=1e-12) and motion["stability"] == "unstable" and 0.01 < motion["distance"] < 0.03
    motion, = program.json("linearise", "spherical-pendulum", "--at", "steady", "--keep", "z, angular_momentum - x*y_dot + y*x_dot")["motions"]
    assert motion["q"][2] == pytest.approx(-math.cos(0.8), abs=1e-12)
    roots = sorted(mode["imaginary"] for mode in motion["modes"])
    assert roots[-1] == pytest.approx(math.sqrt((1 + 3 * math.cos(0.8) ** 2) / math.cos(0.8)), abs=1e-12)
    # A start of the name steady is one like any other.
    assert "rattleback, reversing" in program.good("linearise", "rattleback", "--at", "steady").stdout
    assert "rattleback, steady" in program.good("linearise", "rattleback", "--start", "steady").stdout


def test_sizes_and_own_problems(program):
    result = program.json("linearise", "wheeled-chain", "--set", "n=4", "--set", "stiffness=1/5")
    assert len(result["columns"]) == 20
    program.write("slide.toml", """
name = "slide"
coordinates = ["x", "y"]
[parameters]
drag = 0.5
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2)/2"
potential = "-0.3*x + 2*y^2"
[force]
x = "-drag*x_dot"
y = "-drag*y_dot"
[initial.rest]
q = [0, 0.1]
v = [0, 0]
""")
    motion, = program.json("linearise", "slide.toml", "--set", "drag=0.6")["motions"]
    assert motion["v"] == pytest.approx([0.5, 0], abs=1e-12) and motion["symmetries"] == ["d/dx"]
    assert motion["matrix"] == [pytest.approx(row, abs=1e-12) for row in ([0, 0, 1], [0, -0.6, 0], [-4, 0, -0.6])]


@pytest.mark.parametrize("more, code, words", [
    (["bicycle", "--at", "stable"], 3, 'bicycle, start "stable": the start is no steady motion; the nearest that was found is'),
    (["appell-hamel"], 3, "the search ended where a constraint is singular"),
    (["spherical-pendulum", "--keep", "z,energy,x,y,x_dot"], 3, "no steady motion was found near the start: the search ended with a residual of"),
    (["knife-edge-prescribed"], 2, "depends on time, and has no steady motions"),
    (["bicycle", "--at", "straigt"], 2, 'has no start "straigt"; did you mean "straight"?'),
    (["bicycle", "--at", "straight", "--start", "stable"], 2, "--at straight is a start already"),
    (["bicycle", "--set", "sped=5"], 2, 'is neither a parameter nor a size of problem "bicycle"; did you mean "speed"?'),
    (["bicycle", "--set", "speed"], 2, "takes a size or a parameter of the problem with its value"),
    (["bicycle", "--set", "speed=fast"], 2, "fast"),
    (["bicycle", "--set", "g=-1"], 2, 'the parameter "g" must be >= 0'),
    (["bicycle", "--set", "speed=[4,5]", "--set", "g=[1,2]"], 2, 'parameters "speed" and "g" have several values each'),
    (["bicycle", "--set", "speed=[4,6,5]"], 2, "must grow, or fall"),
    (["wheeled-chain", "--set", "n=2.5"], 2, "whole number"),
    (["chaotic", "--set", "n=7"], 2, "has no start with these sizes"),
    (["bicycle", "--keep", "x_dott"], 2, '--keep is wrong: in the expression "x_dott"'),
    (["gauss"], 2, '"gauss" is a method'),
    (["modin-verdier-2020/figure-6"], 2, "is a study of the problem"),
    (["bicycle", "--plot", "roots.jpg"], 2, ".svg"),
])
def test_what_cannot_be_linearised(program, more, code, words):
    assert words in program.refuses(code, "linearise", *more)


def test_motions_that_are_missing_along_a_parameter(program):
    # The pendulum's circle at a given height above the middle needs more than gravity.
    result = program.run("linearise", "spherical-pendulum", "--set", "g=[1, 0.5]", "--keep", "z, energy", "--json", "-")
    assert result.returncode == 3
    assert [motion["status"] for motion in json.loads(result.stdout)["motions"]] == ["failed", "failed"]
    assert "at g = 1: no steady motion was found" in result.stderr and "no steady motion" in result.stderr


def fall(potential, force=("-0.1*x_dot", "-0.1*y_dot")):
    return f"""
coordinates = ["x", "y", "z"]
[constraints]
expressions = ["z_dot - y*x_dot"]
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2"
potential = "{potential}"
[force]
x = "{force[0]}"
y = "{force[1]}"
z = "-0.1*z_dot"
[initial.rest]
q = [0, 0, 0]
v = [0, 0, 0]
"""


@pytest.mark.parametrize("power", [3, 4, 5, 6])
def test_a_zero_root_that_higher_powers_decide_is_no_family(program, power):
    """y = 0 is unstable: from 0.01 the motion runs away. The slope of y^(k - 1) there is zero, as that of a family of states of rest."""
    problem = program.write("powers.toml", fall(f"x^2/2 - y^{power}/{power}"))
    assert "undecided" in program.good("linearise", problem).stdout
    # Flat in y: all of them are states of rest.
    flat = program.write("flat.toml", fall("x^2/2"))
    assert "stable: every mode decays but 1 that leads to other steady motions nearby" in program.good("linearise", flat).stdout


def test_a_family_along_a_curve_is_one(program):
    """A valley along a parabola: its bottom is a curve of states of rest, and its tangent alone is in the kernel."""
    problem = program.write("valley.toml", fall("(x - y^2)^2/2"))
    assert "stable: every mode decays but 1 that leads to other steady motions nearby" in program.good("linearise", problem).stdout


@pytest.mark.parametrize("potential, force, name", [
    ("y^2/2 + x^2*piecewise(1, x < 0, 3)", ("-0.1*x_dot", "-0.1*y_dot"), "the potential has pieces (piecewise, line 7)"),
    ("(x^2 + y^2)/2", ("-0.3*sign(x_dot)", "-0.1*y_dot"), "the force has pieces (sign, line 9)"),
])
def test_a_steady_motion_at_a_switch_is_undecided_and_says_which(program, potential, force, name):
    problem = program.write("switch.toml", fall(potential, force))
    said = program.good("linearise", problem).stdout
    assert f"undecided: {name}, and the motion is at a switch" in said
    assert name in program.json("linearise", problem)["motions"][0]["message"]
    away = program.write("away.toml", fall("y^2/2 + x^2*piecewise(1, x < -1, 3)"))
    assert "stable: every mode decays" in program.good("linearise", away).stdout
