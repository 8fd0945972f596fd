"""A mechanical problem from expressions in text; its derivatives by sympy, evaluated by mpmath."""

import sympy
from mpmath import mpf

from exact import LU, dot, lin, mul, tmul


class Problem:
    """The Lagrangian is kinetic - potential, or a general regular expression. Constraints Phi(q, v)
    may be linear, affine or nonlinear in v; constraints phi(q) on positions stand behind them as
    their rates. Everything may contain the time, which is the field t. Lq includes the external
    force. Parameters are doubles, taken exactly."""

    def __init__(self, text, parameters):
        self.text = text
        names = text["coordinates"]
        n = len(names)
        holonomic = text.get("holonomic", [])
        self.n, self.m = n, len(text["constraints"]) + len(holonomic)
        self.free = len(text["constraints"])
        self.t = mpf(0)
        q = sympy.symbols(names)
        v = sympy.symbols([name + "_dot" for name in names])
        self.symbols_q, self.symbols_v = q, v
        scope = {str(s): s for s in q + v}
        scope.update({name: sympy.Symbol(name) for name in text["parameters"]})
        time = self.time = scope["t"] = sympy.Symbol("t")
        self.scope = scope
        values = {scope[k]: mpf(float(parameters.get(k, d))) for k, d in text["parameters"].items()}
        self.values = values

        if "expression" in text:
            lagrangian = self.read(text["expression"])
        else:
            lagrangian = self.read(text["kinetic"]) - self.read(text["potential"])
            self.potential = self.read(text["potential"])
            self.V = self.scalar(self.potential, q)
            self.dV = self.vector([self.potential.diff(x) for x in q], q)
        surfaces = [self.read(c) for c in holonomic]
        self.phi = self.vector(surfaces, q)
        phi = [self.read(c) for c in text["constraints"]]
        phi += [sum(c.diff(x) * y for x, y in zip(q, v)) + c.diff(time) for c in surfaces]
        force = [self.read(f) for f in text.get("force", ["0"] * n)]
        lq = [lagrangian.diff(x) + f for x, f in zip(q, force)]
        lv = [lagrangian.diff(x) for x in v]
        qv = q + v
        self.L = self.scalar(lagrangian, qv)
        self.Lq = self.vector(lq, qv)
        self.Lv = self.vector(lv, qv)
        self.Lvv = self.matrix([[a.diff(x) for x in v] for a in lv], qv)
        self.mass = sympy.Matrix([[a.diff(x) for x in v] for a in lv])
        along = lambda a: sum(a.diff(x) * y for x, y in zip(q, v)) + a.diff(time)
        self.Lvq_v = self.vector([along(a) for a in lv], qv)
        self.Phi = self.vector(phi, qv)
        self.Phiv = self.matrix([[c.diff(x) for x in v] for c in phi], qv)
        self.Phiq_v = self.vector([along(c) for c in phi], qv)
        zero = [mpf(0)] * n
        self.A = lambda q: self.Phiv(q, zero)

    def read(self, text):
        return sympy.sympify(text.replace("^", "**"), locals=self.scope, rational=True)

    def _lambdify(self, expressions, arguments):
        arguments = list(arguments)
        keys = list(self.values)
        f = sympy.lambdify(keys + [self.time] + arguments, expressions, modules="mpmath", cse=True)
        head = [self.values[k] for k in keys]
        return lambda *parts: f(*head, self.t, *[x for part in parts for x in part])

    def scalar(self, expression, arguments):
        f = self._lambdify([expression], arguments)
        return lambda *parts: mpf(f(*parts)[0])

    def vector(self, expressions, arguments):
        f = self._lambdify(list(expressions), arguments)
        return lambda *parts: [mpf(x) for x in f(*parts)]

    def matrix(self, rows, arguments):
        width = len(rows[0]) if rows else 0
        f = self._lambdify([x for row in rows for x in row], arguments)

        def evaluate(*parts):
            flat = [mpf(x) for x in f(*parts)]
            return [flat[i:i + width] for i in range(0, len(flat), width)]

        return evaluate

    def energy(self, q, v):
        return dot(v, self.Lv(q, v)) - self.L(q, v)

    def gamma_z(self, q, v):
        """Gamma (unconstrained acceleration) and the rows of Z^T, Z = M^-1 Phi_v^T."""
        lu = LU(self.Lvv(q, v))
        gamma = lu.solve(lin((1, self.Lq(q, v)), (-1, self.Lvq_v(q, v))))
        return gamma, [lu.solve(row) for row in self.Phiv(q, v)]

    def multiplier(self, q, v):
        """lambda = -C^-1 (Phi_q v + Phi_v Gamma), with Gamma and Z^T."""
        gamma, zt = self.gamma_z(q, v)
        phiv = self.Phiv(q, v)
        right = lin((-1, self.Phiq_v(q, v)), (-1, mul(phiv, gamma)))
        c = [[dot(row, z) for z in zt] for row in phiv]
        return (LU(c).solve(right) if c else []), gamma, zt

    def lam(self, q, v):
        return self.multiplier(q, v)[0]

    def acceleration(self, q, v):
        lam, gamma, zt = self.multiplier(q, v)
        return lin((1, gamma), (1, tmul(zt, lam, self.n)))


class Reduced:
    """D* form with the frame X(q) given by the problem: zeta = (q, rho), zeta' = Pi(zeta) grad H."""

    def __init__(self, p):
        n, q = p.n, p.symbols_q
        x = sympy.Matrix([[p.read(e) for e in column] for column in p.text["frame"]]).T
        k = x.shape[1]
        self.p, self.n, self.k = p, n, k
        y = sympy.symbols("y0:%d" % k)
        mom = sympy.symbols("p0:%d" % n)
        g = x.T * p.mass * x
        yy = sympy.Matrix(y)
        quadratic = (yy.T * g * yy)[0, 0]
        dh = [p.potential.diff(s) - quadratic.diff(s) / 2 for s in q]
        columns = [x[:, a] for a in range(k)]
        move = [[columns[a].jacobian(q) * columns[b] for b in range(k)] for a in range(k)]
        b = [[sum((move[a][c][j] - move[c][a][j]) * mom[j] for j in range(n)) for c in range(k)]
             for a in range(k)]
        self.X = p.matrix(x.tolist(), q)
        self.G = p.matrix(g.tolist(), q)
        self.dHq = p.vector(dh, list(q) + list(y))
        self.B = p.matrix(b, list(q) + list(mom))
        self.momentum = p.vector(list(p.mass * x * yy), list(q) + list(y))
        self.rho_of = p.vector(list(x.T * p.mass * sympy.Matrix(p.symbols_v)), q + p.symbols_v)

    def y(self, q, rho):
        return LU(self.G(q)).solve(rho)

    def H(self, zeta):
        q, rho = zeta[:self.n], zeta[self.n:]
        return dot(rho, self.y(q, rho)) / 2 + self.p.V(q)

    def grad(self, zeta):
        q, rho = zeta[:self.n], zeta[self.n:]
        y = self.y(q, rho)
        return self.dHq(q, y) + y

    def differences(self, q, h):
        """The central differences (X(q + h e_i) - X(q - h e_i))/(2 h), one matrix for each i."""
        move = lambda i, s: self.X([x + s * h if j == i else x for j, x in enumerate(q)])
        return [[[(a - b) / (2 * h) for a, b in zip(*rows)] for rows in zip(move(i, 1), move(i, -1))]
                for i in range(self.n)]

    def grad_by_differences(self, zeta, h):
        """dV - v.dM v/2 - p.(Delta X) y and y, with central differences Delta X."""
        q = zeta[:self.n]
        y = self.y(q, zeta[self.n:])
        v, mom = mul(self.X(q), y), self.momentum(q, y)
        slope = lin((-1, self.p.Lq(q, v)))
        moved = [dot(mom, mul(d, y)) for d in self.differences(q, h)]
        return lin((1, slope), (-1, moved)) + y

    def bracket_by_differences(self, q, mom, h):
        """B_ab = sum (Delta_i X_a^j X_b^i - Delta_i X_b^j X_a^i) p_j."""
        x, d = self.X(q), self.differences(q, h)
        move = [[sum(d[i][j][a] * x[i][b] * mom[j] for i in range(self.n) for j in range(self.n))
                 for b in range(self.k)] for a in range(self.k)]
        return [[move[a][b] - move[b][a] for b in range(self.k)] for a in range(self.k)]

    def apply(self, zeta, g, difference=None):
        """Pi(zeta) g; with central differences of X where an increment is given."""
        q, rho = zeta[:self.n], zeta[self.n:]
        mom = self.momentum(q, self.y(q, rho))
        x = self.X(q)
        gq, gr = g[:self.n], g[self.n:]
        b = self.B(q, mom) if difference is None else self.bracket_by_differences(q, mom, difference)
        second = lin((-1, tmul(x, gq, self.k)), (1, mul(b, gr)))
        return mul(x, gr) + second

    def to_zeta(self, q, v):
        return q + self.rho_of(q, v)

    def to_qv(self, zeta):
        q, rho = zeta[:self.n], zeta[self.n:]
        return q, mul(self.X(q), self.y(q, rho))
