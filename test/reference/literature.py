"""Methods of the literature as their equations stand there, with momenta in place of multipliers
that are carried: geometric nonholonomic integrators, generalized-alpha, and the family of discrete
Lagrangians around exact discrete mechanics. A step takes and returns (q, v, lambda)."""

from mpmath import mpf

from exact import Newton, lin, solve, split, tmul
from gradient import GRADIENTS

HALF = mpf(1) / 2


def middle(q0, q1):
    return lin((HALF, q0), (HALF, q1))


def slopes(p, h, kind, gradient):
    """(q0, q1) -> (-D1 L_d, D2 L_d)."""
    def at(q, w):
        return p.Lv(q, w), p.Lq(q, w)

    def midpoint(q0, q1, w):
        momentum, force = at(middle(q0, q1), w)
        return lin((1, momentum), (-h / 2, force)), lin((1, momentum), (h / 2, force))

    def ends(c0, c1):
        def pair(q0, q1, w):
            (p0, f0), (p1, f1) = at(q0, w), at(q1, w)
            momentum = lin((c0, p0), (c1, p1))
            return lin((1, momentum), (-c0 * h, f0)), lin((1, momentum), (c1 * h, f1))
        return pair

    def by_gradient(q0, q1, w):
        """Constant mass."""
        momentum, g = p.Lv(q0, w), GRADIENTS[gradient](p.V, p.dV, q0, q1)
        return lin((1, momentum), (h / 2, g)), lin((1, momentum), (-h / 2, g))

    pair = {"midpoint": midpoint, "symmetric": ends(HALF, HALF), "gradient": by_gradient,
            "euler-a": ends(mpf(1), mpf(0)), "euler-b": ends(mpf(0), mpf(1))}[kind]
    return lambda q0, q1: pair(q0, q1, lin((1 / h, q1), (-1 / h, q0)))


def projected(p, q, momentum, newton, guess):
    """(v, l) with dL/dv(q, v) = momentum + A(q)^T l and Phi(q, v) = 0."""
    a = p.A(q)

    def residual(x):
        v, l = split(x, p.n, p.m)
        return lin((1, p.Lv(q, v)), (-1, momentum), (-1, tmul(a, l, p.n))) + p.Phi(q, v)

    return split(newton(residual, guess), p.n, p.m)


def gni(p, h, lagrangian="gradient", gradient="mean-value"):
    """The momentum p+ that arrives at a node leaves it as p- = 2 M v - p+, v the projection of p+.
    lambda = 2 l/h."""
    pair, steps, nodes = slopes(p, h, lagrangian, gradient), Newton(), Newton()
    carried = {}

    def step(q0, v0, lam0):
        start = carried.get("p")
        if start is None or carried["v"] is not v0:
            start = lin((1, p.Lv(q0, v0)), (h / 2, tmul(p.A(q0), lam0, p.n)))

        def residual(d):
            return lin((1, pair(q0, lin((1, q0), (h, v0), (1, d)))[0]), (-1, start))

        d = steps(residual, lin((h * h / 2, p.acceleration(q0, v0))))
        q1 = lin((1, q0), (h, v0), (1, d))
        arrives = pair(q0, q1)[1]
        v1, l = projected(p, q1, arrives, nodes, v0 + [h / 2 * x for x in lam0])
        carried["p"] = lin((2, p.Lv(q1, v1)), (-1, arrives))
        carried["v"] = v1
        return q1, v1, [2 * x / h for x in l]

    return step


def generalized_alpha(p, h, rho=1.0):
    """Carries d, the acceleration of the equations at the node, and a, the algorithmic one."""
    r, newton = mpf(rho), Newton()
    am, af = (2 * r - 1) / (r + 1), r / (r + 1)
    gamma = HALF + af - am
    beta = (gamma + HALF) ** 2 / 4
    carried = {}

    def step(q0, v0, lam0):
        if carried.get("v") is v0:
            d0, a0 = carried["d"], carried["a"]
        else:
            d0 = a0 = p.acceleration(q0, v0)

        def parts(x):
            d1, lam = split(x, p.n, p.m)
            a1 = [((1 - af) * y + af * z - am * w) / (1 - am) for y, z, w in zip(d1, d0, a0)]
            q1 = lin((1, q0), (h, v0), (h * h * (HALF - beta), a0), (h * h * beta, a1))
            return q1, lin((1, v0), (h * (1 - gamma), a0), (h * gamma, a1)), d1, a1, lam

        def residual(x):
            q1, v1, d1, _, lam = parts(x)
            free, directions = p.gamma_z(q1, v1)
            return lin((1, d1), (-1, free), (-1, tmul(directions, lam, p.n))) + [
                y / h for y in p.Phi(q1, v1)]

        q1, v1, d1, a1, lam = parts(newton(residual, d0 + lam0))
        carried.update(v=v1, d=d1, a=a1)
        return q1, v1, lam

    return step


def exact_family(p, h, lagrangian, space):
    """-D1 L_d = dL/dv(q0, v0) + A(q0)^T l with (q0, q1) in a discrete space of constraints, then the
    projection of D2 L_d: without forces. Reported: twice the impulse of the projection, by h."""
    pair, steps, nodes = slopes(p, h, lagrangian, None), Newton(), Newton()

    def step(q0, v0, lam0):
        start, a0, guess = p.Lv(q0, v0), p.A(q0), p.lam(q0, v0)

        def residual(x):
            d, l = split(x, p.n, p.m)
            q1 = lin((1, q0), (h, v0), (1, d))
            w = lin((1 / h, q1), (-1 / h, q0))
            inside = (p.Phi(middle(q0, q1), w) if space == "midpoint" else
                      lin((HALF, p.Phi(q0, w)), (HALF, p.Phi(q1, w))))
            return lin((1, pair(q0, q1)[0]), (-1, start), (-1, tmul(a0, l, p.n))) + inside

        d, _ = split(steps(residual, lin((h * h / 2, p.acceleration(q0, v0)))
                           + [h / 2 * x for x in guess]), p.n, p.m)
        q1 = lin((1, q0), (h, v0), (1, d))
        v1, l1 = projected(p, q1, pair(q0, q1)[1], nodes, v0 + guess)
        return q1, v1, [2 * x / h for x in l1]

    return step


def null_space(a, n):
    """Columns that span the vectors t with a t = 0, by elimination with complete pivoting."""
    rows, pivots = [row[:] for row in a], []
    for k in range(len(rows)):
        i, j = max(((i, j) for i in range(k, len(rows)) for j in range(n) if j not in pivots),
                   key=lambda e: abs(rows[e[0]][e[1]]))
        rows[k], rows[i] = rows[i], rows[k]
        rows[k] = [x / rows[k][j] for x in rows[k]]
        for other in range(len(rows)):
            if other != k:
                rows[other] = lin((1, rows[other]), (-rows[other][j], rows[k]))
        pivots.append(j)
    columns = []
    for free in (j for j in range(n) if j not in pivots):
        t = [mpf(0)] * n
        t[free] = mpf(1)
        for row, j in zip(rows, pivots):
            t[j] = -row[free]
        columns.append(t)
    return columns


def energy_momentum(p, h, gradient):
    """By the discrete null space: T^T (M (v1 - v0) + h g) = 0, A(qm) T = 0, A(qm) (v0 + v1) = 0.
    Constant mass; the multiplier is what the reaction of the step asks for."""
    g, newton, still = GRADIENTS[gradient], Newton(), [mpf(0)] * p.n

    def parts(q0, v0, d):
        v1 = lin((1, v0), (1, d))
        q1 = lin((1, q0), (h / 2, v0), (h / 2, v1))
        change = lin((1, p.Lv(still, d)), (h, g(p.V, p.dV, q0, q1)))
        return q1, v1, p.A(middle(q0, q1)), change

    def step(q0, v0, lam0):
        def residual(d):
            _, v1, a, change = parts(q0, v0, d)
            return ([sum(x * y for x, y in zip(t, change)) for t in null_space(a, p.n)]
                    + [sum(x * (y + z) for x, y, z in zip(row, v0, v1)) / 2 for row in a])

        d = newton(residual, lin((h, p.acceleration(q0, v0))))
        q1, v1, a, change = parts(q0, v0, d)
        squares = [[sum(x * y for x, y in zip(r, s)) for s in a] for r in a]
        work = [sum(x * y for x, y in zip(row, change)) / h for row in a]
        return q1, v1, solve(squares, work)

    return step


def trapezoidal(p, h):
    """q1 = q0 + h (v0 + v1)/2, M (v1 - v0) = h (F0 + F1)/2 with the forces and reactions of both
    nodes, for constant mass."""
    newton = Newton()

    def step(q0, v0, lam0):
        def force(q, v, lam):
            return lin((1, p.Lq(q, v)), (1, tmul(p.A(q), lam, p.n)))

        first = force(q0, v0, lam0)

        def parts(x):
            d, lam = split(x, p.n, p.m)
            v1 = lin((1, v0), (1, d))
            return lin((1, q0), (h / 2, v0), (h / 2, v1)), v1, lam

        def residual(x):
            q1, v1, lam = parts(x)
            last = force(q1, v1, lam)
            return lin((1, p.Lv(q1, v1)), (-1, p.Lv(q1, v0)), (-h / 2, first),
                       (-h / 2, last)) + p.Phi(q1, v1)

        return parts(newton(residual, lin((h, p.acceleration(q0, v0))) + lam0))

    return step
