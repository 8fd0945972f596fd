"""Steps printed in C: compiled alone, they leave the bits of the program's own."""
import json
import pathlib
import platform
import re
import shutil
import subprocess

import pytest

MAIN = """
#include "step.h"
#include <stdio.h>
int main(void) {
  static step_motion motion;
  int status, i;
  step_START(&motion);
  motion.step_size = STEP;
  step_begin(&motion);
  status = step_advance(&motion, STEPS / 2);
  if (status == 0) status = step_advance(&motion, STEPS - STEPS / 2);
  printf("%d %llu %llu %a %a", status, motion.steps, motion.iterations, motion.t, step_energy(&motion));
  for (i = 0; i < (int)(sizeof motion.q / sizeof *motion.q); ++i) printf(" %a", step_coordinate(&motion, i));
  REST
  return 0;
}
"""

EVERY_FUNCTION = """
name = "every-function"
coordinates = ["x", "y", "z"]
[parameters]
k = 0.5
[lagrangian]
kinetic = "(x_dot^2 + (1 + exp(-x^2))*y_dot^2 + (2 + tanh(y))*z_dot^2)/2"
potential = "x^2 + y^2 + z^2 + k*(sqrt(1 + x^2) + sin(x)*cos(y) + tan(x/9) + asin(x/9) + acos(y/9) + atan(z) + atan2(y, 3 + x^2) + sinh(z/5) + cosh(y/5) + log(2 + x^2) + abs(y)^3 + (3 + z^2)^1.5)"
[constraints]
expressions = ["x_dot - y*z_dot*cos(t)"]
[initial.start]
q = [0.3, -0.2, 0.4]
v = [0, 0.1, 0]
"""

# Explicit and implicit steps, what is carried, sums, groups, tables, time, nonlinear and affine constraints, skew-gradient form.
PAIRS = [
    ("dla01", "pendulum-cvt", 0.1),
    ("leapfrog", "pendulum-cvt", 0.1),
    ("leapfrog(first=drift)", "pendulum-cvt", 0.1),
    ("leapfrog(first=drift)", "affine-particle", 0.1),
    ("dla(alpha=0.3)", "pendulum-cvt", 0.1),
    ("discrete-derivative", "pendulum-cvt", 0.1),
    ("discrete-derivative(gradient=mean-value)", "pendulum-cvt", 0.1),
    ("newmark", "pendulum-cvt", 0.1),
    ("velocity-dla", "pendulum-cvt", 0.1),
    ("reduced-gradient", "pendulum-cvt", 0.1),
    ("gonzalez-full", "pendulum-cvt", 0.1),
    ("energy-collocation", "pendulum-cvt", 0.1),
    ("lobatto(stages=3)", "pendulum-cvt", 0.1),
    ("lobatto(stages=4)", "chaotic", 0.1),
    ("spark(stages=3)", "chaotic", 0.1),
    ("runge-kutta-4", "chaotic", 0.05),
    ("gauss(stages=3)", "chaotic", 0.1),
    ("radau-iia(stages=2)", "chaotic", 0.1),
    ("gauss(stages=4)", "chaotic", 0.2),  # stages by sweeps from here on
    ("gauss(stages=9, coordinates=quasi-velocity)", "pendulum-cvt", 0.4),
    ("radau-iia(stages=4)", "chaotic", 1.5),  # and by Newton's iteration where they do not converge
    ("gauss(stages=6)", "every-function.toml", 0.02),
    ("energy-collocation(stages=3)", "chaotic", 0.2),
    ("energy-collocation(stages=4)", "pendulum-cvt", 0.4),
    ("fehlberg-78(tolerance=0)", "chaotic", 0.1),
    ("lobatto(stages=2)", "rattleback-so3", 0.002),
    ("lie-lobatto", "chaplygin-ball", 0.05),
    ("gauss(stages=3)", "suslov-so3", 0.1),  # in a chart around the middle of the step
    ("chart(base=energy-collocation)", "suslov-so3", 0.1),
    ("lie-newmark", "rigid-body-so3", 0.05),
    ("lobatto(stages=2)", "appell-hamel", 0.01),
    ("frame-splitting", "knife-edge", 0.05),
    ("driver-splitting", "pendulum-cvt", 0.05),
    ("speed-splitting", "chaotic", 0.05),
    ("compose(base=dla01)", "pendulum-cvt", 0.05),
    ("adjoint(base=dla01)", "pendulum-cvt", 0.05),
    ("shake", "spherical-pendulum", 0.05),
    ("lobatto(stages=2)", "witness-timed", 0.05),
    ("dla01", "witness-affine-time", 0.05),
    ("dla", "every-function.toml", 0.02),
    ("lobatto(stages=3)", "every-function.toml", 0.02),
    ("gauss(stages=2)", "every-function.toml", 0.02),
]


def compiler(*names):
    found = next((path for path in map(shutil.which, names) if path), None)
    if found is None:
        pytest.fail(f"needs a C compiler: {' or '.join(names)}")
    return found


def built(folder, header, start, step, steps, flags=("-O1",), cc=None):
    """The numbers that a program around the header prints, after as many steps."""
    rest = "".join(
        f'for (i = 0; i < (int)(sizeof motion.{member} / sizeof *motion.{member}); ++i) printf(" %a", motion.{member}[i]);\n'
        for member in ("v", "lambda") if f" {member}[" in header)
    text = MAIN.replace("START", start).replace("STEPS", f"{steps}u").replace("STEP;", f"{step!r};").replace("REST", rest)
    (folder / "step.h").write_text(header)
    (folder / "main.c").write_text(text)
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
    command = [cc or compiler("cc", "gcc", "clang"), *warnings, *flags, "main.c", "-o", "stepping", "-lm"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:2000]
    return subprocess.run([folder / "stepping"], check=True, capture_output=True, text=True).stdout.split()


def first_start(header):
    return re.search(r"step_(start_\w+)\(", header).group(1)


def check_bits(program, method, problem, step, steps, *, export=(), run=(), **compiling):
    """Compiles and runs the steps, and compares with what the program computes."""
    header = program.good("export", method, problem, "--c", "--prefix", "step", *export).stdout
    words = built(program.directory, header, first_start(header), step, steps, **compiling)
    result = program.json("run", problem, "--method", method, "--step", repr(step), "--steps", steps, *run)["runs"][0]
    final = result["final"]
    assert words[:3] == ["0", str(steps), str(result["work"]["newton_iterations"])]
    assert float.fromhex(words[3]) == final["t"]
    printed, numbers = [float.fromhex(word) for word in words[5:]], final["q"] + final["v"] + final["lambda"]
    # Where a method has no multipliers, a run reports the continuous ones.
    assert len(printed) >= len(final["q"] + final["v"])
    assert printed == numbers[:len(printed)]
    return header


@pytest.mark.parametrize("method, problem, step", PAIRS)
def test_bits_are_those_of_a_run(program, method, problem, step):
    program.write("every-function.toml", EVERY_FUNCTION)
    check_bits(program, method, problem, step, 60)


@pytest.mark.parametrize("method", ["dla01", "lobatto(stages=2)", "energy-collocation"])
def test_compensated_sums_have_the_same_bits(program, method):
    check_bits(program, method, "pendulum-cvt", 0.1, 200, export=["--compensated"], run=["--set", "run.compensated=true"])


def test_sizes_and_parameters_are_chosen(program):
    header = check_bits(program, "dla01", "chaotic", 0.1, 40, export=["--set", "n=2"], run=["--set", "sizes.n=2"])
    assert "double q[5];" in header
    header = program.good("export", "leapfrog", "pendulum-cvt", "--c", "--set", "epsilon=1/4").stdout
    assert "s->parameters[0] = 0x1p-2;" in header


def test_energy_constraints_and_integrals(program):
    header = program.good("export", "leapfrog", "pendulum-cvt", "--c", "--prefix", "step").stdout
    rest = """double left[1];
  step_constraints(&motion, left);
  printf(" %a %a %a", left[0], step_integral_driver_energy(&motion), step_integral_passenger_energy(&motion));"""
    text = MAIN.replace("START", "start_rotating").replace("STEPS", "50u").replace("STEP;", "0.1;").replace("REST", rest)
    program.write("step.h", header)
    program.write("main.c", text)
    subprocess.run([compiler("cc", "gcc", "clang"), "main.c", "-o", "stepping", "-lm"], cwd=program.directory, check=True)
    words = subprocess.run([program.directory / "stepping"], check=True, capture_output=True, text=True).stdout.split()
    run = program.json("run", "pendulum-cvt", "--method", "leapfrog", "--start", "rotating", "--step", "0.1", "--steps", 50)["runs"][0]
    found = run["diagnostics"]
    assert abs(float.fromhex(words[8])) <= found["constraint_max"]
    assert float.fromhex(words[9]) == found["integrals"]["driver_energy"]["final"]
    assert float.fromhex(words[10]) == found["integrals"]["passenger_energy"]["final"]


ODD_NAMES = r"""
name = "odd /* name ??/ \\ \"q\" */ *\\"
coordinates = ["x1", "s", "motion"]
[parameters]
double = 0.5
x2 = 1.5
[lagrangian]
kinetic = "(x1_dot^2 + x2*s_dot^2 + motion_dot^2)/2"
potential = "double*x1^2 + s^2 + motion^2"
[constraints]
expressions = ["x1_dot - s*motion_dot"]
[integrals]
three = "3"
advance = "0*x1"
begin = "x2"
tt = "t"
[initial."start one"]
q = [0.3, -0.2, 0.4]
v = [0, 0.1, 0]
[initial.start_one]
q = [0.3, -0.2, 0.4]
v = [0, 0.1, 0]
[initial."start*/one\n/*\r#error"]
q = [0.3, -0.2, 0.4]
v = [0, 0.1, 0]
"""


@pytest.mark.parametrize("cc, language", [("gcc", "c99"), ("gcc", "c17"), ("g++", "c++17"), ("clang", "c99"), ("clang++", "c++20")])
def test_odd_names_and_constant_integrals_compile_without_warnings(program, cc, language):
    if not shutil.which(cc):
        pytest.skip(f"there is no {cc}")
    program.write("odd.toml", ODD_NAMES)
    header = program.good("export", "leapfrog", "odd.toml", "--c", "--prefix", "step").stdout
    assert len(set(re.findall(r"inline void step_(start_\w+)\(", header))) == 3
    flags = ("-x", "c++" if "++" in language else "c", "-std=" + language)
    assert built(program.directory, header, "start_start_one", 0.1, 10, flags=flags, cc=cc)[:2] == ["0", "10"]


# Options that let compilers change the order of sums, or forget that there are nans.
LOOSE = {"gcc": ["-funsafe-math-optimizations", "-freciprocal-math", "-ffinite-math-only"], "clang": ["-freciprocal-math", "-ffinite-math-only"]}


@pytest.mark.parametrize("cc, flag", [(cc, flag) for cc, flags in LOOSE.items() for flag in flags])
def test_loose_arithmetic_is_not_let_in(program, cc, flag):
    if not shutil.which(cc):
        pytest.skip(f"there is no {cc}")
    check_bits(program, "lobatto(stages=3)", "pendulum-cvt", 0.1, 3000, flags=["-O2", flag], cc=cc)
    header = program.good("export", "lobatto(stages=3)", "pendulum-cvt", "--c", "--prefix", "step").stdout
    # A step whose numbers are not finite is refused.
    assert built(program.directory, header, "start_rotating", 1e300, 10, flags=["-O2", flag], cc=cc)[1] == "0"


FLAGS = [["-std=c99", "-O0"], ["-O2"], ["-O3", "-march=x86-64-v3", "-ffp-contract=fast"], ["-O2", "-march=x86-64-v4"]]


@pytest.mark.parametrize("flags", FLAGS, ids=" ".join)
def test_no_compiler_option_changes_the_bits(program, flags):
    """The header itself keeps the compiler from fusing products and sums."""
    if "x86" in str(flags) and platform.machine() != "x86_64":
        pytest.skip("options of another machine")
    header = program.good("export", "lobatto(stages=3)", "chaotic", "--c", "--prefix", "step").stdout
    program.write("step.h", header)
    (program.directory / "main.c").write_text('#include "step.h"\nint main(void) { static step_motion m; return step_advance(&m, 1u); }\n')
    for cc in filter(None, map(shutil.which, ("gcc", "clang"))):
        fast = [] if "clang" in cc else flags
        chosen = fast or [flag for flag in flags if not flag.startswith("-ffp")]
        subprocess.run([cc, *chosen, "-c", "main.c", "-o", "main.o"], cwd=program.directory, check=True)
        code = subprocess.run(["objdump", "-d", "main.o"], cwd=program.directory, check=True, capture_output=True, text=True).stdout
        assert "mul" in code and not re.search(r"\bvfn?m(add|sub)", code), (cc, chosen)
    is_here = "avx2" in pathlib.Path("/proc/cpuinfo").read_text() and "v4" not in str(flags)
    if is_here or "x86" not in str(flags):
        check_bits(program, "lobatto(stages=3)", "chaotic", 0.1, 40, flags=flags)


def test_the_header_is_cpp_too(program):
    cc = compiler("c++", "g++", "clang++")
    check_bits(program, "lobatto(stages=2)", "rattleback", 0.01, 20, cc=cc, flags=("-std=c++17", "-x", "c++"))


def test_two_headers_live_in_one_file(program):
    for method, name in (("leapfrog", "first"), ("dla01", "second")):
        program.write(f"{name}.h", program.good("export", method, "pendulum-cvt", "--c", "--prefix", name).stdout)
    program.write("main.c", '#include "first.h"\n#include "second.h"\n#include "first.h"\n'
                            "int main(void) { static first_motion a; static second_motion b; first_start_rotating(&a);\n"
                            "second_start_rotating(&b); a.step_size = b.step_size = 0.1; first_begin(&a); second_begin(&b);\n"
                            "return first_advance(&a, 1) + second_advance(&b, 1); }\n")
    subprocess.run([compiler("cc", "gcc", "clang"), "-Wall", "-Wextra", "-Werror", "main.c", "-o", "two", "-lm"],
                   cwd=program.directory, check=True)
    assert subprocess.run([program.directory / "two"]).returncode == 0


def test_a_refused_step_keeps_the_motion_before_it(program):
    header = program.good("export", "dla", "pendulum-cvt", "--c", "--prefix", "step").stdout
    words = built(program.directory, header, "start_rotating", 1e300, 10)
    assert words[0] in ("1", "2") and words[1] == "0" and float.fromhex(words[5]) == 1.0


def test_the_program_of_the_tutorial(program):
    text = (pathlib.Path(__file__).parent.parent.parent / "doc/tutorial.md").read_text()
    program.write("program.c", re.search(r"```c\n(.*?)```", text, re.DOTALL).group(1))
    program.write("step.h", program.good("export", "leapfrog", "pendulum-cvt", "--c").stdout)
    subprocess.run([compiler("cc", "gcc", "clang"), "-O2", "program.c", "-o", "program", "-lm"], cwd=program.directory, check=True)
    printed = subprocess.run([program.directory / "program"], check=True, capture_output=True, text=True).stdout
    run = program.json("run", "pendulum-cvt", "--method", "leapfrog", "--start", "rotating", "--step", "0.1", "--steps", 3000,
                       "--set", "parameters.epsilon=0.5")["runs"][0]
    beginning, energy = printed.splitlines()[-1].rsplit(" ", 1)
    assert beginning == f"t = 300: xi = {run['final']['q'][2]:.15g}, energy"
    assert abs(float(energy) - run["diagnostics"]["energy"]) <= run["diagnostics"]["energy_error_max"]


def test_a_step_that_does_not_converge_is_refused_as_in_a_run(program):
    header = program.good("export", "lobatto(stages=3)", "pendulum-cvt", "--c", "--prefix", "step").stdout
    words = built(program.directory, header, "start_rotating", 5.0, 10)
    program.run("run", "pendulum-cvt", "--method", "lobatto(stages=3)", "--start", "rotating", "--step", "5", "--steps", 10,
                "--json", "run.json")
    run = json.loads((program.directory / "run.json").read_text())["runs"][0]
    assert run["status"] == "failed" and "did not converge" in run["message"] and run["steps"] > 0
    assert words[:3] == ["1", str(run["steps"]), str(run["work"]["newton_iterations"])]
    assert [float.fromhex(word) for word in words[5:]] == run["final"]["q"] + run["final"]["v"] + run["final"]["lambda"]


REFUSED = [
    (["leapfrog", "--c"], "give both"),
    (["leapfrog", "pendulum-cv", "--c"], "pendulum-cvt"),
    (["leapfrg", "pendulum-cvt", "--c"], "did you mean \"leapfrog\""),
    (["leapfrog", "bicycle", "--c"], "constant mass matrix"),
    (["fehlberg-78", "pendulum-cvt", "--c"], "tolerance = 0"),
    (["leapfrog", "pendulum-cvt", "--c", "--prefix", "3d"], "no digit first"),
    (["leapfrog", "pendulum-cvt", "--c", "--prefix", "a b"], "letters, digits and underscores"),
    (["leapfrog", "pendulum-cvt", "--c", "--set", "epsilon"], "as n=5"),
    (["leapfrog", "pendulum-cvt", "--c", "--set", "eps=1"], "epsilon"),
    (["leapfrog", "dla", "--c"], '"dla" is a method'),
    (["dla", "chaotic", "--c", "--set", "n=1e300"], "whole number"),
    (["dla", "chaotic", "--c", "--set", "n=1.5"], "whole number"),
    (["leapfrog", "pendulum-cvt", "--c", "--latex"], "choose one"),
    (["leapfrog", "pendulum-cvt", "--c", "--csv", "rows"], "result file"),
    (["leapfrog", "pendulum-cvt", "--latex"], "--c"),
    (["leapfrog", "--latex", "--compensated"], "--compensated is for --c"),
]


@pytest.mark.parametrize("arguments, words", REFUSED, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_requests_that_make_no_sense(program, arguments, words):
    assert words in program.refuses(2, "export", *arguments)
