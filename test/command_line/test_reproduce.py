"""Published experiments are rerun, judged, drawn and checked against the recorded verdicts."""

import json
import os
import pathlib
import shutil
import subprocess
import tomllib

import pytest

from conftest import PROGRAM

needs_gnuplot = pytest.mark.skipif(shutil.which("gnuplot") is None, reason="needs gnuplot")


@needs_gnuplot
def test_a_figure_is_rerun_and_checked(program):
    text = program.good("reproduce", "anahory-simoes-2022/figure-1", "--quick", "--check", "--json", "claims.json").stdout
    assert "003-B.1   holds\n" in text and "all 2 with the recorded verdict" in text
    claims = json.loads((program.directory / "claims.json").read_text())
    assert claims["quick"] is True
    row = {claim["id"]: claim for claim in claims["claims"]}["003-B.2"]
    assert row["verdict"] == "holds with a qualification" and row["as_recorded"]
    published, relative = row["numbers"]
    assert not published["met"] and published["role"] == "published" and 6.6e-7 < published["value"] < 6.7e-7
    assert relative["met"]
    pages = program.directory / "reproduced"
    for page in ("index.html", "anahory-simoes-2022.html"):
        content = (pages / page).read_text()
        assert "003-B.2" in content and 'src="' not in content and "://" not in content.replace("http://www.w3.org", "")
    assert (pages / "anahory-simoes-2022.html").read_text().count("<svg") == 2
    assert (pages / "anahory-simoes-2022" / "figure-1.csv").read_text().startswith("panel,curve,x,y\n")
    assert (pages / "anahory-simoes-2022" / "figure-1.svg").exists()


@needs_gnuplot
def test_a_verdict_that_differs_from_the_recorded_one_is_found(program):
    data = program.directory / "data"
    for part in ("problems", "studies"):
        shutil.copytree(os.path.join(os.environ["DALEMBERT_DATA"], part), data / part)
    claims = data / "studies" / "anahory-simoes-2022" / "paper.toml"
    text = claims.read_text()
    record = text.index('id = "003-B.1"')
    claims.write_text(text[:record] + text[record:].replace('verdict = "holds"', 'verdict = "fails"\nqualification = "no"', 1))
    environment = {**os.environ, "DALEMBERT_DATA": str(data)}
    result = program.run("reproduce", "003/figure-1", "--quick", "--check", env=environment)
    assert result.returncode == 1 and "1 verdict differs" in result.stderr
    assert "RECORDED: fails" in result.stdout
    assert program.run("reproduce", "003/figure-1", "--quick", env=environment).returncode == 0


@needs_gnuplot
def test_what_holds_until_the_end_has_to_hold_for_twice_as_long(program):
    """Every step is looked at, and a longer run: neither a stride of records nor an early end makes a claim hold."""
    for claim, words in (("lit-3.3", "largest error of the forward speed, generalized-alpha, rho = 1"),
                         ("lit-2.7", "largest energy over that of the start, GNI, Euler A")):
        program.good("reproduce", claim, "--check", "--json", "claims.json", "--force")
        row, = json.loads((program.directory / "claims.json").read_text())["claims"]
        numbers = {number["what"]: number for number in row["numbers"]}
        assert row["verdict"] == "holds" and numbers[words]["met"] and numbers[f"{words}, twice as long"]["met"]
    # Even steps alone have 1e-13.
    program.good("reproduce", "lit-3.3", "--json", "claims.json", "--force")
    row, = json.loads((program.directory / "claims.json").read_text())["claims"]
    trapezoid, = [number for number in row["numbers"] if number["what"].endswith("rho = 1")]
    assert 2e-4 < trapezoid["value"] < 4e-4


def test_threads_change_no_number(program):
    one = program.good("reproduce", "003/figure-1", "--quick", "--json", "-", "--out", "one").stdout
    two = program.good("reproduce", "003/figure-1", "--quick", "--json", "-", "--out", "two", "--threads", "2").stdout
    assert one == two


def test_every_claim_belongs_to_an_experiment(program):
    """The experiments of the program are those that the recorded claims name."""
    listed = program.good("list", "experiments").stdout
    files = list(pathlib.Path(os.environ["DALEMBERT_DATA"], "studies").glob("*/paper.toml"))
    assert len(files) == 7
    for file in files:
        for claim in tomllib.loads(file.read_text())["claim"]:
            assert file.parent.name + "/" + claim["experiment"] in listed, claim["id"]
    assert "/paper" not in program.good("list", "studies").stdout


def test_unknown_names(program):
    assert 'did you mean "anahory-simoes-2022"?' in program.refuses(2, "reproduce", "anahory-simoes-2021")
    assert 'did you mean "figure-1"?' in program.refuses(2, "reproduce", "anahory-simoes-2022/figur-1")
    assert not (program.directory / "reproduced").exists()


def test_a_directory_that_cannot_be_made(program):
    (program.directory / "file").write_text("")
    assert "file/pages" in program.refuses(4, "reproduce", "003/figure-1", "--quick", "--out", "file/pages")


@needs_gnuplot
@pytest.mark.parametrize("experiment, known", [
    pytest.param("rates", {"open-1.1", "open-1.3", "open-1.4"}, marks=pytest.mark.night), ("million", {"open-2.3", "open-3.1"}),
    pytest.param("work", {"open-3.4"}, marks=pytest.mark.night)])
def test_open_problems_are_measured_like_a_paper(program, experiment, known):
    """Statements of our own, in short runs: verdicts as recorded, pictures, and tables for documents. All of them: tool/night."""
    text = program.good("reproduce", f"open-problems/{experiment}", "--quick", "--check", "--json", "claims.json").stdout
    assert "with the recorded verdict" in text
    claims = {claim["id"]: claim for claim in json.loads((program.directory / "claims.json").read_text())["claims"]}
    assert known <= set(claims)
    pages = program.directory / "reproduced"
    assert (pages / "open-problems" / f"{experiment}.svg").exists()
    numbers = {id: [number["what"] for number in claim["numbers"]] for id, claim in claims.items()}
    if experiment == "rates":
        assert claims["open-1.3"]["verdict"] == "holds"
        for method in ("newmark, beta = 0", "newmark-composition", "dla01 composed", "lobatto 3"):
            assert any(what.endswith(f"epsilon = 0.5, {method}") for what in numbers["open-1.4"]), method
        # The errors are those of the fit: some difference is a good part of them, none is three times as large.
        ratios = [number["value"] for number in claims["open-1.1"]["numbers"]]
        assert 0.2 < max(ratios) < 3
    elif experiment == "million":
        assert claims["open-2.3"]["verdict"] == "holds"
        assert "open-3.1" in (pages / "open-problems.html").read_text()
    else:
        table = (pages / "open-problems" / "work.md").read_text().splitlines()
        assert table[2].startswith("| method | operations |") and table[3].startswith("| --- |")


FALL = """problem = "heisenberg"
title   = "A short run"
[initial]
name = "generic"
[run]
step  = 0.125
until = 1.0
[[method]]
name  = "lobatto"
multiplier = "carried"
label = "three stages"
[[method]]
name  = "runge-kutta-4"
label = "explicit"
"""
PAPER = """number   = "9"
citation = "A paper of one's own"

[[experiment]]
name    = "short"
source  = "Sect. 1"
title   = "A short run"
caption = "Eight steps."

[[experiment.study]]
study   = "mine/short"
measure = "orders"
runs    = 4
numbers = [
  { claim = "9-A", order = { "three stages" = 4, "explicit" = 4 } },
  { claim = "9-B", method = "three stages", of = "lambda", least = 3.8, role = "published" },
  { claim = "9-B", method = "three stages", of = "lambda", order = 2, role = "qualified", name = "lower" },
]

[[experiment.study]]
study   = "mine/short"
measure = "runs"
set     = ["run.until=4.0"]
picture = false
numbers = [
  { claim = "9-C", what = "constraint", method = "three stages", column = "constraint", statistic = "largest", most = 1e-15 },
  { claim = "9-C", what = "constraint", method = "explicit", column = "constraint", statistic = "largest", least = 1e-12 },
  { claim = "9-C", what = "energy error over its energy", method = ["three stages", "explicit"], statistic = "largest-error", over = { statistic = "initial" }, most = 1e-3 },
  { claim = "9-C", what = "difference of x at the end", method = "explicit", column = "x", statistic = "final", against = { method = "three stages" }, least = -1e-4, most = 1e-4 },
  { claim = "9-C", what = "x at the end", method = "explicit", column = "x", statistic = "final", role = "shown", name = "x" },
  { claim = "9-C", what = "x in the second half over that in the first", method = "explicit", column = "x", statistic = "largest", from = 2, to = 4, over = { from = 0, to = 2 }, role = "shown" },
]

[[experiment.study]]
study   = "mine/short"
measure = "runs"
set     = ["run.step=0.125", "run.until=200.0"]
picture = false
numbers = [
  { claim = "9-D", what = "energy", method = "three stages", statistic = "drift", drift = "free" },
  { claim = "9-D", what = "energy", method = "explicit", statistic = "drift", drift = "clear" },
]

[[experiment.study]]
study   = "mine/short"
measure = "exactness"
numbers = [
  { claim = "9-D", method = "three stages", property = ["symmetry", "maps D to D"], is = "kept" },
  { claim = "9-D", method = "explicit", property = ["symmetry", "maps D to D"], is = "not kept" },
]

[[claim]]
id         = "9-A"
experiment = "short"
source     = "Sect. 1"
statement  = "Both have order 4."
verdict    = "holds"

[[claim]]
id            = "9-B"
experiment    = "short"
source        = "Sect. 1"
statement     = "So has the multiplier."
verdict       = "qualified"
qualification = "It has order {lower}."

[[claim]]
id         = "9-C"
experiment = "short"
source     = "Sect. 1"
statement  = "One keeps the constraint."
verdict    = "holds"

[[claim]]
id         = "9-D"
experiment = "short"
source     = "Sect. 1"
statement  = "Symmetry keeps the energy from drifting."
verdict    = "holds"
"""


@pytest.fixture
def own_paper(program):
    """Runs the experiments of a paper that is data alone, with a part of its file replaced."""
    data = program.directory / "data"
    shutil.copytree(os.path.join(os.environ["DALEMBERT_DATA"], "problems"), data / "problems")
    (data / "studies" / "mine").mkdir(parents=True)
    (data / "studies" / "mine" / "short.toml").write_text(FALL)

    def run(old="", new="", *arguments):
        assert old in PAPER
        (data / "studies" / "mine" / "paper.toml").write_text(PAPER.replace(old, new, 1) if old else PAPER)
        return program.run("reproduce", "mine", "--check", "--json", "-", *arguments, env={**os.environ, "DALEMBERT_DATA": str(data)})

    return run


@needs_gnuplot
def test_a_paper_can_be_data_alone(program, own_paper):
    result = own_paper()
    assert result.returncode == 0, result.stderr
    claims = {claim["id"]: claim for claim in json.loads(result.stdout)["claims"]}
    assert [claim["verdict"] for claim in claims.values()] == ["holds", "holds with a qualification", "holds", "holds"]
    assert claims["9-B"]["qualification"] == "It has order 2.001."
    orders = claims["9-A"]["numbers"]
    assert [row["what"] for row in orders] == [f"order of {of}, {method}, heisenberg" for method in ("three stages", "explicit") for of in "qv"]
    assert all(row["least"] == 3.85 and row["most"] == 4.15 for row in orders)
    numbers = {row["what"]: row["value"] for row in claims["9-C"]["numbers"]}
    assert 0 < abs(numbers["difference of x at the end, explicit"]) < 1e-4
    rows = program.json("run", str(program.directory / "data/studies/mine/short.toml"), "--set", "run.until=4", "--csv", "rows")["runs"]
    assert numbers["x at the end, explicit"] == rows[1]["final"]["q"][0]
    lines = [[float(text) for text in line.split(",")] for line in next((program.directory / "rows").glob("*explicit*")).read_text().splitlines()[1:]]
    early, late = (max(abs(line[1]) for line in lines if low < line[0] <= low + 2) for low in (0, 2))
    assert numbers["x in the second half over that in the first, explicit"] == late / early
    assert numbers["energy error over its energy, explicit"] > numbers["energy error over its energy, three stages"] > 0


@needs_gnuplot
def test_bounds_and_recorded_verdicts_of_data_count(own_paper):
    assert own_paper("most = 1e-15", "most = 1e-30").returncode == 1
    assert own_paper("order = 2, role", "order = 1, role").returncode == 1
    assert own_paper('drift = "free"', 'drift = "clear"').returncode == 1
    assert own_paper('drift = "clear"', 'drift = "free"').returncode == 1
    assert own_paper('is = "kept"', 'is = "not kept"').returncode == 1
    assert own_paper('is = "not kept"', 'is = "kept"').returncode == 1
    assert "9-A of mine is not measured" in own_paper('measure = "orders"', 'measure = "orders"\nquick = false', "--quick").stderr


def test_mistakes_in_the_data_of_a_paper_are_named(own_paper):
    def refusal(old, new):
        result = own_paper(old, new)
        assert result.returncode == 2, result.stderr
        return result.stderr

    assert 'did you mean "orders"' in refusal('measure = "orders"', 'measure = "order"')
    assert 'did you mean "largest-error"' in refusal('"largest-error"', '"largest-errors"')
    assert "lambda" in refusal('of = "lambda", least', 'of = "mu", least')
    assert '"numbers"' in refusal("numbers = [", "number = [")
    assert "paper.toml:" in refusal('most = 1e-15 }', 'most = 1e-15, mots = 2 }')
    assert "nothing measures" in refusal('[[claim]]\nid         = "9-A"', '[[experiment]]\nname = "other"\nsource = "s"\ntitle = "t"\n'
                                         'caption = "c"\n\n[[claim]]\nid         = "9-A"')
    assert 'has no method "three stage"; did you mean "three stages"' in refusal('method = "three stages", column', 'method = "three stage", column')
    wrong_column = refusal('column = "x"', 'column = "w"')
    assert "paper.toml:" in wrong_column and 'no column "w"' in wrong_column
    assert "9-Z is not recorded" in refusal('claim = "9-A"', 'claim = "9-Z"')
    assert "decides nothing" in refusal(', most = 1e-15', "")
    assert "decides nothing" in refusal(", least = 3.8", "")
    assert 'beside "order"' not in PAPER and "beside order" in refusal("order = 2, role", "order = 2, most = 3, role")
    assert "beside is" in refusal('is = "kept"', 'is = "kept", most = 1')
    assert "beside a drift" in refusal('drift = "free"', 'drift = "free", most = 1')
    assert '"drift"' in refusal(', drift = "free"', "")
    assert "by method" in refusal('order = { "three stages"', 'method = "explicit", order = { "three stages"')
    assert 'did you mean "symmetry"' in refusal('["symmetry"', '["symetry"')
    several = refusal('set     = ["run.until=4.0"]', 'set     = ["run.step=[0.1, 0.2]"]')
    assert "several runs" in several and "run = " in several
    assert "{higher}" in refusal("{lower}", "{higher}")
    assert 'did you mean "short"' in refusal('experiment = "short"', 'experiment = "shot"')


CONTROLLED = """[system]
name        = "line"
coordinates = ["x", "y"]
parameters  = { u = 0.0 }
lagrangian  = { kinetic = "(x_dot^2 + y_dot^2)/2" }
constraints = { expressions = ["y_dot"] }
force       = { x = "u" }

[initial]
q = [0, 0]
v = [0, 0]

[control]
by     = "u"
cost   = "u^2/2"
end    = { q = [1, 0], v = [0, 0] }
trials = 1

[run]
step  = [0.25, 0.125, 0.0625]
until = 2

[[method]]
name = "dla01"
"""


@needs_gnuplot
def test_least_costs_are_numbers_of_a_paper(program, own_paper):
    # From rest to rest over a way of 1 in a time T: 6/T^3, in N steps 6/(T^3 (1 - 1/N^2)).
    begin, end = PAPER.index("[[experiment.study]]"), PAPER.index("[[claim]]")
    (program.directory / "data/studies/mine/line.toml").write_text(CONTROLLED)
    numbers = """[[experiment.study]]
study   = "mine/line"
measure = "controls"
exact   = 0.75
numbers = [
  { claim = "9-A", of = "order", method = "dla01", least = 1.95, most = 2.05 },
  { claim = "9-B", of = "cost", method = "dla01", least = 0.7507331378297, most = 0.7507331378301, name = "lower" },
  { claim = "9-C", of = "defect", method = "dla01", most = 1e-13 },
  { claim = "9-D", of = "constraint", method = "dla01", most = 1e-13 },
]

"""

    def measured(text):
        return own_paper(PAPER[begin:end], text)

    claims = {claim["id"]: claim for claim in json.loads(measured(numbers).stdout)["claims"]}
    assert {claim["verdict"] for claim in claims.values()} == {"holds"}
    assert claims["9-B"]["numbers"][0]["value"] == pytest.approx(0.75 / (1 - 1 / 1024), abs=1e-13)
    assert "the key exact" in measured(numbers.replace("exact   = 0.75\n", "")).stderr
    assert 'did you mean "defect"' in measured(numbers.replace('"defect"', '"defects"')).stderr
    assert 'has no method "dla"' in measured(numbers.replace('"dla01", most', '"dla", most')).stderr


def test_a_library_without_papers_is_named(program):
    (program.directory / "data" / "problems").mkdir(parents=True)
    result = program.run("reproduce", "--quick", env={**os.environ, "DALEMBERT_DATA": str(program.directory / "data")})
    assert result.returncode == 4 and "data/studies" in result.stderr, result.stderr


def test_pages_do_not_go_into_a_foreign_directory(program, tmp_path):
    (tmp_path / "index.html").write_text("<p>my site</p>\n")
    result = program.run("reproduce", "modin-verdier-2020/figure-4", "--quick", "--out", tmp_path)
    assert result.returncode == 2 and "no pages of dalembert" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]


def test_its_program_is_found_on_the_path_or_named(tmp_path):
    """As git finds its commands: beside the program, then on the PATH; help and completion need it in neither place."""
    alone = shutil.copy(PROGRAM, tmp_path / "dalembert")

    def run(path, *words):
        return subprocess.run([alone, *words], cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "PATH": str(path)})

    missing = run(tmp_path, "reproduce", "003/figure-1", "--quick")
    assert missing.returncode == 4 and "the program dalembert-reproduce is neither in" in missing.stderr and str(tmp_path) in missing.stderr
    found = run(pathlib.Path(PROGRAM).resolve().parent, "reproduce", "anahory-simoes-2021")
    assert found.returncode == 2 and 'did you mean "anahory-simoes-2022"?' in found.stderr
    # Another file of that name in the directory of the call is none.
    (tmp_path / "dalembert-reproduce").write_text("#!/bin/sh\nexit 0\n")
    (tmp_path / "dalembert-reproduce").chmod(0o755)
    called = subprocess.run([PROGRAM, "reproduce", "anahory-simoes-2021"], cwd=tmp_path, capture_output=True, text=True)
    assert called.returncode == 2 and 'did you mean "anahory-simoes-2022"?' in called.stderr
    (tmp_path / "dalembert-reproduce").unlink()
    assert "--quick" in run(tmp_path, "reproduce", "--help").stdout
    assert "anahory-simoes-2022/figure-1" in run(tmp_path, "completion", "words", "--", "reproduce").stdout
