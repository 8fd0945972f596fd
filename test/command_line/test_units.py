"""Units that a problem says, on its page, in results and pictures; none where it says nothing."""

import h5py

BEAD = """
name = "bead"
coordinates = ["x", "y", "psi"]
angles = ["psi"]
UNITS
[parameters]
m = 2.0
[lagrangian]
kinetic = "m*(x_dot^2 + y_dot^2 + psi_dot^2)/2"
[constraints]
expressions = ["x_dot*sin(psi) - y_dot*cos(psi)"]
[integrals]
spin = "m*psi_dot"
[initial.turning]
q = [0, 0, 0]
v = [1, 0, 0.5]
"""

RUN = ["./bead.toml", "--method", "lobatto", "--step", "0.1", "--until", "1"]
TABLE = 'units = { x = "m", y = "m", psi = "rad", t = "s", m = "kg", energy = "J", spin = "kg m^2/s" }'


def bead(program, units):
    program.write("bead.toml", BEAD.replace("UNITS", units))


def test_units_by_name_stand_in_results(program):
    bead(program, TABLE)
    run, = program.json("run", *RUN, "--out", "bead.h5")["runs"]
    assert run["units"] == {"t": "s", "q": ["m", "m", "rad"], "v": ["m/s", "m/s", "rad/s"], "lambda": [None], "energy": "J"}
    with h5py.File(program.directory / "bead.h5") as file:
        tables = file["runs/0001"]
        assert list(tables["q"].attrs["units"]) == ["m", "m", "rad"]
        assert tables["t"].attrs["units"] == "s" and tables["energy"].attrs["units"] == "J"
        assert tables["integrals/spin"].attrs["units"] == "kg m^2/s"
        assert "units" not in tables["lambda"].attrs and "units" not in tables["constraint"].attrs
    program.good("resume", "bead.h5", "--until", "2")


def test_si_and_nondimensional_hold_for_all(program):
    for whole, time, energy, angle in (("SI", "s", "J", "rad"), ("nondimensional",) * 4):
        bead(program, f'units = "{whole}"')
        run, = program.json("run", *RUN, "--force", "--out", "bead.h5")["runs"]
        assert run["units"]["t"] == time and run["units"]["energy"] == energy and run["units"]["q"] == [whole, whole, angle]
        with h5py.File(program.directory / "bead.h5") as file:
            assert file["runs/0001/t"].attrs["units"] == time and file["runs/0001/lambda"].attrs["units"] == whole


def test_unknown_units_are_not_written(program):
    bead(program, "")
    run, = program.json("run", *RUN, "--out", "bead.h5")["runs"]
    assert "units" not in run
    with h5py.File(program.directory / "bead.h5") as file:
        assert not any("units" in file["runs/0001"][name].attrs for name in ("t", "q", "v", "lambda", "energy"))
    assert "Units" not in program.good("describe", "./bead.toml").stdout


def test_axes_and_pages_show_units(program):
    bead(program, TABLE)
    page = program.good("describe", "./bead.toml").stdout
    assert "x (m), y (m), psi (angle, rad)" in page and "t in s, energy in J" in page and "2 kg" in page, page
    program.good("run", *RUN, "--out", "bead.h5")
    program.good("plot", "bead.h5", "--plot", "path.svg", "--x", "x", "--y", "psi_dot")
    program.good("plot", "bead.h5", "--plot", "rise.svg", "--quantity", "x")
    path, rise = ((program.directory / name).read_text() for name in ("path.svg", "rise.svg"))
    assert "x (m)" in path and "rad/s" in path and "time t (s)" in rise
    bead(program, "")
    program.good("run", *RUN, "--out", "bead.h5", "--force")
    program.good("plot", "bead.h5", "--plot", "rise.svg", "--quantity", "x", "--force")
    text = (program.directory / "rise.svg").read_text()
    assert "time t" in text and "time t (" not in text


def test_units_that_make_no_sense_are_refused(program):
    for units, words in (('units = "imperial"', '"SI"'), ("units = 3", '"SI"'), ('units = { xx = "m" }', "coordinate"),
                         ("units = { x = 1 }", "units.x"), ('units = { x = "" }', "empty")):
        bead(program, units)
        message = program.refuses(2, "run", *RUN)
        assert "bead.toml:" in message and words in message, message
    for name in ("bicycle", "differential-drive", "rattleback", "pendulum-cvt"):
        assert "Units" in program.good("describe", name).stdout
