"""Orders of methods, and the fields that they follow."""

import json
import os
import pickle
import subprocess

import numpy as np
import pytest

import dalembert as dal

PROGRAM = os.environ.get("DALEMBERT_PROGRAM", "dalembert")


def said(*words):
    return json.loads(subprocess.run([PROGRAM, *words, "--json", "-"], check=True, capture_output=True, text=True).stdout)


def test_orders_are_those_of_the_command_line():
    found = dal.order("knife-edge", ["dla", "gauss"], start="horizontal", runs=4)
    rows = said("order", "knife-edge", "--method", "dla,gauss", "--start", "horizontal", "--runs", "4")["orders"]
    assert found.methods == ["dla", "gauss"] and found.holds and found.verdict[0] == [rows[0][name]["verdict"] for name in ("q", "v", "lambda")]
    np.testing.assert_array_equal(found.order, [[row[name]["slope"] for name in ("q", "v", "lambda")] for row in rows])
    np.testing.assert_array_equal(found.error[1, 2], rows[1]["lambda"]["errors"])
    assert found.promised.tolist() == [[2, 2, 1], [4, 4, 4]] and "gauss" in repr(found) and found.to_csv().startswith("run,method,")
    again = pickle.loads(pickle.dumps(found))
    assert repr(again) == repr(found) and again.to_json() == found.to_json()


def test_a_typed_method_that_promises_too_much_is_told():
    @dal.method(order=2)
    def euler(s, a, u, h):
        v, lam = u.vector("v", a.v), u.multiplier("lambda", a.lam)
        q = a.q + h * v
        return dal.Step(zero=s.mass(q) @ (v - a.v) + h * s.potential_gradient(a.q) - h * s.constraint_force(a.q, lam),
                        constraint=s.constraint(q, v), after=(q, v, lam))

    with pytest.warns(dal.Caution, match='method "euler" does not reach its promised order'):
        found = dal.order("particle-free", euler, runs=5)
    assert not found.holds and abs(found.order[0, 0] - 1) < 0.1


def test_pictures_and_frames_of_orders():
    found = dal.order("knife-edge", "dla", runs=4)
    pytest.importorskip("pandas")
    pytest.importorskip("xarray")
    assert len(found.to_dataframe()) == 3 * 4
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    assert found.plot("v").get_xscale() == "log"
    with pytest.raises(dal.RequestError, match='quantity is "w"; it is one of q, v, lambda'):
        found.plot("w")


def test_the_modified_field_is_that_of_the_command_line():
    found = dal.modified("pendulum-cvt", "dla01", start="rotating", parameters={"epsilon": 0.5}, points=3)
    entry, = said("modified", "pendulum-cvt", "--method", "dla01", "--start", "rotating", "--set", "epsilon=0.5", "--points", "3")["modified"]
    assert found.ok and found.integral == [drift["integral"] for drift in entry["drifts"]] and found.t.tolist() == [0, 5, 10]
    np.testing.assert_array_equal(found.modified, [point["modified"] for point in entry["points"]])
    np.testing.assert_array_equal(found.coefficient[:, 0], [point["coefficients"][0]["value"] for point in entry["points"]])
    np.testing.assert_array_equal(found.drift, [drift["rate"] for drift in entry["drifts"]])
    assert found.power.tolist() == [2, 4] and "axis" in repr(found)
    # f_2 of the driver at xi = 0 is -eta W''/12 with W'' = 1, eta^2 = 8.
    assert found.coefficient[0, 0, found.state.index("xi")] == pytest.approx(-np.sqrt(8) / 12, abs=1e-8)
    with pytest.raises(TypeError, match='no argument "widths"'):
        dal.modified("pendulum-cvt", "dla01", start="rotating", widths=3)
