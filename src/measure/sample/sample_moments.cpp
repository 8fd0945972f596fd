#include "dalembert/measure/sample/sample_moments.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>

#include "dalembert/error.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {
namespace {

/// Several sums side by side, in an order that vectors keep.
template <class Term>
double sum_in_lanes(std::size_t count, Term term) {
  constexpr std::size_t lanes = 4;
  std::array<double, lanes> sums{};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += term(i + lane);
  for (std::size_t lane = 0; i + lane < count; ++lane) sums[lane] += term(i + lane);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

SampleMoments moments_of_finite(std::span<const double> values) {
  if (values.empty()) return {};
  SampleMoments result{.count = values.size(), .min = values.front(), .max = values.front()};
  const auto count = static_cast<double>(values.size());
  result.mean = sum_in_lanes(values.size(), [&](std::size_t i) { return values[i]; }) / count;
  result.deviations = sum_in_lanes(values.size(), [&](std::size_t i) {
    return (values[i] - result.mean) * (values[i] - result.mean);
  });
  for (const double value : values) {
    result.min = numeric::smaller(result.min, value);
    result.max = numeric::larger(result.max, value);
  }
  return result;
}

}  // namespace

SampleMoments moments_of(std::span<const double> values) {
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (std::ranges::all_of(values, is_finite)) return moments_of_finite(values);
  std::vector<double> finite;
  std::ranges::copy_if(values, std::back_inserter(finite), is_finite);
  return moments_of_finite(finite);
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
  if (node.first != next_ || !std::has_single_bit(node.blocks) || node.first % node.blocks != 0) {
    throw RequestError("blocks " + std::to_string(node.first) + " to " +
                       std::to_string(node.first + node.blocks) +
                       " are no node that follows block " + std::to_string(next_));
  }
  next_ += node.blocks;
  nodes_.push_back(node);
  while (nodes_.size() > 1) {
    Node& left = nodes_[nodes_.size() - 2];
    const Node& right = nodes_.back();
    const bool are_siblings = left.blocks == right.blocks && left.first % (2 * left.blocks) == 0;
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
