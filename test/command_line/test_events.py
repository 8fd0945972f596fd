"""Events that a study or a problem has: located, with actions, at the end of runs."""

import json
import math
from pathlib import Path

import h5py
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]

# A ball on a floor, whose parabolas lobatto follows to round-off.
BALL = """
[system]
name = "ball"
coordinates = ["x", "z"]
[system.parameters]
e = { default = 0.9, min = 0, max = 1 }
[system.lagrangian]
kinetic = "(x_dot^2 + z_dot^2)/2"
potential = "z"
[initial]
q = [0, 1]
v = [1, 0]
[run]
step = 0.1
until = 10
[[event]]
name = "floor"
of = "z"
direction = "falling"
impact = { restitution = "e" }
[[event]]
name = "top"
of = "z_dot"
direction = "falling"
[[method]]
name = "lobatto"
"""

# A transmission between a wall and a change of gears.
WALL = """
problem = "pendulum-cvt"
[initial]
name = "rotating"
[run]
step = 0.05
until = 60.02
[[event]]
name = "wall"
of = "x1 - 0.9"
direction = "falling"
impact = { restitution = 1 }
[[event]]
name = "halved"
of = "sin(xi) - 0.9"
set = { xi_dot = "xi_dot*0.99" }
[[event]]
name = "passes"
of = "x2"
[[method]]
name = "lobatto"
[[method]]
name = "dla"
"""


def bounces(e, until):
    """Times and speeds before the impacts of a ball from height one."""
    t, speed, found = math.sqrt(2), math.sqrt(2), []
    while t < until:
        found.append((t, speed))
        speed *= e
        t += 2 * speed
    return found


@pytest.fixture
def ball(program):
    return program.write("ball.toml", BALL)


@pytest.fixture
def wall(program):
    return program.write("wall.toml", WALL)


def test_a_ball_bounces_when_its_parabolas_say(program, ball):
    result = program.good("run", ball, "--json", "r.json", "--out", "r.h5", "--csv", "csv")
    run = json.loads((program.directory / "r.json").read_text())["runs"][0]
    assert run["status"] == "ok" and run["ended_by"] is None
    events = run["diagnostics"]["events"]
    expected = bounces(0.9, 10)
    assert events["floor"]["count"] == len(expected) == 4 and events["top"]["count"] == 4
    for i, (t, speed) in enumerate(expected):
        # Round-off of some hundred steps.
        assert abs(events["floor"]["t"][i] - t) < 1e-13
        assert abs(events["floor"]["v"][i][1] + speed) < 1e-13
        assert abs(events["floor"]["v_after"][i][1] - 0.9 * speed) < 1e-13
        assert abs(events["top"]["t"][i] - (t + 0.9 * speed)) < 1e-13
    assert "q_after" not in events["top"] and not any(events["floor"]["rising"])
    # Impacts lose energy, which is no error, and nobody warns of it.
    assert "energy change" in result.stdout and "warning" not in result.stderr
    assert "floor" in result.stdout and "t = 1.414213562" in result.stdout
    with h5py.File(program.directory / "r.h5") as file:
        rows = file["runs/0001/events/floor"]
        assert list(rows.attrs["names"]) == ["t", "x", "z", "x_dot", "z_dot", "x_after", "z_after", "x_dot_after",
                                             "z_dot_after", "rising"]
        assert np.array_equal(rows[:, 0], events["floor"]["t"])
        assert np.array_equal(rows[:, 7:9], events["floor"]["v_after"])
        assert list(file["runs/0001/events/top"].attrs["names"]) == ["t", "x", "z", "x_dot", "z_dot", "rising"]
        assert len(file["runs/0001/t"]) == 101
    text = next((program.directory / "csv").glob("0001-*.floor.csv")).read_text().splitlines()
    assert text[0].startswith("t,x,z,x_dot,z_dot,x_after") and len(text) == 5


def test_a_run_ends_with_its_event(program, ball):
    end = ["--set", "event.0.terminal=3"]
    run = program.json("run", ball, "--out", "r.h5", *end)["runs"][0]
    t, speed = bounces(0.9, 10)[2]
    assert run["status"] == "ok" and run["ended_by"] == "floor"
    assert run["steps"] == int(t / 0.1) and abs(run["final"]["t"] - t) < 1e-13
    # The state after the impact.
    assert abs(run["final"]["v"][1] - 0.9 * speed) < 1e-13
    with h5py.File(program.directory / "r.h5") as file:
        assert file["runs/0001/t"][-1] == run["final"]["t"] and len(file["runs/0001/t"]) == run["steps"] + 2
    # It does not go on, to whatever end, and says the same of itself.
    again = program.good("resume", "r.h5", "--until", "20")
    assert "ended the run" in again.stdout
    with h5py.File(program.directory / "r.h5") as file:
        assert file["runs/0001/t"][-1] == run["final"]["t"]
    rest = program.json("run", ball, "--set", "run.until=100", "--set", "event.0.impact.rest=1e-4")["runs"][0]
    assert rest["ended_by"] == "floor" and rest["final"]["v"][1] < 1e-4
    assert abs(rest["final"]["t"] - (math.sqrt(2) * (1 + 2 * 0.9 / 0.1))) < 3e-3


def test_events_can_be_left_out_and_their_times_drawn(program, ball):
    """Without events a ball falls on; the time at which one has ended a run is its final t."""
    words = ("bouncing-disk", "--method", "lobatto", "--step", "0.05", "--until", "3", "--start", "thrown")
    assert program.json("run", *words)["runs"][0]["diagnostics"]["events"]
    run, = program.json("run", *words, "--no-events")["runs"]
    assert run["status"] == "ok" and not run["diagnostics"].get("events")
    fall = program.write("fall.toml", """
coordinates = ["x"]
[parameters]
g = 2
[lagrangian]
kinetic = "x_dot^2/2"
potential = "g*x"
[initial.high]
q = [1]
v = [0]
[[event]]
name = "ground"
of = "x"
terminal = true
""")
    program.good("run", fall, "--method", "gauss", "--step", "0.1", "--until", "9", "--sweep", "parameters.g=[0.5,2,8]", "--plot", "t.svg",
                 "--final", "t", "--against", "g")
    ends = [run["final"]["t"] for run in program.json("run", fall, "--method", "gauss", "--step", "0.1", "--until", "9", "--sweep",
                                                      "parameters.g=[0.5,2,8]")["runs"]]
    assert ends == pytest.approx([2, 1, 0.5], abs=1e-12)
    assert (program.directory / "t.svg").exists()


def test_runs_in_parts_and_records_between_have_the_same_bits(program, wall):
    program.good("run", wall, "--out", "whole.h5")
    program.good("run", wall, "--out", "parts.h5", "--set", "run.until=17.03")
    program.good("resume", "parts.h5", "--until", "33.3")
    program.good("resume", "parts.h5", "--until", "60.02")
    with h5py.File(program.directory / "whole.h5") as whole, h5py.File(program.directory / "parts.h5") as parts:
        for run in ["0001", "0002"]:
            assert np.array_equal(whole[f"runs/{run}/q"], parts[f"runs/{run}/q"])
            assert np.array_equal(whole[f"runs/{run}/v"], parts[f"runs/{run}/v"])
            for name in ["wall", "halved", "passes"]:
                a, b = whole[f"runs/{run}/events/{name}"][:], parts[f"runs/{run}/events/{name}"][:]
                # What lies between the last node of a part and its end was located on a shorter step.
                assert a.shape == b.shape and len(a) > 2 and np.max(np.abs(a - b)) < 1e-12
    # Records at times of their own, between nodes, are those of the motion with its impacts.
    times = [0.5, 7.77, 7.775, 31.01, 60.0]
    program.good("run", wall, "--out", "at.h5", "--at", ",".join(map(str, times)))
    program.good("export", "whole.h5", "--at", ",".join(map(str, times)), "--csv", "csv")
    rows = np.genfromtxt(next((program.directory / "csv").glob("0001-*lobatto.csv")), delimiter=",", names=True)
    with h5py.File(program.directory / "at.h5") as at:
        assert np.array_equal(at["runs/0001/t"][1:6], times)
        assert np.max(np.abs(at["runs/0001/q"][1:6, 0] - rows["x1"])) < 1e-12
        assert np.array_equal(at["runs/0001/events/wall"], h5py.File(program.directory / "whole.h5")["runs/0001/events/wall"])


def test_native_and_interpreted_steps_find_the_same(program, wall):
    found = [program.json("run", wall, "--native", native)["runs"] for native in ("off", "require")]
    for a, b in zip(*found):
        assert a["final"] == b["final"] and a["diagnostics"]["events"] == b["diagnostics"]["events"]


def test_impacts_keep_what_they_promise(program, wall):
    for run in program.json("run", wall, "--set", "event.1.set={x1_dot=\"x1_dot\"}")["runs"]:
        wall_events = run["diagnostics"]["events"]["wall"]
        assert wall_events["count"] > 5
        q, v, after = (np.array(wall_events[key]) for key in ("q", "v", "v_after"))
        assert np.max(np.abs(q[:, 0] - 0.9)) < 1e-14
        for velocity in (v, after):
            assert np.max(np.abs(velocity[:, 0] + np.sin(q[:, 2]) * velocity[:, 1])) < 1e-13
        assert np.max(np.abs(np.sum(v**2, 1) - np.sum(after**2, 1))) < 1e-13
        assert np.max(np.abs(v[:, 0] + after[:, 0])) < 1e-13


@pytest.mark.parametrize("setting, words", [
    ('event=[{of="z"}, {of="x"}]', 'named "event" already'),
    ('event=[{name="a/b", of="z"}]', "must be a name for files"),
    ('event=[{of="y"}]', '"y"'),
    ('event=[{of="e"}]', "never changes"),
    ('event=[{of="z", direction="down"}]', '"falling"'),
    ('event=[{of="z", terminal=0}]', "terminal"),
    ('event=[{of="z", terminal="yes"}]', "must be true, or the number"),
    ('event=[{of="z", inpact={}}]', '"impact"'),
    ('event=[{of="z", impact={}}]', '"restitution"'),
    ('event=[{of="z_dot", impact={restitution=1}}]', "contains velocities"),
    ('event=[{of="z", impact={restitution=1, grip=["x"]}}]', "contains no velocity"),
    ('event=[{of="z", impact={restitution=1, grip_restitution=0}}]', "without grip"),
    ('event=[{of="z", impact={restitution=1}, set={z_dot="1"}}]', "beside impact"),
    ('event=[{of="z", set={}}]', "is empty"),
    ('event=[{of="z", set={y_dot="1"}}]', "no coordinate or velocity"),
    ('event=[{of="z", project=true}]', "without set"),
    ('event=[{of="z - 2", direction="falling", impact={restitution=1}}]', "beyond the impact"),
    ('method=[{name="shake"}]', "carries data of steps of one size"),
    ('diagnostic=[{kind="section", of="x"}]', "not beside events"),
    ('diagnostic=[{kind="section", name="top", of="x"}]', 'named "top"'),
])
def test_refusals_name_the_place(program, ball, setting, words):
    message = program.refuses(2, "run", ball, "--set", setting)
    assert words in message, message


def test_pages_of_a_problem_say_what_happens_on_the_way(program):
    for option in ([], ["--html"], ["--latex"]):
        page = " ".join(program.good("describe", "bouncing-disk", *option).stdout.split())
        assert "floor: z - r is falling through zero; impact, restitution e; grip on" in page, option


def test_methods_that_cannot_go_on_from_within_a_step_are_not_offered(program):
    page = program.good("describe", "bouncing-disk").stdout.split("Methods that fit")[1].split("\n\n")[0]
    assert "lobatto" in page and "gauss" in page and "shake" not in page
    transmission = (ROOT / "problems" / "pendulum-cvt.toml").read_text()
    name = program.write("wall.toml", transmission + '\n[[event]]\nname = "wall"\nof = "x1 - 0.9"\ndirection = "falling"\n'
                         "impact = { restitution = 1 }\n")
    for problem, offered in (("pendulum-cvt", True), (f"./{name}", False)):
        page = program.good("describe", problem).stdout
        assert ("driver-splitting" in page[page.index("Where to begin"):]) == offered
    wall = ["--set", 'event=[{of="x1 - 0.9", direction="falling", impact={restitution=1}}]']
    words = ["run", "pendulum-cvt", "--method", "auto", "--step", "0.1", "--until", "5", "--start", "rotating"]
    assert "gauss" in program.good(*words, *wall).stdout
    # Beside others they are rows that were refused.
    result = program.run(*words[:2], "--method", "dla", "--method", "newmark", *words[4:], *wall)
    assert result.returncode == 2 and "refused" in result.stdout and "carries data" in result.stderr


def test_what_cannot_go_on_says_why(program, ball):
    for setting, words in [("event.0.impact.restitution=0", "comes to rest on it"),
                           ("parameters.e=0.5", "rest, a least velocity"),
                           ("event.0.impact.restitution=2", "not between -1 and 1")]:
        result = program.run("run", ball, "--set", setting, "--set", "run.until=50", "--out", "r.h5", "--force")
        assert result.returncode == 3 and words in result.stderr, result.stderr
        with h5py.File(program.directory / "r.h5") as file:
            assert len(file["runs/0001/t"]) > 10


def test_orders_and_steps_by_tolerance_say_that_they_have_no_events(program, ball):
    assert "smooth motions" in program.run("order", ball).stdout
    assert "tolerance" in program.refuses(2, "run", ball, "--set", 'run={tolerance=1e-6, until=10}')


# Superballs of several heights, some of which come to a wall, at times that no grid has.
MEMBERS = """
problem = "bouncing-disk"
[parameters]
e = 0.99
e_t = 0.9
[ensemble]
size = 90
seed = 3
around = "thrown"
spread = { q = [0, 0.2, 0], v = 0.3 }
[run]
step = 0.1
until = 17.03
every = 0.72
[[event]]
name = "wall"
of = "x - 8"
direction = "rising"
terminal = true
[[method]]
name = "lobatto"
[[method]]
name = "dla"
"""


def same_files(directory, a, b):
    """Every data set."""
    names = []
    with h5py.File(directory / a) as one, h5py.File(directory / b) as other:
        def compare(name, node):
            if isinstance(node, h5py.Dataset):
                names.append(name)
                assert np.array_equal(node[()], other[name][()], equal_nan=node.dtype.kind == "f"), name
        one.visititems(compare)
    assert len(names) > 40


def test_members_bounce_and_end_by_themselves(program):
    study = program.write("members.toml", MEMBERS)
    told = program.good("ensemble", study, "--out", "whole.h5", "--json", "whole.json", "--csv", "csv").stdout
    whole = json.loads((program.directory / "whole.json").read_text())["runs"][0]["ensemble"]
    assert 5 < whole["ended"] < 85 and whole["failed"] == 0 and "members ended" in told
    assert {end["event"] for end in whole["ends"]} == {"wall"}
    assert whole["alive"][0] == 90 and whole["alive"][-1] == 90 - whole["ended"]
    with h5py.File(program.directory / "whole.h5") as file:
        members = file["runs/0001/members"]
        ended = np.flatnonzero(members["ended_by"])
        assert list(members["ended_by"].attrs["names"]) == ["floor", "wall"]
        assert [end["member"] for end in whole["ends"]] == list(ended)
        assert np.max(np.abs(members["q_final"][:][ended, 0] - 8)) < 1e-13
        assert np.array_equal(members["t_final"][:][ended], [end["t"] for end in whole["ends"]])
        # The moment about the floor's line stays through all impacts.
        moment = [0.5 * v[:, 2] + v[:, 0] for v in (members["v_initial"][:], members["v_final"][:])]
        assert np.max(np.abs(moment[0] - moment[1])) < 1e-13
        starts = members["q_initial"][:], members["v_initial"][:]
    # A member alone.
    for member in (ended[0], int(np.argmin(has_ended := [i in ended for i in range(90)]))):
        alone = program.json("run", "bouncing-disk", "--method", "lobatto", "--step", "0.1", "--until", "17.03",
                             "--set", f"initial={{q={list(starts[0][member])}, v={list(starts[1][member])}}}",
                             "--set", "parameters={e=0.99, e_t=0.9}",
                             "--set", 'event=[{name="wall", of="x - 8", direction="rising", terminal=true}]')["runs"][0]
        assert (alone["ended_by"] == "wall") == has_ended[member]
        with h5py.File(program.directory / "whole.h5") as file:
            members = file["runs/0001/members"]
            assert members["t_final"][member] == alone["final"]["t"]
            assert list(members["q_final"][member]) == alone["final"]["q"]
            assert list(members["v_final"][member]) == alone["final"]["v"]
    for lanes, threads in [(1, 1), (4, 2), (8, 1)]:
        program.good("ensemble", study, "--out", f"{lanes}.h5", "--lanes", lanes, "--threads", threads)
        same_files(program.directory, "whole.h5", f"{lanes}.h5")


def test_members_in_parts_and_resumed_ensembles_have_the_same_bits(program):
    study = program.write("members.toml", MEMBERS)
    program.good("ensemble", study, "--out", "whole.h5")
    for part in (1, 2, 3):
        program.good("ensemble", study, "--part", f"{part}/3", "--out", f"part-{part}.h5")
    program.good("merge", "part-1.h5", "part-2.h5", "part-3.h5", "--out", "all.h5")
    same_files(program.directory, "whole.h5", "all.h5")
    program.good("ensemble", study, "--out", "longer.h5", "--set", "run.until=9.31")
    program.good("resume", "longer.h5", "--until", "17.03")
    same_files(program.directory, "whole.h5", "longer.h5")


def test_members_meet_the_same_events_with_compiled_steps(program, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(program.directory / "cache"))
    study = program.write("members.toml", MEMBERS)
    for native in ("off", "require"):
        program.good("ensemble", study, "--out", f"{native}.h5", "--native", native)
    same_files(program.directory, "off.h5", "require.h5")


@pytest.mark.parametrize("setting, words", [
    ('event=[{of="x"}]', "neither ends a member nor changes its state"),
    ('event=[{of="x", terminal=3}]', "end at the first"),
    ('event=[{of="z - 9", direction="falling", impact={restitution=1}}]', "of member 0; draw starts before it"),
])
def test_members_cannot_have_every_event(program, setting, words):
    message = program.refuses(2, "ensemble", program.write("members.toml", MEMBERS), "--set", setting)
    assert words in message, message
