#include "dalembert/audit/switches.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "dalembert/expression/query.hpp"
#include "dalembert/expression/table/table.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/step/stepper.hpp"

namespace dalembert {
namespace {

constexpr std::uint64_t samples_per_step = 8;

/// A number whose passage through certain values is a switch.
struct Watched {
  std::string part;
  Expr number;
  Operation operation;
  TablePointer table = {};

  /// Whether a switch lies between two values of the number.
  bool switches_between(double low, double high) const {
    if (operation == Operation::floor) return std::ceil(low) <= high;
    if (operation != Operation::table) return low <= 0.0 && 0.0 <= high;
    const std::vector<double>& knots = table->arguments();
    const auto next = std::lower_bound(knots.begin(), knots.end(), low);
    return next != knots.end() && *next <= high;
  }
};

/// The parts of the equations of motion, with what they are called.
std::vector<std::pair<std::string, Vector>> parts_of(const System& system) {
  const Mechanics& mechanics = system.mechanics();
  if (mechanics.skew_gradient)
    return {{"Hamiltonian", {mechanics.skew_gradient->hamiltonian}},
            {"structure", mechanics.skew_gradient->structure.entries()}};
  std::vector<std::pair<std::string, Vector>> parts;
  if (mechanics.lagrangian) {
    parts.push_back({"Lagrangian", {*mechanics.lagrangian}});
  } else {
    parts.push_back({"potential", {mechanics.potential}});
    parts.push_back({"kinetic energy", {mechanics.kinetic}});
  }
  parts.push_back({"force", mechanics.force});
  parts.push_back({"constraints", concatenate({mechanics.constraints, mechanics.holonomic})});
  return parts;
}

std::vector<Watched> watched_in(const System& system, const Symbols& symbols) {
  const Vector moving = concatenate({symbols.variables, symbols.v, Vector{symbols.t}});
  std::vector<Watched> found;
  for (const auto& [part, expressions] : parts_of(system)) {
    for (const Expr& expression : expressions) {
      if (expression.is_constant()) continue;
      const GraphPointer& graph = expression.graph();
      for (const NodeId id : reachable(*graph, {expression.id()})) {
        const Node node = graph->node(id);
        if (!has_pieces(node.operation)) continue;
        const Expr number(graph, node.a);
        if (!depends_on(number, moving)) continue;
        found.push_back({part, number, node.operation});
        if (node.operation == Operation::table) found.back().table = graph->table(id);
      }
    }
  }
  return found;
}

/// The values that watched numbers take within a step.
class Ranges {
 public:
  explicit Ranges(std::size_t count) : low_(count), high_(count) { clear(); }
  void clear() {
    std::fill(low_.begin(), low_.end(), std::numeric_limits<double>::infinity());
    std::fill(high_.begin(), high_.end(), -std::numeric_limits<double>::infinity());
  }
  void add(std::span<const double> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      low_[i] = numeric::smaller(low_[i], values[i]);
      high_[i] = numeric::larger(high_[i], values[i]);
    }
  }
  /// The first number that a further change of the same size takes over a switch.
  const Watched* near_switch(const std::vector<Watched>& watched) const {
    for (std::size_t i = 0; i < watched.size(); ++i) {
      const double change = high_[i] - low_[i];
      if (watched[i].switches_between(low_[i] - change, high_[i] + change)) return &watched[i];
    }
    return nullptr;
  }

 private:
  std::vector<double> low_, high_;
};

}  // namespace

namespace {

/// The motion of a problem, by an explicit method of order four.
class WatchedMotion {
 public:
  WatchedMotion(const AuditProblem& problem, const std::vector<Watched>& watched, double step)
      : function_(problem.system, problem.system.symbols(), numbers_of(watched),
                  problem.parameters),
        stepper_(StepProgram::compile(problem.system, RungeKutta4{}, {.wrap_angles = false}), step,
                 problem.parameters),
        step_(step) {}

  Point start(const AuditProblem& problem) const {
    return stepper_.make_point(problem.q, problem.v);
  }
  /// The state so much later; nothing where no step leads there.
  std::optional<Point> after(Point point, double time) {
    if (time == 0.0) return point;
    stepper_.set_step(time);
    const bool ok = stepper_.step(point).status == StepStatus::ok;
    stepper_.set_step(step_);
    return ok ? std::optional(point) : std::nullopt;
  }
  std::vector<double> values(const Point& point) {
    const std::span<const double> found = function_(point.t, point.q, point.v);
    return {found.begin(), found.end()};
  }
  /// The rates of q and v, from the change over a short time; empty where there is none.
  std::vector<double> rates(const Point& point, double time) {
    const std::optional<Point> moved = after(point, time);
    std::vector<double> found;
    if (!moved) return found;
    for (std::size_t i = 0; i < point.q.size(); ++i)
      found.push_back((moved->q[i] - point.q[i]) / time);
    for (std::size_t i = 0; i < point.v.size(); ++i)
      found.push_back((moved->v[i] - point.v[i]) / time);
    return found;
  }

 private:
  static Vector numbers_of(const std::vector<Watched>& watched) {
    Vector numbers;
    for (const Watched& entry : watched) numbers.push_back(entry.number);
    return numbers;
  }

  StateFunction<double> function_;
  Stepper stepper_;
  double step_;
};

/// Whether the rates on both sides of the switch that a number passes between two states differ by
/// more than they would change by themselves.
bool jumps_between(WatchedMotion& motion, const Watched& watched, std::size_t index,
                   const Point& before, double step) {
  const double first = motion.values(before)[index];
  double low = 0.0, high = 1.0;
  constexpr int halvings = 40;
  for (int i = 0; i < halvings; ++i) {
    const double middle = 0.5 * (low + high);
    const std::optional<Point> there = motion.after(before, middle * step);
    if (!there) return false;
    const double value = motion.values(*there)[index];
    const bool is_passed =
        watched.switches_between(numeric::smaller(first, value), numeric::larger(first, value));
    (is_passed ? high : low) = middle;
  }
  // As far from the switch as rates are looked at from there.
  constexpr double near = 1e-6;
  const std::optional<Point> left = motion.after(before, (low - near) * step),
                             right = motion.after(before, (high + near) * step);
  if (!left || !right) return false;
  const std::vector<double> a = motion.rates(*left, -near * step),
                            b = motion.rates(*right, near * step);
  double jump = 0.0, size = 0.0;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    jump = numeric::larger(jump, std::fabs(a[i] - b[i]));
    size = numeric::larger(size, numeric::larger(std::fabs(a[i]), std::fabs(b[i])));
  }
  // Smooth rates differ by their slope times 2e-6 of a step, and by round-off of 1e-10 of a state.
  return jump > 1e-3 * size;
}

}  // namespace

std::optional<Switch> first_jump(const AuditProblem& problem, double until, double step) {
  const std::vector<Watched> watched = watched_in(problem.system, problem.system.symbols());
  if (watched.empty()) return std::nullopt;
  WatchedMotion motion(problem, watched, step);
  Point point = motion.start(problem);
  std::vector<double> values = motion.values(point);
  const auto steps = static_cast<std::uint64_t>(std::ceil(until / step * (1.0 - 1e-12)));
  for (std::uint64_t k = 0; k < steps; ++k) {
    const std::optional<Point> next = motion.after(point, step);
    if (!next) return std::nullopt;
    const std::vector<double> then = motion.values(*next);
    for (std::size_t i = 0; i < watched.size(); ++i) {
      const double low = numeric::smaller(values[i], then[i]),
                   high = numeric::larger(values[i], then[i]);
      if (low < high && watched[i].switches_between(low, high) &&
          jumps_between(motion, watched[i], i, point, step))
        return Switch{watched[i].part, point.t};
    }
    point = *next;
    values = then;
  }
  return std::nullopt;
}

bool has_switches(const System& system) { return !watched_in(system, system.symbols()).empty(); }

std::optional<Switch> switch_at(const AuditProblem& problem) {
  const Symbols symbols = problem.system.symbols();
  const std::vector<Watched> watched = watched_in(problem.system, symbols);
  if (watched.empty()) return std::nullopt;
  Vector numbers;
  for (const Watched& entry : watched) numbers.push_back(entry.number);
  StateFunction<double> function(problem.system, symbols, numbers, problem.parameters);
  const std::span<const double> values = function(0.0, problem.q, problem.v);
  for (std::size_t i = 0; i < watched.size(); ++i) {
    const double near = 1e-8 * (1.0 + std::fabs(values[i]));
    if (watched[i].switches_between(values[i] - near, values[i] + near))
      return Switch{watched[i].part, 0.0};
  }
  return std::nullopt;
}

std::optional<Switch> first_switch(const AuditProblem& problem, double until, double step) {
  const System& system = problem.system;
  const Symbols symbols = system.symbols();
  const std::vector<Watched> watched = watched_in(system, symbols);
  if (watched.empty()) return std::nullopt;
  Vector numbers;
  for (const Watched& entry : watched) numbers.push_back(entry.number);
  StateFunction<double> function(system, symbols, numbers, problem.parameters);
  Stepper stepper(StepProgram::compile(system, RungeKutta4{}, {.wrap_angles = false}),
                  step / static_cast<double>(samples_per_step), problem.parameters);
  Point point = stepper.make_point(problem.q, problem.v);
  const auto steps = static_cast<std::uint64_t>(std::ceil(until / step * (1.0 - 1e-12)));
  Ranges ranges(watched.size());
  for (std::uint64_t k = 0; k < steps; ++k) {
    const double t = point.t;
    ranges.clear();
    ranges.add(function(point.t, point.q, point.v));
    for (std::uint64_t i = 0; i < samples_per_step; ++i) {
      if (stepper.advance(point, 0.0, k * samples_per_step + i, 1).status != StepStatus::ok)
        return std::nullopt;
      ranges.add(function(point.t, point.q, point.v));
    }
    if (const Watched* near = ranges.near_switch(watched)) return Switch{near->part, t};
  }
  return std::nullopt;
}

}  // namespace dalembert
