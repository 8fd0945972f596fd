"""Quantities and reports that a study asks for with [[diagnostic]]."""

import json
import math

import h5py
import numpy as np

STUDY = """
problem = "pendulum-cvt"
[initial]
name = "rotating"
[parameters]
epsilon = 0.5
[run]
step = 0.1
until = 200
record_every = 2
[[method]]
name = "leapfrog"
[[method]]
name = "dla"
alpha = 0.4
"""

ALL = STUDY + """
[[diagnostic]]
kind = "latitude"
[[diagnostic]]
kind = "discrete-energy"
[[diagnostic]]
kind = "expression"
name = "gear"
expression = "sin(xi)"
[[diagnostic]]
kind = "momentum"
name = "along_belt"
field = ["-sin(xi)", 1, "0"]
[[diagnostic]]
kind = "drift"
of = "discrete_energy"
[[diagnostic]]
kind = "drift"
of = "passenger_energy"
[[diagnostic]]
kind = "running-mean"
of = "passenger_energy"
window = 30
[[diagnostic]]
kind = "growth-exponent"
of = "latitude"
"""


def report(run, kind, of):
    return next(r for r in run["diagnostics"]["reports"] if (r["kind"], r["of"]) == (kind, of))


def test_quantities_are_columns_and_reports_have_numbers(program):
    program.write("study.toml", ALL)
    table = program.good("run", "study.toml", "--out", "result.h5", "--json", "result.json", "--plot", "result.svg").stdout
    assert "latitude" in table and "drifts" in table and "growth-exponent" in table
    leapfrog, dla = json.loads((program.directory / "result.json").read_text())["runs"]
    assert leapfrog["diagnostics"]["integrals"]["discrete_energy"]["max_error"] < 1e-13
    assert dla["diagnostics"]["integrals"]["discrete_energy"]["max_error"] > 1e-3
    drift = report(dla, "drift", "passenger_energy")
    assert drift["verdict"] == "drifts" and drift["low"] <= drift["slope"] <= drift["high"]
    assert (drift["from"], drift["to"]) == (0, 200)
    still = report(leapfrog, "drift", "discrete_energy")
    assert abs(still["slope"]) < 1e-14
    mean = report(dla, "running-mean", "passenger_energy")
    with h5py.File(program.directory / "result.h5") as file:
        run = file["runs/0001"]
        t, q, v = run["t"][()], run["q"][()], run["v"][()]
        # The angle turns some 80 times: its round-off is 80 * 2 pi * 1e-16.
        assert np.allclose(run["integrals/gear"][()], np.sin(q[:, 2]), rtol=0, atol=2e-13)
        belt = -np.sin(q[:, 2]) * v[:, 0] + v[:, 1]
        assert np.allclose(run["integrals/along_belt"][()], belt, rtol=0, atol=2e-13)
        latitude = run["integrals/latitude"][()]
        # The latitude moves with the method's error, no more.
        assert 0 < np.max(np.abs(latitude - latitude[0])) < 0.1
        dla_run = file["runs/0002"]
        assert dla_run.attrs["drift_passenger_energy_verdict"] == "drifts"
        energy = dla_run["integrals/passenger_energy"][()]
        error = np.abs(energy - energy[0])
        # Window 30 at spacing 0.2: 150 cells, the trapezoidal rule.
        weights = np.ones(151) / 150
        weights[[0, -1]] /= 2
        assert np.isclose(mean["largest"], np.max(np.convolve(error, weights, "valid")), rtol=1e-12)


def test_a_resumed_run_reports_on_its_own_records(program):
    program.write("study.toml", ALL)
    program.good("run", "study.toml", "--out", "result.h5", "--set", "run.until=100")
    program.good("resume", "result.h5", "--until", "200")
    program.good("run", "study.toml", "--out", "whole.h5")
    with h5py.File(program.directory / "result.h5") as file, h5py.File(program.directory / "whole.h5") as whole:
        for name in ["latitude", "discrete_energy", "gear"]:
            assert np.array_equal(file[f"runs/0001/integrals/{name}"], whole[f"runs/0001/integrals/{name}"])
        assert file["runs/0001"].attrs["drift_passenger_energy_from"] > 100
        assert file["runs/0001"].attrs["drift_passenger_energy_to"] == 200


def test_a_short_run_says_why_there_is_no_report(program):
    program.write("study.toml", ALL)
    result = program.json("run", "study.toml", "--set", "run.until=1")
    assert "at least" in report(result["runs"][0], "drift", "passenger_energy")["message"]


def test_refusals_name_key_and_reason(program):
    def refusal(text):
        program.write("study.toml", STUDY + text)
        return program.refuses(2, "run", "study.toml")

    assert 'did you mean "drift"' in refusal('[[diagnostic]]\nkind = "drifts"\nof = "energy"\n')
    assert '"passenger_energy"' in refusal('[[diagnostic]]\nkind = "drift"\nof = "pasenger_energy"\n')
    assert '"window"' in refusal('[[diagnostic]]\nkind = "running-mean"\nof = "energy"\n')
    assert "> 0" in refusal('[[diagnostic]]\nkind = "running-mean"\nof = "energy"\nwindow = 0\n')
    assert "driver" in refusal('[[diagnostic]]\nkind = "latitude"\ndriver = "x1"\n')
    assert "taken" in refusal('[[diagnostic]]\nkind = "latitude"\nname = "energy"\n')
    assert "3 entries" in refusal('[[diagnostic]]\nkind = "momentum"\nfield = ["1"]\n')
    assert "integral" in refusal('[[diagnostic]]\nkind = "expression"\nname = "driver_energy"\nexpression = "xi"\n')
    program.write("study.toml", 'problem = "rolling-disk"\n[run]\nstep = 0.1\nsteps = 5\n[[method]]\nname = "dla"\n'
                  '[[diagnostic]]\nkind = "latitude"\n')
    assert "has no latitude integral" in program.refuses(2, "run", "study.toml", "--set", 'initial.name="circle"')


def test_the_rate_of_the_constraints_shows_the_error_of_reported_forces(program):
    program.write("study.toml", STUDY + '[[method]]\nname = "gauss"\n[[diagnostic]]\nkind = "constraint-rate"\n')
    leapfrog, dla, gauss = (run["diagnostics"]["integrals"]["constraint_rate"]["final"]
                            for run in program.json("run", "study.toml")["runs"])
    # Gauss reports the exact multiplier of its state, the others approximate it.
    assert gauss < 1e-12 and leapfrog > 1e-8 and dla > 1e-4


def test_the_knife_edge_accelerates_on_average_where_it_is_bent(program):
    program.write("study.toml", """
problem = "knife-edge"
[initial]
name = "perturbed"
[run]
step = 0.1
until = 10
[[method]]
name = "leapfrog"
[[diagnostic]]
kind = "floquet-rate"
name = "mean_acceleration"
""")
    run = program.json("run", "study.toml")["runs"][0]
    angle = 2 * np.pi * np.arange(64) / 64
    along = np.mean((np.cos(angle) - 0.1) / np.sqrt(1 - 0.2 * np.cos(angle) + 0.01))
    rate = run["diagnostics"]["integrals"]["mean_acceleration"]
    # The blade turns at a constant rate, so the average is the same at every record.
    assert np.isclose(rate["initial"], abs(along), rtol=1e-12)
    assert rate["max_error"] < 1e-13
    program.write("study.toml", 'problem = "chaplygin-sleigh"\n[initial]\nname = "turning"\n[run]\nstep = 0.1\nsteps = 5\n'
                  '[[method]]\nname = "dla"\n[[diagnostic]]\nkind = "floquet-rate"\n')
    assert "has no average" in program.refuses(2, "run", "study.toml")


SLOPE = """
title = "A body on a slope"
[system]
coordinates = ["x", "y"]
[system.parameters]
m = 2.0
g = 9.81
[system.lagrangian]
kinetic = "m*(x_dot^2 + y_dot^2)/2"
potential = "m*g*y"
[system.constraints]
expressions = ["x_dot + y_dot"]
[initial]
q = [0, 0]
v = [0, 0]
[run]
step = 0.1
until = 1
[[method]]
name = "lobatto"
[[diagnostic]]
kind = "expression"
name = "normal"
expression = "lambda_1*sqrt(2)"
[[diagnostic]]
kind = "expression"
name = "slide"
expression = "x_ddot"
"""


def test_expressions_of_multipliers_and_accelerations(program):
    [run] = program.json("run", program.write("slope.toml", SLOPE))["runs"]
    values = run["diagnostics"]["integrals"]
    # m a = lambda (1, 1) - (0, m g) with a = (a_x, -a_x): lambda = m g/2, a_x = g/2.
    assert abs(values["normal"]["final"] - 2.0 * 9.81 / 2.0 * 2.0**0.5) < 1e-12
    assert abs(values["slide"]["final"] - 9.81 / 2.0) < 1e-12


def test_a_multiplier_that_is_not_there_is_refused(program):
    path = program.write("slope.toml", SLOPE.replace("lambda_1", "lambda_2"))
    message = program.refuses(2, "run", path)
    assert "lambda_2" in message and "slope.toml:" in message


def test_the_recomputed_multiplier_is_that_of_the_motion_through_the_states(program):
    program.good("run", "pendulum-cvt", "--method", "lobatto,dla", "--step", "0.1", "--until", "2", "--start", "rotating",
                 "--csv", "rows", "--plot", "rows.svg", "--quantity", "lambda_recomputed")
    files = sorted((program.directory / "rows").glob("*.csv"))
    assert len(files) == 2
    for file in files:
        lines = [line.split(",") for line in file.read_text().splitlines()]
        for line in lines[1:]:
            row = {name: float(text) for name, text in zip(lines[0], line)}
            # x1'' = -x1 + lambda, x2'' = -x2 + lambda sin xi and d/dt (x1' + sin(xi) x2') = 0.
            s, c = math.sin(row["xi"]), math.cos(row["xi"])
            motion = (row["x1"] + s * row["x2"] - c * row["xi_dot"] * row["x2_dot"]) / (1 + s * s)
            assert abs(row["lambda_recomputed_1"] - motion) < 1e-13
    carried = [line.split(",") for line in files[0].read_text().splitlines()]
    column, own = carried[0].index("lambda_recomputed_1"), carried[0].index("lambda_1")
    assert max(abs(float(line[column]) - float(line[own])) for line in carried[1:]) > 1e-4


def test_json_has_the_recomputed_multiplier_at_both_ends_and_so_has_a_resumed_run(program):
    quick = ("run", "rolling-disk", "--method", "lobatto", "--step", "0.1", "--until", "1")
    [run] = program.json(*quick, "--out", "disk.h5", "--quantity", "lambda_recomputed", "--plot", "disk.svg")["runs"]
    for end in ("initial", "final"):
        values = [run["diagnostics"]["integrals"][f"lambda_recomputed_{i}"][end] for i in (1, 2)]
        np.testing.assert_allclose(run[end]["lambda_recomputed"], values, rtol=1e-14)
    [run] = program.json("resume", "disk.h5", "--until", "2")["runs"]
    assert run["diagnostics"]["integrals"]["lambda_recomputed_2"]["final"] == run["final"]["lambda_recomputed"][1]


def test_a_finished_run_beside_one_that_goes_on_has_the_recomputed_multiplier(program):
    program.write("two.toml", 'problem = "heisenberg"\n[initial]\nname = "generic"\n[run]\nstep = 0.1\nsteps = 10\n[[method]]\nname = "dla"\n'
                  '[[method]]\nname = "lobatto"\n')
    before = program.json("run", "two.toml", "--out", "two.h5")["runs"]
    assert [run["final"] for run in program.json("resume", "two.h5")["runs"]] == [run["final"] for run in before]
    message = program.refuses(2, "plot", "two.h5", "--plot", "two.svg", "--quantity", "lambda_recomputed")
    assert "was not recorded" in message and "--quantity lambda_recomputed" in message


def test_expressions_and_reports_know_the_recomputed_multiplier(program):
    study = ('problem = "heisenberg"\n[run]\nstep = 0.1\nsteps = 20\n[[method]]\nname = "lobatto"\n[[diagnostic]]\n'
             'kind = "expression"\nname = "defect"\nexpression = "lambda_1 - lambda_recomputed_1"\n')
    [run] = program.json("run", program.write("defect.toml", study))["runs"]
    values = run["diagnostics"]["integrals"]["defect"]
    assert values["initial"] == 0.0
    assert values["final"] == run["final"]["lambda"][0] - run["final"]["lambda_recomputed"][0]
    program.write("free.toml", 'problem = "henon-heiles"\n[initial]\nname = "regular"\n[run]\nstep = 0.1\nsteps = 5\n[[method]]\nname = "dla01"\n'
                  '[[diagnostic]]\nkind = "recomputed-multiplier"\n')
    assert "no constraints" in program.refuses(2, "run", "free.toml")


def test_a_discrete_energy_is_that_of_the_method(program):
    """E + h^2/8 lambda^2 (1 + sin(xi)^2) of gni, the leap-frog's own beside it; of dla there is the leap-frog's."""
    study = STUDY.replace('name = "dla"\nalpha = 0.4', 'name = "gni"') + """
[[diagnostic]]
kind = "discrete-energy"
[[diagnostic]]
kind = "expression"
name = "by_hand"
expression = "(x1_dot^2 + x2_dot^2 + xi_dot^2 + x1^2 + x2^2)/2 + 1 - cos(xi) - sin(2*xi)/4 + 0.1^2/8*lambda_1^2*(1 + sin(xi)^2)"
"""
    program.write("study.toml", study)
    runs = json.loads(program.good("run", "study.toml", "--json", "-", "--quiet").stdout)["runs"]
    leapfrog, gni = [run["diagnostics"]["integrals"] for run in runs]
    assert leapfrog["discrete_energy"]["max_error"] < 1e-13
    assert gni["discrete_energy"]["max_error"] < 1e-12
    assert gni["by_hand"]["max_error"] < 1e-12 < leapfrog["by_hand"]["max_error"]
    assert abs(gni["by_hand"]["initial"] - gni["discrete_energy"]["initial"]) < 1e-14


def test_what_has_no_slope_is_free_of_drift_though_nothing_is_called_negligible(program):
    study = program.write("still.toml", """
problem = "pendulum-cvt"
initial.name = "oscillating"
[run]
step = 0.1
until = 2000
[[method]]
name = "leapfrog"
[[diagnostic]]
kind = "drift"
of = "passenger_energy"
""")
    run, = program.json("run", study)["runs"]
    assert report(run, "drift", "passenger_energy")["verdict"] == "free of drift"
