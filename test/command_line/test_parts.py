"""Ensembles in parts: computed apart, killed, continued and put together, with the bits of the whole."""

import subprocess

import h5py
import numpy as np
import pytest

from conftest import PROGRAM, wait_for_rows
from test_ensembles import CLIFF, ENSEMBLE

pytestmark = pytest.mark.proof

QUANTILES = slice(5, 10)


def study(size=100, **changes):
    text = ENSEMBLE.replace("size = 30", f"size = {size}")
    for old, new in changes.items():
        text = text.replace(f"{old} = ", f"{old} = {new} # ")
    return text


@pytest.fixture
def ensemble(program):
    return program.write("ensemble.toml", study())


def compute_parts(program, words, of):
    files = []
    for number in range(1, of + 1):
        files.append(f"part-{number}.h5")
        program.run("ensemble", *words, "--part", f"{number}/{of}", "--out", files[-1], "--threads", number)
    return files


def everything(path):
    """All data sets and attributes of a result but the time that it took, and what code took it."""
    found = {}

    def add(name, item):
        for key, value in item.attrs.items():
            if not key.startswith("seconds") and key != "code":
                found[f"{name} {key}"] = np.asarray(value)
        if isinstance(item, h5py.Dataset):
            found[name] = item[()]

    with h5py.File(path) as file:
        add("", file)
        file.visititems(add)
    return found


def check_same(program, one, other, without=()):
    a, b = everything(program.directory / one), everything(program.directory / other)
    assert a.keys() == b.keys()
    for name, values in a.items():
        if name.rsplit("/")[-1] in without:
            continue
        same = values.shape == b[name].shape and (values == b[name]) | ((values != values) & (b[name] != b[name]))
        assert np.all(same), name


@pytest.mark.parametrize("of", [1, 2, 5, 7])
@pytest.mark.parametrize("until", ["30.0", "7.25"])  # at a node, and between two
def test_merged_parts_are_the_file_of_the_whole(program, ensemble, of, until):
    words = (ensemble, "--until", until)
    assert not program.good("ensemble", *words, "--out", "whole.h5", "--threads", 2).stderr
    files = compute_parts(program, words, of)
    program.good("merge", *reversed(files), "--out", "merged.h5")
    check_same(program, "whole.h5", "merged.h5")


def test_records_at_given_times_and_members_one_by_one(program):
    q = ", ".join(f"[{0.01 * i}]" for i in range(40))
    text = CLIFF.replace("size = 40\n", "").replace('q = ["a"]\nv = [0]', f"q = [{q}]\nv = [{q}]")
    text = text.replace("[ensemble.random]\na = { uniform = [0.5, 1.5] }\n", "")
    words = (program.write("rows.toml", text), "--at", "0.25,1.11,19.99")
    program.good("ensemble", *words, "--out", "whole.h5")
    program.good("merge", *compute_parts(program, words, 3), "--out", "merged.h5")
    check_same(program, "whole.h5", "merged.h5")


def test_refused_members_have_their_numbers_and_sentences(program):
    """On the cliff many members fail in a step; from a level of energy some have no start."""
    words = (program.write("cliff.toml", CLIFF),)
    whole = program.refuses(3, "ensemble", *words, "--out", "whole.h5")
    files = compute_parts(program, words, 3)
    assert program.refuses(3, "merge", *files, "--out", "merged.h5") == whole
    check_same(program, "whole.h5", "merged.h5")
    last = program.run("ensemble", *words, "--part", "3/3", "--json", "-")
    assert '"first_member":16,' in program.run("ensemble", *words, "--part", "2/3", "--json", "-").stdout
    with h5py.File(program.directory / "whole.h5") as file:
        failed = np.flatnonzero(file["runs/0001/members/failed_in_step"][:])
    assert f"member {min(n for n in failed if n >= 32)}: " in last.stderr

    text = CLIFF.replace("[ensemble.random]", "energy = 0.2\nattempts = 1\n[ensemble.random]").replace("\nv = [0]", "")
    words = (program.write("level.toml", text),)
    whole = program.refuses(3, "ensemble", *words, "--out", "whole.h5", "--force")
    with h5py.File(program.directory / "whole.h5") as file:
        assert np.any(file["runs/0001/members/failed_in_step"][:] == -1)
    files = compute_parts(program, words, 3)
    assert program.refuses(3, "merge", *files, "--out", "merged.h5") == whole
    check_same(program, "whole.h5", "merged.h5")


def test_what_the_method_leaves_open_is_decided_by_the_first_member_of_all(program):
    """A rule of quadrature is chosen on the way from the first start: alone, the last members would take more nodes."""
    text = CLIFF.replace('name = "gauss"', 'name = "energy-collocation"').replace("x^2/2 - x^4/4", "sqrt(0.01 + x^2)").replace("20.0", "2.0")
    text = text.replace("size = 40\n", "").replace("[ensemble.random]\na = { uniform = [0.5, 1.5] }\n", "")

    def rows(near, far):
        members = ["[0.001]"]*near + ["[2.0]"]*far
        return text.replace('q = ["a"]\nv = [0]', f"q = [{', '.join(members)}]\nv = [{', '.join(['[0]']*len(members))}]")

    words = (program.write("far.toml", rows(0, 16)),)
    assert program.json("ensemble", *words)["runs"][0]["method"]["quadrature"] == 16
    words = (program.write("open.toml", rows(32, 16)),)
    program.good("ensemble", *words, "--out", "whole.h5")
    with h5py.File(program.directory / "whole.h5") as file:
        assert '"quadrature":"auto"' in file["runs/0001"].attrs["method"]
    program.good("merge", *compute_parts(program, words, 3), "--out", "merged.h5")
    check_same(program, "whole.h5", "merged.h5")


def test_a_killed_part_goes_on(program, ensemble):
    words = (ensemble, "--set", "run.steps=40000", "--set", 'method=[{name="dla01"}]', "--set", "run.record_every=400")
    program.good("ensemble", *words, "--out", "whole.h5")
    files = compute_parts(program, words, 2)
    (program.directory / "part-2.h5").unlink()
    process = subprocess.Popen([PROGRAM, "ensemble", *words, "--part", "2/2", "--out", "part-2.h5"], cwd=program.directory,
                               env={"DALEMBERT_FLUSH_SECONDS": "0"})
    wait_for_rows(program.directory / "part-2.h5")
    process.kill()
    process.communicate()
    with h5py.File(program.directory / "part-2.h5") as file:
        is_killed = file["runs/0001"].attrs["status"] == "interrupted"
    if is_killed:
        sentence = program.refuses(2, "merge", *files, "--out", "merged.h5")
        assert '"part-2.h5"' in sentence and "resume" in sentence
    program.good("resume", "part-2.h5")
    program.good("merge", *files, "--out", "merged.h5")
    check_same(program, "whole.h5", "merged.h5", without=("0001 member_steps",))  # those after the last flush were taken again


def test_merged_and_parts_are_ordinary_results(program, ensemble):
    program.good("ensemble", ensemble, "--out", "whole.h5", "--until", 50)
    files = compute_parts(program, (ensemble,), 3)
    program.good("merge", *files, "--out", "merged.h5")
    program.good("resume", "merged.h5", "--until", 50)
    check_same(program, "whole.h5", "merged.h5")
    for file in files:
        program.good("resume", file, "--until", 50)
    program.good("merge", *files, "--out", "longer.h5", "--json", "longer.json", "--csv", "rows", "--plot", "longer.svg")
    check_same(program, "whole.h5", "longer.h5")
    assert (program.directory / "longer.json").stat().st_size > 0 and (program.directory / "longer.svg").stat().st_size > 0
    assert len(list((program.directory / "rows").glob("*.members.csv"))) == 2
    program.good("export", "part-2.h5", "--csv", "of-part", "--json", "of-part.json")
    members = next((program.directory / "of-part").glob("*.members.csv")).read_text().splitlines()
    assert members[1].startswith("32,")
    program.good("plot", "part-2.h5", "--plot", "part.svg", "--force")
    assert "warning: without --out a part leaves nothing" in program.good("ensemble", ensemble, "--part", "1/3").stderr


@pytest.mark.slow
def test_large_ensembles_lose_their_quantiles_and_nothing_else(program):
    """2^25 values of members are kept at most: 12000 x 1001 x 3 are more."""
    words = (program.write("large.toml", study(12000).replace("record_every = 10", "record_every = 1")), "--set",
             'method=[{name="dla01"}]', "--steps", 1000)
    program.good("ensemble", *words, "--out", "whole.h5", "--threads", 2)
    files = compute_parts(program, words, 2)
    assert "quantiles are left out" in program.good("merge", *files, "--out", "merged.h5").stderr
    a, b = everything(program.directory / "whole.h5"), everything(program.directory / "merged.h5")
    for name, values in a.items():
        if name.startswith("runs/0001/statistics/") and values.ndim == 2:
            assert np.all(np.isnan(b[name][:, QUANTILES])) and np.all(np.isfinite(values[:, QUANTILES]))
            values[:, QUANTILES] = b[name][:, QUANTILES] = 0
        assert np.array_equal(values, b[name]) if values.dtype.kind in "SOU" else np.array_equal(values, b[name], True), name


def test_parts_that_do_not_fit_are_named(program, ensemble):
    files = compute_parts(program, (ensemble,), 5)
    missing = program.refuses(2, "merge", *files[:2], "--out", "m.h5")
    assert "parts 3 to 5 of 5 are missing" in missing
    assert "part 2 of 5 is missing" in program.refuses(2, "merge", files[0], *files[2:], "--out", "m.h5")
    twice = program.refuses(2, "merge", *files, files[1], "--out", "m.h5")
    assert twice.count("part-2.h5") == 2 and "2/5" in twice
    program.good("ensemble", ensemble, "--part", "3/6", "--out", "other.h5")
    other = program.refuses(2, "merge", *files[:2], "other.h5", "--out", "m.h5")
    assert "other.h5" in other and "3/6" in other
    program.good("ensemble", ensemble, "--part", "3/5", "--seed", 2, "--out", "seed.h5")
    seed = program.refuses(2, "merge", *files[:2], "seed.h5", *files[3:], "--out", "m.h5")
    assert "seed.h5" in seed and "seed = 1" in seed and "seed = 2" in seed
    unseeded = program.write("unseeded.toml", study().replace("seed = 1\n", ""))
    program.good("ensemble", unseeded, "--part", "3/5", "--out", "seed.h5", "--force")
    assert program.refuses(2, "merge", *files[:2], "seed.h5").endswith(': only "part-1.h5" has the line seed = 1')
    program.good("ensemble", ensemble, "--out", "whole.h5")
    assert '"whole.h5" is no part' in program.refuses(2, "merge", "whole.h5", *files)
    assert "nowhere.h5" in program.refuses(4, "merge", "nowhere.h5")
    assert '"part-1.h5"' in program.refuses(2, "merge", *files, "--out", "part-1.h5")


@pytest.mark.parametrize("part, words", {
    "0/5": ["must be", "0/5"], "6/5": ['--part cannot be 6/5: there is no part 6 of 5'], "3": ["3/64", '"3"'], "a/b": ["a/b"], "1/8": ["100 members", "at most 7 parts"],
    "-1/2": ["-1/2"], "1/2/3": ["1/2/3"],
}.items())
def test_wrong_parts(program, ensemble, part, words):
    sentence = program.refuses(2, "ensemble", ensemble, "--part", part)
    assert "--part" in sentence and all(word in sentence for word in words), sentence
