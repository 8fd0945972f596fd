"""What is there is never lost: inputs, files of others, links, devices, and long results."""

import os
import stat
import subprocess

import h5py
import pytest

from conftest import PROGRAM

pytestmark = pytest.mark.proof

OPTIONS = {"--out": "r.h5", "--json": "r.json", "--plot": "r.svg"}


@pytest.mark.parametrize("option", ["--out", "--json"])
def test_a_file_that_is_read_is_not_written(program, study, tmp_path, option):
    before = (tmp_path / study).read_bytes()
    result = program.run("run", study, option, study)
    assert result.returncode == 2
    assert f'{option} "{study}" is a file that this command reads' in result.stderr
    assert (tmp_path / study).read_bytes() == before


def test_a_problem_that_is_read_is_not_written_through_a_link(program, tmp_path, study):
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / study)
    before = (tmp_path / study).read_bytes()
    result = program.run("run", study, "--json", link)
    assert result.returncode == 2 and "is a file that this command reads" in result.stderr
    assert (tmp_path / study).read_bytes() == before


def test_two_outputs_need_two_files(program, study, tmp_path):
    one = tmp_path / "one.svg"
    result = program.run("run", study, "--json", one, "--plot", tmp_path / "." / "one.svg")
    assert result.returncode == 2
    assert "is also written by --json" in result.stderr
    assert not one.exists()


@pytest.mark.parametrize("option", OPTIONS)
def test_a_foreign_file_needs_force(program, study, tmp_path, option):
    path = tmp_path / OPTIONS[option]
    path.write_text("my notes\n")
    result = program.run("run", study, option, path)
    assert result.returncode == 2 and "--force" in result.stderr and str(path) in result.stderr
    assert path.read_text() == "my notes\n"
    assert program.run("run", study, option, path, "--force").returncode == 0
    assert path.read_bytes()[:8] != b"my notes"


@pytest.mark.parametrize("name", ["r.h5", "r.json", "r.svg", "r.png", "r.pdf"])
def test_an_own_output_is_replaced(program, study, tmp_path, name):
    option = {"h5": "--out", "json": "--json"}.get(name.split(".")[1], "--plot")
    path = tmp_path / name
    assert program.run("run", study, option, path).returncode == 0
    path.chmod(0o640)
    assert program.run("run", study, option, path).returncode == 0
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_csv_files_are_replaced_and_others_are_not(program, study, tmp_path):
    for _ in range(2):
        assert program.run("run", study, "--csv", tmp_path / "csv").returncode == 0
    path = min((tmp_path / "csv").iterdir())
    path.write_text("name,phone\nada,1\n")
    result = program.run("run", study, "--csv", tmp_path / "csv")
    assert result.returncode == 2 and path.name in result.stderr
    assert path.read_text() == "name,phone\nada,1\n"


def test_a_long_result_needs_force(program, study, tmp_path):
    path = tmp_path / "long.h5"
    assert program.run("run", study, "--out", path).returncode == 0
    with h5py.File(path, "r+") as file:
        file["runs/0001"].attrs["seconds"] = 7200.0
    before = path.read_bytes()
    result = program.run("run", study, "--out", path)
    assert result.returncode == 2
    assert "took 2.0 hours to compute" in result.stderr and "--force" in result.stderr
    assert path.read_bytes() == before
    assert program.run("run", study, "--out", path, "--force").returncode == 0


def test_links_are_followed(program, study, tmp_path):
    (tmp_path / "deep").mkdir()
    for option, name in OPTIONS.items():
        target = tmp_path / "deep" / name
        link = tmp_path / name
        link.symlink_to(target)
        assert program.run("run", study, option, link).returncode == 0
        assert link.is_symlink() and target.is_file()


def test_devices_are_written_to(program, study, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert program.run("run", study, "--json", pipe).returncode == 0
        assert stat.S_ISFIFO(pipe.stat().st_mode)
        assert os.read(reader, 20).startswith(b"{")
    finally:
        os.close(reader)
    assert program.run("run", study, "--json", "/dev/null", "--plot", "/dev/null").returncode == 2
    assert program.run("run", study, "--json", "/dev/null").returncode == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_plot_does_not_draw_over_its_result(program, study, tmp_path):
    result_file = tmp_path / "r.svg"  # an unusual name for a result
    assert program.run("run", study, "--out", tmp_path / "r.h5").returncode == 0
    (tmp_path / "r.h5").rename(result_file)
    before = result_file.read_bytes()
    result = program.run("plot", result_file, "--plot", result_file)
    assert result.returncode == 2 and "is a file that this command reads" in result.stderr
    assert result_file.read_bytes() == before


@pytest.mark.parametrize("streams", [(0,), (1,), (2,), (0, 1, 2)])
def test_standard_streams_may_be_closed(study, tmp_path, streams):
    closing = " ".join(f"{number}{'<' if number == 0 else '>'}&-" for number in streams)
    command = f"exec '{PROGRAM}' run {study} --json r.json --out r.h5 {closing}"
    assert subprocess.run(["sh", "-c", command], cwd=tmp_path, timeout=120).returncode == 0
    assert (tmp_path / "r.json").read_text().endswith("}\n")
    with h5py.File(tmp_path / "r.h5") as file:
        assert file["runs/0001"].attrs["status"] == "ok"
