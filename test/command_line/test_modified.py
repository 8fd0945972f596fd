"""dalembert modified: text, JSON, CSV and refusals."""

import csv
import json

import pytest

CASE = ["pendulum-cvt", "--start", "rotating", "--set", "parameters.epsilon=0.5"]


def modified(program, *arguments):
    (entry,) = program.json("modified", *arguments)["modified"]
    return entry


def test_fields_drifts_and_modes(program):
    entry = modified(program, *CASE, "--method", "dla01", "--points", "3")
    assert (entry["problem"], entry["label"], entry["steps_as_one"]) == ("pendulum-cvt", "dla01", 1)
    assert [point["t"] for point in entry["points"]] == pytest.approx([0, 5, 10])
    first = entry["points"][0]
    assert [c["power"] for c in first["coefficients"]] == [2, 4]
    # f_2 of the driver at xi = 0: -eta W''/12, W'' = 1.
    assert first["coefficients"][0]["value"][2] == pytest.approx(-2.82842712 / 12, abs=1e-12)
    assert first["coefficients"][0]["error"] < 1e-15
    modes = {mode["kind"]: mode for mode in entry["rates"]["modes"]}
    assert set(modes) == {"axis", "pair"}
    assert sum(mode["share"] for mode in modes.values()) == pytest.approx(1)
    h = entry["rates"]["step"]
    assert entry["averages"]["axis"] * h**2 == pytest.approx(modes["axis"]["rate"], rel=0.05)
    drifts = {drift["integral"]: drift for drift in entry["drifts"]}
    energy = drifts["passenger_energy"]
    assert abs(energy["rate"] - entry["rates"]["fitted_rate_1e3"]) < 2 * energy["error"]
    assert abs(drifts["driver_energy"]["rate"]) < 1e-12


def test_options_of_the_method_and_the_first_start(program):
    entry = modified(program, "pendulum-cvt", "--method", "lobatto", "--set", "method.stages=4", "--points", "1")
    assert (entry["label"], entry["start"], entry["steps_as_one"]) == ("lobatto(stages=4)", "oscillating", 1)
    assert entry["points"][0]["coefficients"][0]["power"] == 6


def test_a_system_without_modes_says_why(program):
    entry = modified(program, "particle-free", "--method", "dla", "--points", "2", "--window", "50")
    assert entry["rates"]["modes"] is None
    assert "no exponents" in entry["rates"]["reason"] and "averaged" not in entry["averages"]


def test_csv_and_text(program):
    text = program.good("modified", *CASE, "--method", "newmark-composition", "--csv", "field.csv").stdout
    assert "axis" in text and "|f_2|" in text and "driver_energy" in text
    rows = list(csv.DictReader((program.directory / "field.csv").open()))
    assert len(rows) == 5
    assert float(rows[0]["f.xi"]) == pytest.approx(2.82842712)
    assert {"t", "xi_dot", "modified.x1", "remainder", "f_2.xi", "f_4.x1_dot"} <= set(rows[0])


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["pendulum-cvt"], "--method"),
        ([*CASE, "--method", "fehlberg-78"], "chooses its steps"),
        (["ball-on-turntable", "--method", "dla01"], "SO(3)"),
        ([*CASE, "--method", "dla01", "--step", "-1"], "step"),
        (["pendulum-cvt", "--method", "dla01", "--start", "nosuch"], "nosuch"),
        ([*CASE, "--method", "dla01", "--terms", "9"], "terms"),
        (["nosuch", "--method", "dla01"], "nosuch"),
    ],
)
def test_refusals(program, arguments, words):
    assert words in program.refuses(2, "modified", *arguments)


def test_output_is_the_same_each_time(program):
    texts = [program.good("modified", *CASE, "--method", "spark", "--json", "-").stdout for _ in range(2)]
    assert texts[0] == texts[1]
    assert json.loads(texts[0])["dalembert"]
