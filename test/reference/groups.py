"""Methods on Lie groups. A step takes and returns (g, v, lambda), v the velocity in the body frame."""

from mpmath import mpf

from exact import Newton, lin, split, tmul
from lobatto import conjugate, lobatto_iiia, moved


def lie_lobatto(p, h, stages=3, retraction="cayley"):
    """002 Sect. 6, (L1)-(L3). Unknown: the chart velocities U_i, the velocities of mu~_i, Lambda_i."""
    s, n, m, group, kind = stages, p.n, p.m, p.space, retraction
    a, b, c = lobatto_iiia(s)
    hat, newton, zero = conjugate(a, b), Newton(), [mpf(0)] * p.n

    def stage(g, x, u, lam):
        """G, T^T M, F and fhat at the chart's place x."""
        t = group.derivatives(kind, x)
        place, v = group.product(g, group.tau(kind, x)), group.T(t, u)
        mu = p.Lv(place, v)
        f = lin((1, p.Lg(place, v)), (1, tmul(p.A(place, v), lam, n)))
        chart = lin((1, group.T_star(t, f)), (1, group.DT_star(kind, x, u, mu)))
        back = group.tau(kind, [-y for y in x])
        return place, group.T_star(t, mu), chart, group.Ad_star(back, f)

    def step(g, v, lam):
        start = p.Lv(g, v)

        def parts(x):
            blocks = split(x, *[n] * (2 * s - 1) + [m] * (s - 1))
            velocities = [lin((1, v), (1, d)) for d in blocks[:2 * s - 1]]
            return velocities[:s], velocities[s:], [lam] + blocks[2 * s - 1:]

        def residual(x):
            u, tilde, multipliers = parts(x)
            charts = [moved(zero, h, row, u) for row in a]
            places, left, f, hats = zip(*[stage(g, *z) for z in zip(charts, u, multipliers)])
            end = moved(start, h, b, hats)
            there = group.derivatives(kind, [-y for y in charts[-1]])
            base = moved(group.T_star(there, end), -h, b, f)
            out = []
            for i in range(s):
                out += lin((1, left[i]), (-1, moved(base, h, hat[i], f)))
            for i in range(1, s):
                mu = group.Ad_star(group.tau(kind, charts[i]), moved(start, h, a[i], hats))
                out += lin((1, p.Lv(places[i], tilde[i - 1])), (-1, mu))
                out += [y / h for y in p.Phi(places[i], tilde[i - 1])]
            return out

        dv = p.acceleration(g, v)
        guess = [t * h * y for t in c + c[1:] for y in dv] + lam * (s - 1)
        u, tilde, multipliers = parts(newton(residual, guess))
        place = group.product(g, group.tau(kind, moved(zero, h, b, u)))
        return place, tilde[-1], multipliers[-1]

    return step


def lie_newmark(p, h, alpha=0.5, retraction="cayley"):
    """003 Sect. 6: b = b' = 0, displacement x = h v0 + h^2/2 G0 = h v1 - h^2/2 G1, the discrete
    constraint on x/h at g0 tau(alpha x). Unknown: the change of v, lambda, lambda'."""
    newton, group, al = Newton(), p.space, mpf(alpha)

    def step(g, v, lam0):
        gamma0, zt0 = p.gamma_z(g, v)

        def after(x):
            dv, lam, lamp = split(x, p.n, p.m, p.m)
            acceleration = lin((1, gamma0), (1, tmul(zt0, lam, p.n)))
            move = lin((h, v), (h * h / 2, acceleration))
            return move, group.product(g, group.tau(retraction, move)), lin((1, v), (1, dv)), lamp

        def residual(x):
            move, g1, v1, lamp = after(x)
            gamma1, zt1 = p.gamma_z(g1, v1)
            acceleration = lin((1, gamma1), (1, tmul(zt1, lamp, p.n)))
            backward = lin((1, v1), (-1 / h, move), (-h / 2, acceleration))
            between = group.product(g, group.tau(retraction, lin((al, move))))
            discrete = p.Phi(between, lin((1 / h, move)))
            return backward + [x / h for x in discrete] + [x / h for x in p.Phi(g1, v1)]

        guess = lin((h, p.acceleration(g, v))) + lam0 + lam0
        _, g1, v1, lamp = after(newton(residual, guess))
        return g1, v1, lamp

    return step


def lie_midpoint(p, h, retraction="cayley", projection="none"):
    """The middle g tau(h w/2), w the mean velocity, and half a step from there; reported: the
    continuous multiplier."""
    newton, group = Newton(), p.space

    def step(g, v, lam):
        def parts(d):
            w = lin((1, v), (mpf(1) / 2, d))
            half = group.tau(retraction, lin((h / 2, w)))
            return w, half, group.product(g, half)

        def residual(d):
            w, _, middle = parts(d)
            return lin((1, d), (-h, p.acceleration(middle, w)))

        d = newton(residual, lin((h, p.acceleration(g, v))))
        _, half, middle = parts(d)
        g1, v1 = group.product(middle, half), lin((1, v), (1, d))
        return g1, p.projected(g1, v1) if projection == "velocity" else v1, None

    return step
