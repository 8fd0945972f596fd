#include "reaction_expression.hpp"

#include <regex>
#include <string>

#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/problem/system_scope.hpp"

namespace dalembert::study {
namespace {

void add_accelerations(const System& system, const Symbols& s, Scope& scope) {
  if (system.is_skew_gradient() || system.traits().has_groups) return;
  const Vector acceleration = system.eliminated(s.q, s.v, s.t).acceleration;
  const auto& coordinates = system.description().coordinates;
  for (std::size_t i = 0; i < acceleration.size(); ++i)
    scope.names.emplace(coordinates[i].name + "_ddot", acceleration[i]);
}

}  // namespace

bool mentions_reactions(const DocumentNode& expression) {
  static const std::regex names(R"(\blambda_[0-9]|_ddot\b)");
  return expression.is_text() && std::regex_search(std::get<std::string>(expression.value), names);
}

Quantity follow_reactions(const QuantityChoice& choice, const System& system,
                          std::span<const double> parameters) {
  const Symbols s = system.symbols();
  Scope scope = motion_scope(system.configuration(), s);
  Vector lambda;
  for (std::size_t i = 0; i < system.constraint_count(); ++i) {
    const std::string name = "lambda_" + std::to_string(i + 1);
    lambda.push_back(make_symbol(s.t.graph(), name));
    scope.names.emplace(name, lambda.back());
  }
  add_accelerations(system, s, scope);
  const Vector value{parse_expression(choice.field.front(), scope)};
  return [function = StateFunction<double>(system, s, value, parameters, lambda)](
             const Sample& sample, bool) mutable {
    return function(sample.t, sample.point->q, sample.v, sample.lambda)[0];
  };
}

}  // namespace dalembert::study
