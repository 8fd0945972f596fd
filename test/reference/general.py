"""The Lobatto and SPARK methods where everything may depend on time, forces act, and constraints on
positions stand beside those on velocities; leap-frog and RATTLE written out by hand."""

from exact import LU, Newton, lin, split, tmul
from lobatto import conjugate, first_multiplier, lobatto_iiia, lobatto_iiid, moved


def force(p, t, q, v, lam):
    p.t = t
    return lin((1, p.Lq(q, v)), (1, tmul(p.Phiv(q, v), lam, p.n)))


def at(p, t, function, *arguments):
    p.t = t
    return function(*arguments)


def start_guess(p, q, v, c, h):
    """Velocities at the fractions c of the step along the motion's acceleration."""
    dv = p.acceleration(q, v)
    return [t * h * y for t in c for y in dv]


def lobatto(p, h, stages, multiplier="closed"):
    s, n, free, hol = stages, p.n, p.free, p.m - p.free
    a, b, c = lobatto_iiia(s)
    hat = conjugate(a, b)
    newton = Newton()

    def step(q, v, lam):
        t0 = p.t
        times = [t0 + h * x for x in c]
        momentum = p.Lv(q, v)
        guess = start_guess(p, q, v, c + c[1:], h)

        def parts(x):
            blocks = split(x, *[n] * (2 * s - 1) + [free] * (s - 1) + [hol] * s)
            velocities = [lin((1, v), (1, d)) for d in blocks[:2 * s - 1]]
            psi = blocks[2 * s - 1:3 * s - 2]
            psi = [lam[:free] if multiplier == "carried" else first_multiplier(c, psi)] + psi
            return velocities[:s], velocities[s:], [x + y for x, y in zip(psi, blocks[3 * s - 2:])]

        def residual(x):
            stage, tilde, lambdas = parts(x)
            positions = [moved(q, h, row, stage) for row in a]
            f = [force(p, *z) for z in zip(times, positions, stage, lambdas)]
            out = []
            for i in range(s):
                out += lin((1, at(p, times[i], p.Lv, positions[i], stage[i])),
                           (-1, moved(momentum, h, hat[i], f)))
            for i in range(1, s):
                vt = tilde[i - 1]
                out += lin((1, at(p, times[i], p.Lv, positions[i], vt)), (-1, moved(momentum, h, a[i], f)))
                phi = at(p, times[i], p.Phi, positions[i], vt)
                out += [y / h for y in (phi if i == s - 1 else phi[:free])]
                out += [y / h ** 2 for y in at(p, times[i], p.phi, positions[i])]
            return out

        p.t = t0
        stage, tilde, lambdas = parts(newton(residual, guess + lam[:free] * (s - 1) + lam[free:] * s))
        p.t = t0 + h
        return moved(q, h, b, stage), tilde[-1], lambdas[-1]

    return step


def spark(p, h, stages, constraint_tableau="IIIB"):
    s, n, free, hol = stages, p.n, p.free, p.m - p.free
    a, b, c = lobatto_iiia(s)
    hat = conjugate(a, b)
    tilde = {"IIIB": hat, "IIID": lobatto_iiid(s)}[constraint_tableau]
    newton = Newton()

    def step(q, v, lam):
        t0 = p.t
        times = [t0 + h * x for x in c]
        momentum = p.Lv(q, v)
        guess = start_guess(p, q, v, c + [1], h)

        def parts(x):
            blocks = split(x, *[n] * (s + 1) + [free] * s + [hol] * s)
            velocities = [lin((1, v), (1, d)) for d in blocks[:s + 1]]
            return velocities[:s], velocities[s], blocks[s + 1:2 * s + 1], blocks[2 * s + 1:]

        def residual(x):
            stage, v1, psi, mu = parts(x)
            positions = [moved(q, h, row, stage) for row in a]
            q1 = moved(q, h, b, stage)
            f = [force(p, *z, [0] * free + y) for z, y in zip(zip(times, positions, stage), mu)]
            rows = [at(p, t, p.Phiv, y, w)[:free] for t, y, w in zip(times, positions, stage)]
            r = [tmul(row, x, n) for row, x in zip(rows, psi)]
            out = []
            for i in range(s):
                right = moved(moved(momentum, h, hat[i], f), h, tilde[i], r)
                out += lin((1, at(p, times[i], p.Lv, positions[i], stage[i])), (-1, right))
                if i > 0:
                    out += [y / h ** 2 for y in at(p, times[i], p.phi, positions[i])]
            p.t = t0 + h
            out += lin((1, p.Lv(q1, v1)), (-1, moved(moved(momentum, h, b, f), h, b, r)))
            phi = [at(p, t, p.Phi, y, w)[:free] for t, y, w in zip(times, positions, stage)]
            for k in range(s - 1):
                out += [y / h for y in moved([0] * free, 1, [w * t ** k for w, t in zip(b, c)], phi)]
            p.t = t0 + h
            return out + [y / h for y in p.Phi(q1, v1)]

        p.t = t0
        stage, v1, psi, mu = parts(newton(residual, guess + lam[:free] * s + lam[free:] * s))
        p.t = t0 + h
        return moved(q, h, b, stage), v1, psi[-1] + mu[-1]

    return step


def leapfrog(p, h):
    """Constant mass. Half kicks with the velocity between the nodes in the force; multipliers of
    constraints on positions are found in both half kicks (RATTLE), others are carried."""
    n, free, hol = p.n, p.free, p.m - p.free
    newton = Newton()

    def step(q, v, lam):
        t0 = p.t
        mass = p.Lvv(q, v)
        lu = LU(mass)
        dv = p.acceleration(q, v)

        def parts(x):
            d, e, mu, new = split(x, n, n, hol, p.m)
            return lin((1, v), (1, d)), lin((1, v), (1, e)), mu, new

        def kick(t, y, w, multiplier):
            return lu.solve(force(p, t, y, w, multiplier))

        def residual(x):
            half, v1, mu, new = parts(x)
            q1 = lin((1, q), (h, half))
            first = kick(t0, q, half, lam[:free] + mu)
            last = kick(t0 + h, q1, half, new)
            out = lin((1, half), (-1, v), (-h / 2, first)) + lin((1, v1), (-1, half), (-h / 2, last))
            out += [y / h ** 2 for y in at(p, t0 + h, p.phi, q1)]
            return out + [y / h for y in at(p, t0 + h, p.Phi, q1, v1)]

        guess = [h / 2 * y for y in dv] + [h * y for y in dv] + lam[free:] + lam
        p.t = t0
        half, v1, mu, new = parts(newton(residual, guess))
        p.t = t0 + h
        return lin((1, q), (h, half)), v1, new

    return step


def dla(p, h, alpha):
    """Impulses of both nodes, reaction at the intermediate point and time. A general Lagrangian."""
    n = p.n
    newton = Newton()

    def step(q, v, lam):
        t0 = p.t
        between = lin((1, q), ((1 - alpha) * h, v))
        old, momentum = p.Lq(q, v), p.Lv(q, v)

        def parts(x):
            d, new = split(x, n, p.m)
            return lin((1, v), (1, d)), new

        def residual(x):
            v1, new = parts(x)
            q1 = lin((1, between), (alpha * h, v1))
            p.t = t0 + (1 - alpha) * h
            reaction = tmul(p.Phiv(between, v1), new, n)
            p.t = t0 + h
            out = lin((1, p.Lv(q1, v1)), (-1, momentum), (-alpha * h, old),
                      (-(1 - alpha) * h, p.Lq(q1, v1)), (-h, reaction))
            return out + [y / h for y in p.Phi(q1, v1)]

        dv = p.acceleration(q, v)
        v1, new = parts(newton(residual, [h * y for y in dv] + p.lam(q, v)))
        p.t = t0 + h
        return lin((1, between), (alpha * h, v1)), v1, new

    return step
