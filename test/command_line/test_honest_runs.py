"""Runs that the numbers let pass and that mean nothing all the same."""

import json
import re
from pathlib import Path

import h5py
import pytest

ROOT = Path(__file__).resolve().parents[2]

FREE = """
coordinates = ["x"]
[lagrangian]
kinetic = "x_dot^2/2"
[integrals]
strange = "exp(x)"
[initial.start]
q = [0]
v = [100]
"""

COLLISION = """
coordinates = ["x", "y"]
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2)/2"
potential = "-1/sqrt(x^2 + y^2)"
[initial.start]
q = [1, 0]
v = [0, 0.01]
"""


def test_a_quantity_that_is_not_finite_fails_the_run(program):
    name = program.write("free.toml", FREE)
    message = program.refuses(3, "run", f"./{name}", "--method", "leapfrog", "--step", "0.1", "--until", "10")
    assert "step 71" in message and "strange is inf" in message
    program.good("run", f"./{name}", "--method", "leapfrog", "--step", "0.1", "--until", "7")


def test_a_promise_that_is_not_kept_is_a_warning(program):
    name = program.write("collision.toml", COLLISION)
    words = ("run", f"./{name}", "--method", "discrete-derivative", "--step", "0.1")
    warning = program.good(*words, "--until", "30", "--out", "r.h5").stderr
    assert "warning: run start, discrete-derivative: the method keeps the energy where the quadrature along a step is exact, but it was off by" in warning
    assert "warning" not in program.good(*words, "--until", "0.5").stderr
    assert "the method keeps" not in program.good("run", f"./{name}", "--method", "leapfrog", "--step", "0.1", "--until", "30").stderr


def out_of_scale(program, *words):
    """The warnings of a run, and what its JSON says."""
    lines = [line for line in program.good("run", *words).stderr.splitlines() if "from t = " in line]
    return lines, program.json("run", *words)["runs"][0]["diagnostics"]["out_of_scale"]


def test_an_energy_out_of_all_scale_is_named_whatever_the_method_promises(program):
    """A leap-frog through a near collision; a step far too large for a rolling ball, whose moving energy is what stays."""
    name = program.write("collision.toml", COLLISION)
    lines, times = out_of_scale(program, f"./{name}", "--method", "leapfrog", "--step", "0.1", "--until", "30")
    assert len(lines) == 1 and "warning: run start, leapfrog: the energy, which the motion keeps, is off by up to" in lines[0]
    assert 1 < times["energy"] < 2 and times["constraints"] is None  # falls to the centre in pi/sqrt(8)
    ball = ("ball-on-turntable", "--method", "runge-kutta-4", "--start", "tumbling", "--until", "300", "--step")
    lines, times = out_of_scale(program, *ball, "1.5")
    assert any("the moving energy, which the motion keeps" in line for line in lines) and times["energy"] < 300
    assert out_of_scale(program, *ball, "0.05") == ([], {"energy": None, "constraints": None, "multipliers": None})


def test_constraints_out_of_all_scale_are_named_with_time_and_multiplier(program):
    words = ("pendulum-cvt", "--method", "discrete-derivative", "--start", "rotating")
    lines, times = out_of_scale(program, *words, "--until", "100", "--step", "0.1")
    assert len(lines) == 1 and "that of lambda_1 by more than a thousandth of its terms" in lines[0]
    assert 0 < times["constraints"] < 100 and times["energy"] is None
    assert out_of_scale(program, *words, "--until", "1", "--step", "0.001") == ([], {"energy": None, "constraints": None, "multipliers": None})


def test_an_energy_that_the_motion_changes_is_not_judged(program):
    path = program.write("false.toml", FALSE.format(conserves="nothing", kinetic="(x_dot^2 + y_dot^2)/2",
                                                    force="-x_dot", integral="y_dot"))
    assert out_of_scale(program, f"./{path}", "--method", "dla01", "--step", "0.1", "--until", "20") == (
        [], {"energy": None, "constraints": None, "multipliers": None})


def test_a_run_that_goes_on_still_names_the_time_from_which_it_was_out_of_scale(program):
    words = ("run", "pendulum-cvt", "--method", "runge-kutta-4", "--start", "rotating", "--step", "1")
    whole = program.json(*words, "--until", "300")["runs"][0]["diagnostics"]["out_of_scale"]
    program.good(*words, "--until", "200", "--out", "r.h5")
    assert "the energy, which the motion keeps" in program.good("resume", "r.h5", "--until", "300").stderr
    with h5py.File(program.directory / "r.h5") as file:
        rest = json.loads(file["runs/0001"].attrs["json"])
    assert rest["diagnostics"]["out_of_scale"] == whole and whole["energy"] < 200


def test_results_in_json_have_the_sentences_of_the_warnings(program):
    told = program.good("run", "pendulum-cvt", "--start", "rotating", "--method", "runge-kutta-4", "--step", "1",
                        "--sweep", "run.step=[1, 0.01]", "--until", "300", "--json", "r.json")
    doubted, trusted = json.loads((program.directory / "r.json").read_text())["runs"]
    assert [line.split(": ", 3)[3] for line in told.stderr.splitlines()] == doubted["cautions"] != []
    assert trusted["cautions"] == []


FALSE = """
name = "false"
coordinates = ["x", "y"]
conserves = "{conserves}"
[lagrangian]
kinetic = "{kinetic}"
potential = "x^2/2"
[force]
x = "{force}"
[integrals]
momentum = "{integral}"
[initial.some]
q = [1.0, 0.5]
v = [0.3, 0.2]
"""


def warnings_of(program, **changes):
    said = {"conserves": "energy", "kinetic": "(x_dot^2 + y_dot^2)/2", "force": "0", "integral": "y_dot"} | changes
    path = program.write("false.toml", FALSE.format(**said))
    result = program.good("run", f"./{path}", "--method", "dla01", "--step", "0.01", "--until", "1")
    return [line for line in result.stderr.splitlines() if "warning" in line]


def test_true_claims_are_not_doubted(program):
    assert warnings_of(program) == []


def test_friction_contradicts_an_energy_said_to_stay(program):
    [line] = warnings_of(program, force="-x_dot")
    assert "says that it conserves the energy" in line and "external forces do work" in line
    assert warnings_of(program, force="-x_dot", conserves="nothing") == []


def test_a_false_integral_is_named(program):
    [line] = warnings_of(program, integral="y_dot + x")
    assert '"momentum" is an integral, but the motion itself changes it' in line


def test_a_negative_kinetic_energy_is_named(program):
    [line] = warnings_of(program, kinetic="x_dot^2/2 - y_dot^2/2", integral="y_dot")
    assert "is negative for a velocity y_dot alone: its mass is -1" in line


def test_describe_names_what_a_problem_says_of_itself_and_is_not_so(program):
    def described(**parts):
        path = program.write("false.toml", FALSE.format(**{"conserves": "energy", "kinetic": "(x_dot^2 + y_dot^2)/2", "force": "0",
                                                           "integral": "y_dot", **parts}))
        return program.good("describe", f"./{path}").stderr.splitlines()

    assert described() == []
    assert described(force="-x_dot", conserves="nothing") == []
    [line] = described(force="-x_dot")
    assert "warning: problem \"false\" says that it conserves the energy" in line
    [line] = described(integral="y_dot + x")
    assert '"momentum" is an integral, but the motion itself changes it' in line
    [line] = described(kinetic="x_dot^2/2 - y_dot^2/2")
    assert "is negative for a velocity y_dot alone: its mass is -1" in line


# A force that acts later, or elsewhere, or is switched off by its parameter.
@pytest.mark.parametrize("force", ["piecewise(1, 5 < t < 6, 0)", "-max(0, x - 30)*x_dot", "-(1 + tanh(50*(x - 30)))*x_dot"])
def test_an_energy_that_a_force_may_change_is_not_judged(program, force):
    path = program.write("false.toml", FALSE.format(conserves="nothing", kinetic="(x_dot^2 + y_dot^2)/2", force=force, integral="y_dot"))
    page = program.good("describe", f"./{path}").stdout
    assert "energy: not known whether it is kept: external forces do no work near the start" in " ".join(page.split())
    assert "momentum: kept unless a force acts elsewhere or later" in page
    words = ("run", f"./{path}", "--method", "dla01", "--step", "0.01", "--until", "20", "--strict")
    assert "energy, which the motion keeps" not in program.good(*words).stderr
    claiming = program.write("claiming.toml", FALSE.format(conserves="energy", kinetic="(x_dot^2 + y_dot^2)/2", force=force, integral="y_dot"))
    assert "warning" not in program.good("describe", f"./{claiming}").stderr


def test_claims_hold_for_the_default_parameters(program):
    """A start, or the command line, may switch on what changes the energy."""
    result = program.good("run", "car-on-slope", "--start", "climbing", "--method", "gauss", "--step", "0.05", "--until", "10")
    assert "warning" not in result.stderr and "energy change" in result.stdout
    result = program.good("run", "car-on-slope", "--start", "across", "--method", "gauss", "--step", "0.05", "--until", "10")
    assert "warning" not in result.stderr and "energy error" in result.stdout
    result = program.good("run", "car-on-slope", "--start", "across", "--set", "parameters.drag=0.3", "--method", "gauss", "--step", "0.05", "--until", "10")
    assert "warning" not in result.stderr and "energy change" in result.stdout


def test_no_problem_warns_about_itself_at_any_of_its_starts(program):
    """A short run by the method that is advised, at a step that is short for every problem."""
    names = [line.split()[0] for line in program.good("list", "problems").stdout.splitlines() if line.startswith("  ")]
    assert len(names) >= 50
    for name in names:
        page = program.good("describe", name)
        assert page.stderr == "", page.stderr
        starts = re.findall(r"^  ([a-z0-9-]+)$", page.stdout[page.stdout.index("\nStarts\n"):page.stdout.index("\nConserved quantities\n")], re.M)
        assert starts, name
        for start in starts:
            result = program.good("run", name, "--start", start, "--method", "auto", "--step", "0.001", "--until", "0.05")
            assert "warning" not in result.stderr, (name, start, result.stderr)


@pytest.mark.parametrize("problem, start", [("bicycle", [0.0] * 8), ("tilting-disk", [0.0, 0.0, 1.0, 0.0, 0.0, 0.0])])
def test_a_vehicle_that_stands_upright_is_off_nothing(program, problem, start):
    """Velocities are round-off there, and off their constraints by as much as they are large."""
    study = f'problem = "{problem}"\n[initial]\nq = {start}\nv = {[0.0] * len(start)}\n[run]\nstep = 0.01\nuntil = 0.3\n'
    for method in ("spark", "gauss", "lie-lobatto", "dop853"):
        result = program.run("run", program.write("study.toml", f'{study}[[method]]\nname = "{method}"\n'), "--strict")
        assert result.returncode == 0 and "off" not in result.stderr and "violated" not in result.stderr


def test_what_was_not_computed_is_a_dash(program):
    program.write("steep.toml", FALSE.format(conserves="energy", kinetic="(x_dot^2 + y_dot^2)/2", force="0",
                                             integral="y_dot").replace("x^2/2", "1e300*exp(1e5*x^2)"))
    result = program.run("run", "./steep.toml", "--method", "reduced-gradient", "--step", "0.1", "--until", "1",
                         "--set", "initial.v=[0.0, 0.0]", "--set", "initial.q=[0.01, 0.0]")
    row = result.stdout.splitlines()[-1].split()
    assert result.returncode == 3 and row[-1] == "failed"
    assert row[3:] == ["0", "-", "-", "-", "-", "failed"]


def test_energy_that_is_not_meant_to_stay_has_no_error(program):
    path = program.write("false.toml", FALSE.format(conserves="nothing", kinetic="(x_dot^2 + y_dot^2)/2",
                                                    force="-x_dot", integral="y_dot"))
    study = program.write("study.toml", f'problem = "./{path}"\n[initial]\nname = "some"\n[run]\nstep = 0.1\nuntil = 1\n'
                          '[[method]]\nname = "dla01"\n[[diagnostic]]\nkind = "expression"\nname = "speed"\n'
                          'expression = "x_dot"\n')
    head = program.good("run", study).stdout.splitlines()[0]
    assert "energy change" in head and "change of speed" in head and "change of momentum" not in head


def test_an_end_that_a_method_cannot_reach_is_named(program):
    words = ("run", "spherical-pendulum", "--method", "shake", "--start", "generic", "--step", "0.3")
    assert ("warning: until = 2 is no multiple of the step 0.3, and method shake carries data of steps of one size: "
            "the run ends at t = 2.1") in program.good(*words, "--until", "2").stderr
    assert "warning" not in program.good(*words, "--until", "2.1").stderr


VANISHING = """
[system]
name = "vanishing"
coordinates = ["x", "y", "z"]
[system.lagrangian]
kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2"
potential = "0"
[system.constraints]
expressions = ["x*y_dot - x*z_dot"]
[initial]
q = [1, 0, 0]
v = [-1, 0.5, 0.5]
[run]
step = 0.03
until = 1.5
[[method]]
name = "runge-kutta-4"
"""


def test_constraints_that_vanish_on_the_way_are_named_with_the_time(program):
    study = program.write("vanishing.toml", VANISHING)
    warning = [line for line in program.good("run", study).stderr.splitlines() if "dependent" in line]
    assert len(warning) == 1 and "the constraints become dependent at t = 1.0" in warning[0]
    lost = program.json("run", study)["runs"][0]["diagnostics"]["rank_lost"]
    assert 1.0 <= lost["constraints"] <= 1.0 + 4 * 0.03 and lost["mass"] is None
    assert "dependent" not in program.good("run", study, "--until", "0.9").stderr


def test_a_run_that_goes_on_still_names_the_time_at_which_its_constraints_were_dependent(program):
    study = program.write("vanishing.toml", VANISHING)
    whole = program.json("run", study, "--until", "3")["runs"][0]["diagnostics"]["rank_lost"]
    program.good("run", study, "--out", "r.h5")
    program.good("resume", "r.h5", "--until", "3")
    with h5py.File(program.directory / "r.h5") as file:
        rest = json.loads(file["runs/0001"].attrs["json"])
    assert rest["diagnostics"]["rank_lost"] == whole and whole["constraints"] < 1.5


def test_no_problem_of_the_library_loses_rank(program):
    """At a step at which motions are resolved; the disk that falls to the ground is one that does."""
    names = program.good("list", "problems").stdout.split()
    lost = set()
    for name in [word for word in names if (ROOT / "problems" / f"{word}.toml").exists()]:
        result = program.run("run", name, "--method", "gauss", "--step", "0.02", "--until", "2")
        if "dependent at" in result.stderr or "singular along" in result.stderr:
            lost.add(name)
    assert lost == set()


# The first multiplier has no value at t = 0.4; the stages of collocation never ask for it there.
HOLE = """
coordinates = ["x", "y", "z", "w"]
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2 + z_dot^2 + w_dot^2)/2"
potential = "(x^2 + y^2 + z^2 + w^2)/2"
[constraints]
expressions = ["y_dot - (z + log(1 - 2*min(1, max(0, 2 - 10000*max(t - {at}, {at} - t)))))*x_dot", "w_dot - x*z_dot"]
[initial.start]
q = [0.3, -0.4, 0.7, 0.2]
v = [0.5, 0.35, -0.6, -0.18]
"""


def test_a_multiplier_that_is_nan_once_is_neither_a_run_nor_an_order(program):
    name = program.write("hole.toml", HOLE.format(at=0.4))
    words = ("--method", "gauss", "--step", "0.2", "--until", "1")
    message = program.refuses(3, "run", f"./{name}", *words)
    assert "step 2 at t = 0.4: lambda_1 is nan" in message
    study = program.write("hole-study.toml", f'problem = "{name}"\n[initial]\nname = "start"\n'
                          '[run]\nstep = 0.2\nuntil = 1.0\n[[method]]\nname = "gauss"\n')
    assert "not measured" in program.run("order", study).stdout
    # The same after the end harms nothing.
    program.write("hole.toml", HOLE.format(at=5))
    program.good("run", f"./{name}", *words)
    assert "not measured" not in program.good("order", study).stdout


def test_a_strict_run_fails_where_its_numbers_are_out_of_scale(program):
    name = program.write("collision.toml", COLLISION)
    words = ("run", f"./{name}", "--method", "leapfrog", "--step", "0.1", "--until", "30")
    program.good(*words)
    assert "the energy is out of scale" in program.refuses(3, *words, "--strict")
    ball = ("run", "ball-on-turntable", "--method", "runge-kutta-4", "--start", "tumbling", "--until", "30", "--step", "1.5")
    assert "the constraints are out of scale" in program.refuses(3, *ball, "--strict")


POLE = """
coordinates = ["R in SO(3)", "x", "y", "z"]
gravity = [0, 0, "-1"]
[[body]]
name = "coin"
mass = 1
inertia = [0.25, 0.25, 0.5]
position = ["x", "y", "z"]
rotation = "R"
[[contact]]
name = "ground"
body = "coin"
kind = "rolling"
shape = { disk = 1 }
[initial.start]
position = { R = { axis = [1, 0, 0], angle = 0.4 }, x = 0, y = 0, z = "sin(0.4)" }
velocity = { R = [0, 0, 0], x = 0, y = 0, z = 0 }
"""

WALL = """
coordinates = ["x"]
[lagrangian]
kinetic = "x_dot^2/2"
potential = "x + 1e7*max(0, -x)^1.5"
[initial.start]
q = [1]
v = [0]
"""

def cause(program, text, *words):
    name = program.write("problem.toml", text)
    return program.refuses(3, "run", f"./{name}", "--step", "0.05", "--until", "5", "--method", *words)


def test_a_failure_names_what_is_seen_where_it_happened(program):
    flat = cause(program, POLE, "lobatto")
    assert 'the wheel of contact "ground" lies almost flat there' in flat and "a smaller step" not in flat
    wall = cause(program, WALL, "gauss")
    assert "the potential has pieces" in wall and "a smaller step" not in wall
    collision = cause(program, COLLISION.replace("0.01", "0"), "gauss")
    assert "accelerations have grown to" in collision


def test_a_tolerance_that_no_number_reaches_fails_instead_of_going_on_for_ever(program):
    refusal = program.refuses(3, "run", "knife-edge", "--method", "fehlberg-78(tolerance=1e-30)", "--step", "0.5", "--until", "1")
    assert "failed in step 1 at t = 0" in refusal


# A force that has no value at one node, which only the multiplier and no step asks for.
PULL = """
coordinates = ["x", "y", "z"]
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2"
potential = "(x^2 + y^2 + z^2)/2"
[constraints]
expressions = ["y_dot - z*x_dot"]
[force]
y = "log(1 - 2*min(1, max(0, 2 - 10000*max(t - {at}, {at} - t))))"
[initial.start]
q = [0.3, -0.4, 0.7]
v = [0.5, 0.35, -0.6]
"""


def test_a_multiplier_that_is_nan_between_records_ends_the_run_all_the_same(program):
    name = program.write("pull.toml", PULL.format(at=600.2))
    words = ("--method", "gauss", "--step", "0.2", "--until", "800", "--set", "run.record_every=1000")
    for native in ("off", "require"):
        message = program.refuses(3, "run", f"./{name}", *words, "--native", native)
        assert "step 3001 at t = 600.2: lambda_1 is nan" in message
    program.write("pull.toml", PULL.format(at=600.1))
    program.good("run", f"./{name}", *words)


def test_a_drift_from_constraints_on_positions_breaks_no_promise_about_velocities(program):
    def constraint_error(method):
        done = program.run("run", "rattleback", "--method", method, "--step", "0.01", "--until", "0.5", "--json", "-", "--quiet")
        assert done.returncode == 0 and "keeps the constraints" not in done.stderr
        return json.loads(done.stdout)["runs"][0]["diagnostics"]["constraint_max"]
    # Order 6 on the eliminated equations, which knows of the height above the table by its second derivative alone.
    assert 1e-9 < constraint_error("gauss(stages=3, projection=velocity)") < 1e-3
    # Round-off of numbers up to some ten, after fifty steps.
    assert constraint_error("gauss(stages=3, projection=position-velocity)") < 1e-12
    described = program.good("describe", "gauss(projection=velocity)").stdout
    assert "constraints on positions are kept to the order alone" in described
    assert "constraints on positions are kept" not in program.good("describe", "gauss(projection=position-velocity)").stdout
