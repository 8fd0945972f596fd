"""What people type in their first hour, and the answer that helps: each with what is right."""

import pytest

PROBLEM = """
coordinates = ["x"]
[lagrangian]
kinetic = "x_dot^2/2"
potential = "x^2/2"
[initial.pulled]
q = [1]
v = [0]
"""


@pytest.mark.parametrize("right, typed, answer", [
    ("x_dot^2/2", "x'^2/2", "a velocity is written x_dot"),
    ("[lagrangian]", "[lagrange]", "kinetic and potential energy stand in [lagrangian]"),
    ("[lagrangian]", "[energy]", "kinetic and potential energy stand in [lagrangian]"),
    ("x_dot^2/2", "x_ddot^2/2", "accelerations are what the equations determine"),
    ("[1]", '["30 deg"]', "angles are in radians, as 30*pi/180"),
    ('"x^2/2"', "\u201cx^2/2\u201d", "quotes of typesetting"),
    ("x_dot^2/2", "0,5*x_dot^2", "a number is written with a point, as 0.5"),
    ("x^2/2", "|x|", "abs(x)"),
    ("x^2/2", "x if x > 0 else 0", "piecewise(value, condition, otherwise)"),
    ("x^2/2", "e^(-x)", "exp(x)"),
    ("x^2/2", "x**2", "a power is written x^2"),
    ("x_dot^2/2", "0.5 x_dot^2", "a product is written with *"),
    ("x^2/2", "2(x - 1)", "a product is written with *"),
    ("x^2/2", "piecewise(1, x == 0, 2)", "numbers are compared by <, <=, > and >="),
    ("[initial.pulled]", "[initial]", "starts have names"),
    ('potential = "x^2/2"', 'potential = "x^2/2"\nfriction = "x_dot"', "forces stand in [force]"),
])
def test_a_slip_in_a_problem_is_answered_by_what_is_right(program, right, typed, answer):
    assert "where" not in PROBLEM and program.good("describe", program.write("right.toml", PROBLEM)).stdout
    assert right in PROBLEM
    message = program.refuses(2, "describe", program.write("typed.toml", PROBLEM.replace(right, typed)))
    assert answer in message and "typed.toml:" in message


@pytest.mark.parametrize("typed, meant", [("rk4", "runge-kutta-4"), ("ode45", "dop853"), ("verlet", "leapfrog"), ("radau5", "radau-iia"),
                                          ("lobato", "lobatto")])
def test_names_of_methods_elsewhere_lead_to_those_here(program, typed, meant):
    message = program.refuses(2, "run", "pendulum-cvt", "--method", typed, "--step", "0.1", "--until", "1")
    assert f'did you mean "{meant}"?' in message


def test_a_problem_that_is_run_as_a_study_says_what_to_add(program):
    message = program.refuses(2, "run", program.write("mine.toml", PROBLEM))
    assert "it is a problem, not a study; add --tolerance 1e-8 --until T" in message
    assert "ok" in program.good("run", "./mine.toml", "--tolerance", "1e-8", "--until", "5").stdout


def test_a_bare_name_is_that_of_a_parameter(program):
    words = ("rolling-coin", "--method", "dla", "--step", "0.1", "--until", "1")
    whole, = program.json("run", *words, "--set", "parameters.m=2")["runs"]
    bare, = program.json("run", *words, "--set", "m=2")["runs"]
    assert bare["final"] == whole["final"]
    assert [run["parameters"]["m"] for run in program.json("run", *words, "--sweep", "m=[1,2]")["runs"]] == [1, 2]
    assert 'not a parameter of problem "rolling-coin"' in program.refuses(2, "run", *words, "--set", "mm=2")


def test_a_bare_name_is_that_of_a_parameter_in_an_audit_too(program):
    """Where the method has an option of that name it is that."""
    words = ("audit", "dla", "--problem", "knife-edge")
    text = program.good(*words, "--set", "epsilon=0.3", "--set", "alpha=0.5").stdout
    assert "knife-edge, horizontal, epsilon=0.3" in text or "epsilon=0.3" in program.good(*words, "--set", "epsilon=0.3", "--details").stdout
    message = program.refuses(2, *words, "--set", "epsilom=0.3")
    assert '"epsilom" is neither an option of the method nor a parameter or size of a problem; did you mean "epsilon"?' in message
    assert 'has no option "epsilon"' in program.refuses(2, "audit", "dla", "--set", "epsilon=0.3")


DRIVEN = """
coordinates = ["x"]
[parameters]
amp = 0.5
[lagrangian]
kinetic = "x_dot^2/2"
potential = "x^2/2 - amp*sin(t)*x"
[initial.still]
q = [0]
v = [0]
"""


def test_a_drive_of_amplitude_zero_depends_on_no_time(program):
    name = program.write("driven.toml", DRIVEN)
    assert "depends on time" in program.refuses(2, "linearise", name)
    assert "+-1 " in program.good("linearise", name, "--set", "amp=0").stdout
    # So it is with a start or a default that says so; and one start that has a drive leaves the other without.
    quiet = program.write("quiet.toml", DRIVEN.replace("amp = 0.5", "amp = 0"))
    assert "+-1 " in program.good("linearise", quiet).stdout
    two = program.write("two.toml", DRIVEN + "parameters = { amp = 0 }\n[initial.driven]\nq = [0]\nv = [0]\n")
    assert "+-1 " in program.good("linearise", two, "--start", "still").stdout
    assert "depends on time" in program.refuses(2, "linearise", two, "--start", "driven")


@pytest.mark.parametrize("rows, clause", [(["z_dot - y*x_dot", "2*z_dot - 2*y*x_dot"], "constraint 2 is 2 times constraint 1"),
                                          (["z_dot - y*x_dot", "x_dot - x*y_dot", "z_dot - y*x_dot - 0.5*(x_dot - x*y_dot)"],
                                           "constraint 3 is constraint 1 - 0.5 times constraint 2"),
                                          (["z_dot - y*x_dot", "x*z_dot - x*y*x_dot"], "constraint 2 follows from those before it"),
                                          (["z_dot - y*x_dot", "(sin(x)^2 + cos(x)^2 - 1)*y_dot"], "vanishes for every velocity"),
                                          (["y*x_dot - x_dot*y", "z_dot"], "is identically zero")])
def test_dependent_constraints_are_named_with_what_they_are(program, rows, clause):
    """By those that take independent ones alone, as steps in C."""
    text = f"""coordinates = ["x", "y", "z"]
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2"
[constraints]
expressions = {rows}
[initial.start]
q = [0.3, 1, 0]
v = [0, 0, 0]
""".replace("'", '"')
    assert clause in program.refuses(2, "export", "--c", "gauss", program.write("rows.toml", text))


def test_lists_have_their_names_in_the_singular_too(program):
    for one, many in (("problem", "problems"), ("study", "studies"), ("method", "methods")):
        assert program.good("list", one).stdout == program.good("list", many).stdout
    program.refuses(2, "list", "nothing")


def test_bare_names_are_sizes_and_parameters(program):
    """As of export and linearise: --set n=4 is a size where the problem has one; the start is the first that is meant for it."""
    words = ["run", "wheeled-chain", "--method", "lobatto", "--step", "0.1", "--until", "1"]
    assert len(program.json(*words, "--set", "n=4")["runs"][0]["final"]["q"]) == len(program.json(*words, "--set", "sizes.n=4")["runs"][0]["final"]["q"])
    assert program.json(*words, "--set", "n=4") != program.json(*words)
    assert "n = 2, circle" in program.good(*words, "--sweep", "n=[2, 3]").stdout
    run, = program.json("run", "chaotic", "--method", "dla01", "--step", "0.1", "--until", "1", "--set", "n=3")["runs"]
    assert run["start"] == "ensemble" and len(run["final"]["q"]) == 7
    program.write("s.toml", 'problem = "wheeled-chain"\n[initial]\nname = "circle"\n[run]\nstep = 0.1\nuntil = 1\n[[method]]\nname = "lobatto"\n')
    assert len(program.json("run", "s.toml", "--set", "n=3")["runs"][0]["final"]["q"]) != len(program.json("run", "s.toml", "--set", "n=4")["runs"][0]["final"]["q"])
    assert 'is not a parameter of problem "wheeled-chain"' in program.refuses(2, *words, "--set", "nn=4")
