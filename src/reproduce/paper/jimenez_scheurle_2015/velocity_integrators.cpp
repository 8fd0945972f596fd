// Jimenez and Scheurle 2015: velocity integrators of finite-difference maps, and the paper's list
// of experiments.
#include "velocity_integrators.hpp"

#include <cmath>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "reproduce/experiment.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

Method velocity_dla(double beta, const std::string& nodes) {
  return make_method({"velocity-dla", {{"beta", beta}, {"nodes", nodes}}});
}

/// What the nodes of a run on the nonholonomic particle say of the two constraints.
struct Constraints {
  double original = 0.0;  ///< largest |v_z - y v_x| after the first step
  double deformed = 0.0;  ///< largest |v_z - y v_x + h v_x v_y/2|
  double sign_changes = 0.0;
  Curve curve;
};

Constraints follow_constraints(const Problem& problem, const Method& method, int steps) {
  const Extended h = Extended(1) / 16;
  StepMap<Extended> map(problem.system, method, problem.system.default_parameters());
  BasicPoint<Extended> point = map.start(problem.start().q, problem.start().v);
  Constraints result;
  double before = 0.0;
  for (int k = 1; k <= steps; ++k) {
    if (!map.apply(point, h)) return {NAN, NAN, NAN, {}};
    const Extended defect = point.v[2] - point.q[1] * point.v[0];
    const double now = static_cast<double>(defect),
                 deformed = static_cast<double>(defect + h * point.v[0] * point.v[1] / 2);
    result.original = numeric::larger(result.original, std::fabs(now));
    result.deformed = numeric::larger(result.deformed, std::fabs(deformed));
    if (now * before < 0.0) result.sign_changes += 1.0;
    before = now;
    result.curve.t.push_back(static_cast<double>(h) * k);
    result.curve.values.push_back(now);
  }
  return result;
}

}  // namespace

ExperimentOutcome velocity_integrators(const ReproductionEffort&) {
  const Problem particle = load_problem("particle-free");
  const Constraints redefined = follow_constraints(particle, velocity_dla(0.5, "redefined"), 1000),
                    original = follow_constraints(particle, velocity_dla(0.5, "original"), 1000);
  std::vector<Evidence> deformed{
      {"largest |v_z - y v_x|, redefined nodes", redefined.original, 0.0, 0.0, exact_defect},
      {"largest |v_z - y v_x|, original nodes", original.original, 0.0, clear_defect, INFINITY},
      {"largest |v_z - y v_x + h v_x v_y/2|, original nodes", original.deformed, 0.0, 0.0,
       exact_defect}};
  Picture picture{"Constraint of the nonholonomic particle at the original nodes, beta = 1/2"};
  PicturePanel panel{.title = ""};
  panel.x.label = "time t (nondimensional)";
  panel.y.label = "v_z - y v_x";
  panel.curves.push_back({picture.entry("h = 1/16"), original.curve, CurveStyle::path});
  picture.panels.push_back(std::move(panel));
  return {
      {picture},
      {{"004-A.3", deformed},
       {"004-A.4",
        {{"largest |v_z - y v_x| over h, original nodes", original.original * 16.0, 0.0, 0.0, 1.0},
         {"sign changes of v_z - y v_x in 1000 steps", original.sign_changes, 0.0, 1.0, INFINITY,
          EvidenceRole::published},
         {"its size at the end over the largest",
          std::fabs(original.curve.values.back()) / original.original, 0.0, 0.0, 0.1,
          EvidenceRole::qualified}}}}};
}

}  // namespace dalembert::reproduce
