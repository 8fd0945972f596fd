"""The Lobatto methods of 002 and the SPARK methods of Jay, for a general regular Lagrangian and
linear, affine or nonlinear constraints."""

from mpmath import mpf

from exact import Newton, collocation, lin, lobatto_nodes, solve, split, tmul


def conjugate(a, b):
    """Coefficients ahat_ij = b_j - b_j a_ji / b_i."""
    s = range(len(b))
    return [[b[j] - b[j] * a[j][i] / b[i] for j in s] for i in s]


def lobatto_iiia(s):
    return collocation(lobatto_nodes(s))


def lobatto_iiic(s):
    """a_i1 = b_1 and sum_j a_ij c_j^(k-1) = c_i^k / k for k = 1 .. s-1."""
    _, b, c = lobatto_iiia(s)
    rows = [[mpf(int(j == 0)) for j in range(s)]] + [[x ** k for x in c] for k in range(s - 1)]
    return [solve(rows, [b[0]] + [x ** (k + 1) / (k + 1) for k in range(s - 1)]) for x in c]


def lobatto_iiid(s):
    """Mean of IIIC and its conjugate."""
    b = lobatto_iiia(s)[1]
    iiic = lobatto_iiic(s)
    half = mpf(1) / 2
    return [lin((half, x), (half, y)) for x, y in zip(iiic, conjugate(iiic, b))]


def moved(base, h, coefficients, vectors):
    return lin((1, base), *[(h * c, x) for c, x in zip(coefficients, vectors)])


def force(p, q, v, lam):
    return lin((1, p.Lq(q, v)), (1, tmul(p.Phiv(q, v), lam, p.n)))


def first_multiplier(c, others):
    """That of the first stage where all are values of a polynomial of degree s - 2 at the nodes c."""
    weights = []
    for j in range(1, len(c)):
        weight = mpf(1)
        for k in range(1, len(c)):
            if k != j:
                weight *= (c[0] - c[k]) / (c[j] - c[k])
        weights.append(weight)
    return lin(*zip(weights, others))


def lobatto(p, h, stages, multiplier="closed"):
    s, n, m = stages, p.n, p.m
    a, b, c = lobatto_iiia(s)
    hat = conjugate(a, b)
    newton = Newton()

    def step(q, v, lam):
        momentum = p.Lv(q, v)

        def parts(x):
            blocks = split(x, *[n] * (2 * s - 1) + [m] * (s - 1))
            velocities = [lin((1, v), (1, d)) for d in blocks[:2 * s - 1]]
            others = blocks[2 * s - 1:]
            first = lam if multiplier == "carried" else first_multiplier(c, others)
            return velocities[:s], velocities[s:], [first] + others

        def residual(x):
            stage, tilde, lambdas = parts(x)
            positions = [moved(q, h, row, stage) for row in a]
            f = [force(p, *z) for z in zip(positions, stage, lambdas)]
            out = []
            for i in range(s):
                out += lin((1, p.Lv(positions[i], stage[i])), (-1, moved(momentum, h, hat[i], f)))
            for i in range(1, s):
                vt = tilde[i - 1]
                out += lin((1, p.Lv(positions[i], vt)), (-1, moved(momentum, h, a[i], f)))
                out += [y / h for y in p.Phi(positions[i], vt)]
            return out

        dv = p.acceleration(q, v)
        start = [t * h * y for t in c + c[1:] for y in dv] + lam * (s - 1)
        stage, tilde, lambdas = parts(newton(residual, start))
        return moved(q, h, b, stage), tilde[-1], lambdas[-1]

    return step


def spark(p, h, stages, constraint_tableau="IIIB"):
    s, n, m = stages, p.n, p.m
    a, b, c = lobatto_iiia(s)
    hat = conjugate(a, b)
    tilde = {"IIIB": hat, "IIID": lobatto_iiid(s)}[constraint_tableau]
    newton = Newton()

    def step(q, v, lam):
        momentum = p.Lv(q, v)

        def parts(x):
            blocks = split(x, *[n] * (s + 1) + [m] * s)
            velocities = [lin((1, v), (1, d)) for d in blocks[:s + 1]]
            return velocities[:s], velocities[s], blocks[s + 1:]

        def residual(x):
            stage, v1, psi = parts(x)
            positions = [moved(q, h, row, stage) for row in a]
            q1 = moved(q, h, b, stage)
            f = [p.Lq(*z) for z in zip(positions, stage)]
            r = [tmul(p.Phiv(y, w), t, n) for y, w, t in zip(positions, stage, psi)]
            out = []
            for i in range(s):
                right = moved(moved(momentum, h, hat[i], f), h, tilde[i], r)
                out += lin((1, p.Lv(positions[i], stage[i])), (-1, right))
            out += lin((1, p.Lv(q1, v1)), (-1, moved(moved(momentum, h, b, f), h, b, r)))
            phi = [p.Phi(y, w) for y, w in zip(positions, stage)]
            for k in range(s - 1):
                out += [y / h for y in moved([mpf(0)] * m, 1, [w * t ** k for w, t in zip(b, c)], phi)]
            return out + [y / h for y in p.Phi(q1, v1)]

        dv = p.acceleration(q, v)
        start = [t * h * y for t in c + [1] for y in dv] + lam * s
        stage, v1, psi = parts(newton(residual, start))
        return moved(q, h, b, stage), v1, psi[-1]

    return step
