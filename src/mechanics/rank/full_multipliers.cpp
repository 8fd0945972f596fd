#include "dalembert/mechanics/rank/full_multipliers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "dalembert/numeric/extremes.hpp"
#include "mechanics/rank/rows_at_state.hpp"
#include "mechanics/rank/scaled_rows.hpp"

namespace dalembert {
struct FullMultipliers::Parts {
  Parts(std::shared_ptr<const Redundancy> given, std::span<const double> parameters)
      : redundancy(std::move(given)),
        rows(redundancy->all(), parameters),
        combinations(redundancy->kept(), redundancy->left_out(), redundancy->all().dof()) {}

  void set(double t, std::span<const double> q, std::span<const double> v) {
    is_regular = rows.set(t, q, v);
    if (is_regular) combinations.set(rows.scaled());
  }
  double least_new_of_all() const;
  double residual(std::size_t i) const;
  double allowed_residual() const;

  std::shared_ptr<const Redundancy> redundancy;
  RowsAtState rows;
  RowCombinations combinations;
  bool is_regular = false;
  /// When, and the smallest part that was new: the last looks, the latest first.
  struct Look {
    double t = 0.0, least_new = 0.0;
  };
  std::array<Look, 3> looks = {};
  std::size_t look_count = 0;
};

/// The smallest part that is new of as many rows of all, the most independent ones.
double FullMultipliers::Parts::least_new_of_all() const {
  // Far enough from a loss of rank to be met by some of every few steps.
  constexpr double near_dependence = 0.3;
  const double now = combinations.least_new();
  if (now > near_dependence) return now;
  RowCombinations best(
      independent_rows(rows.scaled(), redundancy->kept().size(), rows.first_on_positions()), {},
      rows.scaled().dof());
  best.set(rows.scaled());
  return best.least_new();
}

/// Violation of a constraint, relative to the velocity; on positions the larger of two.
double FullMultipliers::Parts::residual(std::size_t i) const {
  const double of_velocity = rows.relative_value(i);
  if (i < rows.first_on_positions()) return of_velocity;
  const std::size_t k = i - rows.first_on_positions();
  return numeric::larger(of_velocity, std::fabs(rows.position(k)) / rows.position_size(k));
}

/// A thousand times what those that are kept are violated by, and round-off.
double FullMultipliers::Parts::allowed_residual() const {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  double largest = 64.0 * epsilon;
  for (const std::size_t i : redundancy->kept()) largest = numeric::larger(largest, residual(i));
  return 1e3 * largest;
}

FullMultipliers::FullMultipliers(std::shared_ptr<const Redundancy> redundancy,
                                 std::span<const double> parameters)
    : parts_(std::make_unique<Parts>(std::move(redundancy), parameters)) {}
FullMultipliers::FullMultipliers(const FullMultipliers& other)
    : parts_(std::make_unique<Parts>(*other.parts_)) {}
FullMultipliers& FullMultipliers::operator=(const FullMultipliers& other) {
  if (this != &other) parts_ = std::make_unique<Parts>(*other.parts_);
  return *this;
}
FullMultipliers::FullMultipliers(FullMultipliers&&) noexcept = default;
FullMultipliers& FullMultipliers::operator=(FullMultipliers&&) noexcept = default;
FullMultipliers::~FullMultipliers() = default;

void FullMultipliers::operator()(double t, std::span<const double> q, std::span<const double> v,
                                 std::span<const double> kept, std::span<double> all) {
  Parts& parts = *parts_;
  parts.set(t, q, v);
  std::ranges::fill(all, parts.is_regular ? 0.0 : std::numeric_limits<double>::quiet_NaN());
  if (!parts.is_regular) return;
  const ScaledRows& scaled = parts.rows.scaled();
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const std::size_t i = parts.redundancy->kept()[k];
    all[i] = kept[k] * scaled.length(i);
  }
  parts.combinations.make_least(all);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] /= scaled.length(i);
}

void FullMultipliers::reduce(double t, std::span<const double> q, std::span<const double> v,
                             std::span<const double> all, std::span<double> kept) {
  Parts& parts = *parts_;
  parts.set(t, q, v);
  const ScaledRows& scaled = parts.rows.scaled();
  const std::vector<std::size_t>& left_out = parts.redundancy->left_out();
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const std::size_t i = parts.redundancy->kept()[k];
    double sum = all[i] * scaled.length(i);
    for (std::size_t l = 0; l < left_out.size(); ++l)
      sum += parts.combinations.factor(l, k) * all[left_out[l]] * scaled.length(left_out[l]);
    kept[k] = sum / scaled.length(i);
  }
}

double FullMultipliers::constraint_error(double t, std::span<const double> q,
                                         std::span<const double> v) {
  RowsAtState& rows = parts_->rows;
  static_cast<void>(rows.set(t, q, v));
  double largest = 0.0;
  for (std::size_t i = 0; i < rows.count(); ++i)
    largest = numeric::larger(largest, std::fabs(rows.value(i)));
  for (std::size_t k = 0; k < rows.count() - rows.first_on_positions(); ++k)
    largest = numeric::larger(largest, std::fabs(rows.position(k)));
  return largest;
}

std::string FullMultipliers::misfit(double t, std::span<const double> q,
                                    std::span<const double> v) {
  Parts& parts = *parts_;
  parts.set(t, q, v);
  if (!parts.is_regular) return "";  // what is not finite is said elsewhere
  const Redundancy& redundancy = *parts.redundancy;
  constexpr double far_more = 3.0;
  const double least_new = parts.least_new_of_all();
  std::rotate(parts.looks.begin(), parts.looks.end() - 1, parts.looks.end());
  parts.looks[0] = {t, least_new};
  ++parts.look_count;
  if (least_new > far_more * parts.combinations.least_new())
    return constraint_list(redundancy.all(), redundancy.kept()) +
           ", of which steps are since the start, come near to be dependent, where others are not; "
           "go on by a run that starts here";
  const double allowed = parts.allowed_residual();
  std::vector<std::size_t> gone;
  for (std::size_t l = 0; l < redundancy.left_out().size(); ++l) {
    const std::size_t i = redundancy.left_out()[l];
    // Rows that are dependent on constraints on positions are so as far as these are kept.
    const bool is_new = parts.combinations.rest(l) > numeric::larger(1e-6, allowed);
    if (is_new || parts.residual(i) > allowed) gone.push_back(i);
  }
  if (gone.empty()) return "";
  return constraint_list(redundancy.all(), gone) +
         (gone.size() == 1 ? " no longer follows" : " no longer follow") + " from the others";
}

std::optional<double> FullMultipliers::passed_dependence() const {
  const auto& [last, middle, first] = parts_->looks;
  if (parts_->look_count < parts_->looks.size() || !(last.t > middle.t && middle.t > first.t))
    return std::nullopt;
  // Linear through zero, between the last two or between those before.
  const auto goes_through = [](const Parts::Look& a, const Parts::Look& b, const Parts::Look& c) {
    constexpr double nearly = 0.2;
    const double there = b.least_new + (b.least_new - a.least_new) / (b.t - a.t) * (c.t - b.t);
    return there < 0.0 && std::fabs(c.least_new + there) < nearly * (b.least_new + c.least_new);
  };
  if (goes_through(first, middle, last)) return last.t;
  if (goes_through(last, middle, first)) return middle.t;
  return std::nullopt;
}

}  // namespace dalembert
