"""Lists, pages and help."""

import os
from pathlib import Path

import pytest

DATA = Path(os.environ.get("DALEMBERT_DATA", Path(__file__).resolve().parents[2]))
PROBLEMS = sorted(path.stem for path in (DATA / "problems").glob("*.toml"))


@pytest.mark.parametrize("command", [[], ["list"], ["describe"], ["run"], ["plot"], ["resume"]])
def test_help_shows_an_example(program, command):
    assert "Example" in program.good(*command, "--help").stdout


def test_version(program):
    assert program.good("--version").stdout.startswith("dalembert ")


def test_lists(program):
    text = program.good("list").stdout
    for word in ["pendulum-cvt", "dla01", "modin-verdier-2020/figure-6"]:
        assert word in text
    assert "dla01" not in program.good("list", "problems").stdout
    program.refuses(2, "list", "things")


def test_claims_are_found_by_what_they_are_about(program):
    lines = program.good("list", "claims").stdout.splitlines()
    assert any(line.startswith("  001-B.5 ") and " fails: " in line for line in lines)
    page = program.good("describe", "hamel").stdout.split("Claims about it")[1]
    assert "holds: lit-1.3" in page and "fails" not in page
    assert "fails: 001-B.5" in program.good("describe", "gauss").stdout
    assert "holds: lit-4.2" in program.good("describe", "ball-on-sphere").stdout
    assert "Claims about it" not in program.good("describe", "witness-free").stdout


@pytest.mark.parametrize("problem", PROBLEMS)
def test_every_problem_has_a_page(program, problem):
    text = program.good("describe", problem).stdout
    for word in [problem, "Source", "Starts", "Methods that fit"]:
        assert word in text


def test_every_method_has_a_page(program):
    lines = program.good("list", "methods").stdout.splitlines()[1:]
    assert len(lines) >= 3
    for line in lines:
        text = program.good("describe", line.split()[0]).stdout
        for word in ["Source", "Equations", "Properties", "Needs"]:
            assert word in text, (line, word)


def test_a_page_of_a_method_with_options_says_what_holds_for_them(program):
    text = program.good("describe", "lobatto(stages=4)").stdout
    assert "Properties of lobatto(stages=4)" in text and "order 6 in q and v" in text
    message = program.refuses(2, "describe", "lobatto(stages=40)")
    assert 'option "stages" of method "lobatto" is 40' in message


def test_a_splitting_is_printed_as_its_pieces(program):
    text = program.good("describe", "driver-splitting").stdout
    assert "one step: pass(h/2) drift(h) pass(h/2)" in text
    text = program.good("describe", "compose").stdout
    assert "dla01(h):" in text and "one step: dla01(1.35" in text


def test_a_pair_is_judged(program):
    assert "can be used" in program.good("describe", "dla", "--with", "knife-edge").stdout
    text = program.good("describe", "leapfrog", "--with", "chaplygin-sleigh").stdout
    assert "cannot be used" in text and "dla" in text


def test_the_library_can_lie_elsewhere(program):
    (program.directory / "problems").mkdir()
    program.write("problems/mine.toml", 'description = "Mine."\ncoordinates = ["x"]\n[lagrangian]\nkinetic = "x_dot^2"\n')
    result = program.run("list", "problems", env={**os.environ, "DALEMBERT_DATA": str(program.directory)})
    assert "mine" in result.stdout and "knife-edge" not in result.stdout


def test_methods_have_pages_under_their_other_names(program):
    page = program.good("describe", "exact-discrete-average").stdout
    assert "exact-discrete-average: newmark(constraint=average), for constant mass" in page
    assert "Properties of exact-discrete-average" in page
    assert program.good("describe", "rattle").stdout == program.good("describe", "leapfrog").stdout
    assert "rattle" in program.good("list", "methods").stdout
    assert 'did you mean "energy-momentum"?' in program.run("describe", "energy-momentumm").stderr
    page = program.good("describe", "lobatto(stages=4, multiplier=carried)").stdout
    assert "that multiplier grows at sigma/3 and leads them away" in page
