"""Results in files, as bytes, and in the forms of other packages."""

import copy
import json
import os
import pickle
import subprocess

import h5py
import numpy as np
import pytest

import dalembert as dal

PROGRAM = os.environ.get("DALEMBERT_PROGRAM", "dalembert")
OPTIONS = dict(step=0.1, start="rotating")
METHODS = ["dla", "leapfrog"]


def same(one, other):
    assert list(one) == list(other)
    for name in one:
        assert one[name].names == other[name].names and one[name].status == other[name].status
        np.testing.assert_array_equal(one[name]._records, other[name]._records)


@pytest.fixture
def result():
    return dal.run("pendulum-cvt", METHODS, until=20, **OPTIONS)


def test_a_saved_result_is_the_same_when_it_is_opened(tmp_path, result):
    result.save(tmp_path / "r.h5")
    same(dal.open(tmp_path / "r.h5"), result)
    with h5py.File(tmp_path / "r.h5") as file:
        np.testing.assert_array_equal(file["runs/0002/q"], result["leapfrog"].q)


def test_a_result_goes_on_to_the_bits_of_a_whole_run(tmp_path, result):
    whole = dal.run("pendulum-cvt", METHODS, until=50, **OPTIONS)
    result.save(tmp_path / "r.h5")
    opened = dal.open(tmp_path / "r.h5")
    assert opened.resume(until=50) is opened
    same(opened, whole)
    same(result.resume(until=50), whole)
    opened.save(tmp_path / "r.h5")
    same(dal.open(tmp_path / "r.h5"), whole)


def test_an_end_between_two_steps_is_none_that_a_run_goes_on_from():
    part = dal.run("pendulum-cvt", "lobatto", until=10.05, **OPTIONS)
    assert part.t[-1] == 10.05 and len(part.t) == 102
    same(part.resume(until=20), dal.run("pendulum-cvt", "lobatto", until=20, **OPTIONS))


def test_the_command_line_reads_resumes_and_exports_it(tmp_path, result):
    result.save(tmp_path / "r.h5")
    subprocess.run([PROGRAM, "resume", tmp_path / "r.h5", "--until", "30", "--json", tmp_path / "r.json"], check=True, capture_output=True)
    runs = json.loads((tmp_path / "r.json").read_text())["runs"]
    result.resume(until=30)
    for run, name in zip(runs, METHODS):
        np.testing.assert_array_equal(run["final"]["q"], result[name].final.q)
    same(dal.open(tmp_path / "r.h5"), result)


def test_a_result_of_the_command_line_is_opened(tmp_path):
    subprocess.run([PROGRAM, "run", "pendulum-cvt", "--method", "dla,leapfrog", "--start", "rotating", "--step", "0.1", "--until", "20", "--out",
                    tmp_path / "r.h5"], check=True, capture_output=True)
    same(dal.open(tmp_path / "r.h5"), dal.run("pendulum-cvt", METHODS, until=20, **OPTIONS))


def test_a_file_is_written_on_the_way(tmp_path):
    result = dal.run("pendulum-cvt", METHODS, until=20, out=tmp_path / "r.h5", **OPTIONS)
    same(dal.open(tmp_path / "r.h5"), result)


def test_files_of_others_and_long_computations_are_kept(tmp_path, result):
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    for write in (lambda **more: result.save(notes, **more), lambda **more: dal.run("pendulum-cvt", "dla", until=1, out=notes, **OPTIONS, **more)):
        with pytest.raises(dal.RequestError, match="no result of dalembert; name another file, or replace it with overwrite=True"):
            write()
        assert notes.read_text() == "mine"
    result.save(notes, overwrite=True)
    long = tmp_path / "long.h5"
    result.save(long)
    with h5py.File(long, "r+") as file:
        file["runs/0001"].attrs["seconds"] = 7200.0
    with pytest.raises(dal.RequestError, match="took 2.0 hours to compute"):
        dal.run("pendulum-cvt", "dla", until=1, out=long, **OPTIONS)
    opened = dal.open(long)
    opened.save(long)  # its own file


def test_results_are_pickled_and_copied(result):
    for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        same(other, result)
    run = pickle.loads(pickle.dumps(result["leapfrog"]))
    np.testing.assert_array_equal(run.q, result["leapfrog"].q)
    same(pickle.loads(pickle.dumps(result)).resume(until=30), dal.run("pendulum-cvt", METHODS, until=30, **OPTIONS))
    problem = pickle.loads(pickle.dumps(dal.load("snakeboard", parameters={"m": 7})))
    assert problem.name == "snakeboard" and problem.parameters["m"].value == 7


def test_csv_and_json_are_those_of_the_command_line(tmp_path, result):
    result.to_csv(tmp_path / "here")
    subprocess.run([PROGRAM, "run", "pendulum-cvt", "--method", "dla,leapfrog", "--start", "rotating", "--step", "0.1", "--until", "20", "--csv",
                    tmp_path / "there"], check=True, capture_output=True)
    names = sorted(path.name for path in (tmp_path / "here").iterdir())
    assert names == sorted(path.name for path in (tmp_path / "there").iterdir()) and len(names) == 2
    for name in names:
        assert (tmp_path / "here" / name).read_text() == (tmp_path / "there" / name).read_text()
    result.to_csv(tmp_path / "here")  # its own files
    (tmp_path / "here" / names[0]).write_text("mine")
    with pytest.raises(dal.RequestError, match="was not made by dalembert"):
        result.to_csv(tmp_path / "here")
    assert [run["method"]["name"] for run in json.loads(result.to_json())["runs"]] == METHODS


def test_xarray_and_pandas_have_named_dimensions(result):
    one = result["dla"].to_xarray()
    assert dict(one.sizes) == {"time": 201, "position": 3, "velocity": 3, "multiplier": 1}
    np.testing.assert_array_equal(one.q.sel(position="xi"), result["dla"].q[:, 2])
    both = result.to_xarray()
    assert list(both.run.values) == METHODS and both.energy.dims == ("run", "time")
    np.testing.assert_array_equal(both.driver_energy.sel(run="leapfrog"), result["leapfrog"].integrals["driver_energy"])
    frame = result["dla"].to_dataframe()
    assert frame.index.name == "t" and list(frame.columns) == result["dla"].names[1:]


def test_what_is_no_result_is_refused(tmp_path, result):
    (tmp_path / "text.h5").write_text("no")
    for path in (tmp_path / "text.h5", tmp_path / "missing.h5", tmp_path):
        with pytest.raises(dal.OutputError):
            dal.open(path)
    result.save(tmp_path / "r.h5")
    with pytest.raises(dal.RequestError, match="holds no ensemble; read it with open"):
        dal.open_ensemble(tmp_path / "r.h5")
    with pytest.raises(dal.RequestError, match="which the result has reached"):
        result.resume(until=5)
    with pytest.raises(OSError):
        result.save(tmp_path / "missing" / "r.h5")
