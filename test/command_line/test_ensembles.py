"""Ensembles from the command line: starts, statistics, outputs, failures, interrupts."""

import csv
import json
import signal
import subprocess

import h5py
import numpy as np
import pytest

from conftest import PROGRAM, STUDY, wait_for_rows

ENSEMBLE = """
problem = "chaotic"
[sizes]
n = 3
[ensemble]
size = 30
seed = 1
energy = 3.06
[run]
step = 0.1
steps = 300
record_every = 10
[[method]]
name = "dla01"
[[method]]
name = "dla"
"""

# A particle in a well that becomes a cliff: fast members fall, and their numbers overflow.
CLIFF = """
[system]
name = "cliff"
coordinates = ["x"]
[system.lagrangian]
kinetic = "x_dot^2/2"
potential = "x^2/2 - x^4/4"
[ensemble]
size = 40
q = ["a"]
v = [0]
[ensemble.random]
a = { uniform = [0.5, 1.5] }
[run]
step = 0.1
until = 20.0
[[method]]
name = "gauss"
"""


@pytest.fixture
def ensemble(program):
    return program.write("ensemble.toml", ENSEMBLE)


def without_work(result):
    for run in result["runs"]:
        del run["work"]
    return result


def energy(q, v):
    q, v = np.array(q), np.array(v)
    w, z = q[:, 1:4], q[:, 4:7]
    return ((v**2).sum(1) + (q**2).sum(1) + (w**2 * z**2).sum(1) + z[:, 0]**2 * z[:, 1]**2) / 2


def test_starts_and_statistics_are_what_numpy_finds(program, ensemble):
    run = program.json("ensemble", ensemble)["runs"][0]
    result = run["ensemble"]
    assert run["status"] == "ok" and run["steps"] == 300 and run["initial"] is None and run["final"] is None
    assert result["size"] == result["ok"] == 30 and result["failed"] == 0 and result["seed"] == 1
    start, final = result["initial"], result["final"]
    before, after = energy(start["q"], start["v"]), energy(final["q"], final["v"])
    np.testing.assert_allclose(before, 3.06, rtol=16 * np.finfo(float).eps)
    q, v = np.array(start["q"]), np.array(start["v"])
    assert np.abs(v[:, 0] + (q[:, 1:4] * v[:, 4:7]).sum(1)).max() < 1e-14
    assert result["t"] == [10 * k * 0.1 for k in range(31)] and result["alive"] == [30] * 31
    statistics = {name: column[-1] for name, column in result["statistics"]["energy_error"].items()}
    # The errors are differences of energies that numpy rounds otherwise: 1e-14 of the errors' size of 1e-2.
    expected = {"mean": np.mean, "variance": lambda x: np.var(x, ddof=1), "mean_square": lambda x: np.mean(x**2),
                "min": np.min, "max": np.max, "median": np.median, "q05": lambda x: np.quantile(x, 0.05),
                "q95": lambda x: np.quantile(x, 0.95)}
    for name, function in expected.items():
        assert statistics[name] == pytest.approx(function(after - before), rel=1e-10, abs=1e-14), name
    assert set(result["growth"]) == {"variance", "mean_square"}
    assert run["diagnostics"]["energy_error_max"] >= np.abs(after - before).max()
    assert run["diagnostics"]["constraint_max"] < 1e-14


def test_threads_lanes_and_size_change_no_bit(program, ensemble):
    one = without_work(program.json("ensemble", ensemble, "--lanes", 1))
    assert one == without_work(program.json("ensemble", ensemble, "--threads", 3, "--lanes", 8))
    assert one == without_work(program.json("run", ensemble))
    more = program.json("ensemble", ensemble, "--members", 45)["runs"][0]["ensemble"]
    assert more["final"]["q"][:30] == one["runs"][0]["ensemble"]["final"]["q"]
    other = program.json("ensemble", ensemble, "--seed", 2)["runs"][0]["ensemble"]
    assert other["initial"]["q"][0] != more["initial"]["q"][0]


def test_ensemble_without_a_study(program):
    table = program.good("ensemble", "chaotic", "--method", "dla01", "--step", 0.1, "--until", 5, "--members", 20,
                         "--energy", 3).stdout
    assert "dla01" in table and " 20 " in table and "growth" in table


def test_tables_of_members_name_their_columns(program):
    study = program.write("cliff.toml", CLIFF)
    program.refuses(3, "ensemble", study, "--out", "e.h5")
    with h5py.File(program.directory / "e.h5") as file:
        members = file["runs/0001/members"]
        for when in ("initial", "final"):
            assert [list(members[part + when].attrs["names"]) for part in ("q_", "v_")] == [["x"], ["x_dot"]]


def test_hdf5_and_csv_tell_what_json_tells(program, ensemble):
    program.good("ensemble", ensemble, "--out", "e.h5", "--csv", "tables", "--json", "e.json")
    run = json.loads((program.directory / "e.json").read_text())["runs"][1]["ensemble"]
    with h5py.File(program.directory / "e.h5") as file:
        group = file["runs/0002"]
        assert group.attrs["status"] == "ok" and group.attrs["members"] == 30 and group.attrs["failed"] == 0
        assert list(group["t"]) == run["t"] and list(group["alive"]) == run["alive"]
        table = group["statistics/energy_error"]
        names = list(table.attrs["names"])
        for name, values in run["statistics"]["energy_error"].items():
            assert list(table[:, names.index(name)]) == values
        assert group["members/q_initial"][:].tolist() == run["initial"]["q"]
        assert group["members/v_final"][:].tolist() == run["final"]["v"]
        assert group["members/lambda_final"].shape == (30, 1)
    with open(program.directory / "tables" / "0002-dla.csv") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["energy_error_variance"]) for row in rows] == run["statistics"]["energy_error"]["variance"]
    with open(program.directory / "tables" / "0002-dla.members.csv") as file:
        members = list(csv.DictReader(file))
    assert [float(row["final_z_2"]) for row in members] == [q[5] for q in run["final"]["q"]]


def test_pictures(program, ensemble):
    program.good("ensemble", ensemble, "--plot", "variance.svg")
    text = (program.directory / "variance.svg").read_text()
    assert "variance of energy error" in text and "dla01" in text
    program.good("ensemble", ensemble, "--plot", "c.png", "--set", 'plot.quantity=["mean_square", "constraint.max"]')
    assert (program.directory / "c.png").stat().st_size > 10000


def test_failed_members_do_not_stop_the_others(program):
    study = program.write("cliff.toml", CLIFF)
    sentence = program.refuses(3, "ensemble", study, "--json", "e.json", "--out", "e.h5")
    assert "members failed; member" in sentence and "step" in sentence and "residual" in sentence
    run = json.loads((program.directory / "e.json").read_text())["runs"][0]
    result = run["ensemble"]
    assert run["status"] == "failed" and run["steps"] == 200
    starts = np.array(result["initial"]["q"])[:, 0]
    failed = {failure["member"] for failure in result["failures"]}
    # A particle at rest before the top of the potential at x = 1 swings for ever; beyond it it falls, and may fail.
    assert failed and failed <= {i for i, x in enumerate(starts) if x > 1}
    assert result["alive"][-1] == 40 - len(failed) == result["ok"]
    for failure in result["failures"]:
        assert failure["step"] > 1 and failure["t"] == pytest.approx(0.1 * (failure["step"] - 1))
        assert result["final"]["t"][failure["member"]] == failure["t"]
    with h5py.File(program.directory / "e.h5") as file:
        assert set(np.flatnonzero(file["runs/0001/members/failed_in_step"][:])) == failed


def test_interrupt_keeps_what_is_recorded(program, ensemble):
    process = subprocess.Popen([PROGRAM, "ensemble", ensemble, "--set", "run.steps=1000000000", "--out", "e.h5",
                                "--json", "e.json", "--threads", "2"],
                               cwd=program.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for_rows(program.directory / "e.h5")
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=60)
    assert process.returncode == 130 and "interrupted" in complaint
    runs = json.loads((program.directory / "e.json").read_text())["runs"]
    assert {run["status"] for run in runs} == {"interrupted"}
    result = runs[0]["ensemble"]
    assert runs[0]["steps"] == 10 * (len(result["t"]) - 1) > 0
    assert result["final"]["t"] == [result["t"][-1]] * 30
    assert "dalembert resume e.h5" in complaint
    with h5py.File(program.directory / "e.h5") as file:
        assert list(file["runs/0001/t"]) == result["t"]
        assert file["runs/0001"].attrs["status"] == "interrupted"


def contents(path):
    """All data sets of a result but the states, which are written by turns, and the time that it took."""
    found = {}
    with h5py.File(path) as file:
        file["runs"].visititems(lambda name, item: found.update({name: item[:].tolist()})
                                if isinstance(item, h5py.Dataset) and "/state/" not in name else None)
        for name, run in file["runs"].items():
            found[name] = {key: str(run.attrs[key]) for key in run.attrs if not key.startswith("seconds")}
    return found


@pytest.mark.parametrize("first", ["13.0", "0.3"])  # on the grid of records; with an irregular last record
def test_resumed_ensemble_has_the_same_bits(program, ensemble, first):
    program.good("ensemble", ensemble, "--out", "whole.h5", "--threads", 2)
    program.good("ensemble", ensemble, "--out", "parts.h5", "--set", "run.steps=" + str(round(float(first) * 10)))
    program.good("resume", "parts.h5", "--until", 30.0)
    whole, parts = contents(program.directory / "whole.h5"), contents(program.directory / "parts.h5")
    for outcome in [*whole.values(), *parts.values()]:
        if isinstance(outcome, dict):  # counts depend on which members share a pass
            outcome.pop("newton_iterations", None)
    assert parts == whole
    program.good("plot", "parts.h5", "--plot", "parts.svg", "--quantity", "mean_square")
    assert "mean square of energy error" in (program.directory / "parts.svg").read_text()


@pytest.mark.parametrize("method", ["dla01", "newmark"])  # by a shorter step, and between nodes of data of steps of one size
@pytest.mark.parametrize("when", ["every=0.37", "at=[0.25, 1.11, 12.04, 29.99]"])
def test_records_at_given_times_have_the_same_bits_however_they_were_computed(program, ensemble, method, when):
    words = ("ensemble", ensemble, "--set", f'method=[{{name="{method}"}}]')
    plain = program.json(*words, "--set", "run.record_every=300")["runs"][0]["ensemble"]
    option = ("--every", "0.37") if when.startswith("every") else ("--at", when[4:-1])
    whole = without_work(program.json(*words, *option, "--lanes", 1, "--out", "whole.h5"))
    result = whole["runs"][0]["ensemble"]
    expected = [*(0.37 * k for k in range(82)), 30.0] if when.startswith("every") else [0, 0.25, 1.11, 12.04, 29.99, 30]
    np.testing.assert_allclose(result["t"], expected, rtol=1e-12)
    assert result["alive"] == [30] * len(expected)
    assert result["final"] == plain["final"]  # the motion does not know of records
    for column, values in result["statistics"]["energy_error"].items():
        assert values[-1] == plain["statistics"]["energy_error"][column][-1]
    assert whole == without_work(program.json(*words, *option, "--lanes", 8, "--threads", 3))
    program.good(*words, *option, "--set", "run.steps=111", "--out", "parts.h5")
    program.good("resume", "parts.h5", "--until", 12.05, "--threads", 2)  # newmark ends at 12.1 at the latest, and says so
    program.good("resume", "parts.h5", "--until", 30)
    one, other = contents(program.directory / "whole.h5"), contents(program.directory / "parts.h5")
    for outcome in [*one.values(), *other.values()]:
        if isinstance(outcome, dict):  # counts depend on which members share a pass, and shorter steps were work, too
            for key in ("newton_iterations", "member_steps"):
                outcome.pop(key, None)
    assert one == other


@pytest.mark.parametrize("method", ["dla", "lobatto", "newmark", "gauss", "fehlberg-78(tolerance=1e-9)"])
def test_an_ensemble_records_at_given_times_what_a_run_does(program, method):
    """Of a start that nothing is spread around; the energy is the same expression, whose terms are of size 4."""
    words = ("--method", method, "--step", 0.1, "--until", 3.05, "--every", 0.07)
    if method == "newmark":
        words = (*words[:5], 3.1, *words[6:])  # ends at a node
    program.good("run", "pendulum-cvt", "--start", "rotating", *words, "--out", "run.h5")
    study = program.write("one.toml", 'problem = "pendulum-cvt"\n[ensemble]\nsize = 1\naround = "rotating"\nspread = 0\n[run]\n'
                          'step = 0.1\nuntil = 1\n[[method]]\nname = "dla"\n')
    program.good("ensemble", study, *words, "--out", "one.h5")
    with h5py.File(program.directory / "run.h5") as file:
        t, energy = file["runs/0001/t"][:], file["runs/0001/energy"][:]
    with h5py.File(program.directory / "one.h5") as file:
        assert np.array_equal(file["runs/0001/t"][:], t)
        statistics = file["runs/0001/statistics/energy_error"]
        means = statistics[:, list(statistics.attrs["names"]).index("mean")]
        np.testing.assert_allclose(means, energy - energy[0], rtol=0, atol=4e-15)


def test_records_between_nodes_leave_out_members_whose_shorter_step_is_refused(program):
    """On the cliff numbers overflow; who is left out in lanes is left out alone, and the run's own steps decide who has failed."""
    study = program.write("cliff.toml", CLIFF)
    for lanes in ("1", "8"):
        program.refuses(3, "ensemble", study, "--every", "0.03", "--lanes", lanes, "--out", f"{lanes}.h5")
    program.refuses(3, "ensemble", study, "--out", "plain.h5")
    one, other, plain = (contents(program.directory / f"{name}.h5") for name in ("1", "8", "plain"))
    for name in ("0001/alive", "0001/t", "0001/members/failed_in_step", "0001/members/q_final"):
        np.testing.assert_array_equal(one[name], other[name])
    np.testing.assert_array_equal(one["0001/members/failed_in_step"], plain["0001/members/failed_in_step"])
    at_nodes = [(round(10 * t), n) for t, n in zip(one["0001/t"], one["0001/alive"]) if abs(10 * t - round(10 * t)) < 1e-9]
    assert at_nodes and all(n == plain["0001/alive"][step] for step, n in at_nodes)


def test_resumed_ensemble_keeps_its_failures(program):
    study = program.write("cliff.toml", CLIFF)
    program.refuses(3, "ensemble", study, "--out", "whole.h5")
    program.refuses(3, "ensemble", study, "--out", "parts.h5", "--set", "run.until=10")
    program.refuses(3, "resume", "parts.h5", "--until", 20.0)
    with h5py.File(program.directory / "whole.h5") as whole, h5py.File(program.directory / "parts.h5") as parts:
        for name in ["failed_in_step", "t_final", "q_final"]:
            assert list(whole["runs/0001/members"][name]) == pytest.approx(list(parts["runs/0001/members"][name]), abs=0)


def test_an_end_between_two_steps_is_reached_and_gone_on_from(program):
    """On one number and in lanes, in members that fall within the shorter step, too."""
    study = program.write("cliff.toml", CLIFF)
    for lanes in ("1", "4"):
        program.refuses(3, "ensemble", study, "--set", "run.until=5.55", "--lanes", lanes, "--out", f"whole-{lanes}.h5")
    program.run("ensemble", study, "--set", "run.until=1.23", "--out", "parts.h5")
    program.run("resume", "parts.h5", "--until", "3.21")
    with h5py.File(program.directory / "parts.h5") as parts:
        assert parts["runs/0001/t"][-1] == 3.21
    program.refuses(3, "resume", "parts.h5", "--until", "5.55")
    program.refuses(3, "resume", "parts.h5")
    with h5py.File(program.directory / "whole-1.h5") as one:
        assert one["runs/0001/t"][-1] == 5.55
        exported = json.loads(program.good("export", "whole-1.h5", "--json", "-").stdout)["runs"][0]
        assert exported["status"] == "failed" and max(exported["ensemble"]["final"]["t"]) == 5.55
        final, step = one["runs/0001/members/t_final"][()], one["runs/0001/members/failed_in_step"][()]
        assert set(final[step == 0]) == {5.55} and np.all(final[step > 0] < 5.55)
        for name in ("whole-4.h5", "parts.h5"):
            with h5py.File(program.directory / name) as other:
                for part in ("t", "alive", "members/failed_in_step", "members/t_final", "members/q_final"):
                    assert np.array_equal(one["runs/0001"][part], other["runs/0001"][part], equal_nan=True), (name, part)


def test_kill_leaves_a_readable_file_that_can_go_on(program, ensemble):
    process = subprocess.Popen([PROGRAM, "ensemble", ensemble, "--set", "run.steps=1000000000", "--out", "e.h5",
                                "--set", "run.record_every=100", "--set", 'method=[{name="dla01"}]'],
                               cwd=program.directory)
    wait_for_rows(program.directory / "e.h5")
    process.kill()
    process.communicate()
    with h5py.File(program.directory / "e.h5") as file:
        assert file["runs/0001"].attrs["status"] == "interrupted"
        t = file["runs/0001/t"][-1]
    program.good("resume", "e.h5", "--until", t + 30.0)
    with h5py.File(program.directory / "e.h5") as file:
        assert file["runs/0001"].attrs["status"] == "ok" and file["runs/0001/t"][-1] > t


MISTAKES = {
    "no size": ("size = 30\n", "", ["ensemble.toml", "size"]),
    "size 0": ("size = 30", "size = 0", ["ensemble.toml:6", "ensemble.size", "[1, "]),
    "size in words": ("size = 30", 'size = "many"', ["ensemble.size", "many"]),
    "negative seed": ("seed = 1", "seed = -1", ["ensemble.toml:7", "ensemble.seed", "-1"]),
    "unknown key": ("seed = 1", "sed = 1", ["ensemble.toml:7", '"ensemble.sed"', 'did you mean "seed"']),
    "energy out of reach": ("energy = 3.06", "energy = -1", ["ensemble.toml:8", "-1", "at rest"]),
    "energy in words": ("energy = 3.06", 'energy = "high"', ["ensemble.toml:8", "high"]),
    "no energy": ("energy = 3.06\n", "", ["ensemble.toml:5", "energy", "v"]),
    "also initial": ("[run]", '[initial]\nname = "ensemble"\n[run]', ["ensemble.toml", "[initial]", "around"]),
    "two positions": ("energy = 3.06", 'energy = 3.06\nbox = [-1, 1]\nq = [0, 0, 0, 0, 0, 0, 0]',
                      ["ensemble.toml:5", "box", "around"]),
    "wrong number of intervals": ("energy = 3.06", "energy = 3\nbox = [[-1, 1], [0, 1]]",
                                  ["ensemble.toml:9", "box", "2", "7", "w_1"]),
    "empty interval": ("energy = 3.06", "energy = 3\nbox = [1, -1]", ["ensemble.toml:9", "empty"]),
    "wrong number of positions": ("energy = 3.06", "energy = 3\nq = [0, 0]", ["ensemble.toml:9", "2", "7", "w_1"]),
    "members of other lengths": ("energy = 3.06", "energy = 3\nq = [[0, 0, 0, 0, 0, 0, 0], [0, 0]]", ["ensemble.size", "30", "q gives 2"]),
    "a short member": ("size = 30", "q = [[0, 0, 0, 0, 0, 0, 0], [0, 0]]", ["ensemble.toml:6", "2 entries", "7", "w_1"]),
    "a member that is none": ("size = 30", "q = [[0, 0, 0, 0, 0, 0, 0], 0]", ["ensemble.toml:6", "one for each member"]),
    "velocities of other members": ("size = 30", "q = [[0, 0, 0, 0, 0, 0, 0]]\nv = [[0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]]",
                                    ["ensemble.toml:7", "2 members", "q has 1"]),
    "velocities without positions": ("energy = 3.06", "v = [[0, 0, 0, 0, 0, 0, 0]]", ["ensemble.toml:8", "q is none"]),
    "unknown variable": ("energy = 3.06", 'energy = 3\nq = ["cos(b)", 0, 0, 0, 0, 0, 0]\nrandom.a = { uniform = [0, 1] }',
                         ["ensemble.toml:9", '"b"']),
    "unknown law": ("energy = 3.06", "energy = 3\nrandom.a = { unform = [0, 1] }",
                    ["ensemble.toml:9", "unform", 'did you mean "uniform"']),
    "no law": ("energy = 3.06", "energy = 3\nrandom.a = {}", ["ensemble.toml:9", "uniform", "normal"]),
    "empty law": ("energy = 3.06", "energy = 3\nrandom.a = { uniform = [1, 1] }", ["ensemble.toml:9", "uniform", "less"]),
    "around nothing": ("energy = 3.06", 'around = "nowhere"\nspread = 0.1', ["ensemble.toml:8", "nowhere", "ensemble"]),
    "around without spread": ("energy = 3.06", 'around = "ensemble"', ["ensemble.toml:8", "spread"]),
    "spread around nothing": ("energy = 3.06", "energy = 3\nspread = 0.1", ["ensemble.toml:9", "around"]),
    "negative spread": ("energy = 3.06", 'around = "ensemble"\nspread = -0.1', ["ensemble.toml:9", "-0.1", ">= 0"]),
    "start off the constraint": ("energy = 3.06", "q = [0, 1, 0, 0, 0, 0, 0]\nv = [1, 0, 0, 0, 0, 0, 0]",
                                 ["ensemble.toml:5", "violated", "project"]),
    "misspelt reference": ("[run]", '[plot]\nreference = "1e-4*k*t"\n[run]', ["ensemble.toml:10", "plot.reference", '"k"']),
    "parameters": ("energy = 3.06", "energy = 3\nparameters.a = 1", ["ensemble.toml:9", "no place"]),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_told_with_place_and_remedy(program, mistake):
    old, new, words = MISTAKES[mistake]
    assert old in ENSEMBLE
    study = program.write("ensemble.toml", ENSEMBLE.replace(old, new, 1))
    sentence = program.refuses(2, "ensemble", study, "--plot", "x.svg")
    for word in words:
        assert word in sentence, sentence


def test_other_commands_say_what_runs_ensembles(program, ensemble):
    assert "dalembert ensemble" in program.refuses(2, "order", ensemble)
    assert "[ensemble]" in program.refuses(2, "ensemble", program.write("plain.toml", STUDY))


def test_nonlinear_constraints_and_skew_gradient_forms_say_what_is_possible(program):
    arguments = ["--method", "dla", "--step", 0.1, "--until", 1, "--members", 5, "--energy", 1]
    assert "not linear in the velocities" in program.refuses(2, "ensemble", "isokinetic-particle", *arguments)
    arguments[1] = "reduced-gradient"
    assert "skew-gradient" in program.refuses(2, "ensemble", "suslov", *arguments)
