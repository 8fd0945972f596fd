"""A system that is typed as equations, the Chaplygin sleigh, run with methods of the library."""

import numpy as np

import dalembert as dal


@dal.system(coordinates="x y theta", angles="theta",
            parameters={"a": 1.0, "inertia": dal.Parameter(8, min=0, min_exclusive=True)},
            starts={"gliding": dal.Start(q=[0, 0, 0], v=[-0.2, 0, 0.3])})
def sleigh(q: dal.Quantities, v: dal.Quantities, p: dal.Parameters) -> dal.Mechanics:
    """A sled whose blade at (x, y) cannot slip sideways; its centre of mass lies a distance a ahead."""
    along = v.x - p.a * np.sin(q.theta) * v.theta
    across = v.y + p.a * np.cos(q.theta) * v.theta
    return dal.Mechanics(kinetic=(along**2 + across**2 + p.inertia * v.theta**2) / 2,
                         constraints={"blade": -np.sin(q.theta) * v.x + np.cos(q.theta) * v.y})


sol = dal.run(sleigh, ["dla(alpha=0.4)", "energy-collocation"], step=0.1, until=50)
for name, run in sol.items():
    forward = np.cos(run.q[:, 2]) * run.v[:, 0] + np.sin(run.q[:, 2]) * run.v[:, 1]
    print(f"{name}: energy error {run.energy_error[-1]:.1e}, forward speed {forward[-1]:.5f}")
assert abs(sol["energy-collocation"].energy_error[-1]) < 1e-12
