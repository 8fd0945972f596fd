"""The package itself: its stubs, its types, its memory, its page."""

import ast
import inspect
import os
import pathlib
import re
import subprocess
import sys
import warnings

import pytest

import dalembert as dal
from dalembert import _core

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def test_stubs_have_what_the_compiled_part_has():
    tree = ast.parse((ROOT / "python/dalembert/_core.pyi").read_text())
    stubs = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    there = {name for name in dir(_core) if not name.startswith("_")}
    assert set(stubs) | {"version"} == there
    for name, node in stubs.items():
        if isinstance(node, ast.ClassDef):
            shown = {"__init__", "__len__", "__add__", "__rmul__", "__pow__", "__neg__", "__float__"}
            members = {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
            members |= {member.target.id for member in node.body if isinstance(member, ast.AnnAssign)}
            members = {key for key in members if not key.startswith("_") or key in shown}
            own = {key for key in vars(getattr(_core, name)) if not key.startswith("_") or key in shown}
            # Without a constructor pybind11 makes one that refuses.
            assert members | {"__init__"} == own | {"__init__"}, name


def test_everything_public_says_what_it_is():
    for name in dal.__all__:
        thing = getattr(dal, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert inspect.getdoc(thing), name
        if inspect.isclass(thing):
            for key, member in vars(thing).items():
                if not key.startswith("_") and (inspect.isfunction(member) or isinstance(member, property)):
                    assert inspect.getdoc(member), f"{name}.{key}"


def strict_types(*paths):
    """mypy as this Python has it, or the system's."""
    own = pathlib.Path(sys.executable).with_name("mypy")
    command = [own if own.exists() else "mypy", "--config-file", ROOT / "python/mypy.ini", "--cache-dir=/dev/null",
               "--python-executable", sys.executable, *paths]
    checked = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"MYPYPATH": str(ROOT / "python")})
    assert checked.returncode == 0, checked.stdout + checked.stderr


PROGRAMS = sorted((ROOT / "example/python").glob("*.py"))


def test_types_are_strict():
    assert len(PROGRAMS) >= 8
    strict_types(ROOT / "python/dalembert", *PROGRAMS)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_programs_run(program, tmp_path):
    run = subprocess.run([sys.executable, "-W", "error", program], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0 and run.stdout, run.stderr


def test_problems_and_results_leave_nothing_behind(grown):
    def work(count):
        for _ in range(count):
            problem = dal.load("pendulum-cvt")
            dal.run(problem, "leapfrog", step=0.1, until=10, start="rotating")

    work(50)
    # A system, its compiled step and 101 records are some 200 kB: 300 of them would be 60 MB.
    assert grown(work, 300) < 6_000


@pytest.mark.parametrize("page, least", [("doc/python.md", 11), ("doc/compare.md", 1), ("doc/sensitivity.md", 3), ("doc/steady-motions.md", 1), ("doc/animation.md", 1), ("README.md", 1)])
def test_examples_of_the_pages_run(tmp_path, monkeypatch, page, least):
    examples = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    assert len(examples) >= least
    monkeypatch.chdir(tmp_path)
    names = {}
    with warnings.catch_warnings():
        warnings.simplefilter("default", dal.Caution)
        for example in examples:
            exec(compile(example, page, "exec"), names)
