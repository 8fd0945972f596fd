"""Runs many random starts at a time, and looks at how their energy errors spread."""

import dalembert as dal

e = dal.ensemble("chaotic", "dla01", members=200, seed=1, energy=3.06, step=0.1, until=50, threads=2)
errors = e.statistics["energy_error"]
print(e, f"variance of the energy error at t = {e.t[-1]:g}: {errors.variance[-1]:.2e}", sep="\n")
if e.variance is not None:
    print(f"it grows like t^{e.variance.exponent:.2f} +- {e.variance.uncertainty:.2f}")
assert e.final.q.shape == (200, 5) and not e.failures
