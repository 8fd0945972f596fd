"""Whatever is asked for wrongly is refused with one sentence that says what was found; nothing crashes."""

import numpy as np
import pytest

import dalembert as dal

GOOD = dict(step=0.1, until=1)


def run(*arguments, **options):
    return dal.run(*(arguments or ("pendulum-cvt", "dla")), **{**GOOD, **options})


def ensemble(**options):
    return dal.ensemble("chaotic", "dla01", **{**GOOD, "members": 3, "energy": 3.06, **options})


@pytest.mark.parametrize("ask, says", [
    (lambda: dal.load("pendulum-cvd"), 'did you mean "pendulum-cvt"?'),
    (lambda: dal.load("./missing.toml"), "missing.toml"),
    (lambda: dal.load(7), "not by int"),
    (lambda: dal.load(None), "not by NoneType"),
    (lambda: dal.load("pendulum-cvt", parameters={"eps": 1}), "epsilon"),
    (lambda: dal.load("pendulum-cvt", parameters={"epsilon": "big"}), "it must be a number"),
    (lambda: dal.load("pendulum-cvt", parameters={"epsilon": np.nan}), "epsilon"),
    (lambda: dal.load("chaotic", sizes={"n": 2.5}), "it must be a whole number"),
    (lambda: dal.load("chaotic", sizes={"m": 2}), '"m"'),
    (lambda: dal.load("chaotic", sizes={"n": -1}), '"n"'),
    (lambda: dal.load("pendulum-cvt").starts["circling"], "oscillating, rotating"),
    (lambda: dal.load("pendulum-cvt").parameters["eps"], "epsilon"),
    (lambda: dal.methods()["dlb"], "dla"),
    (lambda: dal.run("pendulum-cvt", "dla", until=1), "needs a step size"),
    (lambda: dal.run("pendulum-cvt", "dla", step=0.1), "needs an end"),
    (lambda: run(steps=3), "give one of them"),
    (lambda: run(step=-0.1), "run.step"),
    (lambda: run(step=0), "run.step"),
    (lambda: run(step=np.inf), "run.step"),
    (lambda: run(step="fast"), "run.step"),
    (lambda: run(step=object()), "is of the type object"),
    (lambda: run(step=1 + 2j), "is of the type complex"),
    (lambda: run(step=[]), "run.step"),
    (lambda: run(until=-5), "run.until"),
    (lambda: run(until=10**40), "at most 64 bits"),
    (lambda: run(until=1e300), "until"),
    (lambda: run("pendulum-cvt", "dlb"), 'did you mean "dla"?'),
    (lambda: run("pendulum-cvt", []), "no method was given"),
    (lambda: run("pendulum-cvt", [3]), "not int"),
    (lambda: run("pendulum-cvt", {"alpha": 0.3}), "name"),
    (lambda: run("pendulum-cvt", "dla(alpha=7)"), "alpha"),
    (lambda: run("pendulum-cvt", {"name": "dla", "beta": 1}), "beta"),
    (lambda: run("rolling-coin", "driver-splitting"), "driver-splitting"),
    (lambda: run(start="circling"), "initial.name"),
    (lambda: run(start=["rotating", "circling"]), "circling"),
    (lambda: run(start="rotating", q=[1, 1, 0], v=[0, 0, 1]), "give one of them"),
    (lambda: run(v=[0, 0, 1]), "without q"),
    (lambda: run(q=[1, 1], v=[0, 0, 1]), "it needs 3 (x1, x2, xi)"),
    (lambda: run(q=[1, 1, 0], v=[0, 0]), "it needs 3"),
    (lambda: run(q=[[1, 1, 0]], v=[0, 0, 1]), "initial.q"),
    (lambda: run(q=[1, np.nan, 0], v=[0, 0, 1]), "q"),
    (lambda: run(q=[1, 1, 1], v=[1, 0, 1]), "is violated"),
    (lambda: run(parameters={"eps": 1}), "epsilon"),
    (lambda: run(parameters={"epsilon": [[1, 2]]}), "epsilon"),
    (lambda: run(record_every=0), "record_every"),
    (lambda: run(record_every=1.5), "record_every"),
    (lambda: run(every=-1), "every"),
    (lambda: run(at=[0.5, 0.2]), "at"),
    (lambda: run(at=[[0.1, 0.2]]), "run.at"),
    (lambda: run(every=0.1, at=[0.5]), "at"),
    (lambda: run(threads=0), "whole number from 1 to 1024"),
    (lambda: run(threads=1.5), "whole number from 1 to 1024"),
    (lambda: run(threads=True), "whole number from 1 to 1024"),
    (lambda: run(diagnostics=[{"kind": "colour"}]), "colour"),
    (lambda: run(out="/missing/folder/r.h5"), "/missing/folder"),
    (lambda: run(out="rows.csv"), "for csv call to_csv"),
    (lambda: run().save("energy.png"), "for png call plot"),
    (lambda: run().column("speed"), "there is no column"),
    (lambda: run().integrals["speed"], "there is no integral"),
    (lambda: run()(1.5), "1.5"),
    (lambda: run()(np.nan), "nan"),
    (lambda: run()([[0.1]]), "shape (1, 1)"),
    (lambda: run()["leapfrog"], "there are: dla"),
    (lambda: run().resume(until=0.5), "has reached"),
    (lambda: run().resume(until="late"), "late"),
    (lambda: dal.run_study("no-such/study"), "no-such/study"),
    (lambda: dal.run_study({"problem": "pendulum-cvt", "methods": []}), "methods"),
    (lambda: dal.run_study("modin-verdier-2020/figure-6", settings={"run.stepp": 1}), "stepp"),
    (lambda: ensemble(members=0), "size"),
    (lambda: ensemble(members=2.5), "size"),
    (lambda: ensemble(seed=-1), "seed"),
    (lambda: ensemble(energy=-100), "energy"),
    (lambda: ensemble(lanes=3), "lanes"),
    (lambda: ensemble(box=[1]), "box"),
    (lambda: ensemble(q=["cos(b)"] * 5), "b"),
    (lambda: ensemble().statistics["colour"], "there is no statistic"),
])
def test_one_sentence(ask, says):
    with pytest.raises(dal.Error) as caught:
        ask()
    sentence = str(caught.value)
    assert says in sentence and "\n" not in sentence and len(sentence) > 20, sentence


def test_the_kinds_of_errors():
    assert issubclass(dal.RequestError, ValueError) and issubclass(dal.OutputError, OSError)
    assert issubclass(dal.StepError, ArithmeticError) and issubclass(dal.Caution, UserWarning)
    assert all(issubclass(kind, dal.Error) for kind in (dal.RequestError, dal.OutputError, dal.StepError))


@pytest.mark.parametrize("ask", [
    lambda: dal.run(), lambda: dal.run("pendulum-cvt", "dla", 0.1, 1), lambda: dal.run("pendulum-cvt", "dla", h=0.1, until=1),
    lambda: dal.load()])
def test_python_says_what_is_missing_itself(ask):
    with pytest.raises(TypeError):
        ask()


def test_a_start_may_have_expressions_and_refuses_the_rest():
    coin = dal.load("rolling-coin")
    run = dal.run(coin, "dla", q=["0.1", "0", 0, "pi/3", 0], v=[0, 0, "0*cos(0.4)", 0, 0], step=0.1, until=0.2)
    assert run.ok and run.q[0] == pytest.approx([0.1, 0, 0, np.pi / 3, 0], rel=1e-15)
    for q in ([1, None, 2, 3, 4], object(), [1j] * 5):
        with pytest.raises(dal.RequestError, match="q of a start is a list of numbers, or of texts with expressions"):
            dal.run(coin, "dla", q=q, v=[0] * 5, step=0.1, until=0.2)
    with pytest.raises(dal.RequestError, match='unknown name "a"'):
        dal.run(coin, "dla", q=["a"] * 5, v=[0] * 5, step=0.1, until=0.2)
    with pytest.raises(dal.RequestError, match="q is .*; numbers are allowed"):
        dal.Stepper(coin, "dla", step=0.1).start(["a"] * 5, [0] * 5)


def test_events_can_be_left_out():
    words = {"method": "lobatto", "start": "thrown", "step": 0.05, "until": 3}
    assert dal.run("bouncing-disk", **words).events
    assert not dal.run("bouncing-disk", no_events=True, **words).events
