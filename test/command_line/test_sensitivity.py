"""Derivatives of runs, and Lyapunov exponents."""

import csv
import json

import pytest

MOTION = ["pendulum-cvt", "--start", "rotating", "--method", "gauss(stages=3)", "--step", "0.1"]


def final(program, *more):
    run, = program.json("run", *MOTION, "--until", "8", *more)["runs"]
    return run["final"]


def test_derivatives_are_those_of_runs(program):
    run, = program.json("sensitivity", *MOTION, "--until", "8", "--by", "epsilon, xi_dot", "--of", "x1, x2_dot, energy + xi")["runs"]
    assert run["status"] == "ok" and run["of"] == ["x1", "x2_dot", "energy + xi"] and run["by"] == ["epsilon", "xi_dot"]
    assert run["steps"] == 80 and run["t"] == [0, 8.0] and run["method"]["stages"] == 3
    d, value = 1e-5, 0.5
    # Central differences: some d^2, and round-off over d.
    above, below = (final(program, "--set", f"parameters.epsilon={value + sign * d}") for sign in (1, -1))
    at, = program.json("sensitivity", *MOTION, "--until", "8", "--set", f"parameters.epsilon={value}", "--by", "epsilon",
                       "--of", "x1,x2_dot")["runs"]
    for of, key, place in ((0, "q", 0), (1, "v", 1)):
        difference = (above[key][place] - below[key][place]) / (2 * d)
        assert at["derivatives"][1][of][0] == pytest.approx(difference, rel=1e-7, abs=1e-7)


def test_both_ways_records_and_files(program):
    forwards = program.json("sensitivity", *MOTION, "--until", "8", "--by", "start,parameters,step", "--mode", "tangent")["runs"][0]
    backwards = program.json("sensitivity", *MOTION, "--until", "8", "--by", "start,parameters,step", "--mode", "adjoint")["runs"][0]
    assert (forwards["mode"], backwards["mode"]) == ("tangent", "adjoint") and forwards["by"][-1] == "step"
    for one, other in zip(forwards["derivatives"][1], backwards["derivatives"][1]):
        assert one == pytest.approx(other, rel=1e-10, abs=1e-10)
    text = program.good("sensitivity", *MOTION, "--until", "8", "--every", "2", "--by", "x1", "--of", "x1, energy", "--csv", "s.csv",
                        "--json", "s.json").stdout
    assert text.splitlines()[0] == "pendulum-cvt, rotating, gauss(stages=3), h = 0.1: derivatives at t = 8"
    rows = list(csv.DictReader((program.directory / "s.csv").open()))
    assert [float(row["t"]) for row in rows] == [0, 0, 2, 2, 4, 4, 6, 6, 8, 8] and rows[0]["derivative"] == "1"
    assert float(rows[-2]["derivative"]) == pytest.approx(forwards["derivatives"][1][0][0], rel=1e-12)


def test_every_run_of_a_study(program):
    runs = program.json("sensitivity", *MOTION[:-2], "--method", "dla01", "--set", "run.step=[0.1, 0.05]", "--until", "2", "--by", "x1",
                        "--of", "x1")["runs"]
    assert [(run["method"]["name"], run["step"]) for run in runs] == [("gauss", 0.1), ("gauss", 0.05), ("dla01", 0.1), ("dla01", 0.05)]
    values = [run["derivatives"][1][0][0] for run in runs]
    assert values[0] == pytest.approx(values[1], rel=1e-6) and abs(values[2] - values[1]) > 2 * abs(values[3] - values[1]) > 1e-6


@pytest.mark.parametrize("more, words", [
    (["--by", "epsilonn"], 'cannot be differentiated by "epsilonn"; did you mean "epsilon"?'),
    (["--of", "x1 +"], 'in the expression "x1 +"'),
    (["--of", "speed"], 'unknown name "speed"'),
    (["--by", "x1,start"], 'by "x1" are asked for twice'),
    (["--until", "8.03", "--by", "step"], "no multiple of the step 0.1"),
    (["--every", "0.25"], "lies between two steps of 0.1"),
    (["--every", "1", "--mode", "adjoint"], "ask for no records"),
])
def test_what_cannot_be_differentiated(program, more, words):
    until = [] if "--until" in more else ["--until", "8"]
    assert words in program.refuses(2, "sensitivity", *MOTION, *until, *more)


def test_events_and_ensembles_are_refused(program):
    assert 'event "floor"' in program.refuses(2, "sensitivity", "bouncing-disk", "--method", "lobatto", "--step", "0.05", "--until", "1")
    (program.directory / "s.toml").write_text('problem = "chaotic"\n[[method]]\nname = "dla01"\n[run]\nstep = 0.1\nuntil = 1\n'
                                              '[ensemble]\nsize = 5\nenergy = 3\nseed = 1\n')
    assert "[ensemble]" in program.refuses(2, "lyapunov", "s.toml")


def test_exponents_of_a_chaotic_motion(program):
    motion = ["lyapunov", "chaotic", "--method", "dla01", "--step", "0.05", "--until", "2000"]
    text = program.good(*motion, "--plot", "l.svg", "--json", "l.json").stdout
    run, = program.json(*motion)["runs"]
    values = [one["value"] for one in run["exponents"]]
    assert len(values) == run["dimension"] == 9 and run["exponents"][0]["low"] > 0.05
    # The motion is reversible: exponents come in pairs, and all of them add up to nothing, within the intervals.
    for one, other in zip(run["exponents"], reversed(run["exponents"])):
        assert abs(one["value"] + other["value"]) < (one["high"] - one["low"]) + (other["high"] - other["low"])
    assert run["sum"]["low"] < 1e-3 and run["sum"]["high"] > -1e-3
    assert "9 of 9 exponents" in text and "sum" in text and "exponent 9" in (program.directory / "l.svg").read_text()
    two = program.json(*motion, "--exponents", "2", "--set", "run.step=0.1")["runs"][0]
    assert len(two["exponents"]) == 2 and len(two["running"][0]) == 2
    assert "the dimension of its constraint set" in program.refuses(2, *motion, "--exponents", "12")
    assert "until is 1" in program.refuses(2, *motion[:-1], "1")


def test_a_step_that_is_refused(program):
    result = program.run("sensitivity", "chaotic", "--method", "gauss(stages=1)", "--step", "30", "--until", "3000", "--of", "x", "--by", "x")
    assert result.returncode == 3 and "failed in step" in result.stderr and "derivatives at t" in result.stdout
    # Backwards nothing is known of the end: the start is left.
    words = ("chaotic", "--method", "gauss(stages=1)", "--step", "30", "--until", "3000", "--of", "x", "--by", "x", "--mode", "adjoint")
    result = program.run("sensitivity", *words, "--json", "s.json")
    assert result.returncode == 3 and "failed in step 15 at t = 420" in result.stderr
    run, = json.loads((program.directory / "s.json").read_text())["runs"]
    assert run["status"] == "failed" and run["t"] == [0] and run["derivatives"] == [[[1]]]
    result = program.run("lyapunov", "chaotic", "--method", "gauss(stages=1)", "--step", "30", "--until", "3000")
    assert result.returncode == 3 and "failed in step" in result.stderr


def test_volume_of_the_constraint_set(program):
    motion = ["volume", "pendulum-cvt", "--start", "rotating", "--set", "parameters.epsilon=0.5", "--step", "0.1", "--until", "500"]
    methods = ["--method", "leapfrog,dla01,newmark-composition"]
    text = program.good(*motion, *methods, "--plot", "v.svg").stdout
    rows = {line.split()[0]: line for line in text.splitlines()[2:]}
    assert "D x lambda" in rows["leapfrog"] and rows["leapfrog"].endswith("keeps it in every step")
    assert rows["dla01"].endswith("loses it") and rows["newmark-composition"].endswith("keeps it")
    assert "less that of the motion" in (program.directory / "v.svg").read_text()
    runs = program.json(*motion, *methods)["runs"]
    assert [run["verdict"] for run in runs] == ["keeps it in every step", "loses it", "keeps it"]
    # The theorem has 3.472e-4 for small steps; what is left is of order h^4.
    assert abs(runs[1]["difference"]["slope"] - 3.472e-4) < 1e-5 and runs[1]["dimension"] == 5
    assert len(runs[1]["t"]) == len(runs[1]["log_volume"]) == len(runs[1]["log_volume_of_motion"])
    # Methods whose steps are no maps of the constraint set leave a sentence, and the others go on.
    result = program.run(*motion, "--method", "gauss,speed-splitting,dla01")
    assert result.returncode == 2 and "loses it" in result.stdout
    assert "leaves the constraints" in result.stderr and 'carries "energy"' in result.stderr
    assert "12 samples" in program.refuses(2, *motion[:-1], "1", "--method", "dla01")
    assert "[ensemble]" in program.refuses(2, "volume", "celledoni-2019/figure-2-ensemble")


@pytest.mark.parametrize("until", ["100", "200", "400"])
def test_what_keeps_a_volume_has_zero_in_its_interval(program, until):
    """A slope that is likely there leaves it open; nothing is said to be as the motion with an error as large as the rate."""
    words = ("pendulum-cvt", "--start", "rotating", "--set", "epsilon=0.5", "--step", "0.1", "--until", until)
    methods = "newmark,newmark-composition,dla,dla01,velocity-dla,hamel,spark,lobatto,reduced-gradient"
    runs = program.json("volume", *words, "--method", methods)["runs"]
    runs += program.json("volume", "chaplygin-sleigh", "--start", "turning", "--method", "dla01,newmark,spark", "--step", "0.1",
                         "--until", until)["runs"]
    for run in runs:
        low, high, of_motion = run["difference"]["low"], run["difference"]["high"], run["of_motion"]
        round_off = 1e-14 * run["steps"] * 3 / float(until)  # of both histories, that of the motion with half the step
        if run["verdict"] == "keeps it":
            assert low <= round_off and high >= -round_off, run["label"]
        elif run["verdict"] == "as the motion":
            assert max(high, -low) <= 0.1 * abs(of_motion["slope"]) + round_off, run["label"]


@pytest.mark.parametrize("problem", ["pendulum-cvt", "veselova", "spherical-pendulum", "rolling-coin", "knife-edge"])
def test_exponents_of_regular_motions_are_zero_within_their_intervals(program, problem):
    """Tangents of integrable motions grow like t at most, at the mean rate of log(t)/t."""
    run, = program.json("lyapunov", problem, "--method", "gauss(stages=4)", "--step", "0.05", "--until", "300")["runs"]
    for one in (*run["exponents"], run["sum"]):
        assert one["low"] <= 0 <= one["high"], one


def test_a_motion_that_contracts(program):
    run, = program.json("volume", "chaplygin-sleigh", "--start", "turning", "--method", "dla01", "--step", "0.1", "--until", "100")["runs"]
    assert run["verdict"] == "not as the motion" and not run["motion_keeps_volume"] and run["of_motion"]["high"] < -1


def rolling_in(potential):
    return f"""
coordinates = ["x"]
[parameters]
a = 1
[lagrangian]
kinetic = "x_dot^2/2"
potential = "{potential}"
[initial.high]
q = [1]
v = [0]
"""


def test_derivatives_across_a_kink_are_refused_and_right_up_to_it(program):
    """x = 1 - t^2/2 up to t = sqrt 2, where the force jumps from -1 to 1: there dx(2)/dx(0) = 0, not the 1 of both pieces."""
    problem = program.write("kink.toml", rolling_in("a*abs(x)"))
    words = (problem, "--method", "gauss", "--step", "0.01", "--until")
    for command in ("sensitivity", "lyapunov", "volume"):
        message = program.refuses(2, command, *words, "2")
        assert "crosses a switch at t = 1.41, where the potential" in message and "the rates jump" in message
    assert "refused" not in program.good("sensitivity", *words, "1.4").stderr


def test_derivatives_across_a_corner_of_the_force_are_those_of_the_motion(program):
    """max(0, x)^2: the force is continuous, and nothing is added there. Against differences, whose error is that of a kink: small beside 1e-4."""
    problem = program.write("corner.toml", rolling_in("x^2/2 + a*max(0, x - 0.5)^2"))
    words = ("--method", "gauss", "--step", "0.01", "--until", "5")
    found = program.json("sensitivity", problem, *words, "--of", "x", "--by", "a")["runs"][0]["derivatives"][-1][0][0]
    ends = [program.json("run", problem, *words, "--set", f"parameters.a={a}")["runs"][0]["final"]["q"][0] for a in (0.999, 1.001)]
    assert abs(found - (ends[1] - ends[0]) / 0.002) < 1e-4


def test_keys_of_a_study_are_options_of_the_command(program):
    """A key stands in the study, is changed by an option or by --set, and every complaint names what was typed."""
    program.write("s.toml", 'problem = "chaotic"\n[[method]]\nname = "dla01"\n[run]\nstep = 0.1\nuntil = 200\n'
                            '[initial]\nname = "newmark"\n[lyapunov]\nexponents = 2\nblocks = 10\n')
    assert [len(program.json("lyapunov", "s.toml", *more)["runs"][0]["exponents"])
            for more in ((), ("--exponents", "3"), ("--exponents", "all"), ("--set", "lyapunov.exponents=1"))] == [2, 3, 9, 1]
    for more, words in ((("--exponents", "0"), "--exponents is 0; it must be in [1, 100000]"),
                        (("--exponents", "some"), '--exponents is "some"; it must be a number or all'),
                        (("--settle", "half"), '--settle must be a number, not the text "half"'),
                        (("--blocks", "4.5"), "--blocks is 4.5; it must be a whole number in [4, 1000]"),
                        (("--set", "lyapunov.blocks=2"), 'key "lyapunov.blocks" is 2; it must be in [4, 1000]'),
                        (("--set", "lyapunov.block=9"), 'unknown key "lyapunov.block"; did you mean "blocks"?')):
        assert words in program.refuses(2, "lyapunov", "s.toml", *more)
    # What an analysis is asked does not disturb others, and is checked by all.
    assert "refused" not in program.good("run", "s.toml").stdout
    assert 'key "lyapunov.blocks"' in program.refuses(2, "run", "s.toml", "--set", "lyapunov.blocks=2")
    assert program.good("completion", "words", "--", "sensitivity", "--mode").stdout.split() == ["automatic", "tangent", "adjoint"]


def test_every_analysis_has_files_and_pictures(program):
    motion = ["pendulum-cvt", "--start", "rotating", "--step", "0.1", "--until", "20", "--method"]
    program.good("lyapunov", *motion, "gauss(stages=3)", "--csv", "l.csv")
    rows = list(csv.DictReader((program.directory / "l.csv").open()))
    running = program.json("lyapunov", *motion, "gauss(stages=3)")["runs"][0]
    assert list(rows[0]) == ["run", "t", "exponent", "running"] and len(rows) == 5 * len(running["t"])
    assert [float(row["running"]) for row in rows[5:10]] == running["running"][1] and rows[7]["exponent"] == "3"
    program.good("volume", *motion, "dla01,newmark", "--csv", "v.csv")
    rows = list(csv.DictReader((program.directory / "v.csv").open()))
    runs = program.json("volume", *motion, "dla01,newmark")["runs"]
    assert [float(row["log_volume_of_motion"]) for row in rows] == [value for run in runs for value in run["log_volume_of_motion"]]
    program.good("sensitivity", *motion, "dla01", "--every", "1", "--of", "x1,energy", "--by", "x1,step", "--plot", "s.svg")
    text = (program.directory / "s.svg").read_text()
    assert "derivatives of energy" in text and "by step" in text
    # Without --every a picture takes the records that the run has, in the place of a straight line from start to end.
    program.good("sensitivity", *motion, "dla01", "--of", "x1", "--by", "x1", "--plot", "p.svg", "--csv", "p.csv")
    assert len((program.directory / "p.csv").read_text().splitlines()) == 1 + 201
    ends = program.json("sensitivity", *motion, "dla01", "--records", "--of", "x1", "--by", "step")["runs"][0]
    assert len(ends["t"]) == 201


def test_runs_that_cannot_be_analysed_leave_the_others(program):
    """A method that is refused on its way leaves a sentence; before, what had been computed was lost."""
    program.write("kink.toml", rolling_in("a*abs(x)"))
    program.write("s.toml", 'problem = "./kink.toml"\n[[method]]\nname = "gauss"\n[run]\nstep = 0.1\nuntil = 3\n[sweep]\n'
                            "run.until = [3, 1]\n")
    result = program.run("sensitivity", "s.toml", "--of", "x", "--by", "x")
    assert result.returncode == 2 and "derivatives at t = 1" in result.stdout and "crosses a switch" in result.stderr


def test_tables_in_hdf5(program):
    """An HDF5 file has the arrays of JSON with their dimensions as scales; it is written over without asking, as other results are."""
    h5py = pytest.importorskip("h5py")
    words = ["volume", "pendulum-cvt", "--start", "rotating", "--step", "0.1", "--until", "20", "--method", "dla01,newmark"]
    for _ in range(2):
        program.good(*words, "--out", "v.h5", "--csv", "v.csv", "--json", "v.json")
    runs = program.json(*words)["runs"]
    with h5py.File(program.directory / "v.h5") as file:
        assert sorted(file["runs"]) == ["0001", "0002"] and "pendulum-cvt" in file.attrs["study"]
        for group, run in zip((file["runs/0001"], file["runs/0002"]), runs):
            assert group.attrs["status"] == "ok" and list(group["log_volume"]) == run["log_volume"] and list(group["t"]) == run["t"]
            assert [text.decode() for text in group["drift"]] == list(run["difference"]) and list(group["difference"]) == list(run["difference"].values())
            assert group["log_volume"].dims[0][0].name == group["t"].name and group["motion_keeps_volume"][()] == run["motion_keeps_volume"]
            assert group["verdict"][()].decode() == run["verdict"] and group["dimension"][()] == run["dimension"]
    for command in (("resume",), ("plot", "--plot", "p.svg"), ("export", "--csv", "rows")):
        assert "it holds the tables of dalembert volume, no records of runs" in program.refuses(4, command[0], "v.h5", *command[1:])
    (program.directory / "other.h5").write_text("something else")
    assert "is no result of dalembert" in program.refuses(2, *words, "--out", "other.h5")
    assert "--json" in program.refuses(2, *words, "--out", "x.h5", "--json", "x.h5")
