#include "smooth_functions.hpp"

#include <utility>

#include "dalembert/expression/derivative.hpp"

namespace dalembert {
namespace {

/// The quantities as expressions in the symbols.
Vector expressions_of(const System& system, const Symbols& s,
                      const std::vector<SensitiveQuantity>& quantities) {
  const Vector lambda = system.eliminated(s.q, s.v, s.t).lambda;
  Vector values;
  for (const SensitiveQuantity& quantity : quantities)
    values.push_back(quantity.function(s, lambda));
  return system.at(values, s.q, s.v, s.t);
}

/// Value, slopes and second derivatives by q, v and controls.
Vector expansion_of(const Expr& value, const Symbols& s, const std::vector<std::size_t>& controls) {
  Vector arguments = concatenate({s.q, s.v});
  for (const std::size_t control : controls) arguments.push_back(s.parameter_list.at(control));
  const Vector slopes = gradient(value, arguments);
  return concatenate({Vector{value}, slopes, jacobian(slopes, arguments).entries()});
}

}  // namespace

SmoothFunctions::SmoothFunctions(const System& system,
                                 const std::vector<SensitiveQuantity>& quantities,
                                 std::vector<std::size_t> controls, std::size_t state_size,
                                 std::vector<double> parameters)
    : count_(quantities.size()),
      q_(system.storage_count()),
      v_(system.velocity_count()),
      state_size_(state_size),
      controls_(std::move(controls)),
      parameters_(std::move(parameters)) {
  const Symbols s = system.symbols();
  const Vector values = expressions_of(system, s, quantities);
  values_ = {system, s, values, parameters_};
  for (const Expr& value : values)
    expanded_.emplace_back(system, s, expansion_of(value, s, controls_), parameters_);
}

std::span<const double> SmoothFunctions::evaluate(StateFunction<double>& function, double t,
                                                  const Eigen::VectorXd& x,
                                                  const Eigen::VectorXd& c) {
  for (std::size_t j = 0; j < controls_.size(); ++j)
    parameters_[controls_[j]] = c[static_cast<Eigen::Index>(j)];
  function.set_parameters(parameters_);
  const std::span<const double> state(x.data(), state_size_);
  return function(t, state.first(q_), state.subspan(q_, v_));
}

std::span<const double> SmoothFunctions::values(double t, const Eigen::VectorXd& x,
                                                const Eigen::VectorXd& c) {
  return evaluate(values_, t, x, c);
}

ExpandedNumber SmoothFunctions::expand(std::size_t i, double t, const Eigen::VectorXd& x,
                                       const Eigen::VectorXd& c) {
  const std::span<const double> found = evaluate(expanded_[i], t, x, c);
  const std::size_t moved = q_ + v_, inner = moved + controls_.size();
  const auto size = static_cast<Eigen::Index>(state_size_ + controls_.size());
  ExpandedNumber result{found[0], Eigen::VectorXd::Zero(size), Eigen::MatrixXd::Zero(size, size)};
  // What else belongs to the state, multipliers and what is carried, lies between.
  const auto place = [&](std::size_t a) {
    return static_cast<Eigen::Index>(a < moved ? a : a - moved + state_size_);
  };
  for (std::size_t a = 0; a < inner; ++a) {
    result.slope[place(a)] = found[1 + a];
    for (std::size_t b = 0; b < inner; ++b)
      result.curvature(place(a), place(b)) = found[1 + inner + a * inner + b];
  }
  return result;
}

}  // namespace dalembert
