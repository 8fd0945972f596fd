"""Pictures are made, complete, and small enough."""

import re
import shutil

import pytest

pytestmark = pytest.mark.skipif(shutil.which("gnuplot") is None, reason="needs gnuplot")


@pytest.mark.parametrize("name, begin", [("a.svg", b"<?xml"), ("a.png", b"\x89PNG"), ("a.pdf", b"%PDF")])
def test_formats(program, study, name, begin):
    program.good("run", study, "--plot", name)
    content = (program.directory / name).read_bytes()
    assert content.startswith(begin) and len(content) > 5000
    assert [path.name for path in program.directory.iterdir() if "partial" in path.name] == []


def test_a_picture_names_methods_title_and_axes(program, study):
    program.good("run", study, "--plot", "a.svg")
    text = (program.directory / "a.svg").read_text()
    for word in ("Two methods", "dla(alpha=0.4)", "LF", "rotating", "time t", "energy error"):
        assert word in text, word


def test_long_runs_stay_small(program, study):
    program.good("run", study, "--set", "run.steps=200000", "--set", "run.record_every=1", "--plot", "a.svg",
                 "--set", 'plot.quantities=["energy", "x1"]', "--set", "plot.error=false")
    assert (program.directory / "a.svg").stat().st_size < 1_000_000


def test_from_a_result_file(program, study):
    program.good("run", study, "--set", "parameters.epsilon=[0, 0.5]", "--out", "result.h5")
    program.good("plot", "result.h5", "--plot", "b.svg", "--quantity", "driver_energy", "--quantity", "x1", "--error",
                 "--running-mean", "1")
    text = (program.directory / "b.svg").read_text()
    assert "mean driver energy error" in text and "epsilon = 0.5" in text
    assert len(re.findall("rotating, epsilon", text)) >= 4
    assert "quantity" in program.refuses(2, "plot", "result.h5", "--plot", "b.svg", "--quantity", "y")


def test_paths_in_a_plane(program, study):
    program.good("run", study, "--out", "result.h5", "--set", 'plot={ x = "x1", y = "x1_dot" }', "--plot", "a.svg")
    assert "x1_dot" in (program.directory / "a.svg").read_text()
    program.good("plot", "result.h5", "--x", "cos(xi)", "--y", "2*x1", "--plot", "b.svg")
    text = (program.directory / "b.svg").read_text()
    assert "cos(xi)" in text and "2*x1" in text and "time t" not in text
    assert '"cos(psi)"' in program.refuses(2, "plot", "result.h5", "--x", "cos(psi)", "--y", "x1", "--plot", "b.svg")
    assert "--y" in program.refuses(2, "plot", "result.h5", "--x", "x1", "--plot", "b.svg")
    assert "y" in program.refuses(2, "run", study, "--set", 'plot={ x = "x1" }', "--plot", "b.svg")


def test_the_motion_on_a_group_is_shown_in_space(program):
    program.good("run", "ball-on-turntable", "--method", "lobatto", "--start", "tumbling", "--step", "0.1", "--until", "20",
                 "--plot", "ball.svg")
    text = (program.directory / "ball.svg").read_text()
    # What this ball keeps is its moving energy; its contact and an axis of it draw paths.
    for word in ("moving energy error", "path in the plane", "third axis of R, from above", "R[2,3]"):
        assert word in text, word
    program.good("run", "unicycle-spring", "--method", "lobatto", "--step", "0.1", "--until", "20", "--plot", "wheel.svg")
    text = (program.directory / "wheel.svg").read_text()
    assert "|energy error|" in text and "path of B" in text


@pytest.mark.parametrize("extension", ["svg", "png"])
def test_titles_labels_and_file_names_may_hold_apostrophes_anywhere(program, study, extension):
    text = (program.directory / study).read_text()
    study = text.replace('title = "Two methods"', 'title = "\'s start, \'\'two\'\' and end\'"').replace('"LF"', "\"''''\"")
    program.write("quoted.toml", study)
    name = f"'a.{extension}"
    program.good("run", "quoted.toml", "--plot", name)
    if extension == "svg":
        text = (program.directory / name).read_text()
        assert ">'s start, ''two'' and end'<" in text and ">''''<" in text
