"""How the texts of a problem file are read: keys, expressions, and expressions compiled for numbers."""

import ast
import math
import re

import sympy


class WholePart(sympy.floor):
    """floor, whose derivative is taken as zero."""

    def _eval_derivative(self, symbol):
        return sympy.S.Zero


def greatest(*numbers):
    a, *others = numbers
    for b in others:
        a = sympy.Piecewise((a, a >= b), (b, True))
    return a


def least(*numbers):
    a, *others = numbers
    for b in others:
        a = sympy.Piecewise((a, a <= b), (b, True))
    return a


def piecewise(*parts):
    *pieces, otherwise = parts
    return sympy.Piecewise(*zip(pieces[::2], pieces[1::2]), (otherwise, True))


FUNCTIONS = {
    "sin": sympy.sin, "cos": sympy.cos, "tan": sympy.tan, "asin": sympy.asin, "acos": sympy.acos,
    "atan": sympy.atan, "atan2": sympy.atan2, "sinh": sympy.sinh, "cosh": sympy.cosh,
    "tanh": sympy.tanh, "exp": sympy.exp, "log": sympy.log, "sqrt": sympy.sqrt, "abs": sympy.Abs,
    "sign": lambda x: sympy.Piecewise((1, x >= 0), (-1, True)), "floor": WholePart,
    "max": greatest, "min": least, "piecewise": piecewise,
}
RELATIONS = {"Lt": sympy.Lt, "LtE": sympy.Le, "Gt": sympy.Gt, "GtE": sympy.Ge}
KEYS = {
    "": {"name", "description", "source", "coordinates", "angles", "conserves", "parameters",
         "sizes", "definitions", "lagrangian", "constraints", "force", "frame", "integrals",
         "reversal", "initial", "skew-gradient", "gravity", "vectors", "body", "contact", "units",
         "event", "picture", "reduction"},
    "body": {"name", "mass", "inertia", "position", "rotation"},
    "contact": {"name", "body", "kind", "point", "shape", "plane", "velocity", "along", "spin", "radius"},
    "shape": {"disk", "sphere", "ellipsoid", "torus", "axis"},
    "plane": {"point", "normal"},
    "lagrangian": {"kinetic", "potential", "expression"},
    "constraints": {"expressions", "holonomic", "joint"},
    "frame": {"vectors"},
    "reversal": {"signs"},
    "skew-gradient": {"variables", "hamiltonian", "matrix"},
    "parameter": {"default", "min", "max", "min_exclusive", "max_exclusive", "description"},
    "size": {"default", "min", "max", "description"},
    "start": {"q", "v", "position", "velocity", "zeta", "project", "parameters", "sizes", "description", "source"},
}


def rotate(axis, angle, u):
    k = axis / axis.norm()
    return sympy.cos(angle) * u + sympy.sin(angle) * k.cross(u) + (1 - sympy.cos(angle)) * k.dot(u) * k


VECTOR_FUNCTIONS = {"cross": lambda u, v: u.cross(v), "dot": lambda u, v: u.dot(v),
                    "norm": lambda u: sympy.sqrt(u.dot(u)), "rotate": rotate}


class Failure(Exception):
    """What is wrong with a problem file."""


class Reader:
    """Expands text to sympy: arrays `w[i]` become the symbol w_i, `sum(i, a, b, e)` is unrolled."""

    def __init__(self, sizes):
        self.sizes = dict(sizes)
        self.values = {"pi": sympy.pi}
        self.maps = {}

    def array(self, declaration):
        """Names of the components declared by "x" or "w[1..n]"."""
        match = re.fullmatch(r"(\w+)\[(.+)\.\.(.+)\]", declaration)
        if not match:
            return [declaration]
        first, last = int(self.read(match[2])), int(self.read(match[3]))
        return [f"{match[1]}_{i}" for i in range(first, last + 1)]

    def expand(self, text):
        """All expressions a text stands for: one, or several when it is each(i, a, b, e)."""
        if isinstance(text, dict):  # a constraint with a name for its multiplier
            text = text["expression"]
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
        if isinstance(node, ast.Attribute):  # coin.velocity
            return self.walk(ast.Name(id=f"{node.value.id}.{node.attr}"), index)
        if isinstance(node, ast.List):
            return sympy.ImmutableMatrix([self.walk(entry, index) for entry in node.elts])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):  # coin.point(a, b, c)
            arguments = [self.walk(a, index) for a in node.args]
            point = arguments[0] if len(arguments) == 1 else sympy.ImmutableMatrix(arguments)
            return self.maps[f"{node.func.value.id}.{node.func.attr}"](point)
        if isinstance(node, ast.Call) and node.func.id in VECTOR_FUNCTIONS:
            return VECTOR_FUNCTIONS[node.func.id](*[self.walk(a, index) for a in node.args])
        if isinstance(node, ast.Subscript):
            indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            name = "_".join([node.value.id, *[str(self.walk(i, index)) for i in indices]])
            return self.walk(ast.Name(id=name), index)
        if isinstance(node, ast.Compare):  # a < b <= c
            sides = [self.walk(side, index) for side in [node.left, *node.comparators]]
            return sympy.And(*[RELATIONS[type(relation).__name__](a, b)
                               for relation, a, b in zip(node.ops, sides, sides[1:])])
        if isinstance(node, ast.BoolOp):
            join = sympy.And if isinstance(node.op, ast.And) else sympy.Or
            return join(*[self.walk(part, index) for part in node.values])
        if isinstance(node, ast.UnaryOp):
            value = self.walk(node.operand, index)
            if isinstance(node.op, ast.Not):
                return sympy.Not(value)
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
    return sympy.lambdify(arguments, expressions, modules=[{"WholePart": math.floor}, "math"], cse=shared)


def known_keys(table, kind, where):
    unknown = set(table) - KEYS[kind]
    if unknown:
        raise Failure(f"unknown key {sorted(unknown)} in {where}")
