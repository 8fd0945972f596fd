"""What a step costs that Python asks for one by one, and one of many; and a run whose system and steps are there already.

python3 bench/python_steps.py, with the package on the path
"""

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

for problem, method in (("pendulum-cvt", "dla01"), ("rolling-coin", "gauss(stages=2)"), ("bicycle", "gauss(stages=4)")):
    times = []
    for _ in range(20):
        begin = time.perf_counter()
        dal.run(problem, method, step=0.01, until=0.1)
        times.append(time.perf_counter() - begin)
    print(f"{problem}, {method}, ten steps: {1e3 * times[0]:.1f} ms the first time, {1e3 * min(times):.1f} ms again")
