#include "dalembert/measure/sample/quantile_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sums_in_lanes.hpp"

namespace dalembert {
namespace {

constexpr std::size_t most_parts = 4096, values_of_a_part = 8, values_at_once = 256;

}  // namespace

QuantileSearch::QuantileSearch(const SampleMoments& sample)
    : count_(sample.count),
      parts_(std::clamp<std::size_t>(sample.count / values_of_a_part, 1, most_parts)),
      lowest_(sample.min) {
  const double width = sample.max - sample.min, scale = static_cast<double>(parts_) / width;
  if (std::isfinite(width) && std::isfinite(scale)) scale_ = scale;
}

/// The parts of a chunk of values are found in vectors before they are looked at one by one.
template <class Look>
void QuantileSearch::for_each_part(std::span<const double> values, Look look) const {
  std::array<int, values_at_once> part{};
  const auto last = static_cast<double>(parts_ - 1);
  for (; !values.empty();
       values = values.subspan(std::min<std::size_t>(values.size(), values_at_once))) {
    const std::span<const double> some =
        values.first(std::min<std::size_t>(values.size(), values_at_once));
    // An order of comparisons in which a nan is in a part, too: no number may be out of all ranges.
    for (std::size_t i = 0; i < some.size(); ++i) {
      const double at = (some[i] - lowest_) * scale_, up_to_last = at < last ? at : last;
      part[i] = static_cast<int>(up_to_last > 0.0 ? up_to_last : 0.0);
    }
    if (are_finite(some)) {
      for (std::size_t i = 0; i < some.size(); ++i)
        look(some[i], static_cast<std::size_t>(part[i]));
    } else {
      for (std::size_t i = 0; i < some.size(); ++i)
        if (std::isfinite(some[i])) look(some[i], static_cast<std::size_t>(part[i]));
    }
  }
}

QuantileSearch::Place QuantileSearch::place(double level) const {
  const double at = level * static_cast<double>(count_ - 1);
  const auto below = static_cast<std::size_t>(at);
  return {below, std::min<std::size_t>(below + 1, count_ - 1), at - static_cast<double>(below)};
}

QuantileSearch::Counts QuantileSearch::counts(std::span<const double> values) const {
  Counts counts(parts_, 0);
  for_each_part(values, [&](double, std::size_t part) { ++counts[part]; });
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
  for_each_part(values, [&](double value, std::size_t part) {
    if (is_wanted[part] != 0) found.push_back(value);
  });
  return found;
}

Quantiles QuantileSearch::quantiles(const Counts& counts,
                                    std::span<const double> in_wanted_parts) const {
  Quantiles result;
  result.fill(std::numeric_limits<double>::quiet_NaN());
  if (count_ == 0) return result;
  // The values of each wanted part side by side, in a range [begin, end) of them.
  const std::vector<std::uint32_t> wanted = wanted_parts(counts);
  std::vector<std::uint32_t> range_of(parts_, 0);
  std::vector<std::ptrdiff_t> ends(wanted.size());
  for (std::size_t k = 0, end = 0; k < wanted.size(); ++k) {
    range_of[wanted[k]] = static_cast<std::uint32_t>(k);
    ends[k] = static_cast<std::ptrdiff_t>(end);
    end += counts[wanted[k]];
  }
  std::vector<double> values(in_wanted_parts.size());
  for_each_part(in_wanted_parts, [&](double value, std::size_t part) {
    values[static_cast<std::size_t>(ends[range_of[part]]++)] = value;
  });
  // Places are asked for in their order: what lies before one, in its part, was put before it.
  std::size_t before = 0, part = 0, range = 0;
  std::ptrdiff_t sorted = 0;
  const auto value_at = [&](std::size_t place) {
    for (; before + counts[part] <= place; ++part) {
      before += counts[part];
      if (range < wanted.size() && wanted[range] == part) sorted = ends[range++];
    }
    const std::ptrdiff_t begin = range == 0 ? 0 : ends[range - 1],
                         at = begin + static_cast<std::ptrdiff_t>(place - before);
    if (at >= sorted)
      std::nth_element(values.begin() + sorted, values.begin() + at, values.begin() + ends[range]);
    sorted = std::max<std::ptrdiff_t>(sorted, at + 1);
    return values[static_cast<std::size_t>(at)];
  };
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Place at = place(quantile_levels[i]);
    const double below = value_at(at.below);
    result[i] = at.below == at.above ? below : below + at.weight * (value_at(at.above) - below);
  }
  return result;
}

}  // namespace dalembert
