"""Runs for every choice of several values, and the same table in files."""

import json
import os
import subprocess

import numpy as np
import pytest
import xarray as xr

import dalembert as dal

PROGRAM = os.environ.get("DALEMBERT_PROGRAM", "dalembert")


def test_a_product_of_methods_steps_and_parameters(tmp_path):
    epsilons = np.linspace(0, 1, 3)
    ds = dal.sweep("pendulum-cvt", method=["dla", "leapfrog"], step=[0.1, 0.05], parameters={"epsilon": epsilons}, until=20)
    assert dict(ds.sizes) == {"epsilon": 3, "method": 2, "step": 2, "position": 3, "velocity": 3, "multiplier": 1}
    np.testing.assert_array_equal(ds.epsilon, epsilons)
    assert list(ds.position.values) == ["x1", "x2", "xi"] and ds.energy_error.dims == ("epsilon", "method", "step")
    assert set(ds.status.values.ravel()) == {"ok"} and set(ds.caution.values.ravel()) == {""}
    for epsilon in epsilons:
        for method in ("dla", "leapfrog"):
            for step in (0.1, 0.05):
                subprocess.run([PROGRAM, "run", "pendulum-cvt", "--method", method, "--step", str(step), "--until", "20",
                                "--set", f"parameters.epsilon={epsilon}", "--json", tmp_path / "r.json"], check=True, capture_output=True)
                expected = json.loads((tmp_path / "r.json").read_text())["runs"][0]
                found = ds.sel({"epsilon": epsilon, "method": method, "step": step})
                assert found.energy_error == expected["diagnostics"]["energy_error_max"]
                assert found.driver_energy_error == expected["diagnostics"]["integrals"]["driver_energy"]["max_error"]
                assert found.constraint_error == expected["diagnostics"]["constraint_max"]
                assert found.t == expected["final"]["t"] and found.steps == expected["steps"]
                np.testing.assert_array_equal(found.q, expected["final"]["q"])
                np.testing.assert_array_equal(found.v, expected["final"]["v"])
                np.testing.assert_array_equal(found.lam, expected["final"]["lambda"])


def test_lists_are_dimensions_and_values_are_not():
    ds = dal.sweep("pendulum-cvt", "gauss", step=[0.1], until=2, q=[1, 1, 0], v=[0, 0, 2],
                   over={"method.0.stages": [2, 3], "initial.v.2": {"from": 1, "to": 2, "count": 3}})
    assert ds.energy_error.sizes == {"stages": 2, "v_2": 3, "step": 1} and ds.method == "gauss"
    alone = dal.run("pendulum-cvt", "gauss(stages=3)", step=0.1, until=2, q=[1, 1, 0], v=[0, 0, 1.5])
    np.testing.assert_array_equal(ds.sel(stages=3, v_2=1.5).isel(step=0).q, alone.final.q)
    swept_steps = dal.sweep("pendulum-cvt", ["gauss"], until=1, over={"run.step": ["0.1", "pi/40"]})
    assert swept_steps.energy_error.sizes == {"step": 2, "method": 1} and swept_steps.step[1] == np.pi / 40
    chosen = dal.sweep("pendulum-cvt", ["dla", "lobatto"], tolerance=1e-3, until=5)
    assert chosen.step.dims == ("method",) and chosen.step.sel({"method": "dla"}) < chosen.step.sel({"method": "lobatto"})


def test_xarray_opens_the_file_of_the_command_line_without_arguments(tmp_path):
    path = tmp_path / "r.h5"
    subprocess.run([PROGRAM, "run", "rolling-coin", "--method", "lobatto", "--method", "gauss", "--method", "shake", "--until", "5", "--step",
                    "0.1", "--sweep", "method.0.stages=[2,3]", "--out", path], capture_output=True)
    summary = dal.open(path).summary()
    assert [one.swept["stages"] for one in dal.open(path).solutions] == [2, 2, 3, 3]
    with xr.open_dataset(path) as ds:
        assert list(ds.coords["method"].values) == ["lobatto", "gauss", "shake"] and dict(ds.sizes)["stages"] == 2
        assert set(ds.coords) >= {"stages", "method", "start", "step", "position"}
        assert (ds.status.sel({"method": "shake"}) == "refused").all() and np.isnan(ds.energy_error.sel({"method": "shake"})).all()
        for name in ("energy_error", "constraint_error", "q", "v", "t", "steps"):
            assert ds[name].dims == summary[name].dims
            np.testing.assert_array_equal(ds[name], summary[name])
        assert ds.q.attrs["description"] == "coordinates at the end, angles unwrapped"
    with xr.open_dataset(path, group="runs/0001") as records:
        assert records.q.dims == ("t", "position") and records.energy.dims == ("t",)
        np.testing.assert_array_equal(records.q, dal.open(path).solutions[0].q)
        np.testing.assert_array_equal(records.t, dal.open(path).solutions[0].t)
    subprocess.run([PROGRAM, "resume", path, "--until", "6"], capture_output=True)
    with xr.open_dataset(path) as later:
        assert set(later.t.values.ravel()[~np.isnan(later.t.values.ravel())]) == {6.0}


def test_what_was_saved_has_the_same_table(tmp_path):
    sol = dal.run("pendulum-cvt", "dla", step=[0.1, 0.2], until=1)
    sol.save(tmp_path / "r.h5")
    with xr.open_dataset(tmp_path / "r.h5") as ds:
        np.testing.assert_array_equal(ds.energy_error, sol.summary().energy_error)


def test_refusals_and_warnings(tmp_path):
    with pytest.warns(dal.Caution, match="shake"):
        ds = dal.sweep("pendulum-cvt", ["dla", "shake"], step=0.1, until=1)
    assert list(ds.status.values) == ["ok", "refused"]
    with pytest.warns(dal.Caution, match="1 other runs"):
        ds = dal.sweep("pendulum-cvt", "gauss(stages=1)", step=[0.4, 0.5], until=50, start="rotating")
    assert all("violated" in text for text in ds.caution.values)
    with pytest.raises(dal.RequestError, match="two problems"):
        dal.sweep("pendulum-cvt", "dla", step=0.1, until=1, over={"problem": ["chaotic"]})
    with pytest.raises(dal.RequestError, match="a list is allowed"):
        dal.sweep("pendulum-cvt", "dla", step=0.1, until=1, over={"run.step": 0.1})
    with pytest.raises(dal.RequestError, match="needs a step size"):
        dal.sweep("pendulum-cvt", "dla", until=1, over={"run.until": [1, 2]})


def test_an_interrupted_sweep_keeps_what_is_there():
    def stop(stage, done, total):
        if stage == "running" and done > 0:
            raise KeyboardInterrupt

    with pytest.warns(dal.Caution, match="interrupted"):
        ds = dal.sweep("pendulum-cvt", "dla", step=[0.1, 0.05, 0.01], until=200000, start="rotating", native="off", progress=stop)
    assert "interrupted" in ds.status.values
