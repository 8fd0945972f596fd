#!/usr/bin/python3
"""How time and memory grow with the number of bodies, as a table in Markdown.

growth.py PROGRAM [METHOD ...] [--largest N] [--problem NAME] [--seconds S]

PROGRAM is dalembert_growth of a build with DALEMBERT_BUILD_BENCH. Each cell runs in a process of its own, so that its memory is its own; one
that takes longer than S seconds (40) is given up. Exponents are slopes of logarithms by least squares, from 30 bodies on.
"""

import argparse
import math
import os
import subprocess
import sys
import threading

METHODS = ["dla", "leapfrog", "lobatto(stages=2)", "newmark", "discrete-derivative", "gonzalez-full", "reduced-gradient",
           "energy-collocation", "gauss(stages=4)"]
PROBLEMS = ["chaotic", "wheeled-chain"]
BODIES = [3, 10, 30, 100, 300, 1000]
COLUMNS = ["read: s", "start: s", "compile: s", "step: us", "lines of the tape", "memory: MB"]


def measure(program, words, seconds):
    """The costs of one cell and the violation of constraints, or None if it is given up."""
    process = subprocess.Popen([program, *words], stdout=subprocess.PIPE, text=True)
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    numbers = process.stdout.read().split()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = status
    if status != 0:
        return None
    read, start, compiled, step, lines, constraint, energy = map(float, numbers)
    return [read, start, compiled, 1e6 * step, lines, usage.ru_maxrss / 1024], constraint, energy


def exponent(points):
    """The slope of log y over log x."""
    if len(points) < 2:
        return "-"
    x, y = ([math.log(p[i]) for p in points] for i in range(2))
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return f"{sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x):.2f}"


def print_growth(program, problem, method, bodies, seconds):
    known = []
    for n in bodies:
        found = measure(program, [problem, method, str(n)], seconds)
        if found is None:
            print(f"| {problem} | {method} | {n} |" + " - |" * (len(COLUMNS) + 2), flush=True)
            break
        costs, constraint, energy = found
        known.append((n, costs))
        print(f"| {problem} | {method} | {n} | " + " | ".join(f"{cost:.3g}" if cost < 1000 else f"{cost:.0f}" for cost in costs)
              + f" | {constraint:.0e} | {energy:.0e} |", flush=True)
    slopes = [exponent([(n, costs[i]) for n, costs in known if n >= 30]) for i in range(len(COLUMNS))]
    print("| | *exponent* | | " + " | ".join(slopes) + " | | |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("methods", nargs="*")
    parser.add_argument("--largest", type=int, default=BODIES[-1])
    parser.add_argument("--problem", action="append")
    parser.add_argument("--seconds", type=float, default=40)
    arguments = parser.parse_args()
    print("| problem | method | n | " + " | ".join(COLUMNS) + " | constraint error | energy error |")
    print("|---|---|" + "---:|" * (len(COLUMNS) + 3))
    bodies = [n for n in BODIES if n <= arguments.largest]
    for problem in arguments.problem or PROBLEMS:
        for method in arguments.methods or METHODS:
            print_growth(arguments.program, problem, method, bodies, arguments.seconds)


if __name__ == "__main__":
    sys.exit(main())
