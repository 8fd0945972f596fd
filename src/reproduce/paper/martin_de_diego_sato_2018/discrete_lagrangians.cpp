// Martin de Diego and Sato 2018, Sects. 4 and 5: the discrete Lagrangian behind the pairs of
// tableaux, on the pendulum L = v^2/2 + cos q.
#include "discrete_lagrangians.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/measure/exact_flow.hpp"
#include "dalembert/measure/slope.hpp"
#include "dalembert/mechanics/difference/quadrature.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/method/stage/lobatto_tableaux.hpp"
#include "dalembert/method/stage/tableau.hpp"
#include "dalembert/method/variational.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "reproduce/paper/pendulum.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr double start_angle = 0.7, start_velocity = 0.4;
/// Errors of a step are compared with these; Newton's iteration leaves some units of 1e-34.
constexpr double floor_of_errors = 1e-31;
constexpr double same_order = 0.2;  // of slopes over four halvings

/// The pendulum's exact motion from the start.
class ExactPendulum {
 public:
  struct State {
    Extended q, v;
  };
  State at(const Extended& t) {
    std::vector<Extended> q{Extended(start_angle)}, v{Extended(start_velocity)};
    Extended time(0);
    flow_.restart();
    if (!flow_.advance(time, q, v, t)) return {Extended(NAN), Extended(NAN)};
    return {q[0], v[0]};
  }
  /// The integral of L from 0 to h: twenty Gauss nodes leave less than round-off for h <= 1/4.
  Extended action(const Extended& h) {
    using std::cos;
    const QuadratureRule rule = gauss_rule(20);
    Extended sum(0);
    for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
      const State state = at(rule.nodes[i].as<Extended>() * h);
      sum = sum + rule.weights[i].as<Extended>() * (state.v * state.v / 2 + cos(state.q));
    }
    return h * sum;
  }

 private:
  ExactFlow<Extended> flow_{pendulum()};
};

/// A pair of tableaux, the second one conjugate to the first, in wide numbers.
class Pair {
 public:
  /// `error` is added to the last entry of the second tableau's first row.
  Pair(std::string name, int quadrature, const Tableau& tableau, double error = 0.0)
      : name_(std::move(name)), quadrature_(quadrature), b_(numbers(tableau.b)) {
    for (const auto& row : tableau.a) a_.push_back(numbers(row));
    for (const auto& row : conjugate_tableau(tableau.a, tableau.b)) second_.push_back(numbers(row));
    second_.front().back() = second_.front().back() + Extended(error);
  }

  const std::string& name() const { return name_; }
  int quadrature() const { return quadrature_; }

  /// Stages of a step from q with momentum p: p' and q' in `end`.
  struct Step {
    std::vector<Extended> q, v;
    Extended end_q, end_p;
  };
  Step step(const Extended& q, const Extended& p, const Extended& h) const {
    using std::sin;
    const std::size_t s = b_.size();
    Step result{std::vector<Extended>(s, q), std::vector<Extended>(s, p), q, p};
    for (int pass = 0; pass < passes; ++pass) {
      for (std::size_t i = 0; i < s; ++i) {
        result.v[i] = p;
        for (std::size_t j = 0; j < s; ++j)
          result.v[i] = result.v[i] - h * second_[i][j] * sin(result.q[j]);
      }
      for (std::size_t i = 0; i < s; ++i) {
        result.q[i] = q;
        for (std::size_t j = 0; j < s; ++j) result.q[i] = result.q[i] + h * a_[i][j] * result.v[j];
      }
    }
    for (std::size_t j = 0; j < s; ++j) {
      result.end_q = result.end_q + h * b_[j] * result.v[j];
      result.end_p = result.end_p - h * b_[j] * sin(result.q[j]);
    }
    return result;
  }

  /// h sum b_i L(Q_i, V_i) at the stationary stages between two positions.
  Extended discrete_lagrangian(const Extended& from, const Extended& to, const Extended& h) const {
    using std::cos;
    Extended p = (to - from) / h;
    Step stages = step(from, p, h);
    for (int pass = 0; pass < passes; ++pass) {  // each gains a factor of h^2
      p = p + (to - stages.end_q) / h;
      stages = step(from, p, h);
    }
    Extended sum(0);
    for (std::size_t i = 0; i < b_.size(); ++i)
      sum = sum + b_[i] * (stages.v[i] * stages.v[i] / 2 + cos(stages.q[i]));
    return h * sum;
  }

 private:
  static constexpr int passes = 60;
  static std::vector<Extended> numbers(const std::vector<Constant>& row) {
    std::vector<Extended> wide;
    for (const Constant& entry : row) wide.push_back(entry.as<Extended>());
    return wide;
  }

  std::string name_;
  int quadrature_;
  std::vector<Extended> b_;
  std::vector<std::vector<Extended>> a_, second_;
};

std::vector<Pair> pairs() {
  std::vector<Pair> all;
  for (const int s : {2, 3, 4}) {
    const LobattoTableaux lobatto = lobatto_tableaux(s);
    all.emplace_back("Lobatto " + std::to_string(s), 2 * s - 2,
                     Tableau{lobatto.a, lobatto.b, lobatto.c});
  }
  for (const int s : {1, 2, 3})
    all.emplace_back("Gauss " + std::to_string(s), 2 * s, gauss_tableau(s));
  all.emplace_back("Newton-Cotes 4", 4, collocation_tableau(tableau_numbers("0, 1/3, 2/3, 1")));
  all.emplace_back("Newton-Cotes 5", 6,
                   collocation_tableau(tableau_numbers("0, 1/4, 1/2, 3/4, 1")));
  return all;
}

double distance(const Extended& a, const Extended& b) {
  return std::fabs(static_cast<double>(a - b));
}

/// The orders, less one, of what one step of h = 1/8, 1/16, ... misses.
struct Orders {
  OrderSeries lagrangian, map;
};
Orders measured_orders(const Pair& pair, ExactPendulum& exact) {
  std::vector<double> lagrangian, map;
  for (int halvings = 3; halvings < 7; ++halvings) {
    const Extended h = Extended(1) / Extended(1 << halvings);
    const ExactPendulum::State end = exact.at(h);
    const Extended q(start_angle), p(start_velocity);
    lagrangian.push_back(distance(pair.discrete_lagrangian(q, end.q, h), exact.action(h)));
    const Pair::Step step = pair.step(q, p, h);
    map.push_back(numeric::larger(distance(step.end_q, end.q), distance(step.end_p, end.v)));
  }
  return {fit_order(lagrangian, floor_of_errors), fit_order(map, floor_of_errors)};
}

/// The action of a step of the pendulum with multipliers for what defines its stages, Sect. 4.2:
/// S = h sum b_i [L(Q_i, V_i) + P_i ((Q_i - q_0)/h - sum a_ij V_j)]
///     + h p ((q_1 - q_0)/h - sum b_j V_j).
class StepAction {
 public:
  StepAction(const Tableau& tableau, double h) : system_(pendulum()), symbols_(system_.symbols()) {
    const std::size_t s = tableau.stages();
    const auto new_symbols = [&](const std::string& name) {
      Vector all;
      for (std::size_t i = 0; i < s; ++i)
        all.push_back(make_symbol(symbols_.t.graph(), name + std::to_string(i + 1)));
      return all;
    };
    const Vector q = new_symbols("Q_"), v = new_symbols("V_"), p = new_symbols("P_");
    const Vector ends{make_symbol(symbols_.t.graph(), "p"), make_symbol(symbols_.t.graph(), "q_1")};
    const Expr& start = symbols_.q[0];
    Expr sum = Expr(h) * ends[0] * ((ends[1] - start) / h - weighted(tableau.b, v));
    for (std::size_t i = 0; i < s; ++i) {
      const Expr lagrangian = v[i] * v[i] / 2.0 + cos(q[i]);
      const Expr stage = (q[i] - start) / h - weighted(tableau.a[i], v);
      sum = sum + Expr(h) * Expr(tableau.b[i]) * (lagrangian + p[i] * stage);
    }
    const Vector inner = concatenate({q, v, p, {ends[0]}});
    slopes_ = StateFunction<Extended>(system_, symbols_,
                                      gradient(sum, concatenate({inner, {start, ends[1]}})), {},
                                      concatenate({inner, {ends[1]}}));
  }

  /// The largest entry of (dS, dS/dq_0 + p_0, dS/dq_1 - p_1) at the stages of a step, with dS in
  /// the stages and multipliers: P_i = -h dL/dq(Q_i), p = p_1.
  double defect(const Pair::Step& step, const Extended& h) {
    using std::sin;
    std::vector<Extended> values = step.q;
    values.insert(values.end(), step.v.begin(), step.v.end());
    for (const Extended& q : step.q) values.push_back(h * sin(q));
    values.push_back(step.end_p);
    values.push_back(step.end_q);
    const std::vector<Extended> q{Extended(start_angle)}, v{Extended(start_velocity)};
    const std::span<const Extended> found = slopes_(Extended(0), q, v, values);
    double most = 0.0;
    for (std::size_t i = 0; i + 2 < found.size(); ++i)
      most = numeric::larger(most, distance(found[i], Extended(0)));
    most = numeric::larger(most, distance(found[found.size() - 2], -v[0]));
    return numeric::larger(most, distance(found.back(), step.end_p));
  }

 private:
  static Expr weighted(const std::vector<Constant>& weights, const Vector& terms) {
    Expr sum = Expr(weights[0]) * terms[0];
    for (std::size_t j = 1; j < terms.size(); ++j) sum = sum + Expr(weights[j]) * terms[j];
    return sum;
  }

  System system_;
  Symbols symbols_;
  StateFunction<Extended> slopes_;
};

/// Theorem 4.2 with the steps that the library takes.
std::vector<Evidence> stationary_steps() {
  constexpr double h = 0.125;
  std::vector<Evidence> evidence;
  const auto look_at = [&](const std::string& name, const Tableau& tableau,
                           const VariationalRungeKutta& method) {
    StepAction action(tableau, h);
    const auto step_with = [&](double error) {
      return Pair(name, 0, tableau, error)
          .step(Extended(start_angle), Extended(start_velocity), Extended(h));
    };
    Pair::Step step = step_with(0.0);
    StepMap<Extended> map(pendulum(), Method(method), {});
    BasicPoint<Extended> point =
        map.start(std::vector<double>{start_angle}, std::vector<double>{start_velocity});
    const bool arrived = map.apply(point, Extended(h));
    step.end_q = arrived ? point.q[0] : Extended(NAN);
    step.end_p = point.v[0];
    evidence.push_back({"largest slope of the action at a step of h = 1/8, " + name,
                        action.defect(step, Extended(h)), 0.0, 0.0, 1e-28});
    evidence.push_back({"the same with an entry of the second tableau off by 1e-3, " + name,
                        action.defect(step_with(1e-3), Extended(h)), 0.0, 1e-6, INFINITY});
  };
  for (const int s : {2, 3}) {
    const LobattoTableaux lobatto = lobatto_tableaux(s);
    look_at("Lobatto " + std::to_string(s), {lobatto.a, lobatto.b, lobatto.c}, {.stages = s});
    look_at("Gauss " + std::to_string(s), gauss_tableau(s),
            {.stages = s, .nodes = VariationalRungeKutta::Nodes::gauss});
  }
  return evidence;
}

}  // namespace

ExperimentOutcome discrete_lagrangians(const ReproductionEffort&) {
  ExactPendulum exact;
  std::vector<Evidence> theorem, remark;
  ResultTable table{"Orders", {"tableau", "quadrature", "discrete Lagrangian", "map"}, {}};
  for (const Pair& pair : pairs()) {
    const Orders orders = measured_orders(pair, exact);
    const double lagrangian = orders.lagrangian.slope - 1.0, map = orders.map.slope - 1.0;
    theorem.push_back({"order of the discrete Lagrangian less that of the map, " + pair.name(),
                       orders.lagrangian.measured && orders.map.measured ? lagrangian - map : NAN,
                       0.0, -same_order, same_order});
    remark.push_back({"order of the map less that of the quadrature, " + pair.name(),
                      map - pair.quadrature(), 0.0, -same_order, same_order});
    table.rows.push_back({pair.name(), std::to_string(pair.quadrature()),
                          to_string(std::round(100.0 * lagrangian) / 100.0),
                          to_string(std::round(100.0 * map) / 100.0)});
  }
  return {
      {}, {{"002-G.1", theorem}, {"002-G.2", remark}, {"002-G.3", stationary_steps()}}, {table}};
}

}  // namespace dalembert::reproduce
