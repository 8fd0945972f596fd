"""Steps in C, of problems and of what is typed in Python."""
import subprocess

import dalembert as dal
import numpy as np
import pytest


def test_steps_of_a_typed_method_in_c_have_the_bits_of_a_run(tmp_path):
    @dal.method(order=2, multiplier_order=1, symmetric=True)
    def trapezoidal(s, a, u, h):
        v, lam = u.vector("v", a.v), u.multiplier("lambda", a.lam)
        q = a.q + 0.5 * h * (a.v + v)
        force = -0.5 * (s.potential_gradient(a.q) + s.potential_gradient(q))
        return dal.Step(zero=s.mass(q) @ (v - a.v) - h * (force + s.constraint_force(0.5 * (a.q + q), lam)),
                        constraint=s.constraint(q, v), after=(q, v, lam))

    problem = dal.load("pendulum-cvt")
    (tmp_path / "step.h").write_text(problem.to_c(trapezoidal, prefix="own"))
    (tmp_path / "main.c").write_text("""#include <stdio.h>
#include "step.h"
int main(void) {
  static own_motion m;
  own_start_rotating(&m);
  m.step_size = 0.1;
  own_begin(&m);
  if (own_advance(&m, 50) != 0) return 1;
  for (int i = 0; i < 3; ++i) printf("%a %a ", own_coordinate(&m, i), m.v[i]);
  return 0;
}
""")
    subprocess.run(["cc", "-O1", "main.c", "-o", "main", "-lm"], cwd=tmp_path, check=True)
    printed = subprocess.run([tmp_path / "main"], check=True, capture_output=True, text=True).stdout.split()
    numbers = np.array([float.fromhex(word) for word in printed])
    run = dal.run(problem, trapezoidal, step=0.1, steps=50, start="rotating")
    assert np.array_equal(numbers[::2], run.q[-1]) and np.array_equal(numbers[1::2], run.v[-1])


def test_what_cannot_be_printed_is_refused():
    problem = dal.load("pendulum-cvt")
    with pytest.raises(dal.RequestError, match="tolerance = 0"):
        problem.to_c("fehlberg-78")
    with pytest.raises(dal.RequestError, match="no digit first"):
        problem.to_c("dla", prefix="3d")
    with pytest.raises(dal.RequestError, match="prefix"):
        problem.to_c("dla", prefix=3)


def test_compiled_steps_have_the_same_bits(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    words = {"step": 0.1, "steps": 500, "start": "rotating"}
    native, interpreted = (dal.run("pendulum-cvt", "lobatto", native=choice, **words) for choice in ("require", "off"))
    assert np.array_equal(native.q, interpreted.q) and np.array_equal(native.lam, interpreted.lam)
    assert len(list((tmp_path / "dalembert").iterdir())) == 1
    with pytest.raises(dal.RequestError, match="auto, off or require"):
        dal.run("pendulum-cvt", "lobatto", native="yes", **words)
