#include "sensitivity/tangent_set.hpp"

#include <algorithm>
#include <cmath>

namespace dalembert {

TangentSet::TangentSet(const System& system, const Method& method,
                       std::span<const double> parameters, bool with_multipliers)
    : layout_(system, method, {}),
      along_(system, method, {}, parameters),
      with_multipliers_(with_multipliers),
      counted_((with_multipliers ? layout_.carried : layout_.lambda) - layout_.q),
      direction_(along_.direction_size()) {}

void TangentSet::span_set(const Point& at) {
  values_.clear();
  for (std::size_t j = 0; j < direction_.size(); ++j) {
    std::ranges::fill(direction_, 0.0);
    direction_[j] = 1.0;
    const auto tangent = along_(at.t, at.q, at.v, direction_);
    values_.insert(values_.end(), tangent.begin(), tangent.end());
    add_if_new();
  }
  for (std::size_t k = layout_.lambda; with_multipliers_ && k < layout_.carried; ++k) {
    values_.resize(values_.size() + layout_.size(), 0.0);
    (*this)[count() - 1][k - layout_.q] = 1.0;
    add_if_new();
  }
}

void TangentSet::add_if_new() {
  constexpr double least = 1e-8;  // of vectors of order one: else it follows from others
  if (!(normalise(count() - 1) > least)) drop_last();
}

void TangentSet::bring_back(std::size_t i, const Point& at) {
  const std::span<double> tangent = (*this)[i];
  const std::size_t q = layout_.v - layout_.q, v = layout_.lambda - layout_.v;
  const auto moved = along_.displacement(at.t, at.q, at.v, tangent.first(q));
  std::ranges::copy(moved, direction_.begin());
  std::ranges::copy(tangent.subspan(q, v), direction_.end() - static_cast<std::ptrdiff_t>(v));
  const auto back = along_(at.t, at.q, at.v, direction_);
  std::ranges::copy(with_multipliers_ ? back.first(q + v) : back, tangent.begin());
}

double TangentSet::normalise(std::size_t i) {
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t j = 0; j < i; ++j) {
      const double along = product(j, i);
      for (std::size_t k = 0; k < layout_.size(); ++k) (*this)[i][k] -= along * (*this)[j][k];
    }
  }
  const double length = std::sqrt(product(i, i));
  if (length > 0.0)
    for (double& entry : (*this)[i]) entry /= length;
  return length;
}

double TangentSet::product(std::size_t i, std::size_t j) {
  double sum = 0.0;
  for (std::size_t k = 0; k < counted_; ++k) sum += (*this)[i][k] * (*this)[j][k];
  return sum;
}

}  // namespace dalembert
