// Modin and Verdier 2020, Fig. 5: the driver's motions.
#include "phase_portrait.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "dalembert/measure/exact_flow.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/study/run_plan.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/paper/modin_verdier_2020/coupled/coupled_cases.hpp"
#include "reproduce/study_runs.hpp"
#include "transmission_integrals.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr double half_turn = std::numbers::pi;
constexpr std::size_t orbit_samples = 2048;
/// Far above the spacing of the samples of an orbit, far below the distance of two orbits.
constexpr double on_the_orbit = 0.01, off_the_orbit = 0.03;
constexpr std::size_t shown_nodes = 40;
constexpr double printed_digits = 1e-6;  // of the published starts
constexpr double epsilons[] = {0.0, 0.1, 0.5};

/// The transmission with the two published starts, with the potential as corrected or as printed.
struct Transmission {
  Transmission(double epsilon, bool as_printed)
      : problem(load_problem(as_printed ? "pendulum-cvt-inverted" : "pendulum-cvt",
                             {{{"epsilon", epsilon}}})),
        evaluator(problem.system) {}

  double energy(double speed) {
    return evaluator.energy(0.0, std::vector{1.0, 1.0, 0.0}, std::vector{0.0, 0.0, speed});
  }
  /// Of the driver alone, at rest.
  double potential(double xi) {
    return evaluator.energy(0.0, std::vector{0.0, 0.0, xi}, std::vector{0.0, 0.0, 0.0});
  }
  /// The angle over which the potential is largest.
  double top() {
    double best = 0.0;
    for (std::size_t i = 0; i < 20000; ++i) {
      const double xi = 2.0 * half_turn * static_cast<double>(i) / 20000.0;
      if (potential(xi) > potential(best)) best = xi;
    }
    return best;
  }

  Problem problem;
  Evaluator evaluator;
};

constexpr double oscillating_speed = 1.8973666, rotating_speed = 2.82842712;

/// How far round the exact driver comes in 100 units of time: the span of its angle, in turns.
double turns(const Transmission& transmission, double speed) {
  ExactFlow<double> flow(transmission.problem.system);
  std::vector<double> q{1.0, 1.0, 0.0}, v{0.0, 0.0, speed};
  double t = 0.0, least = 0.0, most = 0.0;
  for (int k = 0; k < 1000; ++k) {
    if (!flow.advance(t, q, v, 0.1)) return NAN;
    least = numeric::smaller(least, q[2]);
    most = numeric::larger(most, q[2]);
  }
  return (most - least) / (2.0 * half_turn);
}

void add_kind_of_motion(std::vector<Evidence>& evidence, double epsilon) {
  Transmission right(epsilon, false), printed(epsilon, true);
  const double highest = right.potential(right.top());
  const auto words = [epsilon](const char* what) {
    return fmt::format("{}, epsilon = {:g}", what, epsilon);
  };
  evidence.push_back({words("driver energy over that of the separatrix, first start"),
                      (right.energy(oscillating_speed) - 1.0) / highest, 0.0, 0.0, 0.99});
  evidence.push_back({words("driver energy over that of the separatrix, second start"),
                      (right.energy(rotating_speed) - 1.0) / highest, 0.0, 1.01, INFINITY});
  evidence.push_back({words("turns of the exact driver in 100 units of time, first start"),
                      turns(right, oscillating_speed), 0.0, 0.0, 0.99});
  evidence.push_back({words("turns of the exact driver in 100 units of time, second start"),
                      turns(right, rotating_speed), 0.0, 10.0, INFINITY});
  evidence.push_back({words("turns with the potential as printed, first start"),
                      turns(printed, oscillating_speed), 0.0, 0.0, 0.99, EvidenceRole::published});
}

void add_energies(std::vector<Evidence>& evidence) {
  for (const bool printed : {true, false}) {
    Transmission transmission(0.0, printed);
    const std::string with = printed ? ", potential as printed" : ", 1 - cos xi in place of cos xi";
    const EvidenceRole role = printed ? EvidenceRole::published : EvidenceRole::qualified;
    const std::string name = printed ? " as printed" : " as corrected";
    evidence.push_back(named("first" + name, {"total energy of the first start" + with,
                                              transmission.energy(oscillating_speed), 0.0,
                                              2.8 - printed_digits, 2.8 + printed_digits, role}));
    evidence.push_back(named("second" + name, {"total energy of the second start" + with,
                                               transmission.energy(rotating_speed), 0.0,
                                               5.0 - printed_digits, 5.0 + printed_digits, role}));
  }
}

/// The numerical drivers: how far the first start comes from the bottom, and the least speed of the
/// second, with the worst of the methods.
void add_methods(std::vector<Evidence>& evidence, const StudyRuns& runs) {
  double farthest = 0.0, slowest = INFINITY;
  for (const RunPlan& plan : runs.plans()) {
    const bool rotates = plan.label.starts_with("rotating");
    for (const double now : runs.column(plan.index, rotates ? "xi_dot" : "xi").values) {
      if (rotates)
        slowest = numeric::smaller(slowest, now);
      else
        farthest = numeric::larger(farthest, std::fabs(now));
    }
  }
  const std::string where =
      fmt::format(", five methods to t = {:g}", runs.study().until.value_or(0.0));
  evidence.push_back({"largest |xi| of the first start over half a turn" + where,
                      farthest / half_turn, 0.0, 0.0, 0.99});
  evidence.push_back({"least speed of the second start" + where, slowest, 0.0, 0.1, INFINITY});
}

using State = std::array<double, 2>;

double wrapped(double angle) { return std::remainder(angle, 2.0 * half_turn); }

/// The distance of a state of the driver from its orbit.
double distance_from(const std::vector<State>& orbit, const State& state) {
  double least = INFINITY;
  for (const State& other : orbit)
    least = numeric::smaller(least, std::hypot(wrapped(state[0] - other[0]), state[1] - other[1]));
  return least;
}

/// The largest distance of the reflected states of a motion from the motion.
Evidence reflected(const CoupledCase& motion, double sign_of_angle, double sign_of_speed,
                   bool stays) {
  const std::vector<State> orbit = motion.frame().samples(orbit_samples).driver;
  double worst = 0.0;
  for (std::size_t i = 0; i < orbit.size(); i += 16) {
    worst = numeric::larger(
        worst, distance_from(orbit, {sign_of_angle * orbit[i][0], sign_of_speed * orbit[i][1]}));
  }
  Evidence evidence{std::string("largest distance of the driver's path from its image under ") +
                        (sign_of_angle < 0.0 ? "xi -> -xi, " : "xi' -> -xi', ") + motion.label,
                    worst};
  (stays ? evidence.most : evidence.least) = stays ? on_the_orbit : off_the_orbit;
  return evidence;
}

Curve closed(const std::vector<State>& orbit) {
  Curve curve;
  for (std::size_t i = 0; i <= orbit.size(); ++i) {
    const State& state = orbit[i % orbit.size()];
    curve.t.push_back(wrapped(state[0]));
    curve.values.push_back(state[1]);
  }
  return curve;
}

/// The same from -pi to pi, for a driver that rotates or the separatrix.
Curve across(Curve curve) {
  std::vector<State> states;
  for (std::size_t i = 0; i + 1 < curve.t.size(); ++i)
    states.push_back({curve.t[i], curve.values[i]});
  std::sort(states.begin(), states.end());
  Curve sorted;
  for (const State& state : states) {
    sorted.t.push_back(state[0]);
    sorted.values.push_back(state[1]);
  }
  return sorted;
}

Curve separatrix(double epsilon, double sign) {
  Transmission transmission(epsilon, false);
  const double highest = transmission.potential(transmission.top());
  Curve curve;
  for (int i = -500; i <= 500; ++i) {
    const double xi = half_turn * i / 500.0;
    curve.t.push_back(xi);
    curve.values.push_back(
        sign * std::sqrt(numeric::larger(0.0, 2.0 * (highest - transmission.potential(xi)))));
  }
  return curve;
}

/// Every seventh of the last nodes of a run.
Curve nodes(const StudyRuns& runs, std::size_t run) {
  const Curve angle = runs.column(run, "xi"), speed = runs.column(run, "xi_dot");
  Curve curve;
  const std::size_t all = angle.values.size();
  for (std::size_t k = 0; k < numeric::smaller(shown_nodes, all / 7); ++k) {
    const std::size_t i = all - 1 - 7 * k;
    curve.t.push_back(wrapped(angle.values[i]));
    curve.values.push_back(speed.values[i]);
  }
  return curve;
}

Picture portrait(const StudyRuns& runs) {
  Picture picture{"Phase portrait of the driver: exact paths, and late nodes of five methods"};
  for (std::size_t column = 0; column < 2; ++column) {
    const double epsilon = column == 0 ? 0.0 : 0.5;
    PicturePanel panel{.title = fmt::format("epsilon = {:g}", epsilon), .column = column};
    panel.x = {"angle xi", false, std::pair(-half_turn, half_turn)};
    panel.y = {"speed xi'", false, std::pair(-3.5, 3.5)};
    for (const double sign : {1.0, -1.0})
      panel.curves.push_back({picture.entry("separatrix", true), separatrix(epsilon, sign)});
    const auto orbit = [](const CoupledCase& motion) {
      return closed(motion.frame().samples(orbit_samples).driver);
    };
    panel.curves.push_back({picture.entry("oscillating, energy 2.8"),
                            orbit(oscillating_transmission(epsilon)), CurveStyle::path});
    panel.curves.push_back({picture.entry("rotating, energy 5.0"),
                            across(orbit(rotating_transmission(epsilon))), CurveStyle::path});
    for (const char* method : {"DLA 0.5", "DLA 0.4", "DLA 0,1", "LF", "DD"}) {
      for (const char* start : {"oscillating", "rotating"}) {
        const std::string label = fmt::format("{}, epsilon = {:g}", start, epsilon);
        panel.curves.push_back(
            {picture.entry(method), nodes(runs, runs.find(method, label)), CurveStyle::points});
      }
    }
    picture.panels.push_back(std::move(panel));
  }
  return picture;
}

}  // namespace

ExperimentOutcome modin_verdier_phase_portrait(const ReproductionEffort& effort) {
  std::vector<std::string> settings;
  if (effort.quick) settings = {"run.until=300.0"};
  const StudyRuns runs("modin-verdier-2020/figure-7", effort, settings);
  std::vector<Evidence> motions, symmetry;
  add_energies(motions);
  for (const double epsilon : epsilons) {
    add_kind_of_motion(motions, epsilon);
    symmetry.push_back(reflected(oscillating_transmission(epsilon), 1.0, -1.0, true));
    symmetry.push_back(reflected(rotating_transmission(epsilon), 1.0, -1.0, false));
    symmetry.push_back(reflected(oscillating_transmission(epsilon), -1.0, 1.0, epsilon == 0.0));
    symmetry.push_back(reflected(rotating_transmission(epsilon), -1.0, 1.0, epsilon == 0.0));
  }
  add_methods(motions, runs);
  return {{portrait(runs)}, {{"000-F.1", motions}, {"000-F.2", symmetry}}};
}

}  // namespace dalembert::reproduce
