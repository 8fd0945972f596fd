"""What verify.py checks of the methods on Lie groups."""

from mpmath import mp, mpf

import verify
from exact import dot, lin, mul
from group_cases import method
from lie import GROUPS, H3, SE2, SO3, Line, hamilton, plane
from retraction import transposed
from verify import distance, end, on_constraint, order, report

BALL = ("ball-on-turntable", {}, "tumbling")
UNICYCLE = ("unicycle-spring", {}, "driving")
BOARD = ("snakeboard-se2", {}, "board")
TOP = ("heavy-top", {}, "top")
SUSLOV = ("suslov-so3", {}, "suslov")
VESELOVA = ("veselova", {}, "veselova")
POINT = ("heisenberg-h3", {}, "point")
WITNESS = ("witness-so3", {}, "witness")
KINDS = ("cayley", "exponential")
DELTA = mpf(10) ** -15
X, U, M = ([mpf(a) / 7 for a in row] for row in ((2, -3, 4), (5, 1, -2), (-3, 6, 1)))

# the rate of what is stored along a velocity in the body frame
STORED = {SO3: lambda g, w: lin((mpf(1) / 2, hamilton(g, [mpf(0)] + w))),
          SE2: lambda g, u: [u[0]] + plane(g[0], u[1:]),
          H3: lambda g, u: u[:2] + [u[2] + (g[0] * u[1] - g[1] * u[0]) / 2],
          Line: lambda g, u: u}


def small(error, size, what):
    report(error < mpf(10) ** size, "%s: %s" % (what, mp.nstr(error, 3)))


def difference(f, x, i):
    """df/dx_i to 30 digits."""
    there = lambda d: f([y + d * (i == k) for k, y in enumerate(x)])
    return lin((1 / (2 * DELTA), there(DELTA)), (-1 / (2 * DELTA), there(-DELTA)))


def series(group, x, u):
    """sum (-ad_x)^k u/(k+1)!."""
    total, term = u, u
    for k in range(2, 60):
        term = lin((mpf(-1) / k, group.bracket(x, term)))
        total = lin((1, total), (1, term))
    return total


def check_retractions():
    """T and its derivative by differences, T of the exponential by its series, Ad T(x) = T(-x)."""
    for name, group in GROUPS.items():
        for kind in KINDS:
            way, back = group.ways[kind], group.tau(kind, [-y for y in X])
            moved = lambda x: group.product(back, group.tau(kind, x))
            columns = [difference(moved, X, i) for i in range(3)]
            if group is SO3:
                columns = [lin((2, c[1:])) for c in columns]
            t = way.T(X)
            turned = [mul(group.Ad(group.tau(kind, X)), c) for c in transposed(t)]
            slopes = [difference(lambda x: [dot(M, mul(way.T(x), U))], X, i)[0] for i in range(3)]
            what = name + " " + kind
            small(distance(sum(columns, []), sum(transposed(t), [])), -28, "T " + what)
            opposite = transposed(way.T([-y for y in X]))
            small(distance(sum(turned, []), sum(opposite, [])), -40, "Ad T " + what)
            small(distance(slopes, way.DT(X, U, M)), -28, "DT " + what)
            if kind == "exponential":
                small(distance(mul(t, U), series(group, X, U)), -40, "series " + what)


def motion(p):
    """The eliminated equations in what is stored, and v."""
    factors = [f for _, f in p.space.factors]

    def rate(y):
        g, v = y[:-p.n], y[-p.n:]
        parts = zip(factors, p.space.stored(g), p.space.algebra(v))
        return sum((STORED[f](a, b) for f, a, b in parts), []) + p.acceleration(g, v)

    return rate


def extrapolated(f, y, h):
    """Gragg's midpoint rule with 2, 4, .. 20 substeps, extrapolated."""
    table = []
    for j in range(1, 11):
        n, k = 2 * j, h / (2 * j)
        before, now = y, lin((1, y), (k, f(y)))
        for _ in range(n - 1):
            before, now = now, lin((1, before), (2 * k, f(now)))
        row = [lin((mpf(1) / 2, now), (mpf(1) / 2, before), (k / 2, f(now)))]
        for i in range(1, j):
            ratio = (mpf(j) / (j - i)) ** 2 - 1
            row.append(lin((1 + 1 / ratio, row[i - 1]), (-1 / ratio, table[i - 1])))
        table = row
    return table[-1]


def exact(setup):
    """The motion itself, for verify.order."""
    key = (setup[0], str(setup[1]), setup[2])
    if key not in verify._reference:
        p, (g, v, _), _ = end(*setup, method("lie-midpoint"), 1)
        y = g + v
        for _ in range(8):
            y = extrapolated(motion(p), y, verify.SPAN / 8)
        g, v = y[:-p.n], y[-p.n:]
        verify._reference[key] = (g, v, p.lam(g, v))


def check_group_orders():
    for setup in (BALL, UNICYCLE, BOARD, TOP, SUSLOV, POINT, WITNESS):
        exact(setup)
        for kind in KINDS:
            order(*setup, method("lie-midpoint", retraction=kind), (2, 2, 2), (16, 32))
            newmark = method("lie-newmark", retraction=kind)
            order(*setup, newmark, (2, 2, None), (16, 32))
            on_constraint(*setup, newmark)
        order(*setup, method("lie-lobatto", stages=2), (2, 2, 2), (16, 32))
        four = method("lie-lobatto", stages=3, retraction="exponential")
        order(*setup, four, (4, 4, 4 if setup is POINT else 2), (16, 32))
        on_constraint(*setup, four)


def in_space(p, z):
    """The momentum along the axes of space of a body on SO(3)."""
    return mul(SO3.Ad(z[0][:4]), p.Lv(z[0], z[1])[:3])


def contact(p, z):
    """Momenta of a ball of radius and mass 1 about its contact point."""
    k, v = in_space(p, z), z[1]
    return [v[3] + k[1], v[4] - k[0], k[2]]


KEPT = [(BALL, contact), (("chaplygin-ball", {}, "rolling"), contact),
        (("heavy-top", {"mgl": 0.0}, "top"), in_space), (TOP, lambda p, z: in_space(p, z)[2:]),
        (VESELOVA, lambda p, z: in_space(p, z)[:2]), (BOARD, lambda p, z: p.Lv(z[0], z[1])[3:])]


def check_momenta():
    """Kept by lie-lobatto in any step; a free body's energy and |mu| by lie-midpoint."""
    for setup, momenta in KEPT:
        for kind in KINDS:
            for stages in (2, 3):
                p, a, b = end(*setup, method("lie-lobatto", stages=stages, retraction=kind), 4)
                what = "momenta %s %s %d" % (setup[0], kind, stages)
                small(distance(momenta(p, a), momenta(p, b)), -35, what)
    p, a, b = end("heavy-top", {"mgl": 0.0}, "top", method("lie-midpoint"), 4)
    square = lambda z: dot(p.Lv(z[0], z[1]), p.Lv(z[0], z[1]))
    small(abs(p.energy(*a[:2]) - p.energy(*b[:2])) + abs(square(a) - square(b)), -35, "free body")
