"""States of a stored result between its records are those of a run that records there."""

import csv

import numpy as np
import pytest

from conftest import PENDULUM

pytestmark = pytest.mark.proof

AT = '0.05,0.5,1.333,"pi/2",2.97'


def tables(program, directory):
    found = []
    for path in sorted((program.directory / directory).glob("*.csv")):
        with open(path) as file:
            found.append(list(csv.reader(file)))
    return found


def table(program, directory):
    (found,) = tables(program, directory)
    return found


def between_records(program, *words, at=AT, every=1):
    """Rows at these times of a run that recorded them, without its start and its end, and of a stored run."""
    program.good("run", *words, "--set", f"run.record_every={every}", "--out", "r.h5", "--force")
    program.good("run", *words, "--at", at, "--csv", "recorded", "--force")
    program.good("export", "r.h5", "--at", at, "--csv", "exported", "--force")
    recorded, exported = table(program, "recorded"), table(program, "exported")
    return [recorded[0], *recorded[2:-1]], exported


def worst(one, other):
    a, b = (np.array(rows[1:], dtype=float) for rows in (one, other))
    return np.max(abs(a - b) / (1 + abs(b)))


@pytest.mark.parametrize("every", [1, 7])
@pytest.mark.parametrize("method", ["lobatto", "leapfrog", "dla", "reduced-gradient", "gauss", "fehlberg-78(tolerance=1e-9)"])
def test_rows_between_records_have_the_bits_of_a_run_that_records_them(program, method, every):
    """Where Newton's iteration begins is not recorded: where it remembers steps before, 7 of them differ by some units in the last place."""
    words = ("pendulum-cvt", "--start", "oscillating", "--method", method, "--step", "0.1", "--until", "3")
    recorded, exported = between_records(program, *words, every=every)
    assert len(exported) == 6
    if method == "reduced-gradient" and every > 1:
        assert 0 < worst(exported, recorded) < 64 * 2.3e-16
    else:
        assert exported == recorded


@pytest.mark.parametrize("every", [1, 7])
def test_a_method_with_data_of_its_steps_is_interpolated_with_the_same_bits(program, every):
    words = (f"./{program.write('pendulum.toml', PENDULUM)}", "--method", "shake", "--step", "0.1", "--until", "3")
    recorded, exported = between_records(program, *words, every=every)
    assert len(exported) == 6 and exported == recorded


def test_columns_of_contacts_and_quantities_are_there(program):
    study = program.write("coin.toml", 'problem = "rolling-coin"\n[initial]\nname = "wobbling"\n[run]\nstep = 0.05\nuntil = 3\n'
                          '[[method]]\nname = "lobatto"\n[[diagnostic]]\nkind = "constraint-rate"\nname = "rate"\n')
    recorded, exported = between_records(program, study, at="0.02,0.33,0.77", every=5)  # no angle has turned yet
    assert {"ground_gap", "ground_normal_force", "rate"} <= set(exported[0])
    # Last digits depend on where iterations begin; forces are impulses over h = 0.05.
    assert worst(exported, recorded) < 64 * 2.3e-16 / 0.05


def test_elements_of_groups_are_stepped_to(program):
    recorded, exported = between_records(program, "rigid-body-so3", "--method", "lie-lobatto", "--step", "0.1", "--until", "3", every=4)
    assert worst(exported, recorded) < 64 * 2.3e-16  # last digits depend on where iterations begin


@pytest.mark.parametrize("compensated", ["true", "false"])
def test_angles_that_have_turned_are_known_to_their_round_off(program, compensated):
    """A record holds an unwrapped angle of size 30 to 4e-15; a multiplier is an impulse over h = 0.1, and 7 steps make errors a few times larger."""
    words = ("pendulum-cvt", "--start", "rotating", "--method", "lobatto", "--step", "0.1", "--until", "12",
             "--set", f"run.compensated={compensated}")
    recorded, exported = between_records(program, *words, at="9.87,11.11", every=7)
    assert worst(exported, recorded) < 1e-12


def test_times_between_the_last_step_and_the_end_and_the_end_itself(program):
    words = ("pendulum-cvt", "--start", "oscillating", "--method", "lobatto", "--step", "0.1", "--until", "1.27")
    program.good("run", *words, "--out", "r.h5")
    program.good("run", *words, "--at", "1.23", "--csv", "recorded")
    program.good("export", "r.h5", "--at", "1.27,1.23,1.27", "--csv", "exported")
    recorded, exported = table(program, "recorded"), table(program, "exported")
    assert exported[1:] == [recorded[3], recorded[2], recorded[3]]


def test_one_time_does_not_depend_on_the_others(program):
    words = ("pendulum-cvt", "--start", "rotating", "--method", "lobatto", "--step", "0.1", "--until", "12",
             "--set", "run.record_every=9")
    program.good("run", *words, "--out", "r.h5")
    program.good("export", "r.h5", "--at", "8.85,8.87,8.9,9.4", "--csv", "many")
    program.good("export", "r.h5", "--at", "9.4", "--csv", "one")
    assert table(program, "many")[-1] == table(program, "one")[1]


def test_rows_at_multiples_up_to_the_end_of_each_run(program, study):
    program.good("run", study, "--out", "r.h5")
    program.good("export", "r.h5", "--every", "0.75", "--csv", "rows")
    for rows in tables(program, "rows"):
        assert [float(row[0]) for row in rows[1:]] == [0.75 * i for i in range(7)]


def test_a_resumed_result_gives_the_same_rows(program):
    words = ("run", "pendulum-cvt", "--start", "oscillating", "--method", "lobatto", "--step", "0.1", "--set", "run.record_every=6")
    program.good(*words, "--until", "5", "--out", "whole.h5")
    program.good(*words, "--until", "2.33", "--out", "part.h5")
    program.good("resume", "part.h5", "--until", "5")
    for name in ("whole", "part"):
        program.good("export", f"{name}.h5", "--at", "1.1,2.37,4.99", "--csv", name)
    assert table(program, "whole") == table(program, "part")


def test_what_cannot_be_had_is_said(program, study):
    program.good("run", study, "--out", "r.h5")
    sentence = program.refuses(2, "export", "r.h5", "--at", "3,5.2", "--csv", "rows")
    assert "t = 5.2 is outside of what run 0001 (dla(alpha=0.4)" in sentence and "0 <= t <= 5" in sentence
    assert "-1 is outside" in program.refuses(2, "export", "r.h5", "--at=-1", "--csv", "rows")
    assert not (program.directory / "rows").exists()
    assert "give --csv DIR" in program.refuses(2, "export", "r.h5", "--at", "3")
    assert "give --csv DIR" in program.refuses(2, "export", "r.h5", "--at", "3", "--csv", "rows", "--json", "-")
    assert "list of times" in program.refuses(2, "export", "r.h5", "--at", "soon", "--csv", "rows")
    assert "positive number" in program.refuses(2, "export", "r.h5", "--every", "0", "--csv", "rows")
    assert "at most" in program.refuses(2, "export", "r.h5", "--every", "1e-12", "--csv", "rows")
    many = program.write("many.toml", 'problem = "chaotic"\n[run]\nstep = 0.1\nuntil = 1\n[ensemble]\nsize = 6\nseed = 1\n'
                         'energy = 3.06\n[[method]]\nname = "dla01"\n')
    program.good("run", many, "--out", "many.h5")
    assert "holds an ensemble" in program.refuses(2, "export", "many.h5", "--at", "0.55", "--csv", "rows")
