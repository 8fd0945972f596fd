"""Multipliers with names: of contacts, and of constraints that a problem writes itself."""

import csv

import h5py

COIN = """
problem = "rolling-coin"
[initial]
name = "wobbling"
[run]
step = 0.1
steps = 20
[[method]]
name = "lobatto"
[[diagnostic]]
kind = "expression"
name = "grip"
expression = "sqrt(ground_1^2 + ground_2^2)"
[[diagnostic]]
kind = "expression"
name = "same"
expression = "sqrt(lambda_1^2 + lambda_2^2)"
[[diagnostic]]
kind = "running-mean"
of = "lambda_1"
window = 0.5
"""

SLOPE = """
name = "slope"
coordinates = ["x", "y", "z"]
[parameters]
g = 9.81
[definitions]
speed = "x_dot"
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2"
potential = "g*y"
[constraints]
expressions = ["z_dot - x_dot", { name = "normal", expression = "x_dot + y_dot" }]
[integrals]
across = "z - x"
[initial.rest]
q = [0, 0, 0]
v = [0, 0, 0]
"""

CHAIN = """
name = "chain"
coordinates = ["w[1..n]"]
[sizes]
n = 4
[lagrangian]
kinetic = "sum(i, 1, n, w_dot[i]^2)/2"
potential = "sum(i, 1, n, i*w[i])"
[constraints]
expressions = [{ name = "link", expression = "each(i, 1, n/2, w_dot[2*i] - w_dot[2*i-1])" }]
[initial.rest]
q = [0, 0, 0, 0]
v = [0, 0, 0, 0]
"""

RUN = ["--method", "lobatto", "--step", "0.1", "--until", "1"]


def test_contacts_name_their_multipliers_in_all_results(program):
    run, = program.json("run", program.write("coin.toml", COIN), "--out", "coin.h5", "--csv", "records")["runs"]
    assert run["names"]["lambda"] == ["ground_1", "ground_2"]
    integrals = run["diagnostics"]["integrals"]
    assert integrals["grip"] == integrals["same"] and integrals["grip"]["final"] > 0
    force = run["final"]["lambda"]
    assert abs((force[0]**2 + force[1]**2)**0.5 - integrals["grip"]["final"]) < 1e-14
    assert [report["of"] for report in run["diagnostics"]["reports"]] == ["ground_1"]
    with h5py.File(program.directory / "coin.h5") as file:
        assert list(file["runs/0001/lambda"].attrs["names"]) == ["ground_1", "ground_2"]
    path, = (program.directory / "records").iterdir()
    with open(path) as text:
        header = next(csv.reader(text))
    assert "ground_1" in header and "lambda_1" not in header
    program.good("resume", "coin.h5", "--until", "4")


def test_pictures_know_names_and_numbers(program):
    program.good("run", program.write("coin.toml", COIN), "--out", "coin.h5")
    pictures = []
    for name in ("ground_1", "lambda_1"):
        program.good("plot", "coin.h5", "--plot", f"{name}.svg", "--x", "t", "--y", name)
        pictures.append((program.directory / f"{name}.svg").read_text())
        program.good("plot", "coin.h5", "--plot", f"{name}_q.svg", "--quantity", name)
    assert pictures[0] == pictures[1]
    message = program.refuses(2, "plot", "coin.h5", "--plot", "no.svg", "--quantity", "ground_7")
    assert "ground_7" in message and "ground_" in message


def test_constraints_have_names_in_problem_files(program):
    program.write("slope.toml", SLOPE)
    run, = program.json("run", "./slope.toml", *RUN)["runs"]
    assert run["names"]["lambda"] == ["lambda_1", "normal"]
    program.write("plain.toml", SLOPE.replace('{ name = "normal", expression = "x_dot + y_dot" }', '"x_dot + y_dot"'))
    plain, = program.json("run", "./plain.toml", *RUN)["runs"]
    assert plain["names"]["lambda"] == ["lambda_1", "lambda_2"]
    assert plain["final"] == run["final"]
    page = program.good("describe", "./slope.toml").stdout
    assert "normal: x_dot + y_dot = 0" in page and "constraint 2 (normal): linear" in page, page


def test_a_family_of_constraints_has_numbered_names(program):
    program.write("chain.toml", CHAIN)
    study = 'problem = "./chain.toml"\n[run]\nstep = 0.1\nsteps = 5\n[[method]]\nname = "lobatto"\n' \
            '[initial]\nname = "rest"\n[[diagnostic]]\nkind = "expression"\nname = "both"\nexpression = "link_1 + link_2"\n'
    run, = program.json("run", program.write("study.toml", study))["runs"]
    assert run["names"]["lambda"] == ["link_1", "link_2"]
    # Two masses with unlike weights, joined: each takes half of the difference.
    assert abs(run["diagnostics"]["integrals"]["both"]["final"] - sum(run["final"]["lambda"])) < 1e-14


def test_names_that_cannot_be_are_refused_in_one_sentence(program):
    for name, words in {"x": "coordinate", "y_dot": "velocity", "z_ddot": "acceleration", "g": "parameter",
                        "speed": "definition", "sin": "function", "across": "integral", "energy": "meaning",
                        "t": "meaning", "lambda_1": "another multiplier", "lambda_7": "another multiplier",
                        "two words": "letter", "1st": "letter", "": "letter"}.items():
        program.write("slope.toml", SLOPE.replace('"normal"', f'"{name}"'))
        message = program.refuses(2, "run", "./slope.toml", *RUN)
        assert "slope.toml:" in message and f'"{name}"' in message and words in message, message
    program.write("slope.toml", SLOPE.replace('"z_dot - x_dot"', '{ name = "normal", expression = "z_dot - x_dot" }'))
    assert "another multiplier" in program.refuses(2, "run", "./slope.toml", *RUN)
    for entry in ('{ name = "normal" }', '{ expression = "x_dot + y_dot" }', '{ nam = "n", name = "normal", expression = "x_dot + y_dot" }',
                  '{ name = 3, expression = "x_dot + y_dot" }'):
        program.write("slope.toml", SLOPE.replace('{ name = "normal", expression = "x_dot + y_dot" }', entry))
        assert "slope.toml:" in program.refuses(2, "run", "./slope.toml", *RUN)
    # Its own number is no other name.
    program.write("slope.toml", SLOPE.replace('"normal"', '"lambda_2"'))
    program.good("run", "./slope.toml", *RUN)
