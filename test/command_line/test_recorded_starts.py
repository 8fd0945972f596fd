"""A run starts from a row of a table: of a run's own CSV result, or of another program's."""

import csv
import shutil

import h5py
import pytest

pytestmark = pytest.mark.proof

STUDY = """
problem = "{problem}"
{initial}
[run]
step = 0.1
steps = {steps}
record_every = 1
[[method]]
name = "{method}"
"""

def study(problem, method, steps, initial):
    return STUDY.format(problem=problem, method=method, steps=steps, initial=initial)


def rows_of(path):
    with open(path) as file:
        return list(csv.DictReader(file))


def recorded(program, problem="pendulum-cvt", method="lobatto", steps=20, initial='[initial]\nname = "rotating"'):
    """Runs and returns the path of the only CSV result, with its rows."""
    program.write("first.toml", study(problem, method, steps, initial))
    program.good("run", "first.toml", "--csv", "first")
    path, = (program.directory / "first").glob("*.csv")
    return path, rows_of(path)


def start_of(program, initial, *arguments):
    """The state that a run starts from."""
    program.write("second.toml", study("pendulum-cvt", "lobatto", 2, initial))
    run, = program.json("run", "second.toml", *arguments)["runs"]
    return run["initial"]


def state(row, names):
    return [float(row[name]) for name in names]


Q, V = ["x1", "x2", "xi"], ["x1_dot", "x2_dot", "xi_dot"]


@pytest.mark.parametrize("which, index", [("", -1), ("row = -1", -1), ("row = -3", -3), ("row = 0", 0), ("row = 7", 7),
                                          ("time = 0.5", 5), ('time = "1/2"', 5)])
def test_the_row_is_the_one_asked_for_and_keeps_its_bits(program, which, index):
    path, rows = recorded(program)
    start = start_of(program, f'[initial]\ncsv = "first/{path.name}"\n{which}')
    assert start["q"] == state(rows[index], Q) and start["v"] == state(rows[index], V)
    assert start["t"] == 0


# With a constraint, with a rotation, with an array of coordinates, without velocities.
@pytest.mark.parametrize("problem, start, method", [("pendulum-cvt", "rotating", "lobatto"), ("pendulum-cvt", "rotating", "spark"),
                                                    ("chaplygin-ball", "tumbling", "dla"), ("chaotic", "newmark", "leapfrog"),
                                                    ("rigid-body", "near-middle-axis", "gauss")])
def test_a_run_goes_on_from_its_own_record(program, problem, start, method):
    path, rows = recorded(program, problem, method, 20, f'[initial]\nname = "{start}"')
    program.write("second.toml", study(problem, method, 10, f'[initial]\ncsv = "first/{path.name}"\nrow = 10'))
    program.good("run", "second.toml", "--csv", "second")
    again, = (program.directory / "second").glob("*.csv")
    for expected, found in zip(rows[10:], rows_of(again), strict=True):
        for name in expected:
            if name in ("t", "constraint"):
                continue
            # Ten steps of a smooth motion: what Newton's iteration leaves in each, some 1e-15, grows little.
            assert float(found[name]) == pytest.approx(float(expected[name]), rel=1e-11, abs=1e-11), name


def test_other_programs_tables_will_do(program):
    program.write("other.csv", 'time, xi,"x1", x2 ,remark,xi_dot,x2_dot,x1_dot\r\n0,0,1,1,"a, b",+2.5e0,0,0\r\n\r\n')
    start = start_of(program, '[initial]\ncsv = "other.csv"')
    assert start["q"] == [1, 1, 0] and start["v"] == [0, 0, 2.5]


def test_the_path_is_relative_to_the_study(program):
    path, rows = recorded(program)
    folder = program.directory / "folder"
    folder.mkdir()
    shutil.copy(path, folder / "state.csv")
    (folder / "study.toml").write_text(study("pendulum-cvt", "lobatto", 2, '[initial]\ncsv = "state.csv"'))
    run, = program.json("run", "folder/study.toml")["runs"]
    assert run["initial"]["q"] == state(rows[-1], Q)


def test_settings_choose_a_recorded_start(program):
    path, rows = recorded(program)
    result = program.json("run", "pendulum-cvt", "--method", "lobatto", "--step", "0.1", "--until", "0.2",
                          "--set", f"initial.csv=first/{path.name}", "--set", "initial.row=4")
    assert result["runs"][0]["initial"]["q"] == state(rows[4], Q)


def test_results_need_the_table_no_more(program):
    path, rows = recorded(program)
    program.write("second.toml", study("pendulum-cvt", "lobatto", 20, f'[initial]\ncsv = "first/{path.name}"'))
    program.good("run", "second.toml", "--out", "whole.h5")
    with h5py.File(program.directory / "whole.h5") as file:
        assert "csv" not in file.attrs["study"] and list(file["runs/0001/q"][0]) == state(rows[-1], Q)
    program.good("run", "second.toml", "--out", "part.h5", "--set", "run.steps=10")
    shutil.rmtree(program.directory / "first")
    program.good("resume", "part.h5", "--until", "2")
    with h5py.File(program.directory / "whole.h5") as whole, h5py.File(program.directory / "part.h5") as part:
        assert (whole["runs/0001/q"][-1] == part["runs/0001/q"][-1]).all()


def test_what_is_free_need_not_be_recorded(program):
    program.write("part.csv", "x1,x2,xi,x1_dot,xi_dot\n1,0.5,0.2,0.1,0.3\n")
    sentence = program.refuses(2, "run", program.write("study.toml", study("pendulum-cvt", "lobatto", 2, '[initial]\ncsv = "part.csv"')))
    assert '"x2_dot"' in sentence and "part.csv" in sentence
    start = start_of(program, '[initial]\ncsv = "part.csv"\nfree = ["x2_dot"]')
    assert start["q"] == [1, 0.5, 0.2] and start["v"][0] == 0.1 and start["v"][2] == 0.3


def test_a_state_off_the_constraints_is_refused_or_projected(program):
    program.write("off.csv", "x1,x2,xi,x1_dot,x2_dot,xi_dot\n1,0.5,0.2,0.1,7,0.3\n")
    study_file = program.write("study.toml", study("pendulum-cvt", "lobatto", 2, '[initial]\ncsv = "off.csv"'))
    assert "constraint" in program.refuses(2, "run", study_file)
    program.good("run", study_file, "--set", "initial.project=true")


def test_a_result_is_not_written_over_the_table_it_starts_from(program):
    path, _ = recorded(program)
    path.rename(path.with_name("0001-lobatto.csv"))
    study_file = program.write("second.toml", study("pendulum-cvt", "lobatto", 2, '[initial]\ncsv = "first/0001-lobatto.csv"'))
    assert "0001-lobatto.csv" in program.refuses(2, "run", study_file, "--csv", "first")


def test_runs_of_problems_that_depend_on_time_start_at_zero(program):
    path, _ = recorded(program, "witness-timed", "lobatto", 5, "")
    study_file = program.write("second.toml", study("witness-timed", "lobatto", 2, f'[initial]\ncsv = "first/{path.name}"'))
    assert "t = 0.5" in program.refuses(2, "run", study_file)
    program.good("run", study_file, "--set", "initial.row=0")


HEAD = "t,x1,x2,xi,x1_dot,x2_dot,xi_dot\n"
GOOD = "0,1,1,0,0,0,1\n0.30000000000000004,1,1,0,0,0,1\n"

REFUSED = {
    "no file": (None, "", ["table.csv", "there is no such file"]),
    "empty": ("", "", ["no line of names"]),
    "no rows": (HEAD, "", ["no rows"]),
    "no column": (HEAD.replace("x2_dot", "x2dot") + GOOD, "", ['no column "x2_dot"', '"x2dot"']),
    "no velocities": ("t,x1,x2,xi\n0,1,1,0\n", "", ['no column "x1_dot"']),
    "a column twice": ("x1," + HEAD + "1," + GOOD.replace("\n0.3", "\n1,0.3"), "", ['two columns "x1"']),
    "text": (HEAD + GOOD + "0.2,1,one,0,0,0,1\n", "", ["table.csv:4", 'column "x2"', '"one"', "finite number"]),
    "not finite": (HEAD + "0.2,1,inf,0,0,0,1\n", "", ["table.csv:2", 'column "x2"', "finite number"]),
    "ragged": (HEAD + GOOD + "0.2,1\n", "", ["table.csv:4", "2 cells", "7 columns"]),
    "no time": (HEAD + GOOD, "time = 0.3", ["initial.time", "is 0.3", "0.30000000000000004"]),
    "no column of times": ((HEAD + GOOD).replace("t,", "s,"), "time = 0.3", ['no column "t"']),
    "a row too many": (HEAD + GOOD, "row = 2", ["initial.row", "is 2", "2 rows"]),
    "a row too many back": (HEAD + GOOD, "row = -3", ["initial.row", "is -3", "2 rows"]),
    "a row of text": (HEAD + GOOD, 'row = "last"', ["initial.row"]),
    "row and time": (HEAD + GOOD, "row = 1\ntime = 0", ["initial.time", "row"]),
    "q too": (HEAD + GOOD, "q = [1, 1, 0]", ["initial.q", "csv"]),
    "a name too": (HEAD + GOOD, 'name = "rotating"', ["initial.name", "csv"]),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_start_is_refused(program, case):
    table, keys, words = REFUSED[case]
    if table is not None:
        program.write("table.csv", table)
    sentence = program.refuses(2, "run", program.write("study.toml", study("pendulum-cvt", "lobatto", 2, f'[initial]\ncsv = "table.csv"\n{keys}')))
    for word in [*words, "study.toml"]:
        assert word in sentence, sentence


def test_a_row_without_a_table_is_refused(program):
    sentence = program.refuses(2, "run", program.write("study.toml", study("pendulum-cvt", "lobatto", 2, '[initial]\nname = "rotating"\nrow = 3')))
    assert "initial.row" in sentence and "csv" in sentence


def test_multipliers_come_from_the_table_unless_the_state_moves_or_they_are_given(program):
    program.write("table.csv", "x1,x2,xi,x1_dot,x2_dot,xi_dot,lambda_1\n1,1,0,0,0,2.5,0.125\n")
    assert start_of(program, '[initial]\ncsv = "table.csv"')["lambda"] == [0.125]
    assert start_of(program, '[initial]\ncsv = "table.csv"\nlambda = [0.5]')["lambda"] == [0.5]
    assert start_of(program, '[initial]\ncsv = "table.csv"\nproject = true')["lambda"] != [0.125]
