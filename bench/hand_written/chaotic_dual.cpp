// Gonzalez' discrete gradient on D* for the chaotic problem with three pairs: in positions and the
// momenta a_i = w_i' and b_i = w_i x' - z_i' of the frame d/dw_i, w_i d/dx - d/dz_i, with the
// energy
// (|a|^2 + |b|^2 - (w.b)^2/(1 + |w|^2))/2 + V.

#include "chaotic_dual.hpp"

namespace bench::DALEMBERT_BENCH_KERNELS::chaotic {
namespace {

/// Unknown: the changes of x, w and z, the velocity s along x in the middle, and theta of Gonzalez'
/// correction, theta times the change of everything. Of a pair only its own w and z are in its
/// equations, but for z_1 z_2, beside x, s and theta.
struct Changes {
  double x = 0.0, drift = 0.0, theta = 0.0;
  Three w = {}, z = {};
};

/// What follows from the unknowns: the middle, and the changes of a and b.
struct Middle {
  double weight;  ///< 1/(1/2 + theta)
  Three w, z, a_change, b_change, b;

  Middle(const DualState& s, const Changes& c, double h)
      : weight(1.0 / (0.5 + c.theta)), w(sum(s.w, 0.5, c.w)), z(sum(s.z, 0.5, c.z)) {
    const double inverse = 1.0 / h;
    for (int i = 0; i < 3; ++i) {
      a_change[i] = weight * (inverse * c.w[i] - s.a[i]);
      b_change[i] = weight * (c.drift * w[i] - inverse * c.z[i] - s.b[i]);
    }
    b = sum(s.b, 0.5, b_change);
  }
};

/// The change of the energy along the step that the slope in the middle misses, and derivatives by
/// the changes of w, z and b and by s, where the middle moves by half of them.
struct MissingEnergy {
  double value, by_drift;
  Three by_w, by_z, by_b;

  MissingEnergy(const DualState& s, const Changes& c, const Middle& m) {
    const Seven<double> middle{0.0, {m.w[0], m.w[1], m.w[2]}, {m.z[0], m.z[1], m.z[2]}};
    const Seven<double> change{0.0, {c.w[0], c.w[1], c.w[2]}, {c.z[0], c.z[1], c.z[2]}};
    const Missing<double> potential(middle, change, 1.0);
    const double wb = dot(m.w, m.b_change), bw = dot(m.b, c.w), ww = dot(m.w, c.w);
    // The change of (w.b)^2/(1 + |w|^2): of its root that of w.b, of the length twice `ww`.
    const double root = dot(m.w, m.b) + 0.25 * dot(c.w, m.b_change), turned = wb + bw;
    const double length = 1.0 + dot(m.w, m.w) + 0.25 * dot(c.w, c.w);
    const double last = 1.0 / (length + ww), first = 1.0 / (length - ww);
    const double stretched =
        (root * turned * length - (root * root + 0.25 * turned * turned) * ww) * (first * last);
    value = potential.value + c.drift * (turned - c.drift * ww) - stretched;
    by_drift = turned - 2.0 * c.drift * ww;
    const double last_drift = (root + 0.5 * turned) * last;
    for (int i = 0; i < 3; ++i) {
      const double last_w = s.w[i] + c.w[i], last_b = s.b[i] + m.b_change[i];
      by_b[i] = (c.drift - last_drift) * last_w;
      by_w[i] = potential.slope.w[i] + c.drift * (last_b - c.drift * last_w) -
                last_drift * (last_b - last_drift * last_w);
      by_z[i] = potential.slope.z[i];
    }
  }
};

/// Newton's iteration once: corrects the changes, returns how large the correction was.
double correct(const DualState& s, double h, Changes& c) {
  const Middle m(s, c, h);
  const MissingEnergy missing(s, c, m);
  const double drift = c.drift, theta = c.theta, weight = m.weight, inverse = 1.0 / h;
  const double share = 0.5 + theta, pulled = s.x + share * c.x;
  const double step_of_b = weight * inverse, turn_of_b = 0.5 * weight * drift;
  Column residual, by_x, by_drift, by_theta;
  Three ww, wz, zw, zz;
  for (int i = 0; i < 3; ++i) {
    const double w = m.w[i], z = m.z[i], da = m.a_change[i], db = m.b_change[i];
    residual.on_w[i] = da + h * (w + w * (z * z) + theta * (c.w[i] + drift * db));
    residual.on_z[i] = db + h * (w * pulled - z - z * (w * w) - theta * c.z[i]) - drift * c.w[i];
    ww[i] = step_of_b + h * (0.5 * (1.0 + z * z) + theta * (1.0 + drift * turn_of_b));
    wz[i] = h * (w * z) - theta * weight * drift;
    zw[i] = turn_of_b - drift + h * (0.5 * pulled - w * z);
    zz[i] = -step_of_b - h * (0.5 * (1.0 + w * w) + theta);
    by_x.on_w[i] = 0.0;
    by_x.on_z[i] = h * share * w;
    by_drift.on_w[i] = h * theta * (db + weight * drift * w);
    by_drift.on_z[i] = weight * w - c.w[i];
    by_theta.on_w[i] = -weight * da + h * (c.w[i] + drift * db * (1.0 - theta * weight));
    by_theta.on_z[i] = -weight * db + h * (w * c.x - c.z[i]);
  }
  const double z1 = m.z[0], z2 = m.z[1];
  residual.on_z[0] -= h * z1 * (z2 * z2);
  residual.on_z[1] -= h * z2 * (z1 * z1);
  zz[0] -= 0.5 * h * (z2 * z2);
  zz[1] -= 0.5 * h * (z1 * z1);
  const PairMatrix matrix(ww, wz, zw, zz, -h * (z1 * z2));
  const PairChanges free = matrix.solve(residual);
  const PairChanges from[] = {matrix.solve(by_x), matrix.solve(by_drift), matrix.solve(by_theta)};
  // The rows of x, s and theta.
  const double length = c.x * c.x + dot(c.w, c.w) + dot(c.z, c.z) + dot(m.a_change, m.a_change) +
                        dot(m.b_change, m.b_change);
  const double stretch = dot(m.w, m.w), along = dot(m.w, m.b_change);
  Three r{c.x + dot(m.w, c.z), drift * (1.0 + stretch) - dot(m.w, m.b),
          theta * length - missing.value};
  Three rows_w[3], rows_z[3];
  for (int i = 0; i < 3; ++i) {
    const double pull_of_b = 2.0 * theta * m.b_change[i] - missing.by_b[i];
    rows_w[0][i] = 0.5 * c.z[i];
    rows_z[0][i] = m.w[i];
    rows_w[1][i] = drift * m.w[i] - 0.5 * (m.b[i] + turn_of_b * m.w[i]);
    rows_z[1][i] = 0.5 * step_of_b * m.w[i];
    rows_w[2][i] = 2.0 * theta * (c.w[i] + step_of_b * m.a_change[i]) - missing.by_w[i] +
                   turn_of_b * pull_of_b;
    rows_z[2][i] = 2.0 * theta * c.z[i] - missing.by_z[i] - step_of_b * pull_of_b;
  }
  double j[3][3] = {
      {1.0, 0.0, 0.0},
      {0.0, 1.0 + stretch - 0.5 * weight * stretch, 0.5 * weight * along},
      {2.0 * theta * c.x,
       weight * (2.0 * theta * along - dot(missing.by_b, m.w)) - missing.by_drift,
       length +
           weight * (dot(missing.by_b, m.b_change) -
                     2.0 * theta * (dot(m.a_change, m.a_change) + dot(m.b_change, m.b_change)))}};
  for (int row = 0; row < 3; ++row) {
    r[row] -= dot(rows_w[row], free.w) + dot(rows_z[row], free.z);
    for (int k = 0; k < 3; ++k)
      j[row][k] -= dot(rows_w[row], from[k].w) + dot(rows_z[row], from[k].z);
  }
  // x is eliminated by its row, then s and theta are left.
  const double pivot = 1.0 / j[0][0], p1 = j[1][0] * pivot, p2 = j[2][0] * pivot;
  const double k11 = j[1][1] - p1 * j[0][1], k12 = j[1][2] - p1 * j[0][2],
               k21 = j[2][1] - p2 * j[0][1], k22 = j[2][2] - p2 * j[0][2];
  const double r1 = r[1] - p1 * r[0], r2 = r[2] - p2 * r[0];
  const double determinant = 1.0 / (k11 * k22 - k12 * k21);
  const double turn = (r1 * k22 - k12 * r2) * determinant,
               twist = (k11 * r2 - k21 * r1) * determinant,
               shift = (r[0] - j[0][1] * turn - j[0][2] * twist) * pivot;
  double largest = larger_of(h * std::abs(twist), std::abs(shift));
  largest = larger_of(largest, h * std::abs(turn));
  for (int i = 0; i < 3; ++i) {
    const double w = free.w[i] - from[0].w[i] * shift - from[1].w[i] * turn - from[2].w[i] * twist;
    const double z = free.z[i] - from[0].z[i] * shift - from[1].z[i] * turn - from[2].z[i] * twist;
    c.w[i] -= w;
    c.z[i] -= z;
    largest = larger_of(largest, larger_of(std::abs(w), std::abs(z)));
  }
  c.x -= shift;
  c.drift -= turn;
  c.theta -= twist;
  return largest / h;
}

/// The changes of a step, as the last ones point.
class Guess {
 public:
  Guess(const DualState& s, double h) {
    Changes first;
    first.drift = s.drift();
    first.x = h * first.drift;
    first.w = sum({}, h, s.a);
    for (int i = 0; i < 3; ++i) first.z[i] = h * (s.w[i] * first.drift - s.b[i]);
    last_ = before_ = first;
  }

  Changes next() const {
    Changes c;
    c.x = 2.0 * last_.x - before_.x;
    c.drift = 2.0 * last_.drift - before_.drift;
    c.theta = 2.0 * last_.theta - before_.theta;
    for (int i = 0; i < 3; ++i) {
      c.w[i] = 2.0 * last_.w[i] - before_.w[i];
      c.z[i] = 2.0 * last_.z[i] - before_.z[i];
    }
    return c;
  }
  void push(const Changes& c) {
    before_ = last_;
    last_ = c;
  }

 private:
  Changes last_, before_;
};

std::uint64_t gonzalez_steps(Motion& motion, double step, std::uint64_t steps) {
  const double h = step;
  DualState s(motion);
  Guess guess(s, h);
  for (std::uint64_t taken = 0; taken < steps; ++taken) {
    Changes c = guess.next();
    double correction = 1.0;
    for (int pass = 0; goes_on(correction); ++pass) {
      if (pass == most_passes) return taken;
      correction = correct(s, h, c);
    }
    const Middle m(s, c, h);
    s.x += c.x;
    s.w = sum(s.w, 1.0, c.w);
    s.z = sum(s.z, 1.0, c.z);
    s.a = sum(s.a, 1.0, m.a_change);
    s.b = sum(s.b, 1.0, m.b_change);
    guess.push(c);
    if (!is_finite(s.x + dot(s.w, s.w) + dot(s.z, s.z) + dot(s.a, s.a) + dot(s.b, s.b)))
      return taken;
  }
  s.store(motion);
  return steps;
}

}  // namespace

const HandKernels gonzalez_on_dual{gonzalez_steps, nullptr};

}  // namespace bench::DALEMBERT_BENCH_KERNELS::chaotic
