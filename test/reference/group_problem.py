"""A mechanical problem whose configuration space is a product of Lie groups, numbers and angles.

Texts may contain, of an element R of SO(3) or SE(2), `R[i,j]`, of SE(2) `B_angle`, `B_x` and `B_y`,
of H(3) `P_x`, `P_y` and `P_z`, and velocities in the body frame as `R_dot[i]`. Equations of motion:
mu' = ad*_v mu + d_g l + A^T lambda with mu = dl/dv and derivatives d_g along left-invariant fields."""

import re

import sympy
from mpmath import mpf

from exact import LU, dot, lin, mul, split, tmul
from lie import GROUPS, Line
from retraction import unit


class Space:
    """The product: factors (name, group) with the operations of one group on lists of numbers."""

    def __init__(self, entries):
        parts = [e.split(" in ") for e in entries]
        self.factors = [(p[0], GROUPS[p[1]] if len(p) > 1 else Line) for p in parts]
        self.n = sum(g.n for _, g in self.factors)

    def stored(self, g):
        return split(g, *[f.storage for _, f in self.factors])

    def algebra(self, x):
        return split(x, *[f.n for _, f in self.factors])

    def tau(self, kind, x):
        return sum((f.tau(kind, y) for (_, f), y in zip(self.factors, self.algebra(x))), [])

    def product(self, g, k):
        pairs = zip(self.factors, self.stored(g), self.stored(k))
        return sum((f.product(a, b) for (_, f), a, b in pairs), [])

    def normalised(self, g):
        return sum((f.normalised(a) for (_, f), a in zip(self.factors, self.stored(g))), [])

    def bracket(self, x, y):
        pairs = zip(self.factors, self.algebra(x), self.algebra(y))
        return sum((f.bracket(a, b) for (_, f), a, b in pairs), [])

    def coadjoint(self, x, m):
        """ad*_x m."""
        return [dot(m, self.bracket(x, unit(self.n, i))) for i in range(self.n)]

    def blocks(self, matrices, x):
        """The transposes of the factors' matrices times the parts of x."""
        return sum((tmul(a, y, len(y)) for a, y in zip(matrices, self.algebra(x))), [])

    def Ad_star(self, g, m):
        """(Ad_g)^T m."""
        return self.blocks([f.Ad(a) for (_, f), a in zip(self.factors, self.stored(g))], m)

    def derivatives(self, kind, x):
        """T(x) of each factor."""
        return [f.ways[kind].T(y) for (_, f), y in zip(self.factors, self.algebra(x))]

    def T(self, derivatives, u):
        return sum((mul(t, y) for t, y in zip(derivatives, self.algebra(u))), [])

    def T_star(self, derivatives, m):
        return self.blocks(derivatives, m)

    def DT_star(self, kind, x, u, m):
        """The gradient of m . T(x) u by x."""
        parts = zip(self.factors, self.algebra(x), self.algebra(u), self.algebra(m))
        return sum((f.ways[kind].DT(a, b, c) for (_, f), a, b, c in parts), [])

    def values(self, g):
        out = {}
        for (name, f), a in zip(self.factors, self.stored(g)):
            out.update(f.variables(name, a))
        return out


def underscored(text):
    """R[1,3] as R_1_3, R_dot[2] as R_dot_2, powers as Python writes them."""
    text = re.sub(r"\[(\d),\s*(\d)\]", r"_\1_\2", text)
    return re.sub(r"\[(\d)\]", r"_\1", text).replace("^", "**")


class GroupProblem:
    """L = kinetic - potential, constraints linear or affine in the velocities."""

    def __init__(self, text, parameters):
        self.text, self.space = text, Space(text["coordinates"])
        self.n, self.m, self.t = self.space.n, len(text["constraints"]), mpf(0)
        self.last = None, None
        self.values = {k: mpf(float(parameters.get(k, d))) for k, d in text["parameters"].items()}
        self.names = list(self.space.values(self.space.tau("cayley", [mpf(0)] * self.n)))
        v = []
        for name, f in self.space.factors:
            v += [name + "_dot"] if f is Line else ["%s_dot_%d" % (name, i + 1) for i in range(f.n)]
        scope = {x: sympy.Symbol(x) for x in self.names + v + list(self.values)}
        read = lambda s: sympy.sympify(underscored(s), locals=scope, rational=True)
        self.scope, self.velocities = scope, [scope[x] for x in v]
        self.define(read(text["kinetic"]) - read(text["potential"]),
                    [read(c) for c in text["constraints"]])

    def along(self, f, direction):
        """The derivative of f, velocities fixed, along a left-invariant field."""
        total, at = 0, 0
        for name, group in self.space.factors:
            rates = group.rates(name, self.scope, direction[at:at + group.n])
            total += sum(f.diff(self.scope[x]) * rate for x, rate in rates.items())
            at += group.n
        return total

    def define(self, l, phi):
        v, n = self.velocities, self.n
        mu = [l.diff(x) for x in v]
        axis = lambda i: [sympy.Integer(int(i == k)) for k in range(n)]
        self.L, self.Lv = self.compiled([l]), self.compiled(mu)
        self.Lg = self.compiled([self.along(l, axis(i)) for i in range(n)])
        self.mass = self.compiled([a.diff(x) for a in mu for x in v])
        self.mu_moved = self.compiled([self.along(a, v) for a in mu])
        self.Phi = self.compiled(phi)
        self.rows = self.compiled([c.diff(x) for c in phi for x in v])
        self.Phi_moved = self.compiled([self.along(c, v) for c in phi])

    def compiled(self, out):
        arguments = list(self.values) + self.names + [str(x) for x in self.velocities]
        f = sympy.lambdify([self.scope[x] for x in arguments], out, modules="mpmath", cse=True)

        return lambda g, v: [mpf(x) for x in f(*self.values.values(), *self.place(g), *v)]

    def place(self, g):
        """The variables at g, kept for the next function that is asked there."""
        if self.last[0] is not g:
            self.last = g, list(self.space.values(g).values())
        return self.last[1]

    def phi(self, g):
        return []

    def A(self, g, v):
        flat = self.rows(g, v)
        return [flat[i * self.n:(i + 1) * self.n] for i in range(self.m)]

    def energy(self, g, v):
        return dot(v, self.Lv(g, v)) - self.L(g, v)[0]

    def M(self, g, v):
        flat = self.mass(g, v)
        return LU([flat[i * self.n:(i + 1) * self.n] for i in range(self.n)])

    def gamma_z(self, g, v):
        """The acceleration without constraints and the rows of Z^T, Z = M^-1 A^T."""
        lu = self.M(g, v)
        right = lin((1, self.space.coadjoint(v, self.Lv(g, v))), (1, self.Lg(g, v)),
                    (-1, self.mu_moved(g, v)))
        return lu.solve(right), [lu.solve(row) for row in self.A(g, v)]

    def multiplier(self, g, v):
        gamma, zt = self.gamma_z(g, v)
        if not self.m:
            return [], gamma, zt
        a = self.A(g, v)
        right = lin((-1, self.Phi_moved(g, v)), (-1, mul(a, gamma)))
        return LU([[dot(row, z) for z in zt] for row in a]).solve(right), gamma, zt

    def lam(self, g, v):
        return self.multiplier(g, v)[0]

    def acceleration(self, g, v):
        lam, gamma, zt = self.multiplier(g, v)
        return lin((1, gamma), (1, tmul(zt, lam, self.n)))

    def projected(self, g, v):
        """v on the constraints, the nearest in the mass."""
        zt, a = self.gamma_z(g, v)[1], self.A(g, v)
        c = LU([[dot(row, z) for z in zt] for row in a]).solve(self.Phi(g, v)) if a else []
        return lin((1, v), (-1, tmul(zt, c, self.n)))
