"""driver-splitting: drivers w and passengers x, constraints A(w) x' = 0, constant mass that couples no
driver to anything. Steps take and return (q, v, lambda); the multiplier is the continuous one."""

import sympy
from mpmath import mpf, sqrt

from exact import LU, Newton, dot, lin, mul, quadrature, solve, split, tmul

HALF = mpf(1) / 2


def with_entries(q, at, values):
    out = q[:]
    for i, x in zip(at, values):
        out[i] = x
    return out


def polar(s):
    """The orthogonal O nearest to s, by the Newton iteration O <- (O + O^-T)/2."""
    n = len(s)
    unit = [[mpf(int(i == k)) for k in range(n)] for i in range(n)]
    for _ in range(12):
        inverse = [solve(s, e) for e in unit]  # the columns of s^-1: the rows of s^-T
        s = [lin((HALF, a), (HALF, b)) for a, b in zip(s, inverse)]
    return s


class Coupled:
    def __init__(self, p):
        self.p = p
        phi = [p.read(c) for c in p.text["constraints"]]
        acts = [any(c.has(s) for c in phi) for s in p.symbols_v]
        self.x, self.w = ([i for i in range(p.n) if acts[i] == kind] for kind in (True, False))
        mass = p.Lvv([mpf(0)] * p.n, [mpf(0)] * p.n)
        self.mass = [[mass[i][j] for j in self.x] for i in self.x]
        self.inertia = [mass[i][i] for i in self.w]
        self.splits = all(p.potential.diff(p.symbols_q[i]).diff(p.symbols_q[j]) == 0
                          for i in self.w for j in self.x)
        # the passenger that a constraint determines: one whose coefficient cannot vanish
        real = {s: sympy.Symbol(s.name, real=True) for s in p.symbols_q}
        known = [[i for i in self.x if c.diff(p.symbols_v[i]).subs(real).is_nonzero] for c in phi]
        self.tied = [options[0] for options in known] if all(known) else None

    def part(self, v):
        return [v[i] for i in self.x]

    def A(self, q):
        return [self.part(row) for row in self.p.A(q)]

    def product(self, a, b):
        return dot(a, mul(self.mass, b))

    def normals(self, q):
        """The columns of M^-1 A^T, made orthonormal in the mass."""
        out, lu = [], LU(self.mass)
        for row in self.A(q):
            z = lu.solve(row)
            for n in out:
                z = lin((1, z), (-self.product(n, z), n))
            out.append(lin((1 / sqrt(self.product(z, z)), z)))
        return out

    def carry(self, q0, q1, v):
        old, new = self.normals(q0), self.normals(q1)
        turn = polar([[self.product(a, b) for b in new] for a in old])
        new = [tmul(new, row, len(self.x)) for row in turn]
        s = [[self.product(a, b) + (i == j) for j, b in enumerate(new)] for i, a in enumerate(old)]
        vx = self.part(v)
        c = solve(s, [self.product(n, vx) for n in new])
        for a, n0, n1 in zip(c, old, new):
            vx = lin((1, vx), (-a, n0), (-a, n1))
        return with_entries(v, self.x, vx)

    def directions(self, q):
        """The free passengers' places among x, E (one vector each) and G = (E^T M E)^-1."""
        a = self.A(q)
        size = range(len(self.x))
        tied = [self.x.index(i) for i in self.tied] if self.tied else self.steepest(a)
        free = [i for i in size if i not in tied]
        inner = [[row[i] for i in tied] for row in a]
        e = []
        for j in free:
            y = solve(inner, [-row[j] for row in a])
            e.append(with_entries([mpf(int(i == j)) for i in size], tied, y))
        gram = [[self.product(s, t) for t in e] for s in e]
        g = [solve(gram, [mpf(int(i == j)) for i in range(len(e))]) for j in range(len(e))]
        return free, e, g

    def steepest(self, a):
        """Of one free direction the free coordinate does not matter: that of the largest entry."""
        every = range(len(self.x))
        sizes = [abs(determinant([row[:i] + row[i + 1:] for row in a])) for i in every]
        best = sizes.index(max(sizes))
        return [i for i in every if i != best]


def determinant(a):
    if len(a) == 1:
        return a[0][0]
    minor = lambda j: [row[:j] + row[j + 1:] for row in a[1:]]
    return sum((-1) ** j * a[0][j] * determinant(minor(j)) for j in range(len(a)))


def scalar(f, start, newton):
    return newton(lambda y: [f(y[0])], [start])[0]


def pair(c, j):
    """Along one direction, with the mean of the force: s = h (u + u1)/2, u1 = u - h g G_jj."""
    newton = Newton()

    def piece(h, q, v):
        free, e, g = c.directions(q)
        direction, weight, u = e[j], g[j][j], v[c.x[free[j]]]
        at = lambda s: with_entries(q, c.x, lin((1, c.part(q)), (s, direction)))
        force = lambda s: quadrature(
            lambda t: [dot(direction, c.part(c.p.dV(at(t * s))))], 1)[0]
        s = scalar(lambda s: s - h * u + h * h / 2 * weight * force(s), h * u, newton)
        change = tmul(e, g[j], len(c.x))
        vx = lin((1, c.part(v)), (-h * force(s), change))
        return at(s), with_entries(v, c.x, vx)

    return piece


def together(c):
    """All passengers at once: x1 = x + h (x' + x1')/2, M (x1' - x') = -h g + A^T mu, A x1' = 0."""
    newton = Newton()

    def piece(h, q, v):
        a, x, vx, n = c.A(q), c.part(q), c.part(v), len(c.x)

        def residual(y):
            dv, mu = split(y, n, len(a))
            d = lin((h, vx), (h / 2, dv))
            g = quadrature(lambda t: c.part(c.p.dV(with_entries(q, c.x, lin((1, x), (t, d))))), n)
            balance = lin((1, mul(c.mass, dv)), (h, g), (-1, tmul(a, mu, n)))
            return balance + mul(a, lin((1, vx), (1, dv)))

        dv = newton(residual, [mpf(0)] * (n + len(a)))[:n]
        return (with_entries(q, c.x, lin((1, x), (h, vx), (h / 2, dv))),
                with_entries(v, c.x, lin((1, vx), (1, dv))))

    return piece


def flow(c):
    """The motion in a quadratic potential: y'' = a + B y in the basis E, by its Taylor series."""

    def piece(h, q, v):
        free, e, g = c.directions(q)
        n, k, x = len(c.x), len(free), c.part(q)
        put = lambda y: lin((1, x), (1, tmul(e, y, n)))

        def acceleration(y):
            slope = c.part(c.p.dV(with_entries(q, c.x, put(y))))
            return mul(g, [-dot(d, slope) for d in e])

        still = acceleration([mpf(0)] * k)
        terms = [[mpf(0)] * k, [v[c.x[i]] for i in free], lin((HALF, still))]
        for order in range(3, 40):
            linear = lin((1, acceleration(terms[order - 2])), (-1, still))
            terms.append(lin((mpf(1) / (order * (order - 1)), linear)))
        y = [sum(t[i] * h ** o for o, t in enumerate(terms)) for i in range(k)]
        u = [sum(o * t[i] * h ** (o - 1) for o, t in enumerate(terms) if o) for i in range(k)]
        return with_entries(q, c.x, put(y)), with_entries(v, c.x, tmul(e, u, n))

    return piece
