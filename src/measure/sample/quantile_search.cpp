#include "dalembert/measure/sample/quantile_search.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace dalembert {
namespace {

constexpr std::size_t most_parts = 4096, values_of_a_part = 8;

}  // namespace

QuantileSearch::QuantileSearch(const SampleMoments& sample)
    : count_(sample.count),
      parts_(std::clamp<std::size_t>(sample.count / values_of_a_part, 1, most_parts)),
      lowest_(sample.min) {
  const double width = sample.max - sample.min, scale = static_cast<double>(parts_) / width;
  if (std::isfinite(width) && std::isfinite(scale)) scale_ = scale;
}

std::size_t QuantileSearch::part(double value) const {
  if (scale_ == 0.0) return 0;
  const auto i = static_cast<std::size_t>(static_cast<int>((value - lowest_) * scale_));
  return std::min<std::size_t>(i, parts_ - 1);
}

QuantileSearch::Place QuantileSearch::place(double level) const {
  const double at = level * static_cast<double>(count_ - 1);
  const auto below = static_cast<std::size_t>(at);
  return {below, std::min<std::size_t>(below + 1, count_ - 1), at - static_cast<double>(below)};
}

QuantileSearch::Counts QuantileSearch::counts(std::span<const double> values) const {
  Counts counts(parts_, 0);
  for (const double value : values)
    if (std::isfinite(value)) ++counts[part(value)];
  return counts;
}

std::vector<std::uint32_t> QuantileSearch::wanted_parts(const Counts& counts) const {
  std::vector<std::uint32_t> wanted;
  if (count_ == 0) return wanted;
  std::vector<std::size_t> places;
  for (const double level : quantile_levels) {
    places.push_back(place(level).below);
    places.push_back(place(level).above);
  }
  std::ranges::sort(places);
  std::size_t end = 0, next = 0;
  for (std::size_t i = 0; i < counts.size() && next < places.size(); ++i) {
    end += counts[i];
    if (places[next] >= end) continue;
    wanted.push_back(static_cast<std::uint32_t>(i));
    while (next < places.size() && places[next] < end) ++next;
  }
  return wanted;
}

std::vector<double> QuantileSearch::values_in(std::span<const std::uint32_t> parts,
                                              std::span<const double> values) const {
  std::vector<std::uint8_t> is_wanted(parts_, 0);
  for (const std::uint32_t i : parts) is_wanted[i] = 1;
  std::vector<double> found;
  for (const double value : values)
    if (std::isfinite(value) && is_wanted[part(value)] != 0) found.push_back(value);
  return found;
}

Quantiles QuantileSearch::quantiles(const Counts& counts,
                                    std::vector<double> in_wanted_parts) const {
  Quantiles result;
  result.fill(std::numeric_limits<double>::quiet_NaN());
  if (count_ == 0) return result;
  std::ranges::sort(in_wanted_parts);
  const std::vector<std::uint32_t> wanted = wanted_parts(counts);
  // A value of the sorted sample; those before it in parts that are not wanted are not there.
  const auto value_at = [&](std::size_t place) {
    std::size_t left_out = 0, end = 0;
    auto next = wanted.begin();
    for (std::size_t i = 0; end + counts[i] <= place; ++i) {
      end += counts[i];
      if (next != wanted.end() && *next == i) {
        ++next;
      } else {
        left_out += counts[i];
      }
    }
    return in_wanted_parts[place - left_out];
  };
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Place at = place(quantile_levels[i]);
    const double below = value_at(at.below);
    result[i] = at.below == at.above ? below : below + at.weight * (value_at(at.above) - below);
  }
  return result;
}

}  // namespace dalembert
