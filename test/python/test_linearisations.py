"""Steady motions, their roots, and where they are stable."""

import json
import os
import pickle
import subprocess

import numpy as np
import pytest

import dalembert as dal

PROGRAM = os.environ.get("DALEMBERT_PROGRAM", "dalembert")


def test_numbers_are_those_of_the_command_line():
    motion = dal.linearise("bicycle", parameters={"speed": 4.5})
    text = subprocess.run([PROGRAM, "linearise", "bicycle", "--set", "speed=4.5", "--json", "-"], check=True, capture_output=True, text=True).stdout
    entry, = json.loads(text)["motions"]
    assert motion.ok and motion.stable and motion.states == entry["states"] and motion.held == entry["held"]
    np.testing.assert_array_equal(motion.matrix, entry["matrix"])
    np.testing.assert_array_equal(motion.dependence, entry["dependence"])
    np.testing.assert_array_equal(motion.roots, [complex(mode["real"], mode["imaginary"]) for mode in entry["modes"]])
    assert (motion.neutral, motion.family) == (1, 1) and motion.growth == motion.roots[1].real < 0
    # Roots and modes are those of NumPy, to round-off of a matrix of norm 200.
    np.testing.assert_allclose(motion.matrix @ motion.modes, motion.modes * motion.roots, rtol=0, atol=1e-11)
    assert "bicycle, straight: a steady motion" in repr(motion)
    assert repr(pickle.loads(pickle.dumps(motion))) == repr(motion)
    with pytest.raises(ValueError):
        motion.matrix[0, 0] = 1.0


def test_a_parameter_changes_stability():
    along = dal.linearise_along("bicycle", "speed", np.linspace(3, 7, 5))
    assert len(along) == 5 and along.parameter == "speed" and [motion.stability for motion in along.motions][2] == "stable"
    weave, capsize = along.changes
    # The published speeds of weave and capsize.
    assert weave.value == pytest.approx(4.29238253634111, abs=1e-9) and capsize.value == pytest.approx(6.02426201538837, abs=1e-9)
    assert (weave.before, weave.after, capsize.frequency) == ("unstable", "stable", 0) and weave.frequency == pytest.approx(3.4350338, abs=1e-6)
    np.testing.assert_array_equal(np.sign(along.growth), [1, 1, -1, -1, 1])
    assert "4.29238253634: unstable below, stable above" in repr(along)
    assert repr(pickle.loads(pickle.dumps(along))) == repr(along)
    axes = along.plot()
    assert axes.get_xlabel() == "speed" and len(axes.lines) == 5


def test_typed_systems_and_starts():
    @dal.system(coordinates="x y theta", angles="theta", parameters={"a": 1.0})
    def sleigh(q, v, p):
        centre = [v.x - p.a * np.sin(q.theta) * v.theta, v.y + p.a * np.cos(q.theta) * v.theta]
        return dal.Mechanics(kinetic=(np.dot(centre, centre) + 8 * v.theta**2) / 2,
                             constraints=[-np.sin(q.theta) * v.x + np.cos(q.theta) * v.y])

    motion = dal.linearise(sleigh, q=[0, 0, 0], v=[0.9, 0, 0])
    assert motion.states == ["x_dot", "theta_dot"] and motion.stability == "stable"
    np.testing.assert_allclose(motion.roots, [0, -0.1], rtol=0, atol=1e-13)
    # What is steady stays so: the run keeps its speeds.
    run = dal.run(sleigh, "dla", start=motion.start, step=0.1, until=10)
    np.testing.assert_allclose(run.v, np.broadcast_to(motion.v, run.v.shape), rtol=0, atol=1e-12)
    pendulum = dal.linearise("spherical-pendulum", keep="z")
    assert pendulum.q[2] == pytest.approx(-np.cos(0.8), abs=1e-12) and "y" in pendulum.states
    assert dal.linearise("rigid-body", q=[0, 1, 0], v=[]).states == ["pi_1", "pi_2", "pi_3"]


def test_what_cannot_be_linearised():
    with pytest.raises(dal.StepError, match="the start is no steady motion"):
        dal.linearise("bicycle", "stable")
    with pytest.raises(dal.RequestError, match="depends on time"):
        dal.linearise("particle-driven")
    with pytest.raises(dal.RequestError, match="is a start already"):
        dal.linearise("bicycle", "straight", q=np.zeros(8), v=np.zeros(8))
    with pytest.raises(dal.RequestError, match="linearise_along"):
        dal.linearise("bicycle", parameters={"speed": [1, 2]})
    with pytest.raises(dal.RequestError, match="two or more numbers"):
        dal.linearise_along("bicycle", "speed", 5)
    with pytest.raises(dal.RequestError, match="give it once"):
        dal.linearise_along("bicycle", "speed", [4, 5], parameters={"speed": 3})
    with pytest.raises(dal.RequestError, match="sped"):
        dal.linearise_along("bicycle", "sped", [4, 5])
    with pytest.warns(dal.Caution, match="no steady motion was found for 2 of 2 values, first at g = 0.5"):
        along = dal.linearise_along("spherical-pendulum", "g", [0.5, 1], keep=["z", "energy"])
    assert np.isnan(along.growth).all() and along.changes == []
