#!/usr/bin/python3
"""What whole commands cost: their start, records, memory, large ensembles, a long run. A table in Markdown.

commands.py PROGRAM [--rounds R]

PROGRAM is dalembert of an optimised build. Commands take turns, R rounds (3) of them; medians count. What a record or a member costs is the
difference of two commands, of which one has more of them. Times are those of the processor, but for the start of a process, which is what a
user waits for. The compiled steps of the long run and of the ensemble are in the cache after the first round.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

TRANSMISSION = ["run", "pendulum-cvt", "--method", "leapfrog", "--step", "0.1", "--quiet"]
LONG_TIME = 30000
ENSEMBLE = """problem = "pendulum-cvt-inverted"
[parameters]
epsilon = 0.1
[ensemble]
size = {size}
seed = 1
energy = 5.0
[run]
step = 0.05
steps = {steps}
record_every = {steps}
[[method]]
name = "dla01"
"""


class Command:
    """A command of the program, and what its runs have taken."""

    def __init__(self, program, *words):
        self.words, self.waits, self.times, self.memory = [program, *words], [], [], []

    def run(self, folder):
        began = time.perf_counter()
        process = subprocess.Popen(self.words, cwd=folder, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        self.waits.append(time.perf_counter() - began)
        process.returncode = status
        if status != 0:
            sys.exit(f"{' '.join(self.words)}: exit status {os.waitstatus_to_exitcode(status)}")
        self.times.append(usage.ru_utime + usage.ru_stime)
        self.memory.append(1024 * usage.ru_maxrss)

    wait = property(lambda self: statistics.median(self.waits))
    processor = property(lambda self: statistics.median(self.times))
    bytes = property(lambda self: statistics.median(self.memory))


def difference(more, less, count, quantity="processor"):
    """What each of `count` things costs that one command has more than the other."""
    return (getattr(more, quantity) - getattr(less, quantity)) / count


def commands_of(program, folder):
    """The commands by name; files that they write lie in `folder`."""
    many, few = 8_000_000, 4_000_000
    outputs = {"HDF5": ["--out", "records.h5"], "CSV": ["--csv", "tables"], "picture": ["--plot", "energy.svg"],
               "nothing": []}
    commands = {"/bin/true": Command("/bin/true"), "--version": Command(program, "--version"),
                "first step": Command(program, *TRANSMISSION, "--steps", "1"),
                "list": Command(program, "list"),
                "long run": Command(program, "run", "pendulum-cvt-inverted", "--start", "newmark-high", "--method",
                                    "leapfrog(first=drift)", "--set", "parameters.epsilon=0.1", "--step", "0.08", "--until", str(LONG_TIME), "--quiet")}
    for name, words in outputs.items():
        for steps in (many, few):
            commands[name, steps] = Command(program, *TRANSMISSION, "--steps", str(steps), "--set", "run.record_every=1", "--force",
                                            *words)
    for size, steps in ((1_000_000, 1000), (1_000_000, 100), (100_000, 100)):
        study = folder / f"ensemble-{size}-{steps}.toml"
        study.write_text(ENSEMBLE.format(size=size, steps=steps))
        commands["ensemble", size, steps] = Command(program, "run", study.name, "--threads", "1", "--quiet")
    chaotic = [program, "ensemble", "chaotic", "--method", "dla01", "--step", "0.1", "--energy", "3.06", "--threads", "1", "--quiet"]
    for size, words in ((100_000, []), (100_000, ["--record-every", "1000"])):
        commands["statistics", len(words)] = Command(*chaotic, "--members", str(size), "--steps", "1000", *words)
    for size in (100_000, 10_000):
        commands["starts", size] = Command(*chaotic, "--members", str(size), "--steps", "1", "--native", "off")
    commands["big step"] = Command(program, "run", "bicycle", "--method", "gauss(stages=4)", "--step", "0.01", "--steps", "1", "--native", "off",
                                   "--quiet")
    return commands, many, few


def print_costs(commands, many, few):
    row = lambda what, cost, aim: print(f"| {what} | {cost} | {aim} |")
    print("| what | measured | aim |\n|---|---:|---:|")
    process = commands["/bin/true"].wait
    row("`dalembert --version`, of which an empty process", f"{1e3 * commands['--version'].wait:.1f} ms, {1e3 * process:.1f} ms", "4 ms")
    row("a problem read, compiled, started; one step", f"{1e3 * commands['first step'].wait:.1f} ms", "8 ms")
    row("`dalembert list`, which reads all problems", f"{1e3 * commands['list'].wait:.1f} ms", "")
    # Time, three positions, three velocities, a multiplier, energy, constraint and two integrals.
    columns = 12
    aims = {"HDF5": "40 ns", "CSV": "400 ns", "picture": ""}
    kept = {}
    for name, aim in aims.items():
        more, less = commands[name, many], commands[name, few]
        alone = difference(commands["nothing", many], commands["nothing", few], many - few)
        cost = 1e9 * (difference(more, less, many - few) - alone) / columns * 8
        row(f"eight columns of a state more, {name}", f"{cost:.0f} ns", aim)
        kept[name] = difference(more, less, many - few, "bytes")
    row("memory for each state more, HDF5, CSV, picture", ", ".join(f"{kept[name]:.2f}" for name in aims) + " B", "0 B")
    large, short, small = (commands["ensemble", *key] for key in ((1_000_000, 1000), (1_000_000, 100), (100_000, 100)))
    row("`dla01` with a million members, a step of each", f"{1e9 * difference(large, short, 900 * 1_000_000):.2f} ns", "")
    row("memory for each member", f"{difference(short, small, 900_000, 'bytes'):.0f} B", "250 B")
    whole, few_records = commands["statistics", 0], commands["statistics", 2]
    row("a start of `chaotic` drawn on a level of energy, checked, with two records", f"{1e6 * difference(commands['starts', 100_000], commands['starts', 10_000], 90_000):.1f} us", "")
    row("statistics of a member at a record, three quantities", f"{1e9 * difference(whole, few_records, 99 * 100_000):.0f} ns", "")
    row("`chaotic`, 100000 members, 1000 steps of `dla01`, 100 records, the whole command", f"{whole.processor:.2f} s", "2 s")
    row("`bicycle` read, `gauss(stages=4)` compiled; one step", f"{1e3 * commands['big step'].wait:.0f} ms", "")
    row(f"`leapfrog(first=drift)` until {LONG_TIME} in steps of 0.08, the whole command", f"{1e9 * commands['long run'].processor / LONG_TIME:.0f} ns per unit of time", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        commands, many, few = commands_of(str(pathlib.Path(chosen.program).resolve()), folder)
        for _ in range(chosen.rounds):
            for command in commands.values():
                command.run(folder)
    print_costs(commands, many, few)


if __name__ == "__main__":
    main()
