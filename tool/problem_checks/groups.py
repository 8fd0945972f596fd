"""Elements of Lie groups, as matrices and by their definitions: no quaternions, no retractions.

An element is its *variables* (R[i,j], B_x, ...) as symbols or functions of symbols, the rates of these symbols along the
velocity in the body frame, and the term ad*_v mu of the equations of motion.
"""

import itertools
import math

import numpy
import sympy


def hat(x):
    return numpy.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def turn(vector):
    """The rotation about a vector by its length, by Rodrigues' formula."""
    angle = math.sqrt(sum(x * x for x in vector))
    if angle == 0:
        return numpy.eye(3)
    K = hat([x / angle for x in vector])
    return numpy.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


def rotation(entry, numbers, project):
    """The matrix of a rotation as a start writes it."""
    if entry == "identity":
        return numpy.eye(3)
    if "axis" in entry:
        axis, angle = numpy.array(numbers(entry["axis"])), numbers([entry["angle"]])[0]
        return turn(axis / numpy.linalg.norm(axis) * angle)
    if "rotation_vector" in entry:
        return turn(numbers(entry["rotation_vector"]))
    if "matrix" in entry:
        R = numpy.array([numbers(row) for row in entry["matrix"]])
        U, _, V = numpy.linalg.svd(R)
        nearest = U @ numpy.diag([1, 1, numpy.linalg.det(U @ V)]) @ V
        return check_near(nearest, R, 1e-9, project)
    a, *b = numbers(entry["quaternion"])
    length = math.sqrt(a * a + sum(x * x for x in b))
    check_near(length, 1.0, 1e-6, project)
    return turn([2 * math.atan2(math.hypot(*b), a) * x / (math.hypot(*b) or 1) for x in b])


def check_near(value, given, tolerance, project):
    if not project and numpy.abs(value - given).max() > tolerance:
        raise ValueError("a start is no rotation")
    return value


def cross(x, y):
    return [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]


class Rotations:
    """SO(3): R' = R v^, nine numbers."""

    dimension, size, angle = 3, 9, None

    def __init__(self, name):
        self.names = [f"{name}_{i}_{j}" for i, j in itertools.product((1, 2, 3), repeat=2)]
        self.derived = lambda symbols: {}

    def rates(self, q, v):
        R = sympy.Matrix(3, 3, q)
        return list(R * sympy.Matrix([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]]))

    def coadjoint(self, v, mu):
        return cross(mu, v)

    def element(self, entry, numbers, project):
        return list(rotation(entry, numbers, project).ravel())

    def velocity(self, q, space):
        return list(numpy.array(q).reshape(3, 3).T @ space)

    def move(self, q, x):
        return list((numpy.array(q).reshape(3, 3) @ turn(x)).ravel())


class PlaneMotions:
    """SE(2): angle and origin; the matrix is a function of the angle."""

    dimension, size, angle = 3, 3, 0

    def __init__(self, name):
        self.names = [f"{name}_angle", f"{name}_x", f"{name}_y"]
        self.derived = lambda q: {f"{name}_1_1": sympy.cos(q[0]), f"{name}_1_2": -sympy.sin(q[0]),
                                  f"{name}_2_1": sympy.sin(q[0]), f"{name}_2_2": sympy.cos(q[0])}

    def rates(self, q, v):
        c, s = sympy.cos(q[0]), sympy.sin(q[0])
        return [v[0], c * v[1] - s * v[2], s * v[1] + c * v[2]]

    def coadjoint(self, v, mu):
        return [mu[1] * v[2] - mu[2] * v[1], mu[2] * v[0], -mu[1] * v[0]]

    def element(self, entry, numbers, project):
        return [0.0] * 3 if entry == "identity" else numbers([entry["angle"], entry["x"], entry["y"]])

    def velocity(self, q, space):
        c, s = math.cos(q[0]), math.sin(q[0])
        return [space[0], c * space[1] + s * space[2], -s * space[1] + c * space[2]]

    def move(self, q, x):
        c, s = math.cos(q[0]), math.sin(q[0])
        return [q[0] + x[0], q[1] + c * x[1] - s * x[2], q[2] + s * x[1] + c * x[2]]


class SpaceMotions:
    """SE(3): a rotation matrix and the origin."""

    dimension, size, angle = 6, 12, None

    def __init__(self, name):
        self.turning = Rotations(name)
        self.names = [*self.turning.names, f"{name}_x", f"{name}_y", f"{name}_z"]
        self.derived = lambda symbols: {}

    def rates(self, q, v):
        return [*self.turning.rates(q[:9], v[:3]), *(sympy.Matrix(3, 3, q[:9]) * sympy.Matrix(v[3:]))]

    def coadjoint(self, v, mu):
        first = [a + b for a, b in zip(cross(mu[:3], v[:3]), cross(mu[3:], v[3:]))]
        return [*first, *cross(mu[3:], v[:3])]

    def element(self, entry, numbers, project):
        origin = [0.0] * 3 if entry == "identity" else numbers([entry[key] for key in "xyz"])
        return [*self.turning.element(entry, numbers, project), *origin]

    def velocity(self, q, space):
        return [*self.turning.velocity(q[:9], space[:3]), *self.turning.velocity(q[:9], space[3:])]

    def move(self, q, x):
        step = numpy.array(q[:9]).reshape(3, 3) @ x[3:]
        return [*self.turning.move(q[:9], x[:3]), *(numpy.array(q[9:]) + step)]


class Heisenberg:
    """H(3): the third component of v is what x y' - y x' does not account for."""

    dimension, size, angle = 3, 3, None

    def __init__(self, name):
        self.names = [f"{name}_x", f"{name}_y", f"{name}_z"]
        self.derived = lambda symbols: {}

    def rates(self, q, v):
        return [v[0], v[1], v[2] + (q[0] * v[1] - q[1] * v[0]) / 2]

    def coadjoint(self, v, mu):
        return [-mu[2] * v[1], mu[2] * v[0], 0]

    def element(self, entry, numbers, project):
        return [0.0] * 3 if entry == "identity" else numbers([entry[key] for key in "xyz"])

    def move(self, q, x):
        return [q[0] + x[0], q[1] + x[1], q[2] + x[2] + (q[0] * x[1] - q[1] * x[0]) / 2]


class Line:
    """A coordinate."""

    dimension, size, angle = 1, 1, None

    def __init__(self, name):
        self.names = [name]
        self.derived = lambda symbols: {}

    def rates(self, q, v):
        return list(v)

    def coadjoint(self, v, mu):
        return [0]

    def move(self, q, x):
        return [q[0] + x[0]]


GROUPS = {"SO(3)": Rotations, "SE(2)": PlaneMotions, "SE(3)": SpaceMotions, "H(3)": Heisenberg}
