// Celledoni et al. 2019, Prop. 4.1 and Fig. 3: stability of the straight motions of the sleigh.
#include "sleigh.hpp"

#include <cmath>

#include "celledoni_2019.hpp"
#include "dalembert/audit/step_map.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/reproduce/experiment.hpp"
#include "reproduce/study_runs.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr double J = 8.0, m = 1.0, a = 1.0;  // of Fig. 3 and of the problem's defaults
constexpr double inertia = J + m * a * a;
const double coupling = a * std::sqrt(m) / inertia;  // C_12^1

/// The multiplier of a step of h at the equilibrium (0, rho_2): rho_1 after over rho_1 before.
double multiplier(const System& system, double h, double rho_2) {
  const Method method =
      make_method({"reduced-gradient",
                   {{"gradient", std::string("mean-value")}, {"frame", std::string("given")}}});
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
  constexpr double speed = 0.6;
  const double bound = 2.0 / (coupling * speed);
  Multipliers result;
  for (const double part : {0.1, 0.25, 0.5, 0.75, 0.95, 1.05, 1.25, 1.5, 1.75, 2.0}) {
    const double h = part * bound, x = h * coupling * speed;
    const double forwards = multiplier(system, h, speed), backwards = multiplier(system, h, -speed);
    result.stable.t.push_back(part);
    result.stable.values.push_back(forwards);
    result.unstable.t.push_back(part);
    result.unstable.values.push_back(backwards);
    for (const double error : {forwards / formula(x) - 1.0, backwards / formula(-x) - 1.0}) {
      if (!(std::fabs(error) <= result.worst)) result.worst = std::fabs(error);
    }
  }
  return result;
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
          {{"001-B.1", formula_holds}, {"001-B.2", bound}, {"001-B.3", arrives}}};
}

}  // namespace dalembert::reproduce
