// Defining a system: what it needs to make sense, and everything that follows from a Lagrangian.
#include <algorithm>
#include <set>
#include <stdexcept>

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/system_error.hpp"
#include "system_data.hpp"

namespace dalembert {

namespace {

SignFacts facts_of(const Parameter& parameter) {
  SignFacts facts;
  facts.nonnegative = parameter.min >= 0.0;
  facts.nonpositive = parameter.max <= 0.0;
  facts.nonzero = parameter.min > 0.0 || parameter.max < 0.0 ||
                  (parameter.min == 0.0 && parameter.min_exclusive) ||
                  (parameter.max == 0.0 && parameter.max_exclusive);
  return facts;
}

bool is_zero(const Vector& entries) {
  return std::all_of(entries.begin(), entries.end(),
                     [](const Expr& entry) { return entry.is_constant(0.0); });
}

bool any_depends(const Vector& entries, const Vector& symbols) {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const Expr& entry) { return depends_on(entry, symbols); });
}

LagrangianKind lagrangian_kind(const Matrix& mass, const Vector& momentum_at_rest,
                               const Symbols& symbols) {
  // A mass that changes with time is not of the form v.M(q)v/2 either.
  if (any_depends(mass.entries(), symbols.v) || any_depends(mass.entries(), {symbols.t}) ||
      !is_zero(momentum_at_rest))
    return LagrangianKind::general;
  return any_depends(mass.entries(), symbols.q) ? LagrangianKind::configuration_mass
                                                : LagrangianKind::constant_mass;
}

ConstraintKind constraint_kind(const Vector& constraints, const Matrix& slope,
                               const Symbols& symbols) {
  if (constraints.empty()) return ConstraintKind::none;
  if (any_depends(slope.entries(), symbols.v)) return ConstraintKind::nonlinear;
  const Vector at_rest = substitute(constraints, symbols.v, zeros(symbols.v.size()));
  return is_zero(at_rest) ? ConstraintKind::linear : ConstraintKind::affine;
}

void check_constraints(const SystemDescription& description, const Mechanics& mechanics,
                       const Symbols& symbols, const Matrix& slope) {
  for (std::size_t i = 0; i < mechanics.constraints.size(); ++i) {
    const std::string which =
        "system \"" + description.name + "\": constraint " + std::to_string(i + 1);
    if (mechanics.constraints[i].is_constant(0.0)) {
      throw SystemError(SystemPart::constraints,
                        which + " is identically zero; remove it or correct it");
    }
    if (!depends_on(mechanics.constraints[i], symbols.v) || is_zero(slope.row(i))) {
      throw SystemError(SystemPart::constraints,
                        which + " (" + to_string(mechanics.constraints[i]) +
                            ") contains no velocity; a constraint on positions alone is holonomic");
    }
  }
}

void check_holonomic(const SystemDescription& description, const Mechanics& mechanics,
                     const Symbols& symbols) {
  for (std::size_t i = 0; i < mechanics.holonomic.size(); ++i) {
    const Expr& phi = mechanics.holonomic[i];
    const std::string which =
        "system \"" + description.name + "\": holonomic constraint " + std::to_string(i + 1);
    if (phi.is_constant(0.0))
      throw SystemError(SystemPart::constraints,
                        which + " is identically zero; remove it or correct it");
    if (depends_on(phi, symbols.v)) {
      throw SystemError(SystemPart::constraints,
                        which + " (" + to_string(phi) +
                            ") contains a velocity; it belongs to the constraints on "
                            "velocities");
    }
    if (!depends_on(phi, symbols.q))
      throw SystemError(SystemPart::constraints,
                        which + " (" + to_string(phi) + ") contains no coordinate");
  }
  const std::size_t count = mechanics.constraints.size() + mechanics.holonomic.size();
  if (count > symbols.q.size()) {
    throw SystemError(SystemPart::constraints, "system \"" + description.name + "\" has " +
                                                   std::to_string(count) + " constraints for " +
                                                   std::to_string(symbols.q.size()) +
                                                   " coordinates; they cannot be independent");
  }
}

void check_not_singular(const Matrix& matrix, SystemPart part, const std::string& problem) {
  try {
    static_cast<void>(solve_linear(matrix, zeros(matrix.rows())));
  } catch (const std::domain_error&) {
    throw SystemError(part, problem);
  }
}

void check_mass(const SystemDescription& description, const Matrix& mass) {
  for (std::size_t i = 0; i < mass.rows(); ++i) {
    if (is_zero(mass.row(i))) {
      throw SystemError(SystemPart::lagrangian, "system \"" + description.name +
                                                    "\": the Lagrangian has no kinetic energy in " +
                                                    description.coordinates[i].name +
                                                    "_dot, so the mass matrix is singular");
    }
  }
}

void check_skew(const SystemDescription& description, const SkewGradient& form) {
  const std::size_t n = description.coordinates.size();
  const Matrix& pi = form.structure;
  const std::string which =
      "system \"" + description.name + "\": the matrix of the skew-gradient form ";
  if (pi.rows() != n || pi.columns() != n) {
    throw SystemError(SystemPart::skew_gradient,
                      which + "must be " + std::to_string(n) + " x " + std::to_string(n));
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      if ((pi(i, j) + pi(j, i)).is_constant(0.0)) continue;
      throw SystemError(SystemPart::skew_gradient, which + "is not skew in entry (" +
                                                       std::to_string(i + 1) + ", " +
                                                       std::to_string(j + 1) + ")");
    }
  }
}

/// All expressions of the equations, one after the other.
Vector expressions_of(const Mechanics& mechanics) {
  Vector all{mechanics.kinetic, mechanics.potential};
  if (mechanics.lagrangian) all.push_back(*mechanics.lagrangian);
  const auto add = [&all](const Vector& more) { all.insert(all.end(), more.begin(), more.end()); };
  add(mechanics.constraints);
  add(mechanics.holonomic);
  add(mechanics.force);
  for (const auto& [name, integral] : mechanics.integrals) all.push_back(integral);
  if (mechanics.skew_gradient) {
    all.push_back(mechanics.skew_gradient->hamiltonian);
    add(mechanics.skew_gradient->structure.entries());
  }
  for (const Vector& field : mechanics.frame) add(field);
  return all;
}

void check_graph(const SystemDescription& description, const GraphPointer& graph,
                 const Mechanics& mechanics) {
  const std::string which = "system \"" + description.name + "\": ";
  if (graph->is_frozen())
    throw RequestError(which + "its symbols already belong to a system that has been defined");
  for (const Expr& expression : expressions_of(mechanics)) {
    if (!expression.is_constant() && expression.graph() != graph)
      throw RequestError(which + "an expression of its equations is of another system");
  }
}

}  // namespace

bool Parameter::admits(double candidate) const {
  const bool above = min_exclusive ? candidate > min : candidate >= min;
  const bool below = max_exclusive ? candidate < max : candidate <= max;
  return above && below;
}

std::string Parameter::range_text() const {
  const bool has_min = min > -std::numeric_limits<double>::infinity();
  const bool has_max = max < std::numeric_limits<double>::infinity();
  if (has_min && has_max) {
    return std::string("in ") + (min_exclusive ? "(" : "[") + to_string(min) + ", " +
           to_string(max) + (max_exclusive ? ")" : "]");
  }
  if (has_min) return (min_exclusive ? "> " : ">= ") + to_string(min);
  if (has_max) return (max_exclusive ? "< " : "<= ") + to_string(max);
  return "any real number";
}

const Expr& Symbols::operator[](std::string_view parameter) const {
  const auto found = parameters.find(parameter);
  if (found == parameters.end()) {
    throw RequestError("the system has no parameter \"" + std::string(parameter) + "\"");
  }
  return found->second;
}

std::pair<GraphPointer, Symbols> System::make_symbols(const SystemDescription& description) {
  auto graph = std::make_shared<Graph>();
  Symbols symbols;
  std::set<std::string> names{"t"};
  const auto add = [&](const std::string& name, SignFacts facts, bool steady) {
    if (!names.insert(name).second) {
      throw RequestError("system \"" + description.name + "\": the name \"" + name +
                         "\" is used twice");
    }
    return make_symbol(graph, name, facts, steady);
  };
  symbols.t = make_symbol(graph, "t");
  for (const Parameter& parameter : description.parameters) {
    symbols.parameter_list.push_back(add(parameter.name, facts_of(parameter), true));
    symbols.parameters.emplace(parameter.name, symbols.parameter_list.back());
  }
  for (const Coordinate& coordinate : description.coordinates)
    symbols.q.push_back(add(coordinate.name, {}, false));
  for (const Coordinate& coordinate : description.coordinates)
    symbols.v.push_back(add(coordinate.name + "_dot", {}, false));
  return {std::move(graph), std::move(symbols)};
}

System System::define(SystemDescription description, const Equations& equations) {
  auto [graph, symbols] = make_symbols(description);
  Mechanics mechanics = equations(symbols);
  return define(std::move(description), std::move(graph), std::move(symbols), std::move(mechanics));
}

System System::define(SystemDescription description, GraphPointer graph, Symbols symbols,
                      Mechanics mechanics) {
  check_graph(description, graph, mechanics);
  const std::size_t n = description.coordinates.size();
  if (n == 0)
    throw SystemError(SystemPart::coordinates,
                      "system \"" + description.name + "\" has no coordinates");
  if (!mechanics.force.empty() && mechanics.force.size() != n) {
    throw SystemError(SystemPart::force, "system \"" + description.name +
                                             "\": the force needs one entry per coordinate");
  }
  if (mechanics.reversal && mechanics.reversal->size() != n) {
    throw SystemError(
        SystemPart::reversal,
        "system \"" + description.name + "\": the reversal map needs one sign per coordinate");
  }
  auto data = std::make_shared<Data>();
  if (mechanics.skew_gradient) {
    check_skew(description, *mechanics.skew_gradient);
    data->traits.lagrangian = LagrangianKind::skew_gradient;
    symbols.v.clear();
  } else {
    data->derive(description, mechanics, symbols);
  }
  data->description = std::move(description);
  graph->freeze();
  data->graph = std::move(graph);
  data->symbols = std::move(symbols);
  data->mechanics = std::move(mechanics);
  return System(std::move(data));
}

void System::Data::derive(const SystemDescription& about, const Mechanics& equations,
                          const Symbols& s) {
  const Vector rest = zeros(s.q.size());

  lagrangian =
      equations.lagrangian ? *equations.lagrangian : equations.kinetic - equations.potential;
  momentum = gradient(lagrangian, s.v);
  lagrangian_gradient = gradient(lagrangian, s.q);
  mass = jacobian(momentum, s.v);
  check_mass(about, mass);
  momentum_slope = jacobian(momentum, s.q);
  potential = -substitute(lagrangian, s.v, rest);
  potential_gradient = gradient(potential, s.q);
  momentum_rate = jacobian(momentum, {s.t}).entries();
  derive_constraints(about, equations, s);
  const std::string which = "system \"" + about.name + "\": ";
  check_not_singular(mass, SystemPart::lagrangian,
                     which + "the mass matrix is singular for every state");
  check_not_singular(saddle_point_matrix(mass, constraint_matrix), SystemPart::constraints,
                     which + "the constraints are dependent for every state");
  traits.lagrangian = lagrangian_kind(mass, substitute(momentum, s.v, rest), s);
  traits.constraints = constraint_kind(constraints, constraint_matrix, s);
  traits.nonholonomic = !equations.constraints.empty();
  traits.holonomic = !equations.holonomic.empty();
  traits.forced = !is_zero(equations.force);
  traits.time_dependent = depends_on(lagrangian, {s.t}) || any_depends(constraints, {s.t}) ||
                          any_depends(equations.force, {s.t});
}

void System::Data::derive_constraints(const SystemDescription& about, const Mechanics& equations,
                                      const Symbols& s) {
  check_constraints(about, equations, s, jacobian(equations.constraints, s.v));
  check_holonomic(about, equations, s);
  // Each in a statement of its own, in one order with every compiler.
  const Vector moved = jacobian(equations.holonomic, {s.t}).entries();
  const Vector rates = jacobian(equations.holonomic, s.q) * s.v + moved;
  constraints = concatenate({equations.constraints, rates});
  constraint_matrix = jacobian(constraints, s.v);
  const Vector changed = jacobian(constraints, {s.t}).entries();
  constraint_change = jacobian(constraints, s.q) * s.v + changed;
}

}  // namespace dalembert
