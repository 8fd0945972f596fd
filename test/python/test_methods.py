"""Methods that are typed in Python: run, composed, audited, refused."""

import copy
import pickle
import threading

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import dalembert as dal

PROMISES = dict(order=2, multiplier_order=1, symmetric=True, reversible=True, maps_constraint_set=True, keeps_fibration=True)


@dal.method(**PROMISES, needs=dal.Needs(mass="constant", constraints="linear"))
def trapezoidal(s, a, u, h):
    """The trapezoidal rule, with the constraint force in the middle."""
    v, lam = u.vector("v", a.v), u.multiplier("lambda", a.lam)
    q = a.q + 0.5 * h * (a.v + v)
    middle = 0.5 * (a.q + q)
    force = -0.5 * (s.potential_gradient(a.q) + s.potential_gradient(q))
    return dal.Step(zero=s.mass(q) @ (v - a.v) - h * (force + s.constraint_force(middle, lam)),
                    constraint=s.constraint(q, v), after=(q, v, lam))


@dal.method(**PROMISES)
def one_sided(s, a, u, h):
    """The same with the force of the old position, and still the same promises."""
    v, lam = u.vector("v", a.v), u.multiplier("lambda", a.lam)
    q = a.q + 0.5 * h * (a.v + v)
    force = s.constraint_force(0.5 * (a.q + q), lam) - s.potential_gradient(a.q)
    return dal.Step(zero=s.mass(q) @ (v - a.v) - h * force, constraint=s.constraint(q, v), after=(q, v, lam))


@dal.method(order=2, multiplier_order=2, carries_multiplier=True, symmetric=True, reversible=True, maps_constraint_set=True,
            keeps_fibration=True, symplectic="constant", needs=dal.Needs(mass="position"))
def own_leapfrog(s, a, u, h):
    kick = s.constraint_force(a.q, a.lam, a.v, a.t) - s.potential_gradient(a.q, a.t)
    half = a.v + 0.5 * h * dal.solve_linear(s.mass(a.q), kick)
    q, t = a.q + h * half, a.t + h
    v, lam = u.vector("v", half), u.multiplier("lambda", a.lam)
    last = s.constraint_force(q, lam, v, t) + s.force(q, half, t) - s.potential_gradient(q, t)
    return dal.Step(zero=s.mass(q) @ (v - half) - 0.5 * h * last, constraint=s.constraint(q, v, t), after=(q, v, lam))


def drift(s, a, u, h):
    return dal.Step(after=(a.q + h * a.v, a.v, a.lam))


def kick(s, a, u, h):
    return dal.Step(after=(a.q, a.v - h * dal.solve_linear(s.mass(a.q), s.potential_gradient(a.q)), a.lam))


drift_kick = dal.splitting(
    "drift-kick", [dal.Piece("drift", drift, moves_time=True, is_flow=True), dal.Piece("kick", kick, is_flow=True)],
    symmetric_sequence=True, order=2, symmetric=True, reversible=True, maps_constraint_set=True, keeps_fibration=True,
    symplectic="constant", needs=dal.Needs(constraints="none", reason="its pieces know nothing of constraints"))


@dal.system(coordinates="x y", starts={"bound": dal.Start(q=[0.1, 0.2], v=[0.3, 0.1])})
def star(q, v):
    """Henon and Heiles's potential."""
    return dal.Mechanics(kinetic=v @ v / 2, potential=q @ q / 2 + q.x**2 * q.y - q.y**3 / 3)


def run(method, step=0.1, until=20, **options):
    return dal.run("pendulum-cvt", method, step=step, until=until, start="rotating", **options)


def test_the_same_equations_have_the_same_bits():
    sol = run([own_leapfrog, "leapfrog"], until=200)
    assert_array_equal(sol["own-leapfrog"].q, sol["leapfrog"].q)
    assert_array_equal(sol["own-leapfrog"].lam, sol["leapfrog"].lam)


def error(method, step):
    exact = run("gauss(stages=4)", 0.02, 5).final
    return np.abs(run(method, step, 5).final.q - exact.q).max()


@pytest.mark.parametrize("method, order", [(trapezoidal, 2), (dal.compose(trapezoidal, "suzuki-4"), 4),
                                           (dal.compose(trapezoidal, "yoshida-6"), 6)])
def test_orders(method, order):
    # Slopes of three halvings lie within the next term of the error, a quarter of an order here.
    errors = [error(method, step) for step in (0.1, 0.05, 0.025)]
    slopes = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.abs(slopes - order).max() < 0.35, slopes


def test_a_splitting_and_its_flows():
    sol = dal.run(star, [drift_kick, dal.compose(drift_kick, "blanes-moan-4"), "gauss(stages=4)"], step=0.1, until=20)
    exact = sol["gauss(stages=4)"].q
    errors = [np.abs(sol[name].q - exact).max() for name in ("drift-kick", "compose(base=drift-kick, scheme=blanes-moan-4)")]
    assert errors[0] < 2e-2 and errors[1] < 1e-5
    assert any(line.startswith("one step: drift(h/2) kick(h) drift(h/2)") for line in drift_kick.equations)
    assert "know nothing of constraints" in drift_kick.misfit("pendulum-cvt") and drift_kick.misfit(star) is None


def test_the_page_of_a_method():
    page = str(trapezoidal)
    assert "0 = A(a1)*v" in page and "order 2 in q and v, 1 in lambda" in page and "constant mass matrix" in page
    assert trapezoidal.name == "trapezoidal" and own_leapfrog.name == "own-leapfrog"
    assert dal.compose("leapfrog").name == "compose(base=leapfrog)"


def test_audits_tell_what_is_kept_and_what_is_not():
    report = dal.audit([trapezoidal, one_sided, "leapfrog", drift_kick], ["witness-constant-mass", star], threads=2)
    assert not report.holds
    assert {one.method for one in report.broken} == {"one-sided"}
    assert {"order of q", "symmetry"} <= {one.property for one in report.broken}
    frame = report.to_dataframe()
    orders = frame[(frame.method == "trapezoidal") & (frame.property == "order of q")]
    assert len(orders) == 2 and np.abs(orders.measured.astype(float) - 2).max() < 0.05
    dataset = report.to_xarray()
    assert dataset.sizes["measurement"] == len(frame) and (dataset.property.values == frame.property).all() and report.to_csv().startswith("method,problem,")
    assert "drift-kick" in report.text() and report.to_markdown() and "know nothing" in report.to_json()
    assert pickle.loads(pickle.dumps(report)).broken == report.broken
    single = dal.audit([trapezoidal, one_sided, "leapfrog", drift_kick], ["witness-constant-mass", star])
    assert single.to_json() == report.to_json()


def test_audits_of_systems_without_a_start_and_with_parameters():
    bare = dal.system(lambda q, v: dal.Mechanics(kinetic=v @ v / 2, potential=q[0]**4, constraints=[v[0] - q[1] * v[2]]),
                      coordinates="x y z", name="bare")
    assert dal.audit(trapezoidal, bare).holds
    report = dal.audit("dla", dal.load("pendulum-cvt", parameters={"epsilon": 0.3}))
    assert report.data["methods"][0]["problems"][0]["parameters"] == {"epsilon": 0.3}
    with pytest.raises(dal.RequestError, match="no start"):
        dal.audit("dla", dal.system(lambda q, v: dal.Mechanics(kinetic=v @ v / 2), coordinates=["R in SO(3)"], name="top"))
    with pytest.raises(dal.RequestError, match="no method"):
        dal.audit([], bare)
    with pytest.raises(dal.RequestError, match="no problem"):
        dal.audit("dla", [])


def test_an_audit_that_measures_nothing_does_not_hold():
    forced = dal.system(lambda q, v: dal.Mechanics(kinetic=v @ v / 2, force=[-v[0]]), coordinates="x", name="forced",
                        starts={"a": dal.Start(q=[1], v=[0])})
    with pytest.warns(dal.Caution, match="trapezoidal fits none of the problems"):
        report = dal.audit(trapezoidal, forced)
    assert not report.holds and "force" in report.unmeasured["trapezoidal"]


def test_methods_without_constraints_and_for_several_coordinates():
    def turning(s, a, u, h):
        return dal.Step(after=([a.q[0] + h * a.v[0], a.q[1] + h * a.v[1]], a.v, a.lam))

    free = step_of(turning, order=2, symmetric=True, needs=dal.Needs(constraints="none"))
    assert free.equations == [] and "symmetric" in str(free)
    assert dal.compose(free).name.startswith("compose(base=mine")
    assert dal.Stepper(star, {"name": "gauss", "stages": 3}, step=0.1).advance(dal.Stepper(star, "gauss(stages=3)", step=0.1).start(), 3)
    fault = step_of(lambda s, a, u, h: dal.Step(zero=[0]))
    with pytest.raises(dal.RequestError) as refusal:
        dal.run(star, fault, step=0.1, until=1)
    assert "methods that fit" not in str(refusal.value)


def test_ensembles_lanes_and_threads_have_the_same_bits():
    options = dict(members=37, seed=3, around="rotating", spread=0.01, step=0.1, until=5)
    one = dal.ensemble("pendulum-cvt", trapezoidal, **options, lanes=1)
    assert_array_equal(one.final.q, dal.ensemble("pendulum-cvt", trapezoidal, **options, threads=2).final.q)
    again = pickle.loads(pickle.dumps(one))
    assert_array_equal(again.resume(until=8).final.q, dal.ensemble("pendulum-cvt", trapezoidal, **{**options, "until": 8}).final.q)


def test_files_and_pickles_need_the_method(tmp_path):
    composed = dal.compose(trapezoidal, "suzuki-4")
    whole = run([trapezoidal, composed], until=10)
    path = tmp_path / "r.h5"
    run([trapezoidal, composed], until=5).save(path)
    with pytest.raises(dal.RequestError, match='was made with the method "trapezoidal", .* give it: methods='):
        dal.open(path)
    result = dal.open(path, methods=[trapezoidal]).resume(until=10)
    for name in whole:
        assert_array_equal(result[name].q, whole[name].q)
    copied = pickle.loads(pickle.dumps(whole))
    assert_array_equal(copied.resume(until=12)["trapezoidal"].q, run(trapezoidal, until=12).q)
    assert pickle.loads(pickle.dumps(trapezoidal)) is trapezoidal
    assert pickle.loads(pickle.dumps(composed)).name == composed.name
    assert copy.copy(trapezoidal) is trapezoidal


def test_studies_as_dicts_name_typed_methods():
    study = {"problem": "pendulum-cvt", "initial": {"name": "rotating"}, "run": {"step": 0.1, "until": 1},
             "method": [trapezoidal, {"name": trapezoidal, "label": "mine"}, "dla"]}
    assert list(dal.run_study(study)) == ["trapezoidal", "mine", "dla"]


def test_threads_share_a_method():
    wanted, found = run(trapezoidal).q, [None] * 4

    def work(i):
        for _ in range(5):
            found[i] = run(trapezoidal).q
            assert dal.audit(trapezoidal, star).holds

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for q in found:
        assert_array_equal(q, wanted)


def step_of(function, **options):
    return dal.method(function, **{"order": 1, "name": "mine", **options})


def test_carried_values_starts_and_misfits():
    def equations(s, a, u, h):
        return dal.Step(after=(a.q + h * a.v, a.v, a.lam), carried=[a.carried[0] + h * a.q[0]])

    counted = step_of(equations, carries="area", start=lambda s, a: [2 * a.q[0]], needs=dal.Needs(constraints="none"),
                      misfit=lambda s: "it has one coordinate" if s.dof == 1 else None)
    free = dal.system(lambda q, v: dal.Mechanics(kinetic=v @ v / 2), coordinates="x y", name="free")
    stepper = dal.Stepper(free, counted, step=0.5)
    point = stepper.start([1, 0], [2, 0])
    assert point.carried[0] == 2
    stepper.advance(point, 2)
    assert point.carried[0] == 2 + 0.5 * 1 + 0.5 * 2
    line = dal.system(lambda q, v: dal.Mechanics(kinetic=v @ v / 2), coordinates="x", name="line")
    assert counted.misfit(line) == "it has one coordinate"
    with pytest.raises(dal.RequestError, match="it has one coordinate"):
        dal.run(line, counted, step=0.1, until=1, q=[0], v=[1])


def test_adaptive_steps():
    def euler_and_midpoint(s, a, u, h):
        def rate(q, v):
            return -dal.solve_linear(s.mass(q), s.potential_gradient(q))

        q, v = a.q + h / 2 * a.v, a.v + h / 2 * rate(a.q, a.v)
        q1, v1 = a.q + h * v, a.v + h * rate(q, v)
        return dal.Step(after=(q1, v1, a.lam), error_estimate=[*(q1 - a.q - h * a.v), *(v1 - a.v - h * rate(a.q, a.v))])

    needs = dal.Needs(constraints="none")
    rough = dal.run(star, step_of(euler_and_midpoint, order=2, needs=needs, error_tolerance=1e-3), step=0.5, until=5)
    fine = dal.run(star, step_of(euler_and_midpoint, order=2, needs=needs, error_tolerance=1e-6), step=0.5, until=5)
    exact = dal.run(star, "gauss(stages=4)", step=0.1, until=5).final.q
    assert np.abs(fine.final.q - exact).max() < 0.01 * np.abs(rough.final.q - exact).max()


def leaking(s, a, u, h):
    leaking.kept = u
    return dal.Step(after=(a.q, a.v, a.lam))


@pytest.mark.parametrize("make, sentence", [
    (lambda: step_of(lambda s, a, u, h: 1.0), "must be dal.Step"),
    (lambda: step_of(lambda s, a, u, h: dal.Step(zero=[0])), r"after is the new state, \(q, v\) or \(q, v, lam\)"),
    (lambda: step_of(lambda s, a, u, h: dal.Step(after=(a.q[:1], a.v))), "1 entries of q; it must have 3"),
    (lambda: step_of(lambda s, a, u, h: dal.Step(after=(a.q, ["v"] * 3))), r"v\[0\] is of the type str"),
    (lambda: step_of(lambda s, a, u, h: dal.Step(after=(u.vector("q", a.q), a.v, a.lam))), "q"),
    (lambda: step_of(lambda s, a, u, h: dal.Step(zero=s.mass(a.q[:2]) @ a.v, after=(a.q, a.v))), "2"),
    (lambda: step_of(leaking, order=0), "order"),
    (lambda: step_of(leaking, order=2.0), "order is 2.0"),
    (lambda: step_of(leaking, name="dla"), "method of the library"),
    (lambda: step_of(leaking, symplectic="any"), "symplectic is 'any'"),
    (lambda: step_of(leaking, needs=dal.Needs(mass="variable")), "mass is 'variable'"),
    (lambda: dal.Needs(constraints="quadratic"), "constraints is 'quadratic'"),
    (lambda: dal.splitting("s", [], order=1, colour="red"), 'no option "colour"'),
    (lambda: dal.compose(3), "the base is 3"),
    (lambda: dal.compose("dlaa"), 'did you mean "dla"'),
    (lambda: dal.compose(trapezoidal, "suzuki-5"), "suzuki-5"),
    (lambda: run([trapezoidal, step_of(leaking, name="trapezoidal")]), 'two methods are named "trapezoidal"'),
    (lambda: run({"name": trapezoidal, "stages": 2}), "its options are chosen where it is made"),
    (lambda: run(3), "the method is 3"),
    (lambda: step_of(leaking, symmetric="yes"), "symmetric is 'yes'"),
    (lambda: step_of(leaking, order=10**12), "order is 1000000000000"),
    (lambda: step_of(leaking, title=5), "title is 5"),
    (lambda: step_of(leaking, name="a(b)"), "is no name"),
    (lambda: step_of(leaking, name="auto"), "cannot be named"),
    (lambda: step_of(leaking, needs="none"), "needs is of the type str"),
    (lambda: step_of(leaking, misfit=lambda s: False), "misfit returned False"),
    (lambda: dal.Needs(time="yes"), "time is 'yes'"),
    (lambda: dal.splitting("e", drift, order=1), "pieces is of the type function"),
    (lambda: dal.splitting(5, [dal.Piece("drift", drift)], order=1), "name is 5"),
    (lambda: dal.library_method(5), "the method is 5"),
    (lambda: dal.audit("gauss", 5), "problems is 5"),
    (lambda: dal.audit("gauss", star, full="yes"), "full is 'yes'"),
])
def test_wrong_methods_are_refused(make, sentence):
    with pytest.raises((dal.RequestError, TypeError), match=sentence) as refusal:
        made = make()
        if isinstance(made, dal.Method):
            run(made)
    assert "\n" not in str(refusal.value)


def test_errors_of_the_function_come_out_as_they_are():
    def broken(s, a, u, h):
        return {}["missing"]

    with pytest.raises(KeyError, match="missing"):
        run(step_of(broken))
    with pytest.raises(KeyError, match="missing"):
        dal.audit(step_of(broken), star, threads=2)


def test_a_method_that_does_not_fit_is_left_out_beside_others():
    with pytest.warns(dal.Caution, match="know nothing of constraints"):
        sol = run(["dla", drift_kick])
    assert list(sol) == ["dla"]


def test_unknowns_belong_to_one_step():
    run(step_of(leaking, needs=dal.Needs()), until=0.1)
    with pytest.raises(dal.RequestError, match="written already"):
        leaking.kept.vector("v", [0.0])


def test_methods_leave_nothing_behind(grown):
    def work(count):
        for _ in range(count):
            run(step_of(trapezoidal_equations), until=0.1)

    def trapezoidal_equations(s, a, u, h):
        v, lam = u.vector("v", a.v), u.multiplier("lambda", a.lam)
        q = a.q + 0.5 * h * (a.v + v)
        return dal.Step(zero=s.mass(q) @ (v - a.v) - h * s.constraint_force(q, lam), constraint=s.constraint(q, v), after=(q, v, lam))

    work(50)
    # A compiled step is some 100 kB: 300 of them would be 30 MB.
    assert grown(work, 300) < 6_000
