"""What analyses have in common: files, tables of studies, options that are keys of a page."""

import csv
import json
import signal
import subprocess
import time

import numpy as np
import pytest
from conftest import PROGRAM

COMMANDS = {
    "compare": ("knife-edge", "--until", "10", "--method", "dla,gauss", "--levels", "2"),
    "order": ("knife-edge", "--method", "dla,gauss", "--runs", "4"),
    "modified": ("knife-edge", "--method", "dla01", "--points", "2", "--window", "20"),
    "linearise": ("bicycle", "--set", "speed=[4, 5]"),
    "control": ("parking", "--step", "0.2", "--trials", "2"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_analysis_writes_every_file_and_over_its_own(program, command):
    words = (command, *COMMANDS[command], "--json", "a.json", "--csv", "a.csv", "--plot", "a.svg", "--out", "a.h5")
    text = program.good(*words).stdout
    assert text and program.good(*words[:1], *words[1:]).stdout
    assert json.loads((program.directory / "a.json").read_text())["dalembert"]
    assert list(csv.DictReader((program.directory / "a.csv").open()))
    assert "<svg" in (program.directory / "a.svg").read_text()
    assert f"holds the tables of dalembert {command}" in program.run("resume", "a.h5").stderr


def test_arrays_in_files_are_the_numbers_of_json(program):
    h5py = pytest.importorskip("h5py")
    json_of = {}
    for command, words in COMMANDS.items():
        json_of[command] = program.json(command, *words, "--out", f"{command}.h5", "--quiet")

    def table(command, group):
        return {name: np.asarray(data) for name, data in h5py.File(program.directory / f"{command}.h5")[group].items() if isinstance(data, h5py.Dataset)}

    roots = table("linearise", "linearise")
    for i, motion in enumerate(json_of["linearise"]["motions"]):
        assert roots["speed"][i] == motion["value"]
        np.testing.assert_array_equal(roots["real"][i], [mode["real"] for mode in motion["modes"]])
        np.testing.assert_array_equal(roots["matrix"][i], motion["matrix"])
        np.testing.assert_array_equal(roots["shape_imaginary"][i], [[part[1] for part in mode["shape"]] for mode in motion["modes"]])
        np.testing.assert_array_equal(roots["motion"][i], motion["q"] + motion["v"])
    assert [entry["value"] for entry in json_of["linearise"]["changes"]] == list(roots["change_value"])
    orders = table("order", "order")
    for i, row in enumerate(json_of["order"]["orders"]):
        np.testing.assert_array_equal(orders["error"][i], [row[name]["errors"] for name in ("q", "v", "lambda")])
        assert list(orders["order"][i]) == [row[name]["slope"] for name in ("q", "v", "lambda")] and list(orders["step"][i]) == row["steps"]
    entry, = json_of["modified"]["modified"]
    field = table("modified", "runs/0001")
    np.testing.assert_array_equal(field["modified"], [point["modified"] for point in entry["points"]])
    np.testing.assert_array_equal(field["coefficient"], [[one["value"] for one in point["coefficients"]] for point in entry["points"]])
    assert list(field["drift"]) == [drift["rate"] for drift in entry["drifts"]]
    run, = json_of["control"]["runs"]
    found = table("control", "runs/0001")
    np.testing.assert_array_equal(found["control"], run["controls"])
    np.testing.assert_array_equal(found["state"], np.hstack([run["q"], run["v"]]))
    np.testing.assert_array_equal(found["costate"], run["costate"])
    errors = table("compare", "compare")["solution_error"]
    for i, method in enumerate(json_of["compare"]["methods"]):
        np.testing.assert_array_equal(errors[i, :len(method["runs"])], [one["solution_error"] for one in method["runs"]])


def test_orders_have_a_line_for_each_step(program):
    rows = program.json("order", *COMMANDS["order"], "--csv", "o.csv", "--quiet")["orders"]
    lines = list(csv.DictReader((program.directory / "o.csv").open()))
    assert len(lines) == 2 * 3 * 4 and lines[0]["method"] == "dla" and lines[0]["run"] == "knife-edge, horizontal"
    assert [float(line["error"]) for line in lines[:4]] == rows[0]["q"]["errors"] and lines[0]["verdict"] == "holds"


STUDY = """
problem = "{problem}"
[initial]
name = "{start}"
[run]
step = 0.01
until = 2
[[method]]
name = "gauss"
[{table}]
{keys}
"""


@pytest.mark.parametrize("command, problem, start, keys, look", [
    ("modified", "knife-edge", "horizontal", "points = 3\nterms = 1", lambda found: len(found["modified"][0]["points"]) == 3),
    ("linearise", "bicycle", "weaving", 'keep = ["x_dot"]', lambda found: found["start"] == "weaving" and found["motions"][0]["distance"] > 0.01),
    ("linearise", "bicycle", "weaving", 'at = "straight"', lambda found: found["start"] == "straight"),
    ("order", "knife-edge", "horizontal", "runs = 4", lambda found: len(found["orders"][0]["steps"]) == 4),
    ("compare", "knife-edge", "horizontal", "levels = 2\nall = true\nlongest = 0.1", lambda found: len(found["methods"]) > 5),
    ("compare", "knife-edge", "horizontal", "levels = 2\nown_steps = true", lambda found: found["methods"][0]["runs"][0]["step"] > 0.02),
])
def test_studies_say_what_is_asked(program, command, problem, start, keys, look):
    program.write("s.toml", STUDY.format(problem=problem, start=start, table=command, keys=keys))
    assert look(program.json(command, "s.toml"))
    assert command not in program.good("run", "s.toml").stderr
    program.write("wrong.toml", STUDY.format(problem=problem, start=start, table=command, keys="nonsense = 1"))
    assert f'"{command}.nonsense"' in program.refuses(2, command, "wrong.toml")


def test_options_are_the_keys_with_hyphens(program):
    entry, = program.json("modified", "knife-edge", "--method", "dla01", "--points", "1", "--half-width", "5", "--window", "20")["modified"]
    assert entry["points"][0]["half_width"] <= 5
    assert "--half-width is 1; it must be in [2, 100]" in program.refuses(2, "modified", "knife-edge", "--method", "dla01", "--half-width", "1")
    assert program.good("completion", "words", "--", "compare", "--against").stdout.split() == ["time", "evaluations", "step"]


def test_verbose_says_what_was_compiled_and_measured(program):
    said = program.good("order", *COMMANDS["order"], "--verbose").stderr
    assert "system knife-edge" in said and "method gauss: a step of" in said and "is known to" in said and "orders measured in" in said
    assert "2 methods measured in" in program.good("compare", *COMMANDS["compare"], "--verbose").stderr


def test_an_interrupted_modified_field_keeps_its_points(program):
    """The first Ctrl-C ends it between two points; what was measured is written, and the exit code says so."""
    words = ["modified", "chaotic", "--method", "lobatto(stages=4)", "--points", "1000", "--terms", "4", "--half-width", "100", "--json", "m.json"]
    process = subprocess.Popen([PROGRAM, *words], cwd=program.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    complaint = process.communicate(timeout=60)[1]
    assert process.returncode == 130 and "interrupted; runs that were analysed up to there are shown" in complaint
    entry, = json.loads((program.directory / "m.json").read_text())["modified"]
    assert entry["status"] == "interrupted" and 0 < len(entry["points"]) < 1000 and entry["drifts"] == []


def test_sizes_outside_their_range_are_named_as_they_were_typed(program):
    assert "--set n=100000: " in program.refuses(2, "linearise", "wheeled-chain", "--set", "n=100000")
