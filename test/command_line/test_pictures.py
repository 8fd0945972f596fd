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
    assert "x and y" in program.refuses(2, "plot", "result.h5", "--x", "x1", "--plot", "b.svg")
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


SWEEP = ("run", "knife-edge", "--method", "dla", "--method", "lobatto", "--step", "[0.05, 0.1, 0.2]", "--until", "4")


def test_a_window_in_time(program, study):
    program.good("run", study, "--set", "run.steps=500", "--out", "result.h5")
    program.good("plot", "result.h5", "--quantity", "x1", "--from", "20", "--to", "30", "--plot", "a.svg")
    text = (program.directory / "a.svg").read_text()
    tics = {float(tic) for tic in re.findall(r"<text><tspan[^>]*> *(\d+)</tspan>", text)}
    assert {20.0, 30.0} <= tics and not tics & {0.0, 10.0, 40.0, 50.0}
    assert "before" in program.refuses(2, "plot", "result.h5", "--plot", "a.svg", "--from", "3", "--to", "2")
    sentence = program.refuses(2, "plot", "result.h5", "--plot", "a.svg", "--from", "51")
    assert "t = 51" in sentence and "no record" in sentence


def test_axes_are_equal_where_both_are_positions(program):
    program.good("run", "knife-edge", "--method", "lobatto", "--step", "0.1", "--until", "10", "--out", "result.h5")
    pictures = {}
    for name, *choice in [("space", "--x", "x1", "--y", "x2"), ("free", "--x", "x1", "--y", "x2", "--no-equal"),
                          ("phase", "--x", "x1", "--y", "x1_dot"), ("forced", "--x", "x1", "--y", "x1_dot", "--equal")]:
        program.good("plot", "result.h5", *choice, "--plot", f"{name}.svg")
        pictures[name] = (program.directory / f"{name}.svg").read_text()
    assert pictures["space"] != pictures["free"] and pictures["phase"] != pictures["forced"]


def test_several_runs_in_one_panel(program):
    program.good(*SWEEP, "--out", "result.h5")
    program.good("plot", "result.h5", "--x", "x1", "--y", "x2", "--together", "--plot", "a.svg")
    text = (program.directory / "a.svg").read_text()
    for step in ("0.05", "0.1", "0.2"):
        assert f"dla, " in text and f"h = {step}" in text
    assert text.count("x2<") == 1  # one pair of axes


def test_more_than_eight_curves_have_colours_of_their_own(program):
    steps = [0.1 / k for k in range(1, 6)]
    program.good("run", "knife-edge", "--method", "dla", "--method", "lobatto", "--step", str(steps), "--until", "1",
                 "--set", "plot={ quantity = \"x1\", together = true }", "--plot", "a.svg")
    text = (program.directory / "a.svg").read_text()
    legend = {label for label in re.findall(r">((?:dla|lobatto), [^<]*)<", text)}
    colours = set(re.findall(r"stroke='rgb\(([^)]*)\)'|rgb\(([^)]*)\)", text))
    assert len(legend) == 10
    assert len(colours) >= 10


def test_a_final_value_against_a_parameter(program):
    program.good(*SWEEP, "--out", "result.h5")
    program.good("plot", "result.h5", "--final", "energy_error", "--against", "step", "--log", "xy", "--plot", "a.svg")
    text = (program.directory / "a.svg").read_text()
    for word in ("energy_error", "step h", "dla", "lobatto"):
        assert word in text, word
    sentence = program.refuses(2, "plot", "result.h5", "--final", "energy_eror", "--against", "step", "--plot", "a.svg")
    assert 'did you mean "energy_error"?' in sentence
    sentence = program.refuses(2, "plot", "result.h5", "--final", "x1", "--against", "f1", "--plot", "a.svg")
    assert "same in all runs" in sentence
    assert "against" in program.refuses(2, "plot", "result.h5", "--final", "x1", "--plot", "a.svg")
    assert "one of them" in program.refuses(2, "plot", "result.h5", "--final", "x1", "--against", "step", "--quantity",
                                            "x1", "--plot", "a.svg")


def test_histograms_of_an_ensemble(program):
    program.good("ensemble", "chaotic", "--method", "dla01", "--step", "0.1", "--until", "10", "--members", "60",
                 "--energy", "3.06", "--out", "result.h5")
    program.good("plot", "result.h5", "--histogram", "energy_error", "--histogram", "x^2", "--plot", "a.svg")
    text = (program.directory / "a.svg").read_text()
    assert "energy_error at the end" in text and "x^2 at the end" in text and text.count("members<") == 2
    assert "nonsense" in program.refuses(2, "plot", "result.h5", "--histogram", "nonsense", "--plot", "a.svg")
    program.good("run", "knife-edge", "--method", "dla", "--step", "0.1", "--until", "1", "--out", "single.h5")
    assert "ensemble" in program.refuses(2, "plot", "single.h5", "--histogram", "x1", "--plot", "a.svg")
