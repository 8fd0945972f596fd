// Jimenez and Scheurle 2015: velocity integrators of finite-difference maps, curves in the
// constraint set, and discrete flows as flows of perturbed equations.
#include "jimenez_scheurle_2015.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/audit/embedding.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/reproduce/experiment.hpp"
#include "reproduce/paper/orders.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

using Long = long double;

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
    result.original = std::max(result.original, std::fabs(now));
    result.deformed = std::max(result.deformed, std::fabs(deformed));
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

/// A curve between two points of D, and how far it leaves D.
Evidence interpolation(const Problem& problem) {
  const System& system = problem.system;
  const Start& start = problem.start();
  Embedding<Long> embedding(system, velocity_dla(0.5, "redefined"), 2, start.q);
  const std::vector<Long> q(start.q.begin(), start.q.end()), v(start.v.begin(), start.v.end());
  const std::vector<Long> x1 = embedding.coordinates(q, v);
  std::vector<Long> x2 = x1;
  for (std::size_t i = 0; i < x2.size(); ++i) x2[i] = 0.7L - x2[i] * (0.3L + 0.2L * i);
  Evaluator evaluator(system);
  double worst = 0.0;
  for (int k = 0; k <= 100; ++k) {
    const auto [position, velocity] = embedding.state(interpolate(x1, x2, Long(k) / 100));
    worst = std::max(worst, evaluator.constraint_error(
                                0.0, std::vector<double>(position.begin(), position.end()),
                                std::vector<double>(velocity.begin(), velocity.end())));
  }
  return {"largest |constraint| along a curve between two points, " + system.name(), worst, 0.0,
          0.0, 1e-13};
}

/// A method that is a map of D, with its order.
struct Embedded {
  const char* label;
  int order;
  MethodSpec spec;
};

std::vector<Embedded> embedded_methods() {
  const auto half = std::make_shared<const MethodSpec>(MethodSpec{"dla", {{"alpha", 0.5}}});
  return {{"DLA 0.4", 1, {"dla", {{"alpha", 0.4}}}},
          {"DLA 0.5", 2, {"dla", {{"alpha", 0.5}}}},
          {"triple jump of DLA 0.5", 4, {"compose", {{"base", half}}}}};
}

/// The largest |g| for halved steps, with p = order and p = order + 1.
struct Perturbations {
  std::vector<double> steps, right, next;
};

Perturbations perturbations(const Problem& problem, const Embedded& method, int halvings) {
  const System& system = problem.system;
  const Start& start = problem.start();
  const std::vector<Long> q(start.q.begin(), start.q.end()), v(start.v.begin(), start.v.end());
  Perturbations result;
  Embedding<Long> embedding(system, make_method(method.spec), method.order, start.q);
  for (int k = 0; k < halvings; ++k) {
    const Long h = Long(1) / (16 << k);
    embedding.set_step(h);
    const double g = embedding.largest(embedding.coordinates(q, v), 16);
    result.steps.push_back(static_cast<double>(h));
    result.right.push_back(g);
    result.next.push_back(g / static_cast<double>(h));
  }
  return result;
}

Evidence slope_evidence(const std::string& what, const std::vector<double>& values,
                        double expected) {
  const OrderSeries series = fit_order(values, 0.0);
  return {what, series.measured ? series.slope : NAN, series.uncertainty, expected - 0.3,
          expected + 0.3};
}

/// g has period one, and the flow of f + h^p g over one period is the method's step: integrated by
/// the classical method of order 4 with 64 steps.
void add_flow(std::vector<Evidence>& evidence, const Problem& problem, const Embedded& method) {
  const System& system = problem.system;
  const Start& start = problem.start();
  const Long h = Long(1) / 8;
  Embedding<Long> embedding(system, make_method(method.spec), method.order, start.q);
  embedding.set_step(h);
  const std::vector<Long> q(start.q.begin(), start.q.end()), v(start.v.begin(), start.v.end());
  const std::vector<Long> y = embedding.coordinates(q, v);
  const Long power = std::pow(h, method.order);
  bool defined = true;
  const auto slope = [&](Long tau, const std::vector<Long>& z) {
    std::vector<Long> f = embedding.slope(z);
    const auto here = embedding.at(tau, z);
    defined = defined && here.has_value();
    for (std::size_t i = 0; i < f.size(); ++i)
      f[i] = h * (f[i] + power * (here ? here->g[i] : Long(0)));
    return f;
  };
  const auto moved = [](const std::vector<Long>& z, const std::vector<Long>& k, Long part) {
    std::vector<Long> result = z;
    for (std::size_t i = 0; i < z.size(); ++i) result[i] += part * k[i];
    return result;
  };
  constexpr int count = 64;
  std::vector<Long> z = y;
  for (int k = 0; k < count && defined; ++k) {
    const Long d = Long(1) / count, tau = k * d;
    const auto k1 = slope(tau, z), k2 = slope(tau + d / 2, moved(z, k1, d / 2)),
               k3 = slope(tau + d / 2, moved(z, k2, d / 2)), k4 = slope(tau + d, moved(z, k3, d));
    for (std::size_t i = 0; i < z.size(); ++i)
      z[i] += d / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  const std::vector<Long> step = embedding.step(y), flow = embedding.flow(h, y);
  const double unperturbed = largest_difference(step, flow);
  evidence.push_back({std::string("flow of the perturbed equation against the step, over the "
                                  "local error, ") +
                          method.label,
                      defined ? largest_difference(z, step) / unperturbed : NAN, 0.0, 0.0, 0.01});
  const auto now = embedding.at(Long(0.3), y), later = embedding.at(Long(1.3), y);
  evidence.push_back({std::string("g(tau + 1, z) - g(tau, z) over g, ") + method.label,
                      now && later ? largest_difference(now->g, later->g) /
                                         largest_difference(now->g, std::vector<Long>(y.size()))
                                   : NAN,
                      0.0, 0.0, 1e-6});
}

ExperimentOutcome embeddings(const ReproductionEffort& effort) {
  const Problem particle = load_problem("particle-free"),
                witness = load_problem("witness-constant-mass");
  std::vector<Evidence> bounded, flow;
  Picture picture{"Largest |g| over a period, for p the order and p one more"};
  picture.panels.resize(2);
  picture.panels[0].title = "p = order";
  picture.panels[1].title = "p = order + 1";
  picture.panels[1].column = 1;
  for (PicturePanel& panel : picture.panels) {
    panel.x = {"step h", true};
    panel.y = {"largest |g|", true};
  }
  for (const Embedded& method : embedded_methods()) {
    const Perturbations of = perturbations(witness, method, effort.quick ? 4 : 5);
    const std::size_t entry = picture.entry(method.label);
    picture.panels[0].curves.push_back({entry, {of.steps, of.right}, CurveStyle::marked});
    picture.panels[1].curves.push_back({entry, {of.steps, of.next}, CurveStyle::marked});
    const std::string name = std::string(", ") + method.label;
    bounded.push_back(slope_evidence("power of h in g with p = order" + name, of.right, 0.0));
    bounded.push_back(slope_evidence("power of h in g with p = order + 1" + name, of.next, -1.0));
    add_flow(flow, particle, method);
  }
  return {{picture},
          {{"004-B.1", {interpolation(particle), interpolation(witness)}},
           {"004-B.2", bounded},
           {"004-B.3", flow}}};
}

}  // namespace

Paper jimenez_scheurle_2015() {
  return {"004",
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
            embeddings}}};
}

}  // namespace dalembert::reproduce
