// Discrete gradients on D* for the pendulum-driven transmission: in positions and the momenta
// r1 = v2 - sin(xi) v1, r2 = v3 of the frame (-sin(xi), 1, 0), (0, 0, 1), with the energy
// r1^2/(2 (1 + sin(xi)^2)) + r2^2/2 + V. Unknown: the changes d of xi and e of r1.

#include "energy_parts.hpp"

namespace bench::DALEMBERT_BENCH_KERNELS::transmission {
namespace {

/// The state on D*.
struct DualState {
  double x1, x2, xi, r1, r2;

  explicit DualState(const State<double>& s)
      : x1(s.x1), x2(s.x2), xi(s.xi), r1(s.v2 - std::sin(s.xi) * s.v1), r2(s.v3) {}
};

/// What the structure needs in the middle: the frame, y = r1/(1 + sin(xi)^2) and
/// bracket = sin(xi) cos(xi) y, with derivatives by d and e.
struct Middle {
  Gear<double> gear;
  double stretch, cross, r1, shrink, y, y_by_d, y_by_e, bracket, bracket_by_d, bracket_by_e;

  Middle(const DualState& s, double d, double e) : gear(s.xi + 0.5 * d) {
    const double sine = gear.sine, cosine = gear.cosine;
    stretch = 1.0 + sine * sine;
    cross = sine * cosine;
    r1 = s.r1 + 0.5 * e;
    shrink = 1.0 / stretch;
    y = r1 * shrink;
    y_by_d = -cross * shrink * y;
    y_by_e = 0.5 * shrink;
    bracket = cross * y;
    bracket_by_d = 0.5 * (cosine * cosine - sine * sine) * y + cross * y_by_d;
    bracket_by_e = cross * y_by_e;
  }
};

/// Means along the segment, by Gauss' rule with eight nodes: of y, of -dH/dxi's kinetic part
/// r1^2 sin(xi) cos(xi)/(1 + sin(xi)^2)^2, and their derivatives.
struct KineticMeans {
  double y = 0.0, y_by_e = 0.0, pull = 0.0, pull_by_d = 0.0, pull_by_e = 0.0;

  KineticMeans(const DualState& s, const Middle& m, double d, double e) {
    const double sine = m.gear.sine, cosine = m.gear.cosine;
    double sum_y[8], sum_y_by_e[8], sum_pull[8], sum_pull_by_d[8], sum_pull_by_e[8];
    for (int k = 0; k < 8; ++k) {
      // Sine and cosine of the node by the sums of angles, with short series.
      const double turn = gauss_nodes[k] * d, t = turn * turn;
      const double bent =
          turn * (1.0 + t * (-1.0 / 6 + t * (1.0 / 120 + t * (-1.0 / 5040 +
                                                              t * (1.0 / 362880 - t / 39916800)))));
      const double left =
          1.0 +
          t * (-1.0 / 2 + t * (1.0 / 24 + t * (-1.0 / 720 + t * (1.0 / 40320 - t / 3628800))));
      const double u = sine * left + cosine * bent, v = cosine * left - sine * bent;
      const double shrink = 1.0 / (1.0 + u * u), along = 0.5 + gauss_nodes[k];
      const double r = s.r1 + along * e, w = gauss_weights[k] * shrink, cross = u * v * shrink;
      sum_y[k] = w * r;
      sum_y_by_e[k] = w * along;
      sum_pull[k] = w * cross * r * r;
      sum_pull_by_e[k] = 2.0 * w * along * cross * r;
      sum_pull_by_d[k] = w * along * r * r * ((v * v - u * u) - 4.0 * u * v * cross) * shrink;
    }
    for (int k = 0; k < 8; ++k) {
      y += sum_y[k];
      y_by_e += sum_y_by_e[k];
      pull += sum_pull[k];
      pull_by_d += sum_pull_by_d[k];
      pull_by_e += sum_pull_by_e[k];
    }
  }
};

/// The quadrature and its series are exact to round-off for shorter turns of the driver only.
constexpr double longest_turn = 0.35;

std::uint64_t mean_value_steps(Motion& motion, double step, std::uint64_t steps) {
  const double h = step, half = 0.5 * h, epsilon = motion.epsilon;
  State<double> s(motion);
  DualState now(s);
  Extrapolated<double> turn, change;
  turn.last = turn.before = h * now.r2;
  for (std::uint64_t taken = 0; taken < steps; ++taken) {
    double d = turn.next(), e = change.next(), correction = 1.0;
    double y = 0.0, gear = 0.0;
    for (int pass = 0; goes_on(correction); ++pass) {
      if (pass == most_passes || !(std::abs(d) < longest_turn)) return taken;
      const Middle m(now, d, e);
      const KineticMeans mean(now, m, d, e);
      const MeanTorque<double> torque(m.gear, d, epsilon);
      gear = m.gear.sine, y = mean.y;
      const double y_by_d = -mean.pull_by_e;
      const double r1 = e - h * (gear * now.x1 - now.x2) + h * half * m.stretch * y - m.bracket * d;
      const double slope = m.gear.torque(epsilon) + torque.excess - mean.pull + m.bracket * y;
      const double r2 = 2.0 * (d / h - now.r2) + h * slope;
      const double j11 = -half * m.gear.cosine * now.x1 +
                         h * half * (m.stretch * y_by_d + m.cross * y) - m.bracket -
                         d * m.bracket_by_d,
                   j12 = 1.0 + h * half * m.stretch * mean.y_by_e - d * m.bracket_by_e;
      const double j21 = 2.0 / h + h * (0.5 * m.gear.stiffness(epsilon) + torque.slope -
                                        mean.pull_by_d + m.bracket_by_d * y + m.bracket * y_by_d),
                   j22 = h * (m.bracket_by_e * y + m.bracket * mean.y_by_e - mean.pull_by_e);
      const double determinant = 1.0 / (j11 * j22 - j12 * j21);
      const double d_change = (j12 * r2 - j22 * r1) * determinant,
                   e_change = (j21 * r1 - j11 * r2) * determinant;
      d += d_change;
      e += e_change;
      gear += 0.5 * m.gear.cosine * d_change;
      y += y_by_d * d_change + mean.y_by_e * e_change;
      correction = larger_of(std::abs(d_change) / h, std::abs(e_change));
    }
    now.x1 -= h * gear * y;
    now.x2 += h * y;
    now.xi += d;
    now.r1 += e;
    now.r2 = 2.0 * d / h - now.r2;
    turn.push(d);
    change.push(e);
    wrap(now.xi, s.turns);
    if (!is_finite(now.x1 + now.x2 + now.xi + now.r1 + now.r2)) return taken;
  }
  const double sine = std::sin(now.xi), y = now.r1 / (1.0 + sine * sine);
  s.x1 = now.x1, s.x2 = now.x2, s.xi = now.xi;
  s.v1 = -sine * y, s.v2 = y, s.v3 = now.r2;
  s.store(motion);
  return steps;
}

/// Unknown as well: theta, Gonzalez' correction along the change of all of (x1, x2, xi, r1, r2).
std::uint64_t gonzalez_steps(Motion& motion, double step, std::uint64_t steps) {
  const double h = step, square = h * h, epsilon = motion.epsilon;
  State<double> s(motion);
  DualState now(s);
  Extrapolated<double> turn, change, part;
  turn.last = turn.before = h * now.r2;
  for (std::uint64_t taken = 0; taken < steps; ++taken) {
    double d = turn.next(), e = change.next(), theta = part.next(), correction = 1.0;
    double y = 0.0, gear = 0.0, b = 0.0;
    for (int pass = 0; goes_on(correction); ++pass) {
      if (pass == most_passes) return taken;
      const Middle m(now, d, e);
      const MeanTorque<double> torque(m.gear, d, epsilon);
      gear = m.gear.sine;
      // The rate of the passengers is y; b is the change of r2.
      y = m.y + theta * e;
      const double weight = 0.5 + theta, inverse = 1.0 / weight;
      b = (d / h - now.r2) * inverse;
      const double b_by_d = inverse / h, b_by_theta = -b * inverse;
      const double r1 = b + h * (m.gear.torque(epsilon) + theta * (d + m.bracket * e));
      const double j11 = b_by_d +
                         h * (0.5 * m.gear.stiffness(epsilon) + theta * (1.0 + m.bracket_by_d * e)),
                   j12 = h * theta * (m.bracket + m.bracket_by_e * e),
                   j13 = b_by_theta + h * (d + m.bracket * e);
      const double momentum = m.stretch * y, pushed = m.stretch * theta;
      const double r2 =
          e - h * (gear * now.x1 - now.x2) + square * weight * momentum - m.bracket * d;
      const double j21 = -0.5 * h * m.gear.cosine * now.x1 + square * weight * theta * e * m.cross -
                         m.bracket - m.bracket_by_d * d,
                   j22 = 1.0 + square * weight * (0.5 + pushed) - m.bracket_by_e * d,
                   j23 = square * (momentum + weight * m.stretch * e);
      // The change of the energy along the segment that the slope in the middle misses.
      const double cosine_d = 1.0 + torque.whole.value + d * torque.whole.slope,
                   sine_d = d + d * torque.whole.value;
      const double sine_2 = 2.0 * m.cross, cosine_2 = 1.0 - 2.0 * gear * gear;
      const double sum = 3.0 - cosine_2 * cosine_d, beside = sine_2 * sine_d;
      const double last = 2.0 / (sum + beside), first = 2.0 / (sum - beside);
      const double last_r1 = now.r1 + e, last_y = last_r1 * last;
      const double kinetic =
          0.5 * (m.r1 * e * (first + last) - (m.r1 * m.r1 + 0.25 * e * e) * beside * first * last);
      const double linear = m.y * (e - m.bracket * d);
      const double missing = kinetic - linear + torque.excess * d;
      const double missing_by_d = -0.5 * last_y * last_y * (sine_2 * cosine_d + cosine_2 * sine_d) -
                                  m.y_by_d * (e - m.bracket * d) +
                                  m.y * (m.bracket_by_d * d + m.bracket) + torque.excess +
                                  d * torque.slope;
      const double missing_by_e =
          last_y - m.y_by_e * (e - m.bracket * d) - m.y * (1.0 - m.bracket_by_e * d);
      const double length = square * momentum * y + d * d + e * e + b * b;
      const double r3 = theta * length - missing;
      const double j31 = theta * (square * (m.cross * y * y + 2.0 * momentum * m.y_by_d) +
                                  2.0 * (d + b * b_by_d)) -
                         missing_by_d,
                   j32 = theta * 2.0 * (square * momentum * (m.y_by_e + theta) + e) - missing_by_e,
                   j33 = length + theta * 2.0 * (square * momentum * e + b * b_by_theta);
      // e is eliminated by the second row, then d and theta are left.
      const double pivot = 1.0 / j22, p1 = j12 * pivot, p3 = j32 * pivot;
      const double k11 = j11 - p1 * j21, k13 = j13 - p1 * j23, k31 = j31 - p3 * j21,
                   k33 = j33 - p3 * j23;
      const double s1 = r1 - p1 * r2, s3 = r3 - p3 * r2;
      const double determinant = 1.0 / (k11 * k33 - k13 * k31);
      const double d_change = (k13 * s3 - k33 * s1) * determinant,
                   theta_change = (k31 * s1 - k11 * s3) * determinant;
      const double e_change = -(r2 + j21 * d_change + j23 * theta_change) * pivot;
      gear += 0.5 * m.gear.cosine * d_change;
      y += (m.y_by_d * d_change) + (m.y_by_e + theta) * e_change + e * theta_change;
      b += b_by_d * d_change + b_by_theta * theta_change;
      d += d_change;
      e += e_change;
      theta += theta_change;
      correction =
          larger_of(larger_of(std::abs(d_change) / h, std::abs(e_change)), std::abs(theta_change));
    }
    now.x1 -= h * gear * y;
    now.x2 += h * y;
    now.xi += d;
    now.r1 += e;
    now.r2 += b;
    turn.push(d);
    change.push(e);
    part.push(theta);
    wrap(now.xi, s.turns);
    if (!is_finite(now.x1 + now.x2 + now.xi + now.r1 + now.r2)) return taken;
  }
  const double sine = std::sin(now.xi), y = now.r1 / (1.0 + sine * sine);
  s.x1 = now.x1, s.x2 = now.x2, s.xi = now.xi;
  s.v1 = -sine * y, s.v2 = y, s.v3 = now.r2;
  s.store(motion);
  return steps;
}

}  // namespace

const HandKernels mean_value_on_dual{mean_value_steps, nullptr};
const HandKernels gonzalez_on_dual{gonzalez_steps, nullptr};

}  // namespace bench::DALEMBERT_BENCH_KERNELS::transmission
