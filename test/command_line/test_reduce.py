"""Problems without the coordinates along which they are symmetric."""

import json
import os
import pathlib
import tomllib


def test_a_reduced_problem_runs(program):
    text = program.good("reduce", "particle-free").stdout
    assert tomllib.loads(text)["force"] and "particle-free-reduced" in text
    (program.directory / "reduced.toml").write_text(text)
    whole, = program.json("run", "particle-free", "--method", "gauss(stages=5)", "--step", "0.1", "--until", "5")["runs"]
    reduced, = program.json("run", "./reduced.toml", "--method", "gauss(stages=5)", "--step", "0.1", "--until", "5")["runs"]
    for i in range(2):
        assert abs(whole["final"]["q"][i] - reduced["final"]["q"][i]) < 1e-11
    assert reduced["diagnostics"]["energy"] == 1.5 and reduced["diagnostics"]["energy_error_max"] < 1e-12


def test_the_time_of_a_multiplier(program):
    program.good("reduce", "particle-harmonic", "--hamiltonize", "--reconstruct", "--out", "tau.toml")
    result = program.good("run", "./tau.toml", "--method", "spark(tableau=gauss, stages=1)", "--step", "0.1", "--until", "2000", "--json", "r.json")
    assert "warning" not in result.stderr
    run, = json.loads((program.directory / "r.json").read_text())["runs"]
    # The symplectic midpoint rule: the energy in tau oscillates, and what follows has no reactions.
    assert run["diagnostics"]["integrals"]["reduced_energy"]["max_error"] < 5e-4
    assert run["final"]["lambda"] == [0, 0] and 2390 < run["final"]["q"][3] < 2400
    program.refuses(4, "reduce", "particle-free", "--out", "no/such/folder/x.toml")


def test_what_cannot_be_reduced_is_said(program):
    assert "names no symmetric coordinates" in program.refuses(2, "reduce", "pendulum-cvt")
    assert '"x1" is in its Lagrangian' in program.refuses(2, "reduce", "pendulum-cvt", "--symmetry", "x1")
    assert "does not reduce it" in program.refuses(2, "reduce", "particle-free", "--multiplier", "1/(1 + y^2)")
    assert "has no reducing multiplier" in program.refuses(2, "reduce", "rolling-disk", "--symmetry", "x,y", "--set", "k=0", "--hamiltonize")
    assert "with its value" in program.refuses(2, "reduce", "rolling-disk", "--symmetry", "x,y", "--set", "k")
    assert '"x" is in its Lagrangian' in program.refuses(2, "reduce", "--symmetry", "x,y", "--set", "k=1", "rolling-disk")
    assert "rolling-disk-reduced" in program.good("reduce", "--symmetry", "x,y", "--set", "k=0", "rolling-disk").stdout
    assert "did you mean" in program.refuses(2, "reduce", "particle-free", "--symmetry", "zz")
    (program.directory / "p.toml").write_text('name = "p"\ncoordinates = ["x"]\n[lagrangian]\nkinetic = "x_dot^2/2"\npotential = "0"\n'
                                              '[reduction]\nsymmetri = ["x"]\n')
    assert "symmetri" in program.refuses(2, "describe", "./p.toml")


def test_a_page_says_how_a_problem_is_reduced(program):
    assert "without x1 (dalembert reduce); Hamiltonian in a time tau, d tau = N dt, N = 1/sqrt(1 + xi^2)" in program.good(
        "describe", "particle-harmonic").stdout
    text = (pathlib.Path(os.environ["DALEMBERT_DATA"]) / "problems/particle-free.toml").read_text()
    (program.directory / "p.toml").write_text(text.replace('multiplier = "1/sqrt(1 + y^2)"', 'multiplier = "1 + y^2"'))
    assert "its [reduction] does not hold" in program.good("describe", "./p.toml").stderr
