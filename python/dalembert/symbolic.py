"""From and to SymPy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Callable

import numpy as np

from . import _core
from ._core import Expression
from .errors import RequestError
from .expressions import atan2, maximum, minimum, pi, where
from .forms import needed
from .problems import Parameter, Problem, Start
from .systems import Mechanics, system


def _sympy() -> Any:
    return needed("sympy", "a SymPy expression")


def _exact(value: Fraction) -> Expression:
    """A number to 106 bits."""
    try:
        high = float(value)
    except OverflowError:
        raise RequestError("a number of SymPy is larger than any double") from None
    made: Expression = Expression(high) + float(value - Fraction(high))
    return made


def _method(name: str) -> Callable[[Any], Any]:
    """The function that expressions call by this name."""
    def call(x: Any) -> Any:
        return getattr(x, name)()

    return call


class _Reader:
    """Builds expressions from those of SymPy, each part once."""

    def __init__(self, known: Mapping[Any, Any]) -> None:
        self.sympy = _sympy()
        self.made: dict[Any, Any] = dict(known)
        unary: dict[str, Callable[[Any], Any]] = {
            name: _method(name) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp",
                                             "log", "floor")}
        unary |= {"Abs": abs, "sec": lambda x: 1 / x.cos(), "csc": lambda x: 1 / x.sin(), "cot": lambda x: 1 / x.tan(),
                  "sign": lambda x: where(x, where(-x, 0, 1), -1), "Heaviside": lambda x: where(x, where(-x, 0.5, 1), 0),
                  "ceiling": lambda x: -(-x).floor(), "re": lambda x: x, "conjugate": lambda x: x,
                  "asinh": lambda x: (x + (x * x + 1).sqrt()).log(), "acosh": lambda x: (x + (x * x - 1).sqrt()).log(),
                  "atanh": lambda x: ((1 + x) / (1 - x)).log() / 2}
        self.unary = unary

    def read(self, value: Any) -> Any:
        try:
            found = self.made.get(value)
        except TypeError:  # a matrix, a list
            raise RequestError(f"{value!r} is of the type {type(value).__name__}; a SymPy expression or a number is allowed") from None
        if found is None:
            found = self.made[value] = self._build(value)
        return found

    def _build(self, value: Any) -> Any:
        sympy = self.sympy
        if isinstance(value, (int, float, Expression)):
            return Expression(value)
        if not isinstance(value, sympy.Basic):
            raise RequestError(f"{value!r} is of the type {type(value).__name__}; a SymPy expression or a number is allowed")
        if isinstance(value, sympy.Number) and value.is_finite:
            return _exact(Fraction(value.p, value.q) if value.is_Rational else _fraction(value))
        if isinstance(value, sympy.NumberSymbol):
            return pi if value is sympy.pi else _exact(_fraction(value.evalf(40)))
        if isinstance(value, (sympy.Add, sympy.Mul)):
            return self._fold(value)
        if isinstance(value, sympy.Pow):
            base, exponent = value.args
            if exponent.is_Rational and exponent < 0:
                return 1 / self.read(1 / value)
            return self.read(base) ** self.read(exponent)
        return self._function(value)

    def _fold(self, value: Any) -> Any:
        """Sums with differences, products with quotients, as people write them."""
        is_sum = isinstance(value, self.sympy.Add)
        above, below = None, None
        for part in value.as_ordered_terms() if is_sum else value.args:
            inverse = part.could_extract_minus_sign() if is_sum else (
                isinstance(part, self.sympy.Pow) and part.exp.is_Rational and part.exp < 0)
            one = self.read((-part if is_sum else 1 / part) if inverse else part)
            if inverse:
                below = one if below is None else (below + one if is_sum else below * one)
            else:
                above = one if above is None else (above + one if is_sum else above * one)
        if below is None:
            return above
        if above is None:
            return -below if is_sum else 1 / below
        return above - below if is_sum else above / below

    def _function(self, value: Any) -> Any:
        sympy, name = self.sympy, type(value).__name__
        if name in self.unary and len(value.args) >= 1:
            return self.unary[name](self.read(value.args[0]))
        arguments = value.args
        if isinstance(value, sympy.atan2):
            return atan2(*(self.read(one) for one in arguments))
        if isinstance(value, (sympy.Max, sympy.Min)):
            choose = maximum if isinstance(value, sympy.Max) else minimum
            result = self.read(arguments[0])
            for one in arguments[1:]:
                result = choose(result, self.read(one))
            return result
        if isinstance(value, sympy.Piecewise):
            return self._pieces(list(arguments))
        if isinstance(value, sympy.Derivative):
            raise RequestError(f"{value} is none of the velocities; derivatives of the coordinates by the time, once, are allowed")
        if isinstance(value, sympy.Symbol):
            raise RequestError(f'"{value}" is neither a coordinate, a velocity nor a parameter; give it a value in parameters')
        raise RequestError(f'"{value}" has no counterpart: {name} is not known')

    def _pieces(self, pieces: list[Any]) -> Any:
        value, condition = pieces[0].args
        if len(pieces) == 1:
            if condition != self.sympy.true:
                raise RequestError(f"{pieces[0]} says nothing of what holds otherwise; end Piecewise with (value, True)")
            return self.read(value)
        return self._choose(condition, self.read(value), self._pieces(pieces[1:]))

    def _choose(self, condition: Any, a: Any, b: Any) -> Any:
        """a where the condition holds, else b."""
        sympy = self.sympy
        if condition in (sympy.true, sympy.false):
            return a if condition == sympy.true else b
        if isinstance(condition, sympy.Not):
            return self._choose(condition.args[0], b, a)
        if isinstance(condition, sympy.And):
            first, rest = condition.args[0], sympy.And(*condition.args[1:])
            return self._choose(first, self._choose(rest, a, b), b)
        if isinstance(condition, sympy.Or):
            first, rest = condition.args[0], sympy.Or(*condition.args[1:])
            return self._choose(first, a, self._choose(rest, a, b))
        if isinstance(condition, (sympy.Ge, sympy.Gt, sympy.Le, sympy.Lt)):
            left, right = self.read(condition.gts), self.read(condition.lts)
            strict = isinstance(condition, (sympy.Gt, sympy.Lt))
            return where(right - left, b, a) if strict else where(left - right, a, b)
        raise RequestError(f"the condition {condition} is not known; comparisons by < <= > >=, And, Or and Not are allowed")


def _fraction(value: Any) -> Fraction:
    """All bits of a SymPy float."""
    exact = _sympy().Rational(value)
    return Fraction(int(exact.p), int(exact.q))


def _list(value: Any) -> list[Any]:
    if value is None:
        return []
    return [value] if isinstance(value, _sympy().Basic) and not hasattr(value, "tolist") else list(value)


def _difference(equation: Any) -> Any:
    """What vanishes: an expression, or the difference of the sides of an Eq."""
    return equation.lhs - equation.rhs if isinstance(equation, _sympy().Eq) else equation


def _name(symbol: Any) -> str:
    return str(symbol.func if getattr(symbol, "args", ()) else symbol)


def _named(equations: Any) -> Any:
    if isinstance(equations, Mapping):
        return {str(name): _difference(one) for name, one in equations.items()}
    return [_difference(one) for one in _list(equations)]


def from_sympy(lagrangian: Any, q: Sequence[Any], *, v: Sequence[Any] | None = None, constraints: Any = (),
               holonomic: Any = (), force: Any = None, integrals: Mapping[str, Any] | None = None,
               parameters: Mapping[Any, float | Parameter] | None = None, angles: Sequence[Any] = (), time: Any = None,
               reversal: Sequence[float] | None = None, starts: Mapping[str, Start] | None = None,
               name: str = "sympy-system", description: str = "", source: str = "") -> Problem:
    """A problem from equations of SymPy.

    ``q``: functions of the time, as ``dynamicsymbols("x y")``, whose velocities are their derivatives, or
    symbols with their velocities in ``v``. ``constraints`` and ``holonomic``: expressions that vanish, or Eq;
    a mapping names their multipliers. ``force``: one for each coordinate. ``parameters``: values, or ``Parameter``, by
    symbol. ``angles``: those of q with the period 2 pi. ``time``: its symbol, if it is not that of q. The
    rest as ``system``. RequestError, with the part, for what has no counterpart here.
    """
    sympy = _sympy()
    coordinates = _list(q)
    rates = _velocities(coordinates, v)
    clock = time if time is not None else next((one.args[0] for one in coordinates if one.args), sympy.Symbol("t"))
    known = dict(parameters or {})

    def equations(position: Any, velocity: Any, p: Any, t: Any) -> Mechanics:
        made: dict[Any, Any] = {symbol: p[_name(symbol)] for symbol in known}
        made |= dict(zip(coordinates, position)) | dict(zip(rates, velocity)) | {clock: t}
        read = _Reader(made).read

        def each(values: Any) -> Any:
            named = _named(values)
            return {key: read(one) for key, one in named.items()} if isinstance(named, dict) else [read(one) for one in named]

        return Mechanics(lagrangian=read(lagrangian), constraints=each(constraints), holonomic=each(holonomic),
                         force=each(force) if force is not None else None,
                         integrals={key: read(one) for key, one in (integrals or {}).items()}, reversal=reversal)

    return system(equations, coordinates=[_name(one) for one in coordinates], angles=[_name(one) for one in angles],
                  parameters={_name(symbol): value for symbol, value in known.items()}, starts=starts, name=name,
                  description=description, source=source)


def _velocities(coordinates: list[Any], v: Sequence[Any] | None) -> list[Any]:
    if v is not None:
        if len(list(v)) != len(coordinates):
            raise RequestError(f"v has {len(list(v))} entries for {len(coordinates)} coordinates")
        return list(v)
    for one in coordinates:
        if not getattr(one, "args", ()):
            raise RequestError(f'"{one}" is no function of the time; make it one, dynamicsymbols("{one}"), or give the velocities in v')
    return [one.diff(one.args[0]) for one in coordinates]


class _Writer:
    """Builds expressions of SymPy from nodes."""

    def __init__(self, symbols: Mapping[str, Any]) -> None:
        self.sympy = _sympy()
        self.symbols: dict[str, Any] = dict(symbols)

    def write(self, expression: Expression) -> Any:
        made: list[Any] = []
        for operation, operands, detail in _core.tree(expression):
            made.append(self._node(operation, [made[one] for one in operands], detail))
        return made[-1]

    def _node(self, operation: str, parts: list[Any], detail: Any) -> Any:
        sympy = self.sympy
        if operation == "constant":
            return self._number(*detail)
        if operation == "symbol":
            if detail not in self.symbols:
                self.symbols[detail] = sympy.Symbol(detail, real=True)
            return self.symbols[detail]
        if operation == "function":
            return sympy.Function(detail)(*parts)
        if operation == "solve":
            size = int(detail)
            return sympy.Matrix(size, size, parts[:size * size]).LUsolve(sympy.Matrix(parts[size * size:]))
        if operation == "component":
            return parts[0][int(detail)]
        if operation in ("sinc", "sinhc", "sinc_root"):
            return self._quotient(operation, parts[0], int(detail))
        return self._simple(operation, parts)

    def _simple(self, operation: str, parts: list[Any]) -> Any:
        sympy, a, b = self.sympy, parts[0], parts[-1]
        simple: dict[str, Callable[[], Any]] = {
            "negate": lambda: -a, "add": lambda: a + b, "subtract": lambda: a - b, "multiply": lambda: a * b,
            "divide": lambda: a / b, "power": lambda: a ** b, "abs": lambda: sympy.Abs(a),
            "sign": lambda: sympy.Piecewise((1, a >= 0), (-1, True)),
            "where_nonnegative": lambda: sympy.Piecewise((b, a >= 0), (0, True)),
            "where_negative": lambda: sympy.Piecewise((b, a < 0), (0, True)),
            "select": lambda: sympy.Piecewise((parts[1], a >= 0), (parts[2], True))}
        return simple[operation]() if operation in simple else getattr(sympy, operation)(*parts)

    def _quotient(self, operation: str, x: Any, order: int) -> Any:
        """The functions sin(x)/x, sinh(x)/x and their families, written out; see their derivatives in the C++ reference."""
        sympy, z = self.sympy, self.sympy.Dummy("z", positive=True)
        if operation == "sinc_root" and order == -1:
            return sympy.cos(sympy.sqrt(x))
        function = (sympy.sinh(z) if operation == "sinhc" else sympy.sin(z)) / z
        for _ in range(order):
            function = (1 if operation == "sinhc" else -1) * function.diff(z) / z
        return function.subs(z, sympy.sqrt(x) if operation == "sinc_root" else x)

    def _number(self, high: float, low: float) -> Any:
        sympy = self.sympy
        if (high, low) == _core.tree(pi)[0][2]:
            return sympy.pi
        value = Fraction(high) + Fraction(low)
        near = value.limit_denominator(64)
        is_quotient = near == value or (low != 0.0 and abs(near - value) <= abs(value) / 2**104)
        if is_quotient:
            return sympy.Rational(near.numerator, near.denominator)
        return sympy.Float(high) if low == 0.0 else sympy.Rational(value.numerator, value.denominator)


def to_sympy(expression: Expression, symbols: Mapping[str, Any] | None = None) -> Any:
    """The expression of SymPy; names become real symbols, or what ``symbols`` gives for them."""
    return _Writer(symbols or {}).write(expression)


class SympySystem:
    """A system in SymPy: its coordinates ``q`` as functions of ``t``, velocities ``v`` as their derivatives,
    ``parameters`` by name, ``lagrangian``, ``constraints`` (those on velocities, then the rates of those on positions),
    ``holonomic`` and ``force``, and ``equations``: what vanishes along motions, with the multipliers ``lam``.
    """

    def __init__(self, problem: Problem) -> None:
        sympy = _sympy()
        entry = _formulas(problem)
        if entry["has_groups"]:
            raise RequestError(f'problem "{problem.name}" has elements of groups, whose velocities are no derivatives; SymPy '
                               f"gets equations_of_motion() of it")
        self.t: Any = sympy.Symbol("t", real=True)
        names = [str(one) for one in entry["q"]]
        self.q: list[Any] = [sympy.Function(name, real=True)(self.t) for name in names]
        self.v: list[Any] = [one.diff(self.t) for one in self.q]
        self.parameters: dict[str, Any] = {str(one): sympy.Symbol(str(one), real=True) for one in entry["parameters"]}
        self.lam: list[Any] = [sympy.Symbol(str(one), real=True) for one in entry["multipliers"]]
        known = dict(zip(names, self.q)) | dict(zip(map(str, entry["v"]), self.v)) | self.parameters | {"t": self.t}
        known |= dict(zip(map(str, entry["multipliers"]), self.lam))
        known |= {str(one): two.diff(self.t) for one, two in zip(entry["acceleration"], self.v)}
        write = _Writer(known).write
        self.lagrangian: Any = write(entry["lagrangian"])
        self.constraints: list[Any] = [write(one) for one in entry["constraint"]]
        self.holonomic: list[Any] = [write(one) for one in entry["holonomic"]]
        self.force: list[Any] = [write(one) for one in entry["force"]]
        self.equations: list[Any] = [write(one) for one in entry["residual"]]

    def __repr__(self) -> str:
        return f"<dalembert.SympySystem of {', '.join(str(one) for one in self.q)}>"


def _formulas(problem: Problem) -> dict[str, Any]:
    entry = _core.formulas(problem._system())
    if "lagrangian" not in entry:
        raise RequestError(f'problem "{problem.name}" is in skew-gradient form; it has a Hamiltonian and no Lagrangian')
    return entry


class EquationsOfMotion(Sequence[Expression]):
    """d/dt dL/dv - dL/dq - A^T lambda - force, one for each velocity, then the constraints: all vanish.

    ``residual`` and ``constraints`` are expressions in q, v, accelerations (x_ddot) and multipliers.
    """

    def __init__(self, problem: Problem) -> None:
        entry = _formulas(problem)
        self.residual: list[Expression] = list(entry["residual"])
        self.constraints: list[Expression] = list(entry["constraint"])
        self.multipliers: list[Expression] = list(entry["multipliers"])
        self.acceleration: list[Expression] = list(entry["acceleration"])

    def _all(self) -> list[Expression]:
        return self.residual + self.constraints

    def __getitem__(self, index: Any) -> Any:
        return self._all()[index]

    def __len__(self) -> int:
        return len(self._all())

    def to_sympy(self) -> list[Any]:
        """The same in SymPy, with plain symbols."""
        write = _Writer({}).write
        return [write(one) for one in self._all()]

    def __repr__(self) -> str:
        return "\n".join(f"0 = {one}" for one in self._all())

    def _repr_latex_(self) -> str:
        lines = [f"0 &= {one.to_latex()}" for one in self._all()]
        return "$$\\begin{aligned}" + " \\\\ ".join(lines) + "\\end{aligned}$$"
