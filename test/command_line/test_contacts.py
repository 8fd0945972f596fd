"""Contacts end, and a run says so: a surface pushes a body, and does not pull it."""

import csv
import json
import math

import h5py
import numpy as np

LEANING = "initial={q=[0,0,0,0.8,0], v=[0,0,0,0,0]}"
FALL = ("rolling-coin", "--step", "0.005", "--until", "20", "--set", LEANING)


def time_of_fall(lean):
    """Of a coin released at rest: (5/8) theta'^2 = sin(lean) - sin(theta), with theta = lean - s^2 to make the integral regular."""
    s = (np.arange(20000) + 0.5) / 20000 * math.sqrt(lean)
    speed = np.sqrt(1.6 * (math.sin(lean) - np.sin(lean - s**2)))
    return float(np.sum(2 * s / speed) * math.sqrt(lean) / 20000)


def warnings_of(result):
    return [line for line in result.stderr.splitlines() if "contact" in line]


def test_a_coin_that_falls_flat_says_when_with_every_method(program):
    methods = ("lobatto", "gauss", "radau-iia")
    words = [word for method in methods for word in ("--method", method)]
    result = program.good("run", *FALL, *words, "--json", "r.json")
    lines = warnings_of(result)
    assert len(lines) == 3
    for line, method in zip(lines, methods):
        assert f'warning: run rolling-coin, {method}: contact "ground" ended at t = 1.6' in line and "lies flat" in line
    for run in json.loads((program.directory / "r.json").read_text())["runs"]:
        contact = run["diagnostics"]["contacts"]["ground"]
        # Every fourth step is looked at, and the grid of steps is 0.005 wide.
        assert 0 <= contact["ended"] - time_of_fall(0.8) < 5 * 0.005
        assert contact["how"] == "lies flat"


def test_the_columns_of_a_contact_are_its_gap_and_its_normal_force(program):
    program.good("run", *FALL, "--method", "lobatto", "--csv", "rows", "--out", "r.h5")
    with open(next((program.directory / "rows").glob("*.csv"))) as file:
        rows = list(csv.DictReader(file))
    assert abs(float(rows[0]["ground_normal_force"]) - (1 - 0.8 * math.cos(0.8) ** 2)) < 1e-14  # turns about a tangent
    standing = [row for row in rows if float(row["theta"]) > 0]
    assert max(abs(float(row["ground_gap"])) for row in standing) < 1e-15
    assert min(float(row["ground_gap"]) for row in rows) < -1.9  # it hangs upside down, twice its radius too low
    with h5py.File(program.directory / "r.h5") as file:
        assert [float(row["ground_gap"]) for row in rows] == list(file["runs/0001/contacts/ground_gap"][:].ravel())


def test_a_strict_run_ends_where_its_contact_does(program):
    message = program.refuses(3, "run", *FALL, "--method", "lobatto", "--strict", "--out", "r.h5")
    assert 'failed in step 322 at t = 1.61: contact "ground" ended' in message and "lies flat" in message
    in_study = program.write(
        "fall.toml",
        'problem = "rolling-coin"\n[initial]\nq = [0, 0, 0, 0.8, 0]\nv = [0, 0, 0, 0, 0]\n'
        '[run]\nstep = 0.005\nuntil = 20\nstrict = true\n[[method]]\nname = "lobatto"\n',
    )
    assert "contact" in program.refuses(3, "run", in_study)
    program.good("run", "rolling-coin", "--method", "lobatto", "--step", "0.02", "--until", "20", "--strict")


def test_a_resumed_run_knows_when_its_contact_ended(program):
    words = (*FALL[:-4], "--set", LEANING, "--method", "lobatto")
    program.good("run", *words, "--until", "1.6", "--out", "r.h5")
    assert warnings_of(program.good("resume", "r.h5", "--until", "3")) != []
    assert "t = 1.61" in warnings_of(program.good("resume", "r.h5", "--until", "4"))[0]


def test_a_body_that_would_have_to_be_pulled_is_named(program):
    """A coin thrown over its highest point presses with 1 - theta_dot^2 of its weight there."""
    start = "initial={q=[0,0,0,1.5707963267948966,0], v=[0,%s,0,%s,0], project=true}"
    words = ("run", "rolling-coin", "--method", "lobatto", "--step", "0.001", "--until", "0.01", "--set")
    pulled = warnings_of(program.good(*words, start % (-1.05, 1.05)))
    assert len(pulled) == 1 and "ended at t = 0: the surface would have to pull the body" in pulled[0]
    assert warnings_of(program.good(*words, start % (-0.95, 0.95))) == []


def test_no_word_of_contacts_that_hold(program):
    for start in ("wobbling", "upright"):
        assert warnings_of(program.good("run", "rolling-coin", "--start", start, "--method", "lobatto", "--step", "0.02", "--until", "40")) == []
    assert warnings_of(program.good("run", "bicycle", "--method", "gauss", "--step", "0.02", "--until", "4")) == []
