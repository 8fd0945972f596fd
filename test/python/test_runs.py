"""Problems and runs: the bits of the command line, and motions that others compute."""

import csv
import os
import subprocess
import threading

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as dal

PROGRAM = os.environ.get("DALEMBERT_PROGRAM", "dalembert")


def rows_of_program(directory, *arguments):
    """The records of the one run that the command line makes, as it writes them."""
    subprocess.run([PROGRAM, "run", *arguments, "--csv", str(directory)], check=True, capture_output=True)
    [path] = directory.glob("*.csv")
    with path.open() as file:
        names, *rows = csv.reader(file)
    return names, np.array(rows, float)


@pytest.mark.parametrize("problem, method, arguments, options", [
    ("pendulum-cvt", "leapfrog", ["--step", "0.1", "--until", "50", "--start", "rotating"],
     dict(step=0.1, until=50, start="rotating")),
    ("pendulum-cvt", "dla(alpha=0.4)", ["--step", "pi/40", "--steps", "300", "--set", "parameters.epsilon=0.25"],
     dict(step="pi/40", steps=300, parameters={"epsilon": 0.25})),
    ("rolling-coin", "lobatto", ["--step", "0.05", "--until", "10", "--every", "0.02"],
     dict(step=0.05, until=10, every=0.02)),
    ("chaplygin-sleigh-se2", "lie-midpoint", ["--step", "0.1", "--until", "20.05", "--at", "0.25,7,19.99"],
     dict(step=0.1, until=20.05, at=[0.25, 7, 19.99])),
    ("knife-edge", "gauss(stages=3)", ["--step", "0.1", "--steps", "1000", "--set", "run.compensated=true"],
     dict(step=0.1, steps=1000, compensated=True)),
])
def test_bits_are_those_of_the_command_line(tmp_path, problem, method, arguments, options):
    names, rows = rows_of_program(tmp_path / "csv", problem, "--method", method, *arguments)
    result = dal.run(problem, method, **options)
    assert result.names == names
    for place, name in enumerate(names):
        np.testing.assert_array_equal(result.column(name), rows[:, place])


def test_arrays_have_time_first():
    problem = dal.load("pendulum-cvt")
    result = dal.run(problem, ["dla", "leapfrog"], step=0.1, until=10, start="rotating")
    assert list(result) == ["dla", "leapfrog"]
    run = result["leapfrog"]
    assert run.ok and run.status == "ok" and run.message == "" and run.method == "leapfrog" and run.step == 0.1
    assert run.t.shape == (101,) and run.q.shape == run.v.shape == (101, 3) and run.lam.shape == (101, 1)
    assert problem.positions == ["x1", "x2", "xi"] and problem.multipliers == ["lambda_1"]
    assert set(run.integrals) == set(problem.integrals) == {"driver_energy", "passenger_energy"}
    np.testing.assert_array_equal(run.energy_error, run.energy - run.energy[0])
    np.testing.assert_array_equal(run.column("xi_dot"), run.v[:, 2])
    np.testing.assert_array_equal(run.q[0], problem.starts["rotating"].q)
    np.testing.assert_array_equal(run(5.0).q, run.q[50])
    assert run.final.t == run.t[-1] and len(run.cautions) == 0
    with pytest.raises(ValueError):
        run.q[0, 0] = 1.0  # records are the run's own
    assert not np.shares_memory(run.q.copy(), run.q)


def passengers_and_driver(t, state):
    """x1'' = -x1 + lambda, x2'' = -x2 + lambda sin xi, xi'' = -sin xi, under x1' + sin(xi) x2' = 0; lambda follows by differentiation."""
    x1, x2, xi, v1, v2, w = state
    s, c = np.sin(xi), np.cos(xi)
    force = (x1 + s * x2 - c * w * v2) / (1 + s * s)
    return [v1, v2, w, -x1 + force, -x2 + force * s, -s]


def test_the_motion_is_that_of_another_solver():
    start = dal.load("pendulum-cvt").starts["rotating"]
    other = solve_ivp(passengers_and_driver, (0, 10), [*start.q, *start.v], method="DOP853", rtol=1e-13, atol=1e-13, t_eval=[10.0])
    expected = other.y[:, -1]
    errors = []
    for step in (0.05, 0.025):
        final = dal.run("pendulum-cvt", "gauss(stages=3)", step=step, until=10, start=start).final
        errors.append(np.max(np.abs([*final.q, *final.v] - expected)))
    # Order 6: halving the step takes 2^6 of the error away, until the other solver's own error of some 1e-12.
    assert errors[0] < 1e-7 and errors[1] < errors[0] / 32 + 1e-11
    s, c = np.sin(final.q[2]), np.cos(final.q[2])
    # The multiplier is determined by the state, which is known to 1e-9 here.
    assert abs(final.lam[0] - (final.q[0] + s * final.q[1] - c * final.v[2] * final.v[1]) / (1 + s * s)) < 1e-8


def test_a_start_by_numbers_and_one_that_is_a_state():
    first = dal.run("pendulum-cvt", "lobatto", step=0.1, until=5, q=[1, 1, 0], v=np.array([0.0, 0.0, 2.0]))
    np.testing.assert_array_equal([first.initial.q, first.initial.v], [[1, 1, 0], [0, 0, 2]])
    again = dal.run("pendulum-cvt", "lobatto", step=0.1, until=5, start=first.final.start())
    np.testing.assert_array_equal([again.initial.q, again.initial.v], [first.final.q, first.final.v])
    loose = dal.run("pendulum-cvt", "gauss", step=0.1, until=5, start="rotating")  # keeps the constraint to the order of its error
    with pytest.raises(dal.RequestError, match="is violated"):
        dal.run("pendulum-cvt", "lobatto", step=0.1, until=5, start=loose.final.start())
    moved = dal.run("pendulum-cvt", "lobatto", step=0.1, until=5, start=loose.final.start(project=True))
    assert moved.constraint[0] < 1e-15 and np.max(np.abs(moved.initial.v - loose.final.v)) < 1e-4


def test_states_between_records_are_those_of_a_run_that_records_them():
    times = np.array([0.0, 0.123, 3.7, 12.34, 20.0])
    sparse = dal.run("pendulum-cvt", ["lobatto", "dla"], step=0.1, until=20, record_every=50)
    recorded = dal.run("pendulum-cvt", ["lobatto", "dla"], step=0.1, until=20, at=times)
    for name in sparse:
        states = sparse[name](times)
        np.testing.assert_array_equal(states.t, recorded[name].t)
        # The driver only swings, so that no angle has turned and the bits are the same.
        np.testing.assert_array_equal(states.q, recorded[name].q)
        np.testing.assert_array_equal(states.v, recorded[name].v)
        np.testing.assert_array_equal(states.lam, recorded[name].lam)
        np.testing.assert_array_equal(sparse[name](12.34).q, states.q[3])
    with pytest.raises(dal.RequestError, match="there are 2 runs"):
        sparse(1.0)
    one = dal.run("pendulum-cvt", "lobatto", step=0.1, until=10)
    one(5.05)
    np.testing.assert_array_equal(one.resume(until=20)(12.34).q, sparse["lobatto"](12.34).q)


def test_several_starts_steps_and_parameters_make_a_run_each():
    result = dal.run("pendulum-cvt", ["dla", "leapfrog"], step=[0.1, 0.05], until=1, start=["oscillating", "rotating"],
                     parameters={"epsilon": np.linspace(0, 0.5, 3)})
    assert len(result) == len(set(result)) == len(result.solutions) == 24
    assert {run.parameters["epsilon"] for run in result.values()} == {0.0, 0.25, 0.5}
    with pytest.raises(dal.RequestError, match="there are 24 runs; choose one of"):
        result.q


def test_a_method_by_a_dict_and_one_that_is_chosen():
    result = dal.run("rolling-coin", [{"name": "gauss", "stages": 3, "label": "six"}, "lobatto"], step=0.05, until=1)
    assert list(result) == ["six", "lobatto"]
    with pytest.warns(dal.Caution, match="auto"):
        chosen = dal.run("rolling-coin", tolerance=1e-8, until=10)
    assert "dop853" in chosen.method or "gauss" in chosen.method
    assert chosen.outcome["diagnostics"]["estimated_error"]["largest"] < 1e-7


def test_methods_that_do_not_fit_are_told_beside_those_that_do():
    with pytest.warns(dal.Caution, match="driver-splitting"):
        result = dal.run("rolling-coin", ["gauss", "driver-splitting"], step=0.1, until=1)
    assert list(result) == ["gauss"]
    assert [one["method"] for one in result.refused] == ["driver-splitting"]


def test_a_study_of_the_library_and_one_as_a_dict():
    settings = {"run.until": 5, "run.step": 0.05}
    with pytest.warns(dal.Caution, match="constraints are violated"):  # by the published discrete derivative
        published = dal.run_study("modin-verdier-2020/figure-6", settings={"run.until": 5})
    assert all(run.final.t == pytest.approx(5, abs=run.step) for run in published.values())
    study = {"problem": "pendulum-cvt", "initial": {"name": "rotating"}, "run": {"step": 0.1, "until": 5},
             "method": [{"name": "dla"}], "diagnostic": [{"kind": "expression", "name": "radius", "expression": "sqrt(x1^2 + x2^2)"}]}
    run = dal.run_study(study)
    np.testing.assert_allclose(run.integrals["radius"], np.hypot(run.q[:, 0], run.q[:, 1]), rtol=1e-15)
    with pytest.raises(dal.RequestError, match="change the dict itself"):
        dal.run_study(study, settings=settings)


def test_a_time_after_the_end_is_told():
    with pytest.warns(dal.Caution, match="^the run ends at t = 1, and nothing is recorded at t = 2"):
        run = dal.run("knife-edge", "dla", step=0.1, until=1, at=[0.5, 2])
    np.testing.assert_array_equal(run.t, [0, 0.5, 1])


def test_a_refused_step_keeps_what_was_before():
    with pytest.warns(dal.Caution) as told:
        run = dal.run("rolling-coin", "gauss", step=3, until=100)
    assert any("failed in step 6 at t = 15" in str(one.message) for one in told)
    assert run.status == "failed" and "failed in step 6" in run.message and not run.ok
    np.testing.assert_array_equal(run.t, 3.0 * np.arange(6))
    with pytest.warns(dal.Caution), pytest.raises(dal.StepError, match="failed in step 6") as caught:
        dal.run("rolling-coin", "gauss", step=3, until=100, strict=True)
    np.testing.assert_array_equal(caught.value.result.q, run.q)


def test_what_cannot_be_believed_is_said():
    with pytest.warns(dal.Caution, match='contact "ground" ended'):
        run = dal.run("rolling-coin", "lobatto", step=0.005, until=5, q=[0, 0, 0, 0.8, 0], v=[0, 0, 0, 0, 0])
    assert run.ok and any("lies flat" in sentence for sentence in run.cautions)
    short = dal.run("rolling-coin", "lobatto", step=0.005, until=1, q=[0, 0, 0, 0.8, 0], v=[0, 0, 0, 0, 0])
    with pytest.warns(dal.Caution, match='contact "ground" ended') as told:
        short.resume(until=5)
    assert {warning.filename for warning in told} == {__file__}  # the line of the caller
    assert run.outcome["diagnostics"]["contacts"]["ground"]["ended"] == pytest.approx(1.61, abs=0.02)




def test_two_threads_run_on_one_problem():
    problem = dal.load("pendulum-cvt")
    alone = dal.run(problem, "lobatto", step=0.1, until=200, start="rotating")
    found = []

    def work():
        for _ in range(5):
            found.append(dal.run(problem, "lobatto", step=0.1, until=200, start="rotating", threads=2).q)

    workers = [threading.Thread(target=work) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 15
    for q in found:
        np.testing.assert_array_equal(q, alone.q)


def test_a_process_that_forks_runs_in_both():
    before = dal.run("pendulum-cvt", "dla", step=0.1, until=20, start="rotating")
    child = os.fork()
    if child == 0:
        try:
            after = dal.run("pendulum-cvt", "dla", step=0.1, until=20, start="rotating", threads=2)
            os._exit(0 if np.array_equal(before.q, after.q) else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
