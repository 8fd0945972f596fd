"""From and to SymPy, LaTeX and MathML."""

import xml.etree.ElementTree

import numpy as np
import pytest
import sympy as sp
from matplotlib.mathtext import MathTextParser
from sympy.physics.mechanics import dynamicsymbols

import dalembert as dal

x, y, z = dynamicsymbols("x y z")
t, eps = dynamicsymbols._t, sp.Symbol("eps")
LAGRANGIAN = (x.diff()**2 + y.diff()**2 + z.diff()**2) / 2 - (x**2 + y**2 + z**2) / 2 - eps * x**2 * z**2 - sp.cos(y)


def contact(**options):
    return dal.from_sympy(LAGRANGIAN, [x, y, z], **{"constraints": [sp.Eq(x.diff(t) + y * z.diff(t), 0)], "parameters": {eps: 0.15},
                                                    **options})


def test_a_system_of_sympy_is_the_system():
    @dal.system(coordinates="x y z", parameters=dict(eps=0.15))
    def typed(q, v, p):
        return dal.Mechanics(kinetic=v @ v / 2, potential=q @ q / 2 + p.eps * q.x**2 * q.z**2 + np.cos(q.y),
                             constraints=[v.x + q.y * v.z])

    options = dict(step=0.1, until=20, q=[1, 0.5, 0], v=[-0.1, 1, 0.2], parameters={"eps": 0.3})
    for method in ("leapfrog", "lobatto"):
        # The terms stand in another order: round-off, which grows along the orbit.
        np.testing.assert_allclose(dal.run(contact(), method, **options).q, dal.run(typed, method, **options).q, atol=1e-11)


def test_equations_of_motion_of_a_system():
    problem = contact(name="contact")
    assert str(problem.lagrangian.to_sympy()) == "-eps*x**2*z**2 - x**2/2 + x_dot**2/2 - y**2/2 + y_dot**2/2 - z**2/2 + z_dot**2/2 - cos(y)"
    equations = problem.equations_of_motion()
    assert len(equations) == 4 and repr(equations).splitlines()[-1] == "0 = x_dot + y*z_dot"
    names = {name: sp.Symbol(name, real=True) for name in "x y z x_ddot y_ddot z_ddot lambda_1 eps".split()}
    residual = equations.to_sympy()[0]
    assert sp.simplify(residual - (names["x_ddot"] + names["x"] + 2 * names["eps"] * names["x"] * names["z"]**2 - names["lambda_1"])) == 0
    assert equations._repr_latex_().startswith(r"$$\begin{aligned}0 &= \ddot{x}")


@pytest.mark.parametrize("name", ["contact-oscillator", "chaplygin-sleigh", "dissipative-sleigh", "particle-driven", "spherical-pendulum",
                                  "double-pendulum", "witness-general", "witness-affine-time", "rolling-coin", "snakeboard"])
def test_sympy_derives_the_same_equations(name):
    system = dal.load(name).to_sympy()
    rng = np.random.default_rng(1)
    acceleration = [one.diff(system.t) for one in system.v]
    # d/dt dL/dv - dL/dq - A^T lambda - force, by SymPy's own derivatives.
    residual = [sp.diff(sp.diff(system.lagrangian, v), system.t) - sp.diff(system.lagrangian, q) - force
                - sum(lam * sp.diff(one, v) for lam, one in zip(system.lam, system.constraints))
                for q, v, force in zip(system.q, system.v, system.force)]
    point = [(one, sp.Float(rng.uniform(0.2, 0.8))) for one in [*acceleration, *system.v, *system.q, system.t, *system.lam, *system.parameters.values()]]
    for own, derived in zip(system.equations, residual):
        # Sums of some tens of terms of size one to ten.
        assert float(abs((own - derived).subs(point).evalf())) < 1e-12


def value(expression, at):
    return float(expression.subs(at).evalf())


PLACES = [{"x": 0.7, "y": -1.3}, {"x": -0.4, "y": 0.6}, {"x": 1.9, "y": 2.2}]
a, b = sp.symbols("x y", real=True)


@pytest.mark.parametrize("expression", [
    sp.sin(a) * sp.cos(b) - sp.tan(a) / 3, sp.exp(-a**2 / 2) + sp.log(2 + b**2), sp.sqrt(1 + a**2) ** 3 + (a**2 + 1) ** sp.Rational(-1, 3),
    sp.Abs(a - b) + sp.sign(a), sp.Max(a, b, 0) - sp.Min(a, 1), sp.atan2(b, a) + sp.atan(a) * sp.pi, sp.E ** a + sp.cosh(b) - sp.sinh(a) * sp.tanh(b),
    sp.Piecewise((a, a > b), (b**2, sp.And(a > 0, b < 2)), (1, True)), sp.Piecewise((1, sp.Or(a <= -0.1, b >= 1)), (sp.sin(a), True)),
    sp.Piecewise((a, sp.Not(sp.And(a > 0, b > 0))), (0, True)), sp.Heaviside(a) * b, sp.floor(3 * a) + sp.ceiling(b), 1 / sp.sec(a) + sp.cot(b),
    sp.asin(a / 4) + sp.acos(b / 4), sp.asinh(a) + sp.acosh(2 + a**2) + sp.atanh(b / 4), sp.Float("0.1234567890123456789012345678901") * a,
    sp.GoldenRatio * a - sp.Rational(22, 7) / b, -a - b, -(a * b) / 7, 5 - a])
def test_expressions_there_and_back(expression):
    found = []

    def equations(q, v):
        from dalembert.symbolic import _Reader
        found.append(_Reader({a: q[0], b: q[1]}).read(expression))
        return dal.Mechanics(kinetic=v @ v)

    dal.system(equations, coordinates="x y")
    back = found[0].to_sympy()
    for place in PLACES:
        at = {a: place["x"], b: place["y"]}
        # Some roundings of numbers up to ten.
        assert value(back, at) == pytest.approx(value(expression, at), rel=1e-14, abs=1e-14)


def test_constants_keep_their_digits():
    writer = dal.symbolic._Writer({})
    assert dal.to_sympy(dal.Expression(1) / 3) == sp.Rational(1, 3) and dal.to_sympy(dal.pi) == sp.pi
    assert dal.to_sympy(dal.Expression(0.15)) == sp.Float(0.15)
    third = dal.symbolic._Reader({}).read(sp.Rational(1, 3))
    assert third == dal.Expression(1) / 3
    digits = dal.to_sympy(dal.symbolic._Reader({}).read(sp.sqrt(2).evalf(40)))
    # 106 bits.
    assert abs(digits - sp.sqrt(2)).evalf(40) < 2.0**-104
    # f_0 = sin(x)/x and f_k' = -x f_(k+1); g_0 = sinh(x)/x and g_k' = x g_(k+1); F_k' = -F_(k+1)/2.
    for kind, slope in (("sinc", -a), ("sinhc", a), ("sinc_root", -sp.Rational(1, 2))):
        for order in range(3):
            difference = writer._quotient(kind, a, order).diff(a) - slope * writer._quotient(kind, a, order + 1)
            assert abs(value(difference, {a: 0.9})) < 1e-12
    assert value(writer._quotient("sinc_root", a, 0), {a: 0.81}) == pytest.approx(np.sin(0.9) / 0.9)
    assert value(writer._quotient("sinc_root", a, -1), {a: 0.81}) == pytest.approx(np.cos(0.9))


def test_symbols_with_velocities_of_their_own_forces_and_time():
    s, s_dot, m, tau = sp.symbols("s s_dot m tau")
    problem = dal.from_sympy(m * s_dot**2 / 2 - s**2 / 2, [s], v=[s_dot], parameters={m: dal.Parameter(2, min=0, min_exclusive=True)}, time=tau,
                             force=[sp.cos(tau)], integrals={}, starts={"rest": dal.Start(q=[0], v=[0])}, name="driven")
    sol = dal.run(problem, "gauss(stages=4)", step=0.1, until=1)
    # 2 s'' + s = cos t from rest: s = cos(t/sqrt 2) - cos t.
    assert sol.q[-1, 0] == pytest.approx(np.cos(1 / np.sqrt(2)) - np.cos(1), abs=1e-9)
    assert problem.to_sympy().force == [sp.cos(sp.Symbol("t", real=True))]


def test_names_of_multipliers():
    problem = contact(constraints={"blade": x.diff(t) + y * z.diff(t)}, holonomic=sp.Matrix([z - x]))
    assert problem.multipliers == ["blade", "lambda_2"]


@pytest.mark.parametrize("make, sentence", [
    (lambda: contact(parameters={}), '"eps" is neither a coordinate, a velocity nor a parameter'),
    (lambda: contact(constraints=[x.diff(t, 2)]), "derivatives of the coordinates by the time, once"),
    (lambda: contact(constraints=[sp.gamma(x) * x.diff(t)]), "gamma is not known"),
    (lambda: contact(constraints=[sp.Piecewise((x.diff(t), x > 0))]), "says nothing of what holds otherwise"),
    (lambda: contact(constraints=[sp.Piecewise((x.diff(t), sp.Eq(x, 0)), (1, True))]), "the condition"),
    (lambda: dal.from_sympy(sp.Symbol("u")**2, [sp.Symbol("u")]), "no function of the time"),
    (lambda: dal.from_sympy(LAGRANGIAN, [x, y, z], v=[x]), "v has 1 entries for 3 coordinates"),
    (lambda: dal.from_sympy("x", [x]), "is of the type str"),
    (lambda: dal.from_sympy(sp.Matrix([x]), [x]), "type"),
    (lambda: dal.from_sympy(x.diff(t)**2, [x, sp.Function("theta'")(t)]), "is no name"),
    (lambda: dal.load("rigid-body").lagrangian, "skew-gradient form"),
    (lambda: dal.load("chaplygin-sleigh-se2").to_sympy(), "elements of groups"),
])
def test_what_sympy_has_and_we_have_not(make, sentence):
    with pytest.raises(dal.RequestError, match=sentence) as refusal:
        make()
    assert "\n" not in str(refusal.value)


def test_pieces_of_a_problem_file(tmp_path):
    path = tmp_path / "p.toml"
    path.write_text('coordinates = ["x"]\n[lagrangian]\nkinetic = "x_dot^2/2"\npotential = "max(x, 0)^2 + sinc_root(x^2, 0) + piecewise(1, x < 0.5, x)"\n')
    lagrangian = dal.load(path).lagrangian.to_sympy()
    for at in (0.3, 0.8):
        wanted = -(max(at, 0)**2 + np.sin(at) / at + (1 if at < 0.5 else at))
        assert value(lagrangian, {a: at, sp.Symbol("x_dot", real=True): 0}) == pytest.approx(wanted, rel=1e-14)


def test_latex_and_mathml_are_read_by_others():
    parser = MathTextParser("path")
    for name in ("contact-oscillator", "chaplygin-sleigh", "rolling-coin", "spherical-pendulum", "snakeboard"):
        for one in dal.load(name).equations_of_motion():
            parser.parse(one._repr_latex_().replace(r"\displaystyle", "").replace(r"\left", "").replace(r"\right", ""))
            xml.etree.ElementTree.fromstring(one.to_mathml())
