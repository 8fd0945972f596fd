// The mean value discrete gradient on D* for the chaotic problem with three pairs. With the
// velocity s = w.b/(1 + |w|^2) along x the energy's derivatives are b - s w by b and, of the
// kinetic part, -s (b - s w) by w; w and b are straight along a step, so that means of s, s^2 and
// of these times the place in the step are all that quadrature is needed for.

#include "chaotic_dual.hpp"

namespace bench::DALEMBERT_BENCH_KERNELS::chaotic {
namespace {

/// Unknowns that all equations share: the change of x, s in the middle, and the means of s, s t,
/// s^2 and s^2 t, where t goes from -1/2 to 1/2.
enum Shared { x_change, middle_s, mean_s, mean_st, mean_ss, mean_sst, shared_count };

struct Unknowns {
  Three w = {}, z = {};  ///< changes
  double shared[shared_count] = {};
};

/// Eight nodes are exact to round-off for shorter changes only.
constexpr double longest_change = 0.35;

/// Derivatives of an equation by the changes of w and z, and by what is shared.
struct Row {
  Three by_w = {}, by_z = {};
  double by_shared[shared_count] = {};
};

/// Newton's iteration once: corrects the unknowns, returns how large the correction was. Writes
/// the changes of a and b.
double correct_means(const DualState& state, double h, Unknowns& u, Three& a_change,
                     Three& b_change) {
  const double inverse = 1.0 / h, s = u.shared[middle_s], s0 = u.shared[mean_s],
               s1 = u.shared[mean_st], q0 = u.shared[mean_ss], q1 = u.shared[mean_sst];
  const Three w = sum(state.w, 0.5, u.w), z = sum(state.z, 0.5, u.z);
  const double pulled = state.x + 0.5 * u.shared[x_change];
  // b follows from the change of z, which is -h times the mean of b - s w.
  const double b_by_w = s0 + 2.0 * s1, b_by_z = -2.0 * inverse, pull_by_b = 0.5 * s0 + s1;
  Three b;
  for (int i = 0; i < 3; ++i) {
    a_change[i] = 2.0 * (inverse * u.w[i] - state.a[i]);
    b_change[i] = 2.0 * (w[i] * s0 + u.w[i] * s1 - inverse * u.z[i] - state.b[i]);
    b[i] = state.b[i] + 0.5 * b_change[i];
  }
  constexpr double third = 1.0 / 12.0, sixth = 1.0 / 6.0;
  Column residual, columns[shared_count] = {};
  Three ww, wz, zw, zz;
  for (int i = 0; i < 3; ++i) {
    const double dw = u.w[i], dz = u.z[i];
    const double slope_w = w[i] + w[i] * (z[i] * z[i] + third * dz * dz) + sixth * z[i] * dw * dz,
                 slope_z = z[i] + z[i] * (w[i] * w[i] + third * dw * dw) + sixth * w[i] * dw * dz;
    const double across = w[i] * z[i] + third * dw * dz + sixth * (w[i] * dz + z[i] * dw);
    const double pull = b[i] * s0 + b_change[i] * s1 - w[i] * q0 - dw * q1;
    residual.on_w[i] = a_change[i] + h * (slope_w - pull) - s * dz;
    residual.on_z[i] = b_change[i] + h * (w[i] * pulled - slope_z) - s * dw;
    const double stiff_w = 0.5 * (1.0 + z[i] * z[i] + third * dz * dz) + sixth * z[i] * dz,
                 stiff_z = 0.5 * (1.0 + w[i] * w[i] + third * dw * dw) + sixth * w[i] * dw;
    ww[i] = 2.0 * inverse + h * (stiff_w - pull_by_b * b_by_w + 0.5 * q0 + q1);
    wz[i] = h * across + 2.0 * pull_by_b - s;
    zw[i] = b_by_w + h * (0.5 * pulled - across) - s;
    zz[i] = b_by_z - h * stiff_z;
    columns[x_change].on_z[i] = 0.5 * h * w[i];
    columns[middle_s].on_w[i] = -dz, columns[middle_s].on_z[i] = -dw;
    columns[mean_s].on_w[i] = -h * (b[i] + 2.0 * pull_by_b * w[i]);
    columns[mean_s].on_z[i] = 2.0 * w[i];
    columns[mean_st].on_w[i] = -h * (b_change[i] + 2.0 * pull_by_b * dw);
    columns[mean_st].on_z[i] = 2.0 * dw;
    columns[mean_ss].on_w[i] = h * w[i];
    columns[mean_sst].on_w[i] = h * dw;
  }
  const double z1 = z[0], z2 = z[1], dz1 = u.z[0], dz2 = u.z[1];
  residual.on_z[0] -= h * (z1 * (z2 * z2 + third * dz2 * dz2) + sixth * z2 * dz1 * dz2);
  residual.on_z[1] -= h * (z2 * (z1 * z1 + third * dz1 * dz1) + sixth * z1 * dz1 * dz2);
  zz[0] -= h * (0.5 * (z2 * z2 + third * dz2 * dz2) + sixth * z2 * dz2);
  zz[1] -= h * (0.5 * (z1 * z1 + third * dz1 * dz1) + sixth * z1 * dz1);
  const double cross = -h * (z1 * z2 + third * dz1 * dz2 + sixth * (z1 * dz2 + z2 * dz1));
  const PairMatrix matrix(ww, wz, zw, zz, cross);

  // The equations of what is shared, and how they change with b.
  double values[shared_count];
  Row rows[shared_count];
  Three by_b[shared_count] = {};
  for (int k = 0; k < shared_count; ++k) {
    values[k] = u.shared[k];
    rows[k].by_shared[k] = 1.0;
  }
  const double length = 1.0 + dot(w, w);
  values[x_change] += dot(w, u.z);
  values[middle_s] = s * length - dot(w, b);
  rows[middle_s].by_shared[middle_s] = length;
  for (int i = 0; i < 3; ++i) {
    rows[x_change].by_w[i] = 0.5 * u.z[i];
    rows[x_change].by_z[i] = w[i];
    rows[middle_s].by_w[i] = s * w[i] - 0.5 * b[i];
    by_b[middle_s][i] = -0.5 * w[i];
  }
  for (int k = 0; k < gauss_count; ++k) {
    const double t = gauss_nodes[k], part = gauss_weights[k], along = 0.5 + t;
    const Three at_w = sum(w, t, u.w), at_b = sum(b, t, b_change);
    const double shrink = 1.0 / (1.0 + dot(at_w, at_w)), at_s = dot(at_w, at_b) * shrink;
    const double squared = at_s * at_s;
    values[mean_s] -= part * at_s;
    values[mean_st] -= part * at_s * t;
    values[mean_ss] -= part * squared;
    values[mean_sst] -= part * squared * t;
    const double turn = part * along * shrink, bend = 2.0 * at_s * turn;
    const double factors[] = {turn, turn * t, bend, bend * t};
    const Three by_w = sum(at_b, -2.0 * at_s, at_w);
    for (int m = 0; m < 4; ++m) {
      rows[mean_s + m].by_w = sum(rows[mean_s + m].by_w, -factors[m], by_w);
      by_b[mean_s + m] = sum(by_b[mean_s + m], -factors[m], at_w);
    }
  }
  for (int k = middle_s; k < shared_count; ++k) {
    rows[k].by_w = sum(rows[k].by_w, b_by_w, by_b[k]);
    rows[k].by_z = sum(rows[k].by_z, b_by_z, by_b[k]);
    rows[k].by_shared[mean_s] += 2.0 * dot(by_b[k], w);
    rows[k].by_shared[mean_st] += 2.0 * dot(by_b[k], u.w);
  }

  // Pairs are eliminated, then what is shared is left.
  const PairChanges free = matrix.solve(residual);
  PairChanges from[shared_count];
  for (int k = 0; k < shared_count; ++k) from[k] = matrix.solve(columns[k]);
  double system[shared_count][shared_count];
  for (int row = 0; row < shared_count; ++row) {
    const Row& r = rows[row];
    values[row] -= dot(r.by_w, free.w) + dot(r.by_z, free.z);
    for (int k = 0; k < shared_count; ++k)
      system[row][k] = r.by_shared[k] - dot(r.by_w, from[k].w) - dot(r.by_z, from[k].z);
  }
  for (int k = 0; k < shared_count; ++k) {
    const double pivot = 1.0 / system[k][k];
    for (int row = k + 1; row < shared_count; ++row) {
      const double factor = system[row][k] * pivot;
      for (int m = k + 1; m < shared_count; ++m) system[row][m] -= factor * system[k][m];
      values[row] -= factor * values[k];
    }
    system[k][k] = pivot;
  }
  for (int k = shared_count - 1; k >= 0; --k) {
    for (int m = k + 1; m < shared_count; ++m) values[k] -= system[k][m] * values[m];
    values[k] *= system[k][k];
  }
  Three w_change = free.w, z_change = free.z;
  double largest = 0.0;
  for (int k = 0; k < shared_count; ++k) {
    w_change = sum(w_change, -values[k], from[k].w);
    z_change = sum(z_change, -values[k], from[k].z);
    u.shared[k] -= values[k];
    largest = larger_of(largest, k == x_change ? std::abs(values[k]) : h * std::abs(values[k]));
  }
  u.w = sum(u.w, -1.0, w_change);
  u.z = sum(u.z, -1.0, z_change);
  for (int i = 0; i < 3; ++i)
    largest = larger_of(largest, larger_of(std::abs(w_change[i]), std::abs(z_change[i])));
  return largest * inverse;
}

Unknowns extrapolated(const Unknowns& last, const Unknowns& before) {
  Unknowns u{sum(sum({}, 2.0, last.w), -1.0, before.w), sum(sum({}, 2.0, last.z), -1.0, before.z)};
  for (int k = 0; k < shared_count; ++k) u.shared[k] = 2.0 * last.shared[k] - before.shared[k];
  return u;
}

std::uint64_t mean_value_steps(Motion& motion, double step, std::uint64_t steps) {
  const double h = step;
  DualState state(motion);
  Unknowns last{sum({}, h, state.a)};
  const double drift = state.drift();
  for (int i = 0; i < 3; ++i) last.z[i] = h * (state.w[i] * drift - state.b[i]);
  last.shared[x_change] = h * drift;
  last.shared[middle_s] = last.shared[mean_s] = drift;
  last.shared[mean_ss] = drift * drift;
  Unknowns before = last;
  for (std::uint64_t taken = 0; taken < steps; ++taken) {
    Unknowns u = extrapolated(last, before);
    Three a_change, b_change;
    double correction = 1.0;
    for (int pass = 0; goes_on(correction); ++pass) {
      if (pass == most_passes || !(dot(u.w, u.w) < longest_change * longest_change)) return taken;
      correction = correct_means(state, h, u, a_change, b_change);
    }
    // Of the corrected unknowns.
    const Three w = sum(state.w, 0.5, u.w);
    for (int i = 0; i < 3; ++i) {
      a_change[i] = 2.0 * (u.w[i] / h - state.a[i]);
      b_change[i] =
          2.0 * (w[i] * u.shared[mean_s] + u.w[i] * u.shared[mean_st] - u.z[i] / h - state.b[i]);
    }
    state.x += u.shared[x_change];
    state.w = sum(state.w, 1.0, u.w);
    state.z = sum(state.z, 1.0, u.z);
    state.a = sum(state.a, 1.0, a_change);
    state.b = sum(state.b, 1.0, b_change);
    before = last;
    last = u;
    if (!is_finite(state.x + dot(state.w, state.w) + dot(state.z, state.z) + dot(state.a, state.a) +
                   dot(state.b, state.b)))
      return taken;
  }
  state.store(motion);
  return steps;
}

}  // namespace

const HandKernels mean_value_on_dual{mean_value_steps, nullptr};

}  // namespace bench::DALEMBERT_BENCH_KERNELS::chaotic
