#include "reaction_expression.hpp"

#include <string>

#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/problem/system_scope.hpp"

namespace dalembert::study {
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
  add_reactions(system, s, recomputed_multiplier + std::string("_"), scope);
  const Vector value{choice.field.empty() ? scope.names.at(choice.name)
                                          : parse_expression(choice.field.front(), scope)};
  return [function = StateFunction<double>(system, s, value, parameters, lambda)](
             const Sample& sample, bool) mutable {
    return function(sample.t, sample.point->q, sample.v, sample.lambda)[0];
  };
}

}  // namespace dalembert::study
