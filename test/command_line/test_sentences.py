"""What people type first is taken, or answered with what they meant."""

import pytest

PLAIN = """
coordinates = ["x", "y"]
[parameters]
a = 2
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2)/2"
[constraints]
expressions = ["%s"]
[initial.start]
q = [0, 0]
v = [1, 2]
"""
RUN = ("--method", "lobatto", "--step", "0.1", "--until", "1")


@pytest.mark.parametrize("equation", ["y_dot = a*x_dot", "y_dot - a*x_dot = 0", "each(i, 1, 1, y_dot = i*a*x_dot)"])
def test_a_constraint_may_be_an_equation(program, equation):
    plain = program.write("plain.toml", PLAIN % "y_dot - (a*x_dot)")
    other = program.write("equation.toml", PLAIN % equation)
    final = [program.json("run", f"./{name}", *RUN)["runs"][0]["final"] for name in (plain, other)]
    assert final[0] == final[1]
    page = program.good("describe", f"./{other}").stdout
    assert equation in page and "= 0 = 0" not in page


def test_two_signs_of_an_equation_are_refused(program):
    name = program.write("plain.toml", PLAIN % "y_dot = x_dot = 0")
    assert "plain.toml:8" in program.refuses(2, "run", f"./{name}", *RUN)


def test_several_methods_stand_in_one_word(program):
    labels = [run["label"] for run in program.json("run", "knife-edge", "--method", "dla(alpha=0.4), leapfrog", *RUN[2:])["runs"]]
    assert labels == ["dla(alpha=0.4)", "leapfrog"]
    assert "--method a,b" in program.refuses(2, "run", "knife-edge", "--method", "dla", "leapfrog", *RUN[2:])


def test_an_end_in_steps(program):
    run = program.json("run", "knife-edge", "--method", "dla", "--step", "0.1", "--steps", "7")["runs"][0]
    assert run["steps"] == 7


@pytest.mark.parametrize("option, meant", [("--dt", "--step"), ("--tol", "--tolerance"), ("--tmax", "--until"), ("--output", "--out")])
def test_other_programs_names_of_options_are_known(program, option, meant):
    assert f'did you mean "{meant}"' in program.refuses(2, "run", "knife-edge", option, "1")


def test_help_is_given_to_who_asks(program):
    whole = program.good("--help").stdout
    assert program.good().stdout == whole and program.good("help").stdout == whole
    assert program.good("help", "run").stdout == program.good("run", "--help").stdout


def test_a_study_has_a_page(program, study):
    page = program.good("describe", study).stdout
    for words in ("Two methods", "problem: pendulum-cvt", "starts: rotating", "methods: dla(alpha=0.4), LF", "step: 0.1", "end: 50 steps"):
        assert words in page
    assert "methods:" in program.good("describe", "modin-verdier-2020/figure-6").stdout


@pytest.mark.parametrize("name, what", [("pi", "a number"), ("t", "the time")])
def test_names_of_time_and_numbers_are_no_parameters(program, name, what):
    file = program.write("plain.toml", (PLAIN % "y_dot - a*x_dot").replace("a = 2", f"a = 2\n{name} = 3"))
    sentence = program.refuses(2, "describe", f"./{file}")
    assert "plain.toml:5" in sentence and what in sentence


@pytest.mark.parametrize("expression, hint", [
    ("y_dot \u2212 a*x_dot", "write -"),
    ("y_dot - 0,5*x_dot", "a number is written with a point"),
    ("y_dot - a\u00b7x_dot", "a product is written *"),
])
def test_characters_of_typesetting_are_named(program, expression, hint):
    name = program.write("plain.toml", PLAIN % expression)
    assert hint in program.refuses(2, "run", f"./{name}", *RUN)


def test_a_list_that_is_cut_ends_in_dots(program):
    coordinates = ", ".join(f'"c{i}"' for i in range(30))
    name = program.write("many.toml", f'coordinates = [{coordinates}]\n[lagrangian]\nkinetic = "zzzzzzzzzz"\n')
    assert program.refuses(2, "describe", f"./{name}").endswith(", ...")
