"""Runs that the numbers let pass and that mean nothing all the same."""

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
    assert "warning: run start, discrete-derivative: the method keeps the energy, but it was off by" in warning
    assert "warning" not in program.good(*words, "--until", "0.5").stderr
    assert "warning" not in program.good("run", f"./{name}", "--method", "leapfrog", "--step", "0.1", "--until", "30").stderr
