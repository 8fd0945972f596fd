"""Poincare sections that a study asks for."""

import json

import h5py
import numpy as np
import pytest

STUDY = """
problem = "henon-heiles"
[initial]
name = "regular"
[run]
step = 0.05
until = 200
record_every = 7
[[method]]
name = "gauss"
stages = 3
[[method]]
name = "leapfrog"
[[diagnostic]]
kind = "section"
name = "upright"
of = "x"
[[diagnostic]]
kind = "section"
name = "turning"
of = "y_dot"
direction = "both"
"""


@pytest.fixture
def study(program):
    return program.write("study.toml", STUDY)


def test_crossings_lie_on_the_section_and_on_the_level_of_energy(program, study):
    table = program.good("run", study, "--json", "r.json", "--out", "r.h5", "--csv", "csv").stdout
    run = json.loads((program.directory / "r.json").read_text())["runs"][0]
    section = run["diagnostics"]["sections"]["upright"]
    q, v = np.array(section["q"]), np.array(section["v"])
    assert len(q) > 20 and str(len(q)) in table
    assert np.max(np.abs(q[:, 0])) < 1e-14 and np.all(v[:, 0] > 0) and all(section["rising"])
    energy = (v[:, 0]**2 + v[:, 1]**2 + q[:, 0]**2 + q[:, 1]**2) / 2 + q[:, 0]**2 * q[:, 1] - q[:, 1]**3 / 3
    # The nodes keep the energy to the order of the method, and crossings are as good as nodes.
    assert np.max(np.abs(energy - run["diagnostics"]["energy"])) < 2 * run["diagnostics"]["energy_error_max"]
    turning = run["diagnostics"]["sections"]["turning"]
    assert np.max(np.abs(np.array(turning["v"])[:, 1])) < 1e-14
    # A function that passes zero both ways does so by turns.
    assert all(a != b for a, b in zip(turning["rising"], turning["rising"][1:]))
    with h5py.File(program.directory / "r.h5") as file:
        rows = file["runs/0001/sections/upright"]
        assert list(rows.attrs["names"]) == ["t", "x", "y", "x_dot", "y_dot", "rising"]
        assert np.array_equal(rows[:, 1:5], np.hstack([q, v]))
    text = next((program.directory / "csv").glob("0001-*gauss*.upright.csv")).read_text().splitlines()
    assert text[0] == "t,x,y,x_dot,y_dot"
    assert [float(x) for x in text[1].split(",")] == [section["t"][0], *section["q"][0], *section["v"][0]]


def test_a_resumed_run_has_the_same_crossings(program, study):
    program.good("run", study, "--out", "whole.h5")
    program.good("run", study, "--out", "parts.h5", "--set", "run.until=77")
    program.good("resume", "parts.h5", "--until", "200")
    with h5py.File(program.directory / "whole.h5") as whole, h5py.File(program.directory / "parts.h5") as parts:
        for name in ["upright", "turning"]:
            assert np.array_equal(whole[f"runs/0002/sections/{name}"], parts[f"runs/0002/sections/{name}"])
            assert len(whole[f"runs/0002/sections/{name}"]) > 20


def test_pictures_and_refusals(program, study):
    plot = ["--set", 'plot={ section = "upright", x = "y", y = "y_dot" }']
    program.good("run", study, "--out", "r.h5", "--plot", "r.svg", *plot)
    assert (program.directory / "r.svg").read_text().startswith("<?xml")
    program.good("plot", "r.h5", "--section", "turning", "--x", "x", "--y", "y", "--plot", "t.svg")
    assert 'did you mean "upright"' in program.refuses(2, "plot", "r.h5", "--section", "upight", "--x", "x", "--y", "y",
                                                       "--plot", "t.svg")
    assert "--x" in program.refuses(2, "plot", "r.h5", "--section", "upright", "--plot", "t.svg")
    assert '"z"' in program.refuses(2, "plot", "r.h5", "--section", "upright", "--x", "z", "--y", "y", "--plot", "t.svg")
    for table, words in [('[{kind="section"}]', '"of"'), ('[{kind="section", of="z"}]', '"z"'),
                         ('[{kind="section", of="x", direction="up"}]', '"rising"'),
                         ('[{kind="section", of="x"}, {kind="section", of="y"}]', '"name"')]:
        assert words in program.refuses(2, "run", study, "--set", f"diagnostic={table}")
    assert "section" in program.refuses(2, "run", study, "--set", 'plot={ section = "upright" }', "--plot", "t.svg")


@pytest.mark.parametrize("name", ["a/b", "", "../x", "a\\u0007"])
def test_a_section_has_a_name_for_files(program, study, name):
    section = f'[[diagnostic]]\nkind = "section"\nname = "{name}"\nof = "x1"\n'
    program.write("section.toml", (program.directory / study).read_text() + section)
    message = program.refuses(2, "run", "section.toml", "--csv", "tables")
    assert "section.toml:25" in message
    assert "must be a name for files" in message or "has a control character as byte 2" in message
    assert not (program.directory / "tables").exists()
