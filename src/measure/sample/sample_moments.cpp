#include "dalembert/measure/sample/sample_moments.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <string>
#include <type_traits>

#include "dalembert/error.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "sums_in_lanes.hpp"

namespace dalembert {
namespace {

/// Of values that are finite. `count` is their number, known to the compiler for blocks that are
/// full.
template <class Count>
SampleMoments moments_of_finite(const double* values, Count count) {
  SampleMoments result{.count = count, .min = values[0], .max = values[0]};
  const auto number = static_cast<double>(static_cast<std::size_t>(count));
  result.mean = sum_in_lanes(count, [=](std::size_t i) { return values[i]; }) / number;
  const double mean = result.mean;
  result.deviations =
      sum_in_lanes(count, [=](std::size_t i) { return (values[i] - mean) * (values[i] - mean); });
  for (std::size_t i = 0; i < count; ++i) {
    result.min = values[i] < result.min ? values[i] : result.min;
    result.max = values[i] > result.max ? values[i] : result.max;
  }
  return result;
}

}  // namespace

SampleMoments moments_of(std::span<const double> values) {
  if (values.empty()) return {};
  constexpr std::integral_constant<std::size_t, members_per_block> full;
  const SampleMoments all = values.size() == full ? moments_of_finite(values.data(), full)
                                                  : moments_of_finite(values.data(), values.size());
  // One value that is not finite makes these a nan; without them, numbers that are too large do.
  if (std::isfinite(all.deviations)) return all;
  std::vector<double> finite;
  std::ranges::copy_if(values, std::back_inserter(finite),
                       [](double value) { return std::isfinite(value); });
  return finite.empty() ? SampleMoments{} : moments_of_finite(finite.data(), finite.size());
}

SampleMoments together(const SampleMoments& a, const SampleMoments& b) {
  if (a.count == 0) return b;
  if (b.count == 0) return a;
  const auto of_a = static_cast<double>(a.count), of_b = static_cast<double>(b.count);
  const double share = of_b / (of_a + of_b), difference = b.mean - a.mean;
  return {.count = a.count + b.count,
          .mean = a.mean + share * difference,
          .deviations = (a.deviations + b.deviations) + (of_a * share) * (difference * difference),
          .min = numeric::smaller(a.min, b.min),
          .max = numeric::larger(a.max, b.max)};
}

void MomentTree::add(const Node& node) {
  if (node.first != next_ || !std::has_single_bit(node.blocks) ||
      (node.first & (node.blocks - 1)) != 0) {
    throw RequestError("blocks " + std::to_string(node.first) + " to " +
                       std::to_string(node.first + node.blocks) +
                       " are no node that follows block " + std::to_string(next_));
  }
  next_ += node.blocks;
  nodes_.push_back(node);
  while (nodes_.size() > 1) {
    Node& left = nodes_[nodes_.size() - 2];
    const Node& right = nodes_.back();
    const bool are_siblings =
        left.blocks == right.blocks && (left.first & (2 * left.blocks - 1)) == 0;
    if (!are_siblings) return;
    left = {left.first, 2 * left.blocks, together(left.moments, right.moments)};
    nodes_.pop_back();
  }
}

void MomentTree::add_values(std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); i += members_per_block) {
    const std::size_t count = std::min<std::size_t>(members_per_block, values.size() - i);
    add_block(moments_of(values.subspan(i, count)));
  }
}

SampleMoments MomentTree::total() const {
  SampleMoments all;
  for (std::size_t i = nodes_.size(); i-- > 0;) all = together(nodes_[i].moments, all);
  return all;
}

std::vector<MomentTree::Node> MomentTree::nodes_of(std::uint64_t first, std::uint64_t end) {
  std::vector<Node> nodes;
  while (first < end) {
    const std::uint64_t longest = std::bit_floor(end - first);
    const std::uint64_t aligned = first == 0 ? longest : first & (~first + 1);
    nodes.push_back({first, std::min<std::uint64_t>(longest, aligned)});
    first += nodes.back().blocks;
  }
  return nodes;
}

}  // namespace dalembert
