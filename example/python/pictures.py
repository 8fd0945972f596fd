"""Draws the energy error of two methods and the section of a third one, and answers a slip of the pen."""

import pathlib
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import dalembert as dal

sol = dal.run("pendulum-cvt", ["dla", "leapfrog"], step=0.1, until=500, start="rotating")
upright = dal.run("pendulum-cvt", "lobatto", step=0.1, until=500, start="rotating",
                  diagnostics=[{"kind": "section", "name": "upright", "of": "sin(xi)"}])
figure, (above, below) = plt.subplots(2, layout="constrained")
sol.plot("energy_error", ax=above)
upright.plot_section("upright", "x1", "x1_dot", ax=below)
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "picture.png"
    figure.savefig(path)
    print(f"a picture of {path.stat().st_size} bytes")

try:
    dal.load("pendulum-cvd")
except dal.RequestError as error:
    print(error)
