"""What a result file holds comes out again as what a run would have written."""

import pytest

pytestmark = pytest.mark.proof

ENSEMBLE = """
problem = "chaotic"
[run]
step = 0.1
until = 5
[ensemble]
size = 6
seed = 1
energy = 3.06
[[method]]
name = "dla01"
"""


def files_in(directory):
    return {path.name: path.read_bytes() for path in sorted(directory.iterdir())}


def test_export_writes_what_the_run_would_have(program, study):
    program.good("run", study, "--out", "r.h5", "--csv", "rows", "--json", "run.json")
    program.good("export", "r.h5", "--csv", "again", "--json", "export.json", "--plot", "p.svg")
    assert files_in(program.directory / "again") == files_in(program.directory / "rows")
    assert (program.directory / "export.json").read_text() == (program.directory / "run.json").read_text()
    assert "<svg" in (program.directory / "p.svg").read_text()
    assert program.json("export", "r.h5")["title"] == "Two methods"


def test_export_of_sections_and_contacts(program):
    name = program.write("coin.toml", 'problem = "rolling-coin"\n[initial]\nname = "wobbling"\n[run]\nstep = 0.05\nuntil = 20\n'
                         '[[method]]\nname = "lobatto"\n[[diagnostic]]\nkind = "section"\nof = "theta - 1.3"\n')
    program.good("run", name, "--out", "r.h5", "--csv", "rows", "--json", "run.json")
    program.good("export", "r.h5", "--csv", "again", "--json", "export.json")
    assert files_in(program.directory / "again") == files_in(program.directory / "rows")
    assert len(files_in(program.directory / "rows")) == 2
    assert (program.directory / "export.json").read_text() == (program.directory / "run.json").read_text()


def test_export_of_an_ensemble(program):
    name = program.write("many.toml", ENSEMBLE)
    program.good("run", name, "--out", "r.h5", "--csv", "rows")
    program.good("export", "r.h5", "--csv", "again", "--json", "e.json", "--plot", "v.svg")
    assert files_in(program.directory / "again") == files_in(program.directory / "rows")


@pytest.mark.parametrize("text", [None, ENSEMBLE])
def test_resume_writes_the_whole_result_in_the_other_forms(program, study, text):
    name = study if text is None else program.write("many.toml", text)
    program.good("run", name, "--until", "3", "--out", "r.h5")
    program.good("resume", "r.h5", "--until", "6", "--csv", "resumed", "--json", "r.json", "--plot", "r.png")
    program.good("run", name, "--until", "6", "--csv", "whole")
    assert files_in(program.directory / "resumed") == files_in(program.directory / "whole")
    assert (program.directory / "r.png").read_bytes().startswith(b"\x89PNG")


def test_resume_with_json_on_standard_output_puts_the_table_elsewhere(program, study):
    program.good("run", study, "--out", "r.h5")
    assert len(program.json("resume", "r.h5", "--until", "6")["runs"]) == 2


def test_wrong_requests_say_what_to_write_instead(program, study):
    program.good("run", study, "--out", "r.h5")
    assert "--csv DIR, --json FILE or --plot FILE" in program.refuses(2, "export", "r.h5")
    assert "is a file that this command reads" in program.refuses(2, "export", "r.h5", "--json", "r.h5")
    for ending, option in (("csv", "--csv DIR"), ("json", "--json x.json"), ("svg", "--plot x.svg")):
        sentence = program.refuses(2, "run", study, "--out", f"x.{ending}")
        assert "--out writes an HDF5 result" in sentence and option in sentence
    assert program.refuses(4, "export", "nothing.h5", "--json", "-")
