#pragma once
/// \file
/// The equations of motion as first-order systems, by hand. Each has the number of its unknowns,
/// `size`, of which the first `positions` are the positions; `start()`; `rate(y, f)`, which writes
/// dy/dt = f(y); and `energy(y)`. Those in q and v have also `residual(y, y', r)`, the equations
/// before the multiplier is eliminated, with the multiplier behind the other unknowns and the
/// derivative of the constraint behind the other equations; and `multiplier(y, f)`.

#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "work_precision.hpp"

namespace work_precision {

/// One, as a number that the compiler does not know: g++ 12 copies the constants 1, 1, 0, 0 as 1,
/// 1, 1, 1 where it may use AVX-512.
inline const volatile double one = 1.0;

/// problems/pendulum-cvt-inverted.toml with epsilon = 0.1, start newmark-high: x1, x2, xi and their
/// velocities; x1' + sin(xi) x2' = 0.
struct Transmission {
  static constexpr Task task = Task::transmission;
  static constexpr Form form = Form::positions_and_velocities;
  static constexpr std::size_t size = 6, positions = 3;
  static constexpr double epsilon = 0.1, speed = 2.82842712;

  static std::array<double, size> start() { return {one, one, 0.0, 0.0, 0.0, speed}; }

  static void rate(const double* y, double* f) {
    const double s = std::sin(y[2]), c = std::cos(y[2]);
    const double lambda = (y[0] + s * y[1] - c * y[5] * y[4]) / (1.0 + s * s);
    f[0] = y[3];
    f[1] = y[4];
    f[2] = y[5];
    f[3] = lambda - y[0];
    f[4] = s * lambda - y[1];
    f[5] = s + epsilon * (1.0 - 2.0 * s * s);
  }

  static void residual(const double* y, const double* y_dot, double* r) {
    const double s = std::sin(y[2]), c = std::cos(y[2]), lambda = y[6];
    for (std::size_t i = 0; i < positions; ++i) r[i] = y_dot[i] - y[positions + i];
    r[3] = y_dot[3] + y[0] - lambda;
    r[4] = y_dot[4] + y[1] - s * lambda;
    r[5] = y_dot[5] - (s + epsilon * (1.0 - 2.0 * s * s));
    r[6] = y_dot[3] + s * y_dot[4] + c * y[5] * y[4];
  }
  static double multiplier(const double* y, const double* f) { return f[3] + y[0]; }

  static double energy(const double* y) {
    const double twice = y[3] * y[3] + y[4] * y[4] + y[5] * y[5] + y[0] * y[0] + y[1] * y[1];
    return 0.5 * twice + std::cos(y[2]) - epsilon * std::sin(y[2]) * std::cos(y[2]);
  }
};

/// The same in coordinates of D: x1, x2, xi, then u and w of (x1', x2', xi') = (-sin(xi) u, u, w).
struct TransmissionOnD {
  static constexpr Task task = Task::transmission;
  static constexpr Form form = Form::coordinates_of_d;
  static constexpr std::size_t size = 5, positions = 3;

  static std::array<double, size> start() { return {one, one, 0.0, 0.0, Transmission::speed}; }

  static void rate(const double* y, double* f) {
    const double s = std::sin(y[2]), c = std::cos(y[2]);
    f[0] = -s * y[3];
    f[1] = y[3];
    f[2] = y[4];
    f[3] = (s * (y[0] - c * y[4] * y[3]) - y[1]) / (1.0 + s * s);
    f[4] = s + Transmission::epsilon * (1.0 - 2.0 * s * s);
  }

  static double energy(const double* y) {
    const double all[] = {y[0], y[1], y[2], -std::sin(y[2]) * y[3], y[3], y[4]};
    return Transmission::energy(all);
  }
};

/// The forces -dV/dw and -dV/dz of the chaotic problem with three pairs.
inline void forces_of_pairs(const double* w, const double* z, double* on_w, double* on_z) {
  for (int i = 0; i < 3; ++i) {
    on_w[i] = -w[i] * (1.0 + z[i] * z[i]);
    on_z[i] = -z[i] * (1.0 + w[i] * w[i]);
  }
  on_z[0] -= z[0] * z[1] * z[1];
  on_z[1] -= z[1] * z[0] * z[0];
}

inline double potential_of_pairs(const double* w, const double* z) {
  double twice = z[0] * z[0] * z[1] * z[1];
  for (int i = 0; i < 3; ++i) twice += w[i] * w[i] + z[i] * z[i] + w[i] * w[i] * z[i] * z[i];
  return 0.5 * twice;
}

/// problems/chaotic.toml with n = 3, start ensemble: x, w, z and their velocities;
/// x' + sum w_i z_i' = 0.
struct Chaotic {
  static constexpr Task task = Task::chaotic;
  static constexpr Form form = Form::positions_and_velocities;
  static constexpr std::size_t size = 14, positions = 7;

  static std::array<double, size> start() {
    return {std::cos(1.0), 0.6,           0.4, 0.2, one, one, one,
            0.0,           std::sin(1.0), 0.0, 0.0, 0.0, 0.0, 0.0};
  }

  static void rate(const double* y, double* f) {
    const double *w = y + 1, *z = y + 4, *w_dot = y + 8, *z_dot = y + 11;
    for (std::size_t i = 0; i < positions; ++i) f[i] = y[positions + i];
    forces_of_pairs(w, z, f + 8, f + 11);
    double above = y[0], below = 1.0;
    for (int i = 0; i < 3; ++i) {
      above -= w[i] * f[11 + i] + w_dot[i] * z_dot[i];
      below += w[i] * w[i];
    }
    const double lambda = above / below;
    f[7] = lambda - y[0];
    for (int i = 0; i < 3; ++i) f[11 + i] += lambda * w[i];
  }

  static void residual(const double* y, const double* y_dot, double* r) {
    const double *w = y + 1, *z = y + 4, *w_dot = y + 8, *z_dot = y + 11;
    const double lambda = y[14];
    for (std::size_t i = 0; i < positions; ++i) r[i] = y_dot[i] - y[positions + i];
    double on_w[3], on_z[3];
    forces_of_pairs(w, z, on_w, on_z);
    r[7] = y_dot[7] + y[0] - lambda;
    r[14] = y_dot[7];
    for (int i = 0; i < 3; ++i) {
      r[8 + i] = y_dot[8 + i] - on_w[i];
      r[11 + i] = y_dot[11 + i] - on_z[i] - w[i] * lambda;
      r[14] += w[i] * y_dot[11 + i] + w_dot[i] * z_dot[i];
    }
  }
  static double multiplier(const double* y, const double* f) { return f[7] + y[0]; }

  static double energy(const double* y) {
    double twice = y[0] * y[0];
    for (std::size_t i = positions; i < size; ++i) twice += y[i] * y[i];
    return 0.5 * twice + potential_of_pairs(y + 1, y + 4);
  }
};

/// The same in coordinates of D: x, w, z, then w' and z', of which x' = -sum w_i z_i' follows.
struct ChaoticOnD {
  static constexpr Task task = Task::chaotic;
  static constexpr Form form = Form::coordinates_of_d;
  static constexpr std::size_t size = 13, positions = 7;

  static std::array<double, size> start() {
    return {std::cos(1.0), 0.6, 0.4, 0.2, one, one, one, std::sin(1.0), 0.0, 0.0, 0.0, 0.0, 0.0};
  }

  static void rate(const double* y, double* f) {
    const double *w = y + 1, *z = y + 4, *w_dot = y + 7, *z_dot = y + 10;
    forces_of_pairs(w, z, f + 7, f + 10);
    double x_dot = 0.0, above = y[0], below = 1.0;
    for (int i = 0; i < 3; ++i) {
      f[1 + i] = w_dot[i];
      f[4 + i] = z_dot[i];
      x_dot -= w[i] * z_dot[i];
      above -= w[i] * f[10 + i] + w_dot[i] * z_dot[i];
      below += w[i] * w[i];
    }
    f[0] = x_dot;
    const double lambda = above / below;
    for (int i = 0; i < 3; ++i) f[10 + i] += lambda * w[i];
  }

  static double energy(const double* y) {
    double all[Chaotic::size];
    for (std::size_t i = 0; i < positions; ++i) all[i] = y[i];
    all[positions] = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      all[8 + i] = y[7 + i];
      all[11 + i] = y[10 + i];
      all[positions] -= y[1 + i] * y[10 + i];
    }
    return Chaotic::energy(all);
  }
};

/// A tolerance as tables show it.
inline std::string tolerance_text(double tolerance) {
  char text[16];
  static_cast<void>(std::snprintf(text, sizeof text, "%.0e", tolerance));
  return text;
}

/// The entries of a solver, `make_run(equations, tolerance)`, for a task: both forms, or that with
/// a multiplier only, and all tolerances.
template <bool with_multiplier = false, class MakeRun>
std::vector<Entry> entries_of(Task task, const std::string& method, const MakeRun& make_run) {
  std::vector<Entry> entries;
  const auto add = [&](auto equations) {
    if (equations.task != task) return;
    for (const double tolerance : tolerances)
      entries.push_back({.method = method,
                         .form = equations.form,
                         .parameter = tolerance_text(tolerance),
                         .run = make_run(equations, tolerance)});
  };
  add(Transmission());
  add(Chaotic());
  if constexpr (!with_multiplier) {
    add(TransmissionOnD());
    add(ChaoticOnD());
  }
  return entries;
}

}  // namespace work_precision
