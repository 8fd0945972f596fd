"""The contract of JSON, HDF5 and CSV results."""

import csv
import json

import h5py
import numpy as np
import pytest

from conftest import STUDY

pytestmark = pytest.mark.proof

FIELDS = {"problem", "parameters", "method", "step", "steps", "status", "message", "initial", "final", "diagnostics", "work"}


def test_json_has_the_fields_of_the_contract(program, study):
    result = program.json("run", study)
    assert set(result) >= {"dalembert", "study", "runs"}
    assert [run["method"]["name"] for run in result["runs"]] == ["dla", "leapfrog"]
    run = result["runs"][0]
    assert FIELDS <= set(run)
    assert run["method"] == {"name": "dla", "alpha": 0.4, "retraction": "cayley"}
    assert run["parameters"] == {"epsilon": 0.0}
    assert run["problem"] == "pendulum-cvt" and run["status"] == "ok" and run["message"] == ""
    assert run["step"] == 0.1 and run["steps"] == 50
    assert set(run["initial"]) == set(run["final"]) == {"t", "q", "v", "lambda", "lambda_recomputed"}
    assert run["initial"]["q"] == [1, 1, 0] and run["initial"]["v"] == [0, 0, 2.82842712]
    assert run["final"]["t"] == 50 * 0.1
    diagnostics = run["diagnostics"]
    assert diagnostics["energy"] == 1 + 2.82842712**2 / 2
    assert 0 < diagnostics["energy_error_max"] < 1
    assert diagnostics["constraint_max"] < 1e-14
    assert set(diagnostics["integrals"]) == {"driver_energy", "passenger_energy"}
    assert set(diagnostics["integrals"]["driver_energy"]) == {"initial", "final", "max_error"}
    assert set(run["work"]) >= {"newton_iterations", "evaluations", "seconds"}


def test_json_file_is_what_standard_output_shows(program, study):
    program.good("run", study, "--json", "result.json")
    written = json.loads((program.directory / "result.json").read_text())
    shown = program.json("run", study)
    for a, b in zip(written["runs"], shown["runs"]):
        assert a["final"] == b["final"] and a["diagnostics"] == b["diagnostics"]


def test_table_goes_to_standard_error_beside_json(program, study):
    result = program.good("run", study, "--json", "-")
    json.loads(result.stdout)
    assert "energy error" in result.stderr and "LF" in result.stderr
    assert "energy error" in program.good("run", study).stdout


def test_hdf5_holds_all_records_and_their_names(program, study):
    program.good("run", study, "--out", "result.h5", "--json", "result.json")
    expected = json.loads((program.directory / "result.json").read_text())["runs"]
    with h5py.File(program.directory / "result.h5") as file:
        assert 'problem' not in file["runs"] and "[system]" in file.attrs["study"]
        assert len(file["runs"]) == 2
        run = file["runs/0001"]
        assert run["t"].shape == (51,) and run["q"].shape == (51, 3) and run["lambda"].shape == (51, 1)
        assert list(run["q"].attrs["names"]) == ["x1", "x2", "xi"]
        assert list(run["v"].attrs["names"]) == ["x1_dot", "x2_dot", "xi_dot"]
        assert all(run[name].attrs["units"] == "nondimensional" for name in ["t", "q", "v", "lambda", "energy"])
        assert run["q"][-1].tolist() == expected[0]["final"]["q"]
        assert np.array_equal(run["t"], 0.1 * np.arange(51))
        energy = run["energy"][()]
        assert np.max(np.abs(energy - energy[0])) == expected[0]["diagnostics"]["energy_error_max"]
        driver = run["integrals/driver_energy"][()]
        assert driver[0] == expected[0]["diagnostics"]["integrals"]["driver_energy"]["initial"]
        assert run.attrs["status"] == "ok" and run.attrs["step"] == 0.1 and run.attrs["steps"] == 50
        assert run["parameters"].attrs["epsilon"] == 0.0
        assert json.loads(run.attrs["json"])["final"] == expected[0]["final"]
        assert file["runs/0002"].attrs["label"] == "LF"


def test_csv_reads_back_as_the_same_numbers(program, study):
    program.good("run", study, "--csv", "records", "--out", "result.h5")
    files = sorted((program.directory / "records").iterdir())
    assert len(files) == 2
    with open(files[0]) as text, h5py.File(program.directory / "result.h5") as file:
        rows = list(csv.reader(text))
        assert rows[0] == ["t", "x1", "x2", "xi", "x1_dot", "x2_dot", "xi_dot", "lambda_1", "energy", "constraint",
                           "driver_energy", "passenger_energy"]
        numbers = np.array(rows[1:], dtype=float)
        assert np.array_equal(numbers[:, 1:4], file["runs/0001/q"])
        assert np.array_equal(numbers[:, 8], file["runs/0001/energy"])


def test_records_are_thinned_but_errors_are_not(program, study):
    all_records = program.json("run", study)["runs"][0]
    program.good("run", study, "--set", "run.record_every=7", "--out", "result.h5")
    with h5py.File(program.directory / "result.h5") as file:
        run = file["runs/0001"]
        assert np.allclose(run["t"], [0, 0.7, 1.4, 2.1, 2.8, 3.5, 4.2, 4.9, 5.0])
        assert run.attrs["energy_error_max"] == all_records["diagnostics"]["energy_error_max"]


def test_default_is_at_most_ten_thousand_records(program, study):
    program.good("run", study, "--set", "run.steps=30001", "--out", "result.h5")
    with h5py.File(program.directory / "result.h5") as file:
        assert 5000 < file["runs/0001/t"].shape[0] <= 10002


def test_threads_do_not_change_anything(program, study):
    settings = ["--set", "parameters.epsilon=[0, 0.1, 0.5]", "--set", "initial.name=[\"rotating\", \"oscillating\"]"]
    one, four = (program.json("run", study, *settings, "--threads", n)["runs"] for n in (1, 4))
    assert len(one) == 12
    for a, b in zip(one, four):
        del a["work"], b["work"]
        assert a == b


def test_runs_are_the_product_of_starts_parameters_methods_and_steps(program, study):
    runs = program.json("run", study, "--set", "run.step=[0.1, \"pi/40\"]", "--set", "parameters.epsilon=[0, 0.5]")["runs"]
    seen = [(run["parameters"]["epsilon"], run["method"]["name"], round(run["step"], 4)) for run in runs]
    assert seen == [(e, m, h) for e in (0, 0.5) for m in ("dla", "leapfrog") for h in (0.1, 0.0785)]


def test_the_last_step_is_shorter_where_the_end_is_no_multiple(program, study):
    text = STUDY.replace("steps = 50", "until = 0.74")
    run = program.json("run", program.write("until.toml", text))["runs"][0]
    assert run["steps"] == 7 and run["last_step"] == 0.74 - 7 * 0.1 and run["final"]["t"] == 0.74
    text = STUDY.replace("steps = 50", "until = 0.7")
    run = program.json("run", program.write("until.toml", text))["runs"][0]
    assert run["steps"] == 7 and run["last_step"] is None and run["final"]["t"] == 7 * 0.1


def test_all_runs_of_a_study_end_at_one_time(program, study):
    path = program.write("until.toml", STUDY.replace("steps = 50", "until = 1"))
    runs = program.json("run", path, "--set", "run.step=[0.1, 0.07, 0.3]")["runs"]
    assert [run["final"]["t"] for run in runs] == [1.0] * len(runs)


def test_a_longer_run_goes_on_from_before_the_shorter_step(program, study):
    """The same records and state as of the run that was asked for at once."""
    path = program.write("until.toml", STUDY.replace("steps = 50", "until = 1"))
    for name, ends in (("at-once.h5", ["2.93"]), ("in-parts.h5", ["0.74", "0.76", "1.5", "2.93"])):
        program.good("run", path, "--until", ends[0], "--out", name)
        for end in ends[1:]:
            program.good("resume", name, "--until", end)
            assert "reached" in program.refuses(2, "resume", name, "--until", "0.7")
            program.good("resume", name)
    with h5py.File(program.directory / "at-once.h5") as first, h5py.File(program.directory / "in-parts.h5") as second:
        for part in ("t", "q", "v", "energy", "state/q", "state/v", "state/t", "state/final_t"):
            assert np.array_equal(first["runs/0001"][part], second["runs/0001"][part]), part
        assert first["runs/0001/t"][-1] == 2.93 and np.all(np.diff(first["runs/0001/t"]) > 0)


def test_settings_change_the_study(program, study):
    run = program.json("run", study, "--set", "run.step=0.05", "--set", "method.0.alpha=0.3", "--set",
                       "initial.name=oscillating", "--set", "method.0.label=mine")["runs"][0]
    assert run["step"] == 0.05 and run["method"]["alpha"] == 0.3
    assert run["initial"]["v"][2] == 1.8973666 and run["label"] == "mine"


def test_sizes_momenta_and_projection(program):
    text = """
problem = "chaotic"
[sizes]
n = 3
[initial]
q = ["cos(1)", 0.6, 0.4, 0.2, 1, 1, 1]
p = [0, 0.5, 0, 0, 0.1, 0, 0]
project = true
[run]
step = 0.01
steps = 10
[[method]]
name = "leapfrog"
"""
    run = program.json("run", program.write("study.toml", text))["runs"][0]
    assert run["sizes"] == {"n": 3} and len(run["final"]["q"]) == 7
    v, q = run["initial"]["v"], run["initial"]["q"]
    assert abs(v[0] + sum(q[i] * v[i + 3] for i in (1, 2, 3))) < 1e-15
    assert v[0] != 0 and abs(v[1] - 0.5) < 1e-15


MOMENTA = {
    "isokinetic-particle": ("q = [0.8, -0.3, 0.4]", '["0.48*speed", "0.64*speed", "-0.6*speed"]'),
    "appell-hamel": ("q = [0.3, -0.2, 0]", '["m*0.6", "m*0.8", "-m*ratio"]'),
}


@pytest.mark.parametrize("problem", MOMENTA)
def test_momenta_where_constraints_are_singular_at_rest(program, problem):
    q, p = MOMENTA[problem]
    grid = "[run]\nstep = 0.01\nsteps = 10\n[[method]]\nname = \"runge-kutta-4\"\n"
    by_momenta = f'problem = "{problem}"\n[initial]\n{q}\np = {p}\n{grid}'
    by_velocities = f'problem = "{problem}"\n[initial]\n{q}\nv = {p.replace("m*", "")}\n{grid}'
    runs = [program.json("run", program.write("study.toml", text))["runs"][0] for text in (by_momenta, by_velocities)]
    # The default mass is 1, so that momenta are velocities.
    assert runs[0]["initial"]["v"] == runs[1]["initial"]["v"]
    assert runs[0]["final"]["q"] == runs[1]["final"]["q"]


def test_a_system_can_stand_in_the_study(program):
    text = """
[system]
coordinates = ["x", "y", "z"]
[system.lagrangian]
kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2"
[system.constraints]
expressions = ["z_dot - y*x_dot"]
[initial]
q = [0, 1, 0]
v = [1, 0.5, 1]
[run]
step = 0.1
until = 1
[[method]]
name = "dla"
"""
    assert program.json("run", program.write("study.toml", text))["runs"][0]["problem"] == "system"


def test_a_problem_beside_the_study_is_found(program, study):
    (program.directory / "sub").mkdir()
    program.write("sub/mine.toml", 'coordinates = ["x"]\n[lagrangian]\nkinetic = "x_dot^2/2"\n[initial.one]\nq = [0]\nv = [2]\n')
    program.write("sub/study.toml", 'problem = "./mine.toml"\n[run]\nstep = 0.5\nuntil = 1\n[[method]]\nname = "dla"\n')
    run = program.json("run", "sub/study.toml")["runs"][0]
    assert run["final"]["q"] == [2] and run["initial"]["lambda"] == []


def test_a_problem_runs_without_a_study(program):
    run = program.json("run", "knife-edge", "--method", "dla", "--step", "pi/10", "--until", "2*pi", "--start", "horizontal")
    assert run["runs"][0]["steps"] == 20


def test_resume_is_bit_for_bit(program, study):
    program.good("run", study, "--set", "run.record_every=7", "--set", "run.steps=100", "--out", "whole.h5")
    program.good("run", study, "--set", "run.record_every=7", "--out", "parts.h5")
    program.good("resume", "parts.h5", "--until", "10")
    with h5py.File(program.directory / "whole.h5") as whole, h5py.File(program.directory / "parts.h5") as parts:
        for run in ("0001", "0002"):
            for name in ("t", "q", "v", "lambda", "energy", "constraint", "integrals/driver_energy", "state/q"):
                assert np.array_equal(whole["runs"][run][name], parts["runs"][run][name]), name
            assert whole["runs"][run].attrs["energy_error_max"] == parts["runs"][run].attrs["energy_error_max"]
            assert parts["runs"][run].attrs["steps"] == 100


def test_a_file_of_the_first_release_resumes_bit_for_bit(program):
    """It calls "extra" what is carried from step to step beside the state: here the velocity of shake."""
    words = ("run", "spherical-pendulum", "--method", "shake", "--start", "generic", "--step", "0.05")
    program.good(*words, "--until", "4", "--out", "whole.h5")
    program.good(*words, "--until", "2", "--out", "parts.h5")
    with h5py.File(program.directory / "parts.h5", "r+") as parts:
        state = parts["runs/0001/state"]
        assert state["carried"].size > 0
        state.move("carried", "extra")
    program.good("resume", "parts.h5", "--until", "4")
    with h5py.File(program.directory / "whole.h5") as whole, h5py.File(program.directory / "parts.h5") as parts:
        for name in ("q", "v", "lambda", "state/q", "state/carried"):
            assert np.array_equal(whole["runs/0001"][name][-1], parts["runs/0001"][name][-1]), name


def test_a_file_may_be_older_than_options_of_its_methods(program):
    """What it does not say of them is their default, also in a method that is an option."""
    words = ("pendulum-cvt", "--method", "leapfrog", "--method", "adjoint(base=dla(alpha=0.3))", "--step", 0.1)
    program.good("run", *words, "--until", 2, "--out", "r.h5")
    with h5py.File(program.directory / "r.h5", "a") as file:
        for name, option, base in (("0001", "first", False), ("0002", "retraction", True)):
            method = json.loads(file["runs"][name].attrs["method"])
            del (method["base"] if base else method)[option]
            file["runs"][name].attrs["method"] = json.dumps(method)
    program.good("resume", "r.h5", "--until", 4)
    program.good("run", *words, "--until", 4, "--out", "whole.h5")
    with h5py.File(program.directory / "r.h5", "a") as old, h5py.File(program.directory / "whole.h5") as whole:
        for name in ("0001", "0002"):
            assert np.array_equal(old["runs"][name]["q"], whole["runs"][name]["q"])
        old["runs/0002"].attrs["method"] = old["runs/0002"].attrs["method"].replace("0.3", "0.4")
    assert "0.4" in program.refuses(4, "export", "r.h5", "--json", "-")


def test_a_quick_run_takes_the_first_start_and_names_it(program):
    line = program.good("run", "pendulum-cvt", "--method", "driver-splitting", "--step", "0.1", "--until", "10").stdout.splitlines()[1]
    assert line.split()[0] == "oscillating"


def test_a_run_killed_before_its_outcome_was_written_can_be_finished(program):
    program.good("run", "pendulum-cvt", "--method", "dla01", "--step", "0.1", "--until", "10", "--out", "r.h5")
    with h5py.File(program.directory / "r.h5", "r+") as file:
        file["runs/0001"].attrs["status"] = "interrupted"
    assert program.good("resume", "r.h5").stdout.splitlines()[1].endswith("ok")
    with h5py.File(program.directory / "r.h5") as file:
        assert file["runs/0001"].attrs["status"] == "ok"
