#!/usr/bin/env python3
"""Checks every problem file of the library by means that share nothing with the engine.

    python3 tool/check_problems.py [name ...]

Each file is read with tomllib and a small expander of sums and arrays, its equations are derived with
sympy, and solutions are computed in double precision by extrapolation of order 16. Checked are:

  keys          no key is unknown, every expression parses, every name in it is known
  starts        satisfy the constraints (or say project = true); published energies come out
  equations     rank of the constraint matrix; constraints and their derivative vanish along solutions
  integrals     constant along solutions, also from random starts and with random parameters
  energy        constant, or visibly not, as `conserves` says
  reversal      the stated map takes solutions to solutions; where none is stated, no sign map does
  angles        equations and integrals have period 2 pi in every angle
  frame         its vectors span the kernel of the constraint matrix
  closed forms  hand-derived equations or solutions, for the problems that have them

Exit status 1 if anything fails. Needs sympy and numpy only.
"""

import ast
import itertools
import math
import pathlib
import random
import re
import sys
import tomllib

import numpy
import sympy

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOLERANCE = 1e-10
FUNCTIONS = {
    "sin": sympy.sin, "cos": sympy.cos, "tan": sympy.tan, "asin": sympy.asin, "acos": sympy.acos,
    "atan": sympy.atan, "atan2": sympy.atan2, "sinh": sympy.sinh, "cosh": sympy.cosh,
    "tanh": sympy.tanh, "exp": sympy.exp, "log": sympy.log, "sqrt": sympy.sqrt, "abs": sympy.Abs,
}
KEYS = {
    "": {"name", "description", "source", "coordinates", "angles", "conserves", "parameters",
         "sizes", "definitions", "lagrangian", "constraints", "force", "frame", "integrals",
         "reversal", "initial", "skew-gradient"},
    "lagrangian": {"kinetic", "potential", "expression"},
    "constraints": {"expressions", "holonomic"},
    "frame": {"vectors"},
    "reversal": {"signs"},
    "skew-gradient": {"variables", "hamiltonian", "matrix"},
    "parameter": {"default", "min", "max", "min_exclusive", "max_exclusive", "description"},
    "size": {"default", "min", "max", "description"},
    "start": {"q", "v", "zeta", "project", "parameters", "sizes", "description", "source"},
}
# Published energies: (problem, start) -> (energy, digits that are good).
ENERGIES = {
    ("pendulum-cvt", "oscillating"): (2.8, 1e-7),
    ("pendulum-cvt", "rotating"): (5.0, 1e-7),
    ("pendulum-cvt-inverted", "newmark-low"): (0.2723, 5e-5),
    ("pendulum-cvt-inverted", "newmark-high"): (6.0, 1e-7),
    ("particle-free", "newmark"): (1.5, 1e-14),
    ("chaotic", "newmark"): (3.2575, 1e-14),
    ("chaotic", "ensemble"): (3.06, 1e-14),
}
# Problems whose motion is fast: (length of a run, step of the integration, spread of the random starts).
SCALES = {"rattleback": (0.3, 0.003, 0.03)}


class Failure(Exception):
    """What is wrong with a problem file."""


class Reader:
    """Expands text to sympy: arrays `w[i]` become the symbol w_i, `sum(i, a, b, e)` is unrolled."""

    def __init__(self, sizes):
        self.sizes = dict(sizes)
        self.values = {"pi": sympy.pi}

    def array(self, declaration):
        """Names of the components declared by "x" or "w[1..n]"."""
        match = re.fullmatch(r"(\w+)\[(\w+)\.\.(\w+)\]", declaration)
        if not match:
            return [declaration]
        bound = lambda text: int(text) if text.isdigit() else self.sizes[text]
        return [f"{match[1]}_{i}" for i in range(bound(match[2]), bound(match[3]) + 1)]

    def expand(self, text):
        """All expressions a text stands for: one, or several when it is each(i, a, b, e)."""
        tree = self.tree(text)
        if isinstance(tree, ast.Call) and tree.func.id == "each":
            return [self.walk(tree.args[3], {tree.args[0].id: i}) for i in self.span(tree, {})]
        return [self.walk(tree, {})]

    def tree(self, text):
        try:
            return ast.parse(str(text).replace("^", "**").strip(), mode="eval").body
        except SyntaxError as error:
            raise Failure(f"cannot read '{text}'") from error

    def read(self, text):
        return self.walk(self.tree(text), {})

    def span(self, node, index):
        bounds = [int(self.walk(node.args[k], index)) for k in (1, 2)]
        return range(bounds[0], bounds[1] + 1)

    def walk(self, node, index):
        if isinstance(node, ast.Constant):
            return sympy.nsimplify(repr(node.value), rational=True)
        if isinstance(node, ast.Name):
            for table in (index, self.sizes, self.values):
                if node.id in table:
                    return sympy.sympify(table[node.id])
            raise Failure(f"unknown name '{node.id}'")
        if isinstance(node, ast.Subscript):
            return self.walk(ast.Name(id=f"{node.value.id}_{self.walk(node.slice, index)}"), index)
        if isinstance(node, ast.UnaryOp):
            value = self.walk(node.operand, index)
            return -value if isinstance(node.op, ast.USub) else value
        if isinstance(node, ast.BinOp):
            a, b = self.walk(node.left, index), self.walk(node.right, index)
            kind = type(node.op).__name__
            return {"Add": lambda: a + b, "Sub": lambda: a - b, "Mult": lambda: a * b,
                    "Div": lambda: a / b, "Pow": lambda: a**b}[kind]()
        if isinstance(node, ast.Call) and node.func.id == "sum":
            name = node.args[0].id
            return sympy.Add(*[self.walk(node.args[3], {**index, name: i})
                               for i in self.span(node, index)])
        if isinstance(node, ast.Call) and node.func.id in FUNCTIONS:
            return FUNCTIONS[node.func.id](*[self.walk(a, index) for a in node.args])
        raise Failure(f"cannot read {ast.dump(node)}")


def compiled(arguments, expressions):
    if isinstance(expressions, sympy.MatrixBase):
        expressions = expressions.tolist()
    shared = lambda es: sympy.cse(es, symbols=sympy.numbered_symbols("shared_"), list=False)
    return sympy.lambdify(arguments, expressions, modules="math", cse=shared)


def known_keys(table, kind, where):
    unknown = set(table) - KEYS[kind]
    if unknown:
        raise Failure(f"unknown key {sorted(unknown)} in {where}")


class Problem:
    """A problem file for given sizes, with everything as compiled functions of (t, q, v, parameters)."""

    def __init__(self, data, sizes=None):
        self.data, self.name = data, data["name"]
        known_keys(data, "", "the file")
        for kind in ("lagrangian", "constraints", "frame", "reversal", "skew-gradient"):
            known_keys(data.get(kind, {}), kind, f"[{kind}]")
        self.sizes = {}
        for key, entry in data.get("sizes", {}).items():
            known_keys(entry, "size", f"sizes.{key}")
            self.sizes[key] = entry["default"]
        self.sizes.update(sizes or {})
        self.parameters = {}
        for key, entry in data.get("parameters", {}).items():
            entry = entry if isinstance(entry, dict) else {"default": entry}
            known_keys(entry, "parameter", f"parameters.{key}")
            self.parameters[key] = entry
        for key in ("name", "description", "source", "initial", "conserves"):
            if not data.get(key):
                raise Failure(f"no {key}")
        if data["conserves"] not in ("energy", "moving-energy", "nothing"):
            raise Failure(f"conserves = '{data['conserves']}'")
        reader = self.reader = Reader(self.sizes)
        self.t = reader.values["t"] = sympy.Symbol("t", real=True)
        self.p = [self.symbol(key) for key in self.parameters]
        if "skew-gradient" in data:
            self.read_skew_gradient()
        else:
            self.read_mechanics()

    def symbol(self, name):
        if name in self.reader.values:
            raise Failure(f"the name '{name}' is used twice")
        symbol = self.reader.values[name] = sympy.Symbol(name, real=True)
        return symbol

    def read_definitions(self):
        for key, text in self.data.get("definitions", {}).items():
            self.reader.values[key] = self.reader.read(text)

    def read_mechanics(self):
        data, reader = self.data, self.reader
        self.coordinates = [n for c in data["coordinates"] for n in reader.array(c)]
        self.q = [self.symbol(n) for n in self.coordinates]
        self.v = []
        for declaration in data["coordinates"]:
            base = declaration.split("[")[0]
            for name in reader.array(declaration):
                velocity = name.replace(base, base + "_dot", 1)
                self.v.append(self.symbol(velocity))
                if velocity != name + "_dot":  # w_dot[i] is written, w_i_dot is printed
                    reader.values[name + "_dot"] = self.v[-1]
        self.read_definitions()
        q, v, t = self.q, self.v, self.t
        lagrangian = data["lagrangian"]
        if "expression" in lagrangian:
            L = reader.read(lagrangian["expression"])
        else:
            L = reader.read(lagrangian["kinetic"]) - reader.read(lagrangian["potential"])
        constraints = data.get("constraints", {})
        phi = [e for text in constraints.get("expressions", []) for e in reader.expand(text)]
        holonomic = [e for text in constraints.get("holonomic", []) for e in reader.expand(text)]
        force = {k: reader.read(text) for k, text in data.get("force", {}).items()}
        if set(force) - set(self.coordinates):
            raise Failure("[force] names what is no coordinate")
        D = lambda e: sum(sympy.diff(e, a) * b for a, b in zip(q, v)) + sympy.diff(e, t)
        p = [sympy.diff(L, a) for a in v]
        mass = sympy.Matrix([[sympy.diff(a, b) for b in v] for a in p])
        right = [sympy.diff(L, a) - D(b) + force.get(a.name, 0) for a, b in zip(q, p)]
        self.phi = phi + [D(e) for e in holonomic]
        matrix = sympy.Matrix(len(self.phi), len(v), lambda i, j: sympy.diff(self.phi[i], v[j]))
        second = [-D(e) for e in self.phi]
        energy = sum(a * b for a, b in zip(p, v)) - L
        self.integral_names = list(data.get("integrals", {}))
        integrals = [reader.read(text) for text in data.get("integrals", {}).values()]
        arguments = [t, q, v, self.p]
        self.f_mass = compiled(arguments, mass)
        self.f_right = compiled(arguments, right)
        self.f_matrix = compiled(arguments, matrix) if self.phi else None
        self.f_second = compiled(arguments, second)
        self.f_phi = compiled(arguments, self.phi)
        self.f_holonomic = compiled(arguments, holonomic)
        self.f_holonomic_matrix = compiled(arguments, sympy.Matrix(holonomic).jacobian(q)) if holonomic else None
        self.f_energy = compiled(arguments, energy)
        self.f_integrals = compiled(arguments, integrals)
        everything = [L, *phi, *holonomic, *force.values()]
        self.autonomous = not any(e.has(t) for e in everything)
        self.linear = all(sympy.diff(e, a, b) == 0 for e in phi for a in v for b in v)
        self.dimension, self.order_two = len(q), True
        self.frame = self.read_frame()
        signs = data.get("reversal", {}).get("signs")
        self.signs = signs and self.spread(signs)

    def spread(self, signs):
        """One sign for each entry of `coordinates`, repeated over the components of an array."""
        declared = self.data["coordinates"]
        if len(signs) != len(declared):
            raise Failure("reversal.signs has the wrong length")
        return [s for s, c in zip(signs, declared) for _ in self.reader.array(c)]

    def read_frame(self):
        """Vectors are lists of components, or one expression in which x_dot stands for d/dx."""
        vectors = []
        for entry in self.data.get("frame", {}).get("vectors", []):
            if isinstance(entry, list):
                vectors.append([self.reader.read(text) for text in entry])
            else:
                vectors += [[sympy.diff(e, a) for a in self.v] for e in self.reader.expand(entry)]
        if any(len(x) != len(self.q) for x in vectors):
            raise Failure("a frame vector has the wrong length")
        return compiled([self.t, self.q, self.v, self.p], vectors) if vectors else None

    def read_skew_gradient(self):
        table, reader = self.data["skew-gradient"], self.reader
        self.coordinates = table["variables"]
        self.q, self.v = [self.symbol(n) for n in self.coordinates], []
        self.read_definitions()
        matrix = sympy.Matrix([[reader.read(e) for e in row] for row in table["matrix"]])
        if sympy.simplify(matrix + matrix.T) != sympy.zeros(*matrix.shape):
            raise Failure("the matrix is not skew")
        H = reader.read(table["hamiltonian"])
        arguments = [self.t, self.q, self.v, self.p]
        self.f_field = compiled(arguments, list(matrix * sympy.Matrix([sympy.diff(H, a) for a in self.q])))
        self.f_energy = compiled(arguments, H)
        self.integral_names = list(self.data.get("integrals", {}))
        self.f_integrals = compiled(arguments, [reader.read(e) for e in self.data.get("integrals", {}).values()])
        self.phi, self.frame, self.f_holonomic_matrix, self.f_matrix = [], None, None, None
        self.f_phi = self.f_holonomic = lambda *_: []
        self.autonomous = self.linear = True
        self.dimension, self.order_two = len(self.q), False
        self.signs = self.data.get("reversal", {}).get("signs")

    # -- numbers ---------------------------------------------------------------------------------

    def parameter_values(self, changes=None):
        values = {k: float(e["default"]) for k, e in self.parameters.items()}
        unknown = set(changes or {}) - set(values)
        if unknown:
            raise Failure(f"a start sets unknown parameters {sorted(unknown)}")
        values.update({k: float(x) for k, x in (changes or {}).items()})
        for key, entry in self.parameters.items():
            for bound, wrong in (("min", lambda x, b: x < b), ("max", lambda x, b: x > b)):
                if bound not in entry:
                    continue
                if wrong(values[key], entry[bound]) or (
                        entry.get(bound + "_exclusive") and values[key] == entry[bound]):
                    raise Failure(f"parameter {key} = {values[key]} is outside its range")
        return list(values.values())

    def random_parameters(self, base, generator):
        """Near the given ones; a parameter at an inclusive bound moves inside."""
        result = []
        for value, entry in zip(base, self.parameters.values()):
            new = value * generator.uniform(0.8, 1.25) + (0 if value else generator.uniform(0, 0.3))
            if "max" in entry and new >= entry["max"]:
                new = value
            result.append(new)
        return result

    def start(self, entry):
        known_keys(entry, "start", "a start")
        p = self.parameter_values(entry.get("parameters"))
        reader = Reader(self.sizes)
        reader.values.update(zip(self.parameters, map(sympy.Float, p)))
        numbers = lambda xs: [float(reader.read(x)) if isinstance(x, str) else float(x) for x in xs]
        if not self.order_two:
            return p, numbers(entry["zeta"]), []
        q, v = numbers(entry["q"]), numbers(entry["v"])
        if len(q) != self.dimension or len(v) != self.dimension:
            raise Failure("a start has the wrong length")
        return p, q, v

    def project(self, p, q, v):
        """Nearest q on the holonomic constraints, then v on the others, in the metric of the mass."""
        q, v = numpy.array(q), numpy.array(v)
        for _ in range(50):
            h = numpy.array(self.f_holonomic(0.0, q, v, p))
            if self.f_holonomic_matrix is None or abs(h).max() < 1e-15:
                break
            G = numpy.array(self.f_holonomic_matrix(0.0, q, v, p), float)
            q = q - G.T @ numpy.linalg.solve(G @ G.T, h)
        for _ in range(50 if self.phi else 0):
            A = numpy.array(self.f_matrix(0.0, q, v, p), float)
            Z = numpy.linalg.solve(numpy.array(self.f_mass(0.0, q, v, p), float), A.T)
            v = v - Z @ numpy.linalg.solve(A @ Z, numpy.array(self.f_phi(0.0, q, v, p), float))
        return q, v

    def acceleration(self, t, q, v, p):
        """Acceleration and multipliers from the full saddle-point system, nothing eliminated."""
        n, m = self.dimension, len(self.phi)
        matrix = numpy.zeros((n + m, n + m))
        matrix[:n, :n] = self.f_mass(t, q, v, p)
        right = list(self.f_right(t, q, v, p))
        if m:
            A = numpy.array(self.f_matrix(t, q, v, p), float)
            matrix[:n, n:], matrix[n:, :n] = -A.T, A
            right += list(self.f_second(t, q, v, p))
        solution = numpy.linalg.solve(matrix, right)
        return solution[:n], solution[n:]

    def field(self, t, y, p):
        if not self.order_two:
            return numpy.array(self.f_field(t, y, [], p), float)
        q, v = y[:self.dimension], y[self.dimension:]
        return numpy.concatenate([v, self.acceleration(t, q, v, p)[0]])

    def split(self, y):
        return (y[:self.dimension], y[self.dimension:]) if self.order_two else (y, [])

    def flow(self, y, p, until, step=0.05, start=0.0, each=None):
        """Gragg's midpoint rule extrapolated over 2, 4, ..., 16 substeps: order 16."""
        steps = max(1, round(abs(until) / step))
        H, y = until / steps, numpy.array(y, float)
        for k in range(steps):
            t, table = start + k * H, []
            first = self.field(t, y, p)
            for j in range(1, 9):
                h = H / (2 * j)
                a, b = y, y + h * first
                for i in range(1, 2 * j):
                    a, b = b, a + 2 * h * self.field(t + i * h, b, p)
                row = [(a + b + h * self.field(t + H, b, p)) / 2]
                for i, last in enumerate(table[-1] if table else []):
                    row.append(row[i] + (row[i] - last) / ((j / (j - i - 1)) ** 2 - 1))
                table.append(row)
            y = table[-1][-1]
            if each:
                each(start + (k + 1) * H, y)
        return y


# -- checks --------------------------------------------------------------------------------------

def check_solution(problem, where, p, q, v, until, step, report):
    """Constraints, integrals, energy along a solution."""
    y = numpy.concatenate([q, v]) if problem.order_two else numpy.array(q)
    first = {}
    worst = {}

    def observe(t, y):
        q, v = problem.split(y)
        values = {f"constraint {i}": x for i, x in enumerate(problem.f_phi(t, q, v, p))}
        values |= {f"holonomic {i}": x for i, x in enumerate(problem.f_holonomic(t, q, v, p))}
        values |= dict(zip(problem.integral_names, problem.f_integrals(t, q, v, p)))
        values["energy"] = problem.f_energy(t, q, v, p)
        for key, x in values.items():
            first.setdefault(key, x)
            error = abs(x - (0 if key.startswith(("constraint ", "holonomic ")) else first[key]))
            worst[key] = max(worst.get(key, 0), error / max(1, abs(first[key])))

    observe(0.0, y)
    last = problem.flow(y, p, until, step, each=observe)
    for key, error in worst.items():
        if key == "energy" and problem.data["conserves"] != "energy":
            if error < 1e-6:
                report(f"{where}: energy is constant ({error:.1e}) though conserves = "
                       f"'{problem.data['conserves']}'")
        elif not error < TOLERANCE:
            report(f"{where}: {key} moves by {error:.1e}")
    return y, last


def reversal_defect(problem, signs, p, start, last, until, step):
    S = numpy.array(signs, float)
    S = numpy.concatenate([S, -S]) if problem.order_two else S
    back = S * problem.flow(S * last, p, until, step)
    return numpy.abs(back - start).max()


def field_is_reversed(problem, signs, p, y):
    S = numpy.array(signs, float)
    S = numpy.concatenate([S, -S]) if problem.order_two else S
    q, v = problem.split(S * y)
    if problem.phi and numpy.abs(problem.f_phi(0.0, q, v, p)).max() > 1e-9:
        return False
    return numpy.abs(S * problem.field(0.0, S * y, p) + problem.field(0.0, y, p)).max() < 1e-9


def check_reversal(problem, where, p, start, last, until, step, report):
    if problem.signs:
        if not problem.autonomous:
            report("a reversal map is stated for a system that depends on time")
        defect = reversal_defect(problem, problem.signs, p, start, last, until, step)
        if not defect < 1e-9:
            report(f"{where}: reversal defect {defect:.1e}")
    elif problem.autonomous:
        for signs in itertools.product((1, -1), repeat=problem.dimension):
            if field_is_reversed(problem, signs, p, start):
                report(f"{where}: {signs} is a reversal map, none is stated")
                break


def check_angles(problem, where, p, y, report):
    q, v = problem.split(y)
    names = [n for c in problem.data.get("angles", []) for n in problem.reader.array(c)]
    for name in names:
        if name not in problem.coordinates:
            report(f"angle '{name}' is no coordinate")
            return
    for name in names:
        shifted = numpy.array(q)
        shifted[problem.coordinates.index(name)] += 2 * math.pi
        def values(q):
            a, multipliers = problem.acceleration(0.3, q, v, p)
            return numpy.concatenate([a, multipliers, problem.f_phi(0.3, q, v, p),
                                      problem.f_holonomic(0.3, q, v, p),
                                      problem.f_integrals(0.3, q, v, p)])
        if numpy.abs(values(q) - values(shifted)).max() > 1e-9:
            report(f"{where}: not periodic in '{name}'")


def check_frame(problem, where, p, y, report):
    q, v = problem.split(y)
    n, m = problem.dimension, len(problem.phi)
    if m:
        A = numpy.array(problem.f_matrix(0.0, q, v, p), float)
        if numpy.linalg.matrix_rank(A, 1e-9) != m:
            report(f"{where}: the constraint matrix has rank below {m}")
    if problem.frame:
        X = numpy.array(problem.frame(0.0, q, v, p), float)
        if X.shape != (n - m, n) or numpy.linalg.matrix_rank(X, 1e-9) != n - m:
            report(f"{where}: the frame has not {n - m} independent vectors")
        elif m and numpy.abs(A @ X.T).max() > 1e-12:
            report(f"{where}: a frame vector is not in the kernel of the constraints")


def check_start(problem, where, entry, report):
    p, q, v = problem.start(entry)
    if problem.order_two:
        residual = max([abs(x) for x in [*problem.f_phi(0.0, q, v, p), *problem.f_holonomic(0.0, q, v, p)]],
                       default=0.0)
        if residual > 1e-14 * max(1, *map(abs, q), *map(abs, v)) and not entry.get("project"):
            report(f"{where}: violates its constraints by {residual:.1e}")
        q, v = problem.project(p, q, v)
    return p, q, v


def check_problem(path, report):
    data = tomllib.loads(path.read_text())
    if data["name"] != path.stem:
        report("the name is not the file's name")
    generator = random.Random(data["name"])
    cache = {}
    for key, entry in data["initial"].items():
        sizes = entry.get("sizes", {})
        problem = cache.setdefault(tuple(sizes.items()), None) or Problem(data, sizes)
        cache[tuple(sizes.items())] = problem
        p, q, v = check_start(problem, f"start {key}", entry, report)
        energy = problem.f_energy(0.0, q, v, p)
        if (data["name"], key) in ENERGIES:
            published, digits = ENERGIES[data["name"], key]
            if abs(energy - published) > digits:
                report(f"start {key}: energy {energy!r}, published {published}")
        until, step, spread = SCALES.get(data["name"], (1.5 if len(q) > 4 else 2.0, 0.05, 0.2))
        cases = [(f"start {key}", p, q, v)]
        for k in range(2):  # near the start, off every special value
            p2 = problem.random_parameters(p, generator)
            q2 = [x + generator.uniform(-spread, spread) for x in q]
            v2 = [x + generator.uniform(-spread, spread) for x in v]
            if problem.order_two:
                q2, v2 = problem.project(p2, q2, v2)
            cases.append((f"random start {k} near {key}", p2, q2, v2))
        for where, p, q, v in cases:
            try:
                start, last = check_solution(problem, where, p, q, v, until, step, report)
            except (ValueError, OverflowError, ZeroDivisionError, numpy.linalg.LinAlgError) as error:
                report(f"{where}: {error}")
                continue
            if not where.startswith("start"):
                check_reversal(problem, where, p, start, last, until, step, report)
                if problem.order_two:
                    check_angles(problem, where, p, start, report)
            check_frame(problem, where, p, start, report)
    if data["name"] in CLOSED_FORMS:
        CLOSED_FORMS[data["name"]](data, report)
    default = cache[next(iter(cache))]
    return (f"{default.dimension} coordinates, {len(default.phi)} constraints, "
            f"{len(default.integral_names)} integrals, {len(data['initial'])} starts")


# -- closed forms, derived by hand ---------------------------------------------------------------

def near(report, what, got, expected, tolerance=1e-10):
    error = numpy.abs(numpy.asarray(got) - numpy.asarray(expected)).max()
    if not error < tolerance:
        report(f"{what}: differs from the closed form by {error:.1e}")


def named_start(data, key, **changes):
    entry = dict(data["initial"][key])
    entry["parameters"] = {**entry.get("parameters", {}), **changes}
    problem = Problem(data, entry.get("sizes"))
    return (problem, *problem.start(entry))


def coupled_equations(first, second, potential, driver):
    """x' = k v, v' = -k.grad U, xi'' = -W' for A = [first, second](xi)."""
    def check(data, report):
        for key in data["initial"]:
            problem, p, q, v = named_start(data, key)
            q, v = problem.project(p, numpy.array(q) + [0.1, -0.2, 0.3], numpy.array(v) + [0.3, 0.2, 0.1])
            d = dict(zip(problem.parameters, p))
            def kernel(xi):
                k = numpy.array([-second(xi, d), first(xi, d)])
                return k / numpy.hypot(*k)
            k, dk = kernel(q[2]), (kernel(q[2] + 1e-5) - kernel(q[2] - 1e-5)) / 2e-5
            speed = k @ v[:2]
            acceleration = -k * (k @ potential(q, d)) + dk * v[2] * speed
            near(report, f"start {key}: acceleration", problem.acceleration(0.0, q, v, p)[0],
                 [*acceleration, -driver(q[2], d)], 1e-8)
    return check


def knife_edge(data, report):
    problem, p, q, v = named_start(data, "horizontal", f2=0.4)
    q, v, f1, f2, w = numpy.array([0.2, -0.1, 0.5]), numpy.array([0.3 * math.cos(0.5), 0.3 * math.sin(0.5), 0.8]), 1.0, 0.4, 0.8
    T = 2.0
    y = problem.flow([*q, *v], p, T)
    xi = 0.5 + w * T
    speed = lambda t: 0.3 + (f1 * (math.sin(0.5 + w * t) - math.sin(0.5)) - f2 * (math.cos(0.5 + w * t) - math.cos(0.5))) / w
    near(report, "velocity", y[3:], [speed(T) * math.cos(xi), speed(T) * math.sin(xi), w])
    nodes, weights = numpy.polynomial.legendre.leggauss(40)
    x = sum(T / 2 * c * speed(T / 2 * (1 + s)) * numpy.array([math.cos(0.5 + w * T / 2 * (1 + s)), math.sin(0.5 + w * T / 2 * (1 + s))])
            for s, c in zip(nodes, weights))
    near(report, "position", y[:2], q[:2] + x)
    multiplier = problem.acceleration(T, y[:3], y[3:], p)[1]
    near(report, "multiplier", multiplier, [w * speed(T) + f1 * math.sin(xi) - f2 * math.cos(xi)])


def rolling_disk(data, report):
    problem, p, q, v = named_start(data, "circle")
    for T in (1.0, 3.0):
        y = problem.flow([*q, *v], p, T)
        near(report, "circle", y[:4], [2 * math.sin(T / 2), 2 - 2 * math.cos(T / 2), T / 2, T])
    near(report, "multipliers", problem.acceleration(T, y[:4], y[4:], p)[1],
         [-0.5 * math.sin(T / 2), 0.5 * math.cos(T / 2)])


def particle_free(data, report):
    problem, p, q, v = named_start(data, "newmark")
    T = 1.7
    y = problem.flow([*q, *v], p, T)
    w, speed = v[1], v[0] * math.sqrt(1 + q[1] ** 2)
    y1 = q[1] + w * T
    near(report, "position", y[:3], [q[0] + speed / w * (math.asinh(y1) - math.asinh(q[1])), y1,
                                     q[2] + speed / w * (math.sqrt(1 + y1**2) - math.sqrt(1 + q[1] ** 2))])
    near(report, "multiplier", problem.acceleration(T, y[:3], y[3:], p)[1],
         [w * speed / (1 + y1**2) ** 1.5])


def chaplygin_sleigh(data, report):
    """Eq. (22) of Celledoni et al., from the accelerations."""
    problem, p, q, v = named_start(data, "turning")
    m, J, a = p
    acceleration, _ = problem.acceleration(0.0, q, v, p)
    c, s, I = math.cos(q[2]), math.sin(q[2]), J + m * a**2
    rho = [math.sqrt(I) * v[2], math.sqrt(m) * (v[0] * c + v[1] * s)]
    rate = [math.sqrt(I) * acceleration[2],
            math.sqrt(m) * (acceleration[0] * c + acceleration[1] * s + v[2] * (v[1] * c - v[0] * s))]
    C = a * math.sqrt(m) / I
    near(report, "Eq. (22)", rate, [-C * rho[0] * rho[1], C * rho[0] ** 2], 1e-13)


def suslov(data, report):
    """d(I omega)/dt = I omega x omega + lambda e_3 with omega_3 = 0, the first two components."""
    problem, p, zeta, _ = named_start(data, "generic")
    I11, I22, I13, I23 = p
    omega = numpy.array([zeta[0] / I11, zeta[1] / I22, 0.0])
    momentum = numpy.array([[I11, 0, I13], [0, I22, I23], [I13, I23, 9.0]]) @ omega
    near(report, "Euler's equations", problem.field(0.0, zeta, p), numpy.cross(momentum, omega)[:2], 1e-14)


def knife_edge_prescribed(data, report):
    problem, p, q, v = named_start(data, "down", f2=0.4, omega=0.8)
    T, (f1, f2, w) = 2.0, p
    y = problem.flow([*q, *v], p, T)
    speed = v[0] + (f1 * math.sin(w * T) - f2 * (math.cos(w * T) - 1)) / w
    near(report, "velocity", y[2:], [speed * math.cos(w * T), speed * math.sin(w * T)])


def appell_hamel(data, report):
    problem, p, q, v = named_start(data, "descending", g=1.3)
    near(report, "vertical acceleration", problem.acceleration(0.0, q, v, p)[0][2],
         -1.3 * p[2] ** 2 / (1 + p[2] ** 2))


def double_pendulum(data, report):
    """The same in angles a, b from the downward vertical, unit constants."""
    problem, p, q, v = named_start(data, "high")
    a, b, va, vb = 2.0, 2.5, 0.4, -0.7
    y = numpy.array([math.sin(a), -math.cos(a), math.sin(a) + math.sin(b), -math.cos(a) - math.cos(b)])
    va1 = va * numpy.array([math.cos(a), math.sin(a)])
    vb1 = vb * numpy.array([math.cos(b), math.sin(b)])
    d = a - b
    mass = [[2, math.cos(d)], [math.cos(d), 1]]
    right = [-(vb**2) * math.sin(d) - 2 * math.sin(a), va**2 * math.sin(d) - math.sin(b)]
    A, B = numpy.linalg.solve(mass, right)
    first = A * va1 / va + va**2 * numpy.array([-math.sin(a), math.cos(a)])
    second = first + B * vb1 / vb + vb**2 * numpy.array([-math.sin(b), math.cos(b)])
    near(report, "acceleration", problem.acceleration(0.0, y, [*va1, *(va1 + vb1)], p)[0], [*first, *second], 1e-12)


def tilting_disk(data, report):
    """Newton's and Euler's equations in space, with the contact force from Newton's."""
    problem, p, q, v = named_start(data, "wobbling", I_axis=0.6, r=0.8, m=1.2)
    m, r, g, I_axis, I_diameter = p
    q, v = problem.project(p, numpy.array(q) + [0, 0, 0, 0.4, 0.1, 0.2], v)
    acceleration, _ = problem.acceleration(0.0, q, v, p)

    def frame(q):  # along the heading, up in the disk's plane, axis
        c, s = math.cos(q[3]), math.sin(q[3])
        u, k = numpy.array([c, s, 0]), numpy.array([0, 0, 1.0])
        up = math.cos(q[4]) * k + math.sin(q[4]) * numpy.cross(k, u)
        return u, up, numpy.cross(u, up), k

    def spin(q, v):
        u, up, axis, k = frame(q)
        return v[3] * k - v[4] * u - v[5] * axis

    def momentum(q, v):
        w, axis = spin(q, v), frame(q)[2]
        return I_diameter * w + (I_axis - I_diameter) * (w @ axis) * axis

    u, up, axis, k = frame(q)
    near(report, "rolling", v[:3], r * numpy.cross(spin(q, v), up), 1e-12)
    e = 1e-5
    rate = (momentum(q + e * v, v + e * acceleration) - momentum(q - e * v, v - e * acceleration)) / (2 * e)
    force = m * (acceleration[:3] + g * k)
    near(report, "Euler's equations", rate, numpy.cross(-r * up, force), 1e-8)


def rattleback_rates(p, q, v):
    """Newton's and Euler's equations in the body frame, contact force eliminated: (w, w', velocity of G)."""
    a, h, M, g = numpy.array(p[:3]), p[3], p[4], p[9]
    A, B, C, D = p[5:9]
    inertia = numpy.array([[A, D, 0], [D, B, 0], [0, 0, C]])
    ca, sa, cb, sb = math.cos(q[4]), math.sin(q[4]), math.cos(q[5]), math.sin(q[5])
    down = numpy.array([-ca * sb, sa, ca * cb])
    w = v[4] * numpy.array([cb, 0, sb]) + v[5] * numpy.array([0, 1, 0]) + v[3] * down
    contact = lambda n: a**2 * n / numpy.linalg.norm(a * n) - [0, 0, h]
    turn, e = numpy.cross(down, w), 1e-6
    c = contact(down)
    c_rate = (contact(down + e * turn) - contact(down - e * turn)) / (2 * e)
    velocity = -numpy.cross(w, c)
    rest = numpy.cross(w, velocity) - numpy.cross(w, c_rate) - g * down  # M a_G - M g but for w'
    matrix = inertia + M * (c @ c * numpy.eye(3) - numpy.outer(c, c))
    rate = numpy.linalg.solve(matrix, numpy.cross(inertia @ w, w) + M * numpy.cross(c, rest))
    # body to space: gamma about the third axis, then alpha about the first, then beta about the second
    cg, sg = math.cos(q[3]), math.sin(q[3])
    rotation = (numpy.array([[cg, -sg, 0], [sg, cg, 0], [0, 0, 1]])
                @ numpy.array([[1, 0, 0], [0, ca, -sa], [0, sa, ca]])
                @ numpy.array([[cb, 0, sb], [0, 1, 0], [-sb, 0, cb]]))
    return w, rate, rotation @ velocity


def rattleback(data, report):
    """Against Newton's and Euler's equations; and spun one way it turns back, the other way it does not."""
    problem, p, q, v = named_start(data, "reversing")
    q, v = problem.project(p, numpy.array(q) + [0, 0, 0, 0.7, 0.1, -0.05], v)
    acceleration, _ = problem.acceleration(0.0, q, v, p)
    w, rate, velocity = rattleback_rates(p, q, v)
    e = 1e-5
    ahead, behind = (rattleback_rates(p, q + s * v, v + s * acceleration)[0] for s in (e, -e))
    near(report, "rolling", v[:3], velocity, 1e-12)
    near(report, "Euler's equations", (ahead - behind) / (2 * e) / max(1, abs(rate).max()), rate / max(1, abs(rate).max()), 1e-7)
    for key, reverses in (("reversing", True), ("steady", False)):
        problem, p, q, v = named_start(data, key)
        y = problem.flow([*q, *v], p, 3.6, 0.006)
        if (y[9] * v[3] < 0) != reverses:
            report(f"start {key}: spin {v[3]:.2f} becomes {y[9]:.2f}")


CLOSED_FORMS = {
    "knife-edge-prescribed": knife_edge_prescribed,
    "appell-hamel": appell_hamel,
    "double-pendulum": double_pendulum,
    "rattleback": rattleback,
    "tilting-disk": tilting_disk,
    "chaplygin-sleigh": chaplygin_sleigh,
    "suslov": suslov,
    "contact-oscillator": coupled_equations(lambda x, d: 1, lambda x, d: x, lambda q, d: q[:2], lambda x, d: x),
    "pendulum-cvt": coupled_equations(
        lambda x, d: 1, lambda x, d: math.sin(x), lambda q, d: q[:2],
        lambda x, d: math.sin(x) - d["epsilon"] * math.cos(2 * x)),
    "pendulum-cvt-inverted": coupled_equations(
        lambda x, d: 1, lambda x, d: math.sin(x), lambda q, d: q[:2],
        lambda x, d: -math.sin(x) - d["epsilon"] * math.cos(2 * x)),
    "particle-harmonic": coupled_equations(
        lambda x, d: 1, lambda x, d: x,
        lambda q, d: numpy.array([d["stiffness_x1"] * q[0], d["stiffness_x2"] * q[1]]),
        lambda x, d: d["stiffness_xi"] * x),
    "knife-edge": knife_edge,
    "rolling-disk": rolling_disk,
    "particle-free": particle_free,
}


def main(names):
    paths = sorted((ROOT / "problems").glob("*.toml"))
    failures = 0
    for path in paths:
        if names and path.stem not in names:
            continue
        messages = []
        try:
            summary = check_problem(path, messages.append)
        except (Failure, tomllib.TOMLDecodeError, KeyError) as error:
            messages.append(f"{type(error).__name__}: {error}")
            summary = "unreadable"
        print(f"{'FAIL' if messages else 'ok  '} {path.stem}: {summary}", flush=True)
        for message in messages:
            print(f"       {message}", flush=True)
        failures += bool(messages)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
