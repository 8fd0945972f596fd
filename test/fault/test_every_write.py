"""A kill or an error at every single call that changes a file: of a run, of an ensemble, and of resuming them."""

import pytest

from conftest import CASES, SOME, numbers, prepare, records, same


@pytest.mark.parametrize("exchange", [True, False])
@pytest.mark.parametrize("resumed", [False, True])
@pytest.mark.parametrize("command", CASES)
def test_killed_at_every_write(faults, command, resumed, exchange):
    words, idle = prepare(faults, command, resumed)
    system = {} if exchange else {"no_exchange": 1}
    older, whole = faults.directory / "older.h5", numbers(faults.directory / "whole.h5")
    calls = faults.calls(*words, **system)
    assert not same(numbers(faults.directory / "r.h5"), whole)
    assert calls.count("renameat2") + calls.count("rename") >= 2
    before = records(older) if resumed else 0
    for at in range(1, len(calls) + 1, 1 if exchange and not resumed else SOME):
        faults.fresh(older)
        assert faults.run(*words, at=at, does="kill", only="r.h5", **system).returncode == -9, at
        path = faults.directory / "r.h5"
        published = sum(call in ("renameat2", "rename") for call in calls[:at - 1])
        if not exchange and published > 1:
            published = 1 + (published - 1) // 2  # two calls instead of one exchange
        if published == 0:
            assert path.read_bytes() == older.read_bytes(), at
        else:
            assert records(path) >= before + published - idle, at
        if published > 0 or resumed:
            faults.good(*(words if resumed else ("resume", "r.h5")))
            assert not same(numbers(path), whole), at
            assert not faults.left_over(), at


@pytest.mark.parametrize("error", ["ENOSPC", "EIO"])
@pytest.mark.parametrize("resumed", [False, True])
@pytest.mark.parametrize("command", CASES)
def test_an_error_at_every_write(faults, command, resumed, error):
    words, _ = prepare(faults, command, resumed)
    older, whole = faults.directory / "older.h5", numbers(faults.directory / "whole.h5")
    calls = faults.calls(*words)
    writes = sum(call != "unlink" for call in calls)  # what is removed at the end may stay
    for at in range(1 if error == "EIO" else 2, writes + 1, SOME):
        faults.fresh(older)
        result = faults.run(*words, at=at, does=error, only="r.h5")
        sentences = [line for line in result.stderr.splitlines() if line.startswith("dalembert: ")]
        assert result.returncode == 4 and len(sentences) == 1 and 'cannot write "r.h5"' in sentences[0], (at, result)
        assert not faults.left_over(), at
        path = faults.directory / "r.h5"
        if path.read_bytes() == older.read_bytes() and not resumed:
            continue
        faults.good(*(words if resumed else ("resume", "r.h5")))
        assert not same(numbers(path), whole), at
