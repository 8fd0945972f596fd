"""Motions as pages: what is in them, and what a problem says of its looks."""

import json
import math
import re

import numpy as np
import pytest

RUNS = {
    "pendulum-cvt": ["--method", "leapfrog", "--step", "0.1"], "knife-edge": ["--method", "dla", "--step", "0.05"],
    "snakeboard": ["--method", "lobatto", "--step", "0.05"], "car-with-trailers": ["--method", "lobatto", "--step", "0.05"],
    "rolling-disk": ["--method", "lobatto", "--step", "0.05"], "ball-on-turntable": ["--method", "lobatto", "--step", "0.05"],
    "rattleback": ["--method", "gauss", "--step", "0.01"], "bicycle": ["--method", "gauss", "--step", "0.01"],
}


def motion_of(page):
    """The data of a page: shapes by kind, and frames as numbers, (frames, numbers)."""
    motion = json.loads(re.search(r'<script id="motion" type="application/json">(.*)</script>', page).group(1))
    frames = np.cumsum(np.reshape(motion["numbers"], (len(motion["times"]), motion["frameSize"])), axis=0) * motion["scale"]
    return motion, frames


def animated(program, name, *more, until="4", run=()):
    program.good("run", name, *RUNS.get(name, ["--method", "lobatto", "--step", "0.01"]), "--until", until, *run, "--out", "r.h5", "--force")
    program.good("animate", "r.h5", "--out", "r.html", "--force", *more)
    page = (program.directory / "r.html").read_text()
    return (page, *motion_of(page))


def numbers(motion, frames, kind, index=0):
    shape = [shape for shape in motion["shapes"] if shape["kind"] == kind][index]
    return frames[:, shape["first"]:shape["first"] + shape["count"]]


@pytest.mark.parametrize("name", RUNS)
def test_the_page_needs_nothing_but_itself(program, name):
    page, motion, frames = animated(program, name, until="2")
    assert page.startswith("<!DOCTYPE html>") and f"<title>{name}, " in page
    # The only address is the name of SVG, which nobody looks up.
    assert set(re.findall(r"https?://[^\s\"'<]*", page)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(script|img|link)[^>]*(src|href)=", page)
    assert motion["dimension"] == (2 if name in list(RUNS)[:4] else 3)
    assert motion["times"][0] == 0 and motion["times"][-1] == pytest.approx(2) and np.isfinite(frames).all()
    assert len(motion["times"]) == min(600, round(2 / float(RUNS[name][3])) + 1)


def test_frames_are_the_states_of_the_run(program):
    page, motion, frames = animated(program, "rolling-disk")
    result = program.json("run", "rolling-disk", *RUNS["rolling-disk"], "--until", "4")["runs"][0]
    # Coordinates are rounded to a part of 1/20000 of what is seen.
    small = 1.01 * motion["scale"]
    circle = numbers(motion, frames, "circle")
    x, y, theta, phi = result["final"]["q"]
    assert circle[-1][:3] == pytest.approx([x, y, 1], abs=small)
    spoke = [math.cos(theta) * math.cos(phi), math.sin(theta) * math.cos(phi), -math.sin(phi)]
    assert circle[-1][3:6] == pytest.approx(spoke, abs=small)
    # Two radii at a right angle, across the axle.
    assert np.abs((circle[:, 3:6] * circle[:, 6:9]).sum(axis=1)).max() < 4 * small
    assert np.abs(np.linalg.norm(circle[:, 6:9], axis=1) - 1).max() < 2 * small
    assert np.array_equal(numbers(motion, frames, "trail")[:, :2], circle[:, :2])


def test_bodies_keep_their_shapes(program):
    page, motion, frames = animated(program, "bicycle", until="2")
    small = 4 * motion["scale"]
    front = numbers(motion, frames, "circle", 1)
    assert np.abs(np.linalg.norm(front[:, 3:6], axis=1) - 0.35).max() < small
    # The lowest point of the front wheel is on the ground: z points down, and the rim reaches down by the length of (u_z, v_z).
    assert np.abs(front[:, 2] + np.hypot(front[:, 5], front[:, 8])).max() < small
    assert motion["follow"] is not None and motion["upReversed"]
    page, motion, frames = animated(program, "rattleback-so3", until="2")
    ball = numbers(motion, frames, "ball")
    for axis, length in enumerate((0.2, 0.03, 0.02)):
        assert np.abs(np.linalg.norm(ball[:, 3 + 3 * axis:6 + 3 * axis], axis=1) - length).max() < 2 * motion["scale"]


def test_shapes_for_every_body_of_a_family(program):
    page, motion, frames = animated(program, "car-with-trailers", until="1", run=["--start", "bend-1"])
    one = len(motion["shapes"])
    page, motion, frames = animated(program, "car-with-trailers", until="1", run=["--start", "bend"])
    assert len(motion["shapes"]) == one + 1


def test_frames_and_runs_are_chosen(program):
    page, motion, frames = animated(program, "knife-edge", "--frames", "10")
    assert len(motion["times"]) == 10 and motion["times"][-1] == pytest.approx(4)
    program.good("run", "knife-edge", "--method", "dla,lobatto", "--step", "0.1", "--until", "1", "--out", "two.h5")
    result = program.good("animate", "two.h5", "--out", "two.html")
    assert "the motion is that of run 1 of 2, knife-edge, horizontal, dla; --run chooses another" in result.stderr
    assert program.good("animate", "two.h5", "--out", "two.html", "--run", "2").stderr == ""
    assert "<title>knife-edge, horizontal, lobatto</title>" in (program.directory / "two.html").read_text()
    # Runs that an event has ended are read as others.
    program.good("run", "bouncing-disk", "--method", "lobatto", "--step", "0.1", "--until", "60", "--out", "bounce.h5")
    program.good("animate", "bounce.h5", "--out", "bounce.html")
    program.good("plot", "bounce.h5", "--plot", "bounce.svg")


PROBLEM = """
name = "dot"
coordinates = ["x", "y"]
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2)/2"
potential = "(x^2 + y^2)/2"
[initial.start]
q = [1, 0]
v = [0, 1]
"""


@pytest.mark.parametrize("picture, words", [
    ("[picture]\nview = \"flat\"\n[[picture.point]]\nat = [0, 0]", 'it must be "plane" or "space"'),
    ("[picture]\nfollow = [0, 0]", "shows nothing"),
    ("[[picture.pint]]\nat = [0, 0]", 'did you mean "point"?'),
    ("[[picture.point]]\nat = [0, 0]\ncolor = \"blue\"", 'did you mean "colour"?'),
    ("[[picture.point]]\nat = [0, 0]\ncolour = \"bleu\"", 'did you mean "blue"?'),
    ("[[picture.point]]\nat = [\"x\"]", "must be a point in the plane, two entries"),
    ("[[picture.point]]\nat = [\"x\", \"yy\"]", 'unknown name "yy"'),
    ("[[picture.line]]\npoints = [[0, 0]]", "has fewer than two points"),
    ("[[picture.line]]\nx = [0, 1]\ny = [0]", "has 1 entries, and x has 2"),
    ("[[picture.line]]\nx = [0, 1, 2]\ny = [0, 1, 2]\npiece = 2", "no multiple of it"),
    ("[[picture.ball]]\ncentre = [0, 0]\nradius = 1", 'needs view = "space"'),
    ("[[picture.circle]]\ncentre = [0, 0]", 'needs the key "radius"'),
    ("[picture]\nview = \"space\"\n[[picture.ball]]\ncentre = [0, 0, 0]\nradius = 1\nbody = \"R\"", "no rotation of the problem"),
    ("[[picture.point]]\nat = [0, 0]\nwidth = 0", "must be > 0"),
    ("[[picture.point]]\nat = [0, \"i\"]\neach = \"i, 1\"", 'must be written as "i, 1, n"'),
    ("", 'has no table [picture], which says how it looks'),
])
def test_pictures_that_make_no_sense(program, picture, words):
    program.write("dot.toml", PROBLEM + picture)
    run = ["run", "dot.toml", "--method", "leapfrog", "--step", "0.1", "--until", "1", "--out", "dot.h5"]
    result = program.run(*run)
    if result.returncode == 0:
        result = program.run("animate", "dot.h5", "--out", "dot.html")
    assert result.returncode == 2 and words in result.stderr and not (program.directory / "dot.html").exists()


def test_what_cannot_be_animated(program):
    program.good("run", "knife-edge", "--method", "dla", "--step", "0.1", "--until", "1", "--out", "r.h5")
    assert "a file ending in .html, or a picture ending in .gif" in program.refuses(2, "animate", "r.h5", "--out", "r.avi")
    assert "the file holds 1 runs" in program.refuses(2, "animate", "r.h5", "--out", "r.html", "--run", "2")
    (program.directory / "mine.html").write_text("mine")
    assert "--force" in program.refuses(2, "animate", "r.h5", "--out", "mine.html")
    program.refuses(4, "animate", "none.h5", "--out", "r.html")
    # Its own page is written over without asking.
    for _ in range(2):
        program.good("animate", "r.h5", "--out", "r.html")


def test_another_picture(program):
    program.write("dot.toml", PROBLEM)
    program.write("look.toml", "[picture]\n[[picture.point]]\nat = [\"x\", \"2*y\"]\n")
    program.write("none.toml", "title = \"x\"\n")
    program.good("run", "dot.toml", "--method", "leapfrog", "--step", "0.1", "--until", "1", "--out", "dot.h5")
    program.good("animate", "dot.h5", "--out", "dot.html", "--picture", "look.toml")
    motion, frames = motion_of((program.directory / "dot.html").read_text())
    assert frames[0] == pytest.approx([1, 0], abs=motion["scale"])
    assert "has no table [picture]" in program.refuses(2, "animate", "dot.h5", "--out", "x.html", "--picture", "none.toml")
    program.refuses(4, "animate", "dot.h5", "--out", "x.html", "--picture", "nowhere.toml")


def gif_frames(data):
    """The number of images in a GIF, and its size, by its blocks (GIF 89a)."""
    assert data[:6] == b"GIF89a" and data[-1:] == b";"
    width, height = int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")
    at, images = 13 + (3 << ((data[10] & 7) + 1) if data[10] & 128 else 0), 0
    while data[at:at + 1] != b";":
        if data[at:at + 1] == b",":
            images += 1
            at += 10 + (3 << ((data[at + 9] & 7) + 1) if data[at + 9] & 128 else 0) + 1
        else:
            at += 2
        while data[at]:
            at += data[at] + 1
        at += 1
    assert at == len(data) - 1
    return images, (width, height)


@pytest.mark.parametrize("name", ["snakeboard", "bicycle", "rattleback-so3"])
def test_pictures_that_move(program, name):
    program.good("run", name, *RUNS.get(name, ["--method", "lobatto", "--step", "0.01"]), "--until", "2", "--out", "r.h5")
    for _ in range(2):  # its own picture is written over without asking
        program.good("animate", "r.h5", "--out", "r.gif", "--seconds", "1", "--size", "320x200")
    assert gif_frames((program.directory / "r.gif").read_bytes()) == (20, (320, 200))


@pytest.mark.parametrize("more, words", [(["r.gif", "--size", "320"], "expected width and height"), (["r.gif", "--size", "9x9"], "from 64 to 4000"),
                                         (["r.html", "--seconds", "3"], "are for a picture ending in .gif")])
def test_pictures_that_cannot_be_drawn(program, more, words):
    program.good("run", "knife-edge", "--method", "dla", "--step", "0.1", "--until", "1", "--out", "r.h5")
    assert words in program.refuses(2, "animate", "r.h5", "--out", *more)
