"""What the page computes with, run by node, against the program: the same digits, files and sentences."""
import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPUTATION = ROOT / "build/browser/browser/computation.js"
PROGRAM = os.environ.get("DALEMBERT_PROGRAM", str(ROOT / "build/release/bin/dalembert"))
ALL = bool(os.environ.get("DALEMBERT_ALL_PAIRS"))

# What differs between two runs of one program as well.
OF_THE_CLOCK = ("seconds", "seconds_per_step")


def node(script, *arguments, given=""):
    done = subprocess.run(["node", *script, *map(str, arguments)], input=given, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_on_page(asked, folder):
    return json.loads(node([ROOT / "browser/run.js"], COMPUTATION, folder, given=json.dumps(asked)))


def run_with_program(asked, folder, cwd):
    """The result as JSON, the files of records in the order of the runs, and what was said."""
    arguments = [PROGRAM, "run", asked["problem"], "--quiet", "--native", "off", "--json", "result.json", "--csv", str(folder)]
    for method in asked["methods"]:
        arguments += ["--method", method]
    for option in ("step", "tolerance", "until", "every", "start"):
        if asked.get(option):
            arguments += [f"--{option}", asked[option]]
    for setting in asked.get("settings", []):
        arguments += ["--set", setting]
    done = subprocess.run(arguments, capture_output=True, text=True, cwd=cwd, timeout=600, check=False)
    result = cwd / "result.json"
    runs = json.loads(result.read_text()) if result.exists() else None
    of_runs = {}  # beside records there may be files of events, with longer names
    for file in sorted(folder.glob("*.csv"), key=lambda file: -len(file.name)):
        of_runs[int(file.name.split("-")[0])] = file
    files = [of_runs[run] for run in sorted(of_runs)]
    if result.exists():
        result.unlink()
    return runs, [file.read_text() for file in files], done.stderr


def without_clock(result):
    result = json.loads(json.dumps(result))
    result.pop("study")  # names the place of the problem file, and whether steps are compiled
    for run in result["runs"]:
        for key in OF_THE_CLOCK:
            run.get("work", {}).pop(key, None)
    return result


def compare(asked, answers, tmp_path):
    for number, (words, answer) in enumerate(zip(asked, answers, strict=True)):
        result, records, said = run_with_program(words, tmp_path / f"records-{number}", tmp_path)
        if "problem" in answer:
            assert answer["problem"] in said.strip(), words
            continue
        assert answer["records"] == records, words
        assert without_clock(answer["result"]) == without_clock(result), words
        for warning in answer["warnings"]:
            assert warning in said, words


@pytest.fixture(scope="module")
def described():
    """What the page says of each problem of the library."""
    return json.loads(node(["-e", """
        require(process.argv[1])().then((computation) => {
          const all = {};
          for (const name of JSON.parse(computation.library()).problems) {
            computation.keep(name + ".toml", JSON.parse(computation.problemText(name)).text);
            all[name] = JSON.parse(computation.describe(name + ".toml"));
          }
          console.log(JSON.stringify(all));
        });"""], COMPUTATION))


def test_every_problem_is_described_as_by_the_program(described):
    names = [line.split()[0] for line in subprocess.run([PROGRAM, "list", "problems"], capture_output=True, text=True, check=True).stdout.splitlines()
             if line.startswith("  ") and line.strip()]
    assert set(described) <= set(names) and len(described) > 50
    for name, found in described.items():
        assert "error" not in found, (name, found)
        page = subprocess.run([PROGRAM, "describe", name, "--html"], capture_output=True, text=True, check=True).stdout
        assert found["page"].strip() == page.strip(), name


def test_pairs_of_problem_and_method_have_the_same_digits(described, tmp_path):
    pairs = [(problem, method) for i, (problem, found) in enumerate(described.items()) for j, method in enumerate(found["fitting"])
             if ALL or (i + j) % 6 == 0]
    assert len(pairs) >= (900 if ALL else 150)
    asked = [{"problem": problem, "methods": [method], "step": "0.01", "until": "0.5"} for problem, method in pairs]
    compare(asked, run_on_page(asked, tmp_path), tmp_path)


OWN = """
coordinates = ["x", "y", "phi"]
angles = ["phi"]
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2 + phi_dot^2)/2"
potential = '''1e22*x^2/1e23 + log(2 + sin(y)^2) + exp(-x^2)*sqrt(3 + x^2)
  + (tan(x/9) + asin(x/9)*acos(x/9) + atan(x)*atan2(y, 3 + x) + sinh(x/9)*cosh(x/9) + tanh(x) + (9 + x^2)^1.7 + sin(1e12*x)/1e9)/9'''
[constraints]
expressions = ["x_dot*sin(phi) - y_dot*cos(phi)"]
[initial.turning]
q = [0, 0, 0.3]
v = ["cos(0.3)", "sin(0.3)", 1]
"""

LONGER = [
    # Many rests on the way, records that are thinned, several methods, a parameter.
    {"problem": "pendulum-cvt", "methods": ["leapfrog", "gauss(stages=3)", "energy-collocation"], "step": "0.05", "until": "20000", "start": "rotating",
     "settings": ["parameters.epsilon=0.1"]},
    {"problem": "bouncing-disk", "methods": ["lobatto"], "step": "0.1", "until": "60", "start": "thrown"},  # impacts
    {"problem": "rolling-coin", "methods": ["auto"], "tolerance": "1e-8", "until": "20"},
    {"problem": "chaotic", "methods": ["fehlberg-78"], "step": "0.1", "until": "50"},
    {"problem": "snakeboard", "methods": ["lobatto"], "step": "0.02", "until": "7.03", "every": "0.5"},  # an end between two steps
    {"problem": "own.toml", "methods": ["dla01", "reduced-gradient"], "step": "pi/100", "until": "30"},
    {"problem": "double-pendulum", "methods": ["gauss"], "step": "3", "until": "300"},  # fails
]
REFUSED = [
    {"problem": "pendulum-cvt", "methods": ["leapfog"], "step": "0.1", "until": "1"},
    {"problem": "pendulum-cvd", "methods": ["leapfrog"], "step": "0.1", "until": "1"},
    {"problem": "pendulum-cvt", "methods": ["leapfrog"], "step": "", "until": "1"},
    {"problem": "pendulum-cvt", "methods": ["leapfrog"], "step": "0.1", "until": ""},
    {"problem": "pendulum-cvt", "methods": ["gauss(stages=99)"], "step": "0.1", "until": "1"},
    {"problem": "pendulum-cvt", "methods": ["leapfrog"], "step": "0.1", "until": "1", "start": "nowhere"},
    {"problem": "rattleback", "methods": ["leapfrog"], "step": "0.1", "until": "1"},
    {"problem": "wrong.toml", "methods": ["leapfrog"], "step": "0.1", "until": "1"},
]


def test_longer_runs_have_the_same_digits_messages_and_warnings(tmp_path):
    (tmp_path / "own.toml").write_text(OWN)
    answers = run_on_page(LONGER, tmp_path)
    compare(LONGER, answers, tmp_path)
    runs = [run for answer in answers for run in answer["result"]["runs"]]
    assert runs[0]["steps"] == 400000 and runs[0]["record_every"] == 40
    assert {run["status"] for run in runs} == {"ok", "failed"}


def test_what_is_wrong_is_said_in_the_same_words(tmp_path):
    (tmp_path / "wrong.toml").write_text(OWN.replace("sin(phi)", "sin(phy)"))
    answers = run_on_page(REFUSED, tmp_path)
    assert all(answer.get("problem") for answer in answers)
    assert answers[-1]["problem"].startswith("wrong.toml:9: ")
    compare(REFUSED, answers, tmp_path)
