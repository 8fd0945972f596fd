"""Events of runs: typed, read, located, in problems of every kind."""

import numpy as np
import pytest

import dalembert as dal


@dal.system(coordinates="x z", parameters={"e": 0.9})
def ball(q, v, p):
    return dal.Mechanics(kinetic=(v.x**2 + v.z**2) / 2, potential=q.z)


def floor(**more):
    return dal.Event("z", name="floor", direction="falling", impact={"restitution": "e"}, **more)


def test_directions_and_counts_are_those_of_scipy():
    solution = dal.run("pendulum-cvt", "lobatto", step=0.1, until=100, start="rotating",
                       events=[dal.Event(lambda q, v, t: q[1], direction="rising", terminal=5)])
    event = solution.events[0]
    assert solution.ok and solution.ended_by == "event_1" and len(event) == len(event.t) == 5
    assert np.all(event.rising) and np.all(event.v[:, 1] > 0) and np.max(np.abs(event.q[:, 1])) < 1e-14
    assert solution.t[-1] == event.t[-1] and np.array_equal(solution.final.q, event.q[-1])


def test_systems_typed_in_python_bounce():
    solution = dal.run(ball, "lobatto", step=0.1, until=10, q=[0, 1], v=[1, 0],
                       events=[floor(), dal.Event(lambda q, v: v.z, name="top", direction="falling")])
    t, speed = np.sqrt(2), np.sqrt(2)
    for i, found in enumerate(solution.events["floor"].t):
        # Round-off of some hundred steps.
        assert abs(found - t) < 1e-13 and abs(solution.events["top"].t[i] - (t + 0.9 * speed)) < 1e-13
        assert abs(solution.events["floor"].v_after[i, 1] - 0.9 * speed) < 1e-13
        speed *= 0.9
        t += 2 * speed
    assert len(solution.events) == 2 and "floor: 4" in repr(solution.events)
    # Between the nodes, and after an impact between them.
    t, after = solution.events["floor"].t[0], solution.events["floor"].v_after[0, 1]
    assert t < 1.45 < 1.5 and abs(solution(1.45).v[1] - (after - (1.45 - t))) < 1e-13


def test_events_survive_files_and_longer_runs(tmp_path):
    solution = dal.run(ball, "lobatto", step=0.1, until=5, q=[0, 1], v=[1, 0], events=[floor()], out=tmp_path / "r.h5")
    again = dal.open(tmp_path / "r.h5")
    assert np.array_equal(again.events["floor"].v_after, solution.events["floor"].v_after)
    longer, whole = again.resume(until=10), dal.run(ball, "lobatto", step=0.1, until=10, q=[0, 1], v=[1, 0], events=[floor()])
    assert np.array_equal(longer.events["floor"].t, whole.events["floor"].t) and np.array_equal(longer.q, whole.q)
    ended = dal.run(ball, "lobatto", step=0.1, until=5, q=[0, 1], v=[1, 0], events=[floor(terminal=True)])
    assert ended.resume(until=10).t[-1] == ended.t[-1]


def test_states_up_to_the_event_that_has_ended_a_run():
    for method in ("lobatto", "shake"):  # a shorter step, and the cubic between nodes
        solution = dal.run("henon-heiles", method, step=0.1, until=50, start="regular",
                           events=[dal.Event("x", direction="rising", terminal=2)])
        last_node, end = solution.t[-2], solution.t[-1]
        assert solution.ended_by == "event_1" and 0 < end - last_node < 0.1
        middle = solution((last_node + end) / 2)
        nearly = solution.q[-2] + (end - last_node) / 2 * solution.v[-2]
        assert np.max(np.abs(middle.q - nearly)) < 0.01  # h^2/8 times the acceleration, at most
        assert np.array_equal(solution(end).q, solution.q[-1])


def test_a_change_of_the_state_may_be_typed():
    solution = dal.run(ball, "lobatto", step=0.1, until=2, q=[0, 1], v=[1, 0],
                       events=[dal.Event(lambda q: q.z, set={"z": 1, "z_dot": lambda q, v: v.z / 2})])
    assert np.array_equal(solution.events[0].q_after[0], [solution.events[0].q[0, 0], 1.0])
    assert abs(solution.events[0].v_after[0, 1] + np.sqrt(0.5)) < 1e-13


def test_a_problem_brings_its_own_events():
    solution = dal.run("bouncing-disk", "dla", step=0.1, until=60, start="thrown")
    impacts = solution.events["floor"]
    assert solution.ended_by == "floor"
    # It rolls from the first impact on: m (1 - x_dot) = J phi_dot / r, x_dot = r phi_dot.
    assert np.max(np.abs(impacts.v_after[:, 0] - 2 / 3)) < 1e-14
    assert np.max(np.abs(impacts.v_after[:, 2] - 2 / 3)) < 1e-14
    # All bounces take 2 + 16 (1 - .8^n); the last leaves with less than 1e-4.
    n = len(impacts)
    assert 2 * 0.8**n < 1e-4 < 2 * 0.8**(n - 1)
    assert abs(impacts.t[-1] - (2 + 16 * (1 - 0.8**(n - 1)))) < 1e-11
    # A superball comes back.
    back = dal.run("bouncing-disk", "dla", step=0.1, until=30, start="backspin")
    signs = np.sign(back.events["floor"].v_after[:, 0])
    assert -1 in signs and 1 in signs and np.max(np.abs(back.energy - back.energy[0])) < 1e-13
    assert np.max(np.abs(back.integrals["moment"] - back.integrals["moment"][0])) < 1e-13


def test_a_coin_falls_as_long_as_a_quadrature_says():
    # Without spin the energy is that of one angle: (m r^2/4 + m r^2) theta_dot^2/2 + m g r sin(theta).
    start, end = 0.6, 0.05
    # theta = start - s^2 takes the root away; Gauss' rule with 40 nodes is exact to round-off then.
    nodes, weights = np.polynomial.legendre.leggauss(40)
    last = np.sqrt(start - end)
    s = last * (nodes + 1) / 2
    expected = last / 2 * np.sum(weights * 2 * s / np.sqrt(1.6 * (np.sin(start) - np.sin(start - s * s))))
    for method, error in [("lobatto(stages=5)", 1e-10), ("gauss(stages=4)", 1e-10), ("dla", 1e-4)]:
        coin = dal.run("rolling-coin", method, step=0.02, until=10, q=[0, 0, 0, start, 0], v=[0, 0, 0, 0, 0],
                       events=[dal.Event("theta - 0.05", direction="falling", terminal=True)])
        assert coin.ended_by == "event_1" and abs(coin.t[-1] - expected) < error, method


@pytest.mark.parametrize("events, words", [
    (dal.Event("x"), "a list of dal.Event"),
    (["x"], "a dal.Event, or a dict"),
    ([dal.Event(7)], "a text or a function"),
    ([dal.Event(lambda q, v, p, t, more: q.x)], "takes 5 arguments"),
    ([dal.Event(lambda q: [q.x])], "must return one expression"),
    ([dal.Event("y")], '"y"'),
    ([dal.Event("x", direction="up")], '"falling"'),
    ([dal.Event("x", terminal=0)], "terminal"),
    ([dal.Event("x", impact={"restitution": 1}, set={"x": 1})], "beside impact"),
    ([{"of": "x", "where": 1}], "where"),
])
def test_refusals(events, words):
    with pytest.raises(dal.RequestError, match=words):
        dal.run(ball, "lobatto", step=0.1, until=1, q=[0, 1], v=[1, 0], events=events)


def test_an_unknown_event_is_named():
    solution = dal.run(ball, "lobatto", step=0.1, until=1, q=[0, 1], v=[1, 0], events=[floor()])
    with pytest.raises(dal.UnknownName, match='no event "flor"; known are floor'):
        solution.events["flor"]
