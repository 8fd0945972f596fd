#!/usr/bin/python3
"""What the page that computes in a browser costs, by node, whose engine is Chromium's, beside the program on the same runs; the two take
turns and the least time of each counts. Prints a table in Markdown.

    bench/page_costs.py        after tool/build_page and cmake --build --preset release
"""

import json
import os
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMPUTATION = ROOT / "build/browser/browser/computation.js"
PROGRAM = ROOT / "build/release/bin/dalembert"
RUNS = [("pendulum-cvt", method) for method in ("dla01", "leapfrog", "lobatto", "reduced-gradient", "gauss(stages=3)")] + [
    ("rolling-coin", "gauss"), ("bicycle", "gauss")]


def seconds_per_step(text):
    return json.loads(text)["runs"][0]["work"]["seconds_per_step"]


def on_page(problem, method, folder):
    asked = [{"problem": problem, "methods": [method], "step": "0.001", "until": "1"}]
    done = subprocess.run(["node", ROOT / "browser/run.js", COMPUTATION, folder], input=json.dumps(asked), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)[0]["result"]["runs"][0]["work"]["seconds_per_step"]


def with_program(problem, method):
    done = subprocess.run([PROGRAM, "run", problem, "--method", method, "--step", "0.001", "--until", "1", "--native", "off", "--quiet", "--json", "-"],
                          capture_output=True, text=True, check=True)
    return seconds_per_step(done.stdout)


def starts():
    """Seconds until the computation answers."""
    began = time.monotonic()
    subprocess.run(["node", "-e", "require(process.argv[1])().then((computation) => computation.library())", COMPUTATION], check=True)
    return time.monotonic() - began


def main():
    os.environ["DALEMBERT_DATA"] = str(ROOT)
    print("| problem | method | page: us per step | program: us per step | ratio |\n|---|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for problem, method in RUNS:
            page, program = (1e6 * min(times) for times in zip(*[(on_page(problem, method, folder), with_program(problem, method)) for _ in range(5)]))
            print(f"| {problem} | {method} | {page:.2f} | {program:.2f} | {page / program:.1f} |")
    size = sum(len(subprocess.run(["gzip", "--stdout", file], capture_output=True, check=True).stdout)
               for file in (ROOT / "build/browser/page").iterdir())
    print(f"\nCompressed: {size / 1e6:.2f} MB; the computation answers after {min(starts() for _ in range(5)):.2f} s.")


if __name__ == "__main__":
    main()
