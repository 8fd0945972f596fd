"""Many starts: the statistics of the command line, as arrays."""

import concurrent.futures
import copy
import functools
import json
import multiprocessing
import os
import pickle
import subprocess

import numpy as np
import pytest

import dalembert as dal

PROGRAM = os.environ.get("DALEMBERT_PROGRAM", "dalembert")
OPTIONS = dict(members=50, seed=1, energy=3.06, step=0.1)


def same(one, other):
    np.testing.assert_array_equal(one.t, other.t)
    for part in ("q", "v", "lam", "t"):
        np.testing.assert_array_equal(getattr(one.final, part), getattr(other.final, part))
    for name, statistics in one.statistics.items():
        for column in ("count", "mean", "variance", "quantiles"):
            np.testing.assert_array_equal(getattr(statistics, column), getattr(other.statistics[name], column))


def test_members_given_as_arrays():
    q = np.array([[0, 0, heading] for heading in np.linspace(0, 3, 20)])
    v = np.stack([np.cos(q[:, 2]), np.sin(q[:, 2]), np.ones(20)], axis=1)
    fan = dal.ensemble("knife-edge", "dla", q=q, v=v, step=0.1, until=3)
    np.testing.assert_array_equal(fan.initial.q, q)
    for member in (0, 7, 19):
        alone = dal.run("knife-edge", "dla", step=0.1, until=3, q=q[member], v=v[member])
        np.testing.assert_array_equal(fan.final.q[member], alone.final.q)
    again = pickle.loads(pickle.dumps(fan)).resume(until=5)
    np.testing.assert_array_equal(again.final.q, dal.ensemble("knife-edge", "dla", q=q, v=v, step=0.1, until=5, threads=2).final.q)
    with pytest.raises(dal.RequestError, match="number of members"):
        dal.ensemble("knife-edge", "dla", q=[0, 0, 0], v=[0, 0, 1], step=0.1, until=3)
    with pytest.raises(dal.RequestError, match="q gives 20 members"):
        dal.ensemble("knife-edge", "dla", members=3, q=q, v=v, step=0.1, until=3)


def test_numbers_are_those_of_the_command_line():
    told = subprocess.run([PROGRAM, "ensemble", "chaotic", "--method", "dla01", "--step", "0.1", "--until", "100", "--members", "50", "--seed", "1",
                           "--energy", "3.06", "--json", "-"], check=True, capture_output=True, text=True)
    [run] = json.loads(told.stdout)["runs"]
    result = dal.ensemble("chaotic", "dla01", until=100, **OPTIONS)
    np.testing.assert_array_equal(result.final.q, run["ensemble"]["final"]["q"])
    np.testing.assert_array_equal(result.initial.v, run["ensemble"]["initial"]["v"])
    for name, columns in run["ensemble"]["statistics"].items():
        np.testing.assert_array_equal(result.statistics[name].variance, columns["variance"])
        np.testing.assert_array_equal(result.statistics[name].mean, columns["mean"])
    assert result.variance.exponent == run["ensemble"]["growth"]["variance"]["exponent"]


def test_arrays_are_over_members_and_say_what_they_claim():
    result = dal.ensemble("chaotic", ["dla01", "leapfrog"], until=20, threads=2, **OPTIONS)
    assert list(result) == ["dla01", "leapfrog"]
    one = result["leapfrog"]
    assert one.ok and one.size == 50 and one.final.q.shape == one.final.v.shape == (50, 5)
    assert np.all(one.alive == 50) and one.statistics["energy_error"].quantiles.shape == (len(one.t), 5)
    # A member alone, from the start that the ensemble drew, ends where it ended there.
    alone = dal.run("chaotic", "leapfrog", step=0.1, until=20, q=one.initial.q[7], v=one.initial.v[7])
    np.testing.assert_array_equal(alone.final.q, one.final.q[7])
    with pytest.raises(dal.RequestError, match="there are 2 ensembles; choose one of: dla01, leapfrog"):
        result.final


@pytest.mark.parametrize("options", [dict(lanes=1), dict(lanes=4), dict(threads=2), dict(native="require")])
def test_neither_lanes_nor_threads_nor_compiled_steps_change_a_bit(options, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    same(dal.ensemble("chaotic", "dla01", until=20, **OPTIONS), dal.ensemble("chaotic", "dla01", until=20, **OPTIONS, **options))


def test_starts_are_drawn_as_the_page_says():
    near = dal.ensemble("pendulum-cvt", "dla", members=400, seed=3, around="rotating", spread=0.1, step=0.1, until=1)
    start = dal.load("pendulum-cvt").starts["rotating"]
    # The mean of 400 normal numbers of deviation 0.1 is within five times 0.1 / 20.
    assert np.all(np.abs(near.initial.q.mean(axis=0) - start.q) < 0.025)
    drawn = dal.ensemble("pendulum-cvt", "dla", members=100, random={"a": {"uniform": [0, "2*pi"]}}, q=["cos(a)", "sin(a)", 0], v=[0, 0, "a"],
                         step=0.1, until=1)
    np.testing.assert_allclose(np.hypot(drawn.initial.q[:, 0], drawn.initial.q[:, 1]), 1, rtol=1e-15)


def test_records_at_given_times():
    result = dal.ensemble("chaotic", "dla01", until=20, at=[0.25, 7, 19.99], **OPTIONS)
    np.testing.assert_array_equal(result.t, [0, 0.25, 7, 19.99, 20])
    same_end = dal.ensemble("chaotic", "dla01", until=20, **OPTIONS)
    np.testing.assert_array_equal(result.final.q, same_end.final.q)


def test_files_bytes_and_going_on(tmp_path):
    whole = dal.ensemble("chaotic", "dla01", until=100, **OPTIONS)
    part = dal.ensemble("chaotic", "dla01", until=40, record_every=1, out=tmp_path / "e.h5", **OPTIONS)
    opened = dal.open_ensemble(tmp_path / "e.h5")
    same(opened, part)
    same(pickle.loads(pickle.dumps(part)), part)
    same(copy.deepcopy(part), part)
    opened.resume(until=100, threads=2)
    same(opened, whole)
    opened.save(tmp_path / "e.h5")
    same(dal.open_ensemble(tmp_path / "e.h5"), whole)
    with pytest.raises(dal.RequestError, match="holds an ensemble; read it with open_ensemble"):
        dal.open(tmp_path / "e.h5")


def test_a_published_study_and_the_wrong_door():
    study = "celledoni-2019/figure-2-ensemble"
    result = dal.ensemble_study(study, settings={"ensemble.size": 10, "run.until": 5})
    assert all(one.size == 10 and one.t[-1] == pytest.approx(5, abs=one.step) for one in result.values())
    with pytest.raises(dal.RequestError, match="ensemble_study"):
        dal.run_study(study)
    with pytest.raises(dal.RequestError, match="run_study"):
        dal.ensemble_study("modin-verdier-2020/figure-6")


def test_members_that_fail_are_told():
    with pytest.warns(dal.Caution, match="failed"):
        result = dal.ensemble("rolling-coin", "gauss", members=8, seed=1, around="wobbling", spread=0.01, step=3, until=60)
    assert result.status == "failed" and result.failures and result.failures[0].step > 0
    assert {failure.member for failure in result.failures} <= set(range(8))


def test_xarray_has_named_dimensions():
    result = dal.ensemble("chaotic", "dla01", until=5, **OPTIONS)
    data = result.to_xarray()
    np.testing.assert_array_equal(data.variance.sel(quantity="energy_error"), result.statistics["energy_error"].variance)
    assert data.sizes["member"] == 50 and list(data.level.values) == list(dal.QUANTILE_LEVELS)


STUDY = {"problem": "chaotic", "sizes": {"n": 3}, "ensemble": {"size": 100, "seed": 1, "energy": 3.06},
         "run": {"step": 0.1, "until": 20.05}, "method": [{"name": "dla01"}]}


def test_parts_of_other_processes_are_the_whole(tmp_path):
    """Also as files, in another order, and with an end between two steps."""
    whole = dal.ensemble_study(STUDY)
    compute = functools.partial(dal.ensemble_part, STUDY, of=3)
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as workers:
        parts = list(workers.map(compute, (3, 1, 2)))
    same(dal.merge(parts), whole)
    assert [one.ensembles[0].size for one in parts] == [36, 32, 32]
    parts[0].save(tmp_path / "third.h5")
    merged = dal.merge([tmp_path / "third.h5", *parts[1:]], out=tmp_path / "all.h5")
    same(dal.open_ensemble(tmp_path / "all.h5"), merged)
    whole.resume(until=30)
    same(merged.resume(until=30), whole)


def test_parts_with_a_method_of_ones_own():
    @dal.method(order=1)
    def one_sided(s, a, u, h):
        v, lam = u.vector("v", a.v), u.multiplier("lambda", a.lam)
        q = a.q + h * a.v
        force = s.constraint_force(q, lam) - s.potential_gradient(q)
        return dal.Step(zero=s.mass(q) @ (v - a.v) - h * force, constraint=s.constraint(q, v), after=(q, v, lam))

    run = functools.partial(dal.ensemble, "chaotic", one_sided, members=40, seed=1, energy=3.06, step=0.1, until=2)
    same(dal.merge(run(part=(number, 2)) for number in (1, 2)), run())


def test_parts_that_do_not_fit_are_named(tmp_path):
    parts = [dal.ensemble_part(STUDY, number, 3) for number in (1, 3)]
    with pytest.raises(dal.RequestError, match="part 2 of 3 is missing"):
        dal.merge(parts)
    with pytest.raises(dal.RequestError, match="result 1 and result 3 are both part 1/3"):
        dal.merge([*parts, parts[0]])
    with pytest.raises(dal.RequestError, match="result 1 is no part"):
        dal.merge([dal.ensemble_study(STUDY), *parts])
    with pytest.raises(dal.RequestError, match="no part to merge"):
        dal.merge([])
    with pytest.raises(dal.RequestError, match="100 members make at most 7 parts"):
        dal.ensemble_part(STUDY, 1, 8)
    with pytest.raises(dal.OutputError, match="nowhere.h5"):
        dal.merge([tmp_path / "nowhere.h5"])
