"""One-step methods on R^n. A step takes and returns (q, v, lambda); h may be negative."""

from mpmath import mpf

from exact import LU, Newton, dot, lin, mul, split, tmul
from gradient import GRADIENTS


def dla(p, h, alpha):
    """Ld = h L((1-alpha) q0 + alpha q1, (q1-q0)/h) by the discrete Legendre transforms; for
    L = v.Mv/2 - V with constant M this is M (v1-v0) = -alpha h dV(q0) - (1-alpha) h dV(q1) + ..."""
    a, newton = mpf(alpha), Newton()

    def step(q0, v0, lam0):
        qc = lin((1, q0), ((1 - a) * h, v0))
        base = lin((1, p.Lv(q0, v0)), (a * h, p.Lq(q0, v0)))
        ac = p.A(qc)

        def after(x):
            dv, lam = split(x, p.n, p.m)
            v1 = lin((1, v0), (1, dv))
            return lin((1, qc), (a * h, v1)), v1, lam

        def residual(x):
            q1, v1, lam = after(x)
            momentum = lin((1, p.Lv(q1, v1)), (-(1 - a) * h, p.Lq(q1, v1)), (-1, base),
                           (-h, tmul(ac, lam, p.n)))
            return momentum + p.Phi(q1, v1)

        return after(newton(residual, [mpf(0)] * p.n + lam0))

    return step


def dla01(p, h):
    """DLA^1 of h/2 after DLA^0 of h/2; the total impulse is h A(qc)^T times the mean multiplier."""
    first, second = dla(p, h / 2, 0), dla(p, h / 2, 1)

    def step(q, v, lam):
        q, v, lam0 = first(q, v, lam)
        q, v, lam1 = second(q, v, lam0)
        return q, v, lin((mpf(1) / 2, lam0), (mpf(1) / 2, lam1))

    return step


def leapfrog(p, h):
    """Constant M. A(q1) v1 = 0 is linear in lam1."""
    mass = LU(p.Lvv([mpf(0)] * p.n, [mpf(0)] * p.n))

    def kick(q, lam):
        return mass.solve(lin((-1, p.dV(q)), (1, tmul(p.A(q), lam, p.n))))

    def step(q0, v0, lam0):
        half = lin((1, v0), (h / 2, kick(q0, lam0)))
        q1 = lin((1, q0), (h, half))
        a = p.A(q1)
        free = lin((1, half), (h / 2, kick(q1, [mpf(0)] * p.m)))
        c = [[h / 2 * dot(row, z) for z in map(mass.solve, a)] for row in a]
        lam1 = LU(c).solve([-x for x in p.Phi(q1, free)])
        return q1, lin((1, half), (h / 2, kick(q1, lam1))), lam1

    return step


def discrete_derivative(p, h, gradient):
    """Constant M; A at the midpoint of the positions."""
    g, newton = GRADIENTS[gradient], Newton()
    m = p.Lvv([mpf(0)] * p.n, [mpf(0)] * p.n)

    def step(q0, v0, lam0):
        def after(x):
            dv, lam = split(x, p.n, p.m)
            v1 = lin((1, v0), (1, dv))
            return lin((1, q0), (h / 2, v0), (h / 2, v1)), v1, lam

        def residual(x):
            q1, v1, lam = after(x)
            a = p.A(lin((mpf(1) / 2, q0), (mpf(1) / 2, q1)))
            momentum = lin((1, mul(m, lin((1, v1), (-1, v0)))), (h, g(p.V, p.dV, q0, q1)),
                           (-h, tmul(a, lam, p.n)))
            return momentum + mul(a, lin((mpf(1) / 2, v0), (mpf(1) / 2, v1)))

        return after(newton(residual, lin((h, p.gamma_z(q0, v0)[0])) + lam0))

    return step


def newmark(p, h, beta, beta_prime, alpha, constraint="point"):
    """003 Def. 3.1. Unknown: the velocity change, lam, lam'; reported: lam'."""
    b, bp, a, newton = mpf(beta), mpf(beta_prime), mpf(alpha), Newton()

    def step(q0, v0, lam0):
        gamma0, zt0 = p.gamma_z(q0, v0)

        def after(x):
            dq, dv, lam, lamp = split(x, p.n, p.n, p.m, p.m)
            return lin((1, q0), (h, v0), (1, dq)), lin((1, v0), (1, dv)), lam, lamp

        def residual(x):
            q1, v1, lam, lamp = after(x)
            gamma1, zt1 = p.gamma_z(q1, v1)
            g0 = lin((1, gamma0), (1, tmul(zt0, lam, p.n)))
            g1 = lin((1, gamma1), (1, tmul(zt1, lamp, p.n)))
            d = lin((1, q1), (-1, q0))
            forward = lin((1, d), (-h, v0), (-h * h / 2 * (1 - 2 * b), g0), (-h * h * b, g1))
            backward = lin((1, d), (-h, v1), (h * h * bp, g0), (h * h / 2 * (1 - 2 * bp), g1))
            if constraint == "point":
                discrete = mul(p.A(lin((1 - a, q0), (a, q1))), d)
            else:
                discrete = lin((1 - a, mul(p.A(q0), d)), (a, mul(p.A(q1), d)))
            return forward + [x / h for x in backward] + [x / h / h for x in discrete] + p.Phi(q1, v1)

        guess = lin((h, p.acceleration(q0, v0)))
        q1, v1, _, lamp = after(newton(residual, lin((h / 2, guess)) + guess + lam0 + lam0))
        return q1, v1, lamp

    return step


def newmark_composition(p, h):
    return chain(newmark(p, h / 2, 0, 0, 0), newmark(p, h / 2, 0, 0, 1))


def velocity_dla(p, h, beta, redefine_nodes):
    """rho^beta of 004 (64). Without redefinition the node is q_k itself and
    v_k = (q_k - q_{k-1})/h; the constraint holds at (1-beta) q_{k-1} + beta q_k."""
    if redefine_nodes:
        return dla(p, h, beta)
    b, newton = mpf(beta), Newton()

    def step(q0, v0, lam0):
        left = lin((1, q0), (-(1 - b) * h, v0))
        base = lin((1, p.Lv(left, v0)), (b * h, p.Lq(left, v0)))
        a0 = p.A(q0)

        def residual(x):
            dv, lam = split(x, p.n, p.m)
            v1 = lin((1, v0), (1, dv))
            right = lin((1, q0), (b * h, v1))
            momentum = lin((1, p.Lv(right, v1)), (-(1 - b) * h, p.Lq(right, v1)), (-1, base),
                           (-h, tmul(a0, lam, p.n)))
            return momentum + p.Phi(right, v1)

        dv, lam = split(newton(residual, [mpf(0)] * p.n + lam0), p.n, p.m)
        v1 = lin((1, v0), (1, dv))
        return lin((1, q0), (h, v1)), v1, lam

    return step


def chain(*steps):
    def step(q, v, lam):
        for part in steps:
            q, v, lam = part(q, v, lam)
        return q, v, lam

    return step


TRIPLE_JUMP = 1 / (2 - mpf(2) ** (mpf(1) / 3))


def triple_jump(make, h):
    g1 = TRIPLE_JUMP
    return chain(make(g1 * h), make((1 - 2 * g1) * h), make(g1 * h))


def adjoint_dla(p, h, alpha):
    """Inverse of DLA^alpha with step -h, solved for (v1, lam) from the equations of that step,
    whose start (q1, v1) lies on D and whose result is (q0, v0)."""
    a, newton, k = mpf(alpha), Newton(), -h

    def step(q0, v0, lam0):
        def residual(x):
            dq, dv, lam = split(x, p.n, p.n, p.m)
            q1, v1 = lin((1, q0), (1, dq)), lin((1, v0), (1, dv))
            qc = lin((1, q1), ((1 - a) * k, v1))
            momentum = lin((1, p.Lv(q0, v0)), (-(1 - a) * k, p.Lq(q0, v0)), (-1, p.Lv(q1, v1)),
                           (-a * k, p.Lq(q1, v1)), (-k, tmul(p.A(qc), lam, p.n)))
            position = lin((1, qc), (a * k, v0), (-1, q0))
            return momentum + position + p.Phi(q1, v1)

        dq, dv, lam = split(newton(residual, lin((h, v0)) + [mpf(0)] * p.n + lam0), p.n, p.n, p.m)
        return lin((1, q0), (1, dq)), lin((1, v0), (1, dv)), lam

    return step
