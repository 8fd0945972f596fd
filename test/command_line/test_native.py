"""Compiled steps: the same bits, and silence where there can be none."""
import json
import os
import pathlib
import shlex
import signal
import stat
import subprocess
import time

import pytest

from conftest import PROGRAM

LONG = ["run", "pendulum-cvt", "--start", "rotating", "--step", "0.1"]


@pytest.fixture
def cache(program, monkeypatch):
    folder = program.directory / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    monkeypatch.delenv("DALEMBERT_NATIVE", raising=False)
    monkeypatch.delenv("DALEMBERT_CC", raising=False)
    return folder / "dalembert"


def numbers(program, *words):
    """A run without its work, and what ended it."""
    [run] = program.json(*words)["runs"]
    return run, run.pop("work")["code"]


@pytest.mark.parametrize("method", ["leapfrog", "lobatto(stages=3)", "reduced-gradient",
                                    "reduced-gradient(gradient=bilinear)", "gauss(stages=2)", "fehlberg-78"])
def test_bits_do_not_depend_on_compiled_steps(program, cache, method):
    words = [*LONG, "--method", method, "--steps", 3000]
    interpreted, first = numbers(program, *words, "--native", "off")
    compiled, second = numbers(program, *words, "--native", "require")
    assert (first, second) == ("interpreter", "native")
    assert interpreted == compiled
    # What was compiled once is taken by shorter runs as well.
    assert len(list(cache.iterdir())) == 1


@pytest.mark.parametrize("problem, method", [("chaotic", "hamel"), ("chaotic", "lobatto(stages=5)"), ("rattleback", "lobatto")])
def test_matrices_that_are_kept_have_the_same_bits(program, cache, problem, method):
    """Linear systems whose loops are written out, are not, and that are too large for the stack."""
    words = ["run", problem, "--method", method, "--step", "0.005", "--steps", 300]
    interpreted, _ = numbers(program, *words, "--native", "off")
    compiled, code = numbers(program, *words, "--native", "require")
    assert (interpreted, "native") == (compiled, code)
    assert "is_new" in program.good("export", problem, method, "--c").stdout


@pytest.mark.parametrize("method", ["gauss(stages=3)", "radau-iia(stages=3)", "chart(base=energy-collocation)"])
def test_stages_on_groups_have_the_same_bits(program, cache, method):
    words = ["run", "veselova", "--method", method, "--step", "0.05", "--steps", 300]
    interpreted, _ = numbers(program, *words, "--native", "off")
    assert (interpreted, "native") == numbers(program, *words, "--native", "require")


def test_a_long_run_switches_by_itself(program, cache):
    # Seconds of steps: more than a busy compiler needs.
    words = [*LONG, "--method", "energy-collocation", "--steps", 1000000, "--set", "run.record_every=2500"]
    switched, code = numbers(program, *words)
    assert code == "native"
    assert switched == numbers(program, *words, "--native", "off")[0]


def test_a_resumed_run_has_the_same_bits(program, cache):
    words = [*LONG, "--method", "lobatto"]
    program.good(*words, "--steps", 500, "--native", "require", "--out", "part.h5")
    program.good("resume", "part.h5", "--until", "100", "--json", "resumed.json")
    resumed = json.loads((program.directory / "resumed.json").read_text())["runs"][0]
    whole, _ = numbers(program, *words, "--steps", 1000, "--native", "off")
    assert resumed["final"] == whole["final"]
    assert resumed["work"]["code"] == "native"


def test_the_environment_switches_it_off(program, cache, monkeypatch):
    monkeypatch.setenv("DALEMBERT_NATIVE", "off")
    words = [*LONG, "--method", "energy-collocation", "--steps", 300000, "--set", "run.record_every=1000"]
    assert numbers(program, *words)[1] == "interpreter"
    assert not cache.exists()
    monkeypatch.setenv("DALEMBERT_NATIVE", "fast")
    assert 'DALEMBERT_NATIVE: native is auto, off or require, not "fast"' in program.refuses(2, *words)


def without_compiler(cache, monkeypatch):
    monkeypatch.setenv("DALEMBERT_CC", "no-such-compiler")
    return 'there is no C compiler "no-such-compiler"'


def with_broken_compiler(cache, monkeypatch):
    monkeypatch.setenv("DALEMBERT_CC", "/bin/false")
    return "/bin/false failed with exit code 1"


def without_folder(cache, monkeypatch):
    cache.parent.write_text("a file in the way\n")
    return "cannot be made"


def with_folder_of_all(cache, monkeypatch):
    cache.mkdir(parents=True)
    cache.chmod(0o777)
    return "others may write to"


def check_it_goes_on(program, words, reason):
    """In silence, unless it is asked."""
    silent = program.run(*words)
    assert silent.returncode == 0 and silent.stderr == ""
    told = program.run(*words, "--verbose")
    [line] = [line for line in told.stderr.splitlines() if "are interpreted" in line]
    assert reason in line
    refusal = program.refuses(2, *words, "--native", "require")
    assert 'native = "require"' in refusal and reason in refusal


@pytest.mark.parametrize("arrange", [without_compiler, with_broken_compiler, without_folder, with_folder_of_all])
def test_where_it_cannot_be_the_interpreter_goes_on(program, cache, monkeypatch, arrange):
    reason = arrange(cache, monkeypatch)
    words = [*LONG, "--method", "energy-collocation", "--steps", 400000, "--set", "run.record_every=1000"]
    check_it_goes_on(program, words, reason)


def script(program, monkeypatch, text):
    """A program that takes the place of the compiler."""
    path = program.directory / program.write("compiler", "#!/bin/sh\n" + text + "\n")
    path.chmod(0o700)
    monkeypatch.setenv("DALEMBERT_CC", str(path))


def test_wrong_numbers_of_a_compiler_are_told(program, cache, monkeypatch):
    wrong = r"s/ = x\([0-9]*\) + x\([0-9]*\);/ = x\1 + x\2 + 1e-6;/"
    script(program, monkeypatch, f"sed {shlex.quote(wrong)} > wrong.c\nexec cc \"$@\" < wrong.c")
    words = [*LONG, "--method", "energy-collocation"]
    refusal = program.refuses(2, *words, "--steps", 100, "--native", "require")
    assert 'native = "require"' in refusal and "has other bits" in refusal
    told = program.run(*words, "--steps", 50000, "--verbose", "--json", "told.json")
    assert told.returncode == 0 and "are interpreted: what the compiler has made of them has other bits" in told.stderr
    told = json.loads((program.directory / "told.json").read_text())["runs"][0]
    assert told.pop("work")["code"] == "interpreter"
    assert told == numbers(program, *words, "--steps", 50000, "--native", "off")[0]


def wait_until(holds, seconds=30):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def is_gone(process):
    """Ended, whether or not somebody has taken notice."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.parametrize("signal_sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_ends_a_compiler_and_leaves_nothing(program, cache, monkeypatch, signal_sent):
    # As compilers do, it begins a file of its own in the folder for temporary files, and starts a process.
    script(program, monkeypatch, 'echo started > "$TMPDIR/own.s"\nsleep 300 &\necho $$ $! > started\nwait')
    run = subprocess.Popen([PROGRAM, *LONG, "--method", "leapfrog", "--steps", "100", "--native", "require"], cwd=program.directory,
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    started = program.directory / "started"
    wait_until(lambda: started.exists() and started.read_text().endswith("\n"))
    processes = started.read_text().split()
    assert list(cache.glob("*/own.s"))
    run.send_signal(signal_sent)
    assert "interrupted" in run.communicate(timeout=30)[1]
    assert run.returncode == 130
    wait_until(lambda: all(map(is_gone, processes)))
    assert list(cache.iterdir()) == []


def test_a_compiler_is_given_no_open_files(program, cache, monkeypatch):
    script(program, monkeypatch, "ls -l /proc/$$/fd > files\nexit 1")
    with open(program.directory / "open-elsewhere", "w") as file:
        command = [PROGRAM, *LONG, "--method", "leapfrog", "--steps", "100", "--native", "require"]
        assert subprocess.run(command, cwd=program.directory, stderr=subprocess.PIPE, pass_fds=[file.fileno()]).returncode == 2
    files = (program.directory / "files").read_text()
    assert "/dev/null" in files and "open-elsewhere" not in files


def test_results_are_written_while_a_compiler_runs(program, cache, monkeypatch):
    """It may start at a moment at which a result file is open."""
    monkeypatch.setenv("DALEMBERT_FLUSH_SECONDS", "0.001")
    for _ in range(2):
        script(program, monkeypatch, "echo > begun\nsleep 30")
        program.good(*LONG, "--method", "dla", "--method", "leapfrog", "--steps", 3000000, "--set", "run.record_every=100", "--out", "r.h5", "--force")
        assert (program.directory / "begun").exists()


def test_what_is_kept_is_the_users_own(program, cache):
    words = [*LONG, "--method", "leapfrog", "--steps", 100, "--native", "require"]
    program.good(*words)
    [file] = cache.iterdir()
    assert stat.S_IMODE(os.stat(cache).st_mode) == 0o700
    assert stat.S_IMODE(os.stat(file).st_mode) & 0o077 == 0
    # Damaged, it is made anew.
    whole = file.read_bytes()
    file.write_bytes(whole[:-100])
    program.good(*words)
    assert file.read_bytes() == whole


def test_requests_that_make_no_sense(program, cache, study):
    assert "auto, off or require" in program.refuses(2, "run", study, "--set", 'run.native="yes"')


MANY = ["ensemble", "pendulum-cvt", "--members", "40", "--energy", "2", "--seed", "3", "--step", "0.1"]


@pytest.mark.parametrize("method", ["dla01", "lobatto", "reduced-gradient", "gauss(stages=4)"])
def test_bits_of_ensembles_do_not_depend_on_compiled_steps(program, cache, method):
    words = [*MANY, "--method", method, "--steps", 400]
    interpreted, first = numbers(program, *words, "--native", "off")
    compiled, second = numbers(program, *words, "--native", "require")
    assert (first, second) == ("interpreter", "native")
    assert interpreted == compiled
    assert len(list(cache.iterdir())) == 1
    # Records between the steps, and threads.
    words = [*words, "--every", "0.37", "--threads", "2"]
    assert numbers(program, *words, "--native", "off")[0] == numbers(program, *words, "--native", "require")[0]


def test_a_long_ensemble_switches_by_itself_and_can_be_resumed(program, cache):
    words = [*MANY, "--method", "dla01", "--steps", 2000000, "--set", "run.record_every=1000000"]
    switched, code = numbers(program, *words)
    assert code == "native"
    assert switched == numbers(program, *words, "--native", "off")[0]
    short = [*MANY, "--method", "dla01"]
    program.good(*short, "--steps", 500, "--native", "require", "--out", "part.h5")
    program.good("resume", "part.h5", "--until", "100", "--json", "resumed.json")
    resumed = json.loads((program.directory / "resumed.json").read_text())["runs"][0]
    whole, _ = numbers(program, *short, "--steps", 1000, "--native", "off")
    assert resumed["final"] == whole["final"]
    assert resumed["work"]["code"] == "native"


@pytest.mark.parametrize("arrange", [without_compiler, with_broken_compiler, without_folder])
def test_an_ensemble_goes_on_without(program, cache, monkeypatch, arrange):
    reason = arrange(cache, monkeypatch)
    words = [*MANY, "--method", "dla01", "--steps", 2000000, "--set", "run.record_every=1000000"]
    check_it_goes_on(program, words, reason)


def test_members_out_of_lanes_are_not_compiled(program, cache):
    words = [*MANY, "--method", "dla01", "--steps", 10, "--native", "require"]
    assert "one at a time" in program.refuses(2, *words, "--lanes", "1")
    adaptive = [*MANY, "--method", "fehlberg-78(tolerance=1e-9)", "--steps", 10, "--native", "require"]
    assert "divide their steps" in program.refuses(2, *adaptive)


def test_wrong_numbers_in_an_ensemble_are_told(program, cache, monkeypatch):
    wrong = r"s/ = x\([0-9_]*\) + x\([0-9_]*\);/ = x\1 + x\2 + 1e-6;/"
    script(program, monkeypatch, f"sed {shlex.quote(wrong)} > wrong.c\nexec cc \"$@\" < wrong.c")
    words = [*MANY, "--method", "reduced-gradient", "--steps", 200000, "--set", "run.record_every=100000"]
    assert "has other bits" in program.refuses(2, *words, "--native", "require")
    told = program.run(*words, "--verbose")
    assert told.returncode == 0 and "are interpreted: what the compiler has made of them has other bits" in told.stderr


def test_a_library_that_was_cut_is_neither_loaded_nor_kept(program, cache, monkeypatch):
    """To load one ends the process (SIGBUS)."""
    script(program, monkeypatch, 'for a; do [ "$p" = -o ] && out=$a; p=$a; done\ncc "$@" && head -c 9000 "$out" > cut && cp cut "$out"')
    words = [*LONG, "--method", "dla", "--steps", 1000, "--native", "require"]
    assert "the compiler has written a part of a library" in program.refuses(2, *words)
    assert list(cache.glob("*.so")) == []
    monkeypatch.delenv("DALEMBERT_CC")
    program.good(*words)


def test_a_library_that_cannot_be_loaded_is_not_kept(program, cache, monkeypatch):
    script(program, monkeypatch, 'for a; do [ "$p" = -o ] && out=$a; p=$a; done\necho no library > "$out"')
    words = [*LONG, "--method", "dla", "--steps", 1000, "--native", "require"]
    assert "cannot be loaded" in program.refuses(2, *words)
    assert list(cache.glob("*.so")) == []


def test_a_compiler_that_hangs_is_ended(program, cache, monkeypatch):
    script(program, monkeypatch, "sleep 1234")
    monkeypatch.setenv("DALEMBERT_COMPILER_SECONDS", "1")
    assert "did not end within 1 s" in program.refuses(2, *LONG, "--method", "dla", "--steps", 1000, "--native", "require")


def test_a_killed_program_takes_its_compiler_along(program, cache, monkeypatch):
    script(program, monkeypatch, "echo $$ > started\nsleep 4321 &\nwait")
    run = subprocess.Popen([PROGRAM, *map(str, LONG), "--method", "dla", "--steps", "1000", "--native", "require"], cwd=program.directory)
    started = program.directory / "started"
    for _ in range(200):
        if started.exists() and started.read_text().strip():
            break
        time.sleep(0.05)
    group = int(started.read_text())
    run.kill()
    run.wait()
    for _ in range(200):
        if not group_lives(group):
            return
        time.sleep(0.05)
    raise AssertionError("the compiler outlives the program")


def group_lives(group):
    """Whether a process of the group runs; those that nobody has reaped do not."""
    for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] not in "ZX":
            return True
    return False
