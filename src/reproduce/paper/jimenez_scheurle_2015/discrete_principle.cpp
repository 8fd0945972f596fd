// Jimenez and Scheurle 2015, Sect. 5: what the discrete Lagrange-d'Alembert principle with a
// finite-difference map promises.
#include "discrete_principle.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/measure/exact_flow.hpp"
#include "dalembert/measure/slope.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

using Map = StepMap<Extended>;
using Triple = std::array<double, 3>;

Method map_method(double beta, const std::string& nodes) {
  return make_method({"velocity-dla", {{"beta", beta}, {"nodes", nodes}}});
}

double product_of(const Triple& x, const Triple& y) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

Triple cross_product(const Triple& x, const Triple& y) {
  return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
}

/// The unit vectors of a plane with the given normal, at `count` angles of a half turn.
std::vector<Triple> directions_of(const Triple& normal, int count) {
  Triple x = cross_product(normal, {0.0, 1.0, 0.0}), y = cross_product(normal, x);
  const double x_size = std::sqrt(product_of(x, x)), y_size = std::sqrt(product_of(y, y));
  std::vector<Triple> directions;
  for (int k = 0; k < count; ++k) {
    const double angle = std::numbers::pi * k / count;
    const double c = std::cos(angle) / x_size, s = std::sin(angle) / y_size;
    directions.push_back({c * x[0] + s * y[0], c * x[1] + s * y[1], c * x[2] + s * y[2]});
  }
  return directions;
}

/// |<D2 D1 L_d v, w>| h for unit vectors v along D_d and w in D of the free particle, beta = 1/2:
/// the least for all w, and the largest, each for the v where it is least.
struct Pairing {
  double least = INFINITY, largest = INFINITY;
};

Pairing pairing(const Triple& q0, const Triple& q1) {
  const Triple covector{-q0[1], 0.0, 1.0},
      along{-0.5 * (q0[1] + q1[1]), -0.5 * (q1[0] - q0[0]), 1.0};
  Pairing result;
  for (const Triple& v : directions_of(along, 180)) {
    double least = INFINITY, largest = 0.0;
    for (const Triple& w : directions_of(covector, 3600)) {
      const double now = std::fabs(product_of(v, w));  // D2 D1 L_d = -1/h for a unit mass
      least = numeric::smaller(least, now);
      largest = numeric::larger(largest, now);
    }
    result.least = numeric::smaller(result.least, least);
    result.largest = numeric::smaller(result.largest, largest);
  }
  return result;
}

/// How the multiplier grows where y_k (y_k + y_{k+1})/2 approaches -1, where the matrix (61) of the
/// free particle is singular: its power of the distance.
double singular_power() {
  const Problem problem = load_problem("particle-free");
  Map map(problem.system, map_method(0.5, "redefined"), problem.system.default_parameters());
  double log_size[2] = {0.0, 0.0};
  for (int k = 0; k < 2; ++k) {
    const double distance = k == 0 ? 1e-3 : 1e-6;
    BasicPoint<Extended> point = map.start(problem.start().q, problem.start().v);
    const Extended y = Extended(3) - Extended(distance), speed = -4 + 2 * Extended(distance);
    point.q[1] = y;
    point.v = {Extended(1), speed, y};
    if (!map.apply(point, Extended(1))) return NAN;
    log_size[k] = std::log10(std::fabs(static_cast<double>(map.multiplier(point).front())));
  }
  return (log_size[0] - log_size[1]) / 3.0;
}

std::vector<Evidence> regularity() {
  const Pairing pair = pairing({1.0, 0.5, 0.0}, {1.1, 0.4, 0.04});
  return {{"least |<D2 D1 L_d v, w>| h over all unit vectors v and w", pair.least, 0.0, 0.01,
           INFINITY, EvidenceRole::published},
          {"largest over w, for the v where that is least", pair.largest, 0.0, 0.01, INFINITY,
           EvidenceRole::qualified},
          {"power of the distance from a singular matrix (61) in the multiplier", singular_power(),
           0.0, -1.05, -0.95}};
}

/// The largest constraint error over 100 steps on a system whose terms are all there.
double constraint_defect(double beta, const std::string& nodes) {
  const Problem problem = load_problem("witness-constant-mass");
  Map map(problem.system, map_method(beta, nodes), problem.system.default_parameters());
  BasicPoint<Extended> point = map.start(problem.start().q, problem.start().v);
  double worst = 0.0;
  for (int k = 0; k < 100; ++k) {
    if (!map.apply(point, Extended(1) / 16)) return NAN;
    const double now = largest_difference(map.constraint(point), {Extended(0)});
    worst = numeric::larger(worst, now);
  }
  return worst;
}

std::vector<Evidence> preservation() {
  std::vector<Evidence> evidence;
  for (const double beta : {0.0, 0.25, 0.5, 1.0})
    evidence.push_back(
        {"largest |mu(q) v| at the nodes of the map, beta = " + std::to_string(beta).substr(0, 4),
         constraint_defect(beta, "redefined"), 0.0, 0.0, exact_defect});
  evidence.push_back({"the same at the original nodes, beta = 1/2",
                      constraint_defect(0.5, "original"), 0.0, clear_defect, INFINITY});
  return evidence;
}

/// Errors at t = 1 of the new nodes (q_k + q_{k+1})/2 of a run, against the exact positions half a
/// step later than t_k, and a whole step later, as q~_0 = q_0 asks of equidistant nodes.
struct NodeErrors {
  std::vector<double> half, whole;
};

NodeErrors node_errors(int halvings) {
  const Problem problem = load_problem("witness-constant-mass");
  const System& system = problem.system;
  Map map(system, make_method({"dla", {{"alpha", 0.5}}}), system.default_parameters());
  NodeErrors errors;
  for (int k = 0; k < halvings; ++k) {
    const int steps = 16 << k;
    const Extended h = Extended(1) / steps;
    BasicPoint<Extended> point = map.start(problem.start().q, problem.start().v);
    BasicPoint<Extended> exact = point;
    if (!map.apply(point, h, static_cast<std::uint64_t>(steps))) return {};
    std::vector<Extended> node = point.q;
    if (!map.apply(point, h)) return {};
    for (std::size_t i = 0; i < node.size(); ++i) node[i] = (node[i] + point.q[i]) / 2;
    ExactFlow<Extended> flow(system);
    Extended t(0);
    if (!flow.advance(t, exact.q, exact.v, Extended(1) + h / 2)) return {};
    errors.half.push_back(largest_difference(node, exact.q));
    if (!flow.advance(t, exact.q, exact.v, h / 2)) return {};
    errors.whole.push_back(largest_difference(node, exact.q));
  }
  return errors;
}

Evidence node_order(const std::string& what, const std::vector<double>& errors, double order,
                    EvidenceRole role) {
  const OrderSeries series = fit_order(errors, 0.0);
  return {"order of the new nodes, " + what,
          series.measured ? series.slope : NAN,
          series.uncertainty,
          order - 0.15,
          order + 0.15,
          role};
}

}  // namespace

ExperimentOutcome discrete_principle(const ReproductionEffort& effort) {
  const NodeErrors errors = node_errors(effort.quick ? 4 : 6);
  return {{},
          {{"004-D.1", regularity()},
           {"004-D.2", preservation()},
           {"004-D.3",
            {node_order("counted from q~_0 = q_0 in whole steps", errors.whole, 2.0,
                        EvidenceRole::published),
             node_order("counted from q~_0 = q_0 in whole steps", errors.whole, 1.0,
                        EvidenceRole::qualified),
             node_order("half a step behind those", errors.half, 2.0, EvidenceRole::qualified)}}}};
}

}  // namespace dalembert::reproduce
