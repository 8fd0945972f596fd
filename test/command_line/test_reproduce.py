"""Published experiments are rerun, judged, drawn and checked against the recorded verdicts."""

import json
import os
import shutil
import tomllib

import pytest

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
        assert "003-B.2" in content and 'src="' not in content and "http" not in content.replace("http://www.w3.org", "")
    assert (pages / "anahory-simoes-2022.html").read_text().count("<svg") == 2
    assert (pages / "anahory-simoes-2022" / "figure-1.csv").read_text().startswith("panel,curve,x,y\n")
    assert (pages / "anahory-simoes-2022" / "figure-1.svg").exists()


@needs_gnuplot
def test_a_verdict_that_differs_from_the_recorded_one_is_found(program):
    data = program.directory / "data"
    for part in ("problems", "studies"):
        shutil.copytree(os.path.join(os.environ["DALEMBERT_DATA"], part), data / part)
    claims = data / "studies" / "claims.toml"
    text = claims.read_text()
    record = text.index('id = "003-B.1"')
    claims.write_text(text[:record] + text[record:].replace('verdict = "holds"', 'verdict = "fails"\nqualification = "no"', 1))
    environment = {**os.environ, "DALEMBERT_DATA": str(data)}
    result = program.run("reproduce", "003/figure-1", "--quick", "--check", env=environment)
    assert result.returncode == 1 and "1 verdict differs" in result.stderr
    assert "RECORDED: fails" in result.stdout
    assert program.run("reproduce", "003/figure-1", "--quick", env=environment).returncode == 0


def test_threads_change_no_number(program):
    one = program.good("reproduce", "003/figure-1", "--quick", "--json", "-", "--out", "one").stdout
    two = program.good("reproduce", "003/figure-1", "--quick", "--json", "-", "--out", "two", "--threads", "2").stdout
    assert one == two


def test_every_claim_belongs_to_an_experiment(program):
    """The experiments of the program are those that the recorded claims name."""
    with open(os.path.join(os.environ["DALEMBERT_DATA"], "studies", "claims.toml"), "rb") as file:
        claims = tomllib.load(file)["claim"]
    listed = program.good("list", "experiments").stdout
    for claim in claims:
        assert claim["paper"] + "/" + claim["experiment"] in listed, claim["id"]


def test_unknown_names(program):
    assert 'did you mean "anahory-simoes-2022"?' in program.refuses(2, "reproduce", "anahory-simoes-2021")
    assert 'did you mean "figure-1"?' in program.refuses(2, "reproduce", "anahory-simoes-2022/figur-1")
    assert not (program.directory / "reproduced").exists()


def test_a_directory_that_cannot_be_made(program):
    (program.directory / "file").write_text("")
    assert "file/pages" in program.refuses(4, "reproduce", "003/figure-1", "--quick", "--out", "file/pages")


@needs_gnuplot
def test_open_problems_are_measured_like_a_paper(program):
    """Statements of our own, in short runs: verdicts as recorded, pictures, and tables for documents."""
    text = program.good("reproduce", "open-problems", "--quick", "--check", "--json", "claims.json").stdout
    assert "with the recorded verdict" in text
    claims = {claim["id"]: claim for claim in json.loads((program.directory / "claims.json").read_text())["claims"]}
    assert {"open-1.1", "open-2.1", "open-3.1", "open-3.4"} <= set(claims)
    assert claims["open-1.3"]["verdict"] == "holds" and claims["open-2.3"]["verdict"] == "holds"
    numbers = {id: [number["what"] for number in claim["numbers"]] for id, claim in claims.items()}
    for method in ("newmark, beta = 0", "newmark-composition", "dla01 composed", "lobatto 3"):
        assert any(what.endswith(f"epsilon = 0.5, {method}") for what in numbers["open-1.4"]), method
    assert any("lobatto 3: drift or beat not decided" in what for what in numbers["open-2.1"])
    # The errors are those of the fit: some difference is a good part of them, none is three times as large.
    ratios = [number["value"] for number in claims["open-1.1"]["numbers"]]
    assert 0.2 < max(ratios) < 3
    pages = program.directory / "reproduced"
    assert "open-3.1" in (pages / "open-problems.html").read_text()
    table = (pages / "open-problems" / "work.md").read_text().splitlines()
    assert table[2].startswith("| method | operations |") and table[3].startswith("| --- |")
    for name in ("drift", "million", "rates", "work"):
        assert (pages / "open-problems" / f"{name}.svg").exists()
