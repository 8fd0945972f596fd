"""What the pages show is what the program does."""

import pathlib
import re

import pytest

DOCUMENTS = pathlib.Path(__file__).resolve().parent.parent.parent / "doc"


def first_toml(page):
    return re.search(r"```toml\n(.*?)```", (DOCUMENTS / page).read_text(), re.DOTALL).group(1)


def test_the_study_of_the_page_about_studies_runs(program):
    path = program.write("study.toml", first_toml("studies.md"))
    result = program.json("run", path)
    assert [run["label"] for run in result["runs"]] == ["dla(alpha=0.4)", "Lobatto"] * 2
    assert {run["parameters"]["epsilon"] for run in result["runs"]} == {0.0, 0.5}


@pytest.mark.parametrize("key", re.findall(r"^\| `\[run\] (\w+)`", (DOCUMENTS / "studies.md").read_text(), re.MULTILINE))
def test_keys_of_a_run_exist(program, study, key):
    values = {"step": "0.1", "until": "1", "steps": "10", "record_every": "2", "compensated": "true", "wrap_angles": "false", "strict": "true", "tolerance": "1e-3",
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
