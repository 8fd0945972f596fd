#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/method/method.hpp"

namespace dalembert {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// The energy that a method says to keep with steps of size h (see Method::discrete_energy), as a
/// function of the state with the multipliers that the method carries as further arguments,
/// [constraint_count]. Nothing where the method says none. Parameters in the order of the
/// description; the defaults if empty.
template <class Number>
std::optional<StateFunction<Number>> kept_energy(const System& system, const Method& method,
                                                 double h,
                                                 std::span<const double> parameters = {}) {
  const Symbols s = system.symbols();
  Vector lambda;
  for (std::size_t i = 1; i <= system.constraint_count(); ++i)
    lambda.push_back(make_symbol(s.t.graph(), "multiplier_" + std::to_string(i)));
  const std::optional<Expr> energy =
      method.discrete_energy(system, {s.q, s.v, lambda, {}, s.t}, Expr(h));
  if (!energy) return std::nullopt;
  return StateFunction<Number>(system, s, {*energy}, parameters, lambda);
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert
