"""From a case {problem, parameters, method, step, steps, start} to its result."""

from mpmath import mpf

import general
import group_cases
import groups
import library
import literature
import lobatto
import runge_kutta as rk
import splitting_cases
import steps as st
from driver_steps import driver_splitting
from exact import lin
from frame_splitting import frame_splitting
from group_problem import GroupProblem
from problem import Problem

PROBLEMS = dict(library.PROBLEMS, **splitting_cases.PROBLEMS, **group_cases.PROBLEMS)
STARTS = dict(library.STARTS, **splitting_cases.STARTS, **group_cases.STARTS)


def on_groups(case):
    """Whether there is an element of a Lie group among the coordinates."""
    return any(" in " in c for c in PROBLEMS[case["problem"]]["coordinates"])


def make(p, method, h):
    """The step of a method given by its name and options, with step size h."""
    o = {k.replace("-", "_"): v for k, v in method.items() if k != "name"}
    name = method["name"]
    if p.text.get("holonomic") or p.text.get("force"):
        return {"lobatto": general.lobatto, "spark": general.spark, "leapfrog": general.leapfrog,
                "dla": general.dla}[name](p, h, **o)
    simple = {"dla": st.dla, "dla01": st.dla01, "leapfrog": st.leapfrog,
              "discrete-derivative": st.discrete_derivative, "newmark": st.newmark,
              "newmark-composition": st.newmark_composition, "velocity-dla": st.velocity_dla,
              "runge-kutta-4": rk.runge_kutta_4, "gauss": rk.gauss, "radau-iia": rk.radau_iia,
              "reduced-gradient": lambda p, h, frame, **o: rk.reduced_gradient(p, h, **o),
              "energy-collocation": lambda p, h, stages, frame: rk.energy_collocation(p, h, stages),
              "gonzalez-full": rk.gonzalez_full, "lobatto": lobatto.lobatto,
              "spark": lobatto.spark, "lie-lobatto": groups.lie_lobatto,
              "lie-newmark": groups.lie_newmark, "lie-midpoint": groups.lie_midpoint,
              "gni": literature.gni, "generalized-alpha": literature.generalized_alpha,
              "exact-discrete-family": lambda p, h: literature.exact_family(
                  p, h, "symmetric", "midpoint"),
              "exact-discrete-average": lambda p, h: literature.exact_family(
                  p, h, "symmetric", "average"),
              "energy-momentum": lambda p, h, gradient: literature.energy_momentum(p, h, gradient),
              "trapezoidal-rule": literature.trapezoidal,
              "driver-splitting": driver_splitting, "frame-splitting": frame_splitting}
    if name == "adjoint":
        assert o["base"]["name"] == "dla"
        return st.adjoint_dla(p, h, o["base"]["alpha"])
    if name == "compose":
        assert o["scheme"] == "triple-jump"
        return st.triple_jump(lambda k: make(p, o["base"], k), h)
    return simple[name](p, h, **o)


def start_of(case):
    q, v = STARTS[case["start"]]
    return [mpf(float(x)) for x in q], [mpf(float(x)) for x in v]


def problem_of(case):
    kind = GroupProblem if on_groups(case) else Problem
    return kind(PROBLEMS[case["problem"]], case["parameters"])


def moved_along(p, q, v, shift):
    """v shifted along D, without a projection of what v leaves of the constraints."""
    return lin((1, v), (1, p.projected(q, shift(v))), (-1, p.projected(q, v)))


def run(case, h=None, count=None, shift=None):
    """(problem, start (q, v, lambda), end (q, v, lambda)); lambda that a method does not carry is
    the continuous multiplier at the node. `shift` moves the start, on groups all of it."""
    p = problem_of(case)
    q, v = start_of(case)
    q = shift(q) if shift else q
    if on_groups(case):
        q = p.space.normalised(q)
        v = moved_along(p, q, v, shift) if shift else v
    lam = p.lam(q, v)
    if shift and on_groups(case):
        lam = shift(lam)
    step = make(p, case["method"], mpf(float(case["step"])) if h is None else h)
    start = (q, v, lam)
    for _ in range(count or case["steps"]):
        q, v, lam = step(q, v, lam if lam is not None else [])
    if lam is None:
        lam = p.lam(q, v)
    return p, start, (q, v, lam)
