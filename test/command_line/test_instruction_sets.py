"""Every instruction set gives the same result files; what the machine lacks is refused in a sentence."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tool"))
from compare_results import differences  # noqa: E402

SETS = ["portable", "v2", "v3", "v4"]
# What the work depends on is how members share blocks.
WORK = ["work", "seconds", "newton_iterations"]

ENSEMBLE = """
problem = "chaotic"
[sizes]
n = 3
[ensemble]
size = 20
seed = 1
energy = 3.06
[run]
step = 0.1
steps = 100
record_every = 10
[[method]]
name = "dla01"
[[method]]
name = "dla"
"""


def available(program, study):
    """The sets that this machine has; of the others the refusal must say so."""
    found = []
    for name in SETS:
        result = program.run("run", study, "--instruction-set", name)
        if result.returncode == 0:
            found.append(name)
        else:
            assert result.returncode == 2 and "this machine lacks instruction set" in result.stderr
    assert found[0] == "portable"
    return found


@pytest.mark.parametrize("command, text", [("run", None), ("ensemble", ENSEMBLE)])
def test_every_set_gives_the_same_files(program, study, command, text):
    file = study if text is None else program.write("ensemble.toml", text)
    sets = available(program, study)
    for name in sets:
        program.good(command, file, "--instruction-set", name, "--json", f"{name}.json", "--out", f"{name}.h5")
    program.good(command, file, "--json", "default.json", "--out", "default.h5")
    for name in [*sets, "default"]:
        for kind in ("json", "h5"):
            first, other = (program.directory / f"{label}.{kind}" for label in ("portable", name))
            assert differences(first, other, WORK) == []


def test_a_result_is_resumed_with_another_set(program, study):
    best = available(program, study)[-1]
    program.good("run", study, "--out", "whole.h5", "--set", "run.steps=80")
    program.good("run", study, "--out", "resumed.h5")
    program.good("resume", "resumed.h5", "--until", "8", "--instruction-set", best)
    found = differences(program.directory / "whole.h5", program.directory / "resumed.h5", [*WORK, "@study"])
    assert found == []


def test_an_unknown_set_is_refused(program, study):
    sentence = program.refuses(2, "run", study, "--instruction-set", "v5", "--out", "result.h5")
    assert '"v5"' in sentence and "portable, v2, v3 and v4" in sentence
    assert not (program.directory / "result.h5").exists()


def test_the_comparison_finds_one_bit(program, study):
    program.good("run", study, "--json", "a.json", "--out", "a.h5")
    program.good("run", study, "--json", "b.json", "--out", "b.h5", "--set", "run.step=0.1000000000000001")
    for kind in ("json", "h5"):
        assert differences(program.directory / f"a.{kind}", program.directory / f"b.{kind}", [*WORK, "study", "step"])
