"""What verify.py checks of the splittings."""

from mpmath import mp, mpf

import run
from driver import Coupled, with_entries
from group_cases import method
from splitting_cases import CHAOTIC, CVT, DRIVER, FRAME, KNIFE, of
from verify import distance, end, energy_exact, on_constraint, order, report

GIVEN, QR = {"frame": "given"}, {"frame": "qr"}
SPLIT = [(*CVT[:3], {}), (*CVT[:3], {"driver": "energy"}), (*of("coupled", 0)[:3], {}),
         (*CHAOTIC[:3], {}), (*of("two-drivers", 0)[:3], {}), (*of("two-rows", 0)[:3], {}),
         ("two-rows-in-tune", {}, "two-rows", {"passenger": "exact"}),
         (*of("no-free-passenger", 0)[:3], {})]
ALONG = [(*CVT[:3], GIVEN), (*of("sleigh-spring", 0)[:3], QR),
         (*of("heisenberg-quartic", 0)[:3], GIVEN), (*of("witness-constant-mass", 0)[:3], QR)]


def check_splitting_orders():
    for name, setups in (("driver-splitting", SPLIT), ("frame-splitting", ALONG)):
        for *setup, options in setups:
            order(*setup, method(name, **options), (2, 2, 2), (8, 16))


def there_and_back(problem, parameters, start, m):
    case = {"problem": problem, "parameters": parameters, "start": start, "method": m}
    h = mpf(1) / 8
    p, (q, v, lam), (q1, v1, _) = run.run(case, h=h, count=1)
    q2, v2, _ = run.make(p, m, -h)(q1, v1, lam)
    error = max(distance(q, q2), distance(v, v2))
    report(error < mpf(10) ** -35, "symmetric %s %s: %s" % (problem, m, mp.nstr(error, 3)))


def passengers(problem, parameters, start, m):
    """Their energy alone, where the drivers' potential is what remains of V at x = 0."""
    p, a, b = end(problem, parameters, start, m, 8)
    zero = [mpf(0)] * p.n
    c = Coupled(p)
    at = lambda x, part: with_entries(zero, part, [x[i] for i in part])
    energy = lambda z: p.energy(z[0], at(z[1], c.x)) - p.V(at(z[0], c.w))
    error = abs(energy(a) - energy(b))
    report(error < mpf(10) ** -35, "passengers' energy %s %s: %s" % (problem, m, mp.nstr(error, 3)))


def check_splitting_facts():
    for name, setups in (("driver-splitting", DRIVER), ("frame-splitting", FRAME)):
        for problem, parameters, start, _, options in setups:
            setup, m = (problem, parameters, start), method(name, **options)
            on_constraint(*setup, m)
            there_and_back(*setup, m)
            if name == "frame-splitting" or options.get("driver") == "energy":
                energy_exact(*setup, m)
    for *setup, options in SPLIT[:3] + SPLIT[5:]:
        passengers(*setup, method("driver-splitting", **options))


def check_knife_edge():
    """A field that is constant along itself, a potential linear in x: both splittings drive at a
    constant rate and keep its energy."""
    for m in (method("driver-splitting", driver="energy"), method("frame-splitting", frame="qr")):
        _, a, b = end(*KNIFE[:3], m, 8)
        report(abs(a[1][2] - b[1][2]) < mpf(10) ** -35, "turning rate %s" % m)
