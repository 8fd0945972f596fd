"""Parameters and steps as ranges."""

import pytest

pytestmark = pytest.mark.proof

STUDY = """
problem = "pendulum-cvt"
[initial]
name = "rotating"
[run]
step = 0.1
steps = 5
[[method]]
name = "dla01"
"""


def steps_of(program, *settings):
    words = [word for setting in settings for word in ("--set", setting)]
    return program.json("run", program.write("study.toml", STUDY), *words)["runs"]


def test_a_range_of_a_parameter(program):
    runs = steps_of(program, "parameters.epsilon={from=0, to='1/2', count=6}")
    values = [run["parameters"]["epsilon"] for run in runs]
    assert values[0] == 0.0 and values[-1] == 0.5 and len(values) == 6
    assert all(abs(value - 0.1 * i) < 1e-15 for i, value in enumerate(values))  # round-off


def test_a_range_of_steps_at_equal_ratios(program):
    steps = [run["step"] for run in steps_of(program, "run.step={from=0.2, to=0.025, count=4, spacing='logarithmic'}")]
    assert steps[0] == 0.2 and steps[-1] == 0.025
    assert all(abs(a / b - 2.0) < 1e-14 for a, b in zip(steps, steps[1:]))  # round-off


def test_ranges_that_are_none(program):
    path = program.write("study.toml", STUDY)
    for setting, words in (("{from=0, to=1}", '"count" is missing'), ("{from=0, to=1, count=1}", "count"),
                           ("{from=0, to=1, count=3, spacing='logarithmic'}", "two ends of the same sign"),
                           ("{from=0, to=1, count=3, by=2}", 'parameters.epsilon.by'), ("{from=0, to=1, count=3, spacing='log'}", "logarithmic")):
        assert words in program.refuses(2, "run", path, "--set", f"parameters.epsilon={setting}")
