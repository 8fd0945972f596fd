#!/usr/bin/env python3
"""Reference solutions for the tests: the methods' equations solved with 45 digits by mpmath,
written independently of the library.

    python3 generate.py [FILE.json ...]     (all files without arguments; about 26 minutes)
    python3 verify.py [check_NAME ...]      checks of these computations themselves

problems.json     the problems as expressions in the grammar of problem files (coordinates,
                  parameters, kinetic and potential or expression, constraints), where a method
                  needs one also the frame of D: a list of its vector fields; of
                  coordinates "R in SO(3)" is an element of a group
all other files   lists of cases {problem, parameters, method, step, steps, initial, final,
                  amplification}

Every input (parameters, step, initial q and v, options of methods) is a double, printed so that
reading it back gives the same double, and is used exactly, but for quaternions, which are divided
by their length. initial.lambda is the continuous multiplier at the start. final is the state after
the given number of steps in exact arithmetic, 25 significant digits; lambda is the multiplier that
the method reports. amplification = [q, v, lambda]: the largest change in these parts of the final
state divided by the size of a change of the initial positions, on groups, whose problems may not
depend on positions, of positions, velocities and multipliers; a computation in doubles can be
expected to deviate by a modest multiple of amplification times 2^-53."""

import json
import os
import sys

from mpmath import mp, mpf

import cases
import run

HERE = os.path.dirname(os.path.abspath(__file__))


def text(x):
    return "0" if abs(x) < mpf(10) ** -35 else mp.nstr(x, 25)


def block(**parts):
    return {k: [text(x) for x in v] for k, v in parts.items()}


def amplification(case, end):
    delta = mpf(10) ** -24
    other = run.run(case, shift=lambda x: [y + delta * (-1) ** i for i, y in enumerate(x)])[2]
    size = lambda a, b: max((abs(x - y) for x, y in zip(a, b)), default=mpf(0)) / delta
    return [float(mp.nstr(size(a, b), 2)) for a, b in zip(end, other)]


def evaluate(case):
    p, (q, v, lam), end = run.run(case)
    p.t = mpf(0)
    residual = max(map(abs, p.Phi(q, v) + p.phi(q)), default=mpf(0))
    assert residual < mpf(10) ** -16, (case, residual)
    parameters = {k: repr(float(case["parameters"].get(k, d)))
                  for k, d in p.text["parameters"].items()}
    doubles = lambda xs: [repr(float(x)) for x in xs]
    initial = {"q": doubles(q), "v": doubles(v), "lambda": [text(x) for x in lam]}
    final = block(q=end[0], v=end[1], **{"lambda": end[2]})
    return {"problem": case["problem"], "parameters": parameters, "method": case["method"],
            "step": repr(float(case["step"])), "steps": case["steps"], "initial": initial,
            "final": final, "amplification": amplification(case, end)}


def write(name, items, opening, closing):
    with open(os.path.join(HERE, name), "w") as out:
        out.write(opening + "\n" + ",\n".join(items) + "\n" + closing + "\n")


def main(names):
    compact = lambda x: json.dumps(x, separators=(",", ":"))
    write("problems.json", ["%s:%s" % (compact(k), json.dumps(v, indent=1))
                            for k, v in run.PROBLEMS.items()], "{", "}")
    for name in names or cases.FILES:
        lines = []
        for case in cases.FILES[name]():
            lines.append(compact(evaluate(case)))
            print(name, len(lines), case["problem"], case["method"], file=sys.stderr, flush=True)
        write(name, lines, "[", "]")


if __name__ == "__main__":
    main(sys.argv[1:])
