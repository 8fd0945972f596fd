"""Equations and solutions derived by hand, for the problems that have them."""

import math

import numpy

from problem_checks.problem import Problem


def near(report, what, got, expected, tolerance=1e-10):
    error = numpy.abs(numpy.asarray(got) - numpy.asarray(expected)).max()
    if not error < tolerance:
        report(f"{what}: differs from the closed form by {error:.1e}")


def named_start(data, key, **changes):
    entry = dict(data["initial"][key])
    entry["parameters"] = {**entry.get("parameters", {}), **changes}
    problem = Problem(data, entry.get("sizes"))
    return (problem, *problem.start(entry))


def coupled_equations(first, second, potential, driver):
    """x' = k v, v' = -k.grad U, xi'' = -W' for A = [first, second](xi)."""
    def check(data, report):
        for key in data["initial"]:
            problem, p, q, v = named_start(data, key)
            q, v = problem.project(p, numpy.array(q) + [0.1, -0.2, 0.3], numpy.array(v) + [0.3, 0.2, 0.1])
            d = dict(zip(problem.parameters, p))
            def kernel(xi):
                k = numpy.array([-second(xi, d), first(xi, d)])
                return k / numpy.hypot(*k)
            k, dk = kernel(q[2]), (kernel(q[2] + 1e-5) - kernel(q[2] - 1e-5)) / 2e-5
            speed = k @ v[:2]
            acceleration = -k * (k @ potential(q, d)) + dk * v[2] * speed
            near(report, f"start {key}: acceleration", problem.acceleration(0.0, q, v, p)[0],
                 [*acceleration, -driver(q[2], d)], 1e-8)
    return check


def knife_edge(data, report):
    problem, p, q, v = named_start(data, "horizontal", f2=0.4)
    q, v, f1, f2, w = numpy.array([0.2, -0.1, 0.5]), numpy.array([0.3 * math.cos(0.5), 0.3 * math.sin(0.5), 0.8]), 1.0, 0.4, 0.8
    T = 2.0
    y = problem.flow([*q, *v], p, T)
    xi = 0.5 + w * T
    speed = lambda t: 0.3 + (f1 * (math.sin(0.5 + w * t) - math.sin(0.5)) - f2 * (math.cos(0.5 + w * t) - math.cos(0.5))) / w
    near(report, "velocity", y[3:], [speed(T) * math.cos(xi), speed(T) * math.sin(xi), w])
    nodes, weights = numpy.polynomial.legendre.leggauss(40)
    x = sum(T / 2 * c * speed(T / 2 * (1 + s)) * numpy.array([math.cos(0.5 + w * T / 2 * (1 + s)), math.sin(0.5 + w * T / 2 * (1 + s))])
            for s, c in zip(nodes, weights))
    near(report, "position", y[:2], q[:2] + x)
    multiplier = problem.acceleration(T, y[:3], y[3:], p)[1]
    near(report, "multiplier", multiplier, [w * speed(T) + f1 * math.sin(xi) - f2 * math.cos(xi)])


def rolling_disk(data, report):
    problem, p, q, v = named_start(data, "circle")
    for T in (1.0, 3.0):
        y = problem.flow([*q, *v], p, T)
        near(report, "circle", y[:4], [2 * math.sin(T / 2), 2 - 2 * math.cos(T / 2), T / 2, T])
    near(report, "multipliers", problem.acceleration(T, y[:4], y[4:], p)[1],
         [-0.5 * math.sin(T / 2), 0.5 * math.cos(T / 2)])


def particle_free(data, report):
    problem, p, q, v = named_start(data, "newmark")
    T = 1.7
    y = problem.flow([*q, *v], p, T)
    w, speed = v[1], v[0] * math.sqrt(1 + q[1] ** 2)
    y1 = q[1] + w * T
    near(report, "position", y[:3], [q[0] + speed / w * (math.asinh(y1) - math.asinh(q[1])), y1,
                                     q[2] + speed / w * (math.sqrt(1 + y1**2) - math.sqrt(1 + q[1] ** 2))])
    near(report, "multiplier", problem.acceleration(T, y[:3], y[3:], p)[1],
         [w * speed / (1 + y1**2) ** 1.5])


def chaplygin_sleigh(data, report):
    """Eq. (22) of Celledoni et al., from the accelerations."""
    problem, p, q, v = named_start(data, "turning")
    m, J, a = p
    acceleration, _ = problem.acceleration(0.0, q, v, p)
    c, s, I = math.cos(q[2]), math.sin(q[2]), J + m * a**2
    rho = [math.sqrt(I) * v[2], math.sqrt(m) * (v[0] * c + v[1] * s)]
    rate = [math.sqrt(I) * acceleration[2],
            math.sqrt(m) * (acceleration[0] * c + acceleration[1] * s + v[2] * (v[1] * c - v[0] * s))]
    C = a * math.sqrt(m) / I
    near(report, "Eq. (22)", rate, [-C * rho[0] * rho[1], C * rho[0] ** 2], 1e-13)


def suslov(data, report):
    """d(I omega)/dt = I omega x omega + lambda e_3 with omega_3 = 0, the first two components."""
    problem, p, zeta, _ = named_start(data, "generic")
    I11, I22, I13, I23 = p
    omega = numpy.array([zeta[0] / I11, zeta[1] / I22, 0.0])
    momentum = numpy.array([[I11, 0, I13], [0, I22, I23], [I13, I23, 9.0]]) @ omega
    near(report, "Euler's equations", problem.field(0.0, zeta, p), numpy.cross(momentum, omega)[:2], 1e-14)


def knife_edge_prescribed(data, report):
    problem, p, q, v = named_start(data, "down", f2=0.4, omega=0.8)
    T, (f1, f2, w) = 2.0, p
    y = problem.flow([*q, *v], p, T)
    speed = v[0] + (f1 * math.sin(w * T) - f2 * (math.cos(w * T) - 1)) / w
    near(report, "velocity", y[2:], [speed * math.cos(w * T), speed * math.sin(w * T)])


def appell_hamel(data, report):
    problem, p, q, v = named_start(data, "descending", g=1.3)
    near(report, "vertical acceleration", problem.acceleration(0.0, q, v, p)[0][2],
         -1.3 * p[2] ** 2 / (1 + p[2] ** 2))


def double_pendulum(data, report):
    """The same in angles a, b from the downward vertical, unit constants."""
    problem, p, q, v = named_start(data, "high")
    a, b, va, vb = 2.0, 2.5, 0.4, -0.7
    y = numpy.array([math.sin(a), -math.cos(a), math.sin(a) + math.sin(b), -math.cos(a) - math.cos(b)])
    va1 = va * numpy.array([math.cos(a), math.sin(a)])
    vb1 = vb * numpy.array([math.cos(b), math.sin(b)])
    d = a - b
    mass = [[2, math.cos(d)], [math.cos(d), 1]]
    right = [-(vb**2) * math.sin(d) - 2 * math.sin(a), va**2 * math.sin(d) - math.sin(b)]
    A, B = numpy.linalg.solve(mass, right)
    first = A * va1 / va + va**2 * numpy.array([-math.sin(a), math.cos(a)])
    second = first + B * vb1 / vb + vb**2 * numpy.array([-math.sin(b), math.cos(b)])
    near(report, "acceleration", problem.acceleration(0.0, y, [*va1, *(va1 + vb1)], p)[0], [*first, *second], 1e-12)


def tilting_disk(data, report):
    """Newton's and Euler's equations in space, with the contact force from Newton's."""
    problem, p, q, v = named_start(data, "wobbling", I_axis=0.6, r=0.8, m=1.2)
    m, r, g, I_axis, I_diameter = p
    q, v = problem.project(p, numpy.array(q) + [0, 0, 0, 0.4, 0.1, 0.2], v)
    acceleration, _ = problem.acceleration(0.0, q, v, p)

    def frame(q):  # along the heading, up in the disk's plane, axis
        c, s = math.cos(q[3]), math.sin(q[3])
        u, k = numpy.array([c, s, 0]), numpy.array([0, 0, 1.0])
        up = math.cos(q[4]) * k + math.sin(q[4]) * numpy.cross(k, u)
        return u, up, numpy.cross(u, up), k

    def spin(q, v):
        u, up, axis, k = frame(q)
        return v[3] * k - v[4] * u - v[5] * axis

    def momentum(q, v):
        w, axis = spin(q, v), frame(q)[2]
        return I_diameter * w + (I_axis - I_diameter) * (w @ axis) * axis

    u, up, axis, k = frame(q)
    near(report, "rolling", v[:3], r * numpy.cross(spin(q, v), up), 1e-12)
    e = 1e-5
    rate = (momentum(q + e * v, v + e * acceleration) - momentum(q - e * v, v - e * acceleration)) / (2 * e)
    force = m * (acceleration[:3] + g * k)
    near(report, "Euler's equations", rate, numpy.cross(-r * up, force), 1e-8)


def rattleback_rates(p, q, v):
    """Newton's and Euler's equations in the body frame, contact force eliminated: (w, w', velocity of G)."""
    a, h, M, g = numpy.array(p[:3]), p[3], p[4], p[9]
    A, B, C, D = p[5:9]
    inertia = numpy.array([[A, D, 0], [D, B, 0], [0, 0, C]])
    ca, sa, cb, sb = math.cos(q[4]), math.sin(q[4]), math.cos(q[5]), math.sin(q[5])
    down = numpy.array([-ca * sb, sa, ca * cb])
    w = v[4] * numpy.array([cb, 0, sb]) + v[5] * numpy.array([0, 1, 0]) + v[3] * down
    contact = lambda n: a**2 * n / numpy.linalg.norm(a * n) - [0, 0, h]
    turn, e = numpy.cross(down, w), 1e-6
    c = contact(down)
    c_rate = (contact(down + e * turn) - contact(down - e * turn)) / (2 * e)
    velocity = -numpy.cross(w, c)
    rest = numpy.cross(w, velocity) - numpy.cross(w, c_rate) - g * down  # M a_G - M g but for w'
    matrix = inertia + M * (c @ c * numpy.eye(3) - numpy.outer(c, c))
    rate = numpy.linalg.solve(matrix, numpy.cross(inertia @ w, w) + M * numpy.cross(c, rest))
    # body to space: gamma about the third axis, then alpha about the first, then beta about the second
    cg, sg = math.cos(q[3]), math.sin(q[3])
    rotation = (numpy.array([[cg, -sg, 0], [sg, cg, 0], [0, 0, 1]])
                @ numpy.array([[1, 0, 0], [0, ca, -sa], [0, sa, ca]])
                @ numpy.array([[cb, 0, sb], [0, 1, 0], [-sb, 0, cb]]))
    return w, rate, rotation @ velocity


def rattleback(data, report):
    """Against Newton's and Euler's equations; and spun one way it turns back, the other way it does not."""
    problem, p, q, v = named_start(data, "reversing")
    q, v = problem.project(p, numpy.array(q) + [0, 0, 0, 0.7, 0.1, -0.05], v)
    acceleration, _ = problem.acceleration(0.0, q, v, p)
    w, rate, velocity = rattleback_rates(p, q, v)
    e = 1e-5
    ahead, behind = (rattleback_rates(p, q + s * v, v + s * acceleration)[0] for s in (e, -e))
    near(report, "rolling", v[:3], velocity, 1e-12)
    near(report, "Euler's equations", (ahead - behind) / (2 * e) / max(1, abs(rate).max()), rate / max(1, abs(rate).max()), 1e-7)
    for key, reverses in (("reversing", True), ("steady", False)):
        problem, p, q, v = named_start(data, key)
        y = problem.flow([*q, *v], p, 3.6, 0.006)
        if (y[9] * v[3] < 0) != reverses:
            report(f"start {key}: spin {v[3]:.2f} becomes {y[9]:.2f}")


CLOSED_FORMS = {
    "knife-edge-prescribed": knife_edge_prescribed,
    "appell-hamel": appell_hamel,
    "double-pendulum": double_pendulum,
    "rattleback": rattleback,
    "tilting-disk": tilting_disk,
    "chaplygin-sleigh": chaplygin_sleigh, "chaplygin-sleigh-centre": chaplygin_sleigh,
    "suslov": suslov,
    "contact-oscillator": coupled_equations(lambda x, d: 1, lambda x, d: x, lambda q, d: q[:2], lambda x, d: x),
    "pendulum-cvt": coupled_equations(
        lambda x, d: 1, lambda x, d: math.sin(x), lambda q, d: q[:2],
        lambda x, d: math.sin(x) - d["epsilon"] * math.cos(2 * x)),
    "pendulum-cvt-inverted": coupled_equations(
        lambda x, d: 1, lambda x, d: math.sin(x), lambda q, d: q[:2],
        lambda x, d: -math.sin(x) - d["epsilon"] * math.cos(2 * x)),
    "particle-harmonic": coupled_equations(
        lambda x, d: 1, lambda x, d: x,
        lambda q, d: numpy.array([d["stiffness_x1"] * q[0], d["stiffness_x2"] * q[1]]),
        lambda x, d: d["stiffness_xi"] * x),
    "knife-edge": knife_edge,
    "rolling-disk": rolling_disk,
    "particle-free": particle_free,
}
