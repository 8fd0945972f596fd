"""dalembert audit: tables, JSON, pages, problems of one's own, refusals."""

import csv
import json

import pytest

OWN_PROBLEM = """
name = "bead"
coordinates = ["x", "y", "z"]
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2"
potential = "(x^2 + y^2 + z^2)/2 + x^2*y^2/3"
[constraints]
expressions = ["z_dot - y*x_dot"]
[reversal]
signs = [1, 1, 1]
[initial.first]
q = [0.5, 0.4, 0]
v = [0.3, 0.7, 0.12]
[initial.second]
q = [0.5, 0.4, 0]
v = [0.6, 0.2, 0.24]
"""

OWN_SET = """
title = "Mine"
[[problem]]
problem = "bead.toml"
start = "second"
kind = "typed in"
witness = true
[[long_run]]
problem = "pendulum-cvt"
start = "rotating"
parameters = { epsilon = 0.5 }
until = { quick = 200, full = 400 }
"""


@pytest.fixture
def bead(program):
    return program.write("bead.toml", OWN_PROBLEM)


def audited(program, *arguments):
    return program.json("audit", *arguments)["methods"]


def verdicts(findings):
    return {finding["property"]: finding["verdict"] for finding in findings}


ROTATING = """
[[problem]]
problem = "pendulum-cvt"
start = "rotating"
parameters = { epsilon = 0.5 }
kind = "not reversible where it moves"
"""


@pytest.mark.parametrize("method, words", [
    ("newmark(constraint=bisector)", "every step (formula)"),
    ("newmark-composition", "over turns (formula)"),
    ("velocity-dla", "no, h^2 (measured)"),
    ("reduced-gradient", None),  # its drivers feel the passengers
])
def test_what_becomes_of_the_volume_of_passengers(program, method, words):
    own = program.write("rotating.toml", ROTATING)
    (audit,) = audited(program, method, "--set-file", own)
    (found,) = [x for x in audit["problems"][0]["findings"] if x["property"] == "volume on D"]
    if words is None:
        assert found["verdict"] == "not measured" and found["words"] == "drivers feel the passengers"
        words = ""
    else:
        assert found["words"] == words
    heading, _, row = program.good("audit", method, "--set-file", own, "--markdown").stdout.splitlines()
    column = [cell.strip() for cell in heading.split("|")].index("volume on D")
    assert row.split("|")[column].strip() == words


def test_a_method_keeps_its_promises_on_a_problem_of_ones_own(program, bead):
    (method,) = audited(program, "dla01", "--problem", "./bead.toml")
    assert method["holds"] and method["label"] == "dla01"
    (problem,) = method["problems"]
    assert problem["problem"] == "bead" and problem["start"] == "first" and problem["misfit"] is None
    found = verdicts(problem["findings"])
    for name in ("order of q", "order of v", "local order", "maps D to D", "symmetry", "reversibility"):
        assert found[name] == "kept", (name, found[name])
    assert found["energy"] == "not kept"
    order = next(f for f in problem["findings"] if f["property"] == "order of q")
    assert order["promised"] == 2 and abs(order["measured"] - 2.0) < 0.1 and order["uncertainty"] < 0.1
    defect = next(f for f in problem["findings"] if f["property"] == "symmetry")
    assert defect["promised"] is True and defect["measured"] < 1e-15
    (run,) = method["long_runs"]
    assert run["step"] == 0.1 and run["findings"][0]["quantity"] == "energy"
    assert run["findings"][0]["slope_low"] <= run["findings"][0]["slope"] <= run["findings"][0]["slope_high"]


FALLING = """
name = "falling"
coordinates = ["x", "y", "z"]
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2"
potential = "z"
[constraints]
expressions = ["x_dot - 2*z_dot"]
[initial.near]
q = [0, 0, 0]
v = [2, 1, 1]
[initial.far]
q = [1e6, 0.1, 1e6]
v = [2, 1, 1]
"""


@pytest.mark.parametrize("start", ["near", "far"])
@pytest.mark.parametrize("method", ["leapfrog", "reduced-gradient", "energy-collocation"])
def test_orders_of_exact_steps_are_not_measured(program, method, start):
    program.write("falling.toml", FALLING)
    (audit,) = audited(program, method, "--problem", f"./falling.toml:{start}")
    found = verdicts(audit["problems"][0]["findings"])
    for name in ("order of q", "order of v", "order of lambda", "local order"):
        assert found[name] == "not measured", (name, found[name])
    assert audit["holds"]
    text = program.good("order", "./falling.toml", "--method", method, "--start", start, "--precision", "extended").stdout
    assert "not measured" in text and "BROKEN" not in text


def test_an_energy_is_exact_where_only_its_terms_have_grown(program):
    """The point falls for a time of 3000: energies of 9e5, and round-off of that."""
    program.write("falling.toml", FALLING)
    (audit,) = audited(program, "frame-splitting", "--problem", "./falling.toml:near")
    (energy,) = audit["long_runs"][0]["findings"]
    assert audit["holds"] and not energy["breaks_promise"] and energy["verdict"] == "exact"
    assert energy["largest_error"] > 1e-8
    words = ("run", "./falling.toml", "--start", "near", "--method", "frame-splitting", "--step", "0.1", "--until", "3000")
    assert program.good(*words).stderr == ""
    found = program.json(*words)["runs"][0]["diagnostics"]
    assert found["energy_off"] is None and found["constraint_off"] is None


def test_the_table_names_property_promise_measurement_and_verdict(program, bead):
    text = program.good("audit", "dla(alpha=0.4)", "--problem", "./bead.toml:second").stdout
    assert "property" in text and "promised" in text and "verdict" in text
    line = next(line for line in text.splitlines() if line.startswith("symmetry"))
    assert "no" in line.split() and line.rstrip().endswith("not kept")
    assert "bead, second" in program.good("audit", "dla01", "--problem", "./bead.toml:second", "--details").stdout


def test_options_in_the_name_and_from_set_are_the_same(program, bead):
    one = audited(program, "dla(alpha=2/5)", "--problem", "./bead.toml")
    other = audited(program, "dla", "--set", "alpha=0.4", "--problem", "./bead.toml")
    assert one == other and one[0]["method"] == {"name": "dla", "alpha": 0.4, "retraction": "cayley"}
    nested = audited(program, "compose(base=dla(alpha=0.5), scheme=suzuki-4)", "--problem", "./bead.toml")
    assert nested[0]["promises"]["order"] == 4


def test_a_set_of_problems_from_a_file(program, bead):
    name = program.write("my-audit.toml", OWN_SET)
    result = program.json("audit", "leapfrog", "--set-file", name)
    assert result["audit"] == "Mine"
    (method,) = result["methods"]
    assert method["problems"][0]["witness"] and method["problems"][0]["kind"] == "typed in"
    run = method["long_runs"][0]
    assert run["until"] == 200 and run["parameters"] == {"epsilon": 0.5}
    quantities = {finding["quantity"] for finding in run["findings"]}
    assert {"energy", "driver_energy", "passenger_energy"} <= quantities


def test_threads_change_no_bit(program, bead):
    name = program.write("my-audit.toml", OWN_SET)
    texts = [program.good("audit", "discrete-derivative(gradient=mean-value)", "--set-file", name, "--json", "-",
                          "--threads", n).stdout for n in (1, 3)]
    assert texts[0] == texts[1]


def test_the_page_is_one_file_with_pictures(program, bead):
    name = program.write("my-audit.toml", OWN_SET)
    program.good("audit", "dla01", "--set-file", name, "--html", "audit.html", "--json", "audit.json")
    page = (program.directory / "audit.html").read_text()
    assert page.startswith("<!DOCTYPE html>") and "<svg" in page and "symmetry" in page
    assert "src=" not in page and "<link" not in page
    assert json.loads((program.directory / "audit.json").read_text())["methods"][0]["label"] == "dla01"


def test_wrong_requests(program, bead):
    assert "alpha" in program.refuses(2, "audit", "dla(alpha=2)", "--problem", "./bead.toml")
    assert "betta" in program.refuses(2, "audit", "newmark", "--set", "betta=1")
    assert "did you mean \"leapfrog\"" in program.refuses(2, "audit", "leapfrg")
    assert "parenthes" in program.refuses(2, "audit", "dla(alpha=0.4")
    assert "option=value" in program.refuses(2, "audit", "dla(0.4)")
    assert "--all" in program.refuses(2, "audit")
    assert "--all" in program.refuses(2, "audit", "dla", "--all")
    assert "third" in program.refuses(2, "audit", "dla", "--problem", "./bead.toml:third")
    assert "bead.toml" in program.refuses(2, "audit", "dla", "--set-file", "./bead.toml")
    assert "skew" in program.refuses(2, "audit", "dla", "--problem", "rigid-body")
    assert "problem.toml" in program.refuses(4, "audit", "dla", "--problem", "nowhere/problem.toml")


NO_INTEGRAL = """
name = "coasting"
coordinates = ["x", "y"]
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2)/2"
[integrals]
late = "log(1 + exp((x - 700)/10))/100"
[initial.moving]
q = [0, 0]
v = [1, 0]
"""


def test_a_drift_that_is_not_as_predicted_is_an_error(program):
    """The integral that is none begins to grow at t = 700; the prediction is made of what happens to t = 500."""
    program.write("coasting.toml", NO_INTEGRAL)
    result = program.run("audit", "gauss", "--problem", "./coasting.toml")
    assert result.returncode == 1, result.stdout
    assert "not as predicted" in result.stdout and "otherwise than predicted" in result.stderr
    good = program.good("audit", "gauss", "--set-file", program.write("mine.toml", AS_PREDICTED)).stdout
    assert "not as predicted" not in good


AS_PREDICTED = """
title = "As predicted"
[[long_run]]
problem = "pendulum-cvt"
start = "rotating"
parameters = { epsilon = 0.5 }
until = { quick = 3000, full = 3000 }
"""


def test_a_start_at_rest_is_no_broken_promise(program):
    own = program.write("rest.toml", OWN_PROBLEM.replace("v = [0.3, 0.7, 0.12]", "v = [0, 0, 0]"))
    text = program.refuses(2, "audit", "speed-splitting", "--problem", own)
    assert 'method "speed-splitting" cannot start at rest: it divides the velocity by the speed' in text


def test_an_order_is_broken_only_where_shorter_steps_break_it(program):
    # Its multiplier on the transmission shows 7.5 in 8 to 64 steps, as its error passes zero, and 7.9 in finer ones.
    assert "BROKEN" not in program.good("audit", "dop853").stdout


def test_measurements_as_csv_and_arrays(program):
    """The same numbers in all files, which are written over as dalembert's own."""
    h5py = pytest.importorskip("h5py")
    words = ["audit", "dla", "--problem", "knife-edge", "--csv", "a.csv", "--out", "a.h5", "--json", "a.json", "--html", "a.html", "--quiet"]
    for _ in range(2):
        program.good(*words)
    method, = json.loads((program.directory / "a.json").read_text())["methods"]
    problem, = method["problems"]
    rows = list(csv.DictReader((program.directory / "a.csv").open()))
    short, drifts = [row for row in rows if "drift" not in row["property"]], [row for row in rows if "drift" in row["property"]]
    assert [row["property"] for row in short] == [finding["property"] for finding in problem["findings"]]
    assert [float(row["measured"]) if row["measured"] else None for row in short] == [finding["measured"] for finding in problem["findings"]]
    found = [finding for run in method["long_runs"] for finding in run["findings"]]
    assert [(row["property"], float(row["measured"])) for row in drifts] == [("drift of " + one["quantity"], one["slope"]) for one in found]
    with h5py.File(program.directory / "a.h5") as file:
        table = file["audit"]
        assert [word.decode() for word in table["verdict"]] == [finding["verdict"] for finding in problem["findings"]]
        assert table["measured"].dims[0][0].name == "/audit/measurement" and set(word.decode() for word in table["method"]) == {"dla"}
