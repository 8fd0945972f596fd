#include "dalembert/problem/space/space_text.hpp"

#include "dalembert/expression/printer.hpp"
#include "problem/formula/repeated_parts.hpp"

namespace dalembert::study {
namespace {

/// The names of equations, in the order of `equations_of`.
std::vector<std::string> names_of(const ProblemFile& problem, const System& system) {
  std::vector<std::string> names{problem.lagrangian ? "Lagrangian" : "kinetic energy"};
  if (!problem.lagrangian) names.emplace_back("potential");
  const std::vector<std::string> multipliers = system.multiplier_names();
  for (std::size_t i = 0; i < multipliers.size(); ++i) {
    const std::string kind = i < system.nonholonomic_count() ? "constraint " : "holonomic ";
    const std::string number = "lambda_" + std::to_string(i + 1);
    names.push_back(kind +
                    (multipliers[i] == number ? number : multipliers[i] + " (" + number + ")"));
  }
  return names;
}

Vector equations_of(const ProblemFile& problem, const System& system) {
  const Mechanics& mechanics = system.mechanics();
  Vector equations;
  if (problem.lagrangian) {
    equations.push_back(*mechanics.lagrangian);
  } else {
    equations = {mechanics.kinetic, mechanics.potential};
  }
  return concatenate({equations, mechanics.constraints, mechanics.holonomic});
}

}  // namespace

SpaceText space_text(const ProblemFile& problem, const System& system) {
  const Vector equations = equations_of(problem, system);
  const std::vector<std::string> names = names_of(problem, system);
  const NamedParts shown = name_repeated_parts(system.symbols().t.graph(), equations);
  SpaceText text;
  for (const auto& [name, part] : shown.parts) text.parts.emplace_back(name, to_string(part));
  for (std::size_t i = 0; i < shown.expressions.size(); ++i)
    text.equations.emplace_back(names[i], to_string(shown.expressions[i]));
  return text;
}

}  // namespace dalembert::study
