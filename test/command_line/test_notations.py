"""Formulas in LaTeX, MathML and SymPy: of every problem and method, read by those who know these notations."""

import csv
import os
import random
import re
import subprocess
import sys
import tomllib
import xml.etree.ElementTree
from pathlib import Path

import pytest

numpy = pytest.importorskip("numpy")
sympy = pytest.importorskip("sympy")

DATA = Path(os.environ.get("DALEMBERT_DATA", Path(__file__).resolve().parents[2]))
PROBLEMS = sorted(path.stem for path in (DATA / "problems").glob("*.toml"))
TOLERANCE = 1e-10

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tool"))
from problem_checks.problem import Problem  # noqa: E402  (another derivation of every problem's equations)

# Every function of the grammar, as integrals, whose values a run prints; and names that Python or SymPy take.
FUNCTIONS = """
name = "functions"
description = "100% of {what} a_b & c^2 <= #1."
source = "none"
conserves = "nothing"
coordinates = ["x", "y", "lambda"]
[parameters]
pi_ = 2.5
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2 + lambda_dot^2)/2"
[integrals]
a = "atan2(y, x) + sinc_root(x, 2) + sinc_root(x, -1) + sinc_root(-x, 0) + sinc_root(x - 0.3, 3)"
b = "abs(x)^y/(1 + floor(y)) - sign(x)*sqrt(x + 1)/3 + sign(-x)*sinc_root(y, 1)"
c = "max(x, y) + min(x, 0.1) + piecewise(x, y >= 1 and (lambda < 0 or x < 3), y^2) + max(x, y, lambda)"
d = "tanh(x)*log(1 + y^2)^2/exp(x*y) + sin(x)^2*cos(y)*tan(lambda) + pi*pi_ + asin(x/4) - acos(y/4)*atan(x)"
e = "x^(-2) + (-x)^3 - (x - (y - lambda))/(2*y)/(x/y) + 1e-3*x - 2^x + x^2.5 + 2*pi/3 + cosh(x)/sinh(y)"
f = "piecewise(x, x >= 1, piecewise(y, y >= 0.5, lambda))*(x^2)^y - (x^y)^x/(-y)^2 - 1/3 + 5/7*x"
[initial.start]
q = [0.3, 0.7, -0.2]
v = [1, 0, 0]
"""


@pytest.fixture(scope="module")
def methods(tmp_path_factory):
    program = os.environ.get("DALEMBERT_PROGRAM", "dalembert")
    text = subprocess.run([program, "list", "methods"], check=True, capture_output=True, text=True).stdout
    return [line.split()[0] for line in text.splitlines()[1:]]


def script_of(program, name):
    """What the names of the script of a problem or method mean after it has run."""
    text = program.good("export", name, "--sympy").stdout
    assert set(re.findall(r"^(?:from|import) (\w+)", text, re.M)) == {"sympy"}
    names = {"__name__": "script"}
    exec(compile(text, f"{name}.py", "exec"), names)
    return names


def numbers(expressions, values):
    """The values of SymPy's expressions."""
    symbols = list(values)

    def shared(parts):  # whose names are none of a problem's
        return sympy.cse(parts, symbols=sympy.numbered_symbols("shared_"), list=False)

    function = sympy.lambdify(symbols, list(expressions), modules="math", cse=shared)
    return numpy.array(function(*values.values()), float)


def agree(found, wanted):
    found, wanted = numpy.asarray(found, float), numpy.asarray(wanted, float)
    assert found.shape == wanted.shape
    if found.size:
        assert numpy.abs(found - wanted).max() <= TOLERANCE * (1 + numpy.abs(wanted).max())


def random_state(problem, generator):
    """A position near the first start, on the groups, a velocity, and parameters."""
    entry = next(iter(problem.data["initial"].values()))
    p, q, v = problem.start(entry)
    p = problem.random_parameters(p, generator)
    if not problem.order_two:
        return p, [x + generator.uniform(-0.1, 0.1) for x in q], []
    q = problem.move(q, [generator.uniform(-0.1, 0.1) for _ in range(problem.dimension)])
    return p, list(q), [generator.uniform(-1, 1) for _ in v]


@pytest.mark.parametrize("name", [name for name in PROBLEMS if name != "bicycle"])  # too long for SymPy
def test_scripts_of_problems_agree_with_another_derivation(program, name):
    script = script_of(program, name)
    problem = Problem(tomllib.loads((DATA / "problems" / f"{name}.toml").read_text()))
    generator = random.Random(name)
    t = generator.uniform(0, 1)
    p, q, v = random_state(problem, generator)
    values = {script["t"]: t} | dict(zip(script["parameters"], p))
    by_name = dict(zip(problem.coordinates, q))
    if problem.order_two:
        for (_, element, part) in problem.parts(q, "size"):
            by_name |= {key: float(value) for key, value in element.derived(part).items()}
    values |= {symbol: by_name[symbol.name] for symbol in script["coordinates"]}
    assert list(script["integrals"]) == problem.integral_names
    if not problem.order_two:
        agree(numbers(script["rates"], values), problem.f_field(t, q, v, p))
        agree(numbers([script["hamiltonian"]], values), [problem.f_energy(t, q, v, p)])
        agree(numbers(script["integrals"].values(), values), problem.f_integrals(t, q, v, p))
        return
    values |= dict(zip(script["velocities"], v))
    lagrangian = script["lagrangian"]
    energy = sum(sympy.diff(lagrangian, a) * a for a in script["velocities"]) - lagrangian
    agree(numbers([energy], values), [problem.f_energy(t, q, v, p)])
    agree(numbers(script["integrals"].values(), values), problem.f_integrals(t, q, v, p))
    agree(numbers(script["conditions"], values), problem.f_phi(t, q, v, p))
    agree(numbers(script["holonomic"], values), problem.f_holonomic(t, q, v, p))
    acceleration = numpy.array([generator.uniform(-1, 1) for _ in v])
    multipliers = numpy.array([generator.uniform(-1, 1) for _ in script["multipliers"]])
    values |= dict(zip(script["accelerations"], acceleration)) | dict(zip(script["multipliers"], multipliers))
    balance = numpy.array(problem.f_mass(t, q, v, p), float) @ acceleration - problem.f_right(t, q, v, p)
    change = []
    if multipliers.size:
        matrix = numpy.array(problem.f_matrix(t, q, v, p), float)
        balance = balance - matrix.T @ multipliers
        change = matrix @ acceleration - problem.f_second(t, q, v, p)
    agree(numbers(script["equations"], values), [*balance, *change])


def first_row(program):
    [file] = (program.directory / "rows").iterdir()
    with file.open() as lines:
        return {key: float(value) for key, value in next(csv.DictReader(lines)).items()}


def test_values_of_a_script_are_those_of_a_run(program):
    program.write("functions.toml", FUNCTIONS)
    program.good("run", "functions.toml", "--method", "dla", "--step", "0.1", "--steps", "1", "--csv", "rows")
    row = first_row(program)
    script = script_of(program, "functions.toml")
    values = {script["t"]: 0.0} | script["parameters"]
    for key in ("x", "y", "lambda", "x_dot", "y_dot", "lambda_dot"):
        symbol = script[key + "_" if key == "lambda" else key]
        values[symbol] = row[key]
    assert "pi__" in script and script["pi__"] != sympy.pi
    for key, integral in script["integrals"].items():
        value = complex(sympy.sympify(integral).subs(values).evalf(30))
        assert abs(value - row[key]) < 1e-13 * (1 + abs(row[key])), key


def test_the_script_of_a_long_problem_has_its_energy(program):
    program.good("run", "bicycle", "--method", "lobatto", "--step", "0.001", "--steps", "1", "--csv", "rows")
    row = first_row(program)
    text = program.good("export", "bicycle", "--sympy").stdout
    script = {"__name__": "script"}
    exec(text[:text.index("# The equations of motion")], script)
    values = {script["t"]: 0.0} | script["parameters"]
    values |= {symbol: row[symbol.name] for symbol in script["coordinates"] + script["velocities"]}
    scale = sympy.Symbol("scale")
    along = {v: scale * value for v, value in zip(script["velocities"], [values[v] for v in script["velocities"]])}
    still = {symbol: value for symbol, value in values.items() if symbol not in along}
    # L is quadratic in the velocities: the energy is that of L at twice and at no velocity.
    at = [float(script["lagrangian"].subs(along).subs(still).subs(scale, k)) for k in (0, 1)]
    assert abs(at[1] - 2 * at[0] - row["energy"]) < 1e-9 * (1 + abs(row["energy"]))


def test_scripts_run_and_print(program, methods):
    for name in ["pendulum-cvt", "heavy-top", "suslov", "spherical-pendulum", *methods]:
        if name == "fehlberg-78":  # all its stages within each other
            continue
        program.write("script.py", program.good("export", name, "--sympy").stdout)
        result = subprocess.run([sys.executable, "script.py"], cwd=program.directory, capture_output=True, text=True,
                                timeout=120)
        assert result.returncode == 0, (name, result.stderr)
    program.write("script.py", program.good("export", "pendulum-cvt", "--sympy").stdout)
    result = subprocess.run([sys.executable, "script.py"], cwd=program.directory, capture_output=True, text=True)
    assert result.stdout.splitlines()[0] == "0 = -lambda_1 + x1 + x1_ddot"


def test_a_name_is_no_code(program):
    program.write("sly.toml", 'name = "a\\nimport os\\rimport re"\ndescription = "\\\\input{x} <script>"\n'
                  'coordinates = ["x"]\n[lagrangian]\nkinetic = "x_dot^2"\n')
    assert "\nimport" not in program.good("export", "./sly.toml", "--sympy").stdout
    assert "\nimport" not in program.good("export", "./sly.toml", "--latex").stdout
    assert "\\textbackslash{}input\\{x\\}" in program.good("describe", "./sly.toml", "--latex").stdout
    assert "<script>" not in program.good("describe", "./sly.toml", "--html").stdout


# -- LaTeX ---------------------------------------------------------------------------------------


def balanced(text):
    depth = 0
    for mark in re.findall(r"\\.|[{}]", text):
        depth += {"{": 1, "}": -1}.get(mark, 0)
        if depth < 0:
            return False
    open_ones = []
    for kind, environment in re.findall(r"\\(begin|end){(\w+\*?)}", text):
        if kind == "begin":
            open_ones.append(environment)
        elif not open_ones or open_ones.pop() != environment:
            return False
    return depth == 0 and not open_ones and text.count("\\left") == text.count("\\right")


def formulas_in(text):
    for block in re.findall(r"\\begin{align\*}\n(.*?)\n\\end{align\*}", text, re.S):
        for line in re.split(r" \\\\\n(?!    &)", block):
            yield line.replace(" \\\\\n    &\\quad", "").replace("&=", "=", 1).strip()


@pytest.mark.night
def test_latex_of_everything_can_be_read(program, methods):
    mathtext = pytest.importorskip("matplotlib.mathtext")
    parser = mathtext.MathTextParser("path")
    count = 0
    for name in [*PROBLEMS, *methods, "lobatto(stages=3)"]:
        page = program.good("describe", name, "--latex").stdout
        equations = program.good("export", name, "--latex").stdout
        assert balanced(page) and balanced(equations), name
        assert list(formulas_in(page)) == list(formulas_in(equations))
        for formula in formulas_in(page):
            if "\\begin" not in formula:  # which matplotlib does not know
                parser.parse(f"${formula}$")
                count += 1
    assert count > 300


def test_a_page_in_latex(program):
    text = program.good("describe", "pendulum-cvt", "--latex").stdout
    for line in ["\\section*{pendulum-cvt}", "$x_{1}$, $x_{2}$, $\\xi$",
                 "  T &= \\frac{1}{2} (\\dot{x}_{1}^{2} + \\dot{x}_{2}^{2} + \\dot{\\xi}^{2}) \\\\",
                 "  0 &= \\dot{x}_{1} + \\dot{x}_{2} \\sin \\xi \\qquad [\\lambda_{1}]"]:
        assert line in text.splitlines()
    assert "\\item $\\epsilon$: 0, any real number; asymmetry" in text
    text = program.good("describe", "dla", "--latex").stdout
    assert "  a_{1} &= q_{0} + \\frac{1}{2} h v_{0} \\\\" in text and "\\item symmetric" in text
    program.write("functions.toml", FUNCTIONS)
    assert "100\\% of \\{what\\} a\\_b \\& c\\textasciicircum{}2" in \
        program.good("describe", "functions.toml", "--latex").stdout


def test_equations_in_latex_are_those_of_the_chosen_options(program):
    few, many = (program.good("export", f"lobatto(stages={s})", "--latex").stdout for s in (2, 3))
    # The equations in words, and those of the fewest stages.
    assert few.splitlines()[1:] == many.splitlines()[1:]
    assert "{\\ttfamily\\raggedright Q\\_i = q0 + h*sum\\_j a\\_ij V\\_j\\par}" in few
    explicit = program.good("export", "dla(alpha=0)", "--latex").stdout
    assert explicit != program.good("export", "dla", "--latex").stdout


# -- MathML --------------------------------------------------------------------------------------

CHILDREN = {"mfrac": 2, "msup": 2, "msub": 2, "mover": 2, "msqrt": None, "mrow": None, "mi": 0, "mn": 0, "mo": 0,
            "mtext": 0, "mtable": None, "mtr": None, "mtd": None, "math": None, "mstyle": None}


def check_element(element):
    name = element.tag.removeprefix("{http://www.w3.org/1998/Math/MathML}")
    assert name != element.tag and name in CHILDREN, element.tag
    wanted = CHILDREN[name]
    assert wanted is None or len(element) == wanted, name
    assert (wanted == 0) == bool(element.text), name
    for child in element:
        check_element(child)


def test_mathml_of_everything_is_well_formed(program, methods):
    program.write("functions.toml", FUNCTIONS)
    count = 0
    for name in [*PROBLEMS, *methods, "functions.toml"]:
        page = program.good("describe", name, "--html").stdout
        assert page.startswith("<!DOCTYPE html>") and "://" not in page.replace("http://www.w3.org/1998/Math/MathML", "")
        for formula in re.findall(r"<math .*?</math>", page, re.S):
            check_element(xml.etree.ElementTree.fromstring(formula))
            count += 1
        body = re.sub(r"<!DOCTYPE html>|<meta[^>]*>", "", page)
        xml.etree.ElementTree.fromstring(body)
    assert count > 300


# -- requests that make no sense -----------------------------------------------------------------


def test_wrong_requests_are_one_sentence(program, study):
    program.good("run", study, "--out", "r.h5")
    for command, line, words in [
        ("describe", ["dla", "--latex", "--html"], "choose one"),
        ("describe", ["dla", "--latex", "--with", "knife-edge"], "--with"),
        ("describe", ["modin-verdier-2020/figure-6", "--html"], "is a study of the problem"),
        ("describe", ["study.toml", "--latex"], "is a study of the problem"),
        ("describe", ["pendulm-cvt", "--latex"], 'did you mean "pendulum-cvt"?'),
        ("describe", ["lobatto(stages=40)", "--html"], '"stages"'),
        ("export", ["pendulum-cvt", "--latex", "--sympy"], "choose one"),
        ("export", ["r.h5", "--latex"], '"r.h5" is a result file'),
        ("export", ["missing.h5", "--sympy"], "is a result file"),
        ("export", ["pendulum-cvt", "--latex", "--csv", "rows"], "are for a result file"),
        ("export", ["dla", "--sympy", "--at", "3"], "are for a result file"),
        ("export", ["pendulum-cvt", "--json", "-"], '"pendulum-cvt" is a problem'),
        ("export", ["dla", "--csv", "rows"], '"dla" is a method'),
        ("export", ["study.toml", "--sympy"], "is a study of the problem"),
        ("export", ["pendulm-cvt", "--sympy"], 'did you mean "pendulum-cvt"?'),
        ("export", ["modin-verdier-2020/figure-6", "--latex"], "is a study of the problem"),
    ]:
        assert words in program.refuses(2, command, *line), line
    program.refuses(4, "export", "nothing.h5", "--json", "-")
    program.refuses(2, "export", "r.h5")
