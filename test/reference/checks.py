"""What verify.py checks, method by method."""

from mpmath import cos, mpf, sin

from verify import end, energy_exact, equal, method, on_constraint, order, report

CVT = ("pendulum-cvt", {"epsilon": 0.5}, "moving")
CHAOTIC = ("chaotic-2", {}, "chaotic-2")
WITNESS = ("witness-constant-mass", {}, "witness-constant-mass")
DISK = ("rolling-disk", {"m": 2.0, "J_theta": 0.75, "J_phi": 1.25, "r": 0.5, "k": 0.6},
        "rolling-disk")
SLEIGH = ("chaplygin-sleigh", {}, "chaplygin-sleigh")
UNIT = ("pendulum-cvt-unit-frame",) + CVT[1:]
SUSLOV = ("suslov-angles", {}, "suslov-angles")
BOARD = ("snakeboard", {}, "snakeboard")
AFFINE = ("affine-particle", {}, "affine-particle")
NONLINEAR = ("isokinetic-particle", {}, "isokinetic-particle")
GENERAL = ("general-lagrangian", {}, "general-lagrangian")
GRADIENTS = ("gonzalez", "mean-value", "coordinate-increment", "symmetric-increment")
NONE = (None, None, None)


def check_one_step():
    for setup in (CVT, CHAOTIC, WITNESS, DISK):
        order(*setup, method("runge-kutta-4"), (4, 4, 4))
        for a in (0.0, 0.3, 1.0):
            order(*setup, method("dla", alpha=a), (1, 1, 1))
        order(*setup, method("dla", alpha=0.5), (2, 2, 1))
        order(*setup, method("dla01"), (2, 2, 1))
        order(*setup, method("leapfrog"), (2, 2, 2))
        for m in (method("dla", alpha=0.3), method("dla01"), method("leapfrog")):
            on_constraint(*setup, m)
        separable = setup in (CVT, DISK)
        for g in GRADIENTS:
            m = method("discrete-derivative", gradient=g)
            expected = 1 if g == "coordinate-increment" and not separable else 2
            order(*setup, m, (expected, expected, 1))
            energy_exact(*setup, m)


def driver(setup, m):
    """Energy of the driver alone in the pendulum CVT."""
    _, a, b = end(*setup, m, 8)
    epsilon = mpf(setup[1]["epsilon"])
    h = lambda s: s[1][2] ** 2 / 2 + 1 - cos(s[0][2]) - epsilon * sin(2 * s[0][2]) / 2
    error = abs(h(a) - h(b))
    report(error < mpf(10) ** -30, "driver energy alone %s: %s" % (m, float(error)))


def check_driver():
    driver(CVT, method("discrete-derivative", gradient="mean-value"))
    for m in (method("reduced-gradient", gradient="mean-value", frame="given"),
              method("energy-collocation", stages=2, frame="given")):
        driver(UNIT, m)


def check_mass():
    """Configuration-dependent mass, general Lagrangian, affine constraint."""
    for setup in (SLEIGH, SUSLOV, BOARD, AFFINE, GENERAL):
        order(*setup, method("dla", alpha=0.3), (1, 1, 1))
        order(*setup, method("dla", alpha=0.5), (2, 2, 1))
        order(*setup, method("dla01"), (2, 2, 1))
    for setup in (SLEIGH, SUSLOV, BOARD):
        order(*setup, method("newmark", beta=0.1, beta_prime=0.1, alpha=0.5), (2, 2, 1))


def check_newmark():
    for setup in (CVT, CHAOTIC, WITNESS, SLEIGH):
        for c in ("point", "average"):
            for b, bp, a in ((0.0, 0.0, 0.5), (0.1, 0.1, 0.5)):
                m = method("newmark", beta=b, beta_prime=bp, alpha=a, constraint=c)
                order(*setup, m, (2, 2, 1))
            m = method("newmark", beta=0.1, beta_prime=0.05, alpha=0.3, constraint=c)
            order(*setup, m, (1, 1, 0))
            on_constraint(*setup, m)
        order(*setup, method("newmark-composition"), (2, 2, 0))


def check_variational():
    for setup in (CVT, CHAOTIC, WITNESS):
        equal(*setup, method("adjoint", base=method("dla", alpha=0.25)),
              method("dla", alpha=0.75))
        order(*setup, method("velocity-dla", beta=0.5, redefine_nodes=False), (1, 1, 1))
        order(*setup, method("velocity-dla", beta=0.0, redefine_nodes=False), (1, 1, None))
        equal(*setup, method("velocity-dla", beta=1.0, redefine_nodes=False),
              method("dla", alpha=1.0))
        order(*setup, method("compose", base=method("newmark-composition"), scheme="triple-jump"),
              (4, 4, 0))
        for base in (method("dla01"), method("dla", alpha=0.5),
                     method("newmark", beta=0.1, beta_prime=0.1, alpha=0.5)):
            order(*setup, method("compose", base=base, scheme="triple-jump"), (4, 4, 1))


def check_reduced():
    for setup in (CVT, CHAOTIC, DISK, SLEIGH, SUSLOV):
        for g in GRADIENTS:
            m = method("reduced-gradient", gradient=g, frame="given")
            expected = (2, 2, 2) if g != "coordinate-increment" else NONE
            order(*setup, m, expected)
            energy_exact(*setup, m)
            on_constraint(*setup, m)
        m = method("reduced-gradient", gradient="gonzalez", frame="given",
                   derivative="finite-difference")
        order(*setup, m, (2, 2, 2))
        energy_exact(*setup, m)
        on_constraint(*setup, m)
        for s in (1, 2):
            m = method("energy-collocation", stages=s, frame="given")
            order(*setup, m, (2 * s, 2 * s, 2 * s), (8, 16))
            energy_exact(*setup, m)
        equal(*setup, method("energy-collocation", stages=1, frame="given"),
              method("reduced-gradient", gradient="mean-value", frame="given"))
    for setup in (CVT, CHAOTIC, WITNESS):
        m = method("gonzalez-full")
        order(*setup, m, (2, 2, 1))
        energy_exact(*setup, m)


def check_runge_kutta():
    for setup in (WITNESS, SLEIGH):
        for s in (1, 2, 3):
            order(*setup, method("gauss", stages=s), (2 * s,) * 3, (16, 32))
        order(*setup, method("radau-iia", stages=2), (3, 3, 3))


def check_lobatto():
    for setup in (WITNESS, CVT, SLEIGH, AFFINE, NONLINEAR, GENERAL):
        for s in (2, 3, 4):
            e = 2 * s - 2
            m = method("lobatto", stages=s)
            order(*setup, m, (e, e, s if s % 2 == 0 else s - 1), (16, 32))
            on_constraint(*setup, m)
    for setup in (WITNESS, CVT, CHAOTIC, DISK):
        equal(*setup, method("lobatto", stages=2), method("leapfrog"))


def check_spark():
    for setup in (WITNESS, CVT, SLEIGH, AFFINE, NONLINEAR, GENERAL):
        for s in (2, 3):
            for t in ("IIIB", "IIID"):
                m = method("spark", stages=s, constraint_tableau=t)
                order(*setup, m, (2 * s - 2, 2 * s - 2, None), (16, 32))
                on_constraint(*setup, m)


def check_digits():
    """The files against a computation with 60 digits and more quadrature points."""
    import json
    import os

    from mpmath import mp

    import cases
    import exact
    import run
    from generate import HERE

    mp.dps, old = 60, exact.quadrature.__defaults__
    exact.quadrature.__defaults__ = (28,)
    for name, listed in cases.FILES.items():
        stored = json.load(open(os.path.join(HERE, name)))
        wanted = listed()
        report(len(stored) == len(wanted), "%s: %d cases" % (name, len(stored)))
        for i in range(3, len(wanted), 13):
            end = run.run(wanted[i])[2]
            final = stored[i]["final"]
            numbers = [mpf(x) for k in ("q", "v", "lambda") for x in final[k]]
            error = max(abs(x - y) for x, y in zip(numbers, end[0] + end[1] + end[2]))
            size = max(abs(x) for x in numbers)
            report(error < size * mpf(10) ** -24, "digits %s %s %s: %s" % (
                name, wanted[i]["problem"], wanted[i]["method"], mp.nstr(error, 3)))
    mp.dps, exact.quadrature.__defaults__ = 45, old
