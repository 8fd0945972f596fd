// Modin and Verdier 2020, Sects. 4 and 5: coordinates in which a coupled system turns uniformly.
#include "averaging.hpp"

#include <cmath>
#include <numbers>

#include "dalembert/measure/exact_flow.hpp"
#include "dalembert/measure/extrapolation.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/picture/picture.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/paper/modin_verdier_2020/coupled/coupled_cases.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr double round_off_of_a_run = 1e-8;     // far above that of a hundred periods
constexpr double round_off_of_a_period = 1e-9;  // far above that of a matrix logarithm
constexpr double followed_periods = 100.0;
constexpr double clear_size = 1e-3;  // of quantities of size one

double relative_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double now = std::fabs(a[i] - b[i]) / (1.0 + std::fabs(b[i]));
    most = numeric::larger(most, now);
  }
  return most;
}

/// u along the exact motion of the whole system, v = M u, and exp(G t) v(0), at irregular times.
struct Averaged {
  std::vector<std::vector<double>> u, v, expected;
};

Averaged follow_average(const CoupledCase& motion, int count) {
  FloquetFrame frame = motion.frame();
  ExactFlow<double> flow(motion.system);
  std::vector<double> q = motion.start.q, v = motion.start.v;
  const std::vector<double> first = frame.variables(q, v);
  Averaged result;
  double t = 0.0;
  for (int k = 1; k <= count; ++k) {
    const double next = frame.period() * followed_periods * (k - std::numbers::phi / 4.0) / count;
    if (!flow.advance(t, q, v, next - t)) return {{{NAN}}, {{NAN}}, {{NAN}}};
    const std::vector<double> u = frame.variables(q, v);
    result.v.push_back(frame.change_of_variables(std::fmod(t, frame.period())) * u);
    result.expected.push_back(exponential(frame.generator() * t) * first);
    result.u.push_back(u);
  }
  return result;
}

Evidence turns_uniformly(const CoupledCase& motion) {
  const Averaged averaged = follow_average(motion, 40);
  double worst = 0.0;
  for (std::size_t k = 0; k < averaged.v.size(); ++k) {
    const double now = relative_distance(averaged.v[k], averaged.expected[k]);
    worst = numeric::larger(worst, now);
  }
  return {"distance of v = Psi(u, t) from exp(G t) v(0) along the exact motion, 100 periods, " +
              motion.label,
          worst, 0.0, 0.0, round_off_of_a_run};
}

/// G in the Lie algebra that the coefficients generate.
Evidence average_in_algebra(const CoupledCase& motion) {
  FloquetFrame frame = motion.frame();
  const auto algebra = generated_algebra(frame.samples(192).coefficients);
  return {"part of the average outside the Lie algebra, " + motion.label,
          outside(frame.generator(), algebra).largest(), 0.0, 0.0, round_off_of_a_period};
}

/// The trace of the period map of u'' = -(pi^2 + 10 cos 2 pi t) u, whose matrix lies in sl(2, R).
double trace_in_a_tongue() {
  const auto motion = [](std::span<const double> y, std::span<double> slope) {
    const double stiffness =
        std::numbers::pi * std::numbers::pi + 10.0 * std::cos(2.0 * std::numbers::pi * y[0]);
    slope[0] = 1.0;
    slope[1] = y[2];
    slope[2] = -stiffness * y[1];
  };
  double trace = 0.0;
  for (std::size_t column = 0; column < 2; ++column) {
    std::vector<double> y{0.0, 0.0, 0.0};
    y[1 + column] = 1.0;
    Extrapolation<double, decltype(motion)> solver(motion, 3);
    if (!solver.advance(y, 1.0)) return NAN;
    trace += y[1 + column];
  }
  return trace;
}

/// The largest defect of M(-t) rho = rho M(t) over a period.
double reversed_frame_defect(FloquetFrame frame, const SquareMatrix& rho) {
  double worst = 0.0;
  for (int k = 1; k <= 12; ++k) {
    const double t = frame.period() * (k - 0.3) / 12.0;
    const SquareMatrix there = frame.change_of_variables(t), back = frame.change_of_variables(-t);
    const double now = (back * rho - rho * there).largest();
    worst = numeric::larger(worst, now);
  }
  return worst;
}

Evidence frame_reversed(const CoupledCase& motion, const SquareMatrix& rho, bool assumed) {
  Evidence evidence{
      (assumed ? "defect of R Psi = Psi R, " : "the same where Eq. (24) does not hold, ") +
          motion.label,
      reversed_frame_defect(motion.symmetric_frame(), rho)};
  if (assumed) {
    evidence.most = round_off_of_a_period;
  } else {
    evidence.least = clear_size;
    evidence.role = EvidenceRole::shown;
  }
  return evidence;
}

/// How far the latitude of a transmission changes under R = (rho, t -> -t).
double latitude_change(const CoupledCase& motion, const SquareMatrix& rho) {
  FloquetFrame frame = motion.symmetric_frame();
  const SquareMatrix g = frame.generator();
  // The axis of the rotation exp(G t), G w = axis x w.
  std::vector<double> axis{g(2, 1), g(0, 2), g(1, 0), 0.0};
  const double length = std::hypot(axis[0], axis[1], axis[2]);
  const std::vector<double> u{0.6, -0.3, 0.8, 1.0};
  const auto latitude = [&](double t, const std::vector<double>& at) {
    const std::vector<double> v = frame.change_of_variables(t) * at;
    return (axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2]) / length;
  };
  double worst = 0.0;
  for (int k = 1; k <= 6; ++k) {
    const double t = frame.period() * k / 7.0;
    worst = numeric::larger(worst, std::fabs(latitude(-t, rho * u) - latitude(t, u)));
  }
  return worst;
}

/// The sine of the angle between the frequencies (driver, passengers) at two driver energies: not
/// zero where the image of the frequency map lies in no line.
Evidence frequencies_differ(const CoupledCase& motion) {
  const auto frequencies = [&](double factor) {
    std::vector<double> v = motion.start.v;
    FloquetFrame at_start = motion.frame();
    v[at_start.driver_index()] *= factor;
    const FloquetFrame frame(motion.system, {}, motion.start.q, v);
    double turning = 0.0;
    const SquareMatrix g = frame.generator();
    for (const double entry : g.entries()) turning += entry * entry;
    return std::array{2.0 * std::numbers::pi / frame.period(), std::sqrt(turning / 2.0)};
  };
  const auto a = frequencies(1.0), b = frequencies(1.05);
  const double sine =
      std::fabs(a[0] * b[1] - a[1] * b[0]) / (std::hypot(a[0], a[1]) * std::hypot(b[0], b[1]));
  return {"sine between the frequencies at two driver energies, " + motion.label, sine, 0.0,
          clear_size};
}

/// The average of a system whose only motion would be an acceleration: zero, or no integral bounds
/// the speed.
Evidence mean_acceleration(const CoupledCase& motion, bool bounded) {
  Evidence evidence{"|average|, a mean acceleration, " + motion.label,
                    motion.frame().generator().largest()};
  (bounded ? evidence.most : evidence.least) = bounded ? round_off_of_a_period : clear_size;
  return evidence;
}

/// The same motion in the variables of the paper and in those that turn with the driver.
Picture averaged_picture(const CoupledCase& motion) {
  const Averaged averaged = follow_average(motion, 1500);
  Picture picture{"Theorem 4.2: the passenger of the pendulum CVT, rotating driver, epsilon = 0.5"};
  const SquareMatrix g = motion.frame().generator();
  std::vector<double> axis{g(2, 1), g(0, 2), g(1, 0)};
  const double length = std::hypot(axis[0], axis[1], axis[2]);
  for (double& entry : axis) entry /= length;
  for (const bool turned : {false, true}) {
    PicturePanel panel{.title = turned ? "v = Psi(u, t), which turns with the driver"
                                       : "u = (y_1, y_2, v) as it moves",
                       .column = turned ? 1U : 0U};
    panel.x = {"along the axis of the average", false, std::pair(-1.5, 1.5)};
    panel.y = {"across it", false, std::pair(-1.5, 1.5)};
    Curve curve;
    for (const std::vector<double>& at : turned ? averaged.v : averaged.u) {
      // Across: the axis and e_3 span the plane of the picture.
      const double along = axis[0] * at[0] + axis[1] * at[1] + axis[2] * at[2];
      const double third = std::sqrt(1.0 - axis[2] * axis[2]);
      curve.t.push_back(along);
      curve.values.push_back((at[2] - along * axis[2]) / third);
    }
    panel.curves.push_back({picture.entry("exact motion, 1500 times in 100 periods of the driver"),
                            std::move(curve), CurveStyle::points});
    picture.panels.push_back(std::move(panel));
  }
  picture.notes.emplace_back(
      "in coordinates that turn with the driver the passenger stays on a circle of latitude, here "
      "seen from its side");
  return picture;
}

}  // namespace

ExperimentOutcome modin_verdier_averaging(const ReproductionEffort&) {
  const std::vector<TableColumn> columns = table_columns();
  const CoupledCase oscillating = oscillating_transmission(0.5),
                    rotating = rotating_transmission(0.5), bent = bent_knife_edge();
  std::vector<Evidence> averaged, reversed, integrable;
  const auto add = [&](const CoupledCase& motion) {
    averaged.push_back(turns_uniformly(motion));
    averaged.push_back(average_in_algebra(motion));
  };
  for (const TableColumn& column : columns) {
    for (const CoupledCase& motion : column.motions) {
      const bool rotates = motion.label == rotating_transmission(0.0).label;
      const SquareMatrix rho = rotates ? rotating_reversal() : column.reversal();
      add(motion);
      reversed.push_back(frame_reversed(motion, rho, true));
      if (column.angles == 2) integrable.push_back(frequencies_differ(motion));
    }
  }
  for (const CoupledCase* motion : {&oscillating, &rotating, &bent}) add(*motion);
  const double trace = trace_in_a_tongue();
  averaged.push_back(
      named("trace", {"trace of a period map in SL(2, R), at least -2 where it is an exponential",
                      trace, 0.0, -2.0, INFINITY, EvidenceRole::published}));
  averaged.push_back({"the same trace, below -2", trace, 0.0, -INFINITY, -2.0 - clear_size,
                      EvidenceRole::qualified});
  const SquareMatrix table_rho = columns[1].reversal(), other_rho = rotating_reversal();
  reversed.push_back(frame_reversed(oscillating, table_rho, true));
  reversed.push_back(frame_reversed(rotating, other_rho, false));
  const std::string change = "change of the latitude under R with ";
  integrable.push_back({change + "rho = (y, -v), oscillating driver",
                        latitude_change(oscillating, table_rho), 0.0, 0.0, round_off_of_a_period});
  integrable.push_back({change + "rho = (-y, v), which fulfils Eq. (24) too, oscillating driver",
                        latitude_change(oscillating, sign_changes({-1.0, -1.0, 1.0, 1.0})), 0.0,
                        0.0, round_off_of_a_period, EvidenceRole::published});
  integrable.push_back({change + "rho = (y_1, -y_2, v), rotating driver, epsilon = 0",
                        latitude_change(columns[1].motions[1], other_rho), 0.0, 0.0,
                        round_off_of_a_period, EvidenceRole::qualified});
  integrable.push_back(mean_acceleration(columns[3].motions.front(), true));
  integrable.push_back(mean_acceleration(bent, false));
  return {{averaged_picture(rotating)},
          {{"000-F.7", averaged}, {"000-F.8", reversed}, {"000-F.9", integrable}}};
}

}  // namespace dalembert::reproduce
