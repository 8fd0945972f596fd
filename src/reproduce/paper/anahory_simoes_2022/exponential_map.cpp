#include "exponential_map.hpp"

#include <cmath>

#include "dalembert/audit/jacobian.hpp"
#include "dalembert/measure/exact_flow.hpp"
#include "dalembert/measure/order.hpp"
#include "dalembert/mechanics/frame.hpp"
#include "dalembert/method/newmark.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/problem/load_problem.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

/// Round-off of an exact flow in double over times of size one.
constexpr double flow_round_off = 1e-13;

/// A state of a system with its exact flow.
struct ExactState {
  System system;
  ExactFlow<double> flow;
  StateFunction<double> constraint;
  std::vector<double> q, v;

  ExactState(const System& of, const Start& start)
      : system(of),
        flow(of, named_parameter_values(of, start.parameters)),
        constraint(constraint_of(of, named_parameter_values(of, start.parameters))),
        q(start.q),
        v(start.v) {}
  explicit ExactState(const Problem& problem, const std::string& start = "")
      : ExactState(problem.system, prepare_start(problem.system, problem.start(start))) {}

  static StateFunction<double> constraint_of(const System& system,
                                             const std::vector<double>& parameters) {
    const Symbols s = system.symbols();
    return {system, s, system.constraint(s.q, s.v), parameters};
  }
  /// exp_{q,h}^{nh}(v), and the velocity there.
  bool advance(double h) {
    double t = 0.0;
    flow.restart();
    return flow.advance(t, q, v, h);
  }
  /// |A(at) along|, the largest entry.
  double constraint_at(const std::vector<double>& at, const std::vector<double>& along) {
    double largest = 0.0;
    for (const double value : constraint(0.0, at, along))
      largest = numeric::larger(largest, std::fabs(value));
    return largest;
  }
};

const std::pair<const char*, const char*> flow_problems[] = {
    {"particle-free", "newmark"},
    {"chaotic", "newmark"},
    {"pendulum-cvt-inverted", "newmark-high"}};

double distance_of(const std::vector<double>& x, const std::vector<double>& y) {
  return largest_difference(x, y);
}

/// The equations q~ = exp_{q,h}(v), q = exp_{q~,-h}(v~), those with s = 0.3 between, and v~ in D.
void add_flow(std::vector<Evidence>& evidence, const char* name, const char* start) {
  constexpr double h = 0.5, s = 0.3;
  const ExactState first(load_problem(name), start);
  ExactState end = first, back = first, between = first, from_end = first;
  const bool arrived = end.advance(h) && between.advance(s * h);
  from_end.q = back.q = end.q;
  from_end.v = back.v = end.v;
  const bool returned = back.advance(-h) && from_end.advance((s - 1.0) * h);
  const std::string where = std::string(", ") + name;
  const auto number = [&](double value) { return arrived && returned ? value : NAN; };
  evidence.push_back({"|q - exp_{q~,-h}(v~)|, h = 0.5" + where,
                      number(distance_of(back.q, first.q)), 0.0, 0.0, flow_round_off});
  evidence.push_back({"|exp_{q,sh}(v) - exp_{q~,(s-1)h}(v~)|, s = 0.3" + where,
                      number(distance_of(from_end.q, between.q)), 0.0, 0.0, flow_round_off});
  evidence.push_back(
      {"|A(q~) v~|" + where, number(end.constraint_at(end.q, end.v)), 0.0, 0.0, flow_round_off});
}

/// det(J^T J)^(1/2m)/h of the derivative J of exp_{q,h} along m vectors that span D_q: one for
/// small h, zero where the image loses a dimension.
Evidence regularity(const char* name, const char* start) {
  constexpr double h = 0.5;
  const ExactState first(load_problem(name), start);
  const Symbols s = first.system.symbols();
  const Matrix fields = Frame(first.system, FrameKind::qr, s.q).at(s.q);
  StateFunction<double> frame(first.system, s, fields.entries());
  const std::span<const double> x = frame(0.0, first.q, first.v);
  const std::size_t n = first.q.size(), m = x.size() / n;
  const auto end_of = [&](const std::vector<double>& by) -> std::vector<double> {
    ExactState moved = first;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t a = 0; a < m; ++a) moved.v[i] += x[i * m + a] * by[a];
    }
    return moved.advance(h) ? moved.q : std::vector<double>{};
  };
  const NumberMatrix<double> j = difference_jacobian<double>(end_of, std::vector<double>(m, 0.0));
  NumberMatrix<double> gram(m, std::vector<double>(m, 0.0));
  for (std::size_t i = 0; i < j.size(); ++i) {
    for (std::size_t a = 0; a < m; ++a) {
      for (std::size_t b = 0; b < m; ++b) gram[a][b] += j[i][a] * j[i][b];
    }
  }
  const double size = std::pow(determinant(gram), 0.5 / static_cast<double>(m)) / h;
  return {
      std::string("det(J^T J)^{1/(2m)}/h, J the derivative of exp_{q,h} on D_q, h = 0.5, ") + name,
      size, 0.0, 0.5, 2.0};
}

/// The defect of an exact motion in the discrete constraint, for steps that are halved.
OrderSeries defects(const ExactState& first, double alpha, bool average, Curve& curve) {
  std::vector<double> errors;
  for (int k = 0; k < 8; ++k) {
    const double h = std::ldexp(0.125, -k);
    ExactState end = first;
    if (!end.advance(h)) break;
    std::vector<double> along(end.q.size()), at(end.q.size());
    for (std::size_t i = 0; i < at.size(); ++i) {
      along[i] = (end.q[i] - first.q[i]) / h;
      at[i] = (1.0 - alpha) * first.q[i] + alpha * end.q[i];
    }
    double defect = end.constraint_at(at, along);
    if (average) {  // linear constraints: the mean of the two rows times the displacement
      const std::span<const double> old_row = end.constraint(0.0, first.q, along);
      std::vector<double> sum(old_row.begin(), old_row.end());
      const std::span<const double> new_row = end.constraint(0.0, end.q, along);
      defect = 0.0;
      for (std::size_t i = 0; i < sum.size(); ++i)
        defect = numeric::larger(defect, std::fabs((1.0 - alpha) * sum[i] + alpha * new_row[i]));
    }
    errors.push_back(defect);
    curve.t.push_back(h);
    curve.values.push_back(defect);
  }
  return fit_order(errors, 1e-12);
}

/// Orders of the discretizations (14) and (15), with their picture.
std::vector<Evidence> discretization_evidence(Picture& picture) {
  const ExactState first(load_problem("pendulum-cvt-inverted"), "gearbox");
  PicturePanel panel{.title = ""};
  panel.x = {"step h", true};
  panel.y = {"|discrete constraint| of the exact motion", true};
  std::vector<Evidence> evidence;
  for (const bool average : {false, true}) {
    for (const double alpha : {0.5, 0.0}) {
      if (average && alpha == 0.0) continue;  // the same as (14)
      Curve curve;
      const OrderSeries series = defects(first, alpha, average, curve);
      const std::string name =
          std::string(average ? "(15)" : "(14)") + ", alpha = " + (alpha == 0.5 ? "1/2" : "0");
      const double order = alpha == 0.5 ? 2.0 : 1.0;
      evidence.push_back({"power of h in the discrete constraint of the exact motion, " + name,
                          series.measured ? series.slope : NAN, series.uncertainty, order - 0.15,
                          order + 0.15});
      panel.curves.push_back({picture.entry(name), std::move(curve), CurveStyle::marked});
    }
  }
  picture.panels.push_back(std::move(panel));
  return evidence;
}

/// A particle whose constraint is the differential of f = x^2/2 + y^2 + 3 z^2/2 + x^4/4.
Problem particle_on_leaf() {
  const auto equations = [](const Symbols& s) {
    Mechanics mechanics;
    mechanics.kinetic = dot(s.v, s.v) / 2.0;
    mechanics.potential = s.q[2];
    const Expr cube = s.q[0] * square(s.q[0]);
    const Expr last = 3.0 * s.q[2] * s.v[2];
    const Expr middle = 2.0 * s.q[1] * s.v[1];
    const Expr first = (s.q[0] + cube) * s.v[0];
    mechanics.constraints = {first + middle + last};
    return mechanics;
  };
  return {
      System::define({.name = "particle-on-leaf", .coordinates = {{"x"}, {"y"}, {"z"}}}, equations),
      {{.name = "generic", .q = {0.8, 0.5, -0.4}, .v = {0.9, -0.3, 0.7}, .project = true}}};
}

double leaf(const std::vector<double>& q) {
  return q[0] * q[0] / 2.0 + q[1] * q[1] + 1.5 * q[2] * q[2] + std::pow(q[0], 4) / 4.0;
}

/// Remark 3.2: the exact discrete constraint space is the leaf; the method with (14) leaves it.
std::vector<Evidence> leaf_evidence() {
  const Problem problem = particle_on_leaf();
  const ExactState first(problem);
  ExactState end = first;
  const bool arrived = end.advance(1.0);
  std::vector<double> errors;
  for (int k = 0; k < 5; ++k) {
    const double h = std::ldexp(0.125, -k);
    StepMap<double> map(problem.system, Method(Newmark{}), {});
    BasicPoint<double> point = map.start(first.q, first.v);
    const bool done = map.apply(point, h, static_cast<std::uint64_t>(1.0 / h));
    errors.push_back(done ? std::fabs(leaf(point.q) - leaf(first.q)) : NAN);
  }
  const OrderSeries series = fit_order(errors, 1e-12);
  return {{"distance of the exact motion from its leaf at t = 1",
           arrived ? std::fabs(leaf(end.q) - leaf(first.q)) : NAN, 0.0, 0.0, flow_round_off},
          {"power of h in the distance of F^{0,0,1/2} with (14) from the leaf at t = 1",
           series.measured ? series.slope : NAN, series.uncertainty, 1.85, 2.15}};
}

}  // namespace

ExperimentOutcome exponential_map(const ReproductionEffort&) {
  std::vector<Evidence> flow, regular;
  for (const auto& [name, start] : flow_problems) {
    add_flow(flow, name, start);
    regular.push_back(regularity(name, start));
  }
  Picture picture{"Discrete constraints on the exact motion of the transmission"};
  const std::vector<Evidence> discretization = discretization_evidence(picture);
  return {{picture},
          {{"003-D.1", flow},
           {"003-D.2", regular},
           {"003-D.3", discretization},
           {"003-D.4", leaf_evidence()}}};
}

}  // namespace dalembert::reproduce
