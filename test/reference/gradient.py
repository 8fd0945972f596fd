"""Discrete gradients, each written without loss of digits when the two points are close."""

from mpmath import mpf

from exact import dot, lin, quadrature

CLOSE = mpf(10) ** -10


def mean_value(h, grad, x, y):
    d = lin((1, y), (-1, x))
    return quadrature(lambda s: grad(lin((1, x), (s, d))), len(x))


def gonzalez(h, grad, x, y):
    """grad H(xm) + [H(y) - H(x) - grad H(xm).d] d/|d|^2; the bracket as an integral when d is small."""
    d = lin((1, y), (-1, x))
    gm = grad(lin((mpf(1) / 2, x), (mpf(1) / 2, y)))
    square = dot(d, d)
    if square == 0:
        return gm
    if square > CLOSE ** 2:
        bracket = h(y) - h(x) - dot(gm, d)
    else:
        bracket = quadrature(lambda s: [dot(grad(lin((1, x), (s, d))), d) - dot(gm, d)], 1, 6)[0]
    return lin((1, gm), (bracket / square, d))


def coordinate_increment(h, grad, x, y):
    """Component i: the increment of H in coordinate i, coordinates before i already at y."""
    out = []
    for i in range(len(x)):
        low, high = y[:i] + x[i:], y[:i + 1] + x[i + 1:]
        d = y[i] - x[i]
        if abs(d) > CLOSE:
            out.append((h(high) - h(low)) / d)
        else:
            out += quadrature(lambda s: [grad(low[:i] + [x[i] + s * d] + low[i + 1:])[i]], 1, 6)
    return out


def symmetric_increment(h, grad, x, y):
    half = mpf(1) / 2
    return lin((half, coordinate_increment(h, grad, x, y)),
               (half, coordinate_increment(h, grad, y, x)))


GRADIENTS = {"mean-value": mean_value, "gonzalez": gonzalez,
             "coordinate-increment": coordinate_increment,
             "symmetric-increment": symmetric_increment}
