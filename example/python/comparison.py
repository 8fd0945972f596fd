"""Compares methods on one motion: how accurately they follow it, what they keep, and what it costs."""

import matplotlib

matplotlib.use("Agg")

import dalembert as dal

c = dal.compare("pendulum-cvt", ["dla", "leapfrog", "lobatto", "energy-collocation"], start="rotating", until=100, levels=4)
print(c)
least = c.to_dataframe().groupby("method").energy_error.min()
assert least["energy-collocation"] < 1e-12 < least["dla"]
axes = c.plot("energy_error", against="evaluations")
assert len(axes.lines) == 4
