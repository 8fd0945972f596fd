// Defining a system: what it needs to make sense, and everything that follows from a Lagrangian.
#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/system_error.hpp"
#include "mechanics/definition/angle_period.hpp"
#include "mechanics/definition/equation_sample.hpp"
#include "mechanics/definition/multiplier_names.hpp"
#include "mechanics/definition/symbol_names.hpp"
#include "mechanics/numeric_rank.hpp"
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

LagrangianKind lagrangian_kind(const Matrix& mass, const Vector& momentum_at_rest,
                               const Symbols& symbols) {
  // A mass that changes with time is not of the form v.M(q)v/2 either.
  if (any_depends_on(mass.entries(), symbols.v) || any_depends_on(mass.entries(), {symbols.t}) ||
      !is_zero(momentum_at_rest))
    return LagrangianKind::general;
  return any_depends_on(mass.entries(), symbols.variables) ? LagrangianKind::configuration_mass
                                                           : LagrangianKind::constant_mass;
}

ConstraintKind constraint_kind(const Vector& constraints, const Matrix& slope,
                               const Symbols& symbols) {
  if (constraints.empty()) return ConstraintKind::none;
  if (any_depends_on(slope.entries(), symbols.v)) return ConstraintKind::nonlinear;
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

/// What the entries of velocities and forces are called: velocities on groups, else coordinates.
std::string word_for_entries(const SystemDescription& description, bool several) {
  const bool flat =
      std::ranges::all_of(description.coordinates, &std::string::empty, &Coordinate::group);
  if (flat) return several ? "coordinates" : "coordinate";
  return several ? "velocities" : "velocity";
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
    if (!depends_on(phi, symbols.variables))
      throw SystemError(SystemPart::constraints,
                        which + " (" + to_string(phi) + ") contains no coordinate");
  }
}

template <class Solve>
bool is_singular(Solve solve) {
  try {
    static_cast<void>(solve());
    return false;
  } catch (const std::domain_error&) {
    return true;
  }
}

/// True where accelerations and multipliers are determined in no state.
bool is_singular(const Matrix& mass, const Matrix& constraint, const Matrix& reaction) {
  return is_singular([&] {
    return solve_saddle_point(mass, constraint, reaction, zeros(mass.rows() + constraint.rows()));
  });
}

/// Sentence on constraints that are dependent for every state; "" where they are not.
std::string dependence_of(const SystemDescription& description, const Matrix& mass,
                          const Matrix& rows) {
  if (rows.rows() > rows.columns()) {
    return "system \"" + description.name + "\" has " + std::to_string(rows.rows()) +
           " constraints for " + std::to_string(rows.columns()) + " " +
           word_for_entries(description, true) + "; they cannot be independent";
  }
  if (!is_singular(mass, rows, rows)) return "";
  return "system \"" + description.name + "\": the constraints are dependent for every state" +
         dependence_text(rows);
}

void check_mass(const SystemDescription& description,
                const std::vector<std::string>& velocity_names, const Matrix& mass) {
  for (std::size_t i = 0; i < mass.rows(); ++i) {
    if (is_zero(mass.row(i))) {
      throw SystemError(SystemPart::lagrangian, "system \"" + description.name +
                                                    "\": the Lagrangian has no kinetic energy in " +
                                                    velocity_names[i] +
                                                    ", so the mass matrix is singular");
    }
  }
}

/// Whether an expression is zero, by its form or else in numbers.
bool is_zero_everywhere(const Expr& expression, const SystemDescription& description,
                        const Symbols& symbols) {
  if (expression.is_constant()) return expression.is_constant(0.0);
  // Round-off of terms of the size one.
  constexpr double negligible = 1e-13;
  for (int number = 0; number < EquationSample::count; ++number)
    if (!(std::fabs(EquationSample(description, symbols, {}, number)(expression)) < negligible))
      return false;
  return true;
}

void check_skew(const SystemDescription& description, const SkewGradient& form,
                const Symbols& symbols) {
  const std::size_t n = description.coordinates.size();
  const Matrix& pi = form.structure;
  const std::string which =
      "system \"" + description.name + "\": the matrix of the skew-gradient form ";
  if (pi.rows() != n || pi.columns() != n) {
    throw SystemError(SystemPart::skew_gradient,
                      which + "must be " + std::to_string(n) + " x " + std::to_string(n));
  }
  if (depends_on(form.hamiltonian, symbols.v) || any_depends_on(pi.entries(), symbols.v)) {
    throw SystemError(SystemPart::skew_gradient,
                      "system \"" + description.name +
                          "\": a skew-gradient form is one of coordinates, without velocities");
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      if (is_zero_everywhere(pi(i, j) + pi(j, i), description, symbols)) continue;
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

/// What an element is in equations, from the symbols of its factor.
Symbols::Element element_of(const Configuration::Factor& factor, const Symbols& symbols) {
  const Group& group = factor.group;
  Symbols::Element element{slice(symbols.variables, factor.variable, group.variable_count()),
                           slice(symbols.v, factor.velocity, group.dimension()),
                           {}};
  const Group::MatrixVariables entries = group.matrix_variables();
  if (entries.size > 0) {
    element.matrix = Matrix(entries.size, entries.size);
    element.matrix.entries() = slice(element.variables, entries.first, entries.size * entries.size);
  }
  return element;
}

void check_reversal(const SystemDescription& description, const std::vector<double>& signs) {
  const std::string which = "system \"" + description.name + "\": the reversal map ";
  if (signs.size() != description.coordinates.size())
    throw SystemError(SystemPart::reversal, which + "needs one sign per coordinate");
  for (std::size_t i = 0; i < signs.size(); ++i) {
    const Coordinate& coordinate = description.coordinates[i];
    if (signs[i] != 1.0 && signs[i] != -1.0) {
      throw SystemError(SystemPart::reversal, which + "has " + to_string(signs[i]) + " for \"" +
                                                  coordinate.name + "\"; a sign is 1 or -1");
    }
    if (!coordinate.group.empty() && signs[i] != 1.0) {
      throw SystemError(SystemPart::reversal, which + "must have the sign 1 for \"" +
                                                  coordinate.name + "\": an element of " +
                                                  coordinate.group +
                                                  " stays, and its velocity turns round");
    }
  }
}

void check_frame(const SystemDescription& description, const Mechanics& mechanics,
                 const Symbols& symbols) {
  for (const Vector& field : mechanics.frame) {
    const std::string which = "system \"" + description.name + "\": a vector field of the frame ";
    if (field.size() != symbols.v.size()) {
      throw SystemError(SystemPart::constraints,
                        which + "has " + std::to_string(field.size()) + " entries; it needs " +
                            std::to_string(symbols.v.size()) + ", one per " +
                            word_for_entries(description, false));
    }
    if (any_depends_on(field, symbols.v))
      throw SystemError(SystemPart::constraints, which + "contains a velocity");
  }
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

const Symbols::Element& Symbols::element(std::string_view name) const {
  const auto found = elements.find(name);
  if (found == elements.end())
    throw RequestError("the system has no coordinate \"" + std::string(name) + "\"");
  return found->second;
}

namespace {

/// The factors that a description names; SystemError for a group that there is not.
Configuration configuration_of(const SystemDescription& description) {
  try {
    return Configuration::of_coordinates(description.coordinates);
  } catch (const RequestError& error) {
    throw SystemError(SystemPart::coordinates,
                      "system \"" + description.name + "\": " + error.what());
  }
}

}  // namespace

std::pair<GraphPointer, Symbols> System::make_symbols(const SystemDescription& description) {
  auto graph = std::make_shared<Graph>();
  Symbols symbols;
  std::set<std::string> names{"t"};
  const auto take = [&](const std::string& name) {
    if (!is_symbol_name(name))
      throw RequestError("system \"" + description.name + "\": \"" + name.substr(0, 40) +
                         "\" is no name of a coordinate or a parameter; a name is a letter "
                         "followed by letters, digits and underscores, 200 at most");
    if (names.insert(name).second) return;
    throw RequestError("system \"" + description.name + "\": the name \"" + name +
                       "\" is used twice");
  };
  const auto add = [&](const std::string& name, SignFacts facts, bool steady) {
    take(name);
    return make_symbol(graph, name, facts, steady);
  };
  symbols.t = make_symbol(graph, "t");
  for (const Parameter& parameter : description.parameters) {
    symbols.parameter_list.push_back(add(parameter.name, facts_of(parameter), true));
    symbols.parameters.emplace(parameter.name, symbols.parameter_list.back());
  }
  const Configuration configuration = configuration_of(description);
  for (const std::string& name : configuration.variable_names())
    symbols.variables.push_back(add(name, {}, false));
  for (const std::string& name : configuration.velocity_names())
    symbols.v.push_back(add(name, {}, false));
  for (const Configuration::Factor& factor : configuration.factors()) {
    // Numbers that are variables themselves have their symbols already.
    const std::vector<std::string> variables = factor.group.variable_names(factor.name);
    for (const Coordinate& number : factor.group.storage(factor.name)) {
      const auto same = std::ranges::find(variables, number.name);
      const auto index = factor.variable + static_cast<std::size_t>(same - variables.begin());
      symbols.q.push_back(same == variables.end() ? add(number.name, {}, false)
                                                  : symbols.variables[index]);
    }
    if (!factor.group.is_flat()) {  // in texts, names of a matrix and of an array
      take(factor.name);
      take(factor.name + "_dot");
    }
    symbols.elements.emplace(factor.name, element_of(factor, symbols));
  }
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
  if (description.coordinates.empty())
    throw SystemError(SystemPart::coordinates,
                      "system \"" + description.name + "\" has no coordinates");
  auto data = std::make_shared<Data>();
  data->configuration = configuration_of(description);
  if (!mechanics.force.empty() && mechanics.force.size() != data->configuration.dof()) {
    throw SystemError(SystemPart::force, "system \"" + description.name +
                                             "\": the force needs one entry per " +
                                             word_for_entries(description, false));
  }
  if (mechanics.reversal) check_reversal(description, *mechanics.reversal);
  if (mechanics.skew_gradient) {
    check_skew(description, *mechanics.skew_gradient, symbols);
    if (!data->configuration.is_flat()) {
      throw SystemError(SystemPart::skew_gradient,
                        "system \"" + description.name +
                            "\": a skew-gradient form is for coordinates, not for groups");
    }
    data->traits.lagrangian = LagrangianKind::skew_gradient;
    symbols.v.clear();
  } else {
    data->derive(description, mechanics, symbols);
  }
  check_frame(description, mechanics, symbols);
  check_column_names(description, data->configuration, mechanics);
  check_multiplier_names(description, data->configuration, mechanics);
  require_periodic(description, symbols, mechanics);
  data->description = std::move(description);
  graph->freeze();
  data->graph = std::move(graph);
  data->symbols = std::move(symbols);
  data->mechanics = std::move(mechanics);
  return System(std::move(data));
}

Matrix System::Data::left_jacobian(const Vector& expressions, const Vector& variables) const {
  const Matrix by_variables = jacobian(expressions, variables);
  return configuration.is_flat() ? by_variables : by_variables * configuration.rates(variables);
}

void System::Data::derive(const SystemDescription& about, const Mechanics& equations,
                          const Symbols& s) {
  const Vector rest = zeros(s.v.size());

  lagrangian =
      equations.lagrangian ? *equations.lagrangian : equations.kinetic - equations.potential;
  momentum = gradient(lagrangian, s.v);
  lagrangian_gradient = configuration.left_gradient(lagrangian, s.variables);
  mass = jacobian(momentum, s.v);
  check_mass(about, configuration.velocity_names(), mass);
  momentum_slope = left_jacobian(momentum, s.variables);
  potential = -substitute(lagrangian, s.v, rest);
  potential_gradient = configuration.left_gradient(potential, s.variables);
  momentum_rate = jacobian(momentum, {s.t}).entries();
  derive_constraints(about, equations, s);
  const std::string which = "system \"" + about.name + "\": ";
  if (is_singular([&] { return solve_linear(mass, rest); }))
    throw SystemError(SystemPart::lagrangian,
                      which + "the mass matrix is singular for every state");
  dependence = dependence_of(about, mass, constraint_matrix);
  if (!traits.ideal && dependence.empty() && is_singular(mass, constraint_matrix, reaction_matrix))
    throw SystemError(SystemPart::constraints,
                      which +
                          "the reactions cannot hold the constraints in any state: no multiplier "
                          "changes how they are violated");
  traits.lagrangian = lagrangian_kind(mass, substitute(momentum, s.v, rest), s);
  traits.constraints = constraint_kind(constraints, constraint_matrix, s);
  traits.has_groups = !configuration.is_flat();
  traits.nonholonomic = !equations.constraints.empty();
  traits.holonomic = !equations.holonomic.empty();
  traits.forced = !is_zero(equations.force);
  traits.time_dependent = depends_on(lagrangian, {s.t}) || any_depends_on(constraints, {s.t}) ||
                          any_depends_on(equations.force, {s.t});
}

void System::Data::derive_constraints(const SystemDescription& about, const Mechanics& equations,
                                      const Symbols& s) {
  check_constraints(about, equations, s, jacobian(equations.constraints, s.v));
  check_holonomic(about, equations, s);
  // Each in a statement of its own, in one order with every compiler.
  const Vector moved = jacobian(equations.holonomic, {s.t}).entries();
  const Vector rates = left_jacobian(equations.holonomic, s.variables) * s.v + moved;
  constraints = concatenate({equations.constraints, rates});
  constraint_matrix = jacobian(constraints, s.v);
  derive_reactions(about, equations);
  const Vector changed = jacobian(constraints, {s.t}).entries();
  constraint_change = left_jacobian(constraints, s.variables) * s.v + changed;
}

void System::Data::derive_reactions(const SystemDescription& about, const Mechanics& equations) {
  reaction_matrix = constraint_matrix;
  const std::vector<Vector>& given = equations.reactions;
  traits.ideal = std::ranges::all_of(given, &Vector::empty);
  if (traits.ideal) return;
  if (given.size() != constraints.size())
    throw SystemError(SystemPart::constraints,
                      "system \"" + about.name + "\": there are " + std::to_string(given.size()) +
                          " reactions for " + std::to_string(constraints.size()) +
                          " constraints; give one for each, empty for an ideal one");
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].empty()) continue;
    if (given[i].size() != configuration.dof())
      throw SystemError(SystemPart::constraints,
                        "system \"" + about.name + "\": the reaction of constraint " +
                            std::to_string(i + 1) + " needs one entry per " +
                            word_for_entries(about, false));
    for (std::size_t j = 0; j < given[i].size(); ++j) reaction_matrix(i, j) = given[i][j];
  }
}

}  // namespace dalembert
