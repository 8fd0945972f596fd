"""A method that is typed as equations, line for line as in C++; its order raised by composition; its audit."""

import numpy as np

import dalembert as dal


@dal.method(order=2, multiplier_order=1, symmetric=True, reversible=True, maps_constraint_set=True, keeps_fibration=True,
            needs=dal.Needs(mass="constant", constraints="linear"))
def trapezoidal(s: dal.System, a: dal.Before, u: dal.Unknowns, h: dal.Expression) -> dal.Step:
    """The trapezoidal rule, with the constraint force in the middle of the two positions."""
    v, lam = u.vector("v", a.v), u.multiplier("lambda", a.lam)
    q = a.q + 0.5 * h * (a.v + v)
    middle = 0.5 * (a.q + q)
    force = -0.5 * (s.potential_gradient(a.q) + s.potential_gradient(q))
    return dal.Step(zero=s.mass(q) @ (v - a.v) - h * (force + s.constraint_force(middle, lam)),
                    constraint=s.constraint(q, v), after=(q, v, lam))


def error(method: dal.Method, step: float) -> float:
    exact = dal.run("pendulum-cvt", "gauss(stages=4)", step=0.02, until=5, start="rotating").final
    return float(np.abs(dal.run("pendulum-cvt", method, step=step, until=5, start="rotating").final.q - exact.q).max())


print(trapezoidal)
for method in (trapezoidal, dal.compose(trapezoidal, "suzuki-4")):
    order = np.log2(error(method, 0.05) / error(method, 0.025))
    print(f"{method.name}: measured order {order:.2f}")

report = dal.audit([trapezoidal, "leapfrog"], problems=["witness-constant-mass"], threads=2)
print(report)
assert report.holds and not report.broken
