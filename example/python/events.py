"""Follows a motion between its records, and ends it at the fifth time that something happens."""

import numpy as np

import dalembert as dal

turn = dal.Event(lambda q, v, t: np.sin(q[2] / 2), name="upright", terminal=5)
sol = dal.run("pendulum-cvt", "lobatto", step=0.1, until=100, start="rotating", events=[turn])
times = sol.events["upright"].t
print("upright at", np.round(times, 6), "the run ends by", sol.ended_by)
assert len(times) == 5 and sol.ended_by == "upright" and sol.t[-1] == times[-1]
# The driver rotates alone: its turns take equal times, but for the error of the method.
assert np.ptp(np.diff(times)) < 1e-3
assert abs(np.sin(sol(times[2]).q[2] / 2)) < 1e-9
