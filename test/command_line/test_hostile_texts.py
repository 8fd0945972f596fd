"""Short texts that ask for much are refused in one sentence that names the limit, or done; memory is limited to 1 GB."""

import os
import resource
import subprocess

import pytest

from conftest import PROGRAM

pytestmark = pytest.mark.proof

GIGABYTE = 10**9

PROBLEM = """
name = "small"
description = "A particle with a constraint, and three free ones."
source = "none"
coordinates = ["x", "y", "w[1..3]"]
[parameters]
a = { default = 1, min = -1000, max = 1000, description = "none" }
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2 + sum(i, 1, 3, w_dot[i]^2))/2"
potential = "x^2"
[constraints]
expressions = ["y_dot - x*x_dot"]
[initial.here]
q = [0.1, 0.2, 0.3, 0.4, 0.5]
v = [0, 0, 0, 0, 0]
"""

STUDY = """
problem = "problem.toml"
[initial]
name = "here"
[run]
step = 0.1
steps = 5
[[method]]
name = "dla"
"""


def limit_memory():
    if "ASAN_OPTIONS" not in os.environ:  # a sanitizer takes terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (GIGABYTE, GIGABYTE))


def run(directory, *arguments):
    """Runs with little memory; the patience is for hangs only."""
    return subprocess.run([PROGRAM, *arguments], cwd=directory, capture_output=True, text=True, timeout=300, preexec_fn=limit_memory)


def check(result, words):
    """Refused with one sentence that has the words; with None: done, even if only to see that the numbers refuse."""
    if words is None:
        assert result.returncode in (0, 3), (result.returncode, result.stderr)
        return
    assert result.returncode == 2, (result.returncode, result.stderr[-500:])
    sentences = [line for line in result.stderr.splitlines()
                 if line.startswith("dalembert: ") and not line.startswith("dalembert: warning: ")]
    assert len(sentences) == 1, result.stderr[-500:]
    for word in words:
        assert word in sentences[0], sentences[0]
    assert result.stdout == ""


def nested(opening, inside, closing, depth):
    return opening * depth + inside + closing * depth


SUM = "sum(i, 1, 100000, "
NESTED_SUM = "sum(i, 1, 300, sum(j, 1, 300, sin(i*j*x)))"
METHODS = nested("adjoint(base=", "dla", ")", 100)
NODES = ["--most-nodes"]
NESTING = ["nested more than", "levels deep"]

# The potential of a problem: what is said about it.
POTENTIALS = {
    "a long sum": (SUM + "sin(i*x))", NODES),
    "a long sum of sums": ("sum(i, 1, 1000, sum(j, 1, 1000, sin(i*j*x)))", ["100000 terms"]),
    "a sum of sums": (NESTED_SUM, None),
    "sums side by side": ("+".join(["sum(i, 1, 20000, sin(i*x))"] * 100), ["terms"]),
    "a sum that is a number": (SUM + "1)", None),
    "a sum that lacks a parenthesis": (SUM + "sin(i*x)", ["expected ')'"]),
    "a sum of a long text": (SUM + "+".join(["sin(i*x)"] * 200) + ")", NODES),
    "a sum over a billion": ("sum(i, 1, 1000000000, x)", ["100000 terms"]),
    "a sum over too large numbers": ("sum(i, 1, 1e300, x)", ["whole number"]),
    "parentheses": (nested("(", "x", ")", 1900), NESTING),
    "parentheses that do not close": ("(" * 3900, NESTING),
    "brackets": ("[" * 3900, NESTING),
    "functions in functions": (nested("sin(", "x", ")", 700), NESTING),
    "roots in roots": (nested("sqrt(1+", "x", ")", 190), None),
    "powers of powers": ("x" + "^x" * 1900, NESTING),
    "a large power": ("x^1000000", None),
    "large powers of large powers": ("((x^1000000)^1000000)^1000000", None),
    "signs": ("-" * 3900 + "x", None),
    "a power of a sum": ("(" + "+".join(["x", "y"] * 900) + ")^20", None),
    "a product that grows": ("*".join(["(x+y)"] * 600), None),
    "squares of squares": (nested("(", "x+y", ")^2", 190), None),
    "a number of many digits": ("1" * 3900, ["too large"]),
    "many small numbers": ("+".join(["1e-300"] * 500), None),
    "a long name": ("n" * 3900, ["unknown name"]),
    "derivatives of quotients of quotients": (nested("(1/(2+x*", "y", "))", 95), None),
}


@pytest.mark.parametrize("name", POTENTIALS)
def test_potentials(tmp_path, name):
    potential, words = POTENTIALS[name]
    (tmp_path / "problem.toml").write_text(PROBLEM.replace('"x^2"', f'"{potential}"'))
    (tmp_path / "study.toml").write_text(STUDY)
    check(run(tmp_path, "run", "study.toml", "--quiet"), words)


# What is replaced in the problem, by what: what is said about it.
PROBLEMS = {
    "an array of a billion": ("w[1..3]", "w[1..1000000000]", ["1000000000 entries", "--most-coordinates"]),
    "arrays within the limit, beyond it together": ('"w[1..3]"', '"w[1..3000]", "u[1..3000]"', ["--most-coordinates"]),
    "a thousand coordinates that are all coupled": (
        ("w[1..3]", "sum(i, 1, 3, w_dot[i]^2))/2"), ("w[1..1000]", "sum(i, 1, 1000, w_dot[i]^2) + sum(i, 1, 1000, w_dot[i])^2)/2"), NODES),
    "each with long sums": ('"y_dot - x*x_dot"', '"each(k, 1, 10000, sum(i, 1, 10000, i*k*x_dot))"', NODES),
    "each too often": ('"y_dot - x*x_dot"', '"each(k, 1, 1000000, k*x_dot)"', ["10000 times"]),
}


@pytest.mark.parametrize("command", ["run", "describe"])
@pytest.mark.parametrize("name", PROBLEMS)
def test_problems(tmp_path, name, command):
    old, new, words = PROBLEMS[name]
    text = PROBLEM
    for before, after in zip(old, new) if isinstance(old, tuple) else [(old, new)]:
        assert before in text
        text = text.replace(before, after)
    (tmp_path / "problem.toml").write_text(text)
    (tmp_path / "study.toml").write_text(STUDY)
    check(run(tmp_path, command, "study.toml" if command == "run" else "./problem.toml"), words)


TWENTY = "[" + ",".join(str(i) for i in range(20)) + "]"
EIGHT = "\n".join(f"p{i} = {TWENTY}" for i in range(8))

# What is added to the study: what is said about it.
STUDIES = {
    "eight parameters of twenty values": ("[parameters]\n" + EIGHT, ["2.56e+10 runs", "--most-runs"]),
    "a range of a million": ("[parameters]\np1 = { from = 0, to = 1, count = 1000000 }", ["count", "10000"]),
    "ranges that multiply": ("[parameters]\n" + "\n".join(f"p{i} = {{ from = 0, to = 1, count = 1000 }}" for i in range(3)), ["--most-runs"]),
    "methods in methods": (f'[[method]]\nname = "{METHODS}"', NESTING),
    "a diagnostic of a long sum": (f'[[diagnostic]]\nkind = "expression"\nname = "d"\nexpression = "{SUM}sin(i*x))"', None),
    "diagnostics of sums that are long together": (
        "".join(f'[[diagnostic]]\nkind = "expression"\nname = "d{i}"\nexpression = "sum(i, 1, 30000, sin({i}*i*x))"\n' for i in range(20)), NODES),
    "a section of a long sum": (f'[[diagnostic]]\nkind = "section"\nof = "{SUM}sin(i*x))"', None),
    "nested arrays": ("[parameters]\np1 = " + nested("[", "1", "]", 1900), [""]),
}


@pytest.mark.parametrize("name", STUDIES)
def test_studies(tmp_path, name):
    added, words = STUDIES[name]
    parameters = "".join(f"p{i} = {{ default = 1, min = 0, max = 100, description = \"none\" }}\n" for i in range(8))
    (tmp_path / "problem.toml").write_text(PROBLEM.replace("[parameters]\n", "[parameters]\n" + parameters))
    (tmp_path / "study.toml").write_text(STUDY + added)
    check(run(tmp_path, "run", "study.toml"), words)


# Arguments of the program: what is said about them.
ARGUMENTS = {
    "a step": (["--set", "run.step='" + SUM + "sin(i))/1e9'"], None),
    "a step without an end": (["--set", "run.step='" + SUM + "sin(i)'"], [""]),
    "a list of steps": (["--set", "run.step={from=0.1, to=0.01, count=1000000000}"], ["count"]),
    "a method": (["--set", f"method.0.name='{METHODS}'"], NESTING),
    "an option of a method": (["--set", "method.0.alpha='" + nested("(", "0.4", ")", 900) + "'"], [""]),
    "tables in tables": (["--set", "run." + "a." * 1500 + "b=1"], [""]),
    "a table within itself": (["--set", "run.step=" + nested("{a=", "1", "}", 900)], [""]),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments(tmp_path, name):
    arguments, words = ARGUMENTS[name]
    (tmp_path / "problem.toml").write_text(PROBLEM)
    (tmp_path / "study.toml").write_text(STUDY)
    check(run(tmp_path, "run", "study.toml", "--quiet", *arguments), words)


def test_an_option_raises_each_limit(tmp_path):
    (tmp_path / "problem.toml").write_text(PROBLEM.replace('"x^2"', '"sum(i, 1, 300, sin(i*x))/100000"'))
    (tmp_path / "study.toml").write_text(STUDY.replace("0.1", "[0.1, 0.2]"))
    for option, too_few, enough in (("--most-nodes", "300", "100000"), ("--most-coordinates", "2", "3"), ("--most-runs", "1", "2")):
        check(run(tmp_path, "run", "study.toml", option, too_few), [option])
        check(run(tmp_path, "run", "study.toml", option, enough), None)


def test_a_large_member_of_a_family_is_no_hostile_text(tmp_path):
    initial = 'q = [0.1, "each(i, 1, 2*n, 0.1)"]\nv = [0, "each(i, 1, 2*n, 0)"]\n[sizes]\nn = 150'
    (tmp_path / "study.toml").write_text(STUDY.replace("problem.toml", "chaotic").replace('name = "here"', initial))
    check(run(tmp_path, "run", "study.toml"), None)


# What the other commands make of a potential: a method's step, its derivatives in high precision, rates of change.
COMMANDS = {
    "describe": ["describe", "./problem.toml"],
    "order": ["order", "study.toml", "--runs", "3"],
    "audit": ["audit", "dla", "--problem", "./problem.toml"],
    "modified": ["modified", "./problem.toml", "--method", "dla", "--points", "1", "--terms", "0", "--window", "1"],
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", [name for name, (_, words) in POTENTIALS.items() if words is not None])
def test_other_commands_refuse_the_same_potentials(tmp_path, name, command):
    potential, words = POTENTIALS[name]
    (tmp_path / "problem.toml").write_text(PROBLEM.replace('"x^2"', f'"{potential}"'))
    (tmp_path / "study.toml").write_text(STUDY)
    check(run(tmp_path, *COMMANDS[command]), words)


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.night] if name == "a sum of sums" else [])
                                  for name, (_, words) in POTENTIALS.items() if words is None])
def test_describe_takes_what_a_run_takes(tmp_path, name):
    (tmp_path / "problem.toml").write_text(PROBLEM.replace('"x^2"', f'"{POTENTIALS[name][0]}"'))
    check(run(tmp_path, "describe", "./problem.toml"), None)


HUNDRED_TERMS = PROBLEM.replace('"x^2"', '"sum(i, 1, 100, sin(i*x))"')


@pytest.mark.parametrize("command, nodes, words", [
    ("order ./problem.toml --method gauss(stages=8) --step 0.1", 10000, ["gauss(stages=8)"]),
    ("modified ./problem.toml --method gauss(stages=8) --step 0.1", 10000, ["gauss(stages=8)"]),
    ("audit gauss(stages=8) --problem ./problem.toml", 10000, ["the audit's own solution of small"]),
    ("audit gauss(stages=8) --problem ./problem.toml", 18500, ["gauss(stages=8)", "its step asks for too much"]),
    ("audit gauss(stages=8) --problem ./problem.toml --problem pendulum-cvt", 10000, ["the audit's own solution of small"]),
])
def test_a_step_that_asks_for_too_much_is_refused_everywhere(tmp_path, command, nodes, words):
    (tmp_path / "problem.toml").write_text(HUNDRED_TERMS)
    check(run(tmp_path, "describe", "./problem.toml", "--most-nodes", "10000"), None)
    check(run(tmp_path, *command.split(), "--most-nodes", str(nodes)), NODES + words)


def test_an_audit_leaves_out_what_asks_for_too_much(tmp_path):
    (tmp_path / "problem.toml").write_text(HUNDRED_TERMS)
    result = run(tmp_path, "audit", "gauss(stages=8)", "--problem", "./problem.toml", "--problem", "particle-free", "--most-nodes", "18500")
    assert result.returncode in (0, 1), result.stderr


def test_plots_of_expressions_that_ask_for_too_much_are_refused(tmp_path):
    (tmp_path / "problem.toml").write_text(PROBLEM)
    (tmp_path / "study.toml").write_text(STUDY)
    check(run(tmp_path, "run", "study.toml", "--quiet", "--out", "result.h5"), None)
    for expression, words in (("sum(i, 1, 10000, sin(i*x))", NODES), (POTENTIALS["sums side by side"][0], [])):
        check(run(tmp_path, "plot", "result.h5", "--plot", "p.svg", "--x", expression, "--y", "y", "--most-nodes", "20000"), words)
        check(run(tmp_path, "run", "study.toml", "--plot", "p.svg", "--set", f"plot.x='{expression}'", "--set", "plot.y='y'",
                  "--most-nodes", "20000"), words)
    assert not (tmp_path / "p.svg").exists()
