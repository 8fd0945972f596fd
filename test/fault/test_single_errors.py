"""One call that fails and none after it: of a run, of an ensemble, of resuming them, and of their other outputs. A data set that
cannot be closed once has lost what it had in memory, and nothing that comes later says so."""

import pytest

from conftest import CASES, SOME, numbers, prepare, same

READS = {"open", "read", "pread", "pread64"}
# Seconds between flushes: one at the end only, or one at each record.
FLUSHES = {"one flush": 1000, "many flushes": 0}
# Of the calls that read, and of those of cases like the plain one, each of so many.
FEW = {"one flush": 40, "many flushes": 150}


def sentence(result):
    """The only line that says anything."""
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("dalembert: cannot "), result
    return lines[0]


def chosen(calls, all_that_write, few):
    """The numbers of the calls that fail. Each write of the plain case, and some of what is alike."""
    return [at for at, call in enumerate(calls, 1)
            if SOME == 1 or (all_that_write and call not in READS) or at % few == 0]


@pytest.mark.parametrize("flush", FLUSHES)
@pytest.mark.parametrize("resumed", [False, True])
@pytest.mark.parametrize("command", CASES)
def test_one_error_loses_nothing_in_silence(faults, command, resumed, flush):
    words, _ = prepare(faults, command, resumed)
    older, whole = faults.directory / "older.h5", numbers(faults.directory / "whole.h5")
    path, common = faults.directory / "r.h5", {"does": "EIO", "once": 1, "all": 1, "only": "r.h5", "flush": FLUSHES[flush]}
    is_plain = (command, resumed, flush) == ("run", False, "one flush")
    for at in chosen(faults.calls(*words, **common), is_plain, FEW[flush]):
        faults.fresh(older)
        result = faults.run(*words, at=at, **common)
        if result.returncode == 0:
            assert not same(numbers(path), whole), at
            continue
        assert result.returncode == 4 and '"r.h5"' in sentence(result), (at, result)
        if path.read_bytes() == older.read_bytes() and not resumed:
            continue
        faults.good(*(words if resumed else ("resume", "r.h5")))
        assert not same(numbers(path), whole), at


OUTPUTS = ["r.json", "r.svg", "r.png", "r.pdf"] if SOME == 1 else ["r.json", "r.svg"]


@pytest.mark.parametrize("name", OUTPUTS)
def test_one_error_leaves_the_older_output(faults, name):
    option = "--json" if name.endswith("json") else "--plot"
    words = ("run", "pendulum-cvt", "--step", "0.1", "--until", "1", option, name, "--method")
    common, path = {"does": "EIO", "once": 1, "all": 1, "only": "r."}, faults.directory / name
    faults.good(*words, "leapfrog")
    older = path.read_bytes()
    for at in range(1, len(faults.calls(*words, "dla", **common)) + 1):
        path.write_bytes(older)
        result = faults.run(*words, "dla", at=at, **common)
        if result.returncode == 0:  # closing what is read, or what has been written
            assert path.read_bytes() != older
            continue
        assert result.returncode == 4 and name in sentence(result), at
        assert path.read_bytes() == older, at


def test_one_error_of_a_table_is_no_end_of_it(faults):
    (faults.directory / "start.csv").write_text("t,x1,x2,xi,x1_dot,x2_dot,xi_dot\n" + "0,0.1,0,0,0,0,1\n" * 2000)
    words = ("run", "pendulum-cvt", "--set", "initial.csv='start.csv'", "--set", "initial.row=1999", "--method", "dla", "--step", "0.1",
             "--until", "1")
    common = {"does": "EIO", "once": 1, "all": 1, "only": "start.csv"}
    calls = faults.calls(*words, **common)
    assert calls.count("read") > 1
    for at, call in enumerate(calls, 1):
        result = faults.run(*words, at=at, **common)
        assert result.returncode in ((4,) if call == "read" else (0, 2, 4)), (at, call, result)
