"""Derivatives of retractions of Lie groups. tau is a retraction, T its derivative in the body frame:
tau(x)^-1 D tau(x) u = (T(x) u)^.

Of the exponential T is the series sum (-ad_x)^k / (k+1)! with equal powers collected, of Cayley's map
it is differentiated by sympy from the definition."""

import sympy
from mpmath import mp, mpf

from exact import dot, lin


def unit(n, i):
    return [mpf(int(i == k)) for k in range(n)]


def transposed(matrix):
    return [list(row) for row in zip(*matrix)]


class Rational:
    """T and its derivative from an n x n matrix of rational functions of x."""

    def __init__(self, build, n):
        x, u, m = (sympy.symbols("%s0:%d" % (name, n)) for name in "xum")
        self.n, t = n, build(x).applyfunc(sympy.cancel)
        pairing = (sympy.Matrix(m).T * t * sympy.Matrix(u))[0, 0]
        make = lambda arguments, out: sympy.lambdify(arguments, out, modules="mpmath", cse=True)
        self.t = make(x, list(t))
        self.dt = make(x + u + m, [pairing.diff(y) for y in x])

    def T(self, x):
        flat = [mpf(y) for y in self.t(*x)]
        return [flat[i:i + self.n] for i in range(0, self.n ** 2, self.n)]

    def DT(self, x, u, m):
        """The gradient of m . T(x) u by x."""
        return [mpf(y) for y in self.dt(*x, *u, *m)]


COEFFICIENTS = [[mpf(-1) ** k / mp.factorial(2 * k + first) for k in range(24)] for first in (2, 3)]


class Exponential:
    """T = sum (-ad_x)^k / (k+1)! on a group where ad_x^3 = -t ad_x for a square t = sum of x_i^2
    over some i: 1 - c_1(t) ad_x + c_2(t) ad_x^2, c_i(t) = sum (-t)^k / (2k+1+i)!. For t < 1."""

    def __init__(self, bracket, n, turning):
        self.bracket, self.n, self.turning = bracket, n, turning

    def scalars(self, x):
        """c_1, c_2 and their derivatives by t."""
        t = sum((x[i] * x[i] for i in self.turning), mpf(0))
        assert t < 1
        out = []
        for series in COEFFICIENTS:
            value, rate = mpf(0), mpf(0)
            for a in reversed(series if t else series[:2]):
                value, rate = value * t + a, rate * t + value
            out.append((value, rate))
        return out

    def T(self, x):
        (c1, _), (c2, _) = self.scalars(x)
        columns = []
        for i in range(self.n):
            e = unit(self.n, i)
            once = self.bracket(x, e)
            columns.append(lin((1, e), (-c1, once), (c2, self.bracket(x, once))))
        return transposed(columns)

    def DT(self, x, u, m):
        """The gradient of m . T(x) u by x."""
        (c1, d1), (c2, d2) = self.scalars(x)
        once = self.bracket(x, u)
        slope = 2 * (d2 * dot(m, self.bracket(x, once)) - d1 * dot(m, once))
        out = []
        for i in range(self.n):
            first = self.bracket(unit(self.n, i), u)
            second = lin((1, self.bracket(unit(self.n, i), once)), (1, self.bracket(x, first)))
            out.append(c2 * dot(m, second) - c1 * dot(m, first)
                       + (slope * x[i] if i in self.turning else 0))
        return out


class Constant:
    """T = 1: commuting factors."""

    @staticmethod
    def T(x):
        return [unit(len(x), i) for i in range(len(x))]

    @staticmethod
    def DT(x, u, m):
        return [mpf(0)] * len(x)
