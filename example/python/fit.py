"""Fits spring, radius and initial rates of a rolling disk to noisy measurements of its place and its rotation."""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from scipy.optimize import least_squares

import dalembert as dal

Array = npt.NDArray[np.float64]
NAMES = ["k", "r", "theta_dot", "phi_dot"]
GUESS = np.array([1.0, 0.8, 0.8, 0.9])
Q, TIMES, NOISE = [1.0, -0.5, 0.3, 0.0], 0.25, 0.02
along = np.array([np.cos(Q[2]), np.sin(Q[2])])


def start(p: Array) -> Array:
    """The velocity of a disk that rolls: x_dot, y_dot, theta_dot, phi_dot."""
    _, r, turning, rolling = p
    return np.array([*(r * rolling * along), turning, rolling])


def motion(p: Array) -> dal.Sensitivity:
    return dal.sensitivity("rolling-disk", "lobatto", of=["x", "y", "phi"], by=["k", "r", "velocities"], step=0.05, until=12, every=TIMES,
                           q=Q, v=start(p), parameters={"k": p[0], "r": p[1], "m": 1.3, "J_theta": 0.4, "J_phi": 0.9})


def jacobian(p: Array) -> Array:
    _, r, _, rolling = p
    found = motion(p)
    by = {name: found.derivatives[:, :, i] for i, name in enumerate(found.by)}
    # The start changes with the parameters, too.
    forward = along[0] * by["x_dot"] + along[1] * by["y_dot"]
    columns = [by["k"], by["r"] + rolling * forward, by["theta_dot"], by["phi_dot"] + r * forward]
    return np.stack([column.ravel() for column in columns], axis=1)


truth = np.array([1.1, 0.7, 0.9, 1.0])
measured = motion(truth).values + NOISE * np.random.default_rng(1).normal(size=(49, 3))
fit = least_squares(lambda p: (motion(p).values - measured).ravel(), x0=GUESS, jac=jacobian, bounds=(0.1, 3))
spread = NOISE * np.sqrt(np.diag(np.linalg.inv(fit.jac.T @ fit.jac)))
for name, value, error, true in zip(NAMES, fit.x, spread, truth):
    print(f"{name:10} {value:.4f} +- {error:.4f}   (true: {true})")
assert fit.success and np.all(np.abs(fit.x - truth) < 4 * spread)

figure, axes = plt.subplots(layout="constrained", figsize=(6, 5))
axes.plot(*motion(GUESS).values[:, :2].T, ":", color="0.6", label="guess")
axes.plot(*measured[:, :2].T, ".", label="measured")
axes.plot(*motion(fit.x).values[:, :2].T, label="fitted")
axes.set(xlabel="x", ylabel="y", aspect="equal", title="contact point of a disk on a spring")
axes.legend()
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1])
