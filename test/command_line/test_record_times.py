"""Records at times of their own do not change the motion, and are as accurate as the method."""

import csv

import h5py
import numpy as np
import pytest

from conftest import PENDULUM

pytestmark = pytest.mark.proof

RUN = ("run", "pendulum-cvt", "--start", "rotating", "--until")


def rows_of(program, *words):
    program.good(*words, "--csv", "rows")
    with open(sorted((program.directory / "rows").glob("*.csv"))[0]) as file:
        return list(csv.DictReader(file))


def numbers(rows, name):
    return np.array([float(row[name]) for row in rows])


def records(program, *words):
    program.good(*words, "--out", "r.h5", "--force")
    with h5py.File(program.directory / "r.h5") as file:
        run = file["runs/0001"]
        return {name: run[name][:] for name in ("t", "q", "v", "lambda", "energy")}


def test_records_stand_at_multiples_of_a_time_and_at_the_end(program):
    rows = rows_of(program, *RUN, "1.05", "--method", "dla", "--step", "0.1", "--every", "0.03")
    assert np.allclose(numbers(rows, "t"), list(np.arange(36) * 0.03), rtol=0, atol=1e-12)
    rows = rows_of(program, *RUN, "1", "--method", "dla", "--step", "0.1", "--every", "0.03", "--force")
    assert np.allclose(numbers(rows, "t"), [*(np.arange(34) * 0.03), 1.0], rtol=0, atol=1e-12)


def test_records_stand_at_a_list_of_times(program):
    rows = rows_of(program, *RUN, "2", "--method", "dla", "--step", "0.1", "--at", '0.05,0.5,"pi/2"')
    assert np.allclose(numbers(rows, "t"), [0, 0.05, 0.5, np.pi / 2, 2], rtol=0, atol=1e-12)


@pytest.mark.parametrize("method", ["lobatto", "leapfrog", "dla", "reduced-gradient", "gauss"])
def test_the_motion_at_the_nodes_is_the_same_to_the_last_bit(program, method):
    words = (*RUN, "3", "--method", method, "--step", "0.1")
    plain, given = records(program, *words), records(program, *words, "--every", "0.025")
    at_nodes = [int(np.argmin(abs(given["t"] - t))) for t in plain["t"]]
    for name in plain:
        assert np.array_equal(plain[name], given[name][at_nodes]), name


@pytest.mark.parametrize("method, order", [("dla", 2), ("leapfrog", 2), ("lobatto", 4), ("gauss", 4)])
def test_records_between_nodes_have_the_order_of_the_method(program, method, order):
    """Against a step of a hundredth; halving the step divides errors by 2^order, here within a third, as in the order of a fit."""
    def error(step):
        words = (*RUN, "2", "--method", method, "--at", "0.33,0.77,1.21,1.83", "--step")
        found, exact = records(program, *words, step), records(program, *words, "0.002")
        return np.max(abs(found["q"] - exact["q"])) + np.max(abs(found["v"] - exact["v"]))
    assert abs(np.log2(error("0.2") / error("0.1")) - order) < 0.42


def test_records_between_nodes_keep_the_constraint(program):
    rows = rows_of(program, *RUN, "5", "--method", "lobatto", "--step", "0.1", "--every", "0.007")
    assert len(rows) > 700
    assert np.max(numbers(rows, "constraint")) < 1e-14  # two terms of size one


def test_a_method_with_data_of_its_steps_is_interpolated(program):
    pendulum = program.write("pendulum.toml", PENDULUM)
    words = ("run", f"./{pendulum}", "--method", "shake", "--until", "2")

    def error(step):
        found = records(program, *words, "--step", step, "--every", "0.13")
        exact = records(program, *words, "--step", "0.001", "--every", "0.13")
        return np.max(abs(found["q"] - exact["q"])) + np.max(abs(found["v"] - exact["v"]))
    assert abs(np.log2(error("0.1") / error("0.05")) - 2) < 0.42  # of the method, whose order the cubic exceeds


def test_a_resumed_run_records_the_same_times_with_the_same_bits(program):
    for method in ("lobatto", "leapfrog"):
        words = (*RUN[:-1], "--method", method, "--step", "0.1", "--every", "0.07", "--until")
        whole = records(program, *words, "3")
        program.good(*words, "1.23", "--out", "part.h5", "--force")
        program.good("resume", "part.h5", "--until", "2.2")
        program.good("resume", "part.h5", "--until", "3")
        with h5py.File(program.directory / "part.h5") as file:
            for name in whole:
                assert np.array_equal(file["runs/0001"][name][:], whole[name]), (method, name)


def test_wrong_times_are_refused(program):
    words = (*RUN, "2", "--method", "dla", "--step", "0.1")
    assert "increasing times" in program.refuses(2, *words, "--at", "1,0.5")
    assert "before the start" in program.refuses(2, *words, "--at=-1")
    assert "give a positive number" in program.refuses(2, *words, "--every", "0")
    assert "one of them says when to record" in program.refuses(2, *words, "--every", "0.1", "--set", "run.record_every=5")


def test_a_chosen_step_stays_where_a_run_goes_on_to_another_end(program):
    words = ("run", "rolling-coin", "--method", "lobatto", "--tolerance", "1e-6", "--until")
    program.good(*words, "5", "--out", "r.h5")
    program.good("resume", "r.h5", "--until", "50")
    program.good("resume", "r.h5", "--until", "80")


@pytest.mark.parametrize("method", ["lobatto", "gauss", "dla"])
def test_records_on_the_way_to_an_end_between_two_steps_are_kept(program, method):
    """A step that is long beside the records: several lie behind the last node, and the run goes on from that node."""
    words = ("run", "rolling-coin", "--method", method, "--step", "0.17", "--every", "0.02", "--until")
    program.good(*words, "2", "--out", "r.h5")
    program.good("export", "r.h5", "--json", "r.json")
    with h5py.File(program.directory / "r.h5") as file:
        assert len(file["runs/0001/t"]) == 101
    program.good("resume", "r.h5", "--until", "3.01")
    program.good(*words, "3.01", "--out", "whole.h5")
    with h5py.File(program.directory / "r.h5") as parts, h5py.File(program.directory / "whole.h5") as whole:
        for name in ("t", "q", "v"):
            assert np.array_equal(parts[f"runs/0001/{name}"], whole[f"runs/0001/{name}"])


@pytest.mark.parametrize("end", [["--until", "1"], ["--steps", "10"]])
def test_times_after_the_end_are_told(program, end):
    late = program.good("run", "knife-edge", "--method", "dla", "--step", "0.1", *end, "--at", "0.5,2")
    assert "warning: the run ends at t = 1, and nothing is recorded at t = 2" in late.stderr
    assert "warning" not in program.good("run", "knife-edge", "--method", "dla", "--step", "0.1", *end, "--at", "0.5,1").stderr
