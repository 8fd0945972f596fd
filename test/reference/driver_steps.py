"""The steps of driver-splitting from the pieces of driver.py."""

from driver import Coupled, flow, pair, scalar, together, with_entries
from exact import Newton, quadrature


def passing(c, passenger):
    """pass(h): the passengers' motion where the drivers stand."""
    if passenger == "exact":
        return flow(c)
    kernel = len(c.x) - c.p.m
    if kernel > 1 and not c.tied:
        return together(c)
    pieces = [pair(c, j) for j in range(kernel)]

    def piece(h, q, v):
        for f in pieces[:-1]:
            q, v = f(h / 2, q, v)
        q, v = pieces[-1](h, q, v)
        for f in reversed(pieces[:-1]):
            q, v = f(h / 2, q, v)
        return q, v

    return piece


def kicked(c, piece):
    """With it the kick of the drivers by their own potential."""

    def both(h, q, v):
        slope = c.p.dV(q)
        kicks = [v[i] - h * slope[i] / m for i, m in zip(c.w, c.inertia)]
        q, v = piece(h, q, v)
        return q, with_entries(v, c.w, kicks)

    return both


def drift(c):
    def piece(h, q, v):
        moved = with_entries(q, c.w, [q[i] + h * v[i] for i in c.w])
        return moved, c.carry(q, moved, v)

    return piece


def drive(c, order):
    """One driver after the other, its energy in the whole potential kept: M d = h M u - h^2/2 g,
    u1 = u - h g/M, g = [V(w + d e_i) - V(w)]/d; the passengers' velocity follows at the end."""
    solvers = {i: Newton() for i in c.w}

    def one(h, q, v, i, m):
        force = lambda d: quadrature(
            lambda t: [c.p.dV(with_entries(q, [i], [q[i] + t * d]))[i]], 1)[0]
        d = scalar(lambda d: d - h * v[i] + h * h / 2 / m * force(d), h * v[i], solvers[i])
        return with_entries(q, [i], [q[i] + d]), with_entries(v, [i], [v[i] - h * force(d) / m])

    def piece(h, q, v):
        start = q
        for i, m in order(list(zip(c.w, c.inertia))):
            q, v = one(h, q, v, i, m)
        return q, c.carry(start, q, v)

    return piece


def driver_splitting(p, h, driver="automatic", passenger="mean-value"):
    c = Coupled(p)
    middle = passing(c, passenger)
    if driver == "leapfrog" or driver == "automatic" and c.splits:
        assert c.splits
        outer, inner = kicked(c, middle), drift(c)
        if passenger == "exact" or len(c.x) - p.m > 1:  # the dearer piece once a step
            outer, inner = inner, outer
        pieces = [(outer, h / 2), (inner, h), (outer, h / 2)]
    else:
        pieces = [(drive(c, list), h / 2), (middle, h), (drive(c, lambda w: reversed(w)), h / 2)]

    def step(q, v, lam):
        for piece, size in pieces:
            q, v = piece(size, q, v)
        return q, v, None

    return step
