#include "reaction_expression.hpp"

#include <string>
#include <tuple>
#include <vector>

#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/mechanics/rank/full_multipliers.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/problem/system_scope.hpp"

namespace dalembert::study {
namespace {

std::string recomputed_name(std::size_t i) {
  return recomputed_multiplier + ("_" + std::to_string(i + 1));
}

/// Symbols under these names and their numbers.
Vector add_multipliers(const System& system, const Symbols& s, Scope& scope) {
  const std::vector<std::string> names = system.multiplier_names();
  Vector lambda;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string number = "lambda_" + std::to_string(i + 1);
    lambda.push_back(make_symbol(s.t.graph(), number));
    scope.names.emplace(number, lambda.back());
    scope.names.emplace(names[i], lambda.back());
  }
  return lambda;
}

Expr value_of(const QuantityChoice& choice, const Scope& scope) {
  return choice.field.empty() ? scope.names.at(choice.name)
                              : parse_expression(choice.field.front(), scope);
}

/// Where multipliers of all constraints follow in numbers from those that are kept.
class AllReactions {
 public:
  AllReactions(const QuantityChoice& choice, std::span<const double> parameters,
               const std::shared_ptr<const Redundancy>& redundancy)
      : full_(redundancy, parameters),
        evaluator_(redundancy->working(), parameters),
        count_(redundancy->all().constraint_count()),
        kept_(redundancy->kept().size()),
        values_(2 * count_) {
    const System& system = redundancy->working();
    const Symbols s = system.symbols();
    Scope scope = motion_scope(system.configuration(), s);
    Vector further = add_multipliers(redundancy->all(), s, scope);
    for (std::size_t i = 0; i < count_; ++i) {
      further.push_back(make_symbol(s.t.graph(), recomputed_name(i)));
      scope.names.emplace(recomputed_name(i), further.back());
    }
    add_accelerations(system, system.eliminated(s.q, s.v, s.t).acceleration, scope);
    function_ = {system, s, {value_of(choice, scope)}, parameters, further};
  }

  double operator()(const Sample& sample) {
    const auto& [t, q, v] = std::tie(sample.t, sample.point->q, sample.v);
    const std::span<double> values(values_);
    full_(t, q, v, sample.lambda, values.first(count_));
    evaluator_.multiplier(t, q, v, kept_);
    full_(t, q, v, kept_, values.last(count_));
    return function_(t, q, v, values_)[0];
  }

 private:
  FullMultipliers full_;
  Evaluator evaluator_;
  std::size_t count_;
  std::vector<double> kept_, values_;
  StateFunction<double> function_;
};

}  // namespace

Quantity follow_reactions(const QuantityChoice& choice, const System& system,
                          std::span<const double> parameters,
                          const std::shared_ptr<const Redundancy>& redundancy) {
  if (redundancy) {
    return [reactions = AllReactions(choice, parameters, redundancy)](
               const Sample& sample, bool) mutable { return reactions(sample); };
  }
  const Symbols s = system.symbols();
  Scope scope = motion_scope(system.configuration(), s);
  const Vector lambda = add_multipliers(system, s, scope);
  add_reactions(system, s, recomputed_name, scope);
  return [function = StateFunction<double>(system, s, {value_of(choice, scope)}, parameters,
                                           lambda)](const Sample& sample, bool) mutable {
    return function(sample.t, sample.point->q, sample.v, sample.lambda)[0];
  };
}

}  // namespace dalembert::study
