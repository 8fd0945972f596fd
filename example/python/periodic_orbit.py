"""Finds an unstable periodic motion of a chaotic system, its multipliers, and the exponents of the chaos around it."""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import dalembert as dal

q, v = np.array([-0.4, -0.5, 0.6, -0.35, 0.15]), np.array([0.0, 0.35, 0.15, -0.55, -0.65])
orbit = dal.periodic_orbit("chaotic", "gauss(stages=3)", period=6, steps=60, q=q, v=v, keep="energy")
print(orbit)
assert orbit.residual < 1e-13
# The motion is reversible and keeps its energy: multipliers come in pairs whose product is one, and two of them are one.
largest, smallest = orbit.multipliers[0], orbit.multipliers[-1]
assert abs(largest * smallest - 1) < 1e-8 and np.sum(np.abs(orbit.multipliers - 1) < 1e-6) >= 2

# A small change grows by the largest multiplier in each period.
growth = np.log(largest.real) / orbit.period
near = dal.run("chaotic", "gauss(stages=3)", step=orbit.step, until=14 * orbit.period, start=orbit.start)["gauss(stages=3)"]
back = np.abs(near.q[::60] - near.q[0]).max(axis=1)

spectrum = dal.lyapunov("chaotic", "dla01", step=0.05, until=2000, exponents=3, start="newmark")
print(spectrum)
assert spectrum.exponents[0].low > 0

figure, (left, right) = plt.subplots(1, 2, layout="constrained", figsize=(9, 4))
left.plot(near.q[:61, 1], near.q[:61, 3], label="periodic motion")
left.plot(near.q[:, 1], near.q[:, 3], ":", linewidth=1, label="14 periods of it")
left.set(xlabel="w_1", ylabel="z_1", title=f"period {orbit.period:.4f}, largest multiplier {largest.real:.3f}")
left.legend(fontsize="small")
right.semilogy(np.arange(1, 15), back[1:], ".", label="distance from the start after each period")
right.semilogy(np.arange(1, 15), back[4] * np.exp(growth * orbit.period * np.arange(-3, 11)), "--", label="growth by the multiplier")
right.set(xlabel="periods", title="round-off grows along the unstable direction")
right.legend(fontsize="small")
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1])
