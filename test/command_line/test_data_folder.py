"""The program finds its problems and studies from where it lies."""

import os
import pathlib

from conftest import PROGRAM

OWN = """name = "only"
coordinates = ["x"]
[lagrangian]
kinetic = "x_dot^2/2"
"""


def environment(**variables):
    return {name: value for name, value in os.environ.items() if name != "DALEMBERT_DATA"} | variables


def test_a_build_tree_has_the_data_without_being_told(program):
    with_hint, without = program.run("list", "problems"), program.run("list", "problems", env=environment())
    assert without.returncode == 0 and without.stdout == with_hint.stdout and "snakeboard" in without.stdout


def test_a_folder_that_is_named_comes_first(program):
    (program.directory / "mine/problems").mkdir(parents=True)
    program.write("mine/problems/only.toml", OWN)
    result = program.run("list", "problems", env=environment(DALEMBERT_DATA=str(program.directory / "mine")))
    assert result.returncode == 0 and "only" in result.stdout and "snakeboard" not in result.stdout


def test_no_path_of_the_builder_is_in_the_program():
    root = os.environ["DALEMBERT_DATA"].encode()
    file = pathlib.Path(PROGRAM)
    for part in [file, *file.parent.glob("../lib*/libdalembert*.so"), *file.parent.glob("../src/libdalembert*.so")]:
        content = part.read_bytes()
        # What a debugger reads names the sources.
        assert b".debug_info" in content or root not in content, part
