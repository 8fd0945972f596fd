"""Any key of a study with several values."""

import json

import h5py

STUDY = """
problem = "pendulum-cvt"
[initial]
name = "rotating"
[run]
step = 0.1
steps = 20
[[method]]
name = "lobatto"
[sweep]
method.0.stages = [2, 3]
"parameters.epsilon" = { from = 0, to = 0.5, count = 3 }
"""


def test_runs_of_a_sweep_are_those_of_each_value(program):
    runs = program.json("run", program.write("study.toml", STUDY))["runs"]
    assert [(run["swept"]["stages"], run["swept"]["epsilon"]) for run in runs] == [
        (stages, epsilon) for stages in (2, 3) for epsilon in (0.0, 0.25, 0.5)]
    for run in runs:
        alone = program.json("run", "pendulum-cvt", "--method", f"lobatto(stages={run['swept']['stages']})", "--start", "rotating",
                             "--step", "0.1", "--steps", "20", "--set", f"parameters.epsilon={run['swept']['epsilon']}")
        assert alone["runs"][0]["final"] == run["final"]


def test_sweeps_of_the_command_line(program):
    quick = ["run", "pendulum-cvt", "--method", "gauss", "--start", "rotating", "--steps", "10"]
    runs = program.json(*quick, "--sweep", "method.stages=[1,2]", "--sweep", "run.step=[0.1,pi/20]")["runs"]
    assert [run["method"]["stages"] for run in runs] == [1, 1, 2, 2]
    assert runs[1]["step"] == 3.141592653589793 / 20
    over = program.json("run", program.write("study.toml", STUDY), "--sweep", "method.0.stages=4", "--sweep", "parameters.epsilon=0")
    assert [run["method"]["stages"] for run in over["runs"]] == [4]
    for sweep, words in (("x", "expected key=values"), ("method.stage=[1]", 'no option "stage"'), ("run.at=[[1]]", "recorded alike"),
                         ("parameters.epsilon={from=0}", '"to" is missing')):
        assert words in program.refuses(2, *quick, "--step", "0.1", "--sweep", sweep)


def test_a_swept_result_is_resumed_and_drawn(program):
    path = program.write("study.toml", STUDY)
    program.good("run", path, "--out", "r.h5", "--plot", "p.svg", "--final", "energy_error", "--against", "epsilon", "--log", "y")
    assert "stages = 3" in (program.directory / "p.svg").read_text()
    program.good("resume", "r.h5", "--until", "4", "--json", "r.json")
    program.good("run", path, "--set", "run.steps=40", "--json", "whole.json")
    ends = [[run["final"] for run in json.loads((program.directory / name).read_text())["runs"]] for name in ("r.json", "whole.json")]
    assert ends[0] == ends[1]
    program.good("run", path, "--sweep", "run.steps=[10, 20]", "--out", "ends.h5")
    assert "ends of its runs are swept" in program.refuses(2, "resume", "ends.h5", "--until", "4")


def test_a_picture_against_a_swept_key_has_one_line_for_a_method(program):
    quick = ["run", "pendulum-cvt", "--method", "gauss", "--start", "rotating", "--until", "10", "--quiet"]
    against = ["--final", "energy_error", "--log", "y", "--plot", "p.svg", "--force", "--against"]
    program.good(*quick, "--step", "0.05", "--sweep", "method.stages=[2,3,4]", *against, "stages")
    legend = (program.directory / "p.svg").read_text()
    assert "gauss, rotating" in legend and "stages=" not in legend and "gauss(" not in legend
    program.good(*quick, "--sweep", "run.step=[0.1,0.05]", *against, "step")
    legend = (program.directory / "p.svg").read_text()
    assert "gauss, rotating" in legend and "step = " not in legend


def test_parameters_may_be_called_as_other_directions(program):
    program.write("named.toml", """
[system]
coordinates = ["x"]
parameters = { step = 1.0, method = 1.0, start = 2.0, runs = 1.0 }
lagrangian = { kinetic = "x_dot^2/2", potential = "step*x^2/2" }
[parameters]
step = [0.5, 1]
method = [1, 2]
start = [1, 2]
runs = [1, 2]
[initial]
q = [1]
v = [0]
[run]
step = [0.1, 0.2]
steps = 2
[[method]]
name = "dla01"
""")
    program.good("run", "named.toml", "--out", "r.h5")
    program.good("run", "named.toml", "--out", "s.h5", "--sweep", "parameters.step=[1,2]", "--sweep", "parameters.runs=[1,2]")
    with h5py.File(program.directory / "r.h5") as file:
        assert [file["energy_error"].dims[i][0].name for i in range(6)] == ["/step_", "/method_", "/start_", "/runs_", "/method", "/step"]
        assert file["energy_error"].shape == (2, 2, 2, 2, 1, 2) and len(file["runs"]) == 32


def test_a_swept_ensemble_in_parts(program):
    program.write("study.toml", """
problem = "chaotic"
[ensemble]
size = 2050
seed = 1
energy = 3.06
[run]
step = 0.1
steps = 2
[[method]]
name = "dla01"
[sweep]
ensemble.energy = [2.5, 3.06]
""")
    program.good("ensemble", "study.toml", "--out", "whole.h5", "--json", "whole.json")
    for part in (1, 2):
        program.good("ensemble", "study.toml", "--part", f"{part}/2", "--out", f"part-{part}.h5")
    program.good("merge", "part-1.h5", "part-2.h5", "--out", "all.h5", "--json", "all.json")

    def statistics(name):
        return [run["ensemble"]["statistics"] for run in json.loads((program.directory / name).read_text())["runs"]]

    assert len(statistics("whole.json")) == 2 and statistics("whole.json") == statistics("all.json")
    assert statistics("whole.json")[0] != statistics("whole.json")[1]
