#include "dalembert/problem/reduction/reduced_problem.hpp"

#include <cmath>

#include "dalembert/document/toml.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/system_scope.hpp"

namespace dalembert::study {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result + "\"";
}

template <class Values, class Text>
std::string list_text(const Values& values, Text&& text) {
  std::string result;
  for (const auto& value : values) result += (result.empty() ? "" : ", ") + text(value);
  return "[" + result + "]";
}

std::string number_list(const std::vector<double>& values) {
  return list_text(values, [](double value) { return to_string(value); });
}

std::string parameter_line(const Parameter& parameter, double value) {
  std::string text = parameter.name + " = { default = " + to_string(value);
  if (std::isfinite(parameter.min)) text += ", min = " + to_string(parameter.min);
  if (parameter.min_exclusive) text += ", min_exclusive = true";
  if (std::isfinite(parameter.max)) text += ", max = " + to_string(parameter.max);
  if (parameter.max_exclusive) text += ", max_exclusive = true";
  if (!parameter.description.empty()) text += ", description = " + quoted(parameter.description);
  return text + " }\n";
}

std::string joined_names(const ReductionRequest& request) {
  std::string names;
  for (const std::string& name : request.symmetry) names += (names.empty() ? "" : ", ") + name;
  return names;
}

std::string description_text(const ProblemFile& file, const ChaplyginReduction& reduction) {
  std::string text = file.name + " without " + joined_names(reduction.request) +
                     ", on which nothing depends: Chaplygin's reduction. ";
  if (reduction.request.multiplier) {
    text += "Velocities and t are those of a time tau, d tau = N dt with N = " +
            to_string(reduction.request.multiplier(reduction.original.symbols())) +
            ", in which it is a Lagrangian system.";
  } else {
    text += "The force does no work and reminds of the constraints.";
  }
  if (reduction.request.reconstruct)
    text += " What was left out follows by constraints, whose multipliers are zero.";
  return text;
}

/// The parameters of a start: those of the system with its own.
std::vector<double> parameters_of(const Problem& problem, const Start& start) {
  return named_parameter_values(problem.system, start.parameters);
}

}  // namespace

ChaplyginReduction reduce_problem(const ProblemFile& file, const Problem& problem,
                                  const ReductionChoice& choice) {
  ReductionRequest request{.symmetry = choice.symmetry, .reconstruct = choice.reconstruct};
  if (request.symmetry.empty() && file.reduction) request.symmetry = file.reduction->symmetry;
  if (request.symmetry.empty())
    throw RequestError("problem \"" + file.name +
                       "\" names no symmetric coordinates; give them with --symmetry or in its "
                       "[reduction], as symmetry = [\"x\"]");
  if (choice.hamiltonize) {
    std::optional<DocumentNode> multiplier;
    if (file.reduction) multiplier = file.reduction->multiplier;
    if (!choice.multiplier.empty())
      multiplier = DocumentNode{choice.multiplier, Place{"--multiplier", 0}, "multiplier"};
    if (!multiplier)
      throw RequestError("problem \"" + file.name +
                         "\" has no reducing multiplier; give one with --multiplier or in its "
                         "[reduction], as multiplier = \"1/sqrt(1 + y^2)\"");
    request.multiplier = [system = problem.system, node = *multiplier](const Symbols& symbols) {
      return parse_expression(node, position_scope(system.configuration(), symbols));
    };
  }
  return chaplygin_reduction(problem.system, request);
}

std::string reduced_problem_text(const ProblemFile& file, const Problem& problem,
                                 const ChaplyginReduction& reduction) {
  const System& system = reduction.system;
  const SystemDescription& description = system.description();
  std::string text = "name        = " + quoted(description.name) + "\n";
  text += "description = " + quoted(description_text(file, reduction)) + "\n";
  text += "source      = " + quoted("reduced from " + file.name + " (" + file.source + ")") + "\n";
  text += "coordinates = " +
          list_text(description.coordinates,
                    [](const Coordinate& coordinate) { return quoted(coordinate.name); }) +
          "\n";
  std::vector<std::string> angles;
  for (const Coordinate& coordinate : description.coordinates)
    if (coordinate.is_angle) angles.push_back(coordinate.name);
  if (!angles.empty()) text += "angles      = " + list_text(angles, quoted) + "\n";
  // The time follows by an affine constraint, whose reaction would do work if it was not zero.
  const bool has_affine = system.traits().constraints == ConstraintKind::affine;
  const bool keeps_energy = file.conserves == "energy";
  text += "conserves   = " + quoted(keeps_energy && !has_affine ? "energy" : "nothing") + "\n";
  if (!description.parameters.empty()) {
    text += "\n[parameters]\n";
    for (std::size_t i = 0; i < description.parameters.size(); ++i)
      text += parameter_line(description.parameters[i], reduction.parameters[i]);
  }
  const Symbols s = system.symbols();
  text +=
      "\n[lagrangian]\nexpression = " + quoted(to_string(system.lagrangian(s.q, s.v, s.t))) + "\n";
  if (system.constraint_count() > 0) {
    text += "\n[constraints]\nexpressions = " +
            list_text(system.constraint(s.q, s.v, s.t),
                      [](const Expr& e) { return quoted(to_string(e)); }) +
            "\n";
  }
  if (system.traits().forced) {
    text += "\n[force]\n";
    const Vector force = system.force(s.q, s.v, s.t);
    for (std::size_t i = 0; i < force.size(); ++i)
      if (!force[i].is_constant(0.0))
        text += description.coordinates[i].name + " = " + quoted(to_string(force[i])) + "\n";
  }
  if (keeps_energy && has_affine)
    text +=
        "\n[integrals]\nreduced_energy = " + quoted(to_string(system.energy(s.q, s.v, s.t))) + "\n";
  for (const Start& asked : problem.starts) {
    const std::vector<double> parameters = parameters_of(problem, asked);
    if (parameters != reduction.parameters) continue;
    const Start start = prepare_start(problem.system, asked, parameters);
    const auto [q, v] = reduction.start(start.q, start.v);
    text += "\n[initial." + asked.name + "]\n";
    if (!asked.description.empty()) text += "description = " + quoted(asked.description) + "\n";
    text += "q = " + number_list(q) + "\nv = " + number_list(v) + "\n";
  }
  // What is written can be read.
  make_system(read_problem(parse_document(text, description.name), description.name));
  return text;
}

}  // namespace dalembert::study
