"""Result files that are damaged or forged: each is refused in one sentence that names it, by `plot` and by `resume`."""

import os
import re
import resource
import shutil

import h5py
import numpy as np
import pytest

pytestmark = pytest.mark.proof

STUDY = """
problem = "pendulum-cvt"
[initial]
name = "rotating"
[run]
step = 0.1
steps = 400
[[method]]
name = "dla"
[[diagnostic]]
kind = "section"
name = "upright"
of = "sin(xi)"
"""
RUN = "runs/0001"


def replaced(name, *arguments, **options):
    """Another data set in the place of one."""
    def damage(file, _):
        del file[name]
        file.create_dataset(name, *arguments, **options)
    return damage


def attribute(place, name, value):
    def damage(file, _):
        file[place].attrs[name] = value
    return damage


def without_attribute(place, name):
    def damage(file, _):
        del file[place].attrs[name]
    return damage


def without(name):
    def damage(file, _):
        del file[name]
    return damage


def linked(name, link):
    def damage(file, _):
        del file[name]
        file[name] = link
    return damage


def hard_linked(name, other):
    """A second name of one object."""
    def damage(file, _):
        if name in file:
            del file[name]
        file[name] = file[other]
    return damage


def changed(name, index, change):
    """One number of a data set is another."""
    def damage(file, _):
        file[name][index] = change(file[name][index])
    return damage


def other_study(old, new):
    """The study asks for something else than what was run."""
    def damage(file, _):
        text = file.attrs["study"]
        assert old in text
        file.attrs["study"] = text.replace(old, new)
        file.attrs["study_utf8"] = np.frombuffer(text.replace(old, new).encode() + b"\0", np.uint8)
    return damage


def resized(name, rows):
    def damage(file, _):
        file[name].resize(rows, axis=0)
    return damage


def stored_outside(file, path):
    """The numbers of the records' times would be those of any file."""
    del file[RUN + "/t"]
    space = h5py.h5s.create_simple((401,))
    layout = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    layout.set_external(str(path.parent / "secret").encode(), 0, h5py.h5f.UNLIMITED)
    h5py.h5d.create(file[RUN].id, b"t", h5py.h5t.NATIVE_DOUBLE, space, layout)
    (path.parent / "secret").write_bytes(bytes(8 * 401))


def virtual(file, path):
    del file[RUN + "/t"]
    layout = h5py.VirtualLayout(shape=(401,), dtype="f8")
    layout[:] = h5py.VirtualSource(str(path.parent / "other.h5"), RUN + "/t", shape=(401,))
    file[RUN].create_virtual_dataset("t", layout)


DAMAGE = {
    "a run is gone": without(RUN),
    "no runs": without("runs"),
    "times are gone": without(RUN + "/t"),
    "positions are gone": without(RUN + "/q"),
    "an integral is gone": without(RUN + "/integrals/driver_energy"),
    "a section is gone": without(RUN + "/sections/upright"),
    "no state": without(RUN + "/state"),
    "no position in the state": without(RUN + "/state/q"),
    "no carries in the state": without(RUN + "/state/v_carry"),
    "no energy in the state": without(RUN + "/state/energy"),
    "a run is a table": replaced(RUN, data=np.zeros(3)),
    "the state is a number": replaced(RUN + "/state", data=np.zeros(3)),
    "a position too many": replaced(RUN + "/state/q", data=np.zeros(4)),
    "a position too few": replaced(RUN + "/state/q", data=np.zeros(2)),
    "no velocities": replaced(RUN + "/state/v", data=np.zeros(0)),
    "a long energy": replaced(RUN + "/state/energy", data=np.zeros(4)),
    "a short energy": replaced(RUN + "/state/energy", data=np.zeros(2)),
    "no time": replaced(RUN + "/state/t", data=np.zeros(0)),
    "a huge state": replaced(RUN + "/state/q", (400000000,), "f8"),
    "a state of texts": replaced(RUN + "/state/q", data=np.array([b"one", b"two", b"six"])),
    "a state in half precision": replaced(RUN + "/state/q", data=np.zeros(3, "f4")),
    "a state of three dimensions": replaced(RUN + "/state/q", data=np.zeros((3, 1, 1))),
    "whole numbers as times": replaced(RUN + "/t", data=np.zeros(401, "i8")),
    "a table of times": replaced(RUN + "/t", data=np.zeros((401, 2))),
    "rows that are not stored": replaced(RUN + "/t", (400000000,), "f8", chunks=(1024,), maxshape=(None,)),
    "packed zeros": replaced(RUN + "/q", data=np.zeros((401, 3)), chunks=(401, 3), compression="gzip"),
    "a column too many": replaced(RUN + "/q", data=np.zeros((401, 4))),
    "fewer times": resized(RUN + "/t", 10),
    "fewer velocities": resized(RUN + "/v", 10),
    "a linked run": linked(RUN, h5py.ExternalLink("other.h5", RUN)),
    "a linked state": linked(RUN + "/state", h5py.ExternalLink("other.h5", RUN + "/state")),
    "linked times": linked(RUN + "/t", h5py.ExternalLink("other.h5", RUN + "/t")),
    "velocities that are positions": hard_linked(RUN + "/v", RUN + "/q"),
    "a carry that is another": hard_linked(RUN + "/state/q_carry", RUN + "/state/v_carry"),
    "a state that is elsewhere, too": hard_linked(RUN + "/state_of_old", RUN + "/state"),
    "a run that is elsewhere, too": hard_linked("runs/0002", RUN),
    "a circle of links": linked(RUN + "/t", h5py.SoftLink("/" + RUN + "/t")),
    "times outside": stored_outside,
    "virtual times": virtual,
    "records at no distance": attribute(RUN, "record_every", np.uint64(0)),
    "many distances": attribute(RUN, "record_every", np.full(100000, 3, "u8")),
    "a text as distance": attribute(RUN, "record_every", "three"),
    "many counts of steps": attribute(RUN + "/state", "steps", np.full(100000, 3, "u8")),
    "no count of steps": without_attribute(RUN + "/state", "steps"),
    "more steps than records": attribute(RUN + "/state", "steps", np.uint64(2**63)),
    "an unknown status": attribute(RUN, "status", "fine"),
    "a number as status": attribute(RUN, "status", 1.0),
    "no seconds": without_attribute(RUN, "seconds"),
    "many seconds": attribute(RUN, "seconds", np.zeros(5000)),
    "no study": without_attribute("/", "study"),
    "a study of numbers": attribute("/", "study_utf8", np.zeros(7)),
    "a cut study": attribute("/", "study_utf8", np.frombuffer(b"problem = \"pend", np.uint8)),
}
# A file that is whole, and says two things; and what is said of both.
CONTRADICTIONS = {
    "a state of fewer steps": (attribute(RUN + "/state", "steps", np.uint64(399)), ["399 steps", "40"]),
    "another time of the state": (changed(RUN + "/state/t", 0, lambda t: 39.0), ["39", "40", "400 steps"]),
    "another time of the last values": (changed(RUN + "/state/final_t", 0, lambda t: 39.0), ["t is 39", "40"]),
    "a position of the state": (changed(RUN + "/state/q", 0, lambda q: q + 1e-12), ["x1 is", "the state"]),
    "a velocity of the state": (changed(RUN + "/state/v", 2, lambda v: v + 1e-12), ["xi_dot is", "the state"]),
    "a turn of an angle": (changed(RUN + "/state/turns", 2, lambda n: n + 1), ["xi is", "the state"]),
    "the last record": (changed(RUN + "/v", (400, 0), lambda v: 2 * v), ["x1_dot is", "record"]),
    "the last multiplier": (changed(RUN + "/lambda", (400, 0), lambda v: v + 1), ["lambda_1 is", "the last record"]),
    "the first record": (changed(RUN + "/q", (0, 2), lambda q: q + 1), ["xi is", "the first record"]),
    "records twice as far apart": (attribute(RUN, "record_every", np.uint64(2)), ["0.1", "0.2", "a record every 2"]),
    "a time that goes back": (changed(RUN + "/t", 7, lambda t: 0.05), ["0.05", "0.7", "record 8"]),
    "a time that is none": (changed(RUN + "/t", 7, lambda t: np.nan), ["nan", "0.7", "record 8"]),
    "another step in the study": (other_study("step = 0.1", "step = 0.2"), ['"step" is 0.1 in the run, and 0.2 in the study']),
    "more steps in the study": (other_study("steps = 400", "steps = 500"), ['"steps_requested" is 400 in the run, and 500 in the study']),
    "another method in the study": (other_study('name = "dla"', 'name = "leapfrog"'), ['"dla"', '"leapfrog"']),
    "another start in the study": (other_study('name = "rotating"', 'name = "oscillating"'), ['"rotating"', '"oscillating"']),
    "another parameter": (attribute(RUN + "/parameters", "epsilon", 0.25), ['"epsilon" is 0.25 in the run']),
    "another problem": (attribute(RUN, "problem", "pendulum"), ['"problem" is "pendulum" in the run, and "pendulum-cvt" in the study']),
    "another count of steps": (attribute(RUN, "steps", np.uint64(7)), ['"steps" is 7 in the run, and 400 in the state']),
    "a name of a dimension": (changed(RUN + "/position", 1, lambda name: "x9"), ['name 2 is "x9" in "position", and "x2" in the study']),
    "a name of another dimension": (changed(RUN + "/multiplier", 0, lambda name: ""), ['name 1 is "" in "multiplier"']),
    "a dimension too short": (replaced(RUN + "/velocity", data=["x1_dot"], dtype=h5py.string_dtype()), ['name 2 is missing in "velocity"']),
    "a dimension of numbers": (replaced(RUN + "/velocity", data=np.zeros(3)), ['"velocity" is no list of texts']),
    "names of columns": (attribute(RUN + "/q", "names", np.array(["x1", "xi", "x2"], object)), ['name 2 is "xi" in "q", and "x2" in the study']),
}
BYTES = {
    "nothing": lambda data: b"",
    "half": lambda data: data[:len(data) // 2],
    "no text": lambda data: b"t,q,v\n" * 1000,
    "another begin": lambda data: bytes(8) + data[8:],
    "zeros at the end": lambda data: data[:-5000] + bytes(5000),
    "zeros in the middle": lambda data: data[:len(data) // 3] + bytes(3000) + data[len(data) // 3 + 3000:],
    "a circle in the texts": lambda data: re.sub(rb"(GCOL.{12})(?:.{4072})?", circle, data, flags=re.DOTALL),
    # These begin at an odd byte.
    "a circle in the last texts": lambda data: data[:data.rindex(b"GCOL")] + circle_in(data[data.rindex(b"GCOL"):]),
}


def circle_in(data):
    return data[:16] + bytes(16) + data[32:]


def circle(found):
    """A heap of texts whose first part is free and of length zero."""
    return found.group(1) + bytes(len(found.group(0)) - 16)


def result_of(study, command, directory):
    """The path of a result file that is as it should be."""
    from conftest import Program

    program = Program(directory)
    program.write("s.toml", study)
    program.good(command, "s.toml", "--out", "r.h5")
    return program.directory / "r.h5"


@pytest.fixture(scope="module")
def good_file(tmp_path_factory):
    return result_of(STUDY, "run", tmp_path_factory.mktemp("good"))


def with_little_memory():
    """The program may have a gigabyte; with the address sanitizer, which reserves terabytes, it has what it asks for."""
    if "ASAN_OPTIONS" not in os.environ:
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


def refused(program, *arguments):
    """One sentence with the name of the file, code 4, and little memory."""
    result = program.run(*arguments, preexec_fn=with_little_memory)
    lines = [line for line in result.stderr.splitlines() if line.startswith("dalembert: ")]
    assert result.returncode in (2, 4) and len(lines) == 1 and "r.h5" in lines[0], result
    return result.returncode, lines[0]


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_forged_file_is_refused(program, good_file, damage):
    path, other = program.directory / "r.h5", program.directory / "other.h5"
    shutil.copy(good_file, path)
    shutil.copy(good_file, other)
    with h5py.File(path, "r+") as file:
        DAMAGE[damage](file, path)
    before = path.read_bytes()
    for words in (("plot", "r.h5", "--plot", "p.svg"), ("resume", "r.h5", "--until", "50")):
        code, sentence = refused(program, *words)
        assert code == 4 or damage == "a cut study", sentence
    assert path.read_bytes() == before and other.read_bytes() == good_file.read_bytes()
    assert not (program.directory / "p.svg").exists()


@pytest.mark.parametrize("damage", CONTRADICTIONS)
def test_a_file_that_contradicts_itself_is_refused_with_both_values(program, good_file, damage):
    path, (change, words) = program.directory / "r.h5", CONTRADICTIONS[damage]
    shutil.copy(good_file, path)
    with h5py.File(path, "r+") as file:
        change(file, path)
    before = path.read_bytes()
    for command in (("plot", "r.h5", "--plot", "p.svg"), ("resume", "r.h5")):
        code, sentence = refused(program, *command)
        assert code == 4 and RUN in sentence and all(word in sentence for word in words), sentence
    if "of the study" not in damage and damage not in ("more steps in the study", "another count of steps"):
        assert refused(program, "resume", "r.h5", "--until", "50")[0] == 4
    assert path.read_bytes() == before
    assert sorted(found.name for found in program.directory.iterdir()) == ["r.h5"]


def test_wrong_numbers_of_columns_are_named_before_anything_goes_on(program, good_file):
    path = program.directory / "r.h5"
    for name, columns, right in ((RUN + "/q", 4, 3), (RUN + "/v", 2, 3), (RUN + "/lambda", 2, 1), (RUN + "/energy", 2, 1)):
        shutil.copy(good_file, path)
        with h5py.File(path, "r+") as file:
            replaced(name, data=np.zeros((401, columns)), chunks=(401, columns), maxshape=(None, columns))(file, path)
        _, sentence = refused(program, "resume", "r.h5", "--until", "50")
        assert f"{columns} columns, where there should be {right}" in sentence


@pytest.mark.parametrize("damage", BYTES)
def test_a_damaged_file_is_refused(program, good_file, damage):
    path, good = program.directory / "r.h5", good_file.read_bytes()
    path.write_bytes(BYTES[damage](good))
    assert path.read_bytes() != good
    for words in (("plot", "r.h5", "--plot", "p.svg"), ("resume", "r.h5", "--until", "50")):
        assert refused(program, *words)[0] == 4


def test_any_changed_byte_of_a_state_or_record_is_noticed(program, good_file):
    path, good = program.directory / "r.h5", good_file.read_bytes()
    with h5py.File(good_file) as file:
        numbers = [file[RUN + "/" + name][()] for name in ("state/q", "state/v_carry", "v", "t")]
    for values in numbers:
        at = good.find(values.tobytes()[:24])
        assert at > 0
        path.write_bytes(good[:at + 7] + bytes([good[at + 7] ^ 1]) + good[at + 8:])
        assert refused(program, "plot", "r.h5", "--plot", "p.svg")[0] == 4


def test_a_pipe_or_a_directory_is_no_result(program):
    (program.directory / "r.h5").mkdir()
    assert refused(program, "plot", "r.h5", "--plot", "p.svg")[0] == 4
    assert refused(program, "resume", "r.h5")[0] == 4


def test_a_file_of_version_0_1_may_be_ahead_of_its_state_and_end_at_a_whole_step(program):
    """Its rows were flushed before its state, and 40.04 was 400 steps of 0.1 and no more."""
    program.write("s.toml", STUDY.replace("steps = 400", "until = 40.04"))
    program.good("run", "s.toml", "--out", "long.h5")
    program.good("run", "s.toml", "--set", "run.until=30", "--out", "r.h5")
    path = program.directory / "r.h5"
    with h5py.File(program.directory / "long.h5") as source, h5py.File(path, "r+") as file:
        file.attrs["format"] = np.uint64(1)
        file.attrs["study"] = source.attrs["study"]
        del file.attrs["study_utf8"]
        file[RUN].attrs["status"] = "interrupted"
        file[RUN].attrs["steps_requested"] = np.uint64(400)
        for name in ("t", "q", "v", "lambda", "energy", "constraint", "integrals/driver_energy", "integrals/passenger_energy"):
            file[RUN + "/" + name].resize(401, axis=0)
            file[RUN + "/" + name][()] = source[RUN + "/" + name][:401]
    program.good("plot", "r.h5", "--plot", "p.svg")
    program.good("resume", "r.h5")
    with h5py.File(program.directory / "long.h5") as whole, h5py.File(path) as file:
        for name in ("t", "q", "v", "state/q", "state/v"):
            assert np.array_equal(whole[RUN + "/" + name], file[RUN + "/" + name]), name


def in_an_old_format(path, new):
    """A copy as version 0.1 would have stored it: HDF5's formats before 1.10 have no checksums of what is not data."""
    def copied(name, source):
        if isinstance(source, h5py.Dataset):
            target.create_dataset(name, data=source[()], chunks=source.chunks, maxshape=source.maxshape,
                                  fletcher32=source.fletcher32)
        elif name != "/":
            target.create_group(name)
        for key, value in source.attrs.items():
            target[name].attrs[key] = value

    with h5py.File(path, "r") as file, h5py.File(new, "w", libver=("earliest", "v108")) as target:
        copied("/", file)
        file.visititems(copied)


def test_damaged_files_of_old_formats_never_crash_the_program(program, good_file):
    path, old = program.directory / "r.h5", program.directory / "old.h5"
    in_an_old_format(good_file, old)
    good = old.read_bytes()
    assert good[8] == 0
    shutil.copy(old, path)
    program.good("plot", "r.h5", "--plot", "good.svg")
    program.good("resume", "r.h5", "--until", "50")
    random = np.random.default_rng(8)
    for trial in range(120):
        data = bytearray(good)
        # Half of them where the descriptions of groups and data sets begin.
        for place in random.integers(8, len(data) if trial % 2 else 8192, size=random.integers(1, 12)):
            data[place] = random.choice([0, 1, 255, random.integers(256)])
        path.write_bytes(data)
        result = program.run("plot", "r.h5", "--plot", "p.svg", "--force", preexec_fn=with_little_memory)
        lines = [line for line in result.stderr.splitlines() if line.startswith("dalembert: ")]
        assert result.returncode in (0, 2, 4) and len(lines) == (result.returncode != 0), (trial, result)


@pytest.mark.parametrize("name, value, words", [
    ("format", np.uint64(3), ["in format 3", "reads formats up to 2"]),
    ("dalembert", "1.0.0", ["dalembert 1.0.0 has written it"]),
])
def test_a_file_of_a_later_version_is_refused(program, good_file, name, value, words):
    path = program.directory / "r.h5"
    shutil.copy(good_file, path)
    with h5py.File(path, "r+") as file:
        attribute("/", name, value)(file, path)
    before = path.read_bytes()
    for command in (("plot", "r.h5", "--plot", "p.svg"), ("resume", "r.h5", "--until", "50"), ("export", "r.h5", "--json", "r.json"), ("animate", "r.h5", "--out", "a.html")):
        code, sentence = refused(program, *command)
        assert code == 4 and all(word in sentence for word in words), sentence
    assert path.read_bytes() == before
