"""Lie groups as factors of a configuration space: what is stored of an element, its product,
retractions, brackets and adjoint maps, and what problems may write: its variables and their rates
along left-invariant fields. Velocities, momenta and forces are left trivialised."""

import sympy
from mpmath import atan, cos, mpf, sin, sqrt

from exact import dot, lin
from retraction import Constant, Exponential, Rational, transposed, unit


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def hamilton(p, q):
    """The product of quaternions, scalar first."""
    vector = lin((p[0], q[1:]), (q[0], p[1:]), (1, cross(p[1:], q[1:])))
    return [p[0] * q[0] - dot(p[1:], q[1:])] + vector


def rotation(q):
    """v -> q v q* = (s^2 - p.p) v + 2 p (p.v) + 2 s p x v for q = (s, p)."""
    s, p = q[0], q[1:]
    first = s * s - dot(p, p)
    twice = [[2 * a * b for b in p] for a in p]
    turn = [2 * s * a for a in p]
    return [[twice[0][0] + first, twice[0][1] - turn[2], twice[0][2] + turn[1]],
            [twice[1][0] + turn[2], twice[1][1] + first, twice[1][2] - turn[0]],
            [twice[2][0] - turn[1], twice[2][1] + turn[0], twice[2][2] + first]]


def cayley_rotation(x):
    """Body velocity 2 vec(p* dp)/|p|^2 of p = (1, x/2)."""
    p = sympy.Matrix([1] + [y / 2 for y in x])
    columns = []
    for y in x:
        d = p.diff(y)
        vector = p[0] * d[1:, 0] - d[0] * p[1:, 0] - p[1:, 0].cross(d[1:, 0])
        columns.append(2 * vector / p.dot(p))
    return sympy.Matrix.hstack(*columns)


class SO3:
    n, storage = 3, 4
    bracket = staticmethod(cross)
    ways = {"cayley": Rational(cayley_rotation, 3), "exponential": Exponential(cross, 3, (0, 1, 2))}

    @staticmethod
    def tau(kind, x):
        if kind == "cayley":
            p = [mpf(1)] + [y / 2 for y in x]
            return lin((1 / sqrt(dot(p, p)), p))
        angle = sqrt(dot(x, x))
        s = mpf(1) / 2 if angle == 0 else sin(angle / 2) / angle
        return [cos(angle / 2)] + lin((s, x))

    product = staticmethod(hamilton)
    Ad = staticmethod(rotation)

    @staticmethod
    def normalised(g):
        return lin((1 / sqrt(dot(g, g)), g))

    @staticmethod
    def variables(name, g):
        r = rotation(g)
        return {"%s_%d_%d" % (name, i + 1, j + 1): r[i][j] for i in range(3) for j in range(3)}

    @staticmethod
    def rates(name, s, w):
        """R' = R w^, by rows: cross(row, w) = -(w^ row)."""
        out = {}
        for i in "123":
            row = [s["%s_%s_%d" % (name, i, j)] for j in (1, 2, 3)]
            out.update({"%s_%s_%d" % (name, i, j + 1): y for j, y in enumerate(cross(row, w))})
        return out


def turned(v):
    return [-v[1], v[0]]


def plane(angle, v):
    return lin((cos(angle), v), (sin(angle), turned(v)))


def se2_bracket(a, b):
    return [mpf(0)] + lin((a[0], turned(b[1:])), (-b[0], turned(a[1:])))


def cayley_plane(x):
    """Angle 2 atan(w/2), translation (1 + w J/2) v/d; rows (d angle, R^T d translation)."""
    w, v = x[0], sympy.Matrix(x[1:])
    j, d = sympy.Matrix([[0, -1], [1, 0]]), 1 + w ** 2 / 4
    turn = (sympy.eye(2) * (1 - w ** 2 / 4) + j * w) / d
    place = (sympy.eye(2) + j * w / 2) * v / d
    return sympy.Matrix.vstack(sympy.Matrix([[1 / d, 0, 0]]), turn.T * place.jacobian(x))


class SE2:
    """Storage: angle, x, y."""
    n, storage = 3, 3
    bracket = staticmethod(se2_bracket)
    ways = {"cayley": Rational(cayley_plane, 3), "exponential": Exponential(se2_bracket, 3, (0,))}

    @staticmethod
    def tau(kind, x):
        w, v = x[0], x[1:]
        if kind == "cayley":
            d = 1 + w * w / 4
            return [2 * atan(w / 2)] + lin((1 / d, v), (w / 2 / d, turned(v)))
        if w == 0:
            return x
        return [w] + lin((sin(w) / w, v), ((1 - cos(w)) / w, turned(v)))

    @staticmethod
    def product(g, k):
        return [g[0] + k[0]] + lin((1, g[1:]), (1, plane(g[0], k[1:])))

    @staticmethod
    def Ad(g):
        """g x g^-1 of the velocities: (w, R v - w J r)."""
        image = lambda u: [u[0]] + lin((1, plane(g[0], u[1:])), (-u[0], turned(g[1:])))
        return transposed([image(unit(3, i)) for i in range(3)])

    @staticmethod
    def normalised(g):
        return g

    @staticmethod
    def variables(name, g):
        c, s = cos(g[0]), sin(g[0])
        entries = {"1_1": c, "1_2": -s, "2_1": s, "2_2": c, "angle": g[0], "x": g[1], "y": g[2]}
        return {name + "_" + k: x for k, x in entries.items()}

    @staticmethod
    def rates(name, s, u):
        b = lambda k: s[name + "_" + k]
        out = {"angle": u[0]}
        for i, place in (("1", "x"), ("2", "y")):
            first, second = b(i + "_1"), b(i + "_2")
            out[place] = first * u[1] + second * u[2]
            out[i + "_1"], out[i + "_2"] = second * u[0], -first * u[0]
        return {name + "_" + k: x for k, x in out.items()}


def heisenberg_bracket(a, b):
    return [mpf(0), mpf(0), a[0] * b[1] - a[1] * b[0]]


class H3:
    """x -> x is the exponential and Cayley's map."""
    n, storage = 3, 3
    bracket = staticmethod(heisenberg_bracket)
    ways = dict.fromkeys(("cayley", "exponential"), Exponential(heisenberg_bracket, 3, ()))

    @staticmethod
    def tau(kind, x):
        return x

    @staticmethod
    def product(g, k):
        return lin((1, g), (1, k), (mpf(1) / 2, heisenberg_bracket(g, k)))

    @staticmethod
    def Ad(g):
        return transposed([lin((1, unit(3, i)), (1, heisenberg_bracket(g, unit(3, i))))
                           for i in range(3)])

    @staticmethod
    def normalised(g):
        return g

    @staticmethod
    def variables(name, g):
        return dict(zip((name + "_x", name + "_y", name + "_z"), g))

    @staticmethod
    def rates(name, s, u):
        x, y = s[name + "_x"], s[name + "_y"]
        return {name + "_x": u[0], name + "_y": u[1], name + "_z": u[2] + (x * u[1] - y * u[0]) / 2}


class Line:
    """A number: everything is addition."""
    n, storage = 1, 1
    bracket = staticmethod(lambda a, b: [mpf(0)])
    ways = dict.fromkeys(("cayley", "exponential"), Constant)
    tau = staticmethod(lambda kind, x: x)
    product = staticmethod(lambda g, k: [g[0] + k[0]])
    Ad = staticmethod(lambda g: [[mpf(1)]])
    normalised = staticmethod(lambda g: g)
    variables = staticmethod(lambda name, g: {name: g[0]})
    rates = staticmethod(lambda name, s, u: {name: u[0]})


GROUPS = {"SO(3)": SO3, "SE(2)": SE2, "H(3)": H3}
