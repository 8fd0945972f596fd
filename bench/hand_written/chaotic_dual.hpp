#pragma once
/// \file
/// What discrete gradients on D* of the chaotic problem share: the state in positions and the
/// momenta a_i = w_i' and b_i = w_i x' - z_i' of the frame d/dw_i, w_i d/dx - d/dz_i, and the
/// equations of the pairs.

#include "chaotic.hpp"

namespace bench::DALEMBERT_BENCH_KERNELS::chaotic {

struct Three {
  double at[3];

  double& operator[](int i) { return at[i]; }
  double operator[](int i) const { return at[i]; }
};

inline double dot(const Three& a, const Three& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Three sum(const Three& a, double factor, const Three& b) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

/// The state on D*.
struct DualState {
  double x;
  Three w, z, a, b;

  explicit DualState(const Motion& m)
      : x(m.q[0]), w{m.q[1], m.q[2], m.q[3]}, z{m.q[4], m.q[5], m.q[6]}, a{m.v[1], m.v[2], m.v[3]} {
    for (int i = 0; i < 3; ++i) b[i] = w[i] * m.v[0] - m.v[4 + i];
  }

  /// The velocity along x.
  double drift() const { return dot(w, b) / (1.0 + dot(w, w)); }

  void store(Motion& m) const {
    m.q[0] = x;
    m.v[0] = drift();
    for (int i = 0; i < 3; ++i) {
      m.q[1 + i] = w[i], m.q[4 + i] = z[i], m.v[1 + i] = a[i];
      m.v[4 + i] = w[i] * m.v[0] - b[i];
    }
  }
};

/// One number for each equation of the w and z.
struct Column {
  Three on_w, on_z;
};
struct PairChanges {
  Three w, z;
};

/// The equations of the pairs by their own unknowns, factorised: w, then z_1 with z_2, and z_3.
class PairMatrix {
 public:
  PairMatrix(const Three& ww, const Three& wz, const Three& zw, const Three& zz, double cross)
      : wz_(wz) {
    Three z;
    for (int i = 0; i < 3; ++i) {
      w_[i] = 1.0 / ww[i];
      zw_[i] = zw[i] * w_[i];
      z[i] = zz[i] - zw_[i] * wz[i];
    }
    const double scale = 1.0 / (z[0] * z[1] - cross * cross);
    z11_ = z[1] * scale, z12_ = -cross * scale, z22_ = z[0] * scale, z33_ = 1.0 / z[2];
  }

  PairChanges solve(const Column& r) const {
    PairChanges c;
    Three t;
    for (int i = 0; i < 3; ++i) t[i] = r.on_z[i] - zw_[i] * r.on_w[i];
    c.z = {z11_ * t[0] + z12_ * t[1], z12_ * t[0] + z22_ * t[1], z33_ * t[2]};
    for (int i = 0; i < 3; ++i) c.w[i] = w_[i] * (r.on_w[i] - wz_[i] * c.z[i]);
    return c;
  }

 private:
  Three w_, wz_, zw_;
  double z11_, z12_, z22_, z33_;
};

}  // namespace bench::DALEMBERT_BENCH_KERNELS::chaotic
