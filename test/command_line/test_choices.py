"""The program chooses a method and a step, says so, and what it chose can be typed."""

import math
import re

import h5py
import pytest

FALL = """
coordinates = ["x"]
[lagrangian]
kinetic   = "x_dot^2/2"
potential = "x + 100*max(0, -x)"
[initial.start]
q = [1]
v = [0]
"""


def advice(program, problem):
    """The lines that begin with a method; others are the rest of its sentence."""
    text = program.good("describe", problem).stdout
    lines = text[text.index("Where to begin"):].splitlines()[1:]
    methods = {line.split()[0] for line in program.good("list", "methods").stdout.splitlines() if line.startswith("  ")}
    return [line.strip() for line in lines if re.split(r"[(:]", line.strip())[0] in methods and ": " in line]


@pytest.mark.parametrize("problem, methods, because", [
    ("pendulum-cvt", ["gauss(stages=6,projection=velocity)", "compose(base=driver-splitting,scheme=kahan-li-8)", "energy-collocation"],
     "drivers move by themselves"),
    ("rolling-coin", ["gauss(stages=6,projection=velocity)", "energy-collocation", "lobatto"], "many times the work of gauss"),
    ("ball-on-turntable", ["gauss(stages=4,projection=velocity)", "lobatto", "dla"], "constraints to round-off"),
    ("isokinetic-particle", ["gauss(stages=6)", "lobatto"], "high order"),
])
def test_a_problem_ends_with_methods_to_begin_with(program, problem, methods, because):
    lines = advice(program, problem)
    assert [line.split(": ")[0] for line in lines] == methods
    page = " ".join(program.good("describe", problem).stdout.split())
    assert because in page[page.index("Where to begin"):]


def test_equations_with_pieces_get_a_method_of_low_order(program):
    assert "pieces" in advice(program, "./" + program.write("fall.toml", FALL))[0]


# Switches, where methods of order two are offered: of these the leap-frog carries a multiplier if there is a constraint on velocities.
SWITCH = """
coordinates = ["x", "y", "z"]
parameters = {{ limit = {limit} }}
[lagrangian]
kinetic   = "(x_dot^2 + y_dot^2 + z_dot^2)/2"
potential = "x + y^2/2 + 100*max(0, -limit - x)"
{constraints}
[initial.start]
q = [1, 0.5, 0]
v = [0, 0, 0]
"""
ROLLING = '[constraints]\nexpressions = ["z_dot - y*x_dot"]'


def test_switches_do_not_bring_back_a_carried_multiplier(program):
    free, rolling = (advice(program, "./" + program.write(name, SWITCH.format(limit=0, constraints=constraints)))
                     for name, constraints in (("free.toml", ""), ("rolling.toml", ROLLING)))
    assert free[0].startswith("leapfrog: ") and "pieces" in free[0]
    assert rolling[0].startswith("dla: ") and not any(line.startswith("leapfrog") for line in rolling)


def test_auto_looks_at_the_parameters_of_the_run(program):
    name = program.write("far.toml", SWITCH.format(limit=1e6, constraints=ROLLING))
    words = ("run", f"./{name}", "--method", "auto", "--step", "0.01", "--until", "0.1")
    assert "method auto is gauss" in program.good(*words).stderr
    assert "method auto is dla" in program.good(*words, "--set", "parameters.limit=0").stderr


@pytest.mark.night
def test_no_advice_carries_a_multiplier_whose_errors_grow(program):
    """Of any problem of the library, all of which have constraints on velocities or not: without them there is none to grow."""
    growing = "leads them away"
    names = [line.split()[0] for line in program.good("list", "problems").stdout.splitlines() if line.startswith("  ")]
    assert len(names) >= 50
    pages = {}
    for name in names:
        given = [line.split(": ")[0] for line in advice(program, name)]
        assert given, name
        is_nonholonomic = "multiplier lambda" in program.good("describe", name).stdout
        for method in given:
            pages.setdefault(method, " ".join(program.good("describe", method).stdout.split()))
            assert not is_nonholonomic or growing not in pages[method], (name, method)
    assert growing in " ".join(program.good("describe", "leapfrog").stdout.split())


def test_the_method_auto_is_named_and_kept(program):
    words = ("run", "rolling-coin", "--step", "0.1", "--until", "10")
    result = program.good(*words, "--method", "auto", "--out", "r.h5")
    assert "method auto is gauss(stages=6,projection=velocity): " in result.stderr
    with h5py.File(program.directory / "r.h5") as file:
        assert 'name = "gauss(stages=6,projection=velocity)"' in str(file.attrs["study"])
    chosen, typed = (program.json(*words, "--method", name)["runs"][0]["final"] for name in ("auto", "gauss(stages=6,projection=velocity)"))
    assert chosen == typed


# Motions that settle, where a carried multiplier leads away, with values of independent code.
@pytest.mark.parametrize("words, wanted", [
    (("car-on-slope", "--start", "climbing", "--tolerance", "1e-8", "--until", "60"), {"x": -7.320, "y": 49.495, "lambda_1": -1.0688}),
    (("differential-drive", "--step", "0.05", "--until", "400"), {"theta_dot": -0.194189}),
    (("car-with-trailers", "--start", "bend", "--tolerance", "1e-8", "--until", "60"), {"x": 58.57}),
])
def test_the_first_answer_is_right_where_motions_settle(program, words, wanted):
    run, = program.json("run", *words, "--method", "auto")["runs"]
    values = dict(zip(run["names"]["q"], run["final"]["q"])) | dict(zip(run["names"]["v"], run["final"]["v"])) \
        | dict(zip(run["names"]["lambda"], run["final"]["lambda"]))
    assert run["status"] == "ok" and run["diagnostics"]["constraint_max"] < 1e-10
    for name, value in wanted.items():
        # The digits that are given: half a unit of the last one.
        digits = len(str(value).split(".")[1])
        assert abs(values[name] - value) < 0.51 * 10 ** -digits, (name, values[name])


def test_a_result_with_a_chosen_step_goes_on(program):
    words = ("run", "knife-edge", "--method", "lobatto", "--tolerance", "1e-7", "--until")
    program.good(*words, "5", "--out", "r.h5")
    program.good("resume", "r.h5")


def test_methods_of_the_command_line_stand_in_the_place_of_those_of_a_study(program, study):
    labels = [run["label"] for run in program.json("run", study, "--method", "newmark", "--method", "dla01")["runs"]]
    assert labels == ["newmark", "dla01"]
    run = program.json("run", study, "--method", "newmark", "--tolerance", "1e-3", "--until", "5")["runs"][0]
    assert run["label"] == "newmark" and run["step"] != 0.1
    assert "newmark" in program.good("order", study, "--method", "newmark").stdout


@pytest.mark.parametrize("option, setting", [
    (["--record-every", "7"], "record_every=7"), (["--compensated"], "compensated=true"), (["--no-wrap-angles"], "wrap_angles=false"),
    (["--every", "2*pi"], 'every="2*pi"'), (["--native", "off"], 'native="off"'), (["--strict"], "strict=true"),
    (["--at", "0.5,1"], "at=[0.5,1]"), (["--no-events"], "no_events=true")])
def test_options_of_runs_are_keys(program, option, setting):
    """Whatever says it, the run and the study in its result are the same."""
    words = ("run", "pendulum-cvt", "--method", "dla", "--step", "0.1", "--until", "20", "--force", "--out", "r.h5")
    found = []
    for chosen in (option, ["--set", f"run.{setting}"]):
        program.good(*words, *chosen)
        with h5py.File(program.directory / "r.h5") as file:
            found.append((file.attrs["study"], file["runs/0001/t"][:].tolist(), file["runs/0001/q"][:].tolist()))
    assert found[0] == found[1]


def test_wrong_choices_are_refused(program, study):
    words = ("run", "pendulum-cvt", "--method", "dla", "--until", "10")
    assert "must lie between 1e-12 and 0.1" in program.refuses(2, *words, "--tolerance", "1e-20")
    assert "stands beside tolerance" in program.refuses(2, *words, "--tolerance", "1e-6", "--set", "run.step=0.1")
    assert "controls its error itself" in program.refuses(2, *words[:3], "fehlberg-78(tolerance=1e-8)", *words[4:], "--tolerance", "1e-6")
    assert "--tolerance" in program.refuses(2, *words)


def test_methods_that_control_their_error_take_the_tolerance_without_a_step(program):
    study = program.write("both.toml", """
problem = "pendulum-cvt"
[initial]
name = "rotating"
[run]
tolerance = 1e-8
until = 10
[[method]]
name = "dop853"
absolute = 1e-11
[[method]]
name = "lobatto"
""")
    program.good("run", study, "--out", "r.h5", "--until", "5")
    program.good("resume", "r.h5", "--until", "10")
    runs = program.json("run", study)["runs"]
    # What is near zero keeps its proportion to the tolerance of substeps, of which the default is 1e-10.
    own = runs[0]["method"]
    assert own["tolerance"] <= 1e-8 and abs(own["absolute"] / own["tolerance"] - 0.1) < 1e-12 and "tolerance" not in runs[1]["method"]
    for words in (("dop853(tolerance=1e-8)",), ("fehlberg-78(tolerance=1e-8)",)):
        message = program.refuses(2, "run", "pendulum-cvt", "--method", *words, "--tolerance", "1e-6", "--until", "5")
        assert "controls its error itself" in message


@pytest.mark.parametrize("problem", ["chaplygin-sleigh", "chaplygin-sleigh-centre", "knife-edge", "heisenberg"])
def test_frames_are_those_of_each_step_of_a_composition(program, problem):
    """The second step of a composition has the frame of its own start, which holds the unknowns of the first."""
    for method in ("compose(base=frame-splitting)", "compose(base=frame-splitting,scheme=triple-jump)"):
        run, = program.json("run", problem, "--method", method, "--step", "0.05", "--until", "5")["runs"]
        # Exact energy and constraints, to the round-off of a hundred steps.
        assert run["status"] == "ok" and run["diagnostics"]["energy_error_max"] < 1e-12
        assert run["diagnostics"]["constraint_max"] < 1e-12
