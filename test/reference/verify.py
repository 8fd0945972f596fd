#!/usr/bin/env python3
"""Checks of the reference itself: measured orders, exact energy, preserved constraint, equalities.

    python3 verify.py"""

import sys

from mpmath import mp, mpf

import run

SPAN = mpf(4) / 5
_reference = {}


def end(problem, parameters, start, method, count, span=SPAN):
    case = {"problem": problem, "parameters": parameters, "start": start, "method": method}
    return run.run(case, h=span / count, count=count)


def distance(a, b):
    return max((abs(x - y) for x, y in zip(a, b)), default=mpf(0))


def reference(problem, parameters, start):
    key = (problem, str(parameters), start)
    if key not in _reference:
        _reference[key] = end(problem, parameters, start, {"name": "gauss", "stages": 5}, 24)[2]
    return _reference[key]


def order(problem, parameters, start, method, expected, counts=(32, 64)):
    """Slopes of the errors of q, v, lambda between two step sizes."""
    exact = reference(problem, parameters, start)
    errors = [[distance(a, b) for a, b in zip(end(problem, parameters, start, method, n)[2], exact)]
              for n in counts]
    slopes = [float(mp.log(a / b, 2)) if b > mpf(10) ** -30 else None for a, b in zip(*errors)]
    fine = all(s is None or abs(s - e) < 0.3 for s, e in zip(slopes, expected) if e is not None)
    report(fine, "order %s %s: %s expected %s" % (problem, method, slopes, expected))


def energy_exact(problem, parameters, start, method):
    p, a, b = end(problem, parameters, start, method, 8)
    error = abs(p.energy(b[0], b[1]) - p.energy(a[0], a[1]))
    report(error < mpf(10) ** -30, "energy %s %s: %s" % (problem, method, mp.nstr(error, 3)))


def on_constraint(problem, parameters, start, method):
    p, _, b = end(problem, parameters, start, method, 8)
    error = max(map(abs, p.Phi(b[0], b[1])), default=mpf(0))
    report(error < mpf(10) ** -30, "constraint %s %s: %s" % (problem, method, mp.nstr(error, 3)))


def equal(problem, parameters, start, one, two, what=(0, 1, 2)):
    a = end(problem, parameters, start, one, 8)[2]
    b = end(problem, parameters, start, two, 8)[2]
    error = max(distance(a[i], b[i]) for i in what)
    report(error < mpf(10) ** -30, "equal %s %s %s: %s" % (problem, one, two, mp.nstr(error, 3)))


failures = 0


def report(fine, line):
    global failures
    failures += not fine
    print("ok  " if fine else "FAIL", line, flush=True)


def method(name, **options):
    return dict(name=name, **options)


def main():
    import checks
    import group_checks
    import splitting_checks
    all_checks = {name: f for module in (checks, group_checks, splitting_checks)
                  for name, f in vars(module).items() if name.startswith("check_")}
    for name in sys.argv[1:] or sorted(all_checks):
        all_checks[name]()
    print("failures:", failures)
    sys.exit(failures > 0)


if __name__ == "__main__":
    sys.modules["verify"] = sys.modules["__main__"]
    main()
