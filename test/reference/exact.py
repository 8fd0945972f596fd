"""Arithmetic with 45 digits: vectors as lists of mpf, dense solves, Newton, quadrature nodes."""

from mpmath import mp, mpf

mp.dps = 45
TINY = mpf(10) ** -40


def lin(*terms):
    """Linear combination: lin((c1, x1), (c2, x2), ...) = c1 x1 + c2 x2 + ..."""
    (c, x), rest = terms[0], terms[1:]
    out = [c * a for a in x]
    for c, x in rest:
        out = [o + c * a for o, a in zip(out, x)]
    return out


def dot(x, y):
    return sum((a * b for a, b in zip(x, y)), mpf(0))


def mul(matrix, x):
    return [dot(row, x) for row in matrix]


def tmul(matrix, x, n):
    """matrix^T x, of length n (also for a matrix without rows)."""
    return [sum((row[i] * c for row, c in zip(matrix, x)), mpf(0)) for i in range(n)]


class LU:
    """Gaussian elimination with row exchange."""

    def __init__(self, matrix):
        a = [row[:] for row in matrix]
        n = len(a)
        self.order = list(range(n))
        for k in range(n):
            best = max(range(k, n), key=lambda i: abs(a[i][k]))
            a[k], a[best] = a[best], a[k]
            self.order[k], self.order[best] = self.order[best], self.order[k]
            for i in range(k + 1, n):
                if a[i][k] != 0:
                    a[i][k] /= a[k][k]
                    factor = a[i][k]
                    a[i][k + 1:] = [x - factor * y for x, y in zip(a[i][k + 1:], a[k][k + 1:])]
        self.a = a

    def solve(self, b):
        n = len(b)
        x = [b[i] for i in self.order]
        for i in range(n):
            x[i] -= dot(self.a[i][:i], x[:i])
        for i in reversed(range(n)):
            x[i] = (x[i] - dot(self.a[i][i + 1:], x[i + 1:])) / self.a[i][i]
        return x


def solve(matrix, b):
    return LU(matrix).solve(b)


class Newton:
    """Solves f(x) = 0 to about 40 digits. The Jacobian is a difference quotient with increment
    1e-22 (it steers the iteration only and has no influence on the solution) and is renewed when
    the iteration contracts by less than 1e-3."""

    def __init__(self):
        self.lu = None

    def jacobian(self, f, x, fx):
        delta = mpf(10) ** -22
        columns = []
        for i in range(len(x)):
            y = x[:]
            y[i] += delta
            columns.append([(a - b) / delta for a, b in zip(f(y), fx)])
        self.lu = LU([list(row) for row in zip(*columns)])

    def __call__(self, f, x):
        x = [mpf(a) for a in x]
        previous = None
        for _ in range(100):
            fx = f(x)
            if self.lu is None:
                self.jacobian(f, x, fx)
            dx = self.lu.solve(fx)
            x = [a - b for a, b in zip(x, dx)]
            size = max(abs(d) / (1 + abs(a)) for a, d in zip(x, dx))
            if size < TINY:
                return x
            if previous is not None and size > previous / 1000:
                if size < mpf(10) ** -36:
                    return x
                self.lu = None
                previous = None
            else:
                previous = size
        raise ArithmeticError("Newton did not converge")


def split(x, *sizes):
    """Cuts a flat list into blocks of the given sizes."""
    out, at = [], 0
    for size in sizes:
        out.append(x[at:at + size])
        at += size
    return out


def polynomial_roots(coefficients, guesses):
    """Newton on each guess; coefficients from the highest power down."""
    roots = []
    for x in guesses:
        for _ in range(8):
            x -= mp.polyval(coefficients, x) / mp.polyval(derivative(coefficients), x)
        roots.append(x)
    return sorted(roots)


def derivative(c):
    n = len(c) - 1
    return [a * (n - i) for i, a in enumerate(c[:-1])]


def legendre_shifted(s):
    """Coefficients of the Legendre polynomial on [0, 1], highest power first."""
    return [(-1) ** (s - k) * mp.binomial(s, k) * mp.binomial(s + k, k) for k in range(s, -1, -1)]


def gauss_nodes(s):
    with mp.workdps(mp.dps + 30):
        guess = [(1 - mp.cos(mp.pi * (i + mpf(3) / 4) / (s + mpf(1) / 2))) / 2 for i in range(s)]
        nodes = polynomial_roots(legendre_shifted(s), guess)
    return [+x for x in nodes]


def lobatto_nodes(s):
    """0, 1 and the roots of the derivative of the Legendre polynomial of degree s - 1."""
    if s == 2:
        return [mpf(0), mpf(1)]
    with mp.workdps(mp.dps + 30):
        inner = mp.polyroots(derivative(legendre_shifted(s - 1)), maxsteps=200, extraprec=200)
    return [mpf(0)] + sorted(+mp.re(x) for x in inner) + [mpf(1)]


def weights(c, upper=1):
    """Weights w with sum_j w_j c_j^k = upper^(k+1)/(k+1), k = 0 .. s-1."""
    upper = mpf(upper)
    matrix = [[x ** k for x in c] for k in range(len(c))]
    return solve(matrix, [upper ** (k + 1) / (k + 1) for k in range(len(c))])


def collocation(c):
    """Tableau (a, b, c) of the collocation method with nodes c."""
    return [weights(c, x) for x in c], weights(c), c


_gauss = {}


def quadrature(f, size, points=20):
    """int_0^1 f(s) ds for a vector-valued f of the given length, by Gauss quadrature."""
    if points not in _gauss:
        c = gauss_nodes(points)
        with mp.workdps(mp.dps + 30):
            _gauss[points] = (c, weights(gauss_nodes(points)))
    total = [mpf(0)] * size
    for c, b in zip(*_gauss[points]):
        total = [t + b * x for t, x in zip(total, f(c))]
    return total
