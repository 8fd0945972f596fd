#include "block_measures.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/mechanics/watched_quantities.hpp"

namespace dalembert {

BlockMeasures::BlockMeasures(const Evaluator& evaluator, const BatchStepper* batch)
    : evaluator_(evaluator), integrals_(evaluator.system().mechanics().integrals.size()) {
  if (batch == nullptr) return;
  const Symbols symbols = evaluator.system().symbols();
  watched_.emplace(*batch, symbols, watched_quantities(evaluator.system(), symbols),
                   evaluator.parameters());
  values_.resize(batch->size());
  largest_.resize(batch->size());
}

void BlockMeasures::measure(const MemberStepper& at, std::span<const std::size_t> members,
                            const std::vector<bool>& skipped, RecordWindow& window,
                            std::size_t record) {
  if (!watched_) {
    for (std::size_t i = 0; i < members.size(); ++i)
      if (!skipped[i]) measure(at.point(i), members[i], window, record);
    return;
  }
  // Most blocks are one range of members, without gaps.
  const bool is_range = members.back() - members.front() + 1 == members.size() &&
                        std::ranges::none_of(skipped, [](bool skips) { return skips; });
  const auto put = [&](std::size_t quantity, const std::vector<double>& values) {
    double* row = &window.at(record, quantity, 0);
    if (is_range) {
      std::copy_n(values.begin(), members.size(), row + members.front());
      return;
    }
    for (std::size_t i = 0; i < members.size(); ++i)
      if (!skipped[i]) row[members[i]] = values[i];
  };
  watched_->evaluate(*at.batch());
  watched_->get(0, values_);
  put(0, values_);
  find_largest_constraint();
  put(1, largest_);
  for (std::size_t j = 0; j < integrals_.size(); ++j) {
    watched_->get(watched_->output_count() - integrals_.size() + j, values_);
    put(2 + j, values_);
  }
}

void BlockMeasures::find_largest_constraint() {
  std::ranges::fill(largest_, 0.0);
  for (std::size_t j = 1; j + integrals_.size() < watched_->output_count(); ++j) {
    watched_->get(j, values_);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const double size = std::fabs(values_[i]);
      largest_[i] = size <= largest_[i] ? largest_[i] : size;
    }
  }
}

void BlockMeasures::measure(const Point& point, std::size_t member, RecordWindow& window,
                            std::size_t record) {
  window.at(record, 0, member) = evaluator_.energy(point.t, point.q, point.v);
  window.at(record, 1, member) = evaluator_.constraint_error(point.t, point.q, point.v);
  evaluator_.integrals(point.t, point.q, point.v, integrals_);
  for (std::size_t j = 0; j < integrals_.size(); ++j)
    window.at(record, 2 + j, member) = integrals_[j];
}

}  // namespace dalembert
