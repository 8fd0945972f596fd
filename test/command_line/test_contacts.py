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


# A disk on a round hill of radius one, with its height built in: N = m (g cos(al) - (A + r) al'^2).
HILL = """
coordinates = ["al", "phi"]
gravity     = %s
[parameters]
m = 1
r = 0.2
A = 1
g = 9.81
[vectors]
n = %s
[[body]]
name     = "disk"
mass     = "m"
inertia  = "m*r^2/2"
position = "(A + r)*n"
rotation = "phi"
[[contact]]
name  = "hill"
body  = "disk"
kind  = "rolling"
shape = { disk = "r" }
plane = { point = "A*n", normal = "n" }
[initial.top]
free     = ["phi_dot"]
position = { al = 0.05, phi = 0 }
velocity = { al = 0, phi = 0 }
"""


def test_a_disk_leaves_a_round_hill_where_it_does(program):
    hill = "./" + program.write("hill.toml", HILL % ('["0", "-g"]', '["sin(al)", "cos(al)"]'))
    for method in ("gauss", "lobatto", "dla"):
        result = program.good("run", hill, "--method", method, "--step", "0.001", "--until", "3", "--csv", method)
        with open(next((program.directory / method).glob("*.csv"))) as file:
            rows = list(csv.DictReader(file))
        pulled = next(row for row in rows if float(row["hill_normal_force"]) < 0)
        # (3/2) m (A + r) al'^2 = 2 m g (cos(al0) - cos(al)); it moves by 0.003 in a step. Looked at every fourth step.
        assert 0 <= float(pulled["al"]) - math.acos(4 / 7 * math.cos(0.05)) < 0.003
        line = warnings_of(result)
        assert len(line) == 1 and "the surface would have to pull the body" in line[0]
        assert 0 <= float(line[0].split("t = ")[1].split(":")[0]) - float(pulled["t"]) < 0.0041
        force = [9.81 * math.cos(float(row["al"])) - 1.2 * float(row["al_dot"]) ** 2 for row in rows]
        assert max(abs(float(row["hill_normal_force"]) - n) for row, n in zip(rows, force)) < 1e-11


def test_a_disk_in_a_loop_falls_off_it(program):
    # Inside of the loop, from the side: the normal points inwards, and the disk comes down before the top.
    text = HILL % ('["0", "-g"]', '["-sin(al)", "cos(al)"]')
    loop = "./" + program.write("loop.toml", text.replace('"(A + r)*n"', '"-(A - r)*n"').replace('point = "A*n"', 'point = "-A*n"')
                                .replace("al = 0, phi = 0 }\n", "al = 4.5, phi = 0 }\n"))
    line = warnings_of(program.good("run", loop, "--method", "gauss", "--step", "0.001", "--until", "2"))
    assert len(line) == 1 and "pull" in line[0]
    fast = "./" + program.write("fast.toml", (program.directory / "loop.toml").read_text().replace("al = 4.5", "al = 9"))
    assert warnings_of(program.good("run", fast, "--method", "gauss", "--step", "0.001", "--until", "2")) == []


# A ball in a bowl y = (x^2 + z^2)/4, or with z upwards: the normal at the lowest point is an axis of space.
BOWL = """
coordinates = ["R in SO(3)", "x", "z"]
gravity     = %s
[parameters]
r = 0.5
[definitions]
w = "sqrt(1 + x^2/4 + z^2/4)"
[vectors]
n = %s
p = %s
[[body]]
name     = "ball"
mass     = 1
inertia  = "2/5*r^2"
position = "p + r*n"
rotation = "R"
[[contact]]
name  = "bowl"
body  = "ball"
kind  = "rolling"
shape = { sphere = "r" }
plane = { point = "p", normal = "n" }
[initial.rest]
position = { R = "identity", x = 0, z = 0 }
velocity = { R = [0, 0, 0], x = 0, z = 0 }
[initial.off]
free = %s
position = { R = "identity", x = 0.3, z = 0.2 }
velocity = { R = [0, 0, 0], x = -0.3, z = -0.2 }
"""
UP = {
    "y": ('["0", "-9.81", "0"]', '["-x/2/w", "1/w", "-z/2/w"]', '["x", "(x^2 + z^2)/4", "z"]', '["R_dot_1", "R_dot_3"]'),
    "z": ('["0", "0", "-9.81"]', '["-x/2/w", "-z/2/w", "1/w"]', '["x", "z", "(x^2 + z^2)/4"]', '["R_dot_1", "R_dot_2"]'),
    "x": ('["-9.81", "0", "0"]', '["1/w", "-x/2/w", "-z/2/w"]', '["(x^2 + z^2)/4", "x", "z"]', '["R_dot_2", "R_dot_3"]'),
    "down": ('["0", "9.81", "0"]', '["-x/2/w", "-1/w", "-z/2/w"]', '["x", "-(x^2 + z^2)/4", "z"]', '["R_dot_1", "R_dot_3"]'),
}


def test_a_bowl_is_the_same_whichever_axis_is_upwards(program):
    ends = {}
    for up, parts in UP.items():
        bowl = "./" + program.write(f"{up}.toml", BOWL % parts)
        # The lowest point, where the normal is an axis.
        still = program.json("run", bowl, "--start", "rest", "--method", "lobatto", "--step", "0.01", "--until", "1")["runs"][0]
        assert still["final"]["q"][-2:] == [0, 0]
        for method in ("gauss", "lobatto", "runge-kutta-4", "dla"):
            run = program.json("run", bowl, "--start", "off", "--method", method, "--step", "0.005", "--until", "3")["runs"][0]
            ends.setdefault(method, []).append(run["final"]["q"][-2:])
    for method, found in ends.items():
        # Reflections of the same steps: to the round-off of six hundred.
        assert np.max(np.abs(np.array(found) - found[0])) < 1e-11, (method, found)


def test_a_ball_rolls_round_the_equator_of_a_sphere(program):
    # At the equator of the sphere the normal passes +-x and +-y in each turn.
    sphere = "./" + program.write("sphere.toml", """
coordinates = ["R in SO(3)", "th", "phi"]
angles      = ["phi"]
gravity     = ["0", "0", "-g"]
[parameters]
m = 1
r = 0.5
b = 1
g = 9.81
W = 5
[vectors]
n = ["-sin(th)*cos(phi)", "-sin(th)*sin(phi)", "-cos(th)"]
[[body]]
name     = "ball"
mass     = "m"
inertia  = "2/5*m*r^2"
position = "-b*n"
rotation = "R"
[[contact]]
name  = "wall"
body  = "ball"
kind  = "rolling"
shape = { sphere = "r" }
plane = { point = "-(b + r)*n", normal = "n" }
[initial.equator]
free     = ["R_dot_2", "R_dot_3"]
position = { R = "identity", th = "pi/2", phi = 0 }
velocity = { R = ["-5*g/(2*r*W)", 0, 0], th = 0, phi = "W" }
""")
    run = program.json("run", sphere, "--method", "lobatto", "--step", "0.002", "--until", "5")["runs"][0]
    # A steady motion, which is stable.
    assert abs(run["final"]["q"][-2] - math.pi / 2) < 1e-9 and abs(run["final"]["q"][-1] - 25) < 1e-9
