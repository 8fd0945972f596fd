// Jimenez and Scheurle 2015, Props. 3.1 and 4.1: curves in the constraint set, and discrete flows
// as flows of perturbed equations.
#include "embeddings.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "dalembert/audit/embedding.hpp"
#include "dalembert/measure/slope.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/problem/load_problem.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

using Long = long double;

/// Two points of D and the curve between them, all in q and v.
class CurveInD {
 public:
  explicit CurveInD(const Problem& problem)
      : system_(problem.system),
        embedding_(system_, make_method({"velocity-dla", {}}), 2, problem.start().q),
        evaluator_(system_) {
    const Start& start = problem.start();
    const std::vector<Long> q(start.q.begin(), start.q.end()), v(start.v.begin(), start.v.end());
    from_ = embedding_.coordinates(q, v);
    to_ = from_;
    for (std::size_t i = 0; i < to_.size(); ++i) to_[i] = 0.7L - to_[i] * (0.3L + 0.2L * i);
  }

  std::vector<Long> at(const Long& s) { return whole(interpolate(from_, to_, s)); }
  /// The straight line between the same points of the surrounding space.
  std::vector<Long> chord(const Long& s) {
    const std::vector<Long> a = whole(from_), b = whole(to_);
    std::vector<Long> x = a;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += s * (b[i] - a[i]);
    return x;
  }
  double constraint(const std::vector<Long>& x) {
    const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
    return evaluator_.constraint_error(0.0, std::vector<double>(x.begin(), middle),
                                       std::vector<double>(middle, x.end()));
  }
  /// How far the curve's ends are from the points.
  double end_error() {
    return numeric::larger(largest_difference(at(Long(0)), whole(from_)),
                           largest_difference(at(Long(1)), whole(to_)));
  }
  /// The largest divided difference of that order over `count` parts of [0, 1].
  double derivative(int order, int count) {
    std::vector<std::vector<Long>> rows;
    for (int k = -order; k <= count + order; ++k)
      rows.push_back(at(std::clamp(Long(k) / count, Long(0), Long(1))));
    for (int pass = 0; pass < order; ++pass) {
      for (std::size_t k = 0; k + 1 < rows.size(); ++k) {
        for (std::size_t i = 0; i < rows[k].size(); ++i)
          rows[k][i] = (rows[k + 1][i] - rows[k][i]) * count;
      }
      rows.pop_back();
    }
    double most = 0.0;
    for (const std::vector<Long>& row : rows)
      most = numeric::larger(most, largest_difference(row, std::vector<Long>(row.size())));
    return most;
  }

 private:
  std::vector<Long> whole(const std::vector<Long>& xi) {
    const auto [position, velocity] = embedding_.state(xi);
    std::vector<Long> x = position;
    x.insert(x.end(), velocity.begin(), velocity.end());
    return x;
  }

  System system_;
  Embedding<Long> embedding_;
  Evaluator evaluator_;
  std::vector<Long> from_, to_;
};

/// That the curve stays in D, where the straight line does not, joins the points and rests at both,
/// with all its derivatives bounded: continued by the points, none of them jumps.
void add_interpolation(std::vector<Evidence>& evidence, const Problem& problem) {
  CurveInD curve(problem);
  double within = 0.0, straight = 0.0;
  for (int k = 0; k <= 100; ++k) {
    within = numeric::larger(within, curve.constraint(curve.at(Long(k) / 100)));
    straight = numeric::larger(straight, curve.constraint(curve.chord(Long(k) / 100)));
  }
  const std::string name = ", " + problem.system.name();
  evidence.push_back({"largest |constraint| along the curve" + name, within, 0.0, 0.0, 1e-13});
  evidence.push_back({"the same along the straight line" + name, straight, 0.0, 1e-2, INFINITY});
  evidence.push_back(
      {"distance of its ends from the points" + name, curve.end_error(), 0.0, 0.0, 1e-18});
  for (const int order : {1, 2, 4})
    evidence.push_back({"power of the spacing in its divided differences of order " +
                            std::to_string(order) + ", the points continued" + name,
                        std::log2(curve.derivative(order, 512) / curve.derivative(order, 1024)),
                        0.0, -0.1, 0.1});
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

/// The largest |g| for halved steps with p = order, and the method's local error.
struct Perturbations {
  std::vector<double> steps, right, local;
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
    const std::vector<Long> y = embedding.coordinates(q, v);
    result.steps.push_back(static_cast<double>(h));
    result.right.push_back(embedding.largest(y, 16));
    result.local.push_back(largest_difference(embedding.step(y), embedding.flow(h, y)));
  }
  return result;
}

/// A measured power of h, less `offset`.
Evidence slope_evidence(const std::string& what, const std::vector<double>& values, double expected,
                        double offset = 0.0) {
  const OrderSeries series = fit_order(values, 0.0);
  return {what, series.measured ? series.slope - offset : NAN, series.uncertainty,
          expected - offset - 0.3, expected - offset + 0.3};
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

}  // namespace

ExperimentOutcome embeddings(const ReproductionEffort& effort) {
  const Problem particle = load_problem("particle-free"),
                witness = load_problem("witness-constant-mass");
  std::vector<Evidence> bounded, flow, joined;
  add_interpolation(joined, particle);
  add_interpolation(joined, witness);
  Picture picture{"Largest |g| over a period for p the order, and the local errors"};
  picture.panels.resize(2);
  picture.panels[0].y = {"largest |g|", true};
  picture.panels[1].y = {"|step - exact flow|", true};
  picture.panels[1].column = 1;
  for (PicturePanel& panel : picture.panels) panel.x = {"step h", true};
  for (const Embedded& method : embedded_methods()) {
    const Perturbations of = perturbations(witness, method, effort.quick ? 4 : 5);
    const std::size_t entry = picture.entry(method.label);
    picture.panels[0].curves.push_back({entry, {of.steps, of.right}, CurveStyle::marked});
    picture.panels[1].curves.push_back({entry, {of.steps, of.local}, CurveStyle::marked});
    const std::string name = std::string(", ") + method.label;
    // A smaller p would show as 1, a larger one as -1; the order is measured beside.
    bounded.push_back(slope_evidence("power of h in the local error less 1" + name, of.local,
                                     method.order + 1.0, 1.0));
    bounded.push_back(slope_evidence(
        "power of h in g with p = " + std::to_string(method.order) + name, of.right, 0.0));
    add_flow(flow, particle, method);
  }
  return {{picture}, {{"004-B.1", joined}, {"004-B.2", bounded}, {"004-B.3", flow}}};
}

}  // namespace dalembert::reproduce
