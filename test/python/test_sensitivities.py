"""Derivatives of runs, exponents, periodic orbits."""

import json
import os
import pickle
import subprocess
import warnings

import numpy as np
import pytest

import dalembert as dal

PROGRAM = os.environ.get("DALEMBERT_PROGRAM", "dalembert")


def test_numbers_are_those_of_the_command_line():
    found = dal.sensitivity("pendulum-cvt", "dla(alpha=0.4)", start="rotating", step=0.1, until=10, every=2, by=["start", "epsilon"],
                            of=["x1", "energy"])
    text = subprocess.run([PROGRAM, "sensitivity", "pendulum-cvt", "--method", "dla(alpha=0.4)", "--start", "rotating", "--step", "0.1",
                           "--until", "10", "--every", "2", "--by", "start,epsilon", "--of", "x1,energy", "--json", "-"],
                          check=True, capture_output=True, text=True).stdout
    run, = json.loads(text)["runs"]
    assert found.ok and found.mode == "tangent" and found.by == run["by"] and found.of == ["x1", "energy"] and found.steps == 100
    np.testing.assert_array_equal(found.t, [0, 2, 4, 6, 8, 10])
    np.testing.assert_array_equal(found.derivatives, run["derivatives"])
    np.testing.assert_array_equal(found.values, run["values"])
    np.testing.assert_array_equal(found.derivative("x1", "epsilon"), found.derivatives[:, 0, -1])
    np.testing.assert_array_equal(found.value("energy"), found.values[:, 1])
    np.testing.assert_array_equal(found.jacobian[1], found.derivatives[-1, 1])
    assert found.end[0] == found.values[-1, 0] and not found.values.flags.writeable
    dataset = found.to_xarray()
    assert float(dataset.derivative.sel(t=4, of="x1", by="xi")) == found.derivatives[2, 0, found.by.index("xi")]
    again = pickle.loads(pickle.dumps(found))
    assert repr(again) == repr(found) and "derivatives at t = 10" in repr(found)
    with pytest.raises(dal.UnknownName, match="there is no argument"):
        found.derivative("x1", "m")


def test_typed_systems_and_methods_are_differentiated():
    @dal.system(coordinates="x", parameters={"k": 4.0})
    def spring(q, v, p):
        return dal.Mechanics(kinetic=v.x**2 / 2, potential=p.k * q.x**2 / 2)

    @dal.method(order=2)
    def midpoint(s, a, u, h):
        v = u.vector("v", a.v)
        return dal.Step(zero=v - a.v + h * s.potential_gradient(a.q + 0.25 * h * (a.v + v)), after=(a.q + 0.5 * h * (a.v + v), v))

    found = dal.sensitivity(spring, midpoint, q=[1], v=[0], step=0.1, steps=30)
    # The implicit midpoint rule turns the state by 2 atan(w h / 2) in each step.
    w, h = 2.0, 0.1
    angle, slope = 60 * np.arctan(w * h / 2), 60 * (h / 2) / (1 + (w * h / 2)**2)
    np.testing.assert_allclose(found.derivative("x", "x")[-1], np.cos(angle), rtol=0, atol=1e-13)
    np.testing.assert_allclose(found.derivative("x", "x_dot")[-1], np.sin(angle) / w, rtol=0, atol=1e-13)
    np.testing.assert_allclose(found.derivative("x", "k")[-1], -np.sin(angle) * slope / (2 * w), rtol=0, atol=1e-12)


def test_adjoints_of_many_parameters():
    names = [f"u{i}" for i in range(30)]

    @dal.system(coordinates="x y", parameters={name: 0.1 for name in names})
    def driven(q, v, p, t):
        push = sum((p[name] * np.sin((i + 1) * t) for i, name in enumerate(names)), 0.0)
        return dal.Mechanics(kinetic=(v.x**2 + v.y**2) / 2, potential=np.cos(q.x), force=[push, 0.0], constraints=[v.y - q.x * v.x])

    options = {"q": [0.2, 0], "v": [0, 0], "step": 0.05, "until": 5, "of": ["y"]}
    by_adjoint, by_tangents = dal.sensitivity(driven, "gauss", **options), dal.sensitivity(driven, "gauss", **options, mode="tangent")
    assert by_adjoint.mode == "adjoint" and by_tangents.mode == "tangent"
    np.testing.assert_allclose(by_adjoint.jacobian, by_tangents.jacobian, rtol=1e-11, atol=1e-11)
    # Stages that are found by sweeps have slow adjoints.
    swept = dal.sensitivity(driven, "gauss(stages=9)", **options)
    assert swept.mode == "tangent"
    np.testing.assert_allclose(dal.sensitivity(driven, "gauss(stages=9)", **options, mode="adjoint").jacobian, swept.jacobian,
                               rtol=1e-11, atol=1e-11)


def test_failures_are_kept_and_warned_of():
    with pytest.warns(dal.Caution, match="failed in step"):
        found = dal.sensitivity("chaotic", "gauss(stages=1)", step=30, steps=100, record_every=1, by="x", of="x")
    assert found.status == "failed" and found.t.shape == (found.steps + 1,) and found.derivatives.shape == (found.steps + 1, 1, 1)
    for wrong, words in (({"by": "y"}, "cannot be differentiated"), ({"mode": "both"}, "mode"), ({"of": "x+"}, "in the expression")):
        with pytest.raises(dal.RequestError, match=words):
            dal.sensitivity("chaotic", "dla", step=0.1, until=1, **wrong)


def test_exponents():
    found = dal.lyapunov("chaotic", "dla01", step=0.05, until=1000, exponents=3)
    assert found.ok and len(found.exponents) == 3 and found.dimension == 9 and found.running.shape == (len(found.t), 3)
    assert found.exponents[0].low > 0 and found.sum.value == pytest.approx(found.values.sum()) and float(found.exponents[0]) == found.values[0]
    assert repr(pickle.loads(pickle.dumps(found))) == repr(found)
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    assert len(found.plot().lines) >= 3
    with pytest.raises(dal.RequestError, match="blocks"):
        dal.lyapunov("chaotic", "dla01", step=0.05, until=1000, blocks=2)


def test_a_periodic_orbit_and_its_multipliers():
    # A pendulum: the period of its swing is an elliptic integral, and all its multipliers are one.
    @dal.system(coordinates="phi s", angles="phi")
    def pendulum(q, v):
        return dal.Mechanics(kinetic=(v.phi**2 + v.s**2) / 2, potential=-np.cos(q.phi), constraints=[v.s - np.cos(q.phi) * v.phi])

    free = dal.Start(q=[0.8, 0], v=[0, 0])
    orbit = dal.periodic_orbit(pendulum, "gauss(stages=5)", period=7.0, steps=60, start=free, keep=["phi", "phi_dot"])
    assert orbit.residual < 1e-13 and orbit.start.q[0] == pytest.approx(0.8, abs=1e-12)
    # The Lagrangian on the constraint is (1 + cos^2 phi) phi_dot^2/2 + cos phi.
    from scipy.integrate import quad
    quarter, _ = quad(lambda u: np.sqrt((1 + np.cos(phi := 2 * np.arcsin(np.sin(0.4) * np.sin(u)))**2)) / np.cos(phi / 2), 0, np.pi / 2,
                      epsabs=1e-13)
    assert orbit.period == pytest.approx(4 * quarter, rel=1e-10)
    assert orbit.multipliers.shape == (3,) and orbit.monodromy.shape == (3, 3) and orbit.basis.shape == (4, 3)
    # A double eigenvalue with one eigenvector has the root of round-off.
    assert np.abs(orbit.multipliers - 1).max() < 1e-5
    rolled = dal.periodic_orbit(pendulum, "gauss(stages=5)", period=2.5, steps=60, q=[0.0, 0.0], v=[3.0, 3.0], shifts="s", keep="period")
    assert rolled.period == 2.5 and rolled.residual < 1e-13 and "multipliers=[" in repr(rolled)


def test_orbits_that_are_not_found():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(dal.StepError, match="no periodic orbit was found|failed in step"):
            dal.periodic_orbit("chaotic", "gauss", period=3, steps=20, q=[2, 2, 2, 2, 2], v=[0, 3, 0, 0, 0], keep=["energy", "x", "period"])
    for options, words in (({"period": -1, "steps": 10}, "period"), ({"period": 1, "steps": 10, "shifts": "u"}, "no coordinate"),
                           ({"period": 1, "steps": 0}, "steps"), ({"period": 1, "steps": 10, "v": [1]}, "guess")):
        with pytest.raises(dal.RequestError, match=words):
            dal.periodic_orbit("chaotic", "dla", **options)
    with pytest.raises(dal.RequestError, match="lines and angles"):
        dal.periodic_orbit("rattleback-so3", "lobatto", period=1, steps=10)


def test_volume_of_the_constraint_set():
    kept = dal.volume("pendulum-cvt", "leapfrog", step=0.1, until=100, start="rotating", parameters={"epsilon": 0.5})
    assert kept.verdict == "keeps it in every step" and abs(kept.log_volume).max() < 1e-12
    assert kept.with_multiplier and kept.dimension == 6 and len(kept.t) == len(kept.of_motion) == 1001
    lost = dal.volume("pendulum-cvt", "dla01", step=0.1, until=500, start="rotating", parameters={"epsilon": 0.5}, samples=500)
    assert lost.verdict == "loses it" and lost.difference[0] == pytest.approx(3.5e-4, rel=0.03)
    with pytest.raises(dal.RequestError, match="leaves the constraints"):
        dal.volume("pendulum-cvt", "gauss", step=0.1, until=10)


def test_arguments_come_from_the_pages_of_the_library():
    import inspect
    import typing
    from dalembert import _core, keys
    for function in (dal.sensitivity, dal.lyapunov, dal.volume, dal.compare, dal.order, dal.modified):
        known = _core.page_keys(function.__name__)
        parameters = inspect.signature(function).parameters
        for name, default, admissible, sentence in known:
            assert parameters[name].default == default and f"``{name}``: " in function.__doc__ and admissible in function.__doc__
        # The types that a checker of types sees are those of the pages.
        assert list(typing.get_type_hints(getattr(keys, function.__name__.capitalize() + "Keys"))) == [name for name, *_ in known]
    with pytest.raises(TypeError, match='no argument "block"; its own are blocks, exponents, settle'):
        dal.lyapunov("chaotic", "dla01", step=0.05, until=100, block=3)
    with pytest.raises(dal.RequestError, match=r"samples.*must be in \[12, 1e\+06\]|samples.*must be in"):
        dal.volume("pendulum-cvt", "dla01", step=0.1, until=10, samples=1)


def test_findings_are_tables():
    found = dal.lyapunov("chaotic", "dla01", step=0.05, until=100, exponents=3)
    dataset = found.to_xarray()
    np.testing.assert_array_equal(dataset.running.values, found.running)
    assert dataset.exponents.dims == ("exponent", "bound") and dataset.attrs["status"] == "ok" and dataset.t.attrs["description"] == "time"
    assert len(found.to_dataframe()) == found.running.size
    history = dal.volume("pendulum-cvt", "dla01", step=0.1, until=10, start="rotating")
    assert history.to_xarray().verdict.item() == history.verdict and history.to_xarray().motion_keeps_volume.dtype == bool
    np.testing.assert_array_equal(history.to_dataframe().log_volume, history.log_volume)
    with pytest.warns(dal.Caution, match="failed in step"):
        failed = dal.lyapunov("chaotic", "gauss(stages=1)", step=30, until=3000)
    assert failed.exponents == [] and np.isnan(failed.sum.value) and "failed in step" in repr(failed)


def test_ctrl_c_keeps_what_is_there():
    def stop(stage, done, total):
        if done > 0:
            raise KeyboardInterrupt

    found = dal.sensitivity("chaotic", "dla01", step=1e-3, until=1e4, record_every=1000, of="x", by="x", progress=stop)
    assert found.status == "interrupted" and 0 < found.steps < 10_000_000 and len(found.t) >= 1
    spectrum = dal.lyapunov("chaotic", "dla01", step=1e-3, until=1e4, exponents=1, progress=stop)
    assert spectrum.status == "interrupted" and spectrum.exponents == [] and spectrum.steps > 0
