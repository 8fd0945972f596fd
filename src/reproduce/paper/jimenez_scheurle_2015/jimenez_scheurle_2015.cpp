// Jimenez and Scheurle 2015: velocity integrators of finite-difference maps, and the paper's list
// of experiments.
#include "jimenez_scheurle_2015.hpp"

#include <cmath>

#include "adapted_equations.hpp"
#include "dalembert/audit/step_map.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/reproduce/experiment.hpp"
#include "discrete_principle.hpp"
#include "embeddings.hpp"
#include "reproduce/paper/orders.hpp"
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

ExperimentOutcome velocity_integrators(const ReproductionEffort& effort) {
  const int runs = effort.quick ? 4 : 6;
  const StudyOrders orders("jimenez-scheurle-2015/orders", runs),
      witness("jimenez-scheurle-2015/orders-witness", runs);
  const Problem particle = load_problem("particle-free");
  std::vector<Evidence> first, second;
  for (const StudyOrders* of : {&orders, &witness}) {
    of->add(first, "beta = 0", 1);
    of->add_multiplier(first, "beta = 0", 1);
    of->add(second, "beta = 1/2, redefined nodes", 2);
    of->add_multiplier(second, "beta = 1/2, redefined nodes", 1);
  }
  const Constraints redefined = follow_constraints(particle, velocity_dla(0.5, "redefined"), 1000),
                    original = follow_constraints(particle, velocity_dla(0.5, "original"), 1000);
  std::vector<Evidence> deformed{
      {"largest |v_z - y v_x|, redefined nodes", redefined.original, 0.0, 0.0, exact_defect},
      {"largest |v_z - y v_x|, original nodes", original.original, 0.0, clear_defect, INFINITY},
      {"largest |v_z - y v_x + h v_x v_y/2|, original nodes", original.deformed, 0.0, 0.0,
       exact_defect}};
  // p is the smaller of the orders of q and v; that of q is 2 on this system.
  std::vector<Evidence> original_orders;
  orders.add(original_orders, "beta = 1/2, original nodes", 1);
  original_orders[0].role = EvidenceRole::shown;
  deformed.insert(deformed.end(), original_orders.begin(), original_orders.end());
  Picture picture{"Constraint of the nonholonomic particle at the original nodes, beta = 1/2"};
  PicturePanel panel{.title = ""};
  panel.x.label = "time t (nondimensional)";
  panel.y.label = "v_z - y v_x";
  panel.curves.push_back({picture.entry("h = 1/16"), original.curve, CurveStyle::path});
  picture.panels.push_back(std::move(panel));
  return {
      {orders.picture(), witness.picture(), picture},
      {{"004-A.1", first},
       {"004-A.2", second},
       {"004-A.3", deformed},
       {"004-A.4",
        {{"largest |v_z - y v_x| over h, original nodes", original.original * 16.0, 0.0, 0.0, 1.0},
         {"sign changes of v_z - y v_x in 1000 steps", original.sign_changes, 0.0, 1.0, INFINITY,
          EvidenceRole::published},
         {"its size at the end over the largest",
          std::fabs(original.curve.values.back()) / original.original, 0.0, 0.0, 0.1,
          EvidenceRole::qualified}}}}};
}

}  // namespace

Paper jimenez_scheurle_2015() {
  return {
      "004",
      "jimenez-scheurle-2015",
      "F. Jimenez and J. Scheurle: On the discretization of nonholonomic dynamics in R^n. "
      "Journal of Geometric Mechanics 7 (2015)",
      {{"velocity-integrators", "Props. 6.1 to 6.3",
        "Orders and constraints of velocity "
        "integrators",
        "Orders by step halving in extended precision on the nonholonomic particle and on a "
        "system with a coupled mass, a curved constraint and a potential; constraints over "
        "1000 steps of h = 1/16. Order 1 of the multiplier is s = 0 in the paper's (p, s).",
        velocity_integrators},
       {"embedding", "Props. 3.1 and 4.1", "Methods as flows of perturbed equations",
        "The perturbation g is evaluated from its construction, with the exact flow to "
        "round-off, for methods of order 1, 2 and 4; the perturbed equation is integrated over "
        "one period by a method that knows nothing of the construction.",
        embeddings},
       {"adapted-equations", "Sects. 4.2 and 6.1",
        "The algebra of the eliminated and the perturbed equations",
        "Lemma 4.4, the perturbed equations (51) to (55), the equations (68) in coordinates of "
        "D, also with the curvature of the connection, and the first-order form of (71), each "
        "evaluated at a state in 113 bits against the equations of motion.",
        adapted_equations},
       {"discrete-principle", "Sect. 5", "The discrete principle with a finite-difference map",
        "The regularity condition on the nonholonomic particle, the constraint at the nodes of "
        "the map for four values of beta, and the order of the new nodes where they are counted "
        "from the first old one.",
        discrete_principle}}};
}

}  // namespace dalembert::reproduce
