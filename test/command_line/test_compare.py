"""Methods side by side: what they keep, how accurate they are, what they cost."""

import csv
import json

MOTION = ["compare", "pendulum-cvt", "--start", "rotating", "--until", "60", "--levels", "3"]
TWO = ["--method", "dla,lobatto"]


def test_all_methods_that_fit_get_steps_of_their_own(program):
    found = program.json(*MOTION, "--longest", "0.2")
    listed = [method["label"] for method in found["methods"]]
    assert {"dla", "leapfrog", "energy-collocation", "fehlberg-78", "driver-splitting"} <= set(listed) and len(set(listed)) == len(listed)
    assert not any(label.startswith("lie-") for label in listed)
    assert found["kept"] == ["energy", "driver_energy", "passenger_energy"] and found["reference_error"] < 1e-11
    by_label = {method["label"]: method["runs"] for method in found["methods"]}
    for runs in by_label.values():
        assert all(one["step"] == 2 * two["step"] for one, two in zip(runs, runs[1:]))
        assert not runs or runs[0]["solution_error"] <= 0.1
    # What methods of second and of fourth order do when the step is halved twice.
    dla, lobatto = by_label["dla"], by_label["lobatto"]
    assert 8 < dla[0]["solution_error"] / dla[2]["solution_error"] < 32
    assert lobatto[0]["solution_error"] / lobatto[2]["solution_error"] > 60
    assert by_label["driver-splitting"][0]["kept"]["passenger_energy"]["error"] < 1e-12 < lobatto[0]["kept"]["passenger_energy"]["error"]
    assert dla[0]["step"] < lobatto[0]["step"]


def test_numbers_are_those_of_runs(program):
    method, = program.json(*MOTION, "--method", "lobatto", "--step", "0.1")["methods"]
    for run in method["runs"]:
        alone, = program.json("run", "pendulum-cvt", "--method", "lobatto", "--start", "rotating", "--until", "60", "--step", run["step"])["runs"]
        assert run["kept"]["energy"]["error"] == alone["diagnostics"]["energy_error_max"]
        assert run["kept"]["driver_energy"]["error"] == alone["diagnostics"]["integrals"]["driver_energy"]["max_error"]
        assert run["constraint"] == alone["diagnostics"]["constraint_max"]
        assert run["evaluations"] == alone["work"]["evaluations"]


def test_tables_files_and_pictures(program):
    table = program.good(*MOTION, *TWO, "--error", "1e-2", "--csv", "c.csv", "--json", "c.json", "--plot", "c.svg",
                         "--against", "evaluations").stdout
    lines = table.splitlines()
    assert "largest step with an error of q and v of at most 0.01" in lines[0] and "gauss(stages=6)" in lines[-1]
    rows = list(csv.DictReader((program.directory / "c.csv").open()))
    assert {row["method"] for row in rows} == {"dla", "lobatto"} and all(row["status"] == "ok" for row in rows)
    runs = {(method["label"], run["step"]): run for method in json.loads((program.directory / "c.json").read_text())["methods"]
            for run in method["runs"]}
    assert len(rows) == len(runs)
    for row in rows:
        run = runs[row["method"], float(row["step"])]
        assert float(row["energy_drift_low"]) == run["kept"]["energy"]["drift_low"]
        assert float(row["solution_error"]) == run["solution_error"]
    shown = {line.split()[0]: float(line.split()[1]) for line in lines[2:4]}
    for label, step in shown.items():
        reached = [one for (name, one), run in runs.items() if name == label and run["solution_error"] <= 1e-2]
        assert step == max(reached)
    picture = (program.directory / "c.svg").read_text()
    for words in ("evaluations", "largest error of driver_energy", "drift of energy, at most", "largest constraint", "lobatto"):
        assert words in picture


def test_a_study_gives_its_methods_and_its_steps(program):
    path = program.write("study.toml", """
problem = "chaotic"
[initial]
name = "newmark"
[run]
step = [0.1, 0.05]
until = 20
[[method]]
name = "dla01"
label = "mine"
""")
    method, = program.json("compare", path)["methods"]
    assert method["label"] == "mine" and [run["step"] for run in method["runs"]] == [0.1, 0.05]


def test_methods_that_do_not_fit_or_fail_are_said(program):
    result = program.run(*MOTION, "--method", "dla,shake")
    assert result.returncode == 2 and "shake" in result.stderr and "refused" in result.stdout
    result = program.run("compare", "bicycle", "--start", "stable", "--until", "5", "--method", "lobatto(multiplier=carried),gauss", "--levels", "2", "--longest", "0.05")
    assert result.returncode == 0 and 'method "lobatto(multiplier=carried)": no step' in result.stderr and "left out" in result.stdout


def test_refusals(program):
    for words, sentence in ((["pendulum-cvt"], "add --until"), (["nonsense", "--until", "1"], "no problem"),
                            (["pendulum-cvt", "--until", "1", "--start", "x"], "names no start"),
                            (["pendulum-cvt", "--until", "10", "--method", "dla", "--set", "parameters.epsilon=[0,1]"], "several values of epsilon"),
                            (["modin-verdier-2020/figure-6"], "several starts"), (["celledoni-2019/figure-2-ensemble"], "[ensemble]"),
                            (["pendulum-cvt", "--until", "1", "--plot", "x.txt"], ".svg"), (["pendulum-cvt", "--until", "-1"], "until")):
        assert sentence in program.refuses(2, "compare", *words)
