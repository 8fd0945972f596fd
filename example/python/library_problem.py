"""Runs two methods on a problem of the library and compares their energies."""

import numpy as np

import dalembert as dal

problem = dal.load("pendulum-cvt")
print(problem, problem.equations, sep="\n")

sol = dal.run(problem, ["dla", "leapfrog"], step=0.1, until=1000, start="rotating")
for name, run in sol.items():
    print(f"{name}: {run.status}, {len(run.t)} records, largest energy error {np.abs(run.energy_error).max():.1e}, "
          f"driver energy {run.integrals['driver_energy'][-1]:.6f}")
assert sol["leapfrog"].lam.shape == (10001, 1)
