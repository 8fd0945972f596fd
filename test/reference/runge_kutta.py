"""Runge-Kutta methods on the eliminated equations, and methods on D*."""

from mpmath import mpf

from exact import (LU, Newton, collocation, dot, gauss_nodes, lin, mul, quadrature, split, tmul,
                   weights)
from gradient import GRADIENTS, gonzalez
from problem import Reduced

RADAU_IIA_2 = [mpf(1) / 3, mpf(1)]


def eliminated(p):
    return lambda y: y[p.n:] + p.acceleration(y[:p.n], y[p.n:])


def runge_kutta_4(p, h):
    f = eliminated(p)

    def step(q, v, lam):
        y = q + v
        k1 = f(y)
        k2 = f(lin((1, y), (h / 2, k1)))
        k3 = f(lin((1, y), (h / 2, k2)))
        k4 = f(lin((1, y), (h, k3)))
        y = lin((1, y), (h / 6, k1), (h / 3, k2), (h / 3, k3), (h / 6, k4))
        return y[:p.n], y[p.n:], None

    return step


def implicit(p, h, nodes):
    """Collocation Runge-Kutta method with the given nodes."""
    f, (a, b, _), newton, size, s = eliminated(p), collocation(nodes), Newton(), 2 * p.n, len(nodes)

    def step(q, v, lam):
        y = q + v

        def residual(x):
            k = split(x, *[size] * s)
            out = []
            for i in range(s):
                stage = lin((1, y), *[(h * c, kj) for c, kj in zip(a[i], k)])
                out += lin((1, k[i]), (-1, f(stage)))
            return out

        k = split(newton(residual, f(y) * s), *[size] * s)
        y1 = lin((1, y), *[(h * c, kj) for c, kj in zip(b, k)])
        return y1[:p.n], y1[p.n:], None

    return step


def gauss(p, h, stages):
    return implicit(p, h, gauss_nodes(stages))


def radau_iia(p, h, stages):
    assert stages == 2
    return implicit(p, h, RADAU_IIA_2)


def reduced_gradient(p, h, gradient, derivative="exact"):
    """zeta' - zeta = h Pi((zeta + zeta')/2) g(zeta, zeta'). With finite differences every dX/dq^i,
    in Pi and in the gradient at the middle, is a central difference with increment h; H itself, in
    the correction of Gonzalez' formula, is exact."""
    r, g, newton = Reduced(p), GRADIENTS[gradient], Newton()
    increment = {"exact": None, "finite-difference": h}[derivative]
    assert increment is None or gradient == "gonzalez"
    slope = r.grad if increment is None else lambda zeta: r.grad_by_differences(zeta, increment)

    def step(q, v, lam):
        zeta = r.to_zeta(q, v)

        def residual(d):
            new = lin((1, zeta), (1, d))
            middle = lin((1, zeta), (mpf(1) / 2, d))
            return lin((1, d), (-h, r.apply(middle, g(r.H, slope, zeta, new), increment)))

        d = newton(residual, lin((h, r.apply(zeta, r.grad(zeta)))))
        q1, v1 = r.to_qv(lin((1, zeta), (1, d)))
        return q1, v1, None

    return step


def energy_collocation(p, h, stages):
    """Polynomial u of degree s: u'(c_i h) = Pi(u(c_i h)) int_0^1 l_i(t)/b_i grad H(u(t h)) dt at the
    Gauss nodes."""
    r, newton = Reduced(p), Newton()
    a, b, c = collocation(gauss_nodes(stages))
    size = r.n + r.k

    def lagrange(i, t):
        out = mpf(1)
        for j in range(stages):
            if j != i:
                out *= (t - c[j]) / (c[i] - c[j])
        return out

    def step(q, v, lam):
        zeta = r.to_zeta(q, v)

        def residual(x):
            k = split(x, *[size] * stages)

            def integrand(t):
                moved = lin((1, zeta), *[(h * w, kj) for w, kj in zip(weights(c, t), k)])
                g = r.grad(moved)
                return [lagrange(i, t) / b[i] * y for i in range(stages) for y in g]

            g = split(quadrature(integrand, size * stages), *[size] * stages)
            out = []
            for i in range(stages):
                stage = lin((1, zeta), *[(h * w, kj) for w, kj in zip(a[i], k)])
                out += lin((1, k[i]), (-1, r.apply(stage, g[i])))
            return out

        start = r.apply(zeta, r.grad(zeta))
        k = split(newton(residual, start * stages), *[size] * stages)
        q1, v1 = r.to_qv(lin((1, zeta), *[(h * w, kj) for w, kj in zip(b, k)]))
        return q1, v1, None

    return step


def gonzalez_full(p, h):
    """(15) of 001 on T*Q with constant M: z = (q, p), H = p.M^-1 p/2 + V; reported: its own
    multiplier, with A at the midpoint of the positions."""
    newton, m = Newton(), p.Lvv([mpf(0)] * p.n, [mpf(0)] * p.n)
    mass = LU(m)
    n = p.n

    def energy(z):
        return dot(z[n:], mass.solve(z[n:])) / 2 + p.V(z[:n])

    def gradient(z):
        return p.dV(z[:n]) + mass.solve(z[n:])

    def step(q, v, lam):
        z = q + mul(m, v)

        def residual(x):
            d, force = split(x, 2 * n, p.m)
            g = gonzalez(energy, gradient, z, lin((1, z), (1, d)))
            a = p.A(lin((1, q), (mpf(1) / 2, d[:n])))
            return (lin((1, d[:n]), (-h, g[n:]))
                    + lin((1, d[n:]), (h, g[:n]), (-h, tmul(a, force, n))) + mul(a, g[n:]))

        start = lin((h, v)) + lin((h, mul(m, p.acceleration(q, v))))
        d, force = split(newton(residual, start + lam), 2 * n, p.m)
        z1 = lin((1, z), (1, d))
        return z1[:n], mass.solve(z1[n:]), force

    return step
