// Celledoni et al. 2019, Prop. 4.1 and Fig. 3: stability of the straight motions of the sleigh.
#include "sleigh.hpp"

#include <array>
#include <cmath>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/study_runs.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr double J = 8.0, m = 1.0, a = 1.0;  // of Fig. 3 and of the problem's defaults
constexpr double inertia = J + m * a * a;
const double coupling = a * std::sqrt(m) / inertia;  // C_12^1
constexpr double speed = 0.6;                        // |rho_2| of the equilibria

/// The multiplier of a step of h at the equilibrium (0, rho_2): rho_1 after over rho_1 before.
double multiplier(const System& system, const Method& method, double h, double rho_2) {
  StepMap<Extended> map(system, method, system.default_parameters());
  const double theta = 0.1, rho_1 = 1e-10;
  const std::vector<double> q{-5.0, 0.0, theta};
  BasicPoint<Extended> point = map.start(
      q, std::vector<double>{rho_2 * std::cos(theta) / std::sqrt(m),
                             rho_2 * std::sin(theta) / std::sqrt(m), rho_1 / std::sqrt(inertia)});
  const Extended before = point.v[2];
  if (!map.apply(point, Extended(h))) return NAN;
  return static_cast<double>(point.v[2] / before);
}

/// The published formula, with x = h C rho_2.
double formula(double x) { return (2.0 - x) / (2.0 + x); }

struct Multipliers {
  Curve stable, unstable;  ///< against h over the bound
  double worst = 0.0;      ///< largest relative difference from the formula
};

Multipliers measure_multipliers(const System& system) {
  const double bound = 2.0 / (coupling * speed);
  const Method method =
      make_method({"reduced-gradient",
                   {{"gradient", std::string("mean-value")}, {"frame", std::string("given")}}});
  Multipliers result;
  for (const double part : {0.1, 0.25, 0.5, 0.75, 0.95, 1.05, 1.25, 1.5, 1.75, 2.0}) {
    const double h = part * bound, x = h * coupling * speed;
    const double forwards = multiplier(system, method, h, speed),
                 backwards = multiplier(system, method, h, -speed);
    result.stable.t.push_back(part);
    result.stable.values.push_back(forwards);
    result.unstable.t.push_back(part);
    result.unstable.values.push_back(backwards);
    for (const double error : {forwards / formula(x) - 1.0, backwards / formula(-x) - 1.0}) {
      result.worst = numeric::larger(result.worst, std::fabs(error));
    }
  }
  return result;
}

/// The same for explicit Euler and for the classical Runge-Kutta method applied to Eq. (22).
double explicit_multiplier(double h, double rho_2, bool classical) {
  using Momenta = std::array<double, 2>;
  const auto slope = [](const Momenta& rho) {
    return Momenta{-coupling * rho[0] * rho[1], coupling * rho[0] * rho[0]};
  };
  const auto moved = [](const Momenta& rho, double by, const Momenta& along) {
    return Momenta{rho[0] + by * along[0], rho[1] + by * along[1]};
  };
  const Momenta start{1e-10, rho_2};
  const Momenta k1 = slope(start);
  if (!classical) return moved(start, h, k1)[0] / start[0];
  const Momenta k2 = slope(moved(start, h / 2.0, k1));
  const Momenta k3 = slope(moved(start, h / 2.0, k2));
  const Momenta k4 = slope(moved(start, h, k3));
  return 1.0 + h / 6.0 * (k1[0] + 2.0 * k2[0] + 2.0 * k3[0] + k4[0]) / start[0];
}

/// Remark 4.2: the least and the largest multipliers below the bound 1/(C |rho_2|).
std::vector<Evidence> explicit_evidence() {
  std::vector<Evidence> evidence;
  for (const bool classical : {false, true}) {
    double least = INFINITY, most = -INFINITY, unstable = INFINITY;
    for (int k = 1; k <= 19; ++k) {
      const double h = 0.05 * k / (coupling * speed);
      const double forwards = explicit_multiplier(h, speed, classical);
      least = numeric::smaller(least, forwards);
      most = numeric::larger(most, forwards);
      unstable = numeric::smaller(unstable, explicit_multiplier(h, -speed, classical));
    }
    const std::string name = classical ? ", RK4, 19 steps below 1/(C |rho_2|)"
                                       : ", explicit Euler, 19 steps below 1/(C |rho_2|)";
    evidence.push_back({"least multiplier at rho_2 = 0.6" + name, least, 0.0, 0.0, 1.0});
    evidence.push_back({"largest multiplier at rho_2 = 0.6" + name, most, 0.0, 0.0, 0.999});
    evidence.push_back({"least multiplier at rho_2 = -0.6" + name, unstable, 0.0, 1.001, INFINITY});
  }
  evidence.push_back({.what = "multiplier of explicit Euler at rho_2 = 0.6, h = 1.5/(C |rho_2|)",
                      .value = explicit_multiplier(1.5 / (coupling * speed), speed, false),
                      .role = EvidenceRole::shown});
  return evidence;
}

/// The equilibria in the original coordinates: |multiplier| of the midpoint rule on the eliminated
/// equations, for steps up to twice the bound of Prop. 4.1.
std::vector<Evidence> original_evidence(const System& system) {
  const Method midpoint = make_method({"gauss", {{"stages", 1.0}}});
  double most_stable = 0.0, least_unstable = INFINITY;
  for (int k = 1; k <= 20; ++k) {
    const double h = 0.1 * k * 2.0 / (coupling * speed);
    const double forwards = std::fabs(multiplier(system, midpoint, h, speed)),
                 backwards = std::fabs(multiplier(system, midpoint, h, -speed));
    most_stable = numeric::larger(most_stable, forwards);
    least_unstable = numeric::smaller(least_unstable, backwards);
  }
  return {{"largest |multiplier| at rho_2 = 0.6, midpoint rule in the original coordinates, 20 "
           "steps to 2 times the bound",
           most_stable, 0.0, 1.0, INFINITY, EvidenceRole::published},
          {.what = "least |multiplier| at rho_2 = -0.6, the same",
           .value = least_unstable,
           .role = EvidenceRole::shown}};
}

/// Momenta along the frame from the velocities of a record.
Curve momenta(const StudyRuns& runs, std::size_t run) {
  const Curve turn = runs.column(run, "theta_dot"), x = runs.column(run, "x1_dot"),
              y = runs.column(run, "x2_dot"), theta = runs.column(run, "theta");
  Curve curve;
  for (std::size_t i = 0; i < turn.values.size(); ++i) {
    curve.t.push_back(std::sqrt(inertia) * turn.values[i]);
    curve.values.push_back(std::sqrt(m) * (std::cos(theta.values[i]) * x.values[i] +
                                           std::sin(theta.values[i]) * y.values[i]));
  }
  return curve;
}

Picture sleigh_picture(const StudyRuns& runs) {
  Picture picture{"Chaplygin sleigh from just off the unstable motion, h = 0.5"};
  picture.panels.resize(2);
  picture.panels[0].x.label = "x_1";
  picture.panels[0].y.label = "x_2";
  picture.panels[0].title = "contact point";
  picture.panels[1].x.label = "rho_1";
  picture.panels[1].y.label = "rho_2";
  picture.panels[1].title = "momenta";
  picture.panels[1].column = 1;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const std::size_t entry = picture.entry(run == 0 ? "rho_1 = 0.001" : "rho_1 = -0.001");
    picture.panels[0].curves.push_back(
        {entry, {runs.column(run, "x1").values, runs.column(run, "x2").values}, CurveStyle::path});
    picture.panels[1].curves.push_back({entry, momenta(runs, run), CurveStyle::path});
  }
  return picture;
}

Picture multiplier_picture(const Multipliers& measured) {
  Picture picture{"Multiplier of a step at the equilibria rho_2 = +-0.6"};
  PicturePanel panel{.title = ""};
  panel.x.label = "h / bound";
  panel.y = {"multiplier of rho_1", false, std::pair(-8.0, 8.0)};
  panel.curves.push_back({picture.entry("rho_2 > 0, stable"), measured.stable, CurveStyle::marked});
  panel.curves.push_back(
      {picture.entry("rho_2 < 0, unstable"), measured.unstable, CurveStyle::points});
  panel.curves.push_back({picture.entry("+-1", true), {{0.0, 2.0}, {1.0, 1.0}}});
  panel.curves.push_back({picture.entry("+-1", true), {{0.0, 2.0}, {-1.0, -1.0}}});
  picture.panels.push_back(std::move(panel));
  return picture;
}

}  // namespace

ExperimentOutcome celledoni_sleigh(const ReproductionEffort& effort) {
  const StudyRuns runs("celledoni-2019/figure-3", effort);
  const System system = load_problem("chaplygin-sleigh").system;
  const Multipliers measured = measure_multipliers(system);
  const auto stable = [&](std::size_t i) { return measured.stable.values[i]; };
  const auto unstable = [&](std::size_t i) { return measured.unstable.values[i]; };
  const std::vector<Evidence> formula_holds{
      {"largest relative difference of the multiplier from the formula, 20 steps", measured.worst,
       0.0, 0.0, 1e-6},
      {"multiplier at rho_2 = 0.6, h at 0.95 of the bound", stable(4), 0.0, 0.0, 1.0},
      {"multiplier at rho_2 = -0.6, h at 0.95 of the bound", unstable(4), 0.0, 1.0, INFINITY}};
  const std::vector<Evidence> bound{
      {"|multiplier| at rho_2 = 0.6, h at 2 times the bound", std::fabs(stable(9)), 0.0, 1.0,
       INFINITY, EvidenceRole::published},
      {"|multiplier| at rho_2 = 0.6, h at 2 times the bound", std::fabs(stable(9)), 0.0, 0.0, 1.0,
       EvidenceRole::qualified},
      {"|multiplier| at rho_2 = -0.6, h at 2 times the bound", std::fabs(unstable(9)), 0.0, 1.0,
       INFINITY, EvidenceRole::qualified},
      {"multiplier at rho_2 = 0.6, h at 1.05 times the bound", stable(5), 0.0, -INFINITY, 0.0,
       EvidenceRole::qualified}};
  std::vector<Evidence> arrives;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const Curve path = momenta(runs, run);
    const std::string name = run == 0 ? "rho_1(0) = 0.001" : "rho_1(0) = -0.001";
    arrives.push_back({"rho_2 at t = 400 from " + name, path.values.back(), 0.0, 0.6, 0.601});
    arrives.push_back(
        {"|rho_1| at t = 400 from " + name, std::fabs(path.t.back()), 0.0, 0.0, 1e-5});
  }
  return {{sleigh_picture(runs), multiplier_picture(measured)},
          {{"001-B.1", formula_holds},
           {"001-B.2", bound},
           {"001-B.3", arrives},
           {"001-B.4", explicit_evidence()},
           {"001-B.5", original_evidence(system)}}};
}

}  // namespace dalembert::reproduce
