"""Steers a snakeboard: motions of rotor and axles, as small as may be, that park it to the side, at rest."""

import sys
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from scipy.optimize import least_squares

import dalembert as dal

Array = npt.NDArray[np.float64]
T, WAVES = 8.0, 5
NAMES = [f"{joint}_{k}" for joint in ("rotor", "front", "back") for k in range(1, WAVES + 1)]


@dal.system(coordinates="x y theta psi front back", angles="theta", parameters={name: 0.0 for name in NAMES},
            starts={"rest": dal.Start(q=[0, 0, 0, 0, 0, 0], v=[0, 0, 0, 0, 0, 0])})
def snakeboard(q: dal.Quantities, v: dal.Quantities, p: dal.Parameters, t: dal.Expression) -> dal.Mechanics:
    """A board with a rotor and two steered axles, which servos turn towards angles that are waves of time."""
    m, board, rotor, axle, r = 1.0, 0.5, 0.4, 0.1, 1.0
    wanted = [sum((p[f"{joint}_{k}"] * np.sin(k * np.pi * t / T) for k in range(1, WAVES + 1)), 0.0)
              for joint in ("rotor", "front", "back")]
    torque = [4 * (angle - q[i]) - 2 * v[i] for i, angle in enumerate(wanted, start=3)]

    def across(angle: Any, place: float) -> Any:
        heading = q.theta + angle
        return -np.sin(heading) * v.x + np.cos(heading) * v.y + place * np.cos(angle) * v.theta

    kinetic = (m * (v.x**2 + v.y**2) + board * v.theta**2 + rotor * (v.theta + v.psi)**2
               + axle * ((v.theta + v.front)**2 + (v.theta + v.back)**2)) / 2
    return dal.Mechanics(kinetic=kinetic, constraints={"front_wheel": across(q.front, r), "back_wheel": across(q.back, -r)},
                         force=[0.0, 0.0, 0.0, *torque])


GOAL = np.array([0, 1, 0, 0, 0, 0, 0, 0, 0])


def end(effort: Array) -> dal.Sensitivity:
    return dal.sensitivity(snakeboard, "gauss", by=NAMES, step=0.1, until=T, parameters=dict(zip(NAMES, effort)),
                           of=["x", "y", "theta", "x_dot", "y_dot", "theta_dot", "psi_dot", "front_dot", "back_dot"])


def solve(weight: float, guess: Array) -> Array:
    """Least squares of the distance to the goal, and of the effort."""
    def residual(effort: Array) -> Array:
        return np.concatenate([end(effort).end - GOAL, weight * effort])

    def jacobian(effort: Array) -> Array:
        return np.concatenate([end(effort).jacobian, weight * np.eye(len(effort))])

    found = least_squares(residual, guess, jac=jacobian)
    print(f"weight {weight:7.0e}: distance to the goal {np.linalg.norm(end(found.x).end - GOAL):.1e}, "
          f"effort {np.linalg.norm(found.x):.3f}, {found.nfev} runs")
    effort: Array = found.x
    return effort


effort = 0.05 * np.random.default_rng(2).normal(size=len(NAMES))
for weight in (1e-1, 1e-2, 1e-3, 1e-5):
    effort = solve(weight, effort)
assert np.linalg.norm(end(effort).end - GOAL) < 1e-4

path = dal.run(snakeboard, "gauss", step=0.1, until=T, parameters=dict(zip(NAMES, effort)))["gauss"]
figure, axes = plt.subplots(layout="constrained", figsize=(6, 5))
axes.plot(path.q[:, 0], path.q[:, 1])
for x, y, heading, _, front, back in path.q[::6]:
    direction = np.array([np.cos(heading), np.sin(heading)])
    axes.plot(*np.transpose([(x, y) - direction, (x, y) + direction]), color="0.7", linewidth=1)
    for place, angle in ((1, front), (-1, back)):
        wheel = 0.12 * np.array([np.cos(heading + angle), np.sin(heading + angle)])
        centre = np.array([x, y]) + place * direction
        axes.plot(*np.transpose([centre - wheel, centre + wheel]), color="k", linewidth=1.5)
axes.set(xlabel="x", ylabel="y", aspect="equal", title="a snakeboard parks sideways")
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1])
