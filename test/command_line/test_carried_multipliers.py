"""Multipliers that methods carry from step to step, beside those of the motion."""

import json
import re

import h5py

CARRIED = ("run", "car-on-slope", "--start", "climbing", "--method", "lobatto(multiplier=carried)", "--step", "0.02", "--until", "60")


def test_a_carried_multiplier_that_leaves_that_of_the_motion_is_named(program):
    """The motion settles on a slope, where the multiplier's error grows at half the rate of that; constraints and energy look right."""
    result = program.good(*CARRIED)
    [line] = [line for line in result.stderr.splitlines() if "warning" in line]
    assert "the carried multiplier lambda_" in line and " times the largest that it has been)" in line
    run, = program.json(*CARRIED)["runs"]
    since = run["diagnostics"]["out_of_scale"]["multipliers"]
    assert 0 < since < 60 and f"from t = {since:.6g} on" in line
    assert "has left that of the motion" in program.refuses(3, *CARRIED, "--strict")
    for method in ("lobatto", "gauss", "dla01"):
        words = [method if word == CARRIED[5] else word for word in CARRIED]
        assert "multiplier" not in program.good(*words, "--strict").stderr
        assert program.json(*words)["runs"][0]["diagnostics"]["out_of_scale"]["multipliers"] is None


def test_a_carried_multiplier_that_stays_is_not_named(program):
    """Motions that do not settle, one at rest, and one along which the multiplier is zero."""
    for words in (("pendulum-cvt", "--start", "rotating", "--method", "leapfrog", "--step", "0.1", "--until", "3000"),
                  ("chaplygin-sleigh-centre", "--start", "forwards", "--method", "leapfrog,lobatto(multiplier=carried)", "--step", "0.05", "--until", "5"),
                  ("rolling-disk", "--method", "lobatto(multiplier=carried)", "--step", "0.05", "--until", "100"),
                  ("snakeboard", "--method", "lobatto(multiplier=carried)", "--step", "0.05", "--until", "20")):
        assert "carried" not in program.good("run", *words).stderr, words


def test_what_is_found_of_a_multiplier_is_known_when_the_run_goes_on(program):
    words = (*CARRIED[:-1], "40", "--every", "0.5")
    whole = program.json(*CARRIED, "--every", "0.5")["runs"][0]["diagnostics"]["out_of_scale"]
    program.good(*words, "--out", "r.h5")
    assert "the carried multiplier lambda_" in program.good("resume", "r.h5", "--until", "60").stderr
    with h5py.File(program.directory / "r.h5") as file:
        assert json.loads(file["runs/0001"].attrs["json"])["diagnostics"]["out_of_scale"] == whole


def test_a_run_that_fails_names_the_multiplier_first(program):
    words = ("run", "bicycle", "--start", "stable", "--step", "0.005", "--until", "60", "--method")
    message = program.refuses(3, *words, "lobatto(multiplier=carried)")
    assert re.search(r"; the carried multiplier has left that of the motion \([0-9.e+]+ times\)$", message)
    assert "carried" not in program.good(*words, "lobatto").stderr


def test_on_groups_the_closed_multiplier_stays_where_the_carried_one_leads_away(program):
    """A sleigh that turns round: the motion keeps its energy, and errors of order 4 at this step are far below a thousandth of it."""
    words = ("run", "chaplygin-sleigh-se2", "--start", "turning", "--step", "0.02", "--until", "60", "--method")
    assert "has left that of the motion" in program.good(*words, "lobatto(multiplier=carried)").stderr
    assert "has left that of the motion" in program.good(*words, "lie-lobatto").stderr
    energy = program.json(*words, "lobatto")["runs"][0]["diagnostics"]
    assert energy["energy_error_max"] < 1e-6 * abs(energy["energy"])
