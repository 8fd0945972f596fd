"""Takes a Lagrangian from SymPy, runs it, and gives its equations of motion back."""

import sympy as sp
from sympy.physics.mechanics import dynamicsymbols

import dalembert as dal

x, y, z = dynamicsymbols("x y z")
t, eps = dynamicsymbols._t, sp.Symbol("eps")
lagrangian = (x.diff(t)**2 + y.diff(t)**2 + z.diff(t)**2) / 2 - (x**2 + y**2 + z**2) / 2 - eps * x**2 * z**2

problem = dal.from_sympy(lagrangian, q=[x, y, z], constraints=[sp.Eq(x.diff(t) + y * z.diff(t), 0)], parameters={eps: 0.15},
                         name="contact")
print(problem.lagrangian.to_sympy())
print(problem.equations_of_motion())

sol = dal.run(problem, "lobatto", step=0.1, until=20, q=[1, 0.5, 0], v=[-0.1, 1, 0.2])
print(sol)
assert sol.constraint.max() < 1e-12
