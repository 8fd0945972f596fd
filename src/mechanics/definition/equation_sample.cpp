#include "equation_sample.hpp"

#include "dalembert/expression/tape/compiled_function.hpp"
#include "dalembert/numeric/elementary.hpp"

namespace dalembert {

EquationSample::EquationSample(const SystemDescription& description, const Symbols& all,
                               std::span<const double> parameters, int number)
    : symbols(concatenate({all.variables, all.v, Vector{all.t}})) {
  for (std::size_t i = 0; i < symbols.size(); ++i)
    values.push_back(0.6 * numeric::sin(1.7 * static_cast<double>(i + 1) + number));
  for (std::size_t i = 0; i < all.parameter_list.size(); ++i) {
    symbols.push_back(all.parameter_list[i]);
    values.push_back(parameters.empty() ? description.parameters[i].value : parameters[i]);
  }
}

void EquationSample::set(const Expr& symbol, double value) {
  for (std::size_t i = 0; i < symbols.size(); ++i)
    if (same(symbols[i], symbol)) values[i] = value;
}

double EquationSample::operator()(const Expr& expression) const {
  CompiledFunction function(symbols, {expression});
  return function(values).front();
}

}  // namespace dalembert
