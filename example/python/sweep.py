"""Runs methods with several steps and parameters, and looks at the result as one Dataset."""

import numpy as np

import dalembert as dal

ds = dal.sweep("pendulum-cvt", method=["dla", "leapfrog"], step=[0.1, 0.05], parameters={"epsilon": np.linspace(0, 1, 11)},
               start="rotating", until=100)
worst = ds.energy_error.max("epsilon")
print(worst.to_pandas())
assert ds.energy_error.dims == ("epsilon", "method", "step") and (ds.status == "ok").all()
# Both are of second order.
ratios = worst.sel(step=0.1) / worst.sel(step=0.05)
assert np.all(np.abs(np.log2(ratios) - 2) < 0.5), ratios
