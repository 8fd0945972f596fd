"""Writes a result file, resumes it to the bits of a run without a break, and hands it on as other packages hold data."""

import pathlib
import pickle
import tempfile

import numpy as np

import dalembert as dal

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "r.h5"
    dal.run("pendulum-cvt", ["dla", "leapfrog"], step=0.1, until=100, start="rotating").save(path)
    sol = dal.open(path).resume(until=200)
whole = dal.run("pendulum-cvt", ["dla", "leapfrog"], step=0.1, until=200, start="rotating")
for name in whole:
    assert np.array_equal(sol[name].q, whole[name].q)
again: dal.Result = pickle.loads(pickle.dumps(sol))
print(again, again["dla"](12.34).q, sep="\n")
