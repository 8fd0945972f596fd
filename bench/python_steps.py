"""What a step costs that Python asks for one by one, and one of many: python3 bench/python_steps.py, with the package on the path."""

import time

import dalembert as dal

STEPS = 200_000
stepper = dal.Stepper("pendulum-cvt", "leapfrog", step=0.1)
point = stepper.start()
begin = time.perf_counter()
for _ in range(STEPS):
    stepper.step(point)
middle = time.perf_counter()
stepper.advance(point, STEPS)
end = time.perf_counter()
print(f"one by one {(middle - begin) / STEPS * 1e6:.2f} us, many at a time {(end - middle) / STEPS * 1e6:.3f} us a step")
