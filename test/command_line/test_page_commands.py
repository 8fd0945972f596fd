"""The commands that the pages show run as they stand, in the order of the page; where they would take minutes, for a shorter time."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "doc").glob("*.md"))]
PROGRAM = pathlib.Path(os.environ.get("DALEMBERT_PROGRAM", "dalembert"))

# What takes minutes, and with what it is replaced.
SHORTER = [("--until 1e6", "--until 100"), ("--steps 1000000", "--steps 1000"), ("--until 10000", "--until 200"), ("--until 3000", "--until 30"),
           ("--members 400", "--members 40"), ("--part 3/64", "--part 3/4"), ("count=101", "count=5"), ("--start NAME", "--start horizontal"),
           ("figure-2-ensemble", "figure-2-ensemble --set run.until=5"), ("open-problems/published-and-new", "open-problems/published-and-new --set run.until=100"),
           ("modin-verdier-2020/figure-6 ", "modin-verdier-2020/figure-6 --set run.until=50 ")]

# What is left out: it takes minutes however short (tests of its own run parts of it), or needs what a test machine need not have.
LEFT_OUT = re.compile(r"^(docker|mpirun|LD_PRELOAD|source|export|cmake|cd|python3 |environment/|\./)|dalembert (audit|reproduce)\b|SLURM")

ENSEMBLE = """problem = "chaotic"
[ensemble]
size = 64
seed = 1
energy = 3.06
[run]
step = 0.1
until = 0.5
[[method]]
name = "dla01"
"""
MINE = (ROOT / "problems/knife-edge.toml").read_text()

# Files that a page speaks of and does not show, or shows in part.
FILES = {
    "commands.md": {"study.toml": ENSEMBLE},
    "ensembles.md": {"study.toml": ENSEMBLE},
    "how-to-add-a-problem.md": {"my.toml": MINE},
    "modified-equations.md": {"my-problem.toml": MINE},
    "tutorial.md": {name: (ROOT / f"example/{name}").read_text() for name in ("ball.toml", "ball-study.toml")},
}
# Commands that come before those of a page, where these go on with a file.
BEFORE = {
    "results.md": ["dalembert run pendulum-cvt --method dla --step 0.1 --until 30 --out result.h5"],
    "pictures.md": ["dalembert run pendulum-cvt --method dla --step 0.1 --until 100 --sweep 'parameters.epsilon=[0.1,0.2]' --out sweep.h5"],
    "commands.md": [f"dalembert ensemble study.toml --part {k}/4 --out part-0{k}.h5" for k in (1, 2, 4)],
    "ensembles.md": [f"dalembert ensemble study.toml --part {k}/4 --out part-0{k}.h5" for k in (1, 2, 4)],
}


def blocks(text):
    """The examples of a page: their language and their lines."""
    return [(language, body.split("\n")) for language, body in re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)]


def commands(text):
    """Commands of a page, each with what the page shows as its output."""
    found = []
    for language, lines in blocks(text):
        if language not in ("", "console", "bash"):
            continue
        has_prompts, goes_on = any(line.startswith("$ ") for line in lines), False
        for line in lines:
            if goes_on:
                found[-1][0] += "\n" + line
            elif line.startswith("$ "):
                found.append([line.removeprefix("$ "), []])
            elif not has_prompts and line.startswith("dalembert "):
                found.append([line, []])
            else:
                if found:
                    found[-1][1].append(line)
                continue
            goes_on = line.endswith("\\")
    # The README names one command for each thing that one can do, in the text.
    return found + [[command, []] for command in re.findall(r"^- \*\*[^`]*`(dalembert [^`]+)`", text, re.MULTILINE)]


def shorter(command):
    for long, short in SHORTER:
        command = command.replace(long, short)
    return command


@pytest.fixture
def shell(tmp_path):
    """Runs a command as it is typed, in a folder of its own where `dalembert` is the program."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/dalembert").symlink_to(PROGRAM.resolve())
    work = tmp_path / "work"
    work.mkdir()
    (work / "studies").symlink_to(ROOT / "studies")
    environment = os.environ | {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "DALEMBERT_DATA": str(ROOT)}

    def run(command):
        return subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=work, env=environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=100)

    run.folder = work
    return run


SHOWN = {page.name: [(command, shown) for command, shown in commands(page.read_text()) if not LEFT_OUT.search(command)] for page in PAGES}


def test_pages_have_commands():
    assert sum(map(len, SHOWN.values())) > 60


@pytest.mark.parametrize("name", [name for name, shown in SHOWN.items() if shown])
def test_commands_of_a_page_run(shell, name):
    page = next(page for page in PAGES if page.name == name)
    for language, lines in blocks(page.read_text()):
        named = re.fullmatch(r"# ([\w-]+\.toml)", lines[0])
        if named or language == "c":
            (shell.folder / (named[1] if named else "program.c")).write_text("\n".join(lines))
    for file, text in FILES.get(name, {}).items():
        (shell.folder / file).write_text(text)
    for command in BEFORE.get(name, []):
        done = shell(command)
        assert done.returncode == 0, f"{command}\n{done.stderr}"
    for command, shown in SHOWN[name]:
        done = shell(shorter(command))
        complaints = [line for line in shown if line.startswith("dalembert: ")]
        refused = [line for line in complaints if not line.startswith("dalembert: warning")]
        assert (done.returncode != 0) == bool(refused), f"{command}\n{done.stderr}"
        for line in complaints:
            assert line in done.stderr, f"{command} no longer says: {line}\n{done.stderr}"
    if name == "tutorial.md":  # it reads what its commands have written; pages about the package have a test of theirs
        [reads] = [lines for language, lines in blocks(page.read_text()) if language == "python"]
        done = subprocess.run([sys.executable, "-c", "\n".join(reads)], cwd=shell.folder, capture_output=True, text=True)
        assert done.returncode == 0 and done.stdout, done.stderr
