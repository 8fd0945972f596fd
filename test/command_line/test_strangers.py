"""Files of strangers: names, keys and texts that were made to harm are refused with one sentence, at once."""

import os
import pathlib
import subprocess
import tempfile

import pytest

from conftest import PROGRAM

pytestmark = pytest.mark.proof

DEEP = ".a" * 9000
MINIMAL = 'coordinates = ["x", "y"]\nlagrangian = { kinetic = "(x_dot^2 + y_dot^2)/2" }\n'

# Documents, and what is said of them.
DOCUMENTS = {
    "dotted key": (f"a{DEEP} = 1", ":1: the keys are nested more than 200 levels deep"),
    "header": (f"\n[a{DEEP}]\nx = 1", ":2: the keys are nested more than 200 levels deep"),
    "inline table": (f"x = {{ a{DEEP} = 1 }}", ":1: the keys are nested more than 200 levels deep"),
    "header and key": (f"[a{DEEP[:300]}]\nb{DEEP[:300]} = 1", "nested more than 200 levels deep"),
    "lists": ("x = " + "[" * 230 + "]" * 230, "nested more than 200 levels deep"),
    "a long document": ("# " + "x" * 17_000_000, "it is longer than 16000000 bytes"),
    "many values": ("x = [" + "1," * 2_000_001 + "]", "it has more than 2000000 values"),
    "escape sequence": (MINIMAL + 'description = "red \\u001b[31m"', 'key "description" has a control character as byte 5'),
    "C1 control": (MINIMAL + 'description = "\\u009b31m"', "has a control character as byte 1"),
    "escape in a name": ('coordinates = ["x\\u001b[31m"]', "has a control character as byte 2"),
    "long name": (MINIMAL.replace('"x"', f'"{"x" * 5000}"').replace("x_dot", "x" * 5000 + "_dot"), "is no name of a coordinate"),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents(program, name):
    text, words = DOCUMENTS[name]
    program.write("stranger.toml", text)
    sentence = program.refuses(2, "describe", "./stranger.toml")
    assert words in sentence and len(sentence) < 3100


def test_dots_in_texts_and_comments_are_no_levels(program):
    dots = "." * 1000
    program.write("harmless.toml", f"# {dots}\ndescription = \"{dots}\"\nsource = \'\'\'{dots}\n{dots}\'\'\'\n{MINIMAL}")
    assert dots[:90] in program.good("describe", "./harmless.toml").stdout


def test_dots_of_numbers_are_no_levels(program):
    """An expression of many decimals, as a setting and in a file, with every sign that may stand between them."""
    for sign in ("+", " - ", "*"):
        numbers = sign.join(["0.5"] * 300)
        program.write("long.toml", MINIMAL + f"[initial.here]\nq = ['0*({numbers})', 0]\nv = [1, 1]\n")
        program.good("run", "./long.toml", "--method", "leapfrog", "--step", "0.1", "--until", "0.1", "--set", f"run.until=0.1 + 0*({numbers})")


def test_files_without_an_end(program):
    for device in ("/dev/zero", "/dev/urandom"):
        assert "it is no readable file" in program.refuses(4, "describe", device)
        program.write("study.toml", f'problem = "{device}"\n[run]\nstep = 0.1\nuntil = 1\n[[method]]\nname = "dla"\n')
        assert "it is no readable file" in program.refuses(4, "run", "study.toml")
    with (program.directory / "sparse.toml").open("wb") as file:
        file.truncate(30 * 10**9)
    assert "it is longer than" in program.refuses(2, "describe", "./sparse.toml")


RUN = ["run", "pendulum-cvt", "--method", "dla", "--step", "0.1"]


@pytest.mark.parametrize("words, said", [
    (["--until", "3", "--every", "1e-9"], "one step of 0.1 has 1e+08 records; at most 1e+05 are taken"),
    (["--until", "3", "--every", "1e-300"], "one step of 0.1 has 1e+299 records"),
    (["--until", "1", "--set", "run=1"], '--set run=1: key "run" must be a table, not 1'),
    (["--until", "1", "--set", "initial=1"], 'key "initial" must be a table, not 1'),
    (["--until", "1", "--set", "a" + ".a" * 300 + "=1"], "nested more than 200 levels deep"),
    (["--until", "1", "--running-mean", "nan", "--plot", "p.svg"], "--running-mean is nan; it must be a finite number"),
])
def test_arguments(program, words, said):
    assert said in program.refuses(2, *RUN, *words)


def test_a_folder_for_temporary_files_that_is_none(program):
    words = [*RUN, "--until", "1", "--plot", "p.svg"]
    done = subprocess.run([PROGRAM, *words], cwd=program.directory, capture_output=True, text=True, env=os.environ | {"TMPDIR": "/nowhere"}, timeout=120)
    assert done.returncode == 4 and "TMPDIR must name a folder that can be written to" in done.stderr


def test_what_has_the_name_of_a_partial_file(program):
    """A folder, a link to nowhere, a folder with something in it: the result is written all the same."""
    for name in (".r.partial.json", ".r.partial-2.json"):
        (program.directory / name).mkdir()
    (program.directory / ".r.partial-2.json/inside").write_text("of somebody")
    (program.directory / ".r.partial-3.json").symlink_to("/nowhere/at/all")
    program.good(*RUN, "--until", "1", "--json", "r.json")
    assert (program.directory / "r.json").stat().st_size > 1000
    assert (program.directory / ".r.partial-2.json/inside").read_text() == "of somebody"


def test_long_sentences_are_cut_in_the_middle(program):
    done = program.run("describe", "x" * 50_000)
    assert done.returncode == 2 and len(done.stderr) < 3100 and "[...]" in done.stderr


def test_names_of_files_do_not_steer_the_terminal(program):
    name = "red\x1b[31m.toml"
    program.write(name, MINIMAL)
    assert "\x1b" not in program.good("describe", f"./{name}").stdout
    program.write(name, "x = 1")
    assert "\x1b" not in program.refuses(2, "describe", f"./{name}")


@pytest.mark.skipif(os.geteuid() != 0 or "ASAN_OPTIONS" in os.environ, reason="needs root, to become a user with a limit; a sanitizer needs threads")
def test_a_limit_on_processes(program):
    """Runs go on with one thread, with and without a file, which a thread writes elsewhere."""
    program.directory.chmod(0o777)
    for folder in program.directory.parents:  # those that pytest has made
        if pathlib.Path(tempfile.gettempdir()) in folder.parents:
            folder.chmod(folder.stat().st_mode | 0o005)
    binary = program.directory / "program"
    binary.write_bytes(pathlib.Path(PROGRAM).read_bytes())
    binary.chmod(0o755)
    # Its own problem: the library may lie where only root can read.
    program.write("own.toml", MINIMAL + "[initial.here]\nq = [0, 0]\nv = [1, 1]\n")
    (program.directory / "own.toml").chmod(0o644)
    command = (f"ulimit -u 1; exec {binary} run ./own.toml --method dla --method leapfrog --threads 2 --step 0.1 --steps 20000 "
               "--set run.record_every=10 --out a.h5 --native auto")
    done = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "bash", "-c", command], cwd=program.directory,
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    program.directory.chmod(0o700)
    assert (program.directory / "a.h5").stat().st_size > 10_000


@pytest.mark.parametrize("name", ['a"b', '"', "1", "true", "a # b", "a = [1]"])
def test_any_name_of_a_start_can_be_asked_for(program, name):
    program.write("own.toml", MINIMAL + "[initial.'" + name + "']\nq = [0, 0]\nv = [1, 1]\n[initial.other]\nq = [1, 0]\nv = [0, 0]\n")
    [run] = program.json("run", "./own.toml", "--start", name, "--method", "leapfrog", "--step", "0.1", "--until", "1")["runs"]
    assert run["start"] == name and run["final"]["q"] == pytest.approx([1, 1])
