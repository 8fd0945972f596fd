"""Pictures are made, complete, and small enough."""

import contextlib
import re
import shutil
import struct
import zlib

import pytest



def labels_of(svg):
    """The texts of a picture as one reads them: an index after _, a power after ^."""
    labels = []
    for text in re.findall(r"<text>(.*?)</text>", svg, re.DOTALL):
        line, height = "", 0.0
        for shift, part in re.findall(r'<tspan[^>]*?(?:dy="(-?[0-9.]+)(?:px)?")?\s*>([^<]*)<', text):
            height += float(shift or 0)
            mark = "" if abs(height) < 1e-6 or not part else "_" if height > 0 else "^"
            line += mark + part
        labels.append(line.strip() or re.sub(r"<[^>]*>", "", text).strip())
    return labels


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


RECORDED = ["--set", "run.record_every=1", "--out", "result.h5", "--force", "--plot", "a.svg"]


@pytest.mark.parametrize("shown", [[], ["--quantity", "x1", "--path", "x1", "x2"], ["--running-mean", "5"], ["--from", "20", "--to", "30"]])
def test_a_run_draws_what_its_records_draw(program, study, shown):
    program.good("run", study, "--set", "run.steps=3000", *RECORDED, *shown)
    program.good("plot", "result.h5", "--plot", "b.svg", *shown)
    assert (program.directory / "a.svg").read_bytes() == (program.directory / "b.svg").read_bytes()


def curves_of(svg):
    """The points of each long curve of a picture."""
    paths = [re.findall(r"[ML](-?[0-9.]+),(-?[0-9.]+)", path) for path in re.findall(r"<path[^>]* d='([^']*)'", svg)]
    return [[(float(x), float(y)) for x, y in path] for path in paths if len(path) > 100]


@pytest.mark.parametrize("shown", [[], ["--quantity", "x1"], ["--running-mean", "500", "--error"]])
def test_a_run_of_many_records_draws_nearly_what_they_draw(program, study, shown):
    program.good("run", study, "--set", "run.steps=150000", *RECORDED, *shown)
    program.good("plot", "result.h5", "--plot", "b.svg", *shown)
    a, b = ((program.directory / name).read_text() for name in ("a.svg", "b.svg"))
    assert labels_of(a) == labels_of(b)
    assert len(curves_of(a)) == len(curves_of(b)) == 2
    for of_run, of_records in zip(curves_of(a), curves_of(b)):
        for axis in (0, 1):
            mine, other = ([point[axis] for point in curve] for curve in (of_run, of_records))
            # Pixels, of some 600: stretches, and windows of means, end elsewhere.
            assert abs(min(mine) - min(other)) < 2 and abs(max(mine) - max(other)) < 2


def test_from_a_result_file(program, study):
    program.good("run", study, "--set", "parameters.epsilon=[0, 0.5]", "--out", "result.h5")
    program.good("plot", "result.h5", "--plot", "b.svg", "--quantity", "driver_energy", "--quantity", "x1", "--error",
                 "--running-mean", "1")
    text = (program.directory / "b.svg").read_text()
    assert "mean driver energy error" in text and "ε = 0.5" in text
    assert len(re.findall("rotating, ε", text)) >= 4
    assert "quantity" in program.refuses(2, "plot", "result.h5", "--plot", "b.svg", "--quantity", "y")


def test_paths_in_a_plane(program, study):
    program.good("run", study, "--out", "result.h5", "--set", 'plot={ x = "x1", y = "x1_dot" }', "--plot", "a.svg")
    assert "x\u0307" in (program.directory / "a.svg").read_text()
    program.good("plot", "result.h5", "--x", "cos(xi)", "--y", "2*x1", "--plot", "b.svg")
    text = (program.directory / "b.svg").read_text()
    assert "cos(ξ)" in text and "2·x" in text and "time t" not in text
    assert '"cos(psi)"' in program.refuses(2, "plot", "result.h5", "--x", "cos(psi)", "--y", "x1", "--plot", "b.svg")
    assert "x and y" in program.refuses(2, "plot", "result.h5", "--x", "x1", "--plot", "b.svg")
    assert "y" in program.refuses(2, "run", study, "--set", 'plot={ x = "x1" }', "--plot", "b.svg")


def test_the_motion_on_a_group_is_shown_in_space(program):
    program.good("run", "ball-on-turntable", "--method", "lobatto", "--start", "tumbling", "--step", "0.1", "--until", "20",
                 "--plot", "ball.svg")
    text = (program.directory / "ball.svg").read_text()
    # What this ball keeps is its moving energy; its contact and an axis of it draw paths.
    for word in ("moving energy error", "path in the plane", "third axis of R, from above", ">23<"):
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
    assert labels_of(text).count("x_2") == 1  # one pair of axes


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
    for word in ("energy error", "step h", "dla", "lobatto"):
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
    assert "energy error at the end" in text and "x^2 at the end" in labels_of(text) and text.count("members<") == 2
    assert "nonsense" in program.refuses(2, "plot", "result.h5", "--histogram", "nonsense", "--plot", "a.svg")
    program.good("run", "knife-edge", "--method", "dla", "--step", "0.1", "--until", "1", "--out", "single.h5")
    assert "ensemble" in program.refuses(2, "plot", "single.h5", "--histogram", "x1", "--plot", "a.svg")


ONE = ("--method", "lobatto", "--start", "rotating", "--step", "0.1", "--until", "10")


def test_run_takes_the_options_of_plot(program, study):
    program.good("run", study, "--out", "result.h5", "--plot", "a.svg", "--quantity", "x1", "--quantity", "xi_dot", "--error",
                 "--running-mean", "1", "--from", "1", "--to", "4", "--title", "Here")
    program.good("plot", "result.h5", "--plot", "b.svg", "--quantity", "x1", "--quantity", "xi_dot", "--error",
                 "--running-mean", "1", "--from", "1", "--to", "4", "--title", "Here")
    assert (program.directory / "a.svg").read_text() == (program.directory / "b.svg").read_text()
    program.good("run", study, "--plot", "c.svg", "--path", "x1", "x1_dot", "--path", "cos(xi)", "x2")
    labels = labels_of((program.directory / "c.svg").read_text())
    assert {"x_1", "cos(ξ)", "x_2"} <= set(labels) and "time t (nondimensional)" not in labels
    sentence = program.refuses(2, "run", study, "--quantity", "x1")
    assert "--quantity" in sentence and "--plot" in sentence


def test_an_option_that_says_how_keeps_what_the_study_shows(program, study):
    program.good("run", study, "--set", 'plot={ quantity = "x1", x_label = "of the study" }', "--plot", "a.svg", "--size", "9cm")
    labels = labels_of((program.directory / "a.svg").read_text())
    assert "x_1" in labels and "of the study" in labels
    program.good("run", study, "--set", 'plot={ quantity = "x1", y_label = "of the study" }', "--plot", "a.svg", "--quantity", "x2")
    labels = labels_of((program.directory / "a.svg").read_text())
    assert "x_2" in labels and "of the study" not in labels


def size_of(program, name):
    content = (program.directory / name).read_bytes()
    if name.endswith("png"):
        return struct.unpack(">II", content[16:24])
    if name.endswith("svg"):
        return tuple(int(n) for n in re.search(rb'width="(\d+)" height="(\d+)"', content).groups())
    # From PDF 1.5 on, objects may lie in compressed streams.
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", content, re.DOTALL):
        with contextlib.suppress(zlib.error):
            content += zlib.decompressobj().decompress(stream)
    return tuple(float(n) for n in re.search(rb"/MediaBox \[ *0 0 ([0-9.]+) ([0-9.]+)", content).groups())


# Dots of 1/300 inch, pixels of 1/96 inch, points of 1/72 inch, in whole numbers.
@pytest.mark.parametrize("name, per_inch", [("a.png", 300), ("a.svg", 96), ("a.pdf", 72)])
def test_a_picture_has_the_size_that_was_asked_for(program, name, per_inch):
    program.good("run", "pendulum-cvt", *ONE, "--plot", name, "--size", "8.5cmx6cm")
    width, height = size_of(program, name)
    assert abs(width - 8.5 / 2.54 * per_inch) <= 1 and abs(height - 6 / 2.54 * per_inch) <= 1


def test_the_look_as_options_and_as_keys(program):
    look = ("--size", "8.5cm", "--font-size", "7", "--x-range", "2:8", "--y-range", "-1:1", "--title", "Ours", "--x-label",
            "t (s)", "--y-label", "psi_dot (rad/s)", "--no-legend", "--quantity", "xi")
    program.good("run", "pendulum-cvt", *ONE, "--plot", "a.svg", *look)
    keys = ('{ size = "8.5cm", font_size = 7, x_range = [2, 8], y_range = [-1, 1], title = "Ours", x_label = "t (s)", '
            'y_label = "psi_dot (rad/s)", legend = false, quantity = "xi" }')
    program.good("run", "pendulum-cvt", *ONE, "--plot", "b.svg", "--set", "plot=" + keys)
    text = (program.directory / "a.svg").read_text()
    assert text == (program.directory / "b.svg").read_text()
    labels = labels_of(text)
    assert "Ours" in labels and "ψ\u0307 (rad/s)" in labels and "t (s)" in labels
    assert "lobatto" not in labels
    numbers = {float(label) for label in labels if re.fullmatch(r"-?[0-9.]+", label)}
    assert {2.0, 8.0, -1.0, 1.0} <= numbers and not numbers & {0.0 - 2, 10.0}


@pytest.mark.parametrize("options, words", [
    (("--size", "8.5"), ("--size", '"8.5"', "8.5cmx6cm")), (("--size", "8.5x6cm"), ("--size", "8.5cm")),
    (("--size", "1km"), ("--size", "cm")), (("--size", "8.5cmx2cm"), ("8.5 cm x 2 cm", "no room", "it needs")),
    (("--font-size", "100"), ("--font-size", "from 4 to 40")), (("--x-range", "3"), ("--x-range", '"3"', "0:10")),
    (("--x-range", "3:1"), ("--x-range", "from 3 to 1")), (("--y-range", "0:1"), ("y_range", "logarithmic")),
    (("--y-label", "E", "--quantity", "xi", "--quantity", "x1"), ("y_label", '"xi"', '"x1"'))])
def test_a_look_that_is_none_is_refused_before_the_run(program, options, words):
    sentence = program.refuses(2, "run", "pendulum-cvt", *ONE, "--plot", "a.svg", "--out", "a.h5", *options)
    for word in words:
        assert word in sentence, sentence
    assert not list(program.directory.iterdir())


def test_a_wrong_key_of_the_look_is_named_with_its_line(program, study):
    sentence = program.refuses(2, "run", study, "--set", 'plot={ size = "8.5" }', "--plot", "a.svg")
    assert "plot.size" in sentence and '"8.5"' in sentence


def first_picture(program, *arguments):
    program.good("run", *arguments, "--plot", "first.svg", "--force")
    return labels_of((program.directory / "first.svg").read_text())


def test_the_first_picture_of_a_driven_system_is_its_motion(program):
    run = ("--method", "gauss", "--step", "0.1", "--until", "5")
    labels = first_picture(program, "particle-driven", *run)  # forced by time: its energy changes
    assert {"x", "y"} <= set(labels) and not any("energy" in label for label in labels)
    assert "|energy error|" in first_picture(program, "particle-harmonic", *run)
    forced = """
coordinates = ["psi", "s_1"]
[lagrangian]
kinetic = "(psi_dot^2 + s_1_dot^2)/2"
[force]
psi = "-psi_dot/10"
[initial.start]
q = [0, 0]
v = [1, 1]
"""
    program.write("forced.toml", forced)
    labels = first_picture(program, "./forced.toml", *run)
    assert {"ψ", "s_1", "time t"} <= set(labels) and not any("energy" in label for label in labels)
    program.write("kept.toml", 'conserves = "energy"\n' + forced.replace("-psi_dot/10", "0*psi_dot"))
    assert "|energy error|" in first_picture(program, "./kept.toml", *run)


def test_the_legend_of_a_section_shows_points(program):
    program.good("run", "henon-heiles", "--method", "gauss", "--method", "dla01", "--step", "0.1", "--until", "100", "--set",
                 'diagnostic=[{kind="section",name="cut",of="x"}]', "--section", "cut", "--x", "y", "--y", "y_dot", "--plot", "a.svg")
    text = (program.directory / "a.svg").read_text()
    legend = text[text.index("gauss</tspan>"):]
    assert "<use xlink:href='#gpPt" in legend
    # A sample line of the legend would be a path from its left to its right end.
    assert not re.search(r"<path stroke='[^']*'\s+d='M[0-9.]+,[0-9.]+ L[0-9.]+,[0-9.]+  ' ?/>", legend), legend


def test_the_picture_of_orders_has_a_panel_for_each_method(program):
    program.good("order", "pendulum-cvt", "--method", "dla", "--method", "lobatto", "--start", "rotating", "--runs", "3", "--plot",
                 "a.svg", "--size", "17cm")
    labels = labels_of((program.directory / "a.svg").read_text())
    assert labels.count("dla") == 1 and labels.count("lobatto") == 1 and labels.count("step h") == 2
    assert {"error in q", "error in v", "error in λ"} <= set(labels)
    assert "no room" in program.refuses(2, "order", "pendulum-cvt", "--method", "dla", "--plot", "b.svg", "--size", "3cm")


def test_the_difference_from_the_start_is_shown_with_its_sign(program, study):
    program.good("run", study, "--out", "result.h5", "--plot", "a.svg", "--quantity", "energy", "--change")
    text = (program.directory / "a.svg").read_text()
    assert "energy less that at the start" in labels_of(text)
    assert any(label.startswith("-0.") for label in labels_of(text))
    program.good("plot", "result.h5", "--plot", "b.svg", "--quantity", "energy", "--change")
    assert (program.directory / "b.svg").read_text() == text
    assert "two manners" in program.refuses(2, "plot", "result.h5", "--plot", "c.svg", "--error", "--change")
    # One that is asked for takes the place of the other that the study has.
    changed = ("run", study, "--set", 'plot={ quantity = "energy", change = true }')
    program.good(*changed, "--plot", "d.svg")
    assert "energy less that at the start" in labels_of((program.directory / "d.svg").read_text())
    program.good(*changed, "--plot", "d.svg", "--force", "--error")
    assert "|energy error|" in labels_of((program.directory / "d.svg").read_text())
