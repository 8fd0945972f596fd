#include "dalembert/method/describe.hpp"

#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/query.hpp"

namespace dalembert {
namespace {

/// One coordinate, potential V, one linear constraint A(q) v = 0, constant mass M: everything
/// opaque.
System formal_system() {
  SystemDescription description{.name = "formal",
                                .coordinates = {{"q"}},
                                .parameters = {{.name = "M", .min = 0.0, .min_exclusive = true}}};
  auto [graph, symbols] = System::make_symbols(description);
  const Expr &q = symbols.q[0], &v = symbols.v[0];
  Mechanics mechanics{.kinetic = 0.5 * symbols["M"] * square(v),
                      .potential = opaque_function("V", q),
                      .constraints = {opaque_function("A", q) * v}};
  return System::define(std::move(description), graph, symbols, std::move(mechanics));
}

std::string with_index(const std::string& name, int index) { return name + std::to_string(index); }

/// Replaces the increments by unknowns with names of their own.
Vector rename(const Vector& expressions, const Unknowns& unknowns, Graph& graph) {
  Vector from, to;
  for (const Unknowns::Group& group : unknowns.groups()) {
    for (std::size_t i = 0; i < group.symbols.size(); ++i) {
      const Expr name = make_symbol(
          graph, group.symbols.size() == 1 ? group.name : with_index(group.name + "_", int(i + 1)));
      from.push_back(group.symbols[i]);
      to.push_back(group.is_multiplier ? name : name - (group.value[i] - group.symbols[i]));
    }
  }
  return substitute(expressions, from, to);
}

std::string line(const std::string& left, const Expr& right) {
  return left + " = " + to_string(right);
}

}  // namespace

std::vector<std::string> describe_equations(const Method& method) {
  if (!method.formula().empty()) return method.formula();
  const System system = formal_system();
  Graph& graph = system.graph();
  const State before{{make_symbol(graph, "q0")},
                     {make_symbol(graph, "v0")},
                     {make_symbol(graph, "lambda0")},
                     {},
                     make_symbol(graph, "t0")};
  Unknowns unknowns(graph);
  const Equations equations =
      method.equations(system, before, unknowns, make_symbol(graph, "h", {}, true));
  const Vector all = rename(concatenate({equations.zero, equations.constraint, equations.after.q,
                                         equations.after.v, equations.after.lambda}),
                            unknowns, graph);
  std::vector<std::string> lines;
  const std::size_t conditions = equations.zero.size() + equations.constraint.size();
  for (std::size_t i = 0; i < conditions; ++i) lines.push_back(line("0", all[i]));
  lines.push_back(line("q1", all[conditions]));
  lines.push_back(line("v1", all[conditions + 1]));
  if (!equations.after.lambda.empty()) lines.push_back(line("lambda1", all.back()));
  return lines;
}

std::vector<std::string> describe_facts(const Facts& facts) {
  std::vector<std::string> lines;
  lines.push_back("order " + std::to_string(facts.order) + " in q and v, " +
                  std::to_string(facts.multiplier_order) + " in lambda");
  lines.push_back(facts.symmetric ? "symmetric" : "not symmetric");
  lines.push_back(facts.reversible ? "reversible" : "not reversible");
  lines.push_back(facts.maps_constraint_set
                      ? "the new velocity satisfies the constraints"
                      : "the new velocity satisfies the constraints only nearly");
  lines.push_back(facts.exact_energy ? "energy exact to round-off" : "energy not exact");
  if (facts.carries_multiplier) lines.push_back("carries the multiplier from step to step");
  return lines;
}

std::string describe_requirements(const Requirements& requirements) {
  std::string text;
  switch (requirements.lagrangian) {
    case LagrangianKind::constant_mass:
      text = "constant mass matrix";
      break;
    case LagrangianKind::configuration_mass:
      text = "Lagrangian v.M(q)v/2 - V(q)";
      break;
    default:
      text = "any regular Lagrangian";
  }
  switch (requirements.constraints) {
    case ConstraintKind::none:
      text += ", no constraints";
      break;
    case ConstraintKind::linear:
      text += ", constraints linear in the velocities";
      break;
    case ConstraintKind::affine:
      text += ", constraints linear or affine in the velocities";
      break;
    default:
      text += ", any velocity constraints";
  }
  if (!requirements.handles_time) text += ", no explicit time";
  if (!requirements.handles_force) text += ", no external forces";
  if (requirements.handles_skew_gradient) text += "; or a system in skew-gradient form";
  return text;
}

}  // namespace dalembert
