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
