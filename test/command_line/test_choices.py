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


@pytest.mark.parametrize("method", ["lobatto", "dla", "gauss"])
def test_a_tolerance_chooses_a_step_that_keeps_it(program, method):
    """Against a step of a tenth, of a method of order 2 or more: a hundredth of the error at most."""
    words = ("run", "pendulum-cvt", "--start", "rotating", "--until", "20", "--method", method)
    run = program.json(*words, "--tolerance", "1e-6")["runs"][0]
    step = run["step"]
    assert float(f"{step:.2g}") == step
    fine = program.json(*words, "--step", step / 10)["runs"][0]["final"]
    # The tolerance is for the first tenth of the run; errors grow with time, here at most by its square.
    for part in ("q", "v"):
        for a, b in zip(run["final"][part], fine[part]):
            assert abs(a - b) <= 100 * 1e-6 * (1 + abs(b))
    first_tenth = [program.json(*words[:5], "2", *words[6:], "--step", h)["runs"][0]["final"] for h in (step, step / 10)]
    for part in ("q", "v"):
        for a, b in zip(first_tenth[0][part], first_tenth[1][part]):
            assert abs(a - b) <= 1e-6 * (1 + abs(b))


def test_a_tolerance_is_met_with_few_steps(program):
    """A hundredth of the tolerance needs steps smaller by 100^(1/4), of a method of order four."""
    words = ("run", "pendulum-cvt", "--start", "rotating", "--until", "20", "--method", "lobatto", "--tolerance")
    coarse, fine = (program.json(*words, tolerance)["runs"][0]["step"] for tolerance in ("1e-6", "1e-8"))
    # Errors lie between a sixteenth of the tolerance and itself: up to 16^(1/4) more or less.
    assert 100 ** 0.25 / 2.1 < coarse / fine < 100 ** 0.25 * 2.1


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


def test_wrong_choices_are_refused(program, study):
    words = ("run", "pendulum-cvt", "--method", "dla", "--until", "10")
    assert "must lie between 1e-12 and 0.1" in program.refuses(2, *words, "--tolerance", "1e-20")
    assert "stands beside tolerance" in program.refuses(2, *words, "--tolerance", "1e-6", "--set", "run.step=0.1")
    assert "controls its error itself" in program.refuses(2, *words[:3], "fehlberg-78(tolerance=1e-8)", *words[4:], "--tolerance", "1e-6")
    assert "--tolerance" in program.refuses(2, *words)


def test_methods_that_control_their_error_take_the_tolerance_without_a_step(program):
    words = ("run", "pendulum-cvt", "--start", "rotating", "--until", "20")
    exact = program.json(*words, "--method", "gauss(stages=8)", "--step", "0.02")["runs"][0]["final"]
    for method in ("dop853", "fehlberg-78"):
        steps = []
        for tolerance in (1e-5, 1e-8, 1e-11):
            run = program.json(*words, "--method", method, "--tolerance", str(tolerance))["runs"][0]
            assert run["method"]["tolerance"] == tolerance and run["status"] == "ok"
            assert run["final"]["t"] == 20 and run["steps"] >= 200
            # Errors of some hundred substeps, and what the motion makes of them.
            error = max(abs(a - b) for key in "qv" for a, b in zip(run["final"][key], exact[key]))
            assert error < 1000 * tolerance, (method, tolerance, error)
            steps.append(run["step"])
        assert steps[0] >= steps[1] >= steps[2]
    # The same in a study, also resumed, and for each method its own.
    study = program.write("both.toml", """
problem = "pendulum-cvt"
[initial]
name = "rotating"
[run]
tolerance = 1e-8
until = 10
[[method]]
name = "dop853"
absolute = 1e-9
[[method]]
name = "lobatto"
""")
    program.good("run", study, "--out", "r.h5", "--until", "5")
    program.good("resume", "r.h5", "--until", "10")
    runs = program.json("run", study)["runs"]
    assert runs[0]["method"]["tolerance"] == 1e-8 and "tolerance" not in runs[1]["method"]
    for words in (("dop853(tolerance=1e-8)",), ("fehlberg-78(tolerance=1e-8)",)):
        message = program.refuses(2, "run", "pendulum-cvt", "--method", *words, "--tolerance", "1e-6", "--until", "5")
        assert "controls its error itself" in message


def test_an_estimate_that_can_be_believed_sees_forces_of_time_and_switches(program):
    forced = "./" + program.write("forced.toml", """
coordinates = ["x", "y"]
[lagrangian]
kinetic   = "(x_dot^2 + y_dot^2)/2"
potential = "25*max(0, y - 0.5)^2 + y^2/2"
[force]
x = "0.8*cos(20*t)"
[initial.a]
q = [0, 1]
v = [0, 0]
""")
    words = ("run", forced, "--until", "10", "--method")
    fine = program.json(*words, "dop853(tolerance=1e-14)", "--step", "0.01")["runs"][0]["final"]["q"]
    assert abs(fine[0] - 0.002 * (1 - math.cos(200))) < 1e-11
    for tolerance in ("1e-4", "1e-7", "1e-10"):
        run = program.json(*words, "dop853", "--tolerance", tolerance)["runs"][0]
        # Errors of some hundred substeps, which a spring of 50 makes ten times as large.
        assert max(abs(a - b) for a, b in zip(run["final"]["q"], fine)) < 1000 * float(tolerance)


def test_tableaux_of_ones_own(program):
    thirds = 'lobatto(nodes="0, 1/3, 2/3, 1", second=same)'
    page = program.good("describe", thirds).stdout
    assert "tableau of 4 stages: B(4), C(4), D(0), CC2(4); H1, H2, H3; R(inf) = -1; symmetric" in page
    assert "order 4 in q and v, 4 in lambda" in page
    arguments = ("run", "pendulum-cvt", "--start", "rotating", "--step", "0.1", "--until", "1")
    run, = program.json(*arguments, "--method", thirds)["runs"]
    assert run["label"] == thirds and run["status"] == "ok"
    # The same from a study, and as options beside the method.
    program.write("thirds.toml", """
problem = "pendulum-cvt"
[initial]
name = "rotating"
[[method]]
name = "lobatto"
nodes = "0, 1/3, 2/3, 1"
second = "same"
[run]
step = 0.1
until = 1
""")
    other, = program.json("run", "thirds.toml")["runs"]
    assert other["final"] == run["final"] and other["label"] == thirds
    typed, = program.json(*arguments, "--method", 'lobatto(nodes="0, (1 - sqrt(5)/5)/2, (1 + sqrt(5)/5)/2, 1")')["runs"]
    own, = program.json(*arguments, "--method", "lobatto(stages=4,multiplier=carried)")["runs"]
    # The same coefficients to 100 bits: round-off of ten steps.
    assert max(abs(a - b) for a, b in zip(typed["final"]["q"], own["final"]["q"])) < 1e-14


def test_tableaux_that_make_no_sense(program):
    arguments = ("run", "pendulum-cvt", "--step", "0.1", "--until", "1", "--method")
    for method, sentence in (
            ('lobatto(nodes="0, 0.6, 1")', 'has the decimal number " 0.6" in its coefficients; write it exactly'),
            ('lobatto(nodes="0, 1/2")', "needs nodes from 0 to 1"),
            ('lobatto(tableau="0, 0; 1/2, 1/2", nodes="0, 1")', "takes nodes or a tableau, not both"),
            ("spark(stages=1)", "needs two stages or more with Lobatto's tableaux"),
            ("spark(tableau=gauss, constraint_tableau=IIID)", "for Lobatto's tableaux alone"),
            ("spark(tableau=radau-iia, second=IIIC*)", "second may be conjugate or same")):
        result = program.run(*arguments, method)
        assert result.returncode == 2 and sentence in result.stderr and len(result.stderr.splitlines()) == 1, result.stderr
    result = program.run("run", "double-pendulum", "--step", "0.01", "--until", "0.1", "--method", "spark(tableau=gauss)")
    assert result.returncode == 2 and "which tableau = lobatto has as nodes" in result.stderr
    warned = program.run(*arguments, 'lobatto(nodes="0, 2/5, 1")')
    assert "R(inf) = 1.5: an error of the carried multiplier grows by that factor in every step" in warned.stderr


def test_the_recomputed_multiplier_has_the_order_of_the_state(program):
    arguments = ("order", "pendulum-cvt", "--start", "rotating", "--method", "lobatto", "--method", "newmark-composition", "--runs", "4")
    own = program.json(*arguments)["orders"]
    recomputed = program.json(*arguments, "--multiplier", "recomputed")["orders"]
    for before, after in zip(own, recomputed):
        assert after["holds"] and after["q"] == before["q"] and after["v"] == before["v"]
        assert after["lambda"]["promised"] == after["q"]["promised"] > before["lambda"]["promised"]
        assert abs(after["lambda"]["slope"] - after["q"]["promised"]) < 0.15
        assert before["lambda"]["slope"] < after["lambda"]["slope"] - 1
    assert "--multiplier" in program.run(*arguments, "--multiplier", "other").stderr


def test_families_of_lobatto_are_those_of_their_names(program):
    """With two stages IIIC* has the rows (0, 0) and (1, 0), IIIC (1/2, -1/2) and (1/2, 1/2)."""
    def rows(method):
        text = program.good("describe", method).stdout
        return text[text.index("which for s = 2 are"):text.index("Properties of")]

    assert "- h*V'(q0))" in rows("spark(stages=2, second=IIIC*)") and "- h*V'(q0))" not in rows("spark(stages=2, second=IIIC)")
    # IIIC* has the first multiplier in the second stage alone, with weight 1.
    assert "a2 = A(q0)^T*Psi_1\n  0 = 0.5*h*V'(q0) + M*(V_1 - v0)\n  0 = M*(V_2 - v0) - (h*a2 -" in rows("spark(stages=2, constraint_tableau=IIIC*)")
    assert "a2 = 0.5*h*A(q0)^T*Psi_1\n" in rows("spark(stages=2, constraint_tableau=IIIC)")
