"""The lists of cases, one per output file."""

import group_cases
import splitting_cases

ONE_STEP = [{"name": "dla", "alpha": a} for a in (0.0, 0.3, 0.4, 0.5, 1.0)] + [
    {"name": "dla01"}, {"name": "leapfrog"}] + [
    {"name": "discrete-derivative", "gradient": g}
    for g in ("gonzalez", "mean-value", "coordinate-increment")] + [{"name": "runge-kutta-4"}]

DISK = {"m": 2.0, "J_theta": 0.75, "J_phi": 1.25, "r": 0.5, "k": 0.6}
# problem, parameters, start, step
ONE_STEP_SETUPS = [
    ("contact-oscillator", {}, "contact-oscillator", 0.1),
    ("pendulum-cvt", {"epsilon": 0.0}, "oscillating", 0.1),
    ("pendulum-cvt", {"epsilon": 0.0}, "rotating", 0.1),
    ("pendulum-cvt", {"epsilon": 0.5}, "oscillating", 0.1),
    ("pendulum-cvt", {"epsilon": 0.5}, "rotating", 0.1),
    ("pendulum-cvt-inverted", {"epsilon": 0.4}, "moving", 0.1),
    ("particle-harmonic", {"k1": 0.25, "k2": 1.0, "k3": 0.7}, "particle-harmonic", 0.1),
    ("knife-edge", {"epsilon": 0.0}, "knife-edge", 0.3141592653589793),
    ("knife-edge", {"f2": 0.5, "epsilon": 0.1}, "knife-edge", 0.3141592653589793),
    ("rolling-disk", DISK, "rolling-disk", 0.1),
    ("mobile-robot", {}, "mobile-robot", 0.1),
    ("particle-free", {}, "particle-free", 0.05),
    ("chaotic-2", {}, "chaotic-2", 0.1),
    ("chaotic-3", {}, "chaotic-3", 0.1),
    ("witness-constant-mass", {}, "witness-constant-mass", 0.05),
]


def case(problem, parameters, start, step, method):
    return {"problem": problem, "parameters": parameters, "start": start, "step": step,
            "steps": 100, "method": method}


def one_step():
    return [case(*setup, method) for setup in ONE_STEP_SETUPS for method in ONE_STEP]



def method(name, **options):
    return dict(name=name, **options)


CVT = ("pendulum-cvt", {"epsilon": 0.5}, "moving", 0.1)
UNIT = ("pendulum-cvt-unit-frame", {"epsilon": 0.5}, "moving", 0.1)
CHAOTIC = ("chaotic-2", {}, "chaotic-2", 0.1)
WITNESS = ("witness-constant-mass", {}, "witness-constant-mass", 0.05)
ROLLING = ("rolling-disk", DISK, "rolling-disk", 0.1)
SLEIGH = ("chaplygin-sleigh", {}, "chaplygin-sleigh", 0.25)
HEISENBERG = ("heisenberg", {}, "heisenberg", 0.05)
SUSLOV = ("suslov-angles", {}, "suslov-angles", 0.02)
SNAKEBOARD = ("snakeboard", {}, "snakeboard", 0.01)


def variational():
    newmarks = [method("newmark", beta=b, beta_prime=bp, alpha=a, constraint=c)
                for b, bp, a in ((0.0, 0.0, 0.0), (0.0, 0.0, 0.5), (0.1, 0.1, 0.5),
                                 (0.1, 0.05, 0.3)) for c in ("point", "average")
                if (a, c) != (0.0, "average")] + [method("newmark-composition")]
    nodes = [method("velocity-dla", beta=b, redefine_nodes=r)
             for b, r in ((0.0, False), (0.5, False), (0.3, False), (0.3, True))]
    composed = [method("adjoint", base=method("dla", alpha=0.3)),
                method("compose", base=method("dla01"), scheme="triple-jump"),
                method("compose", base=method("dla", alpha=0.5), scheme="triple-jump"),
                method("compose", base=method("newmark", beta=0.1, beta_prime=0.1, alpha=0.5,
                                              constraint="point"), scheme="triple-jump")]
    out = [case(*s, m) for s in (CVT, CHAOTIC, WITNESS, SLEIGH) for m in newmarks + nodes + composed]
    for s in (SLEIGH, HEISENBERG, SUSLOV, SNAKEBOARD):
        for m in [method("dla", alpha=a) for a in (0.0, 0.3, 0.5, 1.0)] + [method("dla01")]:
            out.append(case(*s, m))
    out += [case(*s, method("newmark", beta=0.1, beta_prime=0.1, alpha=0.5, constraint="point"))
            for s in (SUSLOV, SNAKEBOARD)]
    free = ("particle-free", {}, "particle-free", 0.05)
    return out + [case(*free, m) for m in nodes]


def reduced():
    out = []
    for s in (CVT, UNIT, CHAOTIC, ROLLING, SLEIGH, HEISENBERG, SUSLOV):
        for g in ("gonzalez", "mean-value", "coordinate-increment", "symmetric-increment"):
            out.append(case(*s, method("reduced-gradient", gradient=g, frame="given")))
        for stages in (1, 2):
            out.append(case(*s, method("energy-collocation", stages=stages, frame="given")))
    out += [case(*s, method("gonzalez-full")) for s in (CVT, CHAOTIC, WITNESS, ROLLING)]
    return out + [case(*s, method("reduced-gradient", gradient="gonzalez", frame="given",
                                  derivative="finite-difference"))
                  for s in (CVT, CHAOTIC, SLEIGH, HEISENBERG, SUSLOV)]


def runge_kutta():
    names = [method("gauss", stages=s) for s in (1, 2, 3)] + [
        method("radau-iia", stages=2), method("runge-kutta-4")]
    return [case(*s, m) for s in (CVT, CHAOTIC, WITNESS, SLEIGH, SUSLOV, SNAKEBOARD)
            for m in names if (s, m["name"]) not in
            ((WITNESS, "runge-kutta-4"), (CHAOTIC, "runge-kutta-4"))]


AFFINE = ("affine-particle", {}, "affine-particle", 0.05)
NONLINEAR = ("isokinetic-particle", {}, "isokinetic-particle", 0.1)
GENERAL = ("general-lagrangian", {}, "general-lagrangian", 0.05)


def partitioned():
    names = [method("lobatto", stages=s, multiplier="carried") for s in (2, 3, 4)] + [
        method("spark", stages=s, constraint_tableau=t) for s in (2, 3) for t in ("IIIB", "IIID")]
    setups = (CVT, WITNESS, ROLLING, SLEIGH, SNAKEBOARD, AFFINE, NONLINEAR, GENERAL)
    out = [case(*s, m) for s in setups for m in names]
    out += [case(*CHAOTIC, method("lobatto", stages=s, multiplier="carried")) for s in (2, 3)]
    out += [case(*s, method("lobatto", stages=k)) for s in setups for k in (2, 3, 4)]
    for s in (AFFINE, GENERAL):
        out += [case(*s, m) for m in (method("dla", alpha=0.3), method("dla", alpha=0.5),
                                      method("dla01"))]
    return out + [case(*s, method("gauss", stages=3)) for s in (AFFINE, NONLINEAR, GENERAL)]


HOLONOMIC = ("holonomic", {}, "holonomic", 0.05)
SURFACE = ("moving-surface", {}, "moving-surface", 0.05)
FORCED = ("forced-time", {}, "forced-time", 0.05)
FORCED_MASS = ("forced-time-constant-mass", {}, "forced-time", 0.05)


def general():
    """Time, forces and constraints on positions; 40 steps."""
    multi = [method("lobatto", stages=s, multiplier=m) for s in (2, 3, 4) for m in ("carried", "closed")] + [
        method("spark", stages=s, constraint_tableau=t) for s in (2, 3) for t in ("IIIB", "IIID")]
    out = [case(*s, m) for s in (HOLONOMIC, SURFACE, FORCED, FORCED_MASS) for m in multi]
    out += [case(*s, method("leapfrog")) for s in (SURFACE, FORCED_MASS)]
    out += [case(*s, method("dla", alpha=a)) for s in (FORCED, FORCED_MASS) for a in (0.3, 0.5)]
    return [dict(c, steps=40) for c in out]


def literature():
    """Methods of the literature, and names that stand for methods of the library."""
    constant, affine = (CVT, CHAOTIC, WITNESS), (*AFFINE[:3], 0.1)
    general = (SLEIGH, SNAKEBOARD, affine, GENERAL)
    out = [case(*s, method("gni", lagrangian="gradient", gradient=g)) for s in constant
           for g in ("gonzalez", "mean-value", "coordinate-increment", "symmetric-increment")]
    out += [case(*s, method("gni", lagrangian=k)) for s in constant + general
            for k in ("midpoint", "symmetric", "euler-a", "euler-b")]
    out += [case(*s, method("generalized-alpha", rho=r)) for s in constant + general + (NONLINEAR,)
            for r in (1.0, 0.8, 0.0)]
    for s in constant:
        out += [case(*s, method("energy-momentum", gradient=g)) for g in ("gonzalez", "mean-value")]
        out += [case(*s, method(name)) for name in (
            "trapezoidal-rule", "exact-discrete-family", "exact-discrete-average")]
    return [dict(c, steps=40) for c in out]


FILES = {"one_step.json": one_step, "variational.json": variational, "reduced.json": reduced,
         "runge_kutta.json": runge_kutta, "lobatto.json": partitioned,
         "general.json": general, "groups.json": group_cases.groups,
         "splitting.json": splitting_cases.splittings, "literature.json": literature}
