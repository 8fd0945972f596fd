"""Loops of one's own."""

import copy
import signal
import threading
import time

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import dalembert as dal


@dal.system(coordinates="x y heading", angles="heading", parameters={"slope": dal.Parameter(1, min=-10, max=10)},
            starts={"spinning": dal.Start(q=[0, 0, 1], v=[0, 0, 1])})
def skate(q, v, p):
    return dal.Mechanics(kinetic=v @ v / 2, potential=-p.slope * q.x, constraints=[-np.sin(q.heading) * v.x + np.cos(q.heading) * v.y],
                         integrals={"spin": v.heading})


def test_steps_are_those_of_runs():
    for method in ("leapfrog", "lobatto", "dla01", "fehlberg-78"):
        stepper = dal.Stepper(skate, method, step=0.1)
        point = stepper.start()
        count = 0
        while point.t < 20:
            assert stepper.step(point)
            count += 1
        run = dal.run(skate, method, step=0.1, until=20)
        assert count == 200 and point.t == run.t[-1]
        assert_array_equal(point.q[:2], run.q[-1, :2])
        assert_array_equal(point.v, run.v[-1])
        # The run shows the angle unwrapped.
        assert point.q[2] + 2 * np.pi * point.turns[2] == pytest.approx(run.q[-1, 2], abs=1e-14)
        assert stepper.energy(point) == pytest.approx(run.energy[-1], abs=1e-14)
        assert stepper.integrals(point) == {"spin": point.v[2]}
        assert stepper.constraint_error(point) < 1e-13
        many = stepper.start("spinning")
        assert stepper.advance(many, 200).steps == 200
        assert_array_equal(many.q, point.q)


@pytest.mark.parametrize("problem, start", [("chaplygin-sleigh", "turning"), ("rolling-disk", "spring"), ("pendulum-cvt", "rotating")])
def test_starts_bring_their_parameters(problem, start):
    stepper = dal.Stepper(problem, "lobatto(stages=3)", step=0.01)
    point = stepper.start(start)
    stepper.advance(point, 50)
    run = dal.run(problem, "lobatto(stages=3)", step=0.01, until=0.5, start=start)
    assert_array_equal(point.v, run.final.v)
    assert stepper.parameters == run.parameters
    same = dal.load(problem)
    given = dal.Stepper(problem, "lobatto(stages=3)", step=0.01, parameters={name: one.value for name, one in same.parameters.items()})
    given.start(same.starts[start].q, same.starts[start].v, project=True)
    assert given.parameters == {name: one.value for name, one in same.parameters.items()}


def test_points_show_and_copy_themselves():
    stepper = dal.Stepper(skate, "lobatto", step=0.1)
    point = stepper.start()
    assert repr(point) == "<dalembert.Point t = 0, q = [0, 0, 1], v = [0, 0, 1]>"
    other = copy.deepcopy(point)
    stepper.step(point)
    assert other.t == 0 and copy.copy(point).t == point.t
    with pytest.raises(AttributeError):
        stepper.step = 0.05
    for wrong in (float("nan"), "a", None):
        with pytest.raises(dal.RequestError):
            point.t = wrong
        with pytest.raises(dal.RequestError):
            stepper.start(t=wrong)


def test_points_are_views_and_copies_are_not():
    stepper = dal.Stepper(skate, "dla01", step=0.1)
    point = stepper.start([0, 0, 1], [0, 0, 1])
    q = point.q
    before, kept = q.copy(), point.copy()
    stepper.step(point)
    assert not np.array_equal(q, before) and np.shares_memory(q, point.q)
    assert_array_equal(kept.q, before)
    q[0] = 5.0
    assert point.q[0] == 5.0
    del point
    assert q[0] == 5.0


def test_feedback_changes_parameters_steps_and_time():
    stepper = dal.Stepper(skate, "dla01", step=0.01)
    point = stepper.start()
    turns = 0
    while point.t < 20:
        stepper.step(point)
        wanted = -1.0 if point.q[0] > 0 else 1.0
        if wanted != stepper.parameters["slope"]:
            stepper.parameters = {"slope": wanted}
            turns += 1
    assert turns > 3 and stepper.constraint_error(point) < 1e-12
    stepper.step_size = 0.5
    t = point.t
    stepper.advance(point, 3)
    assert point.t == t + 1.5 and stepper.step_size == 0.5
    point.t = 0.0
    stepper.step(point)
    assert point.t == 0.5
    back = stepper.start()
    stepper.advance(back, 10)
    stepper.step_size = -0.5
    stepper.advance(back, 10)
    assert back.t == 0.0


def test_a_refused_step_leaves_the_point():
    stepper = dal.Stepper("rolling-coin", "gauss", step=3)
    point = stepper.start()
    assert stepper.advance(point, 100).steps == 5
    before = point.copy()
    report = stepper.step(point)
    assert not report and report.status in ("not converged", "not finite") and report.steps == 0
    assert report.message.count("failed in step 6 at t = 15")
    assert_array_equal(point.q, before.q)
    assert point.t == before.t
    with pytest.raises(dal.StepError):
        stepper.advance(point, 10, strict=True)


@pytest.mark.parametrize("make, sentence", [
    (lambda: dal.Stepper(skate, "dla01", step=0), "step size"),
    (lambda: dal.Stepper(skate, "dla01", step=float("nan")), "step size"),
    (lambda: dal.Stepper(skate, "dla01", step="0.1"), "step is '0.1'"),
    (lambda: dal.Stepper(skate, "dla001", step=0.1), "did you mean"),
    (lambda: dal.Stepper(skate, "dla01", step=0.1, parameters={"slop": 1}), "slop"),
    (lambda: dal.Stepper(skate, "dla01", step=0.1, parameters={"slope": 11}), "slope"),
    (lambda: dal.Stepper(skate, "shake", step=0.1), "shake"),
    (lambda: dal.Stepper(skate, "dla01", step=0.1).start([0, 0], [0, 0, 1]), "2"),
    (lambda: dal.Stepper(skate, "dla01", step=0.1).start([0, 0, 0], [0, 1, 0]), "violated by 1"),
    (lambda: dal.Stepper(skate, "dla01", step=0.1).start("spinnning"), "no start"),
    (lambda: dal.Stepper(skate, "dla01", step=0.1).start("spinning", [0, 0, 1]), "stands beside"),
    (lambda: dal.Stepper(skate, "dla01", step=0.1).advance(dal.Stepper(skate, "dla01", step=0.1).start(), -1), "steps is -1"),
])
def test_wrong_requests(make, sentence):
    with pytest.raises(dal.RequestError, match=sentence) as refusal:
        make()
    assert "\n" not in str(refusal.value)


def test_points_of_another_system_are_refused():
    point = dal.Stepper("pendulum-cvt", "lobatto", step=0.1).start()
    other = dal.Stepper("rolling-coin", "lobatto", step=0.1)
    for ask in (other.step, other.energy, other.constraint_error, other.multiplier, other.integrals):
        with pytest.raises(dal.RequestError):
            ask(point)
        with pytest.raises(dal.RequestError, match="the point is"):
            ask(None)


def test_a_projected_start():
    point = dal.Stepper(skate, "dla01", step=0.1).start([0, 0, 0], [1, 1, 0], project=True)
    np.testing.assert_allclose(point.v, [1, 0, 0], atol=1e-15)


def test_threads_step_side_by_side():
    stepper = dal.Stepper(skate, "leapfrog", step=0.01)
    wanted = stepper.start()
    stepper.advance(wanted, 20_000)
    points = [stepper.start() for _ in range(4)]
    # One stepper, four points, and parameters that are read beside; and steps one by one beside many at a time.
    threads = [threading.Thread(target=lambda p=point: [stepper.advance(p, 100) for _ in range(200)]) for point in points]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for point in points:
        assert_array_equal(point.q, wanted.q)


def test_the_interpreter_goes_on_and_signals_come_in():
    stepper = dal.Stepper(skate, "leapfrog", step=1e-3)
    point = stepper.start()
    counted = []

    def count():
        while not done.is_set():
            counted.append(1)
            time.sleep(0.001)

    done = threading.Event()
    other = threading.Thread(target=count)
    other.start()
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    previous = signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt()))
    begin = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            stepper.advance(point, 10**12)
    finally:
        signal.signal(signal.SIGALRM, previous)
        done.set()
        other.join()
    assert time.monotonic() - begin < 5 and len(counted) > 10
    # The point is where it has got to, and goes on.
    steps = round(point.t / 1e-3)
    assert steps > 0 and stepper.step(point)
    again = stepper.start()
    stepper.advance(again, steps + 1)
    assert_array_equal(again.q, point.q)


def test_blocks_say_what_is_solved_how():
    kinds = {block.kind for block in dal.Stepper(skate, "dla01", step=0.1).blocks}
    assert kinds <= {"explicit", "linear", "Newton iteration"} and kinds
