"""Optimal control from Python."""

import pickle

import numpy as np
import pytest

import dalembert as dal

COST = 4.3852563988940  # parking in 20 steps of dla01, from shooting


@dal.system(coordinates="x y theta", angles="theta", parameters={"push": 0.0, "torque": 0.0})
def unicycle(q, v, p):
    return dal.Mechanics(kinetic=v @ v / 2, potential=0, constraints=[-np.sin(q.theta) * v.x + np.cos(q.theta) * v.y],
                         force=[p.push * np.cos(q.theta), p.push * np.sin(q.theta), p.torque])


PARKING = {"by": ["push", "torque"], "cost": "(push^2 + torque^2)/2", "end": dal.Start([0, 1, 0], [0, 0, 0]), "q": [0, 0, 0],
           "v": [0, 0, 0], "step": 0.2, "until": 4}


def test_a_typed_system_is_parked():
    best = dal.control(unicycle, "dla01", **PARKING)
    assert best.ok and best.extremum == "minimum" and best.cost == pytest.approx(COST, abs=1e-12)
    assert best.q.shape == best.v.shape == (21, 3) and best.controls.shape == (20, 2) and best.costate.shape == (21, 6)
    assert best["push"].shape == (20,) and best["theta"][10] == pytest.approx(np.sign(best["torque"][0]) * 1.380810764476, abs=1e-11)
    assert best.t[-1] == 4 and "4.385256398894" in repr(best)
    # The cost is what the controls say.
    assert 0.2 * np.sum(best.controls**2) / 2 == pytest.approx(best.cost, abs=1e-13)
    again = pickle.loads(pickle.dumps(best))
    assert again.cost == best.cost and np.array_equal(again.controls, best.controls)
    with pytest.raises(dal.UnknownName, match="speed"):
        best["speed"]


def test_a_search_begins_where_another_ended():
    best = dal.control(unicycle, "dla01", **PARKING)
    # Nearby, with other parameters of the end: the cost changes with the costate of y at the end.
    pushed = dal.control(unicycle, "dla01", **{**PARKING, "end": dal.Start([0, 1.001, 0], [0, 0, 0]), "guess": best})
    assert pushed.searches == 1 and (pushed.cost - best.cost) / 0.001 == pytest.approx(best.costate[-1][1], rel=1e-3)


def test_a_study_has_a_result_for_each_run():
    coarse, fine = dal.control_study("parking", settings={"run.step": [0.2, 0.1], "control.trials": 3})
    assert (coarse.step, fine.step) == (0.2, 0.1) and coarse.cost > fine.cost > 4.36120293215028


def test_pictures_and_datasets():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    best, = dal.control_study("parking", settings={"run.step": 0.2, "control.trials": 2})
    assert len(best.plot().patches) == 2
    pytest.importorskip("xarray")
    data = best.to_xarray()
    assert float(data.state.sel(name="y")[-1]) == pytest.approx(1, abs=1e-12) and data.control.dims == ("start", "by")


def test_failures_warn_and_nonsense_is_refused():
    with pytest.warns(dal.Caution, match="none has ended"):
        none = dal.control(unicycle, "dla01", **{**PARKING, "by": "push"}, trials=1)
    assert not none.ok and none.t.size == 0 and none.controls.shape == (0, 1)
    with pytest.raises(dal.RequestError, match="is no parameter"):
        dal.control(unicycle, "dla01", **{**PARKING, "by": "pull"})
    with pytest.raises(dal.RequestError, match="no table"):
        dal.control_study("first-run")
