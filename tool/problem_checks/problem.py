"""A problem file read with tomllib, its equations derived with sympy, its solutions by extrapolation of order 16."""

import itertools

import numpy
import sympy

from problem_checks.bodies import Bodies
from problem_checks.groups import GROUPS, Line
from problem_checks.reader import Failure, Reader, compiled, known_keys


class Problem:
    """A problem file for given sizes, with everything as compiled functions of (t, q, v, parameters)."""

    def __init__(self, data, sizes=None):
        self.data, self.name = data, data["name"]
        known_keys(data, "", "the file")
        for kind in ("lagrangian", "constraints", "frame", "reversal", "skew-gradient"):
            known_keys(data.get(kind, {}), kind, f"[{kind}]")
        self.sizes = {}
        for key, entry in data.get("sizes", {}).items():
            known_keys(entry, "size", f"sizes.{key}")
            self.sizes[key] = entry["default"]
        self.sizes.update(sizes or {})
        self.parameters = {}
        for key, entry in data.get("parameters", {}).items():
            entry = entry if isinstance(entry, dict) else {"default": entry}
            known_keys(entry, "parameter", f"parameters.{key}")
            self.parameters[key] = entry
        for key in ("name", "description", "source", "initial", "conserves"):
            if not data.get(key):
                raise Failure(f"no {key}")
        if data["conserves"] not in ("energy", "moving-energy", "nothing"):
            raise Failure(f"conserves = '{data['conserves']}'")
        reader = self.reader = Reader(self.sizes)
        self.t = reader.values["t"] = sympy.Symbol("t", real=True)
        self.p = [self.symbol(key) for key in self.parameters]
        if "skew-gradient" in data:
            self.read_skew_gradient()
        else:
            self.read_mechanics()

    def symbol(self, name):
        if name in self.reader.values:
            raise Failure(f"the name '{name}' is used twice")
        symbol = self.reader.values[name] = sympy.Symbol(name, real=True)
        return symbol

    def read_definitions(self):
        for key, text in self.data.get("definitions", {}).items():
            self.reader.values[key] = self.reader.read(text)

    def read_mechanics(self):
        data, reader = self.data, self.reader
        self.read_elements()
        q, v, t = self.q, self.v, self.t
        if "body" in data:
            bodies = Bodies(data, reader, lambda e: e.diff(t) + sum(
                (e.diff(a) * b for a, b in zip(q, self.rates)), 0 * e))
        else:
            bodies = None
            self.read_definitions()
        lagrangian = data.get("lagrangian", {})
        if "expression" in lagrangian:
            L = reader.read(lagrangian["expression"])
        else:
            L = reader.read(lagrangian.get("kinetic", "0")) - reader.read(lagrangian.get("potential", "0"))
        constraints = data.get("constraints", {})
        phi = [e for text in constraints.get("expressions", []) for e in reader.expand(text)]
        holonomic = [e for text in constraints.get("holonomic", []) for e in reader.expand(text)]
        if bodies:
            L += bodies.lagrangian
            phi += bodies.constraints
            holonomic += bodies.holonomic(q, self.p, self.parameter_values())
        force = self.read_force()
        rates, coadjoint = self.rates, self.coadjoint
        D = lambda e: sum(sympy.diff(e, a) * b for a, b in zip(q, rates)) + sympy.diff(e, t)
        # The derivative along the left-invariant field of each velocity; by q on R^n.
        fields = [[sympy.diff(b, a) for b in rates] for a in v]
        left = lambda e: [sum(sympy.diff(e, a) * b for a, b in zip(q, field) if b != 0) for field in fields]
        p = [sympy.diff(L, a) for a in v]
        mass = sympy.Matrix([[sympy.diff(a, b) for b in v] for a in p])
        right = [a - D(b) + c + d for a, b, c, d in zip(left(L), p, force, coadjoint(p))]
        self.phi = phi + [D(e) for e in holonomic]
        matrix = sympy.Matrix(len(self.phi), len(v), lambda i, j: sympy.diff(self.phi[i], v[j]))
        second = [-D(e) for e in self.phi]
        energy = sum(a * b for a, b in zip(p, v)) - L
        self.integral_names = list(data.get("integrals", {}))
        integrals = [reader.read(text) for text in data.get("integrals", {}).values()]
        arguments = [t, q, v, self.p]
        self.f_mass = compiled(arguments, mass)
        self.f_right = compiled(arguments, right)
        self.f_matrix = compiled(arguments, matrix) if self.phi else None
        self.f_second = compiled(arguments, second)
        self.f_phi = compiled(arguments, self.phi)
        self.f_holonomic = compiled(arguments, holonomic)
        self.f_power = compiled(arguments, sum(f * a for f, a in zip(force, v)))
        self.f_holonomic_matrix = compiled(arguments, [left(e) for e in holonomic]) if holonomic else None
        self.f_rates = compiled(arguments, rates)
        self.f_energy = compiled(arguments, energy)
        self.f_integrals = compiled(arguments, integrals)
        everything = [L, *phi, *holonomic, *force]
        self.autonomous = not any(e.has(t) for e in everything)
        self.linear = all(sympy.diff(e, a, b) == 0 for e in phi for a in v for b in v)
        self.dimension, self.order_two = len(v), True
        self.frame = self.read_frame()
        signs = data.get("reversal", {}).get("signs")
        self.signs = signs and self.spread(signs)

    def read_elements(self):
        """Coordinates and elements of groups: the symbols q and v, and the rates of q."""
        self.elements, self.coordinates, self.q, self.v, self.rates, self.angles = [], [], [], [], [], []
        for declaration in self.data["coordinates"]:
            name, _, group = declaration.partition(" in ")
            if group:
                self.add_element(name, GROUPS[group](name), [f"{name}_dot_{i + 1}" for i in range(GROUPS[group].dimension)])
                continue
            base = declaration.split("[")[0]
            for name in self.reader.array(declaration):
                velocity = name.replace(base, base + "_dot", 1)
                self.add_element(name, Line(name), [velocity])
                if velocity != name + "_dot":  # w_dot[i] is written, w_i_dot is printed
                    self.reader.values[name + "_dot"] = self.v[-1]
        self.angles += [n for c in self.data.get("angles", []) for n in self.reader.array(c)]

    def add_element(self, name, element, velocities):
        self.elements.append((name, element))
        q = [self.symbol(n) for n in element.names]
        v = [self.symbol(n) for n in velocities]
        self.reader.values.update(element.derived(q))
        self.coordinates += element.names
        self.q += q
        self.v += v
        self.rates += element.rates(q, v)
        if element.angle is not None:
            self.angles.append(element.names[element.angle])

    def parts(self, values, size):
        """The parts of a list that belong to the elements; `size` is the attribute that tells how long they are."""
        begin = 0
        for name, element in self.elements:
            end = begin + getattr(element, size)
            yield name, element, list(values[begin:end])
            begin = end

    def coadjoint(self, p):
        pairs = zip(self.parts(self.v, "dimension"), self.parts(p, "dimension"))
        return [x for (_, element, v), (_, _, mu) in pairs for x in element.coadjoint(v, mu)]

    def move(self, q, x):
        """The position displaced along x, [dimension]; q + x on R^n."""
        pairs = zip(self.parts(q, "size"), self.parts(x, "dimension"))
        return [y for (_, element, a), (_, _, b) in pairs for y in element.move(a, b)]

    def read_force(self):
        table = self.data.get("force", {})
        if set(table) - {name for name, _ in self.elements}:
            raise Failure("[force] names what is no coordinate")
        force = []
        for name, element in self.elements:
            entry = table.get(name, ["0"] * element.dimension)
            force += [self.reader.read(text) for text in (entry if isinstance(entry, list) else [entry])]
        return force

    def spread(self, signs):
        """One sign for each entry of `coordinates`, repeated over its velocities."""
        declared = self.data["coordinates"]
        if len(signs) != len(declared):
            raise Failure("reversal.signs has the wrong length")
        counts = [GROUPS[c.partition(" in ")[2]].dimension if " in " in c else len(self.reader.array(c))
                  for c in declared]
        return [s for s, count in zip(signs, counts) for _ in range(count)]

    def reversal(self, signs):
        """The signs of (q, v) when those of the positions, by velocity, are given."""
        if not self.order_two:
            return numpy.array(signs, float)
        q = [part[0] for _, element, part in self.parts(signs, "dimension") for _ in range(element.size)]
        return numpy.concatenate([numpy.array(q, float), -numpy.array(signs, float)])

    def possible_signs(self):
        """All maps that `reversal` could state: elements of groups stay."""
        if not self.order_two:
            yield from itertools.product((1, -1), repeat=self.dimension)
            return
        choices = [(1, -1) if isinstance(element, Line) else (1,) for _, element in self.elements]
        for choice in itertools.product(*choices):
            yield [s for s, (_, element) in zip(choice, self.elements) for _ in range(element.dimension)]

    def read_frame(self):
        """Vectors are lists of components, or one expression in which x_dot stands for d/dx."""
        vectors = []
        for entry in self.data.get("frame", {}).get("vectors", []):
            if isinstance(entry, list):
                vectors.append([self.reader.read(text) for text in entry])
            else:
                vectors += [[sympy.diff(e, a) for a in self.v] for e in self.reader.expand(entry)]
        if any(len(x) != len(self.v) for x in vectors):
            raise Failure("a frame vector has the wrong length")
        return compiled([self.t, self.q, self.v, self.p], vectors) if vectors else None

    def read_skew_gradient(self):
        table, reader = self.data["skew-gradient"], self.reader
        self.coordinates = table["variables"]
        self.q, self.v = [self.symbol(n) for n in self.coordinates], []
        self.read_definitions()
        matrix = sympy.Matrix([[reader.read(e) for e in row] for row in table["matrix"]])
        if sympy.simplify(matrix + matrix.T) != sympy.zeros(*matrix.shape):
            raise Failure("the matrix is not skew")
        H = reader.read(table["hamiltonian"])
        arguments = [self.t, self.q, self.v, self.p]
        self.f_field = compiled(arguments, list(matrix * sympy.Matrix([sympy.diff(H, a) for a in self.q])))
        self.f_energy = compiled(arguments, H)
        self.integral_names = list(self.data.get("integrals", {}))
        self.f_integrals = compiled(arguments, [reader.read(e) for e in self.data.get("integrals", {}).values()])
        self.phi, self.frame, self.f_holonomic_matrix, self.f_matrix = [], None, None, None
        self.f_phi = self.f_holonomic = lambda *_: []
        self.f_power = lambda *_: 0.0
        self.autonomous = self.linear = True
        self.dimension, self.order_two = len(self.q), False
        self.signs = self.data.get("reversal", {}).get("signs")

    # -- numbers ---------------------------------------------------------------------------------

    def parameter_values(self, changes=None):
        values = {k: float(e["default"]) for k, e in self.parameters.items()}
        unknown = set(changes or {}) - set(values)
        if unknown:
            raise Failure(f"a start sets unknown parameters {sorted(unknown)}")
        values.update({k: float(x) for k, x in (changes or {}).items()})
        for key, entry in self.parameters.items():
            for bound, wrong in (("min", lambda x, b: x < b), ("max", lambda x, b: x > b)):
                if bound not in entry:
                    continue
                if wrong(values[key], entry[bound]) or (
                        entry.get(bound + "_exclusive") and values[key] == entry[bound]):
                    raise Failure(f"parameter {key} = {values[key]} is outside its range")
        return list(values.values())

    def random_parameters(self, base, generator):
        """Near the given ones; a parameter at an inclusive bound moves inside."""
        result = []
        for value, entry in zip(base, self.parameters.values()):
            new = value * generator.uniform(0.8, 1.25) + (0 if value else generator.uniform(0, 0.3))
            if "max" in entry and new >= entry["max"]:
                new = value
            result.append(new)
        return result

    def start(self, entry):
        known_keys(entry, "start", "a start")
        p = self.parameter_values(entry.get("parameters"))
        reader = Reader(self.sizes)
        reader.values.update(zip(self.parameters, map(sympy.Float, p)))
        numbers = lambda xs: [float(number) for x in xs for number in (reader.expand(x) if isinstance(x, str) else [x])]
        if not self.order_two:
            return p, numbers(entry["zeta"]), []
        q = self.position(entry, numbers)
        v = self.velocity(entry, q, numbers)
        if len(q) != len(self.q) or len(v) != self.dimension:
            raise Failure("a start has the wrong length")
        return p, q, v

    def by_name(self, table, read, numbers):
        """What `read` makes of the entry of each element of a group, and the numbers of coordinates."""
        result, begin = [], 0
        for declaration in self.data["coordinates"]:
            name, _, group = declaration.partition(" in ")
            name = name.split("[")[0]
            if group:
                result += read(name, table[name])
            else:
                value = table[name]
                result += numbers(value if isinstance(value, list) else [value])
        if set(table) - {d.partition(" in ")[0].split("[")[0] for d in self.data["coordinates"]}:
            raise Failure("a start names what is no coordinate")
        return result

    def position(self, entry, numbers):
        if "position" not in entry:
            return numbers(entry["q"])
        elements, project = dict(self.elements), entry.get("project", False)
        return self.by_name(entry["position"], lambda name, value: elements[name].element(value, numbers, project),
                            numbers)

    def velocity(self, entry, q, numbers):
        if "velocity" not in entry:
            return numbers(entry["v"])
        parts = {name: (element, part) for name, element, part in self.parts(q, "size")}

        def read(name, value):
            element, part = parts[name]
            return element.velocity(part, numbers(value["space"])) if isinstance(value, dict) else numbers(value)

        return self.by_name(entry["velocity"], read, numbers)

    def project(self, p, q, v):
        """Nearest q on the holonomic constraints, then v on the others, in the metric of the mass."""
        q, v = numpy.array(q), numpy.array(v)
        for _ in range(50):
            h = numpy.array(self.f_holonomic(0.0, q, v, p))
            if self.f_holonomic_matrix is None or abs(h).max() < 1e-15:
                break
            G = numpy.array(self.f_holonomic_matrix(0.0, q, v, p), float)
            q = numpy.array(self.move(q, -G.T @ numpy.linalg.solve(G @ G.T, h)))
        for _ in range(50 if self.phi else 0):
            A = numpy.array(self.f_matrix(0.0, q, v, p), float)
            Z = numpy.linalg.solve(numpy.array(self.f_mass(0.0, q, v, p), float), A.T)
            v = v - Z @ numpy.linalg.solve(A @ Z, numpy.array(self.f_phi(0.0, q, v, p), float))
        return q, v

    def acceleration(self, t, q, v, p):
        """Acceleration and multipliers from the full saddle-point system, nothing eliminated."""
        n, m = self.dimension, len(self.phi)
        matrix = numpy.zeros((n + m, n + m))
        matrix[:n, :n] = self.f_mass(t, q, v, p)
        right = list(self.f_right(t, q, v, p))
        if m:
            A = numpy.array(self.f_matrix(t, q, v, p), float)
            matrix[:n, n:], matrix[n:, :n] = -A.T, A
            right += list(self.f_second(t, q, v, p))
        solution = numpy.linalg.solve(matrix, right)
        return solution[:n], solution[n:]

    def field(self, t, y, p):
        if not self.order_two:
            return numpy.array(self.f_field(t, y, [], p), float)
        q, v = self.split(y)
        return numpy.concatenate([self.f_rates(t, q, v, p), self.acceleration(t, q, v, p)[0]])

    def split(self, y):
        return (y[:len(self.q)], y[len(self.q):]) if self.order_two else (y, [])

    def flow(self, y, p, until, step=0.05, start=0.0, each=None):
        """Gragg's midpoint rule extrapolated over 2, 4, ..., 16 substeps: order 16."""
        steps = max(1, round(abs(until) / step))
        H, y = until / steps, numpy.array(y, float)
        for k in range(steps):
            t, table = start + k * H, []
            first = self.field(t, y, p)
            for j in range(1, 9):
                h = H / (2 * j)
                a, b = y, y + h * first
                for i in range(1, 2 * j):
                    a, b = b, a + 2 * h * self.field(t + i * h, b, p)
                row = [(a + b + h * self.field(t + H, b, p)) / 2]
                for i, last in enumerate(table[-1] if table else []):
                    row.append(row[i] + (row[i] - last) / ((j / (j - i - 1)) ** 2 - 1))
                table.append(row)
            y = table[-1][-1]
            if each:
                each(start + (k + 1) * H, y)
        return y
