"""Bodies and contacts of a problem file, from the definitions of mechanics: R is a product of matrices, w^ = R^T R'."""

import random

import sympy

from problem_checks.reader import Failure, known_keys

Vector = sympy.ImmutableMatrix
AXES = {"x": Vector([1, 0, 0]), "y": Vector([0, 1, 0]), "z": Vector([0, 0, 1])}


def turn(axis, angle):
    k, c, s = AXES[axis], sympy.cos(angle), sympy.sin(angle)
    hat = sympy.Matrix([[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]])
    return sympy.eye(3) + s * hat + (1 - c) * hat * hat


class Bodies:
    """What bodies and contacts add: `lagrangian`, `constraints`, and heights that the coordinates leave free."""

    def __init__(self, data, reader, rate):
        self.reader, self.rate = reader, rate
        self.bodies, self.heights, self.constraints = {}, [], []
        self.lagrangian = sympy.Integer(0)
        self.gravity = self.vector(data.get("gravity", [0, 0, 0]))
        named = [lambda k=k, t=t: reader.values.__setitem__(k, reader.read(t))
                 for k, t in data.get("definitions", {}).items()]
        named += [lambda k=k, t=t: self.name(k, self.vector(t)) for k, t in data.get("vectors", {}).items()]
        named += [lambda b=b: self.orient(b) for b in data["body"]] + [lambda b=b: self.place(b) for b in data["body"]]
        named += [lambda c=c: self.touch(c) for c in data.get("contact", [])]
        while named:  # each as soon as the names in it are known
            left = [make for make in named if not self.succeeds(make)]
            if len(left) == len(named):
                named[0]()
            named = left

    @staticmethod
    def succeeds(make):
        try:
            make()
        except (Failure, KeyError):
            return False
        return True

    def vector(self, entry):
        if isinstance(entry, str):
            return self.reader.read(entry)
        entries = [self.reader.read(e) for e in entry]
        return Vector(entries + [0] * (3 - len(entries)))

    def name(self, key, vector):
        self.reader.values[key] = vector
        for i in range(3):
            self.reader.values[f"{key}_{i + 1}"] = vector[i]

    def orient(self, table):
        known_keys(table, "body", f"the body {table['name']}")
        rotation, values = table.get("rotation"), self.reader.values
        if isinstance(rotation, list):
            R = sympy.eye(3)
            for axis, angle in rotation:
                R = R * turn(axis, self.reader.read(angle))
        elif rotation and f"{rotation}_1_1" in values:
            R = sympy.Matrix(3, 3, lambda i, j: values[f"{rotation}_{i + 1}_{j + 1}"])
        else:
            R = turn("z", self.reader.read(rotation)) if rotation else sympy.eye(3)
        spin = R.T * R.applyfunc(self.rate)
        w = Vector([spin[2, 1], spin[0, 2], spin[1, 0]])
        self.bodies[table["name"]] = {"R": Vector(R), "w": w, "done": False}
        for i in range(3):
            self.name(f"{table['name']}.axis_{i + 1}", Vector(R.col(i)))
        self.name(f"{table['name']}.angular_velocity", Vector(R * w))
        self.name(f"{table['name']}.body_angular_velocity", w)

    def place(self, table):
        body, read = self.bodies[table["name"]], self.reader.read
        m, G = read(table["mass"]), self.vector(table["position"])
        V = Vector(G.applyfunc(self.rate))
        body.update(G=G, V=V, done=True)
        inertia = table.get("inertia", "0")
        if not isinstance(inertia, list):
            inertia = [inertia] * 3
        I = sympy.Matrix([[read(e) for e in row] for row in inertia]) if isinstance(inertia[0], list) \
            else sympy.diag(*[read(e) for e in inertia])
        w = body["w"]
        self.lagrangian += (m * V.dot(V) + w.dot(I * w)) / 2 + m * self.gravity.dot(G)
        self.name(f"{table['name']}.position", G)
        self.name(f"{table['name']}.velocity", V)
        self.reader.maps[f"{table['name']}.point"] = lambda u: G + body["R"] * u
        self.reader.maps[f"{table['name']}.velocity_of"] = lambda u: V + body["R"] * w.cross(u)

    def lowest(self, shape, point, n):
        """The lowest point along the body's axes, for the normal n along these."""
        known_keys(shape, "shape", "a shape")
        read = self.reader.read
        if "sphere" in shape:
            return point - read(shape["sphere"]) * n
        if "ellipsoid" in shape:
            stretched = Vector([read(a)**2 * x for a, x in zip(shape["ellipsoid"], n)])
            return point - stretched / sympy.sqrt(stretched.dot(n))
        if not shape:
            return point
        axis = AXES[shape.get("axis", "z")]
        radius, tube = [read(e) for e in shape["torus"]] if "torus" in shape else (read(shape["disk"]), 0)
        inside = n - n.dot(axis) * axis
        return point - radius * inside / sympy.sqrt(inside.dot(inside)) - tube * n

    def touch(self, table):
        known_keys(table, "contact", f"the contact {table['name']}")
        body = self.bodies[table["body"]]
        if not body["done"]:
            raise Failure("later")
        plane = table.get("plane", {"point": [0, 0, 0], "normal": [0, 0, 1]})
        known_keys(plane, "plane", "a plane")
        normal = self.vector(plane["normal"])
        normal = normal / sympy.sqrt(normal.dot(normal))
        R, w = body["R"], body["w"]
        p = Vector(self.lowest(table.get("shape", {}), self.vector(table.get("point", [0, 0, 0])), Vector(R.T * normal)))
        contact = Vector(body["G"] + R * p)
        self.name(f"{table['name']}.point", contact)
        sliding = body["V"] + R * w.cross(p) - self.vector(table.get("velocity", [0, 0, 0]))
        kind = table["kind"]
        heading = R * AXES["x"]
        if "along" in table:
            heading = self.vector(table["along"])
        elif kind == "wheel" and "spin" not in table:
            heading = (R * AXES[table["shape"].get("axis", "z")]).cross(normal)
        if kind == "rolling" and "spin" not in table and "along" not in table:
            across = next(AXES[a] for a in "yxz" if AXES[a].dot(normal) == 0)
            heading = across.cross(normal)
        forwards, sideways = Vector(heading).dot(sliding), normal.cross(Vector(heading)).dot(sliding)
        if "spin" in table:
            forwards -= self.reader.read(table["radius"]) * self.rate(self.reader.read(table["spin"]))
        if kind != "blade":
            self.constraints.append(forwards)
        if kind != "rolling" or "spin" not in table:
            self.constraints.append(sideways)
        self.heights.append(normal.dot(contact - self.vector(plane["point"])))

    def holonomic(self, q, parameters, values):
        """The heights that do not vanish by themselves, on any side of a switch."""
        generator, free = random.Random(1), []
        for height in self.heights:
            f = sympy.lambdify([q, parameters], height, modules="math")
            samples = [abs(f([generator.uniform(-2, 2) for _ in q], values)) for _ in range(30)]
            if min(samples) > 1e-13:
                free.append(height)
        return free
