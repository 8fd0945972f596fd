"""frame-splitting: v = X(q) rho in a frame of D that is orthonormal in the mass, H = rho.rho/2 + V(q).
Steps take and return (q, v, lambda); the multiplier is the continuous one."""

from mpmath import cosh, mp, mpc, mpf, sqrt, tanh

from exact import Newton, dot, lin, mul, quadrature, tmul

HALF = mpf(1) / 2
IMAGINARY = mpf(10) ** -25  # of a derivative Im f(x + i delta)/delta, whose error is delta^2


def analytic(p, rows):
    """A matrix of expressions in q at real or complex places."""
    width = len(rows[0])
    f = p._lambdify([x for row in rows for x in row], p.symbols_q)

    def at(q):
        flat = f(q)
        return [list(flat[i:i + width]) for i in range(0, len(flat), width)]

    return at


def householder(rows, signs):
    """The last columns of Q in A^T = Q R, reflections of x to -sign |x| e; without signs these are
    taken from the first entries of x, and returned too."""
    m, n = len(rows), len(rows[0])
    r = [list(row) for row in rows]  # columns of A^T
    q = [[mpf(int(i == j)) for j in range(n)] for i in range(n)]  # rows of Q
    taken = []
    for j in range(m):
        x = r[j][j:]
        taken.append(signs[j] if signs else (-1 if mp.re(x[0]) < 0 else 1))
        w = [x[0] + taken[j] * sqrt(dot(x, x))] + x[1:]
        size = dot(w, w)
        reflect = lambda y: y[:j] + lin((1, y[j:]), (-2 * dot(w, y[j:]) / size, w))
        r, q = [reflect(y) for y in r], [reflect(y) for y in q]
    return [[row[i] for row in q] for i in range(m, n)], taken


class Frame:
    """The frame of a step: `given` or `qr`, made orthonormal in the mass in the order of its fields."""

    def __init__(self, p, kind):
        self.p, self.kind, self.signs = p, kind, None
        self.mass = analytic(p, p.mass.tolist())
        if kind == "given":
            self.fields = analytic(p, [[p.read(x) for x in field] for field in p.text["frame"]])
        else:
            phi = [p.read(c) for c in p.text["constraints"]]
            self.rows = analytic(p, [[c.diff(s) for s in p.symbols_v] for c in phi])

    def begin(self, q):
        if self.kind == "qr":
            self.signs = householder(self.rows(q), None)[1]

    def __call__(self, q):
        fields = self.fields(q) if self.kind == "given" else householder(self.rows(q), self.signs)[0]
        mass, out = self.mass(q), []
        for x in fields:
            for y in out:
                x = lin((1, x), (-dot(y, mul(mass, x)), y))
            out.append(lin((1 / sqrt(dot(x, mul(mass, x))), x)))
        return out

    def moved(self, q, direction):
        """The derivatives of all fields along a direction."""
        there = self([mpc(x, IMAGINARY * d) for x, d in zip(q, direction)])
        return [[mp.im(x) / IMAGINARY for x in field] for field in there]

    def beta(self, q):
        """beta[a][b][c] = X_c.M (dX_a X_b - dX_b X_a)."""
        fields, mass = self(q), self.mass(q)
        moved = [self.moved(q, x) for x in fields]  # moved[b][a] = dX_a X_b
        size = range(len(fields))
        bracket = lambda a, b: mul(mass, lin((1, moved[b][a]), (-1, moved[a][b])))
        return [[[dot(x, bracket(a, b)) for x in fields] for b in size] for a in size]


    def turning(self):
        """The pairs of momenta that turn at all, seen at a place without symmetry."""
        q = [mpf(3 + 2 * i) / (7 + i) for i in range(self.p.n)]
        self.begin(q)
        beta = self.beta(q)
        size = range(len(beta))
        return [(a, b) for a in size for b in size[a + 1:]
                if max(map(abs, beta[a][b])) > mpf(10) ** -30]


def changed(x, entries):
    return [entries.get(i, y) for i, y in enumerate(x)]


def move(frame, a):
    """q1 = q0 + d X_a((q0 + q1)/2), rho_a' = rho_a - h g, d = h (rho_a + rho_a')/2, with g the mean of
    X_a.dV from q0 to q1."""
    p, newton = frame.p, Newton()

    def piece(h, q, rho):
        def parts(y):
            field = frame(lin((1, q), (HALF, y[:p.n])))[a]
            g = quadrature(lambda t: [dot(field, p.dV(lin((1, q), (t, y[:p.n]))))], 1)[0]
            return field, g

        def residual(y):
            field, g = parts(y)
            return lin((1, y[:p.n]), (-y[-1], field)) + [y[-1] - h * rho[a] + h * h / 2 * g]

        y = newton(residual, lin((h * rho[a], frame(q)[a])) + [h * rho[a]])
        return lin((1, q), (1, y[:p.n])), changed(rho, {a: rho[a] - h * parts(y)[1]})

    return piece


def turn(frame, a, b):
    """rho_a' = B rho_b, rho_b' = -B rho_a, B = beta.rho: the turn by the angle phi, t = tan(phi/2) =
    h/2 B(rho + t (rho_b, -rho_a)), which is linear in t. The place, rho turned by phi/2 and longer by
    1/cos(phi/2), is the same from both ends."""

    def piece(h, q, rho):
        beta = frame.beta(q)[a][b]
        across = beta[a] * rho[b] - beta[b] * rho[a]
        t = h / 2 * dot(beta, rho) / (1 - h / 2 * across)
        c, s = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
        return q, changed(rho, {a: c * rho[a] + s * rho[b], b: c * rho[b] - s * rho[a]})

    return piece


def flow_of_two(frame):
    """The turn of two momenta in all, exactly: in axes in which beta = (0, |beta|)."""

    def piece(h, q, rho):
        beta = frame.beta(q)[0][1]
        size, length = sqrt(dot(beta, beta)), sqrt(dot(rho, rho))
        if size == 0 or length == 0:
            return q, rho
        second = lin((1 / size, beta))
        first = [second[1], -second[0]]
        x, y, angle = dot(first, rho), dot(second, rho), size * length * h
        x, y = (length * (x + length * tanh(angle)) / (length + x * tanh(angle)),
                y * length / cosh(angle) / (length + x * tanh(angle)))
        return q, lin((x, first), (y, second))

    return piece


def frame_splitting(p, h, frame="qr"):
    f = Frame(p, frame)
    size = p.n - p.m
    moves = [move(f, a) for a in range(size)]
    *half, middle = moves + [flow_of_two(f) if size == 2 else turn(f, a, b) for a, b in f.turning()]

    def step(q, v, lam):
        f.begin(q)
        rho = [dot(x, mul(f.mass(q), v)) for x in f(q)]
        for piece in half:
            q, rho = piece(h / 2, q, rho)
        q, rho = middle(h, q, rho)
        for piece in reversed(half):
            q, rho = piece(h / 2, q, rho)
        return q, tmul(f(q), rho, p.n), None

    return step
