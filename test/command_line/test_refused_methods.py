"""One method of several that cannot be used: a row of its own, the others run, and the exit code says that the request was wrong in part."""

import json

import h5py
import pytest

pytestmark = pytest.mark.proof

STEPS = ("--step", "0.1", "--until", "1")
MISFIT = ("--method", "energy-collocation")  # needs coordinates, and the top is on SO(3)
FITTING = ("--method", "gauss", "--method", "lobatto")
SENTENCE = 'method "energy-collocation" cannot be used on system "heavy-top"'
STOP = """
name = "stop"
coordinates = ["x"]
[lagrangian]
kinetic = "x_dot^2/2"
potential = "x^2/2 + 5*min(x - 2, 0)^2"
[initial.start]
q = [0.3]
v = [0]
"""


def test_the_other_methods_of_a_run_run(program):
    result = program.run("run", "heavy-top", *MISFIT, *FITTING, *STEPS, "--json", "result.json")
    assert result.returncode == 2
    assert [line.split()[-1] for line in result.stdout.splitlines()[1:]] == ["ok", "ok", "refused"]
    assert result.stderr.count(SENTENCE) == 1 and len(result.stderr.splitlines()) == 1
    gauss, lobatto, refused = json.loads((program.directory / "result.json").read_text())["runs"]
    assert gauss["status"] == lobatto["status"] == "ok"
    assert refused["status"] == "failed" and SENTENCE in refused["message"]
    assert refused["label"] == "energy-collocation" and refused["final"] is None
    # What fits has the numbers that it has alone.
    alone, = program.json("run", "heavy-top", "--method", "gauss", *STEPS)["runs"]
    assert gauss["final"] == alone["final"]


def test_a_result_holds_what_ran_and_can_be_resumed(program):
    assert program.run("run", "heavy-top", *MISFIT, *FITTING, *STEPS, "--out", "result.h5").returncode == 2
    program.good("resume", "result.h5", "--until", "2")
    program.good("plot", "result.h5", "--plot", "result.svg")
    program.good("run", "heavy-top", *FITTING, "--step", "0.1", "--until", "2", "--out", "whole.h5")
    with h5py.File(program.directory / "result.h5") as resumed, h5py.File(program.directory / "whole.h5") as whole:
        assert list(resumed["runs"]) == list(whole["runs"])
        for run in whole["runs"]:
            assert (resumed["runs"][run]["q"][-1] == whole["runs"][run]["q"][-1]).all()


def test_the_other_methods_of_orders_are_measured(program):
    result = program.run("order", "heavy-top", *MISFIT, "--method", "gauss", *STEPS, "--json", "-")
    assert result.returncode == 2 and result.stderr.count(SENTENCE) == 1
    gauss, refused = json.loads(result.stdout)["orders"]
    assert gauss["q"]["verdict"] == "holds"
    assert refused["status"] == "failed" and not refused["holds"] and SENTENCE in refused["message"]


def test_a_method_that_asks_for_too_much_is_one_of_them(program):
    words = ("run", "unicycle-spring", *STEPS, "--method", "gauss", "--most-nodes", "10000")
    result = program.run(*words, "--method", "chart(base=energy-collocation)")
    assert result.returncode == 2, result.stderr
    assert "asks for too much" in result.stderr and result.stdout.splitlines()[-1].endswith("refused")


def test_one_that_is_refused_alone_prints_no_table(program):
    for words in (("run", "heavy-top", *MISFIT, *STEPS), ("order", "heavy-top", *MISFIT, *STEPS)):
        result = program.run(*words)
        assert result.returncode == 2 and result.stdout == "" and result.stderr.count(SENTENCE) == 1


def test_an_audit_leaves_out_what_is_refused_on_one_problem(program):
    """Discrete gradients refuse pieces of the energy when their step is made: that ended audits of several problems."""
    program.write("stop.toml", STOP)
    method, = program.json("audit", "gonzalez-full", "--problem", "./stop.toml", "--problem", "henon-heiles:chaotic")["methods"]
    stop, other = method["problems"]
    assert "without discrete gradients" in stop["misfit"] and stop["findings"] == []
    assert other["misfit"] is None and method["holds"]
    assert "without discrete gradients" in program.refuses(2, "audit", "gonzalez-full", "--problem", "./stop.toml")
