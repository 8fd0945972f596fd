"""Takes single steps in a loop of its own: a skate on a plane whose slope is turned round by a feedback on the way."""

import numpy as np

import dalembert as dal


@dal.system(coordinates="x y heading", angles="heading", parameters={"slope": 1.0})
def skate(q: dal.Quantities, v: dal.Quantities, p: dal.Parameters) -> dal.Mechanics:
    return dal.Mechanics(kinetic=v @ v / 2, potential=-p.slope * q.x,
                         constraints=[-np.sin(q.heading) * v.x + np.cos(q.heading) * v.y])


stepper = dal.Stepper(skate, "dla01", step=0.01)
point = stepper.start([0, 0, 1], [0, 0, 1])
turns = 0
while point.t < 20:
    report = stepper.step(point)
    if not report:
        raise SystemExit(report.message)
    wanted = -1.0 if point.q[0] > 0 else 1.0
    if wanted != stepper.parameters["slope"]:
        stepper.parameters = {"slope": wanted}
        turns += 1
print(f"at t = {point.t:.2f}, after {turns} turns of the slope, the skate is at {point.q[:2]}")
print(stepper.advance(point, 10_000))
assert stepper.constraint_error(point) < 1e-12
