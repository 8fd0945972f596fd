"""Methods side by side."""

import json
import os
import pickle
import subprocess

import numpy as np
import pytest

import dalembert as dal

PROGRAM = os.environ.get("DALEMBERT_PROGRAM", "dalembert")


def test_numbers_are_those_of_the_command_line():
    found = dal.compare("pendulum-cvt", ["dla", "gauss(stages=3)"], start="rotating", until=50, levels=3, threads=2)
    text = subprocess.run([PROGRAM, "compare", "pendulum-cvt", "--method", "dla,gauss(stages=3)", "--start", "rotating", "--until", "50",
                           "--levels", "3", "--json", "-"], check=True, capture_output=True, text=True).stdout
    expected = json.loads(text)
    ds = found.to_xarray()
    assert found.methods == ["dla", "gauss(stages=3)"] and found.kept == expected["kept"] and found.messages == {}
    assert found.horizon == expected["horizon"] and found.reference == expected["reference"] and found.reference_error < 1e-11
    for method in expected["methods"]:
        for level, run in enumerate(method["runs"]):
            one = ds.sel({"method": method["label"]}).isel(level=level)
            assert one.step == run["step"] and one.solution_error == run["solution_error"] and one.evaluations == run["evaluations"]
            assert one.energy_error == run["kept"]["energy"]["error"]
            assert one.passenger_energy_drift_low == run["kept"]["passenger_energy"]["drift_low"]
    frame = found.to_dataframe()
    assert list(frame.method.unique()) == found.methods and (np.diff(frame[frame.method == "dla"].step) < 0).all()
    again = pickle.loads(pickle.dumps(found))
    assert repr(again) == repr(found) and again.to_csv() == found.to_csv() and "gauss(stages=6)" in repr(found)


def test_methods_of_ones_own_stand_beside_those_of_the_library():
    @dal.method(order=2, symmetric=True, reversible=True)
    def midpoint(s, a, u, h):
        v, lam = u.vector("v", a.v), u.multiplier("lambda", a.lam)
        q, middle = a.q + 0.5 * h * (a.v + v), a.q + 0.25 * h * (a.v + v)
        return dal.Step(zero=s.mass(q) @ (v - a.v) + h * s.potential_gradient(middle) - h * s.constraint_force(middle, lam),
                        constraint=s.constraint(q, v), after=(q, v, lam))

    @dal.system(coordinates="x y z")
    def contact(q, v):
        return dal.Mechanics(kinetic=v @ v / 2, potential=(q.x**2 + q.z**2) / 2 + np.cos(q.y), constraints=[v.x + q.y * v.z])

    found = dal.compare(contact, [midpoint, "leapfrog"], q=[1, 0.5, 0], v=[-0.1, 1, 0.2], until=20, step=0.2, levels=4)
    ds = found.to_xarray()
    np.testing.assert_array_equal(ds.step.sel({"method": "midpoint"}), [0.2, 0.1, 0.05, 0.025])
    slopes = np.diff(np.log2(ds.solution_error.values), axis=1)
    assert (np.abs(slopes + 2) < 0.3).all()  # second order, h from 0.2 on
    axes = found.plot("energy_error", against="evaluations")
    assert [line.get_label() for line in axes.lines] == found.methods and axes.get_xscale() == "log"


def test_all_that_fit_and_what_is_refused():
    found = dal.compare("knife-edge", until=10, levels=2, longest=0.05)
    assert {"dla", "leapfrog", "lobatto", "gauss"} <= set(found.methods)
    with pytest.warns(dal.Caution, match="shake"):
        assert dal.compare("knife-edge", ["dla", "shake"], until=5, levels=2).methods == ["dla"]
    for arguments, sentence in ((dict(until=5, levels=1), "levels"), (dict(until=5, method="x"), "no method"),
                                (dict(until=5, horizon="a"), "horizon"), (dict(until=-5), "must be > 0"),
                                (dict(until=5, parameters={"m": [1, 2]}), "m"), (dict(until=5, error=0), r"error.* is 0; it must be in \(0, inf\)")):
        with pytest.raises(dal.RequestError, match=sentence):
            dal.compare("knife-edge", **arguments)
    with pytest.raises(dal.RequestError, match="no quantity"):
        found.plot("nonsense")


def test_ctrl_c_keeps_what_is_there():
    def stop(stage, done, total):
        if stage == "comparing" and done > 0:
            raise KeyboardInterrupt

    found = dal.compare("pendulum-cvt", until=1e5, levels=3, longest=1000, progress=stop)
    assert len(found.methods) > 3
