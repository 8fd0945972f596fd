"""What happens where a file may not grow: one sentence, exit code 4, no signal, and older files stay."""

import resource

import pytest

LONG = ("run", "pendulum-cvt", "--method", "dla01", "--step", "0.1", "--until", "20000")


def limited(size):
    """Files of the program may not grow beyond a number of bytes: a full disk without one."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("output", [("--out", "r.h5"), ("--csv", "tables"), ("--plot", "p.svg"), ("--plot", "p.png"),
                                    ("--plot", "p.pdf")])
def test_a_file_that_may_not_grow_is_an_error_of_output(program, output):
    result = program.run(*LONG, *output, preexec_fn=limited(8192))
    assert result.returncode == 4, (result.returncode, result.stderr)
    lines = [line for line in result.stderr.splitlines() if line.startswith("dalembert: ")]
    assert len(lines) == 1 and "cannot write" in lines[0], result.stderr


@pytest.mark.parametrize("name", ["p.svg", "p.png", "r.json"])
def test_an_older_file_stays_where_a_new_one_cannot_be_written(program, name):
    option = "--json" if name.endswith("json") else "--plot"
    program.good(*LONG, option, name)
    older = (program.directory / name).read_bytes()
    result = program.run(*LONG, "--method", "leapfrog", option, name, preexec_fn=limited(1024))
    assert result.returncode == 4
    assert (program.directory / name).read_bytes() == older
    assert not [path for path in program.directory.iterdir() if "partial" in path.name]
