"""Motions as they look: a bicycle that recovers from a push, as a page; a pendulum on a cart that is typed here, as a picture."""

import numpy as np

import dalembert as dal

# A problem of the library says how it looks. The page plays in any browser; in a notebook run.animate() plays in the cell.
run = dal.run("bicycle", "gauss", start="stable", step=0.01, until=5)
print(run.animate("bicycle.html"))


@dal.system(coordinates="x angle", angles="angle", parameters={"g": 9.81})
def cart(q: dal.Quantities, v: dal.Quantities, p: dal.Parameters) -> dal.Mechanics:
    """A pendulum of unit length and mass below a cart of mass 2 that rolls along x."""
    bob = [v.x + np.cos(q.angle) * v.angle, np.sin(q.angle) * v.angle]
    return dal.Mechanics(kinetic=v.x**2 + np.dot(bob, bob) / 2, potential=-p.g * np.cos(q.angle))


# How one's own system looks is said when it is shown.
run = dal.run(cart, "lobatto", q=[0, 2.5], v=[0, 0], step=0.02, until=6)
print(run.animate("cart.gif", seconds=6, picture={
    "segment": [{"from": [-2, 0], "to": [2, 0], "colour": "grey", "width": 1},
                {"from": ["x", 0], "to": ["x + sin(angle)", "-cos(angle)"]}],
    "line": {"x": ["x - 0.3", "x + 0.3", "x + 0.3", "x - 0.3"], "y": [-0.1, -0.1, 0.1, 0.1], "closed": True, "fill": True},
    "point": {"at": ["x + sin(angle)", "-cos(angle)"], "width": 14},
    "trail": {"at": ["x + sin(angle)", "-cos(angle)"]}}))
