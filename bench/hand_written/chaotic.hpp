#pragma once
/// \file
/// What the kernels of the chaotic problem with three pairs share: vectors of its space, forces,
/// and linear systems with the structure of its stiffness.

#include <type_traits>

#include "kernels.hpp"
#include "numbers.hpp"

namespace bench::DALEMBERT_BENCH_KERNELS::chaotic {

/// x, w_1..w_3, z_1..z_3: positions, velocities or forces.
template <class Number>
struct Seven {
  Number x, w[3], z[3];
};

template <class Number>
Seven<Number> load(const double* from) {
  return {from[0], {from[1], from[2], from[3]}, {from[4], from[5], from[6]}};
}

/// The first lane.
template <class Number>
void store(const Seven<Number>& a, double* to) {
  using dalembert::numeric::get_lane;
  to[0] = get_lane(a.x, 0);
  for (int i = 0; i < 3; ++i) to[1 + i] = get_lane(a.w[i], 0), to[4 + i] = get_lane(a.z[i], 0);
}

/// a + factor * b.
template <class Number>
Seven<Number> sum(const Seven<Number>& a, const std::type_identity_t<Number>& factor,
                  const Seven<Number>& b) {
  Seven<Number> r;
  r.x = a.x + factor * b.x;
  for (int i = 0; i < 3; ++i) r.w[i] = a.w[i] + factor * b.w[i];
  for (int i = 0; i < 3; ++i) r.z[i] = a.z[i] + factor * b.z[i];
  return r;
}

template <class Number>
Seven<Number> scaled(const std::type_identity_t<Number>& factor, const Seven<Number>& a) {
  return sum<Number>({}, factor, a);
}

template <class Number>
Number dot(const Seven<Number>& a, const Seven<Number>& b) {
  const Number w = a.w[0] * b.w[0] + a.w[1] * b.w[1] + a.w[2] * b.w[2];
  return a.x * b.x + (a.z[0] * b.z[0] + a.z[1] * b.z[1]) + (w + a.z[2] * b.z[2]);
}

/// The potential's gradient.
template <class Number>
Seven<Number> slope(const Seven<Number>& q) {
  Seven<Number> r;
  r.x = q.x;
  for (int i = 0; i < 3; ++i) r.w[i] = q.w[i] + q.w[i] * (q.z[i] * q.z[i]);
  for (int i = 0; i < 3; ++i) r.z[i] = q.z[i] + q.z[i] * (q.w[i] * q.w[i]);
  r.z[0] += q.z[0] * (q.z[1] * q.z[1]);
  r.z[1] += q.z[1] * (q.z[0] * q.z[0]);
  return r;
}

/// The direction of the constraint's force at q: (1, 0, w).
template <class Number>
Seven<Number> direction(const Seven<Number>& q) {
  return {1.0, {0.0, 0.0, 0.0}, {q.w[0], q.w[1], q.w[2]}};
}

/// (1, 0, w).a
template <class Number>
Number along(const Seven<Number>& q, const Seven<Number>& a) {
  return a.x + (q.w[0] * a.z[0] + q.w[1] * a.z[1] + q.w[2] * a.z[2]);
}

template <class Number>
Number largest(const Seven<Number>& a) {
  Number r = magnitude(a.x);
  for (int i = 0; i < 3; ++i)
    r = larger_of<Number>(r, larger_of<Number>(magnitude(a.w[i]), magnitude(a.z[i])));
  return r;
}

template <class Number>
Number total(const Seven<Number>& a) {
  return a.x + (a.w[0] + a.w[1] + a.w[2]) + (a.z[0] + a.z[1] + a.z[2]);
}

/// unit * I + weight * (Hessian of the potential), with `pull` taken away where the row of z_i
/// meets the column of w_i; factorised: w_i is eliminated, then there are z_1, z_2 and z_3.
template <class Number>
class Stiffness {
 public:
  Stiffness(const Number& unit, double weight, const Number& pull, const Seven<Number>& q)
      : x_(1.0 / (unit + weight)) {
    Number z[3];
    for (int i = 0; i < 3; ++i) {
      w_[i] = 1.0 / (unit + weight * (1.0 + q.z[i] * q.z[i]));
      wz_[i] = 2.0 * weight * (q.w[i] * q.z[i]);
      zw_[i] = (wz_[i] - pull) * w_[i];
      z[i] = unit + weight * (1.0 + q.w[i] * q.w[i]) - zw_[i] * wz_[i];
    }
    const Number z1 = q.z[0] * q.z[0], z2 = q.z[1] * q.z[1];
    const Number first = z[0] + weight * z2, second = z[1] + weight * z1;
    const Number cross = 2.0 * weight * (q.z[0] * q.z[1]);
    const Number scale = 1.0 / (first * second - cross * cross);
    z11_ = second * scale, z12_ = -cross * scale, z22_ = first * scale;
    z33_ = 1.0 / z[2];
  }

  Seven<Number> solve(const Seven<Number>& r) const {
    Seven<Number> a;
    const Number t0 = r.z[0] - zw_[0] * r.w[0], t1 = r.z[1] - zw_[1] * r.w[1];
    a.x = x_ * r.x;
    a.z[0] = z11_ * t0 + z12_ * t1;
    a.z[1] = z12_ * t0 + z22_ * t1;
    a.z[2] = z33_ * (r.z[2] - zw_[2] * r.w[2]);
    for (int i = 0; i < 3; ++i) a.w[i] = w_[i] * (r.w[i] - wz_[i] * a.z[i]);
    return a;
  }

 private:
  Number x_, w_[3], wz_[3], zw_[3], z11_, z12_, z22_, z33_;
};

/// What the slope in the middle misses of the potential's change, over h^2, as a function of the
/// mean velocity m: sums of a b (u b + v a) h/4, with its derivative by m where the middle q moves
/// by h/2 m.
template <class Number>
struct Missing {
  Number value = 0.0;
  Seven<Number> slope = {};

  Missing(const Seven<Number>& q, const Seven<Number>& m, double h) {
    for (int i = 0; i < 3; ++i) {
      add(q.w[i], q.z[i], m.w[i], m.z[i], h, slope.w[i], slope.z[i]);
    }
    add(q.z[0], q.z[1], m.z[0], m.z[1], h, slope.z[0], slope.z[1]);
  }

 private:
  void add(const Number& u, const Number& v, const Number& a, const Number& b, double h,
           Number& by_a, Number& by_b) {
    const double quarter = 0.25 * h, half = 0.5 * h;
    value += quarter * (a * b) * (u * b + v * a);
    by_a += quarter * b * (u * b + 2.0 * v * a + half * (a * b));
    by_b += quarter * a * (2.0 * u * b + v * a + half * (a * b));
  }
};

}  // namespace bench::DALEMBERT_BENCH_KERNELS::chaotic
