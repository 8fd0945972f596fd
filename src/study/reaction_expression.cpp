#include "reaction_expression.hpp"

#include <cctype>
#include <string>

#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/problem/system_scope.hpp"

namespace dalembert::study {
namespace {

/// What the continuous equations say of the state: multipliers and, without groups, accelerations.
void add_motion(const System& system, const Symbols& s, Scope& scope) {
  if (system.is_skew_gradient()) return;
  const auto [acceleration, lambda] = system.eliminated(s.q, s.v, s.t);
  for (std::size_t i = 0; i < lambda.size(); ++i)
    scope.names.emplace(recomputed_multiplier + ("_" + std::to_string(i + 1)), lambda[i]);
  if (system.traits().has_groups) return;
  const auto& coordinates = system.description().coordinates;
  for (std::size_t i = 0; i < acceleration.size(); ++i)
    scope.names.emplace(coordinates[i].name + "_ddot", acceleration[i]);
}

bool is_part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

bool mentions_reactions(const DocumentNode& expression, const ProblemFile& problem) {
  if (!expression.is_text()) return false;
  const std::string& text = std::get<std::string>(expression.value);
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && is_part_of_name(text[i])) {
      word += text[i];
      continue;
    }
    if (word.starts_with("lambda_") || word.ends_with("_ddot") ||
        may_name_multiplier(word, problem))
      return true;
    word.clear();
  }
  return false;
}

Quantity follow_reactions(const QuantityChoice& choice, const System& system,
                          std::span<const double> parameters) {
  const Symbols s = system.symbols();
  Scope scope = motion_scope(system.configuration(), s);
  const std::vector<std::string> names = system.multiplier_names();
  Vector lambda;
  for (std::size_t i = 0; i < system.constraint_count(); ++i) {
    const std::string number = "lambda_" + std::to_string(i + 1);
    lambda.push_back(make_symbol(s.t.graph(), number));
    scope.names.emplace(number, lambda.back());
    scope.names.emplace(names[i], lambda.back());
  }
  add_motion(system, s, scope);
  const Vector value{choice.field.empty() ? scope.names.at(choice.name)
                                          : parse_expression(choice.field.front(), scope)};
  return [function = StateFunction<double>(system, s, value, parameters, lambda)](
             const Sample& sample, bool) mutable {
    return function(sample.t, sample.point->q, sample.v, sample.lambda)[0];
  };
}

}  // namespace dalembert::study
