"""What the pages show is what the program does."""

import pathlib
import re

import pytest

DOCUMENTS = pathlib.Path(__file__).resolve().parent.parent.parent / "doc"


def tomls(page):
    return re.findall(r"```toml\n(.*?)```", (DOCUMENTS / page).read_text(), re.DOTALL)


def first_toml(page):
    return tomls(page)[0]


def test_the_study_of_the_page_about_studies_runs(program):
    path = program.write("study.toml", first_toml("studies.md"))
    result = program.json("run", path)
    assert [run["label"] for run in result["runs"]] == ["dla(alpha=0.4)", "Lobatto"] * 2
    assert {run["parameters"]["epsilon"] for run in result["runs"]} == {0.0, 0.5}


@pytest.mark.parametrize("key", re.findall(r"^\| `\[run\] (\w+)`", (DOCUMENTS / "studies.md").read_text(), re.MULTILINE))
def test_keys_of_a_run_exist(program, study, key):
    values = {"step": "0.1", "until": "1", "steps": "10", "record_every": "2", "compensated": "true", "wrap_angles": "false",
              "native": '"auto"', "strict": "true", "no_events": "true", "tolerance": "1e-3",
              "every": "0.03", "at": "[0.5, 1]", "tolerance_until": "1"}
    replaced = {"until": "steps = 50", "tolerance": "step = 0.1\nsteps = 50"}.get(key, "")
    text = (program.directory / study).read_text().replace(replaced, "until = 5" if key == "tolerance" else "")
    path = program.write("study.toml", text)
    program.good("run", path, "--set", f"run.{key}={values[key]}")


def test_the_skate_of_the_page_for_newcomers_runs(program):
    program.write("skate.toml", first_toml("coming-from.md"))
    [run] = program.json("run", "./skate.toml", "--method", "dla", "--step", "0.1", "--until", "100")["runs"]
    assert run["diagnostics"]["constraint_max"] < 1e-14  # round-off of velocities of size 1


def test_the_tests_that_the_page_about_faults_names_exist():
    here, page = pathlib.Path(__file__).resolve().parent, (DOCUMENTS / "reliability.md").read_text()
    tests, targets = set(re.findall(r"`([\w/]*test_\w+\.py)`", page)), set(re.findall(r"`fuzz_(\w+)`", page))
    assert len(tests) > 8 and len(targets) == 4
    for test in tests:
        assert (here / test).exists() or (here.parent.parent / test).exists(), test
    for target in targets:
        assert (here.parent / "fuzz" / f"{target}_fuzz.cpp").exists(), target


def test_the_coin_of_the_page_for_newcomers_runs(program):
    program.write("coin.toml", tomls("coming-from.md")[1])
    [run] = program.json("run", "./coin.toml", "--method", "gauss", "--step", "0.01", "--until", "10", "--strict")["runs"]
    # gauss with two stages keeps neither exactly; its error is of fourth order, 1e-8 times what the motion has in derivatives.
    assert run["diagnostics"]["constraint_max"] < 1e-7 and run["diagnostics"]["energy_error_max"] < 1e-7


BALL = """
coordinates = ["x", "y", "R in SO(3)"]
gravity = [0, 0, -1]
[vectors]
centre = ["x", "y", 1]
out = ["a*R[1,3]", "a*R[2,3]", "a*R[3,3]"]
[parameters]
a = 0.25
[[body]]
name = "ball"
mass = 1
inertia = [0.4, 0.4, 0.4]
position = "centre - out"
rotation = "R"
[[contact]]
name = "ground"
body = "ball"
kind = "rolling"
"""


def test_a_contact_takes_its_point_as_the_page_says(program):
    page = (DOCUMENTS / "how-to-add-a-problem.md").read_text()
    [row] = re.findall(r"^\| `point` \|.*$", page, re.MULTILINE)
    assert "Without a `shape` it is required" in row and "With a `shape`: the centre of the shape" in row
    # Beside a shape: the centre, so that the ball of radius 1 about it touches at all positions, and the height is no constraint.
    program.write("ball.toml", BALL + 'shape = { sphere = 1 }\npoint = [0, 0, "a"]\n')
    text = program.good("describe", "./ball.toml").stdout
    assert "constraint 2 (ground_2)" in text and "constraint 3" not in text
    # Without it the centre of mass is that of the shape, which leaves the plane as the ball turns: a constraint on positions.
    program.write("other.toml", BALL + "shape = { sphere = 1 }\n")
    text = program.good("describe", "./other.toml").stdout
    assert "constraint 3 (ground_3)" in text
    # Without a shape there is no point but the one that is given.
    program.write("none.toml", BALL)
    assert "needs a point of the body, or a shape" in program.refuses(2, "describe", "./none.toml")
