"""Systems that are typed in Python."""

import math
import multiprocessing
import pickle
import subprocess
import sys
import textwrap
import threading
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import dalembert as dal


@dal.system(coordinates="x y z", parameters=dict(eps=0.15),
            starts={"up": dal.Start(q=[1, 0.3, 0], v=[0.2, 1, 0], project=True)})
def contact(q, v, p):
    """A particle that cannot move freely."""
    x, y, z = q
    return dal.Mechanics(kinetic=v @ v / 2, potential=q @ q / 2 + p.eps * x**2 * z**2 + np.cos(y),
                         constraints=[v[0] + y * v[2]], integrals={"driver": v[1]**2 / 2 + y**2 / 2 + np.cos(y)})


CONTACT_FILE = """
description = "A particle that cannot move freely."
coordinates = ["x", "y", "z"]
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2"
potential = "(x^2 + y^2 + z^2)/2 + eps*x^2*z^2 + cos(y)"
[constraints]
expressions = ["x_dot + y*z_dot"]
[parameters]
eps = 0.15
"""


def traced(function, coordinates="x y"):
    """The value that a function of (q, v, p, t) returns beside a system, when it is traced."""
    found = []

    def equations(q, v, p, t):
        found.append(function(q, v, t))
        return dal.Mechanics(kinetic=v @ v / 2)

    dal.system(equations, coordinates=coordinates)
    return found[0]


def test_typed_and_written_systems_are_the_same(tmp_path):
    path = tmp_path / "contact.toml"
    path.write_text(CONTACT_FILE)
    options = dict(step=0.1, until=20, q=[1, 0.5, 0], v=[-0.1, 1, 0.2])
    typed = dal.run(contact, ["leapfrog", "dla", "lobatto"], **options)
    written = dal.run(path, ["leapfrog", "dla", "lobatto"], **options)
    for method in typed:
        # Terms may stand in another order: round-off, which grows along the orbit.
        np.testing.assert_allclose(typed[method].q, written[method].q, atol=1e-11)
        assert typed[method].energy_error.max() == pytest.approx(written[method].energy_error.max(), rel=1e-6)


def test_a_problem_says_what_it_is():
    assert contact.name == "contact" and contact.description == "A particle that cannot move freely."
    assert contact.positions == ["x", "y", "z"] and contact.integrals == ["driver"]
    assert contact.parameters["eps"].value == 0.15
    assert contact.equations.constraints == ["x_dot + y*z_dot = 0"]
    up = contact.starts["up"]
    assert up.v[0] + 0.3 * up.v[2] == pytest.approx(0, abs=1e-16)
    assert contact.advice()


@pytest.mark.parametrize("build, text", [
    (lambda q, v, t: np.sin(q.x) + np.float64(2) * q.y, "sin(x) + 2*y"),
    (lambda q, v, t: np.arctan2(q.y, q.x) + abs(v.x), "atan2(y, x) + abs(x_dot)"),
    (lambda q, v, t: Fraction(1, 3) * q["x"], "1/3*x"),
    (lambda q, v, t: dal.Expression(1) / 3 + t - t, "1/3"),
    (lambda q, v, t: dal.where(q.x, q.y, 1), "piecewise(y, x >= 0, 1)"),
    (lambda q, v, t: dal.maximum(q, 0)[1], "max(y, 0)"),
    (lambda q, v, t: dal.pi * dal.minimum(2, t), "pi*min(2, t)"),
    (lambda q, v, t: np.hypot(q.x, 2) ** 0.5, "sqrt(sqrt(4 + x^2))"),
    (lambda q, v, t: np.exp(-q).sum(), "exp(-x) + exp(-y)"),
    (lambda q, v, t: np.linalg.norm(q), "sqrt(x^2 + y^2)"),
    (lambda q, v, t: (q.x**2 * q.y).diff(q.x), "2*x*y"),
    (lambda q, v, t: dal.gradient(q.x**2 + t * q.y, q)[1], "t"),
    (lambda q, v, t: np.array([[1, 2], [3, 4]]) @ q, "[x + 2*y 3*x + 4*y]"),
    (lambda q, v, t: 2 - 1 / q.x, "2 - 1/x"),
    (lambda q, v, t: np.floor(q.x), "floor(x)"),
])
def test_operators_and_functions_of_numpy(build, text):
    assert str(traced(build)) == text


@pytest.mark.parametrize("build", [
    lambda q: q.x < 1, lambda q: bool(q.x), lambda q: math.sin(q.x), lambda q: np.maximum(q, 0),
    lambda q: [1 for _ in range(1) if q.x], lambda q: np.zeros(2).__setitem__(0, q.x), lambda q: q.x + "a",
    lambda q: int(q.x)])
def test_what_has_no_value_is_a_type_error(build):
    with pytest.raises(TypeError):
        traced(lambda q, v, t: build(q))


@pytest.mark.parametrize("number, value", [
    (np.longdouble(1) / 3, Fraction(1, 3)), (Fraction("3.14159265358979323846264338327950288"), None), (Decimal("0.1"), Fraction(1, 10)),
    (2**53 + 1, None), (np.float32(0.5), None), (np.int64(2**60 + 1), Fraction(2**60 + 1)), (np.array(2.5), None),
    (Fraction(10**400, 10**400 + 1), None), (np.uint8(3), None)])
def test_numbers_of_all_kinds_keep_their_digits(number, value):
    wanted = Fraction(number) if value is None and not isinstance(number, (np.generic, np.ndarray)) else value
    wanted = Fraction(float(number)) if wanted is None else wanted
    made = dal.Expression(number)
    high = float(made)
    low = float(made - dal.Expression(high))
    # An extended number has 64 bits, a constant 106.
    digits = 2.0**-63 if isinstance(number, np.longdouble) else 2.0**-104
    assert abs(Fraction(high) + Fraction(low) - wanted) <= Fraction(digits) * abs(wanted)


@pytest.mark.parametrize("nothing", [1j, np.complex128(1), np.clongdouble(1), np.bool_(True), True, "1", None, object(),
                                     Decimal("nan"), np.array([1, 2]), 10**400])
def test_what_is_no_number_is_refused(nothing):
    with pytest.raises(dal.RequestError, match="an expression or a number is allowed"):
        dal.Expression(nothing)
    boxed = np.empty((), object)
    boxed[()] = nothing
    with pytest.raises(dal.RequestError, match="an expression or a number is allowed"):
        dal.Expression(boxed)


def test_shared_parts_are_not_written_out_without_end():
    def chain(q, v):
        e = q.x
        for _ in range(60):
            e = np.sin(e) * e + 1
        chain.kept = e
        return dal.Mechanics(kinetic=v @ v / 2, potential=e)

    problem = dal.system(chain, coordinates="x")
    assert len(repr(chain.kept)) < 100_000 and len(str(problem.equations)) < 100_000
    with pytest.raises(dal.RequestError, match="a million characters"):
        chain.kept.to_latex()
    assert chain.kept._repr_latex_() is None
    x = 0.3
    for _ in range(60):
        x = math.sin(x) * x + 1
    assert chain.kept.evaluate({"x": 0.3}) == pytest.approx(x, rel=1e-13)


def test_values_of_expressions():
    kept = traced(lambda q, v, t: np.sin(q.x) * v.y + t)
    assert kept.evaluate({"x": 0.5, "y_dot": 2, "t": 3, "unused": 1}) == pytest.approx(2 * math.sin(0.5) + 3, rel=1e-15)
    with pytest.raises(dal.RequestError, match='contains "y_dot"; give its value'):
        kept.evaluate({"x": 1, "t": 0})
    for name, wanted in (("arcsinh", math.asinh(0.4)), ("arccosh", math.acosh(1.4)), ("arctanh", math.atanh(0.4)), ("degrees", math.degrees(0.4)),
                         ("radians", math.radians(0.4)), ("exp2", 2**0.4), ("log10", math.log10(0.4)), ("log2", math.log2(0.4))):
        expression = traced(lambda q, v, t: getattr(np, name)(q)[0])
        assert expression.evaluate({"x": 1.4 if name == "arccosh" else 0.4}) == pytest.approx(wanted, rel=1e-14)


def test_arguments_with_values_and_names_of_arrays():
    falling = dal.system(lambda q, v, g=9.5: dal.Mechanics(kinetic=v @ v / 2, potential=g * q.x), coordinates="x", name="falling")
    assert str(falling.equations.potential) == "9.5*x"
    growing = dal.system(lambda q, v: dal.Mechanics(kinetic=v @ v / 2, potential=q.size**2 + q.T), coordinates="size T", name="growing")
    assert growing.equations.potential == "T + size^2"


def test_missing_names_are_key_errors_too():
    def looked(q, v, p):
        looked.found = p.get("n", 7), "m" in p, "n" in p
        return dal.Mechanics(kinetic=p.m * v @ v / 2)

    problem = dal.system(looked, coordinates="x", parameters={"m": 1})
    assert looked.found == (7, True, False)
    assert problem.parameters.get("n") is None and contact.starts.get("down", 3) == 3
    with pytest.raises(dal.UnknownName, match='no start of "contact" "down"; there are: up') as missing:
        contact.starts["down"]
    assert isinstance(missing.value, KeyError) and isinstance(missing.value, dal.RequestError)


def test_angles_are_checked_for_the_parameters_of_a_run():
    @dal.system(coordinates="phi", angles="phi", parameters={"k": 0.0}, starts={"stiff": dal.Start(q=[0], v=[5], parameters={"k": 1})})
    def wound(q, v, p):
        return dal.Mechanics(kinetic=v @ v / 2, force=[-p.k * q.phi - 0.01 * v.phi])

    dal.run(wound, "gauss", step=0.05, until=1, q=[0], v=[5])
    for run in (lambda: dal.run(wound, "gauss", step=0.05, until=10, q=[0], v=[5], parameters={"k": 1}),
                lambda: dal.run(wound, "gauss", step=0.05, until=10, start="stiff"), lambda: dal.Stepper(wound, "gauss", step=0.05, parameters={"k": 1}),
                lambda: dal.Stepper(wound, "gauss", step=0.05).start("stiff")):
        with pytest.raises(dal.RequestError, match='force 1 is not periodic in the angle "phi"'):
            run()


def test_expressions_compare_by_what_they_are():
    same, hashed, kept = traced(lambda q, v, t: (q.x + 1 == q.x + 1 and q.x != q.y, len({q.x + 1, q.x + 1, q.y}), q.x**2 + 1))
    assert same and hashed == 2
    assert str(pickle.loads(pickle.dumps(kept))) == str(kept)
    assert dal.Expression(2) == 2 and float(dal.Expression(2) / 4) == 0.5


def test_expressions_of_two_systems_do_not_combine():
    first, second = traced(lambda q, v, t: q.x), traced(lambda q, v, t: q.x)
    with pytest.raises(dal.RequestError):
        first + second


def good(q, v):
    return dal.Mechanics(kinetic=v @ v / 2)


@pytest.mark.parametrize("function, options, sentence", [
    (good, dict(coordinates=""), "coordinates is empty"),
    (good, dict(coordinates="x 2y"), 'coordinate "2y" is no name'),
    (good, dict(coordinates="x x"), "x"),
    (good, dict(coordinates="x", angles="y"), 'angle "y" is none of the coordinates'),
    (lambda q, v: dal.Mechanics(kinetic=v @ v / 2, potential=q @ q), dict(coordinates="x y", angles="y", name="a"),
     'the potential is not periodic in the angle "y"'),
    (good, dict(coordinates=["R in SO(4)"]), "SO"),
    (good, dict(coordinates="x", parameters={"a": "b"}), "parameter \"a\" is 'b'"),
    (good, dict(coordinates="x", parameters={"a": dal.Parameter(-1, min=0)}), "parameter \"a\" is -1; it must be"),
    (good, dict(coordinates="x", starts={"s": dal.Start(q=[1, 2], v=[0])}), "q"),
    (lambda q, v: dal.Mechanics(kinetic=v @ v), dict(coordinates="x"), 'give name="..."'),
    (lambda q, v, p, t, more: None, dict(coordinates="x", name="a"), "take 5 arguments"),
    (lambda q, v: 1.0, dict(coordinates="x", name="a"), "return float"),
    (lambda q, v: dal.Mechanics(kinetic=q[0]), dict(coordinates="x", name="a"), "a"),
    (lambda q, v: dal.Mechanics(kinetic="v"), dict(coordinates="x", name="a"), "kinetic is of the type str"),
    (lambda q, v: dal.Mechanics(kinetic=v @ v, constraints=[q[0]]), dict(coordinates="x", name="a"), "velocit"),
    (lambda q, v: dal.Mechanics(kinetic=v @ v, constraints=[v[0], None]), dict(coordinates="x", name="a"),
     r"constraints\[1\] is of the type NoneType"),
    (lambda q, v: dal.Mechanics(kinetic=v @ v, lagrangian=v @ v), dict(coordinates="x", name="a"), "stands beside"),
    (lambda q, v: dal.Mechanics(hamiltonian=q[0]), dict(coordinates="x", name="a"), "belong together"),
    (lambda q, v: dal.Mechanics(hamiltonian=q[0], structure=[[0, 1], [2]]), dict(coordinates="x y", name="a"), "rows"),
    (lambda q, v: dal.Mechanics(hamiltonian=q @ q, structure=[[0, 1], [-1, 0]], constraints=[v[0]]), dict(coordinates="x y", name="a"),
     "constraints has no place beside hamiltonian"),
    (lambda q, v: dal.Mechanics(hamiltonian=q @ q + v[0], structure=[[0, 1], [-1, 0]]), dict(coordinates="x y", name="a"), "without velocities"),
    (lambda q, v: dal.Mechanics(hamiltonian=q @ q, structure=[[0, q[0]], [q[0], 0]]), dict(coordinates="x y", name="a"), "not skew in entry"),
    (lambda q, v: dal.Mechanics(kinetic=v @ v, reversal=[1, 2]), dict(coordinates="x y", name="a"), "a sign is 1 or -1"),
    (lambda q, v: dal.Mechanics(kinetic=v @ v, frame=[q[1], 1]), dict(coordinates="x y", name="a"), "has 1 entries; it needs 2"),
    (lambda q, v: dal.Mechanics(kinetic=v @ v, frame=[[v[1], 1]]), dict(coordinates="x y", name="a"), "contains a velocity"),
    (lambda q, v: dal.Mechanics(kinetic=v @ v, integrals={"x": v[0]}), dict(coordinates="x y", name="a"), '"x" of an integral is also that of a coordinate'),
    (lambda q, v: dal.Mechanics(kinetic=v @ v, integrals={"a b": v[0]}), dict(coordinates="x y", name="a"), "no name"),
    (lambda q, v: dal.Mechanics(kinetic=v @ v, integrals=[v[0]]), dict(coordinates="x y", name="a"), "integrals is of the type list"),
    (lambda q, v: dal.Mechanics(kinetic=v @ v, constraints=None), dict(coordinates="x y", name="a", angles=5), "angles is 5"),
    (good, dict(coordinates="energy x"), 'cannot be named "energy"'),
    (good, dict(coordinates=5), "coordinates is 5"),
    (good, dict(coordinates="x", parameters=["a"]), "parameters is of the type list"),
    (good, dict(coordinates="x", parameters={"a": dal.Parameter("1")}), "value of parameter \"a\" is '1'"),
    (good, dict(coordinates="x", starts={"s": {"q": [0]}}), 'start "s" is of the type dict'),
    (good, dict(coordinates="x", description=5), "description is 5"),
    (5, dict(coordinates="x"), "what the equations are is 5"),
    (lambda *q: None, dict(coordinates="x", name="a"), "take \\*q"),
    (lambda q, v, *, g: None, dict(coordinates="x", name="a"), 'need "g" by its name'),
    (lambda q, v: dal.Mechanics(kinetic=v @ v, force=[1]), dict(coordinates="x y", name="a"), "force"),
    (lambda q, v: dal.Mechanics(kinetic=v @ v, constraints={"a b": v[0]}), dict(coordinates="x y", name="a"), "a b"),
])
def test_wrong_systems_are_refused(function, options, sentence):
    with pytest.raises(dal.RequestError, match=sentence) as refusal:
        dal.system(function, **options)
    assert "\n" not in str(refusal.value)


def test_errors_of_the_function_come_out_as_they_are():
    def broken(q, v, p):
        return p.mass * v @ v

    with pytest.raises(AttributeError, match='no parameter "mass"; there are: m'):
        dal.system(broken, coordinates="x", parameters={"m": 1})


def test_names_of_multipliers_forces_and_time():
    @dal.system(coordinates="x y", parameters={"g": dal.Parameter(9.81, min=0, min_exclusive=True)})
    def swing(q, v, p, t):
        return dal.Mechanics(lagrangian=v @ v / 2 - p.g * q.y, holonomic={"rope": q @ q - 1}, force=[np.sin(t), 0],
                             reversal=[1, 1])

    assert swing.multipliers == ["rope"] and swing.parameters["g"].allowed == "> 0"
    sol = dal.run(swing, "lobatto", step=0.01, until=1, q=[0, -1], v=[0, 0])
    assert_array_equal(sol.column("rope"), sol.lam[:, 0])
    assert np.abs(np.linalg.norm(sol.q, axis=1) - 1).max() < 1e-14
    # theta'' = -g sin(theta) + cos(theta) sin(t), independently.
    from scipy.integrate import solve_ivp
    peer = solve_ivp(lambda t, y: [y[1], -9.81 * np.sin(y[0]) + np.cos(y[0]) * np.sin(t)], (0, 1), [0, 0], rtol=1e-12, atol=1e-12)
    # lobatto with three stages has order 4: h^4 = 1e-8 times a moderate constant.
    assert np.arctan2(sol.q[-1, 0], -sol.q[-1, 1]) == pytest.approx(peer.y[0, -1], abs=1e-7)


def test_groups_and_skew_gradient_form():
    @dal.system(coordinates=["x", "y", "R in SO(3)"])
    def ball(q, v, p):
        spin = q.R @ v.R
        return dal.Mechanics(kinetic=(v.x**2 + v.y**2 + v.R @ v.R) / 2, constraints={"roll": v.x - spin[1], "slip": v.y + spin[0]})

    sol = dal.run(ball, "lobatto", step=0.1, until=5, q=[0, 0, 1, 0, 0, 0], v=[1, 0, 0, 1, 0.2])
    # A homogeneous ball rolls straight on.
    np.testing.assert_allclose(sol.q[-1, :2], [5, 0], atol=1e-12)

    @dal.system(coordinates="a b", starts={"one": dal.Start(q=[1, 0])})
    def oscillator(q, v):
        return dal.Mechanics(hamiltonian=q @ q / 2, structure=[[0, 1], [-1, 0]])

    for structure in ([[0, "x - y"], ["y - x", 0]], [[0, "-1 - x**2"], ["1 + x**2", 0]]):
        def rotating(q, v):
            rows = [[eval(one, {"x": q.x, "y": q.y}) if isinstance(one, str) else one for one in row] for row in structure]
            return dal.Mechanics(hamiltonian=q @ q / 2, structure=rows)

        assert dal.run(dal.system(rotating, coordinates="x y"), "reduced-gradient", step=0.1, until=1, q=[1, 0.5]).ok
    sol = dal.run(oscillator, "reduced-gradient", step=0.01, until=1)
    # Order 2: h^2/12 at t = 1.
    np.testing.assert_allclose(sol.q[-1], [np.cos(1), -np.sin(1)], atol=1e-5)


def test_pickles_and_other_processes(tmp_path):
    here = dal.run(contact, "dla", step=0.1, until=5)
    copy = dal.run(pickle.loads(pickle.dumps(contact)), "dla", step=0.1, until=5)
    assert_array_equal(copy.q, here.q)
    assert_array_equal(pickle.loads(pickle.dumps(here)).q, here.q)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(name_of, [contact, contact]) == ["contact", "contact"]


def name_of(problem):
    return problem.name


def test_files_hold_the_system(tmp_path):
    whole = dal.run(contact, "leapfrog", step=0.1, until=10)
    dal.run(contact, "leapfrog", step=0.1, until=5).save(tmp_path / "r.h5")
    resumed = dal.open(tmp_path / "r.h5")
    resumed.resume(until=10)
    assert_array_equal(resumed.q, whole.q)
    script = textwrap.dedent(f"""
        import dalembert as dal
        print(dal.open({str(tmp_path / "r.h5")!r}).resume(until=10).q[-1].tolist())""")
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip() \
        == str(whole.q[-1].tolist())


def test_ensembles_of_typed_systems():
    result = dal.ensemble(contact, "dla01", members=20, seed=3, around="up", spread=0.1, step=0.1, until=2)
    assert result.final.q.shape == (20, 3) and result.status == "ok"


def test_threads_share_a_system():
    wanted = dal.run(contact, "lobatto", step=0.1, until=20).q
    found = [None] * 4

    def work(i):
        for _ in range(5):
            found[i] = dal.run(contact, "lobatto", step=0.1, until=20).q
            dal.system(good, coordinates="x y")

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for q in found:
        assert_array_equal(q, wanted)


def test_ten_thousand_systems_leave_nothing_behind(grown):
    def work(count):
        for _ in range(count):
            dal.system(good, coordinates="x y z")

    work(500)
    # A graph with its table of nodes is some 10 kB: ten thousand of them would be 100 MB.
    assert grown(work, 10_000) < 6_000


def test_reactions_have_directions_of_their_own():
    """A ball that slides forwards: v = v0 - mu g t, and the normal force is the multiplier; both are exact by constant accelerations."""

    def ball(reactions):
        def equations(q, v, p):
            return dal.Mechanics(kinetic=7 * (v.x**2 + v.z**2) / 2 + 7 * 0.11**2 * v.phi**2 / 5, potential=7 * 9.81 * q.z,
                                 holonomic={"normal": q.z - 0.11}, reactions=reactions)
        return dal.system(equations, name="ball", coordinates="x z phi")

    sliding = ball({"normal": [-0.2, 1, 0.2 * 0.11]})
    for method in ("gauss", "lobatto", "discrete-derivative"):
        run = dal.run(sliding, method, step=0.01, until=0.4, q=[0, 0.11, 0], v=[3, 0, 0])
        assert abs(run.v[-1][0] - (3 - 0.2 * 9.81 * 0.4)) < 1e-13
        assert abs(run.lam[-1][0] - 7 * 9.81) < 1e-11
    assert pickle.loads(pickle.dumps(sliding)) is not sliding
    with pytest.raises(dal.RequestError, match="ideal"):
        dal.run(sliding, "leapfrog", step=0.01, until=1, q=[0, 0.11, 0], v=[3, 0, 0])
    with pytest.raises(dal.RequestError, match='"grip", which is no multiplier'):
        ball({"grip": [0, 1, 0]})
    with pytest.raises(dal.RequestError, match="one entry per"):
        ball({"normal": [0, 1]})


def test_a_constraint_that_follows_from_others_shares_its_reaction():
    def particle(factors):
        return dal.system(lambda q, v, p: dal.Mechanics(kinetic=v @ v / 2, potential=q[2] + q[0]**2 / 2,
                                                        constraints=[factor * (v[2] - q[1] * v[0]) for factor in factors]),
                          coordinates="x y z", name="particle")

    options = dict(step=0.1, until=2, q=[0.3, 1, 0.5], v=[1, 0.2, 1])
    once = dal.run(particle((1,)), "lobatto", **options)
    with pytest.warns(dal.Caution, match="follows from the others"):
        twice = dal.run(particle((1, 3)), "lobatto", **options)
    assert_array_equal(twice.q, once.q)
    # Of two rows of the lengths 1 and 3, with round-off of multipliers of the size one.
    assert np.abs(twice.lam - once.lam * [1 / 2, 1 / 6]).max() < 1e-14
